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
 * Print a command stream: one line for each state (address, name, value in hexadecimal and as a
 * float) and for each other command. A truncated last command is printed as far as its words go.
 * @to: where to print. @words, @count: the 32-bit words of the stream.
 */
void vivgpu_decode(FILE *to, const uint32_t *words, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
