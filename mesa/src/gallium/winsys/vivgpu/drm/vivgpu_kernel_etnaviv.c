/* SPDX-License-Identifier: MIT */
/*
 * struct vivgpu_kernel for the etnaviv kernel driver.
 *
 * The kernel does not restore a client's state when another client's job ran in between, so
 * each job begins with the prologue. Fences become sync_files.
 *
 * With MMUv2 each DRM file has an address space of its own: libetnaviv_drm chooses the addresses,
 * and the kernel maps each buffer at the address that the job gives (softpin). With MMUv1 user
 * space cannot get or choose addresses. Each buffer then gets a range of a fictitious address
 * space, which this source file manages; the words of a job that hold such addresses
 * (vivgpu_addresses.h) are passed to the kernel as relocations.
 */

#include "vivgpu_kernels.h"

#include <errno.h>
#include <fcntl.h>
#include <libsync.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drm/etnaviv_drmif.h"
#include "util/hash_table.h"
#include "util/macros.h"
#include "util/os_file.h"
#include "util/os_time.h"
#include "util/u_dynarray.h"
#include "util/u_math.h"
#include "util/simple_mtx.h"
#include "util/u_memory.h"
#include "util/vma.h"
#include "vivgpu/vivgpu_bo.h"
#include "vivgpu_addresses.h"

/* Included last: its macros have the names of constants of libetnaviv_drm. */
#include "drm-uapi/etnaviv_drm.h"

/* The kernel refuses longer streams with EINVAL. */
#define MAX_STREAM_BYTES (128 * 1024)

#define NS_PER_MS 1000000

/* Address space of buffers with MMUv1: 4 GiB without the first page, so that 0 is no address. */
#define PAGE       4096
#define ADDRESS_SPACE_END (UINT64_C(1) << 32)

/** A buffer's address; references is the number of struct etna_bo for its GEM handle */
struct bo_address {
   uint32_t address;
   uint32_t references;
};

struct etnaviv_kernel {
   struct vivgpu_kernel base;
   /** True with MMUv1: jobs need relocations. Otherwise the members from @heap on are unused */
   bool relocates;
   simple_mtx_t lock;
   /** Free ranges, and struct bo_address by GEM handle; both protected by @lock */
   struct util_vma_heap heap;
   struct hash_table_u64 *addresses;
   /** Buffer for relocations of addresses that are in no buffer of the job */
   struct etna_bo *null_bo;
};

static struct etnaviv_kernel *
etnaviv_kernel(struct vivgpu_kernel *kernel)
{
   return (struct etnaviv_kernel *)kernel;
}

static void
etnaviv_destroy(struct vivgpu_kernel *base)
{
   struct etnaviv_kernel *kernel = etnaviv_kernel(base);

   if (kernel->relocates)
      util_vma_heap_finish(&kernel->heap);
   if (kernel->addresses)
      _mesa_hash_table_u64_destroy(kernel->addresses);
   etna_bo_del(kernel->null_bo);
   simple_mtx_destroy(&kernel->lock);
   FREE(kernel);
}

/* Returns the buffer's address and allocates one if it has none; 0 if memory or space is short. */
static uint32_t
bo_address_get(struct etnaviv_kernel *kernel, struct etna_bo *bo)
{
   uint32_t handle = etna_bo_handle(bo);
   struct bo_address *bo_address = _mesa_hash_table_u64_search(kernel->addresses, handle);

   if (!bo_address) {
      bo_address = CALLOC_STRUCT(bo_address);
      if (!bo_address)
         return 0;
      bo_address->address = util_vma_heap_alloc(&kernel->heap, align(etna_bo_size(bo), PAGE), PAGE);
      if (!bo_address->address) {
         FREE(bo_address);
         return 0;
      }
      _mesa_hash_table_u64_insert(kernel->addresses, handle, bo_address);
   }
   bo_address->references++;
   return bo_address->address;
}

