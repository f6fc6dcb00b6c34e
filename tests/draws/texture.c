// SPDX-License-Identifier: MIT
/* OpenGL 2.1, sections 3.8.7 to 3.8.9: wrap modes, minification, magnification. */
#include "texture.h"

#include <math.h>

#include "blend.h"

/* Coordinates are as good as 8 bits of a texel, levels of detail as a tenth. */
#define TEXEL_SLACK (1.0 / 128)
#define LEVEL_SLACK 0.1
/* Weights of linear filters have 8 bits, and so has what they weigh. */
#define WEIGHT_SLACK (1.5 / 255)

static void widen(struct range *a, struct range b)
{
	a->low = fmin(a->low, b.low);
	a->high = fmax(a->high, b.high);
}

static unsigned level_size(unsigned size, unsigned level)
{
	return size >> level ? size >> level : 1;
}

/* What a format makes of red, green, blue and alpha. */
static void expand(GLenum format, const struct range in[4], struct range out[4])
{
	const struct range one = { 1, 1 };

	for (int i = 0; i < 4; i++)
		out[i] = in[i];
	switch (format) {
	case GL_RGB8:
		out[3] = one;
		break;
	case GL_ALPHA8:
		out[0] = out[1] = out[2] = one;
		break;
	case GL_INTENSITY8:
		out[3] = in[0];
		/* fallthrough */
	case GL_LUMINANCE8:
	case GL_LUMINANCE8_ALPHA8:
		out[1] = out[2] = in[0];
		if (format == GL_LUMINANCE8)
			out[3] = one;
		break;
	default:
		break;
	}
}

/* An implementation may keep more bits than a format asks for. */
static struct range keep(GLenum format, int i, struct range value)
{
	int bits = format == GL_RGBA4 ? 4 : format == GL_RGB5_A1 ? (i == 3 ? 1 : 5) : 8;
	struct range kept = store_bits(value, bits, bits == 5 ? 0.5 : 0.01);

	if (bits < 8)
		widen(&kept, store_bits(value, 8, 0.01));
	/* Five bits become eight by rounding or by repetition. */
	if (bits == 5)
		kept = (struct range){ kept.low - 1.0 / 255, kept.high + 1.0 / 255 };
	return kept;
}

static void set_texel(struct texture *texture, unsigned level, unsigned x, unsigned y,
		      const struct range color[4])
{
	struct range kept[4];

	for (int i = 0; i < 4; i++)
		kept[i] = keep(texture->format, i, color[i]);
	expand(texture->format, kept, texture->texels[level][y][x]);
}

void make_texture(struct texture *texture, const struct command *command)
{
	struct range color[4];
	uint8_t texel[4];

	texture->enabled = true;
	texture->format = value_of(command, 0);
	texture->width = value_of(command, 1);
	texture->height = value_of(command, 2);
	texture->levels = value_of(command, 3);
	for (unsigned level = 0; level < texture->levels; level++) {
		for (unsigned y = 0; y < level_size(texture->height, level); y++) {
			for (unsigned x = 0; x < level_size(texture->width, level); x++) {
				make_texel(value_of(command, 4), level, x, y, texel);
				for (int i = 0; i < 4; i++)
					color[i].low = color[i].high = texel[i] / 255.0;
				set_texel(texture, level, x, y, color);
			}
		}
	}
}

void copy_texel(struct texture *texture, unsigned x, unsigned y, const struct range color[4])
{
	set_texel(texture, 0, x, y, color);
}

static unsigned wrap(GLenum mode, int i, int size)
{
	int turn;

	switch (mode) {
	case GL_CLAMP_TO_EDGE:
		return i < 0 ? 0 : i >= size ? size - 1 : i;
	case GL_MIRRORED_REPEAT:
		turn = (i % (2 * size) + 2 * size) % (2 * size);
		return turn < size ? turn : 2 * size - 1 - turn;
	default:
		return (i % size + size) % size;
	}
}

