// SPDX-License-Identifier: MIT
/*
 * share: two contexts in two threads that share textures and buffers, until
 * SIGTERM. The painter uploads a picture, draws a second one from it and writes
 * vertices and indices; the viewer draws with all of these and compares what it
 * reads with the expected picture (picture.h). While the viewer checks one round, the
 * painter works on the next.
 *
 * A round is handed over with an EGL fence, for which either the viewer's context
 * (eglWaitSync) or its thread (eglClientWaitSync) waits, or after glFinish. The
 * painter overwrites objects, reallocates their memory, or creates new ones.
 *
 * Prints the vendor, "drawing" after the first picture, and at the end the checks, the
 * number of rounds and a line of counts.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "picture.h"

#define SLOTS 3
#define RENEW 16      /* rounds of a slot after which its objects are made anew */
#define MAX_PRINTED 5 /* wrong pictures of which a line is printed */
#define INDICES (CELLS * 6)

/* Objects of a round. Owned by the painter while empty, by the viewer while full. */
struct slot {
	GLuint image, drawn;
	GLuint vertices, indices;
	EGLSync fence;
	unsigned round;
	bool full;
};

/* Objects and uniform locations of one context. */
struct tools {
	GLuint program, framebuffer, target, depth;
	GLint matrix, color, flat;
};

static struct slot slots[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* slots' full, and ended */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ended;
static atomic_bool stop;
static unsigned wrong; /* pictures; only the viewer counts */

static const char vertex_source[] = "attribute vec4 position;\n"
				    "attribute vec2 value;\n"
				    "varying vec2 at;\n"
				    "void main() { gl_Position = position; at = value; }\n";

/* The texture's colour with some channels exchanged, or another colour. */
static const char fragment_source[] =
	"precision mediump float;\n"
	"uniform sampler2D image;\n"
	"uniform mat4 channels;\n"
	"uniform vec4 color;\n"
	"uniform float flat_part;\n"
	"varying vec2 at;\n"
	"void main() {\n"
	"  gl_FragColor = mix(channels * texture2D(image, at), color, flat_part);\n"
	"}\n";

static const float as_they_are[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
static const float exchanged[16] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1 };

static void on_signal(int number)
{
	(void)number;
	stop = true;
}

static void color_values(color_t color, float values[4])
{
	for (int i = 0; i < 4; i++)
		values[i] = (color >> 8 * i & 0xff) / 255.0f;
}

static void init_tools(struct tools *tools)
{
	tools->program = use_program(vertex_source, fragment_source);
	tools->matrix = glGetUniformLocation(tools->program, "channels");
	tools->color = glGetUniformLocation(tools->program, "color");
	tools->flat = glGetUniformLocation(tools->program, "flat_part");
	glGenFramebuffers(1, &tools->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, tools->framebuffer);
	glViewport(0, 0, SIDE, SIDE);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
}

static GLuint make_texture(void)
{
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	return texture;
}

static void renew(struct slot *slot)
{
	glDeleteTextures(1, &slot->image);
	glDeleteTextures(1, &slot->drawn);
	glDeleteBuffers(1, &slot->vertices);
	glDeleteBuffers(1, &slot->indices);
	slot->image = make_texture();
	slot->drawn = make_texture();
	glGenBuffers(1, &slot->vertices);
	glGenBuffers(1, &slot->indices);
	glBindBuffer(GL_ARRAY_BUFFER, slot->vertices);
	glBufferData(GL_ARRAY_BUFFER, CELLS * 4 * sizeof(struct vertex), NULL, GL_DYNAMIC_DRAW);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, slot->indices);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, INDICES * sizeof(GLushort), NULL, GL_DYNAMIC_DRAW);
}

/* In one piece, with other memory, or in two pieces. */
static void upload_image(const struct slot *slot, unsigned round)
{
	static color_t texels[SIDE * SIDE];

	for (unsigned y = 0; y < SIDE; y++)
		for (unsigned x = 0; x < SIDE; x++)
			texels[y * SIDE + x] = picture_texel(round, x, y);
	glBindTexture(GL_TEXTURE_2D, slot->image);
	if (round & 1) {
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     texels);
		return;
	}
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE / 2 + 1, GL_RGBA, GL_UNSIGNED_BYTE,
			texels);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, SIDE / 2 + 1, SIDE, SIDE / 2 - 1, GL_RGBA,
			GL_UNSIGNED_BYTE, texels + SIDE * (SIDE / 2 + 1));
}

