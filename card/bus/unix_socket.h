/* SPDX-License-Identifier: MIT */
/* Listening unix sockets, whose path appears when they can be connected to. */
#ifndef CARD_BUS_UNIX_SOCKET_H
#define CARD_BUS_UNIX_SOCKET_H

#include <stdbool.h>

/**
 * unix_socket_listen - create a listening stream socket at @path
 * @path: replaced if it is a socket without a listener
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

#endif
