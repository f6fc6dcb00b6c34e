// SPDX-License-Identifier: MIT
/* PCI over virtio, device side. Messages are those of <linux/virtio_pcidev.h>. */
#include "bus/pcidev.h"

#include <linux/virtio_pcidev.h>
#include <string.h>

/* Posted writes without a read after which the guest is signalled. */
#define POSTED_LIMIT 64u

void pcidev_init(struct pcidev *dev, const struct guest_memory *memory, struct vring *commands,
		 struct vring *interrupts)
{
	memset(dev, 0, sizeof(*dev));
	dev->memory = memory;
	dev->commands = commands;
	dev->interrupts = interrupts;
	pci_config_init(&dev->config);
	msix_init(&dev->msix);
}

void pcidev_reset(struct pcidev *dev)
{
	pci_config_init(&dev->config);
	msix_init(&dev->msix);
	dev->backlog_count = 0;
	dev->posted = 0;
}

/* Queue the messages of pending vectors that are not masked, as far as there is room. */
static void queue_pending(struct pcidev *dev)
{
	if (!pci_config_msix_sends(&dev->config))
		return;
	while (dev->backlog_count < PCIDEV_MSI_BACKLOG &&
	       msix_take(&dev->msix, &dev->backlog[dev->backlog_count]))
		dev->backlog_count++;
}

/* Reads and writes of BAR0, which has the registers of MSI-X and those of the board. */
static uint64_t bar_read(struct pcidev *dev, uint64_t offset, unsigned int size)
{
	return msix_contains(offset) ? msix_read(&dev->msix, offset, size)
				     : board_read(dev->board, offset, size);
}

static void bar_write(struct pcidev *dev, uint64_t offset, unsigned int size, uint64_t value)
{
	if (!msix_contains(offset)) {
		board_write(dev->board, offset, size, value);
		return;
	}
	msix_write(&dev->msix, offset, size, value);
	queue_pending(dev);
}

static bool register_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool config_read(struct pcidev *dev, const struct virtio_pcidev_msg *msg,
			const struct vring_chain *chain, uint32_t *written)
{
	uint32_t bar_offset;
	uint64_t value;

	if (!register_size(msg->size))
		return false;
	if (pci_config_window(&dev->config, msg->addr, msg->size, &bar_offset))
		value = bar_read(dev, bar_offset, msg->size);
	else
		value = pci_config_read(&dev->config, msg->addr, msg->size);
	dev->statistics.config_reads++;
	*written = msg->size;
	return vring_chain_write(chain, 0, &value, msg->size);
}

static bool config_write(struct pcidev *dev, const struct virtio_pcidev_msg *msg,
			 const struct vring_chain *chain)
{
	uint32_t bar_offset;
	uint64_t value = 0;

	if (!register_size(msg->size) || !vring_chain_read(chain, sizeof(*msg), &value, msg->size))
		return false;
	dev->statistics.config_writes++;
	if (pci_config_window(&dev->config, msg->addr, msg->size, &bar_offset))
		bar_write(dev, bar_offset, msg->size, value);
	else
		pci_config_write(&dev->config, msg->addr, msg->size, value);
	queue_pending(dev);
	return true;
}

/* Whether the message addresses an existing range of BAR0, and the function decodes memory. */
static bool bar_range(const struct pcidev *dev, const struct virtio_pcidev_msg *msg)
{
	return msg->bar == 0 && msg->size && msg->addr < BOARD_BAR0_BYTES &&
	       msg->size <= BOARD_BAR0_BYTES - msg->addr && pci_config_decodes_memory(&dev->config);
}

/*
 * Size of the next access of a copy with @left bytes. All of them if these are an aligned register
 * of up to 64 bits, also at the end of a longer copy; otherwise an aligned part of at most 32 bits,
 * the size of the card's registers.
 */
static unsigned int access_size(uint64_t address, uint64_t left)
{
	if (register_size(left) && address % left == 0)
		return left;
	for (unsigned int size = 4; size > 1; size /= 2)
		if (address % size == 0 && left >= size)
			return size;
	return 1;
}

static bool mmio_read(struct pcidev *dev, const struct virtio_pcidev_msg *msg,
		      const struct vring_chain *chain, uint32_t *written)
{
	uint32_t done = 0;

	if (!bar_range(dev, msg) || vring_chain_writable(chain) < msg->size)
		return false;
	while (done < msg->size) {
		unsigned int size = access_size(msg->addr + done, msg->size - done);
		uint64_t value = bar_read(dev, msg->addr + done, size);

		vring_chain_write(chain, done, &value, size);
		done += size;
	}
	dev->statistics.reads++;
	dev->statistics.bytes_read += done;
	*written = done;
	return true;
}

