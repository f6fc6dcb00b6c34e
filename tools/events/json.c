// SPDX-License-Identifier: MIT
/*
 * Write a recording in Chrome's trace event format, which chrome://tracing, Perfetto and
 * speedscope read: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 *
 * The GPU is process 0. Waits in the queue overlap, so they are asynchronous events, and so are the
 * predicted times of jobs, which may be longer than the jobs. An arrow leads from each flush to its
 * job.
 */

#include "recording.h"
#include "../groups/list.h"
#include "../groups/summary.h"
#include "vivgpu_group_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <vivgpu_drm.h>

#define GPU_PROCESS 0u

static void put_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', file);
		if ((unsigned char)*text < ' ')
			fprintf(file, "\\u%04x", *text);
		else
			fputc(*text, file);
	}
	fputc('"', file);
}

/* Microseconds from the recording's start, before which no span begins: record.c drops such. */
static double us(const struct recording *recording, uint64_t time_ns)
{
	return (time_ns - recording->start_ns) / 1e3;
}

static uint32_t process_of(const struct vivgpu_span *span)
{
	return span->process ? span->process : GPU_PROCESS;
}

static uint32_t thread_of(const struct vivgpu_span *span)
{
	return span->process ? span->values[VIVGPU_DRIVER_THREAD] : span->track;
}

/* Begin an event after another one; the caller ends it with "}". */
static void put_head(FILE *file, const struct recording *recording, const struct vivgpu_span *span,
		     const char *phase, const char *name, uint64_t time_ns)
{
	fprintf(file, ",\n{\"ph\":\"%s\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f", phase,
		name, process_of(span), thread_of(span), us(recording, time_ns));
}

/* The commands of a job's group, if its program has a command monitor; follows other arguments. */
static void put_group(FILE *file, const struct recording *recording, const struct vivgpu_span *span)
{
	const struct entry *entry =
		list_find(recording->groups, span_client(span), span->values[VIVGPU_JOB_COOKIE]);
	char commands[SUMMARY_CHARS];

	if (!entry || !entry->has_group)
		return;
	entry_summary(commands, sizeof(commands), entry);
	fprintf(file, ",\"commands\":");
	put_text(file, commands);
	fprintf(file, ",\"group\":%llu,\"ended by\":\"%s\",\"draws\":%u,\"vertices\":%llu",
		(unsigned long long)entry->group.sequence,
		vivgpu_group_reason_name(entry->group.reason), entry->group.num_draws,
		(unsigned long long)entry->group.vertices);
	if (entry->has_result && entry->result.flags & VIVGPU_RESULT_COUNTS)
		fprintf(file, ",\"fragments\":%llu", (unsigned long long)entry->result.fragments);
	if (entry->group.predicted_ns)
		fprintf(file, ",\"predicted ns\":%llu,\"bound ns\":%llu",
			(unsigned long long)entry->group.predicted_ns,
			(unsigned long long)entry->group.bound_ns);
}

/*
 * A job's slack (from its end to its deadline, negative if late), predicted cost, assumed bound;
 * follows other arguments
 */
static void put_schedule(FILE *file, const struct recording *recording,
			 const struct vivgpu_span *span)
{
	const struct job *job = recording_job(recording, span);

	if (job && job->deadline_ns)
		fprintf(file, ",\"slack ns\":%lld",
			(long long)(job->deadline_ns - job->finished_ns));
	if (job && job->cost_ns)
		fprintf(file, ",\"cost ns\":%llu", (unsigned long long)job->cost_ns);
	if (job && job->bound_ns)
		fprintf(file, ",\"assumed bound ns\":%llu,\"bound from\":\"%s\"",
			(unsigned long long)job->bound_ns,
			job->flags & DRM_VIVGPU_JOB_BOUND_PREDICTED ? "prediction" : "kernel");
}

/*
 * The arguments, and the event's end: the event's fields and, for the kernel's spans, the name of
 * the client's program. An event with a client has fields, hence the comma.
 */
static void put_fields(FILE *file, const struct recording *recording,
		       const struct vivgpu_span *span)
{
	const struct vivgpu_event_info *info = vivgpu_event_info(span->event);
	const struct owner *owner =
		span->process ? NULL : recording_client(recording, span_client(span));

	fprintf(file, ",\"args\":{");
	for (unsigned int i = 0; i < info->num_fields; i++) {
		fprintf(file, "%s\"%s\":", i ? "," : "", info->fields[i].name);
		if (info->fields[i].is_signed)
			fprintf(file, "%d", (int32_t)span->values[i]);
		else
			fprintf(file, "%llu", (unsigned long long)span->values[i]);
	}
	if (owner) {
		fprintf(file, ",\"program\":");
		put_text(file, owner->name);
	}
	if (span->event == VIVGPU_EVENT_JOB) {
		put_schedule(file, recording, span);
		put_group(file, recording, span);
	}
	fprintf(file, "}}");
}

