// SPDX-License-Identifier: MIT
/* Budgets of TimeGraph; see timegraph.h. */

#include <linux/limits.h>
#include <linux/minmax.h>

#include "timegraph.h"

/**
 * timegraph_init - a full budget at time 0
 * @account: the budget
 * @capacity_ns: GPU time in each period, 0: none
 * @period_ns: the period
 */
void timegraph_init(struct timegraph_account *account, u64 capacity_ns, u64 period_ns)
{
	*account = (struct timegraph_account){
		.capacity_ns = capacity_ns,
		.period_ns = period_ns,
		.budget_ns = capacity_ns,
	};
}

/**
 * timegraph_renew - add the capacity for each period that has begun; more than it is not kept
 * @account: the budget
 * @now_ns: the time
 */
void timegraph_renew(struct timegraph_account *account, u64 now_ns)
{
	u64 periods;

	if (!account->capacity_ns)
		return;
	periods = (now_ns - account->renewed_ns) / account->period_ns;
	account->renewed_ns += periods * account->period_ns;
	account->budget_ns = min(account->budget_ns + (s64)(periods * account->capacity_ns),
				 (s64)account->capacity_ns);
}

/**
 * timegraph_allows - whether a job may start
 * @account: the budget, renewed
 * @cost_ns: its predicted cost; one above the capacity starts with a full budget
 */
bool timegraph_allows(const struct timegraph_account *account, u64 cost_ns)
{
	return !account->capacity_ns ||
	       account->budget_ns >= (s64)min(cost_ns, account->capacity_ns);
}

/**
 * timegraph_charge - a job has ended
 * @account: the budget
 * @used_ns: time that it took
 */
void timegraph_charge(struct timegraph_account *account, u64 used_ns)
{
	if (account->capacity_ns)
		account->budget_ns -= used_ns;
}

/** timegraph_next - when the next period begins, U64_MAX without a budget */
u64 timegraph_next(const struct timegraph_account *account)
{
	return account->capacity_ns ? account->renewed_ns + account->period_ns : U64_MAX;
}

/** timegraph_is_right - a budget by hand: 3 of 10, a job of 2 that was predicted right, one of 8 */
bool timegraph_is_right(void)
{
	struct timegraph_account account, none;
	bool right;

	timegraph_init(&none, 0, 0);
	timegraph_init(&account, 3, 10);
	right = timegraph_allows(&none, 1000) && timegraph_next(&none) == U64_MAX;
	right = right && timegraph_allows(&account, 3) && timegraph_next(&account) == 10;
	timegraph_charge(&account, 2);
	right = right && timegraph_allows(&account, 1) && !timegraph_allows(&account, 2);
	timegraph_renew(&account, 12);
	right = right && account.budget_ns == 3 && timegraph_next(&account) == 20;
	/* It was predicted too short: the next two periods pay. */
	timegraph_charge(&account, 8);
	timegraph_renew(&account, 29);
	right = right && account.budget_ns == -2 && !timegraph_allows(&account, 1);
	timegraph_renew(&account, 40);
	right = right && account.budget_ns == 3;
	/* Longer than a period's budget. */
	return right && timegraph_allows(&account, 7);
}
