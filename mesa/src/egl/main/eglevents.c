/* SPDX-License-Identifier: MIT */

#include "eglevents.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "eglcurrent.h"
#include "vivgpu/events/vivgpu_event_list.h"
#include "vivgpu/events/vivgpu_event_sampler.h"

/* A libgallium without the driver has no sampler. */
extern const struct vivgpu_event_sampler *driGetVivgpuEventSampler(void) __attribute__((weak));

static const struct vivgpu_event_sampler *
get_sampler(void)
{
   return driGetVivgpuEventSampler ? driGetVivgpuEventSampler() : NULL;
}

bool
_eglHasEventMonitor(void)
{
   const struct vivgpu_event_sampler *sampler = get_sampler();

   return sampler && sampler->present();
}

/* Leave an error, or success, for eglGetError. */
static EGLBoolean
finish(EGLint error, const char *function)
{
   _eglGetCurrentThread()->CurrentFuncName = function;
   _eglError(error, function);
   return error == EGL_SUCCESS;
}

/* Copy as much of a name as there is room for. */
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
   const struct vivgpu_event_sampler *sampler = get_sampler();
   EGLint error = EGL_SUCCESS, value = 0;

   switch (pname) {
   case EGL_NUM_EVENT_TRACKS_BRCM:
      value = sampler ? sampler->num_tracks : 0;
      break;
   case EGL_NUM_EVENTS_BRCM:
      value = sampler ? sampler->num_events : 0;
      break;
   case EGL_MAX_EVENT_STRING_LEN_BRCM:
      value = sampler ? sampler->name_bytes : 0;
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
   const struct vivgpu_event_sampler *sampler = get_sampler();

   if (!sampler || track < 0 || (uint32_t)track >= sampler->num_tracks)
      return finish(EGL_BAD_PARAMETER, __func__);
   return finish(copy_name(sampler->track_name(track), nameStrSize, trackNameStr), __func__);
}

/* An event's description, or NULL if there is none of this index. */
static const struct vivgpu_event_info *
find_event(EGLint event)
{
   const struct vivgpu_event_sampler *sampler = get_sampler();

   return sampler && event >= 0 && (uint32_t)event < sampler->num_events
             ? sampler->event_info(event)
             : NULL;
}

EGLBoolean EGLAPIENTRY
eglGetEventInfoBRCM(EGLint event, EGLint nameStrSize, char *nameStr, EGLint *numDataFields,
                    EGLint *totalDataBytes)
{
   const struct vivgpu_event_info *info = find_event(event);
   EGLint error = info ? copy_name(info->name, nameStrSize, nameStr) : EGL_BAD_PARAMETER;

   if (error == EGL_SUCCESS && numDataFields)
      *numDataFields = info->num_fields;
   if (error == EGL_SUCCESS && totalDataBytes)
      *totalDataBytes = info->data_bytes;
   return finish(error, __func__);
}

EGLBoolean EGLAPIENTRY
eglGetEventDataFieldInfoBRCM(EGLint event, EGLint field, EGLint nameStrSize, char *nameStr,
                             EGLBoolean *isSigned, EGLint *numBytes)
{
   const struct vivgpu_event_info *info = find_event(event);

   if (!info || field < 0 || field >= info->num_fields)
      return finish(EGL_BAD_PARAMETER, __func__);

   const struct vivgpu_field_info *data = &info->fields[field];
   EGLint error = copy_name(data->name, nameStrSize, nameStr);

   if (error == EGL_SUCCESS && isSigned)
      *isSigned = data->is_signed;
   if (error == EGL_SUCCESS && numBytes)
      *numBytes = data->size;
   return finish(error, __func__);
}

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
   const struct vivgpu_event_sampler *sampler = get_sampler();
   int ret = 0;

   if (pname < EGL_ACQUIRE_EVENTS_BRCM || pname > EGL_STOP_EVENTS_BRCM)
      return finish(EGL_BAD_PARAMETER, __func__);
   if (!sampler)
      return finish(EGL_NOT_INITIALIZED, __func__);

   if (pname == EGL_ACQUIRE_EVENTS_BRCM)
      ret = sampler->acquire();
   else if (pname == EGL_RELEASE_EVENTS_BRCM)
      sampler->release();
   else if (pname == EGL_START_EVENTS_BRCM)
      ret = sampler->start();
   else
      sampler->stop();
   return finish(error_of(ret), __func__);
}

EGLBoolean EGLAPIENTRY
eglGetEventDataBRCM(EGLint dataBufferBytes, void *data, EGLint *bytesWritten, EGLBoolean *lostData,
                    EGLuint64BRCM *timestampNow)
{
   const struct vivgpu_event_sampler *sampler = get_sampler();
   uint64_t now = 0;
   bool lost = false;

   if (dataBufferBytes < 0 || !bytesWritten)
      return finish(EGL_BAD_PARAMETER, __func__);
   if (!sampler)
      return finish(EGL_NOT_INITIALIZED, __func__);

   *bytesWritten = sampler->collect(data, dataBufferBytes, &lost, &now);
   if (lostData)
      *lostData = lost;
   if (timestampNow)
      *timestampNow = now;
   return finish(EGL_SUCCESS, __func__);
}
