/* SPDX-License-Identifier: MIT */
/* The event sampler with several devices and many screens; devices and streams are fakes. */

#include <gtest/gtest.h>
#include <cerrno>
#include <deque>
#include <fcntl.h>
#include <map>
#include <set>
#include <vector>

#include "pipe/p_event_monitor.h"

extern "C" {
#include "drm-uapi/vivgpu_drm.h"
#include "vivgpu_event_device.h"
#include "vivgpu_event_sampler.h"
#include "vivgpu_events.h"
#include "vivgpu_record_stream.h"
}

struct vivgpu_record_stream {
   int fd;
   uint32_t flags;
   std::deque<struct drm_vivgpu_record> records;
};

static bool privileged;
/* Devices whose sampler another process has */
static std::set<uint64_t> taken;
/* Open streams by the file that they were opened for */
static std::map<int, struct vivgpu_record_stream *> streams;

/* Files 100 to 199 are of device 1, and so on. */
uint64_t
vivgpu_event_device(int fd)
{
   return fd / 100;
}

int
vivgpu_event_device_lock(int fd)
{
   return taken.count(fd / 100) ? -EBUSY : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

int
vivgpu_record_stream_open(int fd, uint32_t flags, struct vivgpu_record_stream **stream)
{
   *stream = NULL;
   if (flags && !privileged)
      return -EACCES;
   *stream = new vivgpu_record_stream{fd, flags, {}};
   streams[fd] = *stream;
   return 0;
}

void
vivgpu_record_stream_close(struct vivgpu_record_stream *stream)
{
   if (stream)
      streams.erase(stream->fd);
   delete stream;
}

void
vivgpu_record_stream_begin(struct vivgpu_record_stream *stream)
{
}

const struct drm_vivgpu_record *
vivgpu_record_stream_next(struct vivgpu_record_stream *stream)
{
   return stream->records.empty() ? NULL : &stream->records.front();
}

void
vivgpu_record_stream_consume(struct vivgpu_record_stream *stream)
{
   stream->records.pop_front();
}

bool
vivgpu_record_stream_lost(struct vivgpu_record_stream *stream)
{
   return false;
}

void
vivgpu_record_stream_reset_losses(struct vivgpu_record_stream *stream)
{
}

class sampler_test : public testing::Test {
 protected:
   void TearDown() override
   {
      sampler->release();
      collect();
      for (int fd : screens)
         vivgpu_event_sampler_remove_screen(fd);
      taken.clear();
      EXPECT_TRUE(streams.empty());
   }

   void add(int fd)
   {
      vivgpu_event_sampler_add_screen(fd);
      screens.push_back(fd);
   }

   /* A reset of the core, a record without a client, or a mark of a client */
   void record(int fd, uint64_t client = 0)
   {
      struct drm_vivgpu_record record = {};

      record.type = client ? DRM_VIVGPU_RECORD_MARK : DRM_VIVGPU_RECORD_RESET;
      record.client = client;
      record.time_ns = vivgpu_events_now();
      streams.at(fd)->records.push_back(record);
   }

   /* Returns the bytes of the events collected; sets lost. */
   size_t collect()
   {
      uint64_t now;

      return sampler->collect(data, sizeof(data), &lost, &now);
   }

   const struct pipe_event_monitor *sampler = vivgpu_event_sampler();
   std::vector<int> screens;
   uint8_t data[65536];
   bool lost = false;
};

TEST_F(sampler_test, each_device_has_an_exclusive_stream)
{
   privileged = true;
   add(100);
   add(101);
   add(200);
   ASSERT_EQ(sampler->acquire(), 0);
   ASSERT_EQ(streams.size(), 2u);
   EXPECT_EQ(streams.at(100)->flags, DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_EXCLUSIVE);
   EXPECT_EQ(streams.at(200)->flags, DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_EXCLUSIVE);
   add(300);
   EXPECT_EQ(streams.count(300), 1u);
}

TEST_F(sampler_test, records_without_a_client_are_taken_once_a_device)
{
   size_t one;

   privileged = false;
   add(100);
   add(101);
   add(200);
   ASSERT_EQ(sampler->acquire(), 0);
   ASSERT_EQ(sampler->start(), 0);
   record(100);
   one = collect();
   EXPECT_GT(one, 0u);
   for (int fd : screens)
      record(fd);
   EXPECT_EQ(collect(), 2 * one);
}

TEST_F(sampler_test, many_screens)
{
   privileged = false;
   for (int fd = 100; fd < 140; fd++)
      add(fd);
   ASSERT_EQ(sampler->acquire(), 0);
   for (int fd = 140; fd < 180; fd++)
      add(fd);
   ASSERT_EQ(sampler->start(), 0);
   EXPECT_EQ(streams.size(), 80u);
   record(179, 7);
   EXPECT_GT(collect(), 0u);
   EXPECT_FALSE(lost);
}

TEST_F(sampler_test, another_owner)
{
   for (bool allowed : {false, true}) {
      privileged = allowed;
      add(100);
      add(200);
      taken.insert(2);
      EXPECT_EQ(sampler->acquire(), -EBUSY);
      EXPECT_TRUE(streams.empty());
      taken.clear();
      EXPECT_EQ(sampler->acquire(), 0);
      TearDown();
      screens.clear();
   }
}

TEST_F(sampler_test, another_owner_of_a_device_that_comes_later)
{
   privileged = true;
   add(100);
   taken.insert(2);
   ASSERT_EQ(sampler->acquire(), 0);
   ASSERT_EQ(sampler->start(), 0);
   add(200);
   collect();
   EXPECT_TRUE(lost);
}
