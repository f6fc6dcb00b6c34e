/* SPDX-License-Identifier: MIT */
/* Transports for commands of the control protocol: unix socket and mailbox. */
#ifndef CARD_CONTROL_CHANNEL_H
#define CARD_CONTROL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * channel_socket, channel_mailbox - send a command and receive the reply
 * @path: the card's control socket
 * @line: command without newline
 * @reply: receives the whole reply, zero-terminated
 * @reply_bytes: size of @reply
 *
 * Returns: NULL, or an error message.
 */
const char *channel_socket(const char *path, const char *line, char *reply, size_t reply_bytes);
const char *channel_mailbox(const char *line, char *reply, size_t reply_bytes);

#endif
