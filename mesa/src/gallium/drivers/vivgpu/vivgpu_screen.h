/* SPDX-License-Identifier: MIT */
/* The screen: a core, its features, and data shared by all contexts. */
#ifndef VIVGPU_SCREEN_H
#define VIVGPU_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "etna_core_info.h"
#include "pipe/p_screen.h"
#include "util/simple_mtx.h"
#include "util/slab.h"
#include "util/u_idalloc.h"
#include "util/u_vertex_state_cache.h"
#include "vivgpu_generation.h"
#include "vivgpu_perfmon.h"

struct etna_gpu;
struct renderonly;
struct disk_cache;
struct vivgpu_bo;
struct vivgpu_compiler;
struct vivgpu_kernel;
struct vivgpu_monitor_results;

/** Bit set of the environment variable VIVGPU_DEBUG; VIVGPU_DEBUG=help lists the names */
enum {
   VIVGPU_DEBUG_SHADERS = 1 << 0,
   VIVGPU_DEBUG_STREAM = 1 << 1,
   VIVGPU_DEBUG_SYNC = 1 << 2,
   VIVGPU_DEBUG_NO_FAST_CLEAR = 1 << 3,
   VIVGPU_DEBUG_NO_SUPER_TILES = 1 << 4,
   VIVGPU_DEBUG_VENDOR = 1 << 5,
   VIVGPU_DEBUG_NO_DRAIN = 1 << 6,
   VIVGPU_DEBUG_NO_STATE_FLUSH = 1 << 7,
   VIVGPU_DEBUG_STILL = 1 << 8,
   VIVGPU_DEBUG_BOXES = 1 << 9,
};

struct vivgpu_screen {
   struct pipe_screen base;
   struct vivgpu_kernel *kernel;
   struct etna_gpu *gpu;
   const struct etna_core_info *info;
   struct vivgpu_generation generation;
   struct renderonly *ro;
   struct vivgpu_compiler *compiler;
   /** Cache of compiled shaders; may be NULL */
   struct disk_cache *cache;
   struct slab_parent_pool transfers;
   struct util_vertex_state_cache vertex_states;
   struct vivgpu_perfmon_screen perfmon;
   /** Results of jobs for the command monitor; NULL: it is off */
   struct vivgpu_monitor_results *results;
   /** Numbers of buffers for the threaded context */
   struct util_idalloc_mt buffer_ids;
   uint32_t debug;
   /** Jobs get deadlines: the kernel has them, and VIVGPU_DEADLINE does not forbid it */
   bool has_deadlines;
   /**
    * Incremented at each write to a texture, so that texture caches are invalidated only if needed
    */
   uint32_t write_seqno;
   /** Number of invalidations of texture caches by all contexts; atomic */
   uint32_t texture_invalidations;
   /** Last value of vivgpu_bo.seqno; atomic */
   uint32_t buffer_seqno;
   /** Number of resources that ever got tile status, a shadow or a copy; atomic */
   uint32_t num_resolvable;
   /** Number of contexts; atomic */
   uint32_t contexts;
   /**
    * Held while a buffer's memory is replaced (vivgpu_resource.bo), and while a context is added.
    * With several contexts also from the time that the memory is read until there is a reference
    */
   simple_mtx_t buffers_lock;
   /** Number of buffers whose memory was replaced while there were several contexts; atomic */
   uint32_t replaced_buffers;
   /**
    * Held while vivgpu_tile_status.pending changes, and while a resolve is recorded and, if there
    * are several contexts, submitted
    */
   simple_mtx_t status_lock;
   /** Protects vivgpu_resource.shadow, its sets of newer levels, and copies: see vivgpu_shadow.h */
   simple_mtx_t shadow_lock;
   char name[64];
};

static inline struct vivgpu_screen *
vivgpu_screen(struct pipe_screen *screen)
{
   return (struct vivgpu_screen *)screen;
}

/**
 * Let no other context replace a buffer's memory. Returns whether vivgpu_screen.buffers_lock has to
 * be unlocked.
 */
static inline bool
vivgpu_lock_buffers(struct vivgpu_screen *screen)
{
   if (likely(p_atomic_read(&screen->contexts) <= 1))
      return false;
   simple_mtx_lock(&screen->buffers_lock);
   return true;
}

static inline void
vivgpu_unlock_buffers(struct vivgpu_screen *screen, bool locked)
{
   if (unlikely(locked))
      simple_mtx_unlock(&screen->buffers_lock);
}

static inline bool
vivgpu_has(const struct vivgpu_screen *screen, enum etna_feature feature)
{
   return etna_core_has_feature(screen->info, feature);
}

/**
 * Create a screen. Takes ownership of @kernel with its device, @gpu and @ro, also on failure.
 * Returns NULL for a core that this driver does not support.
 */
struct pipe_screen *vivgpu_screen_create(struct vivgpu_kernel *kernel, struct etna_gpu *gpu,
                                         struct renderonly *ro);

/** vivgpu_caps.c: set the screen's limits and features. */
void vivgpu_caps_init(struct vivgpu_screen *screen);

/** vivgpu_fence.c */
void vivgpu_fence_screen_init(struct pipe_screen *screen);

/** vivgpu_resource.c */
void vivgpu_resource_screen_init(struct pipe_screen *screen);

#endif
