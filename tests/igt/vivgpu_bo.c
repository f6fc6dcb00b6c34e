// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu buffers
 * Description: Allocation, mapping, waiting and sharing of buffers
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: memory
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <drm_fourcc.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#define NO_HANDLE 0x7fffffff
#define PAGE 4096

static void create_bad(int fd)
{
	uint32_t handle;

	igt_assert_eq(__igt_vivgpu_bo_create(fd, 0, 0, &handle), -EINVAL);
	igt_assert_eq(__igt_vivgpu_bo_create(fd, ~0ull, 0, &handle), -EINVAL);
	igt_assert_eq(__igt_vivgpu_bo_create(fd, 1ull << 32, 0, &handle), -EINVAL);
	igt_assert_eq(__igt_vivgpu_bo_create(fd, PAGE, DRM_VIVGPU_BO_CACHED | DRM_VIVGPU_BO_SCANOUT,
					     &handle),
		      -EINVAL);
	/* Bits that no flag has */
	for (unsigned int bit = 2; bit < 32; bit++)
		igt_assert_eq(__igt_vivgpu_bo_create(fd, PAGE, 1u << bit, &handle), -EINVAL);
}

static void sizes(int fd)
{
	static const uint64_t bytes[] = { 1, PAGE - 1, PAGE, PAGE + 1, 1 << 20 };

	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		struct igt_vivgpu_bo bo;

		igt_vivgpu_bo_init(&bo, fd, bytes[i]);
		igt_assert_eq_u64(bo.size, (bytes[i] + PAGE - 1) / PAGE * PAGE);
		igt_assert_eq_u64(bo.va % PAGE, 0);
		igt_vivgpu_bo_fini(&bo);
	}
}

/* New memory is zero: it contains no data of its previous owner. */
static void zeroed(int fd)
{
	struct igt_vivgpu_bo bo;

	for (int round = 0; round < 8; round++) {
		igt_vivgpu_bo_init(&bo, fd, 1 << 18);
		for (size_t i = 0; i < bo.size / 4; i++)
			igt_assert_eq_u32(bo.map[i], 0);
		memset(bo.map, 0xa5, bo.size);
		igt_vivgpu_bo_fini(&bo);
	}
}

/* Addresses of living buffers do not overlap. */
static void addresses(int fd)
{
	enum { COUNT = 64 };
	struct igt_vivgpu_bo bos[COUNT];

	for (int i = 0; i < COUNT; i++)
		igt_vivgpu_bo_init(&bos[i], fd, PAGE * (1 + i % 5));
	for (int i = 0; i < COUNT; i++)
		for (int j = 0; j < i; j++)
			igt_assert(bos[i].va + bos[i].size <= bos[j].va ||
				   bos[j].va + bos[j].size <= bos[i].va);
	for (int i = 0; i < COUNT; i++)
		igt_vivgpu_bo_fini(&bos[i]);
}

static void info_bad(int fd)
{
	struct drm_vivgpu_bo_info info = { .handle = NO_HANDLE }, pad = { .pad = 1 };
	uint32_t handle;

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_INFO, &info), -ENOENT);
	info.handle = 0;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_INFO, &info), -ENOENT);
	igt_assert_eq(__igt_vivgpu_bo_create(fd, PAGE, 0, &handle), 0);
	pad.handle = handle;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_INFO, &pad), -EINVAL);
}

static void closed(int fd)
{
	struct drm_vivgpu_bo_info info = { 0 };
	uint32_t handle;

	igt_assert_eq(__igt_vivgpu_bo_create(fd, PAGE, 0, &handle), 0);
	igt_assert_eq(drmCloseBufferHandle(fd, handle), 0);
	info.handle = handle;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_INFO, &info), -ENOENT);
	igt_assert(drmCloseBufferHandle(fd, handle) != 0);
}

/* @timeout_ns: a time of CLOCK_MONOTONIC, until which it waits; 0: do not wait */
static int prep(int fd, uint32_t handle, uint32_t op, int64_t timeout_ns)
{
	struct drm_vivgpu_bo_prep args = { .handle = handle, .op = op, .timeout_ns = timeout_ns };

	return __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_PREP, &args);
}

