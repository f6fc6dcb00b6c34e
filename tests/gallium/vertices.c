// SPDX-License-Identifier: MIT
/*
 * vertices: tests of where vertices come from: arrays of any alignment, stride and type, in buffers and
 * in the program's memory, with and without indices; several draws with one call; and display lists, with
 * copies between their draws. Each draw fills a cell of the target; the model is an array of the cells' colours.
 */
#include "harness.h"
#include "canvas.h"

#include <string.h>

#define CELL 16
#define CELLS_A_ROW 8
#define CELLS (CELLS_A_ROW * CELLS_A_ROW)
#define SIZE (CELL * CELLS_A_ROW)
#define LISTS 24
#define TURNS 600
/* Draws of one call */
#define SEVERAL 6
#define CORNERS 4
/*
 * Bytes of the largest vertex with gaps, more than the 255 of the core's stride field, and of all
 * vertices of a draw
 */
#define MAX_STRIDE 300
#define MAX_BYTES (CORNERS * MAX_STRIDE + 64)

struct color {
	uint8_t rgb[3];
};

/** How the vertices of a draw are in memory, in bytes */
struct layout {
	GLenum type;
	unsigned type_bytes, begin, stride, color_at;
	bool colors, alpha;
};

static struct color model[CELLS], list_colors[LISTS];
static unsigned list_cells[LISTS];
static bool list_has_color[LISTS];

static struct color random_color(void)
{
	return (struct color){ { (uint8_t)random_below(256), (uint8_t)random_below(256),
				 (uint8_t)random_below(256) } };
}

/* A corner of a cell in pixels, in the order of a strip. */
static int corner(unsigned cell, unsigned number, unsigned axis)
{
	unsigned at = axis ? cell / CELLS_A_ROW : cell % CELLS_A_ROW;

	return (int)(CELL * (at + (axis ? number / 2 : number % 2)));
}

static void begin_target(void)
{
	make_buffers(SIZE, 0, GL_RGBA8);
	glViewport(0, 0, SIZE, SIZE);
	glOrtho(0, SIZE, 0, SIZE, -1, 1);
	glClear(GL_COLOR_BUFFER_BIT);
}

/* Lists 1 to LISTS of one cell each, some with the colour that is current when they are drawn. */
static void make_lists(void)
{
	bool strip;

	for (unsigned list = 0; list < LISTS; list++) {
		list_cells[list] = random_below(CELLS);
		list_colors[list] = random_color();
		list_has_color[list] = random_below(4) != 0;
		glNewList(list + 1, GL_COMPILE);
		strip = random_below(2);
		glBegin(strip ? GL_TRIANGLE_STRIP : GL_QUADS);
		for (unsigned i = 0; i < CORNERS; i++) {
			/* Strips and quads have the last two corners in another order. */
			unsigned number = strip || i < 2 ? i : 5 - i;

			if (list_has_color[list])
				glColor3ubv(list_colors[list].rgb);
			glVertex2i(corner(list_cells[list], number, 0),
				   corner(list_cells[list], number, 1));
		}
		glEnd();
		glEndList();
	}
}

static void draw_list(void)
{
	unsigned list = random_below(LISTS);
	struct color current = random_color();

	glColor3ubv(current.rgb);
	glCallList(list + 1);
	model[list_cells[list]] = list_has_color[list] ? list_colors[list] : current;
}

static struct layout random_layout(void)
{
	static const GLenum types[] = { GL_DOUBLE, GL_FLOAT, GL_SHORT, GL_INT };
	static const unsigned sizes[] = { 8, 4, 2, 4 };
	unsigned number = random_below(COUNT(types));
	struct layout layout = { .type = types[number], .type_bytes = sizes[number] };

	layout.begin = random_below(8);
	layout.colors = random_below(3) != 0;
	layout.alpha = random_below(2);
	layout.color_at = 2 * layout.type_bytes + random_below(4);
	layout.stride = layout.color_at + 4 + random_below(4);
	if (random_below(4) == 0)
		layout.stride = MAX_STRIDE - random_below(8);
	return layout;
}

