/* SPDX-License-Identifier: MIT */
/* Textures that are stale in the texture caches. */

#include <gtest/gtest.h>
#include <cstdlib>

#include "vivgpu_context.h"
#include "vivgpu_texture_cache.h"

/* Of vivgpu_job.h, whose headers cannot be included within this block */
extern "C" {
void vivgpu_job_begin(struct vivgpu_context *context);
}

TEST(texture_cache, what_was_written_after_the_last_invalidation_is_stale)
{
   EXPECT_FALSE(vivgpu_texture_is_stale(5, 4));
   EXPECT_FALSE(vivgpu_texture_is_stale(5, 5));
   EXPECT_TRUE(vivgpu_texture_is_stale(5, 6));
   EXPECT_TRUE(vivgpu_texture_is_stale(UINT32_MAX - 1, 3));
   EXPECT_FALSE(vivgpu_texture_is_stale(3, UINT32_MAX - 1));
}

TEST(texture_cache, everything_is_stale_for_a_new_context)
{
   for (uint32_t now : {0u, 5u, 0x7fffffffu, 0x80000000u, UINT32_MAX}) {
      EXPECT_TRUE(vivgpu_texture_is_stale(vivgpu_texture_cache_unknown(now), now));
      EXPECT_TRUE(vivgpu_texture_is_stale(vivgpu_texture_cache_unknown(now), now - 1000));
   }
   EXPECT_TRUE(vivgpu_texture_is_stale(vivgpu_texture_cache_unknown(5), 0));
}

/* Two textures are written while no job runs: both are stale in the next one. */
TEST(texture_cache, a_jobs_start_is_no_invalidation)
{
   struct vivgpu_screen *screen = (struct vivgpu_screen *)calloc(1, sizeof(*screen));
   struct vivgpu_context *context = (struct vivgpu_context *)calloc(1, sizeof(*context));

   context->screen = screen;
   context->seen.texture_cache = 5;
   screen->write_seqno = 7;
   vivgpu_job_begin(context);
   EXPECT_FALSE(vivgpu_texture_is_stale(context->seen.texture_cache, 5));
   EXPECT_TRUE(vivgpu_texture_is_stale(context->seen.texture_cache, 6));
   EXPECT_TRUE(vivgpu_texture_is_stale(context->seen.texture_cache, 7));
   free(context);
   free(screen);
}
