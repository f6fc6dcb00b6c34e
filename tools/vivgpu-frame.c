// SPDX-License-Identifier: MIT
/*
 * vivgpu-frame: writes the picture on a display to a PNG file.
 *
 * Reads the framebuffer of the first active plane through GETFB2, of which the kernel gives the
 * buffers only to root and to the DRM master. With --during it runs a command, reads a frame in
 * intervals and keeps the last one that was read before the command ended.
 *
 * The pixels that were read are one frame if the GPU had finished drawing into the buffer and
 * nothing drew into it during the reading. The tool waits for the GPU and repeats a reading
 * during which the display changed to another buffer. It does not see a display that changed
 * to another buffer and back, so a program that draws frames must be stopped while the tool
 * reads: --during stops its command with all of its process group, and with a compositor in the
 * background the caller does it.
 */

#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <vivgpu_drm.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#include "command.h"
#include "command_line.h"
#include "gc/layout.h"
#include "pixels.h"
#include "png_file.h"

/*
 * From one reading of --during to the next. Reading a frame takes about 20 ms of page faults in the
 * guest, so the command is stopped for about a twentieth of the time.
 */
#define READ_INTERVAL_NS 400000000L

/* Longest wait for the GPU to draw a frame, a reset after a hang included. */
#define DRAW_TIMEOUT_MS 20000

/* Maximum number of readings until a buffer stays on the display during one. */
#define MAX_READS 10

static const struct command_line_option command_options[] = {
	{ 'c', "card", "DEVICE", "the display's device (default: the first /dev/dri/cardN)" },
	{ 'd', "during", NULL, "run COMMAND, keep the last frame seen while it runs" },
	{ 0 },
};

static const struct command_line command_line = {
	.tool = (char[]){ "vivgpu-frame" },
	.usage = "[OPTION]... FILE.png\n"
		 "[OPTION]... --during FILE.png COMMAND [ARGUMENT]...",
	.purpose =
		"Write the picture on the first display to FILE.png. Only root and the DRM master\n"
		"may read it.\n",
	.status = "  0 written, 2 error; with --during that of COMMAND.\n",
	.options = command_options,
};

/* Open the first node with a display, or the named one if it has, without becoming DRM master. */
static int open_display(const char *card)
{
	char path[32];

	for (int i = 0; i < 16; i++) {
		drmModeRes *resources;
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/card%d", i);
		fd = open(card ? card : path, O_RDWR | O_CLOEXEC);
		resources = fd < 0 ? NULL : drmModeGetResources(fd);
		if (resources && resources->count_crtcs > 0) {
			drmModeFreeResources(resources);
			/* Without it active_framebuffer() would see overlay planes only. */
			drmSetClientCap(fd, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
			/* The first opener becomes master, which the application has to be. */
			drmDropMaster(fd);
			return fd;
		}
		drmModeFreeResources(resources);
		if (fd >= 0)
			close(fd);
		if (card)
			break;
	}
	return -1;
}

/* Framebuffer id of the first plane in use, 0 if none is. */
static uint32_t active_framebuffer(int fd)
{
	drmModePlaneRes *planes = drmModeGetPlaneResources(fd);
	uint32_t id = 0;

	for (uint32_t i = 0; planes && i < planes->count_planes && !id; i++) {
		drmModePlane *plane = drmModeGetPlane(fd, planes->planes[i]);

		if (plane && plane->crtc_id)
			id = plane->fb_id;
		drmModeFreePlane(plane);
	}
	drmModeFreePlaneResources(planes);
	return id;
}

/* Map a buffer from its start. MAP_DUMB takes other buffer objects than dumb ones as well. */
static void *map_handle(int fd, uint32_t handle, size_t size)
{
	struct drm_mode_map_dumb map = { .handle = handle };
	void *pixels;

	if (drmIoctl(fd, DRM_IOCTL_MODE_MAP_DUMB, &map) != 0)
		return NULL;
	pixels = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, map.offset);
	return pixels == MAP_FAILED ? NULL : pixels;
}

/*
 * Wait until the GPU has finished drawing into the buffer: a non-blocking commit sets it as the
 * plane's before that. A dma-buf is readable once the fences of its writers have signalled.
 */
