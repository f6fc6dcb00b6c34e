// SPDX-License-Identifier: MIT
/*
 * EGL_BRCM_event_monitor, the display's track: events of page flips that this program requests,
 * and of vertical blanks, are compared with the events of DRM. The tags "bem."
 * are those of Documentation/mesa/conformance-brcm-event-monitor.rst.
 */

#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#include "event_reader.h"

#define FLIPS 6

static struct {
	int fd;
	uint32_t crtc, connector;
	drmModeModeInfo mode;
	uint32_t pictures[2];
	/* The kernel's flip events: how many, their sequence numbers and times */
	unsigned int flips;
	uint32_t numbers[FLIPS];
	uint64_t times_us[FLIPS];
} display;

static uint32_t make_picture(void)
{
	struct drm_mode_create_dumb create = { .width = display.mode.hdisplay,
					       .height = display.mode.vdisplay,
					       .bpp = 32 };
	uint32_t picture;

	if (drmIoctl(display.fd, DRM_IOCTL_MODE_CREATE_DUMB, &create) ||
	    drmModeAddFB(display.fd, create.width, create.height, 24, 32, create.pitch,
			 create.handle, &picture))
		give_up("no picture");
	return picture;
}

static void light_up(void)
{
	drmModeRes *resources;
	drmModeConnector *connector = NULL;

	display.fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	resources = display.fd < 0 ? NULL : drmModeGetResources(display.fd);
	if (resources && resources->count_connectors && resources->count_crtcs) {
		display.crtc = resources->crtcs[0];
		connector = drmModeGetConnector(display.fd, resources->connectors[0]);
	}
	if (connector && connector->count_modes) {
		display.connector = connector->connector_id;
		display.mode = connector->modes[0];
	}
	drmModeFreeConnector(connector);
	drmModeFreeResources(resources);
	if (!display.mode.hdisplay)
		give_up("no display");
	display.pictures[0] = make_picture();
	display.pictures[1] = make_picture();
	if (drmModeSetCrtc(display.fd, display.crtc, display.pictures[0], 0, 0, &display.connector,
			   1, &display.mode))
		give_up("the display stays dark");
}

static void flipped(int fd, unsigned int number, unsigned int sec, unsigned int usec, void *data)
{
	(void)fd;
	(void)data;
	display.numbers[display.flips] = number;
	display.times_us[display.flips++] = sec * 1000000ull + usec;
}

/* Picture 0 is on the display before flip 0, so that this shows picture 1. */
static void flip(unsigned int number)
{
	drmEventContext handlers = { .version = 2, .page_flip_handler = flipped };
	struct pollfd poller = { .fd = display.fd, .events = POLLIN };
	unsigned int before = display.flips;

	if (drmModePageFlip(display.fd, display.crtc, display.pictures[(number + 1) % 2],
			    DRM_MODE_PAGE_FLIP_EVENT, NULL))
		give_up("no flip");
	while (display.flips == before && poll(&poller, 1, 20000) == 1)
		drmHandleEvent(display.fd, &handlers);
	if (display.flips == before)
		give_up("a flip does not come");
}

/* Microseconds from the vertical sync pulse (a flip's time) to the first pixel (DRM's time). */
static int64_t sync_us(void)
{
	const drmModeModeInfo *mode = &display.mode;

	return 1000ll * (mode->vtotal - mode->vsync_start) * mode->htotal / mode->clock;
}

/*
 * Each flip of the kernel's events is a flip of the timeline, with the same picture, at
 * the vertical sync before the kernel's time, which is that of the first pixel.
 */
static void check_flips(const struct batch *batch)
{
	uint32_t track = track_index("Display");
	unsigned int good = 0, timed = 0;

	for (unsigned int i = 0; i < display.flips; i++) {
		const struct event *event =
			find_event(batch, 0, "Flip", "number", display.numbers[i]);

		if (!event)
			continue;
		good += event->type == INSTANT && event->track == track &&
			field(event, "frame buffer") == display.pictures[(i + 1) % 2] &&
			field(event, "display") == 0 && field(event, "client") > 0;
		timed += llabs((long long)(event->us + sync_us() - display.times_us[i])) <= 1;
	}
	check("bem.instant", good == FLIPS && count_events(batch, "Flip") == FLIPS,
	      "%u of %u flips show the right picture, %u in all", good, FLIPS,
	      count_events(batch, "Flip"));
	check("bem.timestamp", timed == FLIPS, "%u of them %lld us before the first pixel", timed,
	      (long long)sync_us());
}

/*
 * No event is later than the call that reads it, also if that is right after a vertical sync: DRM's
 * time of it, that of the frame's first pixel, is still to come.
 */
static void check_present(void)
{
	unsigned int count = 0, late = 0;

	for (unsigned int i = 0; i < FLIPS; i++) {
		drmVBlank wait = { .request = { .type = DRM_VBLANK_RELATIVE, .sequence = 1 } };
		struct batch batch;

		if (drmWaitVBlank(display.fd, &wait))
			give_up("no vertical blank");
		batch = take_batch();
		for (unsigned int j = 0; j < batch.count; j++)
			late += batch.events[j].us > batch.now;
		count += count_events(&batch, "Vertical blank");
		free_batch(&batch);
	}
	check("bem.timestamp", count >= FLIPS && !late,
	      "%u vertical blanks taken at once, %u of them later than the call", count, late);
}

static void check_vblanks(const struct batch *batch)
{
	uint32_t index = event_index("Vertical blank");
	unsigned int count = 0;
	int64_t last = 0;
	bool rise = true;

	for (unsigned int i = 0; i < batch->count; i++) {
		const struct event *event = &batch->events[i];

		if (event->index != index)
			continue;
		rise &= !count || field(event, "number") == last + 1;
		last = field(event, "number");
		count++;
	}
	check("bem.instant", rise && count >= FLIPS, "%u vertical blanks, none left out", count);
}

int main(void)
{
	struct batch batch;

	get_display();
	find_functions();
	light_up();
	if (!set_collection(EGL_ACQUIRE_EVENTS_BRCM) || !set_collection(EGL_START_EVENTS_BRCM))
		give_up("no events: EGL error 0x%x", eglGetError());
	check_present();
	for (unsigned int i = 0; i < FLIPS; i++)
		flip(i);
	set_collection(EGL_STOP_EVENTS_BRCM);
	set_collection(EGL_RELEASE_EVENTS_BRCM);
	batch = take_batch();
	check_flips(&batch);
	check_vblanks(&batch);
	free_batch(&batch);
	return end_checks();
}
