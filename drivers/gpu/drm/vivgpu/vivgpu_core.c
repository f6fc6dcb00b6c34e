// SPDX-License-Identifier: GPL-2.0-only
/*
 * The core itself: identity, reset, its MMU, its front end, its cycle counter.
 *
 * Bus code (PCI, platform) has mapped the registers before.
 */

#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/export.h>
#include <linux/iopoll.h>
#include <linux/moduleparam.h>

#include <drm/drm_print.h>

#include <kunit/static_stub.h>
#include <kunit/visibility.h>

#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_errata.h"
#include "vivgpu_mmu.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_pm.h"
#include "vivgpu_regs.h"

/* Hardware may need several attempts; etnaviv's limit. */
#define RESET_TIMEOUT_US	USEC_PER_SEC
/* Hardware needs microseconds; the host of a virtual core may not run it for tens of ms. */
#define MMU_TIMEOUT_US		(100 * USEC_PER_MSEC)
/* Set-up commands lie after the ring. */
#define SETUP_OFFSET		RING_BYTES
#define SHARED_BYTES		(RING_BYTES + PAGE_SIZE)

static void vivgpu_core_read_words(struct vivgpu_device *vdev, u32 *words, const u16 *offsets,
				   size_t count)
{
	while (count--)
		*words++ = vivgpu_read(vdev, *offsets++);
}

static void vivgpu_core_read_identity(struct vivgpu_device *vdev)
{
	static const u16 features[VIVGPU_FEATURE_WORDS] = {
		HI_CHIP_FEATURE, HI_CHIP_MINOR_FEATURE_0, HI_CHIP_MINOR_FEATURE_1,
		HI_CHIP_MINOR_FEATURE_2, HI_CHIP_MINOR_FEATURE_3, HI_CHIP_MINOR_FEATURE_4,
		HI_CHIP_MINOR_FEATURE_5,
	};
	static const u16 specs[VIVGPU_SPECS_WORDS] = {
		HI_CHIP_SPECS, HI_CHIP_SPECS_2, HI_CHIP_SPECS_3, HI_CHIP_SPECS_4,
	};
	struct vivgpu_identity *id = &vdev->identity;

	id->model = vivgpu_read(vdev, HI_CHIP_MODEL);
	id->revision = vivgpu_read(vdev, HI_CHIP_REV);
	id->customer = vivgpu_read(vdev, HI_CHIP_CUSTOMER_ID);
	id->product = vivgpu_read(vdev, HI_CHIP_PRODUCT_ID);
	id->eco = vivgpu_read(vdev, HI_CHIP_ECO_ID);
	vivgpu_core_read_words(vdev, id->features, features, ARRAY_SIZE(features));
	vivgpu_core_read_words(vdev, id->specs, specs, ARRAY_SIZE(specs));

	/* The i.MX6QP's "GC2000+" is a GC3000 by another name. */
	if (id->model == 0x2000 && id->revision == 0xffff5450) {
		id->model = 0x3000;
		id->revision = 0x5450;
	}
}

static bool allow_mmu_v1;
module_param(allow_mmu_v1, bool, 0444);
MODULE_PARM_DESC(allow_mmu_v1,
		 "Drive cores with an MMU of version 1, on which any client can read and write all memory (default: false)");

static int vivgpu_core_check_identity(struct vivgpu_device *vdev)
{
	const struct vivgpu_identity *id = &vdev->identity;

	drm_info(&vdev->drm, "GC%x, revision %x, %u MHz\n", id->model, id->revision,
		 vdev->clock_hz / 1000000);

	if (!(id->features[0] & FEATURE_PIPE_3D))
		return dev_err_probe(vdev->drm.dev, -ENODEV, "no 3D pipe\n");

	vdev->mmu_v1 = !(id->features[2] & MINOR_FEATURE_1_MMU_VERSION);
	if (vdev->mmu_v1 && !allow_mmu_v1)
		return dev_err_probe(vdev->drm.dev, -ENODEV,
				     "an MMU of version 1 isolates nobody: see the parameter allow_mmu_v1\n");
	vdev->cycles_reg = vivgpu_identity_is_old(id) ? MC_PROFILE_CYCLE_COUNTER :
			   HI_PROFILE_TOTAL_CYCLES;
	return 0;
}

