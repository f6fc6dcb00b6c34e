// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoints' definitions.
 */

#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "vivgpu_trace.h"
#endif
