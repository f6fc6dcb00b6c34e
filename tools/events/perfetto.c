// SPDX-License-Identifier: MIT
/*
 * Write a recording in Perfetto's own format: a sequence of TracePacket messages
 * (https://perfetto.dev/docs/reference/trace-packet-proto). Each thread and each track of the GPU
 * is a track with slices; the flow of a flush ends at its job. Times are CLOCK_MONOTONIC's.
 *
 * Slices of a track must be nested or apart. Waits in the queue overlap otherwise, so each goes to
 * the first of several tracks of the same name that is free (a lane).
 */

#include "protobuf.h"
#include "recording.h"
#include "../groups/list.h"
#include "../groups/summary.h"
#include "vivgpu_group_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <vivgpu_drm.h>

/*
 * Numbers of fields, of Trace, TracePacket, TrackEvent, DebugAnnotation, TrackDescriptor and
 * ProcessDescriptor
 */
enum {
	TRACE_PACKET = 1,

	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK_DESCRIPTOR = 60,

	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_FLOW = 47,

	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_STRING = 6,
	ANNOTATION_NAME = 10,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_PARENT = 5,

	PROCESS_PID = 1,
	PROCESS_NAME = 6,
};

/* EVENT_TYPE */
enum {
	SLICE_BEGIN = 1,
	SLICE_END,
	INSTANT,
};

/* Any number but 0, and PACKET_SEQUENCE_FLAGS of its first packet: no state was sent before */
#define SEQUENCE 1
#define STATE_CLEARED 1

/* Tracks for waits that overlap; further ones share the last */
#define MAX_LANES 256

/* Uuids: of the GPU, its tracks, its queue's lanes. Others have a process in their upper half. */
#define GPU_UUID UINT64_C(1)
#define TRACK_UUIDS UINT64_C(16)
#define LANE_UUIDS UINT64_C(1024)

struct writer {
	FILE *file;
	const struct recording *recording;
	/** The first packet was written */
	bool begun;
	/** When the last wait of each lane ends */
	uint64_t lanes[MAX_LANES];
	unsigned int num_lanes;
};

static void put_packet(struct writer *writer, struct message *packet)
{
	static struct message trace;

	message_put_number(packet, PACKET_SEQUENCE, SEQUENCE);
	if (!writer->begun)
		message_put_number(packet, PACKET_SEQUENCE_FLAGS, STATE_CLEARED);
	writer->begun = true;
	trace.used = 0;
	message_put_message(&trace, TRACE_PACKET, packet);
	fwrite(trace.bytes, trace.used, 1, writer->file);
}

/* Describe a track. @parent: 0 if there is none; @owner: whose process the track is, or NULL */
static void put_track(struct writer *writer, uint64_t uuid, uint64_t parent, const char *name,
		      const struct owner *owner)
{
	struct message process = { 0 }, track = { 0 }, packet = { 0 };

	message_put_number(&track, TRACK_UUID, uuid);
	message_put_text(&track, TRACK_NAME, name);
	if (parent)
		message_put_number(&track, TRACK_PARENT, parent);
	if (owner) {
		message_put_number(&process, PROCESS_PID, owner->process);
		message_put_text(&process, PROCESS_NAME, name);
		message_put_message(&track, TRACK_PROCESS, &process);
	}
	message_put_message(&packet, PACKET_TRACK_DESCRIPTOR, &track);
	put_packet(writer, &packet);
}

static uint64_t uuid_of_process(uint32_t process)
{
	return (uint64_t)process << 32;
}

/*
 * A lane that is free when a wait begins, described before its first use. Waits are passed in the
 * order of their begins.
 */
