// SPDX-License-Identifier: GPL-2.0-only
/* The core's interrupt (HI_INTR_ACKNOWLEDGE): events, MMU exceptions and bus errors. */

#include <drm/gpu_scheduler.h>

#include "vivgpu_complete.h"
#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_irq.h"
#include "vivgpu_job.h"
#include "vivgpu_record.h"
#include "vivgpu_regs.h"
#include "vivgpu_stretch.h"
#include "vivgpu_trace.h"

/* MMUv2 STATUS has four bits for each of four units, and EXCEPTION_ADDR one register each. */
static u32 vivgpu_irq_fault_address(struct vivgpu_device *vdev, u32 status)
{
	u32 unit = status ? __ffs(status) / 4 : 0;

	/* An MMU of version 1 reports no faults. */
	if (vdev->mmu_v1)
		return 0;

	return vivgpu_read(vdev, MMUV2_EXCEPTION_ADDR(min(unit, MMUV2_UNITS - 1)));
}

static void vivgpu_irq_handle_fault(struct vivgpu_device *vdev, u32 bits)
{
	/* An error that comes while no job runs is attributed to none. */
	vdev->fault = true;
	vivgpu_core_update_clock(vdev);
	vivgpu_complete_up_to_fe(vdev);
	vdev->idle_fault = list_empty(&vdev->jobs);
	vdev->fault_status = bits & HI_INTR_MMU_EXCEPTION ? vivgpu_read(vdev, MMUV2_STATUS) : 0;
	vdev->fault_address = vivgpu_irq_fault_address(vdev, vdev->fault_status);
	trace_vivgpu_fault(vdev);
	vivgpu_record_fault(vdev, list_first_entry_or_null(&vdev->jobs, struct vivgpu_job,
							   arbiter.link));
	drm_sched_fault(&vdev->sched);
}

/* Handle what the core reports in HI_INTR_ACKNOWLEDGE, not 0; lock held. */
static void vivgpu_irq_handle(struct vivgpu_device *vdev, u32 bits, u64 now_ns)
{
	vivgpu_complete_events(vdev, bits & HI_INTR_EVENTS, now_ns);
	if (bits & ~HI_INTR_EVENTS)
		vivgpu_irq_handle_fault(vdev, bits);
	if (vdev->counters_job || !list_empty(&vdev->held))
		queue_work(vdev->submit_wq, &vdev->submit_work);
}

/**
 * vivgpu_irq_handler - the core's interrupt handler
 * @irq: number
 * @data: the device
 *
 * The time is read first, so that the stamp has the least latency. All events that one
 * interrupt reports get the same stamp.
 *
 * The register is read with the lock held, as vivgpu_recovery_complete_lost() does, which may
 * run on another CPU: event bits are used again, so bits that were read before other
 * jobs were completed and started could complete the wrong job.
 *
 * Return: IRQ_HANDLED if the core raised it, else IRQ_NONE.
 */
irqreturn_t vivgpu_irq_handler(int irq, void *data)
{
	struct vivgpu_device *vdev = data;
	u64 now_ns = ktime_get_ns();
	unsigned long flags;
	bool cookie;
	u32 bits;

	/* The line may be shared, and a suspended core's registers must not be read. */
	if (!READ_ONCE(vdev->awake))
		return IRQ_NONE;

	cookie = dma_fence_begin_signalling();
	vivgpu_stretch_spin(VIVGPU_STRETCH_IRQ);
	spin_lock_irqsave(&vdev->lock, flags);
	bits = vdev->awake ? vivgpu_read(vdev, HI_INTR_ACKNOWLEDGE) : 0;
	/* A card that was pulled reads as ones everywhere. */
	if (bits == U32_MAX)
		bits = 0;
	if (bits)
		vivgpu_irq_handle(vdev, bits, now_ns);
	spin_unlock_irqrestore(&vdev->lock, flags);
	dma_fence_end_signalling(cookie);
	return bits ? IRQ_HANDLED : IRQ_NONE;
}
