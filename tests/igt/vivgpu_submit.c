// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu submit
 * Description: Queues and submits: what is taken, and what is refused with which error
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: uapi
 */
#include "igt.h"
#include "igt_vivgpu.h"
#include "igt_vivgpu_fdinfo.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <xf86drm.h>

/* A pointer to no memory of this process; in other tests NOWHERE is an address of the GPU. */
#define NOWHERE 0x8ull
#define NO_HANDLE 0x7fffffff
#define MANY 0xffffffffu

/*
 * A submit with each kind of part but counters, all valid; tests spoil one part. Of @points one is
 * used.
 */
struct full {
	uint32_t words[8];
	struct drm_vivgpu_piece pieces[2];
	struct drm_vivgpu_submit_bo bos[2];
	struct drm_vivgpu_sync in, out;
	struct drm_vivgpu_point points[2];
	struct drm_vivgpu_submit submit;
};

/* Submits a job of its own, whose fence is that in @in. */
static void full_init(struct full *f, int fd, uint32_t queue)
{
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_job job = { .stream = &nop };

	memset(f, 0, sizeof(*f));
	for (int i = 0; i < 8; i += 2)
		f->words[i] = IGT_VIVGPU_NOP;
	for (int i = 0; i < 2; i++) {
		f->pieces[i].words = (uintptr_t)&f->words[4 * i];
		f->pieces[i].size = 16;
		f->bos[i].flags = DRM_VIVGPU_SUBMIT_BO_WRITE;
		igt_assert_eq(__igt_vivgpu_bo_create(fd, 4096, 0, &f->bos[i].handle), 0);
	}
	f->in.handle = igt_vivgpu_sync_create(fd);
	f->out.handle = igt_vivgpu_sync_create(fd);
	job.out_sync = f->in.handle;
	igt_vivgpu_submit(fd, queue, &job);
	f->submit = (struct drm_vivgpu_submit){
		.queue = queue,
		.pieces = (uintptr_t)f->pieces,
		.bos = (uintptr_t)f->bos,
		.in_syncs = (uintptr_t)&f->in,
		.out_syncs = (uintptr_t)&f->out,
		.points = (uintptr_t)f->points,
		.nr_pieces = 2,
		.nr_bos = 2,
		.nr_in_syncs = 1,
		.nr_out_syncs = 1,
		.nr_points = 1,
		.fence_fd = -1,
	};
}

static int submit(int fd, struct full *f)
{
	return __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_SUBMIT, &f->submit);
}

