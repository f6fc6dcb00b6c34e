/* SPDX-License-Identifier: MIT */

#include "vivgpu_group_builder.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_COMMANDS 64

void
vivgpu_group_builder_fini(struct vivgpu_group_builder *builder)
{
   free(builder->commands);
   memset(builder, 0, sizeof(*builder));
}

static bool
grow(struct vivgpu_group_builder *builder)
{
   uint32_t size = builder->size ? 2 * builder->size : FIRST_COMMANDS;
   struct vivgpu_command *commands;

   if (size > VIVGPU_GROUP_COMMANDS)
      return false;
   commands = realloc(builder->commands, size * sizeof(*commands));
   if (!commands)
      return false;
   builder->commands = commands;
   builder->size = size;
   return true;
}

/* Returns the index of the new command, or VIVGPU_GROUP_LOST_ENTRY. */
static uint32_t
append(struct vivgpu_group_builder *builder, const struct vivgpu_command *command, uint32_t offset)
{
   struct vivgpu_group *group = &builder->group;

   if (group->num_commands == builder->size && !grow(builder)) {
      group->num_lost_commands++;
      return VIVGPU_GROUP_LOST_ENTRY;
   }
   builder->commands[group->num_commands] = *command;
   builder->commands[group->num_commands].offset = offset;
   return group->num_commands++;
}

/* List the open command if it has words in this group and is not in the list yet. */
static void
list_open(struct vivgpu_group_builder *builder, uint32_t offset)
{
   if (builder->entry == VIVGPU_GROUP_NO_ENTRY && offset > builder->mark)
      builder->entry = append(builder, &builder->open, builder->mark);
}

void
vivgpu_group_insert(struct vivgpu_group_builder *builder, const struct vivgpu_command *command,
                    uint32_t from, uint32_t to)
{
   if (builder->depth)
      list_open(builder, from);
   append(builder, command, from);
   builder->mark = to;
}

struct vivgpu_command *
vivgpu_group_begin(struct vivgpu_group_builder *builder, uint32_t offset)
{
   if (builder->depth++)
      return NULL;
   builder->entry = VIVGPU_GROUP_NO_ENTRY;
   builder->mark = offset;
   return &builder->open;
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

/* Parameters may have changed since the command was listed. */
static void
update_entry(struct vivgpu_group_builder *builder)
{
   struct vivgpu_command *entry;

   if (builder->entry >= builder->group.num_commands)
      return;
   entry = &builder->commands[builder->entry];
   builder->open.offset = entry->offset;
   builder->open.flags |= entry->flags;
   *entry = builder->open;
}

void
vivgpu_group_close(struct vivgpu_group_builder *builder, uint32_t offset, bool always)
{
   struct vivgpu_command *open = &builder->open;
   bool continued;

   if (--builder->depth)
      return;
   continued = open->flags & VIVGPU_COMMAND_SECOND_PART;
   update_entry(builder);
   list_open(builder, offset);
   /* Each first part has a second one, if without words. */
   if (builder->entry == VIVGPU_GROUP_NO_ENTRY && (always || continued))
      builder->entry = append(builder, open, offset);
   if (open->type == VIVGPU_COMMAND_DRAW && builder->entry != VIVGPU_GROUP_NO_ENTRY) {
      builder->group.num_draws++;
      builder->group.vertices += (uint64_t)open->draw.count * open->draw.instances;
   }
}

void
vivgpu_group_end(struct vivgpu_group_builder *builder, enum vivgpu_group_reason reason,
                 uint32_t offset, uint32_t bytes)
{
   builder->group.reason = reason;
   builder->group.stream_bytes = bytes;
   if (!builder->depth)
      return;
   list_open(builder, offset);
   update_entry(builder);
   if (builder->entry == VIVGPU_GROUP_NO_ENTRY)
      return;
   if (builder->entry < builder->group.num_commands)
      builder->commands[builder->entry].flags |= VIVGPU_COMMAND_FIRST_PART;
   builder->open.flags |= VIVGPU_COMMAND_SECOND_PART;
}

void
vivgpu_group_next(struct vivgpu_group_builder *builder)
{
   struct vivgpu_group *group = &builder->group;

   *group = (struct vivgpu_group){
      .client = group->client,
      .frame = group->frame,
      .queue = group->queue,
   };
   builder->entry = VIVGPU_GROUP_NO_ENTRY;
   builder->mark = 0;
}
