// SPDX-License-Identifier: MIT

#include "recording.h"
#include "../allocate.h"
#include "../groups/list.h"
#include "../printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SPANS 4096

/* The name of a process, or its number if it has ended. */
static void read_name(uint32_t process, char *name)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/comm", process);
	file = fopen(path, "r");
	if (!file || !fgets(name, PROCESS_NAME_BYTES, file))
		snprintf(name, PROCESS_NAME_BYTES, "process %u", process);
	name[strcspn(name, "\n")] = '\0';
	make_printable(name);
	if (file)
		fclose(file);
}

/*
 * Add the process of a driver's span, and its client, to the owners. A flush has both numbers,
 * other spans have only the process: a client then goes to the process's owner without one.
 */
static void add_owner(struct recording *recording, const struct vivgpu_span *span)
{
	uint64_t client = span->event == VIVGPU_EVENT_FLUSH ? span->values[VIVGPU_FLUSH_CLIENT] : 0;
	struct owner *owner;

	for (size_t i = 0; i < recording->num_owners; i++) {
		owner = &recording->owners[i];
		if (owner->process != span->process)
			continue;
		if (owner->client == client || !client)
			return;
		if (!owner->client) {
			owner->client = client;
			return;
		}
	}
	recording->owners =
		resize(recording->owners, (recording->num_owners + 1) * sizeof(*recording->owners));
	owner = &recording->owners[recording->num_owners++];
	*owner = (struct owner){ .client = client, .process = span->process };
	read_name(span->process, owner->name);
}

void recording_add(struct recording *recording, const struct vivgpu_span *span)
{
	if (recording->count == recording->size) {
		recording->size = recording->size ? 2 * recording->size : FIRST_SPANS;
		recording->spans =
			resize(recording->spans, recording->size * sizeof(*recording->spans));
	}
	recording->spans[recording->count++] = *span;
	if (span->process)
		add_owner(recording, span);
}

void recording_add_job(struct recording *recording, const struct job *job)
{
	if (recording->num_jobs == recording->jobs_size) {
		recording->jobs_size =
			recording->jobs_size ? 2 * recording->jobs_size : FIRST_SPANS;
		recording->jobs =
			resize(recording->jobs, recording->jobs_size * sizeof(*recording->jobs));
	}
	recording->jobs[recording->num_jobs++] = *job;
}

/* By begin; of spans with one begin the longer first, which may contain the others. */
static int compare(const void *left, const void *right)
{
	const struct vivgpu_span *a = left, *b = right;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	if (a->end_ns != b->end_ns)
		return a->end_ns > b->end_ns ? -1 : 1;
	return 0;
}

void recording_sort(struct recording *recording)
{
	if (recording->count)
		qsort(recording->spans, recording->count, sizeof(*recording->spans), compare);
}

const struct owner *recording_client(const struct recording *recording, uint64_t client)
{
	for (size_t i = 0; client && i < recording->num_owners; i++) {
		if (recording->owners[i].client == client)
			return &recording->owners[i];
	}
	return NULL;
}

const struct owner *recording_process(const struct recording *recording, uint32_t process)
{
	for (size_t i = 0; i < recording->num_owners; i++) {
		if (recording->owners[i].process == process)
			return &recording->owners[i];
	}
	return NULL;
}

uint64_t span_client(const struct vivgpu_span *span)
{
	switch (span->event) {
	case VIVGPU_EVENT_RESET:
	case VIVGPU_EVENT_VBLANK:
		return 0;
	case VIVGPU_EVENT_FLIP:
		return span->values[2];
	/* The kernel's other events have it where a job has it. */
	default:
		return span->values[VIVGPU_JOB_CLIENT];
	}
}

const struct vivgpu_group *recording_prediction(const struct recording *recording,
						const struct vivgpu_span *span)
{
	const struct entry *entry;

	if (span->event != VIVGPU_EVENT_JOB || !recording->groups)
		return NULL;
	entry = list_find(recording->groups, span_client(span), span->values[VIVGPU_JOB_COOKIE]);
	return entry && entry->has_group && entry->group.predicted_ns ? &entry->group : NULL;
}

const struct job *recording_job(const struct recording *recording, const struct vivgpu_span *span)
{
	size_t low = 0, high = recording->num_jobs;

	/* The first job that ended when the span did, or later: jobs are in the order of ends. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (recording->jobs[middle].finished_ns < span->end_ns)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < recording->num_jobs; low++) {
		const struct job *job = &recording->jobs[low];

		if (span->event != VIVGPU_EVENT_JOB || job->finished_ns != span->end_ns)
			break;
		if (job->client == span_client(span) &&
		    job->number == (uint32_t)span->values[VIVGPU_JOB_NUMBER])
			return job;
	}
	return NULL;
}

void recording_free(struct recording *recording)
{
	free(recording->spans);
	free(recording->jobs);
	free(recording->owners);
	if (recording->groups)
		list_free(recording->groups);
	free(recording->groups);
	*recording = (struct recording){ 0 };
}
