// SPDX-License-Identifier: MIT
/*
 * The whole bus with the event loop in virtual time: a guest that behaves like
 * arch/um/kernel/time.c.
 */
#include "tests/time_guest.h"
#include "tests/uml_rig.h"

static struct time_guest guest;
static uint64_t free_until, interrupts_at[16];
static unsigned int interrupts;

/* Receive a time message; acknowledge it unless it is an acknowledgement. */
static struct um_timetravel_msg hear(void)
{
	struct um_timetravel_msg msg = { UINT32_MAX, 0, 0 };

	if (!readable(guest.fd))
		return msg;
	msg = time_hear(&guest);
	if (msg.op == UM_TIMETRAVEL_FREE_UNTIL)
		free_until = msg.time;
	if (msg.op != UM_TIMETRAVEL_ACK && msg.op != UINT32_MAX) {
		struct um_timetravel_msg ack = { UM_TIMETRAVEL_ACK, msg.seq, 0 };

		if (send(guest.fd, &ack, sizeof(ack), MSG_NOSIGNAL) != sizeof(ack))
			abort();
	}
	return msg;
}

/* Send a time message, and process all messages until its answer. */
static uint64_t tell(uint32_t op, uint64_t time)
{
	struct um_timetravel_msg msg;

	time_say(&guest, op, time);
	do
		msg = hear();
	while (msg.op != UM_TIMETRAVEL_ACK && msg.op != UINT32_MAX);
	return msg.op == UM_TIMETRAVEL_ACK && msg.seq == guest.sequence ? msg.time : UINT64_MAX;
}

/* Send a request and wait for the card's answer; process time messages meanwhile. */
static uint64_t ask_virtual(uint32_t request, const void *payload, uint32_t size, const int *fds,
			    unsigned int count)
{
	front_send(&front, request, payload, size, fds, count);
	for (;;) {
		struct pollfd p[2] = { { .fd = front.fd, .events = POLLIN },
				       { .fd = guest.fd, .events = POLLIN } };

		if (poll(p, 2, PATIENCE_MS) <= 0)
			return UINT64_MAX;
		if (p[0].revents)
			return front_answer(&front, request);
		hear();
	}
}

static void begin_virtual(void)
{
	plug_in(true, false);
	fake_gc->on_write = core_write;
	interrupts = 0;
	free_until = 0;
	start();
	guest = (struct time_guest){ .fd = unix_socket_connect(time_path) };
	tell(UM_TIMETRAVEL_START, 0);
}

static void end_virtual(void)
{
	close(guest.fd);
	finish();
	unplug();
}

static bool connect_virtual(void)
{
	struct front_memory table = front_memory_table();
	uint64_t features;
	bool good = true;
	int fds[2];

	front_init(&front, unix_socket_connect(pci_path));
	features = ask_virtual(VHOST_USER_GET_PROTOCOL_FEATURES, "", 0, NULL, 0);
	if (!(features & VHOST_USER_P_INBAND) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return false;
	ask_virtual(VHOST_USER_SET_PROTOCOL_FEATURES, &features, 8, NULL, 0);
	ask_virtual(VHOST_USER_SET_BACKEND_REQ_FD, "", 0, &fds[1], 1);
	close(fds[1]);
	front.backend_fd = fds[0];
	ask_virtual(VHOST_USER_SET_MEM_TABLE, &table, sizeof(table), &front.memory_fd, 1);
	for (uint32_t i = 0; i < 2; i++) {
		struct front_addresses a = front_ring_addresses(i);

		ask_virtual(VHOST_USER_SET_VRING_NUM, (uint32_t[]){ i, RING_SIZE }, 8, NULL, 0);
		ask_virtual(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a), NULL, 0);
		good &= !ask_virtual(VHOST_USER_SET_VRING_ENABLE, (uint32_t[]){ i, 1 }, 8, NULL, 0);
	}
	return good;
}

