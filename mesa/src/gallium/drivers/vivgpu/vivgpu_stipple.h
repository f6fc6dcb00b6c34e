/* SPDX-License-Identifier: MIT */
/*
 * Polygon stipple (OpenGL 2.1, section 3.5.2): the core has no stipple, so a variant of the
 * fragment shader samples the pattern from a texture and kills the fragments that it masks out.
 * The texture is bound during the draw to a sampler that the application's shader does not use.
 *
 * The texture comes from util/u_pstipple. The shader's part is vivgpu_nir_lower_stipple()
 * in compiler/vivgpu_nir.c and not nir_lower_pstipple_fs(): Mesa 25's function ignores the sampler
 * number that it is given (fixedUnit) and takes the one after the last sampler variable. That is
 * sampler 16 for a program that uses only texture image unit 15, which the core does not have,
 * and sampler 0 for a shader with an array of samplers only, whose variables it does not count.
 */
#ifndef VIVGPU_STIPPLE_H
#define VIVGPU_STIPPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bitset.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VIVGPU_STIPPLE_ROWS 32

struct pipe_resource;
struct pipe_sampler_view;
struct vivgpu_context;
struct vivgpu_sampler;

struct vivgpu_stipple {
   /** True if the next draw's polygons are stippled */
   bool enabled;
   /** True if @pattern is newer than the texture behind @view */
   bool changed;
   uint32_t pattern[VIVGPU_STIPPLE_ROWS];
   struct pipe_sampler_view *view;
   struct vivgpu_sampler *sampler;
};

/** The view and sampler that the pattern replaces during a draw */
struct vivgpu_stipple_saved {
   unsigned index;
   struct pipe_sampler_view *view;
   struct vivgpu_sampler *sampler;
};

/**
 * Return the number of the sampler for the pattern: the first of @count samplers that is not set
 * in the bit set @used, or -1 if all are used. Pure.
 */
int vivgpu_stipple_sampler(const BITSET_WORD *used, unsigned count);

/**
 * Update vivgpu_stipple.enabled for a draw of primitives @mode (enum mesa_prim). Call it before
 * vivgpu_shader_update(), which selects the fragment shader's variant by it.
 */
void vivgpu_stipple_update(struct vivgpu_context *context, unsigned mode);

/**
 * Bind the pattern's texture where the bound variant of the fragment shader samples it, and store
 * what was bound there in @saved. Returns false, with nothing bound, if memory is short.
 */
bool vivgpu_stipple_begin(struct vivgpu_context *context, struct vivgpu_stipple_saved *saved);

/** Bind again what vivgpu_stipple_begin() stored in @saved. */
void vivgpu_stipple_end(struct vivgpu_context *context, const struct vivgpu_stipple_saved *saved);

/** Free the texture and the sampler. */
void vivgpu_stipple_destroy(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
