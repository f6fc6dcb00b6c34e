/* SPDX-License-Identifier: MIT */
/*
 * Card time: what time it is, and a calendar of things to do at a time.
 *
 * In real time the clock is CLOCK_MONOTONIC; in virtual time it is whatever
 * the simulation's calendar has granted, and only the bus moves it. Entries of
 * equal time run in the order in which they were added, so a virtual run is
 * the same to the bit every time.
 */
#ifndef CARD_CLOCK_CLOCK_H
#define CARD_CLOCK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CARD_TIME_NEVER UINT64_MAX

struct card_clock;

/* One entry; embed it in its owner, initialise fn and ctx, then clock_arm() it. */
struct clock_event {
	void (*fn)(void *ctx);
	void *ctx;
	uint64_t when_ns;  /* valid while armed */
	uint64_t sequence; /* order among equal times, set by clock_arm() */
	unsigned int slot; /* place in the heap + 1; 0 = not armed */
};

struct card_clock *clock_create(bool virtual_time);
void clock_destroy(struct card_clock *clock);

/** clock_is_virtual - whether time is granted by the simulation. */
bool clock_is_virtual(const struct card_clock *clock);

/** clock_now - card time in ns (CLOCK_MONOTONIC, or granted virtual time). */
uint64_t clock_now(const struct card_clock *clock);

/** clock_set_now - virtual time only: the bus says what time it is (never goes back). */
void clock_set_now(struct card_clock *clock, uint64_t now_ns);

/** clock_arm - (re)schedule @event for @when_ns; a time in the past means as soon as possible. */
void clock_arm(struct card_clock *clock, struct clock_event *event, uint64_t when_ns);

/** clock_disarm - take @event out; harmless when it is not armed. */
void clock_disarm(struct card_clock *clock, struct clock_event *event);

/** clock_next - time of the earliest entry, or CARD_TIME_NEVER. */
uint64_t clock_next(const struct card_clock *clock);

/** clock_run_due - run every entry whose time has come; returns how many ran. */
unsigned int clock_run_due(struct card_clock *clock);

#endif