static void prep_bad(int fd)
{
	struct drm_vivgpu_bo_fini fini = { .handle = NO_HANDLE }, pad = { .pad = 1 };
	uint32_t handle;

	igt_assert_eq(__igt_vivgpu_bo_create(fd, PAGE, 0, &handle), 0);
	igt_assert_eq(prep(fd, handle, 0, 0), -EINVAL);
	for (unsigned int bit = 2; bit < 32; bit++)
		igt_assert_eq(prep(fd, handle, 1u << bit, 0), -EINVAL);
	igt_assert_eq(prep(fd, NO_HANDLE, DRM_VIVGPU_PREP_READ, 0), -ENOENT);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_FINI, &fini), -ENOENT);
	pad.handle = handle;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_FINI, &pad), -EINVAL);
}

/*
 * Prepare waits for the GPU's work, and fails if it must not wait so long. The value is that of the
 * fills of igt_vivgpu_spin_init().
 */
static void prep_waits(int fd)
{
	struct igt_vivgpu_stream stream;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = { .stream = &stream,
				      .bos = { &bo },
				      .nr_bos = 1,
				      .flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC };
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_bo_fini fini = { 0 };
	int64_t start;

	igt_vivgpu_bo_init(&bo, fd, 1 << 20);
	igt_assert_eq(prep(fd, bo.handle, DRM_VIVGPU_PREP_WRITE, 0), 0);
	igt_vivgpu_spin_init(&stream, &bo, IGT_VIVGPU_SECOND / 4);
	start = igt_vivgpu_now();
	igt_vivgpu_submit(fd, queue, &job);
	igt_assert_eq(prep(fd, bo.handle, DRM_VIVGPU_PREP_READ, 0), -ETIMEDOUT);
	igt_assert_eq(prep(fd, bo.handle, DRM_VIVGPU_PREP_READ, start + 20000000), -ETIMEDOUT);
	igt_assert_eq(prep(fd, bo.handle, DRM_VIVGPU_PREP_READ, start + 60 * IGT_VIVGPU_SECOND), 0);
	igt_assert_lte_u64(start + IGT_VIVGPU_SECOND / 5, igt_vivgpu_now());
	igt_assert_eq_u32(bo.map[0], 0x5a5a5a5a);
	fini.handle = bo.handle;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_FINI, &fini), 0);
	igt_vivgpu_bo_fini(&bo);
}

/* A cached buffer shows the GPU's work after prepare. */
static void cached(int fd)
{
	struct igt_vivgpu_stream stream = { 0 };
	struct igt_vivgpu_bo bo = { .fd = fd };
	struct igt_vivgpu_job job = { .stream = &stream,
				      .bos = { &bo },
				      .nr_bos = 1,
				      .flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC };
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_bo_info info = { 0 };
	const uint32_t rows = 32;

	igt_assert_eq(__igt_vivgpu_bo_create(fd, rows * IGT_VIVGPU_PITCH, DRM_VIVGPU_BO_CACHED,
					     &bo.handle),
		      0);
	info.handle = bo.handle;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_INFO, &info), 0);
	bo.map = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.offset);
	igt_assert(bo.map != MAP_FAILED);
	memset(bo.map, 1, info.size);
	igt_vivgpu_fill(&stream, info.va, rows, 0x12345678);
	igt_vivgpu_submit(fd, queue, &job);
	igt_assert_eq(prep(fd, bo.handle, DRM_VIVGPU_PREP_READ,
			   igt_vivgpu_now() + 60 * IGT_VIVGPU_SECOND),
		      0);
	for (size_t i = 0; i < info.size / 4; i++)
		igt_assert_eq_u32(bo.map[i], 0x12345678);
}

/* A copy and a fill, of which each word is checked. */
static void fill_and_copy(int fd)
{
	struct igt_vivgpu_stream stream = { 0 };
	struct igt_vivgpu_bo from, to;
	struct igt_vivgpu_job job = { .stream = &stream, .bos = { &from, &to }, .nr_bos = 2 };
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	const uint32_t rows = 64, words = rows * IGT_VIVGPU_PITCH / 4;

	igt_vivgpu_bo_init(&from, fd, rows * IGT_VIVGPU_PITCH);
	igt_vivgpu_bo_init(&to, fd, 2 * rows * IGT_VIVGPU_PITCH);
	for (uint32_t i = 0; i < words; i++)
		from.map[i] = i * 2654435761u;
	igt_vivgpu_copy(&stream, to.va, from.va, rows);
	igt_vivgpu_fill(&stream, to.va + words * 4, rows / 2, 0xcafe);
	igt_vivgpu_run(fd, queue, &job);
	for (uint32_t i = 0; i < words; i++)
		igt_assert_eq_u32(to.map[i], i * 2654435761u);
	for (uint32_t i = 0; i < words; i++)
		igt_assert_eq_u32(to.map[words + i], i < words / 2 ? 0xcafe : 0);
	igt_vivgpu_bo_fini(&from);
	igt_vivgpu_bo_fini(&to);
}

