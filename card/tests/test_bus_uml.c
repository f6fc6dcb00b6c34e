// SPDX-License-Identifier: MIT
/*
 * The whole bus with the event loop, in a thread: a guest's sockets on one side, a board with a
 * fake core on the other, in real and in virtual time.
 */
#include "tests/check.h"
#include "tests/fake_gc.h"
#include "tests/front_end.h"
#include "tests/time_guest.h"

#include <linux/pci_regs.h>
#include <linux/virtio_pcidev.h>
#include <poll.h>
#include <pthread.h>

#include "board/mailbox.h"
#include "bus/pci_config.h"
#include "bus/uml.h"
#include "bus/unix_socket.h"
#include "loop.h"

/* limit after which a test fails, so that a lost message does not hang it */
#define PATIENCE_MS 20000
#define POLL_NS 1000u
#define IRQ_VECTOR 65

static char folder[32], pci_path[64], time_path[64], control_path[64];
static volatile sig_atomic_t stop;
static struct card_clock *cal;
static struct uml_bus *bus;
static struct board *board;
static struct control_server control;
static struct loop loop;
static pthread_t thread;
static struct front_end front;
static struct time_guest guest;
static bool virtual_time;

static void *run(void *arg)
{
	loop_run(&loop);
	return NULL;
}

static void plug_in(bool is_virtual, bool once)
{
	const struct gc_options options = { .poll_ns = POLL_NS };
	struct uml_bus_options bus_options = { .once = once, .stop = &stop, .time_listener = -1 };
	struct board_host host;
	const char *problem;

	virtual_time = is_virtual;
	stop = 0;
	bus_options.listener = unix_socket_listen(pci_path, &problem);
	if (is_virtual)
		bus_options.time_listener = unix_socket_listen(time_path, &problem);
	control_server_init(&control, unix_socket_listen(control_path, &problem));
	cal = clock_create(is_virtual);
	bus = uml_bus_create(&bus_options, cal);
	host = uml_bus_host(bus);
	board = board_create(&host, cal, uml_bus_memory(bus), gc_personality_find("gc3000"),
			     &options);
	uml_bus_attach(bus, board);
	loop = (struct loop){ .clock = cal,
			      .bus = bus,
			      .board = board,
			      .control = &control,
			      .poll_ns = POLL_NS,
			      .spin_ns = 20000,
			      .stop = &stop };
	loop_init(&loop);
}

static void start(void)
{
	pthread_create(&thread, NULL, run, NULL);
}

/* Wake the loop by a control connection, so that it checks stop. */
static void finish(void)
{
	int fd;

	stop = 1;
	fd = unix_socket_connect(control_path);
	pthread_join(thread, NULL);
	close(fd);
}

static void unplug(void)
{
	control_server_close(&control);
	board_destroy(board);
	uml_bus_destroy(bus);
	clock_destroy(cal);
	unlink(pci_path);
	unlink(time_path);
	unlink(control_path);
}

static bool readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, PATIENCE_MS) == 1;
}

/* ---- a valid guest ---- */

static uint64_t ask(uint32_t request, const void *payload, uint32_t size, const int *fds,
		    unsigned int count)
{
	if (!front_send(&front, request, payload, size, fds, count) || !readable(front.fd))
		return UINT64_MAX - 1;
	return front_answer(&front, request);
}

static uint64_t ask_ring(uint32_t request, uint32_t index, uint32_t number)
{
	const uint32_t payload[2] = { index, number };

	return ask(request, payload, sizeof(payload), NULL, 0);
}

static bool set_up_ring(unsigned int i)
{
	struct front_addresses a = front_ring_addresses(i);
	const uint64_t index = i;
	int call[2], kick[2];
	bool good = true;

	if (!virtual_time) {
		good = !pipe(call) && !pipe(kick) &&
		       !ask(VHOST_USER_SET_VRING_CALL, &index, 8, &call[1], 1) &&
		       !ask(VHOST_USER_SET_VRING_KICK, &index, 8, &kick[0], 1);
		front.call_fd[i] = call[0];
		front.kick_fd[i] = kick[1];
		close(call[1]);
		close(kick[0]);
	}
	return good && !ask_ring(VHOST_USER_SET_VRING_NUM, i, RING_SIZE) &&
	       !ask_ring(VHOST_USER_SET_VRING_BASE, i, 0) &&
	       !ask(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a), NULL, 0) &&
	       !ask_ring(VHOST_USER_SET_VRING_ENABLE, i, 1);
}

