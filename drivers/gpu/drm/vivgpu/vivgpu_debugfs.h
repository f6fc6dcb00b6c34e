/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DEBUGFS_H_
#define _VIVGPU_DEBUGFS_H_

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct drm_minor;
struct vivgpu_device;
struct vivgpu_job;
struct vivgpu_kept_stream;

/* Maximum number of captured streams */
#define VIVGPU_KEPT_MOST	64

/**
 * struct vivgpu_kept - captured command streams of the last jobs
 */
struct vivgpu_kept {
	/** @lock: what follows; taken in system calls, innermost */
	struct mutex lock;
	/** @most: number of streams to capture, 0 for none */
	u32 most;
	/** @count: how many there are */
	u32 count;
	/** @list: oldest first */
	struct list_head list;
};

#ifdef CONFIG_DEBUG_FS

struct vivgpu_kept_stream *vivgpu_kept_alloc(struct vivgpu_device *vdev);
void vivgpu_kept_note(struct vivgpu_kept_stream *stream, const struct vivgpu_job *job);
void vivgpu_kept_add(struct vivgpu_device *vdev, struct vivgpu_kept_stream *stream, u32 **words);
int vivgpu_kept_init(struct vivgpu_device *vdev);
void vivgpu_debugfs_init(struct drm_minor *minor);

#else

static inline struct vivgpu_kept_stream *vivgpu_kept_alloc(struct vivgpu_device *vdev)
{
	return NULL;
}

static inline void vivgpu_kept_note(struct vivgpu_kept_stream *stream,
				    const struct vivgpu_job *job)
{
}

static inline void vivgpu_kept_add(struct vivgpu_device *vdev, struct vivgpu_kept_stream *stream,
				   u32 **words)
{
}

static inline int vivgpu_kept_init(struct vivgpu_device *vdev)
{
	return 0;
}

#endif

#endif
