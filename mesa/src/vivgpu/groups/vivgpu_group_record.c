/* SPDX-License-Identifier: MIT */

#include "vivgpu_group_record.h"

#include <stddef.h>
#include <string.h>

#include "drm-uapi/vivgpu_drm.h"

bool
vivgpu_group_next_record(const uint8_t **at, const uint8_t *end, struct drm_vivgpu_record *record)
{
   /* Type and size, which all records have */
   const size_t head = offsetof(struct drm_vivgpu_record, sequence), left = end - *at;
   size_t size;

   memset(record, 0, sizeof(*record));
   if (left < head)
      return false;
   memcpy(record, *at, head);
   size = record->size;
   if (size < head || size > left)
      return false;
   memcpy(record, *at, size < sizeof(*record) ? size : sizeof(*record));
   *at += size;
   return true;
}

/* VIVGPU_RESULT_* of a record of a job with these DRM_VIVGPU_JOB_* */
static uint32_t
result_flags(uint32_t job)
{
   return (job & DRM_VIVGPU_JOB_OVERLAPPED ? VIVGPU_RESULT_OVERLAPPED : 0) |
          (job & DRM_VIVGPU_JOB_FAILED ? VIVGPU_RESULT_FAILED : 0) |
          (job & DRM_VIVGPU_JOB_PROLOGUE ? VIVGPU_RESULT_PROLOGUE : 0) |
          (job & DRM_VIVGPU_JOB_COUNTS ? VIVGPU_RESULT_COUNTS : 0) |
          (job & DRM_VIVGPU_JOB_COUNTS_EXACT ? VIVGPU_RESULT_EXACT : 0);
}

bool
vivgpu_group_result(const struct drm_vivgpu_record *record, struct vivgpu_group_result *result)
{
   if (record->type != DRM_VIVGPU_RECORD_JOB)
      return false;
   *result = (struct vivgpu_group_result){
      .cookie = record->cookie,
      .submitted_ns = record->submitted_ns,
      .queued_ns = record->queued_ns,
      .started_ns = record->started_ns,
      .finished_ns = record->finished_ns,
      .cycles = record->job_cycles,
      .prologue_bytes = record->prologue_size,
      .flags = result_flags(record->flags),
   };
   /* The counts are the last fields before the name: records of older kernels lack them. */
   if (record->size < offsetof(struct drm_vivgpu_record, name))
      return true;
   result->vertices = record->vertices;
   result->primitives = record->primitives;
   result->fragments = record->fragments;
   return true;
}

uint32_t
vivgpu_group_losses(struct vivgpu_group_losses *losses, uint32_t sequence)
{
   uint32_t lost = losses->known ? sequence - losses->next : 0;

   losses->known = true;
   losses->next = sequence + 1;
   return lost;
}

uint32_t
vivgpu_group_count_records(struct vivgpu_group_losses *losses, const void *records, size_t bytes,
                           uint32_t *lost)
{
   /* Type, size and sequence number */
   const size_t head = offsetof(struct drm_vivgpu_record, time_ns);
   const struct drm_vivgpu_record *first = records, *last;
   uint32_t count;

   *lost = 0;
   if (bytes < head || first->size < head)
      return 0;
   /* They have one size, and sequence numbers grow, so the last one tells of all. */
   count = bytes / first->size;
   if (!count)
      return 0;
   last = (const void *)((const uint8_t *)records + (size_t)(count - 1) * first->size);
   *lost = vivgpu_group_losses(losses, first->sequence);
   *lost += last->sequence - first->sequence - (count - 1);
   losses->next = last->sequence + 1;
   return count;
}
