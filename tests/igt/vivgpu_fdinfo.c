// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu fdinfo
 * Description: Usage statistics: complete, exact, monotonic, one client's own
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: telemetry
 */
#include "igt.h"
#include "igt_vivgpu.h"
#include "igt_vivgpu_fdinfo.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>

#define MIB (1 << 20)
#define BUSY (IGT_VIVGPU_SECOND / 2)
#define READERS 4
#define READS 500
#define CLIENTS 500

/* A client with a job that keeps the GPU busy for @ns. */
static void spinner_init(struct igt_vivgpu_client *s, int fd, int64_t ns)
{
	igt_vivgpu_client_init(s, fd, MIB);
	igt_vivgpu_spin_init(&s->work, &s->bo, ns);
}

/* b is within 5 % of a. */
static void assert_close(uint64_t a, uint64_t b)
{
	igt_info("%llu, %llu\n", (unsigned long long)a, (unsigned long long)b);
	igt_assert_lte_u64(a - a / 20, b);
	igt_assert_lte_u64(b, a + a / 20);
}

static void keys(int fd)
{
	struct igt_vivgpu_usage usage;
	struct igt_vivgpu_bo bo;

	igt_vivgpu_bo_init(&bo, fd, MIB);
	memset(bo.map, 1, bo.size);
	igt_vivgpu_usage_read(0, fd, &usage);
	igt_assert_eq_u32(usage.seen, IGT_VIVGPU_USAGE_ALL);
	igt_assert_eq(strcmp(usage.driver, "vivgpu"), 0);
	igt_assert_eq_u64(usage.capacity, 1);
	igt_assert_eq_u64(usage.max_hz, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_CORE_CLOCK));
}

/* Before the first job, and after it, an idle client uses nothing at all. */
static void idle(int fd)
{
	struct igt_vivgpu_usage before, after;
	struct igt_vivgpu_client s;

	igt_vivgpu_usage_read(0, fd, &before);
	igt_assert_eq_u64(before.engine_ns, 0);
	igt_assert_eq_u64(before.cycles, 0);
	spinner_init(&s, fd, BUSY / 10);
	igt_vivgpu_client_submit(&s);
	igt_vivgpu_client_wait(&s);
	igt_vivgpu_usage_read(0, fd, &before);
	igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 2);
	igt_vivgpu_usage_read(0, fd, &after);
	igt_assert_eq_u64(before.jobs, 1);
	igt_assert_lt_u64(0, after.engine_ns);
	igt_assert_eq_u64(before.engine_ns, after.engine_ns);
	igt_assert_eq_u64(before.cycles, after.cycles);
}

/*
 * Cycles are the card's own count. Time is that of these cycles, or more while
 * the card's software is slower than the modelled core, but not more than went
 * by on the clock.
 */
static void busy(int fd)
{
	uint64_t clock = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_CORE_CLOCK), card, modelled;
	struct igt_vivgpu_usage before, after;
	int64_t start, end;
	struct igt_vivgpu_client s;

	igt_vivgpu_require_card();
	spinner_init(&s, fd, BUSY);
	igt_vivgpu_usage_read(0, fd, &before);
	card = igt_vivgpu_card_total("gc.busy_cycles");
	start = igt_vivgpu_now();
	igt_vivgpu_client_submit(&s);
	igt_vivgpu_client_wait(&s);
	end = igt_vivgpu_now();
	igt_vivgpu_usage_read(0, fd, &after);
	card = igt_vivgpu_card_total("gc.busy_cycles") - card;
	assert_close(card, after.cycles - before.cycles);
	modelled = card * 1000000 / (clock / 1000);
	igt_assert_lte_u64(modelled - modelled / 20, after.engine_ns - before.engine_ns);
	igt_assert_lte_u64(after.engine_ns - before.engine_ns, end - start);
	if (igt_vivgpu_virtual_time())
		assert_close(modelled, after.engine_ns - before.engine_ns);
}

