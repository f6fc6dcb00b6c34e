/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_VALIDATE_H_
#define _VIVGPU_VALIDATE_H_

#include <linux/types.h>

struct drm_vivgpu_piece;
struct vivgpu_states;

int vivgpu_validate_pieces(const struct drm_vivgpu_piece *pieces, u32 count, u32 max);
int vivgpu_validate(const u32 *stream, size_t words, size_t *where,
		    struct vivgpu_states *written);
bool vivgpu_validate_is_operation(u32 word);
bool vivgpu_validate_prologue(const u32 *stream, size_t words);
void vivgpu_validate_loads(const u32 *stream, size_t words, unsigned long *loaded);
u32 vivgpu_validate_command(u32 word);

#endif
