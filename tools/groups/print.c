// SPDX-License-Identifier: MIT

#include "print.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "../printable.h"
#include "formats.h"
#include "summary.h"
#include "vivgpu_group_text.h"

/* A table of this width has all columns; in a smaller one some are left out. */
#define WIDE 132
#define WORDS_PER_LINE 8
/* Members of a group or a result as JSON, or a line of CSV */
#define ENTRY_CHARS 1024

static const char narrow_head[] = "  GLOBAL    SEQ PROCESS           STARTED   TIME us  VERTICES "
				  "FRAGMENTS  COMMANDS";
static const char wide_head[] = "  GLOBAL    SEQ PROCESS         SUBMITTED   STARTED  FINISHED   "
				"TIME us  VERTICES FRAGMENTS  BYTES END BY       COMMANDS";

static bool is_wide(const struct printer *printer)
{
	return !printer->width || printer->width >= WIDE;
}

void print_begin(struct printer *printer)
{
	switch (printer->form) {
	case PRINT_TABLE:
		fprintf(printer->file, "%s\n", is_wide(printer) ? wide_head : narrow_head);
		break;
	case PRINT_JSON:
		fprintf(printer->file, "{\"groups\":[");
		break;
	case PRINT_CSV:
		fprintf(printer->file, "global,process,program,%s\n", vivgpu_group_csv_columns());
		break;
	}
}

/* "glmark2:1234", the name cut off for @most bytes; or the client's number without a process. */
static void owner_text(char *text, size_t size, const struct group_owner *owner, unsigned int most)
{
	char number[32];
	int room;

	if (!owner->process) {
		snprintf(text, size, "client %" PRIu64, owner->client);
		return;
	}
	snprintf(number, sizeof(number), ":%u", owner->process);
	room = (int)most - (int)strlen(number);
	snprintf(text, size, "%.*s%s", room > 0 ? room : 0, owner->name, number);
}

/* A time, "-" for 0; it is negative if it was before the first entry's submit. */
static void put_ms(FILE *file, const struct printer *printer, uint64_t ns)
{
	if (ns)
		fprintf(file, " %9.3f", ((double)ns - (double)printer->start_ns) / 1e6);
	else
		fprintf(file, " %9s", "-");
}

/*
 * Vertices and fragments. Counts that may have parts of neighbours' counts have a tilde before
 * them. Without counts of the core, vertices are those that the driver counted.
 */
static void put_counts(FILE *file, const struct entry *entry)
{
	const struct vivgpu_group_result *result = &entry->result;
	char text[32];

	if (entry->has_result && result->flags & VIVGPU_RESULT_COUNTS) {
		const char *about = result->flags & VIVGPU_RESULT_EXACT ? "" : "~";

		snprintf(text, sizeof(text), "%s%" PRIu64, about, result->vertices);
		fprintf(file, " %9s", text);
		snprintf(text, sizeof(text), "%s%" PRIu64, about, result->fragments);
		fprintf(file, " %9s", text);
	} else if (entry->has_group)
		fprintf(file, " %9" PRIu64 " %9s", entry->group.vertices, "-");
	else
		fprintf(file, " %9s %9s", "-", "-");
}

/* Columns for the last column of the table; at least 4, put_cut() needs 3 for its dots. */
static int room_for_commands(const struct printer *printer)
{
	int columns = (int)strlen(is_wide(printer) ? wide_head : narrow_head);
	int room = (int)printer->width - columns + (int)strlen("COMMANDS");

	if (!printer->width)
		return INT_MAX;
	return room < 4 ? 4 : room;
}

/* Print a text, or what fits of it and three dots; @room: 3 or more */
static void put_cut(FILE *file, const char *text, int room)
{
	if ((int)strlen(text) <= room)
		fprintf(file, "%s", text);
	else
		fprintf(file, "%.*s...", room - 3, text);
}

static void put_commands(FILE *file, const struct entry *entry)
{
	char line[VIVGPU_COMMAND_CHARS];

	for (uint32_t i = 0; entry->has_group && i < entry->group.num_commands; i++) {
		vivgpu_command_text(line, sizeof(line), &entry->commands[i], format_name);
		make_printable(line);
		fprintf(file, "    %6u  %s\n", entry->commands[i].offset, line);
	}
	if (entry->has_group && entry->group.num_lost_commands)
		fprintf(file, "            and %u more\n", entry->group.num_lost_commands);
}

static void put_words(FILE *file, const struct entry *entry)
{
	for (size_t i = 0; i < entry->num_words; i++) {
		if (i % WORDS_PER_LINE == 0)
			fprintf(file, "%s    %6zx ", i ? "\n" : "", 4 * i);
		fprintf(file, " %08x", entry->words[i]);
	}
	if (entry->num_words)
		fprintf(file, "\n");
}

/* When it was submitted: both have it, but the result may be missing. */
static uint64_t submitted(const struct entry *entry)
{
	return entry->has_group ? entry->group.submitted_ns : entry->result.submitted_ns;
}

