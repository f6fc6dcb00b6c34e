/* SPDX-License-Identifier: MIT */
/* Conversion of the kernel's records to spans, and detection of lost records. */

#include <gtest/gtest.h>

extern "C" {
#include "drm-uapi/vivgpu_drm.h"
#include "vivgpu_records.h"
}

static struct drm_vivgpu_record
record_of(uint16_t type)
{
   struct drm_vivgpu_record record = {};

   record.type = type;
   record.size = sizeof(record);
   record.time_ns = 5000;
   record.client = 0x500000007;
   record.job = 11;
   record.submitted_ns = 1000;
   record.queued_ns = 2000;
   record.started_ns = 3000;
   record.finished_ns = 5000;
   record.job_cycles = 0x100000002;
   record.cookie = 0x200000003;
   record.stream_size = 640;
   record.flags = 3;
   record.fault_address = 0x300000004;
   record.vblank = 0x400000005;
   record.crtc = 1;
   record.fb = 42;
   record.queue = 13;
   record.prologue_size = 64;
   return record;
}

TEST(records, a_job_has_spans_waiting_ready_and_job)
{
   struct drm_vivgpu_record record = record_of(DRM_VIVGPU_RECORD_JOB);
   struct vivgpu_span spans[VIVGPU_RECORD_SPANS];

   ASSERT_EQ(vivgpu_record_spans(&record, spans), 3u);
   EXPECT_EQ(spans[0].event, VIVGPU_EVENT_WAITING);
   EXPECT_EQ(spans[0].track, VIVGPU_TRACK_QUEUE);
   EXPECT_EQ(spans[0].begin_ns, 1000u);
   EXPECT_EQ(spans[0].end_ns, 2000u);
   EXPECT_EQ(spans[1].event, VIVGPU_EVENT_READY);
   EXPECT_EQ(spans[1].begin_ns, 2000u);
   EXPECT_EQ(spans[1].end_ns, 3000u);
   EXPECT_EQ(spans[2].event, VIVGPU_EVENT_JOB);
   EXPECT_EQ(spans[2].track, VIVGPU_TRACK_3D);
   EXPECT_EQ(spans[2].begin_ns, 3000u);
   EXPECT_EQ(spans[2].end_ns, 5000u);

   const uint64_t values[] = {11, 0x500000007, 13, 3, 640, 64, 0x100000002, 0x200000003};
   for (unsigned i = 0; i < 8; i++)
      EXPECT_EQ(spans[2].values[i], values[i])
         << vivgpu_event_info(VIVGPU_EVENT_JOB)->fields[i].name;
   for (unsigned i = 0; i < 3; i++) {
      EXPECT_EQ(spans[i].process, 0u);
      EXPECT_EQ(spans[i].values[VIVGPU_JOB_NUMBER], 11u);
      EXPECT_EQ(spans[i].values[VIVGPU_JOB_CLIENT], 0x500000007u);
      EXPECT_TRUE(vivgpu_event_info(spans[i].event)->spans);
   }
}

TEST(records, other_types_are_instants)
{
   const struct {
      uint16_t type;
      enum vivgpu_event event;
      enum vivgpu_track track;
      uint64_t values[4];
   } cases[] = {
      {DRM_VIVGPU_RECORD_FAULT,
       VIVGPU_EVENT_FAULT,
       VIVGPU_TRACK_3D,
       {11, 0x500000007, 3, 0x300000004}},
      {DRM_VIVGPU_RECORD_RESET, VIVGPU_EVENT_RESET, VIVGPU_TRACK_3D, {0, 0, 0, 0}},
      {DRM_VIVGPU_RECORD_EVENT,
       VIVGPU_EVENT_EMPTY_JOB,
       VIVGPU_TRACK_QUEUE,
       {11, 0x500000007, 13, 0x200000003}},
      {DRM_VIVGPU_RECORD_MARK,
       VIVGPU_EVENT_MARK,
       VIVGPU_TRACK_3D,
       {11, 0x500000007, 13, 0x200000003}},
      {DRM_VIVGPU_RECORD_VBLANK, VIVGPU_EVENT_VBLANK, VIVGPU_TRACK_DISPLAY, {1, 0x400000005}},
      {DRM_VIVGPU_RECORD_FLIP,
       VIVGPU_EVENT_FLIP,
       VIVGPU_TRACK_DISPLAY,
       {1, 42, 0x500000007, 0x400000005}},
   };
   uint32_t types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB);

   for (const auto &c : cases) {
      struct drm_vivgpu_record record = record_of(c.type);
      struct vivgpu_span spans[VIVGPU_RECORD_SPANS];
      const struct vivgpu_event_info *info = vivgpu_event_info(c.event);

      ASSERT_EQ(vivgpu_record_spans(&record, spans), 1u) << info->name;
      EXPECT_EQ(spans[0].event, c.event) << info->name;
      EXPECT_EQ(spans[0].track, c.track) << info->name;
      EXPECT_EQ(spans[0].begin_ns, 5000u) << info->name;
      EXPECT_FALSE(info->spans) << info->name;
      for (unsigned i = 0; i < info->num_fields; i++)
         EXPECT_EQ(spans[0].values[i], c.values[i]) << info->name << " " << i;
      types |= DRM_VIVGPU_RECORD_BIT(c.type);
   }
   EXPECT_EQ(vivgpu_record_types(), types);
}

TEST(records, unknown_types_have_no_span)
{
   struct drm_vivgpu_record record = record_of(99);
   struct vivgpu_span spans[VIVGPU_RECORD_SPANS];

   EXPECT_EQ(vivgpu_record_spans(&record, spans), 0u);
}

TEST(losses, the_first_number_is_arbitrary)
{
   struct vivgpu_losses losses = {};

   EXPECT_FALSE(vivgpu_losses_record(&losses, 500));
   EXPECT_FALSE(vivgpu_losses_record(&losses, 501));
   EXPECT_FALSE(vivgpu_losses_empty(&losses, 1024));
   EXPECT_TRUE(vivgpu_losses_record(&losses, 503));
   EXPECT_FALSE(vivgpu_losses_record(&losses, 504));
}

TEST(losses, numbers_wrap)
{
   struct vivgpu_losses losses = {};

   EXPECT_FALSE(vivgpu_losses_record(&losses, UINT32_MAX));
   EXPECT_FALSE(vivgpu_losses_record(&losses, 0));
   EXPECT_TRUE(vivgpu_losses_record(&losses, 2));
}

/* Records that a full stream dropped at its end are reported once, not again by the next record. */
TEST(losses, a_full_stream_is_reported_once)
{
   struct vivgpu_losses losses = {};

   for (uint32_t i = 0; i < 8; i++)
      EXPECT_FALSE(vivgpu_losses_record(&losses, i));
   EXPECT_TRUE(vivgpu_losses_empty(&losses, 8));
   EXPECT_FALSE(vivgpu_losses_record(&losses, 20));
   EXPECT_FALSE(vivgpu_losses_empty(&losses, 8));
   EXPECT_TRUE(vivgpu_losses_record(&losses, 30));
}

TEST(losses, a_gap_in_a_full_stream_is_reported_once)
{
   struct vivgpu_losses losses = {};

   for (uint32_t i = 0; i < 7; i++)
      vivgpu_losses_record(&losses, i);
   EXPECT_TRUE(vivgpu_losses_record(&losses, 9));
   EXPECT_FALSE(vivgpu_losses_empty(&losses, 8));
   EXPECT_FALSE(vivgpu_losses_record(&losses, 10));
}
