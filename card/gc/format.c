// SPDX-License-Identifier: MIT
/*
 * The table of pixel formats, and conversion of whole batches. The loops process blocks of
 * sixteen lanes without branches, so that the compiler vectorises them.
 */
#include "gc/format.h"
#include "gc/pixel_vector.h"
#include "plain.h"

#include <stddef.h>

#include "hw/state_3d.xml.h"

#define BLOCK GC_FORMAT_BLOCK
#define CH(bits, shift) { bits, shift, 0 }
#define CH_HI(bits, shift) { bits, shift, 1 }
#define NONE { 0, 0, 0 }

/* clang-format off */
static const struct gc_format formats[] = {
	[PE_FORMAT_X4R4G4B4] = { "X4R4G4B4", 2, GC_FORMAT_UNORM,
		{ CH(4, 8), CH(4, 4), CH(4, 0), NONE }, 0xf000 },
	[PE_FORMAT_A4R4G4B4] = { "A4R4G4B4", 2, GC_FORMAT_UNORM,
		{ CH(4, 8), CH(4, 4), CH(4, 0), CH(4, 12) }, 0 },
	[PE_FORMAT_X1R5G5B5] = { "X1R5G5B5", 2, GC_FORMAT_UNORM,
		{ CH(5, 10), CH(5, 5), CH(5, 0), NONE }, 0x8000 },
	[PE_FORMAT_A1R5G5B5] = { "A1R5G5B5", 2, GC_FORMAT_UNORM,
		{ CH(5, 10), CH(5, 5), CH(5, 0), CH(1, 15) }, 0 },
	[PE_FORMAT_R5G6B5] = { "R5G6B5", 2, GC_FORMAT_UNORM,
		{ CH(5, 11), CH(6, 5), CH(5, 0), NONE }, 0 },
	[PE_FORMAT_X8R8G8B8] = { "X8R8G8B8", 4, GC_FORMAT_UNORM,
		{ CH(8, 16), CH(8, 8), CH(8, 0), NONE }, 0xff000000 },
	[PE_FORMAT_A8R8G8B8] = { "A8R8G8B8", 4, GC_FORMAT_UNORM,
		{ CH(8, 16), CH(8, 8), CH(8, 0), CH(8, 24) }, 0 },
	[PE_FORMAT_A8] = { "A8", 1, GC_FORMAT_UNORM,
		{ NONE, NONE, NONE, CH(8, 0) }, 0 },
	[PE_FORMAT_R16F] = { "R16F", 2, GC_FORMAT_FLOAT16,
		{ CH(16, 0), NONE, NONE, NONE }, 0 },
	[PE_FORMAT_G16R16F] = { "G16R16F", 4, GC_FORMAT_FLOAT16,
		{ CH(16, 0), CH(16, 16), NONE, NONE }, 0 },
	[PE_FORMAT_A16B16G16R16F] = { "A16B16G16R16F", 8, GC_FORMAT_FLOAT16,
		{ CH(16, 0), CH(16, 16), CH_HI(16, 0), CH_HI(16, 16) }, 0 },
	[PE_FORMAT_R32F] = { "R32F", 4, GC_FORMAT_FLOAT32,
		{ CH(32, 0), NONE, NONE, NONE }, 0 },
	[PE_FORMAT_G32R32F] = { "G32R32F", 8, GC_FORMAT_FLOAT32,
		{ CH(32, 0), CH_HI(32, 0), NONE, NONE }, 0 },
	[PE_FORMAT_A2B10G10R10] = { "A2B10G10R10", 4, GC_FORMAT_UNORM,
		{ CH(10, 0), CH(10, 10), CH(10, 20), CH(2, 30) }, 0 },
	[PE_FORMAT_R8I] = { "R8I", 1, GC_FORMAT_INTEGER,
		{ CH(8, 0), NONE, NONE, NONE }, 0 },
	[PE_FORMAT_G8R8I] = { "G8R8I", 2, GC_FORMAT_INTEGER,
		{ CH(8, 0), CH(8, 8), NONE, NONE }, 0 },
	[PE_FORMAT_A8B8G8R8I] = { "A8B8G8R8I", 4, GC_FORMAT_INTEGER,
		{ CH(8, 0), CH(8, 8), CH(8, 16), CH(8, 24) }, 0 },
	[PE_FORMAT_R16I] = { "R16I", 2, GC_FORMAT_INTEGER,
		{ CH(16, 0), NONE, NONE, NONE }, 0 },
	[PE_FORMAT_G16R16I] = { "G16R16I", 4, GC_FORMAT_INTEGER,
		{ CH(16, 0), CH(16, 16), NONE, NONE }, 0 },
	[PE_FORMAT_A16B16G16R16I] = { "A16B16G16R16I", 8, GC_FORMAT_INTEGER,
		{ CH(16, 0), CH(16, 16), CH_HI(16, 0), CH_HI(16, 16) }, 0 },
	[PE_FORMAT_B10G11R11F] = { "B10G11R11F", 4, GC_FORMAT_UFLOAT,
		{ CH(11, 0), CH(11, 11), CH(10, 22), NONE }, 0 },
	[PE_FORMAT_A2B10G10R10UI] = { "A2B10G10R10UI", 4, GC_FORMAT_INTEGER,
		{ CH(10, 0), CH(10, 10), CH(10, 20), CH(2, 30) }, 0 },
	[PE_FORMAT_G8R8] = { "G8R8", 2, GC_FORMAT_UNORM,
		{ CH(8, 0), CH(8, 8), NONE, NONE }, 0 },
};
/* clang-format on */

