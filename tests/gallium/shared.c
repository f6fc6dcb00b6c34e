// SPDX-License-Identifier: MIT
/*
 * shared: tests of textures and buffers that two contexts share, each in a thread of its own. What one
 * changed before glFlush() or glFinish() must be seen by the other that binds the object then, whatever
 * either has recorded and not submitted. And fences of a context on which another one waits. Names of its
 * checks begin with "sh.".
 */
#include "harness.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#define SIDE 64
#define LEVELS 7
#define ROUNDS 50
#define SECONDS 5 /* limit of the wait for a fence */
/* Of a buffer: more than one of which the threaded context keeps a copy */
#define BYTES (128 * 1024)

/**
 * The second context and its thread, which runs functions one after the other; what they use: the
 * shared texture and buffer, and the arguments of a wait; and the pixel that they read
 */
static struct {
	pthread_t thread;
	sem_t go, done;
	void (*function)(void);
	EGLContext context;
	GLuint texture, buffer;
	uint8_t pixel[4];
	GLsync sync;
	GLbitfield flags;
	GLuint64 timeout;
} other;

static PFNGLFENCESYNCAPPLEPROC fence_sync;
static PFNGLCLIENTWAITSYNCAPPLEPROC client_wait_sync;
static PFNGLDELETESYNCAPPLEPROC delete_sync;
static EGLContext own;
static GLuint target;

static void *run_functions(void *unused)
{
	for (;;) {
		sem_wait(&other.go);
		if (!other.function)
			return unused;
		other.function();
		sem_post(&other.done);
	}
}

/* Let the second thread run a function, and wait for the function's end; NULL ends the thread. */
static void run(void (*function)(void))
{
	other.function = function;
	sem_post(&other.go);
	if (!function)
		return;
	sem_wait(&other.done);
}

#define SHORT "gl_FragColor = texture2D(picture, at);"
#define LONG                                                \
	"vec4 sum = vec4(0.0);"                             \
	"for (int i = 0; i < 250; i++)"                     \
	"	sum += texture2D(picture, fract(at * float(i)));" \
	"gl_FragColor = sum / 250.0;"

/* Use a program with these statements of the fragment shader. */
static void use_texture_program(const char *statements)
{
	char fragment[1024];

	snprintf(fragment, sizeof(fragment),
		 "precision mediump float;\n"
		 "uniform sampler2D picture;\n"
		 "varying vec2 at;\n"
		 "void main() { %s }\n",
		 statements);
	use_copy_program(fragment);
}

/* The current API is of the thread, so that it is bound here, too. */
static void begin_other(void)
{
	eglBindAPI(EGL_OPENGL_ES_API);
	use_context(other.context);
	make_target(SIDE, SIDE);
	use_texture_program(SHORT);
}

static void end_other(void)
{
	use_context(EGL_NO_CONTEXT);
}

/* Draw with the texture and read a pixel. */
static void sample_in_other(void)
{
	glBindTexture(GL_TEXTURE_2D, other.texture);
	draw_square(0, 1);
	glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, other.pixel);
}

/*
 * Upload a texture that is not used. A thread of the driver has executed the calls before the
 * upload when it returns, but may have submitted nothing. Leaves the shared texture bound.
 */
static void execute(void)
{
	static const uint8_t pixels[SIDE * SIDE];
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, SIDE, SIDE, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE,
		     pixels);
	glDeleteTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, other.texture);
}

/* Draw with colours from the buffer, and let a thread of the driver execute that. */
static void draw_buffer_in_other(void)
{
	glBindBuffer(GL_ARRAY_BUFFER, other.buffer);
	glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, NULL);
	glEnableVertexAttribArray(1);
	draw_square(0, 1);
	execute();
}

static void use_buffer_in_other(void)
{
	use_program("attribute vec4 position;\n"
		    "attribute vec4 value;\n"
		    "varying vec4 color;\n"
		    "void main() { color = value; gl_Position = position; }\n",
		    "precision mediump float;\n"
		    "varying vec4 color;\n"
		    "void main() { gl_FragColor = color; }\n");
	draw_buffer_in_other();
}

