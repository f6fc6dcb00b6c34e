/* SPDX-License-Identifier: MIT */

#include <cstring>

#include <gtest/gtest.h>

extern "C" {
#include "vivgpu_tiles.h"
}

static vivgpu_tiles
tiles(unsigned left, unsigned top, unsigned right, unsigned bottom)
{
   return {0, 0, left, top, right, bottom};
}

static void
expect_joined(vivgpu_tiles first, vivgpu_tiles second, vivgpu_tiles both)
{
   EXPECT_TRUE(vivgpu_tiles_join(&first, &second));
   EXPECT_EQ(first.left, both.left);
   EXPECT_EQ(first.top, both.top);
   EXPECT_EQ(first.right, both.right);
   EXPECT_EQ(first.bottom, both.bottom);
}

static void
expect_apart(vivgpu_tiles first, vivgpu_tiles second)
{
   const vivgpu_tiles before = first;

   EXPECT_FALSE(vivgpu_tiles_join(&first, &second));
   EXPECT_EQ(memcmp(&first, &before, sizeof(before)), 0);
}

TEST(tiles, neighbours_are_joined)
{
   expect_joined(tiles(0, 0, 4, 4), tiles(4, 0, 8, 4), tiles(0, 0, 8, 4));
   expect_joined(tiles(4, 4, 8, 8), tiles(2, 2, 5, 5), tiles(2, 2, 8, 8));
}

TEST(tiles, the_first_box_of_a_new_row_is_joined)
{
   expect_joined(tiles(0, 0, 64, 8), tiles(0, 8, 8, 16), tiles(0, 0, 64, 16));
}

TEST(tiles, distant_boxes_stay_apart)
{
   expect_apart(tiles(0, 0, 4, 4), tiles(12, 0, 16, 8));
   expect_apart(tiles(0, 0, 1, 1), tiles(200, 200, 201, 201));
}

TEST(tiles, layers_and_levels_stay_apart)
{
   vivgpu_tiles other = tiles(0, 0, 4, 4);

   other.layer = 1;
   expect_apart(tiles(0, 0, 4, 4), other);
   other.layer = 0;
   other.level = 1;
   expect_apart(tiles(0, 0, 4, 4), other);
}
