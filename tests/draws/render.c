// SPDX-License-Identifier: MIT
#include "render.h"

#include <string.h>

#include "harness.h"

/* Framebuffers of a target: the one drawn into, and one without samples beside it. */
struct target {
	GLenum format;
	unsigned samples;
	GLuint framebuffers[2];
	struct choices choices;
};

struct renderer {
	const struct target *target;
	GLuint texture;
	unsigned width, height;
	bool scissor;
};

void begin_rendering(void)
{
	use_context(make_context(API_GL, EGL_NO_CONTEXT));
	printf("vendor: %s\nrenderer: %s\n", (const char *)glGetString(GL_VENDOR),
	       (const char *)glGetString(GL_RENDERER));
}

bool is_llvmpipe(void)
{
	return strncmp((const char *)glGetString(GL_RENDERER), "llvmpipe", 8) == 0;
}

static GLuint make_framebuffer(GLenum format, unsigned samples)
{
	GLuint framebuffer, buffers[2];

	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glGenRenderbuffers(2, buffers);
	for (int i = 0; i < 2; i++) {
		glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
		glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples,
						 i ? GL_DEPTH24_STENCIL8 : format, SIZE, SIZE);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER,
					  i ? GL_DEPTH_STENCIL_ATTACHMENT : GL_COLOR_ATTACHMENT0,
					  GL_RENDERBUFFER, buffers[i]);
	}
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("a framebuffer of format 0x%x, %u samples is not complete", format,
			samples);
	glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
	return framebuffer;
}

/* The target of a scene, made once. */
static const struct target *find_target(GLenum format, unsigned samples)
{
	static struct target targets[16];
	struct target *target = targets;

	while (target->format && (target->format != format || target->samples != samples))
		target++;
	if (!target->format) {
		target->format = format;
		target->samples = samples;
		for (int i = 0; i < 2; i++)
			target->framebuffers[i] = make_framebuffer(format, i ? 0 : samples);
		for (int i = 0; i < 4; i++)
			glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_RED_SIZE + i,
						     &target->choices.target[i]);
		/* llvmpipe's colours, factors and products have eight bits each. */
		target->choices.blend_slack = is_llvmpipe() ? 1.5 : 0.5;
	}
	return target;
}

static void begin_scene(const struct renderer *renderer)
{
	glPushAttrib(GL_ALL_ATTRIB_BITS);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->target->framebuffers[0]);
	glViewport(0, 0, SIZE, SIZE);
	glDisable(GL_DITHER);
	glClearColor(0, 0, 0, 0);
	glClearDepth(1);
	glClearStencil(0);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void enable(GLenum name, bool on)
{
	if (on)
		glEnable(name);
	else
		glDisable(name);
}

static void make_texture(struct renderer *renderer, const struct command *command)
{
	static uint8_t texels[SIZE * SIZE][4];
	unsigned width = value_of(command, 1), height = value_of(command, 2);

	renderer->width = width;
	renderer->height = height;
	for (unsigned level = 0; level < value_of(command, 3); level++) {
		for (unsigned i = 0; i < width * height; i++)
			make_texel(value_of(command, 4), level, i % width, i / width, texels[i]);
		glTexImage2D(GL_TEXTURE_2D, level, value_of(command, 0), width, height, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, texels);
		width = width > 1 ? width / 2 : 1;
		height = height > 1 ? height / 2 : 1;
	}
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, value_of(command, 3) - 1);
	glEnable(GL_TEXTURE_2D);
}

static void set_sampler(const struct command *command)
{
	static const GLenum names[] = { GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_MIN_FILTER,
					GL_TEXTURE_MAG_FILTER };

	for (int i = 0; i < 4; i++)
		glTexParameteri(GL_TEXTURE_2D, names[i], value_of(command, i));
	glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, command->values[4]);
}

static void copy(const struct renderer *renderer, const struct command *command)
{
	unsigned width = value_of(command, 4), height = value_of(command, 5);

	if (renderer->target->samples || !glIsEnabled(GL_TEXTURE_2D))
		return;
	glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, value_of(command, 2), value_of(command, 3),
			    width < renderer->width ? width : renderer->width,
			    height < renderer->height ? height : renderer->height);
}

/* Out of the target and back to another place. */
static void blit(const struct renderer *renderer, const struct command *command)
{
	const GLuint *framebuffers = renderer->target->framebuffers;
	GLint x = value_of(command, 1), y = value_of(command, 2), right = x + value_of(command, 3),
	      top = y + value_of(command, 4), to_x = value_of(command, 5),
	      to_y = value_of(command, 6), to_right = to_x + value_of(command, 3),
	      to_top = to_y + value_of(command, 4);
	bool mirrored = value_of(command, 7);

	if (renderer->target->samples)
		return;
	glDisable(GL_SCISSOR_TEST);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[1]);
	glBlitFramebuffer(x, y, right, top, x, y, right, top, value_of(command, 0), GL_NEAREST);
	enable(GL_SCISSOR_TEST, renderer->scissor);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[1]);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[0]);
	glBlitFramebuffer(x, y, right, top, mirrored ? to_right : to_x, to_y,
			  mirrored ? to_x : to_right, to_top, value_of(command, 0), GL_NEAREST);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
}

static void draw(const struct command *command)
{
	glBegin(value_of(command, 0));
	for (unsigned i = 1; i < command->count; i += VERTEX) {
		const double *v = command->values + i;

		glColor4d(v[3], v[4], v[5], v[6]);
		glTexCoord2d(v[7], v[8]);
		glVertex3d(v[0] * 2 / SIZE - 1, v[1] * 2 / SIZE - 1, v[2] * 2 - 1);
	}
	glEnd();
}

