/* SPDX-License-Identifier: MIT */
/*
 * Dispatch stubs of EGL_BRCM_event_monitor for libglvnd.
 *
 * libglvnd normally chooses the vendor library by a function's display. These functions have none,
 * so Mesa's generator cannot write their stubs: the stubs here always call this library. They pass
 * the error to __eglDispatchSetError(), where libglvnd's eglGetError() finds it without a current
 * context.
 */

#include "egldispatchstubs.h"
#include "g_egldispatchstubs.h"

#include "eglcurrent.h"
#include "eglevents.h"

/* Copies this library's error of the calling thread to libglvnd. */
static void
forward_error(void)
{
   __eglDispatchSetError(_eglGetCurrentThread()->LastError);
}

EGLint EGLAPIENTRY
dispatch_eglGetEventConstantBRCM(EGLenum pname)
{
   EGLint ret = eglGetEventConstantBRCM(pname);

   forward_error();
   return ret;
}

EGLBoolean EGLAPIENTRY
dispatch_eglGetEventTrackInfoBRCM(EGLint track, EGLint nameStrSize, char *trackNameStr)
{
   EGLBoolean ret = eglGetEventTrackInfoBRCM(track, nameStrSize, trackNameStr);

   forward_error();
   return ret;
}

EGLBoolean EGLAPIENTRY
dispatch_eglGetEventInfoBRCM(EGLint event, EGLint nameStrSize, char *nameStr, EGLint *numDataFields,
                             EGLint *totalDataBytes)
{
   EGLBoolean ret = eglGetEventInfoBRCM(event, nameStrSize, nameStr, numDataFields, totalDataBytes);

   forward_error();
   return ret;
}

EGLBoolean EGLAPIENTRY
dispatch_eglGetEventDataFieldInfoBRCM(EGLint event, EGLint field, EGLint nameStrSize, char *nameStr,
                                      EGLBoolean *isSigned, EGLint *numBytes)
{
   EGLBoolean ret =
      eglGetEventDataFieldInfoBRCM(event, field, nameStrSize, nameStr, isSigned, numBytes);

   forward_error();
   return ret;
}

EGLBoolean EGLAPIENTRY
dispatch_eglSetEventCollectionBRCM(EGLenum pname)
{
   EGLBoolean ret = eglSetEventCollectionBRCM(pname);

   forward_error();
   return ret;
}

EGLBoolean EGLAPIENTRY
dispatch_eglGetEventDataBRCM(EGLint dataBufferBytes, void *data, EGLint *bytesWritten,
                             EGLBoolean *lostData, EGLuint64KHR *timestampNow)
{
   EGLBoolean ret =
      eglGetEventDataBRCM(dataBufferBytes, data, bytesWritten, lostData, timestampNow);

   forward_error();
   return ret;
}