/*
 * Entries of version 2 have 40 bits for a page; tables, ring and streams stay below 4 GiB, since
 * the coherent mask keeps the 32 bits that the bus code has set. With version 1 ring and streams
 * have to be in the linear window, which covers 2 GiB: the first ones, unless the system has no
 * memory for the device there.
 */
static int vivgpu_core_set_dma_mask(struct vivgpu_device *vdev)
{
	struct device *dev = vdev->drm.dev;
	dma_addr_t dma;
	void *page;

	if (!vdev->mmu_v1)
		return dma_set_mask(dev, DMA_BIT_MASK(40));

	if (!dma_set_coherent_mask(dev, DMA_BIT_MASK(31))) {
		page = dma_alloc_coherent(dev, PAGE_SIZE, &dma, GFP_KERNEL | __GFP_NOWARN);
		if (page) {
			dma_free_coherent(dev, PAGE_SIZE, page, dma);
			return 0;
		}
	}

	vdev->window_base = VIVGPU_V1_START;
	return dma_set_coherent_mask(dev, DMA_BIT_MASK(32));
}

/**
 * vivgpu_core_identify - read which core it is, and check that it can be driven
 * @vdev: the device; its registers are mapped
 *
 * Return: 0, or -ENODEV if it is not a core for this driver.
 */
int vivgpu_core_identify(struct vivgpu_device *vdev)
{
	int ret;

	vivgpu_core_read_identity(vdev);
	ret = vivgpu_core_check_identity(vdev);
	return ret ?: vivgpu_core_set_dma_mask(vdev);
}

/**
 * vivgpu_core_reset_problem - check whether a reset has reset the core
 * @idle: HI_IDLE_STATE; AXI_LP does not count
 * @clock: HI_CLOCK_CONTROL
 * @mmu: MMUV2_CONTROL, 0 with an MMU of version 1
 *
 * A reset under load sometimes leaves parts of the core as they were.
 *
 * Return: what is wrong, or NULL.
 */
VISIBLE_IF_KUNIT const char *vivgpu_core_reset_problem(u32 idle, u32 clock, u32 mmu)
{
	if ((idle & HI_IDLE_STATE_ALL) != HI_IDLE_STATE_ALL)
		return "modules are not idle";
	if (!(clock & HI_CLOCK_CONTROL_IDLE_3D) || !(clock & HI_CLOCK_CONTROL_IDLE_2D))
		return "pipes are not idle";
	if (mmu & MMUV2_CONTROL_ENABLE)
		return "the MMU is enabled";
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_core_reset_problem);

/*
 * Clock gating and the pulse eater, which skips cycles, are off during a reset. The values are from
 * etnaviv_hw_reset(), which does not say what UNKNOWN17 is.
 */
static void vivgpu_core_ungate(struct vivgpu_device *vdev)
{
	const u32 value = PM_PULSE_EATER_UNREADABLE | PM_PULSE_EATER_UNKNOWN17;

	vivgpu_write(vdev, PM_POWER_CONTROLS, 0);
	vivgpu_read(vdev, PM_POWER_CONTROLS);
	vivgpu_write(vdev, PM_PULSE_EATER, value);
	vivgpu_write(vdev, PM_PULSE_EATER, value | PM_PULSE_EATER_DISABLE);
	vivgpu_read(vdev, PM_PULSE_EATER);
}

/*
 * Try a reset once: full speed (FSCALE 64), isolate, soft reset, then check that all of the core is
 * idle and its MMU off. Returns what is wrong, or NULL.
 */
static const char *vivgpu_core_try_reset(struct vivgpu_device *vdev)
{
	const u32 scale = HI_CLOCK_CONTROL_FSCALE(64);

	vivgpu_core_ungate(vdev);
	vivgpu_write(vdev, HI_CLOCK_CONTROL, scale | HI_CLOCK_CONTROL_FSCALE_LOAD);
	vivgpu_write(vdev, HI_CLOCK_CONTROL, scale);
	vivgpu_write(vdev, HI_CLOCK_CONTROL, scale | HI_CLOCK_CONTROL_ISOLATE);
	vivgpu_write(vdev, HI_CLOCK_CONTROL,
		     scale | HI_CLOCK_CONTROL_ISOLATE | HI_CLOCK_CONTROL_SOFT_RESET);
	usleep_range(10, 20);
	vivgpu_write(vdev, HI_CLOCK_CONTROL, scale | HI_CLOCK_CONTROL_ISOLATE);
	vivgpu_write(vdev, HI_CLOCK_CONTROL, scale);

	return vivgpu_core_reset_problem(vivgpu_read(vdev, HI_IDLE_STATE),
					 vivgpu_read(vdev, HI_CLOCK_CONTROL),
					 vdev->mmu_v1 ? 0 : vivgpu_read(vdev, MMUV2_CONTROL));
}

