/* SPDX-License-Identifier: MIT */
/* Hashes of 64 bits over a few numbers; the finaliser of SplitMix64. */
#ifndef VIVGPU_HASH_H
#define VIVGPU_HASH_H

#include <stdint.h>

static inline uint64_t
vivgpu_hash_add(uint64_t hash, uint64_t value)
{
   hash = (hash ^ value) + UINT64_C(0x9e3779b97f4a7c15);
   hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
   hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
   return hash ^ (hash >> 31);
}

/** Number of bits that @value needs: 0 for 0, else the integer part of its binary logarithm + 1 */
static inline unsigned
vivgpu_bits(uint64_t value)
{
   return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

#endif
