// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu records
 * Description: Streams of records: content, scope, loss, exclusivity
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: telemetry
 */
#include "igt.h"
#include "igt_vivgpu.h"
#include "igt_vivgpu_fdinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The driver's limits: of one client; and 240 of all, which are as many as 15 such clients have */
#define MAX_STREAMS 16
#define CLIENTS 15
#define JOBS DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB)
#define EXCLUSIVE DRM_VIVGPU_STREAM_EXCLUSIVE

static int open_stream(int fd, uint32_t flags)
{
	int stream;

	igt_assert_eq(__igt_vivgpu_stream_open(fd, flags, JOBS, &stream), 0);
	return stream;
}

/* Submit a job of one NOP with a cookie, and wait for it. Returns its number. */
static uint32_t run_nop(int fd, uint32_t queue, uint64_t cookie)
{
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_job job = { .stream = &nop, .cookie = cookie };

	igt_vivgpu_run(fd, queue, &job);
	return job.number;
}

static struct drm_vivgpu_record read_one(int stream)
{
	struct drm_vivgpu_record record = { 0 };

	igt_assert_eq(read(stream, &record, sizeof(record)), sizeof(record));
	igt_assert_eq(record.size, sizeof(record));
	return record;
}

static bool is_readable(int stream)
{
	struct pollfd poller = { .fd = stream, .events = POLLIN };

	return poll(&poller, 1, 0) == 1;
}

static void bad(int fd)
{
	struct drm_vivgpu_stream_open pad = { .types = JOBS, .pad = 1 };
	int stream;

	igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, 0, &stream), -EINVAL);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, 1, &stream), -EINVAL);
	/* Bits that no type and no flag has */
	for (unsigned int bit = DRM_VIVGPU_RECORD_CLIENT_CLOSE + 1; bit < 32; bit++)
		igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, 1u << bit, &stream), -EINVAL);
	for (unsigned int bit = 3; bit < 32; bit++)
		igt_assert_eq(__igt_vivgpu_stream_open(fd, 1u << bit, JOBS, &stream), -EINVAL);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &pad), -EINVAL);
}

static void fields(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL), number;
	int stream = open_stream(fd, 0);
	struct igt_vivgpu_usage usage;
	struct drm_vivgpu_record record;
	uint64_t before = igt_vivgpu_now();

	number = run_nop(fd, queue, 0x123456789abcdef);
	record = read_one(stream);
	igt_vivgpu_usage_read(0, fd, &usage);
	igt_assert_eq(record.type, DRM_VIVGPU_RECORD_JOB);
	igt_assert_eq_u64(record.cookie, 0x123456789abcdef);
	igt_assert_eq_u32(record.job, number);
	igt_assert_eq_u64(record.client, usage.client_id);
	igt_assert_eq_u32(record.stream_size, 8);
	igt_assert_lte_u64(before, record.submitted_ns);
	igt_assert_lte_u64(record.submitted_ns, record.queued_ns);
	igt_assert_lte_u64(record.queued_ns, record.started_ns);
	igt_assert_lt_u64(record.started_ns, record.finished_ns);
	igt_assert_lte_u64(record.finished_ns, igt_vivgpu_now());
	igt_assert_eq_u64(record.time_ns, record.finished_ns);
	igt_assert_eq_u64(record.finished_ns - record.started_ns, usage.engine_ns);
	igt_assert_eq_u64(record.job_cycles, usage.cycles);
	igt_assert_eq_u32(record.flags & DRM_VIVGPU_JOB_FAILED, 0);
	igt_assert_eq_u64(record.reserved, 0);
	close(stream);
}

