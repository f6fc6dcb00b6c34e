// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu cgroup
 * Description: Limits of what the processes of a cgroup can reserve of the GPU's time
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: scheduling
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS (IGT_VIVGPU_SECOND / 1000)
#define US (IGT_VIVGPU_SECOND / 1000000)
#define MIB (1 << 20)
/* Control groups of version 2, with the dmem controller */
#define HIERARCHY "/sys/fs/cgroup"
/* Parent of all groups that the subtests make; paths of groups are relative to the hierarchy. */
#define PARENT "vivgpu-igt"
#define A PARENT "/a"
#define B PARENT "/b"
#define REGION "/reserved-ppm"
/* What the driver adds to each budget */
#define OVERHEAD (100 * US)
#define PLACES 64
/* A place of 64, of the 984,375 that can be reserved */
#define PLACE_PPM 15380

static void file_path(char path[256], const char *group, const char *file)
{
	snprintf(path, 256, "%s/%s/%s", HIERARCHY, group, file);
}

/* Returns: 0 or a negative error number. */
static int write_file(const char *group, const char *file, const char *text)
{
	char path[256];
	int fd, ret = 0;

	file_path(path, group, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* The line of a file of names and values whose name ends in this. Returns: whether there is one. */
static bool read_line(const char *group, const char *file, const char *end, char name[256],
		      uint64_t *value)
{
	char path[256], text[32];
	bool found = false;
	FILE *stream;

	file_path(path, group, file);
	stream = fopen(path, "re");
	if (!stream)
		return false;
	while (!found && fscanf(stream, "%255s %31s", name, text) == 2) {
		size_t length = strlen(name), wanted = strlen(end);

		*value = strtoull(text, NULL, 10);
		found = length >= wanted && strcmp(name + length - wanted, end) == 0;
	}
	fclose(stream);
	return found;
}

/* What a group has of the region: of dmem.current, or another file. */
static uint64_t ppm(const char *group, const char *file)
{
	char name[256];
	uint64_t value;

	igt_assert(read_line(group, file, REGION, name, &value));
	return value;
}

static uint64_t charged(const char *group)
{
	return ppm(group, "dmem.current");
}

/* Groups that have gone but are still charged for something. */
static uint64_t dying(void)
{
	char name[256];
	uint64_t value;

	igt_assert(read_line(PARENT, "cgroup.stat", "nr_dying_descendants", name, &value));
	return value;
}

static void set_limit(const char *group, uint64_t limit)
{
	char name[256], line[300];
	uint64_t size;

	igt_assert(read_line("", "dmem.capacity", REGION, name, &size));
	snprintf(line, sizeof(line), "%s %llu", name, (unsigned long long)limit);
	igt_assert_eq(write_file(group, "dmem.max", line), 0);
}

static void remove_group(const char *group)
{
	char path[256];

	file_path(path, group, "");
	igt_assert(rmdir(path) == 0 || errno == ENOENT);
}

static void make_group(const char *group)
{
	char path[256];

	file_path(path, group, "");
	igt_assert_eq(mkdir(path, 0755), 0);
}

/* The two groups without limits; those of a subtest before this one are removed. */
static void make_groups(void)
{
	char name[256];
	uint64_t size;

	igt_require_f(write_file("", "cgroup.subtree_control", "+dmem") == 0,
		      "no dmem controller\n");
	igt_assert(read_line("", "dmem.capacity", REGION, name, &size));
	igt_assert_eq_u64(size, 984375);
	remove_group(A);
	remove_group(B);
	remove_group(PARENT);
	make_group(PARENT);
	igt_assert_eq(write_file(PARENT, "cgroup.subtree_control", "+dmem"), 0);
	make_group(A);
	make_group(B);
}

/* The calling process enters a group. */
static void enter(const char *group)
{
	igt_assert_eq(write_file(group, "cgroup.procs", "0"), 0);
}

/*
 * Reserve share ppm of each second, of which the driver's overhead is a part. Returns: 0 or a
 * negative error number. The driver gives a reason with -EBUSY, and only then.
 */
static int try_ppm(int fd, uint64_t share, uint32_t *queue)
{
	uint32_t reason;
	int ret = __igt_vivgpu_reserve(fd, share * 1000 - OVERHEAD, IGT_VIVGPU_SECOND, queue,
				       &reason);

	igt_assert_eq(!reason, ret != -EBUSY);
	return ret;
}

static void reserve_ppm(int fd, uint64_t share)
{
	uint32_t queue;

	igt_assert_eq(try_ppm(fd, share, &queue), 0);
}

static void refuse_ppm(int fd, uint64_t share)
{
	uint32_t queue;

	igt_assert_eq(try_ppm(fd, share, &queue), -EDQUOT);
}

/* Budgets that no job has used are free at once when a queue is destroyed. */
static void destroy(int fd, uint32_t queue)
{
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, queue), 0);
}

