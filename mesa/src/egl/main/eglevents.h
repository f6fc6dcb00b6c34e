/* SPDX-License-Identifier: MIT */
/*
 * EGL_BRCM_event_monitor. The functions have no display: they work for the
 * whole process, with or without a current context.
 */
#ifndef EGLEVENTS_INCLUDED
#define EGLEVENTS_INCLUDED

#include <EGL/eglext_brcm.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_event_monitor;

/**
 * A display was initialised whose screen has an event sampler. It serves the process from
 * now on, also when the display is gone: what was collected can still be had.
 */
void _eglSetEventMonitor(const struct pipe_event_monitor *monitor);

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
