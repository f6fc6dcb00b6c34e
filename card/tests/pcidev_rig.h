/* SPDX-License-Identifier: MIT */
/* The PCI function with its two rings and a board with a fake core, for tests. */
#ifndef CARD_TESTS_PCIDEV_RIG_H
#define CARD_TESTS_PCIDEV_RIG_H

#include "tests/check.h"
#include "tests/fake_gc.h"
#include "tests/ring.h"

#include <linux/pci_regs.h>
#include <linux/virtio_pcidev.h>

#include "board/board.h"
#include "board/mailbox.h"
#include "bus/pcidev.h"

#define ADDRESS 0x10000000ull
#define BAR_START 0xf0000000u

static struct guest_memory memory;
static struct test_ring commands, interrupts;
static struct vring rings[2];
static struct pcidev dev;
static struct board *board;
static struct card_clock *cal;
static uint8_t *room;
static unsigned int msis, deaths;

static void count_msi(void *ctx, unsigned int vector)
{
	msis++;
}

static void do_nothing(void *ctx)
{
}

static void note_death(void *ctx)
{
	deaths++;
	dev.unplugged = true;
}

static void begin_ring(struct test_ring *guest, struct vring *ring, unsigned int index)
{
	uint64_t address = ADDRESS + index * RING_ROOM;

	ring_init(guest, room + index * RING_ROOM, address);
	vring_reset(ring);
	ring->size = RING_SIZE;
	ring->enabled = true;
	vring_map(ring, &memory, address + RING_DESC, address + RING_AVAIL, address + RING_USED);
}

static void end(void)
{
	if (!board)
		return;
	board_destroy(board);
	clock_destroy(cal);
	free(room);
	board = NULL;
}

/* Ends the test before, too, so that only the last one is left to main(). */
static void begin(void)
{
	const struct board_host host = { .send_msi = count_msi,
					 .yield = do_nothing,
					 .die = note_death };
	const struct gc_options options = { 0 };

	end();
	room = malloc(2 * RING_ROOM);
	memory = (struct guest_memory){ 1, { { ADDRESS, 2 * RING_ROOM, room } } };
	begin_ring(&commands, &rings[0], 0);
	begin_ring(&interrupts, &rings[1], 1);
	cal = clock_create(false);
	board = board_create(&host, cal, &memory, gc_personality_find("gc3000"), &options);
	pcidev_init(&dev, &memory, &rings[0], &rings[1]);
	dev.board = board;
	msis = deaths = 0;
}

/* Offer a message with @data after it in descriptor 0, and room for the answer in descriptor 1. */
static void offer(uint8_t op, uint8_t bar, uint32_t size, uint64_t address, const void *data,
		  uint32_t data_bytes, uint32_t answer_bytes)
{
	struct virtio_pcidev_msg *msg = ring_data(&commands, 0);

	*msg = (struct virtio_pcidev_msg){ .op = op, .bar = bar, .size = size, .addr = address };
	memcpy(msg->data, data, data_bytes);
	memset(ring_data(&commands, 1), 0xff, RING_DATA_BYTES);
	ring_describe(&commands, 0, sizeof(*msg) + data_bytes, answer_bytes ? VRING_DESC_NEXT : 0,
		      1);
	ring_describe(&commands, 1, answer_bytes, VRING_DESC_WRITE, 0);
	ring_offer(&commands, 0);
}

/* The device's answer; all ones if it wrote nothing. */
static uint64_t answer(unsigned int size)
{
	uint64_t value = 0;

	memcpy(&value, ring_data(&commands, 1), size);
	return value;
}

static uint64_t config_read(uint32_t offset, unsigned int size)
{
	offer(VIRTIO_PCIDEV_OP_CFG_READ, 0, size, offset, "", 0, 8);
	pcidev_serve(&dev, 1);
	return answer(size);
}

static void config_write(uint32_t offset, unsigned int size, uint64_t value)
{
	offer(VIRTIO_PCIDEV_OP_CFG_WRITE, 0, size, offset, &value, 8, 0);
	pcidev_serve(&dev, 1);
}

static uint64_t mmio_read(uint64_t offset, unsigned int size)
{
	offer(VIRTIO_PCIDEV_OP_MMIO_READ, 0, size, offset, "", 0, size);
	pcidev_serve(&dev, 1);
	return answer(size);
}

static void mmio_write(uint64_t offset, unsigned int size, uint64_t value)
{
	offer(VIRTIO_PCIDEV_OP_MMIO_WRITE, 0, size, offset, &value, size, 0);
	pcidev_serve(&dev, 1);
}

static void enable(void)
{
	config_write(PCI_BASE_ADDRESS_0, 4, BAR_START);
	config_write(PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
}

#endif
