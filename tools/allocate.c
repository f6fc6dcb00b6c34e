// SPDX-License-Identifier: MIT

#include "allocate.h"

#include <stdio.h>
#include <stdlib.h>

static void *check(void *memory)
{
	if (!memory) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return memory;
}

void *allocate(size_t size)
{
	/* calloc() may return NULL for 0 bytes, which is no lack of memory. */
	return check(calloc(1, size ? size : 1));
}

void *resize(void *memory, size_t size)
{
	return check(realloc(memory, size));
}
