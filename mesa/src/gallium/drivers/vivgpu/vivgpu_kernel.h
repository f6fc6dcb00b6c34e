/* SPDX-License-Identifier: MIT */
/*
 * The functions that the driver needs of a kernel driver. There are two back ends, in
 * winsys/vivgpu/drm: for vivgpu's own interface and for etnaviv's. All differences between the two
 * are behind these functions, or values in struct vivgpu_kernel.
 */
#ifndef VIVGPU_KERNEL_H
#define VIVGPU_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "drm-uapi/vivgpu_drm.h"

struct etna_bo;
struct etna_device;
struct vivgpu_bo;
struct vivgpu_vblank;

/** End of a job: a sync object with our kernel driver, a sync_file with etnaviv */
struct vivgpu_kernel_fence {
   uint32_t syncobj;
   int fd;
   /** Queue and number of the job, see vivgpu_kernel.job_ended; the queue is 0 if there is none */
   uint32_t queue, number;
   /** The sync object is another process's or driver's, too */
   bool imported;
};

/** Start and, if it was wanted, end of a submit call, in ns of CLOCK_MONOTONIC */
struct vivgpu_submit_times {
   uint64_t begin_ns, end_ns;
};

/** Arguments of the creation of a queue */
struct vivgpu_queue_config {
   /** DRM_VIVGPU_PRIORITY_* */
   uint32_t priority;
   /** Stream that loads the state on which the jobs rely */
   const uint32_t *prologue;
   uint32_t prologue_words;
   /** GPU time in ns that is asked for in each period; 0 unless vivgpu_kernel.has_deadlines */
   uint64_t budget_ns, period_ns;
};

/** Arguments of a submit */
struct vivgpu_job {
   uint32_t queue;
   /** Commands, preceded by the prologue unless vivgpu_kernel.has_prologue */
   const uint32_t *words;
   uint32_t num_words;
   /** Buffers, and in the same order how they are used */
   struct vivgpu_bo *const *bos;
   const struct drm_vivgpu_submit_bo *uses;
   uint32_t num_bos;
   /** Timestamp points; at most vivgpu_kernel.max_points */
   const struct drm_vivgpu_point *points;
   uint32_t num_points;
   /** Counters to be read while the job runs; at most vivgpu_kernel.max_counters */
   const struct drm_vivgpu_counter *counters;
   uint32_t num_counters;
   /** sync_file to wait for, or -1 */
   int in_fence;
   /** Signaled when the job ends; may be NULL */
   struct vivgpu_kernel_fence *out_fence;
   /** The driver's name for the job, which the kernel copies to its records */
   uint64_t cookie;
   /**
    * Hints in ns: when the job is due (CLOCK_MONOTONIC), its predicted GPU time, and what its GPU
    * time should not exceed; 0: unknown. Ignored unless vivgpu_kernel.has_deadlines; older kernels
    * ignore @bound_ns
    */
   uint64_t deadline_ns, cost_ns, bound_ns;
   /** Receives the kernel's number of the job */
   uint32_t *number;
   /** Receives what vivgpu_kernel.max_piece() returns, if the kernel says so; may be NULL */
   uint64_t *max_piece_ns;
   /** Receives the times, measured by the kernel if it can; may be NULL if @want_end is not set */
   struct vivgpu_submit_times *times;
   /** Record the time at which the call ends in @times */
   bool want_end;
};

/** Times measured before and after a change of one of these cannot be compared */
struct vivgpu_disjoint_state {
   /** Number of resets of the device */
   uint32_t resets;
   /** Frequency of the core's clock */
   uint64_t core_hz;
};

struct vivgpu_kernel {
   /** libetnaviv_drm's device, which allocates buffers with both back ends */
   struct etna_device *dev;
   int fd;
   /** Index of the 3D core among the cores of the device */
   uint32_t core;
   /**
    * The kernel stores a prologue for each queue and runs it when it is needed; otherwise each job
    * begins with the prologue
    */
   bool has_prologue;
   /** The kernel has streams of records, used by vivgpu_event_sampler.h */
   bool has_records;
   /** The kernel schedules by deadlines, costs and budgets */
   bool has_deadlines;
   /** Limit of the words of a job, including the prologue */
   uint32_t max_words;
   /** Limit of the counters of a job; 0 if the kernel has no counters for single jobs */
   uint32_t max_counters;

   /** Limit of the timestamp points of a job; 0 if the kernel has neither points nor times */
   uint32_t max_points;
   /** Resolution of timestamp points in ns */
   uint32_t timer_resolution_ns;

   /** Free this structure, but not the device. */
   void (*destroy)(struct vivgpu_kernel *kernel);