/* A job that still runs counts up to the moment of reading. */
static void in_flight(int fd)
{
	struct igt_vivgpu_usage usage[2];
	int64_t before[2], after[2];
	struct igt_vivgpu_client s;

	spinner_init(&s, fd, 2 * BUSY);
	igt_vivgpu_client_submit(&s);
	for (int i = 0; i < 2; i++) {
		igt_vivgpu_sleep(BUSY / 5);
		before[i] = igt_vivgpu_now();
		igt_vivgpu_usage_read(0, fd, &usage[i]);
		after[i] = igt_vivgpu_now();
	}
	igt_assert(!igt_vivgpu_sync_wait(fd, s.job.out_sync, 0));
	igt_assert_lt_u64(0, usage[0].engine_ns);
	igt_assert_lt_u64(usage[0].cycles, usage[1].cycles);
	igt_assert_lte_u64(before[1] - after[0], usage[1].engine_ns - usage[0].engine_ns);
	igt_assert_lte_u64(usage[1].engine_ns - usage[0].engine_ns, after[1] - before[0]);
	igt_vivgpu_client_wait(&s);
}

/*
 * Reading the figures of a running job reads no register of the core: a register is far away, and
 * the reader would wait for it. The few reads that are seen are the driver's own, in interrupts.
 */
static void no_registers(int fd)
{
	enum { COUNT = 50, JOBS = 6 };
	struct igt_vivgpu_usage usage;
	struct igt_vivgpu_client s;
	uint64_t reads;

	igt_vivgpu_require_card();
	spinner_init(&s, fd, BUSY);
	for (int i = 0; i < JOBS; i++)
		igt_vivgpu_client_submit(&s);
	igt_vivgpu_sleep(BUSY / 5);
	reads = igt_vivgpu_card_total("board.gc_reads");
	for (int i = 0; i < COUNT; i++)
		igt_vivgpu_usage_read(0, fd, &usage);
	for (int i = 0; i < COUNT; i++)
		igt_vivgpu_totals(fd, i % 2 ? DRM_VIVGPU_USAGE_DEVICE : 0);
	reads = igt_vivgpu_card_total("board.gc_reads") - reads;
	igt_assert(!igt_vivgpu_sync_wait(fd, s.job.out_sync, 0));
	igt_info("%llu register reads\n", (unsigned long long)reads);
	igt_assert_lt_u64(reads, COUNT / 2);
	igt_vivgpu_client_wait(&s);
}

/* Work of another client does not count for this one. */
static void isolation(int fd)
{
	struct igt_vivgpu_usage before, after, theirs;
	int other = igt_vivgpu_reopen(fd);
	struct igt_vivgpu_client s;

	spinner_init(&s, other, BUSY / 2);
	igt_vivgpu_usage_read(0, fd, &before);
	igt_vivgpu_client_submit(&s);
	igt_vivgpu_sleep(BUSY / 8);
	igt_vivgpu_usage_read(0, fd, &after);
	igt_vivgpu_usage_read(0, other, &theirs);
	igt_assert(theirs.client_id != after.client_id);
	igt_assert_lt_u64(0, theirs.engine_ns);
	igt_assert_eq_u64(before.engine_ns, after.engine_ns);
	igt_assert_eq_u64(before.cycles, after.cycles);
	igt_vivgpu_client_wait(&s);
	igt_vivgpu_usage_read(0, fd, &after);
	igt_assert_eq_u64(before.engine_ns, after.engine_ns);
	close(other);
}

/*
 * Two clients in turn, without gaps: their sum is the whole time. The division between them follows
 * from interrupts, so it is exact only if these have no latency.
 */
