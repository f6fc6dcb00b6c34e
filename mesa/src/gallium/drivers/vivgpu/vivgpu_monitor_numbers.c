/* SPDX-License-Identifier: MIT */
/* Numbers of descriptions, and of the objects in their keys; see vivgpu_monitor.h. */

#include "util/simple_mtx.h"
#include "util/u_atomic.h"
#include "vivgpu_monitor.h"

/* Serializes the writers of the process's table of descriptions. */
static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;

/* Number of the last object of the process that got one */
static uint32_t last_number;

uint32_t
vivgpu_monitor_new_number(uint32_t *number)
{
   uint32_t new = p_atomic_inc_return(&last_number), old;

   /* Contexts may share the object; the counter wraps to 0, which is no number. */
   new += !new;
   old = p_atomic_cmpxchg(number, 0, new);
   return old ? old : new;
}

uint32_t
vivgpu_monitor_describe(struct vivgpu_monitor *monitor, const struct vivgpu_command *command)
{
   struct vivgpu_group_descriptions *table = monitor->descriptions;
   uint32_t number = 0;

   simple_mtx_lock(&lock);
   /* At most half of the table since this context forgot its descriptions: see vivgpu_monitor.h. */
   if (vivgpu_group_last_number(table) - monitor->memory.base < table->count / 2)
      number = vivgpu_group_describe(table, command);
   simple_mtx_unlock(&lock);
   return number;
}