static bool connect_front(void)
{
	struct front_memory table = front_memory_table();
	uint64_t features;
	int fds[2];

	front_init(&front, unix_socket_connect(pci_path));
	features = ask(VHOST_USER_GET_PROTOCOL_FEATURES, "", 0, NULL, 0);
	front_send_raw(front.fd, VHOST_USER_SET_PROTOCOL_FEATURES, VHOST_USER_VERSION, 8, &features,
		       8, NULL, 0);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) ||
	    ask(VHOST_USER_SET_BACKEND_REQ_FD, "", 0, &fds[1], 1))
		return false;
	close(fds[1]);
	front.backend_fd = fds[0];
	return !ask(VHOST_USER_SET_MEM_TABLE, &table, sizeof(table), &front.memory_fd, 1) &&
	       set_up_ring(0) && set_up_ring(1);
}

static void kick(unsigned int ring)
{
	const uint64_t one = 1;

	if (front.ring[ring].used->flags & VRING_USED_NO_NOTIFY)
		return;
	if (!virtual_time && write(front.kick_fd[ring], &one, sizeof(one)) != sizeof(one))
		abort();
}

/* Offer a command; slots 0 and 1 of the command ring. */
static void offer(uint8_t op, uint32_t size, uint64_t address, uint64_t data, bool write)
{
	struct virtio_pcidev_msg *msg = ring_data(&front.ring[0], 0);

	*msg = (struct virtio_pcidev_msg){ .op = op, .size = size, .addr = address };
	memcpy(msg->data, &data, sizeof(data));
	memset(ring_data(&front.ring[0], 1), 0xff, 8);
	ring_describe(&front.ring[0], 0, sizeof(*msg) + (write ? 8 : 0),
		      write ? 0 : VRING_DESC_NEXT, 1);
	ring_describe(&front.ring[0], 1, 8, VRING_DESC_WRITE, 0);
	ring_offer(&front.ring[0], 0);
}

/* Send a command and wait until the card has taken it; the answer is all ones if it does not. */
static uint64_t command(uint8_t op, uint32_t size, uint64_t address, uint64_t data, bool write)
{
	volatile uint16_t *used = &front.ring[0].used->index;
	uint16_t before = *used;
	uint64_t value = 0;

	offer(op, size, address, data, write);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	kick(0);
	for (unsigned int i = 0; *used == before && i < PATIENCE_MS; i++)
		usleep(*used == before && i > 10 ? 1000 : 10);
	memcpy(&value, ring_data(&front.ring[0], 1), size);
	return *used == before ? UINT64_MAX : value;
}

static uint32_t read_register(uint32_t offset)
{
	return command(VIRTIO_PCIDEV_OP_MMIO_READ, 4, offset, 0, false);
}

static void write_register(uint32_t offset, uint32_t value)
{
	command(VIRTIO_PCIDEV_OP_MMIO_WRITE, 4, offset, value, true);
}

static void enable_device(void)
{
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_COMMAND, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER,
		true);
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_CAP_MSI + PCI_MSI_DATA_64, IRQ_VECTOR, true);
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_CAP_MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_ENABLE,
		true);
}

static void give_interrupt_buffer(unsigned int index)
{
	ring_describe(&front.ring[1], index, 20, VRING_DESC_WRITE, 0);
	ring_offer(&front.ring[1], index);
}

/* The fake core: register 0 sets the interrupt line. */
static void core_write(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	if (offset == 0)
		gc->host.set_irq(gc->host.ctx, value);
}

/* ---- real time ---- */

