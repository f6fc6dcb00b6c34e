/* SPDX-License-Identifier: MIT */
/*
 * What the front end's own files share, and what registers.c and perfmon.c keep. Calls go
 * down: fe.c runs, fe_commands.c decodes, fe_states.c has the side effects of states, events.c
 * the interrupt sources, fe_fetch.c reads the stream, fe_time.c keeps modelled time. No other
 * block includes this.
 */
#ifndef CARD_GC_FE_INTERNAL_H
#define CARD_GC_FE_INTERNAL_H

#include "gc/core.h"
#include "gc/fe.h"
#include "gc/registers.h"

#define FE_BLOCK_PAGES 130 /* 65535 64-bit words, unaligned */
#define FE_CALLS 4
#define FE_EVENTS 64
#define FE_RECIPIENTS 32
#define PERFMON_SIGNALS 64
#define FE_NO_PAGE 1u     /* not page aligned, so no page */
#define FE_SLACK_NS 20000 /* how far the front end may run ahead of card time */

enum fe_state {
	FE_STOPPED, /* never started, or END */
	FE_RUNNING,
	FE_POLLING, /* parked in a loop of WAIT and LINK, or of LINK alone */
	FE_HUNG,    /* stalled on a token that nobody sends, or by fault injection */
	FE_ERROR,   /* illegal command */
	FE_FAULTED, /* the MMU refused an access */
};

/* An interrupt bit on its way: it shows when the cycle counter reaches @cycle. */
struct fe_event {
	uint64_t cycle;
	uint64_t sequence; /* order among equal cycles */
	uint8_t bit;
};

/* The block that a LINK named: its pages as they were mapped when it was linked. */
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
	uint32_t host_page; /* page that host points to; FE_NO_PAGE: none */
	uint8_t *host;
	struct {
		uint32_t address;
		uint32_t prefetch;
	} call[FE_CALLS];
	unsigned int calls;

	struct guest_memory seen_memory; /* what host pointers were made from */

	/* the loop it is parked in */
	uint32_t loop_address;
	unsigned int loop_words; /* 64-bit words: 2 for WAIT and LINK, 1 for LINK */
	uint64_t loop[2];

	/* modelled time */
	uint64_t cycle;                   /* when the next command can begin */
	uint64_t cycle_fraction;          /* 16.16 */
	uint64_t cached_now;              /* card time in cycles when last looked */
	uint64_t reset_cycle;             /* when the core was last reset: zero of its counters */
	uint64_t busy_cycles, busy_until; /* since creation */
	uint64_t reset_busy;              /* busy cycles at the last reset */
	struct clock_event wake;          /* card time has caught up */
	bool in_run;                      /* gc_run() is on the stack */

	bool working;     /* between fe_begin_work() and fe_end_work() */
	bool worked;      /* there was such a thing since the host's clock was read */
	uint64_t work_ns; /* card time at which that began */

	/* tokens sent (SEMAPHORE) and when they arrive, by sender and receiver */
	uint32_t token_armed[FE_RECIPIENTS];
	uint64_t token_cycle[FE_RECIPIENTS][FE_RECIPIENTS];

	/* events and interrupts */
	struct fe_event event[FE_EVENTS]; /* sorted, earliest first */
	unsigned int events;
	uint64_t event_sequence;
	struct clock_event alarm; /* of the earliest event */
	uint32_t pending, enabled;
	bool irq;

	/* injected */
	bool inject_hang, inject_lost_event;

	/* registers that just keep what is written, by word */
	uint32_t reg[GC_REG_STORED / 4];
	uint32_t clock_control;
	uint32_t fscale; /* loaded, of 64 */
	uint32_t command_address;
	uint32_t axi_status;
	uint64_t profile_base[PERFMON_SIGNALS]; /* counts when the unit was last reset */
	uint64_t read_bytes_base, write_bytes_base;
	uint32_t count_from, next_count_from; /* what counters begin at; after the next reset */
	struct gc_counters statistics_base;   /* at the last gc_clear_statistics() */
	uint64_t statistics_cycle, statistics_busy;
};

