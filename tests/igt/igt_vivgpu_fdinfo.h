/* SPDX-License-Identifier: MIT */
/*
 * A client's usage statistics as the kernel shows them, parsed as strictly as
 * the kernel's Documentation/gpu/drm-usage-stats.rst describes them.
 */
#ifndef IGT_VIVGPU_FDINFO_H
#define IGT_VIVGPU_FDINFO_H

#include <stdbool.h>
#include <stdint.h>

struct igt_vivgpu_usage {
	char driver[32];
	char pdev[32];
	uint64_t client_id;
	uint64_t engine_ns;
	uint64_t capacity;
	uint64_t cycles;
	uint64_t max_hz;
	uint64_t jobs;
	/* bytes */
	uint64_t total;
	uint64_t shared;
	uint64_t resident;
	uint64_t purgeable;
	uint64_t active;
	/* of jobs that were counted for streams */
	uint64_t counted_jobs;
	uint64_t vertices;
	uint64_t primitives;
	uint64_t fragments;
	/* one bit for each field, in the order above */
	unsigned int seen;
};

#define IGT_VIVGPU_USAGE_ALL ((1u << 17) - 1)

/*
 * Read the usage of an open file of this process (pid 0) or another. Asserts
 * that each line is well formed, and that no key comes twice.
 */
void igt_vivgpu_usage_read(int pid, int fd, struct igt_vivgpu_usage *usage);

#endif
