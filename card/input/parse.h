/* SPDX-License-Identifier: MIT */
/*
 * Actions as text, in files and in commands of the control protocol:
 *
 *     key CODE press|release
 *     button left|right|middle|side|extra press|release
 *     pointer X Y
 *     wheel CLICKS
 *     wheel-right CLICKS
 *     touch CONTACT down|move X Y
 *     touch CONTACT up
 *     release-all
 *
 * CODE is a key's number in linux/input-event-codes.h. X and Y are pixels. CLICKS is negative for
 * down (left). CONTACT is a finger, from 0 to 9.
 */
#ifndef CARD_INPUT_PARSE_H
#define CARD_INPUT_PARSE_H

#include "input/action.h"

/* Size of the screen that positions are meant for, in pixels. */
struct input_screen {
	uint32_t width, height;
};

/**
 * input_parse - parse an action
 * @words: its words, the last followed by NULL
 * @screen: size of the screen
 * @action: receives the action
 *
 * Returns: NULL, or an error message that continues a sentence such as "the line ...".
 */
const char *input_parse(char *const words[], const struct input_screen *screen,
			struct input_action *action);

/**
 * input_parse_number - parse a decimal number
 * @word: may be NULL
 * @suffix: what has to follow the digits
 * @least: smallest value allowed; if it is negative, a sign is allowed
 * @greatest: largest value allowed
 * @number: receives the number
 *
 * Returns: whether @word is such a number.
 */
bool input_parse_number(const char *word, const char *suffix, int64_t least, int64_t greatest,
			int64_t *number);

#endif
