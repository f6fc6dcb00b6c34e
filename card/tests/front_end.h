/* SPDX-License-Identifier: MIT */
/*
 * A vhost-user front end for tests: sends valid and invalid messages, and has guest memory with
 * two rings.
 */
#ifndef CARD_TESTS_FRONT_END_H
#define CARD_TESTS_FRONT_END_H

#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bus/vhost_user.h"
#include "tests/ring.h"
#include "tests/send_fds.h"

#define GUEST_ADDRESS 0x02000000ull  /* guest-physical address of the first byte */
#define GUEST_USER 0x7f0000000000ull /* the front end's virtual address of it */
#define GUEST_OFFSET 0x3000ull       /* its offset in the file */
#define GUEST_BYTES (2ull * RING_ROOM)

struct front_end {
	int fd; /* the connection */
	int memory_fd;
	uint8_t *memory; /* the guest's first byte */
	struct test_ring ring[2];
	int backend_fd; /* our end of the back end's channel, or -1 */
	int call_fd[2]; /* our ends of the call pipes, or -1 */
	int kick_fd[2]; /* our ends of the kick pipes, or -1 */
};

/*
 * Send a message with @count descriptors. Its header announces @size bytes of payload, @sent
 * are sent.
 */
__attribute__((unused)) static bool front_send_raw(int fd, uint32_t request, uint32_t flags,
						   uint32_t size, const void *payload, size_t sent,
						   const int *fds, unsigned int count)
{
	struct vhost_user_header header = { request, flags, size };

	return send_with_fds(fd, &header, sizeof(header), payload, sent, fds, count, 0);
}

__attribute__((unused)) static bool front_send(struct front_end *front, uint32_t request,
					       const void *payload, uint32_t size, const int *fds,
					       unsigned int count)
{
	return front_send_raw(front->fd, request, VHOST_USER_VERSION | VHOST_USER_NEED_REPLY, size,
			      payload, size, fds, count);
}

/* The number in the next answer, which has to be one to @request; UINT64_MAX - 1 if there is none. */
__attribute__((unused)) static uint64_t front_answer(struct front_end *front, uint32_t request)
{
	struct {
		struct vhost_user_header header;
		uint8_t payload[64];
	} in;
	uint64_t number;

	if (recv(front->fd, &in.header, sizeof(in.header), MSG_DONTWAIT) != sizeof(in.header) ||
	    in.header.request != request || in.header.size != sizeof(number) ||
	    in.header.flags != (VHOST_USER_VERSION | VHOST_USER_REPLY) ||
	    recv(front->fd, &number, sizeof(number), MSG_DONTWAIT) != sizeof(number))
		return UINT64_MAX - 1;
	return number;
}

/* A guest with memory and two empty rings, connected through @fd. */
__attribute__((unused)) static void front_init(struct front_end *front, int fd)
{
	front->fd = fd;
	front->memory_fd = memfd_create("guest", MFD_CLOEXEC);
	if (ftruncate(front->memory_fd, GUEST_OFFSET + GUEST_BYTES))
		abort();
	front->memory = mmap(NULL, GUEST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
			     front->memory_fd, GUEST_OFFSET);
	front->backend_fd = -1;
	for (unsigned int i = 0; i < 2; i++) {
		ring_init(&front->ring[i], front->memory + i * RING_ROOM,
			  GUEST_ADDRESS + i * RING_ROOM);
		front->call_fd[i] = front->kick_fd[i] = -1;
	}
}

__attribute__((unused)) static void front_close(struct front_end *front)
{
	munmap(front->memory, GUEST_BYTES);
	close(front->memory_fd);
	if (front->fd >= 0)
		close(front->fd);
	if (front->backend_fd >= 0)
		close(front->backend_fd);
	for (unsigned int i = 0; i < 2; i++) {
		if (front->call_fd[i] >= 0)
			close(front->call_fd[i]);
		if (front->kick_fd[i] >= 0)
			close(front->kick_fd[i]);
	}
}

struct front_memory {
	uint32_t count, padding;
	struct {
		uint64_t guest, size, user, offset;
	} region[2];
};

__attribute__((unused)) static struct front_memory front_memory_table(void)
{
	return (struct front_memory){
		1, 0, { { GUEST_ADDRESS, GUEST_BYTES, GUEST_USER, GUEST_OFFSET } }
	};
}

struct front_addresses {
	uint32_t index, flags;
	uint64_t desc, used, avail, log;
};

__attribute__((unused)) static struct front_addresses front_ring_addresses(unsigned int ring)
{
	uint64_t user = GUEST_USER + ring * RING_ROOM;

	return (struct front_addresses){
		ring, 0, user + RING_DESC, user + RING_USED, user + RING_AVAIL, UINT64_MAX
	};
}

#endif
