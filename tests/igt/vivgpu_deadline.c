// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu deadlines
 * Description: Budgets, deadlines and predicted costs: which job runs first, and who pays
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: scheduling
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <xf86drm.h>

#define MS (IGT_VIVGPU_SECOND / 1000)
#define US (IGT_VIVGPU_SECOND / 1000000)
#define MIB (1 << 20)
#define RESERVATIONS 64
/*
 * Most jobs in the ring while the driver's arbiter selects them, if they take 2 ms or more
 * together: while there are budgets, and for at least 1 s after a job with a deadline.
 */
#define VIVGPU_RING 2
#define JOBS DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB)
/* An address without a buffer: below it is the kernel's range, above it the test maps little. */
#define NOWHERE 0x80000000u

/*
 * A client with a queue, whose jobs execute @spin, which writes @bo. @done: a sync object with the
 * fence of the last job.
 */
struct client {
	int fd;
	uint32_t queue;
	uint32_t done;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_stream spin;
};

/*
 * Buffers, and by them files, of the present subtest's clients. The next subtest closes them, also
 * after a failure, so that their budgets do not stay.
 */
static struct igt_vivgpu_bo opened[2 * RESERVATIONS];
static int nr_opened;
/*
 * Added to the present subtest's cookies, which are 1 to 999, so that records of earlier subtests'
 * jobs, which may still end, have smaller ones. Jobs with the cookie 0 are in no expected order.
 */
static uint64_t cookies;

/* Close its file; the mapping goes first, since it keeps the file open, too. */
static void close_client(struct igt_vivgpu_bo *bo)
{
	igt_vivgpu_bo_fini(bo);
	close(bo->fd);
}

/*
 * Others get the budget of a client that has left at the end of the period in which it was used.
 * Wait until all have gone: until 98 % of the GPU's time can be reserved.
 */
static void wait_until_free(int fd)
{
	uint32_t queue, reason;
	int ret;

	while ((ret = __igt_vivgpu_reserve(fd, 980 * MS, IGT_VIVGPU_SECOND, &queue, &reason)) ==
	       -EBUSY)
		igt_vivgpu_sleep(10 * MS);
	igt_assert_eq(ret, 0);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, queue), 0);
}

/* Begin a subtest: close the clients of the one before. */
static void close_clients(int fd)
{
	while (nr_opened > 0)
		close_client(&opened[--nr_opened]);
	wait_until_free(fd);
	cookies += 1000;
}

static int try_reserve(int fd, uint64_t budget_ns, uint64_t period_ns)
{
	uint32_t queue, reason;

	return __igt_vivgpu_reserve(fd, budget_ns, period_ns, &queue, &reason);
}

/* A client of its own; a budget of 0 is none. Its jobs take about job_ns. */
static void client_init(struct client *c, int fd, uint64_t budget_ns, uint64_t period_ns,
			int64_t job_ns)
{
	uint32_t reason;

	c->fd = igt_vivgpu_reopen(fd);
	igt_vivgpu_bo_init(&c->bo, c->fd, MIB);
	opened[nr_opened++] = c->bo;
	igt_assert_eq(__igt_vivgpu_reserve(c->fd, budget_ns, period_ns, &c->queue, &reason), 0);
	igt_assert_eq_u32(reason, 0);
	c->done = igt_vivgpu_sync_create(c->fd);
	igt_vivgpu_spin_init(&c->spin, &c->bo, job_ns);
}

/*
 * @job: with cookie and hints; the other inputs are set here. A cookie becomes one of the present
 * subtest, so that a structure with a cookie can be passed only once.
 */
static void client_submit_job(struct client *c, struct igt_vivgpu_job *job)
{
	job->stream = &c->spin;
	job->bos[0] = &c->bo;
	job->nr_bos = 1;
	job->out_sync = c->done;
	job->cookie += job->cookie ? cookies : 0;
	igt_vivgpu_submit(c->fd, c->queue, job);
}

static void client_submit(struct client *c, uint64_t cookie, uint64_t deadline_ns, uint64_t cost_ns)
{
	struct igt_vivgpu_job job = {
		.cookie = cookie,
		.deadline_ns = deadline_ns,
		.cost_ns = cost_ns,
	};

	client_submit_job(c, &job);
}

static void client_close(struct client *c)
{
	for (int i = 0; i < nr_opened; i++) {
		if (opened[i].fd == c->fd)
			opened[i] = opened[--nr_opened];
	}
	close_client(&c->bo);
}

/*
 * Run one job, so that the driver knows how long the queue's jobs take: a queue lends its budget
 * only if what is left covers its own measured frame and the borrower's job. In real time these
 * include delays of a busy machine, so a budget that is lent is much larger than both.
 */
static void client_measure(struct client *c)
{
	client_submit(c, 0, 0, 2 * MS);
	igt_assert(igt_vivgpu_sync_wait(c->fd, c->done, 60 * IGT_VIVGPU_SECOND));
}

static void client_wait(struct client *c)
{
	igt_assert(igt_vivgpu_sync_wait(c->fd, c->done, 60 * IGT_VIVGPU_SECOND));
}

/*
 * Run a job with a deadline, and the cookie 9: the driver's arbiter is active from then on, also
 * without a budget. The job is of a client of its own: a queue that has run jobs counts as served
 * less than new ones, and beside one that was served so much less a queue's hints have no effect.
 */
static void activate(int fd)
{
	struct client other;

	client_init(&other, fd, 0, 0, MS);
	client_submit(&other, 9, igt_vivgpu_now(), 0);
	client_wait(&other);
}

static int open_records(int fd)
{
	int stream;

	igt_assert_eq(__igt_vivgpu_stream_open(fd, DRM_VIVGPU_STREAM_ALL, JOBS, &stream), 0);
	return stream;
}

/* The record of this subtest's next job that has a cookie. */
static struct drm_vivgpu_record next_record(int stream)
{
	struct drm_vivgpu_record record = { 0 };

	do {
		igt_assert_eq(read(stream, &record, sizeof(record)), sizeof(record));
		igt_assert_eq(record.size, sizeof(record));
	} while (record.cookie <= cookies);
	record.cookie -= cookies;
	return record;
}

static void expect_order(int stream, const uint64_t *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct drm_vivgpu_record record = next_record(stream);

		igt_info("%llu after %llu us\n", (unsigned long long)record.cookie,
			 (unsigned long long)(record.started_ns - record.submitted_ns) / US);
		igt_assert_eq_u64(record.cookie, expected[i]);
	}
}

#define EXPECT_ORDER(stream, ...)                               \
	expect_order(stream, (const uint64_t[]){ __VA_ARGS__ }, \
		     sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/*
 * The job with this cookie ends. In virtual time it is one that waits for another client's job: it
 * became ready when that one ended, and only what was in the ring behind that one may end first.
 * In real time more may end while a busy machine delays the scheduler's work.
 */
static void expect_next(int stream, uint64_t cookie)
{
	uint64_t before = 0;

	while (next_record(stream).cookie != cookie)
		before++;
	if (igt_vivgpu_virtual_time())
		igt_assert_lte_u64(before, VIVGPU_RING - 1);
}

/*
 * For block(): in real time long enough for a busy machine to submit what is to wait, and shorter
 * than a period of those that wait.
 */
static void blocker_init(struct client *c, int fd)
{
	client_init(c, fd, 0, 0, igt_vivgpu_virtual_time() ? 40 * MS : 150 * MS);
}

/*
 * Keep the GPU busy with two jobs, which are all that the active arbiter lets into the ring: none
 * of those submitted next enters it before all of them wait.
 */
static void block(struct client *c)
{
	client_submit(c, 0, 0, 0);
	client_submit(c, 0, 0, 0);
	igt_vivgpu_sleep(5 * MS);
}

static void privilege(int fd)
{
	struct client hinted;

	close_clients(fd);
	client_init(&hinted, fd, 0, 0, MS);
	igt_fork(child, 1)
	{
		igt_drop_root();
		igt_assert_eq(try_reserve(fd, MS, 10 * MS), -EACCES);
		client_submit(&hinted, 1, igt_vivgpu_now() + 10 * MS, MS);
		client_wait(&hinted);
	}
	igt_waitchildren();
}

static void arguments(int fd)
{
	close_clients(fd);
	igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_DEADLINES), 1);
	igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_BOUNDS), 1);
	igt_assert_eq(try_reserve(fd, 0, 10 * MS), -EINVAL);
	igt_assert_eq(try_reserve(fd, MS, 0), -EINVAL);
	igt_assert_eq(try_reserve(fd, 11 * MS, 10 * MS), -EINVAL);
	igt_assert_eq(try_reserve(fd, 100 * US, MS - 1), -EINVAL);
	igt_assert_eq(try_reserve(fd, MS, IGT_VIVGPU_SECOND + 1), -EINVAL);
	igt_assert_eq(try_reserve(fd, UINT64_MAX, UINT64_MAX), -EINVAL);
}