/* The message was read from the chain: the readable bytes after it are the data. */
static bool mmio_write(struct pcidev *dev, const struct virtio_pcidev_msg *msg,
		       const struct vring_chain *chain)
{
	uint32_t done = 0;

	if (!bar_range(dev, msg) || vring_chain_readable(chain) - sizeof(*msg) < msg->size)
		return false;
	while (done < msg->size) {
		unsigned int size = access_size(msg->addr + done, msg->size - done);
		uint64_t value = 0;

		vring_chain_read(chain, sizeof(*msg) + done, &value, size);
		bar_write(dev, msg->addr + done, size, value);
		done += size;
	}
	dev->statistics.writes++;
	dev->statistics.bytes_written += done;
	return true;
}

static bool mmio_memset(struct pcidev *dev, const struct virtio_pcidev_msg *msg,
			const struct vring_chain *chain)
{
	uint32_t done = 0;
	uint8_t byte;

	if (!bar_range(dev, msg) || !vring_chain_read(chain, sizeof(*msg), &byte, 1))
		return false;
	while (done < msg->size) {
		unsigned int size = access_size(msg->addr + done, msg->size - done);

		bar_write(dev, msg->addr + done, size, byte * 0x0101010101010101u);
		done += size;
	}
	dev->statistics.memsets++;
	dev->statistics.bytes_written += done;
	return true;
}

/* @msg: a copy of the chain's message, which the guest cannot change */
static bool execute(struct pcidev *dev, const struct virtio_pcidev_msg *msg,
		    const struct vring_chain *chain, uint32_t *written)
{
	switch (msg->op) {
	case VIRTIO_PCIDEV_OP_CFG_READ:
		return config_read(dev, msg, chain, written);
	case VIRTIO_PCIDEV_OP_CFG_WRITE:
		return config_write(dev, msg, chain);
	case VIRTIO_PCIDEV_OP_MMIO_READ:
		return mmio_read(dev, msg, chain, written);
	case VIRTIO_PCIDEV_OP_MMIO_WRITE:
		return mmio_write(dev, msg, chain);
	case VIRTIO_PCIDEV_OP_MMIO_MEMSET:
		return mmio_memset(dev, msg, chain);
	default:
		return false;
	}
}

bool pcidev_execute(struct pcidev *dev, const struct vring_chain *chain, uint32_t *written)
{
	struct virtio_pcidev_msg msg;

	*written = 0;
	return vring_chain_read(chain, 0, &msg, sizeof(msg)) && execute(dev, &msg, chain, written);
}

/*
 * Return a chain that was executed. One that was refused (@good is false) is returned empty, so
 * that the guest does not wait forever.
 */
static void return_chain(struct pcidev *dev, const struct vring_chain *chain, bool good,
			 uint32_t written)
{
	if (!good) {
		dev->statistics.bad_commands++;
		written = 0;
	}
	if (dev->unplugged)
		return;
	vring_push(dev->commands, chain->head, written);
	if (written)
		dev->posted = 0; /* a guest that waits for an answer reaps all earlier chains */
	else
		dev->posted++;
}

static void serve_chain(struct pcidev *dev, const struct vring_chain *chain, bool bad)
{
	uint32_t written = 0;
	bool good = true;

	if (bad)
		dev->statistics.bad_chains++;
	else
		good = pcidev_execute(dev, chain, &written);
	return_chain(dev, chain, good, written);
}

unsigned int pcidev_serve(struct pcidev *dev, unsigned int limit)
{
	unsigned int taken = 0;

	if (dev->serving)
		return 0;
	dev->serving = true;
	while (taken < limit && !dev->unplugged && vring_pending(dev->commands)) {
		struct vring_chain chain;
		enum vring_result result = vring_pop(dev->commands, dev->memory, &chain);

		if (result == VRING_BROKEN)
			dev->statistics.broken_rings++;
		if (result == VRING_BROKEN || result == VRING_EMPTY)
			break;
		serve_chain(dev, &chain, result == VRING_BAD_CHAIN);
		taken++;
	}
	dev->serving = false;
	return taken;
}

/* Whether the message is an access to one register that need not wait. */
static bool is_immediate(const struct pcidev *dev, const struct virtio_pcidev_msg *msg)
{
	bool write = msg->op == VIRTIO_PCIDEV_OP_MMIO_WRITE;

	return (write || msg->op == VIRTIO_PCIDEV_OP_MMIO_READ) && msg->size == sizeof(uint32_t) &&
	       msg->addr % sizeof(uint32_t) == 0 && bar_range(dev, msg) &&
	       !msix_contains(msg->addr) &&
	       board_is_immediate(dev->board, (uint32_t)msg->addr, write);
}