/* A register access by a kick at guest time @now; the command is executed before the answer. */
static uint64_t access_virtual(uint64_t now, uint8_t op, uint32_t size, uint64_t address,
			       uint64_t data, bool write)
{
	uint64_t value = 0;

	tell(UM_TIMETRAVEL_UPDATE, now);
	offer(op, size, address, data, write);
	if (ask_virtual(VHOST_USER_VRING_KICK, (uint32_t[]){ 0, 0 }, 8, NULL, 0) != 0)
		return UINT64_MAX;
	memcpy(&value, ring_data(&front.ring[0], 1), size);
	return value;
}

static void write_virtual(uint64_t now, uint32_t offset, uint32_t value)
{
	access_virtual(now, VIRTIO_PCIDEV_OP_MMIO_WRITE, 4, offset, value, true);
}

static uint32_t read_virtual(uint64_t now, uint32_t offset)
{
	return access_virtual(now, VIRTIO_PCIDEV_OP_MMIO_READ, 4, offset, 0, false);
}

static void enable_virtual(uint64_t now)
{
	access_virtual(now, VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_COMMAND,
		       PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER, true);
	access_virtual(now, VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_CAP_MSI + PCI_MSI_DATA_64,
		       IRQ_VECTOR, true);
	access_virtual(now, VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_CAP_MSI + PCI_MSI_FLAGS,
		       PCI_MSI_FLAGS_ENABLE, true);
	give_interrupt_buffer(3);
}