static void two_clients(int fd)
{
	enum { JOBS = 10 };
	struct igt_vivgpu_usage a, b;
	int other = igt_vivgpu_reopen(fd);
	struct igt_vivgpu_client mine, theirs;
	uint64_t card;

	igt_vivgpu_require_card();
	spinner_init(&mine, fd, BUSY / 10);
	spinner_init(&theirs, other, BUSY / 20);
	card = igt_vivgpu_card_total("gc.busy_cycles");
	for (int i = 0; i < JOBS; i++) {
		igt_vivgpu_client_submit(&mine);
		igt_vivgpu_client_submit(&theirs);
	}
	igt_vivgpu_client_wait(&mine);
	igt_vivgpu_client_wait(&theirs);
	card = igt_vivgpu_card_total("gc.busy_cycles") - card;
	igt_vivgpu_usage_read(0, fd, &a);
	igt_vivgpu_usage_read(0, other, &b);
	assert_close(card, a.cycles + b.cycles);
	igt_assert_lt_u64(b.cycles, a.cycles);
	if (igt_vivgpu_virtual_time()) {
		assert_close(card * 2 / 3, a.cycles);
		assert_close(card / 3, b.cycles);
	}
	igt_assert_eq_u64(a.jobs, JOBS);
	igt_assert_eq_u64(b.jobs, JOBS);
	close(other);
}

/* A duplicate, and one that a child has, are the same client. */
static void duplicates(int fd)
{
	struct igt_vivgpu_usage a, b;
	struct igt_vivgpu_client s;
	int copy = dup(fd);

	spinner_init(&s, fd, BUSY / 20);
	igt_vivgpu_client_submit(&s);
	igt_vivgpu_client_wait(&s);
	igt_vivgpu_usage_read(0, fd, &a);
	igt_vivgpu_usage_read(0, copy, &b);
	igt_assert_eq_u64(a.client_id, b.client_id);
	igt_assert_eq_u64(a.engine_ns, b.engine_ns);
	igt_fork(child, 1)
	{
		struct igt_vivgpu_usage c;

		igt_vivgpu_usage_read(0, copy, &c);
		igt_assert_eq_u64(a.client_id, c.client_id);
		igt_assert_eq_u64(a.engine_ns, c.engine_ns);
	}
	igt_waitchildren();
	close(copy);
	igt_vivgpu_usage_read(0, fd, &b);
	igt_assert_eq_u64(a.engine_ns, b.engine_ns);
}

/*
 * Clients are killed with jobs in the ring, right after their fdinfo was read. Their file gets the
 * number 200, so that this process knows which to read. Another client's figures then are its own.
 */
static void destroy_busy(int fd)
{
	struct igt_vivgpu_usage usage;
	struct igt_vivgpu_client s;
	int ready[2];
	char byte;

	igt_assert_eq(pipe(ready), 0);
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			int mine = igt_vivgpu_reopen(fd);

			spinner_init(&s, mine, BUSY / 4);
			for (int j = 0; j < 3; j++)
				igt_vivgpu_client_submit(&s);
			dup2(mine, 200);
			byte = 0;
			_exit(write(ready[1], &byte, 1) == 1 && pause());
		}
		igt_assert_eq(read(ready[0], &byte, 1), 1);
		igt_vivgpu_usage_read(pid, 200, &usage);
		kill(pid, SIGKILL);
		igt_assert_eq(waitpid(pid, NULL, 0), pid);
	}
	spinner_init(&s, fd, BUSY / 100);
	igt_vivgpu_client_submit(&s);
	igt_vivgpu_client_wait(&s);
	igt_vivgpu_usage_read(0, fd, &usage);
	igt_assert_eq_u64(usage.jobs, 1);
	close(ready[0]);
	close(ready[1]);
}

/* Concurrent readers: for each of them no value is less than the one that it read before. */
static void readers(int fd)
{
	struct igt_vivgpu_client s;

	spinner_init(&s, fd, BUSY / 100);
	igt_fork(child, READERS)
	{
		struct igt_vivgpu_usage last = { 0 }, usage;

		for (int i = 0; i < READS; i++) {
			igt_vivgpu_usage_read(0, fd, &usage);
			igt_assert_lte_u64(last.engine_ns, usage.engine_ns);
			igt_assert_lte_u64(last.cycles, usage.cycles);
			igt_assert_lte_u64(last.jobs, usage.jobs);
			last = usage;
			if (i % 4 == child)
				igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 1000);
		}
	}
	for (int i = 0; i < READS / 5; i++) {
		igt_vivgpu_client_submit(&s);
		igt_vivgpu_client_submit(&s);
		igt_vivgpu_client_wait(&s);
	}
	igt_waitchildren();
}

