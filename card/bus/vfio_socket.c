// SPDX-License-Identifier: MIT
/* The socket of a vfio-user client: connects, messages, replies. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus/unix_socket.h"
#include "bus/vfio_internal.h"

#define HEADER_BYTES sizeof(struct vfio_user_header)

_Static_assert(offsetof(struct vfio_message, payload) == HEADER_BYTES,
	       "a message is received and sent as it is in memory");

static void drop_received_fds(struct vfio_user *vu)
{
	for (unsigned int i = 0; i < vu->in_fds; i++)
		if (vu->in_fd[i] >= 0)
			close(vu->in_fd[i]);
	vu->in_fds = 0;
}

void vfio_disconnect(struct vfio_user *vu, const char *reason)
{
	if (vu->fd >= 0 && !vu->gone) {
		vu->gone = true;
		vu->reason = reason;
	}
}

void vfio_close(struct vfio_user *vu)
{
	if (vu->fd >= 0)
		close(vu->fd);
	vu->fd = -1;
	vu->gone = false;
	vu->negotiated = false;
	vu->in_bytes = 0;
	drop_received_fds(vu);
	vfio_irq_close(&vu->irq);
	vfio_memory_clear(&vu->memory);
}

void vfio_clean_up(struct vfio_user *vu)
{
	if (!vu->gone || vu->serving)
		return;
	bus_log("guest gone", vu->reason);
	bus_devices_clean_up(&vu->devices, true);
	vfio_close(vu);
	vfio_power_on(vu);
	board_reset(vu->board);
}

void vfio_accept(struct vfio_user *vu)
{
	int fd = unix_socket_accept(vu->options.listener);

	if (fd < 0)
		return;
	if (vu->fd >= 0) {
		bus_log("guest refused", "there is one already");
		vu->statistics.refused_guests++;
		close(fd);
		return;
	}
	vu->fd = fd;
	vu->statistics.guests++;
	bus_log("guest connected", NULL);
}

/* ---- messages ---- */

/* Send a reply. A socket without room for it is an error: the client does not read. */
static void send_reply(struct vfio_user *vu, struct vfio_message *reply, uint32_t bytes, int error)
{
	size_t length = HEADER_BYTES + bytes;

	reply->header = (struct vfio_user_header){
		.id = vu->in.header.id,
		.command = vu->in.header.command,
		.size = length,
		.flags = VFIO_USER_REPLY | (error ? VFIO_USER_ERROR : 0),
		.error = error,
	};
	if (send(vu->fd, reply, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length)
		return;
	vfio_disconnect(vu, errno == EPIPE || errno == ECONNRESET ? "it disconnected"
								  : "it does not take replies");
}

static void execute(struct vfio_user *vu)
{
	struct vfio_message reply;
	uint32_t bytes;
	int error = vfio_execute(vu, reply.payload, &bytes);

	vu->statistics.messages++;
	drop_received_fds(vu);
	if (error)
		vu->statistics.refused++;
	if (!(vu->in.header.flags & VFIO_USER_NO_REPLY))
		send_reply(vu, &reply, bytes, error);
	if (!vu->negotiated)
		vfio_disconnect(vu, "it did not begin with a version that the card knows");
}

/* Receive up to @bytes of the message, without waiting. Returns: whether any have arrived. */
static bool receive_bytes(struct vfio_user *vu, size_t bytes)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(VFIO_USER_FDS * sizeof(int))];
	} control;
	struct iovec iov = { (uint8_t *)&vu->in + vu->in_bytes, bytes };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(vu->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (got <= 0) {
		vfio_disconnect(vu, "it disconnected");
		return false;
	}
	if (!unix_socket_take_fds(&msg, vu->in_fd, &vu->in_fds, VFIO_USER_FDS))
		vfio_disconnect(vu, "a message carries more descriptors than agreed");
	vu->in_bytes += got;
	return !vu->gone;
}

/*
 * Bytes that are missing in the header, or after it in the message. The header was checked when it
 * was complete (receive_message()), and no more than these bytes are received at once.
 */
static size_t missing(const struct vfio_user *vu)
{
	return (vu->in_bytes < HEADER_BYTES ? HEADER_BYTES : vu->in.header.size) - vu->in_bytes;
}

static bool header_fits(struct vfio_user *vu)
{
	const char *problem = vfio_check_header(&vu->in.header);

	if (problem)
		vfio_disconnect(vu, problem);
	return !problem;
}

bool vfio_has_message(const struct vfio_user *vu)
{
	return vu->in_bytes >= HEADER_BYTES && !missing(vu);
}

/* Receive the rest of a message. Returns: whether it is complete. */
static bool receive_message(struct vfio_user *vu)
{
	while (!vfio_has_message(vu)) {
		bool in_header = vu->in_bytes < HEADER_BYTES;

		if (!receive_bytes(vu, missing(vu)))
			return false;
		if (in_header && vu->in_bytes == HEADER_BYTES && !header_fits(vu))
			return false;
	}
	return true;
}

unsigned int vfio_receive(struct vfio_user *vu, unsigned int limit, bool within)
{
	unsigned int executed = 0;

	if (vu->serving || vu->fd < 0)
		return 0;
	vu->serving = true;
	vu->looked_ns = clock_now(vu->clock);
	while (executed < limit && !vu->gone && receive_message(vu)) {
		if (within && !vfio_may_interrupt(vu)) {
			vu->statistics.postponed++; /* at each look at the waiting message */
			break;
		}
		vu->in_bytes = 0;
		execute(vu);
		executed++;
	}
	vu->serving = false;
	return executed;
}
