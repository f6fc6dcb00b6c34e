// SPDX-License-Identifier: MIT
/* The vhost-user protocol: valid and invalid messages. */
#include "tests/check.h"
#include "tests/front_end.h"

#include <fcntl.h>

#define NO_ANSWER (UINT64_MAX - 1) /* of front_answer(), too */

static struct vhost_user vu;
static struct front_end front;
static unsigned int kicked[2];

static void on_kick(void *ctx, unsigned int ring)
{
	kicked[ring]++;
}

static void connect_front(void)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		abort();
	front_init(&front, fds[0]);
	vhost_user_open(&vu, fds[1]);
}

static void begin(bool inband)
{
	vhost_user_init(&vu, inband);
	vu.on_kick = on_kick;
	kicked[0] = kicked[1] = 0;
	connect_front();
}

static void end(void)
{
	vhost_user_close(&vu);
	front_close(&front);
}

/* Send a request and return the number in the answer. */
static uint64_t ask(uint32_t request, const void *payload, uint32_t size, const int *fds,
		    unsigned int count)
{
	front_send(&front, request, payload, size, fds, count);
	if (vhost_user_receive(&vu) != VHOST_USER_OK)
		return NO_ANSWER;
	return front_answer(&front, request);
}

static uint64_t ask_number(uint32_t request, uint64_t number)
{
	return ask(request, &number, sizeof(number), NULL, 0);
}

static uint64_t ask_ring(uint32_t request, uint32_t index, uint32_t number)
{
	const uint32_t payload[2] = { index, number };

	return ask(request, payload, sizeof(payload), NULL, 0);
}

static void negotiate(void)
{
	uint64_t features = ask(VHOST_USER_GET_PROTOCOL_FEATURES, "", 0, NULL, 0);

	ask_number(VHOST_USER_SET_PROTOCOL_FEATURES, features);
}

static uint64_t set_memory(void)
{
	struct front_memory table = front_memory_table();

	return ask(VHOST_USER_SET_MEM_TABLE, &table, sizeof(table), &front.memory_fd, 1);
}

static uint64_t set_address(unsigned int ring)
{
	struct front_addresses a = front_ring_addresses(ring);

	return ask(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a), NULL, 0);
}

static void set_up_rings(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		ask_ring(VHOST_USER_SET_VRING_NUM, i, RING_SIZE);
		ask_ring(VHOST_USER_SET_VRING_BASE, i, 0);
		set_address(i);
		ask_ring(VHOST_USER_SET_VRING_ENABLE, i, 1);
	}
}

TEST(features)
{
	begin(false);
	CHECK_EQ(ask(VHOST_USER_GET_FEATURES, "", 0, NULL, 0),
		 VHOST_USER_F_PROTOCOL_FEATURES | VIRTIO_FEATURE_VERSION_1);
	CHECK_EQ(ask(VHOST_USER_GET_PROTOCOL_FEATURES, "", 0, NULL, 0),
		 VHOST_USER_P_REPLY_ACK | VHOST_USER_P_BACKEND_REQ);
	end();
	begin(true);
	CHECK(ask(VHOST_USER_GET_PROTOCOL_FEATURES, "", 0, NULL, 0) & VHOST_USER_P_INBAND);
	negotiate();
	CHECK_EQ(ask_number(VHOST_USER_SET_FEATURES, 1ull << 28), 1);
	CHECK_EQ(ask_number(VHOST_USER_SET_FEATURES, VIRTIO_FEATURE_VERSION_1), 0);
	CHECK_EQ(ask_number(VHOST_USER_SET_PROTOCOL_FEATURES, 1ull << 63), 1);
	CHECK_EQ(ask(VHOST_USER_SET_OWNER, "", 0, NULL, 0), 0);
	end();
}

static uint8_t config[4] = { 1, 2, 3, 4 };

static void read_config(void *ctx, uint32_t offset, uint8_t *data, uint32_t size)
{
	memcpy(data, config + offset, size);
}

static bool write_config(void *ctx, uint32_t offset, const uint8_t *data, uint32_t size)
{
	if (offset + size > sizeof(config))
		return false;
	memcpy(config + offset, data, size);
	return true;
}

struct config_message {
	uint32_t offset, size, flags;
	uint8_t data[4];
};

