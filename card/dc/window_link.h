/* SPDX-License-Identifier: MIT */
/*
 * Pictures for a window in another process: one buffer in shared memory that
 * is either the card's to fill or the window's to show, and a pipe that wakes
 * the window. The card never waits: while the window is busy, frames are left
 * out. Nothing the window does can hurt the card.
 */
#ifndef CARD_DC_WINDOW_LINK_H
#define CARD_DC_WINDOW_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dc/dc.h"

/* Whose turn it is. */
enum window_turn { WINDOW_TURN_CARD, WINDOW_TURN_WINDOW };

struct window_shared {
	_Atomic uint32_t turn;
	uint32_t width, height, number;
	uint8_t rgb[3 * DC_MAX_SCREEN_SIZE * DC_MAX_SCREEN_SIZE];
};

/* The descriptors under which the window's process finds its ends. */
#define WINDOW_MEMORY_FD 3
#define WINDOW_PIPE_FD 4

struct window_link {
	struct window_shared *shared;
	int memory_fd; /* of shared */
	int read_fd, write_fd;
};

/** window_link_create - both ends of a new link; false with errno if there are no means. */
bool window_link_create(struct window_link *link);

/** window_link_attach - the window's end, from the descriptors above; false with errno. */
bool window_link_attach(struct window_link *link);

void window_link_close(struct window_link *link);

/**
 * window_link_send_frame - the card's end: show this if the window has time
 *
 * Returns: false when there is no window any more.
 */
bool window_link_send_frame(struct window_link *link, const struct dc_picture *picture);

/**
 * window_link_receive_frame - the window's end: wait up to @timeout_ms for a picture
 * @picture: valid until window_link_release_frame(); its crc is 0
 * @gone: set when the card has gone
 *
 * Returns: true if there is one.
 */
bool window_link_receive_frame(struct window_link *link, int timeout_ms, struct dc_picture *picture,
			       bool *gone);

/** window_link_release_frame - the window's end: the picture is no longer needed. */
void window_link_release_frame(struct window_link *link);

#endif