/* Each of these changes makes a good submit a bad one; names and errors are in bad[]. */
static void unknown_flag(struct full *f)
{
	f->submit.flags = 1u << 31;
}
static void no_queue(struct full *f)
{
	f->submit.queue = 0;
}
static void other_queue(struct full *f)
{
	f->submit.queue = 999;
}
static void many_pieces(struct full *f)
{
	f->submit.nr_pieces = MANY;
}
static void pieces_nowhere(struct full *f)
{
	f->submit.pieces = NOWHERE;
}
static void words_nowhere(struct full *f)
{
	f->pieces[1].words = NOWHERE;
}
static void piece_pad(struct full *f)
{
	f->pieces[1].pad = 1;
}
static void piece_empty(struct full *f)
{
	f->pieces[1].size = 0;
}
static void piece_odd(struct full *f)
{
	f->pieces[1].size = 12;
}
static void piece_long(struct full *f)
{
	f->pieces[1].size = 0xfffffff8;
}
static void pieces_overflow(struct full *f)
{
	f->pieces[0].size = f->pieces[1].size = 0x80000000;
}
static void many_bos(struct full *f)
{
	f->submit.nr_bos = MANY;
}
static void bos_nowhere(struct full *f)
{
	f->submit.bos = NOWHERE;
}
static void bo_unknown(struct full *f)
{
	f->bos[1].handle = NO_HANDLE;
}
static void bo_flag(struct full *f)
{
	f->bos[1].flags = 4;
}
static void bo_twice(struct full *f)
{
	f->bos[1].handle = f->bos[0].handle;
}
static void many_in(struct full *f)
{
	f->submit.nr_in_syncs = MANY;
}
static void in_nowhere(struct full *f)
{
	f->submit.in_syncs = NOWHERE;
}
static void in_unknown(struct full *f)
{
	f->in.handle = NO_HANDLE;
}
static void in_pad(struct full *f)
{
	f->in.pad = 1;
}
static void in_empty(struct full *f)
{
	f->in.handle = f->out.handle;
}
static void in_point(struct full *f)
{
	f->in.point = 99;
}
static void many_out(struct full *f)
{
	f->submit.nr_out_syncs = MANY;
}
static void out_nowhere(struct full *f)
{
	f->submit.out_syncs = NOWHERE;
}
static void out_unknown(struct full *f)
{
	f->out.handle = NO_HANDLE;
}
static void out_pad(struct full *f)
{
	f->out.pad = 1;
}
static void fence_none(struct full *f)
{
	f->submit.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_IN;
}
static void points_nowhere(struct full *f)
{
	f->submit.points = NOWHERE;
}
static void point_odd(struct full *f)
{
	f->points[0].stream_offset = 4;
}
static void point_behind(struct full *f)
{
	f->points[0].stream_offset = 32;
}
static void point_no_bo(struct full *f)
{
	f->points[0].bo_index = 2;
}
static void point_bo_odd(struct full *f)
{
	f->points[0].bo_offset = 4;
}
static void point_bo_behind(struct full *f)
{
	f->points[0].bo_offset = 4088;
}
static void point_bo_overflow(struct full *f)
{
	f->points[0].bo_offset = ~7ull;
}
static void point_flag(struct full *f)
{
	f->points[0].flags = 1u << 31;
}
static void point_pad(struct full *f)
{
	f->points[0].pad = 1;
}
static void points_order(struct full *f)
{
	f->submit.nr_points = 2;
	f->points[0].stream_offset = 16;
}
static void points_same(struct full *f)
{
	f->submit.nr_points = 2;
}
static void point_on_state(struct full *f)
{
	f->words[0] = IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_FILL_VALUE, 1);
}
static void stream_cut(struct full *f)
{
	f->words[6] = IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_FILL_VALUE, 4);
}
static void stream_forbidden(struct full *f)
{
	f->words[6] = IGT_VIVGPU_END;
}
static void many_counters(struct full *f)
{
	f->submit.nr_counters = MANY;
}

static const struct {
	const char *name;
	int error;
	void (*spoil)(struct full *f);
} bad[] = {
	{ "flags", -EINVAL, unknown_flag },
	{ "queue-0", -ENOENT, no_queue },
	{ "queue-unknown", -ENOENT, other_queue },
	{ "pieces-many", -EINVAL, many_pieces },
	{ "pieces-nowhere", -EFAULT, pieces_nowhere },
	{ "piece-nowhere", -EFAULT, words_nowhere },
	{ "piece-pad", -EINVAL, piece_pad },
	{ "piece-empty", -EINVAL, piece_empty },
	{ "piece-odd", -EINVAL, piece_odd },
	{ "piece-long", -E2BIG, piece_long },
	{ "pieces-overflow", -E2BIG, pieces_overflow },
	{ "bos-many", -EINVAL, many_bos },
	{ "bos-nowhere", -EFAULT, bos_nowhere },
	{ "bo-unknown", -ENOENT, bo_unknown },
	{ "bo-flag", -EINVAL, bo_flag },
	{ "bo-twice", -EINVAL, bo_twice },
	{ "in-many", -EINVAL, many_in },
	{ "in-nowhere", -EFAULT, in_nowhere },
	{ "in-unknown", -ENOENT, in_unknown },
	{ "in-pad", -EINVAL, in_pad },
	{ "in-without-fence", -EINVAL, in_empty },
	{ "in-point-to-come", -EINVAL, in_point },
	{ "out-many", -EINVAL, many_out },
	{ "out-nowhere", -EFAULT, out_nowhere },
	{ "out-unknown", -ENOENT, out_unknown },
	{ "out-pad", -EINVAL, out_pad },
	{ "fence-fd", -EINVAL, fence_none },
	{ "points-nowhere", -EFAULT, points_nowhere },
	{ "point-odd", -EINVAL, point_odd },
	{ "point-behind-stream", -EINVAL, point_behind },
	{ "point-in-no-bo", -EINVAL, point_no_bo },
	{ "point-bo-odd", -EINVAL, point_bo_odd },
	{ "point-bo-behind", -EINVAL, point_bo_behind },
	{ "point-bo-overflow", -EINVAL, point_bo_overflow },
	{ "point-flag", -EINVAL, point_flag },
	{ "point-pad", -EINVAL, point_pad },
	{ "points-out-of-order", -EINVAL, points_order },
	{ "points-at-one-place", -EINVAL, points_same },
	{ "point-on-no-nop", -EINVAL, point_on_state },
	{ "stream-cut", -EINVAL, stream_cut },
	{ "stream-forbidden", -EPERM, stream_forbidden },
	{ "counters-many", -EINVAL, many_counters },
};

