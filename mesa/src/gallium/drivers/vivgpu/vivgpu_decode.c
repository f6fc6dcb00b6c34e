/* SPDX-License-Identifier: MIT */

#include "vivgpu_decode.h"

#include "hw/cmdstream.xml.h"
#include "util/macros.h"
#include "util/u_math.h"

static uint32_t
vivgpu_decode_opcode(uint32_t word)
{
   return word >> VIV_FE_LOAD_STATE_HEADER_OP__SHIFT;
}

static const char *
vivgpu_decode_name(uint32_t op)
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

/* Length in words of a command other than LOAD_STATE, its header included. */
static uint32_t
vivgpu_decode_length(uint32_t op)
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

/*
 * A state's name in rnndb: its address is address + indexes[0] * stride + indexes[1] * stride,
 * each index below its dimension's count.
 */
struct state_name {
   uint32_t address;
   struct {
      uint32_t stride, count;
   } dimensions[2];
   const char *name;
};

#include "vivgpu_state_names.h"

/* Print the name of the state at @address if it is an element of @state; false if it is not. */
static bool
vivgpu_decode_print_element(FILE *to, const struct state_name *state, uint32_t address)
{
   for (uint32_t i = 0; i < state->dimensions[0].count; i++) {
      for (uint32_t j = 0; j < state->dimensions[1].count; j++) {
         if (state->address + i * state->dimensions[0].stride + j * state->dimensions[1].stride !=
             address)
            continue;
         fprintf(to, " %s", state->name);
         if (state->dimensions[0].count > 1)
            fprintf(to, "(%u)", i);
         if (state->dimensions[1].count > 1)
            fprintf(to, "(%u)", j);
         return true;
      }
   }
   return false;
}

static void
vivgpu_decode_print_name(FILE *to, uint32_t address)
{
   for (unsigned i = 0; i < ARRAY_SIZE(state_names); i++) {
      if (vivgpu_decode_print_element(to, &state_names[i], address))
         return;
   }
   fprintf(to, " (no name)");
}

/* Print the states of a LOAD_STATE. Returns its length in words, padding included. */
static uint32_t
vivgpu_decode_states(FILE *to, const uint32_t *words, uint32_t left)
{
   uint32_t header = words[0];
   uint32_t count =
      (header & VIV_FE_LOAD_STATE_HEADER_COUNT__MASK) >> VIV_FE_LOAD_STATE_HEADER_COUNT__SHIFT;
   uint32_t address = (header & VIV_FE_LOAD_STATE_HEADER_OFFSET__MASK) << 2;

   for (uint32_t i = 0; i < count && i + 1 < left; i++) {
      fprintf(to, "  %05x", address + 4 * i);
      vivgpu_decode_print_name(to, address + 4 * i);
      fprintf(to, " = %08x %g%s\n", words[1 + i], uif(words[1 + i]),
              header & VIV_FE_LOAD_STATE_HEADER_FIXP ? " (fixed)" : "");
   }
   return align(1 + count, 2);
}

void
vivgpu_decode(FILE *to, const uint32_t *words, uint32_t count)
{
   uint32_t used;

   for (uint32_t i = 0; i < count; i += used) {
      uint32_t op = vivgpu_decode_opcode(words[i]);

      if (op == FE_OPCODE_LOAD_STATE) {
         used = vivgpu_decode_states(to, words + i, count - i);
         continue;
      }
      used = vivgpu_decode_length(op);
      fprintf(to, "%s", vivgpu_decode_name(op));
      for (uint32_t j = 0; j < used && i + j < count; j++)
         fprintf(to, " %08x", words[i + j]);
      fprintf(to, "\n");
   }
}
