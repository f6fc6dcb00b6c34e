/* SPDX-License-Identifier: MIT */
/*
 * A client of the vfio-user protocol for tests, and the bus with a board and a fake core on the other
 * side of its socket. Both run in the same thread: turn() is one iteration of the card's loop.
 */
#ifndef CARD_TESTS_VFIO_CLIENT_H
#define CARD_TESTS_VFIO_CLIENT_H

#include "tests/check.h"
#include "tests/fake_gc.h"

#include <errno.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "board/board.h"
#include "bus/pci_config.h"
#include "bus/unix_socket.h"
#include "bus/vfio_message.h"
#include "bus/vfio_user.h"
#include "tests/send_fds.h"

#define NO_REPLY_CAME (-1)
#define RAM_ADDRESS 0x40000000ull
#define RAM_BYTES 0x10000ull

static char folder[32], socket_path[64];
static struct card_clock *cal;
static struct bus *bus;
static struct board *board;
static int client = -1;
static int ram_fd = -1;
static uint16_t next_id;

/* The last reply. */
static struct {
	struct vfio_user_header header;
	uint8_t payload[VFIO_USER_PAYLOAD_BYTES];
	size_t bytes; /* of the payload */
} reply;

__attribute__((unused)) static bool make_folder(void)
{
	snprintf(folder, sizeof(folder), "/tmp/vivgpu-test-XXXXXX");
	if (!mkdtemp(folder))
		return false;
	snprintf(socket_path, sizeof(socket_path), "%s/vfio", folder);
	return true;
}

__attribute__((unused)) static void unplug(void)
{
	if (client >= 0)
		close(client);
	client = -1;
	board_destroy(board);
	bus_destroy(bus);
	bus = NULL;
	clock_destroy(cal);
	close(ram_fd);
	unlink(socket_path);
}

/* Unplugs first if a failed test has left its card. */
__attribute__((unused)) static void plug_in(bool platform, bool once)
{
	const struct gc_options options = { .poll_ns = 1000 };
	struct vfio_user_options bus_options = { .platform = platform, .once = once };
	struct board_host host;
	const char *problem;

	if (bus)
		unplug();
	bus_options.listener = unix_socket_listen(socket_path, &problem);
	cal = clock_create(false);
	bus = vfio_user_create(&bus_options, cal);
	host = bus_host(bus);
	board = board_create(&host, cal, bus_memory(bus), gc_personality_find("gc3000"), &options);
	bus_attach(bus, board);
	ram_fd = memfd_create("ram", MFD_CLOEXEC);
	if (ram_fd < 0 || ftruncate(ram_fd, RAM_BYTES))
		abort();
}

__attribute__((unused)) static void turn(void)
{
	struct pollfd fds[BUS_FDS];
	unsigned int count = bus_poll_fds(bus, fds);

	if (poll(fds, count, 0) > 0)
		bus_dispatch(bus, fds, count);
	bus_serve(bus);
	clock_run_due(cal);
}

/* Send a message whose header announces @size bytes of payload; @sent are sent. */
__attribute__((unused)) static bool send_raw(uint16_t command, uint32_t flags, uint32_t size,
					     const void *payload, size_t sent, const int *fds,
					     unsigned int count)
{
	struct vfio_user_header header = { ++next_id, command, sizeof(header) + size, flags, 0 };

	return send_with_fds(client, &header, sizeof(header), payload, sent, fds, count,
			     MSG_DONTWAIT);
}

/* Receive the reply to the last message. Returns: its error, 0 if none, or NO_REPLY_CAME. */
__attribute__((unused)) static int receive_reply(uint16_t command)
{
	if (recv(client, &reply.header, sizeof(reply.header), MSG_DONTWAIT) != sizeof(reply.header))
		return NO_REPLY_CAME;
	reply.bytes = reply.header.size - sizeof(reply.header);
	if (reply.header.id != next_id || reply.header.command != command ||
	    (reply.header.flags & VFIO_USER_TYPE) != VFIO_USER_REPLY ||
	    reply.bytes > sizeof(reply.payload))
		return NO_REPLY_CAME;
	if (reply.bytes &&
	    recv(client, reply.payload, reply.bytes, MSG_DONTWAIT) != (ssize_t)reply.bytes)
		return NO_REPLY_CAME;
	if (!(reply.header.flags & VFIO_USER_ERROR))
		return 0;
	return reply.header.error ? (int)reply.header.error : NO_REPLY_CAME;
}

__attribute__((unused)) static int ask_with(uint16_t command, const void *payload, size_t bytes,
					    const int *fds, unsigned int count)
{
	if (!send_raw(command, 0, bytes, payload, bytes, fds, count))
		return NO_REPLY_CAME;
	turn();
	return receive_reply(command);
}

__attribute__((unused)) static int ask(uint16_t command, const void *payload, size_t bytes)
{
	return ask_with(command, payload, bytes, NULL, 0);
}

