/* SPDX-License-Identifier: MIT */
/*
 * How many vertices and primitives a draw submits, in the primitives that it names: a
 * quad is one, a polygon is one.
 */
#ifndef VIVGPU_SUBMITTED_H
#define VIVGPU_SUBMITTED_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u_prim.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_submitted {
   uint64_t vertices;
   uint64_t primitives;
};

/** How many primitives @count vertices make; those that are not complete don't count. */
static inline unsigned
vivgpu_submitted_primitives(enum mesa_prim mode, unsigned count)
{
   return mode == MESA_PRIM_POLYGON ? count >= 3 : u_decomposed_prims_for_vertices(mode, count);
}

/** Add @count vertices, one after the other. */
static inline void
vivgpu_submitted_add(struct vivgpu_submitted *sum, enum mesa_prim mode, unsigned count,
                   unsigned instances)
{
   sum->vertices += (uint64_t)count * instances;
   sum->primitives += (uint64_t)vivgpu_submitted_primitives(mode, count) * instances;
}

static inline uint32_t
vivgpu_submitted_index(const void *indices, unsigned index_size, unsigned i)
{
   switch (index_size) {
   case 1:
      return ((const uint8_t *)indices)[i];
   case 2:
      return ((const uint16_t *)indices)[i];
   default:
      return ((const uint32_t *)indices)[i];
   }
}

/**
 * Add @count indices of @index_size bytes, of which those that are @restart begin
 * another row of primitives and are no vertex.
 */
static inline void
vivgpu_submitted_add_restarted(struct vivgpu_submitted *sum, enum mesa_prim mode,
                               const void *indices, unsigned index_size, unsigned count,
                               uint32_t restart, unsigned instances)
{
   unsigned begin = 0;

   for (unsigned i = 0; i < count; i++) {
      if (vivgpu_submitted_index(indices, index_size, i) != restart)
         continue;
      vivgpu_submitted_add(sum, mode, i - begin, instances);
      begin = i + 1;
   }
   vivgpu_submitted_add(sum, mode, count - begin, instances);
}

#ifdef __cplusplus
}
#endif

#endif
