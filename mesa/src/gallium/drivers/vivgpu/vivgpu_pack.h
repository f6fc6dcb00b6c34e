/* SPDX-License-Identifier: MIT */
/*
 * Writes commands that load states. Neighbouring states share one command, and
 * each command is filled up to 64 bits. Used for state objects, which are
 * packed once, and for the stream itself.
 *
 *    struct vivgpu_pack pack = vivgpu_pack_begin(words);
 *    vivgpu_pack(&pack, VIVS_PA_LINE_WIDTH, fui(1.0f));
 *    count = vivgpu_pack_end(&pack);
 *
 * A state takes at most two words.
 */
#ifndef VIVGPU_PACK_H
#define VIVGPU_PACK_H

#include <stdint.h>
#include <string.h>

#include "hw/cmdstream.xml.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/macros.h"

/** Limit of the states of one command: the largest even number that the count field holds */
#define VIVGPU_MAX_PACK_STATES 1022

struct vivgpu_pack {
   uint32_t *words;
   /** Words written */
   uint32_t used;
   /** Index of the open command's header; valid if @next is not 0 */
   uint32_t header;
   /** Header that a state which extends the open command would have */
   uint32_t next;
};

static inline struct vivgpu_pack
vivgpu_pack_begin(uint32_t *words)
{
   return (struct vivgpu_pack){.words = words};
}

/** End the open command. Returns the number of words written so far. */
static inline uint32_t
vivgpu_pack_end(struct vivgpu_pack *pack)
{
   if (pack->next && (pack->used - pack->header) % 2)
      pack->words[pack->used++] = 0;
   pack->next = 0;
   return pack->used;
}

/** Load a state. @header: the header of a LOAD_STATE of it, with a count of 0. */
static inline void
vivgpu_pack_header(struct vivgpu_pack *pack, uint32_t header, uint32_t value)
{
   uint32_t count = pack->used - pack->header - 1;

   if (pack->next == header && count < VIVGPU_MAX_PACK_STATES) {
      pack->words[pack->header] += VIV_FE_LOAD_STATE_HEADER_COUNT(1);
   } else {
      vivgpu_pack_end(pack);
      pack->header = pack->used;
      pack->words[pack->used++] = header | VIV_FE_LOAD_STATE_HEADER_COUNT(1);
   }
   pack->words[pack->used++] = value;
   pack->next = header + 1;
}

/** Load the state at byte address @address. */
static inline void
vivgpu_pack(struct vivgpu_pack *pack, uint32_t address, uint32_t value)
{
   vivgpu_pack_header(
      pack, VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE | VIV_FE_LOAD_STATE_HEADER_OFFSET(address >> 2),
      value);
}

/** Load a state with a value in 16.16 fixed point, which the front end converts to a float. */
static inline void
vivgpu_pack_fixp(struct vivgpu_pack *pack, uint32_t address, uint32_t value)
{
   vivgpu_pack_header(pack,
                      VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE | VIV_FE_LOAD_STATE_HEADER_FIXP |
                         VIV_FE_LOAD_STATE_HEADER_OFFSET(address >> 2),
                      value);
}

/** Load @count states from @address on. */
static inline void
vivgpu_pack_array(struct vivgpu_pack *pack, uint32_t address, const uint32_t *values,
                  uint32_t count)
{
   while (count) {
      uint32_t more;

      /* The first state opens or extends a command; as many as fit follow in the same command. */
      vivgpu_pack(pack, address, values[0]);
      more = MIN2(count - 1, VIVGPU_MAX_PACK_STATES - (pack->used - pack->header - 1));
      memcpy(pack->words + pack->used, values + 1, more * sizeof(*values));
      pack->words[pack->header] += VIV_FE_LOAD_STATE_HEADER_COUNT(more);
      pack->used += more;
      pack->next += more;
      address += 4 * (more + 1);
      values += more + 1;
      count -= more + 1;
   }
}

/**
 * Let unit @from (SYNC_RECIPIENT_*) wait until @to has finished all earlier work. The front end
 * waits by a command, other units by a state. Takes four words.
 */
static inline void
vivgpu_pack_stall(struct vivgpu_pack *pack, uint32_t from, uint32_t to)
{
   uint32_t token = VIV_FE_STALL_TOKEN_FROM(from) | VIV_FE_STALL_TOKEN_TO(to);

   vivgpu_pack(pack, VIVS_GL_SEMAPHORE_TOKEN, token);
   if (from != SYNC_RECIPIENT_FE) {
      vivgpu_pack(pack, VIVS_GL_STALL_TOKEN, token);
      return;
   }
   vivgpu_pack_end(pack);
   pack->words[pack->used++] = VIV_FE_STALL_HEADER_OP_STALL;
   pack->words[pack->used++] = token;
}

/**
 * Let what follows sample what was rendered before, while the render targets stay bound: write
 * pixels and their tile status to memory, which samplers read as well, and invalidate the texture
 * caches, from which nothing is read meanwhile.
 */
static inline void
vivgpu_pack_texture_barrier(struct vivgpu_pack *pack)
{
   vivgpu_pack_stall(pack, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
   vivgpu_pack(pack, VIVS_GL_FLUSH_CACHE,
               VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH | VIVS_GL_FLUSH_CACHE_TEXTURE);
   vivgpu_pack(pack, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
   vivgpu_pack(pack, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
   vivgpu_pack_stall(pack, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
}

#endif
