/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_GROUP_H_
#define _VIVGPU_GROUP_H_

#include <linux/list.h>
#include <linux/types.h>

#include "vivgpu_admission.h"

struct dmem_cgroup_region;
struct drm_device;
struct vivgpu_group_charge;

/**
 * struct vivgpu_groups - limits of reserved GPU time for cgroups; its user serialises calls
 * @region: the reservable time as a region of the dmem controller; NULL without that controller
 * @left: charges of reservations that were given back and are not free yet
 */
struct vivgpu_groups {
	struct dmem_cgroup_region *region;
	struct list_head left;
};

int vivgpu_group_init(struct vivgpu_groups *groups, struct drm_device *drm);
int vivgpu_group_charge(struct vivgpu_groups *groups, const struct vivgpu_reservation *reservation,
			struct vivgpu_group_charge **charge);
void vivgpu_group_leave(struct vivgpu_groups *groups, struct vivgpu_group_charge *charge,
			u64 free_ns);
void vivgpu_group_uncharge(struct vivgpu_groups *groups, u64 now_ns);

#endif
