// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu totals
 * Description: Totals of clients and of the device, and who may see them
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: telemetry
 */
#include "igt.h"
#include "igt_vivgpu.h"
#include "igt_vivgpu_draw.h"
#include "igt_vivgpu_fdinfo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE DRM_VIVGPU_USAGE_DEVICE
#define CLIENT DRM_VIVGPU_USAGE_CLIENT
#define ALL_TYPES 0x3feu /* of records: numbers 1 to 9 */
#define JOBS 40
#define NOWHERE 0x80000000

/* A client whose jobs draw @triangles. */
static void client_init(struct igt_vivgpu_client *c, int fd, uint32_t triangles)
{
	igt_vivgpu_client_init(c, fd, IGT_VIVGPU_DRAW_BYTES);
	igt_vivgpu_draw_init(&c->bo);
	igt_vivgpu_draw_states(&c->work, &c->bo);
	igt_vivgpu_draw(&c->work, triangles);
}

static void run(struct igt_vivgpu_client *c, uint32_t jobs)
{
	for (uint32_t i = 0; i < jobs; i++)
		igt_vivgpu_run(c->fd, c->queue, &c->job);
}

static uint64_t id_of(int fd)
{
	struct igt_vivgpu_usage usage;

	igt_vivgpu_usage_read(0, fd, &usage);
	return usage.client_id;
}

static void bad(int fd)
{
	struct drm_vivgpu_usage usage;

	igt_assert_eq(__igt_vivgpu_totals(fd, 1u << 2, 0, &usage), -EINVAL);
	igt_assert_eq(__igt_vivgpu_totals(fd, CLIENT | DEVICE, 1, &usage), -EINVAL);
	igt_assert_eq(__igt_vivgpu_totals(fd, 0, id_of(fd), &usage), -EINVAL);
	igt_assert_eq(__igt_vivgpu_totals(fd, DEVICE, 1, &usage), -EINVAL);
	igt_assert_eq(__igt_vivgpu_totals(fd, CLIENT, 0, &usage), -ENOENT);
	igt_assert_eq(__igt_vivgpu_totals(fd, CLIENT, UINT64_MAX, &usage), -ENOENT);
	igt_assert_eq(__igt_vivgpu_totals(fd, CLIENT, id_of(fd), &usage), 0);
}

/* Each figure of a client that did little, and what fdinfo has of it. */
static void figures(int fd)
{
	struct drm_vivgpu_usage usage = igt_vivgpu_totals(fd, 0), device;
	struct drm_vivgpu_submit event = { 0 };
	struct igt_vivgpu_stream bad;
	uint64_t before = igt_vivgpu_now();
	struct igt_vivgpu_usage fdinfo;
	struct igt_vivgpu_client c;

	igt_assert_eq_u64(usage.client, id_of(fd));
	igt_assert_eq_u32(usage.clients, 1);
	igt_assert(!usage.submitted && !usage.finished && !usage.failed && !usage.events &&
		   !usage.engine_ns && !usage.cycles && !usage.counted_jobs && !usage.lost_records);
	client_init(&c, fd, 3);
	device = igt_vivgpu_totals(fd, DEVICE);
	igt_assert_eq_u64(device.client, 0);
	igt_assert_lte_u64(1, device.clients);
	run(&c, 3);
	event.queue = c.queue;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_SUBMIT, &event), 0);
	bad.size = 0;
	igt_vivgpu_copy(&bad, c.bo.va, NOWHERE, 16);
	c.job.stream = &bad;
	run(&c, 1);
	usage = igt_vivgpu_totals(fd, 0);
	igt_assert_eq_u64(usage.submitted, 5);
	igt_assert_eq_u64(usage.finished, 5);
	igt_assert_eq_u64(usage.failed, 1);
	igt_assert_eq_u64(usage.events, 1);
	igt_assert_lte_u64(before, usage.time_ns);
	igt_assert_lte_u64(usage.time_ns, igt_vivgpu_now());
	igt_vivgpu_usage_read(0, fd, &fdinfo);
	igt_assert_eq_u64(usage.engine_ns, fdinfo.engine_ns);
	igt_assert_eq_u64(usage.cycles, fdinfo.cycles);
	igt_assert_lt_u64(0, usage.cycles);
	igt_assert_eq_u64(usage.counted_jobs, 0);
	usage = igt_vivgpu_totals(fd, DEVICE);
	igt_assert_eq_u64(usage.submitted - device.submitted, 5);
	igt_assert_eq_u64(usage.finished - device.finished, 5);
	igt_assert_eq_u64(usage.failed - device.failed, 1);
	igt_assert_eq_u64(usage.events - device.events, 1);
	igt_assert_eq_u64(usage.engine_ns - device.engine_ns, fdinfo.engine_ns);
	igt_assert_eq_u64(usage.cycles - device.cycles, fdinfo.cycles);
}

