// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Constant bandwidth servers for jobs that cannot be preempted
 *
 * A queue with a reservation has a server: an absolute deadline, and a budget that may be
 * used by that deadline (L. Abeni, G. Buttazzo, "Integrating Multimedia Applications in Hard
 * Real-Time Systems", RTSS 1998). The arbiter runs the job whose server has the earliest
 * deadline. These rules differ from servers of preemptive schedulers, since a job that runs
 * cannot be stopped when the budget is used up:
 *
 * - Replenishment: before a job starts, the budget must cover its bound. Otherwise the deadline
 *   is postponed by whole periods first, each of which adds a budget (vivgpu_server_fit()).
 *   After a job the time that it really took is subtracted. If it took longer, the budget may
 *   be negative; then the deadline is postponed until it is positive. So an overrun is paid for
 *   by the same queue's later jobs.
 * - Wake-up: a queue that was idle keeps a deadline that is near only if blocking cannot make it
 *   miss it: if it is at least the admission test's horizon away, and the budget is at
 *   most the server's share of that time. Otherwise the deadline is moved to one period
 *   from now (vivgpu_server_arrive()). The need for such a rule is shown in M. Bertogna,
 *   N. Fisher, S. Baruah, "Resource-Sharing Servers for Open Environments", IEEE
 *   Transactions on Industrial Informatics, 2009. What is left of a budget is lost if it does not
 *   cover the first job after idling.
 * - No past: periods in which a server did not run are not owed to it. A deadline that has passed
 *   is postponed by whole periods from the present time. That of a job that is held back is
 *   counted from the present time again at each selection (vivgpu_server_renew()).
 * - Joining: jobs that wait or run when a reservation is given were admitted for those before
 *   it, so its first deadline is later by their horizon (@start_ns).
 * - Leaving: a reservation is free for others when its server could not have demanded more than
 *   a new one (vivgpu_server_free_ns()).
 *
 * So in any interval h below the horizon a server demands at most floor(h / T) * Q, and in
 * longer ones at most U * h, as the admission test assumes.
 *
 * Pure functions; the caller serialises. Times are ns of one clock.
 */

#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include <kunit/visibility.h>

#include "vivgpu_server.h"

/**
 * vivgpu_server_init - initialise the server of an admitted queue
 * @server: the server; the caller adds it to its list
 * @reservation: what the queue was promised
 */
void vivgpu_server_init(struct vivgpu_server *server, const struct vivgpu_reservation *reservation)
{
	*server = (struct vivgpu_server){
		.reservation = *reservation,
		.utilisation = vivgpu_reservation_utilisation(reservation),
		.budget_ns = reservation->budget_ns,
	};
	INIT_LIST_HEAD(&server->link);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_init);

/* The part of an interval that is the server's. No admitted utilisation has more than 32 bits. */
static u64 vivgpu_server_share(const struct vivgpu_server *server, u64 interval)
{
	return mul_u64_u32_shr(interval, (u32)server->utilisation, 32);
}

/*
 * A job that arrives while at least this time is left until the deadline may use it: the
 * time in which the server's share of the GPU is its budget, and at least the horizon.
 */
static u64 vivgpu_server_keep_ns(const struct vivgpu_server *server, u64 horizon_ns)
{
	const struct vivgpu_reservation *reservation = &server->reservation;
	u64 budget = max_t(s64, server->budget_ns, 0);

	return max(horizon_ns, mul_u64_u64_div_u64(budget, reservation->period_ns,
						   reservation->budget_ns));
}

/* Whether a job that arrives now, which is before the present deadline, may use the deadline. */
static bool vivgpu_server_keeps(const struct vivgpu_server *server, u64 horizon_ns, u64 now_ns)
{
	return server->deadline_ns - now_ns >= vivgpu_server_keep_ns(server, horizon_ns);
}

/* Postpone the deadline by so many periods; from now on, if it has passed. */
static void vivgpu_server_postpone(struct vivgpu_server *server, u64 periods, u64 now_ns)
{
	server->budget_ns += periods * server->reservation.budget_ns;
	server->deadline_ns = max(server->deadline_ns, now_ns) +
			      periods * server->reservation.period_ns;
}

/* Periods whose budgets cover a time. */
static u64 vivgpu_server_periods(const struct vivgpu_server *server, u64 time_ns)
{
	u64 budget = server->reservation.budget_ns;

	return div64_u64(time_ns + budget - 1, budget);
}

/*
 * The first job after idling: choose budget and deadline. A whole budget that does not cover the
 * job is kept: vivgpu_server_fit() adds to it.
 */
static void vivgpu_server_wake(struct vivgpu_server *server, u64 bound_ns, u64 horizon_ns,
			       u64 now_ns)
{
	const struct vivgpu_reservation *reservation = &server->reservation;

	if (now_ns >= server->deadline_ns) {
		server->deadline_ns = now_ns + server->start_ns + reservation->period_ns;
		server->start_ns = 0;
		server->budget_ns = reservation->budget_ns;
	} else if (server->budget_ns < (s64)bound_ns &&
		   server->budget_ns < (s64)reservation->budget_ns) {
		server->budget_ns = 0;
		vivgpu_server_postpone(server, 1, now_ns);
	} else if (!vivgpu_server_keeps(server, horizon_ns, now_ns)) {
		server->deadline_ns = max(server->deadline_ns, now_ns + reservation->period_ns);
		server->budget_ns = min_t(s64, server->budget_ns, reservation->budget_ns);
	}
}

/**
 * vivgpu_server_arrive - a job arrived at the server's queue
 * @server: the server
 * @bound_ns: bound of the job's length
 * @horizon_ns: the admission test's
 * @now_ns: the time
 */
void vivgpu_server_arrive(struct vivgpu_server *server, u64 bound_ns, u64 horizon_ns, u64 now_ns)
{
	if (server->pending == server->lent)
		server->frame_ns = 0;
	if (!server->pending++)
		vivgpu_server_wake(server, bound_ns, horizon_ns, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_arrive);

/**
 * vivgpu_server_woken - a server as a job of another queue would find it now
 * @server: the server, which does not change
 * @horizon_ns: the admission test's
 * @now_ns: the time
 *
 * If it is idle, budget and deadline are those that a short job of its own would get. Of several
 * budgets one can be lent.
 *
 * Return: a copy, which is in no list.
 */
struct vivgpu_server vivgpu_server_woken(const struct vivgpu_server *server, u64 horizon_ns,
					 u64 now_ns)
{
	struct vivgpu_server woken = *server;

	if (!woken.pending)
		vivgpu_server_wake(&woken, 0, horizon_ns, now_ns);
	woken.budget_ns = min_t(s64, woken.budget_ns, woken.reservation.budget_ns);
	return woken;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_woken);

/**
 * vivgpu_server_lend - a job of another queue enters the ring, and runs on the budget
 * @server: the server
 * @horizon_ns: the admission test's
 * @now_ns: the time
 */
void vivgpu_server_lend(struct vivgpu_server *server, u64 horizon_ns, u64 now_ns)
{
	if (!server->pending++)
		vivgpu_server_wake(server, 0, horizon_ns, now_ns);
	server->lent++;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_lend);

/**
 * vivgpu_server_unlend - a job of another queue left the ring, or ended
 * @server: the server
 */
void vivgpu_server_unlend(struct vivgpu_server *server)
{
	server->pending--;
	server->lent--;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_unlend);

/**
 * vivgpu_server_fit - postpone the deadline until the budget covers a job
 * @server: the server
 * @bound_ns: bound of the job's length
 * @now_ns: the time
 */
void vivgpu_server_fit(struct vivgpu_server *server, u64 bound_ns, u64 now_ns)
{
	s64 missing = (s64)bound_ns - server->budget_ns;

	if (missing > 0)
		vivgpu_server_postpone(server, vivgpu_server_periods(server, missing), now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_fit);

/**
 * vivgpu_server_renew - a job that is longer than a budget is held back
 * @server: the server
 * @bound_ns: bound of the job's length
 * @now_ns: the time
 *
 * The time in which a job is held back is not owed to its server: budget and deadline are those
 * of a job that arrives now.
 */
void vivgpu_server_renew(struct vivgpu_server *server, u64 bound_ns, u64 now_ns)
{
	u64 periods = vivgpu_server_periods(server, bound_ns);
	u64 deadline = now_ns + periods * server->reservation.period_ns;

	if (server->deadline_ns >= deadline)
		return;

	server->deadline_ns = deadline;
	server->budget_ns = periods * server->reservation.budget_ns;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_renew);

/**
 * vivgpu_server_covers - whether the budget covers a job beside those in the ring
 * @server: the server
 * @bound_ns: bound of the job's length
 *
 * If not, the job waits for their end, since they may take less than was assumed.
 *
 * Return: true if it does.
 */
bool vivgpu_server_covers(const struct vivgpu_server *server, u64 bound_ns)
{
	return (s64)(server->committed_ns + bound_ns) <= server->budget_ns;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_covers);

/**
 * vivgpu_server_commit - a job enters the ring
 * @server: the server, whose budget covers it
 * @bound_ns: bound of the job's length
 */
void vivgpu_server_commit(struct vivgpu_server *server, u64 bound_ns)
{
	server->committed_ns += bound_ns;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_commit);

/**
 * vivgpu_server_uncommit - a job left the ring, or ended
 * @server: the server
 * @bound_ns: as for vivgpu_server_commit()
 */
void vivgpu_server_uncommit(struct vivgpu_server *server, u64 bound_ns)
{
	server->committed_ns -= bound_ns;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_uncommit);

/**
 * vivgpu_server_charge - a job ended
 * @server: the server
 * @used_ns: time that it took
 * @now_ns: the time
 */
void vivgpu_server_charge(struct vivgpu_server *server, u64 used_ns, u64 now_ns)
{
	server->budget_ns -= used_ns;
	if (server->budget_ns <= 0)
		vivgpu_server_postpone(server, vivgpu_server_periods(server,
								     1 - server->budget_ns),
				       now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_charge);

/**
 * vivgpu_server_free_ns - when the reservation of a queue that leaves is free for others
 * @server: the server
 *
 * A server that has used a part of its budget has the next budget at its deadline. If others got
 * the reservation before that, they and the server could together demand more than one budget in
 * one period. A server that has used nothing got its budget one period before its deadline, and its
 * reservation is free from then on. Both are not before the zero-lag time (deadline minus what is
 * left of the budget, divided by the utilisation), which preemptive schedulers use.
 *
 * Return: a time, in the past if the reservation is free at once.
 */
u64 vivgpu_server_free_ns(const struct vivgpu_server *server)
{
	bool used = server->committed_ns ||
		    server->budget_ns < (s64)server->reservation.budget_ns;

	return used ? server->deadline_ns :
		      server->deadline_ns - min(server->deadline_ns, server->reservation.period_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_server_free_ns);

/* The earliest deadline that work which waits or arrives from now on can have. */
static u64 vivgpu_server_first_deadline(const struct vivgpu_server *server, u64 horizon_ns,
					u64 now_ns)
{
	u64 fresh = now_ns + server->reservation.period_ns;

	if (server->deadline_ns <= now_ns && !server->pending)
		return fresh;
	if (server->pending || vivgpu_server_keeps(server, horizon_ns, now_ns))
		return server->deadline_ns;

	return max(server->deadline_ns, fresh);
}

/*
 * The most work that a server can demand from now on with deadlines up to this one, beside a part
 * of its budget that the job in the ring uses.
 */
static u64 vivgpu_server_demand(const struct vivgpu_server *server, u64 used_ns, u64 horizon_ns,
				u64 deadline_ns, u64 now_ns)
{
	u64 first = vivgpu_server_first_deadline(server, horizon_ns, now_ns);
	u64 again = server->deadline_ns + server->reservation.period_ns;
	u64 demand = 0;

	if (server->deadline_ns <= now_ns && !server->pending)
		return deadline_ns < first ? 0 : vivgpu_server_share(server, deadline_ns - now_ns);

	if (deadline_ns >= first)
		demand = max_t(s64, server->budget_ns - (s64)used_ns, 0);
	if (deadline_ns >= again)
		demand += vivgpu_server_share(server, deadline_ns - server->deadline_ns);
	return demand;
}

/* For how long the GPU may be blocked so that all work up to a deadline is done in time. */
static s64 vivgpu_server_slack_at(const struct list_head *servers,
				  const struct vivgpu_server *running, u64 used_ns,
				  u64 horizon_ns, u64 deadline_ns, u64 now_ns)
{
	const struct vivgpu_server *server;
	s64 slack = deadline_ns - now_ns;

	/* A deadline that has passed is missed in any case. */
	if (deadline_ns <= now_ns)
		return -1;
	list_for_each_entry(server, servers, link)
		slack -= vivgpu_server_demand(server, server == running ? used_ns : 0, horizon_ns,
					      deadline_ns, now_ns);
	return slack;
}

/**
 * vivgpu_servers_slack - for how long the GPU may be blocked without a deadline missed
 * @servers: all servers
 * @running: the server whose job blocks it, or NULL
 * @used_ns: how much of that server's budget the job uses
 * @horizon_ns: the admission test's
 * @now_ns: the time
 *
 * Assumes the worst: that jobs arrive at all idle servers directly after the blocking began.
 * Demand grows with at most the utilisation between the deadlines that are tested.
 *
 * Return: ns, negative if a deadline cannot be kept, S64_MAX without servers.
 */
s64 vivgpu_servers_slack(const struct list_head *servers, const struct vivgpu_server *running,
			 u64 used_ns, u64 horizon_ns, u64 now_ns)
{
	const struct vivgpu_server *server;
	s64 slack = S64_MAX;

	list_for_each_entry(server, servers, link) {
		u64 first = vivgpu_server_first_deadline(server, horizon_ns, now_ns);
		u64 again = server->deadline_ns + server->reservation.period_ns;

		slack = min(slack, vivgpu_server_slack_at(servers, running, used_ns, horizon_ns,
							  first, now_ns));
		if (again > now_ns)
			slack = min(slack, vivgpu_server_slack_at(servers, running, used_ns,
								  horizon_ns, again, now_ns));
	}

	return slack;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_servers_slack);

/**
 * vivgpu_servers_next_change - when vivgpu_servers_slack() may become larger
 * @servers: all servers
 * @horizon_ns: the admission test's
 * @now_ns: the time
 *
 * Return: a later time, U64_MAX if only an arrival or the end of a job can change it.
 */
u64 vivgpu_servers_next_change(const struct list_head *servers, u64 horizon_ns, u64 now_ns)
{
	const struct vivgpu_server *server;
	u64 next = U64_MAX;

	list_for_each_entry(server, servers, link) {
		u64 keep_ns = vivgpu_server_keep_ns(server, horizon_ns);

		if (server->deadline_ns > now_ns)
			next = min(next, server->deadline_ns);
		/* From then on a job that arrives gets a later deadline. */
		if (server->deadline_ns > now_ns + keep_ns)
			next = min(next, server->deadline_ns - keep_ns + 1);
	}

	return next;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_servers_next_change);
