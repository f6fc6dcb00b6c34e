/* SPDX-License-Identifier: MIT */
/*
 * Tile status and cache accesses of a surface's cache line. Inline, since they are done for
 * nearly every quad. Only the pixel engine's files include this.
 */
#ifndef CARD_GC_PE_LINES_H
#define CARD_GC_PE_LINES_H

#include "gc/pe_internal.h"

#define PE_NO_LINE 0xffffffffu /* no line's number */

/**
 * pe_touch - report an access to the surface's cache, unless the last one was to the same line
 */
static inline void pe_touch(struct pe_surface *surface, uint32_t address, bool write,
			    uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t line = address / PE_LINE_BYTES;

	if (line == surface->last_line && (surface->last_write || !write))
		return;
	cache_model_touch(surface->cache, address, write, read_bytes, write_bytes);
	surface->last_line = line;
	surface->last_write = write;
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

/** pe_map - host address of GPU address @address in a surface, or NULL after a fault */
static inline uint8_t *pe_map(struct gc_core *gc, const struct pe_surface *surface,
			      uint32_t address)
{
	return gc_mmu_map(&gc->mmu, surface->client, surface->use == PE_READ ? GC_READ : GC_WRITE,
			  address);
}

#endif
