// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu streams
 * Description: Streams of records: sizes of ring and records, wake-ups, clients
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
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>

#define JOBS DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB)
#define OPENED DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_CLIENT_OPEN)
#define CLOSED DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_CLIENT_CLOSE)
#define NEWEST sizeof(struct drm_vivgpu_record)
#define OLDEST DRM_VIVGPU_RECORD_SIZE_0
/* Bytes of the call's first version. */
#define FIRST_CALL offsetof(struct drm_vivgpu_stream_open, ring_records)
#define OLD_STREAM_OPEN \
	DRM_IOC(DRM_IOC_READWRITE, 'd', DRM_COMMAND_BASE + DRM_VIVGPU_STREAM_OPEN, FIRST_CALL)

static int open_with(int fd, struct drm_vivgpu_stream_open *args)
{
	return __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, args);
}

/* Returns: the file; @args then has the granted values. */
static int must_open(int fd, struct drm_vivgpu_stream_open *args)
{
	igt_assert_eq(open_with(fd, args), 0);
	return args->fd;
}

/* Run jobs that do nothing, with cookies from @first on. */
static void run_nops(int fd, uint32_t queue, uint64_t first, uint32_t count)
{
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };

	for (uint32_t i = 0; i < count; i++) {
		struct igt_vivgpu_job job = { .stream = &nop, .cookie = first + i };

		igt_vivgpu_run(fd, queue, &job);
	}
}

static bool is_readable(int stream, int timeout_ms)
{
	struct pollfd poller = { .fd = stream, .events = POLLIN };

	return poll(&poller, 1, timeout_ms) == 1;
}

/*
 * Each bad argument has its error. Counts need a record that holds them, to byte 152, and a stream
 * that names no flag DRM_VIVGPU_STREAM_COUNTS has no exact_interval.
 */
static void bad(int fd)
{
	const struct {
		struct drm_vivgpu_stream_open args;
		int error;
	} cases[] = {
		{ { .types = JOBS, .record_size = 1 }, EINVAL },
		{ { .types = JOBS, .record_size = OLDEST - 1 }, EINVAL },
		{ { .types = JOBS, .ring_records = 8, .wakeup_records = 9 }, EINVAL },
		{ { .types = JOBS, .wakeup_records = UINT32_MAX }, EINVAL },
		{ { .types = JOBS, .record_size = NEWEST, .exact_interval = 100 }, EINVAL },
		{ { .flags = DRM_VIVGPU_STREAM_COUNTS, .types = JOBS }, EINVAL },
		{ { .flags = DRM_VIVGPU_STREAM_COUNTS, .types = JOBS, .record_size = 151 },
		  EINVAL },
		{ { .flags = 1u << 3, .types = JOBS }, EINVAL },
		{ { .types = CLOSED << 1 }, EINVAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct drm_vivgpu_stream_open args = cases[i].args;

		igt_assert_eq(open_with(fd, &args), -cases[i].error);
	}
}

/* Requested and granted sizes: a ring gets the next power of two, a record whole 8 bytes. */
static void sizes(int fd)
{
	const uint32_t most = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS);
	const uint32_t usual = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_STREAM_RECORDS);
	const struct {
		uint32_t ring, given, size, given_size;
	} cases[] = {
		{ 0, usual, 0, OLDEST },          { 1, 1, OLDEST, OLDEST },
		{ 3, 4, OLDEST + 7, OLDEST },     { 4, 4, OLDEST + 8, OLDEST + 8 },
		{ 5, 8, NEWEST - 1, NEWEST - 8 }, { 1000, 1024, NEWEST, NEWEST },
		{ most, most, 4096, NEWEST },     { UINT32_MAX, most, UINT32_MAX, NEWEST },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct drm_vivgpu_stream_open args = { .types = JOBS,
						       .ring_records = cases[i].ring,
						       .record_size = cases[i].size };

		close(must_open(fd, &args));
		igt_assert_eq_u32(args.ring_records, cases[i].given);
		igt_assert_eq_u32(args.record_size, cases[i].given_size);
		igt_assert_eq_u32(args.wakeup_records, 1);
	}
}

