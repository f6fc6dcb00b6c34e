// SPDX-License-Identifier: MIT
/*
 * Locations of programs and uniforms, and the cache of decoded programs.
 *
 * On cores with one instruction memory for both stages, a program is the range LOW to HIGH of
 * VS_RANGE or PS_RANGE, which those with an instruction cache also have as two states;
 * START_PC and END_PC may be zero there. Otherwise it is END_PC instructions from LOW on, in a
 * numbering in which the pixel stage's memory follows the vertex stage's, at STAGE_INSTRUCTIONS.
 * Instructions are stored in states or, with the
 * instruction cache enabled, in memory, and are read through that cache. A decoded program is
 * reused if its instruction words are the same.
 */
#include <stdlib.h>
#include <string.h>

#include "gc/core.h"
#include "gc/icache.h"
#include "gc/shader_program.h"
#include "gc/trace.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define FIELD(word, name) (((word) & name##__MASK) >> name##__SHIFT)

#define CACHE_PROGRAMS 64u
#define STAGE_INSTRUCTIONS 256u /* VS_INST_MEM, PS_INST_MEM */

/* Location of a stage's program, from the states. */
struct location {
	uint32_t start, count; /* instructions; start is relative to the first one */
	uint32_t first;        /* in the instruction memory, or in memory from INST_ADDR on */
	bool in_memory;
	uint32_t address; /* if in_memory */
};

struct current {
	struct location location;
	uint64_t stamp; /* program_stamp() when it was read */
	struct gc_shader *shader;
};

struct gc_shader_cache {
	struct current current[2]; /* by stage */
	struct gc_icache icache[2];
	struct gc_shader *program[CACHE_PROGRAMS];
	uint64_t clock; /* incremented by each use */
	uint32_t words[SHADER_MAX_INSTRUCTIONS * ISA_WORDS];
};

/*
 * Cores with more instructions than VS_INST_MEM and PS_INST_MEM hold have one memory for both
 * stages.
 */
static bool has_unified_memory(const struct gc_core *gc)
{
	return gc->personality->instruction_cache ||
	       gc->personality->instructions > STAGE_INSTRUCTIONS;
}

static void locate(const struct gc_core *gc, enum gc_stage stage, struct location *at)
{
	const struct gc_state *state = &gc->state;
	bool vs = stage == GC_STAGE_VS;
	uint32_t control = gc_state_u32(state, VIVS_VS_ICACHE_CONTROL);
	uint32_t range = gc_state_u32(state, vs ? VIVS_VS_RANGE : VIVS_PS_RANGE);
	uint32_t low = FIELD(range, VIVS_VS_RANGE_LOW), high = FIELD(range, VIVS_VS_RANGE_HIGH);

	memset(at, 0, sizeof(*at)); /* compared with memcmp() */
	at->start = gc_state_u32(state, vs ? VIVS_VS_START_PC : VIVS_PS_START_PC);
	at->first = low;
	if (has_unified_memory(gc))
		at->count = high < low ? 0 : high - low + 1;
	else
		at->count = gc_state_u32(state, vs ? VIVS_VS_END_PC : VIVS_PS_END_PC);
	at->in_memory =
		gc->personality->instruction_cache && control & VIVS_VS_ICACHE_CONTROL_ENABLE;
	if (at->in_memory)
		at->address = gc_state_u32(state, vs ? VIVS_VS_INST_ADDR : VIVS_PS_INST_ADDR) +
			      at->first * ISA_BYTES;
}

/* State address of instruction @index */
static uint32_t instruction_state(const struct gc_core *gc, uint32_t index)
{
	if (has_unified_memory(gc))
		return VIVS_SH_INST_MEM(index * ISA_WORDS);
	return index < STAGE_INSTRUCTIONS
		       ? VIVS_VS_INST_MEM(index * ISA_WORDS)
		       : VIVS_PS_INST_MEM((index - STAGE_INSTRUCTIONS) * ISA_WORDS);
}

void gc_shader_load_mirror(struct gc_core *gc, uint32_t address, uint32_t value)
{
	if (has_unified_memory(gc))
		gc_state_set(&gc->state, address - VIVS_SH_INST_MEM_MIRROR(0) + VIVS_SH_INST_MEM(0),
			     value);
}

void gc_shader_set_range(struct gc_core *gc, uint32_t address, uint32_t value)
{
	uint32_t state = address < GC_PS_FIRST ? VIVS_VS_RANGE : VIVS_PS_RANGE;
	uint32_t range = gc_state_u32(&gc->state, state);

	if (!gc->personality->instruction_cache)
		return;
	if (value > UINT16_MAX)
		value = UINT16_MAX; /* more than any core has */
	if (address == GC_VS_FIRST || address == GC_PS_FIRST)
		range = (range & ~VIVS_VS_RANGE_LOW__MASK) | VIVS_VS_RANGE_LOW(value);
	else
		range = (range & ~VIVS_VS_RANGE_HIGH__MASK) | VIVS_VS_RANGE_HIGH(value);
	gc_state_set(&gc->state, state, range);
}

