// SPDX-License-Identifier: MIT
#include "samples.h"

/* Buffers; for glPushAttrib() the same bits are the state of these buffers. */
#define ALL_BITS (GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)

static void blit(GLuint from, GLuint to, const GLint area[4], GLbitfield bits)
{
	GLint right = area[0] + area[2], top = area[1] + area[3];

	glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
	glBlitFramebuffer(area[0], area[1], right, top, area[0], area[1], right, top, bits,
			  GL_NEAREST);
}

/* Clear where both the area and the scissor are, with values that scenes seldom have. */
static void spoil(const GLint area[4], GLbitfield bits)
{
	GLint scissor[4] = { 0, 0, SIZE, SIZE }, end;

	if (glIsEnabled(GL_SCISSOR_TEST))
		glGetIntegerv(GL_SCISSOR_BOX, scissor);
	for (int i = 0; i < 2; i++) {
		end = scissor[i] + scissor[2 + i];
		if (end > area[i] + area[2 + i])
			end = area[i] + area[2 + i];
		if (scissor[i] < area[i])
			scissor[i] = area[i];
		scissor[2 + i] = end > scissor[i] ? end - scissor[i] : 0;
	}
	glEnable(GL_SCISSOR_TEST);
	glScissor(scissor[0], scissor[1], scissor[2], scissor[3]);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthMask(GL_TRUE);
	glStencilMask(255);
	glClearColor(0.9, 0.1, 0.7, 0.3);
	glClearDepth(0.3);
	glClearStencil(0x5a);
	glClear(bits);
}

void copy_samples(const struct sampled *target, const struct command *command)
{
	const GLbitfield bits = value_of(command, 0);
	GLint area[4];

	for (int i = 0; i < 4; i++)
		area[i] = command->values[1 + i];
	glPushAttrib(ALL_BITS | GL_SCISSOR_BIT);
	glDisable(GL_SCISSOR_TEST);
	blit(target->drawn, target->other, area, bits);
	glPopAttrib();
	glPushAttrib(ALL_BITS | GL_SCISSOR_BIT);
	glBindFramebuffer(GL_FRAMEBUFFER, target->drawn);
	spoil(area, bits);
	glPopAttrib();
	blit(target->other, target->drawn, area, bits);
	glBindFramebuffer(GL_FRAMEBUFFER, target->drawn);
}

/* The part by the scissor, and what is below, above, left and right of it. */
static void resolve_parts(const struct sampled *target, const struct command *part)
{
	const GLint x = value_of(part, 0), y = value_of(part, 1);
	const GLint right = x + value_of(part, 2), top = y + value_of(part, 3);
	const GLint parts[5][4] = { { 0, 0, SIZE, SIZE },
				    { 0, 0, SIZE, y },
				    { 0, top, SIZE, SIZE - top },
				    { 0, y, x, top - y },
				    { right, y, SIZE - right, top - y } };

	glScissor(x, y, right - x, top - y);
	for (int i = 0; i < 5; i++) {
		if (i == 0)
			glEnable(GL_SCISSOR_TEST);
		else
			glDisable(GL_SCISSOR_TEST);
		if (parts[i][2] && parts[i][3])
			blit(target->drawn, target->resolved, parts[i], GL_COLOR_BUFFER_BIT);
	}
}

void resolve_samples(const struct sampled *target, const struct command *part)
{
	static const GLint whole[4] = { 0, 0, SIZE, SIZE };

	glDisable(GL_SCISSOR_TEST);
	if (part)
		resolve_parts(target, part);
	else
		blit(target->drawn, target->resolved, whole, GL_COLOR_BUFFER_BIT);
	glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
}
