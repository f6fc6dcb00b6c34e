/* SPDX-License-Identifier: MIT */
/*
 * Lists of commands as they are recorded and as they are in the ring: packed, since most draws
 * differ from the one before only in their counts.
 *
 * A list is a row of items: a struct vivgpu_group_packed, and after it one of
 *
 * - the beginning of the command's target and parameters (struct vivgpu_command from its target on),
 *   whose rest is zero;
 * - VIVGPU_PACKED_REFERENCE: the number of a description that has them, in 8 bytes
 *   (vivgpu_group_descriptions.h). Primitives of a draw follow from its count;
 * - nothing. A draw then has those of the last draw of this list that has some.
 *
 * Lists are unpacked where they are read.
 */
#ifndef VIVGPU_GROUP_LIST_H
#define VIVGPU_GROUP_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "vivgpu_group_descriptions.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_group_packed {
   uint32_t offset;
   /** VIVGPU_PACKED_HEAD() */
   uint32_t head;
   /** Of a draw; 0 for other commands */
   uint32_t count, instances;
};

/** Type and flags of the command, parameters that follow in units of 8 bytes, index_bytes */
#define VIVGPU_PACKED_HEAD(type, flags, units, index_bytes)                                        \
   ((uint32_t)(type) | (uint32_t)(flags) << 8 | (uint32_t)(units) << 16 |                          \
    (uint32_t)(index_bytes) << 24)

/** Parameters of a command in units of 8 bytes, at most */
#define VIVGPU_PACKED_UNITS                                                                        \
   ((sizeof(struct vivgpu_command) - offsetof(struct vivgpu_command, target)) / 8)

/** Units of a command with parameters of so many bytes after its target */
#define VIVGPU_PACKED_UNITS_OF(bytes) ((sizeof(struct vivgpu_group_target) + (bytes) + 7) / 8)

/** Units of a draw without textures */
#define VIVGPU_PACKED_PLAIN_DRAW                                                                   \
   VIVGPU_PACKED_UNITS_OF(offsetof(struct vivgpu_command_draw, textures))

/** In place of units: the number of a description follows */
#define VIVGPU_PACKED_REFERENCE 0xff

struct vivgpu_group_reference {
   struct vivgpu_group_packed packed;
   uint64_t number;
};

static inline unsigned
vivgpu_packed_units(uint32_t head)
{
   return head >> 16 & 0xff;
}

/** Bytes of the largest item */
#define VIVGPU_PACKED_BYTES (sizeof(struct vivgpu_group_packed) + 8 * VIVGPU_PACKED_UNITS)

/** Bytes of an item */
static inline size_t
vivgpu_packed_bytes(uint32_t head)
{
   unsigned units = vivgpu_packed_units(head);

   return sizeof(struct vivgpu_group_packed) + (units == VIVGPU_PACKED_REFERENCE ? 1 : units) * 8;
}

/** True if this is a draw that ends in its group: it is counted there. */
static inline bool
vivgpu_packed_counts(uint32_t head)
{
   return (head & 0xff) == VIVGPU_COMMAND_DRAW && !(head >> 8 & VIVGPU_COMMAND_FIRST_PART);
}

/** Units of 8 bytes that a command's item needs; a draw without textures ends before them */
unsigned vivgpu_command_units(const struct vivgpu_command *command);

/** Set what differs between a draw and the last one: @command has the latter's parameters. */
void vivgpu_command_repeat(struct vivgpu_command *command, const struct vivgpu_group_packed *packed);

/** Primitives that the core draws for @count vertices of a mode (enum mesa_prim) */
uint32_t vivgpu_group_primitives(unsigned mode, uint32_t count);

/**
 * Write an item of @units units to @item, which has room for VIVGPU_PACKED_UNITS: what is after the
 * item is overwritten.
 */
static inline void
vivgpu_command_pack(void *item, const struct vivgpu_command *command, unsigned units)
{
   struct vivgpu_group_packed *packed = (struct vivgpu_group_packed *)item;
   bool draw = command->type == VIVGPU_COMMAND_DRAW;

   packed->offset = command->offset;
   packed->head = VIVGPU_PACKED_HEAD(command->type, command->flags, units,
                                     draw ? command->draw.index_bytes : 0);
   packed->count = draw ? command->draw.count : 0;
   packed->instances = draw ? command->draw.instances : 0;
   /* A copy of constant size is faster than one of the units. */
   memcpy(packed + 1, &command->target, 8 * VIVGPU_PACKED_UNITS);
}

/** Commands of a list that was unpacked; zero at first */
struct vivgpu_group_commands {
   struct vivgpu_command *commands;
   /** Number of commands for which @commands has room */
   uint32_t size;
   /** Number of commands of the last list that are VIVGPU_COMMAND_UNKNOWN */
   uint32_t unknown;
};

/** How to find the descriptions to which lists refer */
struct vivgpu_group_lookup {
   /** Copies the command with this description; false, with any command, if it is lost */
   bool (*find)(void *data, uint32_t number, struct vivgpu_command *command);
   void *data;
};

/** Descriptions in a table of this process */
struct vivgpu_group_lookup vivgpu_group_lookup_in(const struct vivgpu_group_descriptions *table);

/**
 * Unpack a list.
 *
 * @commands: gets the commands
 * @lookup: NULL if the list refers to nothing
 * @group: num_draws and vertices are the sums over lost commands, to which those of the list are
 *         added; num_commands is set
 *
 * Returns false if the list violates the format or memory is short; @group may be changed then.
 */
bool vivgpu_group_unpack(struct vivgpu_group_commands *commands, struct vivgpu_group *group,
                         const void *list, size_t bytes, const struct vivgpu_group_lookup *lookup);

/** Free memory. */
void vivgpu_group_commands_fini(struct vivgpu_group_commands *commands);

/**
 * The part of a valid list that fits in @most bytes; what is left out is counted as lost in @group.
 * Returns its bytes.
 */
size_t vivgpu_group_shorten(struct vivgpu_group *group, const void *list, size_t bytes,
                            size_t most);

#ifdef __cplusplus
}
#endif

#endif
