// SPDX-License-Identifier: MIT
/* Memory of a vfio-user client: maps and unmaps ranges while the guest runs. */
#include "bus/vfio_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Ends are those of the last bytes, since a range may end at the last address. */
static uint64_t last_byte(uint64_t address, uint64_t size)
{
	return address + (size - 1);
}

static bool overlaps(const struct vfio_range *range, uint64_t first, uint64_t last)
{
	return range->address <= last && last_byte(range->address, range->size) >= first;
}

static bool contains(uint64_t first, uint64_t last, const struct vfio_range *range)
{
	return range->address >= first && last_byte(range->address, range->size) <= last;
}

/* The card's view of memory is the mapped ranges, in their order. */
static void update_guest(struct vfio_memory *memory)
{
	struct guest_memory *guest = &memory->guest;

	guest->count = 0;
	for (unsigned int i = 0; i < memory->count; i++) {
		const struct vfio_range *range = &memory->range[i];

		if (range->map)
			guest->region[guest->count++] =
				(struct guest_region){ range->address, range->size, range->map };
	}
}

/* Whether a file has the bytes [offset, offset + size): access beyond its end raises SIGBUS. */
static bool file_holds(int fd, uint64_t offset, uint64_t size)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size >= size &&
	       offset <= (uint64_t)st.st_size - size;
}

static bool can_map(const struct vfio_user_dma_map *map, int fd)
{
	const uint32_t both = VFIO_USER_DMA_READABLE | VFIO_USER_DMA_WRITEABLE;

	return fd >= 0 && (map->flags & both) == both;
}

int vfio_memory_map(struct vfio_memory *memory, const struct vfio_user_dma_map *map, int fd)
{
	uint64_t last = last_byte(map->address, map->size);
	uint8_t *at = NULL;

	for (unsigned int i = 0; i < memory->count; i++)
		if (overlaps(&memory->range[i], map->address, last))
			return EEXIST;
	if (memory->count == VFIO_MEMORY_RANGES)
		return ENOSPC;
	if (can_map(map, fd)) {
		if (!file_holds(fd, map->offset, map->size))
			return EINVAL;
		at = mmap(NULL, map->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  (off_t)map->offset);
		if (at == MAP_FAILED)
			return errno;
	}
	memory->range[memory->count++] = (struct vfio_range){ map->address, map->size, at };
	update_guest(memory);
	return 0;
}

static void remove_range(struct vfio_memory *memory, unsigned int index)
{
	struct vfio_range *range = &memory->range[index];

	if (range->map)
		munmap(range->map, range->size);
	*range = memory->range[--memory->count];
}

int vfio_memory_unmap(struct vfio_memory *memory, const struct vfio_user_dma_unmap *unmap)
{
	uint64_t first = unmap->address, last = last_byte(unmap->address, unmap->size);
	unsigned int inside = 0;

	if (unmap->flags & VFIO_USER_UNMAP_ALL) {
		vfio_memory_clear(memory);
		return 0;
	}
	for (unsigned int i = 0; i < memory->count; i++) {
		if (!overlaps(&memory->range[i], first, last))
			continue;
		if (!contains(first, last, &memory->range[i]))
			return EINVAL;
		inside++;
	}
	/* from the end: remove_range() puts the last range, which was looked at, in the gap */
	for (unsigned int i = memory->count; i-- > 0;)
		if (contains(first, last, &memory->range[i]))
			remove_range(memory, i);
	update_guest(memory);
	return inside ? 0 : ENOENT;
}

void vfio_memory_clear(struct vfio_memory *memory)
{
	while (memory->count)
		remove_range(memory, memory->count - 1);
	update_guest(memory);
}
