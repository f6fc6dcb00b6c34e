// SPDX-License-Identifier: MIT

#include "event_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* Time (8 bytes), track, number, index and type (4 each); then the fields of the index's event */
#define HEADER_BYTES 24
#define NAME_BYTES 64

PFNEGLGETEVENTCONSTANTBRCMPROC get_constant;
PFNEGLGETEVENTTRACKINFOBRCMPROC get_track_info;
PFNEGLGETEVENTINFOBRCMPROC get_event_info;
PFNEGLGETEVENTDATAFIELDINFOBRCMPROC get_field_info;
PFNEGLSETEVENTCOLLECTIONBRCMPROC set_collection;
PFNEGLGETEVENTDATABRCMPROC get_data;

void find_functions(void)
{
	get_constant = get_function("eglGetEventConstantBRCM");
	get_track_info = get_function("eglGetEventTrackInfoBRCM");
	get_event_info = get_function("eglGetEventInfoBRCM");
	get_field_info = get_function("eglGetEventDataFieldInfoBRCM");
	set_collection = get_function("eglSetEventCollectionBRCM");
	get_data = get_function("eglGetEventDataBRCM");
}

static int data_bytes(uint32_t index)
{
	EGLint bytes;

	if (!get_event_info(index, 0, NULL, NULL, &bytes))
		give_up("an event of the unknown kind %u", index);
	return bytes;
}

static struct event parse(const uint8_t *at)
{
	struct event event = { .data = at + HEADER_BYTES };

	memcpy(&event.us, at, 8);
	memcpy(&event.track, at + 8, 4);
	memcpy(&event.id, at + 12, 4);
	memcpy(&event.index, at + 16, 4);
	memcpy(&event.type, at + 20, 4);
	return event;
}

static void parse_all(struct batch *batch)
{
	batch->events = calloc(batch->bytes / HEADER_BYTES + 1, sizeof(*batch->events));
	for (int at = 0; at < batch->bytes;) {
		struct event *event = &batch->events[batch->count++];

		if (batch->bytes - at < HEADER_BYTES)
			give_up("half an event");
		*event = parse(batch->data + at);
		at += HEADER_BYTES + data_bytes(event->index);
		if (at > batch->bytes)
			give_up("half an event");
	}
}

/*
 * By number, the begin of a span before its end. Spans may be in any order, if these two are
 * neighbours.
 */
static int compare_ids(const void *left, const void *right)
{
	const struct event *a = *(const struct event *const *)left;
	const struct event *b = *(const struct event *const *)right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (int)a->type - (int)b->type;
}

static void pair_up(struct batch *batch)
{
	struct event **sorted = malloc((batch->count + 1) * sizeof(*sorted));

	for (unsigned int i = 0; i < batch->count; i++)
		sorted[i] = &batch->events[i];
	qsort(sorted, batch->count, sizeof(*sorted), compare_ids);
	for (unsigned int i = 0; i + 1 < batch->count; i++) {
		if (sorted[i]->type == BEGIN && sorted[i + 1]->type == END &&
		    sorted[i]->id == sorted[i + 1]->id)
			sorted[i]->end = sorted[i + 1];
	}
	free(sorted);
}

struct batch take_batch(void)
{
	struct batch batch = { 0 };
	EGLBoolean lost;
	EGLint size;

	if (!get_data(0, NULL, &size, NULL, NULL))
		give_up("no size: EGL error 0x%x", eglGetError());
	batch.data = malloc(size + 1);
	if (!get_data(size, batch.data, &batch.bytes, &lost, &batch.now))
		give_up("no data: EGL error 0x%x", eglGetError());
	batch.lost = lost;
	parse_all(&batch);
	pair_up(&batch);
	return batch;
}

void free_batch(struct batch *batch)
{
	free(batch->data);
	free(batch->events);
	*batch = (struct batch){ 0 };
}

uint32_t event_index(const char *name)
{
	char text[NAME_BYTES];

	for (int i = 0; get_event_info(i, sizeof(text), text, NULL, NULL); i++) {
		if (strcmp(text, name) == 0)
			return i;
	}
	give_up("no event %s", name);
}

uint32_t track_index(const char *name)
{
	char text[NAME_BYTES];

	for (int i = 0; get_track_info(i, sizeof(text), text); i++) {
		if (strcmp(text, name) == 0)
			return i;
	}
	give_up("no track %s", name);
}

bool is_event(const struct event *event, const char *name)
{
	char text[NAME_BYTES];

	return event->type != END && get_event_info(event->index, sizeof(text), text, NULL, NULL) &&
	       strcmp(text, name) == 0;
}

unsigned int count_events(const struct batch *batch, const char *name)
{
	uint32_t index = event_index(name);
	unsigned int count = 0;

	for (unsigned int i = 0; i < batch->count; i++)
		count += batch->events[i].index == index && batch->events[i].type != END;
	return count;
}

const struct event *find_event(const struct batch *batch, unsigned int from, const char *name,
			       const char *field_name, int64_t value)
{
	uint32_t index = event_index(name);

	for (unsigned int i = from; i < batch->count; i++) {
		const struct event *event = &batch->events[i];

		if (event->index == index && event->type != END &&
		    field(event, field_name) == value)
			return event;
	}
	return NULL;
}

static int64_t number_at(const uint8_t *at, int bytes, bool is_signed)
{
	int64_t value64;
	int32_t value32;

	if (bytes == 8) {
		memcpy(&value64, at, 8);
		return value64;
	}
	memcpy(&value32, at, 4);
	return is_signed ? value32 : (int64_t)(uint32_t)value32;
}

int64_t field(const struct event *event, const char *name)
{
	const uint8_t *at = event->data;
	char text[NAME_BYTES];
	EGLBoolean is_signed;
	EGLint bytes;

	for (int i = 0; get_field_info(event->index, i, sizeof(text), text, &is_signed, &bytes);
	     i++) {
		if (strcmp(text, name) == 0)
			return number_at(at, bytes, is_signed);
		at += bytes;
	}
	give_up("event %u has no field %s", event->index, name);
}

int64_t fdinfo_client(void)
{
	char path[64], line[128];
	int64_t client = 0;

	for (int fd = 3; fd < 64 && !client; fd++) {
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
		file = fopen(path, "r");
		while (file && fgets(line, sizeof(line), file))
			sscanf(line, "drm-client-id: %" SCNd64, &client);
		if (file)
			fclose(file);
	}
	return client;
}
