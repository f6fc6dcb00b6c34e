// SPDX-License-Identifier: MIT
/*
 * The first picture consists of random texels and is uploaded. The second one is the first with red
 * and blue exchanged, except in the upper rows. The third one has the second one's cells in
 * another order, half of them hidden by a flat colour, and a colour added to all.
 */
#include "picture.h"

#define ACROSS (SIDE / CELL)
#define NEAR -0.5f
#define FAR 0.5f

/* Purposes of the random numbers; each has a sequence of its own. */
enum { TEXELS, CLEARS, FLATS, ADDED, DEPTHS };

/* A pseudorandom number. */
static uint32_t number(unsigned stream, unsigned round, unsigned index)
{
	uint32_t n = index * 0x9e3779b1u ^ round * 0x85ebca77u ^ stream * 0xc2b2ae3du;

	n = (n ^ n >> 15) * 0x2c1b3c6du;
	n = (n ^ n >> 12) * 0x297a2d39u;
	return n ^ n >> 15;
}

static color_t exchange_red_and_blue(color_t color)
{
	return (color & 0xff00ff00u) | (color & 0xffu) << 16 | (color >> 16 & 0xffu);
}

static color_t add(color_t a, color_t b)
{
	color_t sum = 0;

	for (int shift = 0; shift < 32; shift += 8) {
		uint32_t value = (a >> shift & 0xff) + (b >> shift & 0xff);

		sum |= (value > 0xff ? 0xff : value) << shift;
	}
	return sum;
}

/*
 * Cell whose contents a cell shows: another order each round. The factor is odd and CELLS a power
 * of two, so no two cells show the same. The index is the one after those of the texels.
 */
static unsigned source_of(unsigned round, unsigned cell)
{
	return (cell * (2 * (round % CELLS) + 1) + number(TEXELS, round, SIDE * SIDE)) % CELLS;
}

static bool is_near(unsigned round, unsigned cell)
{
	return number(DEPTHS, round, cell) & 1;
}

color_t picture_texel(unsigned round, unsigned x, unsigned y)
{
	return number(TEXELS, round, y * SIDE + x);
}

color_t picture_clear(unsigned round)
{
	return number(CLEARS, round, 0);
}

color_t picture_flat(unsigned round)
{
	return number(FLATS, round, 0);
}

/* Small enough that not every pixel becomes white. */
color_t picture_added(unsigned round)
{
	return number(ADDED, round, 0) & 0x3f3f3f3fu;
}

void picture_quad(unsigned round, unsigned cell, struct vertex corners[4])
{
	unsigned source = source_of(round, cell);

	for (unsigned i = 0; i < 4; i++) {
		unsigned right = i & 1, up = i >> 1;

		corners[i] = (struct vertex){
			.position = { 2.0f * (cell % ACROSS + right) / ACROSS - 1.0f,
				      2.0f * (cell / ACROSS + up) / ACROSS - 1.0f,
				      is_near(round, cell) ? NEAR : FAR },
			.place = { (float)(source % ACROSS + right) / ACROSS,
				   (float)(source / ACROSS + up) / ACROSS },
		};
	}
}

static color_t second_picture(unsigned round, unsigned x, unsigned y)
{
	if (y >= DRAWN_ROWS)
		return picture_clear(round);
	return exchange_red_and_blue(picture_texel(round, x, y));
}

static color_t pixel(unsigned round, unsigned x, unsigned y)
{
	unsigned cell = y / CELL * ACROSS + x / CELL, source = source_of(round, cell);

	if (!is_near(round, cell))
		return picture_flat(round);
	return second_picture(round, source % ACROSS * CELL + x % CELL,
			      source / ACROSS * CELL + y % CELL);
}

void picture_expect(unsigned round, color_t pixels[SIDE * SIDE])
{
	for (unsigned y = 0; y < SIDE; y++)
		for (unsigned x = 0; x < SIDE; x++)
			pixels[y * SIDE + x] = add(pixel(round, x, y), picture_added(round));
}
