/* SPDX-License-Identifier: MIT */
/* The requests of a vhost-user front end; only vhost_user.c and vhost_requests.c include this. */
#ifndef CARD_BUS_VHOST_REQUESTS_H
#define CARD_BUS_VHOST_REQUESTS_H

#include "bus/vhost_user.h"

#define VHOST_RING_BYTES (2 * sizeof(uint32_t)) /* payload: a ring's number and a value */
#define VHOST_SAME_SIZE UINT32_MAX /* struct vhost_request.answer: as long as the request */

struct vhost_request {
	bool (*handle)(struct vhost_user *vu); /* NULL: not supported */
	uint32_t bytes;                        /* of payload, at least */
	uint32_t answer; /* bytes of answer; 0: only a status, if the front end asks for it */
	bool fds;        /* may carry file descriptors */
};

/** vhost_user_find_request - the request of this number; its handle is NULL if there is none */
const struct vhost_request *vhost_user_find_request(uint32_t number);

/** vhost_user_refuse - record @problem as the reason for refusing a message; returns false */
bool vhost_user_refuse(struct vhost_user *vu, const char *problem);

/** vhost_user_reset_rings - stop all rings and close their descriptors */
void vhost_user_reset_rings(struct vhost_user *vu);

/** vhost_user_unmap_memory - unmap the guest's memory, and with it the rings */
void vhost_user_unmap_memory(struct vhost_user *vu);

/** vhost_user_set_nonblocking - set O_NONBLOCK */
void vhost_user_set_nonblocking(int fd);

/** vhost_user_close_fd - close *@fd unless it is negative, and set it to -1 */
void vhost_user_close_fd(int *fd);

#endif
