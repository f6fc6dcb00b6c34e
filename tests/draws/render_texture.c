// SPDX-License-Identifier: MIT
#include "render_texture.h"

#include "upload.h"

/* Format in which texels of a seed are uploaded. OpenGL takes RGBA for any format, too. */
static struct upload choose_upload(const struct bound *texture, unsigned seed)
{
	return upload_of(!texture->es && seed % 2 ? GL_RGBA8 : texture->format);
}

/* OpenGL ES 2.0 always uses all levels; its scenes have no OP_LEVELS, so @base is 0 then. */
static void set_levels(struct bound *texture, unsigned base, unsigned last)
{
	texture->base = base;
	if (texture->es)
		return;
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, base);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, last);
}

void specify_texture(struct bound *texture, const struct command *command)
{
	static uint8_t texels[SIZE * SIZE * 4];
	unsigned width = value_of(command, 1), height = value_of(command, 2);
	struct upload upload;

	texture->format = value_of(command, 0);
	texture->width = width;
	texture->height = height;
	texture->levels = value_of(command, 3);
	upload = choose_upload(texture, value_of(command, 4));
	for (unsigned level = 0; level < texture->levels; level++) {
		pack_texels(upload, value_of(command, 4), level, width, height, texels);
		glTexImage2D(GL_TEXTURE_2D, level, texture->es ? upload.format : texture->format,
			     width, height, 0, upload.format, upload.type, texels);
		width = width > 1 ? width / 2 : 1;
		height = height > 1 ? height / 2 : 1;
	}
	set_levels(texture, 0, texture->levels - 1);
}

void limit_levels(struct bound *texture, const struct command *command)
{
	unsigned base = value_of(command, 0), last = value_of(command, 1);

	if (!texture->levels)
		return;
	if (base >= texture->levels)
		base = texture->levels - 1;
	if (last >= texture->levels)
		last = texture->levels - 1;
	set_levels(texture, base, last < base ? base : last);
}

/* What of an area is in a level: x, y, width, height. Returns false if nothing is. */
static bool clip_area(const struct bound *texture, unsigned level, unsigned area[4])
{
	const unsigned sizes[2] = { level_size(texture->width, level),
				    level_size(texture->height, level) };

	if (level >= texture->levels || area[0] >= sizes[0] || area[1] >= sizes[1])
		return false;
	for (int i = 0; i < 2; i++)
		if (area[2 + i] > sizes[i] - area[i])
			area[2 + i] = sizes[i] - area[i];
	return true;
}

/* Values of a command that are an area of a level. */
static bool area_of(const struct bound *texture, const struct command *command, unsigned area[4])
{
	for (int i = 0; i < 4; i++)
		area[i] = value_of(command, 1 + i);
	return clip_area(texture, value_of(command, 0), area);
}

void upload_texels(const struct bound *texture, const struct command *command)
{
	static uint8_t texels[SIZE * SIZE * 4];
	struct upload upload = choose_upload(texture, value_of(command, 5));
	unsigned area[4];

	if (!area_of(texture, command, area))
		return;
	pack_texels(upload, value_of(command, 5), value_of(command, 0), area[2], area[3], texels);
	glTexSubImage2D(GL_TEXTURE_2D, value_of(command, 0), area[0], area[1], area[2], area[3],
			upload.format, upload.type, texels);
}

bool draw_texels(const struct bound *texture, const struct command *command)
{
	static GLuint framebuffers[2];
	const double *color = command->values + 5;
	unsigned area[4];

	if (!is_renderable(texture->format, texture->es) || !area_of(texture, command, area))
		return false;
	if (!framebuffers[texture->es])
		glGenFramebuffers(1, &framebuffers[texture->es]);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[texture->es]);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture->name,
			       value_of(command, 0));
	glEnable(GL_SCISSOR_TEST);
	glScissor(area[0], area[1], area[2], area[3]);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDisable(GL_DITHER);
	glClearColor(color[0], color[1], color[2], color[3]);
	glClear(GL_COLOR_BUFFER_BIT);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
	return true;
}

void copy_to_texture(const struct bound *texture, const struct command *command)
{
	unsigned area[4] = { value_of(command, 0), value_of(command, 1), value_of(command, 4),
			     value_of(command, 5) };

	if (clip_area(texture, texture->base, area))
		glCopyTexSubImage2D(GL_TEXTURE_2D, texture->base, area[0], area[1],
				    value_of(command, 2), value_of(command, 3), area[2], area[3]);
}
