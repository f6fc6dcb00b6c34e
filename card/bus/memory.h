/* SPDX-License-Identifier: MIT */
/*
 * Guest memory: regions of guest-physical addresses mapped into this process. All accesses of
 * the card to the guest get their pointers from guest_memory_at().
 */
#ifndef CARD_BUS_MEMORY_H
#define CARD_BUS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#define GUEST_MEMORY_REGIONS 64

struct guest_region {
	uint64_t address; /* guest-physical (= bus) address of the first byte */
	uint64_t size;    /* bytes */
	uint8_t *host;    /* address of its mapping in this process */
};

struct guest_memory {
	unsigned int count;
	struct guest_region region[GUEST_MEMORY_REGIONS];
};

/**
 * guest_memory_at - pointer to a range of guest memory
 * @memory: the regions
 * @address: guest-physical address, bytes
 * @length: bytes that will be accessed
 *
 * Returns: the pointer, or NULL if the range is not completely inside one region.
 */
static inline void *guest_memory_at(const struct guest_memory *memory, uint64_t address,
				    uint64_t length)
{
	for (unsigned int i = 0; i < memory->count; i++) {
		const struct guest_region *r = &memory->region[i];
		uint64_t offset = address - r->address;

		if (address >= r->address && offset < r->size && length <= r->size - offset)
			return r->host + offset;
	}
	return NULL;
}

#endif
