/* SPDX-License-Identifier: MIT */
/*
 * For libraries that are preloaded into programs: what the program has used of the GPU, by the
 * kernel's fdinfo.
 */
#ifndef TESTS_PEER_CLIENT_USAGE_H
#define TESTS_PEER_CLIENT_USAGE_H

#include <stdint.h>

/** GPU cycles and jobs of all clients of this process, since they were opened. */
struct client_usage {
	uint64_t cycles, jobs;
};

/**
 * Read them now: of a job that has not ended the cycles so far, but not the job. Aborts without
 * /proc or with too many clients.
 */
struct client_usage client_usage_now(void);

#endif
