// SPDX-License-Identifier: MIT
/*
 * Runs a decoded program on a batch.
 *
 * All lanes start as one group. A branch that only some lanes take splits the group in two,
 * each with a program counter. The group with the lowest program counter runs; groups with the
 * same program counter and return addresses are merged. In structured programs that is the
 * earliest point of reconvergence. Without divergence there is one group, and the overhead is
 * one comparison per instruction.
 */
#include <stdlib.h>
#include <string.h>

#include "gc/core.h"
#include "gc/shader_denormals.h"
#include "gc/shader_kernels.h"
#include "gc/shader_memory.h"
#include "gc/trace.h"

#define YIELD_INSTRUCTIONS 8192u /* of a batch, between two calls of gc_yield() */
/* A batch that runs longer is aborted [chosen]; silicon would hang until a reset. */
#define LIMIT_INSTRUCTIONS (4u << 20)

static void set_lanes(struct shader_run *run, uint64_t lanes)
{
	run->now.lanes = lanes;
	run->whole = (lanes | run->idle) == ~UINT64_C(0);
	run->mask_valid = false;
	run->running = (unsigned int)__builtin_popcountll(lanes);
}

static const vi *lane_mask(struct shader_run *run)
{
	if (!run->mask_valid) {
		for (unsigned int i = 0; i < GC_CHUNKS; i++)
			run->mask[i] = v_from_bits((uint32_t)(run->now.lanes >> (i * GC_CHUNK)) &
						   ((1u << GC_CHUNK) - 1));
		run->mask_valid = true;
	}
	return run->mask;
}

/* Groups of lanes */

static bool same_location(const struct shader_group *a, const struct shader_group *b)
{
	return a->pc == b->pc && a->depth == b->depth &&
	       !memcmp(a->stack, b->stack, a->depth * sizeof(a->stack[0]));
}

static void find_next_pc(struct shader_run *run)
{
	run->next_pc = UINT32_MAX;
	for (unsigned int i = 0; i < run->waitings; i++)
		if (run->waiting[i].pc < run->next_pc)
			run->next_pc = run->waiting[i].pc;
}

/* Add the lanes of @group to the waiting groups. */
static void push_pending(struct shader_run *run, const struct shader_group *group)
{
	if (group->pc < run->next_pc)
		run->next_pc = group->pc;
	for (unsigned int i = 0; i < run->waitings; i++) {
		if (same_location(&run->waiting[i], group)) {
			run->waiting[i].lanes |= group->lanes;
			return;
		}
	}
	run->waiting[run->waitings++] =
		*group; /* groups have lanes of their own: at most GC_LANES */
}

/* Continue with the waiting group with the lowest pc. Returns: false if none is left. */
static bool next_group(struct shader_run *run)
{
	unsigned int lowest = 0;

	while (run->waitings) {
		for (unsigned int i = lowest = 0; i < run->waitings; i++)
			if (run->waiting[i].pc < run->waiting[lowest].pc)
				lowest = i;
		run->now = run->waiting[lowest];
		run->waiting[lowest] = run->waiting[--run->waitings];
		find_next_pc(run);
		set_lanes(run, run->now.lanes & ~run->idle);
		if (run->now.lanes)
			return true;
	}
	return false;
}

/* A waiting group has the same pc as the running one or a lower one: merge or switch. */
static void reconverge(struct shader_run *run)
{
	if (run->now.lanes)
		push_pending(run, &run->now);
	next_group(run);
}

/* Lanes @lanes of the running group continue at @pc, the others at the next instruction. */
static void branch(struct shader_run *run, uint64_t lanes, uint32_t pc)
{
	struct shader_group other;

	if (!lanes)
		return;
	if (lanes == run->now.lanes) {
		run->now.pc = pc;
		return;
	}
	other = run->now;
	other.lanes = lanes;
	other.pc = pc;
	set_lanes(run, run->now.lanes & ~lanes);
	push_pending(run, &other);
}

