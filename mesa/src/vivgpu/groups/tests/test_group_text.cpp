/* SPDX-License-Identifier: MIT */
/* Groups as text, JSON and CSV. */

#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>
#include <string>

#include "drm-uapi/vivgpu_drm.h"
#include "vivgpu_group_record.h"
#include "vivgpu_group_text.h"

static const char *
format_name(unsigned format)
{
   return format == 7 ? "B8G8R8A8_UNORM" : nullptr;
}

static struct vivgpu_command
sample_draw()
{
   struct vivgpu_command command = {};
   struct vivgpu_command_draw &draw = command.draw;

   command.type = VIVGPU_COMMAND_DRAW;
   command.offset = 64;
   command.target.width = 640;
   command.target.height = 480;
   command.target.color_format = 7;
   command.target.num_colors = 1;
   command.target.samples = 1;
   command.target.id = 3;
   draw.mode = 4;
   draw.count = 300;
   draw.instances = 2;
   draw.primitives = 200;
   draw.program = 0x1234abcd;
   draw.state = VIVGPU_DRAW_DEPTH_TEST | VIVGPU_DRAW_BLEND;
   draw.num_textures = 1;
   draw.textures[0].width = 256;
   draw.textures[0].height = 128;
   draw.textures[0].format = 9;
   draw.textures[0].layers = 1;
   draw.textures[0].levels = 1;
   return command;
}

static std::string
text(const struct vivgpu_command &command)
{
   char line[VIVGPU_COMMAND_CHARS];

   EXPECT_LT(vivgpu_command_text(line, sizeof(line), &command, format_name), (int)sizeof(line));
   return line;
}

static std::string
json(const struct vivgpu_command &command)
{
   char line[VIVGPU_COMMAND_CHARS];

   EXPECT_LT(vivgpu_command_json(line, sizeof(line), &command, format_name), (int)sizeof(line));
   return line;
}

TEST(group_text, a_draw_as_text)
{
   const std::string line = text(sample_draw());

   EXPECT_EQ(line.find("draw triangles 300 x 2 instances, 200 primitives, program 1234abcd"), 0u);
   EXPECT_NE(line.find(", depth test, blend, texture 256x128 format 9"), std::string::npos);
   EXPECT_NE(line.find(", to 640x480 B8G8R8A8_UNORM #3"), std::string::npos);
}

TEST(group_text, what_is_known_of_a_lost_description)
{
   struct vivgpu_command command = {};

   command.type = VIVGPU_COMMAND_DRAW;
   command.flags = VIVGPU_COMMAND_UNKNOWN;
   command.draw.count = 9;
   command.draw.instances = 2;
   EXPECT_EQ(text(command), "draw 9 x 2 instances, description lost");
   EXPECT_NE(json(command).find("\"flags\":4"), std::string::npos);
   command.type = VIVGPU_COMMAND_RESOLVE;
   EXPECT_EQ(text(command), "resolve, description lost");
}

TEST(group_text, a_draw_as_json)
{
   const std::string line = json(sample_draw());

   EXPECT_EQ(line.find("{\"type\":\"draw\",\"offset\":64,\"mode\":\"triangles\",\"count\":300"), 0u);
   EXPECT_NE(line.find("\"color_format\":\"B8G8R8A8_UNORM\""), std::string::npos);
   EXPECT_NE(line.find("\"format\":9"), std::string::npos);
   EXPECT_EQ(std::count(line.begin(), line.end(), '{'), std::count(line.begin(), line.end(), '}'));
}

TEST(group_text, names_and_their_inverse)
{
   for (unsigned type = VIVGPU_COMMAND_DRAW; type <= VIVGPU_COMMAND_DEBUG_LABEL; type++)
      EXPECT_EQ(vivgpu_command_type(vivgpu_command_type_name(type)), type);
   EXPECT_EQ(vivgpu_command_type("nothing"), 0u);
   EXPECT_STREQ(vivgpu_command_type_name(99), "?");
   EXPECT_STREQ(vivgpu_group_reason_name(0), "?");
   EXPECT_STREQ(vivgpu_group_reason_name(VIVGPU_GROUP_CONTEXT), "context");
   EXPECT_STREQ(vivgpu_draw_mode_name(9), "polygon");
}

/* An application's text may hold anything, and may fill the field without a zero. */
TEST(group_text, texts_of_applications_are_escaped)
{
   struct vivgpu_command command = {};

   command.type = VIVGPU_COMMAND_DEBUG_PUSH;
   memset(command.text, '\n', sizeof(command.text));
   command.text[0] = '"';
   command.text[1] = '\xc3';
   EXPECT_EQ(json(command).find("{\"type\":\"push\",\"offset\":0,\"text\":\"\\\"\\u00c3\\u000a"), 0u);
   EXPECT_EQ(text(command).find('\n'), std::string::npos);
}

TEST(group_text, all_bits_set_fit_the_buffers)
{
   for (unsigned type = 0; type < 16; type++) {
      struct vivgpu_command command;

      memset(&command, 0xff, sizeof(command));
      command.type = type;
      text(command);
      json(command);
   }
}

TEST(group_text, long_lines_are_cut_off)
{
   const struct vivgpu_command command = sample_draw();
   char line[16], large[VIVGPU_COMMAND_CHARS];
   int length = vivgpu_command_json(line, sizeof(line), &command, format_name);

   EXPECT_EQ(length, vivgpu_command_json(large, sizeof(large), &command, format_name));
   EXPECT_EQ(strlen(line), sizeof(line) - 1);
}

TEST(group_record, records_of_other_sizes_are_read)
{
   struct drm_vivgpu_record records[2] = {}, record;
   const uint8_t *at = (const uint8_t *)records, *end = (const uint8_t *)(records + 2);
   const uint16_t size = sizeof(records[0]);

   records[0].type = records[1].type = DRM_VIVGPU_RECORD_JOB;
   records[0].size = records[1].size = size;
   records[1].cookie = 7;
   ASSERT_TRUE(vivgpu_group_next_record(&at, end, &record));
   ASSERT_TRUE(vivgpu_group_next_record(&at, end, &record));
   EXPECT_EQ(record.cookie, 7u);
   EXPECT_FALSE(vivgpu_group_next_record(&at, end, &record));

   /* A kernel's first version, whose records have no counts */
   uint8_t old[DRM_VIVGPU_RECORD_SIZE_0];

   records[1].size = sizeof(old);
   records[1].flags = DRM_VIVGPU_JOB_COUNTS;
   records[1].fragments = 9;
   memcpy(old, &records[1], sizeof(old));
   at = old;
   ASSERT_TRUE(vivgpu_group_next_record(&at, old + sizeof(old), &record));
   EXPECT_EQ(record.cookie, 7u);
   EXPECT_EQ(record.fragments, 0u);
   at = old;
   EXPECT_FALSE(vivgpu_group_next_record(&at, old + sizeof(old) - 8, &record));
}

TEST(group_text, lines_of_csv_have_all_columns)
{
   struct vivgpu_group group = {};
   struct vivgpu_group_result result = {};
   const std::string columns = vivgpu_group_csv_columns();
   const auto commas = std::count(columns.begin(), columns.end(), ',');

   for (unsigned i = 1; i < 8; i++) {
      char text[VIVGPU_COMMAND_CHARS];

      result.flags = i & 4 ? VIVGPU_RESULT_COUNTS : 0;
      if (!(i & 3))
         continue;
      vivgpu_group_csv(text, sizeof(text), i & 1 ? &group : nullptr, i & 2 ? &result : nullptr);

      const std::string line = text;

      EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas) << line;
   }
}