/* 0.1 ms of overhead are added to each budget, 1 ms is for overruns and 0.5 ms for a recovery. */
static void admission(int fd)
{
	uint32_t queue, other, reason;
	int client = igt_vivgpu_reopen(fd);
	uint64_t before;

	close_clients(fd);
	before = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_BLOCKING);
	igt_assert_eq(__igt_vivgpu_reserve(client, 5 * MS, 10 * MS, &queue, &reason), 0);
	igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_BLOCKING), 3400 * US);
	igt_assert_eq(__igt_vivgpu_reserve(fd, 6 * MS, 20 * MS, &other, &reason), -EBUSY);
	igt_assert_eq_u32(reason, DRM_VIVGPU_REFUSED_BLOCKING);
	igt_assert_eq(__igt_vivgpu_reserve(fd, 6 * MS, 10 * MS, &other, &reason), -EBUSY);
	igt_assert_eq_u32(reason, DRM_VIVGPU_REFUSED_UTILISATION);
	igt_assert_eq(__igt_vivgpu_reserve(fd, 2 * MS, 10 * MS, &other, &reason), 0);
	igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_BLOCKING), 1300 * US);
	/* A queue that is destroyed, or whose file is closed, gives its budget back. */
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, other), 0);
	igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_BLOCKING), 3400 * US);
	close(client);
	igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_BLOCKING), before);
	igt_assert_eq(__igt_vivgpu_reserve(fd, 6 * MS, 20 * MS, &other, &reason), 0);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, other), 0);
}

/*
 * The shortest period with which 64 budgets of 1 ms are admitted, and a margin. It is not longer,
 * since a job that the host delays for n budgets moves its queue's deadline, until which the next
 * subtest waits for the budget, by n periods.
 */
#define MANY_PERIOD (90 * MS)

/* Reserved jobs of 64 queues all run; a 65th queue is refused. */

static void many(int fd)
{
	struct client *clients = calloc(RESERVATIONS, sizeof(*clients));
	int stream = open_records(fd);
	uint32_t queue, reason;

	close_clients(fd);
	for (int i = 0; i < RESERVATIONS; i++)
		client_init(&clients[i], fd, MS, MANY_PERIOD, 100 * US);
	igt_assert_eq(__igt_vivgpu_reserve(fd, MS, MANY_PERIOD, &queue, &reason), -EBUSY);
	igt_assert_eq_u32(reason, DRM_VIVGPU_REFUSED_COUNT);
	for (int i = 0; i < RESERVATIONS; i++)
		client_submit(&clients[i], i + 1, 0, 100 * US);
	for (int i = 0; i < RESERVATIONS; i++) {
		struct drm_vivgpu_record record = next_record(stream);

		igt_assert(record.flags & DRM_VIVGPU_JOB_RESERVED);
		if (igt_vivgpu_virtual_time())
			igt_assert(!(record.flags & DRM_VIVGPU_JOB_MISSED));
	}
	close(stream);
	free(clients);
}

static void earliest_first(int fd)
{
	struct client blocker, best_effort, late, early;
	int stream = open_records(fd);

	close_clients(fd);
	client_init(&late, fd, 5 * MS, 900 * MS, MS);
	client_init(&early, fd, 5 * MS, 500 * MS, MS);
	blocker_init(&blocker, fd);
	client_init(&best_effort, fd, 0, 0, MS);
	block(&blocker);
	client_submit(&best_effort, 1, 0, MS);
	client_submit(&late, 2, 0, MS);
	client_submit(&early, 3, 0, MS);
	client_submit(&early, 4, 0, MS);
	if (igt_vivgpu_virtual_time()) {
		EXPECT_ORDER(stream, 3, 4, 2, 1);
	} else {
		/* The blocker may take longer than a period, which moves deadlines. */
		for (int i = 0; i < 3; i++)
			igt_assert(next_record(stream).cookie != 1);
		EXPECT_ORDER(stream, 1);
	}
	client_wait(&best_effort);
	close(stream);
}

/* Best-effort jobs with deadlines: the earliest first; without one: last. */
static void hints(int fd)
{
	struct client blocker, clients[3];
	int stream = open_records(fd);
	int64_t now = igt_vivgpu_now();

	close_clients(fd);
	blocker_init(&blocker, fd);
	for (int i = 0; i < 3; i++)
		client_init(&clients[i], fd, 0, 0, MS);
	activate(fd);
	block(&blocker);
	client_submit(&clients[0], 1, 0, 0);
	client_submit(&clients[1], 2, now + 20 * IGT_VIVGPU_SECOND, 0);
	client_submit(&clients[2], 3, now + 10 * IGT_VIVGPU_SECOND, 0);
	EXPECT_ORDER(stream, 9, 3, 2, 1);
	close(stream);
}

/* Records and fdinfo report a missed deadline and a wrong prediction. */
static void counted(int fd)
{
	struct client c, reserved;
	int stream = open_records(fd);
	struct drm_vivgpu_record record;
	int64_t now = igt_vivgpu_now();

	close_clients(fd);
	/* So long that it exceeds its cost even if the host delays the stamp of its start. */
	client_init(&c, fd, 0, 0, 40 * MS);
	client_submit(&c, 1, now, MS);
	record = next_record(stream);
	igt_assert_eq_u64(record.deadline_ns, now);
	igt_assert_eq_u64(record.cost_ns, MS);
	igt_assert(record.flags & DRM_VIVGPU_JOB_MISSED);
	igt_assert(record.flags & DRM_VIVGPU_JOB_OVERRUN);
	igt_assert(!(record.flags & DRM_VIVGPU_JOB_RESERVED));
	client_submit(&c, 2, now + 50 * IGT_VIVGPU_SECOND, IGT_VIVGPU_SECOND);
	record = next_record(stream);
	igt_assert(!(record.flags & (DRM_VIVGPU_JOB_MISSED | DRM_VIVGPU_JOB_OVERRUN)));
	/* Without a deadline of its own a job has that of the budget. */
	client_init(&reserved, fd, 6 * MS, 900 * MS, 2 * MS);
	client_submit(&reserved, 3, 0, 5 * MS);
	record = next_record(stream);
	igt_assert(record.flags & DRM_VIVGPU_JOB_RESERVED);
	igt_assert_lt_u64(record.submitted_ns + 899 * MS, record.deadline_ns);
	close(stream);
}

/*
 * A job that waits for a job of another client: that one gets the budget, and comes before jobs
 * that were submitted before it.
 */
static void inheritance(int fd)
{
	struct client blocker, first, needed, reserved;
	struct igt_vivgpu_job job = { 0 };
	int stream = open_records(fd), file;
	struct drm_vivgpu_record record;

	close_clients(fd);
	client_init(&reserved, fd, 100 * MS, 900 * MS, MS);
	blocker_init(&blocker, fd);
	client_init(&first, fd, 0, 0, MS);
	client_init(&needed, fd, 0, 0, MS);
	job.cookie = cookies + 3;
	job.stream = &reserved.spin;
	job.bos[0] = &reserved.bo;
	job.nr_bos = 1;
	job.in_sync = igt_vivgpu_sync_create(reserved.fd);
	client_measure(&reserved);
	client_measure(&needed);
	block(&blocker);
	for (int i = 0; i < 4; i++)
		client_submit(&first, 10 + i, 0, MS);
	client_submit(&needed, 2, 0, MS);
	igt_assert_eq(drmSyncobjExportSyncFile(needed.fd, needed.done, &file), 0);
	igt_assert_eq(drmSyncobjImportSyncFile(reserved.fd, job.in_sync, file), 0);
	igt_vivgpu_submit(reserved.fd, reserved.queue, &job);
	record = next_record(stream);
	igt_assert_eq_u64(record.cookie, 2);
	igt_assert(record.flags & DRM_VIVGPU_JOB_RESERVED);
	expect_next(stream, 3);
	close(file);
	close(stream);
}

