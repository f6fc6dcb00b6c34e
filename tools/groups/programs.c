// SPDX-License-Identifier: MIT

#include "programs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "PROCESS               GROUPS   TIME ms  BUSY %       CYCLES"
			   "  PREDICTED  ERROR %  IN BOUND";
/* A process number has seven digits at most. */
#define NAME_COLUMNS 20
#define NAME_CHARS 12

static const char clear_screen[] = "\033[H\033[J";

/* By process, whatever its clients; by client if the process is not known. */
static struct program *find(struct programs *programs, const struct group_owner *owner)
{
	for (size_t i = 0; i < programs->count; i++) {
		struct program *program = &programs->all[i];

		if (owner->process
			    ? program->owner.process == owner->process
			    : !program->owner.process && program->owner.client == owner->client)
			return program;
	}
	return NULL;
}

static struct program *append(struct programs *programs, const struct group_owner *owner)
{
	struct program *program;

	if (programs->count == programs->size) {
		programs->size = programs->size ? 2 * programs->size : 16;
		programs->all = realloc(programs->all, programs->size * sizeof(*programs->all));
		if (!programs->all) {
			perror("vivgpu-groups");
			exit(1);
		}
	}
	program = &programs->all[programs->count++];
	*program = (struct program){ .owner = *owner };
	return program;
}

/* A group that has a prediction and took @ns. */
static void add_prediction(struct program *program, const struct vivgpu_group *group, uint64_t ns)
{
	program->predicted++;
	program->measured_ns += ns;
	program->predicted_ns += group->predicted_ns;
	program->error_ns +=
		ns > group->predicted_ns ? ns - group->predicted_ns : group->predicted_ns - ns;
	program->within_bound += ns <= group->predicted_ns + group->bound_ns;
}

void programs_add(struct programs *programs, const struct entry *entry)
{
	const struct vivgpu_group_result *result = &entry->result;
	uint64_t ns = result->finished_ns - result->started_ns;
	struct program *program;

	if (entry->is_event || !entry->has_result || result->flags & VIVGPU_RESULT_FAILED)
		return;
	program = find(programs, &entry->owner);
	if (!program)
		program = append(programs, &entry->owner);
	program->groups++;
	program->ns += ns;
	program->cycles += result->cycles;
	if (entry->has_group && entry->group.predicted_ns)
		add_prediction(program, &entry->group, ns);
}

static int by_time(const void *a, const void *b)
{
	const struct program *one = a, *other = b;

	return one->ns < other->ns ? 1 : -(one->ns > other->ns);
}

/* "glmark2:1234", the name cut off to fit; or the client's number if its process is not known. */
static void put_name(FILE *file, const struct group_owner *owner)
{
	char text[32];

	if (owner->process)
		snprintf(text, sizeof(text), ":%u", owner->process);
	else
		snprintf(text, sizeof(text), "client %" PRIu64, owner->client);
	if (owner->process)
		fprintf(file, "%.*s%-*s", NAME_CHARS, owner->name,
			NAME_COLUMNS - (int)strnlen(owner->name, NAME_CHARS), text);
	else
		fprintf(file, "%-*s", NAME_COLUMNS, text);
}

/* Time and cycles are of all its jobs, the last three columns of those with a prediction. */
static void put_program(FILE *file, const struct program *program, double seconds)
{
	put_name(file, &program->owner);
	fprintf(file, " %7" PRIu64 " %9.2f", program->groups, program->ns / 1e6);
	if (seconds > 0)
		fprintf(file, " %7.1f", program->ns / 1e7 / seconds);
	else
		fprintf(file, " %7s", "-");
	fprintf(file, " %12" PRIu64, program->cycles);
	if (program->predicted)
		fprintf(file, " %10.2f %8.2f %9.1f\n", program->predicted_ns / 1e6,
			program->measured_ns ? 100.0 * program->error_ns / program->measured_ns : 0,
			100.0 * program->within_bound / program->predicted);
	else
		fprintf(file, " %10s %8s %9s\n", "-", "-", "-");
}

void programs_print(struct programs *programs, FILE *file, double seconds, bool over)
{
	qsort(programs->all, programs->count, sizeof(*programs->all), by_time);
	fprintf(file, "%s%s\n", over ? clear_screen : "", head);
	for (size_t i = 0; i < programs->count; i++)
		put_program(file, &programs->all[i], seconds);
	if (!over)
		fprintf(file, "\n");
	programs->count = 0;
}

void programs_free(struct programs *programs)
{
	free(programs->all);
	*programs = (struct programs){ 0 };
}
