/* SPDX-License-Identifier: MIT */
/*
 * Amounts of work of a part of a draw, a resolve, or a run of state loads, in countable units.
 * Functional blocks count them; card/clock/pipeline.c converts them to time. They do not depend on
 * the host. All members are sums of the same type.
 */
#ifndef CARD_CLOCK_WORK_H
#define CARD_CLOCK_WORK_H

#include <stdint.h>

struct gpu_work {
	/* front end, which also starts flushes */
	uint64_t draws;          /* draw commands, for their fixed cost */
	uint64_t flushes;        /* pixel cache flushes, for their fixed cost */
	uint64_t flush_bytes;    /* dirty bytes they wrote back; also in the bytes below */
	uint64_t status_flushes; /* flushes of the tile status cache, for their fixed cost */
	uint64_t fe_words;       /* 32-bit words of command stream fetched */
	uint64_t index_bytes;    /* index buffer bytes read */
	uint64_t vertex_bytes;   /* attribute bytes read */
	/* shader cores: instructions are counted per lane that executes them */
	uint64_t vertices; /* vertices shaded */
	uint64_t vs_instructions;
	uint64_t vs_texels; /* texture requests of vertex shaders, per lane */
	uint64_t ps_instructions;
	uint64_t ps_texels; /* texture requests of pixel shaders, per lane */
	uint64_t filters;   /* second levels and further probes of texture requests */
	uint64_t vs_accesses, ps_accesses; /* loads, stores and atomics, per lane */
	/* primitives */
	uint64_t primitives_in;    /* assembled */
	uint64_t primitives_drawn; /* left after clipping and culling */
	/* rasteriser */
	uint64_t tiles;    /* raster tiles (8x8 pixels) visited */
	uint64_t rejected; /* 2x2 quads that early depth has rejected */
	uint64_t quads;    /* 2x2 quads sent to the pixel shader */
	uint64_t pixels;   /* covered pixels shaded */
	uint64_t samples;  /* covered samples (= pixels without MSAA) */
	/* memory: bytes that miss the caches, changes of DRAM page and walks of the MMU for them */
	uint64_t code_bytes; /* instructions that miss their cache */
	uint64_t texture_bytes, texture_pages, texture_walks;
	uint64_t color_read_bytes, color_write_bytes, color_pages, color_walks;
	uint64_t depth_read_bytes, depth_write_bytes, depth_pages, depth_walks;
	uint64_t ts_read_bytes, ts_write_bytes; /* tile status */
	/* loads, stores and atomics */
	uint64_t vs_read_bytes, vs_write_bytes, ps_read_bytes, ps_write_bytes;
	/* resolve engine */
	uint64_t rs_pixels, rs_read_bytes, rs_write_bytes;
};

#define GPU_WORK_MEMBERS (sizeof(struct gpu_work) / sizeof(uint64_t))

/** gpu_work_add - add each member of @more to that of @to. */
static inline void gpu_work_add(struct gpu_work *to, const struct gpu_work *more)
{
	uint64_t *sum = (uint64_t *)to;
	const uint64_t *from = (const uint64_t *)more;

	for (unsigned int i = 0; i < GPU_WORK_MEMBERS; i++)
		sum[i] += from[i];
}

/** gpu_work_add_since - add what was added to @now since @before to @to; @before becomes @now */
static inline void gpu_work_add_since(struct gpu_work *to, const struct gpu_work *now,
				      struct gpu_work *before)
{
	uint64_t *restrict sum = (uint64_t *)to, *restrict last = (uint64_t *)before;
	const uint64_t *restrict member = (const uint64_t *)now;

	for (unsigned int i = 0; i < GPU_WORK_MEMBERS; i++) {
		sum[i] += member[i] - last[i];
		last[i] = member[i];
	}
}

#endif
