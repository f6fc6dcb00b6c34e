/* SPDX-License-Identifier: MIT */
/*
 * The link to a window in another process. Frames are in a buffer in shared memory, which either
 * the card fills or the window shows. A socket wakes the window, and carries the user's actions
 * to the card. The card never waits: while the window is busy, frames are dropped. The card trusts
 * neither the shared memory nor the actions.
 */
#ifndef CARD_DC_WINDOW_LINK_H
#define CARD_DC_WINDOW_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dc/dc.h"
#include "input/action.h"

/* Owner of the buffer. */
enum window_turn { WINDOW_TURN_CARD, WINDOW_TURN_WINDOW };

struct window_shared {
	_Atomic uint32_t turn;
	uint32_t width, height, number;
	uint8_t rgb[3 * DC_MAX_SCREEN_SIZE * DC_MAX_SCREEN_SIZE];
};

/* File descriptors of the link in the window's process. */
#define WINDOW_MEMORY_FD 3
#define WINDOW_SOCKET_FD 4

struct window_link {
	struct window_shared *shared;
	int memory_fd;          /* of shared */
	int card_fd, window_fd; /* ends of the socket */
};

/** window_link_create - create both ends of a link; false with errno set after an error */
bool window_link_create(struct window_link *link);

/**
 * window_link_attach - open the window's end, from the descriptors above; false with errno set
 */
bool window_link_attach(struct window_link *link);

void window_link_close(struct window_link *link);

/**
 * window_link_send_frame - the card's end: send a frame if the window is idle
 *
 * Returns: false if the window has gone.
 */
bool window_link_send_frame(struct window_link *link, const struct dc_picture *picture);

/**
 * window_link_receive_frame - the window's end: wait for a frame
 * @timeout_ms: longest time to wait
 * @picture: valid until window_link_release_frame(); its crc is 0
 * @gone: set if the card has gone
 *
 * Returns: true if there is a frame.
 */
bool window_link_receive_frame(struct window_link *link, int timeout_ms, struct dc_picture *picture,
			       bool *gone);

/**
 * window_link_send_action - the window's end: send what the user does
 *
 * Waits while the card does not receive.
 *
 * Returns: false if the card has gone.
 */
bool window_link_send_action(struct window_link *link, const struct input_action *action);

/**
 * window_link_receive_action - the card's end: receive an action; does not wait
 * @link: the link
 * @action: receives a valid action
 * @gone: set if the window has gone
 *
 * Messages that are no valid actions are ignored.
 *
 * Returns: true if there is an action.
 */
bool window_link_receive_action(struct window_link *link, struct input_action *action, bool *gone);

/** window_link_release_frame - the window's end: give the buffer back to the card */
void window_link_release_frame(struct window_link *link);

#endif