const struct gc_format *gc_format_color(unsigned int pe_format)
{
	if (pe_format >= sizeof(formats) / sizeof(formats[0]) || !formats[pe_format].name)
		return NULL;
	return &formats[pe_format];
}

/*
 * As etnaviv's gpu_supports_render_format() has it; PE_FORMAT_R8 (HALTI5) and sRGB (HALTI3) are in no
 * core that the card has.
 */
const char *gc_format_lacks(const struct gc_personality *p, const struct gc_format *format)
{
	bool newer = format->kind != GC_FORMAT_UNORM || format == &formats[PE_FORMAT_G8R8];

	return newer && p->halti < 2 ? "HALTI2" : NULL;
}

const struct gc_format *gc_format_rs(unsigned int rs_format)
{
	/*
	 * formats with channels have the same numbers in the pixel engine and the resolve
	 * engine
	 */
	return rs_format <= RS_FORMAT_A8R8G8B8 ? gc_format_color(rs_format) : NULL;
}

static uint32_t low_bits(unsigned int bits)
{
	return bits >= 32 ? 0xffffffff : (1u << bits) - 1;
}

bool gc_format_mask(const struct gc_format *format, unsigned int components, uint32_t mask[2])
{
	uint32_t all[2] = { format->pad, 0 };

	mask[0] = mask[1] = 0;
	for (unsigned int c = 0; c < 4; c++) {
		const struct gc_channel *ch = &format->channel[c];
		uint32_t bits = low_bits(ch->bits) << ch->shift;

		if (!ch->bits)
			continue;
		all[ch->word] |= bits;
		if (components >> c & 1)
			mask[ch->word] |= bits;
	}
	if (mask[0])
		mask[0] |= format->pad;
	return mask[0] == all[0] && mask[1] == all[1];
}

/*
 * Clamp to 0..1; NaN gives 0. With this order of operands the comparisons compile to maxps and
 * minps.
 */
static inline float saturate(float v)
{
	v = v > 0.0f ? v : 0.0f;
	return v < 1.0f ? v : 1.0f;
}

static void pack_unorm(const struct gc_channel *ch, const float *restrict in,
		       const float *restrict bias, uint32_t *restrict out)
{
	const float scale = (float)low_bits(ch->bits);
	const unsigned int shift = ch->shift;

	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] |= (uint32_t)(int32_t)(saturate(in[i]) * scale + bias[i]) << shift;
}

