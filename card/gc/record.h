/* SPDX-License-Identifier: MIT */
/*
 * A record of all that the core gets from outside: accesses to its registers, and the guest's memory
 * that it can reach whenever the front end begins to execute. tests/replay.c feeds it to another core.
 *
 * Only for cores with MMUv2. Memory that changes while the front end executes is noted when it begins to
 * execute again: a job that the guest adds while another is executed may be recorded as one that
 * comes after it, and the memory of page tables that the stream itself turns to is missing. So a
 * replay is the same only for one process, which waits for each of its jobs.
 */
#ifndef CARD_GC_RECORD_H
#define CARD_GC_RECORD_H

#include <stdbool.h>
#include <stdint.h>

struct gc_core;
struct gc_record;

#define GC_RECORD_MAGIC \
	"vivgpu-record-1" /* with its NUL, at the start of the file; then the personality's name */
#define GC_RECORD_NAME 16 /* bytes of that name, with zeros */

enum gc_record_kind {
	GC_RECORD_RESET, /* gc_reset(), not a reset by a register */
	GC_RECORD_READ,  /* address: register */
	GC_RECORD_WRITE, /* the same, and value */
	GC_RECORD_PAGE,  /* address: of the guest; GC_PAGE_SIZE bytes follow */
	GC_RECORD_POLL,  /* the front end leaves its WAIT loop */
};

struct gc_record_entry {
	uint32_t kind;
	uint32_t value;
	uint64_t address;
	uint64_t cycle; /* gc_fe.cycle: of the command that begins, or the end of the last one */
};

/**
 * gc_record_create - begin a record in gc_options.record, if there is one
 *
 * Returns: false if that fails; then the core must not run, only be freed.
 */
bool gc_record_create(struct gc_core *gc);
void gc_record_free(struct gc_core *gc);

/** gc_record_memory - the front end is about to execute @words words of 64 bits at @address */
void gc_record_memory(struct gc_core *gc, uint32_t address, unsigned int words);

/**
 * gc_record_put - note what has happened
 * @address: the register, or 0
 * @value: what the guest has written to it
 */
void gc_record_put(struct gc_core *gc, enum gc_record_kind kind, uint32_t address, uint32_t value);

#endif
