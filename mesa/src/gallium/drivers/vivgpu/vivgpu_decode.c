/* SPDX-License-Identifier: MIT */

#include "vivgpu_decode.h"

#include "hw/cmdstream.xml.h"
#include "util/macros.h"
#include "util/u_math.h"

static uint32_t
opcode(uint32_t word)
{
   return word >> VIV_FE_LOAD_STATE_HEADER_OP__SHIFT;
}

static const char *
name(uint32_t op)
{
   static const char *const names[] = {
      [FE_OPCODE_NOP] = "nop",
      [FE_OPCODE_DRAW_PRIMITIVES] = "draw",
      [FE_OPCODE_DRAW_INDEXED_PRIMITIVES] = "draw indexed",
      [FE_OPCODE_STALL] = "stall",
      [FE_OPCODE_DRAW_INSTANCED] = "draw instanced",
   };

   return op < ARRAY_SIZE(names) && names[op] ? names[op] : "?";
}

/* Words of a command other than a load, all included. */
static uint32_t
length(uint32_t op)
{
   switch (op) {
   case FE_OPCODE_DRAW_PRIMITIVES:
   case FE_OPCODE_DRAW_INSTANCED:
      return 4;
   case FE_OPCODE_DRAW_INDEXED_PRIMITIVES:
      return 6;
   default:
      return 2;
   }
}

static uint32_t
decode_states(FILE *to, const uint32_t *words, uint32_t left)
{
   uint32_t header = words[0];
   uint32_t count =
      (header & VIV_FE_LOAD_STATE_HEADER_COUNT__MASK) >> VIV_FE_LOAD_STATE_HEADER_COUNT__SHIFT;
   uint32_t address = (header & VIV_FE_LOAD_STATE_HEADER_OFFSET__MASK) << 2;

   for (uint32_t i = 0; i < count && i + 1 < left; i++)
      fprintf(to, "  %05x = %08x %g%s\n", address + 4 * i, words[1 + i], uif(words[1 + i]),
              header & VIV_FE_LOAD_STATE_HEADER_FIXP ? " (fixed)" : "");
   return align(1 + count, 2);
}

void
vivgpu_decode(FILE *to, const uint32_t *words, uint32_t count)
{
   uint32_t used;

   for (uint32_t i = 0; i < count; i += used) {
      uint32_t op = opcode(words[i]);

      if (op == FE_OPCODE_LOAD_STATE) {
         used = decode_states(to, words + i, count - i);
         continue;
      }
      used = length(op);
      fprintf(to, "%s", name(op));
      for (uint32_t j = 0; j < used && i + j < count; j++)
         fprintf(to, " %08x", words[i + j]);
      fprintf(to, "\n");
   }
}
