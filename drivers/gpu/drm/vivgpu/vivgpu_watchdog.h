/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_WATCHDOG_H_
#define _VIVGPU_WATCHDOG_H_

#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <linux/types.h>

struct vivgpu_device;

/**
 * struct vivgpu_watchdog - what makes recoveries begin; all under the device's lock
 */
struct vivgpu_watchdog {
	/** @ask: asks again for a recovery that has not begun */
	struct hrtimer ask;
	/** @stall: looks for progress; pending while jobs are in the ring */
	struct timer_list stall;
	/** @progress: jiffies at which a job ended, or entered the empty ring */
	unsigned long progress;
	/** @stalled: no job has ended for half a second */
	bool stalled;
	/** @recovering: a recovery has begun */
	bool recovering;
	/** @check: the recovery that runs has to check whether the core makes progress */
	bool check;
};

void vivgpu_watchdog_init(struct vivgpu_device *vdev);
void vivgpu_watchdog_stop(struct vivgpu_device *vdev);
void vivgpu_watchdog_ask(struct vivgpu_device *vdev);
void vivgpu_watchdog_enter(struct vivgpu_device *vdev);
void vivgpu_watchdog_begin(struct vivgpu_device *vdev);
void vivgpu_watchdog_end(struct vivgpu_device *vdev);

#endif