/* A running job counts so far, for its client and the device, and nothing decreases. */
static void running(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_usage own, last = { 0 }, device = igt_vivgpu_totals(fd, DEVICE), all;
	struct igt_vivgpu_stream work;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = { .stream = &work, .bos = { &bo }, .nr_bos = 1 };
	unsigned int samples = 0;
	bool exact;

	igt_vivgpu_require_card();
	exact = igt_vivgpu_virtual_time();
	igt_vivgpu_bo_init(&bo, fd, 1 << 20);
	igt_vivgpu_spin_init(&work, &bo, IGT_VIVGPU_SECOND / 5);
	job.out_sync = igt_vivgpu_sync_create(fd);
	igt_vivgpu_submit(fd, queue, &job);
	do {
		igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 200);
		own = igt_vivgpu_totals(fd, 0);
		all = igt_vivgpu_totals(fd, DEVICE);
		igt_assert_eq_u64(own.submitted, 1);
		igt_assert(own.finished || last.engine_ns < own.engine_ns);
		igt_assert_lte_u64(last.engine_ns, own.engine_ns);
		igt_assert_lte_u64(last.cycles, own.cycles);
		/*
		 * In real time the job's interrupt may wait for its handler while the client's
		 * total goes on; each total stays at what it was, and the device's does not catch
		 * up.
		 */
		if (exact)
			igt_assert_lte_u64(own.engine_ns, all.engine_ns - device.engine_ns);
		last = own;
		samples++;
	} while (!own.finished);
	igt_info("%u samples\n", samples);
	igt_assert(!exact || samples > 30);
	igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, 60 * IGT_VIVGPU_SECOND));
	own = igt_vivgpu_totals(fd, 0);
	igt_assert_lte_u64(last.engine_ns, own.engine_ns);
	igt_assert_eq_u64(own.finished, 1);
}

/*
 * A stream that is not read while jobs run loses records; the totals lose nothing. Each job has
 * three triangles, i.e. 9 vertices.
 */
static void full_ring(int fd)
{
	struct drm_vivgpu_stream_open args = { .flags = DRM_VIVGPU_STREAM_COUNTS,
					       .types =
						       DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
					       .ring_records = 8,
					       .record_size = sizeof(struct drm_vivgpu_record) };
	struct drm_vivgpu_usage device = igt_vivgpu_totals(fd, DEVICE), usage;
	struct igt_vivgpu_counts before, done;
	struct drm_vivgpu_record r[JOBS];
	struct igt_vivgpu_usage fdinfo;
	struct igt_vivgpu_client c;

	igt_vivgpu_require_card();
	client_init(&c, fd, 3);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args), 0);
	before = igt_vivgpu_card_counts();
	run(&c, JOBS);
	done = igt_vivgpu_counts_since(igt_vivgpu_card_counts(), before);
	igt_assert_eq_u64(done.vertices, JOBS * 9);
	usage = igt_vivgpu_totals(fd, 0);
	igt_assert_eq_u64(usage.lost_records, JOBS - 8);
	igt_assert_eq_u64(usage.counted_jobs, JOBS);
	igt_assert_eq_u64(usage.exact_jobs, JOBS);
	igt_assert_eq_u64(usage.vertices, done.vertices);
	igt_assert_eq_u64(usage.primitives, done.primitives);
	igt_assert_eq_u64(usage.fragments, done.fragments);
	usage = igt_vivgpu_totals(fd, DEVICE);
	igt_assert_eq_u64(usage.lost_records - device.lost_records, JOBS - 8);
	igt_assert_eq_u64(usage.fragments - device.fragments, done.fragments);
	igt_vivgpu_usage_read(0, fd, &fdinfo);
	igt_assert_eq_u64(fdinfo.counted_jobs, JOBS);
	igt_assert_eq_u64(fdinfo.vertices, done.vertices);
	igt_assert_eq_u64(fdinfo.primitives, done.primitives);
	igt_assert_eq_u64(fdinfo.fragments, done.fragments);
	igt_assert_eq(read(args.fd, r, sizeof(r)), 8 * sizeof(r[0]));
	close(args.fd);
}

/*
 * The device's totals include work of a client that was killed. Its jobs that had not started are
 * dropped, which counts as finished, and failed.
 */
