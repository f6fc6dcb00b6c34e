/* SPDX-License-Identifier: MIT */
/*
 * Time by a table of earlier groups (Kato and others, "TimeGraph", 2011; thesis 2.3): the time of
 * the last group with the same methods and the same data size; if there is none, the longest time
 * of all groups so far. Methods are the kinds of commands in their order, data sizes the bytes of
 * the command stream. A hash of both selects an entry, where it replaces another one.
 */

#include <stdlib.h>

#include "vivgpu_baseline.h"
#include "vivgpu_hash.h"

#define ENTRIES 1024

struct table {
   struct vivgpu_predict_config config;
   struct {
      uint64_t key;
      double ns;
   } entries[ENTRIES];
   double longest;
};

static void *
create(const struct vivgpu_predict_config *config)
{
   struct table *table = calloc(1, sizeof(*table));

   if (table && config)
      table->config = *config;
   return table;
}

static uint64_t
key_of(const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
   uint64_t key = vivgpu_hash_add(1, group->stream_bytes);

   for (uint32_t i = 0; i < group->num_commands; i++)
      key = vivgpu_hash_add(key, commands[i].type);
   return key;
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   const struct table *table = predictor;
   uint64_t key = key_of(group, commands);
   uint64_t at = key % ENTRIES;

   vivgpu_baseline_fill(prediction,
                        table->entries[at].key == key ? table->entries[at].ns : table->longest, 0);
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   struct table *table = predictor;
   double ns = vivgpu_measured_ns(&table->config, result);
   uint64_t key = key_of(group, commands);

   if (ns < 0)
      return;
   table->entries[key % ENTRIES].key = key;
   table->entries[key % ENTRIES].ns = ns;
   if (ns > table->longest)
      table->longest = ns;
}

const struct vivgpu_predictor_type vivgpu_predictor_table = {
   .name = "table",
   .description = "Kato 2011: the last group with equal methods and size, else the longest time",
   .create = create,
   .destroy = free,
   .predict = predict,
   .observe = observe,
};
