/* SPDX-License-Identifier: MIT */
/* What tests of packed state share: two cores, and a reader of commands that load states. */
#ifndef VIVGPU_STATE_TEST_H
#define VIVGPU_STATE_TEST_H

#include <gtest/gtest.h>
#include <map>

#include "etna_core_info.h"
#include "vivgpu_generation.h"

/* Data of a core: of a GC3000 if @halti is 2, of a GC2000 if it is 0. */
inline struct vivgpu_generation
generation_of(int halti)
{
   struct etna_core_info info = {};
   struct vivgpu_generation generation = {};

   info.type = ETNA_CORE_GPU;
   info.halti = halti;
   info.gpu.pixel_pipes = 2;
   info.gpu.stream_count = halti < 2 ? 8 : 16;
   info.gpu.max_instructions = 512;
   etna_core_enable_feature(&info, ETNA_FEATURE_SUPER_TILED);
   etna_core_enable_feature(&info, ETNA_FEATURE_LINEAR_TEXTURE_SUPPORT);
   if (halti >= 2) {
      etna_core_enable_feature(&info, ETNA_FEATURE_SINGLE_BUFFER);
      etna_core_enable_feature(&info, ETNA_FEATURE_INSTRUCTION_CACHE);
      etna_core_enable_feature(&info, ETNA_FEATURE_SUPERTILED_TEXTURE);
      etna_core_enable_feature(&info, ETNA_FEATURE_LINEAR_PE);
      etna_core_enable_feature(&info, ETNA_FEATURE_BUG_FIXES8);
   }
   EXPECT_TRUE(vivgpu_generation_init(&generation, &info));
   return generation;
}

inline const struct vivgpu_generation gc3000 = generation_of(2);
inline const struct vivgpu_generation gc2000 = generation_of(0);

/* Decode LOAD_STATE commands. Returns the value of each state, by its byte address. */
inline std::map<uint32_t, uint32_t>
loaded(const uint32_t *words, uint32_t count)
{
   std::map<uint32_t, uint32_t> states;

   EXPECT_EQ(count % 2, 0u);
   for (uint32_t i = 0; i < count;) {
      uint32_t number = words[i] >> 16 & 0x3ff;

      EXPECT_EQ(words[i] >> 27, 1u) << "word " << i;
      for (uint32_t j = 0; j < number; j++)
         states[((words[i] & 0xffff) << 2) + 4 * j] = words[i + 1 + j];
      i += (1 + number + 1) / 2 * 2;
   }
   return states;
}

#endif
