/* SPDX-License-Identifier: MIT */
/*
 * Data and functions shared by the front end's files, registers.c and perfmon.c; other blocks
 * do not include this. Calls go in one direction:
 *
 *  fe.c            runs commands
 *  fe_commands.c   decodes and executes one command
 *  fe_states.c     side effects of states
 *  fe_work.c       operations of other blocks
 *  events.c        interrupt sources
 *  fe_fetch.c      reads the stream
 *  fe_time.c       modelled time
 */
#ifndef CARD_GC_FE_INTERNAL_H
#define CARD_GC_FE_INTERNAL_H

#include "gc/core.h"
#include "gc/fe.h"
#include "gc/registers.h"
#include "gc/sync.h"

#define FE_BLOCK_PAGES 130 /* 65535 64-bit words touch 129 pages at most */
#define FE_CALLS 4
#define FE_EVENTS 64
#define FE_RECIPIENTS 32
#define PERFMON_SIGNALS 72
#define FE_ENDLESS UINT32_MAX
#define FE_NO_PAGE 1u     /* not a multiple of the page size, so never a page's address */
#define FE_SLACK_NS 20000 /* the front end pauses if it is further ahead of card time */

enum fe_state {
	FE_STOPPED, /* not started since the reset, or END */
	FE_RUNNING,
	FE_POLLING, /* parked in a loop of WAIT and LINK, or of LINK alone */
	/* STALL without SEMAPHORE, a block longer than its prefetch, gc->hang, hazard, injection */
	FE_HUNG,
	FE_ERROR,   /* illegal command, CALL or RETURN; commands outside MMUv1's linear window */
	FE_FAULTED, /* an access caused an MMU fault */
};

/* An interrupt bit that is set when the cycle counter reaches @cycle. */
struct fe_event {
	uint64_t cycle;
	uint8_t bit;
	/* for the file of --truth: what the core had done when the event was executed */
	uint64_t vertices, pixels;
	int64_t flush, memory; /* see gpu_pipeline_drawn() */
};

/* The block that a LINK, CALL, RETURN or start prefetched: its pages, as translated then. */
struct fe_block {
	uint32_t first_page;
	unsigned int pages;
	uint8_t *page[FE_BLOCK_PAGES]; /* NULL: was not mapped */
};

struct gc_fe {
	struct gc_core *gc;

	/* fetching */
	enum fe_state state;
	uint32_t address;    /* of the next 64-bit word */
	uint32_t low, high;  /* the word fetched last */
	uint8_t debug_state; /* CMD_STATE of DMA_DEBUG_STATE */
	struct fe_block block;
	uint32_t left; /* 64-bit words left of a LINK's, CALL's or RETURN's block, or FE_ENDLESS */
	uint32_t host_page; /* page that host points to; FE_NO_PAGE: none */
	uint8_t *host;
	struct {
		uint32_t address;
		uint32_t prefetch;
	} call[FE_CALLS];
	unsigned int calls;
	struct {
		bool waits; /* for the end of the command */
		uint32_t address;
		unsigned int prefetch;
	} start; /* written in the middle of an operation, see gc_fe_start() */

	struct guest_memory seen_memory; /* the guest memory that all host pointers point into */

	/* the loop in which it is parked */
	uint32_t loop_address;
	unsigned int loop_words; /* 64-bit words: 2 for WAIT and LINK, 1 for LINK */
	uint64_t loop[2];

	/* modelled time */
	uint64_t cycle;                   /* when the next command can begin */
	uint64_t cycle_fraction;          /* of a cycle, in 1/65536 */
	uint64_t cached_now;              /* card time in cycles when it was last read */
	uint64_t reset_cycle;             /* of the last reset or gc_perfmon_set_cycles() */
	uint64_t busy_cycles, busy_until; /* since creation; up to which cycle counted */
	uint64_t reset_busy;              /* busy_cycles at reset_cycle */
	struct clock_event wake;          /* calendar event: card time has caught up */
	bool in_run;                      /* gc_run() is on the stack */

	bool working;     /* between fe_begin_work() and fe_end_work() */
	bool worked;      /* an operation was executed since host time was read */
	uint64_t work_ns; /* card time at the last fe_begin_work() */

