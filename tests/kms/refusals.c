// SPDX-License-Identifier: MIT
/* Bad modes, framebuffers, formats, offsets and positions get the right error. */

#include <errno.h>
#include <string.h>

#include "rig.h"

#define SIDE 256

/* A framebuffer of a linear buffer of SIDE x SIDE pixels of 32 bits; good ones have the error 0. */
struct bad_framebuffer {
	const char *name;
	uint32_t width, height, format, pitch, offset;
	uint64_t modifier;
	int error;
};

static int add_framebuffer(struct rig *rig, uint32_t handle, const struct bad_framebuffer *bad)
{
	uint32_t handles[4] = { handle }, pitches[4] = { bad->pitch }, offsets[4] = { bad->offset };
	uint64_t modifiers[4] = { bad->modifier };
	uint32_t id;
	int ret;

	ret = drmModeAddFB2WithModifiers(rig->fd, bad->width, bad->height, bad->format, handles,
					 pitches, offsets, modifiers, &id, DRM_MODE_FB_MODIFIERS);
	if (ret)
		return -errno;
	drmModeRmFB(rig->fd, id);
	return 0;
}

static void test_framebuffers(struct rig *rig, uint32_t handle)
{
	const uint64_t linear = DRM_FORMAT_MOD_LINEAR, tiled = DRM_FORMAT_MOD_VIVANTE_TILED;
	const uint64_t super = DRM_FORMAT_MOD_VIVANTE_SUPER_TILED;
	const uint32_t x = DRM_FORMAT_XRGB8888, pitch = SIDE * 4;
	const struct bad_framebuffer table[] = {
		{ "all of it", SIDE, SIDE, x, pitch, 0, linear, 0 },
		{ "all of it, tiled", SIDE, SIDE, x, pitch, 0, tiled, 0 },
		{ "all of it, supertiled", SIDE, SIDE, x, pitch, 0, super, 0 },
		{ "a part of it", SIDE, SIDE - 1, x, pitch, pitch, linear, 0 },
		{ "one row too many", SIDE, SIDE + 1, x, pitch, 0, linear, -EINVAL },
		{ "an offset too far", SIDE, SIDE, x, pitch, 4, linear, -EINVAL },
		{ "an offset amid a pixel", SIDE, 16, x, pitch, 2, linear, -EINVAL },
		{ "an offset amid a tile", SIDE, 16, x, pitch, 32, tiled, -EINVAL },
		{ "a pitch below the width", SIDE, 16, x, pitch - 4, 0, linear, -EINVAL },
		{ "a pitch amid a pixel", SIDE - 1, 16, x, pitch - 2, 0, linear, -EINVAL },
		{ "a pitch amid a tile", SIDE - 4, 16, x, pitch - 8, 0, tiled, -EINVAL },
		{ "a pitch amid a supertile", SIDE - 32, 64, x, pitch - 128, 0, super, -EINVAL },
		{ "a pitch above the register's", SIDE, 1, x, 1 << 18, 0, linear, -EINVAL },
		{ "rows of supertiles not there", SIDE, SIDE - 60, x, 1280, 0, super, -EINVAL },
		{ "no width", 0, 16, x, pitch, 0, linear, -EINVAL },
		{ "no height", SIDE, 0, x, pitch, 0, linear, -EINVAL },
		{ "wider than allowed", 4097, 1, x, 4097 * 4, 0, linear, -EINVAL },
		{ "a split layout", SIDE, 16, x, pitch, 0, DRM_FORMAT_MOD_VIVANTE_SPLIT_TILED,
		  -EINVAL },
		{ "another vendor's layout", SIDE, 16, x, pitch, 0, I915_FORMAT_MOD_X_TILED,
		  -EINVAL },
		{ "YUV", SIDE, 16, DRM_FORMAT_YUYV, pitch, 0, linear, -EINVAL },
		{ "24 bits", 128, 16, DRM_FORMAT_RGB888, pitch, 0, linear, -EINVAL },
		{ "no format", SIDE, 16, 0x20202020, pitch, 0, linear, -EINVAL },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int ret = add_framebuffer(rig, handle, &table[i]);

		expect(ret == table[i].error, "framebuffer with %s: %s", table[i].name,
		       ret ? strerror(-ret) : "made");
	}
	expect(add_framebuffer(rig, 12345, &table[0]) == -ENOENT, "framebuffer without a buffer");
}

/* Test a commit of a mode without making it; 0 or -errno. */
static int try_mode(struct rig *rig, const struct buffer *buffer, const drmModeModeInfo *mode)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	uint32_t blob;
	int ret;

	if (drmModeCreatePropertyBlob(rig->fd, mode, sizeof(*mode), &blob) != 0)
		return -errno;
	ret = 0;
	set(rig, req, rig->crtc, CRTC_MODE_ID, blob);
	set(rig, req, rig->crtc, CRTC_ACTIVE, 1);
	set(rig, req, rig->connector, CONNECTOR_CRTC_ID, rig->crtc);
	set_plane(rig, req, rig->primary, buffer, 0, 0, 0, 0, buffer->width, buffer->height);
	ret = commit(rig, req, DRM_MODE_ATOMIC_ALLOW_MODESET | DRM_MODE_ATOMIC_TEST_ONLY);
	drmModeDestroyPropertyBlob(rig->fd, blob);
	return ret;
}

static void expect_mode(struct rig *rig, const struct buffer *buffer, const char *name,
			const drmModeModeInfo *mode, bool good)
{
	int ret = try_mode(rig, buffer, mode);

	expect(good ? !ret : ret == -EINVAL, "mode with %s: %s", name,
	       ret ? strerror(-ret) : "taken");
}

