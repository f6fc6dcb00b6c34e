/* SPDX-License-Identifier: MIT */
/*
 * Finds the words of a command stream that hold GPU addresses, for relocation by the etnaviv
 * kernel driver. A pure function: it changes nothing but *command.
 */
#ifndef VIVGPU_ADDRESSES_H
#define VIVGPU_ADDRESSES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Find the next word that LOAD_STATE writes to a state with an address.
 *
 * @words: command stream of this driver, of whole commands
 * @count: number of 32-bit words
 * @from: index of the word to start at: 0, or the last result plus 1
 * @command: index of the first word of the command that @from is in; the caller sets it to 0
 *           before the first call, each call updates it
 *
 * Returns the word's index, or @count if there are no more.
 */
uint32_t vivgpu_addresses_next(const uint32_t *words, uint32_t count, uint32_t from,
                               uint32_t *command);

#ifdef __cplusplus
}
#endif

#endif
