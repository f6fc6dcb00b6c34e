/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * vivgpu: user space interface of the driver for Vivante GC cores.
 *
 * Rules that hold for every call:
 *
 * - All structures have the same layout for 32 and 64 bit callers.
 * - Reserved fields and unknown flags must be zero, or the call gives EINVAL.
 * - A call that fails changed nothing. Its output fields are undefined, but for those whose
 *   comment says otherwise.
 * - Command streams are copied before they are checked. Words that user space
 *   changes after the call have no effect.
 * - EINVAL is a bad argument, ENOENT a handle or number of an object that does not
 *   exist, EPERM a stream with a command or state that is not permitted, EACCES a missing
 *   privilege, EFAULT a bad pointer, ENODEV a device that was unbound or removed.
 *
 * The native calls begin at number 0x20. The numbers below belong to the
 * compatibility layer for etnaviv's user space, whose definitions are in
 * etnaviv_drm.h.
 */
#ifndef _UAPI_VIVGPU_DRM_H_
#define _UAPI_VIVGPU_DRM_H_

#include "drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define DRM_VIVGPU_GET_PARAM		0x20
#define DRM_VIVGPU_BO_CREATE		0x21
#define DRM_VIVGPU_BO_INFO		0x22
#define DRM_VIVGPU_BO_PREP		0x23
#define DRM_VIVGPU_BO_FINI		0x24
#define DRM_VIVGPU_QUEUE_CREATE		0x25
#define DRM_VIVGPU_QUEUE_DESTROY	0x26
#define DRM_VIVGPU_SUBMIT		0x27
#define DRM_VIVGPU_GET_TIME		0x28
#define DRM_VIVGPU_STREAM_OPEN		0x29
#define DRM_VIVGPU_RESET_QUERY		0x2a
#define DRM_VIVGPU_PERF_DOMAIN		0x2b
#define DRM_VIVGPU_PERF_SIGNAL		0x2c
#define DRM_VIVGPU_BO_LABEL		0x2d
#define DRM_VIVGPU_BO_MADVISE		0x2e
#define DRM_VIVGPU_USAGE		0x2f
#define DRM_VIVGPU_BO_MODIFIER		0x30
#define DRM_VIVGPU_JOB_WAIT		0x31

/**
 * enum drm_vivgpu_param - what &drm_vivgpu_get_param.param names
 */
enum drm_vivgpu_param {
	/** @DRM_VIVGPU_PARAM_MODEL: model word, corrected for renamed cores */
	DRM_VIVGPU_PARAM_MODEL = 1,
	/** @DRM_VIVGPU_PARAM_REVISION: revision word, corrected likewise */
	DRM_VIVGPU_PARAM_REVISION = 2,
	/** @DRM_VIVGPU_PARAM_PRODUCT_ID: product word */
	DRM_VIVGPU_PARAM_PRODUCT_ID = 3,
	/** @DRM_VIVGPU_PARAM_CUSTOMER_ID: customer word */
	DRM_VIVGPU_PARAM_CUSTOMER_ID = 4,
	/** @DRM_VIVGPU_PARAM_ECO_ID: change order word */
	DRM_VIVGPU_PARAM_ECO_ID = 5,
	/** @DRM_VIVGPU_PARAM_FEATURES_0: first feature word; the next six follow */
	DRM_VIVGPU_PARAM_FEATURES_0 = 0x10,
	/** @DRM_VIVGPU_PARAM_SPECS_0: first of four specification words, as read */
	DRM_VIVGPU_PARAM_SPECS_0 = 0x20,
	/** @DRM_VIVGPU_PARAM_CORE_CLOCK: clock of the core in Hz at full speed */
	DRM_VIVGPU_PARAM_CORE_CLOCK = 0x30,
	/** @DRM_VIVGPU_PARAM_MAX_POINTS: most timestamp points in one submit */
	DRM_VIVGPU_PARAM_MAX_POINTS = 0x31,
	/** @DRM_VIVGPU_PARAM_MAX_STREAM: most bytes of stream and prologue in one submit */
	DRM_VIVGPU_PARAM_MAX_STREAM = 0x32,
	/** @DRM_VIVGPU_PARAM_TIME_QUANTUM: step of all time stamps in ns */
	DRM_VIVGPU_PARAM_TIME_QUANTUM = 0x33,
	/** @DRM_VIVGPU_PARAM_CYCLE_BITS: bits of the hardware's cycle counter */
	DRM_VIVGPU_PARAM_CYCLE_BITS = 0x34,
	/** @DRM_VIVGPU_PARAM_MAX_COUNTERS: most counters in one submit */
	DRM_VIVGPU_PARAM_MAX_COUNTERS = 0x35,
	/**
	 * @DRM_VIVGPU_PARAM_TIME_UNCERTAINTY: ns by which stamps are late on an
	 * idle machine, at most: the shortest time since the device was bound from
	 * giving a job to the idle GPU to its interrupt; 0 before the first job
	 */
	DRM_VIVGPU_PARAM_TIME_UNCERTAINTY = 0x36,
	/**
	 * @DRM_VIVGPU_PARAM_STREAM_RECORDS: records a stream holds unread, unless it was
	 * opened with another number
	 */
	DRM_VIVGPU_PARAM_STREAM_RECORDS = 0x37,
	/** @DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS: limit of ring_records for this caller */
	DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS = 0x38,
	/** @DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL: smallest exact_interval for this caller */
	DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL = 0x39,
	/** @DRM_VIVGPU_PARAM_DEADLINES: 1: jobs have deadlines and costs, queues budgets */
	DRM_VIVGPU_PARAM_DEADLINES = 0x3a,
	/**
	 * @DRM_VIVGPU_PARAM_BLOCKING: ns; a job without a budget that is assumed to take
	 * longer may be held back for the sake of queues with a budget, and fails with ETIME
	 * if one of their jobs waits for it for longer; changes when such queues come and go
	 */
	DRM_VIVGPU_PARAM_BLOCKING = 0x3b,
	/**
	 * @DRM_VIVGPU_PARAM_NEXT_VBLANK: CLOCK_MONOTONIC in ns, when the display begins
	 * its next vertical blank; 0 if it is off or this device has none
	 */
	DRM_VIVGPU_PARAM_NEXT_VBLANK = 0x3c,
	/** @DRM_VIVGPU_PARAM_VBLANK_PERIOD: ns between two vertical blanks, or 0 likewise */
	DRM_VIVGPU_PARAM_VBLANK_PERIOD = 0x3d,
	/**
	 * @DRM_VIVGPU_PARAM_MAX_PIECE: ns; user space that predicts a longer job for a queue
	 * without a budget should submit it in parts: DRM_VIVGPU_PARAM_BLOCKING while a queue
	 * has a budget, otherwise 0, which is no limit
	 */
	DRM_VIVGPU_PARAM_MAX_PIECE = 0x3e,
	/**
	 * @DRM_VIVGPU_PARAM_PROGRESS: 1: queues have &drm_vivgpu_queue_create.progress, and
	 * there is DRM_IOCTL_VIVGPU_JOB_WAIT
	 */
	DRM_VIVGPU_PARAM_PROGRESS = 0x3f,
	/** @DRM_VIVGPU_PARAM_BOUNDS: 1: jobs have &drm_vivgpu_submit.bound_ns */
	DRM_VIVGPU_PARAM_BOUNDS = 0x40,
};

