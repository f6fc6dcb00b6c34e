/* SPDX-License-Identifier: MIT */
/* The folders with files of command monitors. */
#ifndef VIVGPU_TOOLS_GROUPS_FOLDERS_H
#define VIVGPU_TOOLS_GROUPS_FOLDERS_H

#include <stdbool.h>

/**
 * each_file - call a function for each file of a command monitor
 *
 * @folder: the folder, or NULL for the user's; for root the folders of all users, and those in /tmp
 *          that vivgpu-events and vivgpu-groups make for their commands
 * @visit: gets the file's path and an open file descriptor, which is closed afterwards; a file
 *         that is not a regular one, or cannot be read, is left out
 */
void each_file(const char *folder, void (*visit)(void *data, const char *path, int fd), void *data);

#endif
