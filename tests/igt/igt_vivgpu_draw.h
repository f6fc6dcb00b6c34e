/* SPDX-License-Identifier: MIT */
/*
 * Draws for tests, for GC3000: a program that gives all pixels one colour, and triangles that
 * each cover half of a square.
 */
#ifndef IGT_VIVGPU_DRAW_H
#define IGT_VIVGPU_DRAW_H

#include "igt_vivgpu.h"

/* Side of the target in pixels, and bytes of a buffer with target and vertices. */
#define IGT_VIVGPU_DRAW_SIDE 64
#define IGT_VIVGPU_DRAW_BYTES 32768
/* Most triangles of one draw. */
#define IGT_VIVGPU_DRAW_MAX 512

/* Write the vertices of all triangles to the buffer, which has IGT_VIVGPU_DRAW_BYTES. */
void igt_vivgpu_draw_init(const struct igt_vivgpu_bo *bo);

/* Append the states that draws into the buffer need, all of them. */
void igt_vivgpu_draw_states(struct igt_vivgpu_stream *stream, const struct igt_vivgpu_bo *bo);

/* Append a draw of so many triangles, at least 1. */
void igt_vivgpu_draw(struct igt_vivgpu_stream *stream, uint32_t triangles);

/* The core's totals of vertices, primitives and fragments, as the card knows them. */
struct igt_vivgpu_counts {
	uint64_t vertices, primitives, fragments;
};

struct igt_vivgpu_counts igt_vivgpu_card_counts(void);

/* a - b */
struct igt_vivgpu_counts igt_vivgpu_counts_since(struct igt_vivgpu_counts a,
						 struct igt_vivgpu_counts b);

void igt_vivgpu_assert_counts(struct igt_vivgpu_counts a, struct igt_vivgpu_counts b);

/* Counts of a job's record, and their sum with other counts. */
struct igt_vivgpu_counts igt_vivgpu_record_counts(const struct drm_vivgpu_record *record);
void igt_vivgpu_counts_add(struct igt_vivgpu_counts *sum, struct igt_vivgpu_counts counts);

#endif
