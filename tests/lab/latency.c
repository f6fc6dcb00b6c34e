// SPDX-License-Identifier: MIT
/*
 * How late a thread wakes (thesis, 7.2.2): as cyclictest does, sleep until a time with the highest
 * real-time priority and compare. It bounds what delays of interrupts add to measured times.
 */

#include "work.h"

#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#include "calibrate.h"

#define PRIORITY 99
#define INTERVAL_NS 10000000L
#define SECOND_NS 1000000000L

static double us_between(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) * 1e6 +
	       (double)(to->tv_nsec - from->tv_nsec) / 1e3;
}

void work_latency(int count)
{
	const struct sched_param parameters = { .sched_priority = PRIORITY };
	double sum = 0, largest = 0;
	struct timespec until, now;

	if (sched_setscheduler(0, SCHED_FIFO, &parameters) || mlockall(MCL_CURRENT | MCL_FUTURE))
		die("no real-time priority");
	clock_gettime(CLOCK_MONOTONIC, &until);
	for (int i = 0; i < count; i++) {
		double late;

		until.tv_nsec += INTERVAL_NS;
		until.tv_sec += until.tv_nsec / SECOND_NS;
		until.tv_nsec %= SECOND_NS;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
		late = us_between(&until, &now);
		sum += late;
		largest = late > largest ? late : largest;
	}
	printf("latency %d %.1f %.1f\n", count, sum / count, largest);
}
