// SPDX-License-Identifier: MIT
/* The protocol of virtual time (bus/timetravel.h), with a scripted guest. */
#include "tests/check.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "bus/timetravel.h"
#include "tests/time_guest.h"

/* The guest's wall clock at time zero: 2026-01-01 00:00:00 UTC, in ns */
#define EPOCH 1767225600000000000ull

static struct card_clock *cal;
static struct timetravel tt;
static struct time_guest guest;

static void connect_guest(void)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		abort();
	guest = (struct time_guest){ .fd = fds[0] };
	timetravel_open(&tt, fds[1]);
}

static void disconnect_guest(void)
{
	close(guest.fd);
	timetravel_close(&tt);
}

static void begin(void)
{
	cal = clock_create(true);
	timetravel_init(&tt, cal);
	connect_guest();
}

static void end(void)
{
	disconnect_guest();
	clock_destroy(cal);
}

/* Send a message, let the card process it, and return the time in the answer. */
static uint64_t ask(uint32_t op, uint64_t time)
{
	time_say(&guest, op, time);
	if (timetravel_receive(&tt) != TIMETRAVEL_OK)
		return UINT64_MAX - 1;
	return time_answer(&guest);
}

static void start(void)
{
	ask(UM_TIMETRAVEL_START, 1);
}

/* The two descriptors that Linux 6.12 takes from the answer to START without checking. */
TEST(start_brings_two_descriptors)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control;
	struct um_timetravel_msg msg;
	struct iovec iov = { &msg, sizeof(msg) };
	struct msghdr header = { .msg_iov = &iov,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	uint32_t version = 99;
	int fds[2];

	begin();
	time_say(&guest, UM_TIMETRAVEL_START, 0xffffffffffffffff);
	CHECK_EQ(timetravel_receive(&tt), TIMETRAVEL_OK);
	CHECK_EQ(recvmsg(guest.fd, &header, MSG_DONTWAIT), sizeof(msg));
	CHECK_EQ(msg.op, UM_TIMETRAVEL_ACK);
	CHECK_EQ(msg.seq, 1);
	c = CMSG_FIRSTHDR(&header);
	CHECK(c != NULL);
	CHECK_EQ(c->cmsg_len, CMSG_LEN(sizeof(fds)));
	memcpy(fds, CMSG_DATA(c), sizeof(fds));
	/* the shared memory can be mapped, and has no version that a guest accepts */
	CHECK_EQ(lseek(fds[0], 0, SEEK_END), 4096);
	CHECK_EQ(pread(fds[0], &version, sizeof(version), 0), sizeof(version));
	CHECK(version != 2);
	close(fds[0]);
	close(fds[1]);
	end();
}

TEST(request_wait_run)
{
	struct um_timetravel_msg msg;

	begin();
	start();
	CHECK(!tt.waiting);
	CHECK_EQ(ask(UM_TIMETRAVEL_REQUEST, 5000), 0);
	CHECK(tt.requested && !tt.waiting);
	CHECK_EQ(tt.request_ns, 5000);
	CHECK_EQ(ask(UM_TIMETRAVEL_REQUEST, 4000), 0); /* only the last request is valid */
	CHECK_EQ(tt.request_ns, 4000);
	CHECK_EQ(ask(UM_TIMETRAVEL_WAIT, UINT64_MAX), 0);
	CHECK(tt.waiting);
	clock_set_now(cal, 4000);
	CHECK_EQ(timetravel_run(&tt, 7000), TIMETRAVEL_OK);
	CHECK(!tt.waiting && !tt.requested);
	msg = time_take(&guest);
	CHECK_EQ(msg.op, UM_TIMETRAVEL_FREE_UNTIL);
	CHECK_EQ(msg.time, 7000);
	msg = time_take(&guest);
	CHECK_EQ(msg.op, UM_TIMETRAVEL_RUN);
	CHECK_EQ(msg.time, 4000);
	CHECK_EQ(tt.unanswered, 2);
	CHECK_EQ(timetravel_receive(&tt), TIMETRAVEL_OK);
	CHECK_EQ(tt.unanswered, 0);
	CHECK_EQ(ask(UM_TIMETRAVEL_UPDATE, 6000), 0);
	CHECK_EQ(clock_now(cal), 6000);
	CHECK_EQ(ask(UM_TIMETRAVEL_GET, 0), 6000);
	CHECK_EQ(ask(UM_TIMETRAVEL_GET_TOD, 0), EPOCH + 6000);
	CHECK_EQ(ask(UM_TIMETRAVEL_BROADCAST, 42), 0);
	end();
}

