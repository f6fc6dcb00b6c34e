/* SPDX-License-Identifier: MIT */
/*
 * Interface of a Vivante GC core to the board: registers, an interrupt line, access to guest
 * memory. The implementation's types are in gc/core.h.
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
struct gpu_params;

/* Functions and objects of the board that the core uses; functions may be NULL */
struct gc_host {
	void *ctx;
	const struct guest_memory
		*memory; /* may change between calls, e.g. when the guest restarts */
	struct card_clock *clock;
	/** @set_irq: called when the interrupt line changes to @level */
	void (*set_irq)(void *ctx, bool level);
	/**
	 * @yield: called between batches of long operations, to handle register accesses
	 *     meanwhile; may call gc_read() and gc_write().
	 */
	void (*yield)(void *ctx);
	/**
	 * @answer: called more often than @yield, also while groups are queued for other threads, to
	 *     handle register accesses that need not wait: it may call gc_read() for registers of
	 *     gc_is_immediate().
	 */
	void (*answer)(void *ctx);
};

#define GC_MAX_THREADS 16

struct gc_options {
	const struct gpu_params *params; /* of the clock's model; NULL: the personality's */
	uint64_t jitter;                 /* seed of the modelled time's jitter; 0: exact */
	FILE *trace;                     /* NULL: no trace */
	FILE *truth;                     /* what was done before each event; NULL: none */
	FILE *record;          /* what the core gets from outside (gc/record.h); NULL: none */
	FILE *hazards;         /* report of broken rules (gc/sync.h); NULL: none are judged */
	bool hazards_fail;     /* a broken rule is a bus error, at which the front end stops */
	bool hazards_random;   /* it hangs at rules whose breach hangs silicon, at some by chance */
	uint64_t hazards_seed; /* of that chance */
	bool null_draw;        /* draws cost time, but write nothing */
	bool cache_data; /* caches have contents (data_cache.h), writes are posted (posted.h) */
	unsigned int threads; /* threads that shade pixels, at most GC_MAX_THREADS; 0 means 1 */
	/*
	 * for card/loop.c: interval of gc_poll() while the front end is in its WAIT loop, in
	 * virtual time and in idle real time
	 */
	uint64_t poll_ns;
};

/* Faults that can be injected; each happens once, at the next occasion. */
enum gc_fault {
	GC_FAULT_HANG_FE,    /* the front end stops at its next command, until a reset or a start */
	GC_FAULT_MMU,        /* MMUv2: the next memory access of the front end faults */
	GC_FAULT_AXI,        /* AXI error interrupt */
	GC_FAULT_LOSE_EVENT, /* the next event is executed, but never reported */
};

struct gc_core *gc_create(const struct gc_personality *personality, const struct gc_host *host,
			  const struct gc_options *options);
void gc_destroy(struct gc_core *gc);

/** gc_reset - power-on reset, e.g. after a restart of the guest */
void gc_reset(struct gc_core *gc);

/**
 * gc_read, gc_write - 32-bit register access
 * @offset: 0..0xffff, a multiple of 4
 */
uint32_t gc_read(struct gc_core *gc, uint32_t offset);
void gc_write(struct gc_core *gc, uint32_t offset, uint32_t value);

/**
 * gc_is_immediate - whether a register can be read at any time: time, interrupts, identity
 *
 * Its value does not depend on how far the present operation is, so reading it does not wait for other
 * threads.
 */
bool gc_is_immediate(const struct gc_core *gc, uint32_t offset);

/**
 * gc_run - execute commands
 *
 * Returns when the front end cannot continue (WAIT loop, modelled time too far ahead of card time,
 * hang, END), or after the command in which its time slice ends (see fe.c). Not reentrant.
 *
 * Returns: true if there is more to execute at once.
 */
bool gc_run(struct gc_core *gc);

/**
 * gc_is_polling - whether the front end is in a WAIT/LINK loop, so that gc_poll() must be
 * called
 */
bool gc_is_polling(const struct gc_core *gc);

/** gc_poll - compare the WAIT/LINK loop with memory; true if there is something to execute */
bool gc_poll(struct gc_core *gc);

/** gc_inject - inject a fault */
void gc_inject(struct gc_core *gc, enum gc_fault fault);

/**
 * gc_set_slowdown - all operations take @factor_percent / 100 of their modelled time (100 =
 * normal)
 */
void gc_set_slowdown(struct gc_core *gc, unsigned int factor_percent);

/** gc_set_display_traffic - set the memory bandwidth that scan-out takes from the core */
void gc_set_display_traffic(struct gc_core *gc, uint64_t bytes_per_second);

/**
 * gc_set_count_from - cycle counters and profiling registers start at @value after the next
 * reset
 *
 * Used to test that drivers handle wrap-around.
 */
void gc_set_count_from(struct gc_core *gc, uint32_t value);

/** gc_set_null_draw - if @on, vertices are counted and charged, and nothing is drawn */
void gc_set_null_draw(struct gc_core *gc, bool on);

/**
 * gc_print_statistics - report all totals since creation or the last gc_clear_statistics()
 * @emit: called for each value, in a fixed order, with a stable name such as
 *     "gc.pe.drawn_pixels"
 * @ctx: passed to @emit
 */
void gc_print_statistics(struct gc_core *gc,
			 void (*emit)(void *ctx, const char *name, uint64_t value), void *ctx);
void gc_clear_statistics(struct gc_core *gc);

#endif
