/* SPDX-License-Identifier: MIT */
/* The tables of tracks, events and fields. */

#include <gtest/gtest.h>
#include <set>
#include <string>

extern "C" {
#include "vivgpu_event_list.h"
}

TEST(list, track_names_are_unique)
{
   std::set<std::string> names;

   for (unsigned i = 0; i < VIVGPU_NUM_TRACKS; i++) {
      ASSERT_NE(vivgpu_track_name(i), nullptr);
      EXPECT_LT(std::string(vivgpu_track_name(i)).size(), (size_t)VIVGPU_EVENT_NAME_BYTES);
      names.insert(vivgpu_track_name(i));
   }
   EXPECT_EQ(names.size(), (size_t)VIVGPU_NUM_TRACKS);
}

TEST(list, event_names_are_unique)
{
   std::set<std::string> names;

   for (unsigned i = 0; i < VIVGPU_NUM_EVENTS; i++) {
      ASSERT_NE(vivgpu_event_info(i)->name, nullptr);
      EXPECT_LT(std::string(vivgpu_event_info(i)->name).size(), (size_t)VIVGPU_EVENT_NAME_BYTES);
      names.insert(vivgpu_event_info(i)->name);
   }
   EXPECT_EQ(names.size(), (size_t)VIVGPU_NUM_EVENTS);
}

TEST(list, field_tables_are_consistent)
{
   for (unsigned i = 0; i < VIVGPU_NUM_EVENTS; i++) {
      const struct vivgpu_event_info *info = vivgpu_event_info(i);
      unsigned bytes = 0;

      ASSERT_LE(info->num_fields, VIVGPU_EVENT_FIELDS);
      for (unsigned j = 0; j < VIVGPU_EVENT_FIELDS; j++) {
         const struct vivgpu_field_info *field = &info->fields[j];

         /* num_fields is the number of fields that have a name. */
         EXPECT_EQ(field->name != nullptr, j < info->num_fields) << info->name << " " << j;
         if (j < info->num_fields) {
            EXPECT_TRUE(field->size == 4 || field->size == 8) << info->name << " " << j;
            EXPECT_LT(std::string(field->name).size(), (size_t)VIVGPU_EVENT_NAME_BYTES);
         }
         bytes += field->size;
         EXPECT_EQ((info->wide >> j & 1) != 0, field->size == 8) << info->name << " " << j;
      }
      EXPECT_EQ(info->data_bytes, bytes) << info->name;
   }
}
