/* SPDX-License-Identifier: MIT */
/*
 * Decoder of command streams for VIVGPU_DEBUG=stream: prints commands and states by name.
 *
 * The states' names are rnndb's. Mesa 25 has no XML files of rnndb for these cores, only the
 * headers generated from them; vivgpu_state_names.py makes the table of names from these headers
 * when Mesa is built.
 */
#ifndef VIVGPU_DECODE_H
#define VIVGPU_DECODE_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Print the @count 32-bit words of a command stream to @to: one line for each state (address,
 * name, value in hexadecimal and as a float) and for each other command. A last command that is
 * cut off is printed as far as it goes.
 */
void vivgpu_decode(FILE *to, const uint32_t *words, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
