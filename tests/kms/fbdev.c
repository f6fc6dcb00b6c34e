// SPDX-License-Identifier: MIT
/*
 * DRM's emulated framebuffer device: writes to it are shown, it is shown again when the last client
 * of the display exits, and the driver can be removed while it is open and mapped.
 */

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fb.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reference.h"
#include "rig.h"

#define NODE "/dev/fb0"
#define DRIVER "/sys/bus/pci/drivers/vivgpu/"

struct framebuffer {
	int fd, crcs;
	struct fb_var_screeninfo screen;
	struct fb_fix_screeninfo memory;
	uint32_t *pixels;
};

/* A picture that differs in each pixel and each @seed. */
static uint32_t pixel_at(uint32_t x, uint32_t y, uint32_t seed)
{
	return (x * 0x9e3779b9u ^ y * 0x85ebca6bu ^ seed * 0xc2b2ae35u) >> 8;
}

static void expected_picture(const struct framebuffer *fb, uint32_t seed, struct screen *picture)
{
	const struct pixel_format *format = pixel_format_find(DRM_FORMAT_XRGB8888);
	uint8_t rgb[3];

	screen_create(picture, fb->screen.xres, fb->screen.yres);
	for (uint32_t y = 0; y < fb->screen.yres; y++) {
		for (uint32_t x = 0; x < fb->screen.xres; x++) {
			pixel_rgb(format, pixel_at(x, y, seed), rgb);
			screen_set(picture, x, y, rgb);
		}
	}
}

/* Check that the picture of @seed is shown. @rig: the file by which frames are counted */
static void expect_picture(struct rig *rig, const struct framebuffer *fb, uint32_t seed,
			   const char *what)
{
	struct screen picture;
	uint32_t got = 0;
	bool ok;

	expected_picture(fb, seed, &picture);
	ok = shown_crc(rig, fb->crcs, &got) && got == screen_crc(&picture);
	expect(ok, "%s: %08x, expected %08x", what, got, screen_crc(&picture));
	screen_free(&picture);
}

/* By write(), a row at a time. */
static bool write_picture(const struct framebuffer *fb, uint32_t seed)
{
	uint32_t row[fb->screen.xres];

	for (uint32_t y = 0; y < fb->screen.yres; y++) {
		for (uint32_t x = 0; x < fb->screen.xres; x++)
			row[x] = pixel_at(x, y, seed);
		if (pwrite(fb->fd, row, sizeof(row), (off_t)y * fb->memory.line_length) !=
		    (ssize_t)sizeof(row))
			return false;
	}
	return true;
}

static void draw_picture(const struct framebuffer *fb, uint32_t seed)
{
	for (uint32_t y = 0; y < fb->screen.yres; y++)
		for (uint32_t x = 0; x < fb->screen.xres; x++)
			fb->pixels[y * fb->memory.line_length / 4 + x] = pixel_at(x, y, seed);
}

/* Without a console no mode has been set yet. */
static bool open_framebuffer(struct framebuffer *fb)
{
	fb->fd = open(NODE, O_RDWR | O_CLOEXEC);
	if (!expect(fb->fd >= 0, "%s opens: %s", NODE, strerror(errno)) ||
	    !expect(!ioctl(fb->fd, FBIOGET_VSCREENINFO, &fb->screen) &&
			    !ioctl(fb->fd, FBIOGET_FSCREENINFO, &fb->memory),
		    "it says what it is"))
		return false;
	fb->screen.activate = FB_ACTIVATE_NOW | FB_ACTIVATE_FORCE;
	fb->pixels = mmap(NULL, fb->memory.smem_len, PROT_READ | PROT_WRITE, MAP_SHARED, fb->fd, 0);
	return expect(fb->pixels != MAP_FAILED, "it is mapped") &&
	       expect(!ioctl(fb->fd, FBIOPUT_VSCREENINFO, &fb->screen), "its mode is set");
}

/* A client's picture takes its place, and goes when the client does. */
static void test_last_client(struct rig *rig, const struct framebuffer *fb)
{
	const drmModeModeInfo *mode = rig_mode(rig, fb->screen.xres, fb->screen.yres);
	uint32_t ours = 0, theirs = 0;
	struct buffer buffer;

	shown_crc(rig, fb->crcs, &ours);
	if (!expect(!drmSetMaster(rig->fd) &&
			    !buffer_create(rig, &buffer, mode->hdisplay, mode->vdisplay,
					   DRM_FORMAT_XRGB8888, DRM_FORMAT_MOD_LINEAR) &&
			    !rig_show(rig, mode, &buffer),
		    "a client shows something"))
		return;
	expect(shown_crc(rig, fb->crcs, &theirs) && theirs != ours, "it is another picture");
	ioctl(fb->fd, FBIOPUT_VSCREENINFO, &fb->screen);
	expect(shown_crc(rig, fb->crcs, &ours) && theirs == ours,
	       "the display is the client's meanwhile");
	/* A mapping would keep the file open. */
	munmap(buffer.pixels, buffer.size);
	rig_close(rig);
	expect(rig_open(rig) && !drmDropMaster(rig->fd), "the client leaves");
}

static bool write_driver_file(const char *file, const char *device)
{
	char path[128];
	bool ok;
	int fd;

	snprintf(path, sizeof(path), DRIVER "%s", file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, device, strlen(device)) == (ssize_t)strlen(device);
	close(fd);
	return ok;
}

/*
 * The file and its memory outlive the device; the driver creates a new device when it is bound
 * again.
 */
static void test_unbind(struct framebuffer *fb)
{
	char link[256] = "";
	const char *device;

	if (readlink("/sys/class/graphics/fb0/device", link, sizeof(link) - 1) < 0)
		link[0] = 0;
	device = basename(link);
	expect(write_driver_file("unbind", device), "the driver is unbound from %s", device);
	expect(access(NODE, F_OK) && errno == ENOENT, "%s is gone", NODE);
	draw_picture(fb, 5);
	expect(fb->pixels[0] == pixel_at(0, 0, 5), "its memory is not");
	expect(ioctl(fb->fd, FBIOPUT_VSCREENINFO, &fb->screen) == -1 && errno == ENODEV,
	       "calls find no device");
	munmap(fb->pixels, fb->memory.smem_len);
	close(fb->fd);
	expect(write_driver_file("bind", device) && !access(NODE, F_OK), "a new one comes");
}

int test_fbdev(void)
{
	struct framebuffer fb;
	struct rig rig;

	if (!open_framebuffer(&fb) || !rig_open(&rig))
		return 1;
	/* While there is a master, it owns the display. */
	expect(!drmDropMaster(rig.fd), "nobody owns the display");
	fb.crcs = crc_open();
	expect(fb.screen.xres == rig.monitor->modes[0].hdisplay && fb.screen.bits_per_pixel == 32,
	       "it has the monitor's first mode, %ux%u", fb.screen.xres, fb.screen.yres);
	draw_picture(&fb, 1);
	expect_picture(&rig, &fb, 1, "what is stored is shown");
	expect(write_picture(&fb, 2), "pixels are written");
	expect_picture(&rig, &fb, 2, "what is written is shown");
	test_last_client(&rig, &fb);
	expect_picture(&rig, &fb, 2, "it is shown again");
	close(fb.crcs);
	rig_close(&rig);
	test_unbind(&fb);
	return counts() ? 0 : 1;
}
