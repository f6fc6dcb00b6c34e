// SPDX-License-Identifier: MIT
/* vhost-user, back-end side: receiving, checking and answering messages. */
#include "bus/vhost_user.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_BYTES sizeof(struct vhost_user_header)
#define MESSAGES_AT_ONCE 64 /* then the rest of the card gets a turn */
#define GUEST_PAGE 4096u    /* what the core translates at once */

_Static_assert(HEADER_BYTES == 12, "messages are packed");
_Static_assert(offsetof(struct vhost_user_message, number) == 16,
	       "payload is received apart from the header");

#define RING_INDEX_MASK 0xffu

static const uint64_t offered_features = VHOST_USER_F_PROTOCOL_FEATURES | VIRTIO_FEATURE_VERSION_1;

static uint64_t offered_protocol_features(const struct vhost_user *vu)
{
	return VHOST_USER_P_REPLY_ACK | VHOST_USER_P_BACKEND_REQ |
	       (vu->inband ? VHOST_USER_P_INBAND : 0);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void set_nonblocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Remember why a message is refused. */
static bool refuse(struct vhost_user *vu, const char *problem)
{
	vu->problem = problem;
	return false;
}

static void reset_rings(struct vhost_user *vu)
{
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++) {
		vring_reset(&vu->ring[i]);
		vu->address[i].set = false;
		close_fd(&vu->kick_fd[i]);
		close_fd(&vu->call_fd[i]);
	}
}

static void unmap_memory(struct vhost_user *vu)
{
	for (unsigned int i = 0; i < vu->memory.count; i++)
		munmap(vu->region[i].map, vu->region[i].map_bytes);
	vu->memory.count = 0;
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
		vu->ring[i].used = NULL;
}

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
	set_nonblocking(fd);
}

void vhost_user_close(struct vhost_user *vu)
{
	reset_rings(vu);
	unmap_memory(vu);
	drop_received_fds(vu);
	close_fd(&vu->backend_fd);
	close_fd(&vu->fd);
	vu->features = 0;
	vu->protocol_features = 0;
	vu->in_bytes = 0;
	vu->backend_in_bytes = 0;
	vu->calls_unanswered = 0;
}

/* ---- memory ---- */

/* Take the next descriptor that came with the message, or -1. */
static int receive_fd(struct vhost_user *vu, unsigned int index)
{
	int fd = -1;

	if (index < vu->in_fds) {
		fd = vu->in_fd[index];
		vu->in_fd[index] = vu->in_fd[--vu->in_fds];
	}
	return fd;
}

/* Whether a file really has the bytes [offset, offset + size): beyond its end lurks SIGBUS. */
static bool file_holds(int fd, uint64_t offset, uint64_t size)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size >= size &&
	       offset <= (uint64_t)st.st_size - size;
}

static bool map_region(struct vhost_user *vu, unsigned int index)
{
	uint64_t guest = vu->in.memory.region[index].guest;
	uint64_t size = vu->in.memory.region[index].size;
	uint64_t user = vu->in.memory.region[index].user;
	uint64_t offset = vu->in.memory.region[index].offset;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t slack = offset % page;
	uint8_t *map;

	if (!size || guest + size < guest || user + size < user)
		return refuse(vu, "a memory region is empty or wraps around");
	/* Else words that the guest has aligned could lie in two cache lines here. */
	if ((guest ^ offset) % GUEST_PAGE)
		return refuse(vu, "a memory region lies elsewhere in pages than in its file's");
	if (!file_holds(vu->in_fd[index], offset, size))
		return refuse(vu, "a memory region reaches beyond its file");
	map = mmap(NULL, slack + size, PROT_READ | PROT_WRITE, MAP_SHARED, vu->in_fd[index],
		   (off_t)(offset - slack));
	if (map == MAP_FAILED)
		return refuse(vu, "a memory region cannot be mapped");
	vu->region[index] = (struct vhost_user_region){ user, map, slack + size };
	vu->memory.region[index] = (struct guest_region){ guest, size, map + slack };
	vu->memory.count = index + 1;
	return true;
}

/* Guest-physical address of a front-end address, or of nowhere. */
static uint64_t guest_address(const struct vhost_user *vu, uint64_t user)
{
	for (unsigned int i = 0; i < vu->memory.count; i++)
		if (user - vu->region[i].user < vu->memory.region[i].size)
			return user - vu->region[i].user + vu->memory.region[i].address;
	return UINT64_MAX;
}

