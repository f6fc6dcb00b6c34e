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
	/** Also a line for each command; words of the stream */
	bool commands, words;
	/** Columns of the terminal; 0: nothing is cut off or left out */
	unsigned int width;
	/** Time 0 of the table; set by the first entry if it is 0 */
	uint64_t start_ns;
	/** Entries that were printed: the next one's global sequence number, less one */
	uint64_t count;
};

/** print_begin - print what comes before all entries: head lines, or the start of the JSON */
void print_begin(struct printer *printer);

void print_entry(struct printer *printer, const struct entry *entry);

/** print_end - print what comes after all entries: losses, and the end of the JSON */
void print_end(struct printer *printer, struct losses losses);

#endif
