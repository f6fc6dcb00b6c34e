/* SPDX-License-Identifier: MIT */
/*
 * Scheduling of S. Kato, K. Lakshmanan, R. Rajkumar, Y. Ishikawa, "TimeGraph: GPU Scheduling for Real-Time
 * Multi-Tasking Environments", USENIX ATC 2011. With the predictable-response-time policy (PRT) a job starts when the
 * GPU is idle, that of the client with the highest priority first. Apriori enforcement (AE) lets a client's job start
 * only if its budget covers the predicted cost.
 */
#ifndef TIMEGRAPH_H
#define TIMEGRAPH_H

#include <stdbool.h>

#include <linux/types.h>

/**
 * struct timegraph_account - a client's budget
 * @capacity_ns: GPU time in each period; 0: the client has no budget and is never held back
 * @period_ns: the period
 * @budget_ns: what is left; negative after a job that took longer than predicted
 * @renewed_ns: begin of the present period
 */
struct timegraph_account {
	u64 capacity_ns;
	u64 period_ns;
	s64 budget_ns;
	u64 renewed_ns;
};

void timegraph_init(struct timegraph_account *account, u64 capacity_ns, u64 period_ns);
void timegraph_renew(struct timegraph_account *account, u64 now_ns);
bool timegraph_allows(const struct timegraph_account *account, u64 cost_ns);
void timegraph_charge(struct timegraph_account *account, u64 used_ns);
u64 timegraph_next(const struct timegraph_account *account);
bool timegraph_is_right(void);

#endif
