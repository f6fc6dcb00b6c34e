/* SPDX-License-Identifier: MIT */
/*
 * A file with key presses for the guest, one a line, in order of time:
 *
 *     120ms key 30 press
 *     140ms key 30 release
 *
 * The number after "key" is a code of linux/input-event-codes.h (30 is KEY_A). Time counts from
 * when the guest's driver is ready for events. Empty lines and lines that begin with # are ignored.
 */
#ifndef CARD_BUS_INPUT_SCRIPT_H
#define CARD_BUS_INPUT_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define INPUT_SCRIPT_LAST_KEY 248u /* KEY_MICMUTE, the last one of keyboards */

struct input_step {
	uint64_t time_ns;
	uint16_t key;
	bool press;
};

struct input_script {
	struct input_step *step;
	unsigned int count;
};

/**
 * input_script_read - read a file of this format
 * @script: receives the steps
 * @path: the file
 * @err: receives a message "PATH:LINE: ..." after an error
 *
 * Returns: false after an error; @script is then empty.
 */
bool input_script_read(struct input_script *script, const char *path, FILE *err);
void input_script_free(struct input_script *script);

#endif