static uint64_t take_lane(struct writer *writer, const struct vivgpu_span *span)
{
	unsigned int lane = 0;

	while (lane < writer->num_lanes && writer->lanes[lane] > span->begin_ns)
		lane++;
	if (lane == MAX_LANES)
		lane--;
	if (lane == writer->num_lanes) {
		put_track(writer, LANE_UUIDS + lane, GPU_UUID, vivgpu_track_name(span->track),
			  NULL);
		writer->num_lanes++;
	}
	writer->lanes[lane] = span->end_ns;
	return LANE_UUIDS + lane;
}

static bool is_wait(const struct vivgpu_span *span)
{
	return span->event == VIVGPU_EVENT_WAITING || span->event == VIVGPU_EVENT_READY;
}

/* The track of a span; for a wait only once, because it occupies a lane. */
static uint64_t track_of(struct writer *writer, const struct vivgpu_span *span)
{
	if (is_wait(span))
		return take_lane(writer, span);
	return span->process ? uuid_of_process(span->process) | span->track
			     : TRACK_UUIDS + span->track;
}

/* @field: ANNOTATION_UINT, or ANNOTATION_INT, whose @value is in two's complement */
static void annotate(struct message *event, const char *name, uint32_t field, uint64_t value)
{
	struct message annotation = { 0 };

	message_put_text(&annotation, ANNOTATION_NAME, name);
	message_put_number(&annotation, field, value);
	message_put_message(event, EVENT_ANNOTATION, &annotation);
}

static void annotate_text(struct message *event, const char *name, const char *text)
{
	struct message annotation = { 0 };

	message_put_text(&annotation, ANNOTATION_NAME, name);
	message_put_text(&annotation, ANNOTATION_STRING, text);
	message_put_message(event, EVENT_ANNOTATION, &annotation);
}

/* The commands of a job's group, if its program has a command monitor. */
static void annotate_group(const struct writer *writer, struct message *event,
			   const struct vivgpu_span *span)
{
	const struct entry *entry = list_find(writer->recording->groups, span_client(span),
					      span->values[VIVGPU_JOB_COOKIE]);
	char commands[SUMMARY_CHARS];

	if (!entry || !entry->has_group)
		return;
	entry_summary(commands, sizeof(commands), entry);
	annotate_text(event, "commands", commands);
	annotate(event, "group", ANNOTATION_UINT, entry->group.sequence);
	annotate_text(event, "ended by", vivgpu_group_reason_name(entry->group.reason));
	annotate(event, "draws", ANNOTATION_UINT, entry->group.num_draws);
	annotate(event, "vertices", ANNOTATION_UINT, entry->group.vertices);
	if (entry->has_result && entry->result.flags & VIVGPU_RESULT_COUNTS)
		annotate(event, "fragments", ANNOTATION_UINT, entry->result.fragments);
	if (entry->group.predicted_ns) {
		annotate(event, "predicted ns", ANNOTATION_UINT, entry->group.predicted_ns);
		annotate(event, "bound ns", ANNOTATION_UINT, entry->group.bound_ns);
	}
}

/* A job's slack (from its end to its deadline, negative if late), predicted cost, assumed bound */
static void annotate_schedule(const struct writer *writer, struct message *event,
			      const struct vivgpu_span *span)
{
	const struct job *job = recording_job(writer->recording, span);

	if (job && job->deadline_ns)
		annotate(event, "slack ns", ANNOTATION_INT, job->deadline_ns - job->finished_ns);
	if (job && job->cost_ns)
		annotate(event, "cost ns", ANNOTATION_UINT, job->cost_ns);
	if (job && job->bound_ns) {
		annotate(event, "assumed bound ns", ANNOTATION_UINT, job->bound_ns);
		annotate_text(event, "bound from",
			      job->flags & DRM_VIVGPU_JOB_BOUND_PREDICTED ? "prediction"
									  : "kernel");
	}
}

