// SPDX-License-Identifier: MIT
/* Reading and writing of parameter sets. */
#include "clock/params_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "clock/params_field.h"

#define LINE_BYTES 256
#define MAX_WORDS 5
#define MAX_FIELDS 64 /* at least as many as the table in params_field.c has */

/* A text that is being read. */
struct reader {
	struct gpu_params *params[2]; /* get the first and the second value of each line */
	unsigned int values;          /* number of values in a line: 2 for ranges, else 1 */
	bool seen[MAX_FIELDS], named;
	unsigned int line;
	char *error;
};

static bool wrong(struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool wrong(struct reader *reader, const char *format, ...)
{
	char what[GPU_PARAMS_ERROR_BYTES - 24]; /* leaves room for "line N: " */
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	if (reader->line)
		snprintf(reader->error, GPU_PARAMS_ERROR_BYTES, "line %u: %s", reader->line, what);
	else
		snprintf(reader->error, GPU_PARAMS_ERROR_BYTES, "%s", what);
	return false;
}

static const struct gpu_param_field *find(const char *name, unsigned int *index)
{
	const struct gpu_param_field *field;

	for (*index = 0; (field = gpu_param_field_at(*index)); ++*index)
		if (!strcmp(field->name, name))
			return field;
	return NULL;
}

/* A decimal number in the field's range. */
static bool read_number(struct reader *reader, const struct gpu_param_field *field,
			const char *word, double *value)
{
	bool whole = field->kind != GPU_PARAM_FP;
	char *end;

	if (strspn(word, "0123456789.") != strlen(word) || !isdigit((unsigned char)*word))
		return wrong(reader, "%.32s is no number", word);
	*value = strtod(word, &end);
	if (*end || (whole && strchr(word, '.')))
		return wrong(reader, "%.32s is no %snumber", word, whole ? "whole " : "");
	if (*value < field->min || *value > field->max)
		return wrong(reader, "%s is from %g to %g", field->name, field->min, field->max);
	return true;
}

static bool read_field(struct reader *reader, char *const words[], unsigned int count)
{
	unsigned int index;
	const struct gpu_param_field *field = find(words[0], &index);
	double value[2];

	if (!field)
		return wrong(reader, "there is no parameter %.32s", words[0]);
	if (count != reader->values + 2 || strcmp(words[count - 1], field->unit) != 0)
		return wrong(reader, "%s needs %s and the unit %s", field->name,
			     reader->values > 1 ? "two numbers" : "a number", field->unit);
	if (reader->seen[index])
		return wrong(reader, "%s is given twice", field->name);
	reader->seen[index] = true;
	for (unsigned int i = 0; i < reader->values; i++) {
		if (!read_number(reader, field, words[1 + i], &value[i]))
			return false;
		gpu_param_set(reader->params[i], field, value[i]);
	}
	if (reader->values > 1 && value[1] < value[0])
		return wrong(reader, "the highest %s is below the lowest", field->name);
	return true;
}

static bool read_name(struct reader *reader, char *const words[], unsigned int count)
{
	struct gpu_params *params = reader->params[0];

	if (reader->values != 1 || reader->named)
		return wrong(reader, "a set has one name, ranges have none");
	if (count != 2 || strlen(words[1]) >= sizeof(params->name))
		return wrong(reader, "set needs a name of at most %zu letters",
			     sizeof(params->name) - 1);
	strcpy(params->name, words[1]);
	return reader->named = true;
}

static bool read_line(struct reader *reader, char *line)
{
	char *words[MAX_WORDS] = { NULL }, *rest = NULL;
	unsigned int count = 0;

	reader->line++;
	line[strcspn(line, "#")] = '\0';
	for (char *w = strtok_r(line, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
		if (count == MAX_WORDS)
			return wrong(reader, "too many words");
		words[count++] = w;
	}
	if (!count)
		return true;
	return strcmp(words[0], "set") ? read_field(reader, words, count)
				       : read_name(reader, words, count);
}

static bool read_lines(struct reader *reader, const char *text, size_t length)
{
	const char *end = text + length;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t bytes = (size_t)((newline ? newline : end) - text);
		char line[LINE_BYTES];

		if (bytes >= sizeof(line)) {
			reader->line++;
			return wrong(reader, "the line is too long");
		}
		memcpy(line, text, bytes);
		line[bytes] = '\0';
		if (!read_line(reader, line))
			return false;
		text += bytes + 1;
	}
	return true;
}

static bool is_complete(struct reader *reader)
{
	const struct gpu_param_field *field;

	reader->line = 0;
	for (unsigned int i = 0; (field = gpu_param_field_at(i)); i++)
		if (!reader->seen[i])
			return wrong(reader, "%s is missing", field->name);
	if (reader->values == 1 && !reader->named)
		return wrong(reader, "the set has no name");
	return true;
}

/* Set what a text does not contain: queues of some stages, and the structure. */
static void begin(struct gpu_params *params)
{
	memset(params, 0, sizeof(*params));
	memset(params->queue, 1, sizeof(params->queue));
	params->structure = gpu_structure_usual;
}

bool gpu_params_parse(struct gpu_params *params, const char *text, size_t length, char *error)
{
	struct reader reader = { .params = { params }, .values = 1, .error = error };

	begin(params);
	return read_lines(&reader, text, length) && is_complete(&reader);
}

bool gpu_params_parse_ranges(struct gpu_params *low, struct gpu_params *high, const char *text,
			     size_t length, char *error)
{
	struct reader reader = { .params = { low, high }, .values = 2, .error = error };

	begin(low);
	begin(high);
	return read_lines(&reader, text, length) && is_complete(&reader);
}

/* Write the structure as comments, since texts do not contain it. */
static void write_structure(const struct gpu_structure *s, FILE *out)
{
	fprintf(out,
		"# wave %u, texture cache %u lines (0: the personality's) of %u ways, pixel caches %u lines\n",
		s->wave, s->texture_lines, s->texture_ways, s->pixel_lines);
	fprintf(out,
		"# banks %u, page 2^%u bytes, mixed by %u, arbitration %u, vertex prefetch %u\n",
		s->banks, s->page_log2, s->bank_mix, s->arbitration, s->vertex_prefetch);
	fprintf(out, "# drains: program %d, target %d; late: depth %d, set-up %d\n",
		s->program_drains, s->target_drains, s->late_depth, s->late_setup);
}

/* Nine digits tell any two values of 16.16 below 4096 apart, so each is read back as it was. */
void gpu_params_write(const struct gpu_params *params, FILE *out)
{
	const struct gpu_param_field *field;

	fprintf(out, "%-20s %s\n", "set", params->name);
	for (unsigned int i = 0; (field = gpu_param_field_at(i)); i++)
		fprintf(out, "%-20s %.9g %s\n", field->name, gpu_param_get(params, field),
			field->unit);
	write_structure(&params->structure, out);
}