TEST(registers_and_interrupts)
{
	uint64_t number;

	plug_in(false, false);
	fake_gc->on_write = core_write;
	start();
	CHECK(connect_front());
	CHECK_EQ(read_register(BOARD_REGS_BASE), 0xffffffff);
	enable_device();
	CHECK_EQ(read_register(BOARD_REGS_BASE), BOARD_MAGIC_VALUE);
	give_interrupt_buffer(3);
	write_register(0, 1);
	CHECK(readable(front.call_fd[1]));
	CHECK_EQ(read(front.call_fd[1], &number, 8), 8);
	CHECK_EQ(ring_last_used(&front.ring[1]).id, 3);
	CHECK_EQ(((struct virtio_pcidev_msg *)ring_data(&front.ring[1], 3))->data[0], IRQ_VECTOR);
	CHECK_EQ(read_register(BOARD_REGS_BASE + BOARD_IRQ_STATUS), 1);
	usleep(2000); /* long enough for the card to sleep */
	CHECK_EQ(read_register(BOARD_REGS_BASE), BOARD_MAGIC_VALUE);
	front_close(&front);
	finish();
	unplug();
}

TEST(guests_come_and_go)
{
	plug_in(false, false);
	start();
	for (unsigned int i = 0; i < 20; i++) {
		CHECK(connect_front());
		CHECK_EQ(command(VIRTIO_PCIDEV_OP_CFG_READ, 2, PCI_COMMAND, 0, false), 0);
		enable_device();
		CHECK_EQ(read_register(BOARD_REGS_BASE), BOARD_MAGIC_VALUE);
		front_close(&front);
	}
	finish();
	CHECK(fake_gc->resets >= 19); /* the last one may still be connected when the loop ends */
	unplug();
}

TEST(module_reload)
{
	plug_in(false, false);
	start();
	CHECK(connect_front());
	for (unsigned int i = 0; i < 5; i++) {
		struct front_memory table = front_memory_table();

		enable_device();
		CHECK_EQ(read_register(BOARD_REGS_BASE), BOARD_MAGIC_VALUE);
		CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_ENABLE, 1, 0), 0);
		CHECK_EQ(ask_ring(VHOST_USER_SET_VRING_ENABLE, 0, 0), 0);
		for (unsigned int r = 0; r < 2; r++) {
			close(front.call_fd[r]);
			close(front.kick_fd[r]);
			ring_init(&front.ring[r], front.memory + r * RING_ROOM,
				  GUEST_ADDRESS + r * RING_ROOM);
		}
		CHECK_EQ(ask(VHOST_USER_SET_MEM_TABLE, &table, sizeof(table), &front.memory_fd, 1),
			 0);
		CHECK(set_up_ring(0) && set_up_ring(1));
	}
	CHECK_EQ(read_register(BOARD_REGS_BASE), BOARD_MAGIC_VALUE);
	front_close(&front);
	finish();
	unplug();
}

static void say_to_control(int fd, const char *line, char *reply, size_t bytes)
{
	ssize_t got;

	if (send(fd, line, strlen(line), 0) < 0 || !readable(fd))
		abort();
	got = recv(fd, reply, bytes - 1, 0);
	reply[got > 0 ? got : 0] = '\0';
}

TEST(control_socket)
{
	char reply[4096];
	int fd;

	plug_in(false, false);
	start();
	fd = unix_socket_connect(control_path);
	say_to_control(fd, "personality\n", reply, sizeof(reply));
	CHECK(strstr(reply, "name gc3000\n") && strstr(reply, "ok\n"));
	say_to_control(fd, "nonsense\n", reply, sizeof(reply));
	CHECK(!strcmp(reply, "error: unknown command nonsense (try help)\n"));
	CHECK(connect_front());
	say_to_control(fd, "stats\n", reply, sizeof(reply));
	CHECK(strstr(reply, "bus.guests 1\n"));
	say_to_control(fd, "die\n", reply, sizeof(reply));
	CHECK(readable(front.fd)); /* the card disconnects */
	CHECK_EQ(recv(front.fd, reply, 1, 0), 0);
	front_close(&front);
	CHECK(connect_front()); /* and accepts a new connection */
	front_close(&front);
	memset(reply, 'x', sizeof(reply)); /* a line without newline */
	CHECK_EQ(send(fd, reply, 600, 0), 600);
	CHECK(readable(fd));
	CHECK(recv(fd, reply, 1, 0) <= 0);
	close(fd);
	finish();
	unplug();
}

