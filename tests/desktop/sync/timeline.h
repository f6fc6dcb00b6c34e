/* SPDX-License-Identifier: MIT */
/* A timeline of the kernel: a DRM syncobj with points. */
#ifndef TESTS_DESKTOP_SYNC_TIMELINE_H
#define TESTS_DESKTOP_SYNC_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

struct timeline {
	int drm; /* descriptor of the DRM device */
	uint32_t handle;
};

/** timeline_create - create one; returns a descriptor for another process, negative after an error */
int timeline_create(struct timeline *timeline, int drm);

/** timeline_attach - @point signals with the sync file @fence; false after an error */
bool timeline_attach(const struct timeline *timeline, uint64_t point, int fence);

/** timeline_signal - signal @point now; false after an error */
bool timeline_signal(const struct timeline *timeline, uint64_t point);

/** timeline_wait - wait for @point for ten seconds at most; false if it has not signalled */
bool timeline_wait(const struct timeline *timeline, uint64_t point);

/** timeline_has - whether @point has signalled */
bool timeline_has(const struct timeline *timeline, uint64_t point);

#endif
