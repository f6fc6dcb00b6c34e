/* SPDX-License-Identifier: MIT */
/*
 * What a timeline can hold: its tracks, its events, and their fields. Indices
 * are part of what programs see; new ones are added at the ends.
 *
 * Pure: no state, no Mesa types.
 */
#ifndef VIVGPU_EVENT_LIST_H
#define VIVGPU_EVENT_LIST_H

#include <stdbool.h>
#include <stdint.h>

/** Longest name, with its terminating zero */
#define VIVGPU_EVENT_NAME_BYTES 32

/** Most fields of an event */
#define VIVGPU_EVENT_FIELDS 8

/** Threads of the driver that have a track of their own; others share the last */
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
   /** Queue: from the submit call until the kernel gives the job to the GPU */
   VIVGPU_EVENT_WAITING,
   /** Queue: from there until the GPU starts it */
   VIVGPU_EVENT_READY,
   /** Queue: a job without commands went by */
   VIVGPU_EVENT_EMPTY_JOB,
   /** 3D engine: the GPU passed a mark */
   VIVGPU_EVENT_MARK,
   VIVGPU_EVENT_FAULT,
   VIVGPU_EVENT_RESET,
   VIVGPU_EVENT_VBLANK,
   VIVGPU_EVENT_FLIP,
   /** Driver: a shader's code is made, or found in the cache */
   VIVGPU_EVENT_COMPILE,
   /** Driver: a job is handed to the kernel */
   VIVGPU_EVENT_FLUSH,
   /** Driver: data is brought to where the GPU reads it */
   VIVGPU_EVENT_UPLOAD,
   /** Driver: a thread waits for the GPU */
   VIVGPU_EVENT_WAIT,
   VIVGPU_NUM_EVENTS,
};

/** Fields of VIVGPU_EVENT_JOB that its makers and readers name */
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

/** Fields of driver events; the first is always the thread's number */
enum {
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
   /** It has a begin and an end */
   bool spans;
   uint8_t num_fields;
   /** Bytes of all fields together */
   uint8_t data_bytes;
   /** Those fields that have 8 bytes, as bits */
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
