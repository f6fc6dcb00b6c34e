// SPDX-License-Identifier: MIT
#include "program-clock.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

/* See program-clock.h. The clock's first second, and its step without FRAME_CLOCK_STEP_US */
#define FIRST_SECOND 1000
#define FRAME_NS 300000000L
#define SECOND_NS 1000000000L

unsigned int program_frames;

/* The first object is the program: 1 if it contains the address, else -1, which ends the search. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *address)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)address >= begin &&
		    (uintptr_t)address - begin < info->dlpi_phdr[i].p_memsz)
			return 1;
	}
	return -1;
}

bool program_calls(void *return_address)
{
	return dl_iterate_phdr(look_at_program, return_address) == 1;
}

static long long frame_step(void)
{
	static long long step;
	const char *us;

	if (step)
		return step;
	us = getenv("FRAME_CLOCK_STEP_US");
	step = us ? atoll(us) * 1000 : FRAME_NS;
	return step;
}

static struct timespec frame_time(void)
{
	long long ns = program_frames * frame_step();

	return (struct timespec){ .tv_sec = FIRST_SECOND + ns / SECOND_NS,
				  .tv_nsec = ns % SECOND_NS };
}

/** clock_gettime - the frame's time for the program, the real one for libraries. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	static int (*next)(clockid_t, struct timespec *);

	if (program_calls(__builtin_return_address(0))) {
		*now = frame_time();
		return 0;
	}
	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	return next(clock, now);
}

/** gettimeofday - like clock_gettime. */
int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	static int (*next)(struct timeval *, void *);

	if (program_calls(__builtin_return_address(0))) {
		struct timespec time = frame_time();

		TIMESPEC_TO_TIMEVAL(now, &time);
		return 0;
	}
	if (!next)
		next = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
	return next(now, zone);
}

/** time - for the program always the same second: programs seed their random numbers with it. */
time_t time(time_t *result)
{
	static time_t (*next)(time_t *);

	if (program_calls(__builtin_return_address(0))) {
		if (result)
			*result = FIRST_SECOND;
		return FIRST_SECOND;
	}
	if (!next)
		next = (time_t (*)(time_t *))dlsym(RTLD_NEXT, "time");
	return next(result);
}
