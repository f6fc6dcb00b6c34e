/* SPDX-License-Identifier: MIT */
/*
 * A cache of index buffers for indexed quads, polygons and other primitives that are converted to
 * triangles, and drawn repeatedly, as by display lists. The second draw converts the indices; later
 * ones reuse them.
 */
#ifndef VIVGPU_INDEX_CACHE_H
#define VIVGPU_INDEX_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;

/** Must be a power of two */
#define VIVGPU_INDEX_CACHE_ENTRIES 64

/** Key of an entry. Compared with memcmp(): set all bytes to zero first. */
struct vivgpu_index_cache_key {
   /** vivgpu_bo.seqno: unique for each contents of a buffer */
   uint32_t seqno;
   uint32_t start, count;
   uint8_t index_size;
   /** enum mesa_prim */
   uint8_t mode;
   /** The first vertex is the provoking one */
   uint8_t flatshade_first;
   uint8_t padding;
};

struct vivgpu_index_cache_entry {
   struct vivgpu_index_cache_key key;
   /** The converted indices; NULL if the key was used once only, or memory was short */
   struct pipe_resource *indices;
   uint32_t num_indices;
   uint8_t index_size;
};

struct vivgpu_index_cache {
   struct vivgpu_index_cache_entry entries[VIVGPU_INDEX_CACHE_ENTRIES];
};

/**
 * Return the entry for a key; if it held another key, that one is replaced.
 * @hit: receives whether the entry already held the key.
 */
struct vivgpu_index_cache_entry *vivgpu_index_cache_find(struct vivgpu_index_cache *cache,
                                                         const struct vivgpu_index_cache_key *key,
                                                         bool *hit);

/** Draw with cached indices. Returns false, without drawing, if the indices are not cached. */
bool vivgpu_index_cache_draw(struct vivgpu_context *context, struct vivgpu_index_cache *cache,
                             const struct pipe_draw_info *info,
                             const struct pipe_draw_start_count_bias *range);

void vivgpu_index_cache_fini(struct vivgpu_index_cache *cache);

#ifdef __cplusplus
}
#endif

#endif
