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

/** The types of records that make spans, as bits for DRM_IOCTL_VIVGPU_STREAM_OPEN */
uint32_t vivgpu_record_types(void);

/** Convert a record to spans; returns their number, at most VIVGPU_RECORD_SPANS. */
unsigned vivgpu_record_spans(const struct drm_vivgpu_record *record,
                             struct vivgpu_span spans[VIVGPU_RECORD_SPANS]);

/** What was seen of a stream's numbers */
struct vivgpu_losses {
   /** A record was seen, and the next has this number */
   bool known;
   uint32_t next;
   /** The stream was full; what was dropped there is reported already */
   bool assumed;
   /** Records seen since the stream was last known to be empty */
   uint32_t seen;
   /** A gap since then */
   bool gap;
};

/** A record was read: were some dropped before it, that nobody told of yet? */
bool vivgpu_losses_record(struct vivgpu_losses *losses, uint32_t sequence);

/**
 * The stream is empty now. A stream that held as many records as it can, @capacity,
 * may have dropped some whose gap only the next record will show: that counts
 * as a loss now, and not once more then.
 */
bool vivgpu_losses_empty(struct vivgpu_losses *losses, uint32_t capacity);

#endif
