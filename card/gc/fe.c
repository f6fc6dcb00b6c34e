// SPDX-License-Identifier: MIT
/*
 * The front end's engine: fetching, running, waiting, modelled time.
 *
 * Time. fe->cycle is when the front end can begin the next command. It may be
 * a little ahead of card time (FE_SLACK_NS), never more: then the front end
 * goes to sleep in the calendar. Only what happens by the guest's doing (a
 * start, a patched WAIT) pulls it up to card time; being scheduled late by the
 * host does not, so the host's speed does not show in the cycles.
 *
 * Waiting. A WAIT whose LINK leads back to it does nothing until somebody
 * writes to it, so it is not executed: the front end is parked and gc_poll()
 * compares the two words. All else that loops runs at modelled speed.
 *
 * Prefetch. LINK fetches the whole block that it names. Its pages are looked
 * up at that moment, and stay valid while the block runs, even if it switches
 * the page directory.
 */
#include "gc/fe_internal.h"

#include <stdlib.h>
#include <string.h>

#include "gc/trace.h"
#include "hw/state.xml.h"

#define NO_PAGE 1u /* not page aligned, so no page */

/* How long one gc_run() may take: host time, or a fixed number of commands in virtual time. */
#define RUN_HOST_NS 1000000ull
#define RUN_COMMANDS 20000u
/* In host time: stream words between two looks at the clock if no operation was among them. */
#define RUN_WORDS 256u

static void wake(void *ctx)
{
	/* being in the calendar is all that is needed: the board runs the core after it */
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
	fe->host_page = NO_PAGE;
	return fe;
}

void gc_fe_destroy(struct gc_fe *fe)
{
	if (!fe)
		return;
	clock_disarm(fe->gc->host.clock, &fe->wake);
	clock_disarm(fe->gc->host.clock, &fe->alarm);
	free(fe);
}

uint64_t fe_now(const struct gc_core *gc)
{
	return gpu_clock_cycles(&gc->clock, clock_now(gc->host.clock));
}

void gc_fe_reset(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;

	clock_disarm(gc->host.clock, &fe->wake);
	fe->state = FE_STOPPED;
	fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_IDLE;
	fe->address = fe->low = fe->high = 0;
	fe->block.pages = 0;
	fe->host_page = NO_PAGE;
	fe->calls = 0;
	fe->cycle = fe->cached_now = fe->reset_cycle = fe_now(gc);
	fe->cycle_fraction = 0;
	/* work that reset cut short was not done */
	fe->busy_cycles = fe->reset_busy = fe_total_busy_cycles(gc);
	fe->busy_until = fe->cycle;
	memset(fe->token_armed, 0, sizeof(fe->token_armed));
	fe->events = 0;
	fe_arm_alarm(gc);
	fe->pending = 0;
	fe->inject_hang = fe->inject_lost_event = false;
	fe_update_irq(gc);
}

/* The host address of the page, if the block at hand knows it. */
static uint8_t *block_page(const struct fe_block *block, uint32_t page)
{
	uint32_t index = page - block->first_page;

	return index < block->pages ? block->page[index] : NULL;
}

static uint8_t *fetch_page(struct gc_core *gc, uint32_t address)
{
	struct gc_fe *fe = gc->fe;
	uint32_t page = address & ~(GC_PAGE_SIZE - 1);
	uint8_t *host;

	if (fe->host_page == page)
		return fe->host;
	host = block_page(&fe->block, address >> 12);
	if (!host)
		host = gc_mmu_map(&gc->mmu, GC_CLIENT_FE, GC_READ, page);
	fe->host_page = host ? page : NO_PAGE;
	fe->host = host;
	return host;
}

bool fe_fetch(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint8_t *page = fetch_page(gc, fe->address);
	uint64_t word;

	if (!page)
		return false;
	word = __atomic_load_n((uint64_t *)(page + (fe->address & (GC_PAGE_SIZE - 1))),
			       __ATOMIC_ACQUIRE);
	fe->low = (uint32_t)word;
	fe->high = (uint32_t)(word >> 32);
	fe->address += 8;
	gc->counters.fe_words += 2;
	gc->counters.fe_read_bytes += 8;
	return true;
}

