/* SPDX-License-Identifier: MIT */
/*
 * A stream of the kernel's records, read one record at a time, and what of them is
 * missing. The caller locks.
 */
#ifndef VIVGPU_RECORD_STREAM_H
#define VIVGPU_RECORD_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct drm_vivgpu_record;
struct vivgpu_record_stream;

/**
 * Open a stream of those records that make spans.
 *
 * @fd: the device's file
 * @flags: DRM_VIVGPU_STREAM_*
 * @stream: out
 *
 * Returns 0, or what the kernel says: -EACCES, -EBUSY, ...; -ENOMEM.
 */
int vivgpu_record_stream_open(int fd, uint32_t flags, struct vivgpu_record_stream **stream);

/** Close it; NULL is no stream. */
void vivgpu_record_stream_close(struct vivgpu_record_stream *stream);

/** Begin to read what is there: at most twice what the stream holds, not for ever. */
void vivgpu_record_stream_begin(struct vivgpu_record_stream *stream);

/** The next record, the same one until vivgpu_record_stream_consume(); NULL: there is none yet. */
const struct drm_vivgpu_record *vivgpu_record_stream_next(struct vivgpu_record_stream *stream);

/** The record that vivgpu_record_stream_next() gave is done with. */
void vivgpu_record_stream_consume(struct vivgpu_record_stream *stream);

/** Were records dropped since this was asked the last time? */
bool vivgpu_record_stream_lost(struct vivgpu_record_stream *stream);

/** Forget what was dropped up to now: also if only the next record will show it. */
void vivgpu_record_stream_reset_losses(struct vivgpu_record_stream *stream);

#endif