/**
 * struct drm_vivgpu_get_param - read one parameter of the device
 *
 * Most are constant. Blocking, largest piece and time uncertainty change, and the next blank.
 */
struct drm_vivgpu_get_param {
	/** @param: in, one of &enum drm_vivgpu_param */
	__u32 param;
	/** @pad: zero */
	__u32 pad;
	/** @value: out */
	__u64 value;
};

/* The CPU mapping is cached instead of write-combined. */
#define DRM_VIVGPU_BO_CACHED		(1 << 0)
/* The buffer can become a framebuffer: it is one piece of memory, or ENOMEM. */
#define DRM_VIVGPU_BO_SCANOUT		(1 << 1)

/**
 * struct drm_vivgpu_bo_create - allocate memory
 */
struct drm_vivgpu_bo_create {
	/** @size: in, bytes, rounded up to pages */
	__u64 size;
	/** @flags: in, DRM_VIVGPU_BO_CACHED or DRM_VIVGPU_BO_SCANOUT, not both */
	__u32 flags;
	/** @handle: out */
	__u32 handle;
};

/**
 * struct drm_vivgpu_bo_info - addresses of a buffer
 */
struct drm_vivgpu_bo_info {
	/** @handle: in */
	__u32 handle;
	/** @pad: zero */
	__u32 pad;
	/** @offset: out, for mmap() of the device file */
	__u64 offset;
	/** @size: out, bytes */
	__u64 size;
	/** @va: out, address in the GPU's address space of this open file */
	__u64 va;
};

#define DRM_VIVGPU_PREP_READ		(1 << 0)
#define DRM_VIVGPU_PREP_WRITE		(1 << 1)

/**
 * struct drm_vivgpu_bo_prep - wait until the CPU may access a buffer
 *
 * Gives ETIMEDOUT if the GPU still works on it when the time is up.
 */
struct drm_vivgpu_bo_prep {
	/** @handle: in */
	__u32 handle;
	/** @op: in, DRM_VIVGPU_PREP_READ, DRM_VIVGPU_PREP_WRITE */
	__u32 op;
	/** @timeout_ns: in, absolute time of CLOCK_MONOTONIC; 0: do not wait */
	__s64 timeout_ns;
};

/**
 * struct drm_vivgpu_bo_fini - end the CPU access begun by BO_PREP
 */
struct drm_vivgpu_bo_fini {
	/** @handle: in */
	__u32 handle;
	/** @pad: zero */
	__u32 pad;
};

/* Most bytes of a label, without a terminating zero. */
#define DRM_VIVGPU_LABEL_MAX		63

/**
 * struct drm_vivgpu_bo_label - give a buffer a name
 *
 * It appears in debugfs and in dumps of faults. It belongs to the buffer: all
 * who share the buffer share its label.
 */
