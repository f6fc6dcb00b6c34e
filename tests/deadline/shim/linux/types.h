/* SPDX-License-Identifier: MIT */
/* The kernel's names, as far as the pure files of the deadline scheduler use them. */
#ifndef SHIM_LINUX_TYPES_H
#define SHIM_LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long u64;
typedef long long s64;
typedef uint32_t u32;

#endif
