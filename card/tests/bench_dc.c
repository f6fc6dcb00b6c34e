// SPDX-License-Identifier: MIT
/*
 * Cost of scan-out: milliseconds of host time per frame of 1280x720, by format and layout, with
 * gamma, and of the CRC alone. Prints a table; not a test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zlib.h>

#include "dc/scan.h"

#define WIDTH 1280u
#define HEIGHT 720u
#define FRAMES 20

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

static uint8_t *rgb;

static void measure(const char *name, const struct dc_frame *frame,
		    const struct guest_memory *memory)
{
	struct dc_trouble trouble = { 0 };
	double begin = now_ms();

	for (int i = 0; i < FRAMES; i++)
		for (uint32_t y = 0; y < HEIGHT; y++)
			dc_scan_row(frame, memory, y, rgb + 3 * (size_t)WIDTH * y, &trouble);
	printf("%-24s %6.2f ms\n", name, (now_ms() - begin) / FRAMES);
}

int main(void)
{
	struct guest_memory memory = { 1, { { 0, 8 << 20, calloc(1, 8 << 20) } } };
	struct dc_frame frame = {
		.width = WIDTH,
		.height = HEIGHT,
		.lit = true,
		.fb = { .shown = true,
			.stride = WIDTH * 4,
			.format = DC_FORMAT_X8R8G8B8,
			.width = WIDTH,
			.height = HEIGHT },
	};
	uint32_t gamma[DC_GAMMA_ENTRIES] = { 0 }, crc = 0;
	double begin;

	rgb = malloc(3 * (size_t)WIDTH * HEIGHT);
	measure("X8R8G8B8", &frame, &memory);
	frame.gamma = gamma;
	measure("X8R8G8B8 with gamma", &frame, &memory);
	frame.gamma = NULL;
	frame.fb.tile = DC_TILE_4X4;
	measure("X8R8G8B8 tiled", &frame, &memory);
	frame.fb.tile = DC_TILE_SUPER_GC3000;
	measure("X8R8G8B8 supertiled", &frame, &memory);
	frame.fb.tile = DC_TILE_LINEAR;
	frame.fb.format = DC_FORMAT_R5G6B5;
	measure("R5G6B5", &frame, &memory);
	frame.fb.format = DC_FORMAT_A2R10G10B10;
	measure("A2R10G10B10", &frame, &memory);
	begin = now_ms();
	for (int i = 0; i < FRAMES; i++)
		crc = (uint32_t)crc32(crc, rgb, 3 * (size_t)WIDTH * HEIGHT);
	printf("%-24s %6.2f ms (0x%08x)\n", "CRC", (now_ms() - begin) / FRAMES, crc);
	free(rgb);
	free(memory.region[0].host);
	return 0;
}