/* The event's fields; for the kernel's spans also the name of the client's program. */
static void annotate_span(const struct writer *writer, struct message *event,
			  const struct vivgpu_span *span)
{
	const struct vivgpu_event_info *info = vivgpu_event_info(span->event);
	const struct owner *owner =
		span->process ? NULL : recording_client(writer->recording, span_client(span));

	for (unsigned int i = 0; i < info->num_fields; i++) {
		bool negative = info->fields[i].is_signed;

		annotate(event, info->fields[i].name, negative ? ANNOTATION_INT : ANNOTATION_UINT,
			 negative ? (uint64_t)(int32_t)span->values[i] : span->values[i]);
	}
	if (owner)
		annotate_text(event, "program", owner->name);
	if (span->event == VIVGPU_EVENT_JOB) {
		annotate_schedule(writer, event, span);
		annotate_group(writer, event, span);
	}
}

/* The same number for a flush and its job: each client numbers its own jobs. */
static void put_flow(struct message *event, const struct vivgpu_span *span)
{
	bool flush = span->event == VIVGPU_EVENT_FLUSH;
	uint64_t client = flush ? span->values[VIVGPU_FLUSH_CLIENT] : span_client(span);
	uint32_t job = span->values[flush ? VIVGPU_FLUSH_JOB : VIVGPU_JOB_NUMBER];

	if (flush || span->event == VIVGPU_EVENT_JOB)
		message_put_fixed64(event, EVENT_FLOW, client << 32 | job);
}

static void put_event(struct writer *writer, struct message *event, uint64_t time_ns)
{
	struct message packet = { 0 };

	message_put_number(&packet, PACKET_TIMESTAMP, time_ns);
	message_put_message(&packet, PACKET_TRACK_EVENT, event);
	put_packet(writer, &packet);
}

/* Readers put packets in order of time, so a span's end may come right after its begin. */
static void put_span(struct writer *writer, const struct vivgpu_span *span)
{
	const struct vivgpu_event_info *info = vivgpu_event_info(span->event);
	uint64_t track = track_of(writer, span);
	struct message event = { 0 };

	message_put_number(&event, EVENT_TYPE, info->spans ? SLICE_BEGIN : INSTANT);
	message_put_number(&event, EVENT_TRACK, track);
	message_put_text(&event, EVENT_CATEGORY, "gpu");
	message_put_text(&event, EVENT_NAME, info->name);
	put_flow(&event, span);
	annotate_span(writer, &event, span);
	put_event(writer, &event, span->begin_ns);
	if (!info->spans)
		return;
	event.used = 0;
	message_put_number(&event, EVENT_TYPE, SLICE_END);
	message_put_number(&event, EVENT_TRACK, track);
	put_event(writer, &event, span->end_ns);
}

static void put_tracks(struct writer *writer)
{
	const struct recording *recording = writer->recording;

	put_track(writer, GPU_UUID, 0, "GPU", NULL);
	for (unsigned int track = 0; track < VIVGPU_TRACK_THREAD; track++)
		put_track(writer, TRACK_UUIDS + track, GPU_UUID, vivgpu_track_name(track), NULL);
	for (size_t i = 0; i < recording->num_owners; i++) {
		const struct owner *owner = &recording->owners[i];

		put_track(writer, uuid_of_process(owner->process), 0, owner->name, owner);
		for (unsigned int track = VIVGPU_TRACK_THREAD; track < VIVGPU_NUM_TRACKS; track++)
			put_track(writer, uuid_of_process(owner->process) | track,
				  uuid_of_process(owner->process), vivgpu_track_name(track), NULL);
	}
}

bool write_perfetto(const struct recording *recording, const char *path)
{
	static struct writer writer;
	int failed;

	writer = (struct writer){ .file = fopen(path, "w"), .recording = recording };
	if (writer.file) {
		put_tracks(&writer);
		for (size_t i = 0; i < recording->count; i++)
			put_span(&writer, &recording->spans[i]);
		failed = ferror(writer.file);
		if (!fclose(writer.file) && !failed)
			return true;
	}
	fprintf(stderr, "vivgpu-events: %s: %s\n", path, strerror(errno));
	return false;
}
