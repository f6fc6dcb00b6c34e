/* SPDX-License-Identifier: MIT */
/*
 * Command streams for tests: no-operations, and the resolve engine's fills and
 * copies, the smallest work of the GPU that has a result in memory.
 */
#ifndef IGT_VIVGPU_STREAM_H
#define IGT_VIVGPU_STREAM_H

#include <stdint.h>

#define IGT_VIVGPU_STREAM_WORDS 4096

/* The fills and copies here work on linear surfaces of this many bytes a row. */
#define IGT_VIVGPU_PITCH 1024
/* A fill or copy moves a multiple of this many rows. */
#define IGT_VIVGPU_ROWS 16

/* First words of commands: the opcode is in bits 31 to 27. */
#define IGT_VIVGPU_NOP 0x18000000u
#define IGT_VIVGPU_DRAW 0x28000000u
#define IGT_VIVGPU_END 0x10000000u
#define IGT_VIVGPU_WAIT 0x380000c8u
#define IGT_VIVGPU_LINK 0x40000002u
#define IGT_VIVGPU_CALL 0x50000002u
#define IGT_VIVGPU_RETURN 0x58000000u
#define IGT_VIVGPU_CHIP_SELECT 0x68000000u
#define IGT_VIVGPU_LOAD_STATE(address, count) (0x08000000u | (count) << 16 | (address) >> 2)

/* States that tests name; addresses in bytes. */
#define IGT_VIVGPU_MMU_CONFIGURATION 0x00184
#define IGT_VIVGPU_RS_KICKER 0x01600
#define IGT_VIVGPU_RS_FILL_VALUE 0x01640
#define IGT_VIVGPU_RS_PIPE_SOURCE_ADDR 0x016c0
#define IGT_VIVGPU_RS_PIPE_DEST_ADDR 0x016e0
#define IGT_VIVGPU_GL_EVENT 0x03804
#define IGT_VIVGPU_GL_FLUSH_CACHE 0x0380c

struct igt_vivgpu_stream {
	uint32_t size; /* in words */
	uint32_t words[IGT_VIVGPU_STREAM_WORDS];
};

/* Append one two-word command. */
void igt_vivgpu_emit(struct igt_vivgpu_stream *stream, uint32_t first, uint32_t second);
/* Append the load of one state. */
void igt_vivgpu_state(struct igt_vivgpu_stream *stream, uint32_t address, uint32_t value);
/* Append a NOP. Returns: its offset in bytes, for a timestamp point. */
uint32_t igt_vivgpu_nop(struct igt_vivgpu_stream *stream);
/* Append a fill of rows of PITCH bytes with a word. */
void igt_vivgpu_fill(struct igt_vivgpu_stream *stream, uint64_t va, uint32_t rows, uint32_t value);
/* Append a copy of rows of PITCH bytes. */
void igt_vivgpu_copy(struct igt_vivgpu_stream *stream, uint64_t to, uint64_t from, uint32_t rows);
/* Append what a fill or copy after a draw needs: a flush of colour and depth caches, and a stall until that is done. */
void igt_vivgpu_flush(struct igt_vivgpu_stream *stream);
/* Append a repetition of the last fill or copy. */
void igt_vivgpu_again(struct igt_vivgpu_stream *stream);

#endif
