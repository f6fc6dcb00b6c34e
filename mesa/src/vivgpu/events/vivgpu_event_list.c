/* SPDX-License-Identifier: MIT */
/*
 * Tables of the event timeline's events, fields and tracks; see vivgpu_event_list.h.
 */

#include "vivgpu_event_list.h"

/* A field: its name, whether it is signed, its bytes */
#define U32(name) {name, false, 4}
#define U64(name) {name, false, 8}
#define S32(name) {name, true, 4}

/* The first fields of events of jobs, and of those of the driver's threads */
#define JOB    U32("job"), U64("client"), U32("queue")
#define THREAD U32("thread")

/* Name, whether it spans time, number of fields, their bytes, mask of 8-byte fields, fields */
const struct vivgpu_event_info vivgpu_event_infos[VIVGPU_NUM_EVENTS] = {
   [VIVGPU_EVENT_JOB] = {"Job",
                         true,
                         8,
                         44,
                         0xc2,
                         {JOB, U32("flags"), U32("bytes"), U32("prologue bytes"), U64("cycles"),
                          U64("cookie")}},
   [VIVGPU_EVENT_WAITING] = {"Waiting", true, 4, 20, 2, {JOB, U32("bytes")}},
   [VIVGPU_EVENT_READY] = {"Ready", true, 4, 20, 2, {JOB, U32("bytes")}},
   [VIVGPU_EVENT_EMPTY_JOB] = {"Empty job", false, 4, 24, 0xa, {JOB, U64("cookie")}},
   [VIVGPU_EVENT_MARK] = {"Mark", false, 4, 24, 0xa, {JOB, U64("cookie")}},
   [VIVGPU_EVENT_FAULT] =
      {"Fault", false, 4, 24, 0xa, {U32("job"), U64("client"), U32("status"), U64("address")}},
   [VIVGPU_EVENT_RESET] = {"Reset", false, 0, 0, 0},
   [VIVGPU_EVENT_VBLANK] = {"Vertical blank", false, 2, 12, 2, {U32("display"), U64("number")}},
   [VIVGPU_EVENT_FLIP] = {"Flip",
                          false,
                          4,
                          24,
                          0xc,
                          {U32("display"), U32("frame buffer"), U64("client"), U64("number")}},
   [VIVGPU_EVENT_COMPILE] =
      {"Compile", true, 4, 16, 0, {THREAD, U32("stage"), U32("instructions"), U32("bytes")}},
   [VIVGPU_EVENT_FLUSH] = {"Flush",
                           true,
                           8,
                           44,
                           0xa2,
                           {THREAD, U64("client"), U32("job"), U32("bytes"), U32("draws"),
                            U64("vertices"), S32("result"), U64("uploaded")}},
   [VIVGPU_EVENT_UPLOAD] = {"Upload", true, 2, 12, 2, {THREAD, U64("bytes")}},
   [VIVGPU_EVENT_WAIT] = {"Wait", true, 3, 12, 0, {THREAD, U32("buffer"), S32("result")}},
};

static const char *const tracks[VIVGPU_NUM_TRACKS] = {
   [VIVGPU_TRACK_3D] = "3D engine",
   [VIVGPU_TRACK_QUEUE] = "Scheduler queue",
   [VIVGPU_TRACK_DISPLAY] = "Display",
   [VIVGPU_TRACK_THREAD] = "Driver thread 1",
   [VIVGPU_TRACK_THREAD + 1] = "Driver thread 2",
   [VIVGPU_TRACK_THREAD + 2] = "Driver thread 3",
   [VIVGPU_TRACK_THREAD + 3] = "Driver thread 4",
   [VIVGPU_TRACK_THREAD + 4] = "Driver thread 5",
   [VIVGPU_TRACK_THREAD + 5] = "Driver thread 6",
   [VIVGPU_TRACK_THREAD + 6] = "Driver thread 7",
   [VIVGPU_TRACK_THREAD + 7] = "Driver threads 8 and up",
};

const char *
vivgpu_track_name(unsigned track)
{
   return tracks[track];
}
