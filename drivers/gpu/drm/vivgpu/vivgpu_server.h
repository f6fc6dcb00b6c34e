/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_SERVER_H_
#define _VIVGPU_SERVER_H_

#include <linux/list.h>
#include <linux/types.h>

#include "vivgpu_admission.h"

/**
 * struct vivgpu_server - constant bandwidth server of a queue with a reservation
 * @link: in the list of all servers
 * @reservation: what was promised
 * @utilisation: budget / period, as a fraction of VIVGPU_UTILISATION_ONE
 * @budget_ns: what is left of the budget, from which a job is subtracted at its end; at least 1,
 *	since vivgpu_server_charge() postpones the deadline otherwise
 * @committed_ns: bounds of its jobs in the ring, not subtracted from the budget yet
 * @deadline_ns: absolute deadline of work that uses this budget
 * @start_ns: by how much the first deadline is later than one period from its first job
 * @pending: jobs that arrived and have not ended, and jobs of other queues in the ring that run on
 *	its budget; it is idle without any
 * @lent: how many of these are of other queues
 * @frame_ns: bounds of the own jobs that have ended since it had none
 */
struct vivgpu_server {
	struct list_head link;
	struct vivgpu_reservation reservation;
	u64 utilisation;
	s64 budget_ns;
	u64 committed_ns;
	u64 deadline_ns;
	u64 start_ns;
	u32 pending;
	u32 lent;
	u64 frame_ns;
};

void vivgpu_server_init(struct vivgpu_server *server, const struct vivgpu_reservation *reservation);
void vivgpu_server_arrive(struct vivgpu_server *server, u64 bound_ns, u64 horizon_ns, u64 now_ns);
struct vivgpu_server vivgpu_server_woken(const struct vivgpu_server *server, u64 horizon_ns,
					 u64 now_ns);
void vivgpu_server_lend(struct vivgpu_server *server, u64 horizon_ns, u64 now_ns);
void vivgpu_server_unlend(struct vivgpu_server *server);
void vivgpu_server_fit(struct vivgpu_server *server, u64 bound_ns, u64 now_ns);
void vivgpu_server_renew(struct vivgpu_server *server, u64 bound_ns, u64 now_ns);
bool vivgpu_server_covers(const struct vivgpu_server *server, u64 bound_ns);
void vivgpu_server_commit(struct vivgpu_server *server, u64 bound_ns);
void vivgpu_server_uncommit(struct vivgpu_server *server, u64 bound_ns);
void vivgpu_server_charge(struct vivgpu_server *server, u64 used_ns, u64 now_ns);
u64 vivgpu_server_free_ns(const struct vivgpu_server *server);
s64 vivgpu_servers_slack(const struct list_head *servers, const struct vivgpu_server *running,
			 u64 used_ns, u64 horizon_ns, u64 now_ns);
u64 vivgpu_servers_next_change(const struct list_head *servers, u64 horizon_ns, u64 now_ns);

#endif
