// SPDX-License-Identifier: MIT
/* Conversion of interrupt lines to MSIs. */
#include "board/irq.h"

#include <inttypes.h>
#include <string.h>

#include "clock/jitter.h"
#include "clock/random.h"

static void deliver(void *ctx)
{
	struct board_irq_flight *flight = ctx;

	flight->irq->sent++;
	flight->irq->send_msi(flight->irq->ctx, flight->source);
}

static uint64_t next_delay(struct board_irq *irq)
{
	uint64_t delay = irq->delay_ns;

	if (irq->jitter_ns)
		delay += random_next(&irq->jitter_state) % (irq->jitter_ns + 1);
	if (irq->latency_seed != GPU_JITTER_OFF)
		delay += gpu_jitter(irq->latency_seed, GPU_JITTER_INTERRUPT, clock_now(irq->clock),
				    irq->latency_ns);
	return delay;
}

/*
 * Deliver an MSI @delay_ns from now. If too many are delayed it is merged with one of them,
 * whose handler finds this cause too.
 */
static void schedule_delivery(struct board_irq *irq, unsigned int source, uint64_t delay_ns)
{
	for (unsigned int i = 0; i < BOARD_IRQ_IN_FLIGHT; i++) {
		struct clock_event *event = &irq->flight[source][i].event;

		if (event->slot) /* it is armed */
			continue;
		clock_arm(irq->clock, event, clock_now(irq->clock) + delay_ns);
		return;
	}
	irq->merged++;
}

/*
 * In virtual time an MSI without delay is delivered through the calendar, too: the guest may be
 * in the middle of a register access, whose answer must come first.
 */
static void raise_msi(struct board_irq *irq, unsigned int source)
{
	uint64_t delay = next_delay(irq); /* drawn for lost ones, too: later ones keep theirs */

	if (irq->truth)
		fprintf(irq->truth, "interrupt %" PRIu64 " %" PRIu64 "\n", clock_now(irq->clock),
			delay);
	irq->raised++;
	if (irq->lose) {
		irq->lose--;
		irq->lost++;
		return;
	}
	if (delay)
		irq->delayed++;
	if (delay || clock_is_virtual(irq->clock)) {
		schedule_delivery(irq, source, delay);
		return;
	}
	irq->sent++;
	irq->send_msi(irq->ctx, source);
}

static void arm_repeat(struct board_irq *irq, unsigned int source)
{
	clock_arm(irq->clock, &irq->repeat[source].event,
		  clock_now(irq->clock) + BOARD_IRQ_REPEAT_NS);
}

/* Armed only with levels, and disarmed by update() when the line is no longer active and enabled */
static void repeat(void *ctx)
{
	struct board_irq_repeat *r = ctx;

	r->irq->repeated++;
	arm_repeat(r->irq, r->source);
	raise_msi(r->irq, r->source);
}

static void init_events(struct board_irq *irq, unsigned int source)
{
	for (unsigned int i = 0; i < BOARD_IRQ_IN_FLIGHT; i++) {
		struct board_irq_flight *flight = &irq->flight[source][i];

		flight->irq = irq;
		flight->source = source;
		flight->event.fn = deliver;
		flight->event.ctx = flight;
	}
	irq->repeat[source].irq = irq;
	irq->repeat[source].source = source;
	irq->repeat[source].event.fn = repeat;
	irq->repeat[source].event.ctx = &irq->repeat[source];
}

void board_irq_init(struct board_irq *irq, struct card_clock *clock,
		    void (*send_msi)(void *ctx, unsigned int source), void *ctx)
{
	memset(irq, 0, sizeof(*irq));
	irq->clock = clock;
	irq->send_msi = send_msi;
	irq->ctx = ctx;
	irq->enable = BOARD_IRQ_ALL;
	for (unsigned int source = 0; source < BOARD_IRQ_SOURCES; source++)
		init_events(irq, source);
}

void board_irq_use_levels(struct board_irq *irq)
{
	irq->levels = true;
}

void board_irq_reset(struct board_irq *irq)
{
	for (unsigned int source = 0; source < BOARD_IRQ_SOURCES; source++) {
		for (unsigned int i = 0; i < BOARD_IRQ_IN_FLIGHT; i++)
			clock_disarm(irq->clock, &irq->flight[source][i].event);
		clock_disarm(irq->clock, &irq->repeat[source].event);
	}
	irq->status = 0;
	irq->enable = BOARD_IRQ_ALL;
	irq->lose = 0;
	irq->delay_ns = 0;
	irq->jitter_ns = 0;
}

/*
 * Send an MSI for each line that is active and enabled now and was not before; with levels, repeat
 * it as long as the line is both.
 */
static void update(struct board_irq *irq, uint32_t status, uint32_t enable)
{
	uint32_t before = irq->status & irq->enable, active = status & enable;

	irq->status = status;
	irq->enable = enable;
	for (unsigned int source = 0; source < BOARD_IRQ_SOURCES; source++) {
		uint32_t bit = 1u << source;

		if (before & ~active & bit)
			clock_disarm(irq->clock, &irq->repeat[source].event);
		if (!(active & ~before & bit))
			continue;
		if (irq->levels)
			arm_repeat(irq, source);
		raise_msi(irq, source);
	}
}

void board_irq_set(struct board_irq *irq, uint32_t mask, bool level)
{
	update(irq, level ? irq->status | mask : irq->status & ~mask, irq->enable);
}

void board_irq_set_enable(struct board_irq *irq, uint32_t enable)
{
	update(irq, irq->status, enable & BOARD_IRQ_ALL);
}

void board_irq_set_jitter(struct board_irq *irq, uint64_t seed, uint64_t max_ns)
{
	irq->jitter_state = seed;
	irq->jitter_ns = max_ns;
}

void board_irq_set_latency(struct board_irq *irq, uint64_t seed, uint64_t max_ns)
{
	irq->latency_seed = seed;
	irq->latency_ns = max_ns;
}
