// SPDX-License-Identifier: MIT
/*
 * Streams for the fuzzer: permitted commands with bad contents, so that they
 * get past the validator and reach the GPU, and some that do not.
 */
#include "fuzz.h"
#include "igt_vivgpu_stream.h"

#include <string.h>

/* Rows of a fill or copy: the fewest, IGT_VIVGPU_ROWS */
#define ROWS 16

/*
 * Some of the states that clients may load (vivgpu_state.c in the kernel driver): address of the
 * first, in bytes, and number of states.
 */
static const struct {
	uint32_t first, count;
} areas[] = {
	{ 0x00600, 16 },   { 0x00644, 4 },    { 0x00680, 16 },   { 0x00780, 16 },
	{ 0x00800, 13 },   { 0x0085c, 7 },    { 0x0088c, 1 },    { 0x008b0, 1 },
	{ 0x008bc, 17 },   { 0x00a00, 8 },    { 0x00a28, 30 },   { 0x00c00, 7 },
	{ 0x00e00, 9 },    { 0x00e40, 16 },   { 0x01000, 5 },    { 0x01018, 2 },
	{ 0x01024, 4 },    { 0x01048, 1 },    { 0x01080, 6 },    { 0x01400, 14 },
	{ 0x01454, 1 },    { 0x01460, 25 },   { 0x01500, 3 },    { 0x01600, 6 },
	{ 0x01620, 1 },    { 0x0163c, 15 },   { 0x016b0, 1 },    { 0x016b8, 82 },
	{ 0x01a00, 16 },   { 0x02000, 12 },   { 0x02180, 12 },   { 0x02400, 12 },
	{ 0x02740, 12 },   { 0x02c00, 12 },   { 0x0380c, 1 },    { 0x03814, 10 },
	{ 0x0384c, 1 },    { 0x04000, 1024 }, { 0x05000, 1024 }, { 0x07000, 1024 },
	{ 0x08000, 4096 }, { 0x0c000, 4096 }, { 0x10000, 128 },  { 0x10280, 96 },
	{ 0x10800, 14 },   { 0x10840, 14 },   { 0x14600, 48 },   { 0x14800, 79 },
	{ 0x15600, 2 },    { 0x17800, 32 },   { 0x17a00, 64 },   { 0x30000, 2048 },
};

/* One load in this many is at a random address, whose states are rarely permitted. */
#define STRAY 100

/*
 * Mostly the address of an existing buffer: a fault causes a reset, which takes time. 0, which
 * faults as well, if eight slots in turn have no buffer.
 */
static uint64_t some_va(struct fuzz_random *r, const struct fuzz_client *client)
{
	uint64_t va = 0;

	if (fuzz_one_in(r, 100))
		return fuzz_bad(r);
	for (int i = 0; i < 8 && !va; i++)
		va = client->vas[fuzz_below(r, FUZZ_HANDLES)];
	return va;
}

/*
 * Each of the functions below writes commands, an even number of words with their padding, and
 * returns this number; 0 if there is no room for them.
 */

/* A load of states: those of one area as far as it goes, but for strays. */
static uint32_t put_states(struct fuzz_random *r, const struct fuzz_client *client, uint32_t *words,
			   uint32_t room)
{
	uint32_t area = fuzz_below(r, sizeof(areas) / sizeof(areas[0]));
	uint32_t start = fuzz_below(r, areas[area].count);
	uint32_t left = areas[area].count - start;
	uint32_t address = areas[area].first + 4 * start;
	uint32_t count = 1 + fuzz_below(r, fuzz_one_in(r, 4) ? 16 : 2);
	uint32_t length;

	if (fuzz_one_in(r, STRAY))
		address = fuzz_next(r) & 0x3fffc;
	else if (count > left)
		count = left;
	length = (1 + count + 1) & ~1u;
	if (length > room)
		return 0;
	words[0] = IGT_VIVGPU_LOAD_STATE(address, count);
	for (uint32_t i = 1; i < length; i++)
		words[i] = fuzz_one_in(r, 3) ? some_va(r, client) : fuzz_bad(r);
	return length;
}

/* All loads of states of a fill or copy, which is valid except that its addresses are random. */
static uint32_t put_resolve(struct fuzz_random *r, const struct fuzz_client *client,
			    uint32_t *words, uint32_t room)
{
	struct igt_vivgpu_stream stream;

	stream.size = 0;
	if (fuzz_one_in(r, 2))
		igt_vivgpu_fill(&stream, some_va(r, client), ROWS, fuzz_next(r));
	else
		igt_vivgpu_copy(&stream, some_va(r, client), some_va(r, client), ROWS);
	if (stream.size > room)
		return 0;
	memcpy(words, stream.words, stream.size * 4);
	return stream.size;
}

/*
 * The front end's draws: primitives, indexed, instanced. Of a few vertices: more would take long
 * and test nothing else.
 */
static uint32_t put_draw(struct fuzz_random *r, uint32_t *words, uint32_t room)
{
	static const uint32_t opcodes[] = { 5, 6, 12 };
	static const uint32_t lengths[] = { 4, 6, 4 };
	uint32_t which = fuzz_below(r, 3);

	if (lengths[which] > room)
		return 0;
	words[0] = opcodes[which] << 27 | fuzz_below(r, 16);
	for (uint32_t i = 1; i < lengths[which]; i++)
		words[i] = fuzz_below(r, 32);
	return lengths[which];
}

/* A NOP, or a random word, which is rarely a permitted command. */
static uint32_t put_any(struct fuzz_random *r, uint32_t *words, uint32_t room)
{
	if (room < 2)
		return 0;
	words[0] = fuzz_one_in(r, 2) ? IGT_VIVGPU_NOP : fuzz_next(r);
	words[1] = fuzz_next(r);
	return 2;
}

uint32_t fuzz_stream(struct fuzz_random *r, const struct fuzz_client *client, uint32_t *words,
		     uint32_t most)
{
	uint32_t commands = 1 + fuzz_below(r, 24), size = 0;
	/*
	 * Three of four streams are without put_any() and with half of the loads, of which some are
	 * strays: the kernel refuses a whole stream for one command, so that hardly any of the
	 * others runs.
	 */
	bool tame = !fuzz_one_in(r, 4);

	while (commands--) {
		uint32_t *at = words + size, room = most - size;

		switch (fuzz_below(r, tame ? 8 : 10)) {
		case 0 ... 3:
			size += put_resolve(r, client, at, room);
			break;
		case 4:
			if (room >= 2) {
				at[0] = IGT_VIVGPU_NOP;
				at[1] = fuzz_next(r);
				size += 2;
			}
			break;
		case 5:
			size += put_draw(r, at, fuzz_one_in(r, 4) ? room : 0);
			break;
		case 6 ... 7:
			size += tame && fuzz_one_in(r, 2) ? 0 : put_states(r, client, at, room);
			break;
		default:
			size += put_any(r, at, room);
			break;
		}
	}
	return size;
}