struct drm_vivgpu_bo_label {
	/** @handle: in */
	__u32 handle;
	/** @length: in, bytes, at most DRM_VIVGPU_LABEL_MAX; 0 removes it */
	__u32 length;
	/** @label: in, pointer to the bytes; none may be zero */
	__u64 label;
};

/* Set the modifier; without it the call reads it. */
#define DRM_VIVGPU_MODIFIER_SET		(1 << 0)

/**
 * struct drm_vivgpu_bo_modifier - set or read the layout of a buffer's picture
 *
 * The modifier of framebuffers that are made of the buffer without a modifier
 * (ADDFB, or ADDFB2 without DRM_MODE_FB_MODIFIERS), and information for those who
 * import the buffer without one. It belongs to the buffer: all who share the
 * buffer share its modifier. Framebuffers that exist keep theirs.
 *
 * EINVAL: the display cannot show this layout. EOPNOTSUPP, only when set: the
 * device has no display.
 */
struct drm_vivgpu_bo_modifier {
	/** @handle: in */
	__u32 handle;
	/** @flags: in, DRM_VIVGPU_MODIFIER_SET or 0 */
	__u32 flags;
	/** @modifier: in or out, DRM_FORMAT_MOD_*; at first DRM_FORMAT_MOD_LINEAR */
	__u64 modifier;
};

/* The buffer's contents are needed. */
#define DRM_VIVGPU_MADV_WILLNEED	0
/* The kernel may purge them when memory is short. */
#define DRM_VIVGPU_MADV_DONTNEED	1

/**
 * struct drm_vivgpu_bo_madvise - set whether a buffer's contents are needed
 *
 * A buffer is purged only while no job uses it. After that each use of it
 * fails with EFAULT (a submit) or SIGBUS (the CPU).
 * DRM_VIVGPU_MADV_WILLNEED does not bring it back: close it and allocate another.
 * A buffer that is shared or for scan-out is never purged.
 */
struct drm_vivgpu_bo_madvise {
	/** @handle: in */
	__u32 handle;
	/** @madv: in, DRM_VIVGPU_MADV_* */
	__u32 madv;
	/** @retained: out, 1 if the contents are still there, 0 if they are lost */
	__u32 retained;
	/** @pad: zero */
	__u32 pad;
};

#define DRM_VIVGPU_PRIORITY_LOW		0
#define DRM_VIVGPU_PRIORITY_NORMAL	1
/* Needs CAP_SYS_NICE. */
#define DRM_VIVGPU_PRIORITY_HIGH	2

/* Why a budget is refused: all of them together are more than the GPU's time. */
#define DRM_VIVGPU_REFUSED_UTILISATION	1
/* Since jobs are not preempted, one could make another miss its deadline. */
#define DRM_VIVGPU_REFUSED_BLOCKING	2
/* There are too many queues with a budget. */
#define DRM_VIVGPU_REFUSED_COUNT	3
/* The periods are so different that the test would take too long. */
#define DRM_VIVGPU_REFUSED_EFFORT	4

/**
 * struct drm_vivgpu_queue_create - a queue of jobs that start in order
 *
 * The GPU keeps no state for a client. The prologue is a stream that loads the
 * state that the queue's jobs rely on. It runs before a job if another queue's
 * job ran since this queue's last one, or after a reset. It may load state only:
 * draws, and states that start an operation, are refused with EPERM. States that it does
 * not load have the values that this client's own jobs wrote, or zero; never those of
 * another client. An open file has at most 64 queues, or ENOSPC.
 */
struct drm_vivgpu_queue_create {
	/** @priority: in, DRM_VIVGPU_PRIORITY_* */
	__u32 priority;
	/** @flags: in, zero */
	__u32 flags;
	/** @prologue: in, pointer to the prologue's words */
	__u64 prologue;
	/** @prologue_size: in, bytes, a multiple of 8, at most half of MAX_STREAM; may be 0 */
	__u32 prologue_size;
	/** @queue: out */
	__u32 queue;
	/**
	 * @budget_ns: in, GPU time in each period that the queue is promised; 0 for a
	 * best-effort queue. Needs CAP_SYS_NICE. Jobs that come at most @period_ns apart and
	 * take at most the budget together, prologues included, end within @period_ns. If
	 * the promise cannot be given, the call fails with EBUSY, and @reason says why; with
	 * EDQUOT if it could, and the caller's cgroup or one above it may not have that much:
	 * @budget_ns with the 0.1 ms that are added to it, divided by @period_ns, is charged to
	 * the region reserved-ppm of the dmem controller in parts per million, and at least 1/64
	 * of that region, until the time is free for others.
	 */
	__u64 budget_ns;
	/** @period_ns: in, 1 ms to 1 s; 0 for a best-effort queue */
	__u64 period_ns;
	/** @reason: out, with EBUSY, too: DRM_VIVGPU_REFUSED_*, or 0 */
	__u32 reason;
	/**
	 * @progress: in, handle of a buffer of this device, or 0. Its 32 bit word with the
	 * index @queue gets the number (&drm_vivgpu_submit.job) of each job that has ended,
	 * before the job's fence signals. Jobs of a queue end in the order of their numbers,
	 * so a job has ended if the word less its number, as a signed number, is not negative.
	 */
	__u32 progress;
};

