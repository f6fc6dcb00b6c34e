// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the display's parts that need no hardware: modes and their
 * register values, formats, memory layouts, cursors.
 */

#include <kunit/test.h>

#include <drm/drm_fourcc.h>

#include "../vivgpu_dc.h"
#include "../vivgpu_dc_regs.h"
#include "../vivgpu_gem.h"

static const struct drm_display_mode small = {
	DRM_MODE("640x432", 0, 21600, 640, 656, 720, 800, 0, 432, 435, 441, 450, 0,
		 DRM_MODE_FLAG_PHSYNC | DRM_MODE_FLAG_NVSYNC)
};

static void mode_has_register_values(struct kunit *test)
{
	struct vivgpu_dc_timing timing;

	vivgpu_dc_timing(&small, &timing);
	KUNIT_EXPECT_EQ(test, timing.hsize, 0x03200280);
	KUNIT_EXPECT_EQ(test, timing.vsize, 0x01c201b0);
	KUNIT_EXPECT_EQ(test, timing.hsync, 0x40000000 | 720 << 15 | 656);
	KUNIT_EXPECT_EQ(test, timing.vsync, 0xc0000000 | 441 << 15 | 435);
	KUNIT_EXPECT_EQ(test, timing.pixel_hz, 21600000);
}

static void mode_is_refused(struct kunit *test)
{
	struct drm_display_mode mode = small;

	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_OK);
	mode.flags |= DRM_MODE_FLAG_INTERLACE;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_NO_INTERLACE);
	mode.flags = DRM_MODE_FLAG_DBLSCAN;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_NO_DBLESCAN);
	mode = small;
	mode.clock = 594001;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_CLOCK_HIGH);
	mode.clock = 0;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_CLOCK_LOW);
	mode = small;
	mode.htotal = 0x7fff;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_OK);
	mode.htotal = 0x8000;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_BAD_HVALUE);
	mode = small;
	mode.vtotal = mode.vdisplay;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_BAD_VVALUE);
}

static void mode_needs_one_piece_of_memory(struct kunit *test)
{
	struct drm_display_mode mode = small;

	mode.hdisplay = 1024;
	mode.htotal = 1025;
	mode.vdisplay = VIVGPU_MAX_CONTIGUOUS_BYTES / 4 / mode.hdisplay;
	mode.vtotal = mode.vdisplay + 1;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_OK);
	mode.vdisplay++;
	mode.vtotal++;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_mode_status(&mode), MODE_MEM);
}

static void expect_position(struct kunit *test, u32 x, u32 y, int vpos)
{
	int v, h;

	vivgpu_dc_position(&small, DC_XY(x, y), &v, &h);
	KUNIT_EXPECT_EQ(test, v, vpos);
	KUNIT_EXPECT_EQ(test, h, x);
}

static void frame_begins_with_the_sync_pulse(struct kunit *test)
{
	expect_position(test, 0, 0, 0);
	expect_position(test, 799, 431, 431);
	expect_position(test, 5, 434, 434);
	expect_position(test, 0, 435, -15);
	expect_position(test, 799, 449, -1);
}

static void sync_comes_before_the_first_pixel(struct kunit *test)
{
	struct drm_display_mode mode = small;

	mode.clock = 25000;
	mode.htotal = 800;
	mode.vtotal = 450;
	mode.vsync_start = 435;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_sync_ns(&mode), 15 * 800 * 40);
	/* The largest values that a mode can have */
	mode.clock = 1;
	mode.htotal = 0x7fff;
	mode.vtotal = 0x7fff;
	mode.vsync_start = 0;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_sync_ns(&mode), 0x7fffull * 0x7fff * 1000000);
}

static void formats_have_their_codes(struct kunit *test)
{
	u32 list[VIVGPU_DC_FORMATS], config, i, j;

	vivgpu_dc_format_list(list);
	KUNIT_EXPECT_EQ(test, list[0], DRM_FORMAT_XRGB8888);
	for (i = 0; i < ARRAY_SIZE(list); i++) {
		KUNIT_EXPECT_TRUE(test, vivgpu_dc_format(list[i], &config));
		KUNIT_EXPECT_NOT_NULL(test, drm_format_info(list[i]));
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_NE(test, list[i], list[j]);
	}
	KUNIT_EXPECT_FALSE(test, vivgpu_dc_format(DRM_FORMAT_NV12, &config));

	vivgpu_dc_format(DRM_FORMAT_RGB565, &config);
	KUNIT_EXPECT_EQ(test, config, 4u << 26);
	vivgpu_dc_format(DRM_FORMAT_ABGR8888, &config);
	KUNIT_EXPECT_EQ(test, config, 6u << 26 | 2u << 23);
	vivgpu_dc_format(DRM_FORMAT_XRGB2101010, &config);
	KUNIT_EXPECT_EQ(test, config, 0x16u << 26);
}

static void supertile_order_follows_the_core(struct kunit *test)
{
	const u64 super = DRM_FORMAT_MOD_VIVANTE_SUPER_TILED;

	KUNIT_EXPECT_EQ(test, vivgpu_dc_tile_mode(DRM_FORMAT_MOD_LINEAR, false), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_tile_mode(DRM_FORMAT_MOD_VIVANTE_TILED, true), 1);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_tile_mode(super, false), 2);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_tile_mode(super, true), 3);
}

