/* SPDX-License-Identifier: MIT */
/* A GPU that cannot preempt, the kernel driver's arbiter, and programs that use both as they like. */
#ifndef MACHINE_H
#define MACHINE_H

#include <linux/types.h>

#include "taskset.h"
#include "vivgpu_arbiter.h"

#define US 1000ull
#define NEVER 0xffffffffffffffffull

struct actor;
struct machine;

/**
 * struct machine_job - a job
 * @arbiter: what the arbiter knows
 * @owner: who submitted it
 * @length_ns: time that it takes
 * @frame_ns: when its frame arrived
 * @due_ns: when its frame has to have ended, 0 if nothing was promised
 * @waits_for: a job that has to end before it, or NULL
 * @failed: it was ended by a recovery
 */
struct machine_job {
	struct vivgpu_arbiter_job arbiter;
	struct actor *owner;
	u64 length_ns;
	u64 frame_ns;
	u64 due_ns;
	struct machine_job *waits_for;
	bool failed;
};

/**
 * struct actor - a program
 * @act: called at @next_ns, which it changes
 * @ended: called when a job of it has ended, or NULL
 * @next_ns: when it does something, or NEVER
 * @queue: its queue
 * @reservation: the queue's, without the overhead
 * @length_ns: of its jobs
 * @cost_ns: of its jobs
 * @frames: number of its jobs with a promise that ended
 * @late: of these, how many ended too late
 * @worst_ns: by how much at most
 * @lateness_ns: longest time from when one was due to its end; negative if none was late
 * @failed: its jobs that a recovery ended
 * @busy_ns: GPU time of its jobs
 * @count: for @act
 * @pending: its jobs that have not ended
 * @newest: for @act
 * @other: for @act
 */
struct actor {
	void (*act)(struct machine *m, struct actor *a);
	void (*ended)(struct machine *m, struct actor *a, const struct machine_job *job);
	u64 next_ns;
	struct vivgpu_arbiter_queue queue;
	struct vivgpu_reservation reservation;
	u64 length_ns;
	u64 cost_ns;
	u32 frames;
	u32 late;
	u64 worst_ns;
	s64 lateness_ns;
	u32 failed;
	u64 busy_ns;
	u32 count;
	u32 pending;
	struct machine_job *newest;
	struct actor *other;
};

#define MACHINE_ACTORS 8

/**
 * struct machine - the GPU and who uses it
 * @arbiter: the arbiter, with the driver's constants
 * @now_ns: the time
 * @waiting: jobs that are not in the ring, oldest first
 * @dependent: jobs that wait for others
 * @ring: jobs in the ring, oldest first
 * @in_ring: how many
 * @started_ns: when the oldest started
 * @down_until_ns: end of the recovery
 * @retest_ns: when a reservation of a program that has left is free
 * @timer_late_ns: by how much the arbiter is asked later than it wants
 * @recoveries: their number
 * @actors: the programs
 * @nr_actors: how many
 */
struct machine {
	struct vivgpu_arbiter arbiter;
	u64 now_ns;
	struct list_head waiting;
	struct list_head dependent;
	struct list_head ring;
	u32 in_ring;
	u64 started_ns;
	u64 down_until_ns;
	u64 retest_ns;
	u64 timer_late_ns;
	u32 recoveries;
	struct actor *actors[MACHINE_ACTORS];
	u32 nr_actors;
};

void machine_init(struct machine *m);
void machine_add(struct machine *m, struct actor *a, const struct vivgpu_reservation *reservation);
bool machine_reserve(struct machine *m, struct actor *a);
void machine_leave(struct machine *m, struct actor *a);
struct machine_job *machine_submit(struct machine *m, struct actor *a, u64 length_ns, u64 cost_ns,
				   u64 due_ns);
struct machine_job *machine_submit_after(struct machine *m, struct actor *a, u64 length_ns,
					 u64 cost_ns, u64 due_ns, struct machine_job *before);
void machine_run(struct machine *m, u64 until_ns);
void machine_fini(struct machine *m);

#endif
