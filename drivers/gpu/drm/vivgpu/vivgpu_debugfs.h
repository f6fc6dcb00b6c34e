/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DEBUGFS_H_
#define _VIVGPU_DEBUGFS_H_

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct drm_minor;
struct vivgpu_device;
struct vivgpu_job;
struct vivgpu_captured_stream;

/* Maximum number of captured streams */
#define VIVGPU_MAX_CAPTURED_STREAMS	64

/**
 * struct vivgpu_capture - captured command streams of the last jobs
 */
struct vivgpu_capture {
	/** @lock: protects the members below; taken in system calls, innermost */
	struct mutex lock;
	/** @max_count: number of streams to capture, 0 for none */
	u32 max_count;
	/** @count: number of captured streams */
	u32 count;
	/** @list: oldest first */
	struct list_head list;
};

#ifdef CONFIG_DEBUG_FS

struct vivgpu_captured_stream *vivgpu_capture_alloc(struct vivgpu_device *vdev);
void vivgpu_capture_set_job(struct vivgpu_captured_stream *stream, const struct vivgpu_job *job);
void vivgpu_capture_add(struct vivgpu_device *vdev, struct vivgpu_captured_stream *stream,
			u32 **words);
int vivgpu_capture_init(struct vivgpu_device *vdev);
void vivgpu_debugfs_init(struct drm_minor *minor);

#else

static inline struct vivgpu_captured_stream *vivgpu_capture_alloc(struct vivgpu_device *vdev)
{
	return NULL;
}

static inline void vivgpu_capture_set_job(struct vivgpu_captured_stream *stream,
					  const struct vivgpu_job *job)
{
}

static inline void vivgpu_capture_add(struct vivgpu_device *vdev,
				      struct vivgpu_captured_stream *stream, u32 **words)
{
}

static inline int vivgpu_capture_init(struct vivgpu_device *vdev)
{
	return 0;
}

#endif

#endif
