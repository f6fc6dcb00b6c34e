/* SPDX-License-Identifier: MIT */
/*
 * Blits, and copies between resources: by the resolve engine, by drawing or by the CPU.
 */
#ifndef VIVGPU_BLIT_H
#define VIVGPU_BLIT_H

#include <stdbool.h>

struct vivgpu_context;

/**
 * Save the context's state before Mesa's blitter (util/u_blitter) changes it. @conditional: the
 * render condition applies to the blit; otherwise it is saved and switched off as well.
 */
void vivgpu_blit_save(struct vivgpu_context *context, bool conditional);

#endif
