// SPDX-License-Identifier: MIT
/* The parser of actions, see input/parse.h. */
#include "input/parse.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	char *const *word; /* the next one; NULL at the end */
	const struct input_screen *screen;
	struct input_action *action;
};

bool input_parse_number(const char *word, const char *suffix, int64_t least, int64_t greatest,
			int64_t *number)
{
	const char *digits = word;
	char *end;

	if (!word)
		return false;
	if (least < 0 && *word == '-')
		digits++;
	if (*digits < '0' || *digits > '9')
		return false;
	errno = 0;
	*number = strtoll(word, &end, 10);
	return !errno && !strcmp(end, suffix) && *number >= least && *number <= greatest;
}

/* The next word, NULL at the end. */
static const char *next_word(struct parser *parser)
{
	return *parser->word ? *parser->word++ : NULL;
}

static bool next_number(struct parser *parser, int64_t least, int64_t greatest, int64_t *number)
{
	return input_parse_number(next_word(parser), "", least, greatest, number);
}

static const char *parse_pressed(struct parser *parser)
{
	const char *word = next_word(parser);

	parser->action->pressed = word && !strcmp(word, "press");
	if (!parser->action->pressed && (!word || strcmp(word, "release")))
		return "has no \"press\" or \"release\" at its end";
	return NULL;
}

static const char *parse_key(struct parser *parser)
{
	int64_t key;

	if (!next_number(parser, KEY_ESC, INPUT_LAST_KEY, &key))
		return "has no key code from 1 to 248";
	parser->action->code = key;
	return parse_pressed(parser);
}

static const char *parse_button(struct parser *parser)
{
	static const struct {
		const char *name;
		uint32_t code;
	} button[] = {
		{ "left", BTN_LEFT }, { "right", BTN_RIGHT }, { "middle", BTN_MIDDLE },
		{ "side", BTN_SIDE }, { "extra", BTN_EXTRA },
	};
	const char *word = next_word(parser);

	for (unsigned int i = 0; word && i < sizeof(button) / sizeof(button[0]); i++) {
		if (strcmp(word, button[i].name) != 0)
			continue;
		parser->action->code = button[i].code;
		return parse_pressed(parser);
	}
	return "has no button left, right, middle, side or extra";
}

static const char *parse_position(struct parser *parser)
{
	const struct input_screen *screen = parser->screen;
	int64_t x, y;

	if (!next_number(parser, 0, (int64_t)screen->width - 1, &x) ||
	    !next_number(parser, 0, (int64_t)screen->height - 1, &y))
		return "has no position X Y on the screen";
	parser->action->x = input_position(x, screen->width);
	parser->action->y = input_position(y, screen->height);
	return NULL;
}

static const char *parse_clicks(struct parser *parser, int32_t *clicks)
{
	int64_t number;

	if (!next_number(parser, -INPUT_MAX_CLICKS, INPUT_MAX_CLICKS, &number))
		return "has no number of clicks from -100 to 100";
	*clicks = number;
	return NULL;
}

static const char *parse_wheel(struct parser *parser)
{
	return parse_clicks(parser, &parser->action->y);
}

static const char *parse_wheel_right(struct parser *parser)
{
	return parse_clicks(parser, &parser->action->x);
}

static const char *parse_touch(struct parser *parser)
{
	struct input_action *action = parser->action;
	const char *word;
	int64_t contact;

	if (!next_number(parser, 0, INPUT_CONTACTS - 1, &contact))
		return "has no contact from 0 to 9";
	action->code = contact;
	word = next_word(parser);
	if (word && !strcmp(word, "up")) {
		action->kind = INPUT_TOUCH_UP;
		return NULL;
	}
	/* "down" is the kind that input_parse() has set */
	if (word && !strcmp(word, "move"))
		action->kind = INPUT_TOUCH_MOVE;
	else if (!word || strcmp(word, "down"))
		return "has no \"down\", \"move\" or \"up\" after the contact";
	return parse_position(parser);
}

static const char *parse_release_all(struct parser *parser)
{
	return NULL;
}

const char *input_parse(char *const words[], const struct input_screen *screen,
			struct input_action *action)
{
	static const struct {
		const char *name;
		enum input_kind kind;
		const char *(*parse)(struct parser *parser);
	} kind[] = {
		{ "key", INPUT_KEY, parse_key },
		{ "button", INPUT_BUTTON, parse_button },
		{ "pointer", INPUT_POINTER, parse_position },
		{ "wheel", INPUT_WHEEL, parse_wheel },
		{ "wheel-right", INPUT_WHEEL, parse_wheel_right },
		{ "touch", INPUT_TOUCH_DOWN, parse_touch },
		{ "release-all", INPUT_RELEASE_ALL, parse_release_all },
	};
	struct parser parser = { words, screen, action };
	const char *word = next_word(&parser), *problem;

	for (unsigned int i = 0; word && i < sizeof(kind) / sizeof(kind[0]); i++) {
		if (strcmp(word, kind[i].name) != 0)
			continue;
		*action = (struct input_action){ .kind = kind[i].kind };
		problem = kind[i].parse(&parser);
		if (problem)
			return problem;
		return *parser.word ? "has words after its end" : NULL;
	}
	return "has no key, button, pointer, wheel, wheel-right, touch or release-all";
}
