// SPDX-License-Identifier: MIT
/* The card's own account of its events; see truth.h. */

#include "truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The guest's clock advances in steps: its stamps can be so much before the card's. */
#define CLOCK_STEP_NS 2000

/* Sums that the card writes with each event. */
struct sums {
	uint64_t vertices, pixels;
	int64_t flush_ns, memory_ns;
};

/* Room for one more event; it is doubled at counts of 2^n - 1. */
static struct truth_event *append(struct truth *truth)
{
	if (!(truth->count & (truth->count + 1))) {
		size_t most = 2 * truth->count + 2;
		void *events = realloc(truth->events, most * sizeof(*truth->events));

		if (!events)
			return NULL;
		truth->events = events;
	}
	return &truth->events[truth->count++];
}

/* Add an event with its differences to the sums so far. */
static bool add_event(struct truth *truth, uint64_t ns, const struct sums *now, struct sums *last)
{
	struct truth_event *event = append(truth);

	if (!event)
		return false;
	*event = (struct truth_event){
		.arrival_ns = ns,
		.vertices = now->vertices - last->vertices,
		.pixels = now->pixels - last->pixels,
		.flush_ns = now->flush_ns - last->flush_ns,
		.memory_ns = now->memory_ns - last->memory_ns,
	};
	*last = *now;
	return true;
}

/* An interrupt at @ns reports all events of that time, and arrives @delay later. */
static void delay_events(struct truth *truth, uint64_t ns, uint64_t delay)
{
	for (size_t i = truth->count; i && truth->events[i - 1].arrival_ns == ns; i--) {
		truth->events[i - 1].delay_ns = delay;
		truth->events[i - 1].arrival_ns += delay;
	}
}

static bool parse(struct truth *truth, const char *line, struct sums *last)
{
	struct sums now;
	uint64_t ns, cycle, delay;
	unsigned int bit;

	if (sscanf(line,
		   "event %u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNd64 " %" SCNd64,
		   &bit, &ns, &cycle, &now.vertices, &now.pixels, &now.flush_ns,
		   &now.memory_ns) == 7)
		return add_event(truth, ns, &now, last);
	if (sscanf(line, "interrupt %" SCNu64 " %" SCNu64, &ns, &delay) != 2)
		return false;
	delay_events(truth, ns, delay);
	return true;
}

bool truth_read(struct truth *truth, const char *path)
{
	struct sums last = { 0 };
	char line[256];
	FILE *file = fopen(path, "r");
	bool good = file;

	while (good && fgets(line, sizeof(line), file))
		good = parse(truth, line, &last);
	if (file)
		fclose(file);
	return good;
}

const struct truth_event *truth_find(struct truth *truth, uint64_t started_ns, uint64_t finished_ns)
{
	/* An event up to here is that of a job before, whose end is the start: of a short job, one nearer to that. */
	uint64_t half = finished_ns > started_ns ? (finished_ns - started_ns) / 2 : 0;
	uint64_t before = started_ns + (half < CLOCK_STEP_NS ? half : CLOCK_STEP_NS);
	size_t found = truth->count;

	for (size_t i = truth->next; i < truth->count; i++) {
		const struct truth_event *event = &truth->events[i];

		/* The handler of an earlier interrupt may have seen it, before its own arrived. */
		if (event->arrival_ns - event->delay_ns > finished_ns + CLOCK_STEP_NS)
			break;
		found = i;
		/* Jobs end one after the other, so events before the start are those of others. */
		if (event->arrival_ns > before)
			break;
	}
	if (found == truth->count)
		return NULL;
	truth->next = found + 1;
	return &truth->events[found];
}

int64_t truth_drawn_ns(const struct truth *truth, const struct truth_event *event,
		       uint64_t started_ns)
{
	const struct truth_event *before = event > truth->events ? event - 1 : NULL;
	int64_t drawn = event->flush_ns + event->memory_ns + (int64_t)event->delay_ns;

	/* The start was stamped later by the delay of the event before: the job seems shorter. */
	if (before && before->arrival_ns >= started_ns &&
	    before->arrival_ns <= started_ns + CLOCK_STEP_NS)
		drawn -= (int64_t)before->delay_ns;
	return drawn;
}

void truth_free(struct truth *truth)
{
	free(truth->events);
}
