// SPDX-License-Identifier: GPL-2.0-only

#include <linux/bitfield.h>
#include <linux/export.h>
#include <linux/string.h>

#include <kunit/visibility.h>

#include <drm/drm_gem.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_job.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_regs.h"

/*
 * DOC: Exact counters
 *
 * The core's counters count for all jobs, so the difference between two readings belongs
 * to one job only if no other job ran between them. A job with counters is therefore alone
 * in the ring: it starts when all earlier jobs have ended, and later jobs wait for its end.
 * The counters are read directly before it starts and after its event, by a work on the
 * scheduler's ordered workqueue; meanwhile the front end runs its idle loop. A delay of the
 * work makes the idle time longer and changes no count except those of cycles.
 *
 * Modules whose clocks are gated do not count cycles while they are idle, so clock gating
 * (PM_POWER_CONTROLS) is off during such a job.
 *
 * Clients get the difference from the start of the job. The registers' values are sums over
 * all clients' work since the last reset, which no client must see.
 *
 * A signal is selected by a byte of one of three registers (MC_PROFILE_CONFIG) and read from
 * the register of its block. Writing a selection also writes the bytes of up to three other
 * blocks, which only changes what their registers show.
 */

/*
 * Counts that a byte selects: index of the MC_PROFILE_CONFIG register, shift of the byte, its
 * value, whether each pixel pipe has a part, unit, and units per count
 */
#define COUNT_AT(name_, reg_, config_, shift_, value_, pipe_, unit_, scale_) {		\
	.name = name_, .reg = reg_, .config = MC_PROFILE_CONFIG(config_),		\
	.select = (value_) << (shift_), .per_pipe = pipe_,				\
	.unit = DRM_VIVGPU_UNIT_##unit_, .scale = scale_ }
#define FE(value, name)		COUNT_AT(name, MC_PROFILE_FE, 0, 0, value, false, COUNT, 1)
#define PE(value, name)		COUNT_AT(name, MC_PROFILE_PE, 0, 16, value, true, COUNT, 1)
#define SH(value, pipe, unit, name) COUNT_AT(name, MC_PROFILE_SH, 0, 24, value, pipe, unit, 1)
#define PA(value, pipe, name)	COUNT_AT(name, MC_PROFILE_PA, 1, 0, value, pipe, COUNT, 1)
#define SE(value, name)		COUNT_AT(name, MC_PROFILE_SE, 1, 8, value, false, COUNT, 1)
#define RA(value, name)		COUNT_AT(name, MC_PROFILE_RA, 1, 16, value, false, COUNT, 1)
#define TX(value, name)		COUNT_AT(name, MC_PROFILE_TX, 1, 24, value, false, COUNT, 1)
#define MC(value, name)		COUNT_AT(name, MC_PROFILE_MC, 2, 0, value, false, COUNT, 1)
#define MC8(value, name)	COUNT_AT(name, MC_PROFILE_MC, 2, 0, value, false, BYTES, 8)
#define HI(value, name)		COUNT_AT(name, MC_PROFILE_HI, 2, 8, value, false, CYCLES, 1)
/* Counts with a register of their own */
#define PLAIN(name_, reg_, pipe_, unit_, scale_) {					\
	.name = name_, .reg = reg_, .per_pipe = pipe_,					\
	.unit = DRM_VIVGPU_UNIT_##unit_, .scale = scale_ }

static const struct vivgpu_signal vivgpu_perfmon_hi_signals[] = {
	PLAIN("TOTAL_READ_BYTES8", HI_PROFILE_READ_BYTES8, true, BYTES, 8),
	PLAIN("TOTAL_WRITE_BYTES8", HI_PROFILE_WRITE_BYTES8, true, BYTES, 8),
	PLAIN("TOTAL_CYCLES", HI_PROFILE_TOTAL_CYCLES, false, CYCLES, 1),
	PLAIN("IDLE_CYCLES", HI_PROFILE_IDLE_CYCLES, false, CYCLES, 1),
	HI(0, "AXI_CYCLES_READ_REQUEST_STALLED"),
	HI(1, "AXI_CYCLES_WRITE_REQUEST_STALLED"),
	HI(2, "AXI_CYCLES_WRITE_DATA_STALLED"),
};

