/* SPDX-License-Identifier: MIT */
/* The words of jobs' command streams, as debugfs captures them; for root only. */
#ifndef VIVGPU_TOOLS_GROUPS_WORDS_H
#define VIVGPU_TOOLS_GROUPS_WORDS_H

#include <stdbool.h>

#include "list.h"

/**
 * words_capture - have the kernel keep the words of the last jobs, also after this program's end;
 * false with a message if not
 */
bool words_capture(void);

/** words_attach - add the words that the kernel still has to the entries of their jobs */
void words_attach(struct entry *const *entries, size_t count);

#endif
