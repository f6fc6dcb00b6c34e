// SPDX-License-Identifier: MIT
/* vhost-user, back-end side: receives, checks and answers messages. */
#include "bus/vhost_requests.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/unix_socket.h"

#define HEADER_BYTES sizeof(struct vhost_user_header)
#define MESSAGES_AT_ONCE 64 /* maximum per call, so that other work of the card is not delayed */

_Static_assert(HEADER_BYTES == 12, "messages are packed");
_Static_assert(offsetof(struct vhost_user_message, number) == 16,
	       "payload is received apart from the header");

static void drop_received_fds(struct vhost_user *vu)
{
	while (vu->in_fds)
		close(vu->in_fd[--vu->in_fds]);
}

void vhost_user_init(struct vhost_user *vu, bool inband)
{
	memset(vu, 0, sizeof(*vu));
	vu->inband = inband;
	vu->fd = -1;
	vu->backend_fd = -1;
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
		vu->kick_fd[i] = vu->call_fd[i] = -1;
}

void vhost_user_open(struct vhost_user *vu, int fd)
{
	vhost_user_close(vu);
	vu->fd = fd;
	vhost_user_set_nonblocking(fd);
}

void vhost_user_close(struct vhost_user *vu)
{
	vhost_user_reset_rings(vu);
	vhost_user_unmap_memory(vu);
	drop_received_fds(vu);
	vhost_user_close_fd(&vu->backend_fd);
	vhost_user_close_fd(&vu->fd);
	vu->features = 0;
	vu->protocol_features = 0;
	vu->in_bytes = 0;
	vu->backend_in_bytes = 0;
	vu->calls_unanswered = 0;
}

/* ---- messages ---- */

/* Send a message. A socket without room for one is an error: the front end does not read it. */
static enum vhost_user_status send_message(int fd, const struct vhost_user_message *message)
{
	uint8_t bytes[HEADER_BYTES + VHOST_USER_PAYLOAD_BYTES];
	size_t length = HEADER_BYTES + message->header.size;

	memcpy(bytes, &message->header, HEADER_BYTES);
	memcpy(bytes + HEADER_BYTES, message->bytes, message->header.size);
	if (send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length)
		return VHOST_USER_OK;
	return errno == EPIPE || errno == ECONNRESET ? VHOST_USER_CLOSED : VHOST_USER_ERROR;
}

/* Answer the message in vu->in with its data or with a status, if it needs an answer. */
static enum vhost_user_status answer(struct vhost_user *vu, const struct vhost_request *request,
				     bool ok)
{
	struct vhost_user_message reply = {
		.header = { vu->in.header.request, VHOST_USER_VERSION | VHOST_USER_REPLY, 0 },
	};

	if (ok && request->answer) {
		reply.header.size =
			request->answer == VHOST_SAME_SIZE ? vu->in.header.size : request->answer;
		memcpy(reply.bytes, vu->in.bytes, reply.header.size);
	} else if (vu->in.header.flags & VHOST_USER_NEED_REPLY &&
		   vu->protocol_features & VHOST_USER_P_REPLY_ACK) {
		reply.header.size = sizeof(reply.number);
		reply.number = !ok;
	} else {
		return ok ? VHOST_USER_OK : VHOST_USER_ERROR;
	}
	return send_message(vu->fd, &reply);
}

/* Check, process and answer the complete message in vu->in. */
static enum vhost_user_status handle(struct vhost_user *vu)
{
	const struct vhost_request *request = vhost_user_find_request(vu->in.header.request);
	bool ok;

	vu->messages++;
	if (!request->handle)
		ok = vhost_user_refuse(vu, "a request that this device does not know");
	else if (vu->in.header.size < request->bytes)
		ok = vhost_user_refuse(vu, "a message is too short");
	else if (vu->in_fds && !request->fds)
		ok = vhost_user_refuse(vu, "a message carries file descriptors that it should not");
	else
		ok = request->handle(vu);
	drop_received_fds(vu);
	if (!ok)
		vu->refused++;
	return answer(vu, request, ok);
}

/*
 * Receive up to @bytes without waiting, and store descriptors in vu->in_fd.
 * Returns: as recvmsg(); -2 if control data was truncated.
 */
static ssize_t receive(struct vhost_user *vu, void *data, size_t bytes)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(VHOST_USER_MAX_FDS * sizeof(int))];
	} control;
	struct iovec iov = { data, bytes };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(vu->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (got >= 0 && !unix_socket_take_fds(&msg, vu->in_fd, &vu->in_fds, VHOST_USER_MAX_FDS))
		return -2;
	return got;
}

/*
 * Find the destination of the next bytes of a message.
 * @have: bytes received so far. Returns: bytes missing in the header or the payload.
 */
static size_t missing(struct vhost_user_message *in, size_t have, void **where)
{
	if (have < HEADER_BYTES) {
		*where = (uint8_t *)&in->header + have;
		return HEADER_BYTES - have;
	}
	*where = in->bytes + (have - HEADER_BYTES);
	return in->header.size - (have - HEADER_BYTES);
}

