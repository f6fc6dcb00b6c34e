/* SPDX-License-Identifier: MIT */
/*
 * A recording: spans of the kernel and of the drivers of programs, and the processes and
 * clients that own them. Times are CLOCK_MONOTONIC in ns.
 */
#ifndef VIVGPU_TOOLS_RECORDING_H
#define VIVGPU_TOOLS_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vivgpu_ring.h"

#define PROCESS_NAME_BYTES 32

/**
 * Owner of spans: a process that wrote some, with its client of the kernel, 0 while that is not
 * known. A process with several clients has an owner for each.
 */
struct owner {
	uint64_t client;
	uint32_t process;
	char name[PROCESS_NAME_BYTES];
};

struct list;
struct vivgpu_group;

/** A job as the scheduler saw it; times are CLOCK_MONOTONIC in ns */
struct job {
	uint64_t client;
	uint32_t queue, number;
	/** DRM_VIVGPU_JOB_* */
	uint32_t flags;
	uint64_t submitted_ns, queued_ns, started_ns, finished_ns;
	/** When it could be selected (0: not known), and was held back first (0: it was not) */
	uint64_t ready_ns, held_ns;
	/** 0: it had none */
	uint64_t deadline_ns, cost_ns;
	/** What the scheduler assumed as the bound of its length; 0: nothing */
	uint64_t bound_ns;
};

struct recording {
	/** Command groups of the programs, by client and cookie; NULL before record() */
	struct list *groups;
	/** In the order of recording_sort(), once that was called; number and room */
	struct vivgpu_span *spans;
	size_t count, size;
	/** Jobs in the order of their ends; number and room */
	struct job *jobs;
	size_t num_jobs, jobs_size;
	struct owner *owners;
	size_t num_owners;
	uint64_t start_ns, end_ns;
	/** Records and spans that were dropped */
	uint64_t lost_records, lost_spans;
};

/** Add a span and, if a process wrote it, its owner; ends the program if memory is out. */
void recording_add(struct recording *recording, const struct vivgpu_span *span);

/** Add a job that ended after those added before; ends the program if memory is out. */
void recording_add_job(struct recording *recording, const struct job *job);

/** Put spans in order of their begins, longer ones first. */
void recording_sort(struct recording *recording);

/** The owner of a client number, or the first one of a process; NULL if it is not known. */
const struct owner *recording_client(const struct recording *recording, uint64_t client);
const struct owner *recording_process(const struct recording *recording, uint32_t process);

/** The client of a span of the kernel (process 0), 0 if it has none. */
uint64_t span_client(const struct vivgpu_span *span);

/**
 * recording_prediction - the group of a job's span if its time was predicted, or NULL
 *
 * The prediction is the group's predicted_ns and bound_ns (VIVGPU_PREDICT=1).
 */
const struct vivgpu_group *recording_prediction(const struct recording *recording,
						const struct vivgpu_span *span);

/**
 * What the scheduler recorded of a span's job; NULL if the span is not that of a job, or the job
 * was submitted before the recording.
 */
const struct job *recording_job(const struct recording *recording, const struct vivgpu_span *span);

void recording_free(struct recording *recording);

/**
 * Record while a command runs, or for @seconds if @command is NULL; then they are above 0.
 *
 * @recording: zero at first
 *
 * Returns the command's status as a shell gives it, 0 without a command, or -1 with a message on
 * stderr.
 */
int record(struct recording *recording, char *const command[], double seconds);

/*
 * The functions below take what record() has recorded: they need its groups, and spans in order.
 */

/** Write the recording in Chrome's trace event format; false with a message if that fails. */
bool write_json(const struct recording *recording, const char *path);

/** Write it in Perfetto's own format; false with a message if that fails. */
bool write_perfetto(const struct recording *recording, const char *path);

/**
 * Draw a part of the recording as a PNG, with gnuplot.
 *
 * @from_ms, @length_ms: the part, from the recording's start; with a length of 0 the
 * function chooses it. Returns false, with a message, on an error; a machine without gnuplot is none
 * (plot_end()).
 */
bool write_picture(const struct recording *recording, const char *path, double from_ms,
		   double length_ms);

/**
 * Draw the schedule of a part of the recording as a PNG, with gnuplot: a row for each queue, with
 * its jobs, their deadlines and predicted costs.
 *
 * Arguments and result are those of write_picture().
 */
bool write_gantt(const struct recording *recording, const char *path, double from_ms,
		 double length_ms);

#endif
