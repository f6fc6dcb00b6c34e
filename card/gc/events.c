// SPDX-License-Identifier: MIT
/*
 * Interrupt sources. Events, MMU faults and bus errors are queued and set their bit in the
 * interrupt status (HI_INTR_ACKNOWLEDGE) when the cycle counter reaches their cycle. One entry
 * of the clock's calendar is armed, for the earliest of them and of the posted writes, which are in
 * memory before an event of the same cycle.
 */
#include "gc/fe_internal.h"

#include <inttypes.h>
#include <string.h>

#include "gc/posted.h"
#include "gc/trace.h"

void fe_update_irq(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	bool level = fe->pending & fe->enabled;

	if (level == fe->irq)
		return;
	fe->irq = level;
	if (gc->host.set_irq)
		gc->host.set_irq(gc->host.ctx, level);
}

bool fe_events_full(const struct gc_fe *fe)
{
	/* two entries are reserved for an MMU fault and a bus error */
	return fe->events >= FE_EVENTS - 2;
}

void fe_arm_alarm(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint64_t now = clock_now(gc->host.clock);
	uint64_t cycle = fe->events ? fe->event[0].cycle : UINT64_MAX;
	uint64_t when;

	if (gc->posted && gc_posted_due(gc->posted) < cycle)
		cycle = gc_posted_due(gc->posted);
	if (cycle == UINT64_MAX) {
		clock_disarm(gc->host.clock, &fe->alarm);
		return;
	}
	when = gpu_clock_ns_at(&gc->clock, now, cycle);
	if (when == CARD_TIME_NEVER)
		clock_disarm(gc->host.clock, &fe->alarm);
	else
		clock_arm(gc->host.clock, &fe->alarm, when);
}

static void insert(struct gc_core *gc, struct fe_event event)
{
	struct gc_fe *fe = gc->fe;
	unsigned int i = fe->events;

	for (; i && fe->event[i - 1].cycle > event.cycle; i--)
		fe->event[i] = fe->event[i - 1];
	gpu_pipeline_drawn(&gc->pipeline, &event.flush, &event.memory);
	fe->event[i] = event;
	fe->events++;
	if (i == 0)
		fe_arm_alarm(gc);
}

void fe_raise_at(struct gc_core *gc, unsigned int bit, uint64_t cycle)
{
	/*
	 * If the queue is full the bit is lost [chosen]. Events do not fill it, since the front end
	 * stops at fe_events_full(); bus errors may, if many are injected.
	 */
	if (gc->fe->events < FE_EVENTS)
		insert(gc, (struct fe_event){ .cycle = cycle,
					      .bit = (uint8_t)bit,
					      .vertices = gc->counters.vs_vertices,
					      .pixels = gc->counters.ps_pixels });
}

/* A line of the file of --truth: Documentation/card/clock.rst */
static void write_truth(const struct gc_core *gc, const struct fe_event *event)
{
	const int64_t hz = (int64_t)gc->pipeline.params->core_hz;

	if (gc->options.truth)
		fprintf(gc->options.truth,
			"event %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64
			" %" PRId64 "\n",
			event->bit, clock_now(gc->host.clock), event->cycle, event->vertices,
			event->pixels, event->flush * 1000000000 / hz,
			event->memory * 1000000000 / hz);
}

static void deliver(struct gc_core *gc, const struct fe_event *event)
{
	gc_trace_at(gc, event->cycle, "hi", "interrupt %u", event->bit);
	write_truth(gc, event);
	gc->fe->pending |= 1u << event->bit;
	gc->counters.interrupts++;
}

void fe_deliver_events(void *ctx)
{
	struct gc_core *gc = ctx;
	struct gc_fe *fe = gc->fe;
	uint64_t now = fe_now(gc);
	unsigned int due = 0;

	if (gc->posted) {
		fe_check_memory(gc);
		gc_posted_deliver(gc->posted, now);
	}
	while (due < fe->events && fe->event[due].cycle <= now)
		deliver(gc, &fe->event[due++]);
	fe->events -= due;
	memmove(fe->event, fe->event + due, fe->events * sizeof(fe->event[0]));
	fe_arm_alarm(gc);
	fe_update_irq(gc);
}