/* Both sides have a time that means "never". */
TEST(never_is_the_largest_signed_time)
{
	begin();
	start();
	ask(UM_TIMETRAVEL_REQUEST, INT64_MAX); /* sleeps without limit */
	ask(UM_TIMETRAVEL_WAIT, 0);
	CHECK_EQ(tt.request_ns, CARD_TIME_NEVER);
	timetravel_run(&tt, CARD_TIME_NEVER);
	CHECK_EQ(time_take(&guest).time, INT64_MAX);
	end();
}

TEST(freedom_is_taken_back)
{
	begin();
	start();
	ask(UM_TIMETRAVEL_WAIT, 0);
	timetravel_run(&tt, 9000);
	time_take(&guest);
	time_take(&guest);
	timetravel_receive(&tt);
	CHECK_EQ(timetravel_limit(&tt, 100), TIMETRAVEL_OK);
	CHECK_EQ(tt.free_until_ns, 100);
	CHECK_EQ(tt.unanswered, 1);
	CHECK_EQ(time_take(&guest).time, 100);
	timetravel_receive(&tt);
	CHECK_EQ(tt.unanswered, 0);
	end();
}

/* Every guest begins at time zero. */
TEST(second_guest_begins_at_zero)
{
	begin();
	start();
	ask(UM_TIMETRAVEL_UPDATE, 123456);
	disconnect_guest();
	CHECK(!timetravel_is_open(&tt));
	connect_guest();
	start();
	CHECK_EQ(ask(UM_TIMETRAVEL_GET, 0), 0);
	CHECK_EQ(ask(UM_TIMETRAVEL_GET_TOD, 0), EPOCH);
	ask(UM_TIMETRAVEL_REQUEST, 44);
	CHECK_EQ(tt.request_ns, 123500);
	ask(UM_TIMETRAVEL_UPDATE, 10);
	CHECK_EQ(clock_now(cal), 123466);
	timetravel_run(&tt, 123500);
	CHECK_EQ(time_take(&guest).time, 44);
	CHECK_EQ(time_take(&guest).time, 10);
	end();
}

/* A message after which the guest must be disconnected. */
static bool fatal(bool started, uint32_t op, uint64_t time)
{
	enum timetravel_status status;

	begin();
	clock_set_now(cal, 1000);
	if (started)
		start();
	time_say(&guest, op, time);
	status = timetravel_receive(&tt);
	end();
	return status == TIMETRAVEL_ERROR;
}

TEST(nonsense)
{
	CHECK(fatal(false, UM_TIMETRAVEL_REQUEST, 0));
	CHECK(fatal(false, UM_TIMETRAVEL_ACK, 0));
	CHECK(fatal(true, UM_TIMETRAVEL_START, 0));
	CHECK(fatal(true, UM_TIMETRAVEL_ACK, 0));
	CHECK(fatal(true, UM_TIMETRAVEL_RUN, 0));
	CHECK(fatal(true, UM_TIMETRAVEL_FREE_UNTIL, 0));
	CHECK(fatal(true, 0xffffffff, 0));
	CHECK(fatal(true, UM_TIMETRAVEL_UPDATE, UINT64_MAX));
	CHECK(fatal(true, UM_TIMETRAVEL_UPDATE, INT64_MAX));
}

TEST(time_does_not_go_back)
{
	begin();
	start();
	ask(UM_TIMETRAVEL_UPDATE, 500);
	time_say(&guest, UM_TIMETRAVEL_UPDATE, 499);
	CHECK_EQ(timetravel_receive(&tt), TIMETRAVEL_ERROR);
	end();
}

TEST(acknowledgements_come_in_order)
{
	const struct um_timetravel_msg wrong = { UM_TIMETRAVEL_ACK, 77, 0 };

	begin();
	start();
	timetravel_run(&tt, 10);
	CHECK_EQ(send(guest.fd, &wrong, sizeof(wrong), 0), sizeof(wrong));
	CHECK_EQ(timetravel_receive(&tt), TIMETRAVEL_ERROR);
	end();
}

TEST(pieces_and_hang_up)
{
	const struct um_timetravel_msg msg = { UM_TIMETRAVEL_START, 9, 0 };

	begin();
	for (size_t i = 0; i < sizeof(msg); i++) {
		CHECK(!tt.started);
		CHECK_EQ(send(guest.fd, (const uint8_t *)&msg + i, 1, 0), 1);
		CHECK_EQ(timetravel_receive(&tt), TIMETRAVEL_OK);
	}
	CHECK(tt.started);
	CHECK_EQ(send(guest.fd, &msg, 5, 0), 5);
	shutdown(guest.fd, SHUT_RDWR);
	CHECK_EQ(timetravel_receive(&tt), TIMETRAVEL_CLOSED);
	end();
}

int main(void)
{
	return test_all();
}
