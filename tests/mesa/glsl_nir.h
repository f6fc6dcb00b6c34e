/* SPDX-License-Identifier: MIT */
/* GLSL to the NIR that a Gallium driver gets, without a context. */
#ifndef TESTS_MESA_GLSL_NIR_H
#define TESTS_MESA_GLSL_NIR_H

#include "compiler/nir/nir.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * glsl_nir - compile and link a program
 * @version: of GLSL, 100 or 110 and so on
 * @vertex, @fragment: names of files ending in .vert and .frag; NULL: no such shader
 * @options: what the driver wants
 * @shaders: by stage; ralloc_free() what is not NULL
 *
 * Returns: false when it does not compile or link.
 */
bool glsl_nir(int version, const char *vertex, const char *fragment,
	      const nir_shader_compiler_options *options,
	      nir_shader *shaders[MESA_SHADER_FRAGMENT + 1]);

/** glsl_nir_keep - make GLSL's built-in functions once, for this process and those it forks */
void glsl_nir_keep(void);

#ifdef __cplusplus
}
#endif

#endif
