/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_CORE_H_
#define _VIVGPU_CORE_H_

#include <linux/types.h>

#include <kunit/visibility.h>

struct vivgpu_device;

int vivgpu_core_identify(struct vivgpu_device *vdev);
int vivgpu_core_alloc_shared(struct vivgpu_device *vdev);
int vivgpu_core_soft_reset(struct vivgpu_device *vdev);
int vivgpu_core_reset(struct vivgpu_device *vdev);
void vivgpu_core_update_clock(struct vivgpu_device *vdev);
void vivgpu_core_stop_clock(struct vivgpu_device *vdev);
u32 vivgpu_core_divide(u32 control, u32 scale);
bool vivgpu_core_by_clocks(const struct vivgpu_device *vdev);
void vivgpu_core_write_divider(struct vivgpu_device *vdev);
#if IS_ENABLED(CONFIG_KUNIT)
const char *vivgpu_core_reset_problem(u32 idle, u32 clock, u32 mmu);
#endif

#endif