static void set_stencil(const struct command *command)
{
	GLenum face = value_of(command, 0);

	glEnable(GL_STENCIL_TEST);
	glStencilFuncSeparate(face, value_of(command, 1), value_of(command, 2),
			      value_of(command, 3));
	glStencilOpSeparate(face, value_of(command, 4), value_of(command, 5), value_of(command, 6));
	glStencilMaskSeparate(face, value_of(command, 7));
}

static void run_switch(enum op op)
{
	switch (op) {
	case OP_NO_BLEND:
		glDisable(GL_BLEND);
		break;
	case OP_NO_DEPTH:
		glDisable(GL_DEPTH_TEST);
		break;
	case OP_NO_STENCIL:
		glDisable(GL_STENCIL_TEST);
		break;
	case OP_NO_LOGIC:
		glDisable(GL_COLOR_LOGIC_OP);
		break;
	case OP_NO_ALPHA:
		glDisable(GL_ALPHA_TEST);
		break;
	case OP_NO_CULL:
		glDisable(GL_CULL_FACE);
		break;
	case OP_NO_OFFSET:
		glDisable(GL_POLYGON_OFFSET_FILL);
		break;
	case OP_DITHER:
	case OP_NO_DITHER:
		enable(GL_DITHER, op == OP_DITHER);
		break;
	case OP_NO_TEXTURE:
		glDisable(GL_TEXTURE_2D);
		break;
	default:
		break;
	}
}

static void run_tests(struct renderer *renderer, const struct command *command)
{
	const double *v = command->values;

	switch (command->op) {
	case OP_MASK:
		glColorMask(v[0] != 0, v[1] != 0, v[2] != 0, v[3] != 0);
		break;
	case OP_DEPTH:
		glEnable(GL_DEPTH_TEST);
		glDepthFunc(value_of(command, 0));
		glDepthMask(v[1] != 0);
		break;
	case OP_STENCIL:
		set_stencil(command);
		break;
	case OP_SCISSOR:
	case OP_NO_SCISSOR:
		renderer->scissor = command->op == OP_SCISSOR;
		enable(GL_SCISSOR_TEST, renderer->scissor);
		if (renderer->scissor)
			glScissor((GLint)v[0], (GLint)v[1], (GLint)v[2], (GLint)v[3]);
		break;
	case OP_LOGIC:
		glEnable(GL_COLOR_LOGIC_OP);
		glLogicOp(value_of(command, 0));
		break;
	case OP_ALPHA:
		glEnable(GL_ALPHA_TEST);
		glAlphaFunc(value_of(command, 0), v[1]);
		break;
	case OP_CULL:
		glEnable(GL_CULL_FACE);
		glCullFace(value_of(command, 0));
		glFrontFace(value_of(command, 1));
		break;
	case OP_OFFSET:
		glEnable(GL_POLYGON_OFFSET_FILL);
		glPolygonOffset(v[0], v[1]);
		break;
	default:
		run_switch(command->op);
	}
}

static void run(struct renderer *renderer, const struct command *command)
{
	const double *v = command->values;

	switch (command->op) {
	case OP_CLEAR:
		glClearColor(v[1], v[2], v[3], v[4]);
		glClearDepth(v[5]);
		glClearStencil(value_of(command, 6));
		glClear(value_of(command, 0));
		break;
	case OP_BLEND:
		glEnable(GL_BLEND);
		glBlendEquationSeparate(value_of(command, 0), value_of(command, 1));
		glBlendFuncSeparate(value_of(command, 2), value_of(command, 3),
				    value_of(command, 4), value_of(command, 5));
		break;
	case OP_CONSTANT:
		glBlendColor(v[0], v[1], v[2], v[3]);
		break;
	case OP_POINT:
		glPointSize(v[0]);
		break;
	case OP_LINE:
		glLineWidth(v[0]);
		break;
	case OP_TEXTURE:
		make_texture(renderer, command);
		break;
	case OP_SAMPLER:
		set_sampler(command);
		break;
	case OP_COPY:
		copy(renderer, command);
		break;
	case OP_BLIT:
		blit(renderer, command);
		break;
	case OP_DRAW:
		draw(command);
		break;
	default:
		run_tests(renderer, command);
	}
}

unsigned scene_samples(const struct scene *scene)
{
	bool has = scene->count && scene->commands[0].op == OP_TARGET;

	return has ? value_of(&scene->commands[0], 1) : 0;
}

static void read_picture(const struct target *target, struct picture_read *picture)
{
	if (target->samples) {
		glDisable(GL_SCISSOR_TEST);
		glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->framebuffers[1]);
		glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT,
				  GL_NEAREST);
		glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffers[1]);
	} else {
		glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8,
			     picture->depth_stencil);
	}
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, picture->color);
}

GLenum render_scene(const struct scene *scene, struct choices *choices,
		    struct picture_read *picture)
{
	bool has = scene->count && scene->commands[0].op == OP_TARGET;
	struct renderer renderer = {
		.target = find_target(has ? value_of(&scene->commands[0], 0) : GL_RGBA8,
				      scene_samples(scene)),
	};

	begin_scene(&renderer);
	glGenTextures(1, &renderer.texture);
	glBindTexture(GL_TEXTURE_2D, renderer.texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	for (unsigned i = 0; i < scene->count; i++)
		run(&renderer, &scene->commands[i]);
	read_picture(renderer.target, picture);
	glPopAttrib();
	glDeleteTextures(1, &renderer.texture);
	*choices = renderer.target->choices;
	return glGetError();
}
