// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoints' definitions. The code that the macros generate is not for sparse (__CHECKER__).
 */

#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "vivgpu_trace.h"
#endif
