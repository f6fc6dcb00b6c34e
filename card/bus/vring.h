/* SPDX-License-Identifier: MIT */
/*
 * A split virtqueue, device side (virtio 1.2, section 2.7). The guest can write to it at any
 * time, so each field is read once into a copy, which is checked and used. Indirect
 * descriptors, event indices and packed rings are never negotiated and thus errors.
 */
#ifndef CARD_BUS_VRING_H
#define CARD_BUS_VRING_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/memory.h"

#define VRING_MAX_SIZE 1024u /* entries; a power of two */
#define VRING_CHAIN_MAX 4u   /* buffers of a chain; virt-pci.c uses at most 3 */

struct vring_desc {
	uint64_t address;
	uint32_t length;
	uint16_t flags;
	uint16_t next;
};

struct vring_avail {
	uint16_t flags;
	uint16_t index;
	uint16_t ring[];
};

struct vring_used_entry {
	uint32_t id;
	uint32_t length;
};

struct vring_used {
	uint16_t flags;
	uint16_t index;
	struct vring_used_entry ring[];
};

#define VRING_DESC_NEXT 1u
#define VRING_DESC_WRITE 2u
#define VRING_DESC_INDIRECT 4u
#define VRING_AVAIL_NO_INTERRUPT 1u
#define VRING_USED_NO_NOTIFY 1u

struct vring {
	unsigned int size; /* entries, a power of two; 0: not set up */
	/* in guest memory; valid while @used is not NULL */
	const struct vring_desc *desc;
	const struct vring_avail *avail;
	struct vring_used *used;
	uint16_t next_avail; /* entries taken, modulo 2^16 */
	uint16_t next_used;  /* entries returned, likewise */
	bool enabled;        /* set by vhost-user's front end */
	bool broken;         /* invalid contents: ignored until it is set up again */
};

/* One buffer of guest memory. */
struct vring_buffer {
	uint8_t *data;
	uint32_t length;
};

/* A chain: readable buffers, then writable buffers. */
struct vring_chain {
	uint16_t head;
	unsigned int readable, writable; /* number of buffers */
	struct vring_buffer buffer[VRING_CHAIN_MAX];
};

enum vring_result {
	VRING_EMPTY,
	VRING_CHAIN,     /* *chain is valid: answer it with vring_push() */
	VRING_BAD_CHAIN, /* only chain->head is valid: return it with length 0 */
	VRING_BROKEN,    /* the ring is invalid; nothing can be returned */
};

/**
 * vring_map - find the three parts of the ring in guest memory
 * @ring: with @size set
 * @memory: guest memory
 * @desc: guest-physical address of the descriptors
 * @avail: guest-physical address of the available ring
 * @used: guest-physical address of the used ring
 *
 * Returns: false, with the ring unmapped, if they are not all in guest memory or not aligned as
 * the specification requires.
 */
bool vring_map(struct vring *ring, const struct guest_memory *memory, uint64_t desc, uint64_t avail,
	       uint64_t used);

/** vring_reset - return to the state before vhost-user's front end set it up */
void vring_reset(struct vring *ring);

/** vring_ready - whether it is mapped, enabled and not broken */
static inline bool vring_ready(const struct vring *ring)
{
	return ring->used && ring->enabled && !ring->broken;
}

/** vring_pending - whether the guest has offered chains that were not taken; reads one field */
static inline bool vring_pending(const struct vring *ring)
{
	return vring_ready(ring) &&
	       __atomic_load_n(&ring->avail->index, __ATOMIC_ACQUIRE) != ring->next_avail;
}

/**
 * vring_pop - take the next chain
 * @ring: must be ready
 * @memory: guest memory; a chain with a buffer outside of it is VRING_BAD_CHAIN
 * @chain: receives the chain
 */
enum vring_result vring_pop(struct vring *ring, const struct guest_memory *memory,
			    struct vring_chain *chain);

/** vring_unpop - put back the chain that vring_pop() took last; it must not have been returned */
void vring_unpop(struct vring *ring);

/** vring_push - return a chain; @written: bytes written to its writable buffers */
void vring_push(struct vring *ring, uint16_t head, uint32_t written);

/** vring_wants_interrupt - whether the guest has interrupts for used chains enabled */
bool vring_wants_interrupt(const struct vring *ring);

/**
 * vring_set_notify - enable or disable kicks
 *
 * After enabling them, vring_pending() must be checked once more before sleeping.
 */
void vring_set_notify(struct vring *ring, bool wanted);

/**
 * vring_chain_read - copy @length bytes at @offset of the readable buffers; false, after copying
 * those that there are, if there are fewer
 */
bool vring_chain_read(const struct vring_chain *chain, uint64_t offset, void *data,
		      uint64_t length);

/** vring_chain_write - the same for the writable buffers. */
bool vring_chain_write(const struct vring_chain *chain, uint64_t offset, const void *data,
		       uint64_t length);

/** vring_chain_readable, vring_chain_writable - bytes in all readable (writable) buffers. */
uint64_t vring_chain_readable(const struct vring_chain *chain);
uint64_t vring_chain_writable(const struct vring_chain *chain);

#endif
