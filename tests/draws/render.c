// SPDX-License-Identifier: MIT
/*
 * Scenes drawn by OpenGL.
 */
#include "render.h"

#include <string.h>

#include "harness.h"
#include "mapped.h"
#include "render_texture.h"
#include "samples.h"
#include "second.h"
#include "shaders.h"

/* Framebuffers of a target */
enum framebuffer {
	/* What is drawn to, with the renderbuffer drawn */
	DRAWN,
	/* The same format without samples */
	SINGLE,
	/* The same format with as many samples */
	SAMPLED,
	/* What the second context draws to, the renderbuffer other */
	OTHER,
	FRAMEBUFFERS,
};

struct target {
	bool es;
	/* Formats; second: of the second colour buffer, 0: none */
	GLenum color, second, depth;
	unsigned samples;
	GLuint framebuffers[FRAMEBUFFERS], drawn, other;
	struct choices choices;
};

struct renderer {
	const struct target *target;
	struct bound texture;
	/* GL's state; fill_texture() restores what it changes of it. textured: texturing is on */
	bool scissor, dither, textured;
	GLint area[4];
	GLboolean mask[4];
	struct shading shading;
	/* How the second context gets changes of the texture; HANDOVERS: not at all */
	enum handover way;
	GLsync fence;
	/* Without copies of samples */
	bool direct;
};

/* More than there are combinations of formats and samples. */
#define MAX_TARGETS 512

/* Of OpenGL and of OpenGL ES. */
static EGLContext contexts[2];

void begin_rendering(void)
{
	contexts[1] = make_context(API_ES2, EGL_NO_CONTEXT);
	use_context(contexts[1]);
	make_programs();
	contexts[0] = make_context(API_GL, EGL_NO_CONTEXT);
	use_context(contexts[0]);
	printf("vendor: %s\nrenderer: %s\n", (const char *)glGetString(GL_VENDOR),
	       (const char *)glGetString(GL_RENDERER));
}

bool is_llvmpipe(void)
{
	return strncmp((const char *)glGetString(GL_RENDERER), "llvmpipe", 8) == 0;
}

unsigned max_samples(void)
{
	GLint most = 0;

	glGetIntegerv(GL_MAX_SAMPLES, &most);
	return most;
}

unsigned max_targets(void)
{
	GLint most = 1;

	glGetIntegerv(GL_MAX_DRAW_BUFFERS, &most);
	return most;
}

/* Returns the renderbuffer. */
static GLuint add_buffer(GLenum format, unsigned samples, const GLenum attachments[2])
{
	GLuint buffer;

	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	if (samples)
		glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, SIZE, SIZE);
	else
		glRenderbufferStorage(GL_RENDERBUFFER, format, SIZE, SIZE);
	for (int i = 0; i < 2 && attachments[i]; i++)
		glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachments[i], GL_RENDERBUFFER, buffer);
	return buffer;
}

static void read_sizes(GLint sizes[4])
{
	for (int i = 0; i < 4; i++)
		glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_RED_SIZE + i,
					     &sizes[i]);
}

/* @color: receives the colour renderbuffer. */
static GLuint make_framebuffer(struct target *target, unsigned samples, GLuint *color)
{
	static const GLenum colors[TARGETS] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
	static const GLenum first[2] = { GL_COLOR_ATTACHMENT0 },
			    second[2] = { GL_COLOR_ATTACHMENT1 };
	const GLenum depths[2] = { GL_DEPTH_ATTACHMENT, target->depth == GL_DEPTH24_STENCIL8
								? GL_STENCIL_ATTACHMENT
								: 0 };
	GLuint framebuffer;

	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	if (target->depth)
		add_buffer(target->depth, samples, depths);
	if (target->depth) {
		glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_DEPTH_SIZE,
					     &target->choices.depth);
		glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_STENCIL_SIZE,
					     &target->choices.stencil);
	}
	*color = add_buffer(target->color, samples, first);
	read_sizes(target->choices.target);
	if (target->second) {
		add_buffer(target->second, samples, second);
		read_sizes(target->choices.second);
		glDrawBuffers(TARGETS, colors);
	}
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("a framebuffer of formats 0x%x and 0x%x, %u samples is not complete",
			target->color, target->depth, samples);
	return framebuffer;
}

static void make_framebuffers(struct target *target)
{
	GLuint unused;

	for (enum framebuffer i = 0; i < FRAMEBUFFERS; i++)
		target->framebuffers[i] =
			make_framebuffer(target, i == DRAWN || i == SAMPLED ? target->samples : 0,
					 i == DRAWN   ? &target->drawn
					 : i == OTHER ? &target->other
						      : &unused);
}

