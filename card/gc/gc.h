/* SPDX-License-Identifier: MIT */
/*
 * A Vivante GC core as the board sees it: registers in, an interrupt line and
 * memory traffic out. Everything behind it is in card/gc/core.h.
 */
#ifndef CARD_GC_GC_H
#define CARD_GC_GC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bus/memory.h"
#include "clock/clock.h"
#include "gc/personality.h"

struct gc_core;

/* What the core needs of its surroundings. */
struct gc_host {
	void *ctx;
	const struct guest_memory
		*memory; /* may change between calls, e.g. when the guest restarts */
	struct card_clock *clock;
	/** @set_irq: the interrupt line is now @level. */
	void (*set_irq)(void *ctx, bool level);
	/**
	 * @yield: called between batches of long work; answers register
	 * accesses meanwhile and may so re-enter gc_read() and gc_write().
	 */
	void (*yield)(void *ctx);
};

#define GC_MAX_THREADS 16

struct gc_options {
	const char *clock_params; /* NULL: the personality's */
	FILE *trace;              /* NULL: no trace */
	bool null_draw;           /* price draws, draw nothing */
	unsigned int threads;     /* that draw, GC_MAX_THREADS at most; 0 is as good as 1 */
	uint64_t poll_ns; /* virtual time and idle real time: front end looks at WAIT this often */
};

/* Faults that tests may ask for; each once, at the next occasion. */
enum gc_fault {
	GC_FAULT_HANG_FE,    /* the front end stops at its next command until reset */
	GC_FAULT_MMU,        /* the next memory access of the front end faults */
	GC_FAULT_AXI,        /* AXI error interrupt */
	GC_FAULT_LOSE_EVENT, /* the next event is executed, but never reported */
};

struct gc_core *gc_create(const struct gc_personality *personality, const struct gc_host *host,
			  const struct gc_options *options);
void gc_destroy(struct gc_core *gc);

/** gc_reset - as at power-on, e.g. because the guest restarted. */
void gc_reset(struct gc_core *gc);

/** gc_read, gc_write - a 32-bit register access at byte @offset (0..0xffff, multiple of 4). */
uint32_t gc_read(struct gc_core *gc, uint32_t offset);
void gc_write(struct gc_core *gc, uint32_t offset, uint32_t value);

/**
 * gc_run - let the front end execute what it can
 *
 * Executes commands until it waits (idle loop, modelled time ahead of card
 * time, hang, end) or about a millisecond of host time is spent. Never called
 * from within itself.
 *
 * Returns: true when there is more to do at once.
 */
bool gc_run(struct gc_core *gc);

/** gc_is_polling - whether the front end sits in a WAIT/LINK loop, so that guest memory has to be watched. */
bool gc_is_polling(const struct gc_core *gc);

/** gc_poll - look at the WAIT/LINK loop now; returns true when there is something to run. Cheap. */
bool gc_poll(struct gc_core *gc);

/** gc_inject - plant a fault. */
void gc_inject(struct gc_core *gc, enum gc_fault fault);

/** gc_set_slowdown - every operation takes @factor_percent/100 of its modelled time (100 = normal). */
void gc_set_slowdown(struct gc_core *gc, unsigned int factor_percent);

/** gc_set_display_traffic - scan-out reads this many bytes a second from the memory the core shares with it. */
void gc_set_display_traffic(struct gc_core *gc, uint64_t bytes_per_second);

/** gc_set_count_from - cycle counters and profiling registers begin at @value when the core is reset. */
void gc_set_count_from(struct gc_core *gc, uint32_t value);

/** gc_set_null_draw - draws are priced and counted by vertices, nothing is drawn. */
void gc_set_null_draw(struct gc_core *gc, bool on);

/**
 * gc_print_statistics - true totals since creation or the last clear
 * @emit: called once a figure, in a fixed order, with a stable name such as "gc.pe.drawn_pixels"
 */
void gc_print_statistics(struct gc_core *gc,
			 void (*emit)(void *ctx, const char *name, uint64_t value), void *ctx);
void gc_clear_statistics(struct gc_core *gc);

#endif
