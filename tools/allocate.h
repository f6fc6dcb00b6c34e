/* SPDX-License-Identifier: MIT */
/* Memory for tools. Without memory a tool prints a message and ends with status 1. */
#ifndef VIVGPU_TOOLS_ALLOCATE_H
#define VIVGPU_TOOLS_ALLOCATE_H

#include <stddef.h>

/** Allocate @size bytes of zeros, to be freed with free(); never NULL. */
void *allocate(size_t size);

/** Like realloc(), but never NULL. @memory may be NULL, @size is not 0. */
void *resize(void *memory, size_t size);

#endif
