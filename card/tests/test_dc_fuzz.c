// SPDX-License-Identifier: MIT
/*
 * A hostile driver of the display: random registers and values while time passes and frames are
 * viewed. The block must stay inside guest memory, raise at most an interrupt and show at most a
 * picture for each millisecond and each write, and work after a reset. Seeds are fixed, so failures
 * are reproducible (fuzz.h).
 */
#include "tests/check.h"
#include "tests/dc_rig.h"
#include "tests/fuzz.h"

#define ROUNDS 60u
#define WRITES 400u

/* Mostly registers that exist. */
static uint32_t some_register(void)
{
	static const uint32_t registers[] = {
		DC_TOP_IRQ_ACK,     DC_TOP_IRQ_EN,    DC_FB_ADDRESS,     DC_FB_STRIDE,
		DC_FB_CONFIG,       DC_FB_SIZE,       DC_FB_CONFIG_EX,   DC_FB_TOP_LEFT,
		DC_FB_BOTTOM_RIGHT, DC_PANEL_CONFIG,  DC_HSIZE,          DC_VSIZE,
		DC_VSYNC,           DC_GAMMA_INDEX,   DC_GAMMA_DATA,     DC_PANEL_START,
		DC_PANEL_CONFIG_EX, DC_CURSOR_CONFIG, DC_CURSOR_ADDRESS, DC_CURSOR_LOCATION,
	};
	uint32_t r = fuzz_u32();

	if (r % 16 == 0)
		return (r >> 4) % 0x10000 & ~3u;
	return registers[(r >> 4) % (sizeof(registers) / sizeof(registers[0]))];
}

/* A value that is random, or small, or near valid ones of the register. */
static uint32_t some_value(uint32_t offset)
{
	uint32_t r = fuzz_u32(), s = fuzz_u32();

	switch (r & 3) {
	case 0:
		return s;
	case 1:
		return s & 0xff;
	default:
		break;
	}
	switch (offset) {
	case DC_FB_ADDRESS:
	case DC_CURSOR_ADDRESS:
		return RIG_MEMORY - 5000 + s % (RIG_BYTES + 10000);
	case DC_HSIZE:
	case DC_VSIZE:
		return s % 300 | (300 + s / 300 % 300) << 16;
	case DC_PANEL_START:
		return 1;
	case DC_PANEL_CONFIG:
		return s | RIG_LIT | DC_PANEL_CONFIG_RUNNING;
	case DC_FB_CONFIG:
		/* tile mode, format, swizzle */
		return (s & 0x3fffff) % 5 << 17 | (s >> 22 & 7) << 26 | (s >> 25 & 3) << 23;
	case DC_FB_SIZE:
	case DC_FB_BOTTOM_RIGHT:
		return DC_PAIR(s % 600, s / 600 % 600);
	case DC_FB_CONFIG_EX:
		return DC_FB_CONFIG_EX_FB_EN | DC_FB_CONFIG_EX_COMMIT;
	default:
		return s & 0xffff;
	}
}

static void attack(void)
{
	for (unsigned int i = 0; i < WRITES; i++) {
		uint32_t offset = some_register();

		if (fuzz_u32() % 8 == 0)
			rig_get(offset);
		else
			rig_set(offset, some_value(offset));
		if (fuzz_u32() % 32 == 0)
			dc_set_pixel_hz(rig.dc, 1000000 + fuzz_u32() % 100000000);
		if (fuzz_u32() % 16 == 0)
			rig_pass(clock_now(rig.clock) + fuzz_u32() % 4000000);
	}
}

static bool works(void)
{
	uint64_t now = clock_now(rig.clock);

	dc_reset(rig.dc);
	rig_look(true);
	rig_panel();
	rig_framebuffer(DC_FORMAT_X8R8G8B8);
	memset(rig_at(RIG_MEMORY), 0x5a, 4 * RIG_WIDTH * RIG_HEIGHT);
	rig_start();
	rig.pictures = 0;
	rig_pass(now + RIG_FRAME_NS);
	return rig.pictures == 1 && rig.rgb[0] == 0x5a && rig.width == RIG_WIDTH &&
	       rig.rgb[3 * RIG_WIDTH * RIG_HEIGHT - 1] == 0x5a;
}

TEST(random_registers)
{
	uint64_t rounds = fuzz_cases(ROUNDS), pictures = 0;

	rig_begin();
	for (uint64_t round = 0; round < rounds; round++) {
		uint64_t begin = clock_now(rig.clock);
		uint64_t ms;

		fuzz_begin(round);
		rig_look(round % 4);
		dc_set_crc(rig.dc, round % 2);
		rig.irqs = rig.pictures = 0;
		attack();
		pictures += rig.pictures;
		ms = (clock_now(rig.clock) - begin) / 1000000;
		/* each write can start the output anew */
		CHECK(rig.irqs <= ms + WRITES);
		CHECK(rig.pictures <= ms + WRITES);
		CHECK(works());
	}
	CHECK(pictures > 10); /* the output ran in enough cases */
	rig_end();
}

int main(void)
{
	return test_all();
}