/* A card that was pulled reads as ones everywhere. */
static bool vivgpu_core_is_gone(struct vivgpu_device *vdev)
{
	return vivgpu_read(vdev, HI_CHIP_MODEL) == U32_MAX;
}

/**
 * vivgpu_core_soft_reset - reset the core and stop its front end
 * @vdev: the device
 *
 * Its interrupts are masked afterwards, also where a reset would enable them.
 *
 * Return: 0, or -ENODEV if the core does not come out of reset.
 */
int vivgpu_core_soft_reset(struct vivgpu_device *vdev)
{
	ktime_t end = ktime_add_us(ktime_get(), RESET_TIMEOUT_US);
	const char *problem;

	do {
		problem = vivgpu_core_is_gone(vdev) ? "no core" : vivgpu_core_try_reset(vdev);
	} while (problem && !vivgpu_core_is_gone(vdev) && ktime_before(ktime_get(), end));

	vivgpu_write(vdev, HI_INTR_ENBL, 0);
	if (!problem)
		return 0;

	drm_err(&vdev->drm, "the core does not come out of reset: %s\n", problem);
	return -ENODEV;
}

/* Start the front end at @address, with a first fetch of @prefetch units of 64 bits. */
static void vivgpu_core_start_fe(struct vivgpu_device *vdev, u32 address, u32 prefetch)
{
	vivgpu_write(vdev, FE_COMMAND_ADDRESS, address);
	wmb(); /* address before start */
	vivgpu_write(vdev, FE_COMMAND_CONTROL, FE_COMMAND_CONTROL_ENABLE | prefetch);
}

/* An MMU of version 1 takes base and table from registers, for each unit. */
static void vivgpu_core_enable_mmu_v1(struct vivgpu_device *vdev)
{
	static const u16 bases[] = {
		MC_MEMORY_BASE_ADDR_RA, MC_MEMORY_BASE_ADDR_FE, MC_MEMORY_BASE_ADDR_TX,
		MC_MEMORY_BASE_ADDR_PEZ, MC_MEMORY_BASE_ADDR_PE,
	};
	static const u16 tables[] = {
		MC_MMU_FE_PAGE_TABLE, MC_MMU_TX_PAGE_TABLE, MC_MMU_PE_PAGE_TABLE,
		MC_MMU_PEZ_PAGE_TABLE, MC_MMU_RA_PAGE_TABLE,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		vivgpu_write(vdev, bases[i], vdev->window_base);
		vivgpu_write(vdev, tables[i], vivgpu_vm_table(vdev->vm));
	}
}

/*
 * Run @words words of set-up commands, which end with an END, so that the core becomes idle: at bus
 * addresses, since the MMU is off after a reset, or in the linear window of version 1.
 */
static int vivgpu_core_run_setup(struct vivgpu_device *vdev, u32 words)
{
	u32 address = vdev->mmu_v1 ? vdev->ring.va : vdev->shared.dma;
	u32 idle;
	int ret;

	vivgpu_core_start_fe(vdev, address + SETUP_OFFSET, words / 2);
	ret = read_poll_timeout(vivgpu_read, idle,
				(idle & HI_IDLE_STATE_ALL) == HI_IDLE_STATE_ALL,
				10, MMU_TIMEOUT_US, false, vdev, HI_IDLE_STATE);
	if (ret)
		drm_err(&vdev->drm, "the front end does not run the set-up commands\n");
	return ret;
}

/* Select the 3D pipe and set up the MMU; one of version 2 takes its tables from commands. */
static int vivgpu_core_enable_mmu(struct vivgpu_device *vdev)
{
	struct vivgpu_shared *shared = &vdev->shared;
	u32 *words = shared->words + SETUP_OFFSET / sizeof(u32);
	int ret;

	if (vdev->mmu_v1) {
		vivgpu_core_enable_mmu_v1(vdev);
		return vivgpu_core_run_setup(vdev, vivgpu_ring_pipe_setup(words));
	}

	ret = vivgpu_core_run_setup(vdev, vivgpu_ring_mmu_setup(words, vivgpu_vm_table(vdev->vm),
								shared->safe_dma));
	if (!ret)
		vivgpu_write(vdev, MMUV2_CONTROL, MMUV2_CONTROL_ENABLE);
	return ret;
}