/* The same through a buffer that both share, with implicit synchronisation. */
static void shared_buffer(int fd)
{
	struct client blocker, first, producer, consumer;
	struct igt_vivgpu_bo shared = { 0 };
	struct igt_vivgpu_job job = { .flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC, .nr_bos = 1 };
	int stream = open_records(fd), dmabuf;

	close_clients(fd);
	client_init(&consumer, fd, 100 * MS, 900 * MS, MS);
	blocker_init(&blocker, fd);
	client_init(&first, fd, 0, 0, MS);
	client_init(&producer, fd, 0, 0, MS);
	igt_assert_eq(drmPrimeHandleToFD(producer.fd, producer.bo.handle, O_CLOEXEC, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(consumer.fd, dmabuf, &shared.handle), 0);
	client_measure(&consumer);
	client_measure(&producer);
	block(&blocker);
	for (int i = 0; i < 4; i++)
		client_submit(&first, 10 + i, 0, MS);
	job.stream = &producer.spin;
	job.bos[0] = &producer.bo;
	job.cookie = cookies + 2;
	igt_vivgpu_submit(producer.fd, producer.queue, &job);
	job.stream = &consumer.spin;
	job.bos[0] = &shared;
	job.bos[1] = &consumer.bo;
	job.nr_bos = 2;
	job.cookie = cookies + 3;
	igt_vivgpu_submit(consumer.fd, consumer.queue, &job);
	EXPECT_ORDER(stream, 2);
	expect_next(stream, 3);
	close(dmabuf);
	close(stream);
}

/* Submit a job that waits for all jobs of another client. A deadline of 0 is none. */
static void client_submit_due_after(struct client *c, struct client *before, uint64_t cookie,
				    uint64_t deadline_ns)
{
	struct igt_vivgpu_job job = {
		.stream = &c->spin,
		.bos = { &c->bo },
		.nr_bos = 1,
		.in_sync = igt_vivgpu_sync_create(c->fd),
		.out_sync = c->done,
		.cookie = cookies + cookie,
		.deadline_ns = deadline_ns,
	};
	int file;

	igt_assert_eq(drmSyncobjExportSyncFile(before->fd, before->done, &file), 0);
	igt_assert_eq(drmSyncobjImportSyncFile(c->fd, job.in_sync, file), 0);
	igt_vivgpu_submit(c->fd, c->queue, &job);
	close(file);
}

static void client_submit_after(struct client *c, struct client *before, uint64_t cookie)
{
	client_submit_due_after(c, before, cookie, 0);
}

/* The job that is waited for waits itself: both run on the budget, which covers all three. */
static void chain(int fd)
{
	struct client blocker, first, needed, middle, reserved;
	int stream = open_records(fd);
	struct drm_vivgpu_record record;

	close_clients(fd);
	client_init(&reserved, fd, 100 * MS, 900 * MS, MS);
	blocker_init(&blocker, fd);
	client_init(&first, fd, 0, 0, MS);
	client_init(&needed, fd, 0, 0, MS);
	client_init(&middle, fd, 0, 0, MS);
	client_measure(&reserved);
	client_measure(&needed);
	client_measure(&middle);
	block(&blocker);
	for (int i = 0; i < 4; i++)
		client_submit(&first, 10 + i, 0, MS);
	client_submit(&needed, 2, 0, MS);
	client_submit_after(&middle, &needed, 3);
	client_submit_after(&reserved, &middle, 4);
	for (int i = 2; i <= 3; i++) {
		/* A job of @first can have been in the ring behind 2, when 3 became ready. */
		do
			record = next_record(stream);
		while (i > 2 && record.cookie >= 10);
		igt_assert_eq_u64(record.cookie, i);
		igt_assert(record.flags & DRM_VIVGPU_JOB_RESERVED);
	}
	expect_next(stream, 4);
	client_wait(&first);
	close(stream);
}

/* A deadline that is set on a job that waits reaches the one that it waits for, in two steps. */
static void late(int fd)
{
	struct client blocker, first, needed, middle, last;
	struct sync_set_deadline deadline = { .deadline_ns = igt_vivgpu_now() };
	int stream = open_records(fd), file;

	close_clients(fd);
	blocker_init(&blocker, fd);
	client_init(&first, fd, 0, 0, MS);
	client_init(&needed, fd, 0, 0, MS);
	client_init(&middle, fd, 0, 0, MS);
	client_init(&last, fd, 0, 0, MS);
	activate(fd);
	block(&blocker);
	for (int i = 0; i < 4; i++)
		client_submit(&first, 10 + i, 0, 0);
	client_submit(&needed, 2, 0, 0);
	client_submit_after(&middle, &needed, 3);
	client_submit_after(&last, &middle, 4);
	igt_assert_eq(drmSyncobjExportSyncFile(last.fd, last.done, &file), 0);
	igt_assert_eq(ioctl(file, SYNC_IOC_SET_DEADLINE, &deadline), 0);
	EXPECT_ORDER(stream, 9, 2);
	client_wait(&last);
	client_wait(&first);
	close(file);
	close(stream);
}

/*
 * More best-effort jobs wait than the core has events, of which it has 30: a hint of the last one
 * still counts. The job 9 makes the arbiter active, see activate(); here it is of the client whose
 * hint has to have an effect, and whose queue so is not newer than the flood's.
 */
static void beyond_ring(int fd)
{
	struct client blocker, flood, hinted;
	int stream = open_records(fd);

	close_clients(fd);
	blocker_init(&blocker, fd);
	client_init(&flood, fd, 0, 0, 100 * US);
	client_init(&hinted, fd, 0, 0, MS);
	client_submit(&hinted, 9, igt_vivgpu_now(), 0);
	client_wait(&hinted);
	block(&blocker);
	for (int i = 0; i < 60; i++)
		client_submit(&flood, 100 + i, 0, 0);
	client_submit(&hinted, 1, igt_vivgpu_now(), 0);
	EXPECT_ORDER(stream, 9);
	if (igt_vivgpu_virtual_time())
		EXPECT_ORDER(stream, 1, 100);
	else
		expect_next(stream, 1);
	client_wait(&flood);
	close(stream);
}

/* SYNC_IOC_SET_DEADLINE on a job's fence is a hint. */
static void fence_deadline(int fd)
{
	struct client blocker, first, second;
	struct sync_set_deadline deadline = { .deadline_ns = igt_vivgpu_now() };
	int stream = open_records(fd), file;

	close_clients(fd);
	blocker_init(&blocker, fd);
	client_init(&first, fd, 0, 0, MS);
	client_init(&second, fd, 0, 0, MS);
	activate(fd);
	block(&blocker);
	client_submit(&first, 1, 0, 0);
	client_submit(&second, 2, 0, 0);
	igt_assert_eq(drmSyncobjExportSyncFile(second.fd, second.done, &file), 0);
	igt_assert_eq(ioctl(file, SYNC_IOC_SET_DEADLINE, &deadline), 0);
	EXPECT_ORDER(stream, 9, 2, 1);
	close(file);
	close(stream);
}

/*
 * A queue whose jobs take ten times its budget: others come first from then on, although its
 * period is shorter.
 */
static void overrun(int fd)
{
	struct client blocker, greedy, honest;
	int stream = open_records(fd);
	struct drm_vivgpu_record record;

	close_clients(fd);
	blocker_init(&blocker, fd);
	client_init(&greedy, fd, 2 * MS, 100 * MS, 20 * MS);
	client_init(&honest, fd, 2 * MS, 900 * MS, MS);
	client_submit(&greedy, 1, 0, 2 * MS);
	record = next_record(stream);
	igt_assert(record.flags & DRM_VIVGPU_JOB_OVERRUN);
	/* The excess has moved the queue's deadline by ten periods. */
	block(&blocker);
	client_submit(&greedy, 2, 0, 2 * MS);
	client_submit(&honest, 3, 0, MS);
	EXPECT_ORDER(stream, 3, 2);
	close(stream);
}

/* Predictions of a best-effort queue that are wrong: jobs that would do harm are held back. */
static void lies(int fd)
{
	struct client liar, reserved;
	int stream = open_records(fd);
	struct drm_vivgpu_record record;

	close_clients(fd);
	client_init(&reserved, fd, 5 * MS, 10 * MS, MS);
	client_init(&liar, fd, 0, 0, 30 * MS);
	client_submit(&liar, 1, 0, 100 * US);
	record = next_record(stream);
	igt_assert(record.flags & DRM_VIVGPU_JOB_OVERRUN);
	/* 30 ms do not fit beside 5 ms in each 10 ms; after a second the job runs anyway. */
	client_submit(&liar, 2, 0, 100 * US);
	igt_vivgpu_sleep(50 * MS);
	client_submit(&reserved, 3, 0, MS);
	EXPECT_ORDER(stream, 3);
	record = next_record(stream);
	igt_assert_eq_u64(record.cookie, 2);
	igt_assert_lte_u64(IGT_VIVGPU_SECOND, record.started_ns - record.submitted_ns);
	close(stream);
}

/*
 * One job of 12 ms, which is not expected of the short ones after it for long: with 3.4 ms of
 * blocking one of them is held back, for 1 s, since it may take 12 ms, one since it may take 6,
 * then none.
 */
static void exception(int fd)
{
	struct client reserved, c;
	uint64_t begin, took;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&reserved, fd, 5 * MS, 10 * MS, MS);
	client_init(&c, fd, 0, 0, 12 * MS);
	client_submit(&c, 1, 0, 0);
	client_wait(&c);
	igt_vivgpu_spin_init(&c.spin, &c.bo, 100 * US);
	begin = igt_vivgpu_now();
	for (int i = 0; i < 100; i++)
		client_submit(&c, 2 + i, 0, 0);
	client_wait(&c);
	took = igt_vivgpu_now() - begin;
	igt_assert_lte_u64(2 * IGT_VIVGPU_SECOND, took);
	igt_assert_lte_u64(took, 3 * IGT_VIVGPU_SECOND);
}