static bool wait_drawn(int fd, uint32_t handle)
{
	struct pollfd drawn = { .events = POLLIN };
	int ready;

	if (drmPrimeHandleToFD(fd, handle, O_CLOEXEC, &drawn.fd) != 0) {
		perror("vivgpu-frame: cannot export the framebuffer");
		return false;
	}
	ready = poll(&drawn, 1, DRAW_TIMEOUT_MS);
	if (ready == 0)
		fprintf(stderr, "vivgpu-frame: the GPU has not drawn the frame within %d s\n",
			DRAW_TIMEOUT_MS / 1000);
	else if (ready < 0)
		perror("vivgpu-frame: cannot wait for the GPU");
	close(drawn.fd);
	return ready == 1;
}

/* How a framebuffer's pixels are arranged in memory */
struct layout {
	enum gc_layout layout;
	unsigned int supertile_mode; /* 1 on a GC2000, 2 on later models */
	unsigned int bytes;          /* per pixel */
};

/*
 * Order of the tiles in a supertile on the core behind the display's device. Only our driver has
 * the parameter: with others the order of later models is assumed.
 */
static unsigned int supertile_mode(int fd)
{
	struct drm_vivgpu_get_param args = { .param = DRM_VIVGPU_PARAM_MODEL };

	if (drmIoctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &args) == 0 && args.value == 0x2000)
		return 1;
	return 2;
}

/* Fill in @layout. False, with a message, if the framebuffer's format or modifier is unknown. */
static bool find_layout(int fd, const drmModeFB2 *fb, struct layout *layout)
{
	uint64_t modifier =
		fb->flags & DRM_MODE_FB_MODIFIERS ? fb->modifier : DRM_FORMAT_MOD_LINEAR;

	layout->bytes = pixels_bytes(fb->pixel_format);
	if (!layout->bytes) {
		fprintf(stderr, "vivgpu-frame: cannot read format %.4s\n",
			(const char *)&fb->pixel_format);
		return false;
	}
	layout->supertile_mode = supertile_mode(fd);
	if (modifier == DRM_FORMAT_MOD_LINEAR) {
		layout->layout = GC_LINEAR;
	} else if (modifier == DRM_FORMAT_MOD_VIVANTE_TILED) {
		layout->layout = GC_TILED;
	} else if (modifier == DRM_FORMAT_MOD_VIVANTE_SUPER_TILED) {
		layout->layout = GC_SUPERTILED;
	} else {
		fprintf(stderr, "vivgpu-frame: cannot read modifier 0x%llx\n",
			(unsigned long long)modifier);
		return false;
	}
	return true;
}

/*
 * Bytes from the buffer's start to the framebuffer's end: tiled ones have whole rows of tiles.
 * find_layout() gives no split layouts, for which there are no entries here.
 */
static size_t framebuffer_size(const drmModeFB2 *fb, const struct layout *layout)
{
	static const uint32_t rows[] = {
		[GC_LINEAR] = 1, [GC_TILED] = GC_TILE_SIZE, [GC_SUPERTILED] = GC_SUPERTILE_SIZE
	};
	uint32_t step = rows[layout->layout];
	size_t height = (fb->height + step - 1) / step * step;

	return fb->offsets[0] + fb->pitches[0] * height;
}

/*
 * Copy row @y of a tiled framebuffer to @row, from left to right. Whole tiles are copied, so @row has
 * room for a width that is rounded up to them. @pixels: the framebuffer's first pixel
 */
static void gather_row(const drmModeFB2 *fb, const struct layout *layout, const uint8_t *pixels,
		       uint32_t y, uint8_t *row)
{
	size_t part = (size_t)GC_TILE_SIZE * layout->bytes;

	for (uint32_t x = 0; x < fb->width; x += GC_TILE_SIZE) {
		uint32_t tile =
			gc_layout_tile(layout->layout, layout->supertile_mode, fb->pitches[0],
				       layout->bytes, x / GC_TILE_SIZE, y / GC_TILE_SIZE);

		memcpy(row + (size_t)x * layout->bytes, pixels + tile + y % GC_TILE_SIZE * part,
		       part);
	}
}

/*
 * Convert the framebuffer to a picture of its size. @pixels: the buffer's start. False if memory is
 * out.
 */
static bool copy_pixels(const drmModeFB2 *fb, const struct layout *layout, const uint8_t *pixels,
			struct picture *picture)
{
	/* room for the last tile's pixels beyond the width */
	uint8_t *gathered = malloc((fb->width + GC_TILE_SIZE) * (size_t)layout->bytes);
	bool ok = gathered != NULL;

