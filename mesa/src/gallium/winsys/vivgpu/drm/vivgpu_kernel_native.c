/* SPDX-License-Identifier: MIT */
/*
 * struct vivgpu_kernel for the vivgpu kernel driver. The kernel stores a prologue with each
 * queue and runs it before a job if the core last ran a job of another queue; it chooses the
 * buffers' addresses; and fences are sync objects.
 */

#include "vivgpu_kernels.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <xf86drm.h>

#include "drm-uapi/drm_fourcc.h"
#include "drm/etnaviv_drmif.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/os_time.h"
#include "util/simple_mtx.h"
#include "util/u_atomic.h"
#include "util/u_memory.h"
#include "vivgpu/vivgpu_deadline.h"

/* Sync objects that are kept for later fences */
#define MAX_SPARE_SYNCOBJS 16

#define NS_PER_SECOND 1000000000

/*
 * A page: a word for each queue. The kernel gives them numbers from 1 to MAX_QUEUES, which is 64.
 */
#define PROGRESS_BYTES 4096
#define PROGRESS_WORDS (PROGRESS_BYTES / sizeof(uint32_t))

struct native_kernel {
   struct vivgpu_kernel base;
   /** For each queue, which one thread uses at a time: the number of its last submitted job */
   uint32_t submitted[PROGRESS_WORDS];
   /** For each queue, the number of the last job that has ended: written by the kernel, or NULL */
   const uint32_t *ended;
   /** Memory of @ended */
   struct etna_bo *progress;
   simple_mtx_t lock;
   /** Sync objects of destroyed fences, protected by @lock */
   uint32_t spare[MAX_SPARE_SYNCOBJS];
   uint32_t num_spare;
};

static struct native_kernel *
native_kernel(struct vivgpu_kernel *kernel)
{
   return (struct native_kernel *)kernel;
}

static void
native_destroy(struct vivgpu_kernel *base)
{
   struct native_kernel *kernel = native_kernel(base);

   while (kernel->num_spare)
      drmSyncobjDestroy(base->fd, kernel->spare[--kernel->num_spare]);
   simple_mtx_destroy(&kernel->lock);
   if (kernel->progress)
      etna_bo_del(kernel->progress);
   FREE(kernel);
}

static int
native_bo_address(struct vivgpu_kernel *kernel, struct etna_bo *bo, uint32_t *address)
{
   struct drm_vivgpu_bo_info info = {.handle = etna_bo_handle(bo)};

   if (drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_BO_INFO, &info))
      return -errno;
   *address = info.va;
   return 0;
}

static void
native_bo_release(struct vivgpu_kernel *kernel, struct etna_bo *bo)
{
}

static int
native_bo_set_modifier(struct vivgpu_kernel *kernel, struct etna_bo *bo, uint64_t modifier)
{
   struct drm_vivgpu_bo_modifier args = {
      .handle = etna_bo_handle(bo),
      .flags = DRM_VIVGPU_MODIFIER_SET,
      .modifier = modifier,
   };

   return drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_BO_MODIFIER, &args) ? -errno : 0;
}

static uint64_t
native_bo_modifier(struct vivgpu_kernel *kernel, struct etna_bo *bo)
{
   struct drm_vivgpu_bo_modifier args = {.handle = etna_bo_handle(bo)};

   if (drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_BO_MODIFIER, &args))
      return DRM_FORMAT_MOD_LINEAR;
   return args.modifier;
}

/* Report why the kernel does not give a queue its budget: EBUSY with a reason, or EDQUOT. */
static void
report_refusal(const struct drm_vivgpu_queue_create *create, int error)
{
   static const char *const reasons[] = {
      [DRM_VIVGPU_REFUSED_UTILISATION] = "all budgets are more than the GPU's time",
      [DRM_VIVGPU_REFUSED_BLOCKING] = "a job that cannot be preempted could make another late",
      [DRM_VIVGPU_REFUSED_COUNT] = "too many queues have a budget",
      [DRM_VIVGPU_REFUSED_EFFORT] = "the periods differ too much for the test",
   };
   const char *reason = create->reason < ARRAY_SIZE(reasons) ? reasons[create->reason] : NULL;

   if (error == EDQUOT)
      reason = "more than the limit of a cgroup (reserved-ppm in dmem.max)";
   mesa_logw("vivgpu: no budget of %" PRIu64 " us in %" PRIu64 " us: %s",
             (uint64_t)create->budget_ns / 1000, (uint64_t)create->period_ns / 1000,
             reason ? reason : "refused");
}

