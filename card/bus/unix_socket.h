/* SPDX-License-Identifier: MIT */
/* Listening unix sockets that appear only when they can be connected to. */
#ifndef CARD_BUS_UNIX_SOCKET_H
#define CARD_BUS_UNIX_SOCKET_H

#include <stdbool.h>

/**
 * unix_socket_listen - create a listening stream socket at @path
 *
 * A socket that nobody listens on any more is replaced. The path appears in
 * one step, when the socket already listens.
 *
 * Returns: the descriptor, or -1 with *problem set to a sentence's end such as
 * "is longer than 103 bytes".
 */
int unix_socket_listen(const char *path, const char **problem);

/** unix_socket_accept - take a waiting connection without blocking; -1 if there is none. */
int unix_socket_accept(int listener);

/** unix_socket_connect - connect to @path; -1 and errno. */
int unix_socket_connect(const char *path);

#endif
