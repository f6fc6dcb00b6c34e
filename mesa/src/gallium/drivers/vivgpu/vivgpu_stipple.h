/* SPDX-License-Identifier: MIT */
/*
 * The pattern of stippled polygons: the core has none, so the fragment shader looks it up in
 * a texture, whose sampler is one that it leaves free.
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
   /** The draw's polygons are stippled */
   bool enabled;
   /** The texture has not got the pattern yet */
   bool changed;
   uint32_t pattern[VIVGPU_STIPPLE_ROWS];
   struct pipe_sampler_view *view;
   struct vivgpu_sampler *sampler;
};

/** What was bound where the pattern is now */
struct vivgpu_stipple_saved {
   unsigned index;
   struct pipe_sampler_view *view;
   struct vivgpu_sampler *sampler;
};

/**
 * The sampler for the pattern: the first of @count that is not among @used; -1: there is none.
 * Pure.
 */
int vivgpu_stipple_sampler(const BITSET_WORD *used, unsigned count);

/** Find out whether draws of @mode are stippled; vivgpu_shader_update() comes after it. */
void vivgpu_stipple_update(struct vivgpu_context *context, unsigned mode);

/** Bind the pattern for the chosen fragment shader. False without memory. */
bool vivgpu_stipple_begin(struct vivgpu_context *context, struct vivgpu_stipple_saved *saved);

/** Bind what was bound before. */
void vivgpu_stipple_end(struct vivgpu_context *context, const struct vivgpu_stipple_saved *saved);

void vivgpu_stipple_destroy(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
