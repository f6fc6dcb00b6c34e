// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Validation of command streams
 *
 * The front end has no privilege levels: any stream could switch page tables (state
 * 0x184, MMUV2_CONFIGURATION), raise another job's event (0x3804, GL_EVENT), or jump to
 * any address (LINK). So each stream is copied and then parsed once, command by command.
 * Commands not listed here and states not listed in vivgpu_state.c are refused. The
 * functions are pure.
 *
 * Two states are permitted in one form each:
 *
 * - GL_PIPE_SELECT may only select the 3D pipe: with another one selected, the states that
 *   the kernel loads between jobs would go to the wrong pipe.
 * - GL_SEMAPHORE_TOKEN has to be followed by its stall. A token without a stall could end
 *   the kernel's own stall on the pixel engine, before the MMU switch, too early; a stall
 *   without a token never ends.
 */

#include <linux/export.h>

#include <kunit/visibility.h>

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math.h>

#include <drm/vivgpu_drm.h>

#include "vivgpu_regs.h"
#include "vivgpu_state.h"
#include "vivgpu_validate.h"

/* Words of each command a client may give; 0: not permitted. */
static const u8 vivgpu_validate_command_words[32] = {
	[FE_OP_NOP] = 2,
	[FE_OP_DRAW] = 4,
	[FE_OP_DRAW_INDEXED] = 6,
	[FE_OP_DRAW_INSTANCED] = 4,
};

#define LOAD_ONE(address)	FE_COMMAND(FE_OP_LOAD_STATE, 1 << 16 | (address) >> 2)
#define SELECT_PIPE		LOAD_ONE(GL_PIPE_SELECT)
#define SELECT_PIPE_WORDS	2
#define SEMAPHORE		LOAD_ONE(GL_SEMAPHORE_TOKEN)
/* with its stall, which is a command of the front end or a state for other units */
#define SEMAPHORE_WORDS		4

/* Words of a load that is permitted in one form only, else 0 */
static u32 vivgpu_validate_special_words(u32 word)
{
	switch (word) {
	case SELECT_PIPE:
		return SELECT_PIPE_WORDS;
	case SEMAPHORE:
		return SEMAPHORE_WORDS;
	default:
		return 0;
	}
}

/* True unless the command is a special one in another form; all its words are there. */
static bool vivgpu_validate_is_permitted_form(const u32 *words)
{
	u32 stall;

	switch (words[0]) {
	case SELECT_PIPE:
		return words[1] == GL_PIPE_SELECT_3D;
	case SEMAPHORE:
		stall = TOKEN_FROM(words[1]) == RECIPIENT_FE ? FE_COMMAND(FE_OP_STALL, 0) :
			LOAD_ONE(GL_STALL_TOKEN);
		return words[2] == stall && words[3] == words[1];
	default:
		return true;
	}
}

/**
 * vivgpu_validate_pieces - check the sizes of a stream's pieces and sum them
 * @pieces: the pieces, as the client gave them
 * @count: number of @pieces
 * @max: largest size of a stream in bytes, not more than INT_MAX
 *
 * A client can choose sizes whose sum has more than 32 bits. A piece alone is therefore compared
 * with @max before it is added, and the sum does not depend on the size of a long.
 *
 * Return: the stream's size in bytes, a multiple of 8; -EINVAL for a piece that is empty or no
 * multiple of 8, -E2BIG for more than @max bytes.
 */
int vivgpu_validate_pieces(const struct drm_vivgpu_piece *pieces, u32 count, u32 max)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		if (pieces[i].pad || pieces[i].size % 8 || !pieces[i].size)
			return -EINVAL;
		if (pieces[i].size > max)
			return -E2BIG;
		bytes += pieces[i].size;
		if (bytes > max)
			return -E2BIG;
	}

	return bytes;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_validate_pieces);

/**
 * vivgpu_validate_command - get a command's length from its first word
 * @word: the word
 *
 * A semaphore and its stall are one command.
 *
 * Return: the command's words, padding included; 0 if it is not permitted.
 */
u32 vivgpu_validate_command(u32 word)
{
	u32 count;

	if (FE_OPCODE(word) != FE_OP_LOAD_STATE)
		return vivgpu_validate_command_words[FE_OPCODE(word)];

	/* A count of 0 may mean none or 1024 states: etnaviv's parser takes it as none. */
	count = FE_LOAD_STATE_COUNT(word);
	if (!count)
		return 0;
	if (!vivgpu_state_permitted(FE_LOAD_STATE_ADDRESS(word), count))
		return vivgpu_validate_special_words(word);

	return round_up(1 + count, 2);
}

