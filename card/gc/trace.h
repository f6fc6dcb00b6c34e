/* SPDX-License-Identifier: MIT */
/*
 * The readable trace (--trace FILE): one line a thing that happened, with the
 * modelled cycle in front: "cycle unit text".
 */
#ifndef CARD_GC_TRACE_H
#define CARD_GC_TRACE_H

#include <stdbool.h>

struct gc_core;

/** gc_tracing - whether anybody reads; test it before preparing costly arguments. */
bool gc_tracing(const struct gc_core *gc);

/** gc_trace - write one line; @unit is a short block name such as "fe". */
void gc_trace(const struct gc_core *gc, const char *unit, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
