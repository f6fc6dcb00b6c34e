/* SPDX-License-Identifier: MIT */
/*
 * Tables of the event timeline's tracks, events and event fields. Their indices are visible to
 * applications through EGL_BRCM_event_monitor, so new entries are added at the ends.
 *
 * Pure: no state, no Mesa types.
 */
#ifndef VIVGPU_EVENT_LIST_H
#define VIVGPU_EVENT_LIST_H

#include <stdbool.h>
#include <stdint.h>

/** Largest size of a name in bytes, with its terminating zero */
#define VIVGPU_EVENT_NAME_BYTES 32

/** Largest number of fields of an event */
#define VIVGPU_EVENT_FIELDS 8

/** Number of tracks for threads of the driver; further threads share the last track */
#define VIVGPU_EVENT_THREADS 8

enum vivgpu_track {
   VIVGPU_TRACK_3D,
   VIVGPU_TRACK_QUEUE,
   VIVGPU_TRACK_DISPLAY,
   VIVGPU_TRACK_THREAD,
   VIVGPU_NUM_TRACKS = VIVGPU_TRACK_THREAD + VIVGPU_EVENT_THREADS,
};

enum vivgpu_event {
   /** 3D engine: from a job's start to its end */
   VIVGPU_EVENT_JOB,
   /** Queue: from the submit call until the job enters the kernel's ring */
   VIVGPU_EVENT_WAITING,
   /** Queue: from there until the GPU starts the job */
   VIVGPU_EVENT_READY,
   /** Queue: a job without commands */
   VIVGPU_EVENT_EMPTY_JOB,
   /** 3D engine: the GPU reached a mark in a command stream */
   VIVGPU_EVENT_MARK,
   VIVGPU_EVENT_FAULT,
   VIVGPU_EVENT_RESET,
   VIVGPU_EVENT_VBLANK,
   VIVGPU_EVENT_FLIP,
   /** Driver: a shader is compiled or read from the disk cache */
   VIVGPU_EVENT_COMPILE,
   /** Driver: a job is submitted to the kernel */
   VIVGPU_EVENT_FLUSH,
   /** Driver: data is copied to memory that the GPU reads */
   VIVGPU_EVENT_UPLOAD,
   /** Driver: a thread waits for the GPU */
   VIVGPU_EVENT_WAIT,
   VIVGPU_NUM_EVENTS,
};

/** Indices of fields of VIVGPU_EVENT_JOB */
enum {
   VIVGPU_JOB_NUMBER,
   VIVGPU_JOB_CLIENT,
   VIVGPU_JOB_QUEUE,
   VIVGPU_JOB_FLAGS,
   VIVGPU_JOB_BYTES,
   VIVGPU_JOB_PROLOGUE,
   VIVGPU_JOB_CYCLES,
   VIVGPU_JOB_COOKIE,
};

/** Indices of fields: the first of all driver events, and those of VIVGPU_EVENT_FLUSH after it */
enum {
   /** The thread's number */
   VIVGPU_DRIVER_THREAD,
   VIVGPU_FLUSH_CLIENT = 1,
   VIVGPU_FLUSH_JOB,
   VIVGPU_FLUSH_BYTES,
   VIVGPU_FLUSH_DRAWS,
   VIVGPU_FLUSH_VERTICES,
   VIVGPU_FLUSH_RESULT,
   VIVGPU_FLUSH_UPLOADED,
};

struct vivgpu_field_info {
   const char *name;
   bool is_signed;
   /** Bytes: 4 or 8 */
   uint8_t size;
};

struct vivgpu_event_info {
   const char *name;
   /** True if the event has a begin and an end, false for an instant */
   bool spans;
   uint8_t num_fields;
   /** Size of all fields in bytes */
   uint8_t data_bytes;
   /** Bit n: field n has 8 bytes */
   uint8_t wide;
   struct vivgpu_field_info fields[VIVGPU_EVENT_FIELDS];
};

extern const struct vivgpu_event_info vivgpu_event_infos[VIVGPU_NUM_EVENTS];

/** An event's description; @event below VIVGPU_NUM_EVENTS */
static inline const struct vivgpu_event_info *
vivgpu_event_info(unsigned event)
{
   return &vivgpu_event_infos[event];
}

/** A track's name; @track below VIVGPU_NUM_TRACKS */
const char *vivgpu_track_name(unsigned track);

#endif