TEST(configuration_space)
{
	struct config_message message = { 0, 4, 0, { 0 } };
	struct {
		struct vhost_user_header header;
		struct config_message config;
	} in;

	begin(false);
	negotiate();
	/* never offered: the device has none */
	CHECK_EQ(ask(VHOST_USER_GET_CONFIG, &message, sizeof(message), NULL, 0), 1);
	vu.read_config = read_config;
	vu.write_config = write_config;
	negotiate();
	CHECK(vu.protocol_features & VHOST_USER_P_CONFIG);
	front_send(&front, VHOST_USER_GET_CONFIG, &message, sizeof(message), NULL, 0);
	CHECK_EQ(vhost_user_receive(&vu), VHOST_USER_OK);
	CHECK_EQ(recv(front.fd, &in, sizeof(in), MSG_DONTWAIT), sizeof(in));
	CHECK_EQ(in.header.size, sizeof(message));
	CHECK(!memcmp(in.config.data, config, 4));
	message = (struct config_message){ 1, 4, 0, { 7, 8, 9, 9 } };
	CHECK_EQ(ask(VHOST_USER_SET_CONFIG, &message, sizeof(message), NULL, 0), 1);
	message.size = 2;
	CHECK_EQ(ask(VHOST_USER_SET_CONFIG, &message, sizeof(message), NULL, 0), 1);
	CHECK_EQ(ask(VHOST_USER_SET_CONFIG, &message, sizeof(message) - 2, NULL, 0), 0);
	CHECK_EQ(config[2], 8);
	CHECK_EQ(config[3], 4);
	message.size = UINT32_MAX;
	CHECK_EQ(ask(VHOST_USER_GET_CONFIG, &message, sizeof(message), NULL, 0), 1);
	CHECK_EQ(ask(VHOST_USER_GET_CONFIG, &message, 4, NULL, 0), 1);
	end();
}

TEST(an_answer_is_only_given_when_negotiated)
{
	begin(false);
	CHECK_EQ(ask(VHOST_USER_SET_OWNER, "", 0, NULL, 0), NO_ANSWER);
	CHECK(vhost_user_is_open(&vu));
	/* without REPLY_ACK a refused message ends the connection */
	front_send(&front, VHOST_USER_SET_FEATURES, "abcdefgh", 8, NULL, 0);
	CHECK_EQ(vhost_user_receive(&vu), VHOST_USER_ERROR);
	end();
}

TEST(rings_become_ready)
{
	begin(false);
	negotiate();
	CHECK_EQ(set_memory(), 0);
	CHECK_EQ(vu.memory.count, 1);
	set_up_rings();
	CHECK(vring_ready(&vu.ring[0]));
	CHECK(vring_ready(&vu.ring[1]));
	CHECK(!vring_pending(&vu.ring[0]));
	ring_describe(&front.ring[0], 0, 16, 0, 0);
	ring_offer(&front.ring[0], 0);
	CHECK(vring_pending(&vu.ring[0]));
	front.memory[RING_ROOM + RING_DATA] = 0x77;
	CHECK_EQ(*(uint8_t *)guest_memory_at(&vu.memory, GUEST_ADDRESS + RING_ROOM + RING_DATA, 1),
		 0x77);
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_ENABLE, 0, 0), 0);
	CHECK(!vring_ready(&vu.ring[0]));
	CHECK_EQ(ask_ring(VHOST_USER_GET_VRING_BASE, 1, 0), 1);
	CHECK(!vring_ready(&vu.ring[1]));
	end();
}

TEST(new_memory_moves_the_rings)
{
	begin(false);
	negotiate();
	set_memory();
	set_up_rings();
	CHECK_EQ(set_memory(), 0);
	CHECK(vring_ready(&vu.ring[0]));
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_NUM, 0, RING_SIZE), 0);
	CHECK(!vring_ready(&vu.ring[0]));
	end();
}

/* Whether a memory table is refused. */
static bool memory_refused(struct front_memory table, uint32_t size, const int *fds,
			   unsigned int count)
{
	return ask(VHOST_USER_SET_MEM_TABLE, &table, size, fds, count) == 1;
}