/* Reserved jobs come before 60 best-effort ones that were submitted before them. */
static void beside_many(int fd)
{
	struct client blocker, flood, reserved;
	int stream = open_records(fd);

	close_clients(fd);
	client_init(&reserved, fd, 5 * MS, 900 * MS, MS);
	blocker_init(&blocker, fd);
	client_init(&flood, fd, 0, 0, MS);
	block(&blocker);
	for (int i = 0; i < 60; i++)
		client_submit(&flood, 100 + i, 0, MS);
	for (int i = 0; i < 4; i++)
		client_submit(&reserved, 1 + i, 0, MS);
	if (igt_vivgpu_virtual_time()) {
		EXPECT_ORDER(stream, 1, 2, 3, 4, 100, 101);
	} else {
		/* The blocker may end while a busy machine submits the flood. */
		for (int i = 1; i <= 4; i++)
			expect_next(stream, i);
	}
	client_wait(&flood);
	close(stream);
}

/*
 * A job in the ring faults: the reserved ones run after the reset, in their order. In real time the
 * first of them may be in the ring before a busy machine submits the second one.
 */
static void reset(int fd)
{
	struct client guilty, late, early;
	struct igt_vivgpu_stream stuck = { 0 };
	struct igt_vivgpu_job job = { .stream = &stuck };
	int stream = open_records(fd);

	close_clients(fd);
	igt_vivgpu_fill(&stuck, 0x80000000u, 64, 0);
	client_init(&late, fd, 5 * MS, 900 * MS, MS);
	client_init(&early, fd, 5 * MS, 500 * MS, MS);
	client_init(&guilty, fd, 0, 0, 40 * MS);
	client_submit(&guilty, 0, 0, 80 * MS);
	job.out_sync = igt_vivgpu_sync_create(guilty.fd);
	igt_vivgpu_submit(guilty.fd, guilty.queue, &job);
	igt_vivgpu_sleep(5 * MS);
	client_submit(&late, 1, 0, MS);
	client_submit(&early, 2, 0, MS);
	if (igt_vivgpu_virtual_time()) {
		EXPECT_ORDER(stream, 2, 1);
	} else {
		next_record(stream);
		next_record(stream);
	}
	igt_assert(igt_vivgpu_sync_wait(guilty.fd, job.out_sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert_lte(igt_vivgpu_sync_error(guilty.fd, job.out_sync), -1);
	/* After the reset reserved jobs still run as before it. */
	client_submit(&early, 3, 0, MS);
	EXPECT_ORDER(stream, 3);
	close(stream);
}

/*
 * Files with a budget are closed while their job waits for another client's, which could run on
 * that budget. The budget is free at once, since no part of it has been used.
 */
static void close_early(int fd)
{
	struct client blocker, needed, reserved;
	struct igt_vivgpu_job job = { 0 };
	uint64_t before;
	int file;

	close_clients(fd);
	before = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_BLOCKING);
	blocker_init(&blocker, fd);
	client_init(&needed, fd, 0, 0, MS);
	for (int i = 0; i < 8; i++) {
		client_init(&reserved, fd, 5 * MS, 900 * MS, MS);
		block(&blocker);
		client_submit(&needed, 1, 0, MS);
		job.stream = &reserved.spin;
		job.bos[0] = &reserved.bo;
		job.nr_bos = 1;
		job.in_sync = igt_vivgpu_sync_create(reserved.fd);
		igt_assert_eq(drmSyncobjExportSyncFile(needed.fd, needed.done, &file), 0);
		igt_assert_eq(drmSyncobjImportSyncFile(reserved.fd, job.in_sync, file), 0);
		igt_vivgpu_submit(reserved.fd, reserved.queue, &job);
		client_close(&reserved);
		close(file);
		igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_BLOCKING), before);
	}
	client_wait(&needed);
	client_wait(&blocker); /* or suspend would wait for seconds of it */
}

static void write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);

	igt_assert_lte(0, file);
	igt_assert_eq(write(file, text, strlen(text)), strlen(text));
	close(file);
}

/* A job that is held back does not keep the system from sleeping, and all run after it. */
static void suspend(int fd)
{
	struct client longer, reserved;
	int stream;

	igt_require_f(access("/sys/power/pm_test", W_OK) == 0, "this kernel cannot suspend\n");
	stream = open_records(fd);
	close_clients(fd);
	client_init(&reserved, fd, 5 * MS, 10 * MS, MS);
	client_init(&longer, fd, 0, 0, 20 * MS);
	client_submit(&longer, 1, 0, 30 * MS);
	write_file("/sys/power/pm_test", "devices");
	write_file("/sys/module/suspend/parameters/pm_test_delay", "1");
	write_file("/sys/power/state", "mem");
	write_file("/sys/power/pm_test", "none");
	client_submit(&reserved, 2, 0, MS);
	EXPECT_ORDER(stream, 1, 2);
	close(stream);
}

/*
 * Frames of 4 ms each 16.7 ms, on a budget or not, beside a client whose jobs of 6 ms, six for
 * each frame, are all submitted before the first one. In real time other work of the machine
 * delays this process, so only virtual time tells. Returns: how many frames ended after their
 * period.
 */
