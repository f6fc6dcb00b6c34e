/* SPDX-License-Identifier: MIT */
/* Messages of a header and a payload, with descriptors. */
#ifndef CARD_TESTS_SEND_FDS_H
#define CARD_TESTS_SEND_FDS_H

#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define SEND_FDS_MAX 16

/*
 * Send a message with @count descriptors, at most SEND_FDS_MAX; @flags: more for sendmsg(). Returns
 * whether all of it was sent.
 */
static inline bool send_with_fds(int socket, const void *header, size_t header_bytes,
				 const void *payload, size_t bytes, const int *fds,
				 unsigned int count, int flags)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(SEND_FDS_MAX * sizeof(int))];
	} control = { 0 };
	struct iovec iov[2] = { { (void *)header, header_bytes }, { (void *)payload, bytes } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

	if (count) {
		struct cmsghdr *c;

		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(count * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(c), fds, count * sizeof(int));
	}
	return sendmsg(socket, &msg, MSG_NOSIGNAL | flags) == (ssize_t)(header_bytes + bytes);
}

#endif