/*
 * A bad submit is refused with its error and without effect: the next good one gets the next
 * number, and only good ones count as jobs.
 */
static void refuse(int fd, int index)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL), number;
	struct igt_vivgpu_usage usage;
	struct full f;

	full_init(&f, fd, queue);
	igt_assert_eq(submit(fd, &f), 0);
	number = f.submit.job;
	full_init(&f, fd, queue);
	bad[index].spoil(&f);
	igt_assert_eq(submit(fd, &f), bad[index].error);
	full_init(&f, fd, queue);
	igt_assert_eq(submit(fd, &f), 0);
	/* Three jobs after the first good one: two of full_init(), and this one. Five in all. */
	igt_assert_eq_u32(f.submit.job, number + 3);
	igt_assert(igt_vivgpu_sync_wait(fd, f.out.handle, 60 * IGT_VIVGPU_SECOND));
	igt_vivgpu_usage_read(0, fd, &usage);
	igt_assert_eq_u64(usage.jobs, 5);
}

static void queue_bad(int fd)
{
	struct drm_vivgpu_queue_create create = { .flags = 1 };
	struct drm_vivgpu_queue_destroy destroy = { .queue = 1, .pad = 1 };
	uint32_t queue, half[2] = { IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_FILL_VALUE, 4), 0 };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), -EINVAL);
	igt_assert_eq(__igt_vivgpu_queue_create(fd, 3, &queue), -EINVAL);
	igt_assert_eq(__igt_vivgpu_queue_create(fd, MANY, &queue), -EINVAL);
	create = (struct drm_vivgpu_queue_create){ .prologue = NOWHERE, .prologue_size = 8 };
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), -EFAULT);
	create.prologue = (uintptr_t)half;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), -EINVAL);
	create.prologue_size = 4;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), -EINVAL);
	create.prologue_size = 0xfffffff8;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), -EINVAL);
	half[0] = IGT_VIVGPU_END;
	create.prologue_size = 8;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), -EPERM);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, 1), -ENOENT);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy), -EINVAL);
}

/* The number of queues is limited: ENOSPC. After one is destroyed there can be another. */
static void queue_many(int fd)
{
	uint32_t queues[256], more, count = 0;
	int ret;

	while ((ret = __igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_LOW, &more)) == 0) {
		igt_assert(count < sizeof(queues) / sizeof(queues[0]));
		queues[count++] = more;
	}
	igt_assert_eq(ret, -ENOSPC);
	igt_assert_lte(16, count);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, queues[0]), 0);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, queues[0]), -ENOENT);
	igt_assert_eq(__igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_LOW, &more), 0);
}

/* Jobs of a queue that goes still run. */
static void queue_destroy_busy(int fd)
{
	struct igt_vivgpu_stream stream;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = { .stream = &stream,
				      .bos = { &bo },
				      .nr_bos = 1,
				      .out_sync = igt_vivgpu_sync_create(fd) };
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);

	igt_vivgpu_bo_init(&bo, fd, 1 << 20);
	igt_vivgpu_spin_init(&stream, &bo, IGT_VIVGPU_SECOND / 20);
	for (int i = 0; i < 4; i++)
		igt_vivgpu_submit(fd, queue, &job);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, queue), 0);
	igt_assert_eq(__igt_vivgpu_submit(fd, queue, &job), -ENOENT);
	igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert_eq(igt_vivgpu_sync_error(fd, job.out_sync), 0);
	igt_assert_eq_u32(bo.map[0], 0x5a5a5a5a);
}

