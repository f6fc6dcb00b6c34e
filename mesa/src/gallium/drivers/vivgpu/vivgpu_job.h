/* SPDX-License-Identifier: MIT */
/*
 * The job that a context is writing: space in its stream, its submission, and which state the next
 * job must emit again. The emission of state and draws calls these functions; they call the stream,
 * and add what every job contains at its end (the end of the sample count, requests of counters).
 */
#ifndef VIVGPU_JOB_H
#define VIVGPU_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "vivgpu_context.h"
#include "vivgpu_group.h"

/** Words reserved at the end of each job for active queries */
#define VIVGPU_END_WORDS 32

/**
 * Begin a job: mark all state dirty, since jobs of other contexts may run between two jobs of
 * this context.
 */
void vivgpu_job_begin(struct vivgpu_context *context);

/**
 * Submit the job if it has commands; @reason: why it ends here. When it ends,
 * vivgpu_context_job.fence is signaled, unless that is NULL. If the kernel refuses the job,
 * vivgpu_context.lost is set.
 */
void vivgpu_job_submit(struct vivgpu_context *context, enum vivgpu_group_reason reason);

/** vivgpu_job_reserve() when vivgpu_stream.limit is reached. */
bool vivgpu_job_reserve_slow(struct vivgpu_context *context, uint32_t count);

/**
 * Make sure that @count words can be written, submitting the job if necessary. Returns false if a
 * job cannot hold that many.
 */
static inline bool
vivgpu_job_reserve(struct vivgpu_context *context, uint32_t count)
{
   return context->stream.used + count + VIVGPU_END_WORDS <= context->stream.limit ||
          vivgpu_job_reserve_slow(context, count);
}

/**
 * True if an access by the CPU (@write or read) would have to wait for this job or an earlier one.
 */
bool vivgpu_job_busy(struct vivgpu_context *context, struct vivgpu_bo *bo, bool write);

/**
 * Wait until the CPU may access the buffer; submits the job if it uses the buffer. @usage:
 * PIPE_MAP_*. Returns false if the device is gone, or if PIPE_MAP_DONTBLOCK forbids to wait.
 */
bool vivgpu_job_wait(struct vivgpu_context *context, struct vivgpu_bo *bo, unsigned usage);

#endif