static void put_row(struct printer *printer, const struct entry *entry)
{
	const struct vivgpu_group_result *result = &entry->result;
	FILE *file = printer->file;
	bool wide = is_wide(printer);
	char owner[40], commands[SUMMARY_CHARS];

	owner_text(owner, sizeof(owner), &entry->owner, 15);
	fprintf(file, "%8" PRIu64, printer->count);
	if (entry->has_group)
		fprintf(file, " %6" PRIu64, entry->group.sequence);
	else
		fprintf(file, " %6s", "-");
	fprintf(file, " %-15s", owner);
	if (wide)
		put_ms(file, printer, submitted(entry));
	put_ms(file, printer, result->started_ns);
	if (wide)
		put_ms(file, printer, result->finished_ns);
	if (result->flags & VIVGPU_RESULT_FAILED)
		fprintf(file, " %9s", "failed");
	else if (entry->has_result)
		fprintf(file, " %9.1f", (result->finished_ns - result->started_ns) / 1e3);
	else
		fprintf(file, " %9s", "-");
	put_counts(file, entry);
	if (wide)
		fprintf(file, " %6u %-11s", entry->stream_bytes,
			entry->has_group ? vivgpu_group_reason_name(entry->group.reason) : "-");
	entry_summary(commands, sizeof(commands), entry);
	fprintf(file, "  ");
	put_cut(file, commands, room_for_commands(printer));
	fprintf(file, "\n");
}

/* An object of the array; a comma follows the one before. */
static void print_json(struct printer *printer, const struct entry *entry)
{
	char text[ENTRY_CHARS], line[VIVGPU_COMMAND_CHARS], program[6 * PROGRAM_CHARS + 3];
	FILE *file = printer->file;

	vivgpu_json_string(program, sizeof(program), entry->owner.name,
			   strnlen(entry->owner.name, PROGRAM_CHARS));
	fprintf(file, "%s\n{\"global\":%" PRIu64 ",\"process\":%u,\"program\":%s",
		printer->count > 1 ? "," : "", printer->count, entry->owner.process, program);
	if (entry->is_event)
		fprintf(file, ",\"event\":true");
	if (entry->has_group) {
		vivgpu_group_json(text, sizeof(text), &entry->group);
		fprintf(file, ",%s", text);
	} else {
		fprintf(file,
			",\"client\":%" PRIu64 ",\"cookie\":%" PRIu64
			",\"job\":%u,\"submitted_ns\":%" PRIu64 ",\"stream_bytes\":%u",
			entry->owner.client, entry->result.cookie, entry->job, submitted(entry),
			entry->stream_bytes);
	}
	if (entry->has_result) {
		vivgpu_group_result_json(text, sizeof(text), &entry->result);
		fprintf(file, ",%s", text);
	}
	for (uint32_t i = 0; entry->has_group && i < entry->group.num_commands; i++) {
		vivgpu_command_json(line, sizeof(line), &entry->commands[i], format_name);
		fprintf(file, "%s\n  %s", i ? "," : ",\"commands\":[", line);
	}
	if (entry->has_group && entry->group.num_commands)
		fprintf(file, "]");
	for (size_t i = 0; i < entry->num_words; i++)
		fprintf(file, "%s%u", i ? "," : ",\"words\":[", entry->words[i]);
	fprintf(file, "%s}", entry->num_words ? "]" : "");
}

static void print_csv(struct printer *printer, const struct entry *entry)
{
	char text[ENTRY_CHARS], name[2 * PROGRAM_CHARS + 1] = "";
	size_t length = 0;

	/* A program may have any name: quotes are doubled. */
	for (const char *from = entry->owner.name; *from; from++) {
		if (*from == '"')
			name[length++] = '"';
		name[length++] = *from;
	}
	name[length] = '\0';
	vivgpu_group_csv(text, sizeof(text), entry->has_group ? &entry->group : NULL,
			 entry->has_result ? &entry->result : NULL);
	fprintf(printer->file, "%" PRIu64 ",%u,\"%s\",%s\n", printer->count, entry->owner.process,
		name, text);
}

void print_entry(struct printer *printer, const struct entry *entry)
{
	printer->count++; /* from here on the number of this entry */
	if (!printer->start_ns)
		printer->start_ns = submitted(entry);
	switch (printer->form) {
	case PRINT_TABLE:
		put_row(printer, entry);
		if (printer->commands)
			put_commands(printer->file, entry);
		if (printer->words)
			put_words(printer->file, entry);
		break;
	case PRINT_JSON:
		print_json(printer, entry);
		break;
	case PRINT_CSV:
		print_csv(printer, entry);
		break;
	}
}

void print_end(struct printer *printer, struct losses losses)
{
	if (printer->form == PRINT_JSON) {
		fprintf(printer->file,
			"\n],\"lost_entries\":%" PRIu64 ",\"lost_records\":%" PRIu64
			",\"lost_descriptions\":%" PRIu64 ",\"damaged_files\":%" PRIu64 "}\n",
			losses.entries, losses.records, losses.descriptions, losses.damaged);
		return;
	}
	if (losses.entries || losses.records)
		fprintf(stderr,
			"vivgpu-groups: lost: %" PRIu64 " entries of files, %" PRIu64
			" records of the kernel\n",
			losses.entries, losses.records);
	if (losses.descriptions)
		fprintf(stderr, "vivgpu-groups: lost: descriptions of %" PRIu64 " commands\n",
			losses.descriptions);
	if (losses.damaged)
		fprintf(stderr, "vivgpu-groups: damaged files: %" PRIu64 "\n", losses.damaged);
}
