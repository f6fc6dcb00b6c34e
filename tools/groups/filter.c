// SPDX-License-Identifier: MIT

#include "filter.h"

#include <stdio.h>
#include <string.h>

static bool is_of_process(const struct entry *entry, const char *process)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", entry->owner.process);
	return strcmp(process, number) == 0 || strcmp(process, entry->owner.name) == 0;
}

static bool has_type(const struct entry *entry, unsigned int type)
{
	for (uint32_t i = 0; entry->has_group && i < entry->group.num_commands; i++) {
		if (entry->commands[i].type == type)
			return true;
	}
	return false;
}

/* A job of a process with a monitor; its group may have been lost. */
static bool is_monitored_job(const struct entry *entry)
{
	return entry->owner.process && !entry->owner.unmonitored && !entry->is_event;
}

bool filter_wants(const struct filter *filter, const struct entry *entry)
{
	const struct vivgpu_group_result *result = &entry->result;

	return (filter->all || is_monitored_job(entry)) &&
	       (!filter->process || is_of_process(entry, filter->process)) &&
	       (!filter->type || has_type(entry, filter->type)) &&
	       (!filter->min_ns ||
		(entry->has_result && result->finished_ns - result->started_ns >= filter->min_ns));
}