/**
 * struct drm_vivgpu_queue_destroy - no more jobs on this queue
 *
 * Jobs submitted before still run. The call waits until they have started, or until none of them
 * has for 1 s; those that have not fail with ESRCH. Another queue can get the number, and they then
 * count as ended for its &drm_vivgpu_queue_create.progress and for DRM_IOCTL_VIVGPU_JOB_WAIT.
 */
struct drm_vivgpu_queue_destroy {
	/** @queue: in */
	__u32 queue;
	/** @pad: zero */
	__u32 pad;
};

/**
 * struct drm_vivgpu_job_wait - wait until a job of this client has ended
 *
 * Gives ETIMEDOUT if it has not when the time is up, and EINVAL if the queue's last job
 * has a smaller number. Jobs of a queue that is destroyed meanwhile count as ended.
 */
struct drm_vivgpu_job_wait {
	/** @queue: in */
	__u32 queue;
	/** @job: in, its number, &drm_vivgpu_submit.job */
	__u32 job;
	/**
	 * @timeout_ns: in, absolute time of CLOCK_MONOTONIC; 0: do not wait; the largest
	 * number: wait without a limit
	 */
	__s64 timeout_ns;
};

#define DRM_VIVGPU_SUBMIT_BO_READ	(1 << 0)
#define DRM_VIVGPU_SUBMIT_BO_WRITE	(1 << 1)

/**
 * struct drm_vivgpu_submit_bo - a buffer that a job uses
 */
struct drm_vivgpu_submit_bo {
	/** @handle: in, each buffer at most once */
	__u32 handle;
	/** @flags: in, DRM_VIVGPU_SUBMIT_BO_* */
	__u32 flags;
};

/**
 * struct drm_vivgpu_piece - a part of a job's command stream
 */
struct drm_vivgpu_piece {
	/** @words: in, pointer */
	__u64 words;
	/** @size: in, bytes, a multiple of 8 */
	__u32 size;
	/** @pad: zero */
	__u32 pad;
};

/**
 * struct drm_vivgpu_sync - a sync object, or a point of its timeline
 */
struct drm_vivgpu_sync {
	/** @handle: in */
	__u32 handle;
	/** @pad: zero */
	__u32 pad;
	/** @point: in, 0 for a binary sync object */
	__u64 point;
};

/* Give a record of type DRM_VIVGPU_RECORD_MARK as well. */
#define DRM_VIVGPU_POINT_MARK		(1 << 0)
/* Write to no buffer; bo_index and bo_offset are zero. Needs the flag above. */
#define DRM_VIVGPU_POINT_NO_BO		(1 << 1)

/**
 * struct drm_vivgpu_point - a timestamp point
 *
 * User space leaves an 8 byte NOP in the stream. When the GPU has finished all
 * work before it, two 64 bit numbers are written to the buffer: the time of
 * CLOCK_MONOTONIC in ns, and the core's cycles. After a reset in between both
 * are all ones.
 */
struct drm_vivgpu_point {
	/** @stream_offset: in, of the NOP, in bytes from the first piece's start */
	__u32 stream_offset;
	/** @bo_index: in, index in the submit's list of buffers; not one of another device */
	__u32 bo_index;
	/** @bo_offset: in, bytes, a multiple of 8 */
	__u64 bo_offset;
	/** @cookie: in, user space's name for the point, for its record */
	__u64 cookie;
	/** @flags: in, DRM_VIVGPU_POINT_* */
	__u32 flags;
	/** @pad: zero */
	__u32 pad;
};

/**
 * struct drm_vivgpu_counter - count what a job does
 *
 * The counts are exact: the job starts after all earlier jobs have ended and these
 * counters were read, and later jobs start after they were read again. The count of
 * the job is written to the buffer as a 64 bit number before the job's fence signals;
 * it is all ones if the job failed. A count of 2^32 or more is wrong by a multiple of
 * that: the hardware's counters have DRM_VIVGPU_PARAM_CYCLE_BITS bits.
 */
struct drm_vivgpu_counter {
	/** @domain: in, as in &drm_vivgpu_perf_domain */
	__u32 domain;
	/** @signal: in, as in &drm_vivgpu_perf_signal */
	__u32 signal;
	/** @bo_index: in, index in the submit's list of buffers */
	__u32 bo_index;
	/** @flags: in, zero */
	__u32 flags;
	/** @bo_offset: in, bytes, a multiple of 8 */
	__u64 bo_offset;
};

/* Order with other users of the buffers, as their reservations say. */
#define DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC	(1 << 0)
/* Wait for the sync_file in fence_fd. */
#define DRM_VIVGPU_SUBMIT_FENCE_FD_IN	(1 << 1)
/* Return a sync_file in fence_fd. */
#define DRM_VIVGPU_SUBMIT_FENCE_FD_OUT	(1 << 2)
/* Store the time of the call's end in left_ns, also on failure. */
#define DRM_VIVGPU_SUBMIT_LEFT_NS	(1 << 3)

