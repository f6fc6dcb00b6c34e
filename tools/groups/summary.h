/* SPDX-License-Identifier: MIT */
/* The commands of a group in a line. */
#ifndef VIVGPU_TOOLS_GROUPS_SUMMARY_H
#define VIVGPU_TOOLS_GROUPS_SUMMARY_H

#include <stddef.h>

#include "list.h"

/* Bytes of a buffer for a summary, zero included; a longer summary is cut off */
#define SUMMARY_CHARS 512

/** entry_summary - "clear color depth, 12 x draw 300, swap"; cut off if it is longer than @size */
void entry_summary(char *text, size_t size, const struct entry *entry);

#endif