static const struct vivgpu_signal vivgpu_perfmon_fe_signals[] = {
	FE(10, "DRAW_COUNT"),
	FE(11, "OUT_VERTEX_COUNT"),
	FE(12, "CACHE_MISS_COUNT"),
	FE(16, "CACHE_LK_COUNT"),
	FE(17, "STALL_COUNT"),
	FE(18, "PROCESS_COUNT"),
};

static const struct vivgpu_signal vivgpu_perfmon_pe_signals[] = {
	PE(0, "PIXEL_COUNT_KILLED_BY_COLOR_PIPE"),
	PE(1, "PIXEL_COUNT_KILLED_BY_DEPTH_PIPE"),
	PE(2, "PIXEL_COUNT_DRAWN_BY_COLOR_PIPE"),
	PE(3, "PIXEL_COUNT_DRAWN_BY_DEPTH_PIPE"),
};

static const struct vivgpu_signal vivgpu_perfmon_sh_signals[] = {
	SH(4, false, CYCLES, "SHADER_CYCLES"),
	SH(7, false, COUNT, "PS_INST_COUNTER"),
	SH(8, false, COUNT, "RENDERED_PIXEL_COUNTER"),
	SH(9, true, COUNT, "VS_INST_COUNTER"),
	SH(10, true, COUNT, "RENDERED_VERTICE_COUNTER"),
	SH(11, true, COUNT, "VTX_BRANCH_INST_COUNTER"),
	SH(12, true, COUNT, "VTX_TEXLD_INST_COUNTER"),
	SH(13, true, COUNT, "PXL_BRANCH_INST_COUNTER"),
	SH(14, true, COUNT, "PXL_TEXLD_INST_COUNTER"),
};

static const struct vivgpu_signal vivgpu_perfmon_pa_signals[] = {
	PA(3, false, "INPUT_VTX_COUNTER"),
	PA(4, false, "INPUT_PRIM_COUNTER"),
	PA(5, false, "OUTPUT_PRIM_COUNTER"),
	PA(6, true, "DEPTH_CLIPPED_COUNTER"),
	PA(7, true, "TRIVIAL_REJECTED_COUNTER"),
	PA(8, true, "CULLED_COUNTER"),
	PA(9, false, "DROPED_PRIM_COUNTER"),
	PA(10, false, "FRUSTUM_CLIPPED_PRIM_COUNTER"),
};

static const struct vivgpu_signal vivgpu_perfmon_se_signals[] = {
	SE(0, "CULLED_TRIANGLE_COUNT"),
	SE(1, "CULLED_LINES_COUNT"),
	SE(4, "TRIVIAL_REJECTED_LINE_COUNT"),
};

static const struct vivgpu_signal vivgpu_perfmon_ra_signals[] = {
	RA(0, "VALID_PIXEL_COUNT"),
	RA(1, "TOTAL_QUAD_COUNT"),
	RA(2, "VALID_QUAD_COUNT_AFTER_EARLY_Z"),
	RA(3, "TOTAL_PRIMITIVE_COUNT"),
	RA(9, "PIPE_CACHE_MISS_COUNTER"),
	RA(10, "PREFETCH_CACHE_MISS_COUNTER"),
	RA(11, "CULLED_QUAD_COUNT"),
	RA(17, "PIPE_HZ_CACHE_MISS_COUNTER"),
	RA(18, "PREFETCH_HZ_CACHE_MISS_COUNTER"),
};

static const struct vivgpu_signal vivgpu_perfmon_tx_signals[] = {
	TX(0, "TOTAL_BILINEAR_REQUESTS"),
	TX(1, "TOTAL_TRILINEAR_REQUESTS"),
	TX(2, "TOTAL_DISCARDED_TEXTURE_REQUESTS"),
	TX(3, "TOTAL_TEXTURE_REQUESTS"),
	TX(5, "MEM_READ_COUNT"),
	TX(6, "MEM_READ_IN_8B_COUNT"),
	TX(7, "CACHE_MISS_COUNT"),
	TX(8, "CACHE_HIT_TEXEL_COUNT"),
	TX(9, "CACHE_MISS_TEXEL_COUNT"),
};