/*
 * Stamp of the newest write to the program's states; checks one stamp per KiB, their
 * granularity. Instruction memories begin at multiples of that.
 */
static uint64_t code_stamp(const struct gc_core *gc, const struct location *at)
{
	uint32_t step = (1u << GC_STATE_PAGE_SHIFT) / ISA_BYTES;
	uint64_t newest = 0;

	for (uint32_t i = 0; i < at->count; i += step - (at->first + i) % step) {
		uint32_t address = instruction_state(gc, at->first + i);
		uint64_t stamp = gc_state_changed(&gc->state, address, address);

		newest = stamp > newest ? stamp : newest;
	}
	return newest;
}

static void copy_from_state(const struct gc_core *gc, const struct location *at, uint32_t *words)
{
	for (uint32_t i = 0; i < at->count; i++)
		memcpy(words + i * ISA_WORDS,
		       &gc->state.word[instruction_state(gc, at->first + i) / 4], ISA_BYTES);
}

/*
 * Whether the program used last in this stage is still valid. A program larger than the
 * instruction cache is always read again.
 */
static bool is_current(const struct current *current, const struct location *at, uint64_t stamp)
{
	if (!current->shader || memcmp(&current->location, at, sizeof(*at)))
		return false;
	if (at->in_memory &&
	    at->address % GC_ICACHE_LINE_BYTES + at->count * ISA_BYTES > GC_ICACHE_BYTES)
		return false;
	return current->stamp == stamp;
}

static uint64_t hash_words(const uint32_t *words, uint32_t count)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, by words */

	for (uint32_t i = 0; i < count; i++)
		hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static void trace_program(const struct gc_core *gc, const struct gc_shader *shader)
{
	char line[128];

	if (!gc_tracing(gc))
		return;
	for (uint32_t i = 0; i < shader->count; i++) {
		gc_shader_disassemble(shader->words + i * ISA_WORDS, line, sizeof(line));
		gc_trace(gc, "sh", "%s %3u %s", shader->stage == GC_STAGE_VS ? "vs" : "ps", i,
			 line);
	}
}

static struct gc_shader *find_program(struct gc_shader_cache *cache, enum gc_stage stage,
				      const struct location *at, uint64_t hash)
{
	for (unsigned int i = 0; i < CACHE_PROGRAMS; i++) {
		struct gc_shader *have = cache->program[i];

		if (have && have->hash == hash && have->stage == stage &&
		    have->count == at->count && have->start == at->start &&
		    !memcmp(have->words, cache->words, at->count * ISA_BYTES))
			return have;
	}
	return NULL;
}

/*
 * A free entry of the program cache; removes the least recently used program if necessary. That is
 * not the other stage's program of the same draw, which was used last.
 */
static struct gc_shader **make_room(struct gc_shader_cache *cache)
{
	struct gc_shader **oldest = &cache->program[0];

	for (unsigned int i = 0; i < CACHE_PROGRAMS; i++) {
		if (!cache->program[i])
			return &cache->program[i];
		if (cache->program[i]->used < (*oldest)->used)
			oldest = &cache->program[i];
	}
	for (unsigned int stage = 0; stage < 2; stage++)
		if (cache->current[stage].shader == *oldest)
			cache->current[stage].shader = NULL;
	gc_shader_destroy(*oldest);
	*oldest = NULL;
	return oldest;
}

/* The program with the instructions in cache->words, from the cache or newly decoded. */
static struct gc_shader *look_up(struct gc_core *gc, enum gc_stage stage, const struct location *at)
{
	struct gc_shader_cache *cache = gc->shaders;
	uint64_t hash = hash_words(cache->words, at->count * ISA_WORDS);
	struct gc_shader *shader = find_program(cache, stage, at, hash);

	if (shader)
		return shader;
	shader = gc_shader_decode(gc->personality, stage, cache->words, at->count, at->start);
	if (!shader)
		return NULL;
	shader->hash = hash;
	*make_room(cache) = shader;
	trace_program(gc, shader);
	return shader;
}

/* Read the program's instructions into cache->words and count what that reads; false after a fault. */
static bool fetch(struct gc_core *gc, enum gc_stage stage, const struct location *at)
{
	struct gc_icache *icache = &gc->shaders->icache[stage];
	uint64_t fills = icache->fills;
	bool ok;

	if (!at->in_memory) {
		copy_from_state(gc, at, gc->shaders->words);
		return true;
	}
	ok = gc_icache_read(icache, &gc->mmu, at->address, gc->shaders->words,
			    at->count * ISA_BYTES);
	gc->work.code_bytes += (icache->fills - fills) * GC_ICACHE_LINE_BYTES;
	return ok;
}

