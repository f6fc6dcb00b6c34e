/* SPDX-License-Identifier: MIT */

#include "vivgpu_emitted.h"

#include "util/u_math.h"

/* Words that are compared at once */
#define BLOCK 16

/*
 * Pack the states of one command whose values changed. Single unchanged states between them are
 * included, since another command would take as many words. Packs all states if @before is NULL.
 */
static void
vivgpu_emitted_pack_command(struct vivgpu_pack *pack, const uint32_t *command,
                            const uint32_t *before, uint32_t states)
{
   uint32_t header = command[0] & ~VIV_FE_LOAD_STATE_HEADER_COUNT__MASK;
   uint32_t next = 0;

   for (uint32_t i = 0; i < states; i++) {
      if (before && command[1 + i] == before[1 + i])
         continue;
      if (next && i == next + 1)
         vivgpu_pack_header(pack, header + next, command[1 + next]);
      vivgpu_pack_header(pack, header + i, command[1 + i]);
      next = i + 1;
   }
}

uint32_t
vivgpu_emitted_delta(uint32_t *changes, const uint32_t *before, uint32_t before_count,
                     const uint32_t *words, uint32_t count)
{
   struct vivgpu_pack pack = vivgpu_pack_begin(changes);
   uint32_t comparable = before_count;

   for (uint32_t i = 0; i < count;) {
      uint32_t states =
         (words[i] & VIV_FE_LOAD_STATE_HEADER_COUNT__MASK) >> VIV_FE_LOAD_STATE_HEADER_COUNT__SHIFT;

      if (i >= comparable || words[i] != before[i])
         comparable = 0;
      vivgpu_emitted_pack_command(&pack, words + i, comparable ? before + i : NULL, states);
      i += align(1 + states, 2);
   }
   return vivgpu_pack_end(&pack);
}

/* Find the range of words that differ between two arrays; an empty one if all are equal. */
static void
vivgpu_emitted_find_differences(const uint32_t *before, const uint32_t *after, uint32_t count,
                                uint32_t *first, uint32_t *end)
{
   uint32_t from = 0, to = count;

   /* Most words are equal between draws; memcmp() of whole blocks skips them faster. */
   while (to - from >= BLOCK && !memcmp(before + from, after + from, BLOCK * sizeof(*before)))
      from += BLOCK;
   while (from < to && before[from] == after[from])
      from++;
   while (to - from >= BLOCK &&
          !memcmp(before + to - BLOCK, after + to - BLOCK, BLOCK * sizeof(*before)))
      to -= BLOCK;
   while (to > from && before[to - 1] == after[to - 1])
      to--;
   *first = from;
   *end = to;
}

bool
vivgpu_emitted_range(const uint32_t *before, uint32_t known, const uint32_t *after, uint32_t count,
                     uint32_t *first, uint32_t *end)
{
   known = MIN2(known, count);
   vivgpu_emitted_find_differences(before, after, known, first, end);
   if (known < count)
      *end = count;
   return *first < *end;
}
