/* SPDX-License-Identifier: MIT */
/* Which entries of the list the options of vivgpu-groups select. */
#ifndef VIVGPU_TOOLS_GROUPS_FILTER_H
#define VIVGPU_TOOLS_GROUPS_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "list.h"

/** NULL, 0 and false: the option was not given */
struct filter {
	/** Only this process: its number or its program's name */
	const char *process;
	/** Only groups with a command of this type: VIVGPU_COMMAND_* */
	unsigned int type;
	/** Only what took as long as that, or longer */
	uint64_t min_ns;
	/** Jobs without a group, because no monitor saw them, and submits without commands as well */
	bool all;
};

/** filter_wants - whether an entry is selected. Pure. */
bool filter_wants(const struct filter *filter, const struct entry *entry);

#endif
