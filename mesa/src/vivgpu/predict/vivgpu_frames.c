/* SPDX-License-Identifier: MIT */
/* Values of recent frames; see vivgpu_frames.h. */

#include "vivgpu_frames.h"

#include <string.h>

/*
 * Make a frame the recent one if all of its groups have ended and it was begun after that one. What
 * is not known of it remains as it was: values of groups, and the ratio if no vertices were
 * measured.
 */
static void
update_recent(struct vivgpu_frames *frames, const struct vivgpu_frame *frame)
{
   const struct vivgpu_frame last = frames->recent;

   if (!frame->ended || frame->finished < frame->submitted)
      return;
   if (frames->has_recent && frame->number < last.number)
      return;
   frames->recent = *frame;
   for (uint32_t i = 0; i < frame->submitted; i++) {
      if (frame->values[i] < 0 && frames->has_recent && i < last.submitted)
         frames->recent.values[i] = last.values[i];
   }
   if (!(frame->vertices > 0)) {
      frames->recent.vertices = last.vertices;
      frames->recent.total = last.total;
   }
   frames->has_recent = true;
}

uint32_t
vivgpu_frames_submit(struct vivgpu_frames *frames, uint32_t queue, uint32_t frame, uint64_t cookie,
                     double vertices)
{
   struct vivgpu_frame *current = &frames->frames[frames->current];
   uint32_t sequence;

   if (current->submitted && (current->frame != frame || current->queue != queue ||
                              current->submitted == VIVGPU_FRAME_GROUPS)) {
      current->ended = true;
      update_recent(frames, current);
      frames->current = (frames->current + 1) % VIVGPU_FRAMES;
      current = &frames->frames[frames->current];
      memset(current, 0, sizeof(*current));
      current->number = ++frames->ended;
   }
   current->frame = frame;
   current->queue = queue;
   sequence = current->submitted++;
   current->group_vertices[sequence] = vertices;
   current->values[sequence] = -1;
   current->cookies[sequence] = cookie;
   return sequence;
}

void
vivgpu_frames_finish(struct vivgpu_frames *frames, uint64_t cookie, double value)
{
   for (uint32_t ago = 0; ago < VIVGPU_FRAMES; ago++) {
      struct vivgpu_frame *frame =
         &frames->frames[(frames->current + VIVGPU_FRAMES - ago) % VIVGPU_FRAMES];

      for (uint32_t i = 0; i < frame->submitted; i++) {
         /* One with a value is another group with the same cookie. */
         if (frame->cookies[i] != cookie || frame->values[i] >= 0)
            continue;
         frame->finished++;
         frame->values[i] = value;
         if (value >= 0) {
            frame->total += value;
            frame->vertices += frame->group_vertices[i];
         }
         update_recent(frames, frame);
         return;
      }
   }
}

double
vivgpu_frames_value(const struct vivgpu_frames *frames, uint32_t sequence)
{
   if (!frames->has_recent || sequence >= frames->recent.submitted)
      return -1;
   return frames->recent.values[sequence];
}

double
vivgpu_frames_ratio(const struct vivgpu_frames *frames)
{
   if (!frames->has_recent || !(frames->recent.vertices > 0))
      return -1;
   return frames->recent.total / frames->recent.vertices;
}
