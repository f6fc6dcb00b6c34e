/* SPDX-License-Identifier: MIT */

#include "vivgpu_group_list.h"

#include <stdlib.h>
#include <string.h>

/* Values of enum mesa_prim, which are GL's */
enum {
   POINTS,
   LINES,
   LINE_LOOP,
   LINE_STRIP,
   TRIANGLES,
   TRIANGLE_STRIP,
   TRIANGLE_FAN,
   QUADS,
   QUAD_STRIP,
   POLYGON,
};

#define FIRST_COMMANDS 64

/* Units of a command with parameters of a type, behind its target */
#define UNITS(bytes) VIVGPU_PACKED_UNITS_OF(bytes)

unsigned
vivgpu_command_units(const struct vivgpu_command *command)
{
   /* Of a draw without textures; a type that is not here has neither parameters nor a target. */
   static const uint8_t units[] = {
      [VIVGPU_COMMAND_DRAW] = VIVGPU_PACKED_PLAIN_DRAW,
      [VIVGPU_COMMAND_CLEAR] = UNITS(sizeof(struct vivgpu_command_clear)),
      [VIVGPU_COMMAND_COPY] = UNITS(sizeof(struct vivgpu_command_copy)),
      [VIVGPU_COMMAND_RESOLVE] = UNITS(sizeof(struct vivgpu_command_copy)),
      [VIVGPU_COMMAND_SWAP] = UNITS(sizeof(struct vivgpu_command_copy)),
      [VIVGPU_COMMAND_UPLOAD] = UNITS(sizeof(struct vivgpu_command_upload)),
      [VIVGPU_COMMAND_QUERY] = UNITS(sizeof(struct vivgpu_command_query)),
      [VIVGPU_COMMAND_DEBUG_PUSH] = UNITS(VIVGPU_COMMAND_TEXT),
      [VIVGPU_COMMAND_DEBUG_MARKER] = UNITS(VIVGPU_COMMAND_TEXT),
      [VIVGPU_COMMAND_DEBUG_LABEL] = UNITS(VIVGPU_COMMAND_TEXT),
   };

   if (command->type == VIVGPU_COMMAND_DRAW && command->draw.num_textures)
      return VIVGPU_PACKED_UNITS;
   return command->type < sizeof(units) ? units[command->type] : 0;
}

uint32_t
vivgpu_group_primitives(unsigned mode, uint32_t count)
{
   switch (mode) {
   case POINTS:
      return count;
   case LINES:
      return count / 2;
   case LINE_LOOP:
      return count < 2 ? 0 : count;
   case LINE_STRIP:
      return count < 2 ? 0 : count - 1;
   case TRIANGLES:
      return count / 3;
   case TRIANGLE_STRIP:
   case TRIANGLE_FAN:
   case POLYGON:
      return count < 3 ? 0 : count - 2;
   case QUADS:
      return count / 4 * 2;
   case QUAD_STRIP:
      return count < 4 ? 0 : (count / 2 - 1) * 2;
   default:
      return 0;
   }
}

void
vivgpu_command_repeat(struct vivgpu_command *command, const struct vivgpu_group_packed *packed)
{
   struct vivgpu_command_draw *draw = &command->draw;

   command->offset = packed->offset;
   command->flags = packed->head >> 8 & 0xff;
   draw->count = packed->count;
   draw->instances = packed->instances;
   draw->index_bytes = packed->head >> 24;
   draw->state &= ~VIVGPU_DRAW_INDEXED;
   draw->state |= draw->index_bytes ? VIVGPU_DRAW_INDEXED : 0;
   draw->primitives = vivgpu_group_primitives(draw->mode, draw->count) * draw->instances;
}

static void
count(struct vivgpu_group *group, const struct vivgpu_group_packed *packed)
{
   if (!vivgpu_packed_counts(packed->head))
      return;
   group->num_draws++;
   group->vertices += (uint64_t)packed->count * packed->instances;
}

/* The item at the start of @bytes bytes; NULL if it is none. */
static const struct vivgpu_group_packed *
item_at(const uint8_t *list, size_t bytes)
{
   const struct vivgpu_group_packed *packed = (const void *)list;

   return bytes >= sizeof(*packed) && vivgpu_packed_bytes(packed->head) <= bytes &&
                vivgpu_packed_units(packed->head) <= VIVGPU_PACKED_UNITS
             ? packed
             : NULL;
}

static bool
grow(struct vivgpu_group_commands *commands)
{
   uint32_t size = commands->size ? 2 * commands->size : FIRST_COMMANDS;
   struct vivgpu_command *memory = realloc(commands->commands, size * sizeof(*memory));

   if (!memory)
      return false;
   commands->commands = memory;
   commands->size = size;
   return true;
}

/* @last: the last draw with parameters; NULL if there is none */
static bool
unpack(struct vivgpu_command *command, const struct vivgpu_group_packed *packed,
       const struct vivgpu_command *last)
{
   unsigned units = vivgpu_packed_units(packed->head);

   if ((packed->head & 0xff) == VIVGPU_COMMAND_DRAW && !units) {
      if (!last)
         return false;
      *command = *last;
      vivgpu_command_repeat(command, packed);
      return true;
   }
   memset(command, 0, sizeof(*command));
   command->type = packed->head & 0xff;
   command->flags = packed->head >> 8 & 0xff;
   command->offset = packed->offset;
   memcpy(&command->target, packed + 1, 8 * units);
   return true;
}

bool
vivgpu_group_unpack(struct vivgpu_group_commands *commands, struct vivgpu_group *group,
                    const void *list, size_t bytes)
{
   const uint8_t *at = list, *end = at + bytes;
   uint32_t number = 0, last = UINT32_MAX;

   while (at < end) {
      const struct vivgpu_group_packed *packed = item_at(at, end - at);
      struct vivgpu_command *all;

      if (!packed || (number == commands->size && !grow(commands)))
         return false;
      all = commands->commands;
      if (!unpack(&all[number], packed, last < number ? &all[last] : NULL))
         return false;
      if (all[number].type == VIVGPU_COMMAND_DRAW && vivgpu_packed_units(packed->head))
         last = number;
      count(group, packed);
      number++;
      at += vivgpu_packed_bytes(packed->head);
   }
   group->num_commands = number;
   return true;
}

void
vivgpu_group_commands_fini(struct vivgpu_group_commands *commands)
{
   free(commands->commands);
   memset(commands, 0, sizeof(*commands));
}

size_t
vivgpu_group_shorten(struct vivgpu_group *group, const void *list, size_t bytes, size_t most)
{
   const uint8_t *at = list, *end = at + bytes;
   size_t kept = bytes;

   if (bytes <= most)
      return bytes;
   while (at < end) {
      const struct vivgpu_group_packed *packed = (const void *)at;
      const uint8_t *next = at + vivgpu_packed_bytes(packed->head);

      if ((size_t)(next - (const uint8_t *)list) > most) {
         if (kept == bytes)
            kept = at - (const uint8_t *)list;
         group->num_lost_commands++;
         count(group, packed);
      }
      at = next;
   }
   return kept;
}