static void read_buffer_in_other(void)
{
	draw_buffer_in_other();
	glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, other.pixel);
}

static void wait_in_other(void)
{
	client_wait_sync(other.sync, other.flags, other.timeout);
}

static void make_other(void)
{
	other.context = make_context(API_ES2, own);
	run(begin_other);
}

static void destroy_other(void)
{
	run(end_other);
	eglDestroyContext(get_display(), other.context);
}

/* Check the pixel that the second context samples. */
static void check_other(const char *tag, uint8_t red, uint8_t green, const char *what)
{
	const uint8_t *pixel = other.pixel;

	run(sample_in_other);
	check(tag, pixel[0] == red && pixel[1] == green, "%s: %d, %d, expected %d, %d", what,
	      pixel[0], pixel[1], red, green);
}

/* A texture of bytes, bound and for the second context, too; with @levels levels. */
static void make_texture(GLenum format, uint8_t value, int levels)
{
	static uint8_t pixels[SIDE * SIDE * 4];

	memset(pixels, value, sizeof(pixels));
	glGenTextures(1, &other.texture);
	glBindTexture(GL_TEXTURE_2D, other.texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
			levels > 1 ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST);
	for (int i = 0; i < levels; i++)
		glTexImage2D(GL_TEXTURE_2D, i, format, SIDE >> i, SIDE >> i, 0, format,
			     GL_UNSIGNED_BYTE, pixels);
}

/* Clear the texture to this red and green. */
static void clear_texture(uint8_t red, uint8_t green)
{
	static GLuint framebuffer;

	if (!framebuffer)
		glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, other.texture,
			       0);
	glClearColor(red / 255.0f, green / 255.0f, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glBindFramebuffer(GL_FRAMEBUFFER, target);
}

/*
 * The texture is cleared, which a core does by tile status, and that is finished. Then it is used
 * in a job that is not submitted. Textures with several levels are not sampled through tile status.
 * @before: the second context exists from the beginning; else it is made when the job is recorded.
 */
static void cleared(int levels, bool before)
{
	make_texture(GL_RGBA, 255, levels);
	if (before)
		make_other();
	draw_square(0, 1);
	clear_texture(0, 204);
	glFinish();
	draw_square(0, 1);
	execute();
	if (!before)
		make_other();
	check_other("sh.cleared", 0, 204,
		    before ? "the other context was there" : "it was made later");
	glFinish();
	check_other("sh.cleared", 0, 204, "the same when the job is finished");
	destroy_other();
	glDeleteTextures(1, &other.texture);
}

/* The second context samples the texture while the clear is recorded, but not submitted. */
static void cleared_later(int levels)
{
	make_texture(GL_RGBA, 255, levels);
	make_other();
	run(sample_in_other);
	clear_texture(0, 204);
	execute();
	run(sample_in_other);
	glFinish();
	check_other("sh.cleared-later", 0, 204,
		    "sampled before the clear was submitted, and after");
	destroy_other();
	glDeleteTextures(1, &other.texture);
}

/*
 * A texture of one byte a pixel is replaced while the core reads it for long. The next draw brings it up to
 * date, in a job that is not submitted when the second context is made.
 */
static void replaced(void)
{
	static uint8_t pixels[SIDE * SIDE];
	GLint program;

	glGetIntegerv(GL_CURRENT_PROGRAM, &program);
	make_texture(GL_LUMINANCE, 40, 1);
	use_texture_program(LONG);
	draw_square(0, 4);
	memset(pixels, 200, sizeof(pixels));
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, GL_LUMINANCE, GL_UNSIGNED_BYTE, pixels);
	glFlush();
	glUseProgram(program);
	draw_square(0, 1);
	execute();
	make_other();
	check_other("sh.replaced", 200, 200, "the job that replaces it is not submitted");
	glFinish();
	check_other("sh.replaced", 200, 200, "the same when the job is finished");
	destroy_other();
	glDeleteTextures(1, &other.texture);
}