/* The target of a scene, made once, in the context that is current: that of its API. */
static const struct target *find_target(const struct scene *scene)
{
	static const struct command usual = { OP_TARGET, 3, { GL_RGBA8, GL_DEPTH24_STENCIL8, 0 } };
	static struct target targets[MAX_TARGETS];
	const struct command *command = find_command(scene, OP_TARGET);
	const struct command *second = find_command(scene, OP_SECOND);
	struct target *target = targets, wanted = { .es = find_command(scene, OP_ES) };

	if (!command)
		command = &usual;
	wanted.color = value_of(command, 0);
	wanted.depth = value_of(command, 1);
	wanted.samples = value_of(command, 2);
	wanted.second = second ? value_of(second, 0) : 0;
	while (target->color && (target->es != wanted.es || target->color != wanted.color ||
				 target->second != wanted.second || target->depth != wanted.depth ||
				 target->samples != wanted.samples))
		target++;
	if (target == targets + MAX_TARGETS - 1)
		give_up("more targets than there is memory for");
	if (!target->color) {
		make_framebuffers(&wanted);
		/* llvmpipe's colours, factors and products have eight bits each. */
		wanted.choices.blend_slack = is_llvmpipe() ? 1.5 : 0.5;
		*target = wanted;
	}
	return target;
}

/* Set what scenes begin with: OpenGL's initial state, but no dithering. */
static void reset_state(bool es)
{
	static const GLenum switches[] = { GL_BLEND,        GL_DEPTH_TEST, GL_STENCIL_TEST,
					   GL_SCISSOR_TEST, GL_CULL_FACE,  GL_POLYGON_OFFSET_FILL,
					   GL_DITHER };
	static const GLenum fixed_switches[] = { GL_COLOR_LOGIC_OP, GL_ALPHA_TEST, GL_TEXTURE_2D };

	for (unsigned i = 0; i < sizeof(switches) / sizeof(switches[0]); i++)
		glDisable(switches[i]);
	for (unsigned i = 0; !es && i < sizeof(fixed_switches) / sizeof(fixed_switches[0]); i++)
		glDisable(fixed_switches[i]);
	glBlendEquation(GL_FUNC_ADD);
	glBlendFunc(GL_ONE, GL_ZERO);
	glBlendColor(0, 0, 0, 0);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthFunc(GL_LESS);
	glDepthMask(GL_TRUE);
	glStencilFunc(GL_ALWAYS, 0, 255);
	glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
	glStencilMask(255);
	glCullFace(GL_BACK);
	glFrontFace(GL_CCW);
	glPolygonOffset(0, 0);
	glLineWidth(1);
	if (!es) {
		glPointSize(1);
		glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 0);
	}
}

static void begin_scene(const struct renderer *renderer)
{
	reset_state(renderer->target->es);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->target->framebuffers[DRAWN]);
	glViewport(0, 0, SIZE, SIZE);
	glClearColor(0, 0, 0, 0);
	glClearDepthf(1);
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
	specify_texture(&renderer->texture, command);
	renderer->textured = true;
	if (!renderer->target->es)
		glEnable(GL_TEXTURE_2D);
}

/* Clear a part of the texture, and set again what that changed. */
static void fill_texture(const struct renderer *renderer, const struct command *command)
{
	const GLboolean *mask = renderer->mask;
	const GLint *area = renderer->area;

	if (!draw_texels(&renderer->texture, command))
		return;
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->target->framebuffers[DRAWN]);
	enable(GL_SCISSOR_TEST, renderer->scissor);
	glScissor(area[0], area[1], area[2], area[3]);
	glColorMask(mask[0], mask[1], mask[2], mask[3]);
	enable(GL_DITHER, renderer->dither);
}

/*
 * Changes of the texture are handed over at once, draws with it are not. A copy of what the second
 * context drew is, too, because that context draws to the same buffer again.
 */
static void hand_over_at_once(struct renderer *renderer)
{
	if (renderer->way == HANDOVERS)
		return;
	if (renderer->fence)
		glDeleteSync(renderer->fence);
	renderer->fence = hand_over(renderer->way);
}

/*
 * Let a driver that records calls execute them, without reason to submit what it made of them: a
 * texture that nothing uses is uploaded.
 */
