// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the deadline scheduler: admission test, servers, selection of jobs. The
 * expected figures were computed by hand from the formulas in vivgpu_admission.c and
 * vivgpu_server.c.
 */

#include <kunit/test.h>

#include "../vivgpu_arbiter.h"

#define MS 1000000ull

static const struct vivgpu_arbiter_policy policy = {
	.admission = { .min_blocking_ns = MS, .max_blocking_ns = 20 * MS },
	.unknown_ns = MS,
	.lead_ns = 20 * MS,
};

/* A set of reservations, the overruns to be tolerated and the result of the test; in ms. */
struct admission_case {
	struct vivgpu_reservation set[3];
	u32 count;
	u32 overrun;
	enum vivgpu_admission_verdict verdict;
	u32 blocking;
	u32 horizon;
};

static const struct admission_case admission_cases[] = {
	/* U = 1/2. h = 10: 5 used, 5 left. Horizon 5 / (1/2). */
	{ { { 5, 10 } }, 1, 0, VIVGPU_ADMITTED, 5, 10 },
	/* The overrun of 2 ms leaves 3 ms; horizon (5 + 2) / (1/2): the queue's job is longer. */
	{ { { 5, 10 } }, 1, 2, VIVGPU_ADMITTED, 3, 14 },
	/* h = 10: 2 used, 8 left, more than the later job of 6. Horizon 8 / (1/2). */
	{ { { 2, 10 }, { 6, 20 } }, 2, 0, VIVGPU_ADMITTED, 8, 16 },
	/* h = 8: 2 used, 6 left, less than the later job of 8. */
	{ { { 2, 8 }, { 8, 16 } }, 2, 0, VIVGPU_REFUSED_BLOCKING },
	/* h = 8: 2 used, 6 left; h = 12: 2 + 6 used, 4 left. U = 3/4, horizon 6 / (1/4). */
	{ { { 2, 8 }, { 6, 12 } }, 2, 0, VIVGPU_ADMITTED, 4, 24 },
	/* U = 4/5, but in 10 ms there is no room for 5 and then a later job of 6. */
	{ { { 5, 10 }, { 6, 20 } }, 2, 0, VIVGPU_REFUSED_BLOCKING },
	/* The same in any order */
	{ { { 6, 20 }, { 5, 10 } }, 2, 0, VIVGPU_REFUSED_BLOCKING },
	/* h = 10: 1 used, 9 left, less than the later job of 15. */
	{ { { 1, 10 }, { 15, 20 } }, 2, 0, VIVGPU_REFUSED_BLOCKING },
	/* h = 20: 1 + 15 used, 4 left. U = 4/5, horizon 15 / (1/5). */
	{ { { 1, 20 }, { 15, 20 } }, 2, 0, VIVGPU_ADMITTED, 4, 75 },
	/* All of the time */
	{ { { 8, 8 } }, 1, 0, VIVGPU_REFUSED_UTILISATION },
	/* h = 16: 15 and the overrun used, nothing left; the least blocking is 1 ms. */
	{ { { 15, 16 }, { 1, 1000 } }, 2, 1, VIVGPU_REFUSED_BLOCKING },
	/* U = 11/10; then budgets and periods out of range */
	{ { { 6, 10 }, { 5, 10 } }, 2, 0, VIVGPU_REFUSED_UTILISATION },
	{ { { 11, 10 } }, 1, 0, VIVGPU_REFUSED_VALUES },
	{ { { 0, 10 } }, 1, 0, VIVGPU_REFUSED_VALUES },
	{ { { 1, 1001 } }, 1, 0, VIVGPU_REFUSED_VALUES },
	/* No reservation: whatever the policy allows. */
	{ { }, 0, 0, VIVGPU_ADMITTED, 20, 0 },
};

static void admission_follows_the_table(struct kunit *test)
{
	struct vivgpu_reservation set[3];
	struct vivgpu_admission result;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(admission_cases); i++) {
		const struct admission_case *one = &admission_cases[i];
		const struct vivgpu_admission_policy limits = {
			.overrun_ns = one->overrun * MS,
			.min_blocking_ns = MS,
			.max_blocking_ns = 20 * MS,
		};

		for (j = 0; j < one->count; j++) {
			set[j].budget_ns = one->set[j].budget_ns * MS;
			set[j].period_ns = one->set[j].period_ns * MS;
		}
		KUNIT_EXPECT_EQ_MSG(test, one->verdict,
				    vivgpu_admission_test(set, one->count, &limits, &result),
				    "set %u", i);
		if (one->verdict != VIVGPU_ADMITTED)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, result.blocking_ns, one->blocking * MS, "set %u", i);
		/* Utilisations are rounded up to 2^-32. */
		KUNIT_EXPECT_LT_MSG(test, result.horizon_ns - one->horizon * MS, 1000, "set %u", i);
	}
}

static void admission_has_limits(struct kunit *test)
{
	static struct vivgpu_reservation set[VIVGPU_MAX_RESERVATIONS + 1];
	const struct vivgpu_admission_policy limits = { .max_blocking_ns = 20 * MS };
	struct vivgpu_admission result;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(set); i++)
		set[i] = (struct vivgpu_reservation){ MS, 100 * MS };
	KUNIT_EXPECT_EQ(test, vivgpu_admission_test(set, 64, &limits, &result), VIVGPU_ADMITTED);
	KUNIT_EXPECT_EQ(test, result.blocking_ns, 20 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_admission_test(set, 65, &limits, &result),
			VIVGPU_REFUSED_COUNT);
	/* A job of 890 ms cannot be preempted when one of 1 us comes. */
	for (i = 0; i < 64; i++)
		set[i] = (struct vivgpu_reservation){ 1000, MS + i };
	set[63] = (struct vivgpu_reservation){ 890 * MS, 1000 * MS };
	KUNIT_EXPECT_EQ(test, vivgpu_admission_test(set, 64, &limits, &result),
			VIVGPU_REFUSED_BLOCKING);
	set[63].budget_ns = 900000;
	KUNIT_EXPECT_EQ(test, vivgpu_admission_test(set, 64, &limits, &result), VIVGPU_ADMITTED);
	/* 64 different periods, and a utilisation of 0.93 */
	for (i = 0; i < 64; i++)
		set[i] = (struct vivgpu_reservation){ 15000, MS + 997 * i };
	KUNIT_EXPECT_EQ(test, vivgpu_admission_test(set, 64, &limits, &result), VIVGPU_ADMITTED);
}

struct ppm_case {
	u64 budget_ns;
	u64 period_ns;
	u64 ppm;
};

