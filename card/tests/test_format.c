// SPDX-License-Identifier: MIT
/* Pixel formats: round trips, which cores have them, rounding, small floats, sRGB, dithering. */
#include <math.h>

#include "gc/float_bits.h"
#include "gc/format.h"
#include "hw/state_3d.xml.h"
#include "tests/check.h"

static struct gc_pixels in, out;
static struct gc_vec4 color;

static bool is_half_nan(uint32_t half)
{
	return (half & 0x7fff) > 0x7c00;
}

/* Whether a channel of the pixel is a NaN, whose payload may change. */
static bool has_nan(const struct gc_format *f, uint32_t lo)
{
	if (f->kind != GC_FORMAT_FLOAT16)
		return false;
	return is_half_nan(lo & 0xffff);
}

/* All values of formats of up to 16 bits are unchanged after unpacking and packing. */
static bool survives(const struct gc_format *f)
{
	uint32_t all[2], values = 1u << 8 * f->bytes;

	gc_format_mask(f, 15, all);
	for (uint32_t base = 0; base < values; base += GC_LANES) {
		for (uint32_t i = 0; i < GC_LANES; i++) {
			in.lo[i] = base + i;
			in.hi[i] = 0;
		}
		gc_format_unpack(f, &in, 0, GC_LANES, &color);
		gc_format_pack(f, &color, 0, GC_LANES, NULL, &out);
		for (uint32_t i = 0; i < GC_LANES; i++) {
			if (has_nan(f, in.lo[i]) && has_nan(f, out.lo[i]))
				continue;
			if (out.lo[i] != ((in.lo[i] & all[0]) | f->pad) || out.hi[i])
				return false;
		}
	}
	return true;
}

TEST(round_trips_of_all_values)
{
	unsigned int tried = 0;

	for (unsigned int n = 0; n < 64; n++) {
		const struct gc_format *f = gc_format_color(n);

		if (!f || f->bytes > 2)
			continue;
		CHECK(survives(f));
		tried++;
	}
	CHECK_EQ(tried, 11);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed;
}

TEST(round_trips_of_large_formats)
{
	uint32_t seed = 1;

	for (unsigned int n = 0; n < 64; n++) {
		const struct gc_format *f = gc_format_color(n);

		if (!f || f->bytes < 4)
			continue;
		for (unsigned int turn = 0; turn < 2000; turn++) {
			for (unsigned int i = 0; i < GC_LANES; i++) {
				in.lo[i] = next_random(&seed) >> 1 ^ next_random(&seed) << 9;
				in.hi[i] = f->bytes == 8 ? next_random(&seed) : 0;
				if (f->kind == GC_FORMAT_FLOAT16) { /* no NaN, no infinity */
					in.lo[i] &= 0xbbffbbff;
					in.hi[i] &= 0xbbffbbff;
				}
				if (f->kind == GC_FORMAT_UFLOAT) /* the same */
					in.lo[i] &= 0xbefdf7ef & ~(1u << 10 | 1u << 21 | 1u << 31);
			}
			gc_format_unpack(f, &in, 0, GC_LANES, &color);
			gc_format_pack(f, &color, 0, GC_LANES, NULL, &out);
			for (unsigned int i = 0; i < GC_LANES; i++) {
				uint32_t hi =
					f->channel[1].word || f->channel[2].word ? in.hi[i] : 0;

				CHECK_EQ(out.lo[i], in.lo[i] | f->pad);
				CHECK_EQ(out.hi[i], hi);
			}
		}
	}
}

TEST(channel_order)
{
	struct {
		unsigned int format;
		uint32_t r, g, b, a;
	} want[] = {
		{ PE_FORMAT_A8R8G8B8, 0xff0000, 0xff00, 0xff, 0xff000000 },
		{ PE_FORMAT_A4R4G4B4, 0xf00, 0xf0, 0xf, 0xf000 },
		{ PE_FORMAT_A1R5G5B5, 0x7c00, 0x3e0, 0x1f, 0x8000 },
		{ PE_FORMAT_R5G6B5, 0xf800, 0x7e0, 0x1f, 0 },
		{ PE_FORMAT_A2B10G10R10, 0x3ff, 0xffc00, 0x3ff00000, 0xc0000000 },
		{ PE_FORMAT_G8R8, 0xff, 0xff00, 0, 0 },
		{ PE_FORMAT_A8, 0, 0, 0, 0xff },
	};

	for (unsigned int w = 0; w < sizeof(want) / sizeof(want[0]); w++) {
		const struct gc_format *f = gc_format_color(want[w].format);
		uint32_t bits[4] = { want[w].r, want[w].g, want[w].b, want[w].a };

		for (unsigned int c = 0; c < 4; c++) {
			memset(&color, 0, sizeof(color));
			color.c[c].f[5] = 1.0f;
			gc_format_pack(f, &color, 0, 16, NULL, &out);
			CHECK_EQ(out.lo[5], bits[c]);
			CHECK_EQ(out.lo[6], 0);
		}
	}
}

