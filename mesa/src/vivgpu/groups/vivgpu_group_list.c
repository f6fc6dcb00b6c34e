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

/* Room for commands at first */
#define FIRST_COMMANDS 64

_Static_assert(sizeof(struct vivgpu_command) % 8 == 0, "items hold whole commands");

/* Units of a command with parameters of so many bytes after its target */
#define UNITS(bytes) VIVGPU_PACKED_UNITS_OF(bytes)

unsigned
vivgpu_command_units(const struct vivgpu_command *command)
{
   /* DRAW: without textures. A type that is not here has neither parameters nor a target. */
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
   command->flags = (packed->head >> 8 & 0xff) | (command->flags & VIVGPU_COMMAND_UNKNOWN);
   draw->count = packed->count;
   draw->instances = packed->instances;
   draw->index_bytes = packed->head >> 24;
   draw->state &= ~VIVGPU_DRAW_INDEXED;
   draw->state |= draw->index_bytes ? VIVGPU_DRAW_INDEXED : 0;
   draw->primitives = command->flags & VIVGPU_COMMAND_UNKNOWN
                         ? 0
                         : vivgpu_group_primitives(draw->mode, draw->count) * draw->instances;
}

/* Add a draw to the group's sums; does nothing for other commands. */
static void
count(struct vivgpu_group *group, const struct vivgpu_group_packed *packed)
{
   if (!vivgpu_packed_counts(packed->head))
      return;
   group->num_draws++;
   group->vertices += (uint64_t)packed->count * packed->instances;
}

/* Bytes of the item at the start of @bytes bytes; 0 if it is invalid. */
static size_t
item_bytes(const struct vivgpu_group_packed *packed, size_t bytes)
{
   unsigned units;
   size_t own;

   if (bytes < sizeof(*packed))
      return 0;
   units = vivgpu_packed_units(packed->head);
   own = vivgpu_packed_bytes(packed->head);
   return own <= bytes && (units <= VIVGPU_PACKED_UNITS || units == VIVGPU_PACKED_REFERENCE) ? own
                                                                                             : 0;
}

/* Double the room for commands. False if memory is short. */
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

/* The last draw, and the number of its description */
struct described_draw {
   /* Index of the command; UINT32_MAX if there is none */
   uint32_t index;
   /* 0 if the parameters are in the list */
   uint64_t number;
};

/* Number of a command's description; 0 if it has none */
static uint64_t
number_of(const struct vivgpu_group_packed *packed)
{
   uint64_t number = 0;

   if (vivgpu_packed_units(packed->head) == VIVGPU_PACKED_REFERENCE)
      memcpy(&number, packed + 1, sizeof(number));
   return number;
}

/*
 * Unpack a command whose parameters are those of a description. If that is lost, or one of another
 * type, the command is VIVGPU_COMMAND_UNKNOWN. False if there is no @lookup.
 */
static bool
unpack_reference(struct vivgpu_command *command, const struct vivgpu_group_packed *packed,
                 const struct vivgpu_group_lookup *lookup)
{
   uint64_t number = number_of(packed);

   if (!lookup)
      return false;
   if (number <= UINT32_MAX && lookup->find(lookup->data, number, command) &&
       command->type == (packed->head & 0xff)) {
      command->flags = 0;
      command->repeats = 0;
   } else {
      memset(command, 0, sizeof(*command));
      command->type = packed->head & 0xff;
      command->flags = VIVGPU_COMMAND_UNKNOWN;
   }
   if (command->type == VIVGPU_COMMAND_DRAW) {
      vivgpu_command_repeat(command, packed);
   } else {
      command->offset = packed->offset;
      command->flags |= packed->head >> 8 & 0xff;
   }
   return true;
}

/* Set what differs between a draw and the last one, whose copy it is: often only the offset. */
static void
repeat(struct vivgpu_command *command, const struct vivgpu_group_packed *packed)
{
   const struct vivgpu_command_draw *draw = &command->draw;

   command->repeats = 1;
   if (packed->count != draw->count || packed->instances != draw->instances ||
       packed->head >> 24 != draw->index_bytes) {
      vivgpu_command_repeat(command, packed);
      return;
   }
   command->offset = packed->offset;
   command->flags = (packed->head >> 8 & 0xff) | (command->flags & VIVGPU_COMMAND_UNKNOWN);
}

/*
 * Unpack a command. False if it refers to something that is not there.
 *
 * @last: the last draw; it becomes this command if that is one
 */
static bool
unpack(struct vivgpu_command *commands, uint32_t index, const struct vivgpu_group_packed *packed,
       struct described_draw *last, const struct vivgpu_group_lookup *lookup)
{
   struct vivgpu_command *command = &commands[index];
   unsigned units = vivgpu_packed_units(packed->head);
   bool draws = (packed->head & 0xff) == VIVGPU_COMMAND_DRAW;
   uint64_t number = number_of(packed);

   if (draws && (!units || (number && number == last->number))) {
      if (last->index == UINT32_MAX)
         return false;
      *command = commands[last->index];
      last->index = index;
      repeat(command, packed);
      return true;
   }
   if (draws)
      *last = (struct described_draw){index, number};
   if (units == VIVGPU_PACKED_REFERENCE)
      return unpack_reference(command, packed, lookup);
   memset(command, 0, sizeof(*command));
   command->type = packed->head & 0xff;
   command->flags = packed->head >> 8 & 0xff;
   command->offset = packed->offset;
   memcpy(&command->target, packed + 1, 8 * units);
   return true;
}

static bool
find_in_table(void *data, uint32_t number, struct vivgpu_command *command)
{
   return vivgpu_group_described(data, number, command);
}

struct vivgpu_group_lookup
vivgpu_group_lookup_in(const struct vivgpu_group_descriptions *table)
{
   return (struct vivgpu_group_lookup){find_in_table, (void *)table};
}

bool
vivgpu_group_unpack(struct vivgpu_group_commands *commands, struct vivgpu_group *group,
                    const void *list, size_t bytes, const struct vivgpu_group_lookup *lookup)
{
   const uint8_t *at = list, *end = at + bytes;
   struct described_draw last = {.index = UINT32_MAX};
   /* Of commands so far; in the functions above a number is that of a description. */
   uint32_t number = 0;

   commands->unknown = 0;
   while (at < end) {
      const struct vivgpu_group_packed *packed = (const void *)at;
      size_t own = item_bytes(packed, end - at);

      if (!own || (number == commands->size && !grow(commands)))
         return false;
      if (!unpack(commands->commands, number, packed, &last, lookup))
         return false;
      commands->unknown += (commands->commands[number].flags & VIVGPU_COMMAND_UNKNOWN) != 0;
      count(group, packed);
      number++;
      at += own;
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
   /* The list is one that was built in this process: its items are not checked. */
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
