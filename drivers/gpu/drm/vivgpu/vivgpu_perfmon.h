/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_PERFMON_H_
#define _VIVGPU_PERFMON_H_

#include <linux/compiler.h>
#include <linux/types.h>

#include "vivgpu_usage.h"

struct drm_device;
struct drm_file;
struct drm_gem_object;
struct vivgpu_device;
struct vivgpu_job;
struct vivgpu_vmap;

/*
 * Maximum of counters of one job, which are read while the ring is idle. 64 for performance
 * monitors, and one for each query of pipeline statistics that may be active beside.
 */
#define VIVGPU_MAX_COUNTERS	68

/**
 * struct vivgpu_signal - a counter of the core
 * @name: name in the public register database
 * @reg: register that shows it
 * @config: register that selects it, 0 if @reg always shows it
 * @select: value for @config
 * @per_pipe: each pixel pipe has a part of the count
 * @unit: DRM_VIVGPU_UNIT_*
 * @scale: units per count
 */
struct vivgpu_signal {
	const char *name;
	u16 reg;
	u16 config;
	u32 select;
	bool per_pipe;
	u8 unit;
	u8 scale;
};

/**
 * struct vivgpu_domain - a block of the core that counts
 * @name: its short name in the register database
 * @signals: its counters
 * @nr_signals: number of counters
 */
struct vivgpu_domain {
	const char *name;
	const struct vivgpu_signal *signals;
	u32 nr_signals;
};

/**
 * struct vivgpu_counter - a counter that a job requests
 */
struct vivgpu_counter {
	/** @signal: the counter of the core */
	const struct vivgpu_signal *signal;
	/** @value: the count is written here; NULL for requests of etnaviv's calls */
	u64 *value;
	/** @before: etnaviv: the count at the job's start, which is 0, is written here, or NULL */
	u32 *before;
	/** @after: etnaviv: the job's count is written here at its end, or NULL */
	u32 *after;
	/** @done: etnaviv: @sequence is written here after all counts, or NULL */
	u32 *done;
	/** @sequence: etnaviv: value for @done */
	u32 sequence;
	/** @start: the register before the job; not visible to clients */
	u32 start;
	/** @map: mapping that @value, @before and @after are in; or NULL */
	struct vivgpu_vmap *map;
	/** @done_map: etnaviv: mapping that @done is in; or NULL */
	struct vivgpu_vmap *done_map;
	/** @obj: the buffer, referenced by the job */
	struct drm_gem_object *obj;
};

const struct vivgpu_domain *vivgpu_perfmon_domain(u32 domain);
const struct vivgpu_signal *vivgpu_perfmon_signal(u32 domain, u32 signal);
void vivgpu_perfmon_begin(struct vivgpu_device *vdev, struct vivgpu_job *job);
void vivgpu_perfmon_end(struct vivgpu_device *vdev, struct vivgpu_job *job);
void vivgpu_perfmon_fail(struct vivgpu_job *job);
void vivgpu_perfmon_put(struct vivgpu_job *job);

int vivgpu_ioctl_perf_domain(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_perf_signal(struct drm_device *drm, void *data, struct drm_file *file);

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
