/* SPDX-License-Identifier: MIT */
#ifndef SHIM_LINUX_BITS_H
#define SHIM_LINUX_BITS_H

#define BIT(n) (1ul << (n))
#define BIT_ULL(n) (1ull << (n))

#endif
