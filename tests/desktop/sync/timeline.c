// SPDX-License-Identifier: MIT
#include "timeline.h"

#include <time.h>

#include <xf86drm.h>

#define LONGEST_WAIT_S 10

int timeline_create(struct timeline *timeline, int drm)
{
	int fd;

	timeline->drm = drm;
	if (drmSyncobjCreate(drm, 0, &timeline->handle) ||
	    drmSyncobjHandleToFD(drm, timeline->handle, &fd))
		return -1;
	return fd;
}

/* drmSyncobjImportSyncFile() has no point as argument: the way is by a syncobj without points. */
bool timeline_attach(const struct timeline *timeline, uint64_t point, int fence)
{
	uint32_t binary;
	bool attached;

	if (drmSyncobjCreate(timeline->drm, 0, &binary))
		return false;
	attached = !drmSyncobjImportSyncFile(timeline->drm, binary, fence) &&
		   !drmSyncobjTransfer(timeline->drm, timeline->handle, point, binary, 0, 0);
	drmSyncobjDestroy(timeline->drm, binary);
	return attached;
}

bool timeline_signal(const struct timeline *timeline, uint64_t point)
{
	return !drmSyncobjTimelineSignal(timeline->drm, &timeline->handle, &point, 1);
}

/* Waits for a point that has no fence yet, too. @end_ns: CLOCK_MONOTONIC; 0 does not wait. */
static bool wait_until(const struct timeline *timeline, uint64_t point, int64_t end_ns)
{
	uint32_t handle = timeline->handle;

	return !drmSyncobjTimelineWait(timeline->drm, &handle, &point, 1, end_ns,
				       DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL);
}

bool timeline_wait(const struct timeline *timeline, uint64_t point)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return wait_until(timeline, point,
			  (now.tv_sec + LONGEST_WAIT_S) * 1000000000LL + now.tv_nsec);
}

bool timeline_has(const struct timeline *timeline, uint64_t point)
{
	return wait_until(timeline, point, 0);
}