static void put(uint8_t *to, GLenum type, int value)
{
	double as_double = value;
	float as_float = (float)value;
	int16_t as_short = (int16_t)value;

	switch (type) {
	case GL_DOUBLE:
		memcpy(to, &as_double, sizeof(as_double));
		break;
	case GL_FLOAT:
		memcpy(to, &as_float, sizeof(as_float));
		break;
	case GL_SHORT:
		memcpy(to, &as_short, sizeof(as_short));
		break;
	default:
		memcpy(to, &value, sizeof(value));
	}
}

static void fill(uint8_t *memory, const struct layout *layout, unsigned cell, struct color color)
{
	for (unsigned i = 0; i < CORNERS; i++) {
		uint8_t *vertex = memory + layout->begin + i * layout->stride;

		put(vertex, layout->type, corner(cell, i, 0));
		put(vertex + layout->type_bytes, layout->type, corner(cell, i, 1));
		memcpy(vertex + layout->color_at, color.rgb, sizeof(color.rgb));
		vertex[layout->color_at + 3] = 0xff;
	}
}

static void draw_arrays(void)
{
	static const uint8_t indices[CORNERS] = { 0, 1, 2, 3 };
	static uint8_t memory[MAX_BYTES];
	struct layout layout = random_layout();
	struct color color = random_color();
	uintptr_t base = (uintptr_t)memory;
	unsigned cell = random_below(CELLS);
	bool in_buffer = random_below(4) != 0;

	fill(memory, &layout, cell, color);
	if (in_buffer) {
		/* As large as the vertices: what is after them must not be needed. */
		glBufferData(GL_ARRAY_BUFFER,
			     layout.begin + (CORNERS - 1) * layout.stride + layout.color_at + 4,
			     memory, GL_STREAM_DRAW);
		base = 0;
	} else {
		glBindBuffer(GL_ARRAY_BUFFER, 0);
	}
	glEnableClientState(GL_VERTEX_ARRAY);
	glVertexPointer(2, layout.type, (GLsizei)layout.stride,
			(const void *)(base + layout.begin));
	if (layout.colors) {
		glEnableClientState(GL_COLOR_ARRAY);
		glColorPointer(layout.alpha ? 4 : 3, GL_UNSIGNED_BYTE, (GLsizei)layout.stride,
			       (const void *)(base + layout.begin + layout.color_at));
	}
	glColor3ubv(color.rgb);
	if (random_below(2))
		glDrawArrays(GL_TRIANGLE_STRIP, 0, CORNERS);
	else
		glDrawElements(GL_TRIANGLE_STRIP, CORNERS, GL_UNSIGNED_BYTE, indices);
	glDisableClientState(GL_COLOR_ARRAY);
	if (!in_buffer)
		glBindBuffer(GL_ARRAY_BUFFER, 1);
	model[cell] = color;
}

/*
 * Vertex arrays stay bound while a display list is drawn: a draw after it, without binding
 * anything, still reads from them. It fills cell 0.
 */
static void draw_same_arrays(void)
{
	static const float square[CORNERS][2] = {
		{ 0, 0 }, { CELL, 0 }, { 0, CELL }, { CELL, CELL }
	};
	struct color color = random_color();

	glBufferData(GL_ARRAY_BUFFER, sizeof(square), square, GL_STREAM_DRAW);
	glVertexPointer(2, GL_FLOAT, 0, NULL);
	glEnableClientState(GL_VERTEX_ARRAY);
	draw_list();
	glColor3ubv(color.rgb);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, CORNERS);
	model[0] = color;
	draw_list();
}

