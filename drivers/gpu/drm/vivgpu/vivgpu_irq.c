// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: The core's interrupt
 *
 * HI_INTR_ACKNOWLEDGE has a bit for each event, for MMU exceptions and for bus errors; reading
 * clears it. The line is high while a bit that HI_INTR_ENBL enables is set, and on most SoCs
 * the interrupt controller looks at its level: the handler is called again and again
 * until the register was read. The registers of a core that sleeps or is in a reset must not be
 * read, so the line has to be low before: see vivgpu_irq_quiesce().
 */

#include <linux/export.h>
#include <linux/interrupt.h>

#include <drm/gpu_scheduler.h>

#include <kunit/static_stub.h>
#include <kunit/visibility.h>

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

/* Remember a fault and what it was; the caller sees to the reset. Lock held. */
static void vivgpu_irq_record_fault(struct vivgpu_device *vdev, u32 bits)
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
}

/* Handle what the core reports in HI_INTR_ACKNOWLEDGE, not 0; lock held. */
static void vivgpu_irq_handle(struct vivgpu_device *vdev, u32 bits, u64 now_ns)
{
	vivgpu_complete_events(vdev, bits & HI_INTR_EVENTS, now_ns);
	if (bits & ~HI_INTR_EVENTS)
		vivgpu_irq_record_fault(vdev, bits);
}

/* Read and clear what the core reports. A card that was pulled reads as ones: as nothing. */
static u32 vivgpu_irq_read(struct vivgpu_device *vdev)
{
	u32 bits = vivgpu_read(vdev, HI_INTR_ACKNOWLEDGE);

	return bits == U32_MAX ? 0 : bits;
}

/* The same outside of the handler, which may interrupt a test. */
VISIBLE_IF_KUNIT u32 vivgpu_irq_acknowledge(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_irq_acknowledge, vdev);
	return vivgpu_irq_read(vdev);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_irq_acknowledge);

/* Keep the line low, whatever is reported from now on. */
VISIBLE_IF_KUNIT void vivgpu_irq_mask(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_irq_mask, vdev);
	vivgpu_write(vdev, HI_INTR_ENBL, 0);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_irq_mask);

/* Wait for a handler that runs. */
VISIBLE_IF_KUNIT void vivgpu_irq_synchronize(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_irq_synchronize, vdev);
	synchronize_irq(vdev->irq);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_irq_synchronize);

/**
 * vivgpu_irq_quiesce - end the core's interrupts before a reset, a suspend or the removal
 * @vdev: the device; may sleep
 *
 * First the interrupts are masked, then what was reported before is read and handled, which
 * also makes sure that the write has arrived: the line is low. When no handler runs any more,
 * the core counts as asleep, and the handler reads none of its registers. A fault is recorded
 * without asking for a reset.
 */
void vivgpu_irq_quiesce(struct vivgpu_device *vdev)
{
	u64 now_ns = ktime_get_ns();
	u32 bits;

	spin_lock_irq(&vdev->lock);
	if (vdev->awake) {
		vivgpu_irq_mask(vdev);
		bits = vivgpu_irq_acknowledge(vdev);
		if (bits)
			vivgpu_irq_handle(vdev, bits, now_ns);
	}
	spin_unlock_irq(&vdev->lock);
	vivgpu_irq_synchronize(vdev);
	vivgpu_core_stop_clock(vdev);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_irq_quiesce);

/**
 * vivgpu_irq_handler - the core's interrupt handler
 * @irq: number
 * @data: the device
 *
 * The time is read first, so that the stamp has the least latency. All events that one
 * interrupt reports get the same stamp, unless a timestamp point is among them.
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
	bits = vdev->awake ? vivgpu_irq_read(vdev) : 0;
	if (bits)
		vivgpu_irq_handle(vdev, bits, now_ns);
	if (bits & ~HI_INTR_EVENTS)
		drm_sched_fault(&vdev->sched);
	if (bits && (vdev->counters_job || !list_empty(&vdev->held)))
		queue_work(vdev->submit_wq, &vdev->submit_work);
	spin_unlock_irqrestore(&vdev->lock, flags);
	dma_fence_end_signalling(cookie);
	return bits ? IRQ_HANDLED : IRQ_NONE;
}
