// SPDX-License-Identifier: MIT

#include "summary.h"

#include <stdio.h>
#include <string.h>

#include "../printable.h"
#include "vivgpu_group_text.h"

/* Append to a string of limited size. */
static void append(char *text, size_t size, const char *part)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s", part);
}

/* The last of an entry's commands from the first one on that have the same short text. */
static uint32_t last_alike(const struct entry *entry, uint32_t first)
{
	char one[64], other[64];
	uint32_t last = first;

	vivgpu_command_short(one, sizeof(one), &entry->commands[first]);
	while (last + 1 < entry->group.num_commands) {
		vivgpu_command_short(other, sizeof(other), &entry->commands[last + 1]);
		if (strcmp(one, other))
			break;
		last++;
	}
	return last;
}

/* If a monitored process's job has no group, that was overwritten or skipped before it was read. */
void entry_summary(char *text, size_t size, const struct entry *entry)
{
	text[0] = '\0';
	if (entry->is_event)
		append(text, size, "(event only)");
	else if (!entry->has_group)
		append(text, size,
		       entry->owner.process && !entry->owner.unmonitored ? "(lost)"
									 : "(not monitored)");
	for (uint32_t i = 0; entry->has_group && i < entry->group.num_commands; i++) {
		uint32_t last = last_alike(entry, i);
		char part[64], times[24] = "";

		if (last > i)
			snprintf(times, sizeof(times), "%u x ", last - i + 1);
		vivgpu_command_short(part, sizeof(part), &entry->commands[i]);
		append(text, size, i ? ", " : "");
		append(text, size, times);
		append(text, size, part);
		i = last;
	}
	make_printable(text);
}