TEST(unorm_rounds_to_nearest)
{
	const struct gc_format *f = gc_format_color(PE_FORMAT_A8R8G8B8);

	for (unsigned int base = 0; base < 65536; base += GC_LANES) {
		for (unsigned int i = 0; i < GC_LANES; i++)
			color.c[0].f[i] = (float)(base + i) / 65535.0f;
		gc_format_pack(f, &color, 0, GC_LANES, NULL, &out);
		for (unsigned int i = 0; i < GC_LANES; i++) {
			double exact = (double)color.c[0].f[i] * 255.0;

			CHECK_NEAR((double)(out.lo[i] >> 16 & 0xff), exact, 0.5 + 1e-5);
		}
	}
}

TEST(unorm_clamps)
{
	static const float values[] = { -1.0f, 2.0f, 1e30f, -1e30f };

	memset(&color, 0, sizeof(color));
	for (unsigned int i = 0; i < 4; i++)
		color.c[1].f[i] = values[i];
	color.c[1].f[4] = bits_float(0x7fc00000);
	color.c[1].f[5] = bits_float(0x7f800000);
	color.c[1].f[6] = bits_float(0xff800000);
	gc_format_pack(gc_format_color(PE_FORMAT_A8R8G8B8), &color, 0, 16, NULL, &out);
	CHECK_EQ(out.lo[0], 0);
	CHECK_EQ(out.lo[1], 0xff00);
	CHECK_EQ(out.lo[2], 0xff00);
	CHECK_EQ(out.lo[3], 0);
	CHECK_EQ(out.lo[4], 0); /* NaN */
	CHECK_EQ(out.lo[5], 0xff00);
	CHECK_EQ(out.lo[6], 0);
}

TEST(absent_channels)
{
	memset(&in, 0, sizeof(in));
	gc_format_unpack(gc_format_color(PE_FORMAT_X8R8G8B8), &in, 0, 16, &color);
	CHECK(color.c[3].f[0] == 1.0f);
	gc_format_unpack(gc_format_color(PE_FORMAT_R16F), &in, 0, 16, &color);
	CHECK(color.c[1].f[0] == 0.0f && color.c[3].f[0] == 1.0f);
	gc_format_unpack(gc_format_color(PE_FORMAT_R8I), &in, 0, 16, &color);
	CHECK_EQ(color.c[3].u[0], 1);
}

TEST(masks)
{
	uint32_t mask[2];

	CHECK(gc_format_mask(gc_format_color(PE_FORMAT_A8R8G8B8), 15, mask));
	CHECK_EQ(mask[0], 0xffffffff);
	CHECK(!gc_format_mask(gc_format_color(PE_FORMAT_A8R8G8B8), 7, mask));
	CHECK_EQ(mask[0], 0x00ffffff);
	CHECK(gc_format_mask(gc_format_color(PE_FORMAT_X8R8G8B8), 7, mask));
	CHECK(!gc_format_mask(gc_format_color(PE_FORMAT_X8R8G8B8), 1, mask));
	CHECK_EQ(mask[0], 0xffff0000);
	CHECK(!gc_format_mask(gc_format_color(PE_FORMAT_R5G6B5), 8, mask));
	CHECK_EQ(mask[0], 0);
	CHECK(!gc_format_mask(gc_format_color(PE_FORMAT_A16B16G16R16F), 4, mask));
	CHECK_EQ(mask[0], 0);
	CHECK_EQ(mask[1], 0xffff);
}

TEST(unknown_formats)
{
	CHECK(!gc_format_color(PE_FORMAT_YUY2));
	CHECK(!gc_format_color(9));
	CHECK(!gc_format_color(PE_FORMAT_R8)); /* HALTI5 */
	CHECK(!gc_format_color(63));
	CHECK(!gc_format_color(0xffffffff));
	CHECK(!gc_format_rs(RS_FORMAT_YUY2));
	CHECK(gc_format_rs(RS_FORMAT_A8R8G8B8) == gc_format_color(PE_FORMAT_A8R8G8B8));
}

