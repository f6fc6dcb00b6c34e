/* SPDX-License-Identifier: MIT */
/* Numbers of vertices and primitives of a draw. A quad or polygon counts as one primitive. */
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

/** Number of complete primitives that @count vertices form. */
static inline unsigned
vivgpu_submitted_primitives(enum mesa_prim mode, unsigned count)
{
   return mode == MESA_PRIM_POLYGON ? count >= 3 : u_decomposed_prims_for_vertices(mode, count);
}

/** Add a draw of @count consecutive vertices. */
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
 * Add a draw of @count indices of @index_size bytes. An index equal to @restart begins new
 * primitives and is not counted as a vertex.
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