static void upload_cells(const struct slot *slot, unsigned round)
{
	static const GLushort order[6] = { 0, 1, 2, 2, 1, 3 };
	static struct vertex vertices[CELLS * 4];
	static GLushort indices[INDICES];

	for (unsigned cell = 0; cell < CELLS; cell++)
		picture_quad(round, cell, vertices + 4 * cell);
	/* In each round the cells are drawn beginning with another one. */
	for (unsigned i = 0; i < INDICES; i++)
		indices[i] = (i / 6 + round) % CELLS * 4 + order[i % 6];
	glBindBuffer(GL_ARRAY_BUFFER, slot->vertices);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, slot->indices);
	if (round & 2) {
		glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STREAM_DRAW);
		glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STREAM_DRAW);
	} else {
		glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(vertices), vertices);
		glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, sizeof(indices), indices);
	}
}

/* A rectangle over the target's lower rows, at depth 0; texture places are the pixels'. */
static void draw_rows(unsigned rows)
{
	const float top = 2.0f * rows / SIDE - 1, v = (float)rows / SIDE;
	const float corners[] = { -1, -1, 0, 0, 1, -1, 1, 0, -1, top, 0, v, 1, top, 1, v };

	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 16, corners);
	glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 16, corners + 2);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void draw_second(const struct slot *slot, unsigned round)
{
	float clear[4];

	color_values(picture_clear(round), clear);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, slot->drawn, 0);
	glClearColor(clear[0], clear[1], clear[2], clear[3]);
	glClear(GL_COLOR_BUFFER_BIT);
	glBindTexture(GL_TEXTURE_2D, slot->image);
	draw_rows(DRAWN_ROWS);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
}

/* Wait until a slot is full or empty. Returns false if the painter ended instead of filling it. */
static bool await_slot(struct slot *slot, bool full)
{
	bool is;

	pthread_mutex_lock(&lock);
	while (slot->full != full && !(full && ended))
		pthread_cond_wait(&changed, &lock);
	is = slot->full == full;
	pthread_mutex_unlock(&lock);
	return is;
}

static void hand_over(struct slot *slot, bool full)
{
	pthread_mutex_lock(&lock);
	slot->full = full;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void end_rounds(void)
{
	pthread_mutex_lock(&lock);
	ended = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static EGLSync make_fence(void)
{
	EGLSync fence = eglCreateSync(get_display(), EGL_SYNC_FENCE, NULL);

	if (!fence)
		give_up("no fence: EGL error 0x%x", eglGetError());
	glFlush();
	return fence;
}

static void *paint(void *context)
{
	struct tools tools;

	use_context(context);
	init_tools(&tools);
	glUniformMatrix4fv(tools.matrix, 1, GL_FALSE, exchanged);
	for (unsigned round = 0; !stop; round++) {
		struct slot *slot = &slots[round % SLOTS];

		await_slot(slot, false);
		if (round / SLOTS % RENEW == 0)
			renew(slot);
		upload_image(slot, round);
		draw_second(slot, round);
		upload_cells(slot, round);
		slot->round = round;
		slot->fence = round % 3 ? make_fence() : EGL_NO_SYNC;
		if (!slot->fence)
			glFinish();
		hand_over(slot, true);
	}
	end_rounds();
	check("share.errors", glGetError() == GL_NO_ERROR, "no error of GL's in the painter");
	use_context(EGL_NO_CONTEXT);
	return NULL;
}

/*
 * By the number of the round, as paint() made it: no fence, one for the context, one for the
 * thread.
 */
static void await_fence(struct slot *slot)
{
	EGLDisplay display = get_display();

	if (!slot->fence)
		return;
	if (slot->round % 3 == 1 && !eglWaitSync(display, slot->fence, 0))
		give_up("the context can't wait: EGL error 0x%x", eglGetError());
	if (slot->round % 3 == 2 &&
	    eglClientWaitSync(display, slot->fence, 0, EGL_FOREVER) != EGL_CONDITION_SATISFIED)
		give_up("the thread can't wait: EGL error 0x%x", eglGetError());
	eglDestroySync(display, slot->fence);
}

/* The viewer's own target, with depth. */
static void init_target(struct tools *tools)
{
	tools->target = make_texture();
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, tools->target,
			       0);
	glGenRenderbuffers(1, &tools->depth);
	glBindRenderbuffer(GL_RENDERBUFFER, tools->depth);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
				  tools->depth);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("framebuffer not complete");
}

