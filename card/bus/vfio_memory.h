/* SPDX-License-Identifier: MIT */
/*
 * Memory of a vfio-user client that the card may access: ranges of addresses, most of them mapped
 * from a file of the client. Ranges that cannot be mapped (without a file, or read-only ones, such
 * as ROMs) are recorded, so that their removal is valid; for the card they are empty.
 */
#ifndef CARD_BUS_VFIO_MEMORY_H
#define CARD_BUS_VFIO_MEMORY_H

#include "bus/memory.h"
#include "bus/vfio_message.h"

#define VFIO_MEMORY_RANGES GUEST_MEMORY_REGIONS

struct vfio_range {
	uint64_t address, size;
	uint8_t *map; /* NULL: not mapped */
};

struct vfio_memory {
	struct guest_memory guest; /* the mapped ranges */
	unsigned int count;
	struct vfio_range range[VFIO_MEMORY_RANGES];
};

/**
 * vfio_memory_map - add a range
 * @map: one that vfio_check_dma_map() found valid
 * @fd: the client's file, or -1; not taken over
 *
 * Returns: 0, or an errno value: EEXIST if the range overlaps another, EINVAL if it reaches beyond
 * its file, ENOSPC if there are too many ranges, or that of mmap().
 */
int vfio_memory_map(struct vfio_memory *memory, const struct vfio_user_dma_map *map, int fd);

/**
 * vfio_memory_unmap - remove the ranges inside one
 * @unmap: one that vfio_check_dma_unmap() found valid
 *
 * Not while the core or the display uses the memory.
 *
 * Returns: 0, or an errno value: EINVAL if it would cut a range, ENOENT if it contains none.
 */
int vfio_memory_unmap(struct vfio_memory *memory, const struct vfio_user_dma_unmap *unmap);

/** vfio_memory_clear - remove all ranges */
void vfio_memory_clear(struct vfio_memory *memory);

#endif
