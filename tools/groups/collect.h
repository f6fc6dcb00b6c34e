/* SPDX-License-Identifier: MIT */
/*
 * Where groups come from: the files of command monitors (vivgpu_group_file.h) in one or more
 * folders and, with CAP_PERFMON, the kernel's records of all clients.
 */
#ifndef VIVGPU_TOOLS_GROUPS_COLLECT_H
#define VIVGPU_TOOLS_GROUPS_COLLECT_H

#include <stdbool.h>

#include "list.h"

struct collector;

/**
 * collector_create - begin to collect
 *
 * @folder: the folder, or NULL for the user's; for root the folders of all users. Not copied
 * @skip: leave out what is in the files now
 * @records: read the kernel's records as well if this process may
 *
 * Returns: the collector; ends the program without memory.
 */
struct collector *collector_create(const char *folder, bool skip, bool records);
void collector_destroy(struct collector *collector);

/**
 * collector_poll - add what is new to the list
 *
 * @last: there is no next call
 *
 * Records of the kernel are added in the call after that which reads them, so that a group is in
 * the list before its result; with @last all are added. If there are records, results in the files
 * are left out, else they are added.
 */
void collector_poll(struct collector *collector, struct list *list, bool last);

/** True if collector_poll() reads the kernel's records: they were wanted and could be opened */
bool collector_has_records(const struct collector *collector);

/** What was lost since collector_create() */
struct losses {
	/** Entries of files, overwritten before they were read; records that the kernel dropped */
	uint64_t entries, records;
	/** Commands that were read, but not what they do: VIVGPU_COMMAND_UNKNOWN */
	uint64_t descriptions;
	/** Files that are not as they should be */
	uint64_t damaged;
};

struct losses collector_losses(const struct collector *collector);

/**
 * collector_clear - remove the files of programs that have ended; returns how many
 *
 * @folder: as of collector_create()
 */
unsigned int collector_clear(const char *folder);

#endif
