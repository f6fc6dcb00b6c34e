// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu counters
 * Description: Names of counters, and exact counts for jobs that ask for them
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: telemetry
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MIB (1 << 20)
#define MAX_DOMAINS 64
#define MAX_SIGNALS 256

static int domain(int fd, uint32_t number, struct drm_vivgpu_perf_domain *out)
{
	*out = (struct drm_vivgpu_perf_domain){ .domain = number };
	return __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_PERF_DOMAIN, out);
}

static int signal_of(int fd, uint32_t number, uint32_t signal, struct drm_vivgpu_perf_signal *out)
{
	*out = (struct drm_vivgpu_perf_signal){ .domain = number, .signal = signal };
	return __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_PERF_SIGNAL, out);
}

/* Find a counter by its names. Returns false if there is none. */
static bool find(int fd, const char *domain_name, const char *signal_name,
		 struct drm_vivgpu_counter *counter, uint32_t *scale)
{
	struct drm_vivgpu_perf_domain d;
	struct drm_vivgpu_perf_signal s;

	for (uint32_t i = 0; domain(fd, i, &d) == 0; i++) {
		if (strcmp(d.name, domain_name) != 0)
			continue;
		for (uint32_t j = 0; signal_of(fd, i, j, &s) == 0; j++) {
			if (strcmp(s.name, signal_name) != 0)
				continue;
			*counter = (struct drm_vivgpu_counter){ .domain = i, .signal = j };
			*scale = s.scale;
			return true;
		}
	}
	return false;
}

/* Names are not empty, are terminated, and are unique in their domain. */
static void names(int fd)
{
	static const char *const blocks[] = {
		"HI", "FE", "PE", "SH", "PA", "SE", "RA", "TX", "MC"
	};
	struct drm_vivgpu_perf_domain d;
	unsigned int found = 0, i, j;

	for (i = 0; domain(fd, i, &d) == 0; i++) {
		struct drm_vivgpu_perf_signal s[MAX_SIGNALS];

		igt_assert_lt_u64(i, MAX_DOMAINS);
		igt_assert(memchr(d.name, '\0', sizeof(d.name)) && d.name[0]);
		for (size_t b = 0; b < sizeof(blocks) / sizeof(blocks[0]); b++)
			found += strcmp(d.name, blocks[b]) == 0;
		igt_assert(d.nr_signals > 0 && d.nr_signals <= MAX_SIGNALS);
		for (j = 0; j < d.nr_signals; j++) {
			igt_assert_eq(signal_of(fd, i, j, &s[j]), 0);
			igt_assert(memchr(s[j].name, '\0', sizeof(s[j].name)) && s[j].name[0]);
			igt_assert_lte(1, s[j].scale);
			for (unsigned int k = 0; k < j; k++)
				igt_assert(strcmp(s[j].name, s[k].name) != 0);
		}
		igt_assert_eq(signal_of(fd, i, j, &s[0]), -ENOENT);
	}
	igt_assert_eq(found, sizeof(blocks) / sizeof(blocks[0]));
	igt_assert_eq(domain(fd, UINT32_MAX, &d), -ENOENT);
}

/* A client, a job, and a buffer for what is counted. */
struct counted {
	int fd;
	uint32_t queue;
	struct igt_vivgpu_bo out, bo;
	struct igt_vivgpu_stream stream;
	struct drm_vivgpu_counter counter;
	uint32_t scale;
};

static void counted_init(struct counted *c, int fd)
{
	memset(c, 0, sizeof(*c));
	c->fd = fd;
	c->queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	igt_vivgpu_bo_init(&c->out, fd, 4096);
	igt_vivgpu_bo_init(&c->bo, fd, MIB);
	igt_assert(find(fd, "HI", "TOTAL_WRITE_BYTES8", &c->counter, &c->scale));
}

/*
 * Submit with a counter, and wait. With more than one the submit must fail before it reads the
 * array, which has one. @error, unless NULL: the fence's. Returns: 0 or the submit's error.
 */
static int counted_run(struct counted *c, uint32_t nr_counters, int *error)
{
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)c->stream.words,
					  .size = c->stream.size * 4 };
	struct drm_vivgpu_submit_bo bos[2] = { { c->out.handle, DRM_VIVGPU_SUBMIT_BO_WRITE },
					       { c->bo.handle, DRM_VIVGPU_SUBMIT_BO_WRITE } };
	struct drm_vivgpu_sync sync = { .handle = igt_vivgpu_sync_create(c->fd) };
	struct drm_vivgpu_submit submit = {
		.queue = c->queue,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)bos,
		.nr_bos = 2,
		.out_syncs = (uintptr_t)&sync,
		.nr_out_syncs = 1,
		.counters = (uintptr_t)&c->counter,
		.nr_counters = nr_counters,
	};
	int ret = __igt_vivgpu_ioctl(c->fd, DRM_IOCTL_VIVGPU_SUBMIT, &submit);

	if (ret == 0) {
		igt_assert(igt_vivgpu_sync_wait(c->fd, sync.handle, 60 * IGT_VIVGPU_SECOND));
		if (error)
			*error = igt_vivgpu_sync_error(c->fd, sync.handle);
	}
	igt_vivgpu_sync_destroy(c->fd, sync.handle);
	return ret;
}

/* Run a job that fills @rows rows. Returns: the bytes that the counter reports. */
static uint64_t written(struct counted *c, uint32_t rows)
{
	uint64_t *value = (void *)c->out.map;
	int error;

	c->stream.size = 0;
	igt_vivgpu_fill(&c->stream, c->bo.va, rows, 7);
	memset(c->out.map, 0xff, c->out.size);
	igt_assert_eq(counted_run(c, 1, &error), 0);
	igt_assert_eq(error, 0);
	/* Only the count is written. */
	igt_assert_eq_u64(value[1], UINT64_MAX);
	return value[0] * c->scale;
}

