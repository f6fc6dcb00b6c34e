/* SPDX-License-Identifier: MIT */
/*
 * The interface of the kernel's drivers/dma-buf/sw_sync.c, which has no header: each open file of
 * SW_SYNC is a timeline of its own, whose fences a test signals.
 */
#ifndef TESTS_SW_SYNC_H
#define TESTS_SW_SYNC_H

#include <stdint.h>
#include <sys/ioctl.h>

#define SW_SYNC "/sys/kernel/debug/sync/sw_sync"

struct sw_sync_create_fence_data {
	uint32_t value;
	char name[32];
	int32_t fence;
};

struct sw_sync_get_deadline {
	uint64_t deadline_ns; /* of CLOCK_MONOTONIC */
	uint32_t pad;
	int32_t fence_fd;
};

#define SW_SYNC_IOC_CREATE_FENCE _IOWR('W', 0, struct sw_sync_create_fence_data)
#define SW_SYNC_IOC_INC _IOW('W', 1, uint32_t)
/* ENOENT if the fence has no deadline */
#define SW_SYNC_GET_DEADLINE _IOWR('W', 2, struct sw_sync_get_deadline)

#endif
