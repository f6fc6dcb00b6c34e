/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_CLIENT_H_
#define _VIVGPU_CLIENT_H_

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>

#include "vivgpu_cmd.h"
#include "vivgpu_usage.h"

struct file;
struct pid;
struct vivgpu_device;
struct vivgpu_vm;

/**
 * struct vivgpu_client - the part of an open file that lives as long as its jobs
 */
struct vivgpu_client {
	/** @ref: the file and its jobs */
	struct kref ref;
	/** @vdev: the device, alive as long as @vm is */
	struct vivgpu_device *vdev;
	/** @link: in the device's list */
	struct list_head link;
	/** @vm: its address space */
	struct vivgpu_vm *vm;
	/**
	 * @module_ref: references device and module for its jobs' fences; NULL before
	 * the first job
	 */
	struct file *module_ref;
	/** @cmd: memory for copies of its streams */
	struct vivgpu_cmd cmd;
	/** @id: drm-client-id in fdinfo */
	u64 id;
	/** @pid: the process that opened the file, referenced */
	struct pid *pid;
	/** @name: name of that process when it opened the file */
	char name[TASK_COMM_LEN];
	/** @opened_ns: time of the open, CLOCK_MONOTONIC */
	u64 opened_ns;
	/** @submitted: number of jobs that were submitted */
	atomic64_t submitted;
	/** @ended: numbers of ended jobs; under the device's lock */
	struct vivgpu_ended ended;
	/** @lost_records: number of records lost by its closed streams; under the device's lock */
	u64 lost_records;
	/** @usage: GPU use of finished jobs; under the device's lock, read by its sequence count */
	struct vivgpu_usage usage;
	/** @reported_lock: protects @reported; innermost */
	spinlock_t reported_lock;
	/** @reported: the highest figures that fdinfo or DRM_IOCTL_VIVGPU_USAGE has given */
	struct vivgpu_usage reported;
	/** @guilty: number of jobs that caused a reset */
	atomic_t guilty;
	/** @fences: fences of its jobs by number, for etnaviv's calls */
	struct xarray fences;
	/** @next_fence: number at which the search for a free one begins */
	u32 next_fence;
	/** @last_job: number of the newest job */
	atomic_t last_job;
	/** @pending: jobs that were pushed and have not completed */
	atomic_t pending;
};

struct vivgpu_client *vivgpu_client_create(struct vivgpu_device *vdev, u64 id);
void vivgpu_client_put(struct vivgpu_client *client);
void vivgpu_client_revoke_all(struct vivgpu_device *vdev);

#endif