static void
bo_address_put(struct etnaviv_kernel *kernel, struct etna_bo *bo)
{
   uint32_t handle = etna_bo_handle(bo);
   struct bo_address *bo_address = _mesa_hash_table_u64_search(kernel->addresses, handle);

   if (--bo_address->references)
      return;
   _mesa_hash_table_u64_remove(kernel->addresses, handle);
   util_vma_heap_free(&kernel->heap, bo_address->address, align(etna_bo_size(bo), PAGE));
   FREE(bo_address);
}

static int
etnaviv_bo_address(struct vivgpu_kernel *base, struct etna_bo *bo, uint32_t *address)
{
   struct etnaviv_kernel *kernel = etnaviv_kernel(base);

   if (kernel->relocates) {
      simple_mtx_lock(&kernel->lock);
      *address = bo_address_get(kernel, bo);
      simple_mtx_unlock(&kernel->lock);
   } else {
      *address = etna_bo_gpu_va(bo);
   }
   return *address ? 0 : -ENOSPC;
}

static void
etnaviv_bo_release(struct vivgpu_kernel *base, struct etna_bo *bo)
{
   struct etnaviv_kernel *kernel = etnaviv_kernel(base);

   if (!kernel->relocates)
      return;
   simple_mtx_lock(&kernel->lock);
   bo_address_put(kernel, bo);
   simple_mtx_unlock(&kernel->lock);
}

/* The etnaviv uAPI has no queues: jobs of a file run in order. 0 would mean that there is none. */
static int
etnaviv_queue_create(struct vivgpu_kernel *kernel, const struct vivgpu_queue_config *config,
                     uint32_t *queue)
{
   *queue = 1;
   return 0;
}

static void
etnaviv_queue_destroy(struct vivgpu_kernel *kernel, uint32_t queue)
{
}

/* Builds the kernel's list of the job's buffers; null_bo is its last entry. */
static struct drm_etnaviv_gem_submit_bo *
list_bos(const struct etnaviv_kernel *kernel, const struct vivgpu_job *job)
{
   struct drm_etnaviv_gem_submit_bo *list = CALLOC(job->num_bos + 1, sizeof(*list));

   STATIC_ASSERT(DRM_VIVGPU_SUBMIT_BO_READ == ETNA_SUBMIT_BO_READ);
   STATIC_ASSERT(DRM_VIVGPU_SUBMIT_BO_WRITE == ETNA_SUBMIT_BO_WRITE);
   if (!list)
      return NULL;
   for (uint32_t i = 0; i < job->num_bos; i++) {
      list[i].flags = job->uses[i].flags;
      list[i].handle = job->uses[i].handle;
      list[i].presumed = kernel->relocates ? 0 : job->bos[i]->va;
   }
   if (kernel->relocates) {
      list[job->num_bos].flags = ETNA_SUBMIT_BO_READ | ETNA_SUBMIT_BO_WRITE;
      list[job->num_bos].handle = etna_bo_handle(kernel->null_bo);
   }
   return list;
}

static bool
contains(const struct vivgpu_bo *bo, uint32_t address)
{
   return address >= bo->va && address - bo->va < bo->size;
}

/*
 * Returns the index of the job's buffer that contains an address, or that of null_bo. @guess: the
 * index to try first
 */
static uint32_t
find_bo(const struct vivgpu_job *job, uint32_t address, uint32_t guess)
{
   if (guess < job->num_bos && contains(job->bos[guess], address))
      return guess;
   for (uint32_t i = 0; i < job->num_bos; i++) {
      if (contains(job->bos[i], address))
         return i;
   }
   return job->num_bos;
}

/* Append the relocations of a job to the list. Returns 0 or -ENOMEM. */
static int
list_relocs(const struct vivgpu_job *job, struct util_dynarray *list)
{
   uint32_t index = 0, command = 0, bo = 0;

   while ((index = vivgpu_addresses_next(job->words, job->num_words, index, &command)) <
          job->num_words) {
      uint32_t address = job->words[index];
      struct drm_etnaviv_gem_submit_reloc *reloc =
         util_dynarray_grow(list, struct drm_etnaviv_gem_submit_reloc, 1);

      if (!reloc)
         return -ENOMEM;
      bo = find_bo(job, address, bo);
      *reloc = (struct drm_etnaviv_gem_submit_reloc){
         .submit_offset = index++ * sizeof(uint32_t),
         .reloc_idx = bo,
         .reloc_offset = bo < job->num_bos ? address - job->bos[bo]->va : 0,
      };
   }
   return 0;
}

