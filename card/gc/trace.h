/* SPDX-License-Identifier: MIT */
/*
 * The trace (--trace FILE): a line of text for each event: "cycle unit text", with the modelled
 * cycle.
 */
#ifndef CARD_GC_TRACE_H
#define CARD_GC_TRACE_H

#include <stdbool.h>

struct gc_core;

/** gc_tracing - whether there is a trace; check this before computing costly arguments */
bool gc_tracing(const struct gc_core *gc);

/**
 * gc_trace - write one line, with the front end's cycle; @unit is a short block name such as "fe"
 *
 * gc_trace_at() of fe_internal.h takes the cycle as a parameter.
 */
void gc_trace(const struct gc_core *gc, const char *unit, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
