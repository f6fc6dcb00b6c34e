/* SPDX-License-Identifier: MIT */
/*
 * The board's interrupts: level lines gathered in a status register, and one
 * MSI for each line that rises while enabled. Tests can have MSIs lost,
 * delayed, or delayed by a seeded random time.
 */
#ifndef CARD_BOARD_IRQ_H
#define CARD_BOARD_IRQ_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/clock.h"

#define BOARD_IRQ_GC (1u << 0)
#define BOARD_IRQ_DISPLAY (1u << 1)
#define BOARD_IRQ_ALL (BOARD_IRQ_GC | BOARD_IRQ_DISPLAY)

/* MSIs that can be under way at once; more of them are merged. */
#define BOARD_IRQ_IN_FLIGHT 32u

struct board_irq;

/* One delayed MSI. */
struct board_irq_flight {
	struct board_irq *irq;
	struct clock_event event;
};

struct board_irq {
	struct card_clock *clock;
	void (*send_msi)(void *ctx);
	void *ctx;

	uint32_t status, enable;

	/* fault injection */
	uint64_t lose;         /* MSIs still to be lost */
	uint64_t delay_ns;     /* for every MSI */
	uint64_t jitter_ns;    /* largest random addition, 0 = none */
	uint64_t jitter_state; /* of the random numbers */

	struct board_irq_flight flight[BOARD_IRQ_IN_FLIGHT];
	uint64_t raised, sent, lost, delayed, merged; /* statistics */
};

/** board_irq_init - @send_msi(@ctx) raises the card's MSI. */
void board_irq_init(struct board_irq *irq, struct card_clock *clock, void (*send_msi)(void *ctx),
		    void *ctx);

/** board_irq_reset - as at power-on; what is under way is dropped, injected faults end, statistics stay. */
void board_irq_reset(struct board_irq *irq);

/** board_irq_set - lines @mask (BOARD_IRQ_*) now have @level. */
void board_irq_set(struct board_irq *irq, uint32_t mask, bool level);

/** board_irq_set_enable - the interrupt enable register; enabling a line that is up raises an MSI. */
void board_irq_set_enable(struct board_irq *irq, uint32_t enable);

/** board_irq_set_jitter - delay each MSI by 0..@max_ns more, drawn from @seed; 0 ends it. */
void board_irq_set_jitter(struct board_irq *irq, uint64_t seed, uint64_t max_ns);

#endif