static int
etnaviv_submit(struct vivgpu_kernel *base, const struct vivgpu_job *job)
{
   struct etnaviv_kernel *kernel = etnaviv_kernel(base);
   struct drm_etnaviv_gem_submit_bo *bos = list_bos(kernel, job);
   struct drm_etnaviv_gem_submit submit = {
      .pipe = base->core,
      .exec_state = ETNA_PIPE_3D,
      .flags = kernel->relocates ? 0 : ETNA_SUBMIT_SOFTPIN,
      .stream = (uintptr_t)job->words,
      .stream_size = job->num_words * sizeof(uint32_t),
      .bos = (uintptr_t)bos,
      .nr_bos = job->num_bos + kernel->relocates,
      .fence_fd = job->in_fence,
   };
   struct util_dynarray relocs;
   int ret = bos ? 0 : -ENOMEM;

   util_dynarray_init(&relocs, NULL);
   if (job->in_fence >= 0)
      submit.flags |= ETNA_SUBMIT_FENCE_FD_IN;
   if (job->out_fence)
      submit.flags |= ETNA_SUBMIT_FENCE_FD_OUT;
   if (!ret && kernel->relocates) {
      ret = list_relocs(job, &relocs);
      submit.relocs = (uintptr_t)relocs.data;
      submit.nr_relocs = util_dynarray_num_elements(&relocs, struct drm_etnaviv_gem_submit_reloc);
   }
   if (job->times)
      job->times->begin_ns = os_time_get_nano();
   if (!ret)
      ret = drmIoctl(base->fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &submit) ? -errno : 0;
   if (job->want_end)
      job->times->end_ns = os_time_get_nano();
   if (!ret)
      *job->number = submit.fence;
   if (!ret && job->out_fence)
      job->out_fence->fd = submit.fence_fd;
   util_dynarray_fini(&relocs);
   FREE(bos);
   return ret;
}

/* A fence without a sync_file counts as signalled: the kernel refused its job. */
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

/* Nothing to do: without a sync_file it is signalled. */
static void
etnaviv_fence_signal(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence)
{
}

/* Milliseconds from now, for poll(), rounded up so that the wait is not too short. */
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

/* The etnaviv uAPI has no sync objects. */
static int
etnaviv_fence_import(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence, int fd,
                     bool is_syncobj)
{
   if (is_syncobj)
      return -EOPNOTSUPP;
   fence->fd = os_dupfd_cloexec(fd);
   return fence->fd < 0 ? -errno : 0;
}

/*
 * No performance counters: the kernel takes the sample behind a job after the job's fence has
 * signalled.
 */
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
etnaviv_guilty_resets(struct vivgpu_kernel *kernel, uint32_t queue, uint32_t *count)
{
   return false;
}

struct vivgpu_kernel *
vivgpu_kernel_etnaviv_create(struct etna_device *dev, uint32_t core)
{
   struct etnaviv_kernel *kernel = CALLOC_STRUCT(etnaviv_kernel);

   if (!kernel)
      return NULL;
   simple_mtx_init(&kernel->lock, mtx_plain);
   kernel->base = (struct vivgpu_kernel){
      .dev = dev,
      .fd = etna_device_fd(dev),
      .core = core,
      .max_words = MAX_STREAM_BYTES / sizeof(uint32_t),
      .destroy = etnaviv_destroy,
      .bo_address = etnaviv_bo_address,
      .bo_release = etnaviv_bo_release,
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
   if (etnaviv_device_softpin_capable(dev))
      return &kernel->base;

   kernel->relocates = true;
   util_vma_heap_init(&kernel->heap, PAGE, ADDRESS_SPACE_END - PAGE);
   kernel->addresses = _mesa_hash_table_u64_create(NULL);
   kernel->null_bo = etna_bo_new(dev, PAGE, DRM_ETNA_GEM_CACHE_WC);
   if (kernel->addresses && kernel->null_bo)
      return &kernel->base;
   etnaviv_destroy(&kernel->base);
   return NULL;
}
