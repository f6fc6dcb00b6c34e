// SPDX-License-Identifier: MIT
/*
 * inherit: a job's deadline reaches the fence of another driver that the job waits for, when it is
 * submitted, and when the deadline is set while the job waits. Runs in the guest as root.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../sw_sync.h"
#include "client.h"

#define MS_NS 1000000
#define WAIT_SECONDS 5

/*
 * A client with two queues, and a timeline whose fences its jobs wait for. @queue is that of
 * run_one(), whose jobs signal @done; @other has the jobs that wait. @points: fences so far, the
 * last of which has this value of the timeline.
 */
struct rig {
	int gpu;
	uint32_t queue;
	uint32_t other;
	uint32_t done;
	int timeline;
	uint32_t points;
};

/* A job that waits: its sync object and its sync_file */
struct waiting {
	uint32_t sync;
	int file;
};

/* Submit a NOP with hints; the error number. */
static int submit_nop_hinted(const struct rig *rig, uint32_t queue, uint32_t in, uint32_t out,
			     struct hints hints)
{
	static const uint32_t nop[] = { COMMAND_NOP, 0 };

	return submit_hinted(rig->gpu, queue, nop, sizeof(nop), in, out, hints);
}

/* A new fence of the timeline as a sync_file; -1 on failure. */
static int make_point(struct rig *rig)
{
	struct sw_sync_create_fence_data create = { .value = ++rig->points };

	return ioctl(rig->timeline, SW_SYNC_IOC_CREATE_FENCE, &create) ? -1 : create.fence;
}

/* The deadline that was set on a fence of the timeline; 0 if there is none. */
static uint64_t deadline_of(const struct rig *rig, int point)
{
	struct sw_sync_get_deadline get = { .fence_fd = point };

	return ioctl(rig->timeline, SW_SYNC_GET_DEADLINE, &get) ? 0 : get.deadline_ns;
}

/* Submit a NOP that waits for a sync_file. */
static struct waiting wait_for(const struct rig *rig, uint32_t queue, int file,
			       uint64_t deadline_ns, uint64_t cost_ns)
{
	struct waiting waiting = { .file = -1 };
	uint32_t in = 0;
	int error = drmSyncobjCreate(rig->gpu, 0, &in) |
		    drmSyncobjCreate(rig->gpu, 0, &waiting.sync) |
		    drmSyncobjImportSyncFile(rig->gpu, in, file);

	error = error
			?: submit_nop_hinted(rig, queue, in, waiting.sync,
					     (struct hints){ deadline_ns, cost_ns });
	error = error ?: drmSyncobjExportSyncFile(rig->gpu, waiting.sync, &waiting.file);
	check(!error, "a job waits for a fence");
	drmSyncobjDestroy(rig->gpu, in);
	return waiting;
}

/*
 * Run a job: when the kernel selects it, it also hands on deadlines that were set since, through
 * the jobs of a chain.
 */
static void run_one(const struct rig *rig)
{
	const struct hints hints = { now_ns() + SECOND_NS, MS_NS };

	check(!submit_nop_hinted(rig, rig->queue, 0, rig->done, hints) &&
		      !wait_sync(rig->gpu, rig->done, WAIT_SECONDS),
	      "a job runs beside those that wait");
}

static void set_deadline(int file, uint64_t deadline_ns)
{
	struct sync_set_deadline set = { .deadline_ns = deadline_ns };

	check(!ioctl(file, SYNC_IOC_SET_DEADLINE, &set), "a deadline is set");
}

/* A work of the kernel hands late deadlines on: wait until it has. */
static void expect_deadline(const struct rig *rig, int point, uint64_t expected, const char *what)
{
	const struct timespec pause = { .tv_nsec = MS_NS };
	int64_t end = now_ns() + WAIT_SECONDS * SECOND_NS;

	while (deadline_of(rig, point) != expected && now_ns() < end)
		nanosleep(&pause, NULL);
	check(deadline_of(rig, point) == expected, "%s: %llu, expected %llu", what,
	      (unsigned long long)deadline_of(rig, point), (unsigned long long)expected);
}

