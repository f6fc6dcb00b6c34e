// SPDX-License-Identifier: MIT
#include "mapped.h"

#include <string.h>

#include "harness.h"
#include "shaders.h"

#define BYTES 4096
#define STRIDE (VERTEX * sizeof(GLfloat))

/* The buffer; name 0: there is none. source: from which BUFFER_COPY copies, kept for all scenes. */
static struct {
	GLuint name, source;
	/* It was made with data; it is written as a whole, and not only where the vertices are. */
	bool with_data, whole;
	/* Of a buffer that was deleted since the scene began the mapping did not show what was written */
	bool differed;
	enum buffer_way way;
	uint8_t *pointer;
	/* What was last written, bytes */
	uint8_t data[BYTES];
	unsigned bytes;
} mapped;

bool can_map_buffers(void)
{
	return has_extension("GL_ARB_buffer_storage") && has_extension("GL_ARB_copy_buffer");
}

static void delete_buffer(void)
{
	glFinish();
	mapped.differed |= memcmp(mapped.pointer, mapped.data, mapped.bytes) != 0;
	glBindBuffer(GL_ARRAY_BUFFER, mapped.name);
	glUnmapBuffer(GL_ARRAY_BUFFER);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glDeleteBuffers(1, &mapped.name);
	mapped.name = 0;
}

static void make_buffer(bool with_data)
{
	const GLbitfield access =
		GL_MAP_WRITE_BIT | GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
	static const uint8_t data[BYTES];

	glGenBuffers(1, &mapped.name);
	glBindBuffer(GL_ARRAY_BUFFER, mapped.name);
	glBufferStorage(GL_ARRAY_BUFFER, BYTES, with_data ? data : NULL,
			access | GL_DYNAMIC_STORAGE_BIT);
	mapped.pointer = glMapBufferRange(GL_ARRAY_BUFFER, 0, BYTES, access);
	if (!mapped.pointer)
		give_up("a buffer is not mapped: error 0x%x", glGetError());
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	mapped.with_data = with_data;
	mapped.bytes = 0;
}

void use_mapped(const struct command *command)
{
	bool with_data = value_of(command, 1);

	if (mapped.name && (value_of(command, 0) || with_data != mapped.with_data))
		delete_buffer();
	if (!mapped.name)
		make_buffer(with_data);
	mapped.whole = value_of(command, 2);
	mapped.way = value_of(command, 3);
}

/* Write the vertices; draws that were recorded before must still have the old ones. */
static void write_buffer(void)
{
	unsigned bytes = mapped.whole ? BYTES : mapped.bytes;

	switch (mapped.way) {
	case BUFFER_POINTER:
		/* The application must not write what the GPU still reads. */
		glFinish();
		memcpy(mapped.pointer, mapped.data, bytes);
		break;
	case BUFFER_DATA:
		glBindBuffer(GL_ARRAY_BUFFER, mapped.name);
		glBufferSubData(GL_ARRAY_BUFFER, 0, bytes, mapped.data);
		break;
	default:
		if (!mapped.source)
			glGenBuffers(1, &mapped.source);
		glBindBuffer(GL_COPY_READ_BUFFER, mapped.source);
		glBufferData(GL_COPY_READ_BUFFER, BYTES, mapped.data, GL_STREAM_DRAW);
		glBindBuffer(GL_COPY_WRITE_BUFFER, mapped.name);
		glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes);
	}
}

bool draw_mapped(const struct command *command)
{
	unsigned count;

	if (!mapped.name)
		return false;
	count = load_vertices(command, (GLfloat(*)[VERTEX])mapped.data);
	mapped.bytes = count * STRIDE;
	write_buffer();
	glBindBuffer(GL_ARRAY_BUFFER, mapped.name);
	glVertexPointer(3, GL_FLOAT, STRIDE, (void *)0);
	glColorPointer(4, GL_FLOAT, STRIDE, (void *)(3 * sizeof(GLfloat)));
	glTexCoordPointer(2, GL_FLOAT, STRIDE, (void *)(7 * sizeof(GLfloat)));
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_COLOR_ARRAY);
	glEnableClientState(GL_TEXTURE_COORD_ARRAY);
	glDrawArrays(value_of(command, 0), 0, count);
	glDisableClientState(GL_VERTEX_ARRAY);
	glDisableClientState(GL_COLOR_ARRAY);
	glDisableClientState(GL_TEXTURE_COORD_ARRAY);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	return true;
}

bool end_mapped(void)
{
	bool same;

	if (mapped.name)
		delete_buffer();
	same = !mapped.differed;
	mapped.differed = false;
	return same;
}
