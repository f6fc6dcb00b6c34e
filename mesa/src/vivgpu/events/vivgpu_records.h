/* SPDX-License-Identifier: MIT */
/*
 * Converts the kernel's records to spans, and detects lost records by their sequence numbers.
 * Pure; vivgpu_record_stream.h reads the records.
 */
#ifndef VIVGPU_RECORDS_H
#define VIVGPU_RECORDS_H

#include "vivgpu_ring.h"

struct drm_vivgpu_record;

/** Largest number of spans of one record */
#define VIVGPU_RECORD_SPANS 3

/** Types of records that vivgpu_record_spans() converts: a mask for DRM_IOCTL_VIVGPU_STREAM_OPEN */
uint32_t vivgpu_record_types(void);

/** Convert a record to spans; returns their number, at most VIVGPU_RECORD_SPANS. */
unsigned vivgpu_record_spans(const struct drm_vivgpu_record *record,
                             struct vivgpu_span spans[VIVGPU_RECORD_SPANS]);

/** State of the detection of lost records, by their sequence numbers; zero at first */
struct vivgpu_losses {
   /** True if a record was read, so that @next is valid */
   bool known;
   /** Sequence number of the next record if none is lost */
   uint32_t next;
   /** vivgpu_losses_empty() reported a loss: a gap before the next record is that one */
   bool assumed;
   /** Number of records read since the stream was last empty */
   uint32_t seen;
   /** There was a gap among these */
   bool gap;
};

/**
 * Update the state for a record that was read. Returns true if records before it were lost that
 * have not been reported yet.
 */
bool vivgpu_losses_record(struct vivgpu_losses *losses, uint32_t sequence);

/**
 * Update the state when the stream is empty. Returns true if at least @capacity records were read
 * since it was last empty, without a gap: the stream was full and may have dropped records, which
 * only the number of the next record will show. vivgpu_losses_record() then does not report these
 * again.
 *
 * @capacity: number of unread records that the stream can hold
 */
bool vivgpu_losses_empty(struct vivgpu_losses *losses, uint32_t capacity);

#endif