/* A wait of a job in the queue, two events with one id; each client numbers its own jobs. */
static void put_wait(FILE *file, const struct recording *recording, const struct vivgpu_span *span,
		     const char *name)
{
	const char *const phases[] = { "b", "e" };

	for (unsigned int i = 0; i < 2; i++) {
		put_head(file, recording, span, phases[i], name, i ? span->end_ns : span->begin_ns);
		fprintf(file, ",\"cat\":\"queue\",\"id\":\"%" PRIu64 ".%u\"", span_client(span),
			(uint32_t)span->values[VIVGPU_JOB_NUMBER]);
		put_fields(file, recording, span);
	}
}

/*
 * One end of the arrow from a flush to its job. "bp": "e" lets it end at the job that encloses its
 * time; the default is the next one that begins.
 */
static void put_arrow(FILE *file, const struct recording *recording, const struct vivgpu_span *span)
{
	bool flush = span->event == VIVGPU_EVENT_FLUSH;

	put_head(file, recording, span, flush ? "s" : "f", "job", span->begin_ns);
	fprintf(file, ",\"cat\":\"job\",\"id\":\"%" PRIu64 ".%u\"%s}",
		flush ? span->values[VIVGPU_FLUSH_CLIENT] : span_client(span),
		(uint32_t)span->values[flush ? VIVGPU_FLUSH_JOB : VIVGPU_JOB_NUMBER],
		flush ? "" : ",\"bp\":\"e\"");
}

/* The time that was predicted for a job, from its begin on; nothing for other spans. */
static void put_prediction(FILE *file, const struct recording *recording,
			   const struct vivgpu_span *span)
{
	const struct vivgpu_group *group = recording_prediction(recording, span);
	const char *const phases[] = { "b", "e" };

	for (unsigned int i = 0; group && i < 2; i++) {
		put_head(file, recording, span, phases[i], "Predicted",
			 span->begin_ns + (i ? group->predicted_ns : 0));
		fprintf(file,
			",\"cat\":\"prediction\",\"id\":\"%" PRIu64
			".%u\",\"args\":{\"client\":%" PRIu64 ",\"job\":%u,\"bound ns\":%llu}}",
			span_client(span), (uint32_t)span->values[VIVGPU_JOB_NUMBER],
			span_client(span), (uint32_t)span->values[VIVGPU_JOB_NUMBER],
			(unsigned long long)group->bound_ns);
	}
}

/* Waits are asynchronous; others are complete events (X) or a thread's instants (i, "s": "t"). */
static void put_span(FILE *file, const struct recording *recording, const struct vivgpu_span *span)
{
	const struct vivgpu_event_info *info = vivgpu_event_info(span->event);

	if (span->event == VIVGPU_EVENT_WAITING || span->event == VIVGPU_EVENT_READY) {
		put_wait(file, recording, span, info->name);
		return;
	}
	put_head(file, recording, span, info->spans ? "X" : "i", info->name, span->begin_ns);
	if (info->spans)
		fprintf(file, ",\"dur\":%.3f", (span->end_ns - span->begin_ns) / 1e3);
	else
		fprintf(file, ",\"s\":\"t\"");
	put_fields(file, recording, span);
	if (span->event == VIVGPU_EVENT_FLUSH || span->event == VIVGPU_EVENT_JOB)
		put_arrow(file, recording, span);
	put_prediction(file, recording, span);
}

/* Name a process or a thread; @what: "process_name" or "thread_name" */
static void put_name(FILE *file, const char *what, uint32_t process, uint32_t thread,
		     const char *name)
{
	fprintf(file,
		",\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", what,
		process, thread);
	put_text(file, name);
	fprintf(file, "}}");
}

bool write_json(const struct recording *recording, const char *path)
{
	FILE *file = fopen(path, "w");
	bool failed;

	if (!file) {
		fprintf(stderr, "vivgpu-events: %s: %s\n", path, strerror(errno));
		return false;
	}
	fprintf(file,
		"{\"displayTimeUnit\":\"ms\",\"otherData\":{\"lost records\":%llu,"
		"\"lost spans\":%llu},\"traceEvents\":[\n"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":\"GPU\"}}",
		(unsigned long long)recording->lost_records,
		(unsigned long long)recording->lost_spans, GPU_PROCESS);
	for (unsigned int track = 0; track < VIVGPU_TRACK_THREAD; track++)
		put_name(file, "thread_name", GPU_PROCESS, track, vivgpu_track_name(track));
	for (size_t i = 0; i < recording->num_owners; i++)
		put_name(file, "process_name", recording->owners[i].process,
			 recording->owners[i].process, recording->owners[i].name);
	for (size_t i = 0; i < recording->count; i++)
		put_span(file, recording, &recording->spans[i]);
	fprintf(file, "\n]}\n");
	failed = ferror(file);
	if (fclose(file) || failed) {
		fprintf(stderr, "vivgpu-events: %s: %s\n", path, strerror(errno));
		return false;
	}
	return true;
}