static void dead_clients(int fd)
{
	int stream = igt_vivgpu_counts_open(fd, DRM_VIVGPU_STREAM_ALL, 0), ready[2], status;
	struct drm_vivgpu_usage device = igt_vivgpu_totals(fd, DEVICE), usage;
	struct igt_vivgpu_counts before, done;
	char byte = 0;
	pid_t pid;

	igt_vivgpu_require_card();
	igt_assert_eq(pipe(ready), 0);
	before = igt_vivgpu_card_counts();
	pid = fork();
	if (pid == 0) {
		struct igt_vivgpu_client c;

		client_init(&c, igt_vivgpu_reopen(fd), 2);
		for (int i = 0; i < JOBS; i++)
			igt_vivgpu_submit(c.fd, c.queue, &c.job);
		_exit(write(ready[1], &byte, 1) == 1 && pause());
	}
	igt_assert_eq(read(ready[0], &byte, 1), 1);
	kill(pid, SIGKILL);
	igt_assert_eq(waitpid(pid, &status, 0), pid);
	do {
		igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 100);
		usage = igt_vivgpu_totals(fd, DEVICE);
	} while (usage.finished - device.finished != JOBS || usage.clients != device.clients);
	done = igt_vivgpu_counts_since(igt_vivgpu_card_counts(), before);
	igt_info("%llu of %d jobs failed\n", (unsigned long long)(usage.failed - device.failed),
		 JOBS);
	igt_assert_eq_u64(usage.submitted - device.submitted, JOBS);
	igt_assert_eq_u64(usage.vertices - device.vertices, done.vertices);
	igt_assert_eq_u64(usage.primitives - device.primitives, done.primitives);
	igt_assert_eq_u64(usage.fragments - device.fragments, done.fragments);
	close(ready[0]);
	close(ready[1]);
	close(stream);
}

/* Totals of another client by its number: with the privilege, while the client exists. */
static void other_client(int fd)
{
	int other = igt_vivgpu_reopen(fd);
	struct drm_vivgpu_usage usage;
	uint64_t id = id_of(other);
	struct igt_vivgpu_client c;

	client_init(&c, other, 1);
	run(&c, 2);
	igt_assert_eq(__igt_vivgpu_totals(fd, CLIENT, id, &usage), 0);
	igt_assert_eq_u64(usage.client, id);
	igt_assert_eq_u64(usage.submitted, 2);
	/* A mapping holds the file. */
	igt_vivgpu_bo_fini(&c.bo);
	close(other);
	igt_assert_eq(__igt_vivgpu_totals(fd, CLIENT, id, &usage), -ENOENT);
}

/*
 * Files of the kernel with information about clients, which a user must not be able to read; @fd is
 * a file of process @root.
 */
static void check_files(pid_t root, int fd)
{
	static const char *const hidden[] = { "/sys/kernel/debug/dri", "/sys/kernel/debug",
					      "/sys/kernel/tracing/trace" };
	char path[64];
	int file;

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		igt_assert(open(hidden[i], O_RDONLY) < 0);
	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)root, fd);
	file = open(path, O_RDONLY);
	igt_assert(file < 0);
}

/* All that a user can open or ask for about another one's client. */
static void check_calls(int mine, uint64_t theirs)
{
	const uint32_t privileged[] = { DRM_VIVGPU_STREAM_ALL, DRM_VIVGPU_STREAM_EXCLUSIVE,
					DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_COUNTS };
	struct drm_vivgpu_usage usage;

	for (size_t i = 0; i < sizeof(privileged) / sizeof(privileged[0]); i++) {
		struct drm_vivgpu_stream_open args = { .flags = privileged[i],
						       .types = ALL_TYPES,
						       .record_size =
							       sizeof(struct drm_vivgpu_record) };

		igt_assert_eq(__igt_vivgpu_ioctl(mine, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args),
			      -EACCES);
	}
	/* A number that exists and one that does not are refused alike. */
	igt_assert_eq(__igt_vivgpu_totals(mine, CLIENT, theirs, &usage), -EACCES);
	igt_assert_eq(__igt_vivgpu_totals(mine, CLIENT, UINT64_MAX, &usage), -EACCES);
	igt_assert_eq(__igt_vivgpu_totals(mine, CLIENT, 0, &usage), -EACCES);
	igt_assert_eq(__igt_vivgpu_totals(mine, DEVICE, 0, &usage), -EACCES);
	igt_assert_eq(__igt_vivgpu_totals(mine, CLIENT, id_of(mine), &usage), 0);
}

/*
 * A user's process looks at the device while root's clients draw, open and close: its stream of
 * all types with counts has nothing but its own, and its totals are its own. It writes to @reply
 * when it has the stream, upon which root's clients begin; @request can be read when they have
 * ended.
 */
