// SPDX-License-Identifier: MIT
/*
 * Decoders of compressed blocks: blocks computed by hand from the specifications, and checksums
 * of seeded random blocks. The checksums are from a version that decoded 200,000 random blocks
 * per format as Mesa 25.0.7's software decoders do.
 */
#include "check.h"
#include "gc/tx_astc_ise.h"
#include "gc/tx_format.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"

static uint32_t seed;

static uint32_t random32(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

/* FNV-1a over the texels of 4096 random blocks; every eighth is an ASTC void extent. */
static uint64_t checksum(const struct tx_format *f, bool srgb)
{
	uint64_t sum = 0xcbf29ce484222325ull;
	uint32_t texel[TX_MAX_BLOCK_TEXELS];
	uint8_t block[16];

	seed = 20121;
	for (int i = 0; i < 4096; i++) {
		for (int k = 0; k < 16; k++)
			block[k] = (uint8_t)random32();
		if (i % 8 == 0) {
			memset(block, 0xff, 8);
			block[0] = 0xfc;
			block[1] = 0xfd;
		}
		f->decode(block, f, srgb, texel);
		for (int k = 0; k < f->block_w * f->block_h; k++)
			sum = (sum ^ texel[k]) * 0x100000001b3ull;
	}
	return sum;
}

/* A format by its number in CONFIG0.FORMAT, or in CONFIG1.FORMAT_EXT. */
static const struct tx_format *config0(unsigned int format)
{
	return tx_format_find(format, 0);
}

static const struct tx_format *ext(unsigned int format)
{
	return tx_format_find(0, format);
}

TEST(random_s3tc)
{
	CHECK_EQ(checksum(config0(TEXTURE_FORMAT_DXT1), false), 0xdb22bc61a1d4acd1);
	CHECK_EQ(checksum(config0(TEXTURE_FORMAT_DXT2_DXT3), false), 0xbf312d93cbfc5539);
	CHECK_EQ(checksum(config0(TEXTURE_FORMAT_DXT4_DXT5), false), 0xf70766622bfc5539);
}

TEST(random_etc2)
{
	CHECK_EQ(checksum(ext(TEXTURE_FORMAT_EXT_NONE), false), 0x2adbd843356f4d4);
	CHECK_EQ(checksum(ext(TEXTURE_FORMAT_EXT_RGB8_PUNCHTHROUGH_ALPHA1_ETC2), false),
		 0x6e18fc5e1e7db20e);
	CHECK_EQ(checksum(ext(TEXTURE_FORMAT_EXT_RGBA8_ETC2_EAC), false), 0x1b5a09470d46d7ae);
}

TEST(random_eac)
{
	CHECK_EQ(checksum(ext(TEXTURE_FORMAT_EXT_R11_EAC), false), 0xfa1511b7bdc33575);
	CHECK_EQ(checksum(ext(TEXTURE_FORMAT_EXT_RG11_EAC), false), 0xbd0dc10eb173575);
	CHECK_EQ(checksum(ext(TEXTURE_FORMAT_EXT_SIGNED_R11_EAC), false), 0x571688190f146377);
	CHECK_EQ(checksum(ext(TEXTURE_FORMAT_EXT_SIGNED_RG11_EAC), false), 0x2abfc7aa96e36377);
}

TEST(random_astc)
{
	static const uint64_t want[14][2] = {
		{ 0x093475177538287d, 0x46911b5ab9b30855 },
		{ 0x426725ce600d27a4, 0x7751c7eeaae0ea73 },
		{ 0x88792e9484364e51, 0x5b766c8d113d6dd9 },
		{ 0x4f83ebc7ffc6ad17, 0x43d73e1043456690 },
		{ 0xb79f002677284328, 0xff737c480048c299 },
		{ 0x04cb0ed891b71a26, 0x4e46edd7cdff1a40 },
		{ 0x75675101693d21d5, 0xb2d04bf7ebb5aec3 },
		{ 0xeae476cbc5325d45, 0xae71245c91010e75 },
		{ 0x92779bc0c5cb0107, 0x723f4b82a23d8a7d },
		{ 0x05620c2c380e7965, 0x1716aefdbbd66316 },
		{ 0xddea5808a4484ab3, 0xbb0d63b9054a8169 },
		{ 0x3c6f6fa07d694ca4, 0xd2810d14bc026100 },
		{ 0x9434284456d11bf8, 0x4ad85435e7f85ecf },
		{ 0xf2b795055d960958, 0x55942ac06691b62f },
	};

	for (unsigned int i = 0; i < 14; i++)
		for (unsigned int srgb = 0; srgb < 2; srgb++)
			CHECK_EQ(checksum(tx_format_astc(i), srgb), want[i][srgb]);
	CHECK(!tx_format_astc(14));
}

static void decode(const struct tx_format *f, const char *bytes, uint32_t *texel)
{
	f->decode((const uint8_t *)bytes, f, false, texel);
}

/* Two colours, then the thirds between them; indices 0, 1, 2, 3 along each row. */
TEST(dxt1_four_colors)
{
	uint32_t t[16];

	/* 0xf800 (red) > 0x001f (blue) */
	decode(config0(TEXTURE_FORMAT_DXT1), "\x00\xf8\x1f\x00\xe4\xe4\xe4\xe4", t);
	for (int y = 0; y < 4; y++) {
		CHECK_EQ(t[4 * y], 0xff0000ff);
		CHECK_EQ(t[4 * y + 1], 0xffff0000);
		CHECK_EQ(t[4 * y + 2], 0xff5500aa);
		CHECK_EQ(t[4 * y + 3], 0xffaa0055);
	}
}

#define VOID_EXTENT "\xff\xff\xff\xff\xff\xff\x00\x10\x00\x20\x00\x30\x00\x40"

TEST(texels)
{
	const struct tx_format *dxt1 = config0(TEXTURE_FORMAT_DXT1);
	const struct tx_format *etc1 = config0(TEXTURE_FORMAT_ETC1);
	const struct tx_format *punch = ext(TEXTURE_FORMAT_EXT_RGB8_PUNCHTHROUGH_ALPHA1_ETC2);
	const struct tx_format *r11 = ext(TEXTURE_FORMAT_EXT_R11_EAC);
	const struct tx_format *signed_r11 = ext(TEXTURE_FORMAT_EXT_SIGNED_R11_EAC);
	const struct tx_format *astc = tx_format_astc(TEXTURE_FORMAT_ASTC_RGBA_12x12);
	const struct {
		const char *name;
		const struct tx_format *format;
		const char *block;
		unsigned int texel;
		uint32_t want;
	} cases[] = {
		{ "dxt1: blue", dxt1, "\x1f\x00\x00\xf8\xe4\xe4\xe4\xe4", 0, 0xffff0000 },
		{ "dxt1: red", dxt1, "\x1f\x00\x00\xf8\xe4\xe4\xe4\xe4", 1, 0xff0000ff },
		{ "dxt1: half", dxt1, "\x1f\x00\x00\xf8\xe4\xe4\xe4\xe4", 2, 0xff7f007f },
		{ "dxt1: transparent", dxt1, "\x1f\x00\x00\xf8\xe4\xe4\xe4\xe4", 3, 0 },
		/* individual mode: left half 0x88, right half 0xff, table 0, index 0 adds 2 */
		{ "etc1: left", etc1, "\x8f\x8f\x8f\x00\x00\x00\x00\x00", 0, 0xff8a8a8a },
		{ "etc1: left", etc1, "\x8f\x8f\x8f\x00\x00\x00\x00\x00", 1, 0xff8a8a8a },
		{ "etc1: right", etc1, "\x8f\x8f\x8f\x00\x00\x00\x00\x00", 2, 0xffffffff },
		/* flipped: top and bottom; index 3 (both bits) takes 8 away */
		{ "etc1: top", etc1, "\x8f\x8f\x8f\x01\xff\xff\xff\xff", 3, 0xff808080 },
		{ "etc1: bottom", etc1, "\x8f\x8f\x8f\x01\xff\xff\xff\xff", 12, 0xfff7f7f7 },
		/* index 2 of a block that is not opaque has no colour */
		{ "punch-through", punch, "\x80\x80\x80\x00\xff\xff\x00\x00", 0, 0 },
		{ "opaque", punch, "\x80\x80\x80\x02\xff\xff\x00\x00", 0, 0xff828282 },
		/* base 128, multiplier 1, table 0, index 0 (-3): 128 * 8 + 4 - 24 */
		{ "eac", r11, "\x80\x10\x00\x00\x00\x00\x00\x00", 0, 1004 },
		/* multiplier 0 counts as an eighth */
		{ "eac: eighths", r11, "\x80\x00\x00\x00\x00\x00\x00\x00", 5, 1025 },
		/* signed: -128 counts as -127, and the sum is limited */
		{ "signed", signed_r11, "\x80\x10\x00\x00\x00\x00\x00\x00", 0, (uint16_t)-1023 },
		/* a void extent is one colour; an HDR one is the error colour */
		{ "void extent", astc, "\xfc\xfd" VOID_EXTENT, 0, 0x40302010 },
		{ "void extent", astc, "\xfc\xfd" VOID_EXTENT, 143, 0x40302010 },
		{ "HDR", tx_format_astc(TEXTURE_FORMAT_ASTC_RGBA_4x4), "\xfc\xff" VOID_EXTENT, 15,
		  0xffff00ff },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t t[TX_MAX_BLOCK_TEXELS];

		ROW("%s, texel %u", cases[i].name, cases[i].texel);
		decode(cases[i].format, cases[i].block, t);
		CHECK_EQ(t[cases[i].texel], cases[i].want);
	}
}

/* DXT3: alpha nibbles 0..15; the colour never has the transparent entry. */
TEST(dxt3_alpha)
{
	uint32_t t[16];

	decode(config0(TEXTURE_FORMAT_DXT2_DXT3),
	       "\x10\x32\x54\x76\x98\xba\xdc\xfe\x1f\x00\x00\xf8\xff\xff\xff\xff", t);
	for (uint32_t i = 0; i < 16; i++)
		CHECK_EQ(t[i], 0x5500aa | (i * 17) << 24);
}

/* DXT5: 255 and 0 with six steps between; index 0, 1, 2 ... 7, 0 ... */
TEST(dxt5_alpha)
{
	static const uint32_t want[8] = { 255, 0, 218, 182, 145, 109, 72, 36 };
	uint32_t t[16];

	/* 24 bits of indices 7 6 5 4 3 2 1 0 = 0xfac688 */
	decode(config0(TEXTURE_FORMAT_DXT4_DXT5),
	       "\xff\x00\x88\xc6\xfa\x88\xc6\xfa\x00\x00\x00\x00\x00\x00\x00\x00", t);
	for (int i = 0; i < 16; i++)
		CHECK_EQ(t[i] >> 24, want[i % 8]);
}

/*
 * Only R overflows (30 + 3): a T block of the 4-bit colours b12 and 345,
 * distance 23. Indices by columns: 3, 1, 2, 0.
 */
TEST(etc2_t_block)
{
	const struct tx_format *now = ext(TEXTURE_FORMAT_EXT_NONE);
	uint32_t t[16], old[16];

	decode(now, "\xf3\x12\x34\x5a\x0f\x0f\x00\xff", t);
	for (int y = 0; y < 4; y++) {
		CHECK_EQ(t[4 * y + 0], 0xff3e2d1c);
		CHECK_EQ(t[4 * y + 1], 0xff6c5b4a);
		CHECK_EQ(t[4 * y + 2], 0xff554433);
		CHECK_EQ(t[4 * y + 3], 0xff2211bb);
	}
	/* older cores want the colours in the other order: 345 and b12 */
	decode(tx_format_before_halti1(now), "\x07\x45\xb1\x2a\x0f\x0f\x00\xff", old);
	CHECK(!memcmp(t, old, sizeof(t)));
}

/* Planar, O black and H full red: the first row rises by a quarter at each texel. */
TEST(etc2_planar)
{
	uint32_t t[16];

	/* B overflows: O = 0 except the bits that force the mode */
	decode(ext(TEXTURE_FORMAT_EXT_NONE), "\x00\x00\x04\x7f\x00\x00\x00\x00", t);
	for (uint32_t x = 0; x < 4; x++)
		CHECK_EQ(t[x] & 0xff, (x * 255 + 2) >> 2);
}

/* Lengths and unquantised ends of all ranges (tables 23.10 and 23.19 to 23.22). */
TEST(astc_number_coding)
{
	unsigned int range;

	CHECK_EQ(astc_ise_bits(1, 5), 8);
	CHECK_EQ(astc_ise_bits(3, 3), 7);
	CHECK_EQ(astc_ise_bits(4, 1), 3);
	CHECK(astc_ise_fit(2, 16, &range));
	CHECK_EQ(range, 20);
	CHECK(!astc_ise_fit(18, 40, &range));
	for (range = 4; range < 21; range++) {
		static const uint16_t count[] = { 2,  3,  4,  5,  6,  8,  10,  12,  16,  20, 24,
						  32, 40, 48, 64, 80, 96, 128, 160, 192, 256 };
		bool seen[256] = { false };

		/* a permutation onto distinct values that holds both ends */
		for (unsigned int v = 0; v < count[range]; v++) {
			int value = astc_color_value(range, v);

			CHECK(value >= 0 && value < 256 && !seen[value]);
			seen[value] = true;
		}
		CHECK(seen[0] && seen[255]);
	}
	for (range = 0; range < 12; range++)
		CHECK_EQ(astc_weight_value(range, 0), 0);
	CHECK_EQ(astc_weight_value(0, 1), 64);
	CHECK_EQ(astc_weight_value(1, 1), 32);
	CHECK_EQ(astc_weight_value(3, 3), 48);
	CHECK_EQ(astc_weight_value(11, 31), 64);
}

int main(void)
{
	return test_all();
}
