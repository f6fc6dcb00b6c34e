/* SPDX-License-Identifier: MIT */
/*
 * Card time, and a calendar of events.
 *
 * In real time the clock is CLOCK_MONOTONIC. In virtual time it is the time granted by UML's
 * simulation calendar (time-travel=ext), set by the bus and the card's main loop. Events with equal
 * times run in the order in which they were armed, so that runs in virtual time are deterministic.
 */
#ifndef CARD_CLOCK_CLOCK_H
#define CARD_CLOCK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CARD_TIME_NEVER UINT64_MAX

struct card_clock;

/* A calendar entry; embedded in its owner, who sets fn and ctx and calls clock_arm(). */
struct clock_event {
	void (*fn)(void *ctx);
	void *ctx;
	uint64_t when_ns;  /* valid if armed */
	uint64_t sequence; /* order of equal times; set by clock_arm() */
	unsigned int slot; /* index in the heap + 1; 0: not armed */
};

struct card_clock *clock_create(bool virtual_time);
void clock_destroy(struct card_clock *clock);

/** clock_is_virtual - whether time is virtual */
bool clock_is_virtual(const struct card_clock *clock);

/** clock_now - card time in ns */
uint64_t clock_now(const struct card_clock *clock);

/** clock_set_now - virtual time: set the current time; earlier times are ignored */
void clock_set_now(struct card_clock *clock, uint64_t now_ns);

/** clock_arm - schedule @event for @when_ns, also if it is armed; a time in the past means now */
void clock_arm(struct card_clock *clock, struct clock_event *event, uint64_t when_ns);

/** clock_disarm - remove @event from the calendar; no effect if it is not armed */
void clock_disarm(struct card_clock *clock, struct clock_event *event);

/** clock_next - time of the earliest event, or CARD_TIME_NEVER */
uint64_t clock_next(const struct card_clock *clock);

/** clock_run_due - run all events whose time has come; returns their number */
unsigned int clock_run_due(struct card_clock *clock);

#endif
