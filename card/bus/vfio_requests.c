// SPDX-License-Identifier: MIT
/* Requests of a vfio-user client. */
#include <errno.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <string.h>

#include "bus/vfio_internal.h"

/* What the card can do. Without "migration" its state cannot be saved. */
static const char capabilities[] =
	"{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":4096,\"max_dma_maps\":64,"
	"\"write_multiple\":true}}";

_Static_assert(VFIO_USER_FDS == 8 && VFIO_USER_DATA_BYTES == 4096 && VFIO_MEMORY_RANGES == 64,
	       "as in the capabilities");

struct reply {
	uint8_t *payload;
	uint32_t bytes;
};

static int answer(struct reply *reply, const void *payload, size_t bytes)
{
	memcpy(reply->payload, payload, bytes);
	reply->bytes = bytes;
	return 0;
}

static size_t payload_bytes(const struct vfio_user *vu)
{
	return vu->in.header.size - sizeof(vu->in.header);
}

void vfio_power_on(struct vfio_user *vu)
{
	pci_config_init(&vu->config);
	if (vu->options.platform)
		pci_config_be_platform(&vu->config);
	else
		pci_config_add_pin(&vu->config);
	vfio_irq_reset(&vu->irq);
}

/* ---- negotiation and questions ---- */

static int version(struct vfio_user *vu, struct reply *reply)
{
	const struct vfio_user_version ours = { VFIO_USER_MAJOR, VFIO_USER_MINOR };
	int error = vfio_check_version(vu->in.payload, payload_bytes(vu));

	if (error || vu->negotiated)
		return error ? error : EINVAL;
	vu->negotiated = true;
	vu->had_guest = true;
	memcpy(reply->payload, &ours, sizeof(ours));
	memcpy(reply->payload + sizeof(ours), capabilities, sizeof(capabilities));
	reply->bytes = sizeof(ours) + sizeof(capabilities);
	return 0;
}

static int device_info(struct vfio_user *vu, struct reply *reply)
{
	const struct vfio_user_device_info info = {
		.argsz = sizeof(info),
		.flags = VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET,
		.regions = VFIO_USER_REGION_COUNT,
		.irqs = VFIO_USER_IRQ_INDICES,
	};
	int error = vfio_check_device_info(vu->in.payload, payload_bytes(vu));

	return error ? error : answer(reply, &info, sizeof(info));
}

static uint64_t region_bytes(uint32_t index)
{
	switch (index) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		return BOARD_BAR0_BYTES;
	case VFIO_PCI_CONFIG_REGION_INDEX:
		return PCI_CONFIG_BYTES;
	default:
		return 0;
	}
}

/*
 * No region can be mapped: accesses to the card's registers have effects. Also, a region that is
 * mapped makes QEMU wait for the reply to each write of the device.
 */
static int region_info(struct vfio_user *vu, struct reply *reply)
{
	struct vfio_user_region_info info = { .argsz = sizeof(info) };
	int error = vfio_check_region_info(vu->in.payload, payload_bytes(vu), &info.index);

	if (error)
		return error;
	info.size = region_bytes(info.index);
	if (info.size)
		info.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	return answer(reply, &info, sizeof(info));
}

static bool has_msi(const struct vfio_user *vu)
{
	return !vu->options.platform;
}

static int irq_info(struct vfio_user *vu, struct reply *reply)
{
	struct vfio_user_irq_info info = { .argsz = sizeof(info) };
	int error = vfio_check_irq_info(vu->in.payload, payload_bytes(vu), &info.index);

	if (error)
		return error;
	info.count = vfio_irq_count(info.index, has_msi(vu));
	if (info.count)
		info.flags = VFIO_IRQ_INFO_EVENTFD;
	if (info.index == VFIO_PCI_INTX_IRQ_INDEX)
		info.flags |= VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED;
	return answer(reply, &info, sizeof(info));
}

/* ---- memory and interrupts ---- */