static bool map_ring(struct vhost_user *vu, unsigned int index)
{
	if (!vring_map(&vu->ring[index], &vu->memory, guest_address(vu, vu->address[index].desc),
		       guest_address(vu, vu->address[index].avail),
		       guest_address(vu, vu->address[index].used)))
		return refuse(vu, "a ring is not in guest memory, or not aligned");
	return true;
}

static bool set_memory(struct vhost_user *vu)
{
	unsigned int count = vu->in.memory.count;

	if (count > GUEST_MEMORY_REGIONS || vu->in_fds != count ||
	    vu->in.header.size < 8 + count * sizeof(vu->in.memory.region[0]))
		return refuse(vu, "a memory table's size, count and descriptors disagree");
	unmap_memory(vu);
	for (unsigned int i = 0; i < count; i++) {
		if (!map_region(vu, i)) {
			unmap_memory(vu);
			return false;
		}
	}
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
		if (vu->address[i].set)
			map_ring(vu, i); /* else it stays unmapped until its address is set */
	return true;
}

/* ---- rings ---- */

/* The ring a message is about, or NULL. */
static struct vring *ring_of(struct vhost_user *vu, uint32_t index)
{
	if (index < VHOST_USER_RINGS)
		return &vu->ring[index];
	refuse(vu, "no such ring");
	return NULL;
}

static bool set_ring_size(struct vhost_user *vu)
{
	struct vring *ring = ring_of(vu, vu->in.ring.index);
	uint32_t size = vu->in.ring.number;

	if (!ring)
		return false;
	if (!size || size > VRING_MAX_SIZE || size & (size - 1))
		return refuse(vu, "a ring's size is not a power of two up to 1024");
	vring_reset(ring);
	ring->size = size;
	vu->address[vu->in.ring.index].set = false;
	return true;
}

static bool set_ring_base(struct vhost_user *vu)
{
	struct vring *ring = ring_of(vu, vu->in.ring.index);

	if (!ring)
		return false;
	if (vu->in.ring.number > UINT16_MAX)
		return refuse(vu, "a ring's base has more than 16 bits");
	ring->next_avail = vu->in.ring.number;
	return true;
}

static bool set_ring_address(struct vhost_user *vu)
{
	uint32_t index = vu->in.addresses.index;

	if (!ring_of(vu, index))
		return false;
	if (vu->in.addresses.flags)
		return refuse(vu, "logging of a ring was never offered");
	vu->address[index].desc = vu->in.addresses.desc;
	vu->address[index].used = vu->in.addresses.used;
	vu->address[index].avail = vu->in.addresses.avail;
	vu->address[index].set = map_ring(vu, index);
	return vu->address[index].set;
}

static bool set_ring_enable(struct vhost_user *vu)
{
	struct vring *ring = ring_of(vu, vu->in.ring.index);

	if (!ring)
		return false;
	ring->enabled = vu->in.ring.number != 0;
	return true;
}

/* The answer is the base; the ring stops. */
static bool get_ring_base(struct vhost_user *vu)
{
	struct vring *ring = ring_of(vu, vu->in.ring.index);

	if (!ring)
		return false;
	vu->in.ring.number = ring->next_avail;
	ring->enabled = false;
	return true;
}

/* SET_VRING_KICK, _CALL, _ERR: @slot takes the descriptor, if one belongs to the message. */
static bool set_ring_fd(struct vhost_user *vu, int slot[VHOST_USER_RINGS])
{
	uint64_t number = vu->in.number;
	unsigned int index = number & RING_INDEX_MASK;

	if (number & ~(uint64_t)(RING_INDEX_MASK | VHOST_USER_NO_FD) || !ring_of(vu, index))
		return refuse(vu, "no such ring");
	if (vu->in_fds != (number & VHOST_USER_NO_FD ? 0 : 1))
		return refuse(vu, "a notification needs exactly its file descriptor");
	if (!slot)
		return true;
	close_fd(&slot[index]);
	slot[index] = receive_fd(vu, 0);
	if (slot[index] >= 0)
		set_nonblocking(slot[index]);
	return true;
}

static bool set_backend_fd(struct vhost_user *vu)
{
	if (vu->in_fds != 1)
		return refuse(vu, "the back end's channel needs one file descriptor");
	close_fd(&vu->backend_fd);
	vu->backend_fd = receive_fd(vu, 0);
	set_nonblocking(vu->backend_fd);
	vu->backend_in_bytes = 0;
	vu->calls_unanswered = 0;
	return true;
}

