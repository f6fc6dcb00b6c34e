/* SPDX-License-Identifier: MIT */
/*
 * Non-preemptive EDF of sporadic tasks with blocking, by brute force: all states that any arrivals,
 * lengths, blocking and lost times lead to. Written from the definition, without a schedulability
 * test and without a file of the driver.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_TASKS 3

/**
 * struct oracle_set - tasks, and what delays them; times are small integers
 * @count: of tasks
 * @budget: most time of a task's job, which cannot be preempted
 * @period: shortest time between two jobs of a task, and after which each is due
 * @blocking: longest job without a deadline; such jobs start if no task's job waits
 * @lost: time in which the GPU does nothing although jobs wait, at any moments, together in each
 *	interval in which jobs wait or run
 */
struct oracle_set {
	int count;
	int budget[ORACLE_TASKS];
	int period[ORACLE_TASKS];
	int blocking;
	int lost;
};

/**
 * oracle_breaks() - Whether a job can be late.
 * @set: tasks; the product of their state counts is limited by memory, a period of 20 is small
 * @states: out, how many were visited, or NULL
 *
 * Exits if there is no memory.
 */
bool oracle_breaks(const struct oracle_set *set, uint32_t *states);

#endif
