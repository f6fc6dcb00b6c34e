/* SPDX-License-Identifier: MIT */
/*
 * User-Mode Linux's virtual time (time-travel=ext:SOCKET), controller side: a guest requests
 * the time at which it wants to run next, and runs when it is permitted to. The protocol is
 * <linux/um_timetravel.h>, in its message form; the guest's side is arch/um/kernel/time.c.
 *
 * The guest's time starts at zero for each connection, whatever the card's time is, so that all
 * guests boot alike.
 */
#ifndef CARD_BUS_TIMETRAVEL_H
#define CARD_BUS_TIMETRAVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock/clock.h"

#define TIMETRAVEL_MESSAGE_BYTES 16u

struct timetravel {
	int fd; /* -1: no guest */
	struct card_clock *clock;
	bool started;            /* the guest has sent START */
	bool waiting;            /* it waits for the permission to run */
	bool requested;          /* it requested to run at request_ns */
	uint64_t request_ns;     /* card time */
	uint64_t offset_ns;      /* card time = guest time + offset */
	uint64_t free_until_ns;  /* card time up to which it runs without requests; 0: not at all */
	uint32_t sequence;       /* of the last message sent */
	unsigned int unanswered; /* number of messages without acknowledgement */
	uint8_t in[TIMETRAVEL_MESSAGE_BYTES];
	size_t in_bytes;
	const char *problem; /* why the guest was disconnected, for the log */
	/* messages: received since timetravel_init(), never set back; the others: statistics */
	uint64_t messages, runs, updates;
};

enum timetravel_status {
	TIMETRAVEL_OK,
	TIMETRAVEL_CLOSED,
	TIMETRAVEL_ERROR, /* the guest broke the protocol: close the connection */
};

void timetravel_init(struct timetravel *tt, struct card_clock *clock);

/** timetravel_open - a guest has connected; takes over @fd */
void timetravel_open(struct timetravel *tt, int fd);
void timetravel_close(struct timetravel *tt);

static inline bool timetravel_is_open(const struct timetravel *tt)
{
	return tt->fd >= 0;
}

/** timetravel_receive - process the messages that have arrived, without waiting */
enum timetravel_status timetravel_receive(struct timetravel *tt);

/**
 * timetravel_run - permit the waiting guest to run from the card's current time on
 * @tt: the guest; must be waiting
 * @free_until_ns: card time until which no event of the card is due, so that the guest need not
 *     send requests before; CARD_TIME_NEVER if there is none
 *
 * The guest reads the limit before the permission, so this does not wait for acknowledgements.
 */
enum timetravel_status timetravel_run(struct timetravel *tt, uint64_t free_until_ns);

/**
 * timetravel_limit - reduce the limit that timetravel_run() set
 *
 * To be called when the card's next event becomes earlier while the guest runs. The caller must
 * receive messages until all are acknowledged before it sends the guest anything else, so that
 * the guest does not run past @free_until_ns.
 */
enum timetravel_status timetravel_limit(struct timetravel *tt, uint64_t free_until_ns);

#endif
