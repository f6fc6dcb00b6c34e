/* SPDX-License-Identifier: MIT */
/*
 * EGL_BRCM_event_monitor. Its functions have no display parameter: they apply to the whole process
 * and need no current context. Their parameters and errors are those of the extension's
 * specification.
 */
#ifndef EGLEVENTS_INCLUDED
#define EGLEVENTS_INCLUDED

#include <EGL/eglext_brcm.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_event_monitor;

/**
 * Set the event sampler of the process. To be called when a display is initialised whose screen
 * has one. It stays in use after the display is terminated, so that collected events can still be
 * read.
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