TEST(bad_memory_tables)
{
	const uint32_t size = sizeof(struct front_memory);
	int fds[3] = { 0, 0, 0 }, pipes[2];
	struct front_memory t;

	begin(false);
	negotiate();
	fds[0] = fds[1] = fds[2] = front.memory_fd;
	t = front_memory_table();
	CHECK(memory_refused(t, size, NULL, 0)); /* no descriptor */
	CHECK(memory_refused(t, size, fds, 2));  /* too many */
	CHECK(memory_refused(t, 16, fds, 1));    /* too short */
	CHECK(memory_refused(t, 4, fds, 1));
	t.count = 3;
	CHECK(memory_refused(t, size, fds, 3));
	t.count = 0xffffffff;
	CHECK(memory_refused(t, size, fds, 1));
	t = front_memory_table();
	t.region[0].size++; /* beyond the file's end */
	CHECK(memory_refused(t, size, fds, 1));
	t = front_memory_table(); /* offset in the page differs between guest and file */
	t.region[0].size -= 8;
	t.region[0].guest += 4;
	CHECK(memory_refused(t, size, fds, 1));
	t.region[0].offset += 8;
	CHECK(memory_refused(t, size, fds, 1));
	t.region[0].guest += 4;
	CHECK_EQ(ask(VHOST_USER_SET_MEM_TABLE, &t, size, fds, 1), 0); /* now it is equal */
	t = front_memory_table();
	t.region[0].offset = UINT64_MAX - 0xfff;
	CHECK(memory_refused(t, size, fds, 1));
	t = front_memory_table();
	t.region[0].size = 0;
	CHECK(memory_refused(t, size, fds, 1));
	t.region[0].size = UINT64_MAX;
	CHECK(memory_refused(t, size, fds, 1));
	t = front_memory_table();
	t.region[0].guest = UINT64_MAX - 5;
	CHECK(memory_refused(t, size, fds, 1));
	t = front_memory_table();
	t.region[0].user = UINT64_MAX - 5;
	CHECK(memory_refused(t, size, fds, 1));
	CHECK(pipe(pipes) == 0);
	t = front_memory_table();
	CHECK(memory_refused(t, size, pipes, 1)); /* a pipe cannot be mapped */
	close(pipes[0]);
	close(pipes[1]);
	t.count = 2; /* the second is invalid: none is used */
	CHECK(memory_refused(t, size, fds, 2));
	CHECK_EQ(vu.memory.count, 0);
	CHECK_EQ(set_memory(), 0);
	end();
}