/* A ring of this many records keeps the oldest ones and reports how many were lost. */
static void ring(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);

	for (uint32_t size = 1; size <= 16; size *= 4) {
		struct drm_vivgpu_stream_open args = { .types = JOBS,
						       .ring_records = size,
						       .record_size = NEWEST };
		uint64_t lost = igt_vivgpu_totals(fd, 0).lost_records;
		int stream = must_open(fd, &args);
		struct drm_vivgpu_record r[17];

		run_nops(fd, queue, 0, size + 5);
		igt_assert_eq(read(stream, r, sizeof(r)), size * NEWEST);
		for (uint32_t i = 0; i < size; i++) {
			igt_assert_eq_u64(r[i].cookie, i);
			igt_assert_eq_u32(r[i].sequence, r[0].sequence + i);
		}
		igt_assert_eq_u64(igt_vivgpu_totals(fd, 0).lost_records, lost + 5);
		run_nops(fd, queue, 100, 1);
		igt_assert_eq(read(stream, r + 1, NEWEST), NEWEST);
		igt_assert_eq_u64(r[1].cookie, 100);
		igt_assert_eq_u32(r[1].sequence, r[0].sequence + size + 5);
		close(stream);
		/* The count of lost records persists when the stream is closed. */
		igt_assert_eq_u64(igt_vivgpu_totals(fd, 0).lost_records, lost + 5);
	}
}

/* Readers are woken at the mark; before it a reader that does not wait gets what there is. */
static void wakeup(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_stream_open args = {
		.types = JOBS, .ring_records = 16, .wakeup_records = 5, .record_size = NEWEST
	};
	int stream = must_open(fd, &args);
	struct drm_vivgpu_record r[16];

	igt_assert_eq_u32(args.wakeup_records, 5);
	run_nops(fd, queue, 0, 4);
	igt_assert(!is_readable(stream, 0));
	run_nops(fd, queue, 4, 1);
	igt_assert(is_readable(stream, 0));
	igt_assert_eq(read(stream, r, sizeof(r)), 5 * NEWEST);

	/* Below the mark poll() times out, though there are records. */
	run_nops(fd, queue, 5, 2);
	igt_assert(!is_readable(stream, 10));
	igt_assert_eq(fcntl(stream, F_SETFL, O_NONBLOCK), 0);
	igt_assert_eq(read(stream, r, sizeof(r)), 2 * NEWEST);
	igt_assert_eq_u64(r[1].cookie, 6);
	igt_assert_eq(read(stream, r, sizeof(r)), -1);
	igt_assert_eq(errno, EAGAIN);
	igt_assert_eq(fcntl(stream, F_SETFL, 0), 0);

	/* One that waits gets all five. */
	igt_fork(child, 1)
	{
		igt_assert_eq(read(stream, r, sizeof(r)), 5 * NEWEST);
		igt_assert_eq_u64(r[0].cookie, 10);
	}
	igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 10);
	for (int i = 0; i < 5; i++) {
		run_nops(fd, queue, 10 + i, 1);
		igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 50);
	}
	igt_waitchildren();
	close(stream);
}

/* A mark at the ring's size is reached, and does not block for ever when more is lost. */
static void wakeup_when_full(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_stream_open args = { .types = JOBS,
					       .ring_records = 4,
					       .wakeup_records = 4 };
	int stream = must_open(fd, &args);
	char records[8 * OLDEST];

	run_nops(fd, queue, 0, 3);
	igt_assert(!is_readable(stream, 0));
	run_nops(fd, queue, 3, 5);
	igt_assert(is_readable(stream, 0));
	igt_assert_eq(read(stream, records, sizeof(records)), 4 * OLDEST);
	igt_assert(!is_readable(stream, 0));
	close(stream);
}