static bool header_fits(const struct vhost_user_header *header, uint32_t flags)
{
	return (header->flags & ~VHOST_USER_NEED_REPLY) == flags &&
	       header->size <= VHOST_USER_PAYLOAD_BYTES;
}

/* The state of the connection after a read that returned @got <= 0. */
static enum vhost_user_status read_failed(ssize_t got)
{
	if (got == -1 && (errno == EAGAIN || errno == EINTR))
		return VHOST_USER_OK;
	return got == 0 || errno == ECONNRESET ? VHOST_USER_CLOSED : VHOST_USER_ERROR;
}

enum vhost_user_status vhost_user_receive(struct vhost_user *vu)
{
	for (unsigned int handled = 0; handled < MESSAGES_AT_ONCE;) {
		enum vhost_user_status status;
		void *where;
		size_t wanted = missing(&vu->in, vu->in_bytes, &where);
		ssize_t got = wanted ? receive(vu, where, wanted) : 0;

		if (got < 0 || (wanted && !got))
			return read_failed(got);
		vu->in_bytes += got;
		if (vu->in_bytes < HEADER_BYTES)
			continue;
		if (!header_fits(&vu->in.header, VHOST_USER_VERSION)) {
			vhost_user_refuse(vu, "a message header is no vhost-user header");
			return VHOST_USER_ERROR;
		}
		if (vu->in_bytes < HEADER_BYTES + vu->in.header.size)
			continue;
		vu->in_bytes = 0;
		handled++;
		status = handle(vu);
		if (status != VHOST_USER_OK)
			return status;
	}
	return VHOST_USER_OK;
}

/* Process the answer to a notification that was sent by call_in_band(). */
static bool receive_backend_answer(struct vhost_user *vu)
{
	const struct vhost_user_message *in = &vu->backend_in;

	if (in->header.request != VHOST_USER_BACKEND_VRING_CALL || !vu->calls_unanswered ||
	    in->header.size != sizeof(in->number))
		return vhost_user_refuse(vu, "an answer to nothing that was asked");
	vu->calls_unanswered--;
	return true;
}

enum vhost_user_status vhost_user_receive_backend(struct vhost_user *vu)
{
	while (vu->calls_unanswered) {
		void *where;
		size_t wanted = missing(&vu->backend_in, vu->backend_in_bytes, &where);
		ssize_t got = recv(vu->backend_fd, where, wanted, MSG_DONTWAIT);

		if (got <= 0)
			return read_failed(got);
		vu->backend_in_bytes += got;
		if (vu->backend_in_bytes < HEADER_BYTES)
			continue;
		if (!header_fits(&vu->backend_in.header, VHOST_USER_VERSION | VHOST_USER_REPLY) ||
		    !vu->backend_in.header.size)
			return VHOST_USER_ERROR;
		if (vu->backend_in_bytes < HEADER_BYTES + vu->backend_in.header.size)
			continue;
		vu->backend_in_bytes = 0;
		if (!receive_backend_answer(vu))
			return VHOST_USER_ERROR;
	}
	return VHOST_USER_OK;
}

void vhost_user_drain_kick(struct vhost_user *vu, unsigned int ring)
{
	uint8_t bytes[64];

	/* Reading 8 bytes resets an eventfd. End of file or an error ends kicks from it. */
	ssize_t got = read(vu->kick_fd[ring], bytes, sizeof(bytes));

	if (got > 0)
		vu->kicks++;
	else if (got == 0 || (errno != EAGAIN && errno != EINTR))
		vhost_user_close_fd(&vu->kick_fd[ring]);
}

static enum vhost_user_status call_in_band(struct vhost_user *vu, unsigned int ring)
{
	struct vhost_user_message call = {
		.header = { VHOST_USER_BACKEND_VRING_CALL, VHOST_USER_VERSION, VHOST_RING_BYTES },
		.ring = { .index = ring },
	};
	enum vhost_user_status status;

	if (vu->backend_fd < 0)
		return VHOST_USER_OK; /* the front end has given no channel */
	if (vu->protocol_features & VHOST_USER_P_REPLY_ACK)
		call.header.flags |= VHOST_USER_NEED_REPLY;
	status = send_message(vu->backend_fd, &call);
	if (status == VHOST_USER_OK && call.header.flags & VHOST_USER_NEED_REPLY)
		vu->calls_unanswered++;
	return status;
}

enum vhost_user_status vhost_user_call(struct vhost_user *vu, unsigned int ring)
{
	const uint64_t one = 1;

	vu->calls++;
	if (vu->protocol_features & VHOST_USER_P_INBAND)
		return call_in_band(vu, ring);
	/* EAGAIN: the counter is full of calls that the guest has not read. */
	if (vu->call_fd[ring] >= 0 && write(vu->call_fd[ring], &one, sizeof(one)) < 0 &&
	    errno != EAGAIN)
		vhost_user_close_fd(&vu->call_fd[ring]);
	return VHOST_USER_OK;
}