/* A 64th of 984,375 is 15,380. */
static const struct ppm_case ppm_cases[] = {
	{ 3 * MS, 10 * MS, 300000 },
	{ 300 * MS, 1000 * MS, 300000 },
	{ 300 * MS + 1, 1000 * MS, 300001 },
	{ 1000 * MS, 1000 * MS, 1000000 },
	/* 333,333.3 is rounded up. */
	{ MS, 3 * MS, 333334 },
	{ 15380, MS, 15380 },
	{ 15381, MS, 15381 },
	{ 15379, MS, 15380 },
	{ 1, 1000 * MS, 15380 },
};

static void cgroups_pay_for_time_and_places(struct kunit *test)
{
	struct vivgpu_reservation reservation;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ppm_cases); i++) {
		reservation.budget_ns = ppm_cases[i].budget_ns;
		reservation.period_ns = ppm_cases[i].period_ns;
		KUNIT_EXPECT_EQ_MSG(test, vivgpu_reservation_ppm(&reservation), ppm_cases[i].ppm,
				    "case %u", i);
	}
	/* All that can be reserved is also what the admission test has in its own units. */
	KUNIT_EXPECT_EQ(test, VIVGPU_UTILISATION_MAX,
			(u64)VIVGPU_PPM_MAX * (VIVGPU_UTILISATION_ONE / 64) /
				(VIVGPU_PPM_ONE / 64));
}

static void expect_server(struct kunit *test, const struct vivgpu_server *server, s64 budget,
			  u64 deadline)
{
	KUNIT_EXPECT_EQ(test, server->budget_ns, budget * (s64)MS);
	KUNIT_EXPECT_EQ(test, server->deadline_ns, deadline * MS);
}

/* A budget of 4 ms in each 10 ms, with a horizon of 5 ms */
static void server_starts_periods(struct kunit *test)
{
	const struct vivgpu_reservation reservation = { 4 * MS, 10 * MS };
	struct vivgpu_server server;

	vivgpu_server_init(&server, &reservation);
	vivgpu_server_arrive(&server, 3 * MS, 5 * MS, 100 * MS);
	expect_server(test, &server, 4, 110);
	/* Jobs after it do not change the deadline. */
	vivgpu_server_arrive(&server, 1 * MS, 5 * MS, 101 * MS);
	expect_server(test, &server, 4, 110);
	vivgpu_server_fit(&server, 3 * MS, 101 * MS);
	vivgpu_server_charge(&server, 2 * MS, 103 * MS);
	expect_server(test, &server, 2, 110);
	/* 1 ms is covered, 3 ms are not: the next budget is added. */
	vivgpu_server_fit(&server, 1 * MS, 101 * MS);
	expect_server(test, &server, 2, 110);
	vivgpu_server_fit(&server, 3 * MS, 101 * MS);
	expect_server(test, &server, 6, 120);
	server.pending = 0;
	/* After the deadline a new period begins with the arrival. */
	vivgpu_server_arrive(&server, 3 * MS, 5 * MS, 123 * MS);
	expect_server(test, &server, 4, 133);
}

static void server_wakes_up(struct kunit *test)
{
	const struct vivgpu_reservation reservation = { 4 * MS, 10 * MS };
	struct vivgpu_server server;

	vivgpu_server_init(&server, &reservation);
	/* 2 ms by 110: at 104 the share of the 6 ms is 2.4 ms, so the deadline is kept. */
	server.budget_ns = 2 * MS;
	server.deadline_ns = 110 * MS;
	vivgpu_server_arrive(&server, 2 * MS, 5 * MS, 104 * MS);
	expect_server(test, &server, 2, 110);
	/* At 106 there are less than 5 ms, the horizon. */
	server.pending = 0;
	vivgpu_server_arrive(&server, 1 * MS, 5 * MS, 106 * MS);
	expect_server(test, &server, 2, 116);
	/* 3 ms in 5 ms are more than the share. */
	vivgpu_server_init(&server, &reservation);
	server.budget_ns = 3 * MS;
	server.deadline_ns = 110 * MS;
	vivgpu_server_arrive(&server, 1 * MS, 5 * MS, 105 * MS);
	expect_server(test, &server, 3, 115);
	/* The rest of 3 ms does not cover 4 ms, and is lost. */
	server.pending = 0;
	vivgpu_server_arrive(&server, 4 * MS, 5 * MS, 106 * MS);
	expect_server(test, &server, 4, 125);
}

static void server_pays_for_overruns(struct kunit *test)
{
	const struct vivgpu_reservation reservation = { 4 * MS, 10 * MS };
	struct vivgpu_server server;

	vivgpu_server_init(&server, &reservation);
	vivgpu_server_arrive(&server, 4 * MS, 5 * MS, 0);
	vivgpu_server_charge(&server, 4 * MS, 0);
	expect_server(test, &server, 4, 20);
	/* 13 ms of a budget of 4 ms: 9 ms are owed, which three periods cover. */
	vivgpu_server_charge(&server, 13 * MS, 0);
	expect_server(test, &server, 3, 50);
	/* A charge of exactly the budget leaves nothing, so the next period begins. */
	vivgpu_server_charge(&server, 7 * MS, 0);
	expect_server(test, &server, 4, 70);
}

/* The slack in ns at a time in ms, with a horizon of 10 ms */
static s64 slack_at(const struct list_head *servers, u64 now)
{
	return vivgpu_servers_slack(servers, NULL, 0, 10 * MS, now * MS);
}

/* One idle server of 4 ms in 10 ms at several moments; the horizon is 10 ms. */
static void servers_have_slack(struct kunit *test)
{
	const struct vivgpu_reservation reservation = { 4 * MS, 10 * MS };
	struct vivgpu_server server;
	LIST_HEAD(servers);

	KUNIT_EXPECT_EQ(test, vivgpu_servers_slack(&servers, NULL, 0, 0, 0), S64_MAX);
	KUNIT_EXPECT_EQ(test, vivgpu_servers_next_change(&servers, 0, 0), U64_MAX);
	vivgpu_server_init(&server, &reservation);
	list_add_tail(&server.link, &servers);
	/* Idle for long: 4 ms can be demanded within 10 ms. */
	server.deadline_ns = 90 * MS;
	KUNIT_EXPECT_GE(test, slack_at(&servers, 100), 5999000);
	KUNIT_EXPECT_LT(test, slack_at(&servers, 100), 6001000);
	/* The budget was used at once: 4 ms can be demanded by 120, from 101 on. */
	server.deadline_ns = 120 * MS;
	KUNIT_EXPECT_GE(test, slack_at(&servers, 101), 14999000);
	KUNIT_EXPECT_LT(test, slack_at(&servers, 101), 15001000);
	/* From 110 on a job that arrives gets a later deadline. */
	KUNIT_EXPECT_EQ(test, vivgpu_servers_next_change(&servers, 10 * MS, 101 * MS),
			110 * MS + 1);
	KUNIT_EXPECT_EQ(test, vivgpu_servers_next_change(&servers, 10 * MS, 111 * MS), 120 * MS);
	/* A job waits: its deadline stays. */
	server.pending = 1;
	KUNIT_EXPECT_GE(test, slack_at(&servers, 112), 3999000);
	KUNIT_EXPECT_LT(test, slack_at(&servers, 112), 4001000);
	KUNIT_EXPECT_LT(test, slack_at(&servers, 120), 0);
}

