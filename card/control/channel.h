/* SPDX-License-Identifier: MIT */
/* The two ways to say a command to a card. */
#ifndef CARD_CONTROL_CHANNEL_H
#define CARD_CONTROL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * channel_socket, channel_mailbox - say a command, get the reply
 * @path: the card's control socket
 * @line: command without newline
 * @reply: gets the whole reply, zero-terminated
 *
 * Returns: NULL, or what went wrong.
 */
const char *channel_socket(const char *path, const char *line, char *reply, size_t reply_bytes);
const char *channel_mailbox(const char *line, char *reply, size_t reply_bytes);

#endif
