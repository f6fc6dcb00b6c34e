/* SPDX-License-Identifier: MIT */
#define EXPORT_SYMBOL_IF_KUNIT(name)