/* Floats, integers and two channels of eight bits can be rendered to from HALTI2 on. */
TEST(formats_of_newer_cores)
{
	static const unsigned int newer[] = { PE_FORMAT_R16F,          PE_FORMAT_G16R16F,
					      PE_FORMAT_R32F,          PE_FORMAT_G32R32F,
					      PE_FORMAT_B10G11R11F,    PE_FORMAT_A16B16G16R16F,
					      PE_FORMAT_R8I,           PE_FORMAT_A8B8G8R8I,
					      PE_FORMAT_G16R16I,       PE_FORMAT_A16B16G16R16I,
					      PE_FORMAT_A2B10G10R10UI, PE_FORMAT_G8R8 };
	static const unsigned int older[] = { PE_FORMAT_A4R4G4B4, PE_FORMAT_R5G6B5,
					      PE_FORMAT_X8R8G8B8, PE_FORMAT_A8R8G8B8,
					      PE_FORMAT_A8,       PE_FORMAT_A2B10G10R10 };
	const struct gc_personality *halti0 = gc_personality_find("gc2000");
	const struct gc_personality *halti2 = gc_personality_find("gc3000");
	const char *lacks;

	for (unsigned int i = 0; i < sizeof(newer) / sizeof(newer[0]); i++) {
		lacks = gc_format_lacks(halti0, gc_format_color(newer[i]));
		CHECK(lacks && !strcmp(lacks, "HALTI2"));
		CHECK(!gc_format_lacks(halti2, gc_format_color(newer[i])));
	}
	for (unsigned int i = 0; i < sizeof(older) / sizeof(older[0]); i++)
		CHECK(!gc_format_lacks(halti0, gc_format_color(older[i])));
}

/* Conversion from half floats by arithmetic. */
static double half_value(uint32_t half)
{
	double m = half & 0x3ff, sign = half & 0x8000 ? -1.0 : 1.0;
	int e = half >> 10 & 31;

	return e ? sign * ldexp(1024.0 + m, e - 25) : sign * ldexp(m, -24);
}

TEST(half_to_float_is_exact)
{
	for (uint32_t h = 0; h < 0x10000; h++) {
		if ((h & 0x7fff) < 0x7c00)
			CHECK((double)gc_half_to_float((uint16_t)h) == half_value(h));
		else if ((h & 0x3ff) == 0)
			CHECK(isinf(gc_half_to_float((uint16_t)h)));
		else
			CHECK(isnan(gc_half_to_float((uint16_t)h)));
	}
	CHECK(gc_half_to_float(0xfc00) < 0);
}

/* pow() may differ between hosts in the last bit of a double, which is lost in a float. */
TEST(srgb_is_the_curve_of_the_standard)
{
	for (int k = 0; k < 256; k++) {
		double code = k / 255.0;
		double linear = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);

		CHECK(gc_srgb_decode((uint8_t)k) == (float)linear);
	}
}

TEST(powers_of_two)
{
	for (unsigned int n = 0; n < 4096; n++)
		CHECK(gc_exp2_32nds(n) == (float)exp2(n / 32.0));
}

/* Black, white and the primaries of BT.601 within the limited range; what is outside is clamped. */
TEST(yuv_is_bt_601)
{
	static const uint8_t cases[][6] = {
		{ 16, 128, 128, 0, 0, 0 },   { 235, 128, 128, 255, 255, 255 },
		{ 81, 90, 240, 255, 0, 0 },  { 145, 54, 34, 0, 255, 1 },
		{ 41, 240, 110, 0, 0, 255 }, { 255, 255, 255, 255, 125, 255 },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t rgb[3];

		gc_yuv_to_rgb(cases[i][0], cases[i][1], cases[i][2], rgb);
		for (unsigned int c = 0; c < 3; c++)
			CHECK_EQ(rgb[c], cases[i][3 + c]);
	}
}

TEST(half_from_float_rounds_to_even)
{
	for (uint32_t h = 0; h < 0x7bff; h++) {
		double low = half_value(h), high = half_value(h + 1);
		float middle = (float)((low + high) / 2); /* exact in a float */
		uint32_t even = h & 1 ? h + 1 : h;

		CHECK_EQ(gc_half_from_float((float)low), h);
		CHECK_EQ(gc_half_from_float(middle), even);
		CHECK_EQ(gc_half_from_float(bits_float(float_bits(middle) - 1)), h);
		CHECK_EQ(gc_half_from_float(bits_float(float_bits(middle) + 1)), h + 1);
		CHECK_EQ(gc_half_from_float(-middle), 0x8000 | even);
	}
}