	/*
	 * SEMAPHORE tokens that were sent, and the cycle at which each arrives; by sender and
	 * receiver
	 */
	uint32_t token_armed[FE_RECIPIENTS];
	uint64_t token_cycle[FE_RECIPIENTS][FE_RECIPIENTS];

	struct gc_sync sync;    /* for gc_options.hazards */
	uint64_t hazard_random; /* state of the random numbers for hazards_random */

	/* events and interrupts */
	struct fe_event event[FE_EVENTS]; /* earliest first; equal ones as queued */
	unsigned int events;
	struct clock_event alarm; /* of the earliest event or posted write */
	uint32_t pending, enabled;
	bool irq;

	/* faults to inject, see gc_inject() */
	bool inject_hang, inject_lost_event;

	/* registers without side effects, by word */
	uint32_t reg[GC_REG_STORED / 4];
	uint32_t clock_control;
	uint32_t fscale; /* numerator of the clock's fraction FSCALE / 64 */
	uint32_t command_address;
	uint32_t axi_status;
	uint64_t profile_base[PERFMON_SIGNALS]; /* counts when the unit was last reset */
	uint64_t read_bytes_base, write_bytes_base;
	bool bytes_held;      /* MEMORY_COUNTER_RESET is 1: these counters stay 0 */
	uint32_t cycles_from; /* value of the cycle counters at reset_cycle */
	/* value of all counters after the last reset; after the next reset */
	uint32_t count_from, next_count_from;
	struct gc_counters statistics_base; /* at the last gc_clear_statistics() */
	uint64_t statistics_cycle, statistics_busy, statistics_stale;
};

/* fe.c */

/** fe_update_clock - set the core's frequency from CLOCK_CONTROL */
void fe_update_clock(struct gc_core *gc);

/* core.c */

/** fe_core_reset - reset the whole core, as CLOCK_CONTROL.SOFT_RESET does */
void fe_core_reset(struct gc_core *gc);

/* fe_commands.c */

/** fe_execute - decode and execute the command at fe->address. */
void fe_execute(struct gc_core *gc);

/* fe_states.c */

/**
 * fe_hazards - a command breaks the rules in @broken (a bit each)
 *
 * Writes a line for each to the hazard report. With gc_options.hazards_fail or hazards_random the front end
 * may stop: the command must not be executed then.
 *
 * Returns: whether it has stopped.
 */
bool fe_hazards(struct gc_core *gc, uint32_t broken);

/** fe_watches_hazards - whether commands are judged at all */
static inline bool fe_watches_hazards(const struct gc_core *gc)
{
	return gc->options.hazards != NULL;
}

/** fe_sync_core - what the rules look at */
static inline struct gc_sync_core fe_sync_core(const struct gc_core *gc)
{
	return (struct gc_sync_core){ gc->personality, &gc->state };
}

/** fe_stall - STALL: the front end or a stage waits for the token from @from to @to */
void fe_stall(struct gc_core *gc, unsigned int from, unsigned int to);

/* events.c */

/** fe_raise_at - set interrupt bit @bit when the cycle counter reaches @cycle */
void fe_raise_at(struct gc_core *gc, unsigned int bit, uint64_t cycle);

/** fe_events_full - whether the queue has no room for another event */
bool fe_events_full(const struct gc_fe *fe);

/**
 * fe_arm_alarm - arm the calendar for the earliest event or posted write; needed after changes of
 * queues or frequency
 */
void fe_arm_alarm(struct gc_core *gc);

/**
 * fe_deliver_events - calendar event: what is due is in memory, then the bits of all events that are due are
 * set; @ctx is the core
 */
void fe_deliver_events(void *ctx);

/** fe_update_irq - set the interrupt line from the pending and the enabled bits */
void fe_update_irq(struct gc_core *gc);

/* fe_fetch.c */

/** fe_fetch - the next 64-bit word, to fe->low and fe->high; false if the front end has stopped */
bool fe_fetch(struct gc_core *gc);

