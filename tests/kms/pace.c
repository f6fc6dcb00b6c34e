// SPDX-License-Identifier: MIT
/*
 * A library to preload: calls of DRM take time. In virtual time they take none, so
 * a program that makes them until something happens would go on for ever. With
 * PACE_US set, each takes so many microseconds: a thread that made calls for a
 * slice of time sleeps that long, and others run meanwhile. So does a call of
 * sched_yield(): who yields until something happens waits for others, too.
 */

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define DRM_CALLS 'd'
#define NS_PER_US 1000
/* A frame lasts four of them. */
#define SLICE_NS (4000 * NS_PER_US)

static long call_ns(void)
{
	const char *text = getenv("PACE_US");

	return text ? strtol(text, NULL, 10) * NS_PER_US : 0;
}

/* One more call was made; errno stays. */
static void take_time(void)
{
	static __thread long owed_ns;
	struct timespec slice = { 0 };
	int error = errno;

	owed_ns += call_ns();
	if (owed_ns < SLICE_NS)
		return;
	slice.tv_nsec = owed_ns;
	owed_ns = 0;
	clock_nanosleep(CLOCK_MONOTONIC, 0, &slice, NULL);
	errno = error;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *argument;
	int ret;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	ret = syscall(SYS_ioctl, fd, request, argument);
	if (_IOC_TYPE(request) == DRM_CALLS)
		take_time();
	return ret;
}

int sched_yield(void)
{
	int ret = syscall(SYS_sched_yield);

	take_time();
	return ret;
}
