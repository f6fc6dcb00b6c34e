/* SPDX-License-Identifier: MIT */
/* How pictures lie in memory. */

#include <gtest/gtest.h>
#include <vector>

#include "vivgpu_layout.h"

static struct pipe_resource
texture(enum pipe_format format, unsigned width, unsigned height, unsigned last_level)
{
   struct pipe_resource resource = {};

   resource.target = PIPE_TEXTURE_2D;
   resource.format = format;
   resource.width0 = width;
   resource.height0 = height;
   resource.depth0 = 1;
   resource.array_size = 1;
   resource.last_level = last_level;
   return resource;
}

TEST(layout, super_tiles_pad_both_ways)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_B8G8R8A8_UNORM, 65, 10, 0);
   struct vivgpu_layout layout;

   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_SUPER));
   EXPECT_EQ(layout.levels[0].padded_width, 128u);
   EXPECT_EQ(layout.levels[0].padded_height, 64u);
   EXPECT_EQ(layout.levels[0].stride, 512u);
   EXPECT_EQ(layout.size, 128u * 64 * 4);
}

TEST(layout, tiles_pad_to_the_resolve_engines_window)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_R8_UNORM, 17, 5, 0);
   struct vivgpu_layout layout;

   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_TILED));
   EXPECT_EQ(layout.levels[0].padded_width, 32u);
   EXPECT_EQ(layout.levels[0].padded_height, 8u);
}

TEST(layout, levels_follow_one_another_aligned)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_R8_UNORM, 20, 20, 4);
   struct vivgpu_layout layout;
   uint32_t end = 0;

   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_TILED));
   for (unsigned i = 0; i <= 4; i++) {
      const struct vivgpu_level *level = &layout.levels[i];

      EXPECT_EQ(level->offset % VIVGPU_SURFACE_ALIGN, 0u);
      EXPECT_GE(level->offset, end);
      end = level->offset + level->layer_stride;
   }
   EXPECT_EQ(layout.levels[4].width, 1u);
   EXPECT_GE(layout.size, end);
}

TEST(layout, cubes_have_six_layers)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_B8G8R8A8_UNORM, 64, 64, 0);
   struct vivgpu_layout layout;

   resource.target = PIPE_TEXTURE_CUBE;
   resource.array_size = 6;
   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_SUPER));
   EXPECT_EQ(layout.size, 6u * 64 * 64 * 4);
}

TEST(layout, volumes_lose_slices_with_their_levels)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_B8G8R8A8_UNORM, 64, 64, 1);
   struct vivgpu_layout layout;

   resource.target = PIPE_TEXTURE_3D;
   resource.depth0 = 8;
   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_SUPER));
   EXPECT_EQ(layout.levels[1].depth, 4u);
   EXPECT_EQ(layout.size, (8u + 4) * 64 * 64 * 4);
}

TEST(layout, samples_make_surfaces_wider_and_higher)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_B8G8R8A8_UNORM, 64, 64, 0);
   struct vivgpu_layout layout;

   resource.nr_samples = 4;
   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_SUPER));
   EXPECT_EQ(layout.levels[0].padded_width, 128u);
   EXPECT_EQ(layout.levels[0].padded_height, 128u);
   resource.nr_samples = 8;
   EXPECT_FALSE(vivgpu_layout_init(&layout, &resource, VIVGPU_SUPER));
}

TEST(layout, pipes_have_a_half_each_of_split_surfaces)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_B8G8R8A8_UNORM, 640, 432, 1);
   struct vivgpu_layout layout;
   unsigned across, down;

   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_SPLIT));
   EXPECT_EQ(layout.levels[0].padded_height, 512u);
   EXPECT_EQ(layout.levels[0].pipe1_offset, 256u * 640 * 4);
   EXPECT_EQ(layout.levels[1].pipe1_offset, 128u * 320 * 4);
   vivgpu_layout_rs_alignment(VIVGPU_SPLIT, &across, &down);
   EXPECT_EQ(vivgpu_layout_offset(&layout, 0, 4, across, 2 * down),
             2u * 64 * 640 * 4 + 64 * 64 * 4);
   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_SUPER));
   EXPECT_EQ(layout.levels[0].pipe1_offset, 0u);
}

TEST(layout, compressed_levels_are_blocks_without_padding)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_DXT1_RGB, 20, 20, 0);
   struct vivgpu_layout layout;

   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_LINEAR));
   EXPECT_EQ(layout.levels[0].stride, 5u * 8);
   EXPECT_EQ(layout.levels[0].layer_stride, 5u * 5 * 8);
}

TEST(layout, windows_begin_at_whole_tiles)
{
   struct pipe_resource resource = texture(PIPE_FORMAT_B8G8R8A8_UNORM, 256, 256, 0);
   struct vivgpu_layout layout;

   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_SUPER));
   EXPECT_EQ(vivgpu_layout_offset(&layout, 0, 4, 64, 0), 64u * 64 * 4);
   EXPECT_EQ(vivgpu_layout_offset(&layout, 0, 4, 0, 64), 64u * 1024);
   ASSERT_TRUE(vivgpu_layout_init(&layout, &resource, VIVGPU_LINEAR));
   EXPECT_EQ(vivgpu_layout_offset(&layout, 0, 4, 16, 3), 3u * 1024 + 64);
}

/* Each pixel of the surface is its own number. */
template <typename T>
static void
check_tiling(unsigned x, unsigned y, unsigned width, unsigned height)
{
   const unsigned edge = 32, stride = edge * sizeof(T);
   std::vector<T> tiled(edge * edge), linear(width * height), back(edge * edge);

   for (unsigned i = 0; i < tiled.size(); i++)
      tiled[i] = (T)(i * 37 + 1);
   vivgpu_layout_untile(tiled.data(), stride, linear.data(), width * sizeof(T), x, y, width, height,
                        sizeof(T));
   for (unsigned row = 0; row < height; row++) {
      for (unsigned column = 0; column < width; column++) {
         unsigned px = x + column, py = y + row;
         unsigned index = py / 4 * 4 * edge + px / 4 * 16 + py % 4 * 4 + px % 4;

         ASSERT_EQ(linear[row * width + column], tiled[index]) << px << "," << py;
      }
   }

   back = tiled;
   vivgpu_layout_tile(back.data(), stride, linear.data(), width * sizeof(T), x, y, width, height,
                      sizeof(T));
   EXPECT_EQ(back, tiled);
}

TEST(layout, tiling_by_the_processor)
{
   check_tiling<uint8_t>(0, 0, 32, 32);
   check_tiling<uint8_t>(3, 5, 7, 9);
   check_tiling<uint16_t>(1, 2, 30, 3);
   check_tiling<uint32_t>(5, 0, 1, 32);
   check_tiling<uint64_t>(2, 2, 20, 21);
}