/* Whether the program exists, and fits in cache->words and, unless in memory, in the states. */
static bool is_sensible(const struct gc_core *gc, const struct location *at)
{
	uint32_t room =
		has_unified_memory(gc) ? gc->personality->instructions : 2 * STAGE_INSTRUCTIONS;

	if (!at->count || at->start >= at->count || at->count > SHADER_MAX_INSTRUCTIONS)
		return false;
	return at->in_memory || at->first + at->count <= room;
}

/*
 * Make the pool of @shader have the values of the stage's uniforms. Nothing is done if it was made
 * from the same states and none of those that the program reads has been written since.
 */
static void bind_uniforms(struct gc_core *gc, struct gc_shader *shader)
{
	const struct gc_state *state = &gc->state;
	bool vs = shader->stage == GC_STAGE_VS;
	uint32_t first = vs ? VIVS_VS_UNIFORMS(0) : VIVS_PS_UNIFORMS(0);
	uint32_t words = 4 * (vs ? gc->personality->uniforms : gc->personality->ps_uniforms);
	uint64_t stamp = 0;

	if (gc->personality->unified_uniforms) {
		uint32_t base =
			gc_state_u32(state, vs ? VIVS_VS_UNIFORM_BASE : VIVS_PS_UNIFORM_BASE);

		base = base < VIVS_SH_UNIFORMS__LEN / 4 ? base * 4 : VIVS_SH_UNIFORMS__LEN;
		first = VIVS_SH_UNIFORMS(base);
		words = VIVS_SH_UNIFORMS__LEN - base;
	}
	if (words && shader->uniform_end) {
		uint32_t end = shader->uniform_end < words ? shader->uniform_end : words;

		stamp = gc_state_changed(state, first, first + end * 4 - 4);
	}
	if (shader->uniform == &state->word[first / 4] && shader->uniform_stamp == stamp)
		return;
	gc_shader_set_uniforms(shader, &state->word[first / 4], words);
	shader->uniform_stamp = stamp;
}

/* A number that changes whenever the program at @at may have changed. */
static uint64_t program_stamp(const struct gc_core *gc, enum gc_stage stage,
			      const struct location *at)
{
	return at->in_memory ? gc->shaders->icache[stage].changes : code_stamp(gc, at);
}

/* The program at @at, or NULL. */
static struct gc_shader *get_program(struct gc_core *gc, enum gc_stage stage,
				     const struct location *at)
{
	struct current *current = &gc->shaders->current[stage];
	struct gc_shader *shader;

	if (is_current(current, at, program_stamp(gc, stage, at)))
		return current->shader;
	if (!fetch(gc, stage, at))
		return NULL;
	shader = look_up(gc, stage, at);
	current->location = *at;
	current->stamp = program_stamp(gc, stage, at);
	current->shader = shader;
	return shader;
}

const struct gc_shader *gc_shader_get(struct gc_core *gc, enum gc_stage stage)
{
	const char *name = stage == GC_STAGE_VS ? "vs" : "ps";
	struct gc_shader *shader;
	struct location at;

	if (!gc->shaders)
		gc->shaders = calloc(1, sizeof(*gc->shaders));
	if (!gc->shaders)
		return NULL;
	locate(gc, stage, &at);
	if (!is_sensible(gc, &at)) {
		gc_trace(gc, "sh", "%s refused: %u instructions from %u, start %u", name, at.count,
			 at.first, at.start);
		return NULL;
	}
	shader = get_program(gc, stage, &at);
	if (!shader)
		return NULL;
	shader->used = ++gc->shaders->clock;
	if (shader->error[0]) {
		gc_trace(gc, "sh", "%s refused: %s", name, shader->error);
		return NULL;
	}
	bind_uniforms(gc, shader);
	return shader;
}

void gc_shader_flush_icache(struct gc_core *gc, uint32_t control)
{
	static const uint32_t bits[2] = {
		[GC_STAGE_VS] = VIVS_VS_ICACHE_CONTROL_FLUSH_VS,
		[GC_STAGE_PS] = VIVS_VS_ICACHE_CONTROL_FLUSH_PS,
	};

	for (unsigned int stage = 0; stage < 2; stage++) {
		if (!(control & bits[stage]))
			continue;
		gc->counters.sh_icache_flushes++;
		if (gc->shaders)
			gc_icache_flush(&gc->shaders->icache[stage]);
	}
}

void gc_shader_cache_free(struct gc_core *gc)
{
	if (!gc->shaders)
		return;
	for (unsigned int i = 0; i < CACHE_PROGRAMS; i++)
		gc_shader_destroy(gc->shaders->program[i]);
	free(gc->shaders);
	gc->shaders = NULL;
}