static int
native_queue_create(struct vivgpu_kernel *kernel, const struct vivgpu_queue_config *config,
                    uint32_t *queue)
{
   struct etna_bo *progress = native_kernel(kernel)->progress;
   struct drm_vivgpu_queue_create create = {
      .priority = config->priority,
      .prologue = (uintptr_t)config->prologue,
      .prologue_size = config->prologue_words * sizeof(uint32_t),
      .budget_ns = config->budget_ns,
      .period_ns = config->period_ns,
      .progress = progress ? etna_bo_handle(progress) : 0,
   };

   if (drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create)) {
      int error = errno;

      if (error == EBUSY || error == EDQUOT)
         report_refusal(&create, error);
      return -error;
   }
   *queue = create.queue;
   return 0;
}

static int
native_submit(struct vivgpu_kernel *kernel, const struct vivgpu_job *job)
{
   struct drm_vivgpu_piece piece = {
      .words = (uintptr_t)job->words,
      .size = job->num_words * sizeof(uint32_t),
   };
   struct drm_vivgpu_sync out = {.handle = job->out_fence ? job->out_fence->syncobj : 0};
   int ret = 0;
   struct drm_vivgpu_submit submit = {
      .queue = job->queue,
      .flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC,
      .pieces = (uintptr_t)&piece,
      .nr_pieces = 1,
      .bos = (uintptr_t)job->uses,
      .nr_bos = job->num_bos,
      .points = (uintptr_t)job->points,
      .nr_points = job->num_points,
      .counters = (uintptr_t)job->counters,
      .nr_counters = job->num_counters,
      .out_syncs = (uintptr_t)&out,
      .nr_out_syncs = job->out_fence ? 1 : 0,
      .fence_fd = job->in_fence,
      .cookie = job->cookie,
      .deadline_ns = job->deadline_ns,
      .cost_ns = job->cost_ns,
      .bound_ns = job->bound_ns,
      .max_piece_ns = job->max_piece_ns ? *job->max_piece_ns : 0,
   };

   if (job->in_fence >= 0)
      submit.flags |= DRM_VIVGPU_SUBMIT_FENCE_FD_IN;
   if (job->want_end)
      submit.flags |= DRM_VIVGPU_SUBMIT_LEFT_NS;
   if (drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_SUBMIT, &submit))
      ret = -errno;
   if (job->times)
      *job->times = (struct vivgpu_submit_times){submit.entered_ns, submit.left_ns};
   *job->number = submit.job;
   /* A kernel that does not say it, or refuses the job, leaves what was passed. */
   if (job->max_piece_ns)
      *job->max_piece_ns = submit.max_piece_ns;
   if (!ret)
      native_kernel(kernel)->submitted[job->queue] = submit.job;
   if (job->out_fence && !ret) {
      job->out_fence->queue = job->queue;
      job->out_fence->number = submit.job;
   }
   return ret;
}

static bool
native_job_ended(struct vivgpu_kernel *kernel, uint32_t queue, uint32_t number)
{
   const uint32_t *ended = native_kernel(kernel)->ended;

   return ended && (int32_t)(p_atomic_read(&ended[queue]) - number) >= 0;
}

/* Wait until @end for a job of a queue, by its number. Returns 0 or a negative error number. */
static int
wait_for_job(struct vivgpu_kernel *kernel, uint32_t queue, uint32_t number, int64_t end)
{
   struct drm_vivgpu_job_wait wait = {
      .queue = queue,
      .job = number,
      .timeout_ns = end,
   };

   if (native_job_ended(kernel, queue, number))
      return 0;
   return drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_JOB_WAIT, &wait) ? -errno : 0;
}

/*
 * A new queue can get the number of this one, and its word of @ended. So wait until the jobs have
 * ended: later, native_job_ended() would compare them with those of the new queue. At most a
 * second, after which the kernel, too, drops jobs of a closed queue that have not started.
 */
