/* SPDX-License-Identifier: MIT */
/*
 * Tokens of EGL_VIVGPU_context_budget (Documentation/mesa/deadlines.rst). Khronos has not registered
 * them: they are at the end of the range that is reserved for later extensions.
 */
#ifndef EGLEXT_VIVGPU_H
#define EGLEXT_VIVGPU_H

#include <EGL/egl.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef EGL_VIVGPU_context_budget
#define EGL_VIVGPU_context_budget 1

/** Attributes of a context: GPU time that it is promised in each period, and the period, in us */
#define EGL_CONTEXT_BUDGET_VIVGPU 0x3FF0
#define EGL_CONTEXT_PERIOD_VIVGPU 0x3FF1

/** Limit of both in us */
#define EGL_MAX_PERIOD_VIVGPU 1000000

#endif

#ifdef __cplusplus
}
#endif

#endif
