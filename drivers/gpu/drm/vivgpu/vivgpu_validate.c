// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Which commands a client may give
 *
 * The front end obeys a stream without asking whose it is: it would switch
 * page tables (state 0x184), raise another job's event (0x3804), or jump
 * anywhere. So each stream is copied and then read once, command by command.
 * What is not listed here is refused. The functions are pure.
 */

#include <linux/export.h>

#include <kunit/visibility.h>

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math.h>

#include "vivgpu_regs.h"
#include "vivgpu_validate.h"

/* States a client may load: [first, end), ascending. */
static const struct {
	u32 first;
	u32 end;
} permitted_states[] = {
	{ 0x00600, 0x00654 },	/* FE: vertex elements, index and vertex stream */
	{ 0x00670, 0x007d8 },	/* FE: more streams, generic attributes */
	{ 0x00800, 0x00b00 },	/* VS and PA */
	{ 0x00c00, 0x00c28 },	/* SE: scissor, clipping */
	{ 0x00e00, 0x00e80 },	/* RA */
	{ 0x01000, 0x010c0 },	/* PS */
	{ 0x01400, 0x015a0 },	/* PE */
	{ 0x01600, 0x01800 },	/* RS and TS */
	{ 0x01a00, 0x01aa0 },	/* TS of further targets */
	{ 0x02000, 0x03000 },	/* TE */
	{ 0x03800, 0x03804 },	/* GL: the pipe; the event word after it is not */
	{ 0x03808, 0x03864 },	/* GL: semaphore, flushes, varyings, API mode */
	{ 0x03884, 0x03888 },	/* GL: shader core's memory */
	{ 0x03c00, 0x03c04 },	/* GL: stall token */
	{ 0x04000, 0x0e000 },	/* SH: instructions and uniforms of older cores */
	{ 0x10000, 0x12800 },	/* NTE */
	{ 0x14600, 0x14700 },	/* NFE: vertex streams */
	{ 0x14800, 0x14a00 },	/* PE: further targets */
	{ 0x15600, 0x1560c },	/* SH: configuration, instruction cache */
	{ 0x17800, 0x17b00 },	/* NFE: generic attributes */
	{ 0x20000, 0x28000 },	/* SH: instructions */
	{ 0x30000, 0x32000 },	/* SH: uniforms */
	{ 0x3fffc, 0x40000 },	/* a word without effect, used as filler */
};

/* Words of each command a client may give; 0: not permitted. */
static const u8 command_words[32] = {
	[FE_OP_NOP] = 2,
	[FE_OP_DRAW] = 4,
	[FE_OP_DRAW_INDEXED] = 6,
	[FE_OP_STALL] = 2,
	[FE_OP_DRAW_INSTANCED] = 4,
};

/**
 * vivgpu_validate_state - may a client load these states?
 * @address: of the first word, in bytes
 * @count: of consecutive words
 *
 * Return: true if each word lies in one range of the table.
 */
bool vivgpu_validate_state(u32 address, u32 count)
{
	u32 end = address + 4 * count;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(permitted_states); i++) {
		if (address < permitted_states[i].end)
			return address >= permitted_states[i].first &&
			       end <= permitted_states[i].end;
	}

	return false;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_validate_state);

/**
 * vivgpu_validate_command - look at the first word of a command
 * @word: the word
 *
 * Return: the command's words, padding included; 0 if it is not permitted.
 */
u32 vivgpu_validate_command(u32 word)
{
	u32 count;

	if (FE_OPCODE(word) != FE_OP_LOAD_STATE)
		return command_words[FE_OPCODE(word)];

	count = FE_LOAD_STATE_COUNT(word) ?: 1024;
	if (!vivgpu_validate_state(FE_LOAD_STATE_ADDRESS(word), count))
		return 0;

	return round_up(1 + count, 2);
}

/**
 * vivgpu_validate - may a client run this stream?
 * @stream: the words, already out of the client's reach
 * @words: how many, even
 * @where: the refused command's index, or where the stream is cut off
 *
 * Return: 0, -EPERM for a command that is not permitted, -EINVAL for a stream
 * that ends within a command.
 */
int vivgpu_validate(const u32 *stream, size_t words, size_t *where)
{
	size_t i = 0;

	while (i < words) {
		u32 length = vivgpu_validate_command(stream[i]);

		*where = i;
		if (!length)
			return -EPERM;
		if (length > words - i)
			return -EINVAL;
		i += length;
	}

	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_validate);