/**
 * fe_jump - continue at GPU address @address; the pages of @prefetch 64-bit words are
 * translated now
 */
void fe_jump(struct gc_core *gc, uint32_t address, unsigned int prefetch);

/**
 * fe_check_memory - if guest memory was remapped, drop all that has pointers to it: translations, and writes that
 * are not in memory
 */
void fe_check_memory(struct gc_core *gc);

/** fe_link - fe_jump() of LINK, CALL and RETURN: the front end hangs if the block has no end in @prefetch words */
void fe_link(struct gc_core *gc, uint32_t address, unsigned int prefetch);

/** fe_halt - stop in @state until a reset or a new start, not one that waits; @why is for the trace */
void fe_halt(struct gc_core *gc, enum fe_state state, const char *why);

/**
 * fe_park - stop executing the loop of @words 64-bit words at @address; gc_poll() watches it
 * for changes
 */
void fe_park(struct gc_core *gc, uint32_t address, unsigned int words);

/* fe_time.c */

/** fe_now - value of the cycle counter at the current card time */
uint64_t fe_now(const struct gc_core *gc);

/**
 * fe_advance - the front end can begin the next command at @cycle, not earlier
 * @busy: the time until then counts as busy
 */
void fe_advance(struct gc_core *gc, uint64_t cycle, bool busy);

/** fe_charge - charge the time that the front end needs for @words stream words */
void fe_charge(struct gc_core *gc, uint64_t words);

/** fe_account_busy - add the part of @from up to, not including, @to that is not counted yet to the busy time */
void fe_account_busy(struct gc_fe *fe, uint64_t from, uint64_t to);

/** fe_total_busy_cycles - cycles since creation in which the core was busy */
uint64_t fe_total_busy_cycles(const struct gc_core *gc);

/** fe_frontier - cycle at which everything executed so far ends */
uint64_t fe_frontier(const struct gc_core *gc);

/* fe_work.c */

/**
 * fe_begin_work, fe_end_work - enclose an operation that fills gc->work
 *
 * fe_end_work() passes the reported work through the modelled pipeline.
 */
void fe_begin_work(struct gc_core *gc);
void fe_end_work(struct gc_core *gc);

/**
 * fe_begin_writes, fe_end_writes - enclose what writes memory; part of fe_begin_work(), fe_end_work()
 *
 * With gc_options.cache_data the writes are in memory when everything executed so far has left the pipeline.
 */
void fe_begin_writes(struct gc_core *gc);
void fe_end_writes(struct gc_core *gc);

/* perfmon.c */

/**
 * gc_perfmon_read - read a profiling register at @offset: the count that CONFIG0..2 select for
 * its unit, or a cycle or byte count
 */
uint32_t gc_perfmon_read(struct gc_core *gc, uint32_t offset);

/**
 * gc_perfmon_config - CONFIG@index was written: clear the counts of units whose field selects
 * reset
 */
void gc_perfmon_config(struct gc_core *gc, unsigned int index, uint32_t value);

/** gc_perfmon_reset - clear all counts (core reset) */
void gc_perfmon_reset(struct gc_core *gc);

/** gc_perfmon_skip_aborted - the command that a reset aborted has ended: clear what it counted since then */
void gc_perfmon_skip_aborted(struct gc_core *gc);

/** gc_perfmon_hold_bytes - MEMORY_COUNTER_RESET: the two bandwidth counts are 0 while @hold is set */
void gc_perfmon_hold_bytes(struct gc_core *gc, bool hold);

/** gc_perfmon_set_cycles - the counters of all and of idle cycles go on from @value */
void gc_perfmon_set_cycles(struct gc_core *gc, uint32_t value);

/* trace.c */

/** gc_trace_at - gc_trace() with @cycle as the time of the message */
void gc_trace_at(const struct gc_core *gc, uint64_t cycle, const char *unit, const char *format,
		 ...) __attribute__((format(printf, 4, 5)));

/* state_names.c */

/**
 * gc_state_name - name of the state at byte @address, or NULL
 * @address: of any element, if the state is an array
 * @index: receives the element's index
 */
const char *gc_state_name(uint32_t address, unsigned int *index);

#endif