/* Operands and results */

/* The operand whose register each lane's a0 selects; registers out of range read 0. */
static void gather(struct shader_run *run, const struct shader_preparation *how, unsigned int c,
		   union gc_lanes *out)
{
	const union gc_lanes *address = &run->batch->address.c[how->address];
	const struct gc_shader *s = run->shader;

	for (unsigned int i = 0; i < run->chunks * GC_CHUNK; i++) {
		uint32_t reg = how->reg + address->u[i];
		uint32_t word = reg * 4 + how->swizzle[c];

		out->u[i] = 0;
		if (how->uniform && reg < s->uniform_words / 4)
			out->u[i] = s->uniform[word];
		else if (!how->uniform && reg < GC_TEMPS)
			out->u[i] = run->batch->temp[reg].c[how->swizzle[c]].u[i];
	}
}

static void prepare(struct shader_run *run, const struct shader_micro *m)
{
	const struct shader_preparation *how = &run->shader->preparation[m->preparation];

	FOR_COMPONENTS(s, m->prepare)
	{
		FOR_COMPONENTS(c, how->components)
		{
			vi *d = (vi *)run->prepared[s].c[c].i;
			const vi *from = d;

			if (how->relative)
				gather(run, how, c, &run->prepared[s].c[c]);
			else
				from = (const vi *)(run->base[how->from.base] + how->from.comp[c])
					       ->i;
			FOR_CHUNKS(i)
			{
				d[i] = shader_modify(from[i], how->mods, how->type);
			}
		}
		how++;
	}
}

static void copy_lanes(const struct shader_run *run, union gc_lanes *to, const union gc_lanes *from)
{
	FOR_CHUNKS(i)
	{
		((vi *)to->i)[i] = ((const vi *)from->i)[i];
	}
}

/* Complete the kernel's result in place: saturation, narrowing, copies of a single result. */
static void finish(const struct shader_run *run, const struct shader_micro *m, union gc_lanes *out)
{
	unsigned int first = (unsigned int)__builtin_ctz(m->work);

	if (m->saturate || m->narrow != ISA_F32) {
		FOR_COMPONENTS(c, m->work)
		{
			FOR_CHUNKS(i)
			{
				vf *d = &((vf *)out[c].f)[i];

				if (m->saturate) { /* NaN becomes 0 */
					*d = v_pick(*d > 0.0f, *d, v_splat(0.0f));
					*d = v_pick(*d < 1.0f, *d, v_splat(1.0f));
				}
				*d = (vf)shader_modify((vi)*d, 0, m->narrow);
			}
		}
	}
	FOR_COMPONENTS(c, m->mask & ~m->work)
	{
		if (m->factors)
			FOR_CHUNKS(i)
		((vf *)out[c].f)[i] = v_splat(1.0f);
		else copy_lanes(run, &out[c], &out[first]);
	}
}

/* Copy @from to the lanes of the running group; other groups' lanes of @to keep their values. */
static void merge_lanes(struct shader_run *run, union gc_lanes *to, const union gc_lanes *from)
{
	const vi *mask = lane_mask(run);

	FOR_CHUNKS(i)
	{
		vi *d = &((vi *)to->i)[i];

		*d = v_picki(mask[i], ((const vi *)from->i)[i], *d);
	}
}

/*
 * Write each lane to the register that its a0 selects; registers out of range are ignored
 * [chosen].
 */
static void scatter(struct shader_run *run, const struct shader_micro *m, unsigned int c,
		    const union gc_lanes *from)
{
	const union gc_lanes *address = &run->batch->address.c[m->dst_address - 1];

	for (uint64_t left = run->now.lanes; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		uint32_t reg = m->dst + address->u[i];

		if (reg < GC_TEMPS)
			run->batch->temp[reg].c[c].u[i] = from->u[i];
	}
}