static void
native_queue_destroy(struct vivgpu_kernel *kernel, uint32_t queue)
{
   struct drm_vivgpu_queue_destroy destroy = {.queue = queue};
   uint32_t *submitted = &native_kernel(kernel)->submitted[queue];

   if (native_kernel(kernel)->ended && *submitted)
      wait_for_job(kernel, queue, *submitted, os_time_get_nano() + NS_PER_SECOND);
   *submitted = 0;
   drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy);
}

/*
 * Creating and destroying a sync object are two system calls, so a frame's fence takes the sync
 * object of an earlier frame. That still has the earlier job's fence, which the submit replaces: no
 * thread waits for a fence before its job is submitted.
 */
static int
native_fence_init(struct vivgpu_kernel *base, struct vivgpu_kernel_fence *fence)
{
   struct native_kernel *kernel = native_kernel(base);

   fence->imported = false;
   fence->syncobj = 0;
   fence->queue = 0;
   simple_mtx_lock(&kernel->lock);
   if (kernel->num_spare)
      fence->syncobj = kernel->spare[--kernel->num_spare];
   simple_mtx_unlock(&kernel->lock);
   if (fence->syncobj)
      return 0;
   return drmSyncobjCreate(base->fd, 0, &fence->syncobj) ? -errno : 0;
}

static void
native_fence_fini(struct vivgpu_kernel *base, struct vivgpu_kernel_fence *fence)
{
   struct native_kernel *kernel = native_kernel(base);
   bool kept = false;

   simple_mtx_lock(&kernel->lock);
   if (!fence->imported && kernel->num_spare < MAX_SPARE_SYNCOBJS) {
      kernel->spare[kernel->num_spare++] = fence->syncobj;
      kept = true;
   }
   simple_mtx_unlock(&kernel->lock);
   if (!kept)
      drmSyncobjDestroy(base->fd, fence->syncobj);
}

static void
native_fence_signal(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence)
{
   drmSyncobjSignal(kernel->fd, &fence->syncobj, 1);
}

static bool
native_fence_wait(struct vivgpu_kernel *kernel, const struct vivgpu_kernel_fence *fence,
                  int64_t end)
{
   uint32_t syncobj = fence->syncobj;
   int ret = -ENOENT;

   /* Faster than to wait for the sync object, which is needed if the queue was destroyed. */
   if (fence->queue && native_kernel(kernel)->ended)
      ret = wait_for_job(kernel, fence->queue, fence->number, end);
   if (ret == 0 || ret == -ETIMEDOUT)
      return ret == 0;
   return drmSyncobjWait(kernel->fd, &syncobj, 1, end, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
                         NULL) == 0;
}

static int
native_fence_export(struct vivgpu_kernel *kernel, const struct vivgpu_kernel_fence *fence)
{
   int fd = -1;

   return drmSyncobjExportSyncFile(kernel->fd, fence->syncobj, &fd) ? -errno : fd;
}

static int
native_fence_import(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence, int fd,
                    bool is_syncobj)
{
   uint32_t syncobj;

   if (!is_syncobj)
      return drmSyncobjImportSyncFile(kernel->fd, fence->syncobj, fd) ? -errno : 0;
   if (drmSyncobjFDToHandle(kernel->fd, fd, &syncobj))
      return -errno;
   drmSyncobjDestroy(kernel->fd, fence->syncobj);
   fence->syncobj = syncobj;
   fence->imported = true;
   return 0;
}

static bool
native_perf_domain(struct vivgpu_kernel *kernel, struct drm_vivgpu_perf_domain *domain)
{
   return drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_PERF_DOMAIN, domain) == 0;
}

static bool
native_perf_signal(struct vivgpu_kernel *kernel, struct drm_vivgpu_perf_signal *signal)
{
   return drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_PERF_SIGNAL, signal) == 0;
}

static bool
native_guilty_resets(struct vivgpu_kernel *kernel, uint32_t queue, uint32_t *count)
{
   struct drm_vivgpu_reset_query query = {.queue = queue};

   if (drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query))
      return false;
   *count = query.guilty;
   return true;
}

static uint64_t
native_get_time(struct vivgpu_kernel *kernel)
{
   struct drm_vivgpu_get_time time = {0};

   return drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_GET_TIME, &time) ? 0 : time.cpu_ns;
}

/* Reads DRM_VIVGPU_PARAM_* number param; 0 if the kernel does not have the parameter. */
static uint64_t
get_param(int fd, uint32_t param)
{
   struct drm_vivgpu_get_param get = {.param = param};

   return drmIoctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &get) ? 0 : get.value;
}

