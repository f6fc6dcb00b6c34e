/* SPDX-License-Identifier: MIT */
/* Tables of histories; see vivgpu_slots.h. */

#include "vivgpu_slots.h"

#include <stdlib.h>
#include <string.h>

#include "vivgpu_hash.h"

bool
vivgpu_slots_init(struct vivgpu_slots *slots, uint32_t size, uint32_t history)
{
   size_t series = vivgpu_series_bytes(history);
   char *memory;

   memset(slots, 0, sizeof(*slots));
   slots->size = size;
   /* At first histories are trusted more, as if 8 comparisons had said so. */
   slots->follow = (struct vivgpu_advantage){.mean = 0.2, .count = 8};
   slots->young = (struct vivgpu_advantage){.mean = 0.2, .count = 8};
   slots->slots = calloc(size, sizeof(*slots->slots));
   slots->shapes = calloc(size, sizeof(*slots->shapes));
   /* Pages of histories that are never used stay zero pages. */
   slots->memory = memory = calloc(2 * (size_t)size, series);
   if (!slots->slots || !slots->shapes || !memory) {
      vivgpu_slots_finish(slots);
      return false;
   }
   for (uint32_t i = 0; i < size; i++) {
      slots->slots[i].time.values = (float *)(memory + 2 * i * series);
      slots->slots[i].fragments.values = (float *)(memory + (2 * i + 1) * series);
      slots->slots[i].time.capacity = slots->slots[i].fragments.capacity = history;
   }
   return true;
}

void
vivgpu_slots_finish(struct vivgpu_slots *slots)
{
   free(slots->slots);
   free(slots->shapes);
   free(slots->memory);
   memset(slots, 0, sizeof(*slots));
}

/*
 * Number of a group among the equal ones of its queue and frame. Until there is a second frame with
 * such groups the number is 0: a program without frames would have a slot for each group.
 *
 * @exact: hash of the group's commands and queue, in place of that of the commands alone
 */
static uint32_t
count_occurrence(struct vivgpu_slots *slots, uint64_t exact, uint32_t frame)
{
   struct vivgpu_occurrence *occurrence = &slots->occurrences[exact % VIVGPU_FRAME_TABLE];

   if (occurrence->key != exact) {
      *occurrence = (struct vivgpu_occurrence){.key = exact, .frame = frame};
   } else if (occurrence->frame != frame) {
      occurrence->frame = frame;
      occurrence->count = 0;
      occurrence->again = true;
   }
   if (occurrence->count < VIVGPU_OCCURRENCES)
      occurrence->count++;
   return occurrence->again ? occurrence->count - 1 : 0;
}

/* Reset a slot for a key; it keeps the memory of its histories. */
static void
clear_slot(const struct vivgpu_slots *slots, struct vivgpu_slot *slot, uint64_t key)
{
   struct vivgpu_series time = slot->time, fragments = slot->fragments;

   memset(slot, 0, sizeof(*slot));
   slot->key = key;
   slot->history = (struct vivgpu_advantage){.mean = slots->young.mean, .count = 8};
   slot->fragment_history = (struct vivgpu_advantage){.mean = 0.2, .count = 8};
   vivgpu_bound_init(&slot->bound);
   vivgpu_surprise_init(&slot->surprise);
   slot->time = time;
   slot->fragments = fragments;
   vivgpu_series_init(&slot->time, time.capacity, time.values);
   vivgpu_series_init(&slot->fragments, fragments.capacity, fragments.values);
}

struct vivgpu_slot *
vivgpu_slots_next(struct vivgpu_slots *slots, uint64_t exact, uint32_t queue, uint32_t frame)
{
   uint64_t own = vivgpu_hash_add(exact, queue);
   uint64_t key = vivgpu_hash_add(own, count_occurrence(slots, own, frame));
   struct vivgpu_slot *slot = NULL, *victim = &slots->slots[0];

   for (uint32_t i = 0; i < slots->size && !slot; i++) {
      struct vivgpu_slot *other = &slots->slots[i];

      if (other->key == key)
         slot = other;
      /* Groups that came only once give way for those that come again. */
      else if ((other->predicted > 1) < (victim->predicted > 1) ||
               ((other->predicted > 1) == (victim->predicted > 1) && other->used < victim->used))
         victim = other;
   }
   if (!slot) {
      slot = victim;
      clear_slot(slots, slot, key);
      slot->exact = exact;
   }
   slot->used = ++slots->used;
   slot->predicted++;
   return slot;
}

const struct vivgpu_slot *
vivgpu_slots_like(const struct vivgpu_slots *slots, uint64_t exact)
{
   const struct vivgpu_slot *best = NULL;

   for (uint32_t i = 0; i < slots->size; i++) {
      const struct vivgpu_slot *slot = &slots->slots[i];

      if (slot->exact == exact && slot->time.count && (!best || slot->used > best->used))
         best = slot;
   }
   return best;
}

struct vivgpu_shape *
vivgpu_slots_shape(struct vivgpu_slots *slots, uint64_t key)
{
   struct vivgpu_shape *victim = &slots->shapes[0];

   slots->used++;
   for (uint32_t i = 0; i < slots->size; i++) {
      struct vivgpu_shape *shape = &slots->shapes[i];

      if (shape->key == key) {
         shape->used = slots->used;
         return shape;
      }
      if (shape->used < victim->used)
         victim = shape;
   }
   *victim = (struct vivgpu_shape){
      .key = key,
      .used = slots->used,
      .ratio = 1,
      .fragment_ratio = -1,
      .area_ratio = -1,
      /* At first costs alone are trusted more. */
      .corrected = {.mean = -0.05, .count = 8},
   };
   return victim;
}
