/* SPDX-License-Identifier: MIT */
/* Copies of samples between targets, and their resolution in parts, which change no picture. */
#ifndef TESTS_DRAWS_SAMPLES_H
#define TESTS_DRAWS_SAMPLES_H

#include "scene.h"

/** Framebuffers of one format; the first two have samples. */
struct sampled {
	GLuint drawn, other, resolved;
};

/**
 * OP_SAMPLES: copy samples to another target, replace the original by something else where the
 * scissor permits it, and copy them back. The framebuffer @target.drawn is bound again then.
 */
void copy_samples(const struct sampled *target, const struct command *command);

/**
 * Resolve the whole target and bind @target.resolved, without scissor. @part: OP_RESOLVE, whose part is
 * resolved for itself, or NULL.
 */
void resolve_samples(const struct sampled *target, const struct command *part);

#endif
