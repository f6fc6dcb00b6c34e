/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_CGROUP_H_
#define _VIVGPU_CGROUP_H_

#include <linux/list.h>
#include <linux/types.h>

#include "vivgpu_admission.h"

struct dmem_cgroup_region;
struct drm_device;
struct vivgpu_cgroup_charge;

/**
 * struct vivgpu_cgroups - limits of reserved GPU time for cgroups; its user serialises calls
 * @region: the reservable time as a region of the dmem controller; NULL without that controller
 * @left: charges of reservations that were given back and are not free yet
 */
struct vivgpu_cgroups {
	struct dmem_cgroup_region *region;
	struct list_head left;
};

int vivgpu_cgroup_init(struct vivgpu_cgroups *cgroups, struct drm_device *drm);
int vivgpu_cgroup_charge(struct vivgpu_cgroups *cgroups,
			 const struct vivgpu_reservation *reservation,
			 struct vivgpu_cgroup_charge **charge);
void vivgpu_cgroup_leave(struct vivgpu_cgroups *cgroups, struct vivgpu_cgroup_charge *charge,
			 u64 free_ns);
void vivgpu_cgroup_uncharge(struct vivgpu_cgroups *cgroups, u64 now_ns);

#endif
