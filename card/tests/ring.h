/* SPDX-License-Identifier: MIT */
/*
 * The driver's side of a split virtqueue in memory, with functions for valid and invalid
 * contents.
 */
#ifndef CARD_TESTS_RING_H
#define CARD_TESTS_RING_H

#include <stdlib.h>
#include <string.h>

#include "bus/memory.h"
#include "bus/vring.h"

#define RING_SIZE 16u

/* Offsets of a ring's parts; data of descriptor i is at RING_DATA + i * RING_DATA_BYTES. */
#define RING_DESC 0u
#define RING_AVAIL 0x400u
#define RING_USED 0x800u
#define RING_DATA 0x1000u
#define RING_DATA_BYTES 0x1000u
#define RING_ROOM (RING_DATA + RING_SIZE * RING_DATA_BYTES)

struct test_ring {
	uint8_t *base;    /* of the ring's memory, here */
	uint64_t address; /* and for the device */
	struct vring_desc *desc;
	struct vring_avail *avail;
	struct vring_used *used;
};

__attribute__((unused)) static void ring_init(struct test_ring *ring, uint8_t *base,
					      uint64_t address)
{
	memset(base, 0, RING_DATA);
	ring->base = base;
	ring->address = address;
	ring->desc = (struct vring_desc *)(base + RING_DESC);
	ring->avail = (struct vring_avail *)(base + RING_AVAIL);
	ring->used = (struct vring_used *)(base + RING_USED);
}

/* The device's side of the ring: all parts are mapped, and it is enabled. */
__attribute__((unused)) static void ring_open(struct vring *vring, const struct test_ring *ring,
					      const struct guest_memory *memory)
{
	vring_reset(vring);
	vring->size = RING_SIZE;
	vring->enabled = true;
	vring_map(vring, memory, ring->address + RING_DESC, ring->address + RING_AVAIL,
		  ring->address + RING_USED);
}

__attribute__((unused)) static void *ring_data(const struct test_ring *ring, unsigned int index)
{
	return ring->base + RING_DATA + index * RING_DATA_BYTES;
}

/* Descriptor @index stands for the first @length bytes of its data. */
__attribute__((unused)) static void ring_describe(struct test_ring *ring, unsigned int index,
						  uint32_t length, uint16_t flags, uint16_t next)
{
	ring->desc[index] =
		(struct vring_desc){ ring->address + RING_DATA + index * RING_DATA_BYTES, length,
				     flags, next };
}

/* Offer the chain that begins at @head. */
__attribute__((unused)) static void ring_offer(struct test_ring *ring, uint16_t head)
{
	ring->avail->ring[ring->avail->index % RING_SIZE] = head;
	__atomic_store_n(&ring->avail->index, ring->avail->index + 1, __ATOMIC_RELEASE);
}

/* The used entry written last. */
__attribute__((unused)) static struct vring_used_entry ring_last_used(const struct test_ring *ring)
{
	return ring->used->ring[(uint16_t)(ring->used->index - 1) % RING_SIZE];
}

#endif