static void draw_cells(const struct slot *slot)
{
	glBindTexture(GL_TEXTURE_2D, slot->drawn);
	glBindBuffer(GL_ARRAY_BUFFER, slot->vertices);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, slot->indices);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(struct vertex), NULL);
	glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, sizeof(struct vertex),
			      (const void *)offsetof(struct vertex, place));
	glDrawElements(GL_TRIANGLES, INDICES, GL_UNSIGNED_SHORT, NULL);
}

static void draw_flat(const struct tools *tools, color_t color)
{
	float values[4];

	color_values(color, values);
	glUniform4fv(tools->color, 1, values);
	glUniform1f(tools->flat, 1);
	draw_rows(SIDE);
	glUniform1f(tools->flat, 0);
}

static void draw_third(const struct tools *tools, const struct slot *slot)
{
	glClearColor(1, 0, 1, 0);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	draw_cells(slot);
	draw_flat(tools, picture_flat(slot->round));
	glDisable(GL_DEPTH_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
	draw_flat(tools, picture_added(slot->round));
	glDisable(GL_BLEND);
}

static void compare(unsigned round)
{
	static color_t pixels[SIDE * SIDE], expected[SIDE * SIDE];
	unsigned different = 0, first = 0;

	glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	picture_expect(round, expected);
	for (unsigned i = SIDE * SIDE; i-- > 0;) {
		if (pixels[i] == expected[i])
			continue;
		different++;
		first = i;
	}
	if (!different || wrong++ >= MAX_PRINTED)
		return;
	printf("# round %u: %u pixels are wrong; the first at %u,%u is %08" PRIx32
	       " instead of %08" PRIx32 "\n",
	       round, different, first % SIDE, first / SIDE, pixels[first], expected[first]);
}

static unsigned view(EGLContext context)
{
	struct tools tools;
	unsigned round;

	use_context(context);
	init_tools(&tools);
	init_target(&tools);
	glUniformMatrix4fv(tools.matrix, 1, GL_FALSE, as_they_are);
	for (round = 0; await_slot(&slots[round % SLOTS], true); round++) {
		struct slot *slot = &slots[round % SLOTS];

		await_fence(slot);
		draw_third(&tools, slot);
		compare(round);
		/* End a frame: st_flush() frees objects that other contexts deleted. */
		glFlush();
		hand_over(slot, false);
		if (round == 0) {
			printf("drawing\n");
			fflush(stdout);
		}
	}
	check("share.errors", glGetError() == GL_NO_ERROR, "no error of GL's in the viewer");
	use_context(EGL_NO_CONTEXT);
	return round;
}

int main(void)
{
	EGLContext painter = make_context(API_ES2, EGL_NO_CONTEXT);
	EGLContext viewer = make_context(API_ES2, painter);
	pthread_t thread;
	unsigned rounds;

	signal(SIGTERM, on_signal);
	use_context(viewer);
	printf("vendor: %s\n", (const char *)glGetString(GL_VENDOR));
	if (pthread_create(&thread, NULL, paint, painter))
		give_up("no thread");
	rounds = view(viewer);
	pthread_join(thread, NULL);
	check("share.pictures", rounds && !wrong, "%u of %u pictures are wrong", wrong, rounds);
	eglDestroyContext(get_display(), viewer);
	eglDestroyContext(get_display(), painter);
	eglTerminate(get_display());
	printf("rounds: %u\n", rounds);
	return end_checks();
}