/*
 * The number of a queue's last ended job is in its word as soon as the fence has signalled, also if
 * the buffer has no handle any more.
 */
static void progress(int fd)
{
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_job job = { .stream = &nop };
	struct igt_vivgpu_bo bo;
	uint32_t queues[2], other;

	igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_PROGRESS), 1);
	igt_vivgpu_bo_init(&bo, fd, 4096);
	igt_assert_eq(__igt_vivgpu_progress_queue_create(fd, NO_HANDLE, &other), -ENOENT);
	for (int i = 0; i < 2; i++)
		igt_assert_eq(__igt_vivgpu_progress_queue_create(fd, bo.handle, &queues[i]), 0);
	igt_assert_eq(drmCloseBufferHandle(fd, bo.handle), 0);
	other = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	for (int i = 0; i < 100; i++) {
		igt_vivgpu_run(fd, queues[i % 2], &job);
		igt_assert_eq_u32(bo.map[queues[i % 2]], job.number);
		igt_vivgpu_run(fd, other, &job);
	}
	igt_assert_eq_u32(bo.map[0], 0);
	igt_assert_eq_u32(bo.map[other], 0);
	/* Jobs have numbers in the client's order: one of @other's was in between. */
	igt_assert_eq_u32(bo.map[queues[0]] + 2, bo.map[queues[1]]);
	munmap(bo.map, bo.size);
}

/* The longest stream is taken, one command more is not. */
static void longest(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	uint32_t most = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_STREAM);
	uint32_t *words = calloc(1, most + 8);
	struct full f;

	for (uint32_t i = 0; i < most / 4 + 2; i += 2)
		words[i] = IGT_VIVGPU_NOP;
	full_init(&f, fd, queue);
	f.submit.nr_pieces = 1;
	f.submit.nr_points = 0;
	f.pieces[0] = (struct drm_vivgpu_piece){ .words = (uintptr_t)words, .size = most };
	igt_assert_eq(submit(fd, &f), 0);
	igt_assert(igt_vivgpu_sync_wait(fd, f.out.handle, 60 * IGT_VIVGPU_SECOND));
	f.pieces[0].size = most + 8;
	igt_assert_eq(submit(fd, &f), -E2BIG);
	free(words);
}

/* As many timestamp points as a submit may have are taken, each at a command of its own; one more is not. */
static void all_points(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	uint32_t most = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_POINTS);
	struct drm_vivgpu_point *points = calloc(most + 1, sizeof(*points));
	uint32_t *words = calloc(most + 1, 8);
	struct full f;

	full_init(&f, fd, queue);
	for (uint32_t i = 0; i <= most; i++) {
		words[2 * i] = IGT_VIVGPU_NOP;
		points[i] = f.points[0];
		points[i].stream_offset = 8 * i;
		points[i].bo_offset = 16 * i;
	}
	f.submit.nr_pieces = 1;
	f.pieces[0] =
		(struct drm_vivgpu_piece){ .words = (uintptr_t)words, .size = 8 * (most + 1) };
	f.submit.points = (uintptr_t)points;
	f.submit.nr_points = most + 1;
	igt_assert_eq(submit(fd, &f), -EINVAL);
	f.submit.nr_points = most;
	igt_assert_eq(submit(fd, &f), 0);
	igt_assert(igt_vivgpu_sync_wait(fd, f.out.handle, 60 * IGT_VIVGPU_SECOND));
	free(points);
	free(words);
}

/* A thousand jobs without waiting, from four queues in turn. */
static void many_jobs(int fd)
{
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_job job = { .stream = &nop };
	uint32_t queues[4], syncs[4];
	struct igt_vivgpu_usage usage;

	for (int i = 0; i < 4; i++) {
		queues[i] = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
		syncs[i] = igt_vivgpu_sync_create(fd);
	}
	for (int i = 0; i < 1000; i++) {
		job.out_sync = syncs[i % 4];
		igt_vivgpu_submit(fd, queues[i % 4], &job);
	}
	for (int i = 0; i < 4; i++)
		igt_assert(igt_vivgpu_sync_wait(fd, syncs[i], 60 * IGT_VIVGPU_SECOND));
	igt_vivgpu_usage_read(0, fd, &usage);
	igt_assert_eq_u64(usage.jobs, 1000);
}

