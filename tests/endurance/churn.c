// SPDX-License-Identifier: MIT
/*
 * churn: creates and destroys contexts until SIGTERM, some of which share objects with one that
 * lives as long as the EGL display. Each context draws, and the pixels are checked. After every
 * DISPLAY_ROUNDS contexts the display is terminated and initialised again.
 *
 * Prints the vendor, "drawing" after the first DISPLAY_ROUNDS contexts, and at the end the
 * check, the number of contexts and a line of counts.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "harness.h"

#define SIDE 32
#define DISPLAY_ROUNDS 16 /* contexts between two initialisations of the display */
#define MAX_SHADERS 2

static atomic_bool stop;

static void on_signal(int number)
{
	(void)number;
	stop = true;
}

/* Objects shared with a context that persists are not freed with the context that created them. */
static void delete_program(GLuint program)
{
	GLuint shaders[MAX_SHADERS];
	GLsizei count;

	glGetAttachedShaders(program, MAX_SHADERS, &count, shaders);
	for (GLsizei i = 0; i < count; i++)
		glDeleteShader(shaders[i]);
	glDeleteProgram(program);
}

/* The framebuffer, which is bound, and its texture. */
static void delete_target(GLuint framebuffer)
{
	GLint texture;

	glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
					      GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &texture);
	glDeleteTextures(1, &(GLuint){ texture });
	glDeleteFramebuffers(1, &framebuffer);
}

/* The colour of a round, with an alpha of 255. */
static uint32_t color_of(unsigned round)
{
	return 0xff000000u | (round * 0x9e3779b1u & 0xffffffu);
}

static bool is_filled(uint32_t color)
{
	static uint32_t pixels[SIDE * SIDE];

	glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (unsigned i = 0; i < SIDE * SIDE; i++)
		if (pixels[i] != color)
			return false;
	return glGetError() == GL_NO_ERROR;
}

/* Returns whether what the current context drew is right. */
static bool draw_round(unsigned round)
{
	GLuint framebuffer = make_target(SIDE, SIDE), program = use_plain_program();
	uint32_t color = color_of(round);
	bool right;

	glUniform4f(glGetUniformLocation(program, "color"), (color & 0xff) / 255.0f,
		    (color >> 8 & 0xff) / 255.0f, (color >> 16 & 0xff) / 255.0f, 1);
	draw_square(0, 1);
	right = is_filled(color);
	delete_target(framebuffer);
	delete_program(program);
	return right;
}

/* Contexts of one initialised display. Returns how many of them were wrong. */
static unsigned live(unsigned *round)
{
	EGLContext stays = make_context(API_ES2, EGL_NO_CONTEXT);
	unsigned wrong = 0;

	for (unsigned i = 0; i < DISPLAY_ROUNDS && !stop; i++, (*round)++) {
		EGLContext context = make_context(i % 3 == 2 ? API_GL : API_ES2,
						  i % 3 == 1 ? stays : EGL_NO_CONTEXT);

		use_context(context);
		if (*round == 0)
			printf("vendor: %s\n", (const char *)glGetString(GL_VENDOR));
		wrong += !draw_round(*round);
		use_context(EGL_NO_CONTEXT);
		if (!eglDestroyContext(get_display(), context))
			give_up("a context can't be destroyed: EGL error 0x%x", eglGetError());
	}
	eglDestroyContext(get_display(), stays);
	return wrong;
}

int main(void)
{
	unsigned rounds = 0, wrong = 0;

	signal(SIGTERM, on_signal);
	for (bool first = true; !stop; first = false) {
		wrong += live(&rounds);
		if (first) {
			printf("drawing\n");
			fflush(stdout);
		}
		if (!eglTerminate(get_display()) || !eglInitialize(get_display(), NULL, NULL))
			give_up("the display does not begin again: EGL error 0x%x", eglGetError());
	}
	eglTerminate(get_display());
	check("churn.contexts", rounds && !wrong, "%u of %u contexts are wrong", wrong, rounds);
	printf("rounds: %u\n", rounds);
	return end_checks();
}
