/* SPDX-License-Identifier: MIT */
/*
 * Finds the words of a command stream that hold GPU addresses; see vivgpu_addresses.h.
 */

#include "vivgpu_addresses.h"

#include <stdbool.h>

#include "hw/cmdstream.xml.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/macros.h"
#include "util/u_math.h"

/* Address states of all samplers: a row of samplers for each mipmap level. */
#define TEXTURE_ADDRESSES (VIVS_TE_SAMPLER_LOD_ADDR__LEN * VIVS_TE_SAMPLER_LOD_ADDR__ESIZE / 4)

/*
 * States that hold addresses on cores with MMUv1, in ascending order, on which is_address() relies.
 * After a STATUS_BASE comes the SURFACE_BASE.
 */
static const struct {
   uint32_t first, count;
} ranges[] = {
   {VIVS_FE_INDEX_STREAM_BASE_ADDR, 1},
   {VIVS_FE_VERTEX_STREAM_BASE_ADDR, 1},
   {VIVS_FE_VERTEX_STREAMS_BASE_ADDR(0), VIVS_FE_VERTEX_STREAMS__LEN},
   {VIVS_PE_DEPTH_ADDR, 1},
   {VIVS_PE_COLOR_ADDR, 1},
   {VIVS_PE_PIPE_COLOR_ADDR(0), VIVS_PE_PIPE__LEN},
   {VIVS_PE_PIPE_DEPTH_ADDR(0), VIVS_PE_PIPE__LEN},
   {VIVS_RS_SOURCE_ADDR, 1},
   {VIVS_RS_DEST_ADDR, 1},
   {VIVS_TS_COLOR_STATUS_BASE, 2},
   {VIVS_TS_DEPTH_STATUS_BASE, 2},
   {VIVS_RS_PIPE_SOURCE_ADDR(0), VIVS_RS_PIPE__LEN},
   {VIVS_RS_PIPE_DEST_ADDR(0), VIVS_RS_PIPE__LEN},
   {VIVS_TS_SAMPLER_STATUS_BASE(0), VIVS_TS_SAMPLER__LEN},
   {VIVS_TE_SAMPLER_LOD_ADDR(0, 0), TEXTURE_ADDRESSES},
   {VIVS_GL_OCCLUSION_QUERY_ADDR, 1},
};

/* True if the state at this address (bytes) holds a GPU address. */
static bool
is_address(uint32_t state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(ranges) && ranges[i].first <= state; i++) {
      if (state < ranges[i].first + 4 * ranges[i].count)
         return true;
   }
   return false;
}

/* True for the header of a LOAD_STATE. */
static bool
loads(uint32_t header)
{
   return (header & VIV_FE_LOAD_STATE_HEADER_OP__MASK) == VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE;
}

/* Number of states that a LOAD_STATE writes. */
static uint32_t
states_of(uint32_t header)
{
   return (header & VIV_FE_LOAD_STATE_HEADER_COUNT__MASK) >> VIV_FE_LOAD_STATE_HEADER_COUNT__SHIFT;
}

/* Address of the first state that a LOAD_STATE writes, in bytes. */
static uint32_t
first_state(uint32_t header)
{
   return (header & VIV_FE_LOAD_STATE_HEADER_OFFSET__MASK) >>
          VIV_FE_LOAD_STATE_HEADER_OFFSET__SHIFT << 2;
}

/* Length of a command in words, with the padding to 64 bits. */
static uint32_t
length(uint32_t header)
{
   switch (header & VIV_FE_LOAD_STATE_HEADER_OP__MASK) {
   case VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE:
      return align(1 + states_of(header), 2);
   case VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES:
      return 4;
   case VIV_FE_DRAW_INDEXED_PRIMITIVES_HEADER_OP_DRAW_INDEXED_PRIMITIVES:
      return 6;
   default:
      return 2;
   }
}

uint32_t
vivgpu_addresses_next(const uint32_t *words, uint32_t count, uint32_t from, uint32_t *command)
{
   while (*command < count) {
      uint32_t header = words[*command], base = *command + 1;
      uint32_t end = loads(header) ? MIN2(base + states_of(header), count) : base;

      for (uint32_t i = MAX2(from, base); i < end; i++) {
         if (is_address(first_state(header) + 4 * (i - base)))
            return i;
      }
      *command += length(header);
   }
   return count;
}