static const struct vivgpu_signal vivgpu_perfmon_mc_signals[] = {
	MC8(1, "TOTAL_READ_REQ_8B_FROM_PIPELINE"),
	MC8(2, "TOTAL_READ_REQ_8B_FROM_IP"),
	MC8(3, "TOTAL_WRITE_REQ_8B_FROM_PIPELINE"),
	MC(4, "TOTAL_READ_REQ_SENTOUT_FROM_COLORPIPE"),
	MC(5, "TOTAL_WRITE_REQ_FROM_COLORPIPE"),
	MC8(7, "TOTAL_READ_REQ_8B_FROM_DEPTHPIPE"),
	MC8(8, "TOTAL_READ_REQ_8B_SENTOUT_FROM_DEPTHPIPE"),
	MC8(9, "TOTAL_WRITE_REQ_8B_FROM_DEPTHPIPE"),
	MC(10, "TOTAL_READ_REQ_SENTOUT_FROM_DEPTHPIPE"),
	MC(11, "TOTAL_WRITE_REQ_FROM_DEPTHPIPE"),
	MC8(12, "TOTAL_READ_REQ_8B_FROM_OTHERS"),
	MC8(13, "TOTAL_WRITE_REQ_8B_FROM_OTHERS"),
	MC(14, "TOTAL_READ_REQ_FROM_OTHERS"),
	MC(15, "TOTAL_WRITE_REQ_FROM_OTHERS"),
};

/*
 * Clients know domains and signals by their index: new ones come at the end.
 * DE has a register but no source names what it counts.
 */
static const struct vivgpu_domain vivgpu_perfmon_domains[] = {
	{ "HI", vivgpu_perfmon_hi_signals, ARRAY_SIZE(vivgpu_perfmon_hi_signals) },
	{ "FE", vivgpu_perfmon_fe_signals, ARRAY_SIZE(vivgpu_perfmon_fe_signals) },
	{ "PE", vivgpu_perfmon_pe_signals, ARRAY_SIZE(vivgpu_perfmon_pe_signals) },
	{ "SH", vivgpu_perfmon_sh_signals, ARRAY_SIZE(vivgpu_perfmon_sh_signals) },
	{ "PA", vivgpu_perfmon_pa_signals, ARRAY_SIZE(vivgpu_perfmon_pa_signals) },
	{ "SE", vivgpu_perfmon_se_signals, ARRAY_SIZE(vivgpu_perfmon_se_signals) },
	{ "RA", vivgpu_perfmon_ra_signals, ARRAY_SIZE(vivgpu_perfmon_ra_signals) },
	{ "TX", vivgpu_perfmon_tx_signals, ARRAY_SIZE(vivgpu_perfmon_tx_signals) },
	{ "MC", vivgpu_perfmon_mc_signals, ARRAY_SIZE(vivgpu_perfmon_mc_signals) },
};

/**
 * vivgpu_perfmon_domain - find a domain
 * @domain: its index
 *
 * Return: the domain, or NULL past the last.
 */
const struct vivgpu_domain *vivgpu_perfmon_domain(u32 domain)
{
	return domain < ARRAY_SIZE(vivgpu_perfmon_domains) ? &vivgpu_perfmon_domains[domain] : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_perfmon_domain);

/**
 * vivgpu_perfmon_signal - find a counter
 * @domain: index of its domain
 * @signal: its index there
 *
 * Return: the counter, or NULL if there is none.
 */
const struct vivgpu_signal *vivgpu_perfmon_signal(u32 domain, u32 signal)
{
	const struct vivgpu_domain *found = vivgpu_perfmon_domain(domain);

	return found && signal < found->nr_signals ? &found->signals[signal] : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_perfmon_signal);

/*
 * On cores of the GC2000's generation HI_PROFILE_TOTAL_CYCLES has the idle cycles, and MC all
 * (etnaviv: hi_total_cycle_read(), hi_total_idle_cycle_read()).
 */
static u32 vivgpu_perfmon_signal_reg(const struct vivgpu_identity *id,
				     const struct vivgpu_signal *signal)
{
	bool old = vivgpu_identity_is_old(id);

	if (old && signal->reg == HI_PROFILE_TOTAL_CYCLES)
		return MC_PROFILE_CYCLE_COUNTER;
	if (old && signal->reg == HI_PROFILE_IDLE_CYCLES)
		return HI_PROFILE_TOTAL_CYCLES;
	return signal->reg;
}

