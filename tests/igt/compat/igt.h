/* SPDX-License-Identifier: MIT */
/*
 * The part of IGT's interface that our tests use, for a build outside IGT's
 * tree: macros over the functions that libigt exports. Debian packages that
 * library without headers. In an IGT tree its own igt.h takes this file's place.
 */
#ifndef VIVGPU_COMPAT_IGT_H
#define VIVGPU_COMPAT_IGT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct option;
struct timespec;

enum igt_log_level {
	IGT_LOG_DEBUG,
	IGT_LOG_INFO,
	IGT_LOG_WARN,
	IGT_LOG_CRITICAL,
};

extern sigjmp_buf igt_subtest_jmpbuf;

void igt_subtest_init_parse_opts(int *argc, char **argv, const char *short_options,
				 const struct option *long_options, const char *help,
				 int (*handler)(int, int, void *), void *data);
_Noreturn void igt_exit(void);
bool __igt_fixture(void);
void __igt_fixture_complete(void);
bool __igt_run_subtest(const char *name, const char *file, int line);
void igt_success(void);
void igt_describe_f(const char *format, ...) __attribute__((format(printf, 1, 2)));
void igt_log(const char *domain, enum igt_log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
_Noreturn void __igt_fail_assert(const char *domain, const char *file, int line,
				 const char *function, const char *assertion, const char *format,
				 ...) __attribute__((format(printf, 6, 7)));
_Noreturn void __igt_skip_check(const char *file, int line, const char *function, const char *check,
				const char *format, ...) __attribute__((format(printf, 5, 6)));
bool __igt_fork(void);
void igt_waitchildren(void);
void igt_drop_root(void);
int drm_open_driver_render(int chipset);
int drm_close_driver(int fd);

/* All drivers but vgem, as in IGT's lib/drmtest.h. */
#define DRIVER_ANY ~(1 << 2)

#define igt_main                                                                        \
	static void vivgpu_igt_main(void);                                              \
	int main(int argc, char **argv)                                                 \
	{                                                                               \
		igt_subtest_init_parse_opts(&argc, argv, NULL, NULL, NULL, NULL, NULL); \
		vivgpu_igt_main();                                                      \
		igt_exit();                                                             \
	}                                                                               \
	static void vivgpu_igt_main(void)

#define igt_fixture                                                                \
	for (volatile int once = 0;                                                \
	     once < 1 && __igt_fixture() && sigsetjmp(igt_subtest_jmpbuf, 1) == 0; \
	     once++, __igt_fixture_complete())

#define igt_subtest(name)                                       \
	for (; __igt_run_subtest((name), __FILE__, __LINE__) && \
	       sigsetjmp(igt_subtest_jmpbuf, 1) == 0;           \
	     igt_success())

#define igt_describe(text) igt_describe_f("%s", text)

#define igt_fork(child, count)                        \
	for (int child = 0; child < (count); child++) \
		for (; __igt_fork(); exit(0))

#define igt_info(...) igt_log(NULL, IGT_LOG_INFO, __VA_ARGS__)
#define igt_warn(...) igt_log(NULL, IGT_LOG_WARN, __VA_ARGS__)

#define igt_assert_f(condition, ...)                                                      \
	do {                                                                              \
		if (!(condition))                                                         \
			__igt_fail_assert(NULL, __FILE__, __LINE__, __func__, #condition, \
					  __VA_ARGS__);                                   \
	} while (0)

#define igt_assert(condition)                                                                    \
	do {                                                                                     \
		if (!(condition))                                                                \
			__igt_fail_assert(NULL, __FILE__, __LINE__, __func__, #condition, NULL); \
	} while (0)

#define VIVGPU_COMPARE(type, format, a, op, b)                                                   \
	do {                                                                                     \
		type left_ = (a), right_ = (b);                                                  \
		if (!(left_ op right_))                                                          \
			__igt_fail_assert(NULL, __FILE__, __LINE__, __func__, #a " " #op " " #b, \
					  "error: " format " " #op " " format "\n", left_,       \
					  right_);                                               \
	} while (0)

#define igt_assert_eq(a, b) VIVGPU_COMPARE(int, "%d", a, ==, b)
#define igt_assert_lte(a, b) VIVGPU_COMPARE(int, "%d", a, <=, b)
#define igt_assert_eq_u32(a, b) VIVGPU_COMPARE(uint32_t, "%#x", a, ==, b)
#define igt_assert_eq_u64(a, b) VIVGPU_COMPARE(unsigned long long, "%#llx", a, ==, b)
#define igt_assert_lt_u64(a, b) VIVGPU_COMPARE(unsigned long long, "%llu", a, <, b)
#define igt_assert_lte_u64(a, b) VIVGPU_COMPARE(unsigned long long, "%llu", a, <=, b)

#define igt_require_f(condition, ...)                                                            \
	do {                                                                                     \
		if (!(condition))                                                                \
			__igt_skip_check(__FILE__, __LINE__, __func__, #condition, __VA_ARGS__); \
	} while (0)

#define igt_require(condition)                                                            \
	do {                                                                              \
		if (!(condition))                                                         \
			__igt_skip_check(__FILE__, __LINE__, __func__, #condition, NULL); \
	} while (0)

#endif
