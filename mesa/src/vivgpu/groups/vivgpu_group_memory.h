/* SPDX-License-Identifier: MIT */
/*
 * What a command monitor remembers of commands that it has described: keys of the state from which a
 * description follows, and the numbers of the descriptions (vivgpu_group_descriptions.h). A command
 * with a known key need not be described again.
 *
 * Frames are alike, so what followed an entry the last time is tried first. Windows have several
 * buffers, which are drawn to in turns, and some commands occur several times in a frame, so what
 * followed is kept for each target and place in the group.
 *
 * Most descriptions of some programs occur once, so only the second time a key is used its
 * description gets a number. Pure; calls are serialized.
 */
#ifndef VIVGPU_GROUP_MEMORY_H
#define VIVGPU_GROUP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "vivgpu_group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VIVGPU_GROUP_KEY_WORDS 9

/**
 * All on which a command's description depends, but for a draw's counts. The first word is not 0 and
 * contains the command's type; the meaning of the others depends on it.
 */
struct vivgpu_group_key {
   uint64_t words[VIVGPU_GROUP_KEY_WORDS];
};

struct vivgpu_group_known {
   struct vivgpu_group_key key;
   /** Of the description; 0 if it has none yet */
   uint32_t number;
   /**
    * For the caller, who sets them with the number. Of a draw: what vivgpu_group_repeat() wants of draws
    * like it; and if the target is a window, the target, whether its tile status is in use, and the
    * pixels of the draw
    */
   uint32_t repeat_key, repeat_head;
   uint32_t pixels;
   bool window, has_status;
   struct vivgpu_group_target target;
};

/** Entries of a memory: a power of two */
#define VIVGPU_GROUP_KNOWN 512

/** Followers of all entries together: 2 to the power of these bits */
#define VIVGPU_GROUP_FOLLOWER_BITS 12

struct vivgpu_group_memory {
   /** Hashed by key; an unused one has a key of zeros */
   struct vivgpu_group_known known[VIVGPU_GROUP_KNOWN];
   /** The entries that followed, by vivgpu_group_follower(): bytes from the first entry */
   uint32_t followers[1u << VIVGPU_GROUP_FOLLOWER_BITS];
   /** The entry that was found last: bytes from the first one */
   uint32_t last;
   /** Entries that were found in this group; the caller sets it to 0 for the next one */
   uint32_t place;
   /** The table's last number when this was emptied; which entry of a full set is replaced next */
   uint32_t base, victim;
};

/**
 * Where the entry is kept that follows the last one at this place, if the command has this target.
 */
static inline uint32_t *
vivgpu_group_follower(struct vivgpu_group_memory *memory, uint32_t target)
{
   /* Fibonacci hashing: the multiplier is 2^32 divided by the golden ratio. */
   uint32_t hash = (memory->last ^ (target + (memory->place << 8))) * UINT32_C(0x9e3779b1);

   return &memory->followers[hash >> (32 - VIVGPU_GROUP_FOLLOWER_BITS)];
}

/**
 * Forget all entries and what followed them; a memory of zeros has none.
 *
 * @base: vivgpu_group_last_number()
 */
void vivgpu_group_memory_reset(struct vivgpu_group_memory *memory, uint32_t base);

/**
 * Find a key.
 *
 * @target: a number of what the command draws to, which is the same each time; 0 if that is nothing
 *
 * Returns NULL if it is not known.
 */
struct vivgpu_group_known *vivgpu_group_find(struct vivgpu_group_memory *memory,
                                             const struct vivgpu_group_key *key, uint32_t target);

static inline struct vivgpu_group_known *
vivgpu_group_known_at(struct vivgpu_group_memory *memory, uint32_t bytes)
{
   return (struct vivgpu_group_known *)((char *)memory->known + bytes);
}

/** The entry whose key is probably that of the next command, which has this target. */
static inline struct vivgpu_group_known *
vivgpu_group_expected(struct vivgpu_group_memory *memory, uint32_t target)
{
   return vivgpu_group_known_at(memory, *vivgpu_group_follower(memory, target));
}

/** The command's key is that of the entry that was expected. */
static inline void
vivgpu_group_confirm(struct vivgpu_group_memory *memory, const struct vivgpu_group_known *expected)
{
   memory->last = (const char *)expected - (const char *)memory->known;
   memory->place++;
}

/** True if that entry has a number and these words; for types of commands with at most four. */
static inline bool
vivgpu_group_expects(const struct vivgpu_group_known *expected, uint64_t word0, uint64_t word1,
                     uint64_t word2, uint64_t word3)
{
   const uint64_t *words = expected->key.words;

   return expected->number && words[0] == word0 && words[1] == word1 && words[2] == word2 &&
          words[3] == word3;
}

/** Remember a key that vivgpu_group_find() does not find. Returns its entry, without a number. */
struct vivgpu_group_known *vivgpu_group_remember(struct vivgpu_group_memory *memory,
                                                 const struct vivgpu_group_key *key,
                                                 uint32_t target);

#ifdef __cplusplus
}
#endif

#endif
