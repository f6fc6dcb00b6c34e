// SPDX-License-Identifier: MIT
/* The reader of files with actions, see input/script.h. */
#include "input/script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000u
#define MAX_MS 86400000 /* a day */
#define MAX_WORDS 8u    /* more than any valid line has */

/* Split @line in place; @words gets at most MAX_WORDS words and NULL. Others are dropped. */
static void split(char *line, char *words[MAX_WORDS + 1])
{
	unsigned int count = 0;
	char *rest;

	for (char *word = strtok_r(line, " \t\n", &rest); word && count < MAX_WORDS;
	     word = strtok_r(NULL, " \t\n", &rest))
		words[count++] = word;
	words[count] = NULL;
}

/* Parse a line's words; returns NULL, or an error message. */
static const char *parse_step(char *const words[], const struct input_screen *screen,
			      uint64_t earliest_ns, struct input_step *step)
{
	int64_t ms;

	if (!input_parse_number(words[0], "ms", 0, MAX_MS, &ms))
		return "does not begin with a time such as 120ms, of at most a day";
	step->time_ns = ms * NS_PER_MS;
	if (step->time_ns < earliest_ns)
		return "is earlier than the line before";
	return input_parse(words + 1, screen, &step->action);
}

/* Append a step; returns NULL, or an error message. */
static const char *parse_line(struct input_script *script, const struct input_screen *screen,
			      char *line)
{
	const unsigned int count = script->count;
	const uint64_t earliest_ns = count ? script->step[count - 1].time_ns : 0;
	struct input_step *step;
	char *words[MAX_WORDS + 1];

	split(line, words);
	if (!words[0] || words[0][0] == '#')
		return NULL;
	step = realloc(script->step, (count + 1) * sizeof(*step));
	if (!step)
		return "does not fit into memory";
	script->step = step;
	script->count++;
	return parse_step(words, screen, earliest_ns, &step[count]);
}

bool input_script_read(struct input_script *script, const char *path,
		       const struct input_screen *screen, FILE *err)
{
	const char *problem = NULL;
	char *line = NULL;
	size_t room = 0;
	unsigned int number = 0;
	FILE *file = fopen(path, "r");
	int read_error;

	*script = (struct input_script){ 0 };
	if (!file) {
		fprintf(err, "%s: %s\n", path, strerror(errno));
		return false;
	}
	while (!problem && getline(&line, &room, file) >= 0) {
		number++;
		problem = parse_line(script, screen, line);
	}
	read_error = !problem && !feof(file) ? errno : 0;
	free(line);
	fclose(file);
	if (!problem && !read_error)
		return true;
	if (problem)
		fprintf(err, "%s:%u: the line %s\n", path, number, problem);
	else
		fprintf(err, "%s: %s\n", path, strerror(read_error));
	input_script_free(script);
	return false;
}

void input_script_free(struct input_script *script)
{
	free(script->step);
	*script = (struct input_script){ 0 };
}
