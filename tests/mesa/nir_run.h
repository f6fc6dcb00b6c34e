/* SPDX-License-Identifier: MIT */
/*
 * Reference interpreter: executes NIR with NIR's own constant folding, before any pass has changed
 * it. It supports what tests generate: whole variables, structured control flow, no functions, no
 * arrays.
 */
#ifndef TESTS_MESA_NIR_RUN_H
#define TESTS_MESA_NIR_RUN_H

#include "card_shader.h"
#include "compiler/nir/nir.h"

#define NIR_RUN_VARIABLES 512

/* One variable's components in all lanes. */
typedef uint32_t nir_run_value[4][LANES];

struct nir_run {
	const nir_shader *shader;
	/* in */
	const uint32_t *uniform; /* four words a vec4; uniform buffers hold the same */
	float noise;             /* each float result is off by up to this part of itself */
	uint32_t seed;
	unsigned int sampler_base; /* what the core adds to a sampler's number */
	uint32_t face[LANES];
	nir_run_value frag_coord;
	/* in and out */
	unsigned int variables;
	const nir_variable *variable[NIR_RUN_VARIABLES];
	nir_run_value value[NIR_RUN_VARIABLES];
	/* out */
	uint64_t killed;
	char error[128];
};

/** nir_run_variable - where @variable's value is; a new one is zero. */
nir_run_value *nir_run_variable(struct nir_run *run, const nir_variable *variable);

/** nir_run_shader - run it; false, and run->error, when it has what this cannot do. */
bool nir_run_shader(struct nir_run *run);

#endif