TEST(half_extremes)
{
	CHECK_EQ(gc_half_from_float(65504.0f), 0x7bff);
	CHECK_EQ(gc_half_from_float(65519.0f), 0x7bff);
	CHECK_EQ(gc_half_from_float(65520.0f), 0x7c00);
	CHECK_EQ(gc_half_from_float(1e30f), 0x7c00);
	CHECK_EQ(gc_half_from_float(bits_float(0x7f800000)), 0x7c00);
	CHECK_EQ(gc_half_from_float(bits_float(0xff800000)), 0xfc00);
	CHECK(is_half_nan(gc_half_from_float(bits_float(0x7f800001))));
	CHECK(is_half_nan(gc_half_from_float(bits_float(0xffc00000))));
	CHECK_EQ(gc_half_from_float(1e-30f), 0);
	CHECK_EQ(gc_half_from_float(-0.0f), 0x8000);
}

static double ufloat_value(uint32_t v, unsigned int mantissa)
{
	double m = v & ((1u << mantissa) - 1);
	int e = (int)(v >> mantissa);

	return e ? ldexp((1u << mantissa) + m, e - 15 - (int)mantissa)
		 : ldexp(m, -14 - (int)mantissa);
}

TEST(unsigned_floats)
{
	for (unsigned int mantissa = 5; mantissa <= 6; mantissa++) {
		uint32_t infinity = 31u << mantissa;

		for (uint32_t v = 0; v < infinity; v++) {
			float f = gc_ufloat_to_float(v, mantissa);

			CHECK((double)f == ufloat_value(v, mantissa));
			CHECK_EQ(gc_ufloat_from_float(f, mantissa), v);
			if (v + 1 < infinity) {
				float middle = (f + gc_ufloat_to_float(v + 1, mantissa)) / 2;

				CHECK_EQ(gc_ufloat_from_float(middle, mantissa), v + (v & 1));
			}
		}
		CHECK_EQ(gc_ufloat_from_float(-1.0f, mantissa), 0);
		CHECK_EQ(gc_ufloat_from_float(1e9f, mantissa), infinity - 1);
		CHECK_EQ(gc_ufloat_from_float(65535.0f, mantissa), infinity - 1);
		CHECK_EQ(gc_ufloat_from_float(bits_float(0x7f800000), mantissa), infinity);
		CHECK(gc_ufloat_from_float(bits_float(0x7fc00000), mantissa) > infinity);
		CHECK(isinf(gc_ufloat_to_float(infinity, mantissa)));
		CHECK(isnan(gc_ufloat_to_float(infinity + 1, mantissa)));
	}
}

TEST(dither_matrix)
{
	/* Values that Mesa's etnaviv writes for dithering: the usual 4x4 ordered matrix */
	static const uint32_t matrix[2] = { 0x6e4ca280, 0x5d7f91b3 }, off[2] = { ~0u, ~0u };
	const struct gc_format *f = gc_format_color(PE_FORMAT_R5G6B5);
	float bias[16], lanes[GC_LANES] = { 0 };
	bool used[16] = { false };

	CHECK(!gc_dither_bias(off, bias));
	CHECK(gc_dither_bias(matrix, bias));
	for (unsigned int i = 0; i < 16; i++) {
		used[(int)(bias[i] * 16.0f)] = true;
		lanes[i] = bias[i];
	}
	for (unsigned int i = 0; i < 16; i++)
		CHECK(used[i]);
	for (unsigned int value = 0; value <= 31 * 16; value++) {
		unsigned int sum = 0;

		for (unsigned int i = 0; i < 16; i++)
			color.c[0].f[i] = (float)value / (31.0f * 16.0f);
		gc_format_pack(f, &color, 0, 16, lanes, &out);
		for (unsigned int i = 0; i < 16; i++)
			sum += out.lo[i] >> 11;
		/* The mean over the matrix is the value itself. */
		CHECK_NEAR((double)sum / 16.0, (double)value / 16.0, 1.0 / 16.0);
	}
}

TEST(dither_spares_eight_bits)
{
	float lanes[GC_LANES];

	for (unsigned int i = 0; i < GC_LANES; i++) {
		lanes[i] = 31.0f / 32.0f;
		color.c[0].f[i] = color.c[1].f[i] = color.c[2].f[i] = color.c[3].f[i] =
			100.2f / 255.0f;
	}
	gc_format_pack(gc_format_color(PE_FORMAT_A8R8G8B8), &color, 0, 16, lanes, &out);
	CHECK_EQ(out.lo[3], 0x64646464);
}

int main(void)
{
	return test_all();
}
