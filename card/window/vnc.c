// SPDX-License-Identifier: MIT
/*
 * vivgpu-card-vnc: shows what the card scans out to VNC clients of this machine, and sends their
 * keyboard and pointer to the guest. The card starts it (--display=vnc); both are connected by
 * dc/window_link.h. It listens on the loopback interface only and asks for no password. It ends
 * with the card.
 *
 * The link has whole frames. Each is compared with the one before in blocks, so that clients
 * get the blocks that changed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rfb/rfb.h>

#include "dc/window_link.h"
#include "window/vnc_input.h"

/* Time to wait for a frame before clients are served, in ms. */
#define POLL_MS 10

/* Longest time to wait for the rest of a client's message, in ms. */
#define CLIENT_WAIT_MS 2000

/* Ports that VNC clients call displays 0 to 99. */
#define FIRST_PORT 5900u
#define LAST_PORT 5999u

#define BLOCK_SIZE 64u

/* Size of the screen before the first frame. */
#define FIRST_WIDTH 640
#define FIRST_HEIGHT 480

static bool fail(const char *what)
{
	fprintf(stderr, "vivgpu-card-vnc: %s: %s\n", what, strerror(errno));
	return false;
}

/* ---- the socket ---- */

/* Listen on a port of the loopback interface; returns the descriptor, -1 with errno. */
static int listen_on(unsigned int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int yes = 1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 4)) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

/* Listen on the port named, which view_choose() has checked, or on the first free one; print it. */
static int open_socket(const char *word)
{
	unsigned int port = word ? strtoul(word, NULL, 10) : FIRST_PORT;
	struct sockaddr_in address;
	socklen_t size = sizeof(address);
	int fd = listen_on(port);

	while (!word && fd < 0 && errno == EADDRINUSE && port < LAST_PORT)
		fd = listen_on(++port);
	if (fd < 0 || getsockname(fd, (struct sockaddr *)&address, &size)) {
		fail("no port");
		return -1;
	}
	fprintf(stderr, "vivgpu-card-vnc: listening on 127.0.0.1:%u\n", ntohs(address.sin_port));
	return fd;
}

static void accept_clients(rfbScreenInfoPtr screen, int listening)
{
	int fd;

	while ((fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		rfbNewClient(screen, fd);
}

/* ---- the picture ---- */

/*
 * Bring a block of the screen up to date with @picture; true if a pixel differed. Red is in the
 * lowest byte: the format of a new framebuffer of the library.
 */
static bool update_block(uint32_t *pixels, const struct dc_picture *picture, uint32_t left,
			 uint32_t top, uint32_t right, uint32_t bottom)
{
	uint32_t differing = 0;

	for (uint32_t y = top; y < bottom; y++) {
		size_t row = (size_t)y * picture->width;
		const uint8_t *from = picture->rgb + 3 * (row + left);

		for (uint32_t x = left; x < right; x++, from += 3) {
			uint32_t pixel = from[0] | from[1] << 8 | from[2] << 16;

			differing |= pixels[row + x] ^ pixel;
			pixels[row + x] = pixel;
		}
	}
	return differing;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Mark the blocks in which @picture differs from the frame before. */
static void update(rfbScreenInfoPtr screen, const struct dc_picture *picture)
{
	uint32_t *pixels = (uint32_t *)screen->frameBuffer;

	for (uint32_t y = 0; y < picture->height; y += BLOCK_SIZE) {
		uint32_t bottom = least(y + BLOCK_SIZE, picture->height);

		for (uint32_t x = 0; x < picture->width; x += BLOCK_SIZE) {
			uint32_t right = least(x + BLOCK_SIZE, picture->width);

			if (update_block(pixels, picture, x, y, right, bottom))
				rfbMarkRectAsModified(screen, x, y, right, bottom);
		}
	}
}

/* Change the screen's size to the mode's; the library tells clients that know NewFBSize. */
static bool resize(rfbScreenInfoPtr screen, int width, int height)
{
	char *old = screen->frameBuffer;
	char *pixels = calloc((size_t)width * height, sizeof(uint32_t));

	if (!pixels)
		return fail("no framebuffer");
	rfbNewFramebuffer(screen, pixels, width, height, 8, 3, sizeof(uint32_t));
	free(old);
	return true;
}

static bool show(rfbScreenInfoPtr screen, const struct dc_picture *picture)
{
	if ((screen->width != (int)picture->width || screen->height != (int)picture->height) &&
	    !resize(screen, picture->width, picture->height))
		return false;
	update(screen, picture);
	return true;
}

/* ---- the server ---- */

static void no_log(const char *format, ...)
{
	(void)format;
}

/* A screen without sockets of the library's own, which would listen on all interfaces. */
static rfbScreenInfoPtr create_screen(void)
{
	rfbScreenInfoPtr screen =
		rfbGetScreen(NULL, NULL, FIRST_WIDTH, FIRST_HEIGHT, 8, 3, sizeof(uint32_t));

	if (!screen)
		return NULL;
	rfbLog = no_log;
	screen->desktopName = "vivgpu";
	screen->port = 0;
	screen->ipv6port = 0;
	screen->autoPort = FALSE;
	screen->alwaysShared = TRUE;
	screen->maxClientWait = CLIENT_WAIT_MS;
	screen->cursor = NULL; /* the card's cursor is in the frames */
	screen->frameBuffer = calloc(FIRST_WIDTH * FIRST_HEIGHT, sizeof(uint32_t));
	if (screen->frameBuffer)
		rfbInitServer(screen);
	return screen->frameBuffer ? screen : NULL;
}

static bool run(rfbScreenInfoPtr screen, struct window_link *link, int listening)
{
	bool gone = false, good = true;

	while (good && !gone) {
		struct dc_picture picture;

		if (window_link_receive_frame(link, POLL_MS, &picture, &gone)) {
			good = show(screen, &picture);
			window_link_release_frame(link);
		}
		accept_clients(screen, listening);
		rfbProcessEvents(screen, 0);
	}
	return good;
}

/* The card may be pinned to one processor; this process must not inherit that. */
static void use_all_processors(void)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
}

int main(int argc, char *argv[])
{
	rfbScreenInfoPtr screen;
	struct window_link link;
	struct vnc_input input;
	int listening;

	if (!window_link_attach(&link)) {
		fprintf(stderr, "vivgpu-card-vnc: it is started by vivgpu-card --display=vnc\n");
		return EXIT_FAILURE;
	}
	use_all_processors();
	listening = open_socket(argc > 1 ? argv[1] : NULL);
	screen = listening < 0 ? NULL : create_screen();
	if (!screen)
		return EXIT_FAILURE;
	vnc_input_init(&input, &link, screen);
	if (!run(screen, &link, listening))
		return EXIT_FAILURE;
	rfbShutdownServer(screen, TRUE);
	return EXIT_SUCCESS;
}
