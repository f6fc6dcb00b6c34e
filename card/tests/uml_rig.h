/* SPDX-License-Identifier: MIT */
/*
 * The whole bus with the event loop in a thread, for tests: a guest's sockets on one side, a
 * board with a fake core on the other.
 */
#ifndef CARD_TESTS_UML_RIG_H
#define CARD_TESTS_UML_RIG_H

#include "tests/check.h"
#include "tests/fake_gc.h"
#include "tests/front_end.h"

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
static struct bus *bus;
static struct board *board;
static struct control_server control;
static struct loop loop;
static pthread_t thread;
static struct front_end front;
static bool virtual_time;

/* Paths of the sockets in a new folder, which main() removes; false if it cannot be made. */
__attribute__((unused)) static bool make_paths(void)
{
	snprintf(folder, sizeof(folder), "/tmp/vivgpu-test-XXXXXX");
	if (!mkdtemp(folder))
		return false;
	snprintf(pci_path, sizeof(pci_path), "%s/pci", folder);
	snprintf(time_path, sizeof(time_path), "%s/time", folder);
	snprintf(control_path, sizeof(control_path), "%s/control", folder);
	return true;
}

__attribute__((unused)) static void *run(void *arg)
{
	loop_run(&loop);
	return NULL;
}

__attribute__((unused)) static void plug_in(bool is_virtual, bool once)
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
	host = bus_host(bus);
	board = board_create(&host, cal, bus_memory(bus), gc_personality_find("gc3000"), &options);
	bus_attach(bus, board);
	loop = (struct loop){ .clock = cal,
			      .bus = bus,
			      .board = board,
			      .control = &control,
			      .poll_ns = POLL_NS,
			      .spin_ns = 20000,
			      .stop = &stop };
	loop_init(&loop);
}

__attribute__((unused)) static void start(void)
{
	pthread_create(&thread, NULL, run, NULL);
}

/* Wake the loop by a control connection, so that it checks stop. */
__attribute__((unused)) static void finish(void)
{
	int fd;

	stop = 1;
	fd = unix_socket_connect(control_path);
	pthread_join(thread, NULL);
	close(fd);
}

__attribute__((unused)) static void unplug(void)
{
	control_server_close(&control);
	board_destroy(board);
	bus_destroy(bus);
	clock_destroy(cal);
	unlink(pci_path);
	unlink(time_path);
	unlink(control_path);
}

__attribute__((unused)) static bool readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, PATIENCE_MS) == 1;
}

/* ---- a valid guest ---- */

__attribute__((unused)) static uint64_t ask(uint32_t request, const void *payload, uint32_t size,
					    const int *fds, unsigned int count)
{
	if (!front_send(&front, request, payload, size, fds, count) || !readable(front.fd))
		return UINT64_MAX - 1;
	return front_answer(&front, request);
}

__attribute__((unused)) static uint64_t ask_ring(uint32_t request, uint32_t index, uint32_t number)
{
	const uint32_t payload[2] = { index, number };

	return ask(request, payload, sizeof(payload), NULL, 0);
}

__attribute__((unused)) static bool set_up_ring(unsigned int i)
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

__attribute__((unused)) static bool connect_front(void)
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

__attribute__((unused)) static void kick(unsigned int ring)
{
	const uint64_t one = 1;

	if (front.ring[ring].used->flags & VRING_USED_NO_NOTIFY)
		return;
	if (!virtual_time && write(front.kick_fd[ring], &one, sizeof(one)) != sizeof(one))
		abort();
}

/* Offer a command; slots 0 and 1 of the command ring. */
__attribute__((unused)) static void offer(uint8_t op, uint32_t size, uint64_t address,
					  uint64_t data, bool write)
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
__attribute__((unused)) static uint64_t command(uint8_t op, uint32_t size, uint64_t address,
						uint64_t data, bool write)
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

__attribute__((unused)) static uint32_t read_register(uint32_t offset)
{
	return command(VIRTIO_PCIDEV_OP_MMIO_READ, 4, offset, 0, false);
}

__attribute__((unused)) static void write_register(uint32_t offset, uint32_t value)
{
	command(VIRTIO_PCIDEV_OP_MMIO_WRITE, 4, offset, value, true);
}

__attribute__((unused)) static void enable_device(void)
{
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_COMMAND, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER,
		true);
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_CAP_MSI + PCI_MSI_DATA_64, IRQ_VECTOR, true);
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_CAP_MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_ENABLE,
		true);
}

__attribute__((unused)) static void give_interrupt_buffer(unsigned int index)
{
	ring_describe(&front.ring[1], index, 20, VRING_DESC_WRITE, 0);
	ring_offer(&front.ring[1], index);
}

/* The fake core: register 0 sets the interrupt line. */
__attribute__((unused)) static void core_write(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	if (offset == 0)
		gc->host.set_irq(gc->host.ctx, value);
}

#endif
