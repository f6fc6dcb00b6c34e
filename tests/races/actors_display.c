// SPDX-License-Identifier: MIT
/* An actor that shows pictures while another thread of it moves the cursor. */
#include "races.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drmMode.h>

#define FLIPS 64
#define BUFFERS 2
#define CURSORS 2
#define CURSOR_SIZE 64
#define CURSOR_ROUNDS 16

struct screen {
	struct worker worker;
	uint32_t crtc, connector;
	drmModeModeInfo mode;
	struct buffer pictures[BUFFERS];
	uint32_t framebuffers[BUFFERS];
	uint32_t cursors[CURSORS];
	struct random r;
	atomic_bool done;
};

/* A buffer that can be shown; 0 on failure. */
static uint32_t create_dumb(int card, uint32_t width, uint32_t height, uint32_t *pitch)
{
	uint64_t size;
	uint32_t handle;

	return drmModeCreateDumbBuffer(card, width, height, 32, 0, &handle, pitch, &size) ? 0
											  : handle;
}

static bool create_picture(struct screen *screen, int i)
{
	uint32_t width = screen->mode.hdisplay, height = screen->mode.vdisplay, pitch;
	struct buffer *picture = &screen->pictures[i];
	int card = screen->worker.client.fd;

	picture->handle = create_dumb(card, width, height, &pitch);
	picture->size = (uint64_t)pitch * height;
	if (!picture->handle)
		return false;
	picture->map = map_bo(card, picture->handle, picture->size, &picture->va);
	return picture->map && drmModeAddFB(card, width, height, 24, 32, pitch, picture->handle,
					    &screen->framebuffers[i]) == 0;
}

static bool find_output(struct screen *screen)
{
	int card = screen->worker.client.fd;
	drmModeRes *resources = drmModeGetResources(card);
	drmModeConnector *connector = NULL;
	bool found;

	if (resources && resources->count_crtcs && resources->count_connectors) {
		screen->crtc = resources->crtcs[0];
		screen->connector = resources->connectors[0];
		connector = drmModeGetConnector(card, screen->connector);
	}
	found = connector && connector->count_modes;
	if (found)
		screen->mode = connector->modes[0];
	drmModeFreeConnector(connector);
	drmModeFreeResources(resources);
	return found;
}

/* Open the display and show a picture with a cursor. */
static bool open_screen(struct screen *screen, struct random *r)
{
	int card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	uint32_t pitch;

	screen->worker = (struct worker){ .client.fd = card, .r = r };
	if (card < 0 || !find_output(screen))
		return false;
	screen->worker.client.queue = make_queue(card);
	for (int i = 0; i < BUFFERS; i++)
		if (!create_picture(screen, i))
			return false;
	for (int i = 0; i < CURSORS; i++)
		screen->cursors[i] = create_dumb(card, CURSOR_SIZE, CURSOR_SIZE, &pitch);
	return drmModeSetCrtc(card, screen->crtc, screen->framebuffers[0], 0, 0, &screen->connector,
			      1, &screen->mode) == 0 &&
	       drmModeSetCursor(card, screen->crtc, screen->cursors[0], CURSOR_SIZE, CURSOR_SIZE) ==
		       0;
}

/* Moves and new images of the cursor, which do not wait for the frame. */
static void *move_cursor(void *data)
{
	struct screen *screen = data;
	int card = screen->worker.client.fd;

	for (int i = 0; !screen->done && !shared->stop; i++) {
		int x = random_below(&screen->r, screen->mode.hdisplay);
		int y = random_below(&screen->r, screen->mode.vdisplay);

		permitted(-drmModeMoveCursor(card, screen->crtc, x, y), "move the cursor");
		if (i % CURSOR_ROUNDS)
			continue;
		permitted(-drmModeSetCursor(card, screen->crtc,
					    screen->cursors[i / CURSOR_ROUNDS % CURSORS],
					    CURSOR_SIZE, CURSOR_SIZE),
			  "set the cursor");
	}
	return NULL;
}

/* The mappings go first: they hold the file open, and the display's master with it. */
static void close_screen(struct screen *screen)
{
	for (int i = 0; i < BUFFERS; i++)
		munmap(screen->pictures[i].map, screen->pictures[i].size);
	worker_close(&screen->worker);
}

/* Wait for the event of a flip. */
static void wait_flip(int card)
{
	struct pollfd poller = { .fd = card, .events = POLLIN };
	char event[256];

	if (poll(&poller, 1, STUCK_SECONDS * 1000) != 1)
		fail("a flip has no event");
	if (read(card, event, sizeof(event)) <= 0)
		fail("an event cannot be read: %s", strerror(errno));
}

/* Draw a picture, and show it when it is drawn: the commit goes on when the job has ended. */
static bool draw_and_flip(struct screen *screen, int i)
{
	struct drm_vivgpu_submit args = {
		.flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC | DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
	};
	const struct buffer *picture = &screen->pictures[i];
	struct drm_vivgpu_submit_bo bo = { picture->handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct fill fill = { (uint32_t)picture->va, screen->mode.hdisplay, screen->mode.vdisplay,
			     ++screen->worker.value };
	int card = screen->worker.client.fd;
	static struct stream stream;

	stream.count = 0;
	add_fill(&stream, &fill);
	args.bos = (uintptr_t)&bo;
	args.nr_bos = 1;
	if (!permitted(submit_stream(&screen->worker.client, &args, &stream), "draw") ||
	    !permitted(-drmModePageFlip(card, screen->crtc, screen->framebuffers[i],
					DRM_MODE_PAGE_FLIP_EVENT, NULL),
		       "flip"))
		return false;
	wait_flip(card);
	return permitted(-worker_wait(args.fence_fd), "a picture");
}

/*
 * Pictures are shown while the cursor moves. The display must have taken over a picture for each
 * event of a flip.
 */
void actor_show(struct random *r)
{
	static struct screen screen;
	uint64_t before, flips = 0;
	pthread_t thread;

	memset(&screen, 0, sizeof(screen));
	if (!open_screen(&screen, r))
		fail("nothing can be shown: %s", strerror(errno));
	/* The first flip ends after everything that the mode began. */
	draw_and_flip(&screen, 1);
	before = card_total("dc.flips");
	screen.r.state = r->state;
	pthread_create(&thread, NULL, move_cursor, &screen);
	while (flips < FLIPS && !shared->stop && draw_and_flip(&screen, (int)(flips % BUFFERS)))
		flips++;
	screen.done = true;
	pthread_join(thread, NULL);
	if (card_total("dc.flips") - before != flips)
		fail("%llu flips ended, the display has taken over %llu pictures",
		     (unsigned long long)flips,
		     (unsigned long long)(card_total("dc.flips") - before));
	close_screen(&screen);
}