static bool
native_get_disjoint_state(struct vivgpu_kernel *kernel, struct vivgpu_disjoint_state *now)
{
   /* Queue 0 stands for the whole file; @resets are those of the device in any case. */
   struct drm_vivgpu_reset_query query = {0};

   if (drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query))
      return false;
   now->resets = query.resets;
   now->core_hz = get_param(kernel->fd, DRM_VIVGPU_PARAM_CORE_CLOCK);
   return true;
}

static bool
native_next_vblank(struct vivgpu_kernel *kernel, struct vivgpu_vblank *vblank)
{
   vblank->time_ns = get_param(kernel->fd, DRM_VIVGPU_PARAM_NEXT_VBLANK);
   vblank->period_ns = get_param(kernel->fd, DRM_VIVGPU_PARAM_VBLANK_PERIOD);
   return vblank->time_ns && vblank->period_ns;
}

static uint64_t
native_max_piece(struct vivgpu_kernel *kernel)
{
   return get_param(kernel->fd, DRM_VIVGPU_PARAM_MAX_PIECE);
}

static bool
native_usage(struct vivgpu_kernel *kernel, struct drm_vivgpu_usage *usage)
{
   *usage = (struct drm_vivgpu_usage){0};
   return !drmIoctl(kernel->fd, DRM_IOCTL_VIVGPU_USAGE, usage);
}

/* Allocate the memory to which the kernel writes the numbers of ended jobs, if it can do that. */
static void
create_progress(struct native_kernel *kernel)
{
   struct etna_bo *bo;
   void *map;

   if (!get_param(kernel->base.fd, DRM_VIVGPU_PARAM_PROGRESS))
      return;
   bo = etna_bo_new(kernel->base.dev, PROGRESS_BYTES, DRM_ETNA_GEM_CACHE_CACHED);
   map = bo ? etna_bo_map(bo) : NULL;
   if (!map) {
      if (bo)
         etna_bo_del(bo);
      return;
   }
   memset(map, 0, PROGRESS_BYTES);
   kernel->progress = bo;
   kernel->ended = map;
}

struct vivgpu_kernel *
vivgpu_kernel_native_create(struct etna_device *dev, uint32_t core)
{
   int fd = etna_device_fd(dev);
   uint32_t max_words = get_param(fd, DRM_VIVGPU_PARAM_MAX_STREAM) / sizeof(uint32_t);
   struct native_kernel *kernel;

   if (!max_words)
      return NULL;
   kernel = CALLOC_STRUCT(native_kernel);
   if (!kernel)
      return NULL;
   simple_mtx_init(&kernel->lock, mtx_plain);
   kernel->base = (struct vivgpu_kernel){
      .dev = dev,
      .fd = fd,
      .core = core,
      .has_prologue = true,
      .has_records = true,
      .has_deadlines = get_param(fd, DRM_VIVGPU_PARAM_DEADLINES),
      .max_words = max_words,
      .max_counters = get_param(fd, DRM_VIVGPU_PARAM_MAX_COUNTERS),
      .max_points = get_param(fd, DRM_VIVGPU_PARAM_MAX_POINTS),
      .timer_resolution_ns = get_param(fd, DRM_VIVGPU_PARAM_TIME_QUANTUM),
      .destroy = native_destroy,
      .bo_address = native_bo_address,
      .bo_release = native_bo_release,
      .bo_set_modifier = native_bo_set_modifier,
      .bo_modifier = native_bo_modifier,
      .queue_create = native_queue_create,
      .queue_destroy = native_queue_destroy,
      .submit = native_submit,
      .job_ended = native_job_ended,
      .fence_init = native_fence_init,
      .fence_fini = native_fence_fini,
      .fence_signal = native_fence_signal,
      .fence_wait = native_fence_wait,
      .fence_export = native_fence_export,
      .fence_import = native_fence_import,
      .perf_domain = native_perf_domain,
      .perf_signal = native_perf_signal,
      .get_time = native_get_time,
      .get_disjoint_state = native_get_disjoint_state,
      .max_piece = native_max_piece,
      .next_vblank = native_next_vblank,
      .guilty_resets = native_guilty_resets,
      .usage = native_usage,
   };
   create_progress(kernel);
   return &kernel->base;
}