TEST(once)
{
	plug_in(false, true);
	start();
	/* a connection without messages does not count as a guest */
	close(unix_socket_connect(pci_path));
	CHECK(connect_front());
	enable_device();
	front_close(&front);
	pthread_join(thread, NULL); /* ends without stop */
	CHECK(uml_bus_finished(bus));
	unplug();
}

static void ring_alarm(void *ctx)
{
}

/* The loop must end whenever stop is set or the last guest has gone, in any poll. */
TEST(no_sleep_after_a_look)
{
	struct clock_event alarm = { .fn = ring_alarm };
	bool went_on, ends;
	int fd;

	plug_in(false, false);
	loop.spin_ns = 0;
	fd = unix_socket_connect(control_path);
	clock_arm(cal, &alarm, clock_now(cal) + 100000000); /* wakes a loop that does not end */
	went_on = loop_turn(&loop);
	stop = 1;
	ends = !loop_turn(&loop);
	clock_disarm(cal, &alarm);
	close(fd);
	unplug();
	CHECK(went_on && ends);
	CHECK_EQ(loop.polls, 1);
	CHECK_EQ(loop.sleeps, 0);
}

TEST(broken_front_end_is_dropped)
{
	char byte;

	plug_in(false, false);
	start();
	front_init(&front, unix_socket_connect(pci_path));
	CHECK_EQ(send(front.fd, "GET / HTTP/1.1\r\n\r\n", 18, 0), 18);
	CHECK(readable(front.fd));
	CHECK(recv(front.fd, &byte, 1, 0) <= 0); /* closed, with what was sent unread */
	front_close(&front);
	CHECK(connect_front());
	enable_device();
	CHECK_EQ(read_register(BOARD_REGS_BASE), BOARD_MAGIC_VALUE);
	front_close(&front);
	finish();
	unplug();
}

TEST(socket_paths)
{
	const char *problem = NULL;
	char path[200];
	int fd, second;

	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	CHECK(unix_socket_listen(path, &problem) < 0);
	CHECK(strstr(problem, "longer"));
	fd = unix_socket_listen(pci_path, &problem);
	CHECK(fd >= 0);
	CHECK(unix_socket_listen(pci_path, &problem) < 0);
	CHECK(strstr(problem, "in use"));
	close(fd);
	second = unix_socket_listen(pci_path, &problem); /* a socket without listener is replaced */
	CHECK(second >= 0);
	close(second);
	unlink(pci_path);
}

/* ---- virtual time: a guest that behaves like arch/um/kernel/time.c ---- */

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

/* Wait for the front end's answer; process time messages meanwhile. */
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
	CHECK_EQ(free_until, 1000700000); /* no event is planned, but there is an upper limit */
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

/* An idle front end is polled at fixed times, and only after the guest ran. */
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
 * Commands from the socket wait until the guest is stopped, and see a time that it has not
 * passed.
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
	snprintf(folder, sizeof(folder), "/tmp/vivgpu-test-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	snprintf(pci_path, sizeof(pci_path), "%s/pci", folder);
	snprintf(time_path, sizeof(time_path), "%s/time", folder);
	snprintf(control_path, sizeof(control_path), "%s/control", folder);
	RUN(registers_and_interrupts);
	RUN(guests_come_and_go);
	RUN(module_reload);
	RUN(control_socket);
	RUN(once);
	RUN(no_sleep_after_a_look);
	RUN(broken_front_end_is_dropped);
	RUN(socket_paths);
	RUN(guest_without_virtual_time_is_refused);
	RUN(guest_sleeps_and_runs);
	RUN(interrupts_are_events_of_the_calendar);
	RUN(delayed_interrupts_arrive_to_the_nanosecond);
	RUN(front_end_polls_on_a_grid);
	RUN(card_is_pulled_but_time_goes_on);
	RUN(control_in_virtual_time);
	rmdir(folder);
	return test_end();
}