static void execute_calls(const struct renderer *renderer)
{
	static const uint8_t texels[64 * 64];
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 64, 64, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE,
		     texels);
	glBindTexture(GL_TEXTURE_2D, renderer->texture.name);
	glDeleteTextures(1, &texture);
}

/* What the second context sees of the texture or of the target is copied to the target. */
static void show_other(struct renderer *renderer, const struct command *command)
{
	const struct target *target = renderer->target;
	GLint x = value_of(command, 2), y = value_of(command, 3), right = x + value_of(command, 4),
	      top = y + value_of(command, 5);
	struct view view = { .way = value_of(command, 0),
			     .from = target->drawn,
			     .to = target->other };

	if (value_of(command, 1)) {
		view.fence = hand_over(view.way);
	} else {
		if (!renderer->textured)
			return;
		view.texture = renderer->texture.name;
		view.fence = renderer->fence;
		renderer->fence = NULL;
		execute_calls(renderer);
	}
	show_view(&view);
	take_over(view.fence);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffers[OTHER]);
	glBlitFramebuffer(x, y, right, top, x, y, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffers[DRAWN]);
	hand_over_at_once(renderer);
}

static void set_sampler(struct renderer *renderer, const struct command *command)
{
	static const GLenum names[] = { GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_MIN_FILTER,
					GL_TEXTURE_MAG_FILTER };

	for (int i = 0; i < 4; i++)
		glTexParameteri(GL_TEXTURE_2D, names[i], value_of(command, i));
	renderer->shading.bias = command->values[4];
	if (!renderer->target->es)
		glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, command->values[4]);
}

static void set_border(const struct command *command)
{
	GLfloat color[4];

	for (int i = 0; i < 4; i++)
		color[i] = command->values[i];
	glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, color);
}

/* Copy from the target to another framebuffer, and back to another position. */
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
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[SINGLE]);
	glBlitFramebuffer(x, y, right, top, x, y, right, top, value_of(command, 0), GL_NEAREST);
	enable(GL_SCISSOR_TEST, renderer->scissor);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[SINGLE]);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[DRAWN]);
	glBlitFramebuffer(x, y, right, top, mirrored ? to_right : to_x, to_y,
			  mirrored ? to_x : to_right, to_top, value_of(command, 0), GL_NEAREST);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[DRAWN]);
}

static void draw(struct renderer *renderer, const struct command *command)
{
	if (renderer->target->es) {
		renderer->shading.textured = renderer->textured;
		draw_with_program(&renderer->shading, command);
		return;
	}
	if (draw_mapped(command))
		return;
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

/*
 * Commands without values. What is not here chose the target, or how it is read, and does nothing
 * now.
 */
static void run_switch(struct renderer *renderer, enum op op)
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
		renderer->dither = op == OP_DITHER;
		enable(GL_DITHER, renderer->dither);
		break;
	case OP_NO_TEXTURE:
		renderer->textured = false;
		if (!renderer->target->es)
			glDisable(GL_TEXTURE_2D);
		break;
	default:
		break;
	}
}

/*
 * Commands that set the tests of fragments, and others; what is not here goes on to run_switch().
 */
static void run_tests(struct renderer *renderer, const struct command *command)
{
	const double *v = command->values;

	switch (command->op) {
	case OP_MASK:
		for (int i = 0; i < 4; i++)
			renderer->mask[i] = v[i] != 0;
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
		for (int i = 0; renderer->scissor && i < 4; i++)
			renderer->area[i] = (GLint)v[i];
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
		run_switch(renderer, command->op);
	}
}

static void run(struct renderer *renderer, const struct command *command)
{
	const GLuint *framebuffers = renderer->target->framebuffers;
	const struct sampled sampled = { framebuffers[DRAWN], framebuffers[SAMPLED],
					 framebuffers[SINGLE] };
	const double *v = command->values;

	switch (command->op) {
	case OP_CLEAR:
		glClearColor(v[1], v[2], v[3], v[4]);
		glClearDepthf(v[5]);
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
		renderer->shading.point_size = v[0];
		if (!renderer->target->es)
			glPointSize(v[0]);
		break;
	case OP_LINE:
		glLineWidth(v[0]);
		break;
	case OP_SAMPLER:
		set_sampler(renderer, command);
		break;
	case OP_LIMITS:
		glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, v[0]);
		glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, v[1]);
		break;
	case OP_BORDER:
		set_border(command);
		break;
	case OP_LEVELS:
		limit_levels(&renderer->texture, command);
		break;
	case OP_BLIT:
		blit(renderer, command);
		break;
	case OP_BUFFER:
		use_mapped(command);
		break;
	case OP_SAMPLES:
		if (!renderer->direct)
			copy_samples(&sampled, command);
		break;
	case OP_OTHER:
		show_other(renderer, command);
		break;
	case OP_LIMIT:
		renderer->shading.limit = value_of(command, 0);
		break;
	case OP_DRAW:
		draw(renderer, command);
		break;
	default:
		run_tests(renderer, command);
	}
}

