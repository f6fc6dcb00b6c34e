/* SPDX-License-Identifier: MIT */
/* Vertices in a buffer that stays mapped while it is drawn from and written (ARB_buffer_storage). */
#ifndef TESTS_DRAWS_MAPPED_H
#define TESTS_DRAWS_MAPPED_H

#include "scene.h"

/** True if the driver has such buffers. */
bool can_map_buffers(void);

/** OP_BUFFER: the draws that follow have their vertices in a mapped buffer. */
void use_mapped(const struct command *command);

/**
 * Draw an OP_DRAW from the mapped buffer. Returns false if there is none, and then nothing is
 * drawn.
 */
bool draw_mapped(const struct command *command);

/**
 * Unmap and delete the buffer. Returns false if the mapping of a buffer of this scene did not show
 * what was last written to it.
 */
bool end_mapped(void);

#endif
