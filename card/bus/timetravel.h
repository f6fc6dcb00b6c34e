/* SPDX-License-Identifier: MIT */
/*
 * User-Mode Linux's simulated time (time-travel=ext:SOCKET), controller side:
 * one guest asks when it wants to run next, and runs when it is told to. The
 * protocol is <linux/um_timetravel.h>, in its message form; what the guest does
 * is in arch/um/kernel/time.c.
 *
 * The guest's time begins at zero whenever one connects, whatever the card's
 * time is then, so that every guest boots alike.
 */
#ifndef CARD_BUS_TIMETRAVEL_H
#define CARD_BUS_TIMETRAVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock/clock.h"

#define TIMETRAVEL_MESSAGE_BYTES 16u

struct timetravel {
	int fd; /* -1 = no guest */
	struct card_clock *clock;
	bool started;            /* the guest has introduced itself */
	bool waiting;            /* it stands still until it is told to run */
	bool requested;          /* it wants to run at request_ns */
	uint64_t request_ns;     /* card time */
	uint64_t offset_ns;      /* card time = guest time + offset */
	uint64_t free_until_ns;  /* card time up to which it runs without asking; 0 = not at all */
	uint32_t sequence;       /* of our last message */
	unsigned int unanswered; /* messages of ours */
	uint8_t in[TIMETRAVEL_MESSAGE_BYTES];
	size_t in_bytes;
	const char *problem;              /* why the guest was given up, for the log */
	uint64_t messages, runs, updates; /* statistics */
};

enum timetravel_status {
	TIMETRAVEL_OK,
	TIMETRAVEL_CLOSED,
	TIMETRAVEL_ERROR, /* the guest broke the protocol: close the connection */
};

void timetravel_init(struct timetravel *tt, struct card_clock *clock);

/** timetravel_open - a guest connected; takes over @fd. */
void timetravel_open(struct timetravel *tt, int fd);
void timetravel_close(struct timetravel *tt);

static inline bool timetravel_is_open(const struct timetravel *tt)
{
	return tt->fd >= 0;
}

/** timetravel_receive - handle the messages that have arrived, without waiting. */
enum timetravel_status timetravel_receive(struct timetravel *tt);

/**
 * timetravel_run - let the waiting guest go on
 * @tt: the guest, which must be waiting
 * @free_until_ns: card time before which nothing of the card happens: until then
 *	the guest need not ask; CARD_TIME_NEVER if nothing is planned
 *
 * It runs at the card's time now.
 */
enum timetravel_status timetravel_run(struct timetravel *tt, uint64_t free_until_ns);

/**
 * timetravel_limit - take back freedom that timetravel_run() gave
 *
 * Call it when the card's next event has come nearer while the guest runs, and
 * go on receiving until nothing is unanswered before the guest gets any other
 * message: it must not run past @free_until_ns in between.
 */
enum timetravel_status timetravel_limit(struct timetravel *tt, uint64_t free_until_ns);

#endif