/**
 * vivgpu_core_update_clock - read the cycle counter, if the core is awake
 * @vdev: the device, its lock held
 */
void vivgpu_core_update_clock(struct vivgpu_device *vdev)
{
	u64 begin_ns, end_ns;
	u32 raw;

	if (!vdev->awake)
		return;

	begin_ns = ktime_get_ns();
	raw = vivgpu_read(vdev, vdev->cycles_reg);
	end_ns = ktime_get_ns();
	if (raw == U32_MAX && vivgpu_core_is_gone(vdev))
		return;

	write_seqcount_begin(&vdev->usage_seq);
	vivgpu_clock_update(&vdev->clock, raw, begin_ns, end_ns);
	write_seqcount_end(&vdev->usage_seq);
}

/**
 * vivgpu_core_stop_clock - read the cycle counter for the last time before a reset or suspend
 * @vdev: the device; its core counts as asleep until the next reset has ended
 */
void vivgpu_core_stop_clock(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_core_stop_clock, vdev);
	spin_lock_irq(&vdev->lock);
	vivgpu_core_update_clock(vdev);
	write_seqcount_begin(&vdev->usage_seq);
	vivgpu_sample_stop(vdev);
	vdev->awake = false;
	write_seqcount_end(&vdev->usage_seq);
	spin_unlock_irq(&vdev->lock);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_core_stop_clock);

/**
 * vivgpu_core_divide - value of HI_CLOCK_CONTROL with another divider
 * @control: its value
 * @scale: the clock is divided by two to the power of this, at most VIVGPU_FREQ_MAX_SCALE
 *
 * Return: the value, without FSCALE_LOAD.
 */
u32 vivgpu_core_divide(u32 control, u32 scale)
{
	control &= ~(HI_CLOCK_CONTROL_FSCALE_MASK | HI_CLOCK_CONTROL_FSCALE_LOAD);
	return control | HI_CLOCK_CONTROL_FSCALE(64 >> scale);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_core_divide);

/**
 * vivgpu_core_by_clocks - whether the rates of the bus's clocks are changed, not the divider
 * @vdev: the device
 *
 * Return: true if they are.
 */
bool vivgpu_core_by_clocks(const struct vivgpu_device *vdev)
{
	return vdev->bus && vdev->bus->set_scale &&
	       vdev->identity.features[3] & MINOR_FEATURE_2_DYNAMIC_FREQUENCY_SCALING;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_core_by_clocks);

/**
 * vivgpu_core_write_divider - write the divider: full speed if the clocks are scaled
 * @vdev: the device, awake, its lock held
 */
void vivgpu_core_write_divider(struct vivgpu_device *vdev)
{
	u32 scale = vivgpu_core_by_clocks(vdev) ? 0 : vdev->freq.scale;
	u32 control = vivgpu_core_divide(vivgpu_read(vdev, HI_CLOCK_CONTROL), scale);

	vivgpu_write(vdev, HI_CLOCK_CONTROL, control | HI_CLOCK_CONTROL_FSCALE_LOAD);
	vivgpu_write(vdev, HI_CLOCK_CONTROL, control);
}

/*
 * The last step of a reset: write the divider, continue the count of cycles from the register's new
 * value, mark the core as awake, and forget faults from before the reset.
 */
static void vivgpu_core_start_clock(struct vivgpu_device *vdev)
{
	u32 raw;

	spin_lock_irq(&vdev->lock);
	vivgpu_core_write_divider(vdev);
	raw = vivgpu_read(vdev, vdev->cycles_reg);
	write_seqcount_begin(&vdev->usage_seq);
	vivgpu_clock_reset(&vdev->clock, raw, ktime_get_ns());
	vdev->awake = true;
	write_seqcount_end(&vdev->usage_seq);
	vdev->fault = false;
	vdev->fault_status = 0;
	vdev->idle_fault = false;
	spin_unlock_irq(&vdev->lock);
}

/*
 * Write the registers that this core needs, with clock gating, in etnaviv's order. A write to
 * these is complete when the register was read again.
 */