static int dma_map(struct vfio_user *vu, struct reply *reply)
{
	struct vfio_user_dma_map map;
	int error = vfio_check_dma_map(vu->in.payload, payload_bytes(vu), vu->in_fds, &map);

	if (error)
		return error;
	error = vfio_memory_map(&vu->memory, &map, vu->in_fds ? vu->in_fd[0] : -1);
	vu->statistics.maps += !error;
	return error;
}

static int dma_unmap(struct vfio_user *vu, struct reply *reply)
{
	struct vfio_user_dma_unmap unmap;
	int error = vfio_check_dma_unmap(vu->in.payload, payload_bytes(vu), &unmap);

	if (!error)
		error = vfio_memory_unmap(&vu->memory, &unmap);
	if (error)
		return error;
	vu->statistics.unmaps++;
	return answer(reply, &unmap, sizeof(unmap));
}

static int set_irqs(struct vfio_user *vu, struct reply *reply)
{
	struct vfio_irq_request request;
	int error = vfio_check_irq_set(vu->in.payload, payload_bytes(vu), vu->in_fds, has_msi(vu),
				       &request);

	if (error)
		return error;
	for (unsigned int i = 0; i < vu->in_fds; i++)
		if (!vfio_irq_is_eventfd(vu->in_fd[i]))
			return EINVAL;
	vfio_irq_set(&vu->irq, &request, vu->in_fd);
	return 0;
}

/* ---- accesses ---- */

static uint64_t get(const uint8_t *bytes, unsigned int size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size);
	return value;
}

static uint64_t config_read(struct vfio_user *vu, uint64_t offset, unsigned int size)
{
	uint32_t bar_offset;

	if (pci_config_window(&vu->config, offset, size, &bar_offset))
		return board_read(vu->board, bar_offset, size);
	return pci_config_read(&vu->config, offset, size);
}

static void config_write(struct vfio_user *vu, uint64_t offset, unsigned int size, uint64_t value)
{
	uint32_t bar_offset;

	if (pci_config_window(&vu->config, offset, size, &bar_offset))
		board_write(vu->board, bar_offset, size, value);
	else
		pci_config_write(&vu->config, offset, size, value);
}

/* Clients read the whole space at once: other sizes than a register's are read by bytes. */
static unsigned int config_step(uint32_t count)
{
	return count == 2 || count == 4 || count == 8 ? count : 1;
}

static void read_config(struct vfio_user *vu, const struct vfio_user_access *access, uint8_t *data)
{
	const unsigned int step = config_step(access->count);

	vu->statistics.config_reads++;
	pci_config_set_intx_status(&vu->config, board_interrupt_level(vu->board));
	for (uint32_t done = 0; done < access->count; done += step) {
		uint64_t value = config_read(vu, access->offset + done, step);

		memcpy(data + done, &value, step);
	}
}

static void write_config(struct vfio_user *vu, const struct vfio_user_access *access,
			 const uint8_t *data)
{
	const unsigned int step = config_step(access->count);

	vu->statistics.config_writes++;
	for (uint32_t done = 0; done < access->count; done += step)
		config_write(vu, access->offset + done, step, get(data + done, step));
	vfio_irq_update(&vu->irq);
}

/*
 * Reads and writes of BAR0. The table of MSI-X is the client's and is not here: at its offsets the
 * board has nothing.
 */
static void read_bar(struct vfio_user *vu, const struct vfio_user_access *access, uint8_t *data)
{
	uint64_t value = UINT64_MAX;

	vu->statistics.reads++;
	vu->statistics.bytes_read += access->count;
	if (pci_config_decodes_memory(&vu->config))
		value = board_read(vu->board, access->offset, access->count);
	memcpy(data, &value, access->count);
}

static void write_bar(struct vfio_user *vu, const struct vfio_user_access *access,
		      const uint8_t *data)
{
	vu->statistics.writes++;
	vu->statistics.bytes_written += access->count;
	if (pci_config_decodes_memory(&vu->config))
		board_write(vu->board, access->offset, access->count, get(data, access->count));
}

