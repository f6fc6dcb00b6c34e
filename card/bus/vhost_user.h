/* SPDX-License-Identifier: MIT */
/*
 * The vhost-user protocol, back-end side, for a device with two queues: one connection of a
 * front end, its memory, rings and notifications.
 *
 * The front end is not trusted: sizes, numbers, file descriptors and addresses are checked, and
 * it cannot block this process. An invalid message is answered with an error if it requested an
 * answer, and ends the connection otherwise. Protocol: docs/interop/vhost-user.rst of QEMU; the
 * guest's implementation: arch/um/drivers/virtio_uml.c.
 */
#ifndef CARD_BUS_VHOST_USER_H
#define CARD_BUS_VHOST_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/memory.h"
#include "bus/vring.h"

#define VHOST_USER_RINGS 2u
#define VHOST_USER_REGIONS 8u
#define VHOST_USER_MAX_FDS VHOST_USER_REGIONS
#define VHOST_USER_PAYLOAD_BYTES 512u
#define VHOST_USER_CONFIG_BYTES 256u /* of configuration space in one message */

enum vhost_user_request {
	VHOST_USER_GET_FEATURES = 1,
	VHOST_USER_SET_FEATURES = 2,
	VHOST_USER_SET_OWNER = 3,
	VHOST_USER_RESET_OWNER = 4,
	VHOST_USER_SET_MEM_TABLE = 5,
	VHOST_USER_SET_VRING_NUM = 8,
	VHOST_USER_SET_VRING_ADDR = 9,
	VHOST_USER_SET_VRING_BASE = 10,
	VHOST_USER_GET_VRING_BASE = 11,
	VHOST_USER_SET_VRING_KICK = 12,
	VHOST_USER_SET_VRING_CALL = 13,
	VHOST_USER_SET_VRING_ERR = 14,
	VHOST_USER_GET_PROTOCOL_FEATURES = 15,
	VHOST_USER_SET_PROTOCOL_FEATURES = 16,
	VHOST_USER_SET_VRING_ENABLE = 18,
	VHOST_USER_SET_BACKEND_REQ_FD = 21,
	VHOST_USER_GET_CONFIG = 24,
	VHOST_USER_SET_CONFIG = 25,
	VHOST_USER_VRING_KICK = 35,
	VHOST_USER_REQUESTS
};

#define VHOST_USER_BACKEND_VRING_CALL 4u /* request of ours, on the back end's channel */

#define VHOST_USER_VERSION 1u
#define VHOST_USER_REPLY (1u << 2)
#define VHOST_USER_NEED_REPLY (1u << 3)

#define VHOST_USER_NO_FD (1u << 8) /* in SET_VRING_KICK and _CALL: no descriptor attached */

/* Feature bits */
#define VHOST_USER_F_PROTOCOL_FEATURES (1ull << 30)
#define VIRTIO_FEATURE_VERSION_1 (1ull << 32)
/* Protocol feature bits */
#define VHOST_USER_P_REPLY_ACK (1ull << 3)
#define VHOST_USER_P_BACKEND_REQ (1ull << 5)
#define VHOST_USER_P_CONFIG (1ull << 9)
#define VHOST_USER_P_INBAND (1ull << 14)

struct vhost_user_header {
	uint32_t request;
	uint32_t flags;
	uint32_t size; /* of the payload that follows */
};

struct vhost_user_message {
	struct vhost_user_header header;
	union {
		uint64_t number;
		struct {
			uint32_t index, number;
		} ring;
		struct {
			uint32_t index, flags;
			uint64_t desc, used, avail, log;
		} addresses;
		struct {
			uint32_t count, padding;
			struct {
				uint64_t guest, size, user, offset;
			} region[VHOST_USER_REGIONS];
		} memory;
		struct {
			uint32_t offset, size, flags;
			uint8_t data[VHOST_USER_CONFIG_BYTES];
		} config;
		uint8_t bytes[VHOST_USER_PAYLOAD_BYTES];
	};
};

enum vhost_user_status {
	VHOST_USER_OK,
	VHOST_USER_CLOSED, /* the front end has disconnected */
	VHOST_USER_ERROR,  /* protocol error or blocked front end: close the connection */
};

/* A region of guest memory, as described by the front end and as mapped here. */
struct vhost_user_region {
	uint64_t user; /* the front end's address of its first byte */
	void *map;     /* begins at the start of the page of the file in which the region begins */
	size_t map_bytes;
};

struct vhost_user {
	int fd;         /* the connection; -1 = none */
	int backend_fd; /* our channel for requests to the front end, or -1 */
	bool inband;    /* virtual time: offer notifications as messages */
	uint64_t features, protocol_features;

	struct guest_memory memory;
	struct vhost_user_region region[VHOST_USER_REGIONS];
	struct vring ring[VHOST_USER_RINGS];
	struct {
		bool set;
		uint64_t desc, used, avail; /* front-end addresses */
	} address[VHOST_USER_RINGS];
	int kick_fd[VHOST_USER_RINGS]; /* eventfds of the front end; -1: none */
	int call_fd[VHOST_USER_RINGS];

	/* a message that is arriving */
	struct vhost_user_message in;
	size_t in_bytes;
	int in_fd[VHOST_USER_MAX_FDS];
	unsigned int in_fds;

	/* answers to our own requests */
	struct vhost_user_message backend_in;
	size_t backend_in_bytes;
	unsigned int calls_unanswered;

	/** @on_kick: the front end sent VHOST_USER_VRING_KICK; runs before it is answered. */
	void (*on_kick)(void *ctx, unsigned int ring);
	void *ctx;

	/**
	 * @read_config: copy @size bytes at @offset of the device's configuration space to @data;
	 * bytes beyond its end are 0. NULL if the device has no configuration space.
	 * @write_config: write @size bytes of @data at @offset; false if that is not allowed.
	 */
	void (*read_config)(void *ctx, uint32_t offset, uint8_t *data, uint32_t size);
	bool (*write_config)(void *ctx, uint32_t offset, const uint8_t *data, uint32_t size);

	const char *problem; /* why the last message was refused, for the log */
	/* messages: received since vhost_user_init(), never set back; the others: statistics */
	uint64_t messages, refused, calls, kicks;
};

/** vhost_user_init - initialise without a connection */
void vhost_user_init(struct vhost_user *vu, bool inband);

/** vhost_user_open - a front end has connected; takes over @fd */
void vhost_user_open(struct vhost_user *vu, int fd);

/** vhost_user_close - end the connection, unmap memory and rings; keeps statistics */
void vhost_user_close(struct vhost_user *vu);

static inline bool vhost_user_is_open(const struct vhost_user *vu)
{
	return vu->fd >= 0;
}

/** vhost_user_receive - process the messages that have arrived, without waiting */
enum vhost_user_status vhost_user_receive(struct vhost_user *vu);

/** vhost_user_receive_backend - the same for answers on the back-end channel */
enum vhost_user_status vhost_user_receive_backend(struct vhost_user *vu);

/** vhost_user_drain_kick - empty a readable kick_fd; serving the ring is left to the caller */
void vhost_user_drain_kick(struct vhost_user *vu, unsigned int ring);

/**
 * vhost_user_call - notify the front end that @ring has used chains
 *
 * With in-band notifications and VHOST_USER_P_REPLY_ACK an answer is then outstanding
 * (calls_unanswered); vhost_user_receive_backend() receives it.
 */
enum vhost_user_status vhost_user_call(struct vhost_user *vu, unsigned int ring);

#endif
