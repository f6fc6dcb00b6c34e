// SPDX-License-Identifier: MIT
/*
 * The front end's control: starting, running in slices, waiting.
 *
 * A WAIT followed by a LINK back to it has no effect until the CPU overwrites it. Such a loop
 * is not executed: the front end is parked, and gc_poll() compares its words with memory. Other
 * loops run at modelled speed.
 */
#include "gc/fe_internal.h"
#include "gc/record.h"

#include <stdlib.h>
#include <string.h>

#include "gc/trace.h"
#include "hw/state.xml.h"

/*
 * Length of one gc_run(), but for its last command: in host time, or in commands if time is
 * virtual. Register accesses wait for its end, unless an operation calls gc_yield().
 */
#define RUN_HOST_NS 50000ull
#define RUN_COMMANDS 20000u
/* With host time: the clock is read at least once every so many stream words. */
#define RUN_WORDS 256u

static void wake(void *ctx)
{
	/* nothing to do: the main loop (loop.c) calls gc_run() after each calendar event */
	(void)ctx;
}

struct gc_fe *gc_fe_create(struct gc_core *gc)
{
	struct gc_fe *fe = calloc(1, sizeof(*fe));

	if (!fe)
		return NULL;
	fe->gc = gc;
	fe->wake = (struct clock_event){ .fn = wake, .ctx = gc };
	fe->alarm = (struct clock_event){ .fn = fe_deliver_events, .ctx = gc };
	fe->host_page = FE_NO_PAGE;
	fe->hazard_random = gc->options.hazards_seed;
	return fe;
}

void gc_fe_destroy(struct gc_fe *fe)
{
	if (!fe)
		return;
	clock_disarm(fe->gc->host.clock, &fe->wake);
	clock_disarm(fe->gc->host.clock, &fe->alarm);
	if (fe->gc->options.hazards)
		gc_sync_summary(&fe->sync, fe->gc->options.hazards);
	free(fe);
}

void gc_fe_reset(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;

	clock_disarm(gc->host.clock, &fe->wake);
	fe->state = FE_STOPPED;
	fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_IDLE;
	fe->address = fe->low = fe->high = 0;
	fe->block.pages = 0;
	fe->host_page = FE_NO_PAGE;
	fe->calls = 0;
	fe->start.waits = false;
	fe->cycle = fe->cached_now = fe->reset_cycle = fe_now(gc);
	fe->cycle_fraction = 0;
	/* operations that the reset aborted do not count as busy time */
	fe->busy_cycles = fe->reset_busy = fe_total_busy_cycles(gc);
	fe->busy_until = fe->cycle;
	memset(fe->token_armed, 0, sizeof(fe->token_armed));
	gc_sync_reset(&fe->sync);
	fe->events = 0;
	fe_arm_alarm(gc);
	fe->pending = 0;
	fe->inject_hang = fe->inject_lost_event = false;
	fe_update_irq(gc);
}

/*
 * The front end pauses or has nothing left to execute: set the cycle counter, which an operation
 * holds, to card time, at most to the end of the modelled work.
 */
static void catch_up(struct gc_core *gc, uint64_t now_ns)
{
	if (!gc->clock.held)
		return;
	gpu_clock_hold(&gc->clock, now_ns, fe_frontier(gc));
	gpu_clock_release(&gc->clock, now_ns);
}

void fe_update_clock(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint64_t hz = gc->pipeline.params->core_hz * fe->fscale / 64;
	uint64_t now = clock_now(gc->host.clock);

	if (fe->clock_control & HI_CLOCK_3D_DISABLE)
		hz = 0;
	if (hz == gc->clock.hz)
		return;
	gpu_clock_set_hz(&gc->clock, now, hz);
	fe_arm_alarm(gc);
	clock_arm(gc->host.clock, &fe->wake, now); /* gc_run() executes nothing at 0 Hz */
}

static void start(struct gc_core *gc, uint32_t address, unsigned int prefetch)
{
	struct gc_fe *fe = gc->fe;
	uint64_t now = fe_now(gc);

	if (fe->cycle < now)
		fe->cycle = now;
	fe_check_memory(gc);
	fe->calls = 0;
	fe->state = FE_RUNNING;
	fe_jump(gc, address, prefetch);
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "start at 0x%08x prefetch %u", fe->address, prefetch);
	clock_arm(gc->host.clock, &fe->wake, clock_now(gc->host.clock));
}

void gc_fe_start(struct gc_core *gc, uint32_t address, unsigned int prefetch)
{
	struct gc_fe *fe = gc->fe;

	if (!fe->in_run) {
		start(gc, address, prefetch);
		return;
	}
	fe->start.waits = true;
	fe->start.address = address;
	fe->start.prefetch = prefetch;
}

