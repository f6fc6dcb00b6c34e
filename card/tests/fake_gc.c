// SPDX-License-Identifier: MIT
/* Implementation of tests/fake_gc.h. */
#include "tests/fake_gc.h"

#include <stdlib.h>

struct gc_core *fake_gc;

struct gc_core *gc_create(const struct gc_personality *personality, const struct gc_host *host,
			  const struct gc_options *options)
{
	fake_gc = calloc(1, sizeof(*fake_gc));
	fake_gc->host = *host;
	fake_gc->options = *options;
	fake_gc->slowdown = 100;
	return fake_gc;
}

void gc_destroy(struct gc_core *gc)
{
	free(gc);
	fake_gc = NULL;
}

void gc_reset(struct gc_core *gc)
{
	gc->resets++;
}

bool gc_is_immediate(const struct gc_core *gc, uint32_t offset)
{
	return offset == FAKE_GC_IMMEDIATE;
}

uint32_t gc_read(struct gc_core *gc, uint32_t offset)
{
	gc->reads++;
	return gc->reg[offset / 4];
}

void gc_write(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	gc->writes++;
	gc->reg[offset / 4] = value;
	if (gc->on_write)
		gc->on_write(gc, offset, value);
}

bool gc_run(struct gc_core *gc)
{
	gc->runs++;
	if (gc->on_run)
		gc->on_run(gc);
	return gc->work && --gc->work;
}

bool gc_is_polling(const struct gc_core *gc)
{
	return gc->polling;
}

bool gc_poll(struct gc_core *gc)
{
	gc->polls++;
	return gc->poll_result;
}

void gc_inject(struct gc_core *gc, enum gc_fault fault)
{
	gc->faults[fault]++;
}

void gc_set_slowdown(struct gc_core *gc, unsigned int factor_percent)
{
	gc->slowdown = factor_percent;
}

void gc_set_display_traffic(struct gc_core *gc, uint64_t bytes_per_second)
{
	gc->display_traffic = bytes_per_second;
}

void gc_set_count_from(struct gc_core *gc, uint32_t value)
{
	gc->count_from = value;
}

void gc_set_null_draw(struct gc_core *gc, bool on)
{
	gc->null_draw = on;
}

void gc_print_statistics(struct gc_core *gc,
			 void (*emit)(void *ctx, const char *name, uint64_t value), void *ctx)
{
	emit(ctx, "gc.fake", gc->writes);
}

void gc_clear_statistics(struct gc_core *gc)
{
	gc->cleared++;
}