static u32 vivgpu_perfmon_read_signal(struct vivgpu_device *vdev,
				      const struct vivgpu_signal *signal)
{
	if (signal->config)
		vivgpu_write(vdev, signal->config, signal->select);
	return vivgpu_read(vdev, vivgpu_perfmon_signal_reg(&vdev->identity, signal));
}

/*
 * The sum over all pixel pipes. Pipe 0 is left selected, or the core may hang. HI_CLOCK_CONTROL
 * also has the clock's divider: both are changed by the scheduler's ordered workqueue only, or by a
 * reset.
 */
static u32 vivgpu_perfmon_read_pipes(struct vivgpu_device *vdev, const struct vivgpu_signal *signal)
{
	u32 pipes = FIELD_GET(SPECS_PIXEL_PIPES, vdev->identity.specs[0]) ?: 1;
	u32 control = vivgpu_read(vdev, HI_CLOCK_CONTROL) & ~HI_CLOCK_CONTROL_PIXEL_PIPE;
	u32 pipe, sum = 0;

	for (pipe = 0; pipe < pipes; pipe++) {
		vivgpu_write(vdev, HI_CLOCK_CONTROL,
			     control | FIELD_PREP(HI_CLOCK_CONTROL_PIXEL_PIPE, pipe));
		sum += vivgpu_perfmon_read_signal(vdev, signal);
	}
	vivgpu_write(vdev, HI_CLOCK_CONTROL, control);
	return sum;
}

static u32 vivgpu_perfmon_sample_signal(struct vivgpu_device *vdev,
					const struct vivgpu_signal *signal)
{
	return signal->per_pipe ? vivgpu_perfmon_read_pipes(vdev, signal) :
				  vivgpu_perfmon_read_signal(vdev, signal);
}

/**
 * vivgpu_perfmon_begin - read the counters before a job enters the empty ring
 * @vdev: the device; no job enters the ring meanwhile
 * @job: the job, which requests counters
 *
 * Turns clock gating off until vivgpu_perfmon_end() or a reset: vivgpu_errata.c turns it on for
 * every core.
 */
void vivgpu_perfmon_begin(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	u32 power = vivgpu_read(vdev, PM_POWER_CONTROLS);
	u32 i;

	/* Too many accesses for an interrupt handler. */
	might_sleep();
	vivgpu_write(vdev, PM_POWER_CONTROLS, power & ~PM_POWER_CONTROLS_CLOCK_GATING);
	vdev->sampling.selected = false;
	for (i = 0; i < job->nr_counters; i++) {
		struct vivgpu_counter *counter = &job->counters[i];

		counter->start = vivgpu_perfmon_sample_signal(vdev, counter->signal);
		if (counter->before)
			WRITE_ONCE(*counter->before, 0);
	}
}

/* A count is 32 bit wide and wraps; its difference is right as long as it wraps once. */
static void vivgpu_perfmon_write_value(struct vivgpu_counter *counter, u32 end)
{
	u32 count = end - counter->start;

	if (counter->value)
		WRITE_ONCE(*counter->value, count);
	if (counter->after)
		WRITE_ONCE(*counter->after, count);
}

static void vivgpu_perfmon_write_sequences(struct vivgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->nr_counters; i++) {
		if (job->counters[i].done)
			WRITE_ONCE(*job->counters[i].done, job->counters[i].sequence);
	}
}

/**
 * vivgpu_perfmon_end - read the counters after a job, while the ring is empty
 * @vdev: the device; no job enters the ring meanwhile
 * @job: the job
 */
void vivgpu_perfmon_end(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	u32 i, power;

	might_sleep();
	vdev->sampling.selected = false;
	for (i = 0; i < job->nr_counters; i++)
		vivgpu_perfmon_write_value(&job->counters[i],
					   vivgpu_perfmon_sample_signal(vdev,
									job->counters[i].signal));
	vivgpu_perfmon_write_sequences(job);
	power = vivgpu_read(vdev, PM_POWER_CONTROLS);
	vivgpu_write(vdev, PM_POWER_CONTROLS, power | PM_POWER_CONTROLS_CLOCK_GATING);
}

