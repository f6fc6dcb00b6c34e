/* SPDX-License-Identifier: MIT */
#ifndef SHIM_LINUX_LIMITS_H
#define SHIM_LINUX_LIMITS_H

#define U64_MAX 0xffffffffffffffffull
#define S64_MAX 0x7fffffffffffffffll

#endif