/**
 * struct drm_vivgpu_submit - queue a job
 *
 * A submit without pieces, points and counters is an event: it waits for its
 * fences and the jobs before it, and signals.
 */
struct drm_vivgpu_submit {
	/** @queue: in */
	__u32 queue;
	/** @flags: in, DRM_VIVGPU_SUBMIT_* */
	__u32 flags;
	/** @pieces: in, array of &struct drm_vivgpu_piece */
	__u64 pieces;
	/** @bos: in, array of &struct drm_vivgpu_submit_bo */
	__u64 bos;
	/** @in_syncs: in, array of &struct drm_vivgpu_sync to wait for */
	__u64 in_syncs;
	/** @out_syncs: in, array of &struct drm_vivgpu_sync to signal */
	__u64 out_syncs;
	/** @points: in, array of &struct drm_vivgpu_point, in order of their offsets */
	__u64 points;
	/** @counters: in, array of &struct drm_vivgpu_counter */
	__u64 counters;
	/** @nr_pieces: in */
	__u32 nr_pieces;
	/** @nr_bos: in */
	__u32 nr_bos;
	/** @nr_in_syncs: in */
	__u32 nr_in_syncs;
	/** @nr_out_syncs: in */
	__u32 nr_out_syncs;
	/** @nr_points: in, at most DRM_VIVGPU_PARAM_MAX_POINTS */
	__u32 nr_points;
	/** @nr_counters: in, at most DRM_VIVGPU_PARAM_MAX_COUNTERS */
	__u32 nr_counters;
	/** @fence_fd: in and out, by flags */
	__s32 fence_fd;
	/** @job: out, the job's number, as in records */
	__u32 job;
	/** @cookie: in, user space's name for the job, returned in records */
	__u64 cookie;
	/**
	 * @entered_ns: out, also on failure: when the call was entered, CLOCK_MONOTONIC;
	 * submitted_ns of the job's record
	 */
	__u64 entered_ns;
	/** @left_ns: out, by a flag: when the call ended */
	__u64 left_ns;
	/**
	 * @deadline_ns: in, when the job shall have ended, CLOCK_MONOTONIC; 0: no matter. A
	 * hint: on a best-effort queue jobs with early deadlines are preferred as long as
	 * that is fair. Jobs that this one waits for inherit it.
	 */
	__u64 deadline_ns;
	/**
	 * @cost_ns: in, predicted GPU time of the job; 0: not known. Not trusted: if a queue's
	 * jobs take longer than predicted, the kernel expects the same of later ones.
	 */
	__u64 cost_ns;
	/**
	 * @bound_ns: in, GPU time that the job will not exceed, as far as user space can tell;
	 * 0: not known. The kernel assumes the larger one of it and of what it expects from
	 * @cost_ns and earlier jobs, so it can only make a job count as longer. Alone it does
	 * not make a job of a queue with a budget longer than the budget.
	 */
	__u64 bound_ns;
	/**
	 * @max_piece_ns: out, DRM_VIVGPU_PARAM_MAX_PIECE when the job got into its queue, so that
	 * user space need not ask for it again and again; not changed on failure, and by older
	 * kernels
	 */
	__u64 max_piece_ns;
};

/* What a counter counts; @drm_vivgpu_perf_signal.unit */
#define DRM_VIVGPU_UNIT_COUNT		0
#define DRM_VIVGPU_UNIT_CYCLES		1
#define DRM_VIVGPU_UNIT_BYTES		2

/**
 * struct drm_vivgpu_perf_domain - name a block of the core that has counters
 *
 * Domains are numbered from 0 without gaps; the call gives ENOENT past the
 * last. Numbers and names do not change between versions of the driver.
 */
struct drm_vivgpu_perf_domain {
	/** @domain: in */
	__u32 domain;
	/** @nr_signals: out */
	__u32 nr_signals;
	/** @name: out, "HI", "FE", "PE", "SH", "PA", "SE", "RA", "TX", "MC" */
	char name[24];
};

/**
 * struct drm_vivgpu_perf_signal - name a counter
 *
 * Signals of a domain are numbered from 0 without gaps; the call gives ENOENT
 * after the last.
 */
struct drm_vivgpu_perf_signal {
	/** @domain: in */
	__u32 domain;
	/** @signal: in */
	__u32 signal;
	/** @unit: out, DRM_VIVGPU_UNIT_* */
	__u32 unit;
	/** @scale: out, a count times this is in @unit */
	__u32 scale;
	/** @name: out */
	char name[48];
};

/**
 * struct drm_vivgpu_get_time - read the CPU's and the GPU's clock together
 */
struct drm_vivgpu_get_time {
	/** @cpu_ns: out, CLOCK_MONOTONIC when the GPU's clock was read */
	__u64 cpu_ns;
	/** @gpu_cycles: out, cycles of the core, extended to 64 bit */
	__u64 gpu_cycles;
	/** @uncertainty_ns: out, @cpu_ns is at most this far from the true time */
	__u64 uncertainty_ns;
	/** @flags: in, zero */
	__u64 flags;
};