static bool ring_kicked(struct vhost_user *vu)
{
	if (!ring_of(vu, vu->in.ring.index))
		return false;
	if (!(vu->protocol_features & VHOST_USER_P_INBAND))
		return refuse(vu, "a kick as message was never negotiated");
	vu->kicks++;
	if (vu->on_kick)
		vu->on_kick(vu->ctx, vu->in.ring.index);
	return true;
}

/* ---- negotiation ---- */

static bool set_features(struct vhost_user *vu)
{
	if (vu->in.number & ~offered_features)
		return refuse(vu, "a feature was accepted that was never offered");
	vu->features = vu->in.number;
	return true;
}

static bool set_protocol_features(struct vhost_user *vu)
{
	if (vu->in.number & ~offered_protocol_features(vu))
		return refuse(vu, "a protocol feature was accepted that was never offered");
	vu->protocol_features = vu->in.number;
	return true;
}

static bool get_features(struct vhost_user *vu)
{
	vu->in.number = offered_features;
	return true;
}

static bool get_protocol_features(struct vhost_user *vu)
{
	vu->in.number = offered_protocol_features(vu);
	return true;
}

static bool accept_owner(struct vhost_user *vu)
{
	return true;
}

static bool reset_owner(struct vhost_user *vu)
{
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
		vu->ring[i].enabled = false;
	return true;
}

static bool set_kick_fd(struct vhost_user *vu)
{
	return set_ring_fd(vu, vu->kick_fd);
}

static bool set_call_fd(struct vhost_user *vu)
{
	return set_ring_fd(vu, vu->call_fd);
}

static bool set_error_fd(struct vhost_user *vu)
{
	return set_ring_fd(vu, NULL);
}

/* ---- messages ---- */

#define NUMBER_BYTES sizeof(uint64_t)
#define RING_BYTES (2 * sizeof(uint32_t))
#define ADDRESS_BYTES sizeof(((struct vhost_user_message *)0)->addresses)

/* What the front end may send: payload of at least @bytes, some have an answer of their own. */
static const struct request {
	bool (*handle)(struct vhost_user *vu);
	uint32_t bytes;
	uint32_t answer; /* bytes of answer, 0 = only a status if asked for */
	bool fds;        /* may carry file descriptors */
} requests[VHOST_USER_REQUESTS] = {
	[VHOST_USER_GET_FEATURES] = { get_features, 0, NUMBER_BYTES, false },
	[VHOST_USER_SET_FEATURES] = { set_features, NUMBER_BYTES, 0, false },
	[VHOST_USER_SET_OWNER] = { accept_owner, 0, 0, false },
	[VHOST_USER_RESET_OWNER] = { reset_owner, 0, 0, false },
	[VHOST_USER_SET_MEM_TABLE] = { set_memory, 2 * sizeof(uint32_t), 0, true },
	[VHOST_USER_SET_VRING_NUM] = { set_ring_size, RING_BYTES, 0, false },
	[VHOST_USER_SET_VRING_ADDR] = { set_ring_address, ADDRESS_BYTES, 0, false },
	[VHOST_USER_SET_VRING_BASE] = { set_ring_base, RING_BYTES, 0, false },
	[VHOST_USER_GET_VRING_BASE] = { get_ring_base, RING_BYTES, RING_BYTES, false },
	[VHOST_USER_SET_VRING_KICK] = { set_kick_fd, NUMBER_BYTES, 0, true },
	[VHOST_USER_SET_VRING_CALL] = { set_call_fd, NUMBER_BYTES, 0, true },
	[VHOST_USER_SET_VRING_ERR] = { set_error_fd, NUMBER_BYTES, 0, true },
	[VHOST_USER_GET_PROTOCOL_FEATURES] = { get_protocol_features, 0, NUMBER_BYTES, false },
	[VHOST_USER_SET_PROTOCOL_FEATURES] = { set_protocol_features, NUMBER_BYTES, 0, false },
	[VHOST_USER_SET_VRING_ENABLE] = { set_ring_enable, RING_BYTES, 0, false },
	[VHOST_USER_SET_BACKEND_REQ_FD] = { set_backend_fd, 0, 0, true },
	[VHOST_USER_VRING_KICK] = { ring_kicked, RING_BYTES, 0, false },
};