void fe_jump(struct gc_core *gc, uint32_t address, unsigned int prefetch)
{
	struct gc_fe *fe = gc->fe;
	uint32_t page;

	fe->address = address & ~7u;
	fe->host_page = NO_PAGE;
	fe->block.pages = 0;
	if (!prefetch)
		return;
	fe->block.first_page = page = fe->address >> 12;
	fe->block.pages =
		((fe->address & (GC_PAGE_SIZE - 1)) + 8 * (prefetch & 0xffff) - 1) / GC_PAGE_SIZE +
		1;
	for (unsigned int i = 0; i < fe->block.pages; i++)
		fe->block.page[i] = gc_mmu_probe(&gc->mmu, GC_CLIENT_FE, GC_READ, (page + i) << 12);
}

/* The part of [from, to) that was not known to be busy yet. */
static void account_busy(struct gc_fe *fe, uint64_t from, uint64_t to)
{
	if (from < fe->busy_until)
		from = fe->busy_until;
	if (to <= from)
		return;
	fe->busy_cycles += to - from;
	fe->busy_until = to;
}

void fe_advance(struct gc_core *gc, uint64_t cycle, bool busy)
{
	struct gc_fe *fe = gc->fe;

	if (cycle <= fe->cycle)
		return;
	if (busy)
		account_busy(fe, fe->cycle, cycle);
	fe->cycle = cycle;
}

void fe_charge(struct gc_core *gc, uint64_t words)
{
	struct gc_fe *fe = gc->fe;
	uint64_t cost = words * gc->pipeline.params->fe_word_fp;

	fe->cycle_fraction += gpu_pipeline_scale(&gc->pipeline, cost);
	fe_advance(gc, fe->cycle + (fe->cycle_fraction >> 16), true);
	fe->cycle_fraction &= 0xffff;
}

/* The modelled end of everything done so far. */
static uint64_t frontier(const struct gc_core *gc)
{
	uint64_t drained = gpu_pipeline_drained(&gc->pipeline);

	return drained > gc->fe->cycle ? drained : gc->fe->cycle;
}

/* Software has done all there is to do: the counter goes where card time has it, within the frontier. */
static void catch_up(struct gc_core *gc, uint64_t now_ns)
{
	if (!gc->clock.held)
		return;
	gpu_clock_hold(&gc->clock, now_ns, frontier(gc));
	gpu_clock_release(&gc->clock, now_ns);
}

void fe_begin_work(struct gc_core *gc)
{
	gc->fe->working = gc->fe->worked = true;
	gc->fe->work_ns = clock_now(gc->host.clock);
	memset(&gc->work, 0, sizeof(gc->work));
	gpu_clock_hold(&gc->clock, gc->fe->work_ns, frontier(gc));
}

/* Memory traffic by who caused it, from the operation's report. */
static void count_memory(struct gc_counters *c, const struct gpu_work *w)
{
	c->mc_color_read_bytes += w->color_read_bytes;
	c->mc_color_write_bytes += w->color_write_bytes;
	c->mc_depth_read_bytes += w->depth_read_bytes;
	c->mc_depth_write_bytes += w->depth_write_bytes;
	c->ts_read_bytes += w->ts_read_bytes;
	c->ts_write_bytes += w->ts_write_bytes;
	c->sh_read_bytes += w->shader_read_bytes;
	c->sh_write_bytes += w->shader_write_bytes;
	c->sh_accesses += w->vs_accesses + w->ps_accesses;
}

/* What the operation costs each stage, and when it will have left the last. */
static void trace_work(const struct gc_core *gc, uint64_t end)
{
	unsigned long long cost[GPU_STAGES];

	for (unsigned int s = 0; s < GPU_STAGES; s++)
		cost[s] = gpu_pipeline_cost(&gc->pipeline, &gc->work, s);
	gc_trace(gc, "clk", "fe %llu vs %llu pa %llu ra %llu ps %llu pe %llu mc %llu until %llu",
		 cost[GPU_STAGE_FE], cost[GPU_STAGE_VS], cost[GPU_STAGE_PA], cost[GPU_STAGE_RA],
		 cost[GPU_STAGE_PS], cost[GPU_STAGE_PE], cost[GPU_STAGE_MC],
		 (unsigned long long)end);
}

void fe_end_work(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint64_t end;

	fe->working = false;
	if (gc->abort)
		return;
	end = gpu_pipeline_push(&gc->pipeline, &gc->work, fe->cycle);
	if (gc_tracing(gc))
		trace_work(gc, end);
	account_busy(fe, fe->cycle, end);
	fe_advance(gc, gc->pipeline.free_at[GPU_STAGE_FE], true);
	count_memory(&gc->counters, &gc->work);
	gc->counters.sh_cycles += gpu_stage_cost(gc->pipeline.params, &gc->work, GPU_STAGE_VS) +
				  gpu_stage_cost(gc->pipeline.params, &gc->work, GPU_STAGE_PS);
}

