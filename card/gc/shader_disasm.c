// SPDX-License-Identifier: MIT
/*
 * Disassembles an instruction to a line of text for the trace: mnemonic, condition, type,
 * destination, sampler (TEXLD to TEXLDPCF), and three sources; jumps have a target instead of the
 * third one.
 */
#include <stdarg.h>
#include <stdio.h>

#include "gc/shader_kernels.h"
#include "gc/float_bits.h"

struct text {
	char *at;
	size_t left;
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->at, text->left, format, args);
	va_end(args);
	if (length < 0 || !text->left)
		return;
	if ((size_t)length >= text->left)
		length = (int)text->left - 1;
	text->at += length;
	text->left -= (size_t)length;
}

static void put_swizzle(struct text *text, unsigned int swizzle)
{
	if (swizzle == 0xe4) /* xyzw */
		return;
	put(text, ".");
	for (unsigned int c = 0; c < 4; c++)
		put(text, "%c", "xyzw"[swizzle >> (2 * c) & 3]);
}

static void put_address(struct text *text, unsigned int amode)
{
	if (amode >= 1 && amode <= 4)
		put(text, "[a.%c]", "xyzw"[amode - 1]);
}

static void put_immediate(struct text *text, const struct isa_source *src)
{
	enum isa_immediate kind;
	uint32_t bits = isa_immediate(src, &kind);
	uint32_t word = bits << 12;

	if (kind == ISA_IMM_F20)
		put(text, "%g", (double)bits_float(word));
	else if (kind == ISA_IMM_S20)
		put(text, "%d", (int32_t)word >> 12);
	else
		put(text, "%u", bits);
}

static void put_source(struct text *text, const struct isa_source *src)
{
	static const char *const group[8] = { "t", "i", "u", "u1:", "th", "?5:", "?6:", "" };

	if (!src->use) {
		put(text, ", -");
		return;
	}
	put(text, ", ");
	if (src->group == ISA_GROUP_IMMEDIATE) {
		put_immediate(text, src);
		return;
	}
	put(text, "%s%s%s%u", src->neg ? "-" : "", src->abs ? "|" : "", group[src->group],
	    src->reg);
	put_address(text, src->amode);
	put_swizzle(text, src->swizzle);
	if (src->abs)
		put(text, "|");
}

static void put_destination(struct text *text, const struct isa_instruction *inst)
{
	if (!inst->dst_use) {
		put(text, " -");
		return;
	}
	put(text, " t%u", inst->dst_reg);
	put_address(text, inst->dst_amode);
	if (inst->dst_mask == 0xf)
		return;
	put(text, ".");
	for (unsigned int c = 0; c < 4; c++)
		if (inst->dst_mask & 1u << c)
			put(text, "%c", "xyzw"[c]);
}

void gc_shader_disassemble(const uint32_t words[ISA_WORDS], char *line, size_t bytes)
{
	static const char *const cond[32] = {
		"",
		".gt",
		".lt",
		".ge",
		".le",
		".eq",
		".ne",
		".and",
		".or",
		".xor",
		".not",
		".nz",
		".gez",
		".gz",
		".lez",
		".lz",
		[ISA_COND_SELMSB] = ".selmsb",
	};
	static const char *const type[8] = { "",     ".s32", ".s8",  ".u16",
					     ".f16", ".s16", ".u32", ".u8" };
	struct text text = { line, bytes };
	struct isa_instruction inst;
	const char *name;
	bool jump;

	if (!bytes)
		return;
	isa_unpack(words, &inst);
	name = gc_shader_opcode_name(&inst);
	jump = inst.opcode == ISA_BRANCH || inst.opcode == ISA_BRANCH_ANY ||
	       inst.opcode == ISA_CALL;
	if (name)
		put(&text, "%s", name);
	else
		put(&text, "op%02x", inst.opcode);
	put(&text, "%s%s%s", cond[inst.cond] ? cond[inst.cond] : ".?", inst.sat ? ".sat" : "",
	    type[inst.type]);
	put_destination(&text, &inst);
	if (inst.opcode >= ISA_TEXLD && inst.opcode <= ISA_TEXLDPCF) {
		put(&text, ", tex%u", inst.sampler);
		put_swizzle(&text, inst.sampler_swizzle);
	}
	for (unsigned int i = 0; i < (jump ? 2 : 3); i++)
		put_source(&text, &inst.src[i]);
	if (jump)
		put(&text, ", -> %u", inst.target);
}