/* A buffer is replaced whole while the second context's job, which is not submitted, reads it. */
static void replaced_buffer(void)
{
	static uint8_t bytes[BYTES];

	memset(bytes, 40, BYTES);
	glGenBuffers(1, &other.buffer);
	glBindBuffer(GL_ARRAY_BUFFER, other.buffer);
	glBufferData(GL_ARRAY_BUFFER, BYTES, bytes, GL_STATIC_DRAW);
	make_other();
	run(use_buffer_in_other);
	memset(bytes, 200, BYTES);
	glBindBuffer(GL_ARRAY_BUFFER, other.buffer);
	glBufferSubData(GL_ARRAY_BUFFER, 0, BYTES, bytes);
	glFinish();
	run(read_buffer_in_other);
	check("sh.replaced-buffer", other.pixel[0] == 200, "%d, expected 200", other.pixel[0]);
	destroy_other();
	glDeleteBuffers(1, &other.buffer);
}

/* glFlush() alone: the second context samples what was submitted before it returned. */
static void flushed(void)
{
	int wrong = 0;

	make_texture(GL_RGBA, 255, 1);
	make_other();
	for (int i = 0; i < ROUNDS; i++) {
		clear_texture(5 * i, 255 - 5 * i);
		glFlush();
		run(sample_in_other);
		wrong += other.pixel[0] != 5 * i || other.pixel[1] != 255 - 5 * i;
	}
	check("sh.flushed", !wrong, "%d of %d times the old pixel after glFlush", wrong, ROUNDS);
	destroy_other();
	glDeleteTextures(1, &other.texture);
}

/*
 * A fence that is not submitted, on which a context waits that was made after it, and then its own. Only
 * a wait by its own context flushes.
 */
static void polled(GLbitfield flags, GLuint64 timeout)
{
	GLenum result;

	make_texture(GL_RGBA, 255, 1);
	draw_square(0, 1);
	other.sync = fence_sync(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
	other.flags = flags;
	other.timeout = timeout;
	make_other();
	run(wait_in_other);
	result = client_wait_sync(other.sync, GL_SYNC_FLUSH_COMMANDS_BIT_APPLE,
				  SECONDS * 1000000000ull);
	check("sh.polled",
	      result == GL_CONDITION_SATISFIED_APPLE || result == GL_ALREADY_SIGNALED_APPLE,
	      "0x%x, after another context waited for %ld ms", result, (long)(timeout / 1000000));
	delete_sync(other.sync);
	destroy_other();
	glDeleteTextures(1, &other.texture);
}

int main(void)
{
	own = make_context(API_ES2, EGL_NO_CONTEXT);
	use_context(own);
	printf("# vendor: %s\n", (const char *)glGetString(GL_VENDOR));
	fence_sync = get_function("glFenceSyncAPPLE");
	client_wait_sync = get_function("glClientWaitSyncAPPLE");
	delete_sync = get_function("glDeleteSyncAPPLE");
	target = make_target(SIDE, SIDE);
	use_texture_program(SHORT);
	sem_init(&other.go, 0, 0);
	sem_init(&other.done, 0, 0);
	if (pthread_create(&other.thread, NULL, run_functions, NULL))
		give_up("no thread");
	polled(0, 0);
	polled(GL_SYNC_FLUSH_COMMANDS_BIT_APPLE, 100000000);
	for (int before = 0; before < 2; before++) {
		cleared(1, before);
		cleared(LEVELS, before);
	}
	replaced();
	cleared_later(1);
	cleared_later(LEVELS);
	replaced_buffer();
	flushed();
	check_error("sh.errors", GL_NO_ERROR, "no error is left");
	run(NULL);
	pthread_join(other.thread, NULL);
	return end_checks();
}
