/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Points at which races between processors are possible, and delays there. See vivgpu_stretch.c.
 */
#ifndef _VIVGPU_STRETCH_H_
#define _VIVGPU_STRETCH_H_

#include <linux/types.h>

/**
 * enum vivgpu_stretch_point - places in the driver that can be delayed
 */
enum vivgpu_stretch_point {
	/** @VIVGPU_STRETCH_SUBMIT_QUEUE: a submit has found its queue */
	VIVGPU_STRETCH_SUBMIT_QUEUE,
	/** @VIVGPU_STRETCH_SUBMIT_BO: it has found a buffer, which is not mapped yet */
	VIVGPU_STRETCH_SUBMIT_BO,
	/** @VIVGPU_STRETCH_SUBMIT_COPY: it is about to copy the stream */
	VIVGPU_STRETCH_SUBMIT_COPY,
	/** @VIVGPU_STRETCH_SUBMIT_POWER: it holds a runtime PM reference */
	VIVGPU_STRETCH_SUBMIT_POWER,
	/** @VIVGPU_STRETCH_SUBMIT_RESERVED: it has locked the reservations of its buffers */
	VIVGPU_STRETCH_SUBMIT_RESERVED,
	/** @VIVGPU_STRETCH_SUBMIT_ARMED: its job is armed, and not pushed */
	VIVGPU_STRETCH_SUBMIT_ARMED,
	/** @VIVGPU_STRETCH_SUBMIT_PUSHED: its job is pushed, its buffers are locked */
	VIVGPU_STRETCH_SUBMIT_PUSHED,
	/** @VIVGPU_STRETCH_MODULE_REF: a client's module_ref is made, and not stored */
	VIVGPU_STRETCH_MODULE_REF,
	/** @VIVGPU_STRETCH_MMU_MAP: a buffer has no mapping, and gets one */
	VIVGPU_STRETCH_MMU_MAP,
	/** @VIVGPU_STRETCH_MMU_FREE: a mapping is being freed */
	VIVGPU_STRETCH_MMU_FREE,
	/** @VIVGPU_STRETCH_GEM_TRACK: a buffer is being added to a list (spins) */
	VIVGPU_STRETCH_GEM_TRACK,
	/** @VIVGPU_STRETCH_GEM_FREE: a buffer that is being freed is not purgeable any more */
	VIVGPU_STRETCH_GEM_FREE,
	/** @VIVGPU_STRETCH_GEM_RELEASE: between its DMA unmapping and its end in the list */
	VIVGPU_STRETCH_GEM_RELEASE,
	/** @VIVGPU_STRETCH_GEM_CLOSE: a handle was closed, and counts still */
	VIVGPU_STRETCH_GEM_CLOSE,
	/** @VIVGPU_STRETCH_FENCE_FIND: a fence was found by its number (spins) */
	VIVGPU_STRETCH_FENCE_FIND,
	/** @VIVGPU_STRETCH_QUEUE_LINK: a queue is being removed from the device's list */
	VIVGPU_STRETCH_QUEUE_LINK,
	/** @VIVGPU_STRETCH_QUEUE_WALK: unbind has found a queue in the list, without reference */
	VIVGPU_STRETCH_QUEUE_WALK,
	/** @VIVGPU_STRETCH_QUEUE_CLOSE: a queue takes no jobs, and drops its late ones next */
	VIVGPU_STRETCH_QUEUE_CLOSE,
	/** @VIVGPU_STRETCH_QUEUE_QUERY: a reset query has found a queue (spins) */
	VIVGPU_STRETCH_QUEUE_QUERY,
	/** @VIVGPU_STRETCH_FILE_CLOSE: a file is being closed, its queues are closed */
	VIVGPU_STRETCH_FILE_CLOSE,
	/** @VIVGPU_STRETCH_CLIENT_RELEASE: a client has freed its memory, and is in the list */
	VIVGPU_STRETCH_CLIENT_RELEASE,
	/** @VIVGPU_STRETCH_CLIENT_FIND: a client was found by its number */
	VIVGPU_STRETCH_CLIENT_FIND,
	/** @VIVGPU_STRETCH_RUN: a job is prepared, and does not enter the ring yet */
	VIVGPU_STRETCH_RUN,
	/** @VIVGPU_STRETCH_EMIT: a job is in the ring's words, and in no list of it (spins) */
	VIVGPU_STRETCH_EMIT,
	/** @VIVGPU_STRETCH_IRQ: the interrupt handler is about to take the lock (spins) */
	VIVGPU_STRETCH_IRQ,
	/** @VIVGPU_STRETCH_SIGNAL: the fence of a job signals next (spins) */
	VIVGPU_STRETCH_SIGNAL,
	/** @VIVGPU_STRETCH_SIGNALED: the fence of a job has signalled (spins) */
	VIVGPU_STRETCH_SIGNALED,
	/** @VIVGPU_STRETCH_COUNTERS: the counters of a job were read, and it is not completed */
	VIVGPU_STRETCH_COUNTERS,
	/** @VIVGPU_STRETCH_FREE: a job is about to be freed */
	VIVGPU_STRETCH_FREE,
	/** @VIVGPU_STRETCH_FREED: a job was freed, and still counts */
	VIVGPU_STRETCH_FREED,
	/** @VIVGPU_STRETCH_TIMEOUT: the scheduler is stopped after a timeout or fault */
	VIVGPU_STRETCH_TIMEOUT,
	/** @VIVGPU_STRETCH_RECOVERY: it is known that the core has to be reset */
	VIVGPU_STRETCH_RECOVERY,
	/** @VIVGPU_STRETCH_GUILTY: the guilty job is chosen */
	VIVGPU_STRETCH_GUILTY,
	/** @VIVGPU_STRETCH_RESET: the core was reset, its jobs are in the list still */
	VIVGPU_STRETCH_RESET,
	/** @VIVGPU_STRETCH_UNPLUGGED: the device is unplugged, and has jobs */
	VIVGPU_STRETCH_UNPLUGGED,
	/** @VIVGPU_STRETCH_FAILED: its jobs have failed, and are not freed */
	VIVGPU_STRETCH_FAILED,
	/** @VIVGPU_STRETCH_STOPPED: its core is stopped, and memory is mapped */
	VIVGPU_STRETCH_STOPPED,
	/** @VIVGPU_STRETCH_REVOKED: its clients have no memory, and buffers are mapped */
	VIVGPU_STRETCH_REVOKED,
	/** @VIVGPU_STRETCH_SHRINK: a buffer is unmapped, and has pages */
	VIVGPU_STRETCH_SHRINK,
	/** @VIVGPU_STRETCH_MADVISE: a buffer's advice is set, its place in the list is not */
	VIVGPU_STRETCH_MADVISE,
	/** @VIVGPU_STRETCH_SUSPEND: the front end is stopped, the core counts as awake */
	VIVGPU_STRETCH_SUSPEND,
	/** @VIVGPU_STRETCH_RESUME: the core's power is on, and it is not reset */
	VIVGPU_STRETCH_RESUME,
	/** @VIVGPU_STRETCH_RECORD_PUSH: a record is being written (spins) */
	VIVGPU_STRETCH_RECORD_PUSH,
	/** @VIVGPU_STRETCH_RECORDS_READ: records were copied to a reader and are in the ring */
	VIVGPU_STRETCH_RECORDS_READ,
	/** @VIVGPU_STRETCH_PUBLISH: a stream was found in the list (spins) */
	VIVGPU_STRETCH_PUBLISH,
	/** @VIVGPU_STRETCH_STREAM_FREE: a stream is in no list, and is not freed */
	VIVGPU_STRETCH_STREAM_FREE,
	/** @VIVGPU_STRETCH_RESERVE: a reservation is admitted, and not made */
	VIVGPU_STRETCH_RESERVE,
	/** @VIVGPU_STRETCH_CLIENT_WALK: a new stream gets the record of a client (spins) */
	VIVGPU_STRETCH_CLIENT_WALK,
	/** @VIVGPU_STRETCH_CURSOR: an asynchronous commit has a new state, and staged nothing */
	VIVGPU_STRETCH_CURSOR,
	/** @VIVGPU_STRETCH_FLUSH: a commit has staged its registers, and committed none */
	VIVGPU_STRETCH_FLUSH,
	/** @VIVGPU_STRETCH_POINTS: number of points */
	VIVGPU_STRETCH_POINTS,
};

