/* SPDX-License-Identifier: MIT */
/* Entries as a table, as JSON or as CSV. */
#ifndef VIVGPU_TOOLS_GROUPS_PRINT_H
#define VIVGPU_TOOLS_GROUPS_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "collect.h"
#include "list.h"

enum print_form {
	PRINT_TABLE,
	PRINT_JSON,
	PRINT_CSV,
};

struct printer {
	FILE *file;
	enum print_form form;
	/** In the table a line for each command, which JSON has anyway, and words of the streams */
	bool commands, words;
	/** Columns of the terminal; 0: nothing is cut off or left out */
	unsigned int width;
	/** Time 0 of the table, CLOCK_MONOTONIC; if it is 0, set to the first entry's submit */
	uint64_t start_ns;
	/** Entries that were printed; in print_entry() with this one: its global sequence number */
	uint64_t count;
};

/** print_begin - print what comes before all entries: head lines, or the start of the JSON */
void print_begin(struct printer *printer);

void print_entry(struct printer *printer, const struct entry *entry);

/**
 * print_end - print what comes after all entries: the end of the JSON with the losses in it; of the
 * other forms losses go to stderr
 */
void print_end(struct printer *printer, struct losses losses);

#endif
