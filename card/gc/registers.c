// SPDX-License-Identifier: MIT
/*
 * The core's register window, accessed by drivers through MMIO. Registers without effect in
 * this model store what is written; addresses without a register read zero and ignore writes.
 */
#include "gc/draw.h"
#include "gc/fe_internal.h"
#include "gc/record.h"

#include "gc/trace.h"
#include "hw/cmdstream.xml.h"
#include "hw/state.xml.h"

/*
 * Cycles per iteration of a wait loop that are not spent in WAIT, as debug registers show them.
 */
#define FE_LOOP_LINK_CYCLES 16

/*
 * Simulated progress of DMA_ADDRESS during an operation that is slow on the host, see
 * slow_software(). A step is longer than a wait loop, 16 bytes, up to which etnaviv assumes a hang;
 * there are several in the 500 ms between its checks. After the last one it begins again.
 */
#define FE_SEEMING_BYTES 24u
#define FE_SEEMING_NS 125000000ull
#define FE_SEEMING_STEPS 64u
#define FE_PATIENCE_NS 30000000000ull

/* HI_IDLE_STATE: a set bit for each module that is idle at the current modelled time. */
static uint32_t idle_state(const struct gc_core *gc)
{
	static const struct {
		uint32_t bits;
		enum gpu_stage stage;
	} modules[] = {
		{ HI_IDLE_FE, GPU_STAGE_FE },
		{ HI_IDLE_SH, GPU_STAGE_VS },
		{ HI_IDLE_PA, GPU_STAGE_PA },
		{ HI_IDLE_SE | HI_IDLE_RA, GPU_STAGE_RA },
		{ HI_IDLE_SH | HI_IDLE_TX, GPU_STAGE_PS },
		{ HI_IDLE_PE | HI_IDLE_TS, GPU_STAGE_PE },
		{ HI_IDLE_MC, GPU_STAGE_MC },
	};
	const struct gc_fe *fe = gc->fe;
	uint64_t now = fe_now(gc);
	uint32_t idle = HI_IDLE_ALL;

	for (unsigned int i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (gpu_pipeline_free_at(&gc->pipeline, modules[i].stage) > now)
			idle &= ~modules[i].bits;
	if (fe->state != FE_STOPPED || fe->start.waits || fe->cycle > now)
		idle &= ~HI_IDLE_FE;
	return idle;
}

/* CLOCK_CONTROL. The 2D pipe does not exist and reads idle. */
static uint32_t clock_control(const struct gc_core *gc)
{
	uint32_t value = gc->fe->clock_control | HI_CLOCK_IDLE_2D;

	if (idle_state(gc) == HI_IDLE_ALL)
		value |= HI_CLOCK_IDLE_3D;
	return value;
}

static void write_clock_control(struct gc_core *gc, uint32_t value)
{
	struct gc_fe *fe = gc->fe;
	/* when the bit is set; while it stays set, the front end cannot be started */
	bool reset = value & ~fe->clock_control & HI_CLOCK_SOFT_RESET;

	fe->clock_control = value & ~(HI_CLOCK_IDLE_3D | HI_CLOCK_IDLE_2D | HI_CLOCK_IDLE_VG);
	if (value & HI_CLOCK_FSCALE_LOAD)
		fe->fscale = (value & HI_CLOCK_FSCALE_MASK) >> HI_CLOCK_FSCALE_SHIFT;
	if (reset)
		fe_core_reset(gc);
	fe_update_clock(gc);
}

static uint32_t acknowledge(struct gc_core *gc)
{
	uint32_t pending = gc->fe->pending;

	gc->fe->pending = 0;
	fe_update_irq(gc);
	return pending;
}

static uint32_t read_clear(uint32_t *value)
{
	uint32_t was = *value;

	*value = 0;
	return was;
}

static uint32_t read_identity(const struct gc_personality *p, uint32_t offset)
{
	switch (offset) {
	case HI_CHIP_IDENTITY: /* family 0: the other registers identify the core */
		return 0;
	case HI_CHIP_FEATURE:
		return p->features;
	case HI_CHIP_MODEL:
		return p->chip_model;
	case HI_CHIP_REV:
		return p->chip_rev;
	case HI_CHIP_DATE:
		return p->chip_date;
	case HI_CHIP_TIME:
		return p->chip_time;
	case HI_CHIP_CUSTOMER_ID:
		return p->customer_id;
	case HI_CHIP_PRODUCT_ID:
		return p->product_id;
	case HI_CHIP_ECO_ID:
		return p->eco_id;
	case HI_CHIP_MINOR_0:
		return p->minor_features[0];
	case HI_CHIP_MINOR_1:
		return p->minor_features[1];
	case HI_CHIP_MINOR_2:
		return p->minor_features[2];
	case HI_CHIP_MINOR_3:
		return p->minor_features[3];
	case HI_CHIP_MINOR_4:
		return p->minor_features[4];
	case HI_CHIP_MINOR_5:
		return p->minor_features[5];
	case HI_CHIP_SPECS:
		return p->specs[0];
	case HI_CHIP_SPECS_2:
		return p->specs[1];
	case HI_CHIP_SPECS_3:
		return p->specs[2];
	case HI_CHIP_SPECS_4:
		return p->specs[3];
	default:
		return 0;
	}
}

static uint32_t read_mmuv2(const struct gc_core *gc, uint32_t offset)
{
	const struct gc_mmu *mmu = &gc->mmu;

	if (mmu->version != 2)
		return 0;
	switch (offset) {
	case MMUV2_SAFE_ADDRESS:
		return mmu->safe_address;
	case MMUV2_CONFIGURATION:
		return mmu->master | (mmu->mode_1k ? MMUV2_MODE_1K : 0);
	case MMUV2_STATUS:
		return mmu->fault_status;
	case MMUV2_CONTROL:
		return mmu->enabled ? MMUV2_CONTROL_ENABLE : 0;
	case MMUV2_EXCEPTION_ADDR(0):
	case MMUV2_EXCEPTION_ADDR(1):
	case MMUV2_EXCEPTION_ADDR(2):
	case MMUV2_EXCEPTION_ADDR(3):
		return mmu->fault_address[(offset - MMUV2_EXCEPTION_ADDR(0)) / 4];
	default:
		return 0;
	}
}

/* A draw's other threads have copies of translations, so they end before one changes. */
static void write_mmuv2(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	if (gc->mmu.version != 2)
		return;
	gc_draw_abandon_deferred(gc);
	if (offset == MMUV2_CONFIGURATION)
		gc_mmu_configure(&gc->mmu, value);
	else if (offset == MMUV2_SAFE_ADDRESS)
		gc_mmu_set_safe_address(&gc->mmu, value);
	else if (offset == MMUV2_CONTROL && (value & MMUV2_CONTROL_ENABLE))
		gc_mmu_enable(&gc->mmu);
}

/*
 * MMUv1: page table and base address registers of each client. Also stored for cores with MMUv2,
 * which do not use them.
 */
static void write_mmuv1(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	static const struct {
		uint16_t table, base;
		enum gc_memory_client client;
	} clients[] = {
		{ MC_MMU_FE_PAGE_TABLE, MC_MEMORY_BASE_FE, GC_CLIENT_FE },
		{ MC_MMU_TX_PAGE_TABLE, MC_MEMORY_BASE_TX, GC_CLIENT_TX },
		{ MC_MMU_PE_PAGE_TABLE, MC_MEMORY_BASE_PE, GC_CLIENT_PE },
		{ MC_MMU_PEZ_PAGE_TABLE, MC_MEMORY_BASE_PEZ, GC_CLIENT_PEZ },
		{ MC_MMU_RA_PAGE_TABLE, MC_MEMORY_BASE_RA, GC_CLIENT_RA },
	};

	gc_draw_abandon_deferred(gc);
	for (unsigned int i = 0; i < sizeof(clients) / sizeof(clients[0]); i++) {
		if (offset == clients[i].table)
			gc->mmu.page_table[clients[i].client] = value;
		else if (offset == clients[i].base)
			gc->mmu.base[clients[i].client] = value;
		else
			continue;
		gc->fe->reg[offset / 4] = value;
		gc_mmu_flush(&gc->mmu);
	}
}

/*
 * DMA_ADDRESS and state of a front end parked in a loop: most of the time it waits, the rest it
 * links back. Both change over time because drivers read them twice to detect a hang.
 */
static void locate_in_loop(const struct gc_core *gc, uint32_t *address, uint32_t *state)
{
	const struct gc_fe *fe = gc->fe;
	uint32_t delay = fe->loop[0] & VIV_FE_WAIT_HEADER_DELAY__MASK;
	uint64_t phase = fe_now(gc) % (delay + FE_LOOP_LINK_CYCLES);

	if (fe->loop_words == 2 && phase < delay) {
		*address = fe->loop_address + 8;
		*state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_WAIT;
	} else {
		*address = fe->loop_address + 8 * fe->loop_words;
		*state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_LINK;
	}
}

/*
 * Offset added to DMA_ADDRESS while an operation is executed in real time.
 *
 * etnaviv takes a front end whose DMA_ADDRESS stays the same for 500 ms as hung. Software may
 * need longer than that for one operation, so the address seems to advance, for at most
 * FE_PATIENCE_NS. Visible only for register reads in the middle of an operation, which do not
 * happen in virtual time.
 */
static uint32_t slow_software(const struct gc_core *gc)
{
	const struct gc_fe *fe = gc->fe;
	uint64_t passed = clock_now(gc->host.clock) - fe->work_ns;

	if (!fe->working || passed > FE_PATIENCE_NS)
		return 0;
	return FE_SEEMING_BYTES * (passed / FE_SEEMING_NS % FE_SEEMING_STEPS);
}

static uint32_t read_fe(const struct gc_core *gc, uint32_t offset)
{
	const struct gc_fe *fe = gc->fe;
	uint32_t address = fe->address, state = fe->debug_state;

	if (fe->state == FE_POLLING)
		locate_in_loop(gc, &address, &state);

	switch (offset) {
	case VIVS_FE_COMMAND_ADDRESS:
		return fe->command_address;
	case VIVS_FE_DMA_DEBUG_STATE:
		return state;
	case VIVS_FE_DMA_ADDRESS:
		return address + slow_software(gc);
	case VIVS_FE_DMA_LOW:
		return fe->low;
	case VIVS_FE_DMA_HIGH:
		return fe->high;
	default:
		return 0;
	}
}

static uint32_t read_register(struct gc_core *gc, uint32_t offset)
{
	struct gc_fe *fe = gc->fe;

	switch (offset) {
	case HI_CLOCK_CONTROL:
		return clock_control(gc);
	case HI_IDLE_STATE:
		return idle_state(gc);
	case HI_AXI_STATUS:
		return read_clear(&fe->axi_status);
	case HI_INTR_ACKNOWLEDGE:
		return acknowledge(gc);
	case HI_INTR_ENABLE:
		return fe->enabled;
	case HI_READ_BYTES8:
	case HI_WRITE_BYTES8:
	case HI_TOTAL_CYCLES:
	case HI_IDLE_CYCLES:
	case MC_CYCLE_COUNTER:
		return gc_perfmon_read(gc, offset);
	case HI_AXI_CONFIG:
		return fe->reg[offset / 4];
	}
	if (offset < PM_POWER_CONTROLS)
		return read_identity(gc->personality, offset);
	if (offset >= MMUV2_SAFE_ADDRESS && offset <= MMUV2_EXCEPTION_ADDR(3))
		return read_mmuv2(gc, offset);
	if (offset >= MC_PROFILE_FIRST && offset <= MC_PROFILE_HI)
		return gc_perfmon_read(gc, offset);
	if (offset < GC_REG_STORED)
		return fe->reg[offset / 4];
	return read_fe(gc, offset);
}

static void write_fe(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	struct gc_fe *fe = gc->fe;

	if (offset == VIVS_FE_COMMAND_ADDRESS)
		fe->command_address = value;
	else if (offset == VIVS_FE_COMMAND_CONTROL && (value & VIVS_FE_COMMAND_CONTROL_ENABLE) &&
		 !(fe->clock_control & HI_CLOCK_SOFT_RESET))
		gc_fe_start(gc, fe->command_address,
			    value & VIVS_FE_COMMAND_CONTROL_PREFETCH__MASK);
}

static void write_register(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	struct gc_fe *fe = gc->fe;

	switch (offset) {
	case HI_CLOCK_CONTROL:
		write_clock_control(gc, value);
		break;
	case HI_INTR_ENABLE:
		fe->enabled = value;
		fe_update_irq(gc);
		break;
	case HI_MEMORY_COUNTER_RESET:
		gc_perfmon_hold_bytes(gc, value & 1);
		break;
	case HI_TOTAL_CYCLES:
	case MC_CYCLE_COUNTER:
		if (gc->personality->total_cycles_at_078 == (offset == HI_TOTAL_CYCLES))
			gc_perfmon_set_cycles(gc, value);
		break;
	case HI_AXI_CONFIG:
	case PM_POWER_CONTROLS:
	case PM_MODULE_CONTROLS:
	case PM_PULSE_EATER:
	case MC_BUS_CONFIG:
		fe->reg[offset / 4] = value;
		break;
	case MMUV2_SAFE_ADDRESS:
	case MMUV2_CONFIGURATION:
	case MMUV2_CONTROL:
		write_mmuv2(gc, offset, value);
		break;
	case MC_PROFILE_CONFIG(0):
	case MC_PROFILE_CONFIG(1):
	case MC_PROFILE_CONFIG(2):
		gc_perfmon_config(gc, (offset - MC_PROFILE_CONFIG(0)) / 4, value);
		break;
	default:
		if (offset >= MC_MMU_FE_PAGE_TABLE && offset <= MC_MEMORY_BASE_PE)
			write_mmuv1(gc, offset, value);
		else
			write_fe(gc, offset, value);
		break;
	}
}

bool gc_is_immediate(const struct gc_core *gc, uint32_t offset)
{
	switch (offset) {
	case HI_INTR_ACKNOWLEDGE:
	case HI_INTR_ENABLE:
	case HI_AXI_STATUS:
	case MC_CYCLE_COUNTER:
		return true;
	case HI_TOTAL_CYCLES: /* other cores have the idle cycles there */
		return gc->personality->total_cycles_at_078;
	}
	return offset >= HI_CHIP_IDENTITY && offset <= HI_CHIP_TIME;
}

/* Registers that are not immediate may show the results of draws, so these are completed. */
uint32_t gc_read(struct gc_core *gc, uint32_t offset)
{
	uint32_t value;

	if (!gc_is_immediate(gc, offset))
		gc_draw_drain(gc);
	gc_record_put(gc, GC_RECORD_READ, offset, 0);
	value = offset < GC_REG_SPACE ? read_register(gc, offset & ~3u) : 0;
	if (gc_tracing(gc))
		gc_trace_at(gc, fe_now(gc), "hi", "read  0x%03x = 0x%08x", offset, value);
	return value;
}

/*
 * A write of COMMAND_CONTROL starts the front end: the record gets the memory before, and each
 * write after its effect, with the cycle at which the front end began.
 */
void gc_write(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	gc_draw_drain(gc);
	if (offset == VIVS_FE_COMMAND_CONTROL)
		gc_record_memory(gc, gc->fe->command_address, value & 0xffff);
	if (gc_tracing(gc))
		gc_trace_at(gc, fe_now(gc), "hi", "write 0x%03x = 0x%08x", offset, value);
	if (offset < GC_REG_SPACE)
		write_register(gc, offset & ~3u, value);
	gc_record_put(gc, GC_RECORD_WRITE, offset, value);
}