/* Write components m->mask of run->result to the destination. */
static void commit(struct shader_run *run, const struct shader_micro *m)
{
	FOR_COMPONENTS(c, m->mask)
	{
		union gc_lanes *to = &run->batch->temp[m->dst].c[c];

		if (m->dst_address)
			scatter(run, m, c, &run->result.c[c]);
		else if (run->whole)
			copy_lanes(run, to, &run->result.c[c]);
		else
			merge_lanes(run, to, &run->result.c[c]);
	}
}

/* Instructions */

static void run_alu(struct shader_run *run, const struct shader_micro *m)
{
	bool direct = run->whole && !m->scratch && !m->dst_address;
	union gc_lanes *out = direct ? run->batch->temp[m->dst].c : run->result.c;

	m->kernel(run, m, out);
	if (m->saturate | m->narrow | (m->work ^ m->mask)) /* ISA_F32, not narrow, is 0 */
		finish(run, m, out);
	if (!direct)
		commit(run, m);
}

static void run_address(struct shader_run *run, const struct shader_micro *m)
{
	m->kernel(run, m, run->result.c);
	FOR_COMPONENTS(c, m->mask)
	{
		merge_lanes(run, &run->batch->address.c[c], &run->result.c[c]);
	}
}

/*
 * Lanes of the running group for which the condition is true in any component of m->work, one
 * bit each.
 */
static uint64_t condition(struct shader_run *run, const struct shader_micro *m)
{
	uint64_t lanes = 0;

	if (!m->kernel)
		return run->now.lanes;
	m->kernel(run, m, run->result.c);
	FOR_COMPONENTS(c, m->work)
	{
		FOR_CHUNKS(i)
		{
			vi truth = ((const vi *)run->result.c[c].i)[i];

			lanes |= (uint64_t)v_bits(truth) << (i * GC_CHUNK);
		}
	}
	return lanes & run->now.lanes;
}

/* Kill lanes. A quad runs until all four are killed, since derivatives use them. */
static void kill_lanes(struct shader_run *run, uint64_t lanes)
{
	struct gc_batch *batch = run->batch;
	uint64_t dead;

	batch->killed |= lanes;
	dead = batch->killed | ~batch->live;
	if (run->shader->stage == GC_STAGE_PS) {
		dead &= dead >> 1;
		dead &= dead >> 2;
		dead &= UINT64_C(0x1111111111111111);
		dead |= dead << 1;
		dead |= dead << 2;
	}
	run->idle |= dead;
	set_lanes(run, run->now.lanes & ~dead);
}

static void call(struct shader_run *run, const struct shader_micro *m)
{
	struct shader_group called = run->now; /* whose pc is already the return address */

	called.lanes = condition(run, m);
	if (!called.lanes)
		return;
	if (called.depth == SHADER_CALL_DEPTH) {
		gc_trace(run->gc, "sh", "calls nested deeper than %u", SHADER_CALL_DEPTH);
		run->stop = true;
		return;
	}
	called.stack[called.depth++] = called.pc;
	called.pc = m->target;
	set_lanes(run, run->now.lanes & ~called.lanes);
	push_pending(run, &called);
}

static void sample(struct shader_run *run, const struct shader_micro *m,
		   const struct gc_texture_request *request)
{
	struct gc_vec4 *to = &run->batch->temp[m->dst];

	run->cost.texlds += (uint64_t)__builtin_popcountll(request->live);
	/* to the register itself: no component or lane of it has to be kept */
	if (m->whole_texel && run->whole && request->live == run->now.lanes) {
		gc_texture_sample(run->gc, request, to);
		return;
	}
	gc_texture_sample(run->gc, request, &run->texel);
	FOR_COMPONENTS(c, m->mask)
	{
		copy_lanes(run, &run->result.c[c], &run->texel.c[m->swizzle[c]]);
	}
	commit(run, m);
}