/* Record types, and their bits in drm_vivgpu_stream_open.types. */
#define DRM_VIVGPU_RECORD_JOB		1
#define DRM_VIVGPU_RECORD_FAULT		2
#define DRM_VIVGPU_RECORD_RESET		3
/* A submit without commands completed; the fields are those of a job. */
#define DRM_VIVGPU_RECORD_EVENT		4
/* A timestamp point with DRM_VIVGPU_POINT_MARK. */
#define DRM_VIVGPU_RECORD_MARK		5
/* A display began a vertical blank. */
#define DRM_VIVGPU_RECORD_VBLANK	6
/* A display shows another picture from now on. */
#define DRM_VIVGPU_RECORD_FLIP		7
/* The device file was opened, or was open when the stream was opened. */
#define DRM_VIVGPU_RECORD_CLIENT_OPEN	8
/* A client's file was closed and its last job has ended. */
#define DRM_VIVGPU_RECORD_CLIENT_CLOSE	9
#define DRM_VIVGPU_RECORD_BIT(type)	(1u << (type))

/* Records of all clients; needs CAP_PERFMON. */
#define DRM_VIVGPU_STREAM_ALL		(1 << 0)
/* Be the one exclusive sampler, or fail with EBUSY. Needs CAP_PERFMON. */
#define DRM_VIVGPU_STREAM_EXCLUSIVE	(1 << 1)
/*
 * Job records have counts of vertices, primitives and fragments. Counting goes on while a
 * stream with this flag is open.
 */
#define DRM_VIVGPU_STREAM_COUNTS	(1 << 2)

/* Size of a record for callers that name none; the fields up to @drm_vivgpu_record.reserved */
#define DRM_VIVGPU_RECORD_SIZE_0	128

/**
 * struct drm_vivgpu_stream_open - open a stream of records
 *
 * The first version of this structure had 16 bytes. For callers that pass only these, the kernel
 * takes the other fields as zero.
 */
struct drm_vivgpu_stream_open {
	/** @flags: in, DRM_VIVGPU_STREAM_* */
	__u32 flags;
	/** @types: in, DRM_VIVGPU_RECORD_BIT() of each type wanted */
	__u32 types;
	/** @fd: out, read() gives whole &struct drm_vivgpu_record of @record_size bytes */
	__s32 fd;
	/** @pad: zero */
	__u32 pad;
	/**
	 * @ring_records: in, unread records that the stream shall hold, 0 for
	 * DRM_VIVGPU_PARAM_STREAM_RECORDS; out, what it holds: the next power of two, at most
	 * DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS of the caller
	 */
	__u32 ring_records;
	/**
	 * @wakeup_records: in, number of unread records from which on poll() reports the
	 * stream as readable and a blocking read() returns; 0 and 1: each; at most
	 * @ring_records as returned, or EINVAL. A non-blocking read() returns what there is,
	 * so a reader can limit its delay by a time-out of poll().
	 */
	__u32 wakeup_records;
	/**
	 * @record_size: in, bytes of the largest record that the caller knows, at least 128,
	 * or 0 for 128; out, the size of all records of this stream, not larger than that
	 */
	__u32 record_size;
	/**
	 * @exact_interval: in, with DRM_VIVGPU_STREAM_COUNTS: one of every
	 * exact_interval jobs of the stream's clients runs alone, so that its counts are exact;
	 * 0: none. A value below DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL gives EACCES.
	 */
	__u32 exact_interval;
};

/* The next job may already have run before this one's counters were read. */
#define DRM_VIVGPU_JOB_OVERLAPPED	(1 << 0)
/* The job did not complete; its times, cycles and counts are not valid. */
#define DRM_VIVGPU_JOB_FAILED		(1 << 1)
/* State was loaded before the job: the core had run another queue's, or was reset. */
#define DRM_VIVGPU_JOB_PROLOGUE		(1 << 2)
/* The job ran alone on the core, so that its counters could be read. */
#define DRM_VIVGPU_JOB_COUNTED		(1 << 3)
/* The record's vertices, primitives and fragments are valid. */
#define DRM_VIVGPU_JOB_COUNTS		(1 << 4)
/*
 * They are of this job alone. Without this flag they were counted from the end of the job
 * before it to its own end, and jobs next to it may have parts of each other's counts; sums
 * over consecutive jobs have none of this error.
 */
#define DRM_VIVGPU_JOB_COUNTS_EXACT	(1 << 5)

/* The job ended after its deadline. */
#define DRM_VIVGPU_JOB_MISSED		(1 << 6)
/* The job took longer than the kernel assumed from its cost, or from earlier jobs. */
#define DRM_VIVGPU_JOB_OVERRUN		(1 << 7)
/* The job ran on the budget of a queue: its own, or that of a job that waited for it. */
#define DRM_VIVGPU_JOB_RESERVED		(1 << 8)
/*
 * The job ended after the deadline that the budget had when the job entered the ring: a missed
 * promise, unless the job, or others of its queue, took longer than assumed. With
 * DRM_VIVGPU_JOB_MISSED alone it only missed its own deadline, which is a hint.
 */
