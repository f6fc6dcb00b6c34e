/* SPDX-License-Identifier: MIT */
/*
 * On etnaviv's kernel driver, where the MMU has an address space for each file:
 * libetnaviv_drm chooses addresses, and the kernel maps each buffer where the
 * job says it is. The kernel keeps no state for anybody, so each job begins with
 * the prologue. Its fences become sync_files.
 */

#include "vivgpu_kernels.h"

#include <errno.h>
#include <fcntl.h>
#include <libsync.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drm/etnaviv_drmif.h"
#include "util/macros.h"
#include "util/os_file.h"
#include "util/os_time.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "vivgpu/vivgpu_bo.h"

/* Its macros have names of the library's constants, so it comes last. */
#include "drm-uapi/etnaviv_drm.h"

/* The kernel refuses longer streams. */
#define MOST_BYTES (128 * 1024)

#define NS_PER_MS 1000000


static void
etnaviv_destroy(struct vivgpu_kernel *kernel)
{
   FREE(kernel);
}

static int
etnaviv_bo_address(struct vivgpu_kernel *kernel, struct etna_bo *bo, uint32_t *address)
{
   *address = etna_bo_gpu_va(bo);
   return *address ? 0 : -ENOSPC;
}

/* There are no queues but the file's own. */
static int
etnaviv_queue_create(struct vivgpu_kernel *kernel, uint32_t priority, const uint32_t *prologue,
                     uint32_t num_words, uint32_t *queue)
{
   *queue = 1;
   return 0;
}

static void
etnaviv_queue_destroy(struct vivgpu_kernel *kernel, uint32_t queue)
{
}

static struct drm_etnaviv_gem_submit_bo *
list_bos(const struct vivgpu_job *job)
{
   struct drm_etnaviv_gem_submit_bo *list = CALLOC(MAX2(job->num_bos, 1), sizeof(*list));

   STATIC_ASSERT(DRM_VIVGPU_SUBMIT_BO_READ == ETNA_SUBMIT_BO_READ);
   STATIC_ASSERT(DRM_VIVGPU_SUBMIT_BO_WRITE == ETNA_SUBMIT_BO_WRITE);
   for (uint32_t i = 0; list && i < job->num_bos; i++) {
      list[i].flags = job->uses[i].flags;
      list[i].handle = job->uses[i].handle;
      list[i].presumed = job->bos[i]->va;
   }
   return list;
}

static int
etnaviv_submit(struct vivgpu_kernel *kernel, const struct vivgpu_job *job)
{
   struct drm_etnaviv_gem_submit_bo *bos = list_bos(job);
   struct drm_etnaviv_gem_submit submit = {
      .pipe = kernel->core,
      .exec_state = ETNA_PIPE_3D,
      .flags = ETNA_SUBMIT_SOFTPIN,
      .stream = (uintptr_t)job->words,
      .stream_size = job->num_words * sizeof(uint32_t),
      .bos = (uintptr_t)bos,
      .nr_bos = job->num_bos,
      .fence_fd = job->in_fence,
   };
   int ret;

   if (!bos)
      return -ENOMEM;
   if (job->in_fence >= 0)
      submit.flags |= ETNA_SUBMIT_FENCE_FD_IN;
   if (job->out_fence)
      submit.flags |= ETNA_SUBMIT_FENCE_FD_OUT;
   ret = drmIoctl(kernel->fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &submit) ? -errno : 0;
   if (!ret)
      *job->number = submit.fence;
   if (!ret && job->out_fence)
      job->out_fence->fd = submit.fence_fd;
   FREE(bos);
   return ret;
}

/* A fence without a file is over: its job was refused. */
static int
etnaviv_fence_init(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence)
{
   fence->fd = -1;
   return 0;
}

static void
etnaviv_fence_fini(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence)
{
   if (fence->fd >= 0)
      close(fence->fd);
}

static void
etnaviv_fence_signal(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence)
{
}

/* poll() counts in milliseconds from now; a rest of one is waited for, too. */
static int
timeout_ms(int64_t end)
{
   int64_t now = os_time_get_nano();

   if (end == INT64_MAX)
      return -1;
   return end <= now ? 0 : MIN2(DIV_ROUND_UP(end - now, NS_PER_MS), INT32_MAX);
}

static bool
etnaviv_fence_wait(struct vivgpu_kernel *kernel, const struct vivgpu_kernel_fence *fence,
                   int64_t end)
{
   return fence->fd < 0 || sync_wait(fence->fd, timeout_ms(end)) == 0;
}

static int
etnaviv_fence_export(struct vivgpu_kernel *kernel, const struct vivgpu_kernel_fence *fence)
{
   return fence->fd < 0 ? -ENOENT : os_dupfd_cloexec(fence->fd);
}

/* etnaviv has no sync objects. */
static int
etnaviv_fence_import(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence, int fd,
                     bool is_syncobj)
{
   if (is_syncobj)
      return -EOPNOTSUPP;
   fence->fd = os_dupfd_cloexec(fd);
   return fence->fd < 0 ? -errno : 0;
}

/* It samples when the fence was signalled already, other clients' jobs included. */
static bool
etnaviv_perf_domain(struct vivgpu_kernel *kernel, struct drm_vivgpu_perf_domain *domain)
{
   return false;
}

static bool
etnaviv_perf_signal(struct vivgpu_kernel *kernel, struct drm_vivgpu_perf_signal *signal)
{
   return false;
}

static bool
etnaviv_guilty_resets(struct vivgpu_kernel *kernel, uint32_t *count)
{
   return false;
}

struct vivgpu_kernel *
vivgpu_kernel_etnaviv_create(struct etna_device *dev, uint32_t core)
{
   struct vivgpu_kernel *kernel;

   if (!etnaviv_device_softpin_capable(dev))
      return NULL;
   kernel = CALLOC_STRUCT(vivgpu_kernel);
   if (!kernel)
      return NULL;
   *kernel = (struct vivgpu_kernel){
      .dev = dev,
      .fd = etna_device_fd(dev),
      .core = core,
      .most_words = MOST_BYTES / sizeof(uint32_t),
      .destroy = etnaviv_destroy,
      .bo_address = etnaviv_bo_address,
      .queue_create = etnaviv_queue_create,
      .queue_destroy = etnaviv_queue_destroy,
      .submit = etnaviv_submit,
      .fence_init = etnaviv_fence_init,
      .fence_fini = etnaviv_fence_fini,
      .fence_signal = etnaviv_fence_signal,
      .fence_wait = etnaviv_fence_wait,
      .fence_export = etnaviv_fence_export,
      .fence_import = etnaviv_fence_import,
      .perf_domain = etnaviv_perf_domain,
      .perf_signal = etnaviv_perf_signal,
      .guilty_resets = etnaviv_guilty_resets,
   };
   return kernel;
}