/* Process a notification: read the time, request to run at once, then answer. */
static void take_interrupt(void)
{
	const uint64_t zero = 0;
	uint8_t bytes[20];
	uint64_t now;

	if (recv(front.backend_fd, bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort();
	now = tell(UM_TIMETRAVEL_GET, 0);
	if (interrupts < 16)
		interrupts_at[interrupts++] = now;
	tell(UM_TIMETRAVEL_REQUEST, now);
	front_send_raw(front.backend_fd, VHOST_USER_BACKEND_VRING_CALL,
		       VHOST_USER_VERSION | VHOST_USER_REPLY, 8, &zero, 8, NULL, 0);
}

/* Sleep until @time or an interrupt; returns when the guest runs again. */
static uint64_t sleep_virtual(uint64_t time)
{
	tell(UM_TIMETRAVEL_REQUEST, time);
	tell(UM_TIMETRAVEL_WAIT, 0);
	for (;;) {
		struct pollfd p[2] = { { .fd = guest.fd, .events = POLLIN },
				       { .fd = front.backend_fd, .events = POLLIN } };
		struct um_timetravel_msg msg;

		if (poll(p, 2, PATIENCE_MS) <= 0)
			return UINT64_MAX;
		if (p[1].revents) {
			take_interrupt();
			continue;
		}
		msg = hear();
		if (msg.op == UM_TIMETRAVEL_RUN)
			return msg.time;
	}
}

TEST(guest_without_virtual_time_is_refused)
{
	char byte;

	plug_in(true, false);
	start();
	front_init(&front, unix_socket_connect(pci_path));
	CHECK(readable(front.fd));
	CHECK_EQ(recv(front.fd, &byte, 1, 0), 0);
	front_close(&front);
	finish();
	unplug();
}

TEST(guest_sleeps_and_runs)
{
	begin_virtual();
	front.backend_fd = -1;
	CHECK_EQ(tell(UM_TIMETRAVEL_GET, 0), 0);
	CHECK_EQ(sleep_virtual(700000), 700000);
	CHECK_EQ(free_until, 1000700000); /* no event is planned: MAX_GUEST_RUN_NS, a second */
	CHECK_EQ(sleep_virtual(800000), 800000);
	end_virtual();
	CHECK_EQ(interrupts, 0);
}

/* An interrupt caused by a register write is delivered after the kick, at the same time. */
TEST(interrupts_are_events_of_the_calendar)
{
	begin_virtual();
	CHECK(connect_virtual());
	enable_virtual(100);
	CHECK_EQ(sleep_virtual(5000), 5000);
	CHECK_EQ(free_until, 1000005000);
	write_virtual(6000, 0, 1);
	CHECK_EQ(free_until, 6000); /* the limit was reduced within the kick */
	CHECK_EQ(interrupts, 0);
	CHECK_EQ(read_virtual(6000, BOARD_REGS_BASE + BOARD_IRQ_STATUS), 1);
	CHECK_EQ(sleep_virtual(1000000), 6000);
	CHECK_EQ(interrupts, 1);
	CHECK_EQ(interrupts_at[0], 6000);
	CHECK_EQ(((struct virtio_pcidev_msg *)ring_data(&front.ring[1], 3))->data[0], IRQ_VECTOR);
	CHECK_EQ(sleep_virtual(1000000), 1000000);
	front_close(&front);
	end_virtual();
}

/* Send a control command through the mailbox; false unless the kick was answered. */
static bool say_virtual(uint64_t now, const char *command)
{
	write_virtual(now, BOARD_MAILBOX_BASE + MAILBOX_CONTROL, MAILBOX_BEGIN);
	for (size_t i = 0; i < strlen(command); i += 4) {
		uint32_t word = 0;

		memcpy(&word, command + i, strlen(command + i) < 4 ? strlen(command + i) : 4);
		write_virtual(now, BOARD_MAILBOX_BASE + MAILBOX_COMMAND, word);
	}
	return access_virtual(now, VIRTIO_PCIDEV_OP_MMIO_WRITE, 4,
			      BOARD_MAILBOX_BASE + MAILBOX_CONTROL, MAILBOX_GO, true) != UINT64_MAX;
}

TEST(delayed_interrupts_arrive_to_the_nanosecond)
{
	begin_virtual();
	CHECK(connect_virtual());
	enable_virtual(0);
	CHECK(say_virtual(500, "delay-irq 12345"));
	write_virtual(1000, 0, 1);
	CHECK_EQ(sleep_virtual(50000), 13345);
	CHECK_EQ(interrupts_at[0], 13345);
	front_close(&front);
	end_virtual();
}

/* The core's front end, when it is idle, reads its loop at fixed times, and only after the guest ran. */
TEST(front_end_polls_on_a_grid)
{
	unsigned int polls;

	begin_virtual();
	CHECK(connect_virtual());
	enable_virtual(0);
	fake_gc->polling = true;
	CHECK_EQ(sleep_virtual(2500), 2500);
	polls = fake_gc->polls;
	CHECK_EQ(free_until, 3000); /* the next poll */
	CHECK_EQ(sleep_virtual(900000), 900000);
	CHECK_EQ(fake_gc->polls, polls + 1); /* one poll for all that time */
	write_virtual(900100, BOARD_REGS_BASE + BOARD_DOORBELL, 1);
	CHECK_EQ(free_until, 900100); /* the doorbell causes a poll at once */
	CHECK_EQ(sleep_virtual(900500), 900500);
	CHECK_EQ(fake_gc->polls, polls + 2);
	front_close(&front);
	end_virtual();
}

TEST(card_is_pulled_but_time_goes_on)
{
	char byte;

	begin_virtual();
	CHECK(connect_virtual());
	enable_virtual(0);
	say_virtual(700, "die");
	CHECK(recv(front.fd, &byte, 1, 0) <= 0);
	close(front.backend_fd);
	front.backend_fd = -1;
	CHECK_EQ(sleep_virtual(2000000), 2000000);
	front_close(&front);
	end_virtual();
}

/*
 * Commands from the socket wait until the guest is stopped. They see the time up to which it was
 * free to run, which it has not passed.
 */
TEST(control_in_virtual_time)
{
	const char *line = "time\n";
	char reply[256];
	int fd;

	begin_virtual();
	front.backend_fd = -1;
	CHECK_EQ(sleep_virtual(1000), 1000);
	fd = unix_socket_connect(control_path);
	CHECK_EQ(send(fd, line, strlen(line), 0), 5);
	usleep(20000);
	CHECK(recv(fd, reply, sizeof(reply), MSG_DONTWAIT) < 0); /* the guest is running */
	tell(UM_TIMETRAVEL_REQUEST, INT64_MAX);
	tell(UM_TIMETRAVEL_WAIT, 0);
	CHECK(readable(fd));
	reply[recv(fd, reply, sizeof(reply) - 1, 0)] = '\0';
	CHECK(!strcmp(reply, "mode virtual\nnow_ns 1000001000\nok\n"));
	close(fd);
	end_virtual();
}

int main(void)
{
	int status;

	if (!make_paths())
		return 1;
	status = test_all();
	rmdir(folder);
	return status;
}
