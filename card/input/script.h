/* SPDX-License-Identifier: MIT */
/*
 * A file with actions for the guest, one a line, in order of time:
 *
 *     120ms key 30 press
 *     140ms key 30 release
 *     200ms pointer 640 360
 *
 * The format of actions is described in input/parse.h. Time counts from when the guest's drivers
 * are ready for events. Empty lines and lines whose first word begins with # are ignored.
 */
#ifndef CARD_INPUT_SCRIPT_H
#define CARD_INPUT_SCRIPT_H

#include <stdio.h>

#include "input/parse.h"

struct input_step {
	uint64_t time_ns;
	struct input_action action;
};

struct input_script {
	struct input_step *step;
	unsigned int count;
};

/**
 * input_script_read - read a file of this format
 * @script: receives the steps
 * @path: the file
 * @screen: size of the screen that positions are meant for
 * @err: receives a message "PATH:LINE: ..." after an error
 *
 * Returns: false after an error; @script is then empty.
 */
bool input_script_read(struct input_script *script, const char *path,
		       const struct input_screen *screen, FILE *err);
void input_script_free(struct input_script *script);

#endif
