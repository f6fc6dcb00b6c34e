/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DRV_H_
#define _VIVGPU_DRV_H_

#include <linux/xarray.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>

struct vivgpu_client;
struct vivgpu_queue;
struct vivgpu_vm;

extern const struct drm_driver vivgpu_drm_driver;

/**
 * struct vivgpu_file - an open file
 */
struct vivgpu_file {
	/** @client: the part that lives as long as the file's jobs */
	struct vivgpu_client *client;
	/** @vm: its address space, which is the client's */
	struct vivgpu_vm *vm;
	/** @queues: its queues by number */
	struct xarray queues;
	/** @compat: the queue of the etnaviv calls */
	struct vivgpu_queue *compat;
};

#endif