#define DRM_VIVGPU_JOB_MISSED_BUDGET	(1 << 9)
/* What was assumed of the job's length is more than without &drm_vivgpu_submit.bound_ns. */
#define DRM_VIVGPU_JOB_BOUND_PREDICTED	(1 << 10)

/* The client existed when the stream was opened; time_ns is when it was opened itself. */
#define DRM_VIVGPU_CLIENT_EXISTING	(1 << 0)

/**
 * struct drm_vivgpu_record - an event, as read from a stream
 *
 * It grows at its end. Readers find the next record by @size.
 */
struct drm_vivgpu_record {
	/** @type: DRM_VIVGPU_RECORD_* */
	__u16 type;
	/** @size: bytes of this record, the same for all records of a stream */
	__u16 size;
	/** @sequence: one more than the last one's; a gap is a loss */
	__u32 sequence;
	/**
	 * @time_ns: CLOCK_MONOTONIC of the event; vblank, flip: of the vertical sync
	 * pulse, before the first pixel, whose time DRM's own events have
	 */
	__u64 time_ns;
	/** @cycles: cycles of the core at the event */
	__u64 cycles;
	/** @client: number of the client, as drm-client-id in fdinfo; 0 if there is none */
	__u64 client;
	/** @submitted_ns: job: when the submit call was entered */
	__u64 submitted_ns;
	/** @queued_ns: job: when the kernel wrote it to the GPU's ring */
	__u64 queued_ns;
	/** @started_ns: job: when the GPU began with it */
	__u64 started_ns;
	/** @finished_ns: job: when its interrupt was handled */
	__u64 finished_ns;
	/** @job_cycles: job: cycles between start and finish */
	__u64 job_cycles;
	/** @cookie: job, mark: user space's name for it */
	__u64 cookie;
	/** @stream_size: job: bytes of its stream */
	__u32 stream_size;
	/**
	 * @flags: job: DRM_VIVGPU_JOB_*; fault: the MMU's status, 0 if it was not the MMU;
	 * client: DRM_VIVGPU_CLIENT_*
	 */
	__u32 flags;
	/** @fault_address: fault: the address that was not mapped */
	__u64 fault_address;
	/** @vblank: vblank, flip: number of the vertical blank */
	__u64 vblank;
	/** @crtc: vblank, flip: the display's index */
	__u32 crtc;
	/** @fb: flip: number of the frame buffer shown from now on */
	__u32 fb;
	/** @queue: job: number of its queue, 0 for etnaviv's calls */
	__u32 queue;
	/** @prologue_size: job: bytes that loaded state before it */
	__u32 prologue_size;
	/** @job: the job's number, 0 if the record is not of a job */
	__u32 job;
	/** @reserved: zero */
	__u32 reserved;
	/** @vertices: job: vertices that entered primitive assembly, without reuse */
	__u64 vertices;
	/** @primitives: job: primitives that entered the rasteriser, after clipping and culling */
	__u64 primitives;
	/** @fragments: job: fragments that were shaded */
	__u64 fragments;
	/** @name: client: the process that opened it, as in /proc/PID/comm; ends with a zero */
	char name[16];
	/** @pid: client: that process; 0 unless the stream is one of all clients */
	__u32 pid;
	/** @spare: zero */
	__u32 spare[5];
	/** @deadline_ns: job: its deadline, or that of the budget it ran on; 0 if it had none */
	__u64 deadline_ns;
	/** @cost_ns: job: predicted GPU time, 0 if there was no prediction */
	__u64 cost_ns;
	/**
	 * @ready_ns: job: when it had waited for all fences, so that it could be selected; 0 if
	 * no queue had a budget then
	 */
	__u64 ready_ns;
	/**
	 * @held_ns: job: when it was first held back: not let into the ring, since it could have
	 * delayed others beyond what they are promised; 0 if it never was
	 */
	__u64 held_ns;
	/**
	 * @bound_ns: job: bound of its length, with the time between two jobs, that was assumed
	 * when it entered the ring; 0 if there were neither budgets nor deadlines then
	 */
	__u64 bound_ns;
};

/**
 * struct drm_vivgpu_reset_query - what resets did to this open file
 */
struct drm_vivgpu_reset_query {
	/** @guilty: out, jobs of the queue, or of this file, that caused a reset */
	__u32 guilty;
	/** @resets: out, all resets of the device since it was bound */
	__u32 resets;
	/** @queue: in, a queue of this file, or 0 for the whole file */
	__u32 queue;
	/** @flags: in, zero */
	__u32 flags;
};

/* Totals of the client with the number in client; needs CAP_PERFMON unless it is the caller. */
#define DRM_VIVGPU_USAGE_CLIENT		(1 << 0)
/* Totals of all clients, closed ones too; needs CAP_PERFMON. */
#define DRM_VIVGPU_USAGE_DEVICE		(1 << 1)