/* Reads return whole records, as many as fit; with and without waiting. */
static void whole(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_record records[4];
	int stream = open_stream(fd, 0);
	size_t size = sizeof(records[0]);

	igt_assert_eq(fcntl(stream, F_SETFL, O_NONBLOCK), 0);
	igt_assert(!is_readable(stream));
	igt_assert_eq(read(stream, records, sizeof(records)), -1);
	igt_assert_eq(errno, EAGAIN);
	for (int i = 0; i < 3; i++)
		run_nop(fd, queue, i);
	igt_assert(is_readable(stream));
	igt_assert_eq(read(stream, records, size - 1), -1);
	igt_assert_eq(errno, EINVAL);
	igt_assert_eq(read(stream, records, 2 * size + size / 2), 2 * size);
	igt_assert_eq_u32(records[1].sequence, records[0].sequence + 1);
	igt_assert_eq(read(stream, records, sizeof(records)), size);
	igt_assert_eq_u64(records[0].cookie, 2);
	igt_assert(!is_readable(stream));
	igt_assert_eq(write(stream, records, size), -1);
	close(stream);
}

/* A reader that waits is woken by the first record, or by a signal. */
static void blocking(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	int stream = open_stream(fd, 0), status;
	pid_t pid;

	igt_fork(child, 1)
	{
		igt_assert_eq_u64(read_one(stream).cookie, 4711);
	}
	igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 10);
	run_nop(fd, queue, 4711);
	igt_waitchildren();

	pid = fork();
	if (pid == 0) {
		struct drm_vivgpu_record record;

		_exit(read(stream, &record, sizeof(record)) > 0);
	}
	igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 10);
	kill(pid, SIGTERM);
	igt_assert_eq(waitpid(pid, &status, 0), pid);
	igt_assert(WIFSIGNALED(status));
	close(stream);
}

static void bad_pointer(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	void *volatile nowhere = (void *)8;
	int stream = open_stream(fd, 0);

	run_nop(fd, queue, 1);
	igt_assert_eq(read(stream, nowhere, sizeof(struct drm_vivgpu_record)), -1);
	igt_assert_eq(errno, EFAULT);
	close(stream);
}

/* Records that do not fit are lost, and the sequence numbers show how many. */
static void loss(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_job job = { .stream = &nop, .out_sync = igt_vivgpu_sync_create(fd) };
	uint32_t room = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_STREAM_RECORDS), first;
	int stream = open_stream(fd, 0);
	struct drm_vivgpu_record record;

	igt_assert_lte_u64(16, room);
	for (uint32_t i = 0; i < room + 50; i++)
		igt_vivgpu_submit(fd, queue, &job);
	igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, 60 * IGT_VIVGPU_SECOND));
	record = read_one(stream);
	first = record.sequence;
	for (uint32_t i = 1; i < room; i++)
		igt_assert_eq_u32(read_one(stream).sequence, first + i);
	igt_assert(!is_readable(stream));
	run_nop(fd, queue, 99);
	record = read_one(stream);
	igt_assert_eq_u64(record.cookie, 99);
	igt_assert_eq_u32(record.sequence, first + room + 50);
	close(stream);
}

/* A stream shows its own client, or all to those who may see all. */
static void scope(int fd)
{
	int other = igt_vivgpu_reopen(fd);
	uint32_t mine = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	uint32_t theirs = igt_vivgpu_queue_create(other, DRM_VIVGPU_PRIORITY_NORMAL);
	int own = open_stream(fd, 0), all = open_stream(fd, DRM_VIVGPU_STREAM_ALL);

	run_nop(other, theirs, 1);
	run_nop(fd, mine, 2);
	igt_assert_eq_u64(read_one(own).cookie, 2);
	igt_assert(!is_readable(own));
	igt_assert_eq_u64(read_one(all).cookie, 1);
	igt_assert_eq_u64(read_one(all).cookie, 2);
	close(own);
	close(all);
	close(other);
}

/*
 * Records of other clients and the exclusive stream need a privilege; a client's own records do
 * not.
 */
static void privilege(int fd)
{
	igt_fork(child, 1)
	{
		int stream;

		igt_drop_root();
		igt_assert_eq(__igt_vivgpu_stream_open(fd, DRM_VIVGPU_STREAM_ALL, JOBS, &stream),
			      -EACCES);
		igt_assert_eq(__igt_vivgpu_stream_open(fd, EXCLUSIVE, JOBS, &stream), -EACCES);
		igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, JOBS, &stream), 0);
	}
	igt_waitchildren();
}

