/* SPDX-License-Identifier: MIT */
/*
 * Work of one GPU operation (a draw, a resolve, a flush) in countable units. Functional blocks
 * fill it in, clock/pipeline.c converts it to cycles. Independent of the host.
 */
#ifndef CARD_CLOCK_WORK_H
#define CARD_CLOCK_WORK_H

#include <stdint.h>

struct gpu_work {
	/* front end */
	uint64_t draws;   /* draw commands, for their fixed cost */
	uint64_t flushes; /* pixel cache flushes, for their fixed cost */
	/* dirty bytes written back by flushes; also part of the bytes below */
	uint64_t flush_bytes;
	uint64_t fe_words;     /* 32-bit words of command stream fetched */
	uint64_t index_bytes;  /* index buffer bytes read */
	uint64_t vertex_bytes; /* attribute bytes read */
	/* shader cores: instructions are counted per lane that executes them */
	uint64_t vertices; /* vertices shaded (after the post-transform cache) */
	uint64_t vs_instructions;
	uint64_t vs_texels; /* texture requests of vertex shaders, per lane */
	uint64_t ps_instructions;
	uint64_t ps_texels;                /* texture requests of pixel shaders, per lane */
	uint64_t vs_accesses, ps_accesses; /* loads, stores and atomics, per lane */
	/* primitives */
	uint64_t primitives_in;    /* assembled */
	uint64_t primitives_drawn; /* left after clipping and culling */
	/* rasteriser */
	uint64_t tiles;   /* raster tiles visited */
	uint64_t quads;   /* 2x2 quads sent to the pixel shader */
	uint64_t pixels;  /* covered pixels shaded */
	uint64_t samples; /* covered samples (= pixels without MSAA) */
	/* memory, bytes that miss the caches */
	uint64_t texture_bytes;
	uint64_t color_read_bytes, color_write_bytes;
	uint64_t depth_read_bytes, depth_write_bytes;
	uint64_t ts_read_bytes, ts_write_bytes;         /* tile status */
	uint64_t shader_read_bytes, shader_write_bytes; /* by loads, stores and atomics */
	/* resolve engine */
	uint64_t rs_pixels, rs_read_bytes, rs_write_bytes;
};

#endif
