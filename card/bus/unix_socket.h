/* SPDX-License-Identifier: MIT */
/*
 * Unix sockets: listening ones, whose path appears when they can be connected to, and the
 * descriptors that messages carry.
 */
#ifndef CARD_BUS_UNIX_SOCKET_H
#define CARD_BUS_UNIX_SOCKET_H

#include <stdbool.h>

struct msghdr;

/**
 * unix_socket_listen - create a listening stream socket at @path
 * @path: a socket there is replaced, unless it has a listener; so is one at @path with ".new" added
 * @problem: receives an error message that completes a sentence, such as "is longer than 103
 *     bytes"
 *
 * The path appears atomically, when the socket already listens.
 *
 * Returns: the descriptor, or -1 after an error.
 */
int unix_socket_listen(const char *path, const char **problem);

/** unix_socket_accept - accept a waiting connection without blocking; -1 if there is none */
int unix_socket_accept(int listener);

/** unix_socket_connect - connect to @path; -1 with errno set after an error */
int unix_socket_connect(const char *path);

/**
 * unix_socket_take_fds - take the descriptors out of a received message
 * @msg: the message, as recvmsg() filled it
 * @fds: receives them
 * @count: number of descriptors in @fds, increased
 * @max: number of descriptors that fit in @fds; others are closed
 *
 * Returns: false if there were more than fit in @fds or in the message's buffer.
 */
bool unix_socket_take_fds(struct msghdr *msg, int *fds, unsigned int *count, unsigned int max);

#endif
