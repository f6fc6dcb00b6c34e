/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_SAMPLE_H_
#define _VIVGPU_SAMPLE_H_

#include <linux/compiler.h>

#include "vivgpu_counts.h"

struct vivgpu_device;

/**
 * struct vivgpu_sampling - counting of vertices, primitives and fragments for streams
 *
 * Under the device's lock. The counters are only read while jobs are in the ring, or at the
 * moment when one enters it: exact counters are read while the ring is empty.
 */
struct vivgpu_sampling {
	/** @streams: number of open streams with counts; nothing is read if there is none */
	u32 streams;
	/** @exact_streams: number of these with an exact_interval */
	u32 exact_streams;
	/** @selected: the core's registers show the counters that are read here */
	bool selected;
	/** @counting: counts since the end of the last job */
	struct vivgpu_counting counting;
};

void vivgpu_sample_start(struct vivgpu_device *vdev);
void vivgpu_sample_jobs(struct vivgpu_device *vdev, u32 events);
void vivgpu_sample_poll(struct vivgpu_device *vdev);
void vivgpu_sample_stop(struct vivgpu_device *vdev);
void vivgpu_sample_add_stream(struct vivgpu_device *vdev, bool exact);
void vivgpu_sample_remove_stream(struct vivgpu_device *vdev, bool exact);

#endif
