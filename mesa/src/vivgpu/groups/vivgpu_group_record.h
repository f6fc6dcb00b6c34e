/* SPDX-License-Identifier: MIT */
/* Results of groups from the kernel's records, and how many records are missing. Pure. */
#ifndef VIVGPU_GROUP_RECORD_H
#define VIVGPU_GROUP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vivgpu_group.h"

#ifdef __cplusplus
extern "C" {
#endif

struct drm_vivgpu_record;

/**
 * Take the next record of what read() of a stream returned. Records of another version of the
 * kernel may be shorter, then their other fields are 0, or longer.
 *
 * @at: the record's first byte; advanced after it
 * @end: the end of what was read, or of what is left of it
 *
 * Returns false if there is none.
 */
bool vivgpu_group_next_record(const uint8_t **at, const uint8_t *end,
                              struct drm_vivgpu_record *record);

/** The result in a record of a job. False for a record of something else. */
bool vivgpu_group_result(const struct drm_vivgpu_record *record,
                         struct vivgpu_group_result *result);

/**
 * Counts records that a stream has lost, by their sequence numbers; zero at first. Only a later
 * record shows a loss, unlike with struct vivgpu_losses (vivgpu_records.h).
 */
struct vivgpu_group_losses {
   /** Of the next record, if @known */
   uint32_t next;
   bool known;
};

/** Returns the number of records lost before this one, which was read now. */
uint32_t vivgpu_group_losses(struct vivgpu_group_losses *losses, uint32_t sequence);

/**
 * Count the records of what read() returned: whole ones, aligned to 8.
 *
 * @lost: gets the number of those that were lost before or between them
 */
uint32_t vivgpu_group_count_records(struct vivgpu_group_losses *losses, const void *records,
                                    size_t bytes, uint32_t *lost);

#ifdef __cplusplus
}
#endif

#endif