/*
 * An arbiter with three queues. The tests keep one list of waiting jobs, but for one test, without
 * vivgpu_arbiter_join() and vivgpu_arbiter_advance(): the queues' @known is not kept.
 */
struct fixture {
	struct vivgpu_arbiter arbiter;
	struct vivgpu_arbiter_queue queues[3];
	struct vivgpu_arbiter_job jobs[6];
	struct list_head waiting;
};

static struct fixture *fixture_create(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	INIT_LIST_HEAD(&f->waiting);
	vivgpu_arbiter_init(&f->arbiter, &policy);
	for (i = 0; i < ARRAY_SIZE(f->queues); i++)
		vivgpu_arbiter_init_queue(&f->queues[i], 1);
	return f;
}

static void fixture_admit(struct kunit *test, struct fixture *f, u32 queue, u64 budget, u64 period)
{
	struct vivgpu_reservation reservation = { budget * MS, period * MS };
	struct vivgpu_admission result;

	KUNIT_ASSERT_EQ(test, VIVGPU_ADMITTED,
			vivgpu_arbiter_check(&f->arbiter, &reservation, 0, &result));
	vivgpu_arbiter_admit(&f->arbiter, &f->queues[queue], &reservation, &result);
}

/* A job with a cost in ms arrives. */
static struct vivgpu_arbiter_job *fixture_arrive(struct fixture *f, u32 job, u32 queue, u64 cost,
						 u64 now)
{
	f->jobs[job].queue = &f->queues[queue];
	f->jobs[job].cost_ns = cost * MS;
	vivgpu_arbiter_arrive(&f->arbiter, &f->jobs[job], now * MS);
	list_add_tail(&f->jobs[job].link, &f->waiting);
	return &f->jobs[job];
}

/* Select a job, and start it if there is one. Returns its number, or -1. */
static int fixture_start(struct fixture *f, u64 now)
{
	struct vivgpu_arbiter_job *job =
		vivgpu_arbiter_select(&f->arbiter, &f->waiting, now * MS);

	if (!job)
		return -1;

	list_del_init(&job->link);
	vivgpu_arbiter_start(&f->arbiter, job, now * MS);
	return job - f->jobs;
}

/*
 * The oldest job in the ring ends, as in vivgpu_deadline_retire(); times in ms. Returns what
 * vivgpu_arbiter_finish() does.
 */
static u32 fixture_finish(struct fixture *f, u32 job, u64 started, u64 finished)
{
	struct vivgpu_lengths *lengths = &f->jobs[job].queue->lengths;
	u64 cost = f->jobs[job].cost_ns, length = (finished - started) * MS;

	vivgpu_lengths_learn(lengths, cost, length);
	if (f->jobs[job].forced)
		vivgpu_lengths_fade(lengths, cost, length);
	return vivgpu_arbiter_finish(&f->arbiter, &f->jobs[job], started * MS, finished * MS);
}

static void earliest_deadline_first(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 40);
	fixture_admit(test, f, 1, 2, 20);
	/* Deadlines 40 and 21; best effort is last although it came first. */
	fixture_arrive(f, 0, 2, 1, 0);
	fixture_arrive(f, 1, 0, 5, 0);
	fixture_arrive(f, 2, 1, 2, 1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), 2);
	/* One more may follow it: 2 + 5 ms do no harm. And not a third. */
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), 1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), -1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 2, 1, 3), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 3), -1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, 3, 8), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 8), 0);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 8, 9), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 9), -1);
	KUNIT_EXPECT_EQ(test, f->arbiter.missed, 0);
}

static void admission_changes_with_the_queues(struct kunit *test)
{
	struct vivgpu_reservation more = { 6 * MS, 20 * MS };
	struct fixture *f = fixture_create(test);
	struct vivgpu_admission result;

	fixture_admit(test, f, 0, 5, 10);
	KUNIT_EXPECT_EQ(test, f->arbiter.admitted.blocking_ns, 5 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_check(&f->arbiter, &more, 0, &result),
			VIVGPU_REFUSED_BLOCKING);
	/* A refusal changes nothing. */
	KUNIT_EXPECT_EQ(test, f->arbiter.admitted.blocking_ns, 5 * MS);
	KUNIT_EXPECT_EQ(test, f->arbiter.nr_servers, 1);
	vivgpu_arbiter_leave(&f->arbiter, &f->queues[0], 0);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_retest(&f->arbiter, 0, &result), U64_MAX);
	KUNIT_EXPECT_EQ(test, f->arbiter.nr_servers, 0);
	fixture_admit(test, f, 1, 6, 20);
	KUNIT_EXPECT_EQ(test, f->arbiter.admitted.blocking_ns, 14 * MS);
}

/* The overhead of a job is a part of its bound and of a budget. */
static void overhead_counts(struct kunit *test)
{
	struct vivgpu_reservation whole = { 10 * MS, 10 * MS };
	struct fixture *f = fixture_create(test);
	struct vivgpu_admission result;

	f->arbiter.policy.overhead_ns = MS;
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_check(&f->arbiter, &whole, 0, &result),
			VIVGPU_REFUSED_UTILISATION);
	fixture_admit(test, f, 0, 4, 10);
	fixture_arrive(f, 0, 0, 4, 0);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.budget_ns, 5 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, &f->jobs[0]), 5 * MS);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 0, 3), 0);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.budget_ns, MS);
}

/* The job that would break a promise is held back until the queue's budget is used. */
static void long_jobs_are_held_back(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 10);
	fixture_arrive(f, 0, 1, 8, 1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), -1);
	/* A shorter one of another queue is not. */
	fixture_arrive(f, 1, 2, 5, 2);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 2), 1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, 2, 7), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 7), -1);
	/* The reserved job came, and used its budget at 16: the next deadline is 31. */
	fixture_arrive(f, 2, 0, 5, 11);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 11), 2);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 2, 11, 16), 0);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.deadline_ns, 31 * MS);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 16), 0);
	/* Idle although a job waited: 1 to 2 and 7 to 11. */
	KUNIT_EXPECT_EQ(test, f->arbiter.idle_ns, 5 * MS);
	KUNIT_EXPECT_EQ(test, f->arbiter.forced, 0);
}

