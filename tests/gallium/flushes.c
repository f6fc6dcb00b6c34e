// SPDX-License-Identifier: MIT
/*
 * flushes: draws between which blending, masks, depth, stencil and textures change, and indexed
 * triangle strips. What it draws is compared here; whether the stream has the flushes and stalls
 * that silicon needs, flushes.py looks for in what VIVGPU_DEBUG=stream prints. Names of its checks
 * begin with "fl.".
 */
#include "harness.h"

#include <string.h>

#define SIDE 64
#define ROUNDS 3

static void replace_texture(uint8_t value)
{
	uint8_t pixels[4 * 4 * 4];

	memset(pixels, value, sizeof(pixels));
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

/*
 * Each of these functions changes a state for the next draw; with 0 it has its first value again.
 */
static void blend(int on)
{
	(on ? glEnable : glDisable)(GL_BLEND);
	glBlendFunc(GL_ONE, GL_ONE);
}

static void mask(int on)
{
	glColorMask(GL_TRUE, !on, GL_TRUE, GL_TRUE);
}

static void depth(int on)
{
	(on ? glEnable : glDisable)(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
}

static void stencil(int on)
{
	(on ? glEnable : glDisable)(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 1, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
}

static void texture(int on)
{
	replace_texture(on ? 64 : 32);
}

static void draw_with_changes(void)
{
	static void (*const changes[])(int on) = { blend, mask, depth, stencil, texture };

	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < COUNT(changes); i++) {
			changes[i](1);
			draw_square(0, 1);
			changes[i](0);
			draw_square(0, 1);
		}
	}
}

static int green_at(int x, int y)
{
	uint8_t pixel[4];

	glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	return pixel[1];
}

/* A strip of two triangles that covers the left half, by indices in an order of their own. */
static void draw_strip(void)
{
	static const float corners[] = { 0, 1, -1, -1, 0, -1, -1, 1 };
	static const uint16_t indices[] = { 1, 2, 3, 0 };
	GLuint buffers[2];

	glGenBuffers(2, buffers);
	glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
	for (unsigned round = 0; round < ROUNDS; round++)
		glDrawElements(GL_TRIANGLE_STRIP, COUNT(indices), GL_UNSIGNED_SHORT, NULL);
	glDeleteBuffers(2, buffers);
}

static void add_depth_and_stencil(void)
{
	GLuint buffer;

	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8_OES, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffer);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, buffer);
}

int main(void)
{
	GLuint name;

	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	make_target(SIDE, SIDE);
	add_depth_and_stencil();
	use_program("attribute vec4 position;\n"
		    "void main() { gl_Position = position; }\n",
		    "precision mediump float;\n"
		    "uniform sampler2D picture;\n"
		    "void main() { gl_FragColor = texture2D(picture, vec2(0.5)); }\n");
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	replace_texture(32);
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	draw_with_changes();
	check("fl.drawn", green_at(SIDE / 2, SIDE / 2) == 32, "green is %d, not 32",
	      green_at(SIDE / 2, SIDE / 2));
	glClear(GL_COLOR_BUFFER_BIT);
	replace_texture(200);
	draw_strip();
	check("fl.strip", green_at(SIDE / 4, SIDE / 2) == 200 && !green_at(3 * SIDE / 4, SIDE / 2),
	      "an indexed strip: green is %d in its half, %d in the other",
	      green_at(SIDE / 4, SIDE / 2), green_at(3 * SIDE / 4, SIDE / 2));
	check_error("fl.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