/*
 * Execute the chain if it need not wait. The message is read once: a guest that changes it must not
 * get another access executed than the one that was checked.
 */
static bool answer_chain(struct pcidev *dev, const struct vring_chain *chain)
{
	struct virtio_pcidev_msg msg;
	uint32_t written = 0;
	bool good;

	if (!vring_chain_read(chain, 0, &msg, sizeof(msg)) || !is_immediate(dev, &msg))
		return false;
	good = execute(dev, &msg, chain, &written);
	return_chain(dev, chain, good, written);
	return true;
}

void pcidev_answer(struct pcidev *dev)
{
	struct vring_chain chain;

	if (dev->serving)
		return;
	dev->serving = true;
	while (!dev->unplugged && vring_pending(dev->commands)) {
		enum vring_result result = vring_pop(dev->commands, dev->memory, &chain);

		if (result == VRING_CHAIN && answer_chain(dev, &chain))
			continue;
		if (result != VRING_BROKEN && result != VRING_EMPTY)
			vring_unpop(dev->commands);
		break;
	}
	dev->serving = false;
}

bool pcidev_posted_full(const struct pcidev *dev)
{
	return dev->posted >= POSTED_LIMIT && vring_ready(dev->commands);
}

bool pcidev_posted_backlog(struct pcidev *dev)
{
	if (!pcidev_posted_full(dev))
		return false;
	dev->posted = 0;
	return vring_wants_interrupt(dev->commands);
}

static void raise_msi(struct pcidev *dev)
{
	struct pci_msi_message message;

	if (!pci_config_msi(&dev->config, &message)) {
		dev->statistics.msi_off++;
		return;
	}
	if (dev->backlog_count == PCIDEV_MSI_BACKLOG) {
		dev->statistics.msi_merged++;
		return;
	}
	dev->backlog[dev->backlog_count++] = message;
}

void pcidev_raise(struct pcidev *dev, unsigned int vector)
{
	if (!pci_config_msix_enabled(&dev->config)) {
		raise_msi(dev);
		return;
	}
	msix_raise(&dev->msix, vector);
	queue_pending(dev);
}

#define MAX_MSI_PACKET_BYTES (sizeof(struct virtio_pcidev_msg) + sizeof(uint32_t))

/* The packet of a message, with the data that a memory write would contain. Returns: its bytes. */
static uint32_t msi_packet(uint8_t packet[MAX_MSI_PACKET_BYTES],
			   const struct pci_msi_message *message)
{
	const struct virtio_pcidev_msg msg = {
		.op = VIRTIO_PCIDEV_OP_MSI,
		.size = message->bytes,
		.addr = message->address,
	};

	memcpy(packet, &msg, sizeof(msg));
	memcpy(packet + sizeof(msg), &message->data, message->bytes);
	return sizeof(msg) + message->bytes;
}

/*
 * Send an MSI in one of the guest's buffers. A buffer that is too small is returned empty, and
 * the MSI waits for the next one.
 */
static bool send_interrupt(struct pcidev *dev, const struct pci_msi_message *message)
{
	uint8_t packet[MAX_MSI_PACKET_BYTES];
	uint32_t bytes = msi_packet(packet, message);
	struct vring_chain chain;
	enum vring_result result = vring_pop(dev->interrupts, dev->memory, &chain);

	if (result == VRING_CHAIN && vring_chain_write(&chain, 0, packet, bytes)) {
		vring_push(dev->interrupts, chain.head, bytes);
		return true;
	}
	if (result == VRING_BROKEN) {
		dev->statistics.broken_rings++;
	} else if (result != VRING_EMPTY) {
		dev->statistics.bad_chains++;
		vring_push(dev->interrupts, chain.head, 0);
	}
	return false;
}

bool pcidev_flush_interrupts(struct pcidev *dev)
{
	unsigned int sent = 0;

	while (sent < dev->backlog_count && vring_pending(dev->interrupts) &&
	       send_interrupt(dev, &dev->backlog[sent]))
		sent++;
	if (vring_ready(dev->interrupts))
		vring_set_notify(dev->interrupts, sent < dev->backlog_count);
	if (!sent)
		return false;
	dev->statistics.msi_sent += sent;
	dev->backlog_count -= sent;
	memmove(dev->backlog, dev->backlog + sent, dev->backlog_count * sizeof(*dev->backlog));
	queue_pending(dev);
	return vring_wants_interrupt(dev->interrupts);
}