static void exclusive(int fd)
{
	int other = igt_vivgpu_reopen(fd), sampler = open_stream(fd, EXCLUSIVE), copy, stream;

	igt_assert_eq(__igt_vivgpu_stream_open(other, EXCLUSIVE, JOBS, &stream), -EBUSY);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, EXCLUSIVE, JOBS, &stream), -EBUSY);
	igt_assert_eq(__igt_vivgpu_stream_open(other, 0, JOBS, &stream), 0);
	close(stream);
	copy = dup(sampler);
	close(sampler);
	igt_assert_eq(__igt_vivgpu_stream_open(other, EXCLUSIVE, JOBS, &stream), -EBUSY);
	close(copy);
	igt_assert_eq(__igt_vivgpu_stream_open(other, EXCLUSIVE, JOBS, &stream), 0);
	close(stream);
	close(other);
}

/* The number of streams of all clients is limited, and a privileged monitor can still open one. */
static void crowd(int fd)
{
	int clients[CLIENTS], streams[CLIENTS * MAX_STREAMS], one;

	for (int i = 0; i < CLIENTS; i++)
		clients[i] = igt_vivgpu_reopen(fd);
	for (int i = 0; i < CLIENTS * MAX_STREAMS; i++)
		streams[i] = open_stream(clients[i / MAX_STREAMS], 0);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, JOBS, &one), -ENOSPC);
	one = open_stream(fd, DRM_VIVGPU_STREAM_ALL);
	close(one);
	close(streams[0]);
	streams[0] = open_stream(fd, 0);
	for (int i = 0; i < CLIENTS * MAX_STREAMS; i++)
		close(streams[i]);
	for (int i = 0; i < CLIENTS; i++)
		close(clients[i]);
}

/* The number of streams of a client is limited; other clients are not affected. */
static void many(int fd)
{
	int other = igt_vivgpu_reopen(fd), streams[MAX_STREAMS], one;

	for (int i = 0; i < MAX_STREAMS; i++)
		streams[i] = open_stream(fd, 0);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, JOBS, &one), -ENOSPC);
	igt_assert_eq(__igt_vivgpu_stream_open(other, 0, JOBS, &one), 0);
	close(one);
	close(streams[3]);
	streams[3] = open_stream(fd, 0);
	for (int i = 0; i < MAX_STREAMS; i++)
		close(streams[i]);
	close(other);
}

/* When the owner of the exclusive stream dies, another process can open one. */
static void owner_death(int fd)
{
	int ready[2], status, stream;
	char byte = 0;
	pid_t pid;

	igt_assert_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		open_stream(igt_vivgpu_reopen(fd), EXCLUSIVE);
		_exit(write(ready[1], &byte, 1) == 1 && pause());
	}
	igt_assert_eq(read(ready[0], &byte, 1), 1);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, EXCLUSIVE, JOBS, &stream), -EBUSY);
	kill(pid, SIGKILL);
	igt_assert_eq(waitpid(pid, &status, 0), pid);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, EXCLUSIVE, JOBS, &stream), 0);
	close(stream);
	close(ready[0]);
	close(ready[1]);
}

/* A stream outlives the file it was opened with. */
static void outlive(int fd)
{
	int other = igt_vivgpu_reopen(fd);
	uint32_t queue = igt_vivgpu_queue_create(other, DRM_VIVGPU_PRIORITY_NORMAL);
	int stream = open_stream(other, 0);

	run_nop(other, queue, 5);
	close(other);
	igt_assert_eq_u64(read_one(stream).cookie, 5);
	igt_assert(!is_readable(stream));
	close(stream);
}