/* Sampler number computed per lane: one request for each different number. */
static void sample_indexed(struct shader_run *run, const struct shader_micro *m,
			   struct gc_texture_request *request)
{
	const union gc_lanes *address = &run->batch->address.c[m->sampler_address - 1];
	uint64_t all = run->now.lanes;

	for (uint64_t left = all; left;) {
		uint32_t number = m->sampler + address->u[__builtin_ctzll(left)];
		uint64_t same = 0;

		for (uint64_t look = left; look; look &= look - 1) {
			unsigned int i = (unsigned int)__builtin_ctzll(look);

			same |= (uint64_t)(m->sampler + address->u[i] == number) << i;
		}
		left &= ~same;
		request->sampler = number % 32; /* the field's range */
		request->live = same;
		set_lanes(run, same);
		run->whole &= same == all;
		sample(run, m, request);
	}
	set_lanes(run, all);
}

static void run_texture(struct shader_run *run, const struct shader_micro *m)
{
	struct gc_texture_request request = {
		.sampler = m->sampler,
		.mode = m->mode,
		.shadow = m->shadow,
		.live = run->now.lanes,
		.pixel_stage = run->shader->stage == GC_STAGE_PS,
	};

	for (unsigned int c = 0; c < 4; c++)
		request.coord[c] = shader_lanes(run, m, 0, c);
	request.lod = m->lod_in_coord ? request.coord[3] : shader_lanes(run, m, 1, 0);
	if (m->shadow)
		request.reference = shader_lanes(run, m, 2, 0);
	for (unsigned int c = 0; m->mode == GC_TEX_GRADIENT && c < 3; c++) {
		request.ddx[c] = shader_lanes(run, m, 1, c);
		request.ddy[c] = shader_lanes(run, m, 2, c);
	}
	if (m->sampler_address)
		sample_indexed(run, m, &request);
	else
		sample(run, m, &request);
}

static void run_memory(struct shader_run *run, const struct shader_micro *m)
{
	bool good = true;

	if (m->kind == SHADER_LOAD)
		good = shader_load(run, m, run->result.c);
	else if (m->kind == SHADER_STORE)
		good = shader_store(run, m);
	else
		good = shader_atomic(run, m, run->result.c);
	if (!good) /* the fault is recorded and the core stops */
		run->stop = true;
	else if (m->kind != SHADER_STORE)
		commit(run, m);
}

static void ret(struct shader_run *run)
{
	if (run->now.depth)
		run->now.pc = run->now.stack[--run->now.depth];
	else
		run->now.pc = run->shader->count; /* at the end of the main program */
}

static void execute(struct shader_run *run, const struct shader_micro *m)
{
	if (m->prepare)
		prepare(run, m);
	switch (m->kind) {
	case SHADER_ALU:
		run_alu(run, m);
		break;
	case SHADER_TEX:
		run_texture(run, m);
		break;
	case SHADER_BRANCH:
	case SHADER_BRANCH_ANY:
		run->cost.branches += run->running;
		branch(run, condition(run, m), m->target);
		break;
	case SHADER_ADDRESS:
		run_address(run, m);
		break;
	case SHADER_CALL:
		call(run, m);
		break;
	case SHADER_RET:
		ret(run);
		break;
	case SHADER_KILL:
		kill_lanes(run, condition(run, m));
		break;
	case SHADER_LOAD:
	case SHADER_STORE:
	case SHADER_ATOMIC:
		run_memory(run, m);
		break;
	}
}

/* Whether the run may continue after the first @done instructions; for the drawing thread only. */
static bool check_limits(struct shader_run *run, uint32_t done)
{
	if (!gc_yield(run->gc))
		return false;
	if (done < LIMIT_INSTRUCTIONS)
		return true;
	gc_trace(run->gc, "sh", "batch given up after %u instructions", done);
	return false;
}

