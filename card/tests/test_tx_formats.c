// SPDX-License-Identifier: MIT
/*
 * All uncompressed formats: texels with known bits against the values that the format's definition
 * gives, through whole lookups; and the formats, compressed ones too, that a core lacks.
 */
#include "check.h"
#include "gc/float_bits.h"
#include "tx_rig.h"

static struct rig *rig;

/* The value of a 1x1 texture that holds @low and @high (little-endian). */
static void texel(unsigned int format, unsigned int ext, uint32_t low, uint32_t high, bool srgb,
		  float out[4])
{
	struct rig_texture t = rig_texture_2d(format, 1, 1);

	t.ext = ext;
	t.srgb = srgb;
	memcpy(rig->bytes + RIG_TEXTURE, &low, 4);
	memcpy(rig->bytes + RIG_TEXTURE + 4, &high, 4);
	rig_bind(rig, 0, &t);
	rig_sample_one(rig, 0.5f, 0.5f, 0.0f, 0.0f, out);
}

#define CHECK_RGBA(r, g, b, a)               \
	do {                                 \
		CHECK_NEAR(out[0], r, 1e-6); \
		CHECK_NEAR(out[1], g, 1e-6); \
		CHECK_NEAR(out[2], b, 1e-6); \
		CHECK_NEAR(out[3], a, 1e-6); \
	} while (0)

