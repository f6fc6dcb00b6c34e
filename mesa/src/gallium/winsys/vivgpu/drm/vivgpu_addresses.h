/* SPDX-License-Identifier: MIT */
/*
 * Where in a stream of commands addresses are. Pure.
 */
#ifndef VIVGPU_ADDRESSES_H
#define VIVGPU_ADDRESSES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Look for the next word that a command loads into a state which holds an address.
 *
 * @words: whole commands, as this driver writes them
 * @count: their number
 * @from: word to begin with; 0, or one more than the last result
 * @command: where the command begins that @from is in; 0 at first, and kept up to date
 *
 * Returns the word's index, or @count if there are no more.
 */
uint32_t vivgpu_addresses_next(const uint32_t *words, uint32_t count, uint32_t from,
                               uint32_t *command);

#ifdef __cplusplus
}
#endif

#endif
