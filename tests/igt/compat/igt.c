// SPDX-License-Identifier: MIT
/*
 * The functions of libigt that our tests use (igt.h), for architectures for which Debian has no IGT. The semantics are
 * those of IGT's lib/igt_core.c: a failed assertion ends the subtest, or the process if it is a child; one in a
 * fixture ends all further subtests.
 */
#include "igt.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <grp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* As IGT's programs exit */
#define EXIT_SKIP 77
#define EXIT_INVALID 79
#define EXIT_FAIL 98
#define CHILDREN 64

sigjmp_buf igt_subtest_jmpbuf;

static const char *wanted, *subtest;
static bool only_list, in_fixture, is_child;
/* How all further subtests end after a fixture that did not pass, or NULL */
static const char *all_further;
static struct timespec start;
static unsigned int passed, failed, skipped;
static pid_t children[CHILDREN];
static int nr_children;

void igt_subtest_init_parse_opts(int *argc, char **argv, const char *short_options,
				 const struct option *long_options, const char *help,
				 int (*handler)(int, int, void *), void *data)
{
	static const struct option options[] = {
		{ "list-subtests", no_argument, NULL, 'l' },
		{ "run-subtest", required_argument, NULL, 'r' },
		{ 0 },
	};
	int option;

	(void)short_options, (void)long_options, (void)help, (void)handler, (void)data;
	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((option = getopt_long(*argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'l':
			only_list = true;
			break;
		case 'r':
			wanted = optarg;
			break;
		default:
			exit(EXIT_INVALID);
		}
	}
}

void igt_exit(void)
{
	if (only_list)
		exit(0);
	if (failed)
		exit(EXIT_FAIL);
	if (passed)
		exit(0);
	exit(skipped ? EXIT_SKIP : EXIT_INVALID);
}

/* Fixtures and subtests */

bool __igt_fixture(void)
{
	if (only_list || all_further)
		return false;
	in_fixture = true;
	return true;
}

void __igt_fixture_complete(void)
{
	in_fixture = false;
}

static void kill_children(void)
{
	for (int i = 0; i < nr_children; i++)
		kill(children[i], SIGKILL);
	for (int i = 0; i < nr_children; i++)
		waitpid(children[i], NULL, 0);
	nr_children = 0;
}

static void count_result(const char *result)
{
	if (!strcmp(result, "SUCCESS"))
		passed++;
	else if (!strcmp(result, "SKIP"))
		skipped++;
	else
		failed++;
}

static double seconds_since_start(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9;
}

/*
 * The subtest or the fixture that runs ends; the process does if it is a child or outside of both.
 * Kills the children.
 */
static _Noreturn void end(const char *result, int status)
{
	fflush(stdout);
	if (is_child)
		_exit(status);
	kill_children();
	if (!subtest && !in_fixture)
		exit(status);
	if (subtest) {
		printf("Subtest %s: %s (%.3fs)\n", subtest, result, seconds_since_start());
		count_result(result);
		subtest = NULL;
	} else {
		all_further = result;
		in_fixture = false;
	}
	siglongjmp(igt_subtest_jmpbuf, 1);
}

bool __igt_run_subtest(const char *name, const char *file, int line)
{
	(void)file, (void)line;
	if (wanted && fnmatch(wanted, name, 0))
		return false;
	if (only_list) {
		puts(name);
		return false;
	}
	if (all_further) {
		printf("Subtest %s: %s (0.000s)\n", name, all_further);
		count_result(all_further);
		return false;
	}
	printf("Starting subtest: %s\n", name);
	clock_gettime(CLOCK_MONOTONIC, &start);
	subtest = name;
	return true;
}

void igt_success(void)
{
	end("SUCCESS", 0);
}

void igt_describe_f(const char *format, ...)
{
	(void)format;
}

/* Assertions */

void igt_log(const char *domain, enum igt_log_level level, const char *format, ...)
{
	va_list arguments;

	(void)domain;
	if (level == IGT_LOG_DEBUG)
		return;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
}

void __igt_fail_assert(const char *domain, const char *file, int line, const char *function,
		       const char *assertion, const char *format, ...)
{
	const int error = errno;

	(void)domain;
	printf("CRITICAL: %s:%d: %s(): Failed assertion: %s\n", file, line, function, assertion);
	if (format) {
		va_list arguments;

		va_start(arguments, format);
		printf("CRITICAL: ");
		vprintf(format, arguments);
		va_end(arguments);
	}
	if (error)
		printf("CRITICAL: Last errno: %d, %s\n", error, strerror(error));
	end("FAIL", EXIT_FAIL);
}

void __igt_skip_check(const char *file, int line, const char *function, const char *check,
		      const char *format, ...)
{
	printf("%s:%d: %s(): Test requirement not met: %s\n", file, line, function, check);
	if (format) {
		va_list arguments;

		va_start(arguments, format);
		vprintf(format, arguments);
		va_end(arguments);
	}
	end("SKIP", EXIT_SKIP);
}

/* Processes */

bool __igt_fork(void)
{
	pid_t child;

	igt_assert(!is_child && nr_children < CHILDREN);
	fflush(stdout);
	child = fork();
	igt_assert(child >= 0);
	if (child) {
		children[nr_children++] = child;
		return false;
	}
	is_child = true;
	nr_children = 0;
	return true;
}

void igt_waitchildren(void)
{
	int bad = 0;

	for (int i = 0; i < nr_children; i++) {
		int status = 0;

		waitpid(children[i], &status, 0);
		if (status) {
			printf("child %d failed with status %#x\n", i, (unsigned int)status);
			bad++;
		}
	}
	nr_children = 0;
	errno = 0; /* that of another call is not why a child failed */
	igt_assert_eq(bad, 0);
}

/* User and group are those of IGT. */
void igt_drop_root(void)
{
	igt_assert(!setgroups(0, NULL) && !setgid(2) && !setuid(2));
}

/* The device */

int drm_open_driver_render(int chipset)
{
	int fd;

	(void)chipset;
	fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	igt_require_f(fd >= 0, "no render node\n");
	return fd;
}

int drm_close_driver(int fd)
{
	return close(fd);
}
