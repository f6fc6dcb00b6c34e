/* SPDX-License-Identifier: MIT */

#include "vivgpu_group_builder.h"

#include <stdlib.h>
#include <string.h>

/* Size of a list at first; more than any item has, so that growing once makes room for one */
#define FIRST_BYTES 4096

void
vivgpu_group_builder_fini(struct vivgpu_group_builder *builder)
{
   free(builder->list);
   memset(builder, 0, sizeof(*builder));
}

/* Double the list's size. False if it may not be larger, or memory is short. */
static bool
grow(struct vivgpu_group_builder *builder)
{
   uint32_t size = builder->size ? 2 * builder->size : FIRST_BYTES;
   uint8_t *list;

   if (size > VIVGPU_GROUP_LIST_BYTES)
      return false;
   list = realloc(builder->list, size);
   if (!list)
      return false;
   builder->list = list;
   builder->size = size;
   builder->limit = size - VIVGPU_PACKED_BYTES + 1;
   return true;
}

/* Count a command for which no room was left; count_lost_draw() adds a draw's vertices. */
static void
lose(struct vivgpu_group_builder *builder)
{
   builder->group.num_lost_commands++;
}

/* Add an item with @units of parameters. Returns where it is, or VIVGPU_GROUP_LOST_ENTRY. */
static uint32_t
append(struct vivgpu_group_builder *builder, const struct vivgpu_command *command, unsigned units)
{
   uint32_t at = builder->used;

   if (at >= builder->limit && !grow(builder)) {
      lose(builder);
      return VIVGPU_GROUP_LOST_ENTRY;
   }
   vivgpu_command_pack(builder->list + at, command, units);
   builder->used = at + sizeof(struct vivgpu_group_packed) + 8 * units;
   return at;
}

/* Bring the description of the draw that was closed last into @open. */
static void
load_reference(struct vivgpu_group_builder *builder)
{
   if (!builder->descriptions ||
       !vivgpu_group_described(builder->descriptions, builder->reference, &builder->open))
      builder->open = (struct vivgpu_command){.type = VIVGPU_COMMAND_DRAW,
                                              .flags = VIVGPU_COMMAND_UNKNOWN};
   builder->reference = 0;
}

/*
 * The draw that vivgpu_group_repeat() opened becomes a common open command, since its item may have
 * to change: the item, the list's last one, is removed until the draw is listed again.
 */
static void
make_open(struct vivgpu_group_builder *builder)
{
   const struct vivgpu_group_packed *packed;

   if (builder->reference)
      load_reference(builder);
   builder->used -= sizeof(*packed);
   packed = (const struct vivgpu_group_packed *)(builder->list + builder->used);
   vivgpu_command_repeat(&builder->open, packed);
   builder->mark = packed->offset;
   builder->entry = VIVGPU_GROUP_NO_ENTRY;
   builder->depth = 1;
}

/* If the open draw is one that vivgpu_group_repeat() opened, make it a common one. */
static inline void
end_repetition(struct vivgpu_group_builder *builder)
{
   if (builder->depth & VIVGPU_GROUP_REPEATING)
      make_open(builder);
}

/*
 * List the open command if it has words in this group and is not in the list yet, before something
 * else happens within it. Its parameters may change, so its item has room for all of them.
 */
static void
list_open(struct vivgpu_group_builder *builder, uint32_t offset)
{
   builder->plain = false;
   if (builder->entry != VIVGPU_GROUP_NO_ENTRY || offset <= builder->mark)
      return;
   builder->open.offset = builder->mark;
   builder->entry = append(builder, &builder->open, VIVGPU_PACKED_UNITS);
}

void
vivgpu_group_insert(struct vivgpu_group_builder *builder, struct vivgpu_command *command,
                    uint32_t from, uint32_t to)
{
   end_repetition(builder);
   if (builder->depth)
      list_open(builder, from);
   command->offset = from;
   append(builder, command, vivgpu_command_units(command));
   builder->mark = to;
}

void
vivgpu_group_insert_within(struct vivgpu_group_builder *builder, unsigned type, uint32_t number,
                           uint32_t from, uint32_t to)
{
   end_repetition(builder);
   if (builder->depth)
      list_open(builder, from);
   builder->mark = to;
   if (builder->used < builder->limit || grow(builder))
      vivgpu_group_append_reference(builder, type, number, from);
   else
      lose(builder);
}

void
vivgpu_group_begin_within(struct vivgpu_group_builder *builder)
{
   end_repetition(builder);
   builder->plain = false;
   builder->depth++;
}

bool
vivgpu_group_open(struct vivgpu_group_builder *builder, const struct vivgpu_command *command,
                  uint32_t offset)
{
   struct vivgpu_command *open = vivgpu_group_begin(builder, offset);

   if (open)
      *open = *command;
   return open;
}

struct vivgpu_command *
vivgpu_group_opened(struct vivgpu_group_builder *builder)
{
   end_repetition(builder);
   builder->plain = false;
   return builder->depth ? &builder->open : NULL;
}

/*
 * Write the open command again, as its parameters may have changed, if it is listed: then
 * list_open() did that, with room for all parameters. @flags: flags to add
 */
static void
update_entry(struct vivgpu_group_builder *builder, unsigned flags)
{
   struct vivgpu_group_packed *packed;
   struct vivgpu_command *open = &builder->open;

   if (!vivgpu_group_is_listed(builder))
      return;
   packed = (struct vivgpu_group_packed *)(builder->list + builder->entry);
   open->offset = packed->offset;
   open->flags |= packed->head >> 8 & 0xff;
   vivgpu_command_pack(packed, open, VIVGPU_PACKED_UNITS);
   packed->head |= VIVGPU_PACKED_HEAD(0, flags, 0, 0);
}

/* Add the open command to the group's sums if it is a draw for which no room was left. */
static void
count_lost_draw(struct vivgpu_group_builder *builder)
{
   const struct vivgpu_command *open = &builder->open;

   if (builder->entry != VIVGPU_GROUP_LOST_ENTRY || open->type != VIVGPU_COMMAND_DRAW)
      return;
   builder->group.num_draws++;
   builder->group.vertices += (uint64_t)open->draw.count * open->draw.instances;
}

void
vivgpu_group_close(struct vivgpu_group_builder *builder, uint32_t offset, bool always)
{
   struct vivgpu_command *open = &builder->open;
   bool words;

   end_repetition(builder);
   if (--builder->depth)
      return;
   update_entry(builder, 0);
   words = offset > builder->mark;
   /* Each first part has a second one, even if that has no words. */
   if (builder->entry == VIVGPU_GROUP_NO_ENTRY &&
       (words || always || open->flags & VIVGPU_COMMAND_SECOND_PART)) {
      open->offset = words ? builder->mark : offset;
      builder->entry = append(builder, open, vivgpu_command_units(open));
   }
   count_lost_draw(builder);
   builder->plain = false;
   builder->reference = 0;
}

void
vivgpu_group_end_open(struct vivgpu_group_builder *builder, uint32_t offset)
{
   end_repetition(builder);
   list_open(builder, offset);
   if (builder->entry == VIVGPU_GROUP_NO_ENTRY)
      return;
   update_entry(builder, VIVGPU_COMMAND_FIRST_PART);
   builder->open.flags |= VIVGPU_COMMAND_SECOND_PART;
}