/* fe.c */

/** fe_update_clock - the core's frequency after a write to CLOCK_CONTROL. */
void fe_update_clock(struct gc_core *gc);

/** fe_core_reset - what a soft reset does to the whole core. */
void fe_core_reset(struct gc_core *gc);

/* fe_commands.c */

/** fe_execute - decode and execute the command at fe->address. */
void fe_execute(struct gc_core *gc);

/* fe_states.c */

/** fe_stall - wait (or let a stage wait) for the token of a STALL from @from to @to. */
void fe_stall(struct gc_core *gc, unsigned int from, unsigned int to);

/* events.c */

/** fe_raise_at - interrupt bit @bit becomes visible when the counter reaches @cycle. */
void fe_raise_at(struct gc_core *gc, unsigned int bit, uint64_t cycle);

/** fe_events_full - no room for another event now. */
bool fe_events_full(const struct gc_fe *fe);

/** fe_arm_alarm - after the frequency changed or the queue did. */
void fe_arm_alarm(struct gc_core *gc);

/** fe_deliver_events - clock event: report what has come due. */
void fe_deliver_events(void *ctx);

/** fe_update_irq - the line follows pending and enabled. */
void fe_update_irq(struct gc_core *gc);

/* fe_fetch.c */

/** fe_fetch - the next 64-bit word, into fe->low and fe->high; false after a fault. */
bool fe_fetch(struct gc_core *gc);

/** fe_jump - continue at @address, whose next @prefetch 64-bit words are translated now. */
void fe_jump(struct gc_core *gc, uint32_t address, unsigned int prefetch);

/** fe_halt - stop in @state until reset or a new start. */
void fe_halt(struct gc_core *gc, enum fe_state state, const char *why);

/** fe_park - watch the loop of @words 64-bit words at @address instead of running it. */
void fe_park(struct gc_core *gc, uint32_t address, unsigned int words);

/* fe_time.c */

/** fe_now - the cycle counter at card time. */
uint64_t fe_now(const struct gc_core *gc);

/** fe_advance - the front end does nothing else until @cycle; @busy: and counts as busy. */
void fe_advance(struct gc_core *gc, uint64_t cycle, bool busy);

/** fe_charge - the front end is busy for @words stream words. */
void fe_charge(struct gc_core *gc, uint64_t words);

/** fe_begin_work, fe_end_work - around an operation that fills gc->work; the latter prices it. */
void fe_begin_work(struct gc_core *gc);
void fe_end_work(struct gc_core *gc);

/** fe_total_busy_cycles - cycles since creation in which something was being worked on. */
uint64_t fe_total_busy_cycles(const struct gc_core *gc);

/** fe_frontier - the modelled end of everything done so far. */
uint64_t fe_frontier(const struct gc_core *gc);

/* perfmon.c */

/** gc_perfmon_read - a profiling register: what CONFIG0..2 select of its unit, or a cycle or byte count. */
uint32_t gc_perfmon_read(struct gc_core *gc, uint32_t offset);

/** gc_perfmon_config - CONFIG0..2 was written: units whose lane says reset start again at zero. */
void gc_perfmon_config(struct gc_core *gc, unsigned int index, uint32_t value);

/** gc_perfmon_reset - all counts start again at zero (core reset). */
void gc_perfmon_reset(struct gc_core *gc);

/** gc_perfmon_reset_bytes - the two bandwidth counts start again at zero (MEMORY_COUNTER_RESET). */
void gc_perfmon_reset_bytes(struct gc_core *gc);

/* trace.c */

/** gc_trace_at - like gc_trace(), with another cycle in front. */
void gc_trace_at(const struct gc_core *gc, uint64_t cycle, const char *unit, const char *format,
		 ...) __attribute__((format(printf, 4, 5)));

/* state_names.c */

/** gc_state_name - name of the state at byte @address, or NULL; arrays give their first name and @index. */
const char *gc_state_name(uint32_t address, unsigned int *index);

#endif