static void watch(int mine, uint64_t theirs, int request, int reply)
{
	struct drm_vivgpu_stream_open args = { .flags = DRM_VIVGPU_STREAM_COUNTS,
					       .types = ALL_TYPES,
					       .record_size = sizeof(struct drm_vivgpu_record),
					       .exact_interval = igt_vivgpu_param(
						       mine, DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL) };
	uint32_t queue = igt_vivgpu_queue_create(mine, DRM_VIVGPU_PRIORITY_NORMAL), jobs = 0;
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_job job = { .stream = &nop, .cookie = 42 };
	uint64_t id = id_of(mine), theirs_too = theirs;
	struct drm_vivgpu_record r;
	struct drm_vivgpu_usage usage;
	char byte = 1;

	igt_assert_lte_u64(2, args.exact_interval);
	igt_assert_eq(__igt_vivgpu_ioctl(mine, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args), 0);
	igt_assert_eq(write(reply, &byte, 1), 1);
	for (int i = 0; i < JOBS; i++)
		igt_vivgpu_run(mine, queue, &job);
	igt_assert_eq(read(request, &byte, 1), 1);
	for (int i = 0; i < 3; i++)
		igt_vivgpu_run(mine, queue, &job);
	igt_assert_eq(fcntl(args.fd, F_SETFL, O_NONBLOCK), 0);
	while (read(args.fd, &r, sizeof(r)) == sizeof(r)) {
		igt_assert(r.client == 0 || r.client == id);
		igt_assert(r.client != theirs_too);
		igt_assert_eq_u32(r.pid, 0);
		igt_assert(!r.vertices && !r.primitives && !r.fragments);
		igt_assert(r.type != DRM_VIVGPU_RECORD_JOB || r.cookie == 42);
		jobs += r.type == DRM_VIVGPU_RECORD_JOB;
	}
	igt_assert_eq_u32(jobs, JOBS + 3);
	usage = igt_vivgpu_totals(mine, 0);
	igt_assert_eq_u64(usage.submitted, JOBS + 3);
	igt_assert_eq_u64(usage.finished, JOBS + 3);
	igt_assert(!usage.vertices && !usage.primitives && !usage.fragments);
	check_calls(mine, theirs);
}

/*
 * A user's process gets a smaller ring than root, which gets @most, and no interval of exact counts
 * below its own limit.
 */
static void check_bounds(int mine, uint32_t most)
{
	struct drm_vivgpu_stream_open args = { .flags = DRM_VIVGPU_STREAM_COUNTS,
					       .types = ALL_TYPES,
					       .ring_records = UINT32_MAX,
					       .record_size = sizeof(struct drm_vivgpu_record) };

	igt_assert_lt_u64(igt_vivgpu_param(mine, DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS), most);
	igt_assert_eq(__igt_vivgpu_ioctl(mine, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args), 0);
	igt_assert_eq_u32(args.ring_records,
			  igt_vivgpu_param(mine, DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS));
	close(args.fd);
	args.exact_interval = igt_vivgpu_param(mine, DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL) - 1;
	args.wakeup_records = 0;
	igt_assert_eq(__igt_vivgpu_ioctl(mine, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args), -EACCES);
}

static void isolation(int fd)
{
	uint32_t most = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS);
	int request[2], reply[2], all = igt_vivgpu_counts_open(fd, DRM_VIVGPU_STREAM_ALL, 0);
	pid_t root = getpid();
	uint64_t theirs = id_of(fd);
	struct igt_vivgpu_client c;
	char byte = 0;

	igt_assert_eq(pipe(request), 0);
	igt_assert_eq(pipe(reply), 0);
	client_init(&c, fd, 4);
	igt_fork(child, 1)
	{
		int mine = igt_vivgpu_reopen(fd);

		igt_drop_root();
		check_bounds(mine, most);
		check_files(root, fd);
		watch(mine, theirs, request[0], reply[1]);
	}
	igt_assert_eq(read(reply[0], &byte, 1), 1);
	for (int i = 0; i < JOBS; i++) {
		close(igt_vivgpu_reopen(fd));
		run(&c, 1);
	}
	igt_assert_eq(write(request[1], &byte, 1), 1);
	igt_waitchildren();
	igt_assert_eq_u64(igt_vivgpu_totals(fd, 0).finished, JOBS);
	for (int i = 0; i < 2; i++) {
		close(request[i]);
		close(reply[i]);
	}
	close(all);
}

static const struct igt_vivgpu_test tests[] = {
	{ "bad", "Bad arguments are refused", bad },
	{ "figures", "Each figure, and fdinfo's, are the same", figures },
	{ "running", "A running job counts so far", running },
	{ "full-ring", "A full stream loses records, and no total", full_ring },
	{ "dead-clients", "The device's totals keep what dead clients did", dead_clients },
	{ "other-client", "Totals of another client", other_client },
	{ "isolation", "A user sees nothing of another one's jobs by any call", isolation },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
