// SPDX-License-Identifier: MIT
/*
 * Random messages of a hostile vfio-user client. Checks that the card does not crash, stays inside
 * the client's memory and its own (sanitizers), loses no descriptors, and works for the next, valid
 * client.
 */
#include "tests/fuzz.h"
#include "tests/vfio_client.h"

#include <dirent.h>

#define CLIENTS 300
#define MESSAGES 60

static const uint32_t edges[] = { 0,       1,          2,          3,         4,      8,
				  16,      24,         32,         256,       0x1000, 0x3ffff,
				  0x40000, 0x7fffffff, 0x80000000, 0xffffffff };

static uint64_t some_number(void)
{
	switch (fuzz_below(6)) {
	case 0:
		return fuzz_u32() * 0x100000001ull;
	case 1:
		return RAM_ADDRESS + fuzz_below(4) * 0x1000;
	case 2:
		return -(uint64_t)edges[fuzz_below(sizeof(edges) / sizeof(edges[0]))];
	default:
		return edges[fuzz_below(sizeof(edges) / sizeof(edges[0]))];
	}
}

/* A payload of numbers, many at the limits of what is valid; usual[]: valid size by command. */
static size_t fill_payload(uint8_t *payload, uint16_t command)
{
	static const uint8_t usual[] = { 0, 7, 32, 24, 16, 32, 0, 16, 20, 16, 20, 0, 0, 0, 0, 56 };
	size_t bytes = command < sizeof(usual) && fuzz_below(4) ? usual[command] : fuzz_below(200);

	for (size_t i = 0; i < bytes; i += 4) {
		uint32_t value = some_number();

		memcpy(payload + i, &value, 4);
	}
	return bytes;
}

static int some_fd(void)
{
	return fuzz_below(4) ? new_eventfd() : dup(fuzz_below(2) ? ram_fd : client);
}

static void send_noise(void)
{
	uint16_t command = fuzz_below(20) ? fuzz_below(VFIO_USER_COMMANDS) : fuzz_u32();
	uint8_t payload[256] = { 0 };
	size_t bytes = fill_payload(payload, command);
	uint32_t announced = fuzz_below(60) ? bytes : fuzz_u32() >> fuzz_below(32);
	unsigned int count = fuzz_below(3) ? 0 : fuzz_below(4);
	int fds[4] = { -1, -1, -1, -1 };

	for (unsigned int i = 0; i < count; i++)
		fds[i] = some_fd();
	send_raw(command, fuzz_below(50) ? fuzz_below(2) * VFIO_USER_NO_REPLY : fuzz_u32(),
		 announced, payload, bytes, fds, count);
	for (unsigned int i = 0; i < count; i++)
		close(fds[i]);
}

static void send_map(void)
{
	const struct vfio_user_dma_map map = { sizeof(map), fuzz_below(4), fuzz_below(20) << 12,
					       RAM_ADDRESS + (fuzz_below(32) << 12),
					       fuzz_below(8) << 12 };

	send_raw(VFIO_USER_DMA_MAP, 0, sizeof(map), &map, sizeof(map), &ram_fd, fuzz_below(4) > 0);
}

static void send_unmap(void)
{
	const struct vfio_user_dma_unmap unmap = { sizeof(unmap), 0,
						   RAM_ADDRESS + (fuzz_below(32) << 12),
						   fuzz_below(16) << 12 };

	send_raw(VFIO_USER_DMA_UNMAP, 0, sizeof(unmap), &unmap, sizeof(unmap), NULL, 0);
}

static void send_irqs(void)
{
	const struct vfio_user_irq_set set = { sizeof(set),
					       1u << fuzz_below(3) | 8u << fuzz_below(3),
					       fuzz_below(4), fuzz_below(3) ? 0 : fuzz_below(3),
					       fuzz_below(3) ? 1 : fuzz_below(4) };
	unsigned int count = fuzz_below(3) ? set.count : fuzz_below(4);
	int fds[4] = { -1, -1, -1, -1 };

	for (unsigned int i = 0; i < count; i++)
		fds[i] = some_fd();
	send_raw(VFIO_USER_DEVICE_SET_IRQS, 0, sizeof(set), &set, sizeof(set), fds, count);
	for (unsigned int i = 0; i < count; i++)
		close(fds[i]);
}

static void send_access(void)
{
	struct {
		struct vfio_user_access access;
		uint64_t value;
	} m = { { fuzz_below(3) ? fuzz_below(0x100) : fuzz_below(0x40010),
		  fuzz_below(2) ? VFIO_PCI_BAR0_REGION_INDEX : VFIO_PCI_CONFIG_REGION_INDEX,
		  1u << fuzz_below(4) },
		fuzz_below(2) ? fuzz_u32() : fuzz_below(16) };
	bool write = fuzz_below(2);

	m.access.offset &= ~(uint64_t)(m.access.count - 1);
	send_raw(write ? VFIO_USER_REGION_WRITE : VFIO_USER_REGION_READ,
		 fuzz_below(2) * VFIO_USER_NO_REPLY, sizeof(m.access) + write * m.access.count, &m,
		 sizeof(m.access) + write * m.access.count, NULL, 0);
}