/* Many clients at once: each has its own number and counts. */
static void many_clients(int fd)
{
	static int fds[CLIENTS];
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct rlimit limit = { 2 * CLIENTS, 2 * CLIENTS };
	uint64_t last = 0;

	igt_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	for (int i = 0; i < CLIENTS; i++) {
		uint32_t queue;

		fds[i] = igt_vivgpu_reopen(fd);
		queue = igt_vivgpu_queue_create(fds[i], DRM_VIVGPU_PRIORITY_NORMAL);
		for (int j = 0; j <= i % 3; j++)
			igt_assert_eq(__igt_vivgpu_run(fds[i], queue, &nop), 0);
	}
	for (int i = 0; i < CLIENTS; i++) {
		struct igt_vivgpu_usage usage;

		igt_vivgpu_usage_read(0, fds[i], &usage);
		igt_assert_eq_u64(usage.jobs, 1 + i % 3);
		igt_assert_lt_u64(last, usage.client_id);
		last = usage.client_id;
	}
	for (int i = 0; i < CLIENTS; i++)
		close(fds[i]);
}

static void memory(int fd)
{
	struct igt_vivgpu_usage none, one, shared, gone;
	struct igt_vivgpu_bo bo;
	int other = igt_vivgpu_reopen(fd), dmabuf = -1;
	uint32_t theirs;

	igt_vivgpu_usage_read(0, fd, &none);
	igt_vivgpu_bo_init(&bo, fd, 3 * MIB);
	memset(bo.map, 1, bo.size);
	igt_vivgpu_usage_read(0, fd, &one);
	igt_assert_eq_u64(one.total - none.total, 3 * MIB);
	igt_assert_eq_u64(one.resident - none.resident, 3 * MIB);
	igt_assert_eq_u64(one.shared, none.shared);
	igt_assert_eq(drmPrimeHandleToFD(fd, bo.handle, O_CLOEXEC, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(other, dmabuf, &theirs), 0);
	igt_vivgpu_usage_read(0, fd, &shared);
	igt_assert_eq_u64(shared.shared - none.shared, 3 * MIB);
	close(dmabuf);
	close(other);
	igt_vivgpu_bo_fini(&bo);
	igt_vivgpu_usage_read(0, fd, &gone);
	igt_assert_eq_u64(gone.total, none.total);
	igt_assert_eq_u64(gone.resident, none.resident);
}

/* Memory that a job uses is active for as long as the job runs. */
static void memory_active(int fd)
{
	struct igt_vivgpu_usage before, during, after;
	struct igt_vivgpu_client s;

	spinner_init(&s, fd, BUSY / 4);
	igt_vivgpu_usage_read(0, fd, &before);
	igt_vivgpu_client_submit(&s);
	igt_vivgpu_sleep(BUSY / 40);
	igt_vivgpu_usage_read(0, fd, &during);
	igt_vivgpu_client_wait(&s);
	igt_vivgpu_usage_read(0, fd, &after);
	igt_assert_eq_u64(before.active, 0);
	igt_assert_eq_u64(during.active, MIB);
	igt_assert_eq_u64(after.active, 0);
}

/* A buffer whose handle was closed counts until the job that uses it has ended. */
static void memory_closed(int fd)
{
	struct igt_vivgpu_usage before, during, after;
	struct igt_vivgpu_client s;

	igt_vivgpu_usage_read(0, fd, &before);
	spinner_init(&s, fd, BUSY / 4);
	igt_vivgpu_client_submit(&s);
	igt_vivgpu_bo_fini(&s.bo);
	igt_vivgpu_usage_read(0, fd, &during);
	igt_vivgpu_client_wait(&s);
	igt_vivgpu_usage_read(0, fd, &after);
	igt_assert_eq_u64(during.total - before.total, MIB);
	igt_assert_eq_u64(during.active, MIB);
	igt_assert_eq_u64(after.total, before.total);
	igt_assert_eq_u64(after.active, 0);
}

/* A submit without commands is no work. */
static void event_only(int fd)
{
	struct drm_vivgpu_sync out = { .handle = igt_vivgpu_sync_create(fd) };
	struct drm_vivgpu_submit args = {
		.queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL),
		.out_syncs = (uintptr_t)&out,
		.nr_out_syncs = 1,
		.fence_fd = -1,
	};
	struct igt_vivgpu_usage after;

	for (int i = 0; i < 10; i++) {
		igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_SUBMIT, &args), 0);
		igt_assert(igt_vivgpu_sync_wait(fd, out.handle, 10 * IGT_VIVGPU_SECOND));
	}
	igt_vivgpu_usage_read(0, fd, &after);
	igt_assert_eq_u64(after.engine_ns, 0);
	igt_assert_eq_u64(after.cycles, 0);
	igt_assert_eq_u64(after.jobs, 0);
}

