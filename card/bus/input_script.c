// SPDX-License-Identifier: MIT
/* The reader of files with key presses, see bus/input_script.h. */
#include "bus/input_script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000u
#define MAX_MS 86400000u /* a day */
#define SEPARATORS " \t\n"

/* Parse a decimal number up to @most that @suffix follows. */
static bool parse_number(const char *word, const char *suffix, uint64_t most, uint64_t *number)
{
	char *end;

	if (!word || *word < '0' || *word > '9')
		return false;
	errno = 0;
	*number = strtoull(word, &end, 10);
	return !errno && !strcmp(end, suffix) && *number <= most;
}

/* Parse a line; returns NULL, or an error message. */
static const char *parse_step(char *line, uint64_t earliest_ns, struct input_step *step)
{
	uint64_t ms, key;
	char *rest;
	const char *word = strtok_r(line, SEPARATORS, &rest);

	if (!parse_number(word, "ms", MAX_MS, &ms))
		return "does not begin with a time such as 120ms, of at most a day";
	step->time_ns = ms * NS_PER_MS;
	if (step->time_ns < earliest_ns)
		return "is earlier than the line before";
	word = strtok_r(NULL, SEPARATORS, &rest);
	if (!word || strcmp(word, "key"))
		return "has no \"key\" after the time";
	if (!parse_number(strtok_r(NULL, SEPARATORS, &rest), "", INPUT_SCRIPT_LAST_KEY, &key) ||
	    !key)
		return "has no key code from 1 to 248";
	step->key = key;
	word = strtok_r(NULL, SEPARATORS, &rest);
	step->press = word && !strcmp(word, "press");
	if (!step->press && (!word || strcmp(word, "release")))
		return "has no \"press\" or \"release\" after the key";
	return strtok_r(NULL, SEPARATORS, &rest) ? "has words after its end" : NULL;
}

/* Append a step; returns NULL, or an error message. */
static const char *take_line(struct input_script *script, char *line)
{
	const unsigned int count = script->count;
	const uint64_t earliest_ns = count ? script->step[count - 1].time_ns : 0;
	struct input_step *step;

	line += strspn(line, SEPARATORS);
	if (!*line || *line == '#')
		return NULL;
	step = realloc(script->step, (count + 1) * sizeof(*step));
	if (!step)
		return "does not fit into memory";
	script->step = step;
	script->count++;
	return parse_step(line, earliest_ns, &step[count]);
}

bool input_script_read(struct input_script *script, const char *path, FILE *err)
{
	const char *problem = NULL;
	char *line = NULL;
	size_t room = 0;
	unsigned int number = 0;
	FILE *file = fopen(path, "r");

	*script = (struct input_script){ 0 };
	if (!file) {
		fprintf(err, "%s: %s\n", path, strerror(errno));
		return false;
	}
	while (!problem && getline(&line, &room, file) >= 0) {
		number++;
		problem = take_line(script, line);
	}
	free(line);
	fclose(file);
	if (!problem)
		return true;
	fprintf(err, "%s:%u: the line %s\n", path, number, problem);
	input_script_free(script);
	return false;
}

void input_script_free(struct input_script *script)
{
	free(script->step);
	*script = (struct input_script){ 0 };
}
