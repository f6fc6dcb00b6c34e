/* SPDX-License-Identifier: MIT */
/*
 * Weak definitions of the blocks behind the front end, so that tests can be linked without
 * them. If the real blocks are linked, these are not used.
 */
#ifndef CARD_TESTS_FE_FAKES_H
#define CARD_TESTS_FE_FAKES_H

#include "gc/draw.h"
#include "gc/pe.h"
#include "gc/rs.h"
#include "gc/shader.h"
#include "gc/texture.h"

#define WEAK __attribute__((weak))

WEAK struct gc_draw_unit *gc_draw_create(struct gc_core *gc)
{
	return (void *)gc;
}
WEAK void gc_draw_destroy(struct gc_draw_unit *unit)
{
	(void)unit;
}
WEAK void gc_draw_execute(struct gc_core *gc, const struct gc_draw *draw)
{
	(void)gc;
	(void)draw;
}
WEAK struct gc_pixel_engine *gc_pe_create(struct gc_core *gc)
{
	return (void *)gc;
}
WEAK void gc_pe_destroy(struct gc_pixel_engine *pe)
{
	(void)pe;
}
WEAK void gc_pe_reset(struct gc_core *gc)
{
	(void)gc;
}
WEAK void gc_pe_flush(struct gc_core *gc, bool color, bool depth)
{
	(void)gc;
	(void)color;
	(void)depth;
}
WEAK void gc_pe_flush_status(struct gc_core *gc)
{
	(void)gc;
}
WEAK void gc_pe_query_address(struct gc_core *gc, uint32_t address)
{
	(void)gc;
	(void)address;
}
WEAK void gc_pe_end_query(struct gc_core *gc)
{
	(void)gc;
}
WEAK void gc_rs_kick(struct gc_core *gc)
{
	(void)gc;
}
WEAK void gc_rs_kick_inplace(struct gc_core *gc, unsigned int tiles)
{
	(void)gc;
	(void)tiles;
}
WEAK struct gc_texture_unit *gc_texture_create(struct gc_core *gc)
{
	return (void *)gc;
}
WEAK void gc_texture_destroy(struct gc_texture_unit *unit)
{
	(void)unit;
}
WEAK void gc_texture_flush(struct gc_core *gc, bool fragment, bool vertex)
{
	(void)gc;
	(void)fragment;
	(void)vertex;
}
WEAK void gc_pe_lose_lines(struct gc_core *gc)
{
	(void)gc;
}
WEAK void gc_shader_cache_free(struct gc_core *gc)
{
	(void)gc;
}

#endif