static int frames_missed(int fd, bool budget, int frames)
{
	const int64_t period = 16667 * US;
	struct client cluster, game;
	int stream = open_records(fd), missed = 0;
	int64_t next;

	client_init(&cluster, fd, budget ? 5 * MS : 0, budget ? period : 0, 4 * MS);
	client_init(&game, fd, 0, 0, 6 * MS);
	for (int i = 0; i < 6 * frames; i++)
		client_submit(&game, 0, 0, budget ? 7 * MS : 0);
	next = igt_vivgpu_now() + period;
	for (int i = 0; i < frames; i++) {
		struct drm_vivgpu_record record;

		igt_vivgpu_sleep(next - igt_vivgpu_now());
		next += period;
		client_submit(&cluster, i + 1, 0, budget ? 5 * MS : 0);
		record = next_record(stream);
		igt_assert_eq_u64(record.cookie, i + 1);
		missed += record.finished_ns > record.submitted_ns + period;
	}
	client_wait(&game);
	close(stream);
	client_close(&cluster);
	client_close(&game);
	return missed;
}

static void cluster(int fd)
{
	int fifo, budget;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	budget = frames_missed(fd, true, 60);
	/* By then the first cluster's budget is free, and jobs run in the order of submission. */
	igt_vivgpu_sleep(2 * IGT_VIVGPU_SECOND);
	fifo = frames_missed(fd, false, 4);
	igt_info("missed: %d of 4 without a budget, %d of 60 with one\n", fifo, budget);
	igt_assert_lte(1, fifo);
	igt_assert_eq(budget, 0);
}

/*
 * Jobs that are late for one cause each; records have what tells them apart. tests/deadline/run has
 * vivgpu-events --late find the same.
 */
static void late_causes(int fd)
{
	struct client reserved, other, c;
	int stream = open_records(fd);
	struct drm_vivgpu_record first, record;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&reserved, fd, 5 * MS, 50 * MS, MS);
	client_init(&other, fd, 0, 0, 6 * MS);
	client_init(&c, fd, 0, 0, 2 * MS);

	/* Blocked by a job that is in the ring */
	client_submit(&other, 1, 0, 0);
	igt_vivgpu_sleep(MS);
	client_submit(&c, 2, igt_vivgpu_now() + 3 * MS, 3 * MS);
	first = next_record(stream);
	record = next_record(stream);
	igt_assert(record.flags & DRM_VIVGPU_JOB_MISSED);
	igt_assert_lte_u64(record.submitted_ns, record.ready_ns);
	igt_assert_lte_u64(record.ready_ns, record.submitted_ns + MS);
	igt_assert_lte_u64(first.queued_ns, record.ready_ns);

	/* Longer than predicted */
	client_submit(&other, 3, igt_vivgpu_now() + 4 * MS, MS);
	record = next_record(stream);
	igt_assert(record.flags & DRM_VIVGPU_JOB_MISSED);

	/* Waits for another client's job */
	client_submit(&other, 4, 0, 0);
	client_submit_due_after(&c, &other, 5, igt_vivgpu_now() + 4 * MS);
	first = next_record(stream);
	record = next_record(stream);
	igt_assert(record.flags & DRM_VIVGPU_JOB_MISSED);
	igt_assert_lte_u64(first.finished_ns, record.ready_ns);

	/* Held back: longer than what the reservation leaves, as the job before showed */
	igt_vivgpu_spin_init(&other.spin, &other.bo, 80 * MS);
	client_submit(&other, 6, 0, 0);
	record = next_record(stream);
	client_submit(&other, 7, igt_vivgpu_now() + 200 * MS, 0);
	record = next_record(stream);
	igt_assert(record.flags & DRM_VIVGPU_JOB_MISSED);
	igt_assert_lte_u64(record.ready_ns, record.held_ns);
	igt_assert_lte_u64(record.held_ns + IGT_VIVGPU_SECOND, record.started_ns);
	close(stream);
}

static uint32_t guilty_jobs(int fd)
{
	struct drm_vivgpu_reset_query query = { 0 };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query), 0);
	return query.guilty;
}

/**
 * struct attack - what a client without privilege does every 100 ms
 * @fresh: on a new queue
 * @tiny: so many short jobs with a cost before the long one, which has no cost
 */
struct attack {
	bool fresh;
	int tiny;
};

/* @short_job: used with @tiny only; c->spin is the long one. */
static void attack_once(struct client *c, const struct attack *attack,
			struct igt_vivgpu_stream *short_job)
{
	struct igt_vivgpu_stream long_job = c->spin;
	uint32_t reason;

	/* Destroying the one before would wait for its job. */
	if (attack->fresh)
		igt_assert_eq(__igt_vivgpu_reserve(c->fd, 0, 0, &c->queue, &reason), 0);
	c->spin = *short_job;
	for (int i = 0; i < attack->tiny; i++)
		client_submit(c, 0, 0, MS / 2);
	c->spin = long_job;
	client_submit(c, 0, 0, 0);
}

/*
 * Frames of almost 6 ms (5 ms in whole fills, and overhead) with a budget of 6 ms in each 16.7 ms
 * beside jobs of 40 ms. None is late: a job that is in the way is ended, and only its client is
 * guilty.
 */
static void frames_beside(int fd, const struct attack *attack)
{
	const int64_t period = 16667 * US;
	const int frames = 180;
	struct client cluster, attacker;
	struct igt_vivgpu_stream short_job = { 0 };
	int stream = open_records(fd), missed = 0;
	uint64_t latest = 0, guilty;
	int64_t next;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&cluster, fd, 6 * MS, period, 5 * MS);
	client_init(&attacker, fd, 0, 0, 40 * MS);
	igt_vivgpu_spin_init(&short_job, &attacker.bo, 10 * US);
	next = igt_vivgpu_now() + period;
	for (int i = 0; i < frames; i++) {
		struct drm_vivgpu_record record;

		igt_vivgpu_sleep(next - igt_vivgpu_now());
		next += period;
		client_submit(&cluster, i + 1, 0, 6 * MS);
		if (i % 6 == 0 && (!i || igt_vivgpu_sync_wait(attacker.fd, attacker.done, 0)))
			attack_once(&attacker, attack, &short_job);
		record = next_record(stream);
		igt_assert_eq_u64(record.cookie, i + 1);
		missed += record.finished_ns > record.submitted_ns + period;
		if (record.finished_ns - record.submitted_ns > latest)
			latest = record.finished_ns - record.submitted_ns;
	}
	client_wait(&attacker);
	guilty = guilty_jobs(attacker.fd);
	igt_info("%d of %d late, longest %llu us; %llu jobs were ended\n", missed, frames,
		 (unsigned long long)latest / US, (unsigned long long)guilty);
	close(stream);
	igt_assert_eq(missed, 0);
	igt_assert_eq_u64(guilty_jobs(cluster.fd), 0);
	igt_assert_lte_u64(1, guilty);
}

static void fresh_queues(int fd)
{
	frames_beside(fd, &(struct attack){ .fresh = true });
}

static void tiny_jobs(int fd)
{
	/* The driver's maximum of a queue's lengths is that of the latest 64 to 128 jobs. */
	frames_beside(fd, &(struct attack){ .tiny = 130 });
}

/*
 * A job of 100 ms on a new queue, then one of a reserved queue, and other_ns later one of another
 * client. Returns: ns from the reserved job's submit to its start.
 */
static uint64_t reserved_behind(struct client *attacker, struct client *reserved, int stream,
				struct client *other, uint64_t other_ns)
{
	struct drm_vivgpu_record record;

	attack_once(attacker, &(struct attack){ .fresh = true }, &reserved->spin);
	igt_vivgpu_sleep(MS);
	client_submit(reserved, 1, 0, 4 * MS);
	igt_vivgpu_sleep(other_ns);
	client_submit(other, 0, 0, 0);
	record = next_record(stream);
	client_wait(attacker);
	client_wait(other);
	igt_assert_eq(__igt_vivgpu_queue_destroy(attacker->fd, attacker->queue), 0);
	igt_vivgpu_sleep(100 * MS);
	return record.started_ns - record.submitted_ns;
}

/*
 * A submit to the DRM scheduler postpones the work that ends a job, if that work is queued but has
 * not begun. So a job is submitted at each us around the moment at which that work is queued: about
 * 50 us, the time of a recovery, before the reserved job starts.
 */