/*
 * Another client imports the buffer; what the GPU writes in its address space, the first client
 * reads.
 */
static void shared(int fd)
{
	struct igt_vivgpu_stream stream = { 0 };
	int other = igt_vivgpu_reopen(fd), dmabuf = -1;
	struct igt_vivgpu_bo bo, theirs = { .fd = other };
	struct igt_vivgpu_job job = { .stream = &stream, .bos = { &theirs }, .nr_bos = 1 };
	uint32_t queue = igt_vivgpu_queue_create(other, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_bo_info info = { 0 };
	const uint32_t rows = 16;

	igt_vivgpu_bo_init(&bo, fd, rows * IGT_VIVGPU_PITCH);
	igt_assert_eq(drmPrimeHandleToFD(fd, bo.handle, O_CLOEXEC | O_RDWR, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(other, dmabuf, &theirs.handle), 0);
	info.handle = theirs.handle;
	igt_assert_eq(__igt_vivgpu_ioctl(other, DRM_IOCTL_VIVGPU_BO_INFO, &info), 0);
	igt_vivgpu_fill(&stream, info.va, rows, 77);
	igt_vivgpu_run(other, queue, &job);
	igt_assert_eq_u32(bo.map[0], 77);
	igt_assert_eq_u32(bo.map[bo.size / 4 - 1], 77);
	close(dmabuf);
	close(other);
	igt_assert_eq_u32(bo.map[0], 77);
	igt_vivgpu_bo_fini(&bo);
}

/* A mapping outlives handle and file. */
static void mapping_outlives(int fd)
{
	int other = igt_vivgpu_reopen(fd);
	struct igt_vivgpu_bo bo;

	igt_vivgpu_bo_init(&bo, other, PAGE);
	bo.map[0] = 5;
	igt_assert_eq(drmCloseBufferHandle(other, bo.handle), 0);
	close(other);
	igt_assert_eq_u32(bo.map[0], 5);
	bo.map[1] = 6;
	igt_assert_eq(munmap(bo.map, bo.size), 0);
}

/* The mmap offset of another client's buffer maps nothing. */
static void mmap_foreign(int fd)
{
	int other = igt_vivgpu_reopen(fd);
	struct drm_vivgpu_bo_info info = { 0 };
	struct igt_vivgpu_bo bo;

	igt_vivgpu_bo_init(&bo, fd, PAGE);
	info.handle = bo.handle;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_INFO, &info), 0);
	igt_assert(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, other, info.offset) == MAP_FAILED);
	igt_assert(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED);
	close(other);
	igt_vivgpu_bo_fini(&bo);
}

static int label(int fd, uint32_t handle, const char *text, uint32_t length)
{
	struct drm_vivgpu_bo_label args = { .handle = handle,
					    .length = length,
					    .label = (uintptr_t)text };

	return __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_LABEL, &args);
}

static void labels(int fd)
{
	static const char text[DRM_VIVGPU_LABEL_MAX + 1] =
		"sixty-three bytes are as many as the longest label may have....";
	uint32_t handle;

	igt_assert_eq(__igt_vivgpu_bo_create(fd, PAGE, 0, &handle), 0);
	igt_assert_eq(label(fd, handle, text, 5), 0);
	igt_assert_eq(label(fd, handle, text, DRM_VIVGPU_LABEL_MAX), 0);
	igt_assert_eq(label(fd, handle, NULL, 0), 0);
	igt_assert_eq(label(fd, handle, text, DRM_VIVGPU_LABEL_MAX + 1), -EINVAL);
	igt_assert_eq(label(fd, handle, text, UINT32_MAX), -EINVAL);
	igt_assert_eq(label(fd, handle, "a\0b", 3), -EINVAL);
	igt_assert_eq(label(fd, handle, NULL, 3), -EFAULT);
	igt_assert_eq(label(fd, NO_HANDLE, text, 3), -ENOENT);
}

