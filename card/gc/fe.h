/* SPDX-License-Identifier: MIT */
/*
 * The front end: fetches the command stream, loads states, runs WAIT/LINK
 * loops, orders draws, resolves and events, and keeps modelled time.
 */
#ifndef CARD_GC_FE_H
#define CARD_GC_FE_H

#include <stdbool.h>
#include <stdint.h>

struct gc_core;
struct gc_fe;

struct gc_fe *gc_fe_create(struct gc_core *gc);
void gc_fe_destroy(struct gc_fe *fe);
void gc_fe_reset(struct gc_core *gc);

/** gc_fe_start - FE_COMMAND_CONTROL with ENABLE: fetch from @address, @prefetch 64-bit words first. */
void gc_fe_start(struct gc_core *gc, uint32_t address, unsigned int prefetch);

/** gc_fe_fault - the MMU refused an access: stop, raise INTR_ACK bit 30. */
void gc_fe_fault(struct gc_core *gc);

/** gc_load_state - one state word as LOAD_STATE writes it, with its side effects. */
void gc_load_state(struct gc_core *gc, uint32_t address, uint32_t value);

#endif