static void ended_beside_submits(int fd)
{
	struct client reserved, attacker, other;
	int stream = open_records(fd);
	uint64_t usual, longest = 0;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	igt_assert_eq(prctl(PR_SET_TIMERSLACK, 1), 0);
	client_init(&reserved, fd, 5 * MS, 50 * MS, 4 * MS);
	client_init(&attacker, fd, 0, 0, 100 * MS);
	client_init(&other, fd, 0, 0, 10 * US);
	usual = reserved_behind(&attacker, &reserved, stream, &other, MS);
	for (int us = -80; us < -30; us++) {
		uint64_t ns =
			reserved_behind(&attacker, &reserved, stream, &other, usual + us * US);

		if (ns > usual + MS / 2)
			igt_info("%d us: started after %llu us instead of %llu us\n", us,
				 (unsigned long long)ns / US, (unsigned long long)usual / US);
		longest = ns > longest ? ns : longest;
	}
	close(stream);
	igt_assert_lte_u64(longest, usual + MS / 2);
}

/* A record stream of errors and resets. */
static int open_resets(int fd)
{
	const uint32_t types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_FAULT) |
			       DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_RESET);
	int stream;

	igt_assert_eq(__igt_vivgpu_stream_open(fd, DRM_VIVGPU_STREAM_ALL, types, &stream), 0);
	return stream;
}

static struct drm_vivgpu_record next_reset_record(int stream)
{
	struct pollfd ready = { .fd = stream, .events = POLLIN };
	struct drm_vivgpu_record record;

	igt_assert_eq(poll(&ready, 1, 5000), 1);
	igt_assert_eq(read(stream, &record, sizeof(record)), sizeof(record));
	return record;
}

/*
 * Returns: ns from the next error to its reset, 0 if no job was in the ring: then the core may be
 * reset or not. @fault_ns: when the error came.
 */
static uint64_t next_reset(int stream, uint64_t *fault_ns)
{
	struct drm_vivgpu_record record;

	do {
		record = next_reset_record(stream);
	} while (record.type != DRM_VIVGPU_RECORD_FAULT);
	*fault_ns = record.time_ns;
	if (!record.job)
		return 0;

	record = next_reset_record(stream);
	igt_assert_eq(record.type, DRM_VIVGPU_RECORD_RESET);
	igt_info("reset %llu us after the error\n",
		 (unsigned long long)(record.time_ns - *fault_ns) / US);
	return record.time_ns - *fault_ns;
}

/*
 * A job that causes an error of the MMU directly behind another one: the DRM scheduler frees that
 * one, and gets the job of a third client, at the same moment. @delay, when the third client
 * submits, is the time of the error in the round before.
 */
static void fault_beside_submits(int fd)
{
	struct client busy, faulty, other;
	int stream = open_resets(fd);
	uint64_t longest = 0, fault_ns;
	int64_t delay = 2 * MS;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	igt_assert_eq(prctl(PR_SET_TIMERSLACK, 1), 0);
	client_init(&busy, fd, 0, 0, MS);
	client_init(&faulty, fd, 0, 0, MS);
	client_init(&other, fd, 0, 0, 10 * US);
	igt_vivgpu_copy(&faulty.spin, faulty.bo.va, NOWHERE, 16);
	for (int i = 0; i < 10; i++) {
		int64_t begin = igt_vivgpu_now();
		uint64_t ns;

		client_submit(&busy, 0, 0, 0);
		client_submit(&faulty, 0, 0, 0);
		igt_vivgpu_sleep(delay);
		client_submit(&other, 0, 0, 0);
		ns = next_reset(stream, &fault_ns);
		delay = fault_ns - begin;
		client_wait(&faulty);
		client_wait(&other);
		longest = ns > longest ? ns : longest;
	}
	close(stream);
	igt_assert_lte_u64(longest, MS);
}

/* Submit short jobs one after the other, two at a time. */
static void submit_until(struct client *c, const volatile bool *stop)
{
	while (!*stop) {
		client_submit(c, 0, 0, 0);
		client_submit(c, 0, 0, 0);
		client_wait(c);
	}
}

/*
 * Bus errors while the DRM scheduler gets and frees jobs all the time. In real time an error may
 * come while the core is idle, which needs no reset.
 */
static void bus_error_beside_submits(int fd)
{
	volatile bool *stop =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct client others[2];
	int stream = open_resets(fd);
	uint64_t fault_ns, longest = 0;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	igt_vivgpu_require_card();
	igt_assert(stop != MAP_FAILED);
	for (int i = 0; i < 2; i++)
		client_init(&others[i], fd, 0, 0, 100 * US);
	igt_fork(child, 2)
	{
		submit_until(&others[child], stop);
	}
	for (int i = 0; i < 30; i++) {
		uint64_t ns;

		igt_vivgpu_sleep(5 * MS);
		igt_vivgpu_card("axi-error");
		ns = next_reset(stream, &fault_ns);
		longest = ns > longest ? ns : longest;
	}
	*stop = true;
	igt_waitchildren();
	munmap((void *)stop, 4096);
	close(stream);
	igt_assert_lte_u64(longest, MS);
}

/*
 * A client that submits a job every 0.1 s does not postpone the end of a hang, as it would with the
 * DRM scheduler's own timeout. The driver ends it when for twice 0.5 s no job has ended and the
 * front end has not moved.
 */
static void hang_beside_submits(int fd)
{
	struct client hanging, other;
	int stream = open_resets(fd);
	int64_t begin;
	struct drm_vivgpu_record record;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&hanging, fd, 0, 0, MS);
	client_init(&other, fd, 0, 0, 10 * US);
	igt_vivgpu_card("hang");
	begin = igt_vivgpu_now();
	client_submit(&hanging, 0, 0, 0);
	for (int i = 0; i < 20; i++) {
		igt_vivgpu_sleep(100 * MS);
		client_submit(&other, 0, 0, 0);
	}
	record = next_reset_record(stream);
	igt_assert_eq(record.type, DRM_VIVGPU_RECORD_RESET);
	igt_info("reset after %llu ms\n", (unsigned long long)(record.time_ns - begin) / MS);
	client_wait(&hanging);
	client_wait(&other);
	close(stream);
	igt_assert_lte_u64(record.time_ns - begin, 1100 * MS);
}

/*
 * While a reserved job runs, a best-effort one does not take the place behind it in the ring: the
 * next reserved job comes first.
 */
static void one_kind(int fd)
{
	struct client reserved, other;
	int stream = open_records(fd);

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&reserved, fd, 20 * MS, 100 * MS, 5 * MS);
	client_init(&other, fd, 0, 0, MS);
	client_measure(&other);
	client_submit(&reserved, 1, 0, 6 * MS);
	igt_vivgpu_sleep(MS);
	client_submit(&other, 2, 0, 2 * MS);
	igt_vivgpu_sleep(MS);
	client_submit(&reserved, 3, 0, 6 * MS);
	EXPECT_ORDER(stream, 1, 3, 2);
	close(stream);
}

/* Whether the next record, which has this cookie, is of a job that ended within a period. */
static bool ended_within(int stream, uint64_t cookie, int64_t period)
{
	struct drm_vivgpu_record record = next_record(stream);

	igt_assert_eq_u64(record.cookie, cookie);
	return record.finished_ns <= record.submitted_ns + period;
}

/*
 * Frames of 3 ms in each 10 ms beside a client with 4 ms in each 20 ms, some of whose jobs claim
 * more than its budget (@i is 0, 60 ...), and some take more (30, 90 ...): they are held back, and
 * that time is not made up to their client later.
 */
static void held_server(int fd)
{
	const int64_t period = 10 * MS;
	struct igt_vivgpu_stream usual, longer = { 0 };
	struct client victim, attacker;
	int stream = open_records(fd), missed = 0;
	int64_t next;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&victim, fd, 3 * MS, period, 2800 * US);
	client_init(&attacker, fd, 4 * MS, 2 * period, 3200 * US);
	igt_vivgpu_spin_init(&longer, &attacker.bo, 6 * MS);
	usual = attacker.spin;
	next = igt_vivgpu_now() + period;
	for (int i = 0; i < 300; i++) {
		igt_vivgpu_sleep(next - igt_vivgpu_now());
		next += period;
		client_submit(&victim, i + 1, 0, 3 * MS);
		attacker.spin = i % 60 == 30 ? longer : usual;
		if (i % 2 == 0)
			client_submit(&attacker, 0, 0, i % 60 ? 3200 * US : 30 * MS);
		missed += !ended_within(stream, i + 1, period);
	}
	client_wait(&attacker);
	close(stream);
	igt_assert_eq(missed, 0);
}