static void vivgpu_core_apply_errata(struct vivgpu_device *vdev)
{
	static const u16 regs[] = {
		PM_POWER_CONTROLS, PM_MODULE_CONTROLS, HI_AXI_CONFIG, MC_BUS_CONFIG, PM_PULSE_EATER,
	};
	u32 i, value;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		value = 0;
		if (!vivgpu_errata_apply(&vdev->identity, regs[i], &value))
			continue;
		value = vivgpu_read(vdev, regs[i]);
		vivgpu_errata_apply(&vdev->identity, regs[i], &value);
		vivgpu_write(vdev, regs[i], value);
		vivgpu_read(vdev, regs[i]);
	}
}

/**
 * vivgpu_core_reset - bring the core to a known state, its ring idle
 * @vdev: the device; no job runs, and none enters the ring meanwhile
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_core_reset(struct vivgpu_device *vdev)
{
	u32 start;
	int ret;

	vivgpu_core_stop_clock(vdev);
	ret = vivgpu_core_soft_reset(vdev);
	if (ret)
		return ret;

	vivgpu_read(vdev, HI_INTR_ACKNOWLEDGE);
	vivgpu_core_apply_errata(vdev);
	ret = vivgpu_core_enable_mmu(vdev);
	if (ret)
		return ret;

	start = vivgpu_ring_start(&vdev->ring);
	vdev->queue = 0;
	vivgpu_state_mark_unknown(&vdev->state);
	vivgpu_scrub_reset(&vdev->scrub);
	vivgpu_core_start_clock(vdev);
	vivgpu_write(vdev, HI_INTR_ENBL, U32_MAX);
	vivgpu_core_start_fe(vdev, start, 2);
	return 0;
}

/* Addresses of ring and scrub commands: those of the window, or mapped in each address space. */
static int vivgpu_core_set_addresses(struct vivgpu_device *vdev)
{
	struct vivgpu_shared *shared = &vdev->shared;

	vdev->ring.va = VIVGPU_RING_VA;
	vdev->scrub.va = VIVGPU_SCRUB_VA;
	if (!vdev->mmu_v1)
		return 0;

	return vivgpu_vm_window_address(vdev->window_base, shared->dma, SHARED_BYTES,
					&vdev->ring.va) ?:
	       vivgpu_vm_window_address(vdev->window_base, shared->scrub_dma, VIVGPU_SCRUB_BYTES,
					&vdev->scrub.va);
}

/*
 * Map memory in the part of each address space that is the kernel's, read-only for the GPU. @va is
 * below VIVGPU_KERNEL_START: the shared second level table is that of the first 4 MiB.
 */
static void vivgpu_core_map_shared(struct vivgpu_shared *shared, u32 va, dma_addr_t dma, u32 bytes)
{
	u32 *pte = shared->stlb + va / VIVGPU_PAGE_SIZE;
	u32 done;

	for (done = 0; done < bytes; done += VIVGPU_PAGE_SIZE)
		*pte++ = vivgpu_vm_entry(dma + done, MMUV2_PTE_PRESENT);
}

/**
 * vivgpu_core_alloc_shared - allocate the part of each address space that is the kernel's
 * @vdev: the device, its identity known
 *
 * The ring, the commands that clear states, and the table that maps both.
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_core_alloc_shared(struct vivgpu_device *vdev)
{
	struct vivgpu_shared *shared = &vdev->shared;
	struct device *dev = vdev->drm.dev;

	shared->words = dmam_alloc_coherent(dev, SHARED_BYTES, &shared->dma, GFP_KERNEL);
	shared->stlb = dmam_alloc_coherent(dev, PAGE_SIZE, &shared->stlb_dma, GFP_KERNEL);
	shared->safe = dmam_alloc_coherent(dev, PAGE_SIZE, &shared->safe_dma, GFP_KERNEL);
	shared->scrub = dmam_alloc_coherent(dev, VIVGPU_SCRUB_BYTES, &shared->scrub_dma,
					    GFP_KERNEL);
	if (!shared->words || !shared->stlb || !shared->safe || !shared->scrub)
		return -ENOMEM;

	memset32(shared->stlb, MMUV2_PTE_EXCEPTION, PAGE_SIZE / sizeof(u32));
	vivgpu_core_map_shared(shared, VIVGPU_RING_VA, shared->dma, RING_BYTES);
	vivgpu_core_map_shared(shared, VIVGPU_SCRUB_VA, shared->scrub_dma, VIVGPU_SCRUB_BYTES);
	vdev->ring.words = shared->words;
	vdev->scrub.words = shared->scrub;
	return vivgpu_core_set_addresses(vdev);
}