static void held_back_jobs_run_at_last(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	f->arbiter.policy.hold_ns = 100 * MS;
	fixture_admit(test, f, 0, 5, 10);
	fixture_arrive(f, 0, 1, 8, 7);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 7), -1);
	KUNIT_EXPECT_EQ(test, f->arbiter.recheck_ns, 107 * MS);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 106), -1);
	/* A reserved job comes first even then. */
	fixture_arrive(f, 1, 0, 5, 107);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 107), 1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 107), -1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, 107, 108), 0);
	/* 4 ms of the budget are left, which can be demanded within 10 ms. */
	KUNIT_EXPECT_EQ(test, fixture_start(f, 108), 0);
	KUNIT_EXPECT_EQ(test, f->arbiter.forced, 1);
}

/* The time that a job waits for others does not count. */
static void holding_begins_with_the_turn(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	f->arbiter.policy.hold_ns = 100 * MS;
	fixture_admit(test, f, 0, 5, 10);
	fixture_arrive(f, 0, 1, 8, 7);
	fixture_arrive(f, 1, 1, 8, 7);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 50), -1);
	KUNIT_EXPECT_EQ(test, f->arbiter.recheck_ns, 150 * MS);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 150), 0);
	KUNIT_EXPECT_EQ(test, f->arbiter.forced, 1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 150, 158), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 158), -1);
	KUNIT_EXPECT_EQ(test, f->arbiter.recheck_ns, 258 * MS);
}

/* A queue keeps its order, and its oldest job inherits from the others. */
static void jobs_inherit(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	fixture_admit(test, f, 1, 3, 30);
	/* The queue's longest frame takes 2 ms, and the other's predictions are right. */
	vivgpu_lengths_learn_frame(&f->queues[0].lengths, 0, 2 * MS);
	vivgpu_lengths_learn(&f->queues[2].lengths, MS, MS);
	fixture_arrive(f, 0, 2, 2, 0);
	fixture_arrive(f, 1, 1, 3, 0);
	/* A job of the first queue waits for this one, which pays with its budget. */
	fixture_arrive(f, 2, 2, 1, 0);
	f->jobs[2].donor = &f->queues[0];
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 0, 2), 0);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.budget_ns, 3 * MS);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 2), 2);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.pending, 1);
	/* A longer one would leave less than 2 ms. */
	fixture_arrive(f, 3, 2, 2, 2);
	f->jobs[3].donor = &f->queues[0];
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 2, 2, 3), 0);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.budget_ns, 2 * MS);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.pending, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 3), 1);
}

static void overruns_are_learnt(struct kunit *test)
{
	struct fixture *f = fixture_create(test);
	struct vivgpu_arbiter_job *job = fixture_arrive(f, 0, 0, 2, 0);

	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 2 * MS);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 0, 5), VIVGPU_ARBITER_OVERRUN);
	/* 5 / 2 of the cost, and at least the longest job since that is more than twice. */
	job = fixture_arrive(f, 1, 0, 4, 5);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 10 * MS);
	job = fixture_arrive(f, 2, 0, 1, 5);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 5 * MS);
	/* Without a cost: the longest; of an unknown queue, what the policy says. */
	job = fixture_arrive(f, 3, 0, 0, 5);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 5 * MS);
	job = fixture_arrive(f, 4, 1, 0, 5);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), MS);
	job->empty = true;
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 0);
	/* A cost of 1 ns does not overflow. */
	vivgpu_lengths_learn(&f->queues[0].lengths, 1, U64_MAX);
	f->jobs[3].cost_ns = U64_MAX;
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, &f->jobs[3]), 10000 * MS);
}

/* A job that took long once holds its queue back, not its next 64 jobs, each for the time limit. */
static void held_back_queues_recover(struct kunit *test)
{
	struct fixture *f = fixture_create(test);
	struct vivgpu_lengths *lengths = &f->queues[1].lengths;

	f->arbiter.policy.hold_ns = 100 * MS;
	fixture_admit(test, f, 0, 5, 10);
	vivgpu_lengths_learn(lengths, 0, 14 * MS);
	vivgpu_lengths_learn(lengths, 2 * MS, 14 * MS);
	fixture_arrive(f, 0, 1, 2, 7);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 7), -1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 107), 0);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 107, 108), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(lengths, 0, 0), 7 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(lengths, 2 * MS, 0), 7 * MS);
	fixture_arrive(f, 1, 1, 2, 108);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 108), -1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 208), 1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, 208, 209), 0);
	/* 7/4 of the cost */
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_bound(lengths, 2 * MS, 0), 7 * MS / 2);
	fixture_arrive(f, 2, 1, 1, 209);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 209), 2);
	KUNIT_EXPECT_EQ(test, f->arbiter.forced, 2);
}

/* Priority, then hints within limits, then the least served queue, then age. */
static void best_effort_order(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	f->queues[2].priority = 0;
	fixture_arrive(f, 0, 2, 1, 0);
	fixture_arrive(f, 1, 1, 1, 0);
	fixture_arrive(f, 2, 0, 1, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 1);
	/* The first queue had 0 ms, the second 19. */
	fixture_finish(f, 1, 0, 19);
	fixture_arrive(f, 3, 1, 1, 19);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 19), 2);
	fixture_finish(f, 2, 19, 20);
	fixture_arrive(f, 4, 0, 1, 20);
	/* A hint counts, even of a later job; 19 ms are less than 20 ms more than 1 ms. */
	f->jobs[5].deadline_ns = 1;
	fixture_arrive(f, 5, 1, 1, 20);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 20), 3);
	fixture_finish(f, 3, 20, 23);
	/* Now the queue had 22 ms, which is too much. */
	KUNIT_EXPECT_EQ(test, fixture_start(f, 23), 4);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 23), 5);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 23), -1);
	fixture_finish(f, 4, 23, 24);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 5, 24, 25), VIVGPU_ARBITER_MISSED);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 25), 0);
}

/* A client that opens a new queue for each job does not come first each time by its hints. */
static void new_queues_begin_ahead(struct kunit *test)
{
	struct fixture *f = fixture_create(test);
	u64 now = 0;

	/* The first queue has had nothing but its beginning, and waits. */
	fixture_arrive(f, 0, 0, 1, 0);
	f->jobs[1].deadline_ns = 1;
	fixture_arrive(f, 1, 1, 1, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, now), 1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, now, now + 1), VIVGPU_ARBITER_MISSED);
	f->jobs[2].deadline_ns = 1;
	fixture_arrive(f, 2, 2, 1, 1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), 0);
}

static void nothing_overtakes_a_barrier(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	fixture_arrive(f, 0, 1, 1, 0);
	f->jobs[1].barrier = true;
	vivgpu_lengths_learn(&f->queues[2].lengths, MS, MS);
	fixture_arrive(f, 1, 2, 1, 0);
	fixture_arrive(f, 2, 0, 5, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 1);
	fixture_finish(f, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), 2);
}

