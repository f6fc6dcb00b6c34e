/* SPDX-License-Identifier: MIT */
/* Surfaces of the resolve engine for tests, and the states that select them. */
#ifndef CARD_TESTS_RS_BENCH_H
#define CARD_TESTS_RS_BENCH_H

#include "gc/rs.h"
#include "gc/rs_internal.h"
#include "tests/check.h"
#include "tests/pixel_bench.h"

#define SIZE 128u

static struct pixel_bench b;

/* A surface of SIZE x SIZE pixels, given to source or destination states. */
struct surface {
	uint32_t base;
	enum gc_layout layout;
	unsigned int bytes;
};

static inline uint32_t address(const struct surface *s, uint32_t x, uint32_t y)
{
	uint32_t pipe_y, pipe = gc_layout_split(s->layout, x, y, &pipe_y);

	return s->base + pipe * SIZE * s->bytes * SIZE / 2 +
	       gc_layout_offset(s->layout, b.gc->personality->supertile_mode, SIZE * s->bytes,
				s->bytes, x, pipe_y);
}

static inline uint32_t stride_word(const struct surface *s)
{
	bool linear = s->layout == GC_LINEAR;
	bool super = s->layout == GC_SUPERTILED || s->layout == GC_MULTI_SUPERTILED;

	/* The bits are at the same places in both stride states. */
	return SIZE * s->bytes * (linear ? 1 : 4) | (super ? VIVS_RS_SOURCE_STRIDE_TILING : 0) |
	       (gc_layout_is_multi(s->layout) ? VIVS_RS_SOURCE_STRIDE_MULTI : 0);
}

/* The second address of a surface in one piece is outside of memory: it must not be used. */
static inline void set_source(const struct surface *s)
{
	uint32_t half = gc_layout_is_multi(s->layout) ? SIZE * s->bytes * SIZE / 2 : 0;

	set(&b, VIVS_RS_SOURCE_STRIDE, stride_word(s));
	set(&b, VIVS_RS_PIPE_SOURCE_ADDR(0), s->base);
	set(&b, VIVS_RS_PIPE_SOURCE_ADDR(1), half ? s->base + half : 0x1000);
}

static inline void set_destination(const struct surface *s)
{
	uint32_t half = gc_layout_is_multi(s->layout) ? SIZE * s->bytes * SIZE / 2 : 0;

	set(&b, VIVS_RS_DEST_STRIDE, stride_word(s));
	set(&b, VIVS_RS_PIPE_DEST_ADDR(0), s->base);
	set(&b, VIVS_RS_PIPE_DEST_ADDR(1), half ? s->base + half : 0x1000);
}

static inline void set_config(const struct surface *from, unsigned int source,
			      const struct surface *to, unsigned int destination, uint32_t more)
{
	set(&b, VIVS_RS_CONFIG,
	    VIVS_RS_CONFIG_SOURCE_FORMAT(source) | VIVS_RS_CONFIG_DEST_FORMAT(destination) |
		    (from->layout == GC_LINEAR ? 0 : VIVS_RS_CONFIG_SOURCE_TILED) |
		    (to->layout == GC_LINEAR ? 0 : VIVS_RS_CONFIG_DEST_TILED) | more);
	set(&b, VIVS_RS_DITHER(0), 0xffffffff);
	set(&b, VIVS_RS_DITHER(1), 0xffffffff);
	set(&b, VIVS_RS_CLEAR_CONTROL, 0);
}

/* Width and height in pixels of the source; two pipes where the core has no single buffer. */
static inline void set_window(uint32_t width, uint32_t height)
{
	bool single = b.gc->personality->single_buffer;

	set(&b, VIVS_RS_SINGLE_BUFFER, single);
	if (!single)
		height /= 2;
	set(&b, VIVS_RS_WINDOW_SIZE,
	    VIVS_RS_WINDOW_SIZE_WIDTH(width) | VIVS_RS_WINDOW_SIZE_HEIGHT(height));
	set(&b, VIVS_RS_PIPE_OFFSET(0), 0);
	set(&b, VIVS_RS_PIPE_OFFSET(1), single ? 0 : VIVS_RS_PIPE_OFFSET_Y(height));
}

static inline void randomize(uint32_t base, uint32_t bytes, uint32_t seed)
{
	for (uint32_t i = 0; i < bytes; i += 4) {
		uint32_t word = next_random(&seed);

		memcpy(at(&b, base + i), &word, 4);
	}
}

/* A format that copies pixels of so many bytes as they are. */
static inline unsigned int raw_format(unsigned int bytes)
{
	return bytes == 2   ? RS_FORMAT_A4R4G4B4
	       : bytes == 4 ? RS_FORMAT_A8R8G8B8
			    : RS_FORMAT_64BPP_CLEAR;
}

#endif
