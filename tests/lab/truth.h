/* SPDX-License-Identifier: MIT */
/*
 * What the card did before each of its events, from the file that vivgpu-card --truth=FILE writes: the guest cannot
 * see it. In virtual time the guest's CLOCK_MONOTONIC is the card's.
 */
#ifndef VIVGPU_LAB_TRUTH_H
#define VIVGPU_LAB_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct truth_event {
	/* When the guest got the interrupt, and how much later that was by jitter; ns. */
	uint64_t arrival_ns, delay_ns;
	/* Since the event before: vertices and pixels shaded, ns that jitter added to flushes and to memory. */
	uint64_t vertices, pixels;
	int64_t flush_ns, memory_ns;
};

struct truth {
	struct truth_event *events;
	size_t count;
	/* The first that truth_find() has not passed. */
	size_t next;
};

/** truth_read - read a file; false if it cannot be read or has other lines */
bool truth_read(struct truth *truth, const char *path);

/**
 * truth_find - the event of a job, or NULL
 * @started_ns: by the guest's clock: the end of the job before, of whichever client, or a submission
 * @finished_ns: when the interrupt's handler ran, which may be long after the interrupt while it
 *	handles the one before
 *
 * To be called for jobs in the order in which they ended; each event is that of one job.
 */
const struct truth_event *truth_find(struct truth *truth, uint64_t started_ns,
				     uint64_t finished_ns);

/**
 * truth_drawn_ns - what jitter has added to the time of a job
 * @started_ns: by the guest's clock: the end of the job before, or a submission
 */
int64_t truth_drawn_ns(const struct truth *truth, const struct truth_event *event,
		       uint64_t started_ns);

/** truth_free - free the events */
void truth_free(struct truth *truth);

#endif
