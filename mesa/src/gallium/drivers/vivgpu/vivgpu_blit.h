/* SPDX-License-Identifier: MIT */
/*
 * Copies that are drawn.
 */
#ifndef VIVGPU_BLIT_H
#define VIVGPU_BLIT_H

#include <stdbool.h>

struct vivgpu_context;

/** Save the context's state before Mesa's blitter (util/u_blitter) changes it. */
void vivgpu_blit_save(struct vivgpu_context *context, bool conditional);

#endif
