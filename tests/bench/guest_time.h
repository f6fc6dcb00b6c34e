/* SPDX-License-Identifier: MIT */
/* Requests of a program in a guest to tests/bench/guest-time, which runs on the host. */
#ifndef GUEST_TIME_H
#define GUEST_TIME_H

#include <stdio.h>
#include <unistd.h>

#define GUEST_TIME_FD 3
#define GUEST_TIME_LOOK_AGAIN_US 1000

/**
 * guest_time_take - have the guest's processor time so far, in ns, written to a file
 * @path: name of the file, which must not exist yet
 *
 * Returns when the file exists. Descriptor GUEST_TIME_FD must be the guest's console, whose output
 * guest-time reads.
 */
static inline void guest_time_take(const char *path)
{
	dprintf(GUEST_TIME_FD, "guest-time %s\n", path);
	while (access(path, F_OK))
		usleep(GUEST_TIME_LOOK_AGAIN_US);
}

#endif