/*
 * If one of three clients, @holder, has the reservation and a job (@held), it gives it back, and
 * the next one is to ask for it; if not, @holder asks for it.
 */
static void hand_over(struct client attackers[3], int *holder, bool *held)
{
	struct client *c = &attackers[*holder];
	uint32_t reason;

	if (*held) {
		igt_assert_eq(__igt_vivgpu_queue_destroy(c->fd, c->queue), 0);
		*holder = (*holder + 1) % 3;
		*held = false;
	} else if (__igt_vivgpu_reserve(c->fd, 3700 * US, 20 * MS, &c->queue, &reason) == 0) {
		client_submit(c, 0, 0, 3700 * US);
		*held = true;
	}
}

/* Frames of four clients with 12 ms in each 80 ms beside a reservation that is handed over often */
static void rejoining(int fd)
{
	const int64_t period = 80 * MS;
	struct client victims[4], attackers[3];
	int stream = open_records(fd), missed = 0, holder = 0;
	bool held = false;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	for (int i = 0; i < 4; i++)
		client_init(&victims[i], fd, 12 * MS, period, 11500 * US);
	for (int i = 0; i < 3; i++)
		client_init(&attackers[i], fd, 0, 0, 3500 * US);
	for (int i = 0; i < 25; i++) {
		int64_t end = igt_vivgpu_now() + period;

		for (int j = 0; j < 4; j++)
			client_submit(&victims[j], 1 + j, 0, 12 * MS);
		while (igt_vivgpu_now() < end) {
			hand_over(attackers, &holder, &held);
			igt_vivgpu_sleep(MS / 2);
		}
		for (int j = 0; j < 4; j++) {
			struct drm_vivgpu_record record = next_record(stream);

			missed += record.finished_ns > record.submitted_ns + period;
		}
	}
	close(stream);
	igt_assert_eq(missed, 0);
}

/*
 * Frames of a compositor, every tenth of which waits for a job that claims 10 s, beside a client
 * that always has jobs on a budget of its own. The job that is waited for gets no more than the
 * compositor's budget has left, so the nine other frames are in time.
 */
static void lent_budget(int fd)
{
	const int64_t period = 16667 * US;
	struct client compositor, producer, greedy;
	int stream = open_records(fd), missed = 0;
	int64_t next;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&compositor, fd, 5 * MS, period, 3 * MS);
	client_init(&producer, fd, 0, 0, 100 * US);
	client_init(&greedy, fd, 9 * MS, 2 * period, 3 * MS);
	next = igt_vivgpu_now() + period;
	for (int i = 0; i < 180; i++) {
		igt_vivgpu_sleep(next - igt_vivgpu_now());
		next += period;
		if (!i || igt_vivgpu_sync_wait(greedy.fd, greedy.done, 0)) {
			for (int j = 0; j < 3; j++)
				client_submit(&greedy, 0, 0, 3 * MS);
		}
		if (i % 10 == 9) {
			client_submit(&producer, 0, 0, 10 * IGT_VIVGPU_SECOND);
			client_submit_after(&compositor, &producer, i + 1);
			next_record(stream);
		} else {
			client_submit(&compositor, i + 1, 0, 3 * MS);
			missed += !ended_within(stream, i + 1, period);
		}
	}
	client_wait(&greedy);
	close(stream);
	igt_assert_eq(missed, 0);
}

/* Run a job with these hints. Returns: its record, as long as no other job here has a cookie. */
static struct drm_vivgpu_record run_job(struct client *c, int stream, struct igt_vivgpu_job job)
{
	job.cookie = 1;
	client_submit_job(c, &job);
	return next_record(stream);
}

static bool has_bound(struct drm_vivgpu_record record, uint64_t bound_ns, bool predicted)
{
	igt_info("bound %llu us, flags %x\n", (unsigned long long)record.bound_ns / US,
		 record.flags);
	return record.bound_ns == bound_ns &&
	       !(record.flags & DRM_VIVGPU_JOB_BOUND_PREDICTED) == !predicted;
}

/*
 * The larger one of a predicted bound and of what was measured counts, of a reserved job up to its
 * budget; 0.1 ms of overhead are added. A program that does not know of bounds has none.
 */
static void predicted_bound(int fd)
{
	struct client reserved, other;
	struct drm_vivgpu_record record;
	int stream = open_records(fd);
	uint64_t measured;

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&reserved, fd, 5 * MS, 10 * MS, MS);
	client_init(&other, fd, 0, 0, MS);
	client_measure(&other);
	record = run_job(&other, stream, (struct igt_vivgpu_job){ 0 });
	measured = record.bound_ns;
	igt_assert_lt_u64(MS / 2, measured);
	igt_assert_lt_u64(measured, 2 * MS);
	igt_assert(has_bound(record, measured, false));
	record = run_job(&other, stream, (struct igt_vivgpu_job){ .bound_ns = 100 * US });
	igt_assert(has_bound(record, measured, false));
	record = run_job(&other, stream, (struct igt_vivgpu_job){ .bound_ns = 3 * MS });
	igt_assert(has_bound(record, 3100 * US, true));
	record = run_job(&other, stream,
			 (struct igt_vivgpu_job){
				 .bound_ns = 3 * MS,
				 .args_size = offsetof(struct drm_vivgpu_submit, bound_ns) });
	igt_assert(has_bound(record, measured, false));
	/* Longer than the 3.4 ms of blocking and than the slack: held back for 1 s, the limit */
	record = run_job(&other, stream, (struct igt_vivgpu_job){ .bound_ns = 30 * MS });
	igt_assert(has_bound(record, 30100 * US, true));
	igt_assert_lte_u64(record.held_ns + IGT_VIVGPU_SECOND, record.started_ns);
	record = run_job(&reserved, stream,
			 (struct igt_vivgpu_job){ .cost_ns = 2 * MS, .bound_ns = 4 * MS });
	igt_assert(has_bound(record, 4100 * US, true));
	record = run_job(&reserved, stream,
			 (struct igt_vivgpu_job){ .cost_ns = 2 * MS, .bound_ns = 30 * MS });
	igt_assert(has_bound(record, 5100 * US, true));
	close(stream);
}

/*
 * The reply to a submit, unless that fails, says how long jobs without a budget should be, as the
 * parameter does. A program that does not know of the field gets nothing.
 */
static void max_piece(int fd)
{
	struct client reserved, other;
	struct igt_vivgpu_job job = { 0 };
	uint64_t limit;

	close_clients(fd);
	client_init(&other, fd, 0, 0, 100 * US);
	client_submit_job(&other, &job);
	igt_assert_eq_u64(job.max_piece_ns, 0);
	client_init(&reserved, fd, 5 * MS, 10 * MS, MS);
	limit = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_PIECE);
	igt_assert_lt_u64(0, limit);
	client_submit_job(&other, &job);
	igt_assert_eq_u64(job.max_piece_ns, limit);
	job.max_piece_ns = 7;
	igt_assert_eq(__igt_vivgpu_submit(fd, other.queue + 100, &job), -ENOENT);
	igt_assert_eq_u64(job.max_piece_ns, 7);
	job.args_size = offsetof(struct drm_vivgpu_submit, max_piece_ns);
	client_submit_job(&other, &job);
	igt_assert_eq_u64(job.max_piece_ns, 7);
	job.args_size = 0;
	client_close(&reserved);
	client_submit_job(&other, &job);
	igt_assert_eq_u64(job.max_piece_ns, 0);
	/* Jobs that still run would make the next subtest's deadlines later: see joining(). */
	client_wait(&other);
}

/*
 * A missed hint of a job on a budget is no missed promise; a hint that is met does not hide a
 * missed promise, which here is that of 20 ms of work on a budget of 2 ms in each 10 ms.
 */
