/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_VALIDATE_H_
#define _VIVGPU_VALIDATE_H_

#include <linux/types.h>

int vivgpu_validate(const u32 *stream, size_t words, size_t *where);
u32 vivgpu_validate_command(u32 word);
bool vivgpu_validate_state(u32 address, u32 count);

#endif
