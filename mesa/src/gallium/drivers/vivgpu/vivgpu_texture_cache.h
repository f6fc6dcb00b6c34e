/* SPDX-License-Identifier: MIT */
/*
 * Which textures may be stale in the core's texture caches, by numbers of
 * vivgpu_screen.write_seqno.
 *
 * A context remembers the number at its last invalidation. The caches keep their contents from job
 * to job: nothing but an invalidation raises that number. A texture has two numbers: that of the
 * last write that was recorded (vivgpu_resource.seqno), and, for other contexts, that of the last
 * job with a write which was submitted (vivgpu_bo.write_seqno).
 */
#ifndef VIVGPU_TEXTURE_CACHE_H
#define VIVGPU_TEXTURE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Return the number of a context that has not invalidated the caches: all textures count as stale.
 */
static inline uint32_t
vivgpu_texture_cache_unknown(uint32_t write_seqno)
{
   return write_seqno - INT32_MAX;
}

/**
 * True if a texture was written after the last invalidation. @cache: the invalidation's number;
 * @texture: one of the texture's
 */
static inline bool
vivgpu_texture_is_stale(uint32_t cache, uint32_t texture)
{
   return (int32_t)(texture - cache) > 0;
}

#endif