   /** Get the GPU address of a buffer, with a reference. Returns 0 or a negative error number. */
   int (*bo_address)(struct vivgpu_kernel *kernel, struct etna_bo *bo, uint32_t *address);
   /** Release a reference to a buffer's address; once for each call of bo_address(). */
   void (*bo_release)(struct vivgpu_kernel *kernel, struct etna_bo *bo);

   /**
    * Set and read the layout of a buffer for those who name no modifier: the display, if a
    * framebuffer is made of the buffer, and importers. The first returns 0 or a negative error
    * number: -EOPNOTSUPP if the device has no display. The second returns
    * DRM_FORMAT_MOD_LINEAR if it is unknown. NULL if the kernel keeps none
    */
   int (*bo_set_modifier)(struct vivgpu_kernel *kernel, struct etna_bo *bo, uint64_t modifier);
   uint64_t (*bo_modifier)(struct vivgpu_kernel *kernel, struct etna_bo *bo);

   /**
    * Create a queue. Returns 0 or a negative error number: -EACCES if high priority or a budget
    * needs a privilege, -EBUSY, after a message, if a budget cannot be kept, -EDQUOT
    * likewise if it is more than the limit of a cgroup.
    */
   int (*queue_create)(struct vivgpu_kernel *kernel, const struct vivgpu_queue_config *config,
                       uint32_t *queue);
   void (*queue_destroy)(struct vivgpu_kernel *kernel, uint32_t queue);

   /**
    * Submit a job. Returns 0 or a negative error number; then @job->out_fence has no job.
    */
   int (*submit)(struct vivgpu_kernel *kernel, const struct vivgpu_job *job);

   /**
    * Returns true if a job of @queue is known to have ended, without a system call; false if it has
    * not, or if the kernel has to be asked. NULL if the kernel has to be asked always.
    */
   bool (*job_ended)(struct vivgpu_kernel *kernel, uint32_t queue, uint32_t number);

   /** Create a fence for a job that is not submitted yet. Returns 0 or a negative error number. */
   int (*fence_init)(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence);
   void (*fence_fini)(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence);
   /** Signal a fence whose job will not be submitted, so that waits for it end. */
   void (*fence_signal)(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence);
   /** Wait until @end in ns of CLOCK_MONOTONIC. Returns true if the fence is signaled. */
   bool (*fence_wait)(struct vivgpu_kernel *kernel, const struct vivgpu_kernel_fence *fence,
                      int64_t end);
   /** Return a new sync_file of the fence, which the caller owns; negative on failure. */
   int (*fence_export)(struct vivgpu_kernel *kernel, const struct vivgpu_kernel_fence *fence);
   /** Replace the handle of @fence by @fd, a sync object or a sync_file. */
   int (*fence_import)(struct vivgpu_kernel *kernel, struct vivgpu_kernel_fence *fence, int fd,
                       bool is_syncobj);

   /**
    * Read the names of a block of the core, or of one of its counters, whose index the caller sets
    * in the structure. Returns false for an index beyond the last, and without counters.
    */
   bool (*perf_domain)(struct vivgpu_kernel *kernel, struct drm_vivgpu_perf_domain *domain);
   bool (*perf_signal)(struct vivgpu_kernel *kernel, struct drm_vivgpu_perf_signal *signal);

   /**
    * Read the clock of timestamp points in ns; 0 on failure. NULL, like get_disjoint_state, if
    * max_points is 0.
    */
   uint64_t (*get_time)(struct vivgpu_kernel *kernel);
   /** Returns false if the kernel does not report it. */
   bool (*get_disjoint_state)(struct vivgpu_kernel *kernel, struct vivgpu_disjoint_state *now);

   /** Read the client's totals. Returns false on failure. NULL if the kernel has none. */
   bool (*usage)(struct vivgpu_kernel *kernel, struct drm_vivgpu_usage *usage);

   /**
    * Read the longest time in ns that a job should take, so that it does not delay jobs of queues
    * with a budget; 0: no limit. NULL if !has_deadlines
    */
   uint64_t (*max_piece)(struct vivgpu_kernel *kernel);
   /** Read the display's vertical blank. False if it is off or unknown. NULL if !has_deadlines */
   bool (*next_vblank)(struct vivgpu_kernel *kernel, struct vivgpu_vblank *vblank);

   /**
    * Get the number of resets that jobs of @queue caused. Returns false if the kernel does not
    * report it.
    */
   bool (*guilty_resets)(struct vivgpu_kernel *kernel, uint32_t queue, uint32_t *count);
};

#endif