static void close_waiting(const struct rig *rig, struct waiting *waiting, int point)
{
	close(waiting->file);
	close(point);
	drmSyncobjDestroy(rig->gpu, waiting->sync);
}

/* At the submit. */
static void test_early(struct rig *rig, uint64_t now)
{
	int point = make_point(rig);
	struct waiting job = wait_for(rig, rig->other, point, now + 50 * SECOND_NS, 10 * MS_NS);

	check(deadline_of(rig, point) == (uint64_t)(now + 50 * SECOND_NS - 10 * MS_NS),
	      "at the submit: the deadline without the cost");
	close_waiting(rig, &job, point);
}

/* While the job waits: the first one, an earlier one, and a later one. */
static void test_late(struct rig *rig, uint64_t now)
{
	int point = make_point(rig);
	struct waiting job = wait_for(rig, rig->other, point, 0, 10 * MS_NS);

	check(!deadline_of(rig, point), "no deadline yet");
	set_deadline(job.file, now + 90 * SECOND_NS);
	run_one(rig);
	expect_deadline(rig, point, now + 90 * SECOND_NS - 10 * MS_NS, "while it waits");
	set_deadline(job.file, now + 80 * SECOND_NS);
	run_one(rig);
	expect_deadline(rig, point, now + 80 * SECOND_NS - 10 * MS_NS, "an earlier one");
	set_deadline(job.file, now + 85 * SECOND_NS);
	run_one(rig);
	expect_deadline(rig, point, now + 80 * SECOND_NS - 10 * MS_NS, "a later one");
	close_waiting(rig, &job, point);
}

/*
 * The deadline is set on a job that waits for the one that waits for the fence. In the end the
 * fences of this test and of those before it, whose jobs still wait, signal.
 */
static void test_chain(struct rig *rig, uint64_t now)
{
	int point = make_point(rig);
	struct waiting first = wait_for(rig, rig->other, point, 0, 10 * MS_NS);
	uint32_t third = make_queue(rig->gpu);
	struct waiting second = wait_for(rig, third, first.file, 0, 5 * MS_NS);

	set_deadline(second.file, now + 70 * SECOND_NS);
	run_one(rig);
	expect_deadline(rig, point, now + 70 * SECOND_NS - 15 * MS_NS, "through another job");
	/* signals all points made up to here: nothing was signalled before */
	drmIoctl(rig->timeline, SW_SYNC_IOC_INC, &rig->points);
	check(!wait_fence(second.file, WAIT_SECONDS), "all jobs end");
	close_waiting(rig, &first, point);
	close(second.file);
	drmSyncobjDestroy(rig->gpu, second.sync);
}

/*
 * A process ends while its job waits, and then the fence signals. Other jobs run after each of the
 * two: the driver must not use what it knew of that job.
 */
static void test_end(struct rig *rig, uint64_t now)
{
	int point = make_point(rig), status = 0;
	pid_t child = fork();

	if (!child) {
		struct rig own = { .gpu = open_gpu(), .timeline = rig->timeline };
		struct waiting job;

		own.other = make_queue(own.gpu);
		job = wait_for(&own, own.other, point, 0, MS_NS);
		set_deadline(job.file, now + 60 * SECOND_NS);
		_exit(job.file < 0);
	}
	check(waitpid(child, &status, 0) == child && !status, "a process ends while its job waits");
	run_one(rig);
	drmIoctl(rig->timeline, SW_SYNC_IOC_INC, &(uint32_t){ 1 });
	run_one(rig);
	close(point);
}

int main(void)
{
	struct rig rig = { .gpu = open_gpu() };
	uint64_t now = now_ns();

	rig.timeline = open(SW_SYNC, O_RDWR | O_CLOEXEC);
	rig.queue = make_queue(rig.gpu);
	rig.other = make_queue(rig.gpu);
	drmSyncobjCreate(rig.gpu, 0, &rig.done);
	check(rig.gpu >= 0 && rig.timeline >= 0 && rig.queue && rig.other && rig.done,
	      "all is open");
	run_one(&rig);
	test_early(&rig, now);
	test_late(&rig, now);
	test_chain(&rig, now);
	test_end(&rig, now);
	close(rig.timeline);
	close(rig.gpu);
	return end_checks();
}
