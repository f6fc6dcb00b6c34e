/* SPDX-License-Identifier: MIT */
/* A fake GC core that records calls, for tests of the code around the core. */
#ifndef CARD_TESTS_FAKE_GC_H
#define CARD_TESTS_FAKE_GC_H

#include "gc/gc.h"

#define FAKE_GC_FAULTS 4
#define FAKE_GC_IMMEDIATE 0x10 /* the one register for which gc_is_immediate() is true */

/* There is one fake core at a time. */
struct gc_core {
	struct gc_host host;
	struct gc_options options;
	uint32_t reg[0x4000];
	unsigned int reads, writes, resets, runs, polls, cleared;
	unsigned int faults[FAKE_GC_FAULTS];
	unsigned int slowdown;
	uint64_t display_traffic;
	uint32_t count_from;
	bool null_draw;
	bool polling;      /* gc_is_polling() */
	bool poll_result;  /* gc_poll() */
	unsigned int work; /* this call of gc_run() from here returns false, those before it true */
	void (*on_write)(struct gc_core *gc, uint32_t offset, uint32_t value);
	void (*on_run)(struct gc_core *gc);
};

extern struct gc_core *fake_gc;

#endif