/* Without reservations short jobs may fill the ring up to a limit. */
static void short_jobs_fill_the_ring(struct kunit *test)
{
	struct fixture *f = fixture_create(test);
	u32 i;

	f->arbiter.policy.ring_ns = 3 * MS;
	for (i = 0; i < 5; i++)
		fixture_arrive(f, i, i % 3, 1, 0);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_GE(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), -1);
	fixture_finish(f, 0, 0, 1);
	KUNIT_EXPECT_GE(test, fixture_start(f, 1), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), -1);
}

static void a_reset_empties_the_ring(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	fixture_arrive(f, 0, 0, 5, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	vivgpu_arbiter_requeue(&f->arbiter);
	list_add(&f->jobs[0].link, &f->waiting);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.pending, 1);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 3), 0);
	/* Behind a job that takes longer than its bound nothing enters the ring. */
	fixture_arrive(f, 1, 1, 1, 9);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 9), -1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 3, 10), VIVGPU_ARBITER_OVERRUN);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.pending, 0);
	vivgpu_arbiter_drop(&f->jobs[1]);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.deadline_ns, 40 * MS);
}

/* The horizon is 10 ms. */
static void servers_owe_nothing_to_the_past(struct kunit *test)
{
	const struct vivgpu_reservation reservation = { 4 * MS, 10 * MS };
	struct vivgpu_server server;

	vivgpu_server_init(&server, &reservation);
	vivgpu_server_arrive(&server, 3 * MS, 10 * MS, 100 * MS);
	expect_server(test, &server, 4, 110);
	/* It did not run for two periods: the next deadline is one period from now. */
	vivgpu_server_charge(&server, 4 * MS, 132 * MS);
	expect_server(test, &server, 4, 142);
	/* A job of two budgets is held back: two periods from now, each time. */
	vivgpu_server_fit(&server, 7 * MS, 132 * MS);
	expect_server(test, &server, 8, 152);
	vivgpu_server_renew(&server, 7 * MS, 131 * MS);
	expect_server(test, &server, 8, 152);
	vivgpu_server_renew(&server, 7 * MS, 500 * MS);
	expect_server(test, &server, 8, 520);
}

static void servers_cover_jobs_in_the_ring(struct kunit *test)
{
	const struct vivgpu_reservation reservation = { 4 * MS, 10 * MS };
	struct vivgpu_server server;

	vivgpu_server_init(&server, &reservation);
	vivgpu_server_arrive(&server, 3 * MS, 10 * MS, 100 * MS);
	vivgpu_server_commit(&server, 3 * MS);
	KUNIT_EXPECT_TRUE(test, vivgpu_server_covers(&server, MS));
	KUNIT_EXPECT_FALSE(test, vivgpu_server_covers(&server, 2 * MS));
	/* It took only 2 ms. */
	vivgpu_server_uncommit(&server, 3 * MS);
	vivgpu_server_charge(&server, 2 * MS, 102 * MS);
	KUNIT_EXPECT_TRUE(test, vivgpu_server_covers(&server, 2 * MS));
}

/* A reservation that was given back is free at the deadline of the last budget that was used. */
static void leaving_takes_time(struct kunit *test)
{
	struct vivgpu_reservation same = { 5 * MS, 10 * MS }, other = same;
	struct fixture *f = fixture_create(test);
	struct vivgpu_admission result;

	fixture_admit(test, f, 0, 5, 10);
	fixture_arrive(f, 0, 0, 3, 100);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 100), 0);
	/* The deadline is 110, and the job runs. */
	KUNIT_EXPECT_EQ(test, vivgpu_server_free_ns(&f->queues[0].server), 110 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_leave(&f->arbiter, &f->queues[0], 101 * MS), 110 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_retest(&f->arbiter, 101 * MS, &result), 110 * MS);
	KUNIT_EXPECT_EQ(test, result.blocking_ns, 5 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_check(&f->arbiter, &same, 109 * MS, &result),
			VIVGPU_REFUSED_UTILISATION);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_check(&f->arbiter, &other, 110 * MS, &result),
			VIVGPU_ADMITTED);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_retest(&f->arbiter, 110 * MS, &result), U64_MAX);
	KUNIT_EXPECT_EQ(test, result.blocking_ns, 20 * MS);
	fixture_finish(f, 0, 100, 103);
}

/* A queue that leaves has paid for an overrun before its reservation is free. */
static void overruns_are_paid_before_it_is_free(struct kunit *test)
{
	struct vivgpu_server server;

	vivgpu_server_init(&server, &(struct vivgpu_reservation){ MS + MS / 10, 200 * MS });
	vivgpu_server_arrive(&server, MS, 20 * MS, 0);
	vivgpu_server_charge(&server, 330 * MS, 330 * MS);
	/* 299 budgets from the end of the job on, beside its own */
	KUNIT_EXPECT_EQ(test, vivgpu_server_free_ns(&server), 60130 * MS);
}

static void untouched_budgets_are_free_earlier(struct kunit *test)
{
	const struct vivgpu_reservation reservation = { 4 * MS, 10 * MS };
	struct vivgpu_server server;

	vivgpu_server_init(&server, &reservation);
	KUNIT_EXPECT_EQ(test, vivgpu_server_free_ns(&server), 0);
	/* A budget that is used up by 104 was due at 110, and nothing of the next was used. */
	vivgpu_server_arrive(&server, 4 * MS, 10 * MS, 100 * MS);
	vivgpu_server_charge(&server, 4 * MS, 104 * MS);
	expect_server(test, &server, 4, 120);
	KUNIT_EXPECT_EQ(test, vivgpu_server_free_ns(&server), 110 * MS);
	vivgpu_server_charge(&server, MS, 105 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_server_free_ns(&server), 120 * MS);
}

/*
 * Gives the second queue, which must have none, a reservation of 2 ms in each 20 ms. Returns by how
 * much its first deadline is later than usual, in ns.
 */
static u64 joins_later_by(struct kunit *test, struct fixture *f)
{
	fixture_admit(test, f, 1, 2, 20);
	return f->queues[1].server.start_ns;
}

/*
 * What is in the ring, and what reserved jobs wait for, was let in for the reservations of then.
 * That ends within their horizon, which is 10 ms for 5 ms in each 10 ms.
 */
