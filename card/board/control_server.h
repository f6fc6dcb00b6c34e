/* SPDX-License-Identifier: MIT */
/* Server of the control protocol on a unix socket, for programs outside the guest. */
#ifndef CARD_BOARD_CONTROL_SERVER_H
#define CARD_BOARD_CONTROL_SERVER_H

#include <poll.h>
#include <stdbool.h>

#include "board/board.h"
#include "board/mailbox.h"

#define CONTROL_CLIENTS 8u
#define CONTROL_FDS (1u + CONTROL_CLIENTS)

struct control_client {
	int fd; /* -1 = free */
	char line[CONTROL_LINE_BYTES];
	unsigned int used;
};

struct control_server {
	int listener; /* -1 = no control socket */
	struct control_client client[CONTROL_CLIENTS];
};

/** control_server_init - serve the listening socket @listener; -1: none */
void control_server_init(struct control_server *server, int listener);
void control_server_close(struct control_server *server);

/**
 * control_server_poll_fds - store the file descriptors to poll at @fds (room for CONTROL_FDS)
 *
 * Returns: their number.
 */
unsigned int control_server_poll_fds(const struct control_server *server, struct pollfd *fds);

/**
 * control_server_serve - accept clients and execute the commands that have arrived
 *
 * Does not block. A client that does not read its replies is disconnected, and so is one that
 * comes while there are CONTROL_CLIENTS.
 *
 * Returns: true if a command was executed.
 */
bool control_server_serve(struct control_server *server, struct board *board);

#endif
