// SPDX-License-Identifier: MIT
/*
 * Command streams for tests. States and their fields are those of the public
 * etna_viv register database.
 */
#include "igt.h"
#include "igt_vivgpu_stream.h"

#define RS_CONFIG 0x01604
#define RS_CONFIG_RAW_32 (0x06 | 0x06 << 8) /* A8R8G8B8, linear, on both sides */
#define RS_SOURCE_STRIDE 0x0160c
#define RS_DEST_STRIDE 0x01614
#define RS_WINDOW_SIZE 0x01620
#define RS_DITHER 0x01630
#define RS_CLEAR_CONTROL 0x0163c
#define RS_CLEAR_CONTROL_FILL 0x0001ffff /* one word, all bytes */
#define RS_EXTRA_CONFIG 0x016a0
#define RS_SINGLE_BUFFER 0x016b8
#define RS_PIPE_OFFSET 0x01700
#define TS_MEM_CONFIG 0x01654
#define KICK 0xbeebbeebu
#define GL_FLUSH_CACHE_DEPTH_COLOR 3
#define GL_SEMAPHORE_TOKEN 0x03808
#define STALL 0x48000000u
#define FE_TO_PE 0x701

void igt_vivgpu_emit(struct igt_vivgpu_stream *stream, uint32_t first, uint32_t second)
{
	igt_assert(stream->size + 2 <= IGT_VIVGPU_STREAM_WORDS);
	stream->words[stream->size++] = first;
	stream->words[stream->size++] = second;
}

void igt_vivgpu_state(struct igt_vivgpu_stream *stream, uint32_t address, uint32_t value)
{
	igt_vivgpu_emit(stream, IGT_VIVGPU_LOAD_STATE(address, 1), value);
}

uint32_t igt_vivgpu_nop(struct igt_vivgpu_stream *stream)
{
	uint32_t offset = stream->size * 4;

	igt_vivgpu_emit(stream, IGT_VIVGPU_NOP, 0);
	return offset;
}

/* Each of two pixel pipes does half of the rows. */
static void window(struct igt_vivgpu_stream *stream, uint32_t rows)
{
	uint32_t half = rows / 2;

	igt_assert_eq(rows % IGT_VIVGPU_ROWS, 0);
	igt_vivgpu_state(stream, RS_SINGLE_BUFFER, 0);
	igt_vivgpu_state(stream, RS_WINDOW_SIZE, half << 16 | IGT_VIVGPU_PITCH / 4);
	igt_vivgpu_state(stream, RS_PIPE_OFFSET, 0);
	igt_vivgpu_state(stream, RS_PIPE_OFFSET + 4, half << 16);
}

/*
 * What fills and copies have in common, without tile status and dithering; each pipe has an
 * address.
 */
static void destination(struct igt_vivgpu_stream *stream, uint64_t va)
{
	igt_vivgpu_state(stream, TS_MEM_CONFIG, 0);
	igt_vivgpu_state(stream, RS_CONFIG, RS_CONFIG_RAW_32);
	igt_vivgpu_state(stream, RS_EXTRA_CONFIG, 0);
	igt_vivgpu_state(stream, RS_DITHER, 0xffffffff);
	igt_vivgpu_state(stream, RS_DITHER + 4, 0xffffffff);
	igt_vivgpu_state(stream, RS_DEST_STRIDE, IGT_VIVGPU_PITCH);
	igt_vivgpu_state(stream, IGT_VIVGPU_RS_PIPE_DEST_ADDR, va);
	igt_vivgpu_state(stream, IGT_VIVGPU_RS_PIPE_DEST_ADDR + 4, va);
}

void igt_vivgpu_fill(struct igt_vivgpu_stream *stream, uint64_t va, uint32_t rows, uint32_t value)
{
	destination(stream, va);
	igt_vivgpu_state(stream, RS_SOURCE_STRIDE, 0);
	igt_vivgpu_state(stream, RS_CLEAR_CONTROL, RS_CLEAR_CONTROL_FILL);
	igt_vivgpu_state(stream, IGT_VIVGPU_RS_FILL_VALUE, value);
	window(stream, rows);
	igt_vivgpu_again(stream);
}

void igt_vivgpu_copy(struct igt_vivgpu_stream *stream, uint64_t to, uint64_t from, uint32_t rows)
{
	destination(stream, to);
	igt_vivgpu_state(stream, RS_SOURCE_STRIDE, IGT_VIVGPU_PITCH);
	igt_vivgpu_state(stream, IGT_VIVGPU_RS_PIPE_SOURCE_ADDR, from);
	igt_vivgpu_state(stream, IGT_VIVGPU_RS_PIPE_SOURCE_ADDR + 4, from);
	igt_vivgpu_state(stream, RS_CLEAR_CONTROL, 0);
	window(stream, rows);
	igt_vivgpu_again(stream);
}

void igt_vivgpu_flush(struct igt_vivgpu_stream *stream)
{
	igt_vivgpu_state(stream, IGT_VIVGPU_GL_FLUSH_CACHE, GL_FLUSH_CACHE_DEPTH_COLOR);
	igt_vivgpu_state(stream, GL_SEMAPHORE_TOKEN, FE_TO_PE);
	igt_vivgpu_emit(stream, STALL, FE_TO_PE);
}

/* The first time, too: what the states say is done when this one is written. */
void igt_vivgpu_again(struct igt_vivgpu_stream *stream)
{
	igt_vivgpu_state(stream, IGT_VIVGPU_RS_KICKER, KICK);
}
