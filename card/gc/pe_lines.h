/* SPDX-License-Identifier: MIT */
/*
 * Tile status and cache accesses of a surface's cache line. Inline, since they are done for
 * nearly every quad. Only the pixel engine's files include this.
 */
#ifndef CARD_GC_PE_LINES_H
#define CARD_GC_PE_LINES_H

#include "gc/pe_internal.h"

#define PE_NO_LINE 0xffffffffu /* no line's number */

/** pe_access_line - report an access to the line of @address to the surface's cache */
static inline void pe_access_line(struct pe_surface *surface, uint32_t address, bool write,
				  uint64_t *read_bytes, uint64_t *write_bytes)
{
	pixel_cache_touch(surface->cache, address, write, read_bytes, write_bytes);
	surface->last_line = address / PE_LINE_BYTES;
	surface->last_write = write;
}

/** pe_access_run - pe_access_line() for the PIXEL_CACHE_RUN lines of a block that is a run */
static inline void pe_access_run(struct pe_surface *surface, uint32_t address, bool write,
				 uint64_t *read_bytes, uint64_t *write_bytes)
{
	pixel_cache_touch_run(surface->cache, address, write, read_bytes, write_bytes);
	surface->last_line = address / PE_LINE_BYTES + PIXEL_CACHE_RUN - 1;
	surface->last_write = write;
}

/**
 * pe_touch - pe_access_line(), unless the last access was to the same line and of the same kind,
 * or a write
 */
static inline void pe_touch(struct pe_surface *surface, uint32_t address, bool write,
			    uint64_t *read_bytes, uint64_t *write_bytes)
{
	if (address / PE_LINE_BYTES == surface->last_line && (surface->last_write || !write))
		return;
	pe_access_line(surface, address, write, read_bytes, write_bytes);
}

/**
 * pe_make_ready - fill the tile at @address with the clear colour if its tile status says
 * cleared
 * @fresh: set to true if it was, so that its contents were not read from memory
 *
 * Returns: false after a memory fault.
 */
bool pe_make_ready(struct gc_core *gc, struct pe_surface *surface, uint32_t address, bool *fresh);

/* pe_is_ready - whether the tile at @address is known not to be cleared */
static inline bool pe_is_ready(const struct pe_surface *surface, uint32_t address)
{
	uint32_t index = (address - surface->ts.surface_address) >> surface->ts_shift;

	return surface->ready[index % PE_READY_TILES] == index + 1;
}

/**
 * pe_prepare_line - fill the tile at @address if it is cleared, and report reading the line
 *
 * Returns: false after a memory fault.
 */
static inline bool pe_prepare_line(struct gc_core *gc, struct pe_surface *surface, uint32_t address,
				   struct pe_traffic *traffic)
{
	uint64_t not_read = 0;
	bool fresh = false;

	if (address / PE_LINE_BYTES == surface->last_line)
		return true;
	if (surface->ts.enabled && !pe_is_ready(surface, address) &&
	    !pe_make_ready(gc, surface, address, &fresh))
		return false;
	if (surface->use != PE_OVERWRITE)
		pe_touch(surface, address, false, fresh ? &not_read : &traffic->read_bytes,
			 &traffic->write_bytes);
	return true;
}

/**
 * pe_map - host address of GPU address @address in a surface, or NULL after a fault
 * @bytes: that will be used from there on; all in one page
 */
static inline uint8_t *pe_map(struct gc_core *gc, const struct pe_surface *surface,
			      uint32_t address, uint32_t bytes)
{
	GC_ASSERT_IN_PAGE(address, bytes);
	return gc_mmu_map(&gc->mmu, surface->client, surface->use == PE_READ ? GC_READ : GC_WRITE,
			  address);
}

#endif