static void layout_size_counts_whole_tiles(struct kunit *test)
{
	struct vivgpu_dc_layout layout = { .pitch = 4096, .cpp = 4 };

	KUNIT_EXPECT_EQ(test, vivgpu_dc_size(&layout, 1000, 1), 4000);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_size(&layout, 1000, 10), 9 * 4096 + 4000);
	layout.offset = 64;
	layout.modifier = DRM_FORMAT_MOD_VIVANTE_TILED;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_size(&layout, 1022, 5), 64 + 8 * 4096);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_size(&layout, 4, 4), 64 + 64);
	layout.modifier = DRM_FORMAT_MOD_VIVANTE_SUPER_TILED;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_size(&layout, 1, 65), 64 + 64 * 4096 + 64 * 64 * 4);
	/* The largest numbers do not overflow. */
	layout.pitch = DC_MAX_FB_STRIDE;
	KUNIT_EXPECT_GT(test, vivgpu_dc_size(&layout, 4096, 32768), (u64)SZ_4G);
}

static void layout_keeps_tiles_whole(struct kunit *test)
{
	struct vivgpu_dc_layout layout = { .pitch = 1024, .cpp = 2, .offset = 2 };

	KUNIT_EXPECT_EQ(test, vivgpu_dc_check_layout(&layout), 0);
	layout.offset = 1;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_check_layout(&layout), -EINVAL);
	layout.modifier = DRM_FORMAT_MOD_VIVANTE_TILED;
	layout.offset = 32;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_check_layout(&layout), 0);
	layout.pitch = 1020;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_check_layout(&layout), -EINVAL);
	layout.pitch = DC_MAX_FB_STRIDE + 1;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_check_layout(&layout), -EINVAL);
	layout.pitch = 1024;
	layout.modifier = DRM_FORMAT_MOD_VIVANTE_SPLIT_TILED;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_check_layout(&layout), -EINVAL);
}

static void scan_out_begins_with_a_tile(struct kunit *test)
{
	struct vivgpu_dc_layout layout = { .pitch = 4096, .cpp = 4, .offset = 128 };
	u32 offset;

	KUNIT_EXPECT_EQ(test, vivgpu_dc_pixel(&layout, 3, 5, &offset), 0);
	KUNIT_EXPECT_EQ(test, offset, 128 + 5 * 4096 + 12);
	layout.modifier = DRM_FORMAT_MOD_VIVANTE_TILED;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_pixel(&layout, 3, 4, &offset), -EINVAL);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_pixel(&layout, 8, 4, &offset), 0);
	KUNIT_EXPECT_EQ(test, offset, 128 + 4 * 4096 + 2 * 64);
	layout.modifier = DRM_FORMAT_MOD_VIVANTE_SUPER_TILED;
	KUNIT_EXPECT_EQ(test, vivgpu_dc_pixel(&layout, 64, 68, &offset), -EINVAL);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_pixel(&layout, 64, 128, &offset), 0);
	KUNIT_EXPECT_EQ(test, offset, 128 + 128 * 4096 + 64 * 64 * 4);
}

static void cursor_is_the_smallest_square(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(1, 1), 32);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(32, 10), 32);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(10, 33), 64);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(64, 64), 64);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(65, 1), 128);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(1, 129), 256);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(256, 256), 256);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(257, 1), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(1, 257), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(0, 64), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(64, 0), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_side(U32_MAX, U32_MAX), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_code(32), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_dc_cursor_code(256), 3);
}

static void cursor_is_read_in_place(struct kunit *test)
{
	struct vivgpu_dc_cursor cursor = { .width = 64, .height = 64, .pitch = 256 };

	KUNIT_EXPECT_TRUE(test, vivgpu_dc_cursor_readable(&cursor));
	cursor.x = 1;
	KUNIT_EXPECT_FALSE(test, vivgpu_dc_cursor_readable(&cursor));
	cursor.x = 0;
	cursor.pitch = 512;
	KUNIT_EXPECT_FALSE(test, vivgpu_dc_cursor_readable(&cursor));
	cursor.pitch = 256;
	cursor.height = 63;
	KUNIT_EXPECT_FALSE(test, vivgpu_dc_cursor_readable(&cursor));
	cursor.width = 48;
	cursor.height = 48;
	cursor.pitch = 192;
	KUNIT_EXPECT_FALSE(test, vivgpu_dc_cursor_readable(&cursor));
	cursor.width = 512;
	cursor.height = 512;
	cursor.pitch = 2048;
	KUNIT_EXPECT_FALSE(test, vivgpu_dc_cursor_readable(&cursor));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(mode_has_register_values),
	KUNIT_CASE(mode_is_refused),
	KUNIT_CASE(mode_needs_one_piece_of_memory),
	KUNIT_CASE(frame_begins_with_the_sync_pulse),
	KUNIT_CASE(sync_comes_before_the_first_pixel),
	KUNIT_CASE(formats_have_their_codes),
	KUNIT_CASE(supertile_order_follows_the_core),
	KUNIT_CASE(layout_size_counts_whole_tiles),
	KUNIT_CASE(layout_keeps_tiles_whole),
	KUNIT_CASE(scan_out_begins_with_a_tile),
	KUNIT_CASE(cursor_is_the_smallest_square),
	KUNIT_CASE(cursor_is_read_in_place),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-kms",
	.test_cases = cases,
};

kunit_test_suite(suite);
