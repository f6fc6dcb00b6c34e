/* SPDX-License-Identifier: MIT */
/*
 * How libglvnd calls the functions of EGL_BRCM_event_monitor. They have no
 * display that would tell whose they are; whoever got them by name from this
 * library calls this library. Their errors are kept where libglvnd's eglGetError
 * looks when no library was called last, so no current context is needed.
 */

#include "egldispatchstubs.h"
#include "g_egldispatchstubs.h"

#include "eglcurrent.h"
#include "eglevents.h"

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