/* Messages are small; a front end whose socket has no room for one is stuck. */
static enum vhost_user_status send_message(int fd, const struct vhost_user_message *message)
{
	uint8_t bytes[HEADER_BYTES + sizeof(uint64_t)];
	size_t length = HEADER_BYTES + message->header.size;

	memcpy(bytes, &message->header, HEADER_BYTES);
	memcpy(bytes + HEADER_BYTES, message->bytes, message->header.size);
	if (send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length)
		return VHOST_USER_OK;
	return errno == EPIPE || errno == ECONNRESET ? VHOST_USER_CLOSED : VHOST_USER_ERROR;
}

/* Answer the message just handled: with its data, with a status, or not at all. */
static enum vhost_user_status answer(struct vhost_user *vu, const struct request *request, bool ok)
{
	struct vhost_user_message reply = {
		.header = { vu->in.header.request, VHOST_USER_VERSION | VHOST_USER_REPLY, 0 },
	};

	if (ok && request->answer) {
		reply.header.size = request->answer;
		memcpy(reply.bytes, vu->in.bytes, request->answer);
	} else if (vu->in.header.flags & VHOST_USER_NEED_REPLY &&
		   vu->protocol_features & VHOST_USER_P_REPLY_ACK) {
		reply.header.size = sizeof(reply.number);
		reply.number = !ok;
	} else {
		return ok ? VHOST_USER_OK : VHOST_USER_ERROR;
	}
	return send_message(vu->fd, &reply);
}

/* A whole message is in: check, handle, answer. */
static enum vhost_user_status handle(struct vhost_user *vu)
{
	const struct request *request = &requests[0];
	bool ok;

	vu->messages++;
	if (vu->in.header.request < VHOST_USER_REQUESTS)
		request = &requests[vu->in.header.request];
	if (!request->handle)
		ok = refuse(vu, "a request that this device does not know");
	else if (vu->in.header.size < request->bytes)
		ok = refuse(vu, "a message is too short");
	else if (vu->in_fds && !request->fds)
		ok = refuse(vu, "a message carries file descriptors that it should not");
	else
		ok = request->handle(vu);
	drop_received_fds(vu);
	if (!ok)
		vu->refused++;
	return answer(vu, request, ok);
}

/* Keep the descriptors of a control message; more than fit end the connection. */
static bool receive_control(struct vhost_user *vu, struct msghdr *msg)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		unsigned int count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		int fd;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (unsigned int i = 0; i < count; i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(fd));
			if (vu->in_fds < VHOST_USER_MAX_FDS)
				vu->in_fd[vu->in_fds++] = fd;
			else
				close(fd);
		}
	}
	return !(msg->msg_flags & MSG_CTRUNC);
}

/* Receive up to @bytes without waiting; descriptors are kept. Returns as recvmsg(), -2 for truncated control data. */
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

	if (got >= 0 && !receive_control(vu, &msg))
		return -2;
	return got;
}

/* Where the next bytes of the message go, and how many are missing. */
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

/* What a failed or empty read means for the connection. */
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
			refuse(vu, "a message header is no vhost-user header");
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

/* An answer to one of our requests. */
static bool receive_backend_answer(struct vhost_user *vu)
{
	const struct vhost_user_message *in = &vu->backend_in;

	if (in->header.request != VHOST_USER_BACKEND_VRING_CALL || !vu->calls_unanswered ||
	    in->header.size != sizeof(in->number))
		return refuse(vu, "an answer to nothing that was asked");
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

	/* An eventfd gives 8 bytes and is empty then; end or error: no further kicks from it. */
	ssize_t got = read(vu->kick_fd[ring], bytes, sizeof(bytes));

	if (got > 0)
		vu->kicks++;
	else if (got == 0 || (errno != EAGAIN && errno != EINTR))
		close_fd(&vu->kick_fd[ring]);
}

static enum vhost_user_status call_in_band(struct vhost_user *vu, unsigned int ring)
{
	struct vhost_user_message call = {
		.header = { VHOST_USER_BACKEND_VRING_CALL, VHOST_USER_VERSION, RING_BYTES },
		.ring = { .index = ring },
	};
	enum vhost_user_status status;

	if (vu->backend_fd < 0)
		return VHOST_USER_OK; /* nobody to tell */
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
	/* Full means that the guest has not even read the earlier calls. */
	if (vu->call_fd[ring] >= 0 && write(vu->call_fd[ring], &one, sizeof(one)) < 0 &&
	    errno != EAGAIN)
		close_fd(&vu->call_fd[ring]);
	return VHOST_USER_OK;
}
