/* SPDX-License-Identifier: MIT */
/*
 * Tokens and function types of EGL_BRCM_event_monitor. Applications get the functions from
 * eglGetProcAddress().
 */
#ifndef EGLEXT_BRCM_H
#define EGLEXT_BRCM_H

#include <EGL/egl.h>
#include <EGL/eglext.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef EGL_BRCM_event_monitor
#define EGL_BRCM_event_monitor 1

typedef EGLuint64KHR EGLuint64BRCM;

#define EGL_ACQUIRE_EVENTS_BRCM       0x33D0
#define EGL_RELEASE_EVENTS_BRCM       0x33D1
#define EGL_START_EVENTS_BRCM         0x33D2
#define EGL_STOP_EVENTS_BRCM          0x33D3
#define EGL_NUM_EVENT_TRACKS_BRCM     0x33D4
#define EGL_NUM_EVENTS_BRCM           0x33D5
#define EGL_MAX_EVENT_STRING_LEN_BRCM 0x33D6

typedef EGLint(EGLAPIENTRYP PFNEGLGETEVENTCONSTANTBRCMPROC)(EGLenum pname);
typedef EGLBoolean(EGLAPIENTRYP PFNEGLGETEVENTTRACKINFOBRCMPROC)(EGLint track, EGLint nameStrSize,
                                                                 char *trackNameStr);
typedef EGLBoolean(EGLAPIENTRYP PFNEGLGETEVENTINFOBRCMPROC)(EGLint event, EGLint nameStrSize,
                                                            char *nameStr, EGLint *numDataFields,
                                                            EGLint *totalDataBytes);
typedef EGLBoolean(EGLAPIENTRYP PFNEGLGETEVENTDATAFIELDINFOBRCMPROC)(EGLint event, EGLint field,
                                                                     EGLint nameStrSize,
                                                                     char *nameStr,
                                                                     EGLBoolean *isSigned,
                                                                     EGLint *numBytes);
typedef EGLBoolean(EGLAPIENTRYP PFNEGLSETEVENTCOLLECTIONBRCMPROC)(EGLenum pname);
typedef EGLBoolean(EGLAPIENTRYP PFNEGLGETEVENTDATABRCMPROC)(EGLint dataBufferBytes, void *data,
                                                            EGLint *bytesWritten,
                                                            EGLBoolean *lostData,
                                                            EGLuint64BRCM *timestampNow);

#endif

#ifdef __cplusplus
}
#endif

#endif
