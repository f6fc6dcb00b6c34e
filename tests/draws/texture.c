// SPDX-License-Identifier: MIT
/* OpenGL 2.1, sections 3.8.7 to 3.8.9: wrap modes, minification, magnification. */
#include "texture.h"

#include <math.h>
#include <string.h>

#include "blend.h"

/* Tolerances: of coordinates in texels; of the level of detail, and about its halves. */
#define TEXEL_SLACK (1.0 / 128)
#define LEVEL_SLACK 0.1
#define HALF_SLACK 1e-3
/* Weights of linear filters have 8 bits, and so have the texels. */
#define WEIGHT_SLACK (1.5 / 255)

/* Ranges begin as 2 to -1, which is empty. */
static void widen(struct range *a, struct range b)
{
	a->low = fmin(a->low, b.low);
	a->high = fmax(a->high, b.high);
}

/*
 * Convert red, green, blue and alpha to a format's components and back. The fixed function keeps
 * the fragment's colour with a texture of alpha only; programs multiply it by 0 (OpenGL 2.1, table
 * 3.20).
 */
static void expand(const struct texture *texture, const struct range in[4], struct range out[4])
{
	const struct range one = { 1, 1 }, zero = { 0, 0 };
	GLenum format = texture->format;

	for (int i = 0; i < 4; i++)
		out[i] = in[i];
	switch (format) {
	case GL_RGB8:
	case GL_RGB5:
	case GL_RGB565:
		out[3] = one;
		break;
	case GL_ALPHA8:
		out[0] = out[1] = out[2] = texture->es ? zero : one;
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

static int texel_bits(GLenum format, int i)
{
	switch (format) {
	case GL_RGBA4:
		return 4;
	case GL_RGB5_A1:
		return i == 3 ? 1 : 5;
	case GL_RGB5:
		return 5;
	case GL_RGB565:
		return i == 1 ? 6 : 5;
	default:
		return 8;
	}
}

/* An implementation may store more bits than the format requires. */
static struct range keep(GLenum format, int i, struct range value)
{
	int bits = texel_bits(format, i);
	bool many = bits == 5 || bits == 6;
	struct range kept = store_bits(value, bits, many ? 0.5 : 0.01);

	if (bits < 8)
		widen(&kept, store_bits(value, 8, 0.01));
	/* Five and six bits become eight by rounding or by repetition. */
	if (many)
		kept = (struct range){ kept.low - 1.0 / 255, kept.high + 1.0 / 255 };
	return kept;
}

static void set_texel(struct texture *texture, unsigned level, unsigned x, unsigned y,
		      const struct range color[4])
{
	struct range kept[4];

	for (int i = 0; i < 4; i++)
		kept[i] = keep(texture->format, i, color[i]);
	expand(texture, kept, texture->texels[level][y][x]);
}

void make_texture(struct texture *texture, const struct command *command)
{
	struct range color[4];
	static struct range texels[MAX_LEVELS][SIZE][SIZE][4];
	uint8_t texel[4];

	texture->enabled = true;
	texture->texels = texels;
	texture->format = value_of(command, 0);
	texture->width = value_of(command, 1);
	texture->height = value_of(command, 2);
	texture->levels = value_of(command, 3);
	texture->base = 0;
	texture->last = texture->levels - 1;
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

void set_levels(struct texture *texture, unsigned base, unsigned last)
{
	if (!texture->levels)
		return;
	texture->base = fmin(base, texture->levels - 1);
	texture->last = fmax(fmin(last, texture->levels - 1), texture->base);
}

void copy_texel(struct texture *texture, unsigned x, unsigned y, const struct range color[4])
{
	set_texel(texture, texture->base, x, y, color);
}

void replace_texels(struct texture *texture, const struct command *command)
{
	unsigned level = value_of(command, 0), x = value_of(command, 1), y = value_of(command, 2);
	struct range color[4];
	uint8_t texel[4];

	if (level >= texture->levels)
		return;
	for (unsigned j = 0; j < value_of(command, 4); j++) {
		for (unsigned i = 0; i < value_of(command, 3); i++) {
			if (x + i >= level_size(texture->width, level) ||
			    y + j >= level_size(texture->height, level))
				continue;
			make_texel(value_of(command, 5), level, i, j, texel);
			for (int k = 0; k < 4; k++)
				color[k].low = color[k].high = texel[k] / 255.0;
			set_texel(texture, level, x + i, y + j, color);
		}
	}
}

void fill_texels(struct texture *texture, const struct command *command)
{
	unsigned level = value_of(command, 0), x = value_of(command, 1), y = value_of(command, 2);
	struct range color[4];

	if (level >= texture->levels || !is_renderable(texture->format, texture->es))
		return;
	for (int i = 0; i < 4; i++)
		color[i].low = color[i].high = command->values[5 + i];
	for (unsigned j = y; j < y + value_of(command, 4); j++)
		for (unsigned i = x; i < x + value_of(command, 3); i++)
			if (i < level_size(texture->width, level) &&
			    j < level_size(texture->height, level))
				set_texel(texture, level, i, j, color);
}

int wrap_texel(GLenum mode, int i, int size)
{
	int turn;

	switch (mode) {
	case GL_CLAMP_TO_EDGE:
		return i < 0 ? 0 : i >= size ? size - 1 : i;
	case GL_CLAMP:
	case GL_CLAMP_TO_BORDER:
		return i < 0 || i >= size ? -1 : i;
	case GL_MIRRORED_REPEAT:
		turn = (i % (2 * size) + 2 * size) % (2 * size);
		return turn < size ? turn : 2 * size - 1 - turn;
	default:
		return (i % size + size) % size;
	}
}

/* The share of texels in a filter's result for a level; the rest is the border colour. */
static double share_inside(const struct texture *texture, unsigned level, bool linear,
			   const double coordinates[2])
{
	double share = 1;

	for (int i = 0; i < 2; i++) {
		int size = level_size(i ? texture->height : texture->width, level);
		double place = coordinates[i] * size;

		if (texture->wrap[i] == GL_CLAMP)
			place = fmin(fmax(place, 0), size);
		else if (texture->wrap[i] != GL_CLAMP_TO_BORDER)
			continue;
		if (linear)
			share *= fmin(fmax(place + 0.5, 0), 1) *
				 fmin(fmax(size - place + 0.5, 0), 1);
		else if (texture->wrap[i] == GL_CLAMP_TO_BORDER)
			share *= place >= 0 && place < size;
	}
	return share;
}

static void find_border(const struct texture *texture, struct range result[4])
{
	struct range kept[4];

	for (int i = 0; i < 4; i++)
		kept[i] = keep(texture->format, i,
			       (struct range){ texture->border[i], texture->border[i] });
	expand(texture, kept, result);
}

/* A texel or the border. */
static void fetch(const struct texture *texture, unsigned level, int x, int y,
		  struct range result[4])
{
	x = wrap_texel(texture->wrap[0], x, level_size(texture->width, level));
	y = wrap_texel(texture->wrap[1], y, level_size(texture->height, level));
	if (x >= 0 && y >= 0) {
		memcpy(result, texture->texels[level][y][x], 4 * sizeof(*result));
		return;
	}
	find_border(texture, result);
}

static void sample_linear(const struct texture *texture, unsigned level, double u, double v,
			  struct range result[4])
{
	int x = (int)floor(u - 0.5), y = (int)floor(v - 0.5);
	double a = u - 0.5 - x, b = v - 0.5 - y;
	const double weights[4] = { (1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b };
	struct range texels[4][4], sum;

	for (int i = 0; i < 4; i++)
		fetch(texture, level, x + i % 2, y + i / 2, texels[i]);
	for (int i = 0; i < 4; i++) {
		sum = (struct range){ -WEIGHT_SLACK, WEIGHT_SLACK };
		for (int j = 0; j < 4; j++) {
			sum.low += weights[j] * texels[j][i].low;
			sum.high += weights[j] * texels[j][i].high;
		}
		widen(&result[i], sum);
	}
}

/* A coordinate in texels; OpenGL 2.1's table 3.19 has GL_CLAMP clamp it to the texture. */
static double place_of(GLenum wrap, double coordinate, int size, bool linear)
{
	if (wrap != GL_CLAMP)
		return coordinate * size;
	return fmin(fmax(coordinate, 0) * size, linear ? size : size - 0.5);
}

/* Add to the result what a filter may find in a level. */
static void sample_level(const struct texture *texture, unsigned level, bool linear,
			 const double coordinates[2], struct range result[4])
{
	const int sizes[2] = { level_size(texture->width, level),
			       level_size(texture->height, level) };
	struct range texel[4];
	double place[2];

	for (int j = 0; j < 9; j++) {
		for (int i = 0; i < 2; i++) {
			double step = (i ? j / 3 - 1 : j % 3 - 1) * TEXEL_SLACK / sizes[i];

			place[i] =
				place_of(texture->wrap[i], coordinates[i] + step, sizes[i], linear);
		}
		if (linear) {
			sample_linear(texture, level, place[0], place[1], result);
			continue;
		}
		fetch(texture, level, (int)floor(place[0]), (int)floor(place[1]), texel);
		for (int i = 0; i < 4; i++)
			widen(&result[i], texel[i]);
	}
}

static void mix_borders(const struct texture *texture, double place, const double coordinates[2],
			struct range result[4]);

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
	if (texture->deviations & DEVIATION_BORDER_LEVELS)
		mix_borders(texture, place, coordinates, result);
	place -= level;
	for (int i = 0; i < 4; i++)
		widen(&result[i],
		      (struct range){ parts[0][i].low * (1 - place) + parts[1][i].low * place -
					      WEIGHT_SLACK,
				      parts[0][i].high * (1 - place) + parts[1][i].high * place +
					      WEIGHT_SLACK });
}

/*
 * A deviation: texels of two levels are mixed, and so are the shares of their borders, instead
 * of each level's texels with its border.
 */
static void mix_borders(const struct texture *texture, double place, const double coordinates[2],
			struct range result[4])
{
	struct texture edges = *texture;
	bool linear = texture->minify == GL_LINEAR_MIPMAP_LINEAR;
	unsigned level = (unsigned)place, next = fmin(level + 1, texture->levels - 1);
	double share = share_inside(texture, level, linear, coordinates);
	struct range border[4], texels[4];

	share += (place - level) * (share_inside(texture, next, linear, coordinates) - share);
	/* sample_between() does not come back here then. */
	edges.deviations = 0;
	for (int i = 0; i < 2; i++)
		if (edges.wrap[i] == GL_CLAMP || edges.wrap[i] == GL_CLAMP_TO_BORDER)
			edges.wrap[i] = GL_CLAMP_TO_EDGE;
	for (int i = 0; i < 4; i++)
		texels[i] = (struct range){ 2, -1 };
	sample_between(&edges, place, coordinates, texels);
	find_border(texture, border);
	for (int i = 0; i < 4; i++)
		widen(&result[i],
		      (struct range){ texels[i].low * share + border[i].low * (1 - share) -
					      WEIGHT_SLACK,
				      texels[i].high * share + border[i].high * (1 - share) +
					      WEIGHT_SLACK });
}

static void minify(const struct texture *texture, double lod, const double coordinates[2],
		   struct range result[4])
{
	bool linear = texture->minify == GL_LINEAR || texture->minify == GL_LINEAR_MIPMAP_NEAREST;

	if (texture->minify == GL_NEAREST || texture->minify == GL_LINEAR) {
		sample_level(texture, 0, linear, coordinates, result);
		return;
	}
	if (texture->minify == GL_NEAREST_MIPMAP_LINEAR ||
	    texture->minify == GL_LINEAR_MIPMAP_LINEAR) {
		sample_between(texture, lod, coordinates, result);
		return;
	}
	/*
	 * Halves, which limits may be, are rounded down (equation 3.21); many implementations round
	 * up.
	 */
	for (double off = -HALF_SLACK; off <= HALF_SLACK; off += 2 * HALF_SLACK)
		sample_level(texture, (unsigned)fmin(fmax(rint(lod + off), 0), texture->levels - 1),
			     linear, coordinates, result);
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

/*
 * Equation 3.20. With the deviation limits do not choose the filter: 1e-3 is the lowest level that
 * is minified, so that an upper limit of 0 does not choose magnification.
 */
static struct range limit_lod(const struct texture *texture, struct range lod)
{
	double least = texture->limits[0], most = texture->limits[1];

	if (texture->deviations & DEVIATION_LIMITS) {
		if (texture->minify == GL_NEAREST || texture->minify == GL_LINEAR)
			return lod;
		most = fmax(most, 1e-3);
	}
	return (struct range){ fmin(fmax(lod.low, least), most),
			       fmin(fmax(lod.high, least), most) };
}

/* The texture that has the base level as its first. */
static struct texture from_base(const struct texture *texture)
{
	struct texture used = *texture;

	used.width = level_size(texture->width, texture->base);
	used.height = level_size(texture->height, texture->base);
	used.levels = texture->last - texture->base + 1;
	used.texels = texture->texels + texture->base;
	return used;
}

void sample_texture(const struct texture *whole, const double coordinates[2],
		    const double slopes[4], double level_slack, struct range result[4])
{
	const struct texture used = from_base(whole), *texture = &used;
	struct range lod =
		limit_lod(texture, level_of_detail(texture, slopes, LEVEL_SLACK + level_slack));
	bool half =
		texture->magnify == GL_LINEAR && (texture->minify == GL_NEAREST_MIPMAP_NEAREST ||
						  texture->minify == GL_NEAREST_MIPMAP_LINEAR);

	/* DEVIATION_BASE: such a driver never magnifies a texture whose base level is not 0. */
	if (texture->deviations & DEVIATION_BASE && whole->base)
		lod = (struct range){ fmax(lod.low, 1e-3), fmax(lod.high, 1e-3) };

	for (int i = 0; i < 4; i++)
		result[i] = (struct range){ 2, -1 };
	/* Between 0 and 0.5 OpenGL still magnifies, and ES does not. */
	if (lod.low <= (half ? 0.5 : 0))
		sample_level(texture, 0, texture->magnify == GL_LINEAR, coordinates, result);
	if (lod.high > 0) {
		int steps = 2 + (int)((lod.high - lod.low) * 4);

		for (int i = 0; i <= steps; i++)
			minify(texture, lod.low + (lod.high - lod.low) * i / steps, coordinates,
			       result);
		/* Between two levels the extremes are at a level or at an end of the range. */
		for (unsigned level = 0; level < texture->levels; level++)
			if (level > lod.low && level < lod.high)
				minify(texture, level, coordinates, result);
	}
	for (int i = 0; i < 4; i++) {
		result[i].low = fmax(result[i].low, 0);
		result[i].high = fmin(result[i].high, 1);
	}
}