/* Open a file of the device's folder "power" in sysfs. */
static FILE *power_file(int fd, const char *name, const char *mode)
{
	char path[80];
	struct stat node;
	FILE *file;

	igt_assert_eq(fstat(fd, &node), 0);
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/power/%s", major(node.st_rdev),
		 minor(node.st_rdev), name);
	file = fopen(path, mode);
	igt_assert_f(file, "no %s\n", path);
	return file;
}

static void set_power_control(int fd, const char *value)
{
	FILE *file = power_file(fd, "control", "w");
	int ret;

	fputs(value, file);
	ret = fclose(file);
	igt_assert_eq(ret, 0);
}

static bool sleeps(int fd)
{
	FILE *file = power_file(fd, "runtime_status", "r");
	char status[32] = "";

	igt_assert(fgets(status, sizeof(status), file));
	fclose(file);
	return strcmp(status, "suspended\n") == 0;
}

/*
 * Polling more often than the core's delay before it sleeps does not keep it awake. Other tests
 * keep it awake, since waking up drops planted faults.
 */
static void poll_sleeps(int fd)
{
	struct igt_vivgpu_usage usage;
	struct igt_vivgpu_client s;
	bool asleep = false;

	spinner_init(&s, fd, BUSY / 10);
	igt_vivgpu_client_submit(&s);
	igt_vivgpu_client_wait(&s);
	set_power_control(fd, "auto");
	for (int polls = 0; polls < 100 && !asleep; polls++) {
		igt_vivgpu_usage_read(0, fd, &usage);
		igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 20);
		asleep = sleeps(fd);
	}
	set_power_control(fd, "on");
	igt_assert(asleep);
}

static const struct igt_vivgpu_test tests[] = {
	{ "keys", "All keys are there, once and well formed", keys },
	{ "idle", "An idle client uses exactly nothing", idle },
	{ "busy", "Within 5 % of the card's own count", busy },
	{ "in-flight", "A running job counts", in_flight },
	{ "no-registers", "Reading a running job's figures reads no register", no_registers },
	{ "isolation", "Another client's work is not ours", isolation },
	{ "two-clients", "Clients back to back share what the card counts", two_clients },
	{ "duplicates", "A dup'd or inherited descriptor is the same client", duplicates },
	{ "destroy-busy", "Clients die with jobs in the ring", destroy_busy },
	{ "readers", "Four readers see monotonic numbers", readers },
	{ "many-clients", "500 clients have their own numbers", many_clients },
	{ "memory", "Total, resident and shared memory", memory },
	{ "memory-active", "Memory is active while a job uses it", memory_active },
	{ "memory-closed", "A closed buffer counts while a job uses it", memory_closed },
	{ "event-only", "A submit without commands is no work", event_only },
	{ "poll-sleeps", "Polling does not keep the core awake", poll_sleeps },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
