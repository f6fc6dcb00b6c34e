/* SPDX-License-Identifier: MIT */
/*
 * What tags and caches have to do with a cache line of a surface that is gone
 * to: inline, for that is done for nearly every quad. Only the pixel engine's
 * own files include this.
 */
#ifndef CARD_GC_PE_LINES_H
#define CARD_GC_PE_LINES_H

#include "gc/pe_internal.h"

#define PE_NO_LINE 0xffffffffu /* no line's number */

/** pe_touch - one access to a line, told to the surface's cache unless it was the last one already */
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
 * pe_make_ready - make the tile under @address real, which is not known to be so
 * @fresh: out, it was cleared until now, so that its contents come from the clear value and
 * not from memory
 *
 * Returns: false after a memory fault.
 */
bool pe_make_ready(struct gc_core *gc, struct pe_surface *surface, uint32_t address, bool *fresh);

/* Whether it is known to be real. */
static inline bool pe_is_ready(const struct pe_surface *surface, uint32_t address)
{
	uint32_t index = (address - surface->ts.surface_address) >> surface->ts_shift;

	return surface->ready[index % PE_READY_TILES] == index + 1;
}

/**
 * pe_prepare_line - the line at @address is about to be used: make it real, and report reading it
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

/** pe_map - the host's address of a surface's @address, or NULL after a fault. */
static inline uint8_t *pe_map(struct gc_core *gc, const struct pe_surface *surface,
			      uint32_t address)
{
	return gc_mmu_map(&gc->mmu, surface->client, surface->use == PE_READ ? GC_READ : GC_WRITE,
			  address);
}

#endif
