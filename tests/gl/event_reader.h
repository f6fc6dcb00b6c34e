/* SPDX-License-Identifier: MIT */
/*
 * Use of EGL_BRCM_event_monitor as by a program: its functions, and a parser for batches of events
 * that uses only the format that the functions describe.
 */
#ifndef TESTS_GL_EVENT_READER_H
#define TESTS_GL_EVENT_READER_H

#include <stdbool.h>
#include <stdint.h>

#include <EGL/eglext_brcm.h>

enum { BEGIN, END, INSTANT };

extern PFNEGLGETEVENTCONSTANTBRCMPROC get_constant;
extern PFNEGLGETEVENTTRACKINFOBRCMPROC get_track_info;
extern PFNEGLGETEVENTINFOBRCMPROC get_event_info;
extern PFNEGLGETEVENTDATAFIELDINFOBRCMPROC get_field_info;
extern PFNEGLSETEVENTCOLLECTIONBRCMPROC set_collection;
extern PFNEGLGETEVENTDATABRCMPROC get_data;

/** Load the functions; gives up if one is missing. */
void find_functions(void);

struct event {
	uint64_t us;
	/**
	 * Track; number, the same for begin and end; index of its name and fields; BEGIN, END or
	 * INSTANT
	 */
	uint32_t track, id, index, type;
	const uint8_t *data;
	/** The end of a begin, or NULL */
	const struct event *end;
};

struct batch {
	uint8_t *data;
	int bytes;
	struct event *events;
	unsigned int count;
	bool lost;
	uint64_t now; /* time of the call in microseconds, as events have */
};

/** Read the collected events; a second call returns later ones. The caller frees the batch. */
struct batch take_batch(void);
void free_batch(struct batch *batch);

/** Return the index of an event or track by its name; gives up if there is none. */
uint32_t event_index(const char *name);
uint32_t track_index(const char *name);

/** True if the event is a begin or an instant of this name. */
bool is_event(const struct event *event, const char *name);

/** Count begins and instants of a name. */
unsigned int count_events(const struct batch *batch, const char *name);

/** Return the next begin or instant of a name from @from on whose field is @value, or NULL. */
const struct event *find_event(const struct batch *batch, unsigned int from, const char *name,
			       const char *field, int64_t value);

/** Return the value of a field by its name; gives up if there is none. */
int64_t field(const struct event *event, const char *name);

/** The number of this process's DRM client, by /proc/self/fdinfo; 0 if there is none. */
int64_t fdinfo_client(void);

#endif