/* A program built for the first version of call and records gets that version. */
static void old_callers(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_stream_open args = { .types = JOBS };
	/* The call's end is not copied, neither in nor out. */
	union {
		struct drm_vivgpu_stream_open args;
		unsigned char bytes[sizeof(struct drm_vivgpu_stream_open)];
	} old;
	struct drm_vivgpu_record record;
	char bytes[4 * NEWEST];
	int newest;

	memset(&old, 0xff, sizeof(old));
	old.args.flags = 0;
	old.args.types = JOBS;
	old.args.pad = 0;
	args.record_size = NEWEST;
	newest = must_open(fd, &args);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, OLD_STREAM_OPEN, &old), 0);
	for (size_t i = FIRST_CALL; i < sizeof(old); i++)
		igt_assert_eq(old.bytes[i], 0xff);
	run_nops(fd, queue, 77, 2);
	igt_assert_eq(read(old.args.fd, bytes, OLDEST - 1), -1);
	igt_assert_eq(errno, EINVAL);
	igt_assert_eq(read(old.args.fd, bytes, sizeof(bytes)), 2 * OLDEST);
	igt_assert_eq(read(newest, &record, sizeof(record)), NEWEST);
	igt_assert_eq(record.size, NEWEST);
	/* The first fields are the same. */
	record.size = OLDEST;
	igt_assert_eq(memcmp(&record, bytes, OLDEST), 0);
	for (size_t i = 0; i < sizeof(record.spare) / sizeof(record.spare[0]); i++)
		igt_assert_eq_u32(record.spare[i], 0);
	igt_assert(!record.vertices && !record.pid && !record.name[0]);
	igt_assert_eq(read(newest, bytes, NEWEST - 1), -1);
	igt_assert_eq(errno, EINVAL);
	close(old.args.fd);
	close(newest);
}

static struct drm_vivgpu_record next(int stream)
{
	struct drm_vivgpu_record r;

	igt_assert_eq(read(stream, &r, sizeof(r)), sizeof(r));
	return r;
}

/*
 * Read records until there are none; the stream does not block from then on. Returns: how many are
 * @client's; if any is, @last is the last of them.
 */
static uint32_t of_client(int stream, uint64_t client, struct drm_vivgpu_record *last)
{
	struct drm_vivgpu_record r;
	uint32_t found = 0;

	igt_assert_eq(fcntl(stream, F_SETFL, O_NONBLOCK), 0);
	while (read(stream, &r, sizeof(r)) == sizeof(r)) {
		if (r.client != client)
			continue;
		*last = r;
		found++;
	}
	return found;
}

static uint64_t id_of(int fd)
{
	struct igt_vivgpu_usage usage;

	igt_vivgpu_usage_read(0, fd, &usage);
	return usage.client_id;
}

/*
 * Existing clients are reported when the stream is opened, later ones when they are opened and
 * closed.
 */
static void clients(int fd)
{
	struct drm_vivgpu_stream_open args = { .flags = DRM_VIVGPU_STREAM_ALL,
					       .types = OPENED | CLOSED,
					       .record_size = NEWEST };
	uint64_t before = igt_vivgpu_now(), id;
	struct drm_vivgpu_record r;
	char name[17];
	int stream, other;

	igt_assert_eq(prctl(PR_GET_NAME, name), 0);
	stream = must_open(fd, &args);
	igt_assert_eq_u32(of_client(stream, id_of(fd), &r), 1);
	igt_assert_eq(r.type, DRM_VIVGPU_RECORD_CLIENT_OPEN);
	igt_assert_eq_u32(r.flags, DRM_VIVGPU_CLIENT_EXISTING);
	igt_assert_eq_u32(r.pid, getpid());
	igt_assert_eq(strcmp(r.name, name), 0);
	igt_assert_lte_u64(r.time_ns, before);

	other = igt_vivgpu_reopen(fd);
	id = id_of(other);
	igt_assert_eq_u32(of_client(stream, id, &r), 1);
	igt_assert_eq(r.type, DRM_VIVGPU_RECORD_CLIENT_OPEN);
	igt_assert_eq_u32(r.flags, 0);
	igt_assert_eq_u32(r.pid, getpid());
	igt_assert_eq(strcmp(r.name, name), 0);
	igt_assert_lte_u64(before, r.time_ns);
	igt_assert_lte_u64(r.time_ns, igt_vivgpu_now());

	before = igt_vivgpu_now();
	close(other);
	igt_assert_eq_u32(of_client(stream, id, &r), 1);
	igt_assert_eq(r.type, DRM_VIVGPU_RECORD_CLIENT_CLOSE);
	igt_assert_eq(strcmp(r.name, name), 0);
	igt_assert_lte_u64(before, r.time_ns);
	close(stream);
}

