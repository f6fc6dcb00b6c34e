/* SPDX-License-Identifier: MIT */
/*
 * Types and functions shared by the files of the connection to a vfio-user client:
 *
 *  vfio_user.c      creation, the board's callbacks, the transport's table of functions
 *  vfio_socket.c    connects, messages that have arrived, replies
 *  vfio_requests.c  executes requests
 *  vfio_irq.c, vfio_memory.c, vfio_message.c  their parts, which do not know the connection
 *
 * Each file calls only those below it in this list.
 */
#ifndef CARD_BUS_VFIO_INTERNAL_H
#define CARD_BUS_VFIO_INTERNAL_H

#include "bus/device.h"
#include "bus/vfio_irq.h"
#include "bus/vfio_memory.h"
#include "bus/vfio_message.h"
#include "bus/vfio_user.h"

struct vfio_message {
	struct vfio_user_header header;
	uint8_t payload[VFIO_USER_PAYLOAD_BYTES];
};

struct vfio_user {
	struct bus bus; /* first: see vfio_user_of() */
	struct vfio_user_options options;
	struct card_clock *clock;
	struct board *board;
	struct pci_config config;
	struct vfio_irq irq;
	struct vfio_memory memory;
	struct bus_devices devices;

	int fd;             /* the connection; -1 = none */
	bool negotiated;    /* the client has sent its version */
	bool had_guest;     /* a client that did so, now or before */
	bool serving;       /* a message is being processed */
	bool gone;          /* the connection has to end: clean up when no callback is active */
	const char *reason; /* for that, for the log */
	uint64_t looked_ns; /* when the socket was last read */

	/* the message that is arriving, or waits for the end of the core's operation */
	struct vfio_message in;
	size_t in_bytes;
	int in_fd[VFIO_USER_FDS];
	unsigned int in_fds;

	struct {
		uint64_t guests, refused_guests, messages, refused, postponed;
		uint64_t config_reads, config_writes, reads, writes, bytes_read, bytes_written;
		uint64_t maps, unmaps, resets;
	} statistics;
};

static inline struct vfio_user *vfio_user_of(const struct bus *bus)
{
	return (struct vfio_user *)bus;
}

/* ---- vfio_requests.c ---- */

/** vfio_power_on - set the function's power-on values; keeps eventfds and statistics */
void vfio_power_on(struct vfio_user *vu);

/**
 * vfio_may_interrupt - whether the message in vu->in may be executed within the core's operation
 *
 * Others change memory or state that the operation uses.
 */
bool vfio_may_interrupt(const struct vfio_user *vu);

/**
 * vfio_execute - execute the message in vu->in
 * @reply: receives its payload
 * @reply_bytes: receives its size; 0: none
 *
 * Returns: 0, or the errno value for the reply; the message then had no effect.
 */
int vfio_execute(struct vfio_user *vu, uint8_t reply[VFIO_USER_PAYLOAD_BYTES],
		 uint32_t *reply_bytes);

/* ---- vfio_socket.c ---- */

/** vfio_disconnect - record that the connection has to end; vfio_clean_up() ends it */
void vfio_disconnect(struct vfio_user *vu, const char *reason);

/** vfio_close - close the connection and all that came with it; keeps statistics */
void vfio_close(struct vfio_user *vu);

/** vfio_clean_up - reset the card if the connection has ended; not for use in callbacks */
void vfio_clean_up(struct vfio_user *vu);

/** vfio_accept - accept a waiting client, or close its connection if there is a client already */
void vfio_accept(struct vfio_user *vu);

/** vfio_has_message - whether a message waits for the end of the core's operation */
bool vfio_has_message(const struct vfio_user *vu);

/**
 * vfio_receive - execute messages that have arrived, without waiting
 * @limit: largest number
 * @within: called within an operation of the core: stop before a message that has to wait for its
 * end
 *
 * Has no effect if called recursively.
 *
 * Returns: the number of messages executed.
 */
unsigned int vfio_receive(struct vfio_user *vu, unsigned int limit, bool within);

#endif
