/* SPDX-License-Identifier: MIT */
/*
 * The pictures that the two threads of share draw together, computed on the CPU: another one each
 * round.
 */
#ifndef TESTS_ENDURANCE_PICTURE_H
#define TESTS_ENDURANCE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#define SIDE 128 /* of all pictures, in pixels */
#define CELL 16  /* side of a cell; the cells change places */
#define CELLS ((SIDE / CELL) * (SIDE / CELL))
#define DRAWN_ROWS 96 /* of the second picture; the rest keeps the colour of its clear */

/** Colours are four bytes: red, green, blue, alpha from the lowest on. */
typedef uint32_t color_t;

/** A vertex of a cell as the GPU reads it: its position and its texture coordinates */
struct vertex {
	float position[3];
	float place[2];
};

/** The texel that is uploaded. */
color_t picture_texel(unsigned round, unsigned x, unsigned y);

/** The colour that the second picture is cleared with. */
color_t picture_clear(unsigned round);

/** The flat colour at depth 0, in front of half of the cells. */
color_t picture_flat(unsigned round);

/** The colour that is added to everything at the end. */
color_t picture_added(unsigned round);

/** The four corners of the quad that shows a cell. */
void picture_quad(unsigned round, unsigned cell, struct vertex corners[4]);

/** The picture at the end, lower row first. */
void picture_expect(unsigned round, color_t pixels[SIDE * SIDE]);

#endif