static void test_modes(struct rig *rig, const struct buffer *buffer)
{
	const drmModeModeInfo good = *rig_mode(rig, 640, 432);
	drmModeModeInfo mode = good;

	expect_mode(rig, buffer, "nothing wrong", &mode, true);
	mode.clock = 0;
	expect_mode(rig, buffer, "no clock", &mode, false);
	mode.clock = 594001;
	expect_mode(rig, buffer, "too fast a clock", &mode, false);
	mode = good;
	mode.flags |= DRM_MODE_FLAG_INTERLACE;
	expect_mode(rig, buffer, "two fields", &mode, false);
	mode = good;
	mode.flags |= DRM_MODE_FLAG_DBLSCAN;
	expect_mode(rig, buffer, "rows twice", &mode, false);
	mode = good;
	mode.hsync_start = mode.hdisplay - 1;
	expect_mode(rig, buffer, "a pulse within the picture", &mode, false);
	mode = good;
	mode.vtotal = mode.vdisplay = mode.vsync_start = mode.vsync_end = 432;
	expect_mode(rig, buffer, "no blanking", &mode, false);
	mode = good;
	mode.htotal = 0x8000;
	expect_mode(rig, buffer, "rows longer than the register", &mode, false);
	mode = good;
	mode.hdisplay = 4000;
	mode.hsync_start = 4001;
	mode.hsync_end = 4002;
	mode.htotal = 4003;
	mode.vdisplay = 4000;
	mode.vsync_start = 4001;
	mode.vsync_end = 4002;
	mode.vtotal = 4003;
	expect_mode(rig, buffer, "more memory than there is in one piece", &mode, false);
}

/* The same for a plane at the upper left: @crtc_h rows of the buffer, not scaled vertically. */
static int try_plane(struct rig *rig, uint32_t plane, const struct buffer *buffer, uint32_t src_x,
		     uint32_t src_w, uint32_t crtc_w, uint32_t crtc_h)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();

	set_plane(rig, req, plane, buffer, src_x, 0, 0, 0, crtc_w, crtc_h);
	set(rig, req, plane, PLANE_SRC_W, (uint64_t)src_w << 16);
	return commit(rig, req, DRM_MODE_ATOMIC_TEST_ONLY);
}

static void test_planes(struct rig *rig)
{
	struct buffer linear, tiled, square, wide;

	if (!expect(!buffer_create(rig, &linear, SIDE, SIDE, DRM_FORMAT_ARGB8888, 0) &&
			    !buffer_create(rig, &tiled, SIDE, SIDE, DRM_FORMAT_XRGB8888,
					   DRM_FORMAT_MOD_VIVANTE_TILED) &&
			    !buffer_create(rig, &square, 64, 64, DRM_FORMAT_ARGB8888, 0) &&
			    !buffer_create(rig, &wide, 320, 320, DRM_FORMAT_ARGB8888, 0),
		    "buffers"))
		return;
	expect(!try_plane(rig, rig->primary, &linear, 3, 100, 100, 100), "a part of a plane");
	expect(try_plane(rig, rig->primary, &linear, 0, 100, 200, 100) == -ERANGE, "scaling");
	expect(try_plane(rig, rig->primary, &linear, 200, 100, 100, 100) == -ENOSPC,
	       "a part beyond the framebuffer");
	expect(!try_plane(rig, rig->primary, &tiled, 8, 100, 100, 100), "a part from a tile on");
	expect(try_plane(rig, rig->primary, &tiled, 2, 100, 100, 100) == -EINVAL,
	       "a part from within a tile on");
	expect(!try_plane(rig, rig->cursor, &square, 0, 64, 64, 64), "a cursor of 64");
	expect(!try_plane(rig, rig->cursor, &linear, 3, 64, 64, 64),
	       "a part of an image as cursor");
	expect(!try_plane(rig, rig->cursor, &wide, 0, 256, 256, 256), "a cursor of 256");
	expect(try_plane(rig, rig->cursor, &wide, 0, 257, 257, 16) == -EINVAL, "a cursor 257 wide");
	expect(try_plane(rig, rig->cursor, &wide, 0, 16, 16, 257) == -EINVAL, "a cursor 257 high");
	expect(try_plane(rig, rig->cursor, &square, 0, 64, 32, 64) == -ERANGE, "a scaled cursor");
	expect(!try_plane(rig, rig->cursor, &square, 0, 64, 0, 64),
	       "a cursor without a width, of which nothing is seen");
	expect(try_plane(rig, rig->cursor, &square, 32, 64, 64, 64) == -ENOSPC,
	       "a cursor beyond its image");
	expect(try_plane(rig, rig->cursor, &tiled, 0, 256, 256, 256) == -EINVAL, "a tiled cursor");
	buffer_destroy(rig, &linear);
	buffer_destroy(rig, &tiled);
	buffer_destroy(rig, &square);
	buffer_destroy(rig, &wide);
}

void test_refusals(struct rig *rig)
{
	struct buffer memory, screen;

	if (!expect(!buffer_dumb(rig, &memory, SIDE, SIDE, 32), "memory") ||
	    !expect(!buffer_create(rig, &screen, 640, 432, DRM_FORMAT_XRGB8888, 0), "a screen"))
		return;
	test_framebuffers(rig, memory.handle);
	test_modes(rig, &screen);
	expect(!rig_show(rig, rig_mode(rig, 640, 432), &screen), "a mode");
	test_planes(rig);
	buffer_destroy(rig, &memory);
	expect(buffer_dumb(rig, &memory, 8192, 8192, 32) == -ENOMEM, "256 MiB of dumb buffer");
	buffer_destroy(rig, &screen);
}