/**
 * vivgpu_perfmon_fail - write the results of counters of a job that failed
 * @job: the job; counts of etnaviv's calls are not written, their sequence numbers are
 */
void vivgpu_perfmon_fail(struct vivgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->nr_counters; i++) {
		if (job->counters[i].value)
			WRITE_ONCE(*job->counters[i].value, U64_MAX);
	}
	/* User space polls these words, so they are written for a failed job, too. */
	vivgpu_perfmon_write_sequences(job);
}

/**
 * vivgpu_perfmon_put - free a job's counters
 * @job: the job
 */
void vivgpu_perfmon_put(struct vivgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->nr_counters; i++) {
		vivgpu_gem_vunmap(job->counters[i].map);
		vivgpu_gem_vunmap(job->counters[i].done_map);
	}
}

/**
 * vivgpu_ioctl_perf_domain - DRM_IOCTL_VIVGPU_PERF_DOMAIN
 * @drm: the device
 * @data: &struct drm_vivgpu_perf_domain
 * @file: the caller
 *
 * Return: 0, or -ENOENT past the last.
 */
int vivgpu_ioctl_perf_domain(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_perf_domain *args = data;
	const struct vivgpu_domain *domain = vivgpu_perfmon_domain(args->domain);

	if (!domain)
		return -ENOENT;

	args->nr_signals = domain->nr_signals;
	strscpy_pad(args->name, domain->name, sizeof(args->name));
	return 0;
}

/**
 * vivgpu_ioctl_perf_signal - DRM_IOCTL_VIVGPU_PERF_SIGNAL
 * @drm: the device
 * @data: &struct drm_vivgpu_perf_signal
 * @file: the caller
 *
 * Return: 0, or -ENOENT past the last.
 */
int vivgpu_ioctl_perf_signal(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_perf_signal *args = data;
	const struct vivgpu_signal *signal = vivgpu_perfmon_signal(args->domain, args->signal);

	if (!signal)
		return -ENOENT;

	args->unit = signal->unit;
	args->scale = signal->scale;
	strscpy_pad(args->name, signal->name, sizeof(args->name));
	return 0;
}

/*
 * DOC: Counts without stopping the ring
 *
 * While a stream with DRM_VIVGPU_STREAM_COUNTS is open, three counters are read in each
 * interrupt that reports the end of a job. They are in three blocks (PA, RA, SH), so they are
 * selected once and then cost one register read each. None of them is divided among the
 * pixel pipes: to read those, each pipe has to be selected in HI_CLOCK_CONTROL, which may
 * hang a core that works. The counters of a block sum up its pipes.
 *
 * Exact counters select other counters of the same blocks, so the selection
 * is written again after them. Selecting does not change what is counted.
 *
 * Which job the counts belong to is decided in vivgpu_usage.c.
 */

/* RENDERED_PIXEL_COUNTER of SH; INPUT_VTX_COUNTER of PA and TOTAL_PRIMITIVE_COUNT of RA */
#define SELECT_SH	(8 << 24)
#define SELECT_PA_RA	(3 << 16 | 3 << 0)

/* Read the three counters; false if the card was pulled, whose registers are all ones. */
static bool vivgpu_perfmon_sample_read(struct vivgpu_device *vdev, struct vivgpu_raw_counts *raw)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;

	if (!sampling->selected) {
		vivgpu_write(vdev, MC_PROFILE_CONFIG(0), SELECT_SH);
		vivgpu_write(vdev, MC_PROFILE_CONFIG(1), SELECT_PA_RA);
		sampling->selected = true;
	}
	raw->value[VIVGPU_COUNT_VERTICES] = vivgpu_read(vdev, MC_PROFILE_PA);
	raw->value[VIVGPU_COUNT_PRIMITIVES] = vivgpu_read(vdev, MC_PROFILE_RA);
	raw->value[VIVGPU_COUNT_FRAGMENTS] = vivgpu_read(vdev, MC_PROFILE_SH);
	return raw->value[0] != U32_MAX || raw->value[1] != U32_MAX || raw->value[2] != U32_MAX;
}