TEST(bad_rings)
{
	struct front_addresses a;

	begin(false);
	negotiate();
	CHECK_EQ(set_address(0), 1); /* no memory yet */
	set_memory();
	CHECK_EQ(set_address(0), 1); /* no size yet */
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_NUM, 2, 16), 1);
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_NUM, 0, 0), 1);
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_NUM, 0, 17), 1);
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_NUM, 0, 2048), 1);
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_NUM, 0, RING_SIZE), 0);
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_BASE, 0, 0x10000), 1);
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_BASE, 0xffffffff, 0), 1);
	CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_ENABLE, 5, 1), 1);
	CHECK_EQ(ask_ring(VHOST_USER_GET_VRING_BASE, 5, 1), 1);
	a = front_ring_addresses(0);
	a.index = 2;
	CHECK_EQ(ask(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 1);
	a = front_ring_addresses(0);
	a.flags = 1;
	CHECK_EQ(ask(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 1);
	a = front_ring_addresses(0);
	a.desc = GUEST_USER + GUEST_BYTES - 16;
	CHECK_EQ(ask(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 1);
	a = front_ring_addresses(0);
	a.used = 0;
	CHECK_EQ(ask(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 1);
	CHECK_EQ(ask(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a) - 1, NULL, 0), 1);
	ask_ring(VHOST_USER_SET_VRING_ENABLE, 0, 1);
	CHECK(!vring_ready(&vu.ring[0]));
	CHECK_EQ(set_address(0), 0);
	CHECK(vring_ready(&vu.ring[0]));
	end();
}

TEST(call_and_kick_descriptors)
{
	uint64_t ring = 1, number;
	int call[2], kick[2];

	begin(false);
	negotiate();
	CHECK(pipe2(call, O_NONBLOCK | O_CLOEXEC) == 0 && pipe2(kick, O_CLOEXEC) == 0);
	/* the descriptor is missing */
	CHECK_EQ(ask(VHOST_USER_SET_VRING_CALL, &ring, 8, NULL, 0), 1);
	CHECK_EQ(ask(VHOST_USER_SET_VRING_CALL, &ring, 8, call, 2), 1); /* one too many */
	number = 2;
	CHECK_EQ(ask(VHOST_USER_SET_VRING_CALL, &number, 8, &call[1], 1), 1); /* no such ring */
	number = 1ull << 40;
	CHECK_EQ(ask(VHOST_USER_SET_VRING_KICK, &number, 8, &kick[0], 1), 1);
	number = 1 | VHOST_USER_NO_FD;
	CHECK_EQ(ask(VHOST_USER_SET_VRING_CALL, &number, 8, &call[1], 1),
		 1); /* has a descriptor nevertheless */
	CHECK_EQ(ask(VHOST_USER_SET_VRING_CALL, &ring, 8, &call[1], 1), 0);
	CHECK_EQ(ask(VHOST_USER_SET_VRING_KICK, &ring, 8, &kick[0], 1), 0);
	CHECK_EQ(ask(VHOST_USER_SET_VRING_ERR, &ring, 8, &call[1], 1), 0);
	CHECK_EQ(vhost_user_call(&vu, 1), VHOST_USER_OK);
	CHECK_EQ(read(call[0], &number, 8), 8);
	CHECK_EQ(number, 1);
	/* a guest that never reads does not block the card */
	for (unsigned int i = 0; i < 100000; i++)
		CHECK_EQ(vhost_user_call(&vu, 1), VHOST_USER_OK);
	CHECK_EQ(write(kick[1], &ring, 8), 8);
	vhost_user_drain_kick(&vu, 1);
	vhost_user_drain_kick(&vu, 1);
	CHECK_EQ(vu.kicks, 1);
	CHECK(vu.kick_fd[1] >= 0);
	close(kick[1]);
	vhost_user_drain_kick(&vu, 1);
	CHECK_EQ(vu.kick_fd[1], (uint64_t)-1);
	number = 1 | VHOST_USER_NO_FD;
	CHECK_EQ(ask(VHOST_USER_SET_VRING_CALL, &number, 8, NULL, 0), 0);
	CHECK_EQ(vu.call_fd[1], (uint64_t)-1);
	CHECK_EQ(vhost_user_call(&vu, 1), VHOST_USER_OK);
	close(call[0]);
	close(call[1]);
	close(kick[0]);
	end();
}

TEST(unknown_and_short_messages)
{
	begin(false);
	negotiate();
	CHECK_EQ(ask_number(0, 0), 1);
	CHECK_EQ(ask_number(VHOST_USER_REQUESTS, 0), 1);
	CHECK_EQ(ask_number(0xffffffff, 0), 1);
	CHECK_EQ(ask_number(6, 0), 1); /* SET_LOG_BASE: never offered */
	CHECK_EQ(ask(VHOST_USER_SET_FEATURES, "1234567", 7, NULL, 0), 1);
	CHECK_EQ(ask(VHOST_USER_SET_VRING_NUM, "1234567", 7, NULL, 0), 1);
	CHECK_EQ(ask(VHOST_USER_SET_FEATURES, "\0\0\0\0\0\0\0", 8, &front.memory_fd, 1), 1);
	CHECK_EQ(ask_ring(VHOST_USER_VRING_KICK, 0, 0), 1); /* in-band was not negotiated */
	CHECK_EQ(ask(VHOST_USER_SET_BACKEND_REQ_FD, "", 0, NULL, 0), 1);
	CHECK_EQ(vu.refused, 9);
	CHECK_EQ(ask(VHOST_USER_SET_OWNER, "", 0, NULL, 0), 0);
	end();
}

/* A header that must end the connection. */
static bool fatal(uint32_t flags, uint32_t size)
{
	enum vhost_user_status status;

	begin(false);
	front_send_raw(front.fd, VHOST_USER_SET_OWNER, flags, size, "", 0, NULL, 0);
	status = vhost_user_receive(&vu);
	end();
	return status == VHOST_USER_ERROR;
}

TEST(bad_headers)
{
	CHECK(fatal(0, 0));
	CHECK(fatal(2, 0));
	CHECK(fatal(VHOST_USER_VERSION | VHOST_USER_REPLY, 0));
	CHECK(fatal(VHOST_USER_VERSION | 1u << 31, 0));
	CHECK(fatal(VHOST_USER_VERSION, VHOST_USER_PAYLOAD_BYTES + 1));
	CHECK(fatal(VHOST_USER_VERSION, 0xffffffff));
}

TEST(too_many_descriptors)
{
	int fds[VHOST_USER_MAX_FDS + 4];

	begin(false);
	negotiate();
	for (unsigned int i = 0; i < VHOST_USER_MAX_FDS + 4; i++)
		fds[i] = front.memory_fd;
	front_send(&front, VHOST_USER_SET_OWNER, "", 0, fds, VHOST_USER_MAX_FDS + 4);
	CHECK_EQ(vhost_user_receive(&vu), VHOST_USER_ERROR);
	end();
}

/* A message may arrive in pieces of any size. */
TEST(byte_by_byte)
{
	const struct {
		struct vhost_user_header header;
		uint32_t ring[2];
	} message = { { VHOST_USER_SET_VRING_NUM, VHOST_USER_VERSION | VHOST_USER_NEED_REPLY, 8 },
		      { 1, 64 } };

	begin(false);
	negotiate();
	for (size_t i = 0; i < sizeof(message); i++) {
		CHECK_EQ(front_answer(&front, VHOST_USER_SET_VRING_NUM), NO_ANSWER);
		CHECK_EQ(send(front.fd, (const uint8_t *)&message + i, 1, 0), 1);
		CHECK_EQ(vhost_user_receive(&vu), VHOST_USER_OK);
	}
	CHECK_EQ(front_answer(&front, VHOST_USER_SET_VRING_NUM), 0);
	CHECK_EQ(vu.ring[1].size, 64);
	end();
}

TEST(disconnect_and_reconnect)
{
	begin(false);
	negotiate();
	set_memory();
	set_up_rings();
	front_send_raw(front.fd, VHOST_USER_SET_VRING_NUM, VHOST_USER_VERSION, 8, "", 0, NULL, 0);
	front_close(&front); /* in the middle of a message */
	CHECK_EQ(vhost_user_receive(&vu), VHOST_USER_CLOSED);
	vhost_user_close(&vu);
	CHECK_EQ(vu.memory.count, 0);
	CHECK(!vring_ready(&vu.ring[0]));
	for (unsigned int i = 0; i < 50; i++) {
		connect_front();
		negotiate();
		CHECK_EQ(set_memory(), 0);
		set_up_rings();
		CHECK(vring_ready(&vu.ring[1]));
		end();
	}
}

/* In virtual time notifications are messages, in both directions. */
TEST(in_band_notifications)
{
	const uint64_t zero = 0;
	int fds[2];
	struct vhost_user_header call;
	uint32_t ring[2];

	begin(true);
	negotiate();
	set_memory();
	set_up_rings();
	CHECK_EQ(ask_ring(VHOST_USER_VRING_KICK, 1, 0), 0);
	CHECK_EQ(kicked[1], 1);
	CHECK_EQ(ask_ring(VHOST_USER_VRING_KICK, 2, 0), 1);
	CHECK_EQ(vhost_user_call(&vu, 1), VHOST_USER_OK); /* no back-end channel yet */
	CHECK_EQ(vu.calls_unanswered, 0);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
	CHECK_EQ(ask(VHOST_USER_SET_BACKEND_REQ_FD, "", 0, &fds[1], 1), 0);
	CHECK_EQ(vhost_user_call(&vu, 1), VHOST_USER_OK);
	CHECK_EQ(vu.calls_unanswered, 1);
	CHECK_EQ(vhost_user_receive_backend(&vu), VHOST_USER_OK); /* nothing yet */
	CHECK_EQ(recv(fds[0], &call, sizeof(call), 0), sizeof(call));
	CHECK_EQ(call.request, VHOST_USER_BACKEND_VRING_CALL);
	CHECK_EQ(call.flags, VHOST_USER_VERSION | VHOST_USER_NEED_REPLY);
	CHECK_EQ(recv(fds[0], ring, sizeof(ring), 0), sizeof(ring));
	CHECK_EQ(ring[0], 1);
	front_send_raw(fds[0], VHOST_USER_BACKEND_VRING_CALL, VHOST_USER_VERSION | VHOST_USER_REPLY,
		       8, &zero, 8, NULL, 0);
	CHECK_EQ(vhost_user_receive_backend(&vu), VHOST_USER_OK);
	CHECK_EQ(vu.calls_unanswered, 0);
	vhost_user_call(&vu, 0);
	front_send_raw(fds[0], 77, VHOST_USER_VERSION | VHOST_USER_REPLY, 8, &zero, 8, NULL, 0);
	CHECK_EQ(vhost_user_receive_backend(&vu), VHOST_USER_ERROR);
	close(fds[0]);
	close(fds[1]);
	end();
}

/* Random messages: checked by the sanitizer, and by the process not hanging. */
TEST(garbage)
{
	uint64_t random = 7;
	uint8_t payload[96];

	begin(true);
	negotiate();
	for (unsigned int round = 0; round < 20000; round++) {
		uint32_t size;

		for (unsigned int i = 0; i < sizeof(payload); i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			payload[i] = random >> 62 ? 0 : random >> 33;
		}
		size = random >> 40 & 63;
		front_send_raw(front.fd, random >> 34 & 63, VHOST_USER_VERSION | (random >> 50 & 8),
			       size, payload, size, &front.memory_fd, random >> 60 & 1);
		if (vhost_user_receive(&vu) != VHOST_USER_OK) {
			end();
			connect_front();
			negotiate();
		}
		while (recv(front.fd, payload, sizeof(payload), MSG_DONTWAIT) > 0)
			;
	}
	end();
}

int main(void)
{
	return test_all();
}
