// SPDX-License-Identifier: MIT
/* vhost-user, back-end side: the requests of the front end. */
#include "bus/vhost_requests.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MMU_PAGE 4096u /* page size of the core's MMU */
#define RING_INDEX_MASK 0xffu
/* bytes of offset, size and flags, which precede the data of configuration space */
#define CONFIG_HEAD_BYTES (3 * sizeof(uint32_t))

static const uint64_t offered_features = VHOST_USER_F_PROTOCOL_FEATURES | VIRTIO_FEATURE_VERSION_1;

static uint64_t offered_protocol_features(const struct vhost_user *vu)
{
	return VHOST_USER_P_REPLY_ACK | VHOST_USER_P_BACKEND_REQ |
	       (vu->inband ? VHOST_USER_P_INBAND : 0) | (vu->read_config ? VHOST_USER_P_CONFIG : 0);
}

void vhost_user_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void vhost_user_set_nonblocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

bool vhost_user_refuse(struct vhost_user *vu, const char *problem)
{
	vu->problem = problem;
	return false;
}

void vhost_user_reset_rings(struct vhost_user *vu)
{
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++) {
		vring_reset(&vu->ring[i]);
		vu->address[i].set = false;
		vhost_user_close_fd(&vu->kick_fd[i]);
		vhost_user_close_fd(&vu->call_fd[i]);
	}
}

void vhost_user_unmap_memory(struct vhost_user *vu)
{
	for (unsigned int i = 0; i < vu->memory.count; i++)
		munmap(vu->region[i].map, vu->region[i].map_bytes);
	vu->memory.count = 0;
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
		vu->ring[i].used = NULL;
}

/* ---- memory ---- */

/* Remove descriptor @index from those of the message. Returns: it, or -1 if there is none. */
static int receive_fd(struct vhost_user *vu, unsigned int index)
{
	int fd = -1;

	if (index < vu->in_fds) {
		fd = vu->in_fd[index];
		vu->in_fd[index] = vu->in_fd[--vu->in_fds];
	}
	return fd;
}

/* Whether a file has the bytes [offset, offset + size): access beyond its end raises SIGBUS. */
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
		return vhost_user_refuse(vu, "a memory region is empty or wraps around");
	/* Host addresses must be aligned like guest addresses, within pages of the core's MMU. */
	if ((guest ^ offset) % MMU_PAGE)
		return vhost_user_refuse(
			vu, "a memory region lies elsewhere in pages than in its file's");
	if (!file_holds(vu->in_fd[index], offset, size))
		return vhost_user_refuse(vu, "a memory region reaches beyond its file");
	map = mmap(NULL, slack + size, PROT_READ | PROT_WRITE, MAP_SHARED, vu->in_fd[index],
		   (off_t)(offset - slack));
	if (map == MAP_FAILED)
		return vhost_user_refuse(vu, "a memory region cannot be mapped");
	vu->region[index] = (struct vhost_user_region){ user, map, slack + size };
	vu->memory.region[index] = (struct guest_region){ guest, size, map + slack };
	vu->memory.count = index + 1;
	return true;
}

/* Guest-physical address of a front-end address; UINT64_MAX if it is in no region. */
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
		return vhost_user_refuse(vu, "a ring is not in guest memory, or not aligned");
	return true;
}

static bool set_memory(struct vhost_user *vu)
{
	unsigned int count = vu->in.memory.count;

	if (count > VHOST_USER_REGIONS || vu->in_fds != count ||
	    vu->in.header.size < 8 /* count, padding */ + count * sizeof(vu->in.memory.region[0]))
		return vhost_user_refuse(vu,
					 "a memory table's size, count and descriptors disagree");
	vhost_user_unmap_memory(vu);
	for (unsigned int i = 0; i < count; i++) {
		if (!map_region(vu, i)) {
			vhost_user_unmap_memory(vu);
			return false;
		}
	}
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
		if (vu->address[i].set)
			map_ring(vu, i); /* if this fails, the ring stays unmapped */
	return true;
}

