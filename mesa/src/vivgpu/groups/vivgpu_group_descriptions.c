/* SPDX-License-Identifier: MIT */

#include "vivgpu_group_descriptions.h"

uint32_t
vivgpu_group_describe(struct vivgpu_group_descriptions *table, const struct vivgpu_command *command)
{
   struct vivgpu_group_description *slot;
   /* 0 once all numbers have been used */
   uint32_t number = table->last + 1;

   if (!table->count || !number)
      return 0;
   slot = &table->slots[number & (table->count - 1)];
   __atomic_store_n(&slot->number, 0, __ATOMIC_RELAXED);
   /* A reader that sees bytes written after this fence does not find the old number after them. */
   __atomic_thread_fence(__ATOMIC_RELEASE);
   slot->command = *command;
   slot->command.flags = 0;
   slot->command.offset = 0;
   __atomic_store_n(&slot->number, number, __ATOMIC_RELEASE);
   __atomic_store_n(&table->last, number, __ATOMIC_RELAXED);
   return number;
}

bool
vivgpu_group_described(const struct vivgpu_group_descriptions *table, uint32_t number,
                       struct vivgpu_command *command)
{
   const struct vivgpu_group_description *slot;

   if (!table->count || !number)
      return false;
   slot = &table->slots[number & (table->count - 1)];
   if (__atomic_load_n(&slot->number, __ATOMIC_ACQUIRE) != number)
      return false;
   *command = slot->command;
   /* The copy is consistent if the number is still there: see vivgpu_group_describe(). */
   __atomic_thread_fence(__ATOMIC_ACQUIRE);
   return __atomic_load_n(&slot->number, __ATOMIC_RELAXED) == number;
}