/**
 * vivgpu_validate - check whether a client may run a stream
 * @stream: a copy of the words, which the client cannot change
 * @words: number of words, even
 * @where: index of the refused or incomplete command
 * @written: blocks of states that it writes are added here
 *
 * Return: 0, -EPERM for a command that is not permitted, -EINVAL for a stream
 * that ends within a command.
 */
int vivgpu_validate(const u32 *stream, size_t words, size_t *where,
		    struct vivgpu_states *written)
{
	size_t i = 0;

	while (i < words) {
		u32 word = stream[i], count = FE_LOAD_STATE_COUNT(word), length;

		*where = i;
		/* Most commands: checked and recorded by one function, for speed. */
		if (FE_OPCODE(word) == FE_OP_LOAD_STATE && count &&
		    vivgpu_states_load(written, FE_LOAD_STATE_ADDRESS(word), count)) {
			length = round_up(1 + count, 2);
			if (length > words - i)
				return -EINVAL;
			i += length;
			continue;
		}

		length = vivgpu_validate_command(word);
		if (!length)
			return -EPERM;
		if (length > words - i)
			return -EINVAL;
		if (!vivgpu_validate_is_permitted_form(stream + i))
			return -EPERM;
		if (FE_OPCODE(word) == FE_OP_LOAD_STATE)
			vivgpu_states_add(written, FE_LOAD_STATE_ADDRESS(word), count);
		i += length;
	}

	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_validate);

/* Whether a LOAD_STATE, by its first word, loads the state at @address. */
static bool vivgpu_validate_loads_state(u32 word, u32 address)
{
	u32 first = FE_LOAD_STATE_ADDRESS(word);

	return address >= first && address - first < FE_LOAD_STATE_COUNT(word) * sizeof(u32);
}

/**
 * vivgpu_validate_is_operation - check whether a command has the core draw or resolve
 * @word: first word of the command, which vivgpu_validate() permitted
 *
 * Return: true if so; flushes are none.
 */
bool vivgpu_validate_is_operation(u32 word)
{
	switch (FE_OPCODE(word)) {
	case FE_OP_DRAW:
	case FE_OP_DRAW_INDEXED:
	case FE_OP_DRAW_INSTANCED:
		return true;
	case FE_OP_LOAD_STATE:
		return vivgpu_validate_loads_state(word, RS_KICKER) ||
		       vivgpu_validate_loads_state(word, RS_KICKER_INPLACE);
	default:
		return false;
	}
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_validate_is_operation);

/**
 * vivgpu_validate_prologue - check whether a stream may be a queue's prologue
 * @stream: the words, which vivgpu_validate() permitted
 * @words: number of words
 *
 * States that a prologue loads completely are not set to zero before it, so until its
 * last command the core may hold another client's state. Commands that use state are
 * therefore refused: draws, and loads of states that start an operation.
 *
 * Return: true if it loads state and does nothing else.
 */
bool vivgpu_validate_prologue(const u32 *stream, size_t words)
{
	size_t i;

	for (i = 0; i < words; i += vivgpu_validate_command(stream[i])) {
		if (FE_OPCODE(stream[i]) == FE_OP_NOP)
			continue;
		if (FE_OPCODE(stream[i]) != FE_OP_LOAD_STATE ||
		    vivgpu_state_is_trigger(FE_LOAD_STATE_ADDRESS(stream[i]),
					    FE_LOAD_STATE_COUNT(stream[i])))
			return false;
	}

	return true;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_validate_prologue);

/**
 * vivgpu_validate_loads - compute the states that a stream loads
 * @stream: the words, validated
 * @words: number of words
 * @loaded: a bit for each of VIVGPU_STATE_WORDS; bits are added
 */
void vivgpu_validate_loads(const u32 *stream, size_t words, unsigned long *loaded)
{
	size_t i;

	for (i = 0; i < words; i += vivgpu_validate_command(stream[i])) {
		if (FE_OPCODE(stream[i]) == FE_OP_LOAD_STATE)
			bitmap_set(loaded, FE_LOAD_STATE_ADDRESS(stream[i]) / sizeof(u32),
				   FE_LOAD_STATE_COUNT(stream[i]));
	}
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_validate_loads);