/**
 * vivgpu_sample_start - read the counters before a job enters the ring, if necessary
 * @vdev: the device, its lock held
 *
 * They are read if their value is not known and the ring is empty: after a reset, a resume, or
 * after the first stream was opened.
 */
void vivgpu_sample_start(struct vivgpu_device *vdev)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;
	struct vivgpu_raw_counts raw;

	if (likely(!sampling->streams) || sampling->counting.known || !list_empty(&vdev->jobs))
		return;
	if (vdev->awake && vivgpu_perfmon_sample_read(vdev, &raw))
		vivgpu_counting_start(&sampling->counting, &raw);
}

/* The jobs with commands that are in the ring. The oldest @events events have happened. */
static struct vivgpu_occupancy vivgpu_perfmon_occupancy(struct vivgpu_device *vdev, u32 events)
{
	u32 next = vdev->events.first + events;
	struct vivgpu_occupancy ring = { };
	const struct vivgpu_job *job;

	list_for_each_entry(job, &vdev->jobs, arbiter.link) {
		if (!job->event_only)
			vivgpu_occupancy_add(&ring, job->client->id,
					     (s32)(next - job->end_event) > 0);
	}
	return ring;
}

/**
 * vivgpu_sample_jobs - read the counters for jobs that have ended
 * @vdev: the device, its lock held; the jobs are still in the ring
 * @events: number of the oldest events, which have happened
 *
 * Called if a stream gets counts.
 */
void vivgpu_sample_jobs(struct vivgpu_device *vdev, u32 events)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;
	struct vivgpu_job_counts counts;
	struct vivgpu_occupancy ring;
	struct vivgpu_raw_counts raw;
	struct vivgpu_job *job;

	ring = vivgpu_perfmon_occupancy(vdev, events);
	if (!ring.ended || !vdev->awake || !vivgpu_perfmon_sample_read(vdev, &raw))
		return;

	vivgpu_counting_attribute(&sampling->counting, &raw, &ring, &counts);
	list_for_each_entry(job, &vdev->jobs, arbiter.link) {
		if (job->event_only)
			continue;
		job->counts = counts;
		if (!--ring.ended)
			break;
		vivgpu_job_counts_clear(&counts);
	}
}

/**
 * vivgpu_sample_poll - read the counters before they wrap, during a long job
 * @vdev: the device, its lock held
 */
void vivgpu_sample_poll(struct vivgpu_device *vdev)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;
	struct vivgpu_raw_counts raw;

	if (likely(!sampling->streams) || !sampling->counting.known || list_empty(&vdev->jobs))
		return;
	if (vdev->awake && vivgpu_perfmon_sample_read(vdev, &raw))
		vivgpu_counting_update(&sampling->counting, &raw);
}

/**
 * vivgpu_sample_stop - read the counters for the last time before a reset or suspend
 * @vdev: the device, its lock held, within a write section of its usage_seq
 *
 * What jobs in the ring did up to here is added to the device's counts: they fail, or run
 * again from their beginning.
 */
void vivgpu_sample_stop(struct vivgpu_device *vdev)
{
	struct vivgpu_sampling *sampling = &vdev->sampling;

	vivgpu_sample_poll(vdev);
	vivgpu_counts_add(&vdev->usage.counts, &sampling->counting.pending);
	vivgpu_counting_stop(&sampling->counting);
	sampling->selected = false;
}

/**
 * vivgpu_sample_add_stream - add a stream that gets counts
 * @vdev: the device, its lock held
 * @exact: the stream has an exact_interval
 */
void vivgpu_sample_add_stream(struct vivgpu_device *vdev, bool exact)
{
	vdev->sampling.streams++;
	vdev->sampling.exact_streams += exact;
}

/**
 * vivgpu_sample_remove_stream - remove a stream that gets counts
 * @vdev: the device, its lock held
 * @exact: as for vivgpu_sample_add_stream()
 */
void vivgpu_sample_remove_stream(struct vivgpu_device *vdev, bool exact)
{
	vdev->sampling.exact_streams -= exact;
	if (!--vdev->sampling.streams)
		vivgpu_counting_stop(&vdev->sampling.counting);
}
