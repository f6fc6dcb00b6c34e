// SPDX-License-Identifier: MIT
/* The whole bus with the event loop in real time; virtual time: test_bus_uml_virtual.c. */
#include "tests/uml_rig.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/un.h>

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

/* A driver is loaded again: its rings are disabled, and set up anew in the same memory. */
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
	memset(reply, 'x', sizeof(reply)); /* no newline within CONTROL_LINE_BYTES */
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
	CHECK(bus_finished(bus));
	unplug();
}

static void do_nothing(void *ctx)
{
}

/* A loop with stop set ends before it polls or sleeps, also after a turn that did not sleep. */
TEST(no_sleep_after_a_look)
{
	struct clock_event alarm = { .fn = do_nothing };
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

/* Files that are no sockets are refused and stay, at the path and at the name until it listens. */
TEST(a_file_at_a_sockets_path)
{
	static const char *const added[] = { "", ".new" };
	char path[sizeof(pci_path) + 4];

	for (unsigned int i = 0; i < 2; i++) {
		const char *problem = NULL;
		struct stat status;
		FILE *file;

		snprintf(path, sizeof(path), "%s%s", pci_path, added[i]);
		file = fopen(path, "w");
		CHECK(file && fputs("kept", file) >= 0 && !fclose(file));
		CHECK(unix_socket_listen(pci_path, &problem) < 0);
		CHECK(problem && strstr(problem, "no socket"));
		CHECK(!stat(path, &status));
		CHECK_EQ(status.st_size, 4);
		unlink(path);
	}
}

/* A listener that does not accept, and whose queue is full, does not block the card. */
TEST(busy_listener)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *problem = NULL;
	int waiting[64];
	unsigned int count = 0;
	int listener = unix_socket_listen(pci_path, &problem);

	CHECK(listener >= 0);
	memcpy(address.sun_path, pci_path, sizeof(pci_path));
	while (count < 64) {
		waiting[count] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (connect(waiting[count++], (struct sockaddr *)&address, sizeof(address)))
			break;
	}
	CHECK_EQ(errno, EAGAIN);
	alarm(10); /* instead of the limit in check.h */
	CHECK(unix_socket_listen(pci_path, &problem) < 0);
	CHECK(strstr(problem, "in use"));
	while (count)
		close(waiting[--count]);
	close(listener);
	unlink(pci_path);
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