static void exact(int fd)
{
	struct counted c;

	counted_init(&c, fd);
	for (uint32_t rows = 16; rows <= 1024; rows *= 2)
		igt_assert_eq_u64(written(&c, rows), rows * IGT_VIVGPU_PITCH);
}

/* Two other clients keep the GPU busy with writes; none of these counts. */
static void exact_among_others(int fd)
{
	struct counted c;

	counted_init(&c, fd);
	igt_fork(child, 2)
	{
		int mine = igt_vivgpu_reopen(fd);
		uint32_t queue = igt_vivgpu_queue_create(mine, DRM_VIVGPU_PRIORITY_NORMAL);
		struct igt_vivgpu_stream stream = { 0 };
		struct igt_vivgpu_bo bo;
		struct igt_vivgpu_job job = { .stream = &stream, .bos = { &bo }, .nr_bos = 1 };

		igt_vivgpu_bo_init(&bo, mine, MIB);
		igt_vivgpu_fill(&stream, bo.va, 16 * (child + 1), 1);
		job.out_sync = igt_vivgpu_sync_create(mine);
		for (int i = 0; i < 150; i++) {
			for (int j = 0; j < 4; j++)
				igt_vivgpu_submit(mine, queue, &job);
			igt_assert(
				igt_vivgpu_sync_wait(mine, job.out_sync, 60 * IGT_VIVGPU_SECOND));
		}
	}
	for (int i = 0; i < 60; i++)
		igt_assert_eq_u64(written(&c, 16 + 16 * (i % 8)), (16 + 16 * (i % 8)) * 1024);
	igt_waitchildren();
}

static void exact_with_late_interrupts(int fd)
{
	struct counted c;

	igt_vivgpu_require_card();
	counted_init(&c, fd);
	/* Each is up to 3 ms late, at random from the seed 7. */
	igt_vivgpu_card("jitter-irq 7 3000000");
	for (int i = 0; i < 30; i++)
		igt_assert_eq_u64(written(&c, 32), 32 * IGT_VIVGPU_PITCH);
	igt_vivgpu_card("jitter-irq 7 0");
}

/* A job that writes nothing counts 0, whatever another client's job before it wrote. */
static void empty(int fd)
{
	int other = igt_vivgpu_reopen(fd);
	struct counted c, theirs;

	counted_init(&theirs, other);
	counted_init(&c, fd);
	for (int i = 1; i < 4; i++) {
		igt_assert_eq_u64(written(&theirs, 16 * i), 16 * i * IGT_VIVGPU_PITCH);
		c.stream.size = 0;
		igt_vivgpu_nop(&c.stream);
		memset(c.out.map, 0xff, c.out.size);
		igt_assert_eq(counted_run(&c, 1, NULL), 0);
		igt_assert_eq_u64(((uint64_t *)c.out.map)[0], 0);
		igt_assert_eq_u64(((uint64_t *)c.out.map)[1], UINT64_MAX);
	}
	close(other);
}

/* The count of a job that fails is all ones, and the next job counts right. */
static void failed(int fd)
{
	struct counted c;
	int error;

	counted_init(&c, fd);
	igt_vivgpu_copy(&c.stream, c.bo.va, 0x80000000, 16);
	igt_assert_eq(counted_run(&c, 1, &error), 0);
	igt_assert(error < 0);
	igt_assert_eq_u64(*(uint64_t *)c.out.map, UINT64_MAX);
	igt_assert_eq_u64(written(&c, 16), 16 * IGT_VIVGPU_PITCH);
}

static void bad(int fd)
{
	struct counted c;
	struct drm_vivgpu_counter good;

	counted_init(&c, fd);
	igt_vivgpu_nop(&c.stream);
	good = c.counter;
	c.counter.domain = MAX_DOMAINS;
	igt_assert(counted_run(&c, 1, NULL) < 0);
	c.counter = good;
	c.counter.signal = MAX_SIGNALS;
	igt_assert(counted_run(&c, 1, NULL) < 0);
	c.counter = good;
	c.counter.flags = 1;
	igt_assert_eq(counted_run(&c, 1, NULL), -EINVAL);
	c.counter = good;
	c.counter.bo_index = 2;
	igt_assert_eq(counted_run(&c, 1, NULL), -EINVAL);
	c.counter = good;
	c.counter.bo_offset = 4;
	igt_assert_eq(counted_run(&c, 1, NULL), -EINVAL);
	c.counter.bo_offset = 4096;
	igt_assert_eq(counted_run(&c, 1, NULL), -EINVAL);
	c.counter.bo_offset = ~7ull;
	igt_assert_eq(counted_run(&c, 1, NULL), -EINVAL);
	c.counter = good;
	igt_assert_eq(
		counted_run(&c, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_COUNTERS) + 1, NULL),
		-EINVAL);
	igt_assert_eq(counted_run(&c, 1, NULL), 0);
}

static const struct igt_vivgpu_test tests[] = {
	{ "names", "Blocks and counters have names", names },
	{ "bad", "Bad requests are refused", bad },
	{ "exact", "Bytes written are counted to the byte", exact },
	{ "exact-among-others", "Others' work does not count", exact_among_others },
	{ "exact-with-late-interrupts", "Late interrupts change no count",
	  exact_with_late_interrupts },
	{ "empty", "An empty job counts nothing, whatever others did", empty },
	{ "failed", "A failed job has counted nothing", failed },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