/* Wait until nothing is charged to a group. Returns: for how long, in ns. */
static int64_t wait_until_free(const char *group)
{
	int64_t since = igt_vivgpu_now();

	while (charged(group)) {
		igt_assert_lt_u64(igt_vivgpu_now() - since, 120 * IGT_VIVGPU_SECOND);
		igt_vivgpu_sleep(10 * MS);
	}
	return igt_vivgpu_now() - since;
}

/* 0.3 and not 0.31, in one queue or more; the overhead counts. */
static void limit(int fd)
{
	uint32_t queue, reason;

	make_groups();
	set_limit(A, 300000);
	igt_assert_eq_u64(ppm(A, "dmem.max"), 300000);
	igt_fork(child, 1)
	{
		enter(A);
		igt_assert_eq(__igt_vivgpu_reserve(fd, 3 * MS, 10 * MS, &queue, &reason), -EDQUOT);
		igt_assert_eq_u32(reason, 0);
		igt_assert_eq_u64(charged(A), 0);
		igt_assert_eq(__igt_vivgpu_reserve(fd, 2900 * US, 10 * MS, &queue, &reason), 0);
		igt_assert_eq_u64(charged(A), 300000);
		refuse_ppm(fd, 1000);
		destroy(fd, queue);
		igt_assert_eq_u64(charged(A), 0);
		refuse_ppm(fd, 300001);
		reserve_ppm(fd, 200000);
		refuse_ppm(fd, 100001);
		reserve_ppm(fd, 100000);
		igt_assert_eq_u64(charged(A), 300000);
	}
	igt_waitchildren();
}

/*
 * Each of 64 places counts as that part of the time, so one group cannot take all with small
 * budgets. 101 ppm are a budget of 1 us and the overhead.
 */
static void places(int fd)
{
	make_groups();
	set_limit(A, 10 * PLACE_PPM);
	igt_fork(child, 1)
	{
		enter(A);
		for (int i = 0; i < 10; i++)
			reserve_ppm(fd, 101);
		igt_assert_eq_u64(charged(A), 10 * PLACE_PPM);
		refuse_ppm(fd, 101);
	}
	igt_waitchildren();
}

/* Two groups below one: each has its own limit, and both that of their parent. */
static void shared(int fd)
{
	make_groups();
	set_limit(PARENT, 500000);
	set_limit(A, 300000);
	set_limit(B, 300000);
	igt_fork(child, 1)
	{
		enter(A);
		reserve_ppm(fd, 300000);
		igt_assert_eq_u64(charged(B), 0);
		enter(B);
		refuse_ppm(fd, 200001);
		igt_assert_eq_u64(charged(B), 0);
		reserve_ppm(fd, 200000);
		igt_assert_eq_u64(charged(A), 300000);
		igt_assert_eq_u64(charged(B), 200000);
		igt_assert_eq_u64(charged(PARENT), 500000);
		refuse_ppm(fd, 16000);
	}
	igt_waitchildren();
}

/* What the GPU cannot promise is not charged, and the reason is returned even if there is a limit. */
static void refused(int fd)
{
	uint32_t queue, reason;

	make_groups();
	set_limit(A, 300000);
	igt_fork(child, 1)
	{
		enter(A);
		igt_assert_eq(
			__igt_vivgpu_reserve(fd, 995 * MS, IGT_VIVGPU_SECOND, &queue, &reason),
			-EBUSY);
		igt_assert_eq_u32(reason, DRM_VIVGPU_REFUSED_UTILISATION);
		igt_assert_eq(__igt_vivgpu_reserve(fd, 11 * MS, 10 * MS, &queue, &reason), -EINVAL);
		igt_assert_eq_u64(charged(A), 0);
	}
	igt_waitchildren();
}