/* Several cells of one colour with one call, and draws of nothing between them. */
static void draw_several(void)
{
	static const GLsizei counts[SEVERAL] = { CORNERS, 0, CORNERS, 2, CORNERS, CORNERS };
	uint16_t indices[SEVERAL * CORNERS];
	float vertices[SEVERAL * CORNERS][2];
	const GLvoid *offsets[SEVERAL];
	GLint firsts[SEVERAL];
	struct color color = random_color();
	bool indexed = random_below(2);

	for (unsigned number = 0; number < SEVERAL; number++) {
		unsigned cell = random_below(CELLS), first = number * CORNERS;

		if (counts[number] == CORNERS)
			model[cell] = color;
		firsts[number] = (GLint)first;
		offsets[number] = (const char *)NULL + first * sizeof(indices[0]);
		for (unsigned i = 0; i < CORNERS; i++) {
			vertices[first + i][0] = (float)corner(cell, i, 0);
			vertices[first + i][1] = (float)corner(cell, i, 1);
			indices[first + i] = (uint16_t)(first + i);
		}
	}
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STREAM_DRAW);
	glVertexPointer(2, GL_FLOAT, 0, NULL);
	glEnableClientState(GL_VERTEX_ARRAY);
	glColor3ubv(color.rgb);
	if (indexed) {
		glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 2);
		glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STREAM_DRAW);
		glMultiDrawElements(GL_TRIANGLE_STRIP, counts, GL_UNSIGNED_SHORT, offsets, SEVERAL);
		glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
	} else {
		glMultiDrawArrays(GL_TRIANGLE_STRIP, firsts, counts, SEVERAL);
	}
}

/* A copy that Mesa draws: mirrored. */
static void copy_cell(void)
{
	unsigned from = random_below(CELLS), to = random_below(CELLS);

	if (from == to)
		return;
	glBlitFramebuffer(corner(from, 0, 0), corner(from, 0, 1), corner(from, 3, 0),
			  corner(from, 3, 1), corner(to, 3, 0), corner(to, 3, 1), corner(to, 0, 0),
			  corner(to, 0, 1), GL_COLOR_BUFFER_BIT, GL_NEAREST);
	model[to] = model[from];
}

static void draw_and_copy(void)
{
	draw_arrays();
	copy_cell();
	draw_list();
	copy_cell();
	draw_list();
}

/* Number of cells with another colour than the model, at a pixel in each triangle of a strip. */
static int wrong_cells(void)
{
	static uint8_t pixels[SIZE][SIZE][4];
	int wrong = 0;

	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (unsigned cell = 0; cell < CELLS; cell++) {
		unsigned x = cell % CELLS_A_ROW * CELL, y = cell / CELLS_A_ROW * CELL;

		wrong += memcmp(pixels[y + 1][x + 1], model[cell].rgb, sizeof(struct color)) != 0 ||
			 memcmp(pixels[y + CELL - 2][x + 2], model[cell].rgb,
				sizeof(struct color)) != 0;
	}
	return wrong;
}

/* Check one kind of draw alone, after each draw. */
static void only(const char *tag, void (*draw)(void))
{
	int wrong = 0;

	for (unsigned i = 0; i < TURNS / 10; i++) {
		draw();
		wrong += wrong_cells();
	}
	check(tag, !wrong, "%d cells are wrong", wrong);
}

static void random_order(void)
{
	static void (*const operations[])(void) = { draw_list,   draw_list,        draw_list,
						    draw_arrays, draw_same_arrays, draw_several,
						    copy_cell };
	int wrong = 0;

	for (unsigned i = 0; i < TURNS; i++) {
		operations[random_below(COUNT(operations))]();
		if (random_below(8) == 0)
			wrong += wrong_cells();
	}
	wrong += wrong_cells();
	check("ve.order", !wrong, "%d draws and copies: %d cells are wrong", TURNS, wrong);
}

int main(void)
{
	begin_opengl();
	begin_target();
	make_lists();
	/*
	 * Buffer 1, for vertices, stays bound; buffer 2 is for indices. OpenGL 2.1 takes names that
	 * were not generated.
	 */
	glBindBuffer(GL_ARRAY_BUFFER, 1);
	only("ve.lists", draw_list);
	only("ve.arrays", draw_arrays);
	only("ve.arrays-amid-lists", draw_same_arrays);
	only("ve.several", draw_several);
	only("ve.copies", draw_and_copy);
	random_order();
	check_error("ve.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
