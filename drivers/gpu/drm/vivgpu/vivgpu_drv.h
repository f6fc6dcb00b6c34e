/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DRV_H_
#define _VIVGPU_DRV_H_

#include <linux/xarray.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/etnaviv_drm.h>

struct drm_device;
struct drm_file;
struct file;
struct seq_file;
struct vivgpu_client;
struct vivgpu_device;
struct vivgpu_queue;
struct vivgpu_usage;
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

void vivgpu_fdinfo_show(struct seq_file *m, struct file *f);

int vivgpu_ioctl_usage(struct drm_device *drm, void *data, struct drm_file *file);

#ifdef CONFIG_PCI
int vivgpu_pci_register(void);
void vivgpu_pci_unregister(void);
#else
static inline int vivgpu_pci_register(void)
{
	return 0;
}

static inline void vivgpu_pci_unregister(void)
{
}
#endif

#ifdef CONFIG_OF
int vivgpu_of_register(void);
void vivgpu_of_unregister(void);
#else
static inline int vivgpu_of_register(void)
{
	return 0;
}

static inline void vivgpu_of_unregister(void)
{
}
#endif

#ifdef CONFIG_DRM_VIVGPU_ETNAVIV_ABI

int vivgpu_etnaviv_get_param(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_gem_new(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_gem_info(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_cpu_prep(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_cpu_fini(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_submit(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_wait_fence(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_gem_wait(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_query_domain(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_query_signal(struct drm_device *drm, void *data, struct drm_file *file);

#endif

#endif