static void new_reservations_begin_later(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	/* Without others nothing was promised before. */
	fixture_arrive(f, 0, 2, 1, 100);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 100), 0);
	KUNIT_EXPECT_EQ(test, joins_later_by(test, f), 0);

	f = fixture_create(test);
	fixture_admit(test, f, 0, 5, 10);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.start_ns, 0);
	/* A best-effort job that waits starts by the rules of the new set. */
	fixture_arrive(f, 0, 2, 1, 100);
	KUNIT_EXPECT_EQ(test, joins_later_by(test, f), 0);

	f = fixture_create(test);
	fixture_admit(test, f, 0, 5, 10);
	fixture_arrive(f, 0, 2, 1, 100);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 100), 0);
	KUNIT_EXPECT_EQ(test, joins_later_by(test, f), 10 * MS);

	f = fixture_create(test);
	fixture_admit(test, f, 0, 5, 10);
	fixture_arrive(f, 0, 0, 1, 100);
	KUNIT_EXPECT_EQ(test, joins_later_by(test, f), 10 * MS);
	/* Once only: after the first deadline periods begin as usual. */
	fixture_arrive(f, 1, 1, 1, 101);
	expect_server(test, &f->queues[1].server, 2, 131);
	KUNIT_EXPECT_EQ(test, f->queues[1].server.start_ns, 0);
	f->queues[1].server.pending = 0;
	fixture_arrive(f, 2, 1, 1, 140);
	expect_server(test, &f->queues[1].server, 2, 160);
}

/* A queue of which nothing was measured: the longest that is harmless, whatever it predicts. */
static void strangers_are_assumed_long(struct kunit *test)
{
	struct fixture *f = fixture_create(test);
	struct vivgpu_arbiter_job *job;

	fixture_admit(test, f, 0, 5, 20);
	job = fixture_arrive(f, 0, 1, 1, 0);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 15 * MS);
	job = fixture_arrive(f, 1, 1, 16, 0);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 16 * MS);
	vivgpu_lengths_learn(&f->queues[1].lengths, MS, MS);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, &f->jobs[0]), MS);
	/* A prediction does not make a reserved job longer than its budget; a measurement does. */
	job = fixture_arrive(f, 2, 0, 30, 0);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 5 * MS);
	vivgpu_lengths_learn(&f->queues[0].lengths, 0, 6 * MS);
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, job), 6 * MS);
}

static void expect_bound(struct kunit *test, struct fixture *f, u32 job, u64 predicted, u64 bound)
{
	f->jobs[job].predicted_bound_ns = predicted * MS;
	KUNIT_EXPECT_EQ(test, vivgpu_arbiter_bound(&f->arbiter, &f->jobs[job]), bound * MS);
}

/* The larger one of a predicted bound and of what was measured; reserved: up to the budget. */
static void predicted_bounds_only_lengthen(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	/* Of a stranger at least the 15 ms that are harmless are assumed. */
	fixture_arrive(f, 0, 1, 1, 0);
	expect_bound(test, f, 0, 14, 15);
	expect_bound(test, f, 0, 16, 16);
	vivgpu_lengths_learn(&f->queues[1].lengths, MS, 2 * MS);
	expect_bound(test, f, 0, 1, 2);
	expect_bound(test, f, 0, 3, 3);
	/* A reserved queue of which nothing is known, without a cost: the budget */
	fixture_arrive(f, 1, 0, 0, 0);
	expect_bound(test, f, 1, 1, 5);
	expect_bound(test, f, 1, 30, 5);
	fixture_arrive(f, 2, 0, 2, 0);
	expect_bound(test, f, 2, 0, 2);
	expect_bound(test, f, 2, 1, 2);
	expect_bound(test, f, 2, 3, 3);
	expect_bound(test, f, 2, 30, 5);
	/* When it was measured to take 7 ms, up to these */
	vivgpu_lengths_learn(&f->queues[0].lengths, 0, 7 * MS);
	expect_bound(test, f, 2, 6, 6);
	expect_bound(test, f, 2, 30, 7);
	f->jobs[2].empty = true;
	expect_bound(test, f, 2, 30, 0);
}

/* The job says whether its predicted bound decided, and is held back for it. */
static void who_decided_is_known(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	vivgpu_lengths_learn(&f->queues[1].lengths, 0, MS);
	fixture_arrive(f, 0, 1, 1, 0);
	f->jobs[0].predicted_bound_ns = MS;
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_FALSE(test, f->jobs[0].predicted);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 0, 1), 0);
	fixture_arrive(f, 1, 1, 1, 1);
	f->jobs[1].predicted_bound_ns = 2 * MS;
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), 1);
	KUNIT_EXPECT_TRUE(test, f->jobs[1].predicted);
	KUNIT_EXPECT_EQ(test, f->jobs[1].bound_ns, 2 * MS);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, 1, 3), 0);
	/* 16 ms may be in the way for longer than 15. */
	fixture_arrive(f, 2, 1, 1, 3);
	f->jobs[2].predicted_bound_ns = 16 * MS;
	KUNIT_EXPECT_EQ(test, fixture_start(f, 3), -1);
}

/* A hint that is missed is no promise, and a promise is not kept by a hint that is later. */
static void promises_are_not_hints(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	fixture_arrive(f, 0, 0, 2, 0)->deadline_ns = MS;
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 0, 0, 2), VIVGPU_ARBITER_MISSED);
	fixture_arrive(f, 1, 1, 2, 100)->deadline_ns = 101 * MS;
	KUNIT_EXPECT_EQ(test, fixture_start(f, 100), 1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, 100, 102), VIVGPU_ARBITER_MISSED);
	fixture_arrive(f, 2, 0, 2, 200)->deadline_ns = 300 * MS;
	KUNIT_EXPECT_EQ(test, fixture_start(f, 200), 2);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 2, 200, 221),
			VIVGPU_ARBITER_MISSED_BUDGET | VIVGPU_ARBITER_OVERRUN);
}

static struct fixture *fixture_with_recovery(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	f->arbiter.policy.admission.overrun_ns = 2 * MS;
	f->arbiter.policy.admission.recovery_ns = MS;
	return f;
}

/* Expects that no job may start. Returns whether the oldest one in the ring has to end. */
static bool fixture_overdue(struct kunit *test, struct fixture *f, u64 now)
{
	KUNIT_EXPECT_EQ(test, fixture_start(f, now), -1);
	return f->arbiter.overdue;
}

/* 5 ms in each 20 ms, a recovery of 1 ms and overruns of 2 ms leave a blocking of 12 ms. */
static void a_job_in_the_way_is_ended(struct kunit *test)
{
	struct fixture *f = fixture_with_recovery(test);
	u64 before;

	fixture_admit(test, f, 0, 5, 20);
	KUNIT_EXPECT_EQ(test, f->arbiter.admitted.blocking_ns, 12 * MS);
	fixture_arrive(f, 0, 1, 1, 0);
	before = f->queues[1].used_ns;
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	/* It may run until a server waits for it, */
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 90));
	KUNIT_EXPECT_EQ(test, f->arbiter.recheck_ns, U64_MAX);
	/* and then for the blocking. No job enters the ring behind it. */
	fixture_arrive(f, 1, 0, 5, 100);
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 100));
	KUNIT_EXPECT_EQ(test, f->arbiter.recheck_ns, 112 * MS);
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 111));
	KUNIT_EXPECT_TRUE(test, fixture_overdue(test, f, 112));
	KUNIT_EXPECT_TRUE(test, vivgpu_arbiter_is_over(&f->arbiter, 112 * MS));
	/*
	 * The timer is late by half of what is tolerated. The queue pays for the recovery. The
	 * reserved job ends in time, even if an overrun took the other half before.
	 */
	f->jobs[0].guilty = true;
	fixture_finish(f, 0, 0, 113);
	KUNIT_EXPECT_EQ(test, f->queues[1].used_ns, before + 114 * MS);
	vivgpu_arbiter_requeue(&f->arbiter);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 115), 1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, 115, 120), 0);
}