static void missed_promise(int fd)
{
	struct client honest, greedy;
	struct drm_vivgpu_record record;
	int stream = open_records(fd);

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&honest, fd, 5 * MS, 100 * MS, MS);
	client_init(&greedy, fd, 2 * MS, 10 * MS, 20 * MS);
	record = run_job(&honest, stream,
			 (struct igt_vivgpu_job){ .deadline_ns = igt_vivgpu_now() });
	igt_assert(record.flags & DRM_VIVGPU_JOB_RESERVED);
	igt_assert(record.flags & DRM_VIVGPU_JOB_MISSED);
	igt_assert(!(record.flags & DRM_VIVGPU_JOB_MISSED_BUDGET));
	record = run_job(
		&greedy, stream,
		(struct igt_vivgpu_job){ .cost_ns = MS,
					 .deadline_ns = igt_vivgpu_now() + IGT_VIVGPU_SECOND });
	igt_assert(!(record.flags & DRM_VIVGPU_JOB_MISSED));
	igt_assert(record.flags & DRM_VIVGPU_JOB_MISSED_BUDGET);
	igt_assert(record.flags & DRM_VIVGPU_JOB_OVERRUN);
	close(stream);
}

/*
 * At this time, a job of about this length. Its cost is 1.3 times as much, since jobs take up to a
 * fill of 0.5 ms longer than asked for, and a queue whose jobs take twice as long as predicted is
 * not believed. Returns: its record.
 */
static struct drm_vivgpu_record run_at(struct client *c, int stream, int64_t time_ns,
				       int64_t length_ns)
{
	igt_vivgpu_sleep(time_ns - igt_vivgpu_now());
	igt_vivgpu_spin_init(&c->spin, &c->bo, length_ns);
	return run_job(c, stream, (struct igt_vivgpu_job){ .cost_ns = length_ns * 13 / 10 });
}

/*
 * 13 ms in each 100 ms, 0.1 ms of overhead included, with a horizon of (20 + 1.5) / (1 - 0.13) =
 * 24.7 ms, see joining(): a queue that was idle keeps a deadline that is further away, if what is
 * left of the budget is at most 0.13 of the time until then. With overhead a job takes 2.7 ms, or
 * 1.1 ms.
 */
static void wake_up(int fd)
{
	const int64_t period = 100 * MS;
	struct drm_vivgpu_record first, next;
	uint64_t due, start;
	struct client c;
	int stream = open_records(fd);

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&c, fd, 12900 * US, period, 2 * MS);
	first = run_at(&c, stream, igt_vivgpu_now(), 2 * MS);
	start = first.ready_ns;
	due = start + period;
	igt_assert_eq_u64(first.deadline_ns, due);
	/* 10.3 ms are left, of 11.7 that 90 ms permit. */
	igt_assert_eq_u64(run_at(&c, stream, start + 10 * MS, 2 * MS).deadline_ns, due);
	/* 7.7 ms, of 3.9 that 30 ms permit: the deadline is moved, and 7.7 ms are left until it. */
	next = run_at(&c, stream, start + 70 * MS, 2 * MS);
	due = next.ready_ns + period;
	igt_assert_eq_u64(next.deadline_ns, due);
	/* 5.0 of 11.7, and 2.4 of 5.2 ms */
	igt_assert_eq_u64(run_at(&c, stream, start + 80 * MS, 2 * MS).deadline_ns, due);
	igt_assert_eq_u64(run_at(&c, stream, start + 130 * MS, MS / 2).deadline_ns, due);
	/* 1.2 of 2.6 ms, but the 20 ms until the deadline are less than the horizon. */
	next = run_at(&c, stream, start + 150 * MS, MS / 2);
	igt_assert_eq_u64(next.deadline_ns, next.ready_ns + period);
	close(stream);
}

/*
 * A budget that is asked for while a job is in the ring that the other reservation permits has its
 * first deadline later, by the horizon of that reservation: the 20 ms of blocking that are the
 * driver's limit, with 1.5 ms for an overrun and a recovery, divided by the 0.9 of the GPU's time
 * that it leaves.
 */
static void joining(int fd)
{
	struct client before, other, late;
	struct drm_vivgpu_record record;
	int stream = open_records(fd);

	close_clients(fd);
	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	client_init(&before, fd, 9900 * US, 100 * MS, MS);
	client_init(&other, fd, 0, 0, 10 * MS);
	client_submit(&other, 0, 0, 0);
	igt_vivgpu_sleep(5 * MS);
	client_init(&late, fd, 1900 * US, 50 * MS, MS / 2);
	record = run_job(&late, stream, (struct igt_vivgpu_job){ 0 });
	igt_assert_lt_u64(record.ready_ns + 50 * MS + 23888 * US, record.deadline_ns);
	igt_assert_lt_u64(record.deadline_ns, record.ready_ns + 50 * MS + 23889 * US);
	client_wait(&other);
	igt_vivgpu_sleep(100 * MS);
	record = run_job(&late, stream, (struct igt_vivgpu_job){ 0 });
	igt_assert_eq_u64(record.deadline_ns, record.ready_ns + 50 * MS);
	close(stream);
}

static const struct igt_vivgpu_test tests[] = {
	{ "privilege", "A budget takes a privilege, a deadline does not", privilege },
	{ "arguments", "Bad budgets and periods are refused", arguments },
	{ "admission", "What cannot be promised is refused, with the reason", admission },
	{ "many", "64 queues have a budget, and not one more", many },
	{ "earliest-first", "Reserved jobs run by their deadlines, before others", earliest_first },
	{ "hints", "Best-effort jobs run by their deadlines", hints },
	{ "counted", "Records tell of missed deadlines and wrong costs", counted },
	{ "inheritance", "A job that is waited for gets the budget", inheritance },
	{ "shared-buffer", "Inheritance through a shared buffer", shared_buffer },
	{ "chain", "A job that is waited for hands the budget on", chain },
	{ "fence-deadline", "A deadline that is set on a fence counts", fence_deadline },
	{ "late-deadline", "It reaches the jobs that the fence's job waits for", late },
	{ "beyond-ring", "Hints of more jobs than fit the ring count", beyond_ring },
	{ "overrun", "A queue pays for its own overruns", overrun },
	{ "lies", "Costs are not believed twice", lies },
	{ "exception", "One long job does not hold a queue back for good", exception },
	{ "beside-many", "Many waiting best-effort jobs do not delay reserved ones", beside_many },
	{ "reset", "Deadlines hold after a reset", reset },
	{ "close", "A closed file gives its budget back", close_early },
	{ "suspend", "Sleep with a job that is held back", suspend },
	{ "late-causes", "Records of late jobs tell what made them late", late_causes },
	{ "fresh-queues", "Long jobs on queues of which nothing is known", fresh_queues },
	{ "tiny-jobs", "Long jobs behind many that kept their predictions", tiny_jobs },
	{ "ended-beside-submits", "A job is ended while others are submitted",
	  ended_beside_submits },
	{ "fault-beside-submits", "An error of the MMU while others are submitted",
	  fault_beside_submits },
	{ "bus-error-beside-submits", "A bus error while others are submitted",
	  bus_error_beside_submits },
	{ "hang-beside-submits", "A front end that stops while others are submitted",
	  hang_beside_submits },
	{ "one-kind", "A best-effort job waits behind a reserved one", one_kind },
	{ "wake-up", "Which deadline a queue that was idle has", wake_up },
	{ "joining", "A budget that is asked for beside jobs in the ring", joining },
	{ "held-server", "Jobs that exceed their own budget", held_server },
	{ "rejoining", "A budget that is given back and asked for again", rejoining },
	{ "lent-budget", "Frames wait for jobs that claim 10 s", lent_budget },
	{ "predicted-bound", "Predicted bounds only make jobs longer", predicted_bound },
	{ "max-piece", "The reply to a submit says how long jobs should be", max_piece },
	{ "missed-promise", "A missed promise is not a missed hint", missed_promise },
	{ "cluster", "No frame is late beside a game that takes all it gets", cluster },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