/* ---- rings ---- */

/* Ring number @index, or NULL after refusing the message. */
static struct vring *ring_of(struct vhost_user *vu, uint32_t index)
{
	if (index < VHOST_USER_RINGS)
		return &vu->ring[index];
	vhost_user_refuse(vu, "no such ring");
	return NULL;
}

/* Sets the ring up anew: front ends send its base and addresses, and enable it, afterwards. */
static bool set_ring_size(struct vhost_user *vu)
{
	struct vring *ring = ring_of(vu, vu->in.ring.index);
	uint32_t size = vu->in.ring.number;

	if (!ring)
		return false;
	if (!size || size > VRING_MAX_SIZE || size & (size - 1))
		return vhost_user_refuse(vu, "a ring's size is not a power of two up to 1024");
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
		return vhost_user_refuse(vu, "a ring's base has more than 16 bits");
	ring->next_avail = vu->in.ring.number;
	return true;
}

static bool set_ring_address(struct vhost_user *vu)
{
	uint32_t index = vu->in.addresses.index;

	if (!ring_of(vu, index))
		return false;
	if (vu->in.addresses.flags)
		return vhost_user_refuse(vu, "logging of a ring was never offered");
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

/* GET_VRING_BASE: stop the ring and answer with its next available index. */
static bool get_ring_base(struct vhost_user *vu)
{
	struct vring *ring = ring_of(vu, vu->in.ring.index);

	if (!ring)
		return false;
	vu->in.ring.number = ring->next_avail;
	ring->enabled = false;
	return true;
}

/* SET_VRING_KICK, _CALL, _ERR: store the message's descriptor, if any, in @slot; NULL: drop it. */
static bool set_ring_fd(struct vhost_user *vu, int slot[VHOST_USER_RINGS])
{
	uint64_t number = vu->in.number;
	unsigned int index = number & RING_INDEX_MASK;

	if (number & ~(uint64_t)(RING_INDEX_MASK | VHOST_USER_NO_FD) || !ring_of(vu, index))
		return vhost_user_refuse(vu, "no such ring");
	if (vu->in_fds != (number & VHOST_USER_NO_FD ? 0 : 1))
		return vhost_user_refuse(vu, "a notification needs exactly its file descriptor");
	if (!slot)
		return true;
	vhost_user_close_fd(&slot[index]);
	slot[index] = receive_fd(vu, 0);
	if (slot[index] >= 0)
		vhost_user_set_nonblocking(slot[index]);
	return true;
}

static bool set_backend_fd(struct vhost_user *vu)
{
	if (vu->in_fds != 1)
		return vhost_user_refuse(vu, "the back end's channel needs one file descriptor");
	vhost_user_close_fd(&vu->backend_fd);
	vu->backend_fd = receive_fd(vu, 0);
	vhost_user_set_nonblocking(vu->backend_fd);
	vu->backend_in_bytes = 0;
	vu->calls_unanswered = 0;
	return true;
}

static bool ring_kicked(struct vhost_user *vu)
{
	if (!ring_of(vu, vu->in.ring.index))
		return false;
	if (!(vu->protocol_features & VHOST_USER_P_INBAND))
		return vhost_user_refuse(vu, "a kick as message was never negotiated");
	vu->kicks++;
	if (vu->on_kick)
		vu->on_kick(vu->ctx, vu->in.ring.index);
	return true;
}

/* ---- configuration space ---- */

/*
 * Whether the message accesses configuration space and has the size that its header claims. The
 * feature is offered only by devices with read_config, which have write_config as well.
 */
static bool is_config(struct vhost_user *vu)
{
	if (!(vu->protocol_features & VHOST_USER_P_CONFIG))
		return vhost_user_refuse(vu, "configuration space was never negotiated");
	if (vu->in.config.size > VHOST_USER_CONFIG_BYTES ||
	    vu->in.header.size != CONFIG_HEAD_BYTES + vu->in.config.size)
		return vhost_user_refuse(vu,
					 "a message about configuration space has a wrong size");
	return true;
}

static bool get_config(struct vhost_user *vu)
{
	if (!is_config(vu))
		return false;
	vu->read_config(vu->ctx, vu->in.config.offset, vu->in.config.data, vu->in.config.size);
	return true;
}

static bool set_config(struct vhost_user *vu)
{
	if (!is_config(vu))
		return false;
	return vu->write_config(vu->ctx, vu->in.config.offset, vu->in.config.data,
				vu->in.config.size) ||
	       vhost_user_refuse(vu, "a write to configuration space that cannot be written");
}

/* ---- negotiation ---- */

static bool set_features(struct vhost_user *vu)
{
	if (vu->in.number & ~offered_features)
		return vhost_user_refuse(vu, "a feature was accepted that was never offered");
	vu->features = vu->in.number;
	return true;
}

static bool set_protocol_features(struct vhost_user *vu)
{
	if (vu->in.number & ~offered_protocol_features(vu))
		return vhost_user_refuse(vu,
					 "a protocol feature was accepted that was never offered");
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

/* ---- the table ---- */

#define NUMBER_BYTES sizeof(uint64_t)
#define ADDRESS_BYTES sizeof(((struct vhost_user_message *)0)->addresses)

static const struct vhost_request requests[VHOST_USER_REQUESTS] = {
	[VHOST_USER_GET_FEATURES] = { get_features, 0, NUMBER_BYTES, false },
	[VHOST_USER_SET_FEATURES] = { set_features, NUMBER_BYTES, 0, false },
	[VHOST_USER_SET_OWNER] = { accept_owner, 0, 0, false },
	[VHOST_USER_RESET_OWNER] = { reset_owner, 0, 0, false },
	[VHOST_USER_SET_MEM_TABLE] = { set_memory, 2 * sizeof(uint32_t), 0, true },
	[VHOST_USER_SET_VRING_NUM] = { set_ring_size, VHOST_RING_BYTES, 0, false },
	[VHOST_USER_SET_VRING_ADDR] = { set_ring_address, ADDRESS_BYTES, 0, false },
	[VHOST_USER_SET_VRING_BASE] = { set_ring_base, VHOST_RING_BYTES, 0, false },
	[VHOST_USER_GET_VRING_BASE] = { get_ring_base, VHOST_RING_BYTES, VHOST_RING_BYTES, false },
	[VHOST_USER_SET_VRING_KICK] = { set_kick_fd, NUMBER_BYTES, 0, true },
	[VHOST_USER_SET_VRING_CALL] = { set_call_fd, NUMBER_BYTES, 0, true },
	[VHOST_USER_SET_VRING_ERR] = { set_error_fd, NUMBER_BYTES, 0, true },
	[VHOST_USER_GET_PROTOCOL_FEATURES] = { get_protocol_features, 0, NUMBER_BYTES, false },
	[VHOST_USER_SET_PROTOCOL_FEATURES] = { set_protocol_features, NUMBER_BYTES, 0, false },
	[VHOST_USER_SET_VRING_ENABLE] = { set_ring_enable, VHOST_RING_BYTES, 0, false },
	[VHOST_USER_SET_BACKEND_REQ_FD] = { set_backend_fd, 0, 0, true },
	[VHOST_USER_GET_CONFIG] = { get_config, CONFIG_HEAD_BYTES, VHOST_SAME_SIZE, false },
	[VHOST_USER_SET_CONFIG] = { set_config, CONFIG_HEAD_BYTES, 0, false },
	[VHOST_USER_VRING_KICK] = { ring_kicked, VHOST_RING_BYTES, 0, false },
};

/* No request has the number 0, so that entry of the table is empty. */
const struct vhost_request *vhost_user_find_request(uint32_t number)
{
	return &requests[number < VHOST_USER_REQUESTS ? number : 0];
}
