/* SPDX-License-Identifier: MIT */
/* The guest's side of the virtual time protocol, for tests. */
#ifndef CARD_TESTS_TIME_GUEST_H
#define CARD_TESTS_TIME_GUEST_H

#include <linux/um_timetravel.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct time_guest {
	int fd;
	uint32_t sequence;
};

/* Send a message and remember its sequence number. */
__attribute__((unused)) static void time_say(struct time_guest *guest, uint32_t op, uint64_t time)
{
	const struct um_timetravel_msg msg = { op, ++guest->sequence, time };

	if (send(guest->fd, &msg, sizeof(msg), MSG_NOSIGNAL) != sizeof(msg))
		abort();
}

/* Receive a message for the guest; op is all ones if there is none. */
__attribute__((unused)) static struct um_timetravel_msg time_hear(struct time_guest *guest)
{
	struct um_timetravel_msg msg = { UINT32_MAX, 0, 0 };

	if (recv(guest->fd, &msg, sizeof(msg), MSG_DONTWAIT) != sizeof(msg))
		msg.op = UINT32_MAX;
	return msg;
}

/* Receive a message and acknowledge it, as a guest does for all messages but acknowledgements. */
__attribute__((unused)) static struct um_timetravel_msg time_take(struct time_guest *guest)
{
	struct um_timetravel_msg msg = time_hear(guest);
	const struct um_timetravel_msg ack = { UM_TIMETRAVEL_ACK, msg.seq, 0 };

	if (msg.op != UINT32_MAX && send(guest->fd, &ack, sizeof(ack), MSG_NOSIGNAL) < 0)
		abort();
	return msg;
}

/*
 * The time in the acknowledgement of the last message sent; UINT64_MAX if the next message is
 * another.
 */
__attribute__((unused)) static uint64_t time_answer(struct time_guest *guest)
{
	struct um_timetravel_msg msg = time_hear(guest);

	return msg.op == UM_TIMETRAVEL_ACK && msg.seq == guest->sequence ? msg.time : UINT64_MAX;
}

#endif
