/* SPDX-License-Identifier: MIT */
/*
 * The functions of EGL_BRCM_event_monitor: they check parameters, call the driver's
 * struct pipe_event_monitor and set the error that eglGetError() returns.
 */

#include "eglevents.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "eglcurrent.h"
#include "pipe/p_event_monitor.h"
#include "util/u_atomic.h"

static const struct pipe_event_monitor *event_monitor;

void
_eglSetEventMonitor(const struct pipe_event_monitor *monitor)
{
   p_atomic_set(&event_monitor, monitor);
}

/* Returns the event sampler; NULL until a display whose screen has one is initialised. */
static const struct pipe_event_monitor *
get_monitor(void)
{
   return p_atomic_read(&event_monitor);
}

/* Sets the thread's error for eglGetError(); returns EGL_TRUE if it is EGL_SUCCESS. */
static EGLBoolean
finish(EGLint error, const char *function)
{
   _eglGetCurrentThread()->CurrentFuncName = function;
   _eglError(error, function);
   return error == EGL_SUCCESS;
}

/* Copies a name, truncated to size - 1 bytes, with a terminating zero; returns an EGL error. */
static EGLint
copy_name(const char *name, EGLint size, char *to)
{
   if (size < 0)
      return EGL_BAD_PARAMETER;
   if (to && size) {
      size_t length = strnlen(name, size - 1);

      memcpy(to, name, length);
      to[length] = '\0';
   }
   return EGL_SUCCESS;
}

EGLint EGLAPIENTRY
eglGetEventConstantBRCM(EGLenum pname)
{
   const struct pipe_event_monitor *monitor = get_monitor();
   EGLint error = EGL_SUCCESS, value = 0;

   switch (pname) {
   case EGL_NUM_EVENT_TRACKS_BRCM:
      value = monitor ? monitor->num_tracks : 0;
      break;
   case EGL_NUM_EVENTS_BRCM:
      value = monitor ? monitor->num_events : 0;
      break;
   case EGL_MAX_EVENT_STRING_LEN_BRCM:
      value = monitor ? monitor->name_bytes : 0;
      break;
   default:
      error = EGL_BAD_PARAMETER;
   }
   finish(error, __func__);
   return value;
}

EGLBoolean EGLAPIENTRY
eglGetEventTrackInfoBRCM(EGLint track, EGLint nameStrSize, char *trackNameStr)
{
   const struct pipe_event_monitor *monitor = get_monitor();

   if (!monitor || track < 0 || (unsigned)track >= monitor->num_tracks)
      return finish(EGL_BAD_PARAMETER, __func__);
   return finish(copy_name(monitor->track_name(track), nameStrSize, trackNameStr), __func__);
}

/* Sets info to the description of an event; returns false if there is no event of this index. */
static bool
find_event(EGLint event, struct pipe_event_info *info)
{
   const struct pipe_event_monitor *monitor = get_monitor();

   if (!monitor || event < 0 || (unsigned)event >= monitor->num_events)
      return false;
   monitor->event_info(event, info);
   return true;
}

EGLBoolean EGLAPIENTRY
eglGetEventInfoBRCM(EGLint event, EGLint nameStrSize, char *nameStr, EGLint *numDataFields,
                    EGLint *totalDataBytes)
{
   struct pipe_event_info info;

   if (!find_event(event, &info))
      return finish(EGL_BAD_PARAMETER, __func__);

   EGLint error = copy_name(info.name, nameStrSize, nameStr);

   if (error == EGL_SUCCESS && numDataFields)
      *numDataFields = info.num_fields;
   if (error == EGL_SUCCESS && totalDataBytes)
      *totalDataBytes = info.data_bytes;
   return finish(error, __func__);
}

EGLBoolean EGLAPIENTRY
eglGetEventDataFieldInfoBRCM(EGLint event, EGLint field, EGLint nameStrSize, char *nameStr,
                             EGLBoolean *isSigned, EGLint *numBytes)
{
   struct pipe_event_field_info data;
   struct pipe_event_info info;

   if (!find_event(event, &info) || field < 0 || (unsigned)field >= info.num_fields)
      return finish(EGL_BAD_PARAMETER, __func__);
   get_monitor()->field_info(event, field, &data);

   EGLint error = copy_name(data.name, nameStrSize, nameStr);

   if (error == EGL_SUCCESS && isSigned)
      *isSigned = data.is_signed;
   if (error == EGL_SUCCESS && numBytes)
      *numBytes = data.bytes;
   return finish(error, __func__);
}

/* The EGL error for a result of pipe_event_monitor::acquire or start. */
static EGLint
error_of(int ret)
{
   switch (ret) {
   case 0:
      return EGL_SUCCESS;
   case -EBUSY:
   case -EACCES:
      return EGL_BAD_ACCESS;
   case -ENODEV:
      return EGL_NOT_INITIALIZED;
   default:
      return EGL_BAD_ALLOC;
   }
}

EGLBoolean EGLAPIENTRY
eglSetEventCollectionBRCM(EGLenum pname)
{
   const struct pipe_event_monitor *monitor = get_monitor();
   int ret = 0;

   if (pname < EGL_ACQUIRE_EVENTS_BRCM || pname > EGL_STOP_EVENTS_BRCM)
      return finish(EGL_BAD_PARAMETER, __func__);
   if (!monitor)
      return finish(EGL_NOT_INITIALIZED, __func__);

   if (pname == EGL_ACQUIRE_EVENTS_BRCM)
      ret = monitor->acquire();
   else if (pname == EGL_RELEASE_EVENTS_BRCM)
      monitor->release();
   else if (pname == EGL_START_EVENTS_BRCM)
      ret = monitor->start();
   else
      monitor->stop();
   return finish(error_of(ret), __func__);
}

EGLBoolean EGLAPIENTRY
eglGetEventDataBRCM(EGLint dataBufferBytes, void *data, EGLint *bytesWritten, EGLBoolean *lostData,
                    EGLuint64BRCM *timestampNow)
{
   const struct pipe_event_monitor *monitor = get_monitor();
   uint64_t now = 0;
   bool lost = false;

   if (dataBufferBytes < 0 || !bytesWritten)
      return finish(EGL_BAD_PARAMETER, __func__);
   if (!monitor)
      return finish(EGL_NOT_INITIALIZED, __func__);

   *bytesWritten = monitor->collect(data, dataBufferBytes, &lost, &now);
   if (lostData)
      *lostData = lost;
   if (timestampNow)
      *timestampNow = now;
   return finish(EGL_SUCCESS, __func__);
}