/* A timestamp point can produce a record, with or without a stamp in a buffer. */
static void marks(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_stream nops = { 0 };
	struct drm_vivgpu_point points[2] = {
		{ .cookie = 11, .flags = DRM_VIVGPU_POINT_MARK | DRM_VIVGPU_POINT_NO_BO },
		{ .cookie = 12, .flags = DRM_VIVGPU_POINT_MARK }
	};
	struct igt_vivgpu_bo out;
	struct igt_vivgpu_job job = { .stream = &nops,
				      .bos = { &out },
				      .nr_bos = 1,
				      .points = points,
				      .nr_points = 2,
				      .cookie = 13 };
	struct drm_vivgpu_record r[3];
	int stream;

	igt_vivgpu_bo_init(&out, fd, 4096);
	for (int i = 0; i < 2; i++)
		points[i].stream_offset = igt_vivgpu_nop(&nops);
	igt_assert_eq(__igt_vivgpu_stream_open(
			      fd, 0, JOBS | DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_MARK), &stream),
		      0);
	igt_vivgpu_run(fd, queue, &job);
	for (int i = 0; i < 3; i++) {
		r[i] = read_one(stream);
		igt_assert_eq_u64(r[i].cookie, 11 + i);
		igt_assert_eq_u32(r[i].job, job.number);
	}
	igt_assert_eq(r[0].type, DRM_VIVGPU_RECORD_MARK);
	igt_assert_eq(r[1].type, DRM_VIVGPU_RECORD_MARK);
	igt_assert_eq(r[2].type, DRM_VIVGPU_RECORD_JOB);
	igt_assert_lte_u64(r[2].started_ns, r[0].time_ns);
	igt_assert_lte_u64(r[0].time_ns, r[1].time_ns);
	igt_assert_lte_u64(r[1].time_ns, r[2].finished_ns);
	igt_assert_eq_u64(*(uint64_t *)out.map, r[1].time_ns);

	points[0].flags = DRM_VIVGPU_POINT_NO_BO;
	igt_assert_eq(__igt_vivgpu_submit(fd, queue, &job), -EINVAL);
	points[0].flags |= DRM_VIVGPU_POINT_MARK;
	points[0].bo_offset = 8;
	igt_assert_eq(__igt_vivgpu_submit(fd, queue, &job), -EINVAL);
	close(stream);
}

/*
 * A stream gets only the types it asks for: jobs here, and events, which are submits without
 * commands.
 */
static void types(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_submit event = { .queue = queue, .cookie = 21 };
	struct drm_vivgpu_record r;
	int jobs = open_stream(fd, 0), events;

	igt_assert_eq(__igt_vivgpu_stream_open(
			      fd, 0, DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_EVENT), &events),
		      0);
	run_nop(fd, queue, 20);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_SUBMIT, &event), 0);
	run_nop(fd, queue, 22);
	igt_assert_eq_u64(read_one(jobs).cookie, 20);
	igt_assert_eq_u64(read_one(jobs).cookie, 22);
	igt_assert(!is_readable(jobs));
	r = read_one(events);
	igt_assert_eq(r.type, DRM_VIVGPU_RECORD_EVENT);
	igt_assert_eq_u64(r.cookie, 21);
	igt_assert(!is_readable(events));
	close(jobs);
	close(events);
}

static const struct igt_vivgpu_test tests[] = {
	{ "bad", "Unknown flags and types are refused", bad },
	{ "fields", "A job's record tells what is true", fields },
	{ "whole", "Records are read whole", whole },
	{ "blocking", "A reader waits for the first record", blocking },
	{ "bad-pointer", "A bad pointer is EFAULT", bad_pointer },
	{ "loss", "Loss shows in the sequence", loss },
	{ "scope", "Own records, or those of all", scope },
	{ "privilege", "Others' records take a privilege", privilege },
	{ "exclusive", "There is one exclusive stream", exclusive },
	{ "many", "A client has 16 streams at most", many },
	{ "crowd", "All clients have 240 streams at most, and some are left for monitors", crowd },
	{ "owner-death", "The exclusive stream is free when its owner has died", owner_death },
	{ "marks", "Points that are records", marks },
	{ "types", "A stream has the types it was opened for", types },
	{ "outlive", "A stream outlives its file", outlive },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