	pixels += fb->offsets[0];
	for (uint32_t y = 0; y < fb->height && ok; y++) {
		const uint8_t *row = pixels + (size_t)y * fb->pitches[0];

		if (layout->layout != GC_LINEAR) {
			gather_row(fb, layout, pixels, y, gathered);
			row = gathered;
		}
		pixels_to_rgb(fb->pixel_format, row, picture->rgb + (size_t)y * fb->width * 3,
			      fb->width);
	}
	free(gathered);
	return ok;
}

/*
 * Copy the mapped buffer; write the copy if the buffer is still shown after that (@whole). Returns
 * NULL, or why that failed.
 */
static const char *save_mapped(int fd, const drmModeFB2 *fb, const struct layout *layout,
			       const uint8_t *pixels, const char *path, bool *whole)
{
	struct picture picture;
	const char *problem = NULL;

	if (!picture_create(&picture, fb->width, fb->height) ||
	    !copy_pixels(fb, layout, pixels, &picture))
		problem = "out of memory";
	*whole = active_framebuffer(fd) == fb->fb_id;
	if (!problem && *whole && !picture_write(&picture, path))
		problem = "the file cannot be written";
	picture_free(&picture);
	return problem;
}

/*
 * Write a framebuffer to a file. @whole: set to whether the buffer was still shown after it had
 * been read; only then the file was written. Returns NULL, or why the framebuffer cannot be read or the
 * file cannot be written, after a message with the cause.
 */
static const char *save_framebuffer(int fd, uint32_t id, const char *path, bool *whole)
{
	drmModeFB2 *fb = drmModeGetFB2(fd, id);
	const char *problem = "it cannot be read";
	struct layout layout;

	*whole = false;
	if (!fb)
		return NULL; /* released since the plane was read */
	if (find_layout(fd, fb, &layout)) {
		size_t size = framebuffer_size(fb, &layout);
		void *pixels = map_handle(fd, fb->handles[0], size);

		if (pixels) {
			if (wait_drawn(fd, fb->handles[0]))
				problem = save_mapped(fd, fb, &layout, pixels, path, whole);
			munmap(pixels, size);
		} else {
			perror("vivgpu-frame: cannot map the framebuffer");
		}
	}
	for (int i = 0; i < 4; i++)
		if (fb->handles[i])
			drmCloseBufferHandle(fd, fb->handles[i]);
	drmModeFreeFB2(fb);
	return problem;
}

/* Save one frame of the display, in MAX_READS attempts. Returns NULL, or why there is none. */
static const char *save_shown(int fd, const char *path)
{
	bool whole = false;

	for (unsigned int i = 0; i < MAX_READS && !whole; i++) {
		uint32_t id = active_framebuffer(fd);
		const char *problem;

		if (!id)
			return "nothing is shown";
		problem = save_framebuffer(fd, id, path, &whole);
		if (problem)
			return problem;
	}
	return whole ? NULL : "frames change faster than they can be read";
}

/*
 * Run the command; save a frame in each interval until the command ends. Returns the command's exit
 * status, also if no frame was saved, or 2 if it cannot be started.
 */
static int save_during(int fd, const char *path, char **command)
{
	const struct timespec interval = { .tv_nsec = READ_INTERVAL_NS };
	const char *problem = NULL;
	bool saved = false;
	pid_t child = command_start("vivgpu-frame", command, true);
	int status;

	if (child < 0)
		return 2;
	while (!command_ended(child, &status)) {
		kill(-child, SIGSTOP);
		problem = save_shown(fd, path);
		kill(-child, SIGCONT);
		saved |= !problem;
		nanosleep(&interval, NULL);
	}
	if (!saved)
		fprintf(stderr, "vivgpu-frame: no frame: %s\n",
			problem ? problem : "the command ended at once");
	return status;
}

int main(int argc, char **argv)
{
	const struct command_line_option *option;
	const char *card = NULL, *problem;
	bool during = false;
	int fd;

	while ((option = command_line_next(&command_line, argc, argv))) {
		if (option->letter == 'c')
			card = optarg;
		else
			during = true;
	}
	argv += optind;
	argc -= optind;
	if (during ? argc < 2 : argc != 1)
		command_line_fail(&command_line, during ? "a file and a command are needed"
							: "one file is needed");
	fd = open_display(card);
	if (fd < 0) {
		fprintf(stderr, "vivgpu-frame: no display found\n");
		return 2;
	}
	if (during)
		return save_during(fd, argv[0], argv + 1);
	problem = save_shown(fd, argv[0]);
	if (problem)
		fprintf(stderr, "vivgpu-frame: no frame: %s\n", problem);
	return problem ? 2 : 0;
}
