// SPDX-License-Identifier: MIT
/*
 * Controller of the guest's time in virtual time: the messages of UML's time-travel=ext protocol
 * (<linux/um_timetravel.h>). The guest runs only after UM_TIMETRAVEL_RUN, up to the time of
 * UM_TIMETRAVEL_FREE_UNTIL; the clock's calendar decides on both (bus/uml.h).
 */
#include "bus/timetravel.h"

#include <errno.h>
#include <linux/um_timetravel.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert(sizeof(struct um_timetravel_msg) == TIMETRAVEL_MESSAGE_BYTES, "of um_timetravel.h");

/* The guest's wall clock at each boot: 2026-01-01 00:00:00 UTC. */
#define GUEST_EPOCH_NS (1767225600ull * 1000000000ull)
/* The guest computes with signed times; this is its "never". */
#define GUEST_NEVER ((uint64_t)INT64_MAX)
/* Size of the memory shared with the guest, which only reads the version in it. */
#define SHARED_BYTES 4096
#define MESSAGES_AT_ONCE 64

void timetravel_init(struct timetravel *tt, struct card_clock *clock)
{
	memset(tt, 0, sizeof(*tt));
	tt->fd = -1;
	tt->clock = clock;
}

void timetravel_open(struct timetravel *tt, int fd)
{
	timetravel_close(tt);
	tt->fd = fd;
	tt->offset_ns = clock_now(tt->clock);
}

void timetravel_close(struct timetravel *tt)
{
	if (tt->fd >= 0)
		close(tt->fd);
	tt->fd = -1;
	tt->started = false;
	tt->waiting = false;
	tt->requested = false;
	tt->free_until_ns = 0;
	tt->sequence = 0;
	tt->unanswered = 0;
	tt->in_bytes = 0;
}

static enum timetravel_status fail(struct timetravel *tt, const char *problem)
{
	tt->problem = problem;
	return TIMETRAVEL_ERROR;
}

static uint64_t guest_time(const struct timetravel *tt, uint64_t card_ns)
{
	if (card_ns == CARD_TIME_NEVER || card_ns - tt->offset_ns > GUEST_NEVER)
		return GUEST_NEVER;
	return card_ns - tt->offset_ns;
}

static uint64_t card_time(const struct timetravel *tt, uint64_t guest_ns)
{
	return guest_ns >= GUEST_NEVER ? CARD_TIME_NEVER : guest_ns + tt->offset_ns;
}

static enum timetravel_status transmit(struct timetravel *tt, const struct um_timetravel_msg *msg)
{
	if (send(tt->fd, msg, sizeof(*msg), MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(*msg))
		return TIMETRAVEL_OK;
	if (errno == EPIPE || errno == ECONNRESET)
		return TIMETRAVEL_CLOSED;
	return fail(tt, "the guest does not read its time messages");
}

static enum timetravel_status acknowledge(struct timetravel *tt,
					  const struct um_timetravel_msg *request, uint64_t time)
{
	const struct um_timetravel_msg ack = { UM_TIMETRAVEL_ACK, request->seq, time };

	return transmit(tt, &ack);
}

/* Send a message, which the guest will acknowledge. */
static enum timetravel_status report_time(struct timetravel *tt, uint32_t op, uint64_t time)
{
	const struct um_timetravel_msg msg = { op, ++tt->sequence, time };

	tt->unanswered++;
	return transmit(tt, &msg);
}

/* Send two descriptors with the acknowledgement. */
static enum timetravel_status send_with_fds(struct timetravel *tt,
					    const struct um_timetravel_msg *msg,
					    const int fds[UM_TIMETRAVEL_MAX_FDS])
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(UM_TIMETRAVEL_MAX_FDS * sizeof(int))];
	} control = { 0 };
	struct iovec iov = { (void *)msg, sizeof(*msg) };
	struct msghdr header = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&header);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(UM_TIMETRAVEL_MAX_FDS * sizeof(int));
	memcpy(CMSG_DATA(c), fds, UM_TIMETRAVEL_MAX_FDS * sizeof(int));
	if (sendmsg(tt->fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(*msg))
		return TIMETRAVEL_OK;
	return TIMETRAVEL_CLOSED;
}

/*
 * Linux 6.12 takes two descriptors from this answer without checking that they were sent. The
 * memory is zeroed, so it has no valid version, and the guest continues to use messages.
 */
