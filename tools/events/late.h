/* SPDX-License-Identifier: MIT */
/* Why a job ended after its deadline, from the records of a recording alone. */
#ifndef VIVGPU_TOOLS_LATE_H
#define VIVGPU_TOOLS_LATE_H

#include <stdio.h>

#include "recording.h"

/** What a job did in a part of the time from its submit to its end */
enum late_cause {
	/** Waited for fences; the job is the last one of another queue that ended meanwhile */
	LATE_DEPENDENCY,
	/** A job ran that was submitted to the same queue before */
	LATE_OWN_QUEUE,
	/** A reserved job with an earlier deadline ran, or one with the same */
	LATE_EARLIER_DEADLINE,
	/** A job ran that was in the ring before this one could be selected */
	LATE_BLOCKED,
	/** Another job was selected although this one waited */
	LATE_PASSED,
	/** Held back by the scheduler while the GPU was idle */
	LATE_HELD,
	/** The core was reset; the job is the one that failed */
	LATE_RECOVERY,
	/** Nothing ran: latency of interrupts, timers and threads */
	LATE_IDLE,
	/** Nothing ran, and the record does not say whether it could have started */
	LATE_WAITED,
	/** It ran, for not more than its predicted cost if there is one */
	LATE_RAN,
	/** It ran for longer than that; the latency of its interrupt is a part of it */
	LATE_LONGER,
	LATE_CAUSES
};

struct late_part {
	enum late_cause cause;
	uint64_t time_ns;
	/** Whose time it was; NULL if no job's */
	const struct job *job;
};

#define LATE_PARTS 64

/** The chain of a late job, in order of time; the parts' sum is its time from submit to end */
struct late {
	const struct job *job;
	/** From its deadline to its end; 0 if it missed only that of its budget */
	uint64_t late_ns;
	struct late_part parts[LATE_PARTS];
	unsigned int count;
	/**
	 * Index of the longest part but LATE_RAN; of that if it alone exceeds submit to deadline,
	 * or is the only part
	 */
	unsigned int main;
};

/**
 * late_explain - explain why a job was late
 * @recording: jobs in the order of their ends
 * @job: one of these
 * @late: out
 *
 * Returns false if the job was not late. Parts beyond LATE_PARTS are added to the last one.
 */
bool late_explain(const struct recording *recording, const struct job *job, struct late *late);

/** From the vertical blank after which a compositor began with a frame to its flip; ns */
struct response {
	/** From the last vertical blank before its first submit to that submit: wake-up and CPU */
	uint64_t cpu_ns;
	/** From there to the end of its last job */
	uint64_t gpu_ns;
	/** From there to the flip */
	uint64_t display_ns;
};

/**
 * late_response - the response time of a frame
 * @recording: sorted by recording_sort()
 * @flip: a span of a flip
 * @response: out
 *
 * The frame's jobs are those that the flip's client submitted since its last flip on the same
 * display, or since the recording's start, if they ended before this one.
 *
 * Returns false if there are no jobs or no vertical blank before them.
 */
bool late_response(const struct recording *recording, const struct vivgpu_span *flip,
		   struct response *response);

/**
 * late_write - write all late jobs and the response times of all clients with flips as text
 *
 * @recording: jobs in the order of their ends, spans sorted by recording_sort()
 */
void late_write(const struct recording *recording, FILE *file);

#endif
