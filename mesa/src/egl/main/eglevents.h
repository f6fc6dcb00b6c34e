/* SPDX-License-Identifier: MIT */
/*
 * EGL_BRCM_event_monitor. The functions have no display: they work for the
 * whole process, with or without a current context.
 */
#ifndef EGLEVENTS_INCLUDED
#define EGLEVENTS_INCLUDED

#include <stdbool.h>

#include <EGL/eglext_brcm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Has this process a screen whose driver collects events? */
bool _eglHasEventMonitor(void);

EGLint EGLAPIENTRY eglGetEventConstantBRCM(EGLenum pname);

EGLBoolean EGLAPIENTRY eglGetEventTrackInfoBRCM(EGLint track, EGLint nameStrSize,
                                                char *trackNameStr);

EGLBoolean EGLAPIENTRY eglGetEventInfoBRCM(EGLint event, EGLint nameStrSize, char *nameStr,
                                           EGLint *numDataFields, EGLint *totalDataBytes);

EGLBoolean EGLAPIENTRY eglGetEventDataFieldInfoBRCM(EGLint event, EGLint field, EGLint nameStrSize,
                                                    char *nameStr, EGLBoolean *isSigned,
                                                    EGLint *numBytes);

EGLBoolean EGLAPIENTRY eglSetEventCollectionBRCM(EGLenum pname);

EGLBoolean EGLAPIENTRY eglGetEventDataBRCM(EGLint dataBufferBytes, void *data, EGLint *bytesWritten,
                                           EGLBoolean *lostData, EGLuint64BRCM *timestampNow);

#ifdef __cplusplus
}
#endif

#endif