static void write_region(struct vfio_user *vu, const struct vfio_user_access *access,
			 const uint8_t *data)
{
	if (access->region == VFIO_PCI_CONFIG_REGION_INDEX)
		write_config(vu, access, data);
	else
		write_bar(vu, access, data);
}

static int region_read(struct vfio_user *vu, struct reply *reply)
{
	struct vfio_user_access access;
	int error = vfio_check_access(vu->in.payload, payload_bytes(vu), false, &access);
	uint8_t *data = reply->payload + sizeof(access);

	if (error)
		return error;
	if (access.region == VFIO_PCI_CONFIG_REGION_INDEX)
		read_config(vu, &access, data);
	else
		read_bar(vu, &access, data);
	memcpy(reply->payload, &access, sizeof(access));
	reply->bytes = sizeof(access) + access.count;
	return 0;
}

static int region_write(struct vfio_user *vu, struct reply *reply)
{
	struct vfio_user_access access;
	int error = vfio_check_access(vu->in.payload, payload_bytes(vu), true, &access);

	if (error)
		return error;
	write_region(vu, &access, vu->in.payload + sizeof(access));
	return answer(reply, &access, sizeof(access));
}

static int region_write_multi(struct vfio_user *vu, struct reply *reply)
{
	struct vfio_small_writes writes;
	int error = vfio_check_small_writes(vu->in.payload, payload_bytes(vu), &writes);

	if (error)
		return error;
	for (unsigned int i = 0; i < writes.count; i++)
		write_region(vu, &writes.write[i].access, writes.write[i].data);
	return answer(reply, vu->in.payload, sizeof(uint64_t)); /* their number */
}

static int device_reset(struct vfio_user *vu, struct reply *reply)
{
	vu->statistics.resets++;
	vfio_power_on(vu);
	board_reset(vu->board);
	return 0;
}

/* ---- the table ---- */

static const struct {
	int (*execute)(struct vfio_user *vu, struct reply *reply); /* NULL: not supported */
	bool fds;                                                  /* may carry descriptors */
	bool may_interrupt;                                        /* see vfio_may_interrupt() */
} requests[VFIO_USER_COMMANDS] = {
	[VFIO_USER_VERSION] = { version, false, false },
	[VFIO_USER_DMA_MAP] = { dma_map, true, false },
	[VFIO_USER_DMA_UNMAP] = { dma_unmap, false, false },
	[VFIO_USER_DEVICE_GET_INFO] = { device_info, false, true },
	[VFIO_USER_DEVICE_GET_REGION_INFO] = { region_info, false, true },
	[VFIO_USER_DEVICE_GET_IRQ_INFO] = { irq_info, false, true },
	[VFIO_USER_DEVICE_SET_IRQS] = { set_irqs, true, true },
	[VFIO_USER_REGION_READ] = { region_read, false, true },
	[VFIO_USER_REGION_WRITE] = { region_write, false, true },
	[VFIO_USER_REGION_WRITE_MULTI] = { region_write_multi, false, true },
	[VFIO_USER_DEVICE_RESET] = { device_reset, false, false },
};

bool vfio_may_interrupt(const struct vfio_user *vu)
{
	const unsigned int command = vu->in.header.command;

	return command < VFIO_USER_COMMANDS && requests[command].may_interrupt;
}

int vfio_execute(struct vfio_user *vu, uint8_t payload[VFIO_USER_PAYLOAD_BYTES],
		 uint32_t *reply_bytes)
{
	const unsigned int command = vu->in.header.command;
	struct reply reply = { .payload = payload };
	int error;

	*reply_bytes = 0;
	if (command >= VFIO_USER_COMMANDS || !requests[command].execute)
		return ENOTSUP;
	if (vu->in_fds && !requests[command].fds)
		return EINVAL;
	if (!vu->negotiated && command != VFIO_USER_VERSION)
		return EINVAL;
	error = requests[command].execute(vu, &reply);
	*reply_bytes = error ? 0 : reply.bytes;
	return error;
}