/* Groups without a limit, and tasks in none of them, get what they got before, and it is shown. */
static void unlimited(int fd)
{
	uint32_t queue;

	make_groups();
	igt_assert_eq(try_ppm(fd, 900000, &queue), 0);
	igt_assert_eq_u64(charged(PARENT), 0);
	destroy(fd, queue);
	igt_fork(child, 1)
	{
		enter(A);
		reserve_ppm(fd, 900000);
		igt_assert_eq_u64(charged(A), 900000);
		igt_assert_eq_u64(ppm(A, "dmem.peak"), 900000);
	}
	igt_waitchildren();
}

/* A limit below what is reserved takes nothing away, and gives nothing more. */
static void lowered(int fd)
{
	make_groups();
	igt_fork(child, 1)
	{
		uint32_t first, second;

		enter(A);
		igt_assert_eq(try_ppm(fd, 200000, &first), 0);
		igt_assert_eq(try_ppm(fd, 100000, &second), 0);
		set_limit(A, 150000);
		igt_assert_eq_u64(charged(A), 300000);
		refuse_ppm(fd, 16000);
		destroy(fd, first);
		refuse_ppm(fd, 50001);
		reserve_ppm(fd, 50000);
	}
	igt_waitchildren();
}

/*
 * A job of more than two budgets moves the deadline by as many periods, until which the time is not
 * free: it is charged for as long. In real time it may be more.
 */
static void leaving(int fd)
{
	const uint64_t share = 20000;
	struct igt_vivgpu_stream spin;
	struct igt_vivgpu_bo bo;
	int client = igt_vivgpu_reopen(fd);

	make_groups();
	set_limit(A, share);
	igt_vivgpu_bo_init(&bo, client, MIB);
	igt_vivgpu_spin_init(&spin, &bo, 45 * MS);
	igt_fork(child, 1)
	{
		struct igt_vivgpu_job job = { .stream = &spin, .bos = { &bo }, .nr_bos = 1 };
		uint32_t queue;

		enter(A);
		igt_assert_eq(try_ppm(client, share, &queue), 0);
		igt_vivgpu_run(client, queue, &job);
		destroy(client, queue);
		igt_assert_eq_u64(charged(A), share);
		refuse_ppm(client, share);
		igt_assert_lt_u64(MS, wait_until_free(A));
		reserve_ppm(client, share);
	}
	igt_waitchildren();
	igt_vivgpu_bo_fini(&bo);
	close(client);
}

/*
 * A budget is charged to the group in which it was asked for, whichever process has the file and
 * wherever the task goes, until a process destroys the queue.
 */
static void passed(int fd)
{
	uint32_t first, second;
	int numbers[2];

	make_groups();
	set_limit(A, 300000);
	igt_assert_eq(pipe(numbers), 0);
	igt_fork(child, 1)
	{
		enter(A);
		igt_assert_eq(try_ppm(fd, 300000, &first), 0);
		enter(B);
		igt_assert_eq_u64(charged(A), 300000);
		igt_assert_eq_u64(charged(B), 0);
		igt_assert_eq(try_ppm(fd, 200000, &second), 0);
		igt_assert_eq(write(numbers[1], (uint32_t[]){ first, second }, 8), 8);
	}
	igt_waitchildren();
	igt_assert_eq(read(numbers[0], &first, 4), 4);
	igt_assert_eq(read(numbers[0], &second, 4), 4);
	/* The processes have ended, and this one is in none of the groups. */
	igt_assert_eq_u64(charged(A), 300000);
	igt_assert_eq_u64(charged(B), 200000);
	igt_fork(child, 1)
	{
		enter(A);
		refuse_ppm(fd, 16000);
		destroy(fd, second);
		igt_assert_eq_u64(charged(B), 0);
	}
	igt_waitchildren();
	igt_assert_eq_u64(charged(A), 300000);
	destroy(fd, first);
	igt_assert_eq_u64(charged(A), 0);
	close(numbers[0]);
	close(numbers[1]);
}

