/* SPDX-License-Identifier: MIT */
/*
 * Reader of a stream of the kernel's records (DRM_IOCTL_VIVGPU_STREAM_OPEN): one record at a
 * time, with detection of lost records. The caller serializes calls.
 */
#ifndef VIVGPU_RECORD_STREAM_H
#define VIVGPU_RECORD_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct drm_vivgpu_record;
struct vivgpu_record_stream;

/**
 * Open a stream of the types of records that vivgpu_record_spans() converts.
 *
 * @fd: the device's file
 * @flags: DRM_VIVGPU_STREAM_*
 * @stream: set to the stream, or to NULL
 *
 * Returns 0, -ENOMEM or the negative errno of the ioctl: -EACCES, -EBUSY, ...
 */
int vivgpu_record_stream_open(int fd, uint32_t flags, struct vivgpu_record_stream **stream);

/** Close a stream; NULL is allowed. */
void vivgpu_record_stream_close(struct vivgpu_record_stream *stream);

/**
 * Begin to read. Until the next call, vivgpu_record_stream_next() returns at most about twice as
 * many records as the stream can hold, so that reading ends even if records arrive all the time.
 */
void vivgpu_record_stream_begin(struct vivgpu_record_stream *stream);

/** The next record, the same one until vivgpu_record_stream_consume(); NULL: there is none yet. */
const struct drm_vivgpu_record *vivgpu_record_stream_next(struct vivgpu_record_stream *stream);

/** Advance to the record behind the one that vivgpu_record_stream_next() returned. */
void vivgpu_record_stream_consume(struct vivgpu_record_stream *stream);

/** True if records were lost since the last call. */
bool vivgpu_record_stream_lost(struct vivgpu_record_stream *stream);

/** Do not report records lost up to now, even if only the next record's number will show it. */
void vivgpu_record_stream_reset_losses(struct vivgpu_record_stream *stream);

#endif