static enum timetravel_status start(struct timetravel *tt, const struct um_timetravel_msg *request)
{
	const struct um_timetravel_msg ack = { UM_TIMETRAVEL_ACK, request->seq, 0 };
	int fds[UM_TIMETRAVEL_MAX_FDS] = {
		[UM_TIMETRAVEL_SHARED_MEMFD] = memfd_create("vivgpu-time", MFD_CLOEXEC),
		[UM_TIMETRAVEL_SHARED_LOGFD] = memfd_create("vivgpu-time-log", MFD_CLOEXEC),
	};
	enum timetravel_status status = TIMETRAVEL_ERROR;

	if (fds[0] < 0 || fds[1] < 0 || ftruncate(fds[UM_TIMETRAVEL_SHARED_MEMFD], SHARED_BYTES))
		tt->problem = "no memory file for the time protocol";
	else
		status = send_with_fds(tt, &ack, fds);
	for (unsigned int i = 0; i < UM_TIMETRAVEL_MAX_FDS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	tt->started = true;
	return status;
}

static enum timetravel_status update(struct timetravel *tt, const struct um_timetravel_msg *msg)
{
	uint64_t time = card_time(tt, msg->time);

	if (time == CARD_TIME_NEVER || time < clock_now(tt->clock))
		return fail(tt, "the guest's time went back or wraps around");
	tt->updates++;
	clock_set_now(tt->clock, time);
	return acknowledge(tt, msg, 0);
}

/* The guest acknowledges messages in their order, so this is the oldest one that is unanswered. */
static enum timetravel_status receive_ack(struct timetravel *tt,
					  const struct um_timetravel_msg *msg)
{
	if (!tt->unanswered || msg->seq != tt->sequence - tt->unanswered + 1)
		return fail(tt, "the guest acknowledged what was not said");
	tt->unanswered--;
	return TIMETRAVEL_OK;
}

static enum timetravel_status handle(struct timetravel *tt, const struct um_timetravel_msg *msg)
{
	tt->messages++;
	if (!tt->started && msg->op != UM_TIMETRAVEL_START)
		return fail(tt, "the guest's first time message is no start");
	switch (msg->op) {
	case UM_TIMETRAVEL_ACK:
		return receive_ack(tt, msg);
	case UM_TIMETRAVEL_START:
		if (tt->started)
			return fail(tt, "the guest started twice");
		return start(tt, msg);
	case UM_TIMETRAVEL_REQUEST:
		tt->requested = true;
		tt->request_ns = card_time(tt, msg->time);
		return acknowledge(tt, msg, 0);
	case UM_TIMETRAVEL_WAIT:
		tt->waiting = true;
		return acknowledge(tt, msg, 0);
	case UM_TIMETRAVEL_GET:
		return acknowledge(tt, msg, guest_time(tt, clock_now(tt->clock)));
	case UM_TIMETRAVEL_UPDATE:
		return update(tt, msg);
	case UM_TIMETRAVEL_GET_TOD:
		return acknowledge(tt, msg, GUEST_EPOCH_NS + guest_time(tt, clock_now(tt->clock)));
	case UM_TIMETRAVEL_BROADCAST:
		return acknowledge(tt, msg, 0); /* there is no other participant */
	default:
		return fail(tt, "an unknown time message");
	}
}

enum timetravel_status timetravel_receive(struct timetravel *tt)
{
	for (unsigned int handled = 0; handled < MESSAGES_AT_ONCE;) {
		struct um_timetravel_msg msg;
		enum timetravel_status status;
		ssize_t got = recv(tt->fd, tt->in + tt->in_bytes, sizeof(tt->in) - tt->in_bytes,
				   MSG_DONTWAIT);

		if (got == -1 && (errno == EAGAIN || errno == EINTR))
			return TIMETRAVEL_OK;
		if (got <= 0)
			return TIMETRAVEL_CLOSED;
		tt->in_bytes += got;
		if (tt->in_bytes < sizeof(tt->in))
			continue;
		memcpy(&msg, tt->in, sizeof(msg));
		tt->in_bytes = 0;
		handled++;
		status = handle(tt, &msg);
		if (status != TIMETRAVEL_OK)
			return status;
	}
	return TIMETRAVEL_OK;
}

enum timetravel_status timetravel_run(struct timetravel *tt, uint64_t free_until_ns)
{
	enum timetravel_status status;

	tt->waiting = false;
	tt->requested = false;
	tt->runs++;
	status = timetravel_limit(tt, free_until_ns);
	if (status != TIMETRAVEL_OK)
		return status;
	return report_time(tt, UM_TIMETRAVEL_RUN, guest_time(tt, clock_now(tt->clock)));
}

enum timetravel_status timetravel_limit(struct timetravel *tt, uint64_t free_until_ns)
{
	tt->free_until_ns = free_until_ns;
	return report_time(tt, UM_TIMETRAVEL_FREE_UNTIL, guest_time(tt, free_until_ns));
}
