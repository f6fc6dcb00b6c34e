/* SPDX-License-Identifier: MIT */
/* Shaders made at random, the same for the same seed. */
#ifndef TESTS_MESA_RANDOM_SHADER_H
#define TESTS_MESA_RANDOM_SHADER_H

#include "compiler/nir/nir.h"

#define RANDOM_INPUTS 6
#define RANDOM_OUTPUTS 4
#define RANDOM_UNIFORMS 24 /* vec4 numbers that all shaders may read */
#define RANDOM_MORE 256    /* vec4 numbers after them that those of kinds with @more read, too */

struct random_kind {
	gl_shader_stage stage;
	bool integers;          /* the core has them */
	bool control;           /* branches and loops */
	unsigned int ops;       /* about how many operations */
	unsigned int kept;      /* values that are alive until the end */
	unsigned int more;      /* about how many of RANDOM_MORE are read */
	bool scalars;           /* one component of each of them */
	unsigned int constants; /* number of different ones these are multiplied by */
};

/** random_shader - a new shader with RANDOM_OUTPUTS outputs; ralloc_free() it. */
nir_shader *random_shader(const struct random_kind *kind,
			  const nir_shader_compiler_options *options, uint32_t seed);

#endif