/* ---- single requests ---- */

__attribute__((unused)) static int send_version(uint16_t major)
{
	uint8_t payload[6] = { major & 0xff, major >> 8, 0, 0, '{', '}' };
	uint8_t text[7] = { 0 };

	memcpy(text, payload, sizeof(payload));
	return ask(VFIO_USER_VERSION, text, sizeof(text));
}

__attribute__((unused)) static void connect_client(void)
{
	client = unix_socket_connect(socket_path);
	turn();
}

__attribute__((unused)) static bool join(void)
{
	connect_client();
	return send_version(VFIO_USER_MAJOR) == 0;
}

/* End the connection, also if the card has a descriptor of it, and let the card notice it. */
__attribute__((unused)) static void leave(void)
{
	shutdown(client, SHUT_RDWR);
	close(client);
	client = -1;
	turn();
}

/* Whether the card has closed the connection. */
__attribute__((unused)) static bool dropped(void)
{
	char byte;

	turn();
	for (;;) {
		ssize_t got = recv(client, &byte, 1, MSG_DONTWAIT);

		if (got <= 0)
			return got == 0 || errno == ECONNRESET;
	}
}

__attribute__((unused)) static int region_read(uint32_t region, uint64_t offset, uint32_t count,
					       void *data)
{
	const struct vfio_user_access access = { offset, region, count };
	int error = ask(VFIO_USER_REGION_READ, &access, sizeof(access));

	if (error)
		return error;
	if (reply.bytes != sizeof(access) + count)
		return NO_REPLY_CAME;
	memcpy(data, reply.payload + sizeof(access), count);
	return 0;
}

__attribute__((unused)) static int region_write(uint32_t region, uint64_t offset, uint32_t count,
						const void *data)
{
	const struct vfio_user_access access = { offset, region, count };
	uint8_t payload[sizeof(access) + PCI_CONFIG_BYTES];

	memcpy(payload, &access, sizeof(access));
	memcpy(payload + sizeof(access), data, count);
	return ask(VFIO_USER_REGION_WRITE, payload, sizeof(access) + count);
}

__attribute__((unused)) static uint32_t read_register(uint32_t offset)
{
	uint32_t value = 0;

	if (region_read(VFIO_PCI_BAR0_REGION_INDEX, offset, sizeof(value), &value))
		abort();
	return value;
}

__attribute__((unused)) static void write_register(uint32_t offset, uint32_t value)
{
	if (region_write(VFIO_PCI_BAR0_REGION_INDEX, offset, sizeof(value), &value))
		abort();
}

__attribute__((unused)) static uint32_t read_config(uint32_t offset, unsigned int size)
{
	uint32_t value = 0;

	if (region_read(VFIO_PCI_CONFIG_REGION_INDEX, offset, size, &value))
		abort();
	return value;
}

__attribute__((unused)) static void write_config(uint32_t offset, unsigned int size, uint32_t value)
{
	if (region_write(VFIO_PCI_CONFIG_REGION_INDEX, offset, size, &value))
		abort();
}

__attribute__((unused)) static void enable_memory(void)
{
	write_config(PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
}

__attribute__((unused)) static int map_ram(uint64_t address, uint64_t offset, uint64_t size,
					   uint32_t flags, int fd)
{
	const struct vfio_user_dma_map map = { sizeof(map), flags, offset, address, size };

	return ask_with(VFIO_USER_DMA_MAP, &map, sizeof(map), &fd, fd >= 0);
}

__attribute__((unused)) static int unmap_ram(uint64_t address, uint64_t size, uint32_t flags)
{
	const struct vfio_user_dma_unmap unmap = { sizeof(unmap), flags, address, size };

	return ask(VFIO_USER_DMA_UNMAP, &unmap, sizeof(unmap));
}

__attribute__((unused)) static int set_irqs(uint32_t index, uint32_t start, uint32_t count,
					    uint32_t flags, const int *fds, unsigned int fd_count)
{
	const struct vfio_user_irq_set set = { sizeof(set), flags, index, start, count };

	return ask_with(VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), fds, fd_count);
}

__attribute__((unused)) static int set_eventfd(uint32_t index, uint32_t vector, int fd)
{
	return set_irqs(index, vector, 1, VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_EVENTFD,
			&fd, fd >= 0);
}

__attribute__((unused)) static int new_eventfd(void)
{
	return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* How often an eventfd was signalled since the last call. */
__attribute__((unused)) static uint64_t signals(int fd)
{
	uint64_t count = 0;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

/* The fake core: register 0 sets the interrupt line. */
__attribute__((unused)) static void core_write(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	if (offset == 0)
		gc->host.set_irq(gc->host.ctx, value);
}

/* A client that has negotiated, and a fake core with an interrupt line. */
__attribute__((unused)) static void begin(bool platform)
{
	plug_in(platform, false);
	fake_gc->on_write = core_write;
	if (!join())
		abort();
}

#endif