/* Commands that change the texture's texels; all others are executed by run(). */
static void run_texels(struct renderer *renderer, const struct command *command)
{
	switch (command->op) {
	case OP_TEXTURE:
		make_texture(renderer, command);
		break;
	case OP_REPLACE:
		upload_texels(&renderer->texture, command);
		break;
	case OP_FILL:
		fill_texture(renderer, command);
		break;
	case OP_COPY:
		if (!renderer->target->samples && renderer->textured)
			copy_to_texture(&renderer->texture, command);
		break;
	default:
		run(renderer, command);
		return;
	}
	hand_over_at_once(renderer);
}

/* OpenGL ES reads no depth, and depth with samples is not one value. */
static void read_depth(const struct target *target, struct picture_read *picture)
{
	static uint32_t values[SIZE][SIZE];
	bool both = target->choices.stencil > 0;

	picture->has_depth = target->choices.depth && !target->samples && !target->es;
	picture->has_stencil = both && picture->has_depth;
	if (!picture->has_depth)
		return;
	glReadPixels(0, 0, SIZE, SIZE, both ? GL_DEPTH_STENCIL : GL_DEPTH_COMPONENT,
		     both ? GL_UNSIGNED_INT_24_8 : GL_UNSIGNED_INT, values);
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			picture->depth[y][x] = both ? (values[y][x] >> 8) / 16777215.0
						    : values[y][x] / 4294967295.0;
			picture->stencil[y][x] = values[y][x] & 255;
		}
	}
}

static void read_picture(const struct target *target, const struct command *part,
			 struct picture_read *picture)
{
	const struct sampled sampled = { target->framebuffers[DRAWN], target->framebuffers[SAMPLED],
					 target->framebuffers[SINGLE] };

	if (target->samples)
		resolve_samples(&sampled, part);
	read_depth(target, picture);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, picture->color);
	/*
	 * Scenes that are made have samples or two colour buffers, not both (choose_samples()), so
	 * the second one needs no resolve.
	 */
	if (target->second) {
		glReadBuffer(GL_COLOR_ATTACHMENT1);
		glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, picture->second);
		glReadBuffer(GL_COLOR_ATTACHMENT0);
	}
}

static void begin_texture(struct bound *texture, bool es)
{
	texture->es = es;
	glGenTextures(1, &texture->name);
	glBindTexture(GL_TEXTURE_2D, texture->name);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

enum rendered render_scene(const struct scene *scene, bool direct, struct choices *choices,
			   struct picture_read *picture)
{
	struct renderer renderer = { .shading = { .point_size = 1, .limit = LIMITS },
				     .area = { 0, 0, SIZE, SIZE },
				     .mask = { GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE },
				     .way = HANDOVERS,
				     .direct = direct };
	const struct command *other = find_command(scene, OP_OTHER);
	enum rendered rendered = RENDERED;

	if (find_command(scene, OP_ES))
		use_context(contexts[1]);
	/*
	 * The second context shares with that of OpenGL: scenes with OP_OTHER have no OP_ES
	 * (begin_kind()).
	 */
	if (other) {
		renderer.way = value_of(other, 0);
		start_second(contexts[0]);
	}
	renderer.target = find_target(scene);
	begin_scene(&renderer);
	begin_texture(&renderer.texture, renderer.target->es);
	for (unsigned i = 0; i < scene->count; i++)
		run_texels(&renderer, &scene->commands[i]);
	read_picture(renderer.target, direct ? NULL : find_command(scene, OP_RESOLVE), picture);
	glDeleteTextures(1, &renderer.texture.name);
	if (renderer.fence)
		glDeleteSync(renderer.fence);
	if (!end_mapped())
		rendered = RENDERED_MAPPING;
	if (renderer.shading.unfit)
		rendered = RENDERED_UNFIT;
	*choices = renderer.target->choices;
	if (glGetError() != GL_NO_ERROR)
		rendered = RENDERED_ERROR;
	if (renderer.target->es)
		use_context(contexts[0]);
	return rendered;
}