#define CONFIG0(name, low, r, g, b, a)                               \
	do {                                                         \
		texel(TEXTURE_FORMAT_##name, 0, low, 0, false, out); \
		CHECK_RGBA(r, g, b, a);                              \
	} while (0)

#define EXT(name, low, high, r, g, b, a)                                    \
	do {                                                                \
		texel(0, TEXTURE_FORMAT_EXT_##name, low, high, false, out); \
		CHECK_RGBA(r, g, b, a);                                     \
	} while (0)

TEST(one_and_two_channels)
{
	float out[4];

	CONFIG0(A8, 0x80, 0, 0, 0, 128 / 255.0);
	CONFIG0(L8, 0x33, 0.2, 0.2, 0.2, 1);
	CONFIG0(I8, 0x33, 0.2, 0.2, 0.2, 0.2);
	CONFIG0(A8L8, 0x6633, 0.2, 0.2, 0.2, 0.4);
	EXT(R8, 0x33, 0, 0.2, 0, 0, 1);
	EXT(G8R8, 0x6633, 0, 0.2, 0.4, 0, 1);
	EXT(R8_SNORM, 0x81, 0, -1, 0, 0, 1);
	EXT(R8_SNORM, 0x80, 0, -1, 0, 0, 1);
	EXT(G8R8_SNORM, 0x7f40, 0, 64 / 127.0, 1, 0, 1);
}

TEST(packed_colors)
{
	float out[4];

	CONFIG0(A4R4G4B4, 0x1248, 2 / 15.0, 4 / 15.0, 8 / 15.0, 1 / 15.0);
	CONFIG0(X4R4G4B4, 0x1248, 2 / 15.0, 4 / 15.0, 8 / 15.0, 1);
	/* five and six bits are widened to eight by repeating their upper bits */
	CONFIG0(R5G6B5, 0x8c51, (17 << 3 | 4) / 255.0, (34 << 2 | 2) / 255.0, (17 << 3 | 4) / 255.0,
		1);
	CONFIG0(R5G6B5, 0xffff, 1, 1, 1, 1);
	CONFIG0(A1R5G5B5, 0x83e0, 0, 1, 0, 1);
	CONFIG0(A1R5G5B5, 0x7c1f, 1, 0, 1, 0);
	CONFIG0(X1R5G5B5, 0x001f, 0, 0, 1, 1);
	CONFIG0(A8R8G8B8, 0x33669900, 0.4, 0.6, 0, 0.2);
	CONFIG0(X8R8G8B8, 0x33669900, 0.4, 0.6, 0, 1);
	CONFIG0(A8B8G8R8, 0x33669900, 0, 0.6, 0.4, 0.2);
	CONFIG0(X8B8G8R8, 0x33669900, 0, 0.6, 0.4, 1);
	EXT(A8B8G8R8_SNORM, 0x7f810040, 0, 64 / 127.0, 0, -1, 1);
	EXT(X8B8G8R8_SNORM, 0x00810040, 0, 64 / 127.0, 0, -1, 1);
	EXT(A2B10G10R10, 0x40000000 | 1023 << 20 | 341 << 10, 0, 0, 341 / 1023.0, 1, 1 / 3.0);
}

TEST(depth)
{
	float out[4];

	CONFIG0(D16, 0xffff, 1, 1, 1, 1);
	CONFIG0(D16, 0x8000, 32768 / 65535.0, 32768 / 65535.0, 32768 / 65535.0, 1);
	CONFIG0(D24X8, 0xffffff12, 1, 1, 1, 1);
	CHECK(out[0] == 1.0f);
	CONFIG0(D24X8, 0x80000012, 8388608 / 16777215.0, 8388608 / 16777215.0, 8388608 / 16777215.0,
		1);
	EXT(D24S8, 0x000000ff, 0, 0, 0, 0, 1);
}

TEST(floats)
{
	float out[4];

	EXT(R16F, 0x3c00, 0, 1, 0, 0, 1);
	EXT(R16F, 0xc400, 0, -4, 0, 0, 1);
	EXT(R16F, 0x0001, 0, 0x1p-24, 0, 0, 1);
	EXT(R16F, 0x7c00, 0, INFINITY, 0, 0, 1);
	EXT(R16F, 0x7e00, 0, NAN, 0, 0, 1);
	EXT(G16R16F, 0x38003c00, 0, 1, 0.5, 0, 1);
	EXT(A16B16G16R16F, 0x38003c00, 0xbc007bff, 1, 0.5, 65504, -1);
	EXT(R32F, 0x40490fdb, 0, 3.14159274, 0, 0, 1);
	EXT(G32R32F, 0x3f800000, 0xc0000000, 1, -2, 0, 1);
	/* 1.0 has exponent 15; blue has one mantissa bit less */
	EXT(B10G11R11F, 0x3c0 | 0x3c0 << 11 | 0x1e0 << 22, 0, 1, 1, 1, 1);
	EXT(B10G11R11F, 0x001 | 0x7c0 << 11 | 0x010u << 22, 0, 0x1p-20, INFINITY, 0x1p-15, 1);
	/* mantissas 256, 128, 64 at exponent 15 + 1 */
	CONFIG0(E5B9G9R9, 256 | 128 << 9 | 64 << 18 | 16u << 27, 1, 0.5, 0.25, 1);
	CONFIG0(E5B9G9R9, 511u | 31u << 27, 65408, 0, 0, 1);
}

#define INTEGER(name, low, high, r, g, b, a)                                \
	do {                                                                \
		texel(0, TEXTURE_FORMAT_EXT_##name, low, high, false, out); \
		CHECK_EQ(float_bits(out[0]), r);                            \
		CHECK_EQ(float_bits(out[1]), g);                            \
		CHECK_EQ(float_bits(out[2]), b);                            \
		CHECK_EQ(float_bits(out[3]), a);                            \
	} while (0)

TEST(integers)
{
	float out[4];

	INTEGER(R8I, 0xfe, 0, 0xfe, 0, 0, 1);
	INTEGER(G8R8I, 0x12fe, 0, 0xfe, 0x12, 0, 1);
	INTEGER(A8B8G8R8I, 0x01020304, 0, 4, 3, 2, 1);
	INTEGER(R16I, 0xfffe, 0, 0xfffe, 0, 0, 1);
	INTEGER(G16R16I, 0x1234fffe, 0, 0xfffe, 0x1234, 0, 1);
	INTEGER(A16B16G16R16I, 0x00020001, 0x00040003, 1, 2, 3, 4);
	INTEGER(R32I, 0x7fa00001, 0, 0x7fa00001, 0, 0, 1);
	INTEGER(G32R32I, 0x80000000, 7, 0x80000000, 7, 0, 1);
	INTEGER(A2B10G10R10UI, 0xc0000000 | 1023 << 20 | 2 << 10 | 1, 0, 1, 2, 1023, 3);
	/* integer bits in a float format pass unharmed, signalling NaNs too */
	INTEGER(R32F, 0x7fa00001, 0, 0x7fa00001, 0, 0, float_bits(1.0f));
}

TEST(srgb_decodes_color_only)
{
	float out[4];

	texel(TEXTURE_FORMAT_A8B8G8R8, 0, 0x800a80ff, 0, true, out);
	CHECK_RGBA(1, pow((128 / 255.0 + 0.055) / 1.055, 2.4), 10 / 255.0 / 12.92, 128 / 255.0);
	texel(TEXTURE_FORMAT_L8, 0, 0xff, 0, true, out);
	CHECK_RGBA(1, 1, 1, 1);
}

/* BT.601: white, black, and a red; each pair shares U and V. */
TEST(yuv_pairs)
{
	struct rig_texture t = rig_texture_2d(TEXTURE_FORMAT_YUY2, 2, 1);
	uint32_t pair = 235 | 128 << 8 | 16 << 16 | 128u << 24;
	float out[4];

	for (int order = 0; order < 2; order++) {
		if (order) {
			t.format = TEXTURE_FORMAT_UYVY;
			pair = 128 | 235 << 8 | 128 << 16 | 16u << 24;
		}
		memcpy(rig->bytes + RIG_TEXTURE, &pair, 4);
		rig_bind(rig, 0, &t);
		rig_sample_one(rig, 0.25f, 0.5f, 0, 0, out);
		CHECK_RGBA(1, 1, 1, 1);
		rig_sample_one(rig, 0.75f, 0.5f, 0, 0, out);
		CHECK_RGBA(0, 0, 0, 1);
	}
	pair = 90 | 81 << 8 | 240 << 16 | 81u << 24;
	memcpy(rig->bytes + RIG_TEXTURE, &pair, 4);
	gc_texture_flush(&rig->gc, true, true);
	rig_sample_one(rig, 0.25f, 0.5f, 0, 0, out);
	CHECK_NEAR(out[0], 1.0, 1.5 / 255);
	CHECK_NEAR(out[1], 0.0, 1.5 / 255);
	CHECK_NEAR(out[2], 0.0, 1.5 / 255);
}

/* EAC values are fractions of 2047 and 1023. */
TEST(eac_scale)
{
	float out[4];

	EXT(R11_EAC, 0x000010ff, 0, 2020 / 2047.0, 0, 0, 1);
	EXT(SIGNED_R11_EAC, 0x0000107f, 0, 992 / 1023.0, 0, 0, 1);
}

TEST(unknown_formats_are_off)
{
	float out[4];

	texel(0x12, 0, 0xffffffff, 0, false, out);
	CHECK_RGBA(0, 0, 0, 1);
	texel(0, 0x3f, 0xffffffff, 0, false, out);
	CHECK_RGBA(0, 0, 0, 1);
}

static const struct tx_format *ext(unsigned int format)
{
	return tx_format_find(0, format);
}

/* What a core of @halti lacks to read @format, or "" */
static const char *lacks(unsigned int halti, const struct tx_format *format)
{
	struct gc_personality core = *gc_personality_find("gc3000");
	const char *missing;

	core.halti = halti;
	missing = tx_format_lacks(&core, format);
	return missing ? missing : "";
}

TEST(formats_of_newer_cores)
{
	static const unsigned int integers[] = {
		TEXTURE_FORMAT_EXT_R8I,     TEXTURE_FORMAT_EXT_A8B8G8R8I,
		TEXTURE_FORMAT_EXT_R16I,    TEXTURE_FORMAT_EXT_A16B16G16R16I,
		TEXTURE_FORMAT_EXT_G32R32I, TEXTURE_FORMAT_EXT_A2B10G10R10UI,
	};
	static const unsigned int floats[] = {
		TEXTURE_FORMAT_EXT_R16F,       TEXTURE_FORMAT_EXT_A16B16G16R16F,
		TEXTURE_FORMAT_EXT_R32F,       TEXTURE_FORMAT_EXT_G32R32F,
		TEXTURE_FORMAT_EXT_B10G11R11F,
	};
	static const unsigned int older[] = {
		TEXTURE_FORMAT_EXT_NONE,
		TEXTURE_FORMAT_EXT_RG11_EAC,
		TEXTURE_FORMAT_EXT_G8R8,
		TEXTURE_FORMAT_EXT_A2B10G10R10,
	};

	for (unsigned int i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
		CHECK(!strcmp(lacks(1, ext(integers[i])), "HALTI2"));
		CHECK(!*lacks(2, ext(integers[i])));
	}
	for (unsigned int i = 0; i < sizeof(floats) / sizeof(floats[0]); i++) {
		CHECK(!strcmp(lacks(1, ext(floats[i])), "HALTI2"));
		CHECK(!*lacks(2, ext(floats[i])));
	}
	CHECK(!strcmp(lacks(1, tx_format_find(TEXTURE_FORMAT_E5B9G9R9, 0)), "HALTI2"));
	CHECK(!strcmp(lacks(0, ext(TEXTURE_FORMAT_EXT_R8_SNORM)), "HALTI1"));
	CHECK(!strcmp(lacks(0, ext(TEXTURE_FORMAT_EXT_A8B8G8R8_SNORM)), "HALTI1"));
	CHECK(!*lacks(1, ext(TEXTURE_FORMAT_EXT_X8B8G8R8_SNORM)));
	for (unsigned int i = 0; i < sizeof(older) / sizeof(older[0]); i++)
		CHECK(!*lacks(0, ext(older[i])));
	CHECK(!*lacks(0, tx_format_find(TEXTURE_FORMAT_D24X8, 0)));
}

/* Compressed formats are features of their own. */
TEST(formats_of_features)
{
	const struct tx_format *etc1 = tx_format_find(TEXTURE_FORMAT_ETC1, 0);
	const struct tx_format *dxt5 = tx_format_find(TEXTURE_FORMAT_DXT4_DXT5, 0);
	const struct tx_format *astc = tx_format_astc(TEXTURE_FORMAT_ASTC_RGBA_8x8);
	struct gc_personality core = *gc_personality_find("gc3000");

	CHECK(!tx_format_lacks(&core, etc1) && !tx_format_lacks(&core, dxt5) &&
	      !tx_format_lacks(&core, astc));
	core.features = 0;
	core.minor_features[4] = 0;
	CHECK(!strcmp(tx_format_lacks(&core, etc1), "ETC1_TEXTURE_COMPRESSION"));
	CHECK(!strcmp(tx_format_lacks(&core, dxt5), "DXT_TEXTURE_COMPRESSION"));
	CHECK(!strcmp(tx_format_lacks(&core, astc), "TEXTURE_ASTC"));
	CHECK(!tx_format_lacks(&core, ext(TEXTURE_FORMAT_EXT_NONE))); /* ETC2 */
}

/* They read as those of a sampler that is off, and are counted. */
TEST(refused_formats_are_off)
{
	struct rig *old = rig_create("gc2000");
	struct rig_texture t = rig_texture_2d(0, 4, 4);
	struct gc_state *state = &old->gc.state;
	float out[4];

	t.ext = TEXTURE_FORMAT_EXT_R8_SNORM;
	memset(old->bytes + RIG_TEXTURE, 0x33, 64);
	gc_state_set(state, VIVS_TE_SAMPLER_CONFIG0(0), rig_config0(&t));
	gc_state_set(state, VIVS_TE_SAMPLER_CONFIG1(0), rig_config1(&t));
	gc_state_set(state, VIVS_TE_SAMPLER_SIZE(0), 4 | 4 << 16);
	gc_state_set(state, VIVS_TE_SAMPLER_LOD_ADDR(0, 0), RIG_TEXTURE);
	gc_texture_begin_draw(&old->gc);
	CHECK_EQ(old->gc.counters.tx_refused_formats, 1);
	rig_sample_one(old, 0.5f, 0.5f, 0, 0, out);
	CHECK_RGBA(0, 0, 0, 1);
	t.ext = TEXTURE_FORMAT_EXT_R8;
	gc_state_set(state, VIVS_TE_SAMPLER_CONFIG1(0), rig_config1(&t));
	gc_texture_begin_draw(&old->gc);
	CHECK_EQ(old->gc.counters.tx_refused_formats, 1);
	rig_sample_one(old, 0.5f, 0.5f, 0, 0, out);
	CHECK_RGBA(0.2, 0, 0, 1);
	rig_destroy(old);
}

int main(void)
{
	int status;

	rig = rig_create("gc3000");
	status = test_all();
	rig_destroy(rig);
	return status;
}
