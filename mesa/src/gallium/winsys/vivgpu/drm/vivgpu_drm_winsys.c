/* SPDX-License-Identifier: MIT */
/*
 * Creates a screen for the 3D core of a DRM file. All callers with the same open file
 * description share one screen (util/u_screen.h).
 */

#include "vivgpu_drm_public.h"

#include <string.h>
#include <xf86drm.h>

#include "drm/etnaviv_drmif.h"
#include "etna_core_info.h"
#include "renderonly/renderonly.h"
#include "util/u_screen.h"
#include "vivgpu/vivgpu_screen.h"
#include "vivgpu_kernels.h"

/* Returns the first core with a 3D pipe and sets its number; NULL if there is none. */
static struct etna_gpu *
find_core(struct etna_device *dev, uint32_t *number)
{
   for (*number = 0;; ++*number) {
      struct etna_gpu *gpu = etna_gpu_new(dev, *number);
      const struct etna_core_info *info = gpu ? etna_gpu_get_core_info(gpu) : NULL;

      if (!gpu || (info->type == ETNA_CORE_GPU && etna_core_has_feature(info, ETNA_FEATURE_PIPE_3D)))
         return gpu;
      etna_gpu_del(gpu);
   }
}

typedef struct vivgpu_kernel *(*kernel_create)(struct etna_device *dev, uint32_t core);

/* Returns the implementation for the kernel driver of a file; NULL if it is another driver. */
static kernel_create
find_kernel(int fd)
{
   drmVersionPtr version = drmGetVersion(fd);
   kernel_create found = NULL;

   if (version && strcmp(version->name, "vivgpu") == 0)
      found = vivgpu_kernel_native_create;
   else if (version && strcmp(version->name, "etnaviv") == 0)
      found = vivgpu_kernel_etnaviv_create;
   drmFreeVersion(version);
   return found;
}

/* Returns the kernel driver of a file and sets the core, which the caller releases; NULL on failure. */
static struct vivgpu_kernel *
open_kernel(int fd, struct etna_gpu **gpu)
{
   kernel_create create_kernel = find_kernel(fd);
   struct etna_device *dev = create_kernel ? etna_device_new_dup(fd) : NULL;
   struct vivgpu_kernel *kernel;
   uint32_t core;

   if (!dev)
      return NULL;
   *gpu = find_core(dev, &core);
   kernel = *gpu ? create_kernel(dev, core) : NULL;
   if (!kernel) {
      if (*gpu)
         etna_gpu_del(*gpu);
      etna_device_del(dev);
   }
   return kernel;
}

/* The screen owns @ro. Callers do not destroy it if there is none. */
static struct pipe_screen *
create(int fd, const struct pipe_screen_config *config, struct renderonly *ro)
{
   struct etna_gpu *gpu;
   struct vivgpu_kernel *kernel = open_kernel(fd, &gpu);

   if (kernel)
      return vivgpu_screen_create(kernel, gpu, ro);
   if (ro)
      ro->destroy(ro);
   return NULL;
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
