/* SPDX-License-Identifier: MIT */
/* The guest's processor time, as the host counts it: a request to tests/bench/guest-time. */
#ifndef GUEST_TIME_H
#define GUEST_TIME_H

#include <stdio.h>
#include <unistd.h>

#define GUEST_TIME_FD 3
#define GUEST_TIME_LOOK_AGAIN_US 1000

/**
 * guest_time_take - have the processor time so far written to a file
 * @path: of the file, which does not exist yet; inside the sysroot
 *
 * Waits until the file is there. Descriptor GUEST_TIME_FD has to lead to guest-time.
 */
static inline void guest_time_take(const char *path)
{
	dprintf(GUEST_TIME_FD, "guest-time %s\n", path);
	while (access(path, F_OK))
		usleep(GUEST_TIME_LOOK_AGAIN_US);
}

#endif
