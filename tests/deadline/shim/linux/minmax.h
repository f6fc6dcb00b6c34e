/* SPDX-License-Identifier: MIT */
#ifndef SHIM_LINUX_MINMAX_H
#define SHIM_LINUX_MINMAX_H

#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max(a, b) max_t(__typeof__(a), a, b)
#define min(a, b) min_t(__typeof__(a), a, b)

#endif