/**
 * struct drm_vivgpu_usage - totals since the client's file was opened or the device was bound
 *
 * Without a flag the totals are the caller's. All are of one moment, and none depends on
 * streams being read: what a full stream has lost is in them. Submits without commands count
 * in @submitted, @finished, @failed and @events only.
 *
 * Jobs are counted in @vertices, @primitives and @fragments while a stream with
 * DRM_VIVGPU_STREAM_COUNTS is open. A client's counts are of those jobs only that shared no
 * interval with another client's; the device's are of all, and of work of jobs that failed.
 */
struct drm_vivgpu_usage {
	/** @flags: in, DRM_VIVGPU_USAGE_CLIENT, DRM_VIVGPU_USAGE_DEVICE, or zero */
	__u32 flags;
	/** @clients: out, clients that the totals are of and that exist now */
	__u32 clients;
	/** @client: in, with DRM_VIVGPU_USAGE_CLIENT, else zero; out, 0 for the device */
	__u64 client;
	/** @time_ns: out, CLOCK_MONOTONIC of the snapshot */
	__u64 time_ns;
	/** @submitted: out, jobs that were submitted */
	__u64 submitted;
	/** @finished: out, of these: that are over, completed or failed */
	__u64 finished;
	/** @failed: out, of these: that failed */
	__u64 failed;
	/** @events: out, of the finished ones: submits without commands */
	__u64 events;
	/** @engine_ns: out, time in which the core ran jobs, with the running one so far */
	__u64 engine_ns;
	/** @cycles: out, cycles in that time, of the running job at the core's nominal rate */
	__u64 cycles;
	/** @counted_jobs: out, jobs whose counts are in the following three */
	__u64 counted_jobs;
	/** @vertices: out, as in &struct drm_vivgpu_record */
	__u64 vertices;
	/** @primitives: out, likewise */
	__u64 primitives;
	/** @fragments: out, likewise */
	__u64 fragments;
	/** @exact_jobs: out, of the counted jobs: with exact counts */
	__u64 exact_jobs;
	/** @lost_records: out, records that streams opened by the client, or all, have dropped */
	__u64 lost_records;
};

#define DRM_IOCTL_VIVGPU_GET_PARAM \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_GET_PARAM, struct drm_vivgpu_get_param)
#define DRM_IOCTL_VIVGPU_BO_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_BO_CREATE, struct drm_vivgpu_bo_create)
#define DRM_IOCTL_VIVGPU_BO_INFO \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_BO_INFO, struct drm_vivgpu_bo_info)
#define DRM_IOCTL_VIVGPU_BO_PREP \
	DRM_IOW(DRM_COMMAND_BASE + DRM_VIVGPU_BO_PREP, struct drm_vivgpu_bo_prep)
#define DRM_IOCTL_VIVGPU_BO_FINI \
	DRM_IOW(DRM_COMMAND_BASE + DRM_VIVGPU_BO_FINI, struct drm_vivgpu_bo_fini)
#define DRM_IOCTL_VIVGPU_QUEUE_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_QUEUE_CREATE, struct drm_vivgpu_queue_create)
#define DRM_IOCTL_VIVGPU_QUEUE_DESTROY \
	DRM_IOW(DRM_COMMAND_BASE + DRM_VIVGPU_QUEUE_DESTROY, struct drm_vivgpu_queue_destroy)
#define DRM_IOCTL_VIVGPU_SUBMIT \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_SUBMIT, struct drm_vivgpu_submit)
#define DRM_IOCTL_VIVGPU_GET_TIME \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_GET_TIME, struct drm_vivgpu_get_time)
#define DRM_IOCTL_VIVGPU_STREAM_OPEN \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_STREAM_OPEN, struct drm_vivgpu_stream_open)
#define DRM_IOCTL_VIVGPU_RESET_QUERY \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_RESET_QUERY, struct drm_vivgpu_reset_query)
#define DRM_IOCTL_VIVGPU_PERF_DOMAIN \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_PERF_DOMAIN, struct drm_vivgpu_perf_domain)
#define DRM_IOCTL_VIVGPU_PERF_SIGNAL \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_PERF_SIGNAL, struct drm_vivgpu_perf_signal)
#define DRM_IOCTL_VIVGPU_BO_LABEL \
	DRM_IOW(DRM_COMMAND_BASE + DRM_VIVGPU_BO_LABEL, struct drm_vivgpu_bo_label)
#define DRM_IOCTL_VIVGPU_BO_MADVISE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_BO_MADVISE, struct drm_vivgpu_bo_madvise)

#define DRM_IOCTL_VIVGPU_USAGE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_USAGE, struct drm_vivgpu_usage)
#define DRM_IOCTL_VIVGPU_BO_MODIFIER \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_BO_MODIFIER, struct drm_vivgpu_bo_modifier)
#define DRM_IOCTL_VIVGPU_JOB_WAIT \
	DRM_IOW(DRM_COMMAND_BASE + DRM_VIVGPU_JOB_WAIT, struct drm_vivgpu_job_wait)

#if defined(__cplusplus)
}
#endif

#endif
