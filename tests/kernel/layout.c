// SPDX-License-Identifier: MIT
/*
 * The layout of the kernel driver's interface, the same for 32 and 64 bit
 * callers. Compiled for both; there is nothing to run.
 */

#include <stddef.h>

#include <vivgpu_drm.h>

#define SIZE(name, bytes) \
	_Static_assert(sizeof(struct drm_vivgpu_##name) == (bytes), "size of " #name)
#define FIELD(name, field, bytes)                                            \
	_Static_assert(offsetof(struct drm_vivgpu_##name, field) == (bytes), \
		       "place of " #name "." #field)

SIZE(get_param, 16);
SIZE(bo_create, 16);
SIZE(bo_info, 32);
SIZE(bo_prep, 16);
FIELD(bo_prep, timeout_ns, 8);
SIZE(bo_fini, 8);
SIZE(bo_label, 16);
FIELD(bo_label, label, 8);
SIZE(bo_madvise, 16);
SIZE(bo_modifier, 16);
FIELD(bo_modifier, modifier, 8);
SIZE(job_wait, 16);
FIELD(job_wait, timeout_ns, 8);
SIZE(queue_create, 48);
FIELD(queue_create, prologue, 8);
FIELD(queue_create, budget_ns, 24);
FIELD(queue_create, reason, 40);
SIZE(queue_destroy, 8);
SIZE(submit_bo, 8);
SIZE(piece, 16);
SIZE(sync, 16);
FIELD(sync, point, 8);
SIZE(point, 32);
FIELD(point, bo_offset, 8);
FIELD(point, flags, 24);
SIZE(counter, 24);
FIELD(counter, bo_offset, 16);
SIZE(submit, 144);
FIELD(submit, pieces, 8);
FIELD(submit, counters, 48);
FIELD(submit, nr_pieces, 56);
FIELD(submit, fence_fd, 80);
FIELD(submit, job, 84);
FIELD(submit, cookie, 88);
FIELD(submit, entered_ns, 96);
FIELD(submit, left_ns, 104);
FIELD(submit, deadline_ns, 112);
FIELD(submit, cost_ns, 120);
FIELD(submit, bound_ns, 128);
FIELD(submit, max_piece_ns, 136);
SIZE(perf_domain, 32);
SIZE(perf_signal, 64);
FIELD(perf_signal, name, 16);
SIZE(get_time, 32);
SIZE(stream_open, 32);
FIELD(stream_open, ring_records, 16);
SIZE(record, 232);
FIELD(record, client, 24);
FIELD(record, submitted_ns, 32);
FIELD(record, cookie, 72);
FIELD(record, fault_address, 88);
FIELD(record, crtc, 104);
FIELD(record, job, 120);
FIELD(record, reserved, 124);
FIELD(record, vertices, 128);
FIELD(record, name, 152);
FIELD(record, pid, 168);
FIELD(record, spare, 172);
FIELD(record, deadline_ns, 192);
FIELD(record, cost_ns, 200);
FIELD(record, ready_ns, 208);
FIELD(record, held_ns, 216);
FIELD(record, bound_ns, 224);
SIZE(usage, 120);
FIELD(usage, client, 8);
SIZE(reset_query, 16);
