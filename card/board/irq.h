/* SPDX-License-Identifier: MIT */
/*
 * The board's interrupts: level lines combined in a status register, and an MSI for each rising
 * edge of an enabled line; with board_irq_use_levels() further ones as long as the line is active.
 * Tests can let MSIs be lost or delayed by a fixed or a random time.
 */
#ifndef CARD_BOARD_IRQ_H
#define CARD_BOARD_IRQ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clock/clock.h"

#define BOARD_IRQ_GC (1u << 0)
#define BOARD_IRQ_DISPLAY (1u << 1)
#define BOARD_IRQ_ALL (BOARD_IRQ_GC | BOARD_IRQ_DISPLAY)

/* Sources of interrupts. Each is numbered by its bit in the status register. */
#define BOARD_IRQ_SOURCES 2u

/* MSIs of a source that can be delayed at the same time; further ones are merged. */
#define BOARD_IRQ_IN_FLIGHT 32u

/*
 * With levels, an MSI of a line that stays active is repeated at this interval of card time. The
 * kernel disables an interrupt (note_interrupt()) after 100,000 that no handler wanted, a second
 * at this interval; a handler that works reads the status within some microseconds.
 */
#define BOARD_IRQ_REPEAT_NS 10000u

struct board_irq;

/* The next MSI of a line that stays active. */
struct board_irq_repeat {
	struct board_irq *irq;
	unsigned int source;
	struct clock_event event;
};

/* One delayed MSI. */
struct board_irq_flight {
	struct board_irq *irq;
	unsigned int source;
	struct clock_event event;
};

struct board_irq {
	struct card_clock *clock;
	void (*send_msi)(void *ctx, unsigned int source);
	void *ctx;

	uint32_t status, enable;
	bool levels; /* repeat MSIs: see board_irq_use_levels() */
	struct board_irq_repeat repeat[BOARD_IRQ_SOURCES];

	/* fault injection */
	uint64_t lose;         /* number of MSIs still to be lost */
	uint64_t delay_ns;     /* of each MSI */
	uint64_t jitter_ns;    /* largest random additional delay; 0: none */
	uint64_t jitter_state; /* state of the random number generator */

	/* latency of the machine: see board_irq_set_latency() */
	uint64_t latency_seed, latency_ns;
	FILE *truth; /* each MSI and its delay are written there; NULL: nowhere */

	struct board_irq_flight flight[BOARD_IRQ_SOURCES][BOARD_IRQ_IN_FLIGHT];
	uint64_t raised, repeated, sent, lost, delayed, merged; /* statistics */
};

/** board_irq_init - initialise; @send_msi(@ctx) sends the MSI of a source */
void board_irq_init(struct board_irq *irq, struct card_clock *clock,
		    void (*send_msi)(void *ctx, unsigned int source), void *ctx);

/**
 * board_irq_reset - power-on reset: drops delayed MSIs, ends injected faults, keeps statistics
 */
void board_irq_reset(struct board_irq *irq);

/**
 * board_irq_use_levels - repeat an MSI while its line is active and enabled (BOARD_IRQ_REPEAT_NS)
 *
 * As a level interrupt, for guests that have MSIs only: a handler that does not acknowledge at the
 * source is called again. Remains in effect after resets.
 */
void board_irq_use_levels(struct board_irq *irq);

/** board_irq_set - set the lines @mask (BOARD_IRQ_*) to @level */
void board_irq_set(struct board_irq *irq, uint32_t mask, bool level);

/**
 * board_irq_set_enable - write the interrupt enable register; enabling an active line sends an
 * MSI
 */
void board_irq_set_enable(struct board_irq *irq, uint32_t enable);

/**
 * board_irq_set_latency - each MSI arrives late by a random time, also after resets
 * @seed: of the jitter (clock/jitter.h); 0: none
 * @max_ns: largest delay
 */
void board_irq_set_latency(struct board_irq *irq, uint64_t seed, uint64_t max_ns);

/**
 * board_irq_set_jitter - delay each MSI by an additional random time
 * @seed: of the random numbers
 * @max_ns: largest delay; 0 ends it
 */
void board_irq_set_jitter(struct board_irq *irq, uint64_t seed, uint64_t max_ns);

#endif