void gc_fe_fault(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;

	if (fe->state == FE_FAULTED)
		return;
	gc->counters.mmu_faults++;
	if (fe->in_run)
		gc->abort = true;
	fe_halt(gc, FE_FAULTED, "MMU fault");
	fe_raise_at(gc, HI_INTR_MMU_BIT, fe->cycle);
}

/* Read the words of the loop as they are in memory now; false after a fault. */
static bool read_loop(struct gc_core *gc, uint32_t address, unsigned int words, uint64_t *to)
{
	for (unsigned int i = 0; i < words; i++) {
		uint64_t *at = gc_mmu_map(&gc->mmu, GC_CLIENT_FE, GC_READ, address + 8 * i);

		if (!at)
			return false;
		to[i] = __atomic_load_n(at, __ATOMIC_ACQUIRE);
	}
	return true;
}

bool gc_is_polling(const struct gc_core *gc)
{
	return gc->fe->state == FE_POLLING;
}

/* Whether the front end is ahead of card time, with a calendar event armed for it to continue. */
static bool asleep(const struct gc_core *gc)
{
	const struct clock_event *wake = &gc->fe->wake;

	return wake->slot && wake->when_ns > clock_now(gc->host.clock);
}

bool gc_poll(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint64_t words[2], now;

	if (fe->state != FE_POLLING)
		return fe->state == FE_RUNNING && !asleep(gc);
	fe_check_memory(gc);
	if (!gc->clock.hz || !read_loop(gc, fe->loop_address, fe->loop_words, words))
		return false;
	if (!fe->inject_hang && !memcmp(words, fe->loop, 8 * fe->loop_words))
		return false;
	now = fe_now(gc);
	if (fe->cycle < now)
		fe->cycle = now;
	gc_record_memory(gc, fe->loop_address, fe->loop_words);
	gc_record_put(gc, GC_RECORD_POLL, 0, 0);
	fe->state = FE_RUNNING;
	fe_jump(gc, fe->loop_address, fe->loop_words);
	return true;
}

/*
 * Whether the front end is more than FE_SLACK_NS ahead of card time; if so, arms the event at
 * which it continues.
 */
static bool ahead_of_guest(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint64_t slack = (uint64_t)((unsigned __int128)gc->clock.hz * FE_SLACK_NS / 1000000000u);
	uint64_t now_ns;

	if (fe->cycle <= fe->cached_now + slack)
		return false;
	now_ns = clock_now(gc->host.clock);
	catch_up(gc, now_ns);
	fe->cached_now = gpu_clock_cycles(&gc->clock, now_ns);
	if (fe->cycle <= fe->cached_now + slack)
		return false;
	clock_arm(gc->host.clock, &fe->wake,
		  gpu_clock_ns_at(&gc->clock, now_ns, fe->cycle - slack / 2));
	return true;
}

/*
 * Whether host time has reached @end_ns. Reading the clock costs more than a short command, so
 * it is read only after each operation (draw, resolve, flush) and after RUN_WORDS words; @words
 * is the word count at the last reading.
 */
static bool slice_is_over(struct gc_core *gc, uint64_t end_ns, uint64_t *words)
{
	if (!gc->fe->worked && gc->counters.fe_words - *words < RUN_WORDS)
		return false;
	gc->fe->worked = false;
	*words = gc->counters.fe_words;
	return clock_now(gc->host.clock) >= end_ns;
}

/*
 * Execute commands until nothing can be executed (returns false) or the time slice is over
 * (returns true). Commands are not interrupted, so a slice may last longer by its last command.
 */
static bool run_slice(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	bool virtual = clock_is_virtual(gc->host.clock);
	uint64_t end_ns = clock_now(gc->host.clock) + RUN_HOST_NS;
	uint64_t words = gc->counters.fe_words;
	uint64_t resets = gc->counters.resets;

	for (unsigned int n = 1; fe->state == FE_RUNNING; n++) {
		if (!gc->clock.hz || fe_events_full(fe) || ahead_of_guest(gc))
			return false;
		gc->abort = false;
		fe_execute(gc);
		if (gc->counters.resets != resets) {
			resets = gc->counters.resets;
			gc_perfmon_skip_aborted(gc);
		}
		if (fe->start.waits) {
			fe->start.waits = false;
			start(gc, fe->start.address, fe->start.prefetch);
		}
		if (virtual ? n == RUN_COMMANDS : slice_is_over(gc, end_ns, &words))
			break;
	}
	return fe->state == FE_RUNNING;
}

bool gc_run(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	bool more;

	if (fe->in_run || !gc_poll(gc))
		return false;
	fe_check_memory(gc);
	fe->in_run = true;
	more = run_slice(gc);
	fe->in_run = false;
	gc->abort = false;
	if (!more)
		catch_up(gc, clock_now(gc->host.clock));
	return more;
}
