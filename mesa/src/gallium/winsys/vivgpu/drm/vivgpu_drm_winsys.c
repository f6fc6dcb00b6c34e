/* SPDX-License-Identifier: MIT */
/*
 * Finds the 3D core behind a file descriptor and makes a screen of it. One
 * screen serves all who open the same file description.
 */

#include "vivgpu_drm_public.h"

#include "drm/etnaviv_drmif.h"
#include "etna_core_info.h"
#include "util/u_screen.h"
#include "vivgpu/vivgpu_screen.h"

/* The vivgpu kernel driver has one core a device, and it can do 3D. */
#define CORE_3D 0

static struct pipe_screen *
create(int fd, const struct pipe_screen_config *config, struct renderonly *ro)
{
   struct etna_device *dev = etna_device_new_dup(fd);
   if (!dev)
      return NULL;

   struct etna_gpu *gpu = etna_gpu_new(dev, CORE_3D);
   if (!gpu) {
      etna_device_del(dev);
      return NULL;
   }

   return vivgpu_screen_create(dev, gpu, ro);
}

struct pipe_screen *
vivgpu_drm_screen_create(int fd, const struct pipe_screen_config *config)
{
   return u_pipe_screen_lookup_or_create(fd, config, NULL, create);
}

struct pipe_screen *
vivgpu_drm_screen_create_renderonly(int fd, struct renderonly *ro,
                                    const struct pipe_screen_config *config)
{
   return u_pipe_screen_lookup_or_create(fd, config, ro, create);
}
