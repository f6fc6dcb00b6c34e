/* SPDX-License-Identifier: MIT */
/*
 * Says what the words of a job are.
 */
#ifndef VIVGPU_DECODE_H
#define VIVGPU_DECODE_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Print @count words, a line for each state or other command. */
void vivgpu_decode(FILE *to, const uint32_t *words, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