/* In a child of a process of the group, which has 0.2 of its 0.3: reserve the rest, execute a program. */
static void reserve_and_execute(int fd, const int input[2], const int output[2])
{
	uint32_t queue;

	if (try_ppm(fd, 100001, &queue) == -EDQUOT && try_ppm(fd, 100000, &queue) == 0) {
		dup2(input[0], STDIN_FILENO);
		dup2(output[1], STDOUT_FILENO);
		execlp("sh", "sh", "-c", "echo; read line", NULL);
	}
	_exit(1);
}

/* Processes that a process of the group starts are in it, and a program that it executes keeps the budget. */
static void fork_exec(int fd)
{
	int input[2], output[2];

	make_groups();
	set_limit(A, 300000);
	igt_assert_eq(pipe2(input, O_CLOEXEC), 0);
	igt_assert_eq(pipe2(output, O_CLOEXEC), 0);
	igt_fork(child, 1)
	{
		/* F_DUPFD is without O_CLOEXEC: a file that a program keeps */
		int client = igt_vivgpu_reopen(fd), kept = fcntl(client, F_DUPFD, 0), status;
		char line;
		pid_t pid;

		igt_assert_lte(0, kept);
		close(client);
		enter(A);
		reserve_ppm(kept, 200000);
		pid = fork();
		if (!pid)
			reserve_and_execute(kept, input, output);
		close(output[1]);
		close(kept);
		igt_assert_eq(read(output[0], &line, 1), 1);
		/* Now only the program has the file. */
		igt_assert_eq_u64(charged(A), 300000);
		igt_assert_eq(write(input[1], "\n", 1), 1);
		igt_assert_eq(waitpid(pid, &status, 0), pid);
		igt_assert_eq_u64(charged(A), 0);
	}
	igt_waitchildren();
	for (int i = 0; i < 2; i++) {
		close(input[i]);
		close(output[i]);
	}
}

/* A group that was removed while a budget is charged to it goes when that is free. */
static void removed(int fd)
{
	uint32_t queue;
	int numbers[2];
	int64_t since;

	make_groups();
	igt_assert_eq(pipe(numbers), 0);
	igt_fork(child, 1)
	{
		enter(A);
		igt_assert_eq(try_ppm(fd, 300000, &queue), 0);
		igt_assert_eq(write(numbers[1], &queue, sizeof(queue)), sizeof(queue));
	}
	igt_waitchildren();
	igt_assert_eq(read(numbers[0], &queue, sizeof(queue)), sizeof(queue));
	igt_assert_eq_u64(dying(), 0);
	remove_group(A);
	igt_assert_eq_u64(charged(PARENT), 300000);
	igt_vivgpu_sleep(IGT_VIVGPU_SECOND);
	igt_assert_eq_u64(dying(), 1);
	/* A new group of this name is another one. */
	make_group(A);
	igt_assert_eq_u64(charged(A), 0);
	destroy(fd, queue);
	igt_assert_eq_u64(charged(PARENT), 0);
	since = igt_vivgpu_now();
	while (dying()) {
		igt_assert_lt_u64(igt_vivgpu_now() - since, 20 * IGT_VIVGPU_SECOND);
		igt_vivgpu_sleep(10 * MS);
	}
	close(numbers[0]);
	close(numbers[1]);
}

static const struct igt_vivgpu_test tests[] = {
	{ "limit", "A group gets 0.3 of the time and not more", limit },
	{ "places", "A group does not get all queues with a budget", places },
	{ "shared", "Two groups have limits of their own and one together", shared },
	{ "refused", "What the GPU cannot promise is not charged", refused },
	{ "unlimited", "Without a limit all is as without groups", unlimited },
	{ "lowered", "A lower limit counts for what is asked for next", lowered },
	{ "leaving", "What was given back is charged until others can get it", leaving },
	{ "passed", "A budget stays charged where it was asked for", passed },
	{ "fork-exec", "Children and programs are in their parent's group", fork_exec },
	{ "removed", "A removed group is freed with its last budget", removed },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
