/* SPDX-License-Identifier: MIT */
/* Words that are addresses, in commands as the driver writes them. */

#include <gtest/gtest.h>
#include <vector>

#include "hw/cmdstream.xml.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu/drm/vivgpu_addresses.h"
#include "vivgpu_pack.h"

static std::vector<uint32_t>
addresses(const uint32_t *words, uint32_t count)
{
   std::vector<uint32_t> found;
   uint32_t command = 0, i = 0;

   while ((i = vivgpu_addresses_next(words, count, i, &command)) < count)
      found.push_back(words[i++]);
   return found;
}

TEST(addresses, are_found_among_other_states)
{
   uint32_t words[64];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, VIVS_PE_PIPE_COLOR_ADDR(0), 0x1000);
   vivgpu_pack(&pack, VIVS_PE_PIPE_COLOR_ADDR(1), 0x2000);
   vivgpu_pack(&pack, VIVS_TS_MEM_CONFIG, 3);
   vivgpu_pack(&pack, VIVS_TS_COLOR_STATUS_BASE, 0x3000);
   vivgpu_pack(&pack, VIVS_TS_COLOR_SURFACE_BASE, 0x4000);
   vivgpu_pack(&pack, VIVS_TS_COLOR_CLEAR_VALUE, 5);
   vivgpu_pack(&pack, VIVS_TE_SAMPLER_LOD_ADDR(11, 13), 0x6000);
   EXPECT_EQ(addresses(words, vivgpu_pack_end(&pack)),
             (std::vector<uint32_t>{0x1000, 0x2000, 0x3000, 0x4000, 0x6000}));
}

TEST(addresses, are_no_words_of_draws_or_of_code)
{
   const uint32_t like_a_command =
      VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE | VIV_FE_LOAD_STATE_HEADER_COUNT(1) |
      VIV_FE_LOAD_STATE_HEADER_OFFSET(VIVS_PE_PIPE_COLOR_ADDR(0) >> 2);
   uint32_t words[64];
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, VIVS_SH_INST_MEM(0), like_a_command);
   vivgpu_pack(&pack, VIVS_SH_INST_MEM(1), like_a_command);
   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
   words[pack.used++] = VIV_FE_DRAW_INDEXED_PRIMITIVES_HEADER_OP_DRAW_INDEXED_PRIMITIVES;
   for (unsigned i = 0; i < 5; i++)
      words[pack.used++] = like_a_command;
   words[pack.used++] = VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES;
   for (unsigned i = 0; i < 3; i++)
      words[pack.used++] = like_a_command;
   vivgpu_pack(&pack, VIVS_FE_INDEX_STREAM_BASE_ADDR, 0x7000);
   EXPECT_EQ(addresses(words, vivgpu_pack_end(&pack)), (std::vector<uint32_t>{0x7000}));
}

TEST(addresses, of_nothing)
{
   EXPECT_TRUE(addresses(nullptr, 0).empty());
}
