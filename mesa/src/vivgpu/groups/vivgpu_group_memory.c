/* SPDX-License-Identifier: MIT */

#include "vivgpu_group_memory.h"

/* Entries of a set: the key's hash selects the set, in any entry of which it may be. */
#define WAYS 4

void
vivgpu_group_memory_reset(struct vivgpu_group_memory *memory, uint32_t base)
{
   memset(memory->known, 0, sizeof(memory->known));
   memset(memory->followers, 0, sizeof(memory->followers));
   memory->last = 0;
   memory->base = base;
}

/* Index of the first entry of a key's set. */
static unsigned
set_of(const struct vivgpu_group_key *key)
{
   uint64_t hash = 0;

   /* Fibonacci hashing: the multiplier is 2^64 divided by the golden ratio. */
   for (unsigned i = 0; i < VIVGPU_GROUP_KEY_WORDS; i++)
      hash = (hash ^ key->words[i] ^ hash >> 29) * UINT64_C(0x9e3779b97f4a7c15);
   /* A lower bit of a product depends on fewer bits of its factors. */
   return hash >> 48 & (VIVGPU_GROUP_KNOWN - 1) & ~(WAYS - 1);
}

/*
 * Note that @known followed the last entry at this place, and make it the last one. Where that is
 * noted depends on both, so it is looked up before they change.
 */
static struct vivgpu_group_known *
follow(struct vivgpu_group_memory *memory, struct vivgpu_group_known *known, uint32_t target)
{
   uint32_t *follower = vivgpu_group_follower(memory, target);

   vivgpu_group_confirm(memory, known);
   *follower = memory->last;
   return known;
}

struct vivgpu_group_known *
vivgpu_group_find(struct vivgpu_group_memory *memory, const struct vivgpu_group_key *key,
                  uint32_t target)
{
   struct vivgpu_group_known *known = vivgpu_group_expected(memory, target);

   if (!memcmp(&known->key, key, sizeof(*key))) {
      vivgpu_group_confirm(memory, known);
      return known;
   }
   known = &memory->known[set_of(key)];
   for (unsigned i = 0; i < WAYS; i++) {
      if (!memcmp(&known[i].key, key, sizeof(*key)))
         return follow(memory, &known[i], target);
   }
   return NULL;
}

struct vivgpu_group_known *
vivgpu_group_remember(struct vivgpu_group_memory *memory, const struct vivgpu_group_key *key,
                      uint32_t target)
{
   struct vivgpu_group_known *set = &memory->known[set_of(key)], *known = NULL;

   for (unsigned i = 0; i < WAYS && !known; i++) {
      if (!set[i].key.words[0])
         known = &set[i];
   }
   /*
    * One counter serves all sets. The entry may still be noted as a follower; keys are compared
    * before that is relied on.
    */
   if (!known)
      known = &set[memory->victim++ % WAYS];
   *known = (struct vivgpu_group_known){.key = *key};
   return follow(memory, known, target);
}
