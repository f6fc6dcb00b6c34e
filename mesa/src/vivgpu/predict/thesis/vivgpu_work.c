/* SPDX-License-Identifier: MIT */
/* Amounts of a group; see vivgpu_work.h. */

#include "vivgpu_work.h"

#include <stddef.h>

#include "vivgpu_hash.h"
#include "vivgpu_thesis_models.h"

/* Programs seen so far in a group */
struct programs {
   uint32_t ids[VIVGPU_WORK_PROGRAMS];
   unsigned count;
};

/* Add a program if it was not seen and there is room. Returns whether it was added. */
static bool
is_new(struct programs *programs, uint32_t id)
{
   for (unsigned i = 0; i < programs->count; i++) {
      if (programs->ids[i] == id)
         return false;
   }
   if (programs->count == VIVGPU_WORK_PROGRAMS)
      return false;
   programs->ids[programs->count++] = id;
   return true;
}

static void
add_draw(struct vivgpu_work *work, struct programs *programs, const struct vivgpu_command *command)
{
   const struct vivgpu_command_draw *draw = &command->draw;
   double area = (double)draw->area[2] * draw->area[3];

   /* The core executes a split draw in its second part. */
   if (command->flags & VIVGPU_COMMAND_FIRST_PART)
      return;
   /* As long as all draws so far are without area */
   work->still = area <= 0 && (work->still || !work->draws);
   work->draws = true;
   work->vertices += (double)draw->count * draw->instances;
   /* box_pixels is 1 more than the pixels, 0 if they are unknown. */
   work->boxes += draw->box_pixels ? draw->box_pixels - 1.0 : area;
   /* A sum: the order of programs, and how often each is used, do not count. */
   if (is_new(programs, draw->program))
      work->programs += vivgpu_hash_add(0, draw->program);
}

/* The swap of a group, or NULL. */
static const struct vivgpu_command *
swap_of(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   for (uint32_t i = 0; i < group->num_commands; i++) {
      if (commands[i].type == VIVGPU_COMMAND_SWAP)
         return &commands[i];
   }
   return NULL;
}

struct vivgpu_work
vivgpu_work_of(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   const struct vivgpu_command *swap = swap_of(group, commands);
   struct vivgpu_work work = {0};
   struct programs programs = {.count = 0};

   for (uint32_t i = 0; i < group->num_commands; i++) {
      const struct vivgpu_command_copy *copy = &commands[i].copy;

      switch (commands[i].type) {
      case VIVGPU_COMMAND_DRAW:
         add_draw(&work, &programs, &commands[i]);
         break;
      case VIVGPU_COMMAND_CLEAR:
         if (commands[i].clear.kind == VIVGPU_CLEAR_FULL)
            work.clear_bytes += commands[i].clear.bytes;
         break;
      case VIVGPU_COMMAND_UPLOAD:
         work.uploads = work.uploads || commands[i].upload.by_gpu;
         break;
      case VIVGPU_COMMAND_SWAP:
         work.swap_tiles += (double)copy->width * copy->height / VIVGPU_TILE_PIXELS;
         break;
      case VIVGPU_COMMAND_COPY:
      case VIVGPU_COMMAND_RESOLVE:
         if (copy->by == VIVGPU_COPY_CPU)
            break;
         if (!swap || copy->width != swap->copy.width || copy->height != swap->copy.height)
            work.texture_bytes += (double)copy->width * copy->height * VIVGPU_WORK_PIXEL;
         break;
      }
   }
   return work;
}
