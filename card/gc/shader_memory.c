// SPDX-License-Identifier: MIT
/*
 * LOAD, STORE and atomic instructions. The address is the first operand plus the second one
 * shifted left. Enabled components are consecutive in memory, whichever they are [inferred from
 * how drivers load uniform buffers].
 */
#include <string.h>

#include "gc/core.h"
#include "gc/shader_kernels.h"
#include "gc/shader_memory.h"

#define FOR_LANES(i, lanes)                                                                   \
	for (uint64_t left_ = (lanes), i; left_ && (i = (uint64_t)__builtin_ctzll(left_), 1); \
	     left_ &= left_ - 1)

static unsigned int element_bytes(unsigned int type)
{
	switch (type) {
	case ISA_S8:
	case ISA_U8:
		return 1;
	case ISA_S16:
	case ISA_U16:
		return 2;
	default:
		return 4;
	}
}

/* Count one access per lane. */
static void count_accesses(struct shader_run *run, uint64_t lanes, unsigned int read_bytes,
			   unsigned int write_bytes)
{
	unsigned int n = (unsigned int)__builtin_popcountll(lanes);

	run->cost.accesses += n;
	run->cost.read_bytes += (uint64_t)n * read_bytes;
	run->cost.write_bytes += (uint64_t)n * write_bytes;
}

/* The address of a lane's first element; m->shift is 0 for atomics. */
static uint32_t lane_address(const struct shader_run *run, const struct shader_micro *m,
			     unsigned int lane)
{
	return shader_lanes(run, m, 0, 0)->u[lane] +
	       (shader_lanes(run, m, 1, 0)->u[lane] << m->shift);
}

/* Extend an element to 32 bits by its type. */
static uint32_t widen(uint32_t value, unsigned int type)
{
	switch (type) {
	case ISA_S8:
		return (uint32_t)(int8_t)value;
	case ISA_S16:
		return (uint32_t)(int16_t)value;
	default:
		return value;
	}
}

/* Host address of a byte in the shaders' cache, or NULL after a fault. */
static uint8_t *byte_in_l1(struct gc_core *gc, uint32_t address, bool write)
{
	uint32_t number = address / DATA_CACHE_BYTES;
	const uint8_t *memory = gc_mmu_map(&gc->mmu, GC_CLIENT_TX, write ? GC_WRITE : GC_READ,
					   number * DATA_CACHE_BYTES);
	uint8_t *line;

	if (!memory)
		return NULL;
	line = data_cache_line(gc->l1, number, memory);
	if (write)
		data_cache_mark(gc->l1, number);
	return line + address % DATA_CACHE_BYTES;
}

/* Without --caches=data there is no gc->l1, and accesses go to memory. */
static bool read_bytes(struct gc_core *gc, uint32_t address, uint32_t *value, unsigned int bytes)
{
	if (!gc->l1)
		return gc_mmu_read(&gc->mmu, GC_CLIENT_TX, address, value, bytes);
	for (unsigned int i = 0; i < bytes; i++) {
		const uint8_t *from = byte_in_l1(gc, address + i, false);

		if (!from)
			return false;
		((uint8_t *)value)[i] = *from;
	}
	return true;
}

static bool write_bytes(struct gc_core *gc, uint32_t address, uint32_t value, unsigned int bytes)
{
	if (!gc->l1)
		return gc_mmu_write(&gc->mmu, GC_CLIENT_TX, address, &value, bytes);
	for (unsigned int i = 0; i < bytes; i++) {
		uint8_t *to = byte_in_l1(gc, address + i, true);

		if (!to)
			return false;
		*to = (uint8_t)(value >> 8 * i);
	}
	return true;
}

bool shader_load(struct shader_run *run, const struct shader_micro *m, union gc_lanes *out)
{
	unsigned int bytes = element_bytes(m->type);

	count_accesses(run, run->now.lanes, bytes * (unsigned int)__builtin_popcount(m->mask), 0);
	FOR_LANES(i, run->now.lanes)
	{
		uint32_t address = lane_address(run, m, i);

		FOR_COMPONENTS(c, m->mask)
		{
			uint32_t value = 0;

			if (!read_bytes(run->gc, address, &value, bytes))
				return false;
			out[c].u[i] = widen(value, m->type);
			address += bytes;
		}
	}
	return true;
}

/* The running lanes that may write. */
static uint64_t writing_lanes(const struct shader_run *run)
{
	return run->now.lanes & ~(run->batch->killed | run->batch->helpers);
}

bool shader_store(struct shader_run *run, const struct shader_micro *m)
{
	unsigned int bytes = element_bytes(m->type);
	uint64_t lanes = writing_lanes(run);

	count_accesses(run, lanes, 0, bytes * (unsigned int)__builtin_popcount(m->mask));
	FOR_LANES(i, lanes)
	{
		uint32_t address = lane_address(run, m, i);

		FOR_COMPONENTS(c, m->mask)
		{
			uint32_t value = shader_lanes(run, m, 2, c)->u[i];

			if (!write_bytes(run->gc, address, value, bytes))
				return false;
			address += bytes;
		}
	}
	return true;
}

/* The value to store; @a is the operand's first component, @b its second. */
static uint32_t atomic_result(const struct shader_micro *m, uint32_t old, uint32_t a, uint32_t b)
{
	bool is_signed = m->type == ISA_S32;
	bool less = is_signed ? (int32_t)a < (int32_t)old : a < old;

	switch (m->opcode) {
	case ISA_ATOM_ADD:
		return old + a;
	case ISA_ATOM_XCHG:
		return a;
	case ISA_ATOM_CMP_XCHG:
		return old == a ? b : old; /* x: compared, y: new value [inferred] */
	case ISA_ATOM_MIN:
		return less ? a : old;
	case ISA_ATOM_MAX:
		return less ? old : a;
	case ISA_ATOM_OR:
		return old | a;
	case ISA_ATOM_AND:
		return old & a;
	default:
		return old ^ a;
	}
}

bool shader_atomic(struct shader_run *run, const struct shader_micro *m, union gc_lanes *out)
{
	uint64_t lanes = writing_lanes(run);

	count_accesses(run, lanes, sizeof(uint32_t), sizeof(uint32_t));
	FOR_LANES(i, lanes)
	{
		uint32_t address = lane_address(run, m, i) & ~3u;
		uint32_t *word =
			run->gc->l1 ? (uint32_t *)byte_in_l1(run->gc, address, true)
				    : gc_mmu_map(&run->gc->mmu, GC_CLIENT_TX, GC_WRITE, address);
		uint32_t a = shader_lanes(run, m, 2, 0)->u[i];
		uint32_t b = shader_lanes(run, m, 2, 1)->u[i];
		uint32_t old;

		if (!word)
			return false;
		old = __atomic_load_n(word, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(word, &old, atomic_result(m, old, a, b), false,
						    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			;
		FOR_COMPONENTS(c, m->mask)
		{
			out[c].u[i] = old;
		}
	}
	return true;
}
