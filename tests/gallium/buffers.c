// SPDX-License-Identifier: MIT
/*
 * buffers: tests of buffers that OpenGL writes while draws before the write read them, which must see
 * the old contents: by copies, clears and replacements of all or half of them. Persistent mappings must
 * stay those of the buffer, and other mappings must have the contents written last. Names of its checks
 * begin with "bu.".
 */
#include "harness.h"
#include "canvas.h"

#include <stdio.h>
#include <string.h>

#define SIDE 16
#define BYTES 4096
/* More than the bytes of a buffer of which the threaded context keeps a copy */
#define LARGE (128 * 1024)
#define MAP_ALWAYS \
	(GL_MAP_WRITE_BIT | GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT)

enum color { RED, GREEN, BLUE };

static const uint8_t colors[][4] = { { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 } };

/** How OpenGL writes to a buffer: @bytes bytes of @data, which are all of @color */
struct way {
	const char *tag;
	void (*write)(GLuint buffer, enum color color, const void *data, GLsizeiptr bytes);
};

/* The buffer that copies come from */
static GLuint source;

static void fill(void *bytes, size_t count, enum color color)
{
	for (size_t i = 0; i < count; i += 4)
		memcpy((uint8_t *)bytes + i, colors[color], 4);
}

static void copy(GLuint buffer, enum color color, const void *data, GLsizeiptr bytes)
{
	(void)color;
	glBindBuffer(GL_COPY_READ_BUFFER, source);
	glBufferData(GL_COPY_READ_BUFFER, bytes, data, GL_STATIC_DRAW);
	glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
	glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes);
}

static void clear(GLuint buffer, enum color color, const void *data, GLsizeiptr bytes)
{
	(void)data;
	glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
	glClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_RGBA8, 0, bytes, GL_RGBA, GL_UNSIGNED_BYTE,
			     colors[color]);
}

static void replace(GLuint buffer, enum color color, const void *data, GLsizeiptr bytes)
{
	(void)color;
	glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
	glBufferSubData(GL_COPY_WRITE_BUFFER, 0, bytes, data);
}

static const struct way ways[] = { { "copied", copy },
				   { "cleared", clear },
				   { "replaced", replace } };

/* Draw half of the target, @right or left, in the colour of the buffer's first vertices. */
static void draw(GLuint buffer, bool right)
{
	static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

	glViewport(right ? SIDE / 2 : 0, 0, SIDE / 2, SIDE);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
	glEnableVertexAttribArray(0);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, NULL);
	glEnableVertexAttribArray(1);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Whether both halves of the target have these colours. */
static bool drawn(enum color left, enum color right)
{
	uint8_t pixels[SIDE * 4];

	glReadPixels(0, SIDE / 2, SIDE, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	return !memcmp(pixels, colors[left], 4) &&
	       !memcmp(pixels + 4 * (SIDE - 1), colors[right], 4);
}

/* A buffer of @bytes, made with @color or, if that is negative, without data. */
static GLuint make_buffer(GLsizeiptr bytes, int color, GLbitfield flags)
{
	static uint8_t data[LARGE];
	GLuint buffer;

	if (color >= 0)
		fill(data, bytes, color);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferStorage(GL_ARRAY_BUFFER, bytes, color >= 0 ? data : NULL, flags);
	return buffer;
}

static void *map(GLuint buffer, GLsizeiptr bytes, GLbitfield access)
{
	void *memory;

	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	memory = glMapBufferRange(GL_ARRAY_BUFFER, 0, bytes, access);
	if (!memory)
		give_up("a buffer is not mapped: 0x%x", glGetError());
	return memory;
}

/*
 * Write blue by OpenGL between a red draw on the left and one on the right, then green through the
 * mapping.
 */
static bool keeps_order(const struct way *way, GLuint buffer, void *memory, GLsizeiptr bytes)
{
	uint8_t data[BYTES];
	bool ordered, read;

	fill(memory, BYTES, RED);
	fill(data, BYTES, BLUE);
	draw(buffer, false);
	way->write(buffer, BLUE, data, bytes);
	draw(buffer, true);
	ordered = drawn(RED, BLUE);
	glFinish();
	read = !memcmp(memory, colors[BLUE], 4);
	fill(memory, BYTES, GREEN);
	draw(buffer, false);
	return ordered && read && drawn(GREEN, BLUE);
}

static void persistent(const struct way *way, int color, GLsizeiptr bytes)
{
	GLuint buffer = make_buffer(BYTES, color, MAP_ALWAYS | GL_DYNAMIC_STORAGE_BIT);
	void *memory = map(buffer, BYTES, MAP_ALWAYS);
	char tag[64];

	snprintf(tag, sizeof(tag), "bu.persistent-%s", way->tag);
	check(tag, keeps_order(way, buffer, memory, bytes),
	      "%d of %d bytes %s, storage made with%s data", (int)bytes, BYTES, way->tag,
	      color < 0 ? "out" : "");
	glDeleteBuffers(1, &buffer);
}

/* The storage is used, then invalidated, and mapped for good after that. */
static void invalidated(const struct way *way)
{
	GLuint buffer = make_buffer(BYTES, GREEN, MAP_ALWAYS | GL_DYNAMIC_STORAGE_BIT);

	draw(buffer, false);
	glInvalidateBufferData(buffer);
	check("bu.persistent-invalidated",
	      keeps_order(way, buffer, map(buffer, BYTES, MAP_ALWAYS), BYTES),
	      "storage %s that was invalidated before it was mapped", way->tag);
	glDeleteBuffers(1, &buffer);
}

/* Storage that is replaced twice while it is used, and then mapped. */
static void mapped_later(const struct way *way)
{
	const GLbitfield access = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT;
	GLuint buffer = make_buffer(LARGE, RED, access | GL_DYNAMIC_STORAGE_BIT);
	static uint8_t data[LARGE];
	bool ordered, read;
	uint8_t *memory;

	draw(buffer, false);
	fill(data, LARGE, GREEN);
	replace(buffer, GREEN, data, LARGE);
	draw(buffer, true);
	fill(data, LARGE, BLUE);
	way->write(buffer, BLUE, data, LARGE);
	ordered = drawn(RED, GREEN);
	memory = map(buffer, LARGE, access);
	read = !memcmp(memory, data, LARGE);
	fill(memory, LARGE, RED);
	glUnmapBuffer(GL_ARRAY_BUFFER);
	draw(buffer, true);
	check("bu.mapped-later", ordered && read && drawn(RED, RED),
	      "%s while it is used, then mapped: read %s", way->tag, read ? "right" : "wrong");
	glDeleteBuffers(1, &buffer);
}

int main(void)
{
	begin_opengl();
	glGenBuffers(1, &source);
	make_target(SIDE, SIDE);
	use_program("attribute vec4 position;\n"
		    "attribute vec4 value;\n"
		    "varying vec4 color;\n"
		    "void main() { color = value; gl_Position = position; }\n",
		    "varying vec4 color;\n"
		    "void main() { gl_FragColor = color; }\n");
	for (unsigned i = 0; i < COUNT(ways); i++) {
		persistent(&ways[i], GREEN, BYTES);
		persistent(&ways[i], GREEN, BYTES / 2);
		persistent(&ways[i], -1, BYTES);
		persistent(&ways[i], -1, BYTES / 2);
		invalidated(&ways[i]);
		mapped_later(&ways[i]);
	}
	check_error("bu.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
