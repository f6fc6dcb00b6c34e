/* SPDX-License-Identifier: MIT */
/*
 * What the driver needs of a kernel driver. There are two back ends, in
 * winsys/vivgpu/drm: vivgpu's own calls and etnaviv's. Whatever differs between
 * the two is behind this interface, or one of its plain values.
 */
#ifndef VIVGPU_KERNEL_H
#define VIVGPU_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "drm-uapi/vivgpu_drm.h"

struct etna_bo;
struct etna_device;
struct vivgpu_bo;

/** The end of a job, as the kernel names it: a sync object or a sync_file. Either may be unused. */
struct vivgpu_kernel_fence {
   uint32_t syncobj;
   int fd;
};

/** When a submit began and ended, in ns of the monotonic clock */
struct vivgpu_submit_times {
   uint64_t begin_ns, end_ns;
};

/** A job, ready to go */
struct vivgpu_job {
   uint32_t queue;
   /** Commands; the prologue comes first if the kernel doesn't keep it */
   const uint32_t *words;
   uint32_t num_words;
   /** Buffers and how they are used, in the same order */
   struct vivgpu_bo *const *bos;
   const struct drm_vivgpu_submit_bo *uses;
   uint32_t num_bos;
   /** Timestamp points; at most vivgpu_kernel.max_points */
   const struct drm_vivgpu_point *points;
   uint32_t num_points;
   /** What is counted while it runs; at most vivgpu_kernel.max_counters */
   const struct drm_vivgpu_counter *counters;
   uint32_t num_counters;
   /** sync_file to wait for, or -1 */
   int in_fence;
   /** Signalled when the job is done; NULL if nobody asks */
   struct vivgpu_kernel_fence *out_fence;
   /** Our name for the job in the kernel's records */
   uint64_t cookie;
   /** Gets the job's number, as the kernel's records have it */
   uint32_t *number;
   /** Gets the times, the kernel's own if it tells them; NULL if nobody asks */
   struct vivgpu_submit_times *times;
};

/** What makes times useless when it changes */
struct vivgpu_disjoint_state {
   /** Resets of the device */
   uint32_t resets;
   /** The core's clock */
   uint64_t core_hz;
};

struct vivgpu_kernel {
   /** libetnaviv_drm's, which allocates buffers on both kernels */
   struct etna_device *dev;
   int fd;
   /** Number of the 3D core among those of the device */
   uint32_t core;
   /** Queues keep their prologue and run it when it is needed; otherwise each job begins with it */
   bool has_prologue;
   /** Streams of records can be had of it, for vivgpu_event_sampler.h */
   bool has_records;
   /** Words that a job may have, the prologue included */
   uint32_t max_words;
   /** Counters that a job may ask for; 0: this kernel counts nothing for a job alone */
   uint32_t max_counters;

   /** Timestamp points that a job may have; 0: this kernel has none, and no times */
   uint32_t max_points;
   /** Step of the times of points, in ns */
   uint32_t timer_resolution_ns;

   /** Free this structure; the device stays. */
   void (*destroy)(struct vivgpu_kernel *kernel);

   /** GPU address of a buffer. Returns 0 or a negative error number. */
   int (*bo_address)(struct vivgpu_kernel *kernel, struct etna_bo *bo, uint32_t *address);
   /** Nobody uses the address any more; as often as it was asked for. */
   void (*bo_release)(struct vivgpu_kernel *kernel, struct etna_bo *bo);

   /** Make a queue; @priority is DRM_VIVGPU_PRIORITY_*. Returns 0 or a negative error number. */
   int (*queue_create)(struct vivgpu_kernel *kernel, uint32_t priority, const uint32_t *prologue,
                       uint32_t num_words, uint32_t *queue);
   void (*queue_destroy)(struct vivgpu_kernel *kernel, uint32_t queue);

   /** Returns 0 or a negative error number; then @job->out_fence never gets a job. */
   int (*submit)(struct vivgpu_kernel *kernel, const struct vivgpu_job *job);

   /** A fence that waits for its job. Returns 0 or a negative error number. */
   int (*fence_init)(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence);
   void (*fence_fini)(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence);
   /** There will be no job: nobody waits any more. */
   void (*fence_signal)(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence);
   /** Wait until @end, in ns of the monotonic clock. True if it happened. */
   bool (*fence_wait)(struct vivgpu_kernel *kernel, const struct vivgpu_kernel_fence *fence,
                      int64_t end);
   /** A sync_file of it, the caller's; negative if there is none. */
   int (*fence_export)(struct vivgpu_kernel *kernel, const struct vivgpu_kernel_fence *fence);
   /** Let @fence be what @fd stands for, which is a sync object or a sync_file. */
   int (*fence_import)(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence, int fd,
                       bool is_syncobj);

   /**
    * Name blocks of the core and their counters; those asked for are numbered in
    * the structure. False behind the last, and where nothing is counted.
    */
   bool (*perf_domain)(struct vivgpu_kernel *kernel, struct drm_vivgpu_perf_domain *domain);
   bool (*perf_signal)(struct vivgpu_kernel *kernel, struct drm_vivgpu_perf_signal *signal);

   /** The time as points tell it, in ns; 0 on failure. NULL without points, as the next one. */
   uint64_t (*get_time)(struct vivgpu_kernel *kernel);
   /** False if the kernel doesn't tell. */
   bool (*get_disjoint_state)(struct vivgpu_kernel *kernel, struct vivgpu_disjoint_state *now);

   /** How many resets jobs of @queue caused. False where the kernel does not report it. */
   bool (*guilty_resets)(struct vivgpu_kernel *kernel, uint32_t queue, uint32_t *count);
};

#endif
