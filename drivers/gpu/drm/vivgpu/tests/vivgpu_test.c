// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module of the KUnit tests. Each suite is a file of its own; here are the module's
 * description and the checks that need no code to run: the layout of the uAPI.
 */

#include <linux/build_bug.h>
#include <linux/module.h>
#include <linux/stddef.h>

#include <drm/vivgpu_drm.h>

#include "../vivgpu_compat.h"

/* The layout is the same for 32 and 64 bit callers: no pointers, no holes. */
static_assert(sizeof(struct drm_vivgpu_get_param) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_create) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_info) == 32);
static_assert(sizeof(struct drm_vivgpu_bo_prep) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_fini) == 8);
static_assert(sizeof(struct drm_vivgpu_queue_create) == 48);
static_assert(sizeof(struct drm_vivgpu_queue_destroy) == 8);
static_assert(sizeof(struct drm_vivgpu_submit_bo) == 8);
static_assert(sizeof(struct drm_vivgpu_piece) == 16);
static_assert(sizeof(struct drm_vivgpu_sync) == 16);
static_assert(sizeof(struct drm_vivgpu_point) == 32);
static_assert(sizeof(struct drm_vivgpu_counter) == 24);
static_assert(sizeof(struct drm_vivgpu_submit) == 144);
static_assert(offsetof(struct drm_vivgpu_submit, cookie) == 88);
static_assert(sizeof(struct drm_vivgpu_perf_domain) == 32);
static_assert(sizeof(struct drm_vivgpu_perf_signal) == 64);
static_assert(sizeof(struct drm_vivgpu_bo_label) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_madvise) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_modifier) == 16);
static_assert(sizeof(struct drm_vivgpu_get_time) == 32);
static_assert(offsetof(struct drm_vivgpu_stream_open, ring_records) == 16);
static_assert(sizeof(struct drm_vivgpu_stream_open) == 32);
static_assert(offsetof(struct drm_vivgpu_record, vertices) == DRM_VIVGPU_RECORD_SIZE_0);
static_assert(offsetof(struct drm_vivgpu_record, pid) == 168);
static_assert(sizeof(struct drm_vivgpu_record) == 232);
static_assert(sizeof(struct drm_vivgpu_usage) == 120);
static_assert(offsetof(struct drm_vivgpu_record, client) == 24);
static_assert(sizeof(struct drm_vivgpu_reset_query) == 16);

MODULE_IMPORT_NS("DMA_BUF");
MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_DESCRIPTION("KUnit tests of vivgpu");
MODULE_LICENSE("GPL");