static void send_write(uint32_t region, uint64_t offset, uint32_t count, uint32_t value)
{
	struct {
		struct vfio_user_access access;
		uint32_t value;
	} m = { { offset, region, count }, value };

	send_raw(VFIO_USER_REGION_WRITE, VFIO_USER_NO_REPLY, sizeof(m.access) + count, &m,
		 sizeof(m.access) + count, NULL, 0);
}

/* Set the core's line: see core_write(). */
static void raise_interrupt(void)
{
	send_write(VFIO_PCI_BAR0_REGION_INDEX, 0, 4, fuzz_below(2));
}

static void choose_interrupt(void)
{
	static const uint8_t offsets[] = { PCI_COMMAND, PCI_CAP_MSI + PCI_MSI_FLAGS,
					   PCI_CAP_MSIX + PCI_MSIX_FLAGS };
	const unsigned int i = fuzz_below(3);

	if (i)
		send_write(VFIO_PCI_CONFIG_REGION_INDEX, offsets[i], 2,
			   fuzz_below(2) * (PCI_MSI_FLAGS_ENABLE | PCI_MSIX_FLAGS_ENABLE));
	else
		send_write(VFIO_PCI_CONFIG_REGION_INDEX, offsets[i], 2,
			   PCI_COMMAND_MEMORY | fuzz_below(2) * PCI_COMMAND_INTX_DISABLE);
}

static void drain_replies(void)
{
	uint8_t bytes[4096];

	while (recv(client, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
}

static void touch_memory(void)
{
	const struct guest_memory *memory = bus_memory(bus);

	for (unsigned int i = 0; i < memory->count; i++) {
		memory->region[i].host[0]++;
		memory->region[i].host[memory->region[i].size - 1]++;
	}
}

static void act(void)
{
	static void (*const actions[])(void) = { send_noise,      send_map,        send_unmap,
						 send_irqs,       send_irqs,       send_access,
						 raise_interrupt, choose_interrupt };

	actions[fuzz_below(sizeof(actions) / sizeof(actions[0]))]();
	if (fuzz_below(3))
		turn();
	touch_memory();
	drain_replies();
}

static unsigned int open_descriptors(void)
{
	DIR *folder_of_fds = opendir("/proc/self/fd");
	unsigned int count = 0;

	while (readdir(folder_of_fds))
		count++;
	closedir(folder_of_fds);
	return count;
}

static bool works(void)
{
	bool good = join();

	if (good)
		enable_memory();
	good = good && read_register(BOARD_REGS_BASE) == BOARD_MAGIC_VALUE &&
	       !map_ram(RAM_ADDRESS, 0, RAM_BYTES, 3, ram_fd);
	leave();
	return good;
}

/* Parts of the bus that the clients must have reached. */
static const char *const wanted_figures[] = {
	"bus.refused_messages", "bus.reads",  "bus.writes",    "bus.config_writes", "bus.maps",
	"bus.unmaps",           "bus.resets", "bus.intx_sent", "bus.intx_unmasked", "bus.msi_sent",
};

static void check_figure(void *ctx, const char *name, uint64_t value)
{
	bool *good = ctx;

	for (unsigned int i = 0; i < sizeof(wanted_figures) / sizeof(wanted_figures[0]); i++) {
		if (value || strcmp(name, wanted_figures[i]) != 0)
			continue;
		printf("%s is zero\n", name);
		*good = false;
	}
}

TEST(hostile_clients)
{
	uint64_t clients = fuzz_cases(CLIENTS);
	unsigned int descriptors;
	bool good = true;

	plug_in(false, false);
	fake_gc->on_write = core_write;
	CHECK(works());
	descriptors = open_descriptors();
	for (uint64_t i = 0; i < clients && good; i++) {
		fuzz_begin(i);
		connect_client();
		if (fuzz_below(20))
			send_version(VFIO_USER_MAJOR);
		if (fuzz_below(4))
			send_write(VFIO_PCI_CONFIG_REGION_INDEX, PCI_COMMAND, 2,
				   PCI_COMMAND_MEMORY);
		for (unsigned int m = 0; m < MESSAGES; m++)
			act();
		leave();
		good = works() && open_descriptors() == descriptors;
		if (!good)
			printf("after client %" PRIu64 " the card does not work\n", i);
	}
	if (clients >= CLIENTS) /* fewer may miss some */
		board_print_statistics(board, check_figure, &good);
	unplug();
	CHECK(good);
}

int main(void)
{
	int status;

	if (!make_folder())
		return 1;
	status = test_all();
	rmdir(folder);
	return status;
}