/* A client's own stream has no other client, and no process numbers. */
static void own_client(int fd)
{
	struct drm_vivgpu_stream_open args = { .types = OPENED | CLOSED, .record_size = NEWEST };
	int other = igt_vivgpu_reopen(fd), stream = must_open(other, &args);
	uint64_t id = id_of(other);
	struct drm_vivgpu_record r;

	close(igt_vivgpu_reopen(fd));
	r = next(stream);
	igt_assert_eq(r.type, DRM_VIVGPU_RECORD_CLIENT_OPEN);
	igt_assert_eq_u64(r.client, id);
	igt_assert_eq_u32(r.pid, 0);
	igt_assert(!is_readable(stream, 0));
	close(other);
	r = next(stream);
	igt_assert_eq(r.type, DRM_VIVGPU_RECORD_CLIENT_CLOSE);
	igt_assert_eq_u64(r.client, id);
	igt_assert_eq_u32(r.pid, 0);
	igt_assert(!is_readable(stream, 0));
	close(stream);
}

/* A process is killed with jobs in flight: each has its record, then the client is closed. */
static void client_dies(int fd)
{
	struct drm_vivgpu_stream_open args = { .flags = DRM_VIVGPU_STREAM_ALL,
					       .types = JOBS | OPENED | CLOSED,
					       .record_size = NEWEST };
	int stream = must_open(fd, &args), ready[2], status;
	struct drm_vivgpu_record r;
	uint32_t jobs = 0;
	uint64_t client = 0;
	char byte = 0;
	pid_t pid;

	igt_assert_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		int mine = igt_vivgpu_reopen(fd);
		uint32_t queue = igt_vivgpu_queue_create(mine, DRM_VIVGPU_PRIORITY_NORMAL);
		struct igt_vivgpu_stream work;
		struct igt_vivgpu_bo bo;
		struct igt_vivgpu_job job = { .stream = &work, .bos = { &bo }, .nr_bos = 1 };

		igt_vivgpu_bo_init(&bo, mine, 1 << 20);
		igt_vivgpu_spin_init(&work, &bo, IGT_VIVGPU_SECOND / 50);
		for (int i = 0; i < 8; i++)
			igt_vivgpu_submit(mine, queue, &job);
		_exit(write(ready[1], &byte, 1) == 1 && pause());
	}
	igt_assert_eq(read(ready[0], &byte, 1), 1);
	kill(pid, SIGKILL);
	igt_assert_eq(waitpid(pid, &status, 0), pid);
	do {
		r = next(stream);
		if (r.type == DRM_VIVGPU_RECORD_CLIENT_OPEN && r.pid == (uint32_t)pid)
			client = r.client;
		jobs += client && r.client == client && r.type == DRM_VIVGPU_RECORD_JOB;
	} while (!client || r.client != client || r.type != DRM_VIVGPU_RECORD_CLIENT_CLOSE);
	/* The scheduler drops jobs that are not in the ring yet. */
	igt_info("%u of 8 jobs ran\n", jobs);
	igt_assert(jobs >= 1 && jobs <= 8);
	igt_assert_eq_u32(r.pid, pid);
	igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 10);
	igt_assert_eq_u32(of_client(stream, client, &r), 0);
	close(ready[0]);
	close(ready[1]);
	close(stream);
}

static const struct igt_vivgpu_test tests[] = {
	{ "bad", "Bad sizes, marks and intervals are refused", bad },
	{ "sizes", "A stream has the next possible sizes, and tells them", sizes },
	{ "ring", "A ring holds as many records as it says", ring },
	{ "wakeup", "Readers are woken at the mark", wakeup },
	{ "wakeup-when-full", "A full ring wakes readers", wakeup_when_full },
	{ "old-callers", "Records of both sizes have the same first fields", old_callers },
	{ "clients", "Clients that are, come, and go", clients },
	{ "own-client", "A client's own stream has no other client", own_client },
	{ "client-dies", "A client is closed after its last job", client_dies },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