/**
 * enum vivgpu_stretch_kind - how a place is delayed
 */
enum vivgpu_stretch_kind {
	/** @VIVGPU_STRETCH_SLEEP: in one of eight phases, by a sleep */
	VIVGPU_STRETCH_SLEEP,
	/** @VIVGPU_STRETCH_RARE: in every second phase, by a sleep: no job passes there */
	VIVGPU_STRETCH_RARE,
	/** @VIVGPU_STRETCH_ALWAYS: in all phases, by a sleep: it is passed a few times a minute */
	VIVGPU_STRETCH_ALWAYS,
	/** @VIVGPU_STRETCH_SPIN: in one of eight phases, by a busy wait: it must not sleep */
	VIVGPU_STRETCH_SPIN,
};

u32 vivgpu_stretch_us(u64 seed, enum vivgpu_stretch_point point, u32 phase, u32 pass,
		      enum vivgpu_stretch_kind kind);

#ifdef CONFIG_DRM_VIVGPU_STRETCH
void vivgpu_stretch(enum vivgpu_stretch_point point);
void vivgpu_stretch_rare(enum vivgpu_stretch_point point);
void vivgpu_stretch_recovery(enum vivgpu_stretch_point point);
void vivgpu_stretch_spin(enum vivgpu_stretch_point point);
#else
static inline void vivgpu_stretch(enum vivgpu_stretch_point point)
{
}

static inline void vivgpu_stretch_rare(enum vivgpu_stretch_point point)
{
}

static inline void vivgpu_stretch_recovery(enum vivgpu_stretch_point point)
{
}

static inline void vivgpu_stretch_spin(enum vivgpu_stretch_point point)
{
}
#endif

#endif