/* Clients that exit with jobs queued leave the GPU usable for others. */
static void death(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };

	igt_fork(child, 4)
	{
		struct igt_vivgpu_stream stream;
		struct igt_vivgpu_bo bo;
		struct igt_vivgpu_job job = { .stream = &stream, .bos = { &bo }, .nr_bos = 1 };
		int mine = igt_vivgpu_reopen(fd);
		uint32_t my_queue = igt_vivgpu_queue_create(mine, DRM_VIVGPU_PRIORITY_NORMAL);

		igt_vivgpu_bo_init(&bo, mine, 1 << 20);
		igt_vivgpu_spin_init(&stream, &bo, IGT_VIVGPU_SECOND / 100);
		for (int i = 0; i < 40; i++)
			igt_vivgpu_submit(mine, my_queue, &job);
		_exit(0);
	}
	igt_waitchildren();
	igt_assert_eq(__igt_vivgpu_run(fd, queue, &nop), 0);
}

/* The times of entering and leaving the call are returned with every error, too. */
static void times_of_errors(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	const struct drm_vivgpu_submit bad[] = {
		{ .queue = queue + 1, .flags = DRM_VIVGPU_SUBMIT_LEFT_NS },
		{ .queue = queue, .flags = DRM_VIVGPU_SUBMIT_LEFT_NS | 1u << 31 },
		{ .queue = queue,
		  .flags = DRM_VIVGPU_SUBMIT_LEFT_NS,
		  .nr_pieces = 1,
		  .pieces = NOWHERE },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct drm_vivgpu_submit args = bad[i];
		uint64_t before = igt_vivgpu_now();

		igt_assert(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_SUBMIT, &args) < 0);
		igt_assert_lte_u64(before, args.entered_ns);
		igt_assert_lte_u64(args.entered_ns, args.left_ns);
	}
}

/*
 * A submit whose sync_file finds no free descriptor (the limit is the lowest free one) fails as a
 * whole: it is no job, and the same submit can be repeated.
 */
static void fence_without_descriptor(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct rlimit before, none;
	struct igt_vivgpu_usage usage;
	struct full f;
	int last;

	full_init(&f, fd, queue);
	f.submit.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT;
	f.submit.nr_points = 0;
	igt_assert(igt_vivgpu_sync_wait(fd, f.in.handle, 60 * IGT_VIVGPU_SECOND));
	igt_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	last = dup(fd);
	igt_assert(last >= 0);
	close(last);
	none.rlim_cur = last;
	igt_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	igt_assert_eq(submit(fd, &f), -EMFILE);
	igt_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);

	/* The client's first job is that of full_init(), this is the second. */
	igt_assert_eq(submit(fd, &f), 0);
	igt_assert(f.submit.fence_fd >= 0);
	igt_assert(igt_vivgpu_sync_wait(fd, f.out.handle, 60 * IGT_VIVGPU_SECOND));
	close(f.submit.fence_fd);
	igt_vivgpu_usage_read(0, fd, &usage);
	igt_assert_eq_u64(usage.jobs, 2);
}

static const struct igt_vivgpu_test tests[] = {
	{ "queue-bad", "Bad queues are refused", queue_bad },
	{ "queue-many", "The number of queues has an end", queue_many },
	{ "queue-destroy-busy", "Jobs of a queue that goes still run", queue_destroy_busy },
	{ "progress", "The numbers of ended jobs are in memory", progress },
	{ "longest", "The longest stream", longest },
	{ "points-limit", "As many timestamp points as there may be", all_points },
	{ "many-jobs", "A thousand jobs from four queues", many_jobs },
	{ "death", "Clients die with jobs queued", death },
	{ "fence-without-descriptor", "No job without the sync_file that was asked for",
	  fence_without_descriptor },
	{ "times-of-errors", "The times of a submit that fails are told", times_of_errors },
};

igt_main
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char name[64];

		snprintf(name, sizeof(name), "bad-%s", bad[i].name);
		igt_describe("A bad submit is refused with the right error and does nothing");
		igt_subtest(name)
		{
			int fd = igt_vivgpu_open();

			refuse(fd, i);
			drm_close_driver(fd);
		}
	}
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