static void sample_linear(const struct texture *texture, unsigned level, double u, double v,
			  struct range result[4])
{
	int width = level_size(texture->width, level), height = level_size(texture->height, level);
	int x = (int)floor(u - 0.5), y = (int)floor(v - 0.5);
	double a = u - 0.5 - x, b = v - 0.5 - y;
	const double weights[4] = { (1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b };
	const struct range *texels[4];
	struct range sum;

	for (int i = 0; i < 4; i++)
		texels[i] = texture->texels[level][wrap(texture->wrap[1], y + i / 2, height)]
					   [wrap(texture->wrap[0], x + i % 2, width)];
	for (int i = 0; i < 4; i++) {
		sum = (struct range){ -WEIGHT_SLACK, WEIGHT_SLACK };
		for (int j = 0; j < 4; j++) {
			sum.low += weights[j] * texels[j][i].low;
			sum.high += weights[j] * texels[j][i].high;
		}
		widen(&result[i], sum);
	}
}

/* Add what a filter may find in a level. */
static void sample_level(const struct texture *texture, unsigned level, bool linear,
			 const double coordinates[2], struct range result[4])
{
	int width = level_size(texture->width, level), height = level_size(texture->height, level);
	const struct range *texel;

	for (int y = -1; y <= 1; y++) {
		for (int x = -1; x <= 1; x++) {
			double u = coordinates[0] * width + x * TEXEL_SLACK;
			double v = coordinates[1] * height + y * TEXEL_SLACK;

			if (linear) {
				sample_linear(texture, level, u, v, result);
				continue;
			}
			texel = texture->texels[level]
					       [wrap(texture->wrap[1], (int)floor(v), height)]
					       [wrap(texture->wrap[0], (int)floor(u), width)];
			for (int i = 0; i < 4; i++)
				widen(&result[i], texel[i]);
		}
	}
}

static void sample_between(const struct texture *texture, double lod, const double coordinates[2],
			   struct range result[4])
{
	bool linear = texture->minify == GL_LINEAR_MIPMAP_LINEAR;
	double last = texture->levels - 1, place = fmin(fmax(lod, 0), last);
	unsigned level = (unsigned)place;
	struct range parts[2][4];

	for (int j = 0; j < 2; j++) {
		for (int i = 0; i < 4; i++)
			parts[j][i] = (struct range){ 2, -1 };
		sample_level(texture, fmin(level + j, last), linear, coordinates, parts[j]);
	}
	place -= level;
	for (int i = 0; i < 4; i++)
		widen(&result[i],
		      (struct range){ parts[0][i].low * (1 - place) + parts[1][i].low * place -
					      WEIGHT_SLACK,
				      parts[0][i].high * (1 - place) + parts[1][i].high * place +
					      WEIGHT_SLACK });
}

static void minify(const struct texture *texture, double lod, const double coordinates[2],
		   struct range result[4])
{
	bool linear = texture->minify == GL_LINEAR || texture->minify == GL_LINEAR_MIPMAP_NEAREST;
	double level = 0;

	if (texture->minify == GL_NEAREST_MIPMAP_LINEAR ||
	    texture->minify == GL_LINEAR_MIPMAP_LINEAR) {
		sample_between(texture, lod, coordinates, result);
		return;
	}
	if (texture->minify != GL_NEAREST && texture->minify != GL_LINEAR)
		level = fmin(fmax(ceil(lod + 0.5) - 1, 0), texture->levels - 1);
	sample_level(texture, (unsigned)level, linear, coordinates, result);
}

/* Level of detail: from the lowest that equation 3.19 allows to the highest of 3.18. */
static struct range level_of_detail(const struct texture *texture, const double slopes[4],
				    double slack)
{
	double w = texture->width, h = texture->height;
	double least = fmax(fmax(fabs(slopes[0]), fabs(slopes[1])) * w,
			    fmax(fabs(slopes[2]), fabs(slopes[3])) * h);
	double most =
		fmax(hypot(slopes[0] * w, slopes[2] * h), hypot(slopes[1] * w, slopes[3] * h));

	return (struct range){ log2(fmax(least, 1e-9)) + texture->bias - slack,
			       log2(fmax(most, 1e-9)) + texture->bias + slack };
}

void sample_texture(const struct texture *texture, const double coordinates[2],
		    const double slopes[4], double level_slack, struct range result[4])
{
	struct range lod = level_of_detail(texture, slopes, LEVEL_SLACK + level_slack);
	bool half =
		texture->magnify == GL_LINEAR && (texture->minify == GL_NEAREST_MIPMAP_NEAREST ||
						  texture->minify == GL_NEAREST_MIPMAP_LINEAR);

	for (int i = 0; i < 4; i++)
		result[i] = (struct range){ 2, -1 };
	/* Between 0 and 0.5 it is OpenGL that magnifies still, and ES does not. */
	if (lod.low <= (half ? 0.5 : 0))
		sample_level(texture, 0, texture->magnify == GL_LINEAR, coordinates, result);
	if (lod.high > 0) {
		int steps = 2 + (int)((lod.high - lod.low) * 4);

		for (int i = 0; i <= steps; i++)
			minify(texture, lod.low + (lod.high - lod.low) * i / steps, coordinates,
			       result);
		/* Between levels the least and the most are at a level or at an end. */
		for (unsigned level = 0; level < texture->levels; level++)
			if (level > lod.low && level < lod.high)
				minify(texture, level, coordinates, result);
	}
	for (int i = 0; i < 4; i++) {
		result[i].low = fmax(result[i].low, 0);
		result[i].high = fmin(result[i].high, 1);
	}
}
