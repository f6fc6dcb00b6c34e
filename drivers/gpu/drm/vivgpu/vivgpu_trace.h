/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints: stages of a job (submit, run, done), faults and resets.
 */
#if !defined(_VIVGPU_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _VIVGPU_TRACE_H_

#include <linux/tracepoint.h>
#include <linux/types.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_job.h"

#undef TRACE_SYSTEM
#define TRACE_SYSTEM vivgpu

DECLARE_EVENT_CLASS(vivgpu_job,
		    TP_PROTO(const struct vivgpu_job *job),
		    TP_ARGS(job),
		    TP_STRUCT__entry(__field(u64, client)
				     __field(u32, queue)
				     __field(u32, job)
				     __field(u32, bytes)
				     __field(u32, loaded)
				     __field(u32, flags)
				     __field(u64, cookie)
				     __field(u64, started_ns)
				     __field(u64, finished_ns)
				     __field(u64, cycles)),
		    TP_fast_assign(__entry->client = job->client->id;
				   __entry->queue = job->queue_number;
				   __entry->job = job->id;
				   __entry->bytes = job->stream_size;
				   __entry->loaded = job->loaded_words * sizeof(u32);
				   __entry->flags = job->flags;
				   __entry->cookie = job->cookie;
				   __entry->started_ns = job->times.started_ns;
				   __entry->finished_ns = job->times.finished_ns;
				   __entry->cycles = job->times.cycles;),
		    TP_printk("client=%llu queue=%u job=%u bytes=%u loaded=%u flags=%x cookie=%llx ns=%llu cycles=%llu",
			      __entry->client, __entry->queue, __entry->job, __entry->bytes,
			      __entry->loaded, __entry->flags, __entry->cookie,
			      __entry->finished_ns - __entry->started_ns, __entry->cycles)
);

/* A submit call pushed a job to its queue. */
DEFINE_EVENT(vivgpu_job, vivgpu_submit,
	     TP_PROTO(const struct vivgpu_job *job),
	     TP_ARGS(job)
);

/* The job entered the ring. */
DEFINE_EVENT(vivgpu_job, vivgpu_run,
	     TP_PROTO(const struct vivgpu_job *job),
	     TP_ARGS(job)
);

/* The job left the ring; its times are known. */
DEFINE_EVENT(vivgpu_job, vivgpu_done,
	     TP_PROTO(const struct vivgpu_job *job),
	     TP_ARGS(job)
);

/* The core reported an error. */
TRACE_EVENT(vivgpu_fault,
	    TP_PROTO(const struct vivgpu_device *vdev),
	    TP_ARGS(vdev),
	    TP_STRUCT__entry(__field(u32, status)
			     __field(u32, address)),
	    TP_fast_assign(__entry->status = vdev->fault_status;
			   __entry->address = vdev->fault_address;),
	    TP_printk("status=%x address=%08x", __entry->status, __entry->address)
);

/* The core was reset after a fault or a hang, or to end a job. */
TRACE_EVENT(vivgpu_reset,
	    TP_PROTO(const struct vivgpu_device *vdev),
	    TP_ARGS(vdev),
	    TP_STRUCT__entry(__field(u32, resets)
			     __field(bool, dead)),
	    TP_fast_assign(__entry->resets = vdev->resets;
			   __entry->dead = vdev->dead;),
	    TP_printk("resets=%u dead=%d", __entry->resets, __entry->dead)
);

#endif

/* This part must be outside of the protection against being read twice. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE vivgpu_trace
#include <trace/define_trace.h>