static void pack_integer(const struct gc_channel *ch, const uint32_t *restrict in,
			 uint32_t *restrict out)
{
	const uint32_t mask = low_bits(ch->bits);
	const unsigned int shift = ch->shift;

	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] |= (in[i] & mask) << shift;
}

static void pack_float(const struct gc_format *format, const struct gc_channel *ch,
		       const float *restrict in, uint32_t *restrict out)
{
	for (unsigned int i = 0; i < BLOCK; i++) {
		uint32_t value = format->kind == GC_FORMAT_FLOAT16
					 ? gc_half_from_float(in[i])
					 : gc_ufloat_from_float(in[i], ch->bits - 5u);

		out[i] |= value << ch->shift;
	}
}

static void pack_channel(const struct gc_format *format, unsigned int c, const union gc_lanes *in,
			 unsigned int at, const float *bias, uint32_t *out)
{
	static const float half[BLOCK] = { 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f,
					   0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f };
	const struct gc_channel *ch = &format->channel[c];
	bool dither = bias && c < 3 && ch->bits < 8;

	switch (format->kind) {
	case GC_FORMAT_UNORM:
		pack_unorm(ch, in->f + at, dither ? bias + at : half, out);
		break;
	case GC_FORMAT_FLOAT32:
	case GC_FORMAT_INTEGER:
		pack_integer(ch, in->u + at, out);
		break;
	default:
		pack_float(format, ch, in->f + at, out);
		break;
	}
}

/* A8R8G8B8 and X8R8G8B8 */
#define RED_SHIFT 16
#define GREEN_SHIFT 8
#define BLUE_SHIFT 0
#define ALPHA_SHIFT 24

/*
 * Pack four channels of eight bits, the most common targets' formats. Components in the mask
 * @same have the same value in all lanes and are part of @base.
 */
PX_INLINE void pack_lanes_8888(const union gc_lanes *const color[4], unsigned int first,
			       unsigned int end, unsigned int same, uint32_t base, uint32_t *out)
{
	const float *r = color[0]->f, *g = color[1]->f, *b = color[2]->f, *a = color[3]->f;

	for (unsigned int at = first; at < end; at += PX_LANES) {
		px_word word = (px_word){ 0 } + base;

		if (!(same & 1))
			word |= px_unorm8(*(const px_float *)(r + at)) << RED_SHIFT;
		if (!(same & 2))
			word |= px_unorm8(*(const px_float *)(g + at)) << GREEN_SHIFT;
		if (!(same & 4))
			word |= px_unorm8(*(const px_float *)(b + at)) << BLUE_SHIFT;
		if (!(same & 8))
			word |= px_unorm8(*(const px_float *)(a + at)) << ALPHA_SHIFT;
		*(px_word *)(out + at) = word;
	}
}

static uint32_t unorm8(float v)
{
	return px_unorm8((px_float){ v })[0];
}

static void pack_8888(const struct gc_format *format, const struct gc_color *color,
		      unsigned int first, unsigned int end, uint32_t *out)
{
	uint32_t base = format->pad;

	for (unsigned int c = 0; c < 4; c++)
		if (color->same >> c & 1 && format->channel[c].bits)
			base |= unorm8(color->c[c]->f[0]) << format->channel[c].shift;
	/* clang-format off */
#define SAME(n) \
	case n: pack_lanes_8888(color->c, first, end, n, base, out); break;
	switch (color->same) {
	SAME(0) SAME(1) SAME(2) SAME(3) SAME(4) SAME(5) SAME(6) SAME(7)
	SAME(8) SAME(9) SAME(10) SAME(11) SAME(12) SAME(13) SAME(14) SAME(15)
	}
/* clang-format on */
#undef SAME
}

