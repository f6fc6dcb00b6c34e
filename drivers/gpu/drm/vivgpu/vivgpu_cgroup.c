// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Limits of reserved GPU time for cgroups
 *
 * The GPU time that queues can reserve is a region of the dmem controller, in parts per million of
 * all time (reserved-ppm), so that dmem.max of a cgroup limits what its processes reserve together,
 * and dmem.current shows it. A reservation is charged to the cgroup of the task that asks for it,
 * and stays charged there wherever the task, the file or the queue goes, until others can get the
 * time: what a cgroup has given back it can reserve again no sooner than others can.
 *
 * Without the controller, or without a limit, only the admission test decides.
 */

#include <linux/err.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>

#include "vivgpu_compat.h"
#include "vivgpu_cgroup.h"

/**
 * struct vivgpu_cgroup_charge - what a reservation is charged to
 * @link: in &vivgpu_cgroups.left after the reservation was given back
 * @pool: the cgroup's part of the region, referenced
 * @ppm: how much
 * @free_ns: when others can get the reservation, after it was given back
 */
struct vivgpu_cgroup_charge {
	struct list_head link;
	struct dmem_cgroup_pool_state *pool;
	u64 ppm;
	u64 free_ns;
};

/**
 * vivgpu_cgroup_init - register the reservable time
 * @cgroups: limits of the device; all that is charged has to be given back, and uncharged, by the
 *	time the device's last reference is dropped
 * @drm: the device
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_cgroup_init(struct vivgpu_cgroups *cgroups, struct drm_device *drm)
{
	const struct dmem_cgroup_init init = { .size = VIVGPU_PPM_MAX };

	INIT_LIST_HEAD(&cgroups->left);
	cgroups->region = drmm_cgroup_register_region(drm, "reserved-ppm", &init);
	return PTR_ERR_OR_ZERO(cgroups->region);
}

/**
 * vivgpu_cgroup_charge - charge a reservation to the cgroup of the present task
 * @cgroups: limits of the device
 * @reservation: as the admission test counts it, with overhead
 * @charge: out, for vivgpu_cgroup_leave(); NULL without the controller
 *
 * Return: 0, -EDQUOT if that exceeds the limit of the cgroup or of one that it is in, or -ENOMEM.
 */
int vivgpu_cgroup_charge(struct vivgpu_cgroups *cgroups,
			 const struct vivgpu_reservation *reservation,
			 struct vivgpu_cgroup_charge **charge)
{
	struct vivgpu_cgroup_charge *new;
	int ret;

	*charge = NULL;
	if (!cgroups->region)
		return 0;

	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;

	new->ppm = vivgpu_reservation_ppm(reservation);
	ret = dmem_cgroup_try_charge(cgroups->region, new->ppm, &new->pool, NULL);
	if (ret) {
		kfree(new);
		return ret == -EAGAIN ? -EDQUOT : ret;
	}

	*charge = new;
	return 0;
}

/**
 * vivgpu_cgroup_leave - a reservation was given back
 * @cgroups: limits of the device
 * @charge: its charge, which vivgpu_cgroup_uncharge() frees; may be NULL
 * @free_ns: when others can get it
 */
void vivgpu_cgroup_leave(struct vivgpu_cgroups *cgroups, struct vivgpu_cgroup_charge *charge,
			 u64 free_ns)
{
	if (!charge)
		return;

	charge->free_ns = free_ns;
	list_add_tail(&charge->link, &cgroups->left);
}

/**
 * vivgpu_cgroup_uncharge - drop the charges of reservations that others can get
 * @cgroups: limits of the device
 * @now_ns: the time; U64_MAX drops all that were given back
 */
void vivgpu_cgroup_uncharge(struct vivgpu_cgroups *cgroups, u64 now_ns)
{
	struct vivgpu_cgroup_charge *charge, *next;

	list_for_each_entry_safe(charge, next, &cgroups->left, link) {
		if (charge->free_ns > now_ns)
			continue;
		list_del(&charge->link);
		dmem_cgroup_uncharge(charge->pool, charge->ppm);
		kfree(charge);
	}
}
