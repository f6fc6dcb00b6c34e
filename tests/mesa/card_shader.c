// SPDX-License-Identifier: MIT
/*
 * The card's shader interpreter with a texture unit that computes its texels: the linker replaces
 * the real unit's entry point (see Makefile).
 */
#include "card_shader.h"

#include <string.h>

#include "gc/core.h"
#include "gc/personality.h"
#include "gc/shader.h"
#include "gc/shader_program.h"

static uint8_t memory[MEMORY_BYTES] __attribute__((aligned(4096)));
static const struct guest_memory guest = { 1, { { MEMORY_ADDRESS, MEMORY_BYTES, memory } } };
static struct gc_core core;
static struct gc_batch batch;

uint8_t *card_shader_memory(void)
{
	return memory;
}

void __wrap_gc_texture_sample(struct gc_core *gc, const struct gc_texture_request *request,
			      struct gc_vec4 *result);

void __wrap_gc_texture_sample(struct gc_core *gc, const struct gc_texture_request *request,
			      struct gc_vec4 *result)
{
	bool has_fourth = request->mode == GC_TEX_BIAS || request->mode == GC_TEX_LOD;

	for (unsigned int i = 0; i < GC_LANES; i++) {
		struct card_texel texel =
			card_texel(request->sampler, request->coord[0]->f[i],
				   request->coord[1]->f[i], has_fourth ? request->lod->f[i] : 0.0f,
				   request->shadow ? request->reference->f[i] : 0.0f);

		for (unsigned int c = 0; c < 4; c++)
			result->c[c].f[i] = texel.value[c];
	}
}

bool card_shader_run(const char *personality, bool fragment, const uint32_t *words,
		     unsigned int count, struct card_run *run)
{
	struct gc_shader_cost cost = { 0 };
	struct gc_shader *shader;

	core.personality = gc_personality_find(personality);
	gc_mmu_init(&core.mmu, core.personality->mmu_version, &guest);
	shader = gc_shader_decode(core.personality, fragment ? GC_STAGE_PS : GC_STAGE_VS, words,
				  count, 0);
	if (!shader || shader->error[0]) {
		strncpy(run->error, shader ? shader->error : "out of memory",
			sizeof(run->error) - 1);
		gc_shader_destroy(shader);
		return false;
	}
	memcpy(batch.temp, run->temp, sizeof(batch.temp));
	memcpy(batch.face.u, run->face, sizeof(run->face));
	batch.live = ~UINT64_C(0);
	batch.killed = 0;
	gc_shader_set_uniforms(shader, run->uniform, UNIFORM_WORDS);
	gc_shader_run(&core, shader, &batch, &cost);
	memcpy(run->temp, batch.temp, sizeof(batch.temp));
	run->killed = batch.killed;
	run->instructions = cost.instructions / LANES;
	gc_shader_destroy(shader);
	return true;
}
