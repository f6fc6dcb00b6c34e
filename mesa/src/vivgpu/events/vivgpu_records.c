/* SPDX-License-Identifier: MIT */
/*
 * Conversion of the kernel's records to spans and detection of lost records; see
 * vivgpu_records.h.
 */

#include "vivgpu_records.h"

#include "drm-uapi/vivgpu_drm.h"

uint32_t
vivgpu_record_types(void)
{
   return DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB) |
          DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_FAULT) |
          DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_RESET) |
          DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_EVENT) |
          DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_MARK) |
          DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_VBLANK) |
          DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_FLIP);
}

/* A span of an event whose first fields are job, client and queue; @fourth: the fourth field. */
static struct vivgpu_span
span_of_job(const struct drm_vivgpu_record *record, enum vivgpu_event event,
            enum vivgpu_track track, uint64_t begin, uint64_t end, uint64_t fourth)
{
   return (struct vivgpu_span){
      .begin_ns = begin,
      .end_ns = end,
      .event = event,
      .track = track,
      .values = {record->job, record->client, record->queue, fourth},
   };
}

/* A job's spans: waiting in the scheduler, ready in the ring, running on the GPU. */
static unsigned
job_spans(const struct drm_vivgpu_record *record, struct vivgpu_span *spans)
{
   spans[0] = span_of_job(record, VIVGPU_EVENT_WAITING, VIVGPU_TRACK_QUEUE, record->submitted_ns,
                          record->queued_ns, record->stream_size);
   spans[1] = span_of_job(record, VIVGPU_EVENT_READY, VIVGPU_TRACK_QUEUE, record->queued_ns,
                          record->started_ns, record->stream_size);
   spans[2] = span_of_job(record, VIVGPU_EVENT_JOB, VIVGPU_TRACK_3D, record->started_ns,
                          record->finished_ns, record->flags);
   spans[2].values[VIVGPU_JOB_BYTES] = record->stream_size;
   spans[2].values[VIVGPU_JOB_PROLOGUE] = record->prologue_size;
   spans[2].values[VIVGPU_JOB_CYCLES] = record->job_cycles;
   spans[2].values[VIVGPU_JOB_COOKIE] = record->cookie;
   return 3;
}

/*
 * An event without duration, whose fields the caller sets. Returns the number of spans, as
 * display().
 */
static unsigned
instant(const struct drm_vivgpu_record *record, struct vivgpu_span *span, enum vivgpu_event event,
        enum vivgpu_track track)
{
   *span = (struct vivgpu_span){
      .begin_ns = record->time_ns,
      .end_ns = record->time_ns,
      .event = event,
      .track = track,
   };
   return 1;
}

/*
 * A vertical blank, with the fields display and number, or a flip, with display, frame buffer,
 * client and number. Values after those of its event are not read.
 */
static unsigned
display(const struct drm_vivgpu_record *record, struct vivgpu_span *span)
{
   bool flip = record->type == DRM_VIVGPU_RECORD_FLIP;

   instant(record, span, flip ? VIVGPU_EVENT_FLIP : VIVGPU_EVENT_VBLANK, VIVGPU_TRACK_DISPLAY);
   span->values[0] = record->crtc;
   span->values[1] = flip ? record->fb : record->vblank;
   span->values[2] = record->client;
   span->values[3] = record->vblank;
   return 1;
}

unsigned
vivgpu_record_spans(const struct drm_vivgpu_record *record,
                    struct vivgpu_span spans[VIVGPU_RECORD_SPANS])
{
   switch (record->type) {
   case DRM_VIVGPU_RECORD_JOB:
      return job_spans(record, spans);
   /* The kernel's name for a job without commands */
   case DRM_VIVGPU_RECORD_EVENT:
      spans[0] = span_of_job(record, VIVGPU_EVENT_EMPTY_JOB, VIVGPU_TRACK_QUEUE, record->time_ns,
                             record->time_ns, record->cookie);
      return 1;
   case DRM_VIVGPU_RECORD_MARK:
      spans[0] = span_of_job(record, VIVGPU_EVENT_MARK, VIVGPU_TRACK_3D, record->time_ns,
                             record->time_ns, record->cookie);
      return 1;
   case DRM_VIVGPU_RECORD_FAULT:
      instant(record, spans, VIVGPU_EVENT_FAULT, VIVGPU_TRACK_3D);
      spans[0].values[0] = record->job;
      spans[0].values[1] = record->client;
      /* The MMU's status */
      spans[0].values[2] = record->flags;
      spans[0].values[3] = record->fault_address;
      return 1;
   case DRM_VIVGPU_RECORD_RESET:
      return instant(record, spans, VIVGPU_EVENT_RESET, VIVGPU_TRACK_3D);
   case DRM_VIVGPU_RECORD_VBLANK:
   case DRM_VIVGPU_RECORD_FLIP:
      return display(record, spans);
   default:
      return 0;
   }
}

bool
vivgpu_losses_record(struct vivgpu_losses *losses, uint32_t sequence)
{
   bool gap = losses->known && sequence != losses->next;
   bool unreported = gap && !losses->assumed;

   losses->known = true;
   losses->next = sequence + 1;
   losses->assumed = false;
   losses->gap |= gap;
   losses->seen++;
   return unreported;
}

bool
vivgpu_losses_empty(struct vivgpu_losses *losses, uint32_t capacity)
{
   bool full = losses->seen >= capacity && !losses->gap;

   losses->assumed |= full;
   losses->seen = 0;
   losses->gap = false;
   return full;
}
