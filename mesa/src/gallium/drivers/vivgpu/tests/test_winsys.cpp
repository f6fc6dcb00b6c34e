/* SPDX-License-Identifier: MIT */
/* Creation of screens. */

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "renderonly/renderonly.h"

extern "C" {
#include "vivgpu/drm/vivgpu_drm_public.h"
}

static unsigned destroyed;

static void
note_destroyed(struct renderonly *)
{
   destroyed++;
}

/* Mesa's kmsro makes a struct renderonly for each device that it tries, and forgets it. */
TEST(winsys, destroys_what_the_screen_would_have_owned)
{
   struct renderonly ro = {};
   int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

   ro.destroy = note_destroyed;
   ASSERT_GE(fd, 0);
   EXPECT_EQ(vivgpu_drm_screen_create_renderonly(fd, &ro, nullptr), nullptr);
   EXPECT_EQ(destroyed, 1u);
   close(fd);
}
