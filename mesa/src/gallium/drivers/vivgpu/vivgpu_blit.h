/* SPDX-License-Identifier: MIT */
/*
 * Copies that are drawn.
 */
#ifndef VIVGPU_BLIT_H
#define VIVGPU_BLIT_H

#include <stdbool.h>

struct vivgpu_context;

/** Remember the context's state before Mesa's blitter changes it. */
void vivgpu_blit_save(struct vivgpu_context *context, bool conditional);

#endif