static int modifier_call(int fd, uint32_t handle, uint32_t flags, uint64_t *modifier)
{
	struct drm_vivgpu_bo_modifier args = { .handle = handle,
					       .flags = flags,
					       .modifier = *modifier };
	int ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_MODIFIER, &args);

	*modifier = args.modifier;
	return ret;
}

static bool has_display(int fd)
{
	char *path = drmGetPrimaryDeviceNameFromFd(fd);
	int card = open(path, O_RDWR | O_CLOEXEC);
	bool is = drmIsKMS(card);

	close(card);
	free(path);
	return is;
}

/*
 * A layout belongs to the buffer: another client that imports it reads the same. Without a display
 * there is only the linear one.
 */
static void modifiers(int fd)
{
	uint64_t super = DRM_FORMAT_MOD_VIVANTE_SUPER_TILED, tiled = DRM_FORMAT_MOD_VIVANTE_TILED;
	uint64_t split = DRM_FORMAT_MOD_VIVANTE_SPLIT_TILED, got = super;
	int other = igt_vivgpu_reopen(fd), dmabuf = -1;
	uint32_t handle, theirs;

	igt_assert_eq(__igt_vivgpu_bo_create(fd, PAGE, 0, &handle), 0);
	igt_assert_eq(modifier_call(fd, handle, 0, &got), 0);
	igt_assert_eq_u64(got, DRM_FORMAT_MOD_LINEAR);
	if (!has_display(fd)) {
		igt_assert_eq(modifier_call(fd, handle, DRM_VIVGPU_MODIFIER_SET, &super),
			      -EOPNOTSUPP);
		close(other);
		return;
	}
	igt_assert_eq(modifier_call(fd, handle, DRM_VIVGPU_MODIFIER_SET, &super), 0);
	igt_assert_eq(modifier_call(fd, handle, DRM_VIVGPU_MODIFIER_SET, &split), -EINVAL);
	igt_assert_eq(modifier_call(fd, handle, DRM_VIVGPU_MODIFIER_SET << 1, &tiled), -EINVAL);
	igt_assert_eq(modifier_call(fd, NO_HANDLE, DRM_VIVGPU_MODIFIER_SET, &tiled), -ENOENT);
	igt_assert_eq(modifier_call(fd, NO_HANDLE, 0, &got), -ENOENT);
	igt_assert_eq(drmPrimeHandleToFD(fd, handle, O_CLOEXEC, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(other, dmabuf, &theirs), 0);
	igt_assert_eq(modifier_call(other, theirs, 0, &got), 0);
	igt_assert_eq_u64(got, DRM_FORMAT_MOD_VIVANTE_SUPER_TILED);
	igt_assert_eq(modifier_call(other, theirs, DRM_VIVGPU_MODIFIER_SET, &tiled), 0);
	igt_assert_eq(modifier_call(fd, handle, 0, &got), 0);
	igt_assert_eq_u64(got, DRM_FORMAT_MOD_VIVANTE_TILED);
	close(dmabuf);
	close(other);
}

static const struct igt_vivgpu_test tests[] = {
	{ "create-bad", "Bad sizes and flags are refused", create_bad },
	{ "sizes", "Sizes are rounded up to pages", sizes },
	{ "zeroed", "New memory is zero", zeroed },
	{ "addresses", "Addresses do not overlap", addresses },
	{ "info-bad", "Bad handles and pads are refused", info_bad },
	{ "closed", "A closed handle is no handle", closed },
	{ "prep-bad", "Bad operations, handles and pads are refused", prep_bad },
	{ "prep-waits", "Prepare waits for the GPU", prep_waits },
	{ "cached", "Cached memory is coherent after prepare", cached },
	{ "fill-and-copy", "The GPU writes and reads what it should", fill_and_copy },
	{ "shared", "A shared buffer has one content", shared },
	{ "mapping-outlives", "A mapping outlives handle and file", mapping_outlives },
	{ "labels", "Labels are taken or refused", labels },
	{ "modifiers", "Layouts are kept, shared and checked", modifiers },
	{ "mmap-foreign", "Nobody maps another client's buffer", mmap_foreign },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
