// SPDX-License-Identifier: MIT
/*
 * Writes the trace. Lines contain no data of the host, so that runs in virtual time give
 * identical files.
 */
#include "gc/trace.h"

#include <inttypes.h>
#include <stdarg.h>

#include "gc/fe_internal.h"

bool gc_tracing(const struct gc_core *gc)
{
	return gc->options.trace != NULL;
}

static void write_line(const struct gc_core *gc, uint64_t cycle, const char *unit,
		       const char *format, va_list arguments)
{
	FILE *file = gc->options.trace;

	fprintf(file, "%" PRIu64 " %s ", cycle, unit);
	vfprintf(file, format, arguments);
	putc('\n', file);
}

void gc_trace_at(const struct gc_core *gc, uint64_t cycle, const char *unit, const char *format,
		 ...)
{
	va_list arguments;

	if (!gc_tracing(gc))
		return;
	va_start(arguments, format);
	write_line(gc, cycle, unit, format, arguments);
	va_end(arguments);
}

void gc_trace(const struct gc_core *gc, const char *unit, const char *format, ...)
{
	va_list arguments;

	if (!gc_tracing(gc))
		return;
	va_start(arguments, format);
	write_line(gc, gc->fe->cycle, unit, format, arguments);
	va_end(arguments);
}