static void run_groups(struct shader_run *run)
{
	uint32_t done = 0;

	while (!run->stop) {
		const struct shader_micro *m;

		if (run->now.pc >= run->next_pc)
			reconverge(run);
		m = &run->shader->micro[run->now.pc];
		if (m->kind == SHADER_END || !run->now.lanes) {
			if (!next_group(run))
				break;
			continue;
		}
		run->now.pc++;
		run->cost.instructions += run->running;
		execute(run, m);
		if (++done % YIELD_INSTRUCTIONS == 0 && !check_limits(run, done))
			break;
	}
}

/*
 * Run a program without branches and kills up to instruction @end; the moves after it are charged
 * only. run->running does not change, so all is charged at the end.
 */
static void run_straight(struct shader_run *run, uint32_t end)
{
	const struct gc_shader *shader = run->shader;
	uint32_t pc, count = shader->count - shader->start;

	for (pc = shader->start; pc < end && !run->stop; pc++) {
		execute(run, &shader->micro[pc]);
		if ((pc + 1 - shader->start) % YIELD_INSTRUCTIONS == 0 &&
		    !check_limits(run, pc + 1 - shader->start)) {
			pc++;
			break;
		}
	}
	if (pc < end || run->stop) /* aborted */
		count = pc - shader->start;
	run->cost.instructions += (uint64_t)count * run->running;
}

/* batch->live must not be 0. run->prepared and the results are written before they are read. */
static void begin_run(struct shader_run *run, struct gc_core *gc, const struct gc_shader *shader,
		      struct gc_batch *batch)
{
	run->gc = gc;
	run->shader = shader;
	run->batch = batch;
	run->base[SHADER_TEMP] = &batch->temp[0].c[0];
	run->base[SHADER_POOL] = shader->pool;
	run->base[SHADER_INTERNAL] =
		shader->stage == GC_STAGE_PS ? &batch->face : &batch->vertex_id;
	run->base[SHADER_PREPARED] = &run->prepared[0].c[0];
	run->chunks = (unsigned int)(63 - __builtin_clzll(batch->live)) / GC_CHUNK + 1;
	run->stop = false;
	run->idle = ~batch->live;
	run->waitings = 0;
	run->next_pc = UINT32_MAX;
	run->cost = (struct gc_shader_cost){ 0 };
	run->now.pc = shader->start;
	run->now.depth = 0;
	set_lanes(run, batch->live);
}

/* Run @shader, up to instruction @end if it has no branches. */
static void run_to(struct gc_core *gc, const struct gc_shader *shader, uint32_t end,
		   struct gc_batch *batch, struct gc_shader_cost *cost)
{
	struct shader_run run;
	uint64_t mode;

	if (!batch->live)
		return;
	begin_run(&run, gc, shader, batch);
	mode = shader_flush_denormals();
	if (shader->straight)
		run_straight(&run, end);
	else
		run_groups(&run);
	shader_restore_denormals(mode);
	cost->instructions += run.cost.instructions;
	cost->branches += run.cost.branches;
	cost->texlds += run.cost.texlds;
	cost->accesses += run.cost.accesses;
	cost->read_bytes += run.cost.read_bytes;
	cost->write_bytes += run.cost.write_bytes;
}

void gc_shader_run(struct gc_core *gc, const struct gc_shader *shader, struct gc_batch *batch,
		   struct gc_shader_cost *cost)
{
	run_to(gc, shader, shader->count, batch, cost);
}

void gc_shader_run_short(struct gc_core *gc, const struct gc_shader *shader, struct gc_batch *batch,
			 struct gc_shader_cost *cost)
{
	if (gc_shader_only_moves(shader) && batch->live)
		cost->instructions += (uint64_t)(shader->count - shader->start) *
				      (unsigned int)__builtin_popcountll(batch->live);
	else
		run_to(gc, shader, shader->tail, batch, cost);
}

bool gc_shader_uses_kill(const struct gc_shader *shader)
{
	return shader->uses_kill;
}