/* A job from before the arbiter was active may block servers for as long as it takes. */
static void nothing_ends_a_barrier(struct kunit *test)
{
	struct fixture *f = fixture_with_recovery(test);

	fixture_admit(test, f, 0, 5, 20);
	f->jobs[0].barrier = true;
	fixture_arrive(f, 0, 1, 100, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	fixture_arrive(f, 1, 0, 5, 50);
	/* Within its bound and after it: no time at which it would have to end. */
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 50));
	KUNIT_EXPECT_EQ(test, f->arbiter.recheck_ns, U64_MAX);
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 900));
	KUNIT_EXPECT_EQ(test, f->arbiter.recheck_ns, U64_MAX);
	fixture_finish(f, 0, 0, 901);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 901), 1);
}

/* A job that only began behind one that took too long is not guilty, and runs again. */
static void who_did_not_overrun_runs_again(struct kunit *test)
{
	struct fixture *f = fixture_with_recovery(test);

	fixture_admit(test, f, 0, 5, 20);
	vivgpu_lengths_learn(&f->queues[1].lengths, 0, 2 * MS);
	vivgpu_lengths_learn(&f->queues[2].lengths, 0, 2 * MS);
	fixture_arrive(f, 0, 1, 0, 0);
	fixture_arrive(f, 1, 2, 0, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 1);
	fixture_arrive(f, 2, 0, 5, 1);
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 1));
	fixture_finish(f, 0, 0, 12);
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 12));
	KUNIT_EXPECT_TRUE(test, fixture_overdue(test, f, 13));
	KUNIT_EXPECT_FALSE(test, vivgpu_arbiter_is_over(&f->arbiter, 13 * MS));
	vivgpu_arbiter_requeue(&f->arbiter);
	list_add(&f->jobs[1].link, &f->waiting);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 14), 2);
}

/* A reserved job may take the rest of its budget, and 1 ms of overruns while others wait. */
static void overruns_of_servers_are_ended(struct kunit *test)
{
	struct fixture *f = fixture_with_recovery(test);

	fixture_admit(test, f, 0, 5, 30);
	fixture_admit(test, f, 1, 3, 30);
	fixture_arrive(f, 0, 0, 2, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 9));
	/* The other needs 3 ms by 39: until then there is time for more than the 6 ms. */
	fixture_arrive(f, 1, 1, 3, 9);
	KUNIT_EXPECT_FALSE(test, fixture_overdue(test, f, 9));
	KUNIT_EXPECT_TRUE(test, fixture_overdue(test, f, 35));
	KUNIT_EXPECT_TRUE(test, vivgpu_arbiter_is_over(&f->arbiter, 35 * MS));
	f->jobs[0].guilty = true;
	fixture_finish(f, 0, 0, 35);
	vivgpu_arbiter_requeue(&f->arbiter);
	/* 36 ms take eight budgets of 5 ms: the first, and those of seven periods from 35 on. */
	KUNIT_EXPECT_EQ(test, f->queues[0].server.deadline_ns, (35 + 7 * 30) * MS);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 36), 1);
	KUNIT_EXPECT_EQ(test, fixture_finish(f, 1, 36, 39), 0);
}

/* A job that is waited for costs the donor what it takes, up to its bound, if that is covered. */
static void donations_are_limited(struct kunit *test)
{
	struct fixture *f = fixture_create(test);
	struct vivgpu_server *server = &f->queues[0].server;
	u64 before;

	fixture_admit(test, f, 0, 5, 20);
	vivgpu_lengths_learn_frame(&f->queues[0].lengths, 0, 2 * MS);
	vivgpu_lengths_learn(&f->queues[1].lengths, MS, MS);
	fixture_arrive(f, 0, 1, 10000, 0);
	before = f->queues[1].used_ns;
	f->jobs[0].donor = &f->queues[0];
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), -1);
	expect_server(test, server, 5, 0);
	KUNIT_EXPECT_EQ(test, server->pending, 0);
	f->jobs[0].cost_ns = 3 * MS;
	KUNIT_EXPECT_EQ(test, fixture_start(f, 1), 0);
	KUNIT_EXPECT_TRUE(test, f->jobs[0].lent);
	/* It takes 9 ms: 3 ms are the server's, 6 ms its own queue's. */
	fixture_finish(f, 0, 1, 10);
	expect_server(test, server, 2, 21);
	KUNIT_EXPECT_EQ(test, f->queues[1].used_ns, before + 6 * MS);
	KUNIT_EXPECT_EQ(test, server->pending, 0);
}

/* A donation that is refused changes nothing, so the next frame finds what was left to it. */
static void refused_donations_change_nothing(struct kunit *test)
{
	struct fixture *f = fixture_create(test);
	struct vivgpu_server *server = &f->queues[0].server;

	fixture_admit(test, f, 0, 5, 20);
	vivgpu_lengths_learn(&f->queues[1].lengths, 4 * MS, 4 * MS);
	fixture_arrive(f, 0, 0, 3, 100);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 100), 0);
	fixture_finish(f, 0, 100, 103);
	expect_server(test, server, 2, 120);
	/* 4 ms are more than is left beside a frame of 3 ms; and they do not move the deadline. */
	fixture_arrive(f, 1, 1, 4, 119);
	f->jobs[1].donor = &f->queues[0];
	KUNIT_EXPECT_EQ(test, fixture_start(f, 119), 1);
	KUNIT_EXPECT_FALSE(test, f->jobs[1].lent);
	expect_server(test, server, 2, 120);
	fixture_finish(f, 1, 119, 123);
	/* So the frame that waited has a whole budget by one period after it. */
	fixture_arrive(f, 2, 0, 3, 123);
	expect_server(test, server, 5, 143);
}

