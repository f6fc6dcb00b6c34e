/* SPDX-License-Identifier: MIT */
/*
 * The screen: a core, what it can do, and what all contexts share.
 */
#ifndef VIVGPU_SCREEN_H
#define VIVGPU_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "etna_core_info.h"
#include "pipe/p_screen.h"
#include "util/simple_mtx.h"
#include "util/slab.h"
#include "util/u_idalloc.h"
#include "vivgpu_generation.h"
#include "vivgpu_perfmon.h"

struct etna_gpu;
struct renderonly;
struct disk_cache;
struct vivgpu_bo;
struct vivgpu_compiler;
struct vivgpu_kernel;

/** VIVGPU_DEBUG, a set of these; VIVGPU_DEBUG=help lists them */
enum {
   VIVGPU_DEBUG_SHADERS = 1 << 0,
   VIVGPU_DEBUG_STREAM = 1 << 1,
   VIVGPU_DEBUG_SYNC = 1 << 2,
   VIVGPU_DEBUG_NO_FAST_CLEAR = 1 << 3,
   VIVGPU_DEBUG_NO_SUPER_TILES = 1 << 4,
};

struct vivgpu_screen {
   struct pipe_screen base;
   struct vivgpu_kernel *kernel;
   struct etna_gpu *gpu;
   const struct etna_core_info *info;
   struct vivgpu_generation generation;
   struct renderonly *ro;
   struct vivgpu_compiler *compiler;
   /** NULL if there is none */
   struct disk_cache *cache;
   struct slab_parent_pool transfers;
   struct vivgpu_perfmon_screen perfmon;
   /** Numbers of buffers, for the threaded context */
   struct util_idalloc_mt buffer_ids;
   uint32_t debug;
   /** Grows with each write to a texture, so that caches are emptied when needed only */
   uint32_t write_seqno;
   /** Counts resources that got tile status or a shadow; atomic */
   uint32_t num_resolvable;
   /** Contexts there are; atomic */
   uint32_t contexts;
   /** Protects shadows of resources and which of two is newer: see vivgpu_shadow.h */
   simple_mtx_t shadow_lock;
   char name[64];
};

static inline struct vivgpu_screen *
vivgpu_screen(struct pipe_screen *screen)
{
   return (struct vivgpu_screen *)screen;
}

static inline bool
vivgpu_has(const struct vivgpu_screen *screen, enum etna_feature feature)
{
   return etna_core_has_feature(screen->info, feature);
}

/**
 * Make a screen. Takes over @kernel with its device, @gpu and @ro, also when it fails: NULL for a
 * core that this driver doesn't drive.
 */
struct pipe_screen *vivgpu_screen_create(struct vivgpu_kernel *kernel, struct etna_gpu *gpu,
                                         struct renderonly *ro);

/** vivgpu_caps.c: limits and features, as Mesa asks for them. */
void vivgpu_caps_init(struct vivgpu_screen *screen);

/** vivgpu_fence.c */
void vivgpu_fence_screen_init(struct pipe_screen *screen);

/** vivgpu_resource.c */
void vivgpu_resource_screen_init(struct pipe_screen *screen);

#endif