bool gc_format_is_8888(const struct gc_format *format)
{
	return format == &formats[PE_FORMAT_A8R8G8B8] || format == &formats[PE_FORMAT_X8R8G8B8];
}

void gc_format_pack_color(const struct gc_format *format, const struct gc_color *color,
			  unsigned int first, unsigned int end, const float *bias,
			  struct gc_pixels *pixels)
{
	if (!CARD_PLAIN && gc_format_is_8888(format)) {
		pack_8888(format, color, first, end, pixels->lo);
		return;
	}
	for (unsigned int at = first; at < end; at += BLOCK) {
		for (unsigned int i = at; i < at + BLOCK; i++) {
			pixels->lo[i] = format->pad;
			pixels->hi[i] = 0;
		}
		for (unsigned int c = 0; c < 4; c++) {
			const struct gc_channel *ch = &format->channel[c];

			if (ch->bits)
				pack_channel(format, c, color->c[c], at, bias,
					     (ch->word ? pixels->hi : pixels->lo) + at);
		}
	}
}

void gc_format_pack(const struct gc_format *format, const struct gc_vec4 *color, unsigned int first,
		    unsigned int end, const float *bias, struct gc_pixels *pixels)
{
	const struct gc_color lanes = gc_color_of(color);

	gc_format_pack_color(format, &lanes, first, end, bias, pixels);
}

static void unpack_unorm(const struct gc_channel *ch, const uint32_t *restrict in,
			 float *restrict out)
{
	const uint32_t mask = low_bits(ch->bits);
	const float scale = 1.0f / (float)mask;
	const unsigned int shift = ch->shift;

	for (unsigned int i = 0; i < BLOCK; i++)
		out[i] = (float)(int32_t)(in[i] >> shift & mask) * scale;
}

static void unpack_channel(const struct gc_format *format, const struct gc_channel *ch,
			   const uint32_t *in, union gc_lanes *out, unsigned int at)
{
	for (unsigned int i = 0; i < BLOCK; i++) {
		uint32_t value = in[i] >> ch->shift & low_bits(ch->bits);

		switch (format->kind) {
		case GC_FORMAT_FLOAT16:
			out->f[at + i] = gc_half_to_float((uint16_t)value);
			break;
		case GC_FORMAT_UFLOAT:
			out->f[at + i] = gc_ufloat_to_float(value, ch->bits - 5u);
			break;
		default:
			out->u[at + i] = value;
			break;
		}
	}
}

static void unpack_absent(const struct gc_format *format, unsigned int c, union gc_lanes *out,
			  unsigned int at)
{
	for (unsigned int i = at; i < at + BLOCK; i++) {
		if (format->kind == GC_FORMAT_INTEGER)
			out->u[i] = c == 3;
		else
			out->f[i] = c == 3 ? 1.0f : 0.0f;
	}
}

void gc_format_unpack(const struct gc_format *format, const struct gc_pixels *pixels,
		      unsigned int first, unsigned int end, struct gc_vec4 *color)
{
	for (unsigned int at = first; at < end; at += BLOCK) {
		for (unsigned int c = 0; c < 4; c++) {
			const struct gc_channel *ch = &format->channel[c];
			const uint32_t *in = (ch->word ? pixels->hi : pixels->lo) + at;

			if (!ch->bits)
				unpack_absent(format, c, &color->c[c], at);
			else if (format->kind == GC_FORMAT_UNORM)
				unpack_unorm(ch, in, color->c[c].f + at);
			else
				unpack_channel(format, ch, in, &color->c[c], at);
		}
	}
}

bool gc_dither_bias(const uint32_t matrix[2], float bias[16])
{
	bool equal = true;

	for (unsigned int i = 0; i < 16; i++) {
		unsigned int nibble = matrix[i >> 3] >> 4 * (i & 7) & 15;

		equal &= nibble == (matrix[0] & 15);
		bias[i] = ((float)nibble + 0.5f) / 16.0f;
	}
	return !equal;
}
