/* SPDX-License-Identifier: MIT */
/* Keyboard and pointer of VNC clients as actions for the card. The protocol has no touch. */
#ifndef CARD_WINDOW_VNC_INPUT_H
#define CARD_WINDOW_VNC_INPUT_H

#include <rfb/rfb.h>

#include "dc/window_link.h"

struct vnc_input {
	struct window_link *link;
	int buttons; /* mask of the last pointer event, whichever client sent it */
};

/** vnc_input_init - send what clients of @screen do to @link; both must stay valid */
void vnc_input_init(struct vnc_input *input, struct window_link *link, rfbScreenInfoPtr screen);

#endif