void fe_halt(struct gc_core *gc, enum fe_state state, const char *why)
{
	gc->fe->state = state;
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "stop at 0x%08x: %s", gc->fe->address, why);
}

uint64_t fe_total_busy_cycles(const struct gc_core *gc)
{
	const struct gc_fe *fe = gc->fe;
	uint64_t now = fe_now(gc);
	uint64_t future = fe->busy_until > now ? fe->busy_until - now : 0;

	/* what is known to come is one stretch, but for gaps inside the slack */
	return fe->busy_cycles > future ? fe->busy_cycles - future : 0;
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
	clock_arm(gc->host.clock, &fe->wake, now);
}

/*
 * The guest may have been given other memory since: then no pointer into the
 * old may be left.
 */
static void check_memory(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	const struct guest_memory *memory = gc->host.memory;

	if (fe->seen_memory.count == memory->count &&
	    !memcmp(fe->seen_memory.region, memory->region,
		    memory->count * sizeof(memory->region[0])))
		return;
	fe->seen_memory = *memory;
	gc_mmu_flush(&gc->mmu);
	fe_jump(gc, fe->address, 0);
}

void gc_fe_start(struct gc_core *gc, uint32_t address, unsigned int prefetch)
{
	struct gc_fe *fe = gc->fe;
	uint64_t now = fe_now(gc);

	if (fe->cycle < now)
		fe->cycle = now;
	check_memory(gc);
	fe->calls = 0;
	fe->state = FE_RUNNING;
	fe_jump(gc, address, prefetch);
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "start at 0x%08x prefetch %u", fe->address, prefetch);
	clock_arm(gc->host.clock, &fe->wake, clock_now(gc->host.clock));
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

/* The loop's words as they are in memory now; false after a fault. */
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

void fe_park(struct gc_core *gc, uint32_t address, unsigned int words)
{
	struct gc_fe *fe = gc->fe;

	fe->loop_address = address;
	fe->loop_words = words;
	fe->state = FE_POLLING;
	fe->address = address;
	fe->block.pages = 0;
	fe->host_page = NO_PAGE;
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "wait at 0x%08x", address);
}

bool gc_is_polling(const struct gc_core *gc)
{
	return gc->fe->state == FE_POLLING;
}

/* Whether the front end is ahead of card time, and the calendar will wake it. */
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
	check_memory(gc);
	if (!gc->clock.hz || !read_loop(gc, fe->loop_address, fe->loop_words, words))
		return false;
	if (!fe->inject_hang && !memcmp(words, fe->loop, 8 * fe->loop_words))
		return false;
	now = fe_now(gc);
	if (fe->cycle < now)
		fe->cycle = now;
	fe->state = FE_RUNNING;
	fe_jump(gc, fe->loop_address, fe->loop_words);
	return true;
}

/* Whether the front end is too far ahead of card time; then it sleeps until that has caught up. */
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
 * Whether host time is at @end_ns. The clock is read behind every operation,
 * since one may take long, and else once in RUN_WORDS words; @words is the
 * count at which it was read last.
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
 * Run until there is nothing to do (false) or the slice is used up (true). A
 * command is never interrupted, so the slice is longer by its last one.
 */
static bool run_slice(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	bool virtual = clock_is_virtual(gc->host.clock);
	uint64_t end_ns = clock_now(gc->host.clock) + RUN_HOST_NS;
	uint64_t words = gc->counters.fe_words;

	for (unsigned int n = 1; fe->state == FE_RUNNING; n++) {
		if (!gc->clock.hz || fe_events_full(fe) || ahead_of_guest(gc))
			return false;
		gc->abort = false;
		fe_execute(gc);
		if (virtual ? n == RUN_COMMANDS : slice_is_over(gc, end_ns, &words))
			return true;
	}
	return false;
}

bool gc_run(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	bool more;

	if (fe->in_run || !gc_poll(gc))
		return false;
	check_memory(gc);
	fe->in_run = true;
	more = run_slice(gc);
	fe->in_run = false;
	gc->abort = false;
	if (!more)
		catch_up(gc, clock_now(gc->host.clock));
	return more;
}
