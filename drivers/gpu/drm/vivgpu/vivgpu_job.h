/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_JOB_H_
#define _VIVGPU_JOB_H_

#include <linux/workqueue.h>

#include <drm/gpu_scheduler.h>

#include "vivgpu_arbiter.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_state.h"
#include "vivgpu_usage.h"

struct drm_gem_object;
struct drm_suballoc;
struct vivgpu_client;
struct vivgpu_device;
struct vivgpu_fence;
struct vivgpu_queue;
struct vivgpu_vm;
struct vivgpu_vmap;
struct vivgpu_waits;

/*
 * Maximum of timestamp points of a job, and of events of the jobs that the scheduler has handed
 * over: one for each point and one for the end of a job. Both are less than VIVGPU_EVENT_BITS.
 */
#define VIVGPU_MAX_POINTS	24
#define VIVGPU_HELD_EVENTS	28
/*
 * Credits of an event. While the arbiter selects jobs, a job takes only one credit, so that
 * there are more jobs to select from.
 */
#define VIVGPU_EVENT_CREDITS	4
#define VIVGPU_CREDITS		(VIVGPU_HELD_EVENTS * VIVGPU_EVENT_CREDITS)

/**
 * struct vivgpu_point - a timestamp point of a job
 */
struct vivgpu_point {
	/**
	 * @word: index of the NOP in the client's stream; from the copy on, of the first of
	 * VIVGPU_POINT_WORDS words, counted from the start of the prologue
	 */
	u32 word;
	/** @operations: draws and other operations of the stream before it */
	u32 operations;
	/** @flags: DRM_VIVGPU_POINT_* */
	u32 flags;
	/** @cookie: value that the client gave, returned in the point's record */
	u64 cookie;
	/** @out: two numbers, time and cycles, are written here; NULL with POINT_NO_BO */
	u64 *out;
	/** @map: mapping that @out is in, of one of the job's buffers; or NULL */
	struct vivgpu_vmap *map;
};

/**
 * struct vivgpu_job_bo - a buffer that a job uses
 */
struct vivgpu_job_bo {
	/** @obj: the buffer, referenced */
	struct drm_gem_object *obj;
	/** @flags: use by the job, DRM_VIVGPU_SUBMIT_BO_* */
	u32 flags;
	/** @va: its GPU address */
	u64 va;
};

/**
 * struct vivgpu_job - a job, from the submit call until the scheduler frees it
 *
 * Its arrays follow it in the same allocation.
 */
struct vivgpu_job {
	/** @base: the scheduler's part */
	struct drm_sched_job base;
	/** @vdev: the device */
	struct vivgpu_device *vdev;
	/**
	 * @arbiter: what the arbiter knows; its link is in the device's list of ready jobs,
	 * then of those in the ring
	 */
	struct vivgpu_arbiter_job arbiter;
	/** @ring_seqno: number that it got when it entered the ring, 0 before */
	u64 ring_seqno;
	/** @client: its client */
	struct vivgpu_client *client;
	/** @vm: its address space, the client's */
	struct vivgpu_vm *vm;
	/** @old_vm: address space before this job's MMU switch, put with the job; or NULL */
	struct vivgpu_vm *old_vm;
	/** @queue: its queue, referenced */
	struct vivgpu_queue *queue;
	/** @queue_id: unique number of its queue */
	u64 queue_id;
	/** @queue_number: the file's number of its queue */
	u32 queue_number;
	/** @event_only: it has no commands, so it neither needs nor changes state */
	bool event_only;
	/** @fence: the ring's fence, signals when the GPU has finished the job */
	struct vivgpu_fence *fence;
	/**
	 * @waits: what it waits for, to hand deadlines on; NULL if it waits for no other queue,
	 * or if the arbiter was not active at the submit
	 */
	struct vivgpu_waits *waits;
	/** @words: copy of prologue and stream, followed by space for a LINK */
	u32 *words;
	/** @va: GPU address of @words */
	u32 va;
	/** @prologue_words: words of the prologue before the stream */
	u32 prologue_words;
	/** @total_words: words of prologue and stream */
	u32 total_words;
	/** @written: states it writes, with its prologue */
	struct vivgpu_states written;
	/** @covered: states its prologue loads completely */
	struct vivgpu_states *covered;
	/** @scrub_words: words of the commands that set states to zero before it */
	u32 scrub_words;
	/** @scrub_end: end of their allocation, for vivgpu_scrub_free() */
	u32 scrub_end;
	/** @scrub_va: their GPU address */
	u32 scrub_va;
	/** @slot: its slot of the ring */
	u32 slot;
	/** @end_event: number of its last event, see &struct vivgpu_events */
	u32 end_event;
	/** @loaded_words: words of prologue and scrub commands that ran before the stream */
	u32 loaded_words;
	/** @stream_size: bytes of the client's stream */
	u32 stream_size;
	/** @times: its time and cycle stamps */
	struct vivgpu_times times;
	/** @ready_ns: when run_job() made it a ready job; 0 if no queue had a reservation then */
	u64 ready_ns;
	/** @cookie: value that the client gave, returned in records */
	u64 cookie;
	/** @id: its number within the client */
	u32 id;
	/** @flags: DRM_VIVGPU_JOB_* */
	u32 flags;
	/** @alone: it has to be alone in the ring, so that its counts are exact */
	bool alone;
	/** @counts: its counts, valid when it has ended */
	struct vivgpu_job_counts counts;
	/** @sched_initialised: drm_sched_job_init() has succeeded */
	bool sched_initialised;
	/** @powered: it holds a runtime PM reference */
	bool powered;
	/** @ran: run_job() was called; the device's @unfreed_jobs includes the job */
	bool ran;
	/** @free_work: work that frees it after free_job() */
	struct work_struct free_work;
	/** @fence_id: its number in the client's table of fences, or 0 */
	u32 fence_id;
	/** @nr_bos: number of buffers it uses */
	u32 nr_bos;
	/** @bos: the buffers */
	struct vivgpu_job_bo *bos;
	/** @nr_points: number of timestamp points */
	u32 nr_points;
	/** @points: the points */
	struct vivgpu_point *points;
	/** @operations: draws and other operations of the stream; counted if it has points */
	u32 operations;
	/** @nr_counters: number of counters to be read before and after it */
	u32 nr_counters;
	/** @counters: the counters */
	struct vivgpu_counter *counters;
};

#define to_vivgpu_job(job_) container_of(job_, struct vivgpu_job, base)

/* Counters of a job are exact only if no other job is in the ring with it. */
static inline bool vivgpu_job_is_alone(const struct vivgpu_job *job)
{
	return job->nr_counters || job->alone;
}

void vivgpu_job_write_point(struct vivgpu_point *point, u64 ns, u64 cycles);
void vivgpu_job_fail_results(struct vivgpu_job *job);
void vivgpu_job_retire(struct vivgpu_job *job);
bool vivgpu_job_try_free(struct vivgpu_job *job);
void vivgpu_job_free(struct vivgpu_job *job);

#endif
