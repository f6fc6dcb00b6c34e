/* SPDX-License-Identifier: MIT */
/* The front end: fetches and executes the command stream, and keeps modelled time. */
#ifndef CARD_GC_FE_H
#define CARD_GC_FE_H

#include <stdbool.h>
#include <stdint.h>

struct gc_core;
struct gc_fe;

struct gc_fe *gc_fe_create(struct gc_core *gc);
void gc_fe_destroy(struct gc_fe *fe);
void gc_fe_reset(struct gc_core *gc);

/**
 * gc_fe_start - write of FE_COMMAND_CONTROL with ENABLE: start fetching at @address
 * @address: GPU address
 * @prefetch: 64-bit words whose pages are translated at once
 *
 * In the middle of an operation it waits for the end of the command [chosen]: the rest of that is read from where it
 * began, and the translations of an operation are of use to itself only (gc_posted_page()).
 */
void gc_fe_start(struct gc_core *gc, uint32_t address, unsigned int prefetch);

/**
 * gc_fe_fault - an access caused an MMU fault: stop the front end, raise INTR_ACKNOWLEDGE bit
 * 30
 */
void gc_fe_fault(struct gc_core *gc);

/**
 * gc_load_state - write @value to the state at byte @address as LOAD_STATE does, with side
 * effects
 */
void gc_load_state(struct gc_core *gc, uint32_t address, uint32_t value);

#endif