/* What is left to a queue is what the jobs of a frame need together. */
static void donations_leave_a_frame(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	vivgpu_lengths_learn(&f->queues[1].lengths, 2 * MS, 2 * MS);
	fixture_arrive(f, 0, 0, 2, 0);
	fixture_arrive(f, 1, 0, 2, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 1);
	fixture_finish(f, 0, 0, 2);
	fixture_finish(f, 1, 2, 4);
	KUNIT_EXPECT_EQ(test, vivgpu_lengths_frame(&f->queues[0].lengths), 4 * MS);
	/* 2 ms of 5 ms would leave 3 ms. */
	fixture_arrive(f, 2, 1, 2, 100);
	f->jobs[2].donor = &f->queues[0];
	KUNIT_EXPECT_EQ(test, fixture_start(f, 100), 2);
	KUNIT_EXPECT_FALSE(test, f->jobs[2].lent);
	fixture_finish(f, 2, 100, 102);
	/* 1 ms leaves 4 ms. */
	fixture_arrive(f, 3, 1, 1, 102);
	f->jobs[3].donor = &f->queues[0];
	KUNIT_EXPECT_EQ(test, fixture_start(f, 102), 3);
	KUNIT_EXPECT_TRUE(test, f->jobs[3].lent);
	fixture_finish(f, 3, 102, 103);
	KUNIT_EXPECT_EQ(test, f->queues[0].server.lent, 0);
	expect_server(test, &f->queues[0].server, 4, 122);
}

/* A job on a budget and a best-effort job are not in the ring together, in either order. */
static void best_effort_jobs_wait_behind_servers(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	vivgpu_lengths_learn(&f->queues[1].lengths, MS, MS);
	fixture_arrive(f, 0, 0, 3, 0);
	fixture_arrive(f, 1, 1, 1, 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), 0);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 0), -1);
	/* It waits for its turn, which does not count as being held back. */
	KUNIT_EXPECT_EQ(test, f->jobs[1].held_back_ns, 0);
	fixture_finish(f, 0, 0, 3);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 3), 1);
	/* And the server's next job behind a best-effort one */
	fixture_arrive(f, 2, 0, 1, 3);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 3), -1);
	fixture_finish(f, 1, 3, 4);
	KUNIT_EXPECT_EQ(test, fixture_start(f, 4), 2);
}

/* Without servers' jobs the ring is filled again when half of its jobs have ended. */
static void the_ring_is_filled_by_halves(struct kunit *test)
{
	struct fixture *f = fixture_create(test);

	fixture_admit(test, f, 0, 5, 20);
	f->arbiter.ring_jobs = VIVGPU_ARBITER_MAX_DEPTH / 2 + 1;
	KUNIT_EXPECT_TRUE(test, vivgpu_arbiter_is_filled(&f->arbiter));
	fixture_arrive(f, 0, 0, 1, 0);
	KUNIT_EXPECT_FALSE(test, vivgpu_arbiter_is_filled(&f->arbiter));
	vivgpu_arbiter_drop(&f->jobs[0]);
	f->arbiter.ring_jobs--;
	KUNIT_EXPECT_FALSE(test, vivgpu_arbiter_is_filled(&f->arbiter));
}

/* Of a queue with a reservation a selection visits the oldest jobs only. */
static void a_selection_visits_few_jobs(struct kunit *test)
{
	struct fixture *f = fixture_create(test);
	struct vivgpu_arbiter_queue *queue = &f->queues[0];
	u32 i;

	fixture_admit(test, f, 0, 5, 20);
	for (i = 0; i < 4; i++) {
		f->jobs[i].queue = queue;
		f->jobs[i].cost_ns = MS;
		vivgpu_arbiter_arrive(&f->arbiter, &f->jobs[i], 0);
		list_add_tail(&f->jobs[i].link, vivgpu_arbiter_join(queue, &f->waiting));
	}
	KUNIT_EXPECT_EQ(test, list_count_nodes(&f->waiting), VIVGPU_ARBITER_KNOWN);
	KUNIT_EXPECT_EQ(test, list_count_nodes(&queue->behind), 4 - VIVGPU_ARBITER_KNOWN);
	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, fixture_start(f, i), i);
		vivgpu_arbiter_advance(queue, &f->waiting);
		fixture_finish(f, i, i, i + 1);
	}
	KUNIT_EXPECT_EQ(test, queue->known, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&queue->behind));
	/* A best-effort queue has as many as the DRM scheduler hands over. */
	for (i = 0; i < VIVGPU_ARBITER_KNOWN + 1; i++)
		KUNIT_EXPECT_PTR_EQ(test, vivgpu_arbiter_join(&f->queues[1], &f->waiting),
				    &f->waiting);
}

static struct kunit_case deadline_cases[] = {
	KUNIT_CASE(admission_follows_the_table),
	KUNIT_CASE(admission_has_limits),
	KUNIT_CASE(cgroups_pay_for_time_and_places),
	KUNIT_CASE(server_starts_periods),
	KUNIT_CASE(server_wakes_up),
	KUNIT_CASE(server_pays_for_overruns),
	KUNIT_CASE(servers_have_slack),
	KUNIT_CASE(earliest_deadline_first),
	KUNIT_CASE(admission_changes_with_the_queues),
	KUNIT_CASE(overhead_counts),
	KUNIT_CASE(long_jobs_are_held_back),
	KUNIT_CASE(held_back_jobs_run_at_last),
	KUNIT_CASE(holding_begins_with_the_turn),
	KUNIT_CASE(jobs_inherit),
	KUNIT_CASE(overruns_are_learnt),
	KUNIT_CASE(held_back_queues_recover),
	KUNIT_CASE(best_effort_order),
	KUNIT_CASE(new_queues_begin_ahead),
	KUNIT_CASE(nothing_overtakes_a_barrier),
	KUNIT_CASE(short_jobs_fill_the_ring),
	KUNIT_CASE(a_reset_empties_the_ring),
	KUNIT_CASE(servers_owe_nothing_to_the_past),
	KUNIT_CASE(servers_cover_jobs_in_the_ring),
	KUNIT_CASE(leaving_takes_time),
	KUNIT_CASE(overruns_are_paid_before_it_is_free),
	KUNIT_CASE(untouched_budgets_are_free_earlier),
	KUNIT_CASE(new_reservations_begin_later),
	KUNIT_CASE(strangers_are_assumed_long),
	KUNIT_CASE(predicted_bounds_only_lengthen),
	KUNIT_CASE(who_decided_is_known),
	KUNIT_CASE(promises_are_not_hints),
	KUNIT_CASE(a_job_in_the_way_is_ended),
	KUNIT_CASE(nothing_ends_a_barrier),
	KUNIT_CASE(who_did_not_overrun_runs_again),
	KUNIT_CASE(overruns_of_servers_are_ended),
	KUNIT_CASE(donations_are_limited),
	KUNIT_CASE(refused_donations_change_nothing),
	KUNIT_CASE(donations_leave_a_frame),
	KUNIT_CASE(best_effort_jobs_wait_behind_servers),
	KUNIT_CASE(a_selection_visits_few_jobs),
	KUNIT_CASE(the_ring_is_filled_by_halves),
	{ }
};

static struct kunit_suite deadline_suite = {
	.name = "vivgpu-deadline",
	.test_cases = deadline_cases,
};

kunit_test_suite(deadline_suite);
