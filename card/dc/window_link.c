// SPDX-License-Identifier: MIT
/* Both ends of the link between card and window. */
#include "dc/window_link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct window_link closed = { NULL, -1, -1, -1 };

static bool map(struct window_link *link)
{
	void *at = mmap(NULL, sizeof(*link->shared), PROT_READ | PROT_WRITE, MAP_SHARED,
			link->memory_fd, 0);

	link->shared = at == MAP_FAILED ? NULL : at;
	return link->shared;
}

bool window_link_create(struct window_link *link)
{
	int fds[2];

	*link = closed;
	link->memory_fd = memfd_create("vivgpu-window", MFD_CLOEXEC);
	if (link->memory_fd >= 0 && !ftruncate(link->memory_fd, sizeof(*link->shared)) &&
	    map(link) && !socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds)) {
		link->card_fd = fds[0];
		link->window_fd = fds[1];
		return true;
	}
	window_link_close(link);
	return false;
}

bool window_link_attach(struct window_link *link)
{
	*link = closed;
	link->memory_fd = WINDOW_MEMORY_FD;
	link->window_fd = WINDOW_SOCKET_FD;
	return map(link);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Keeps errno, for the error path of window_link_create(). */
void window_link_close(struct window_link *link)
{
	int error = errno;

	if (link->shared)
		munmap(link->shared, sizeof(*link->shared));
	link->shared = NULL;
	close_fd(&link->memory_fd);
	close_fd(&link->card_fd);
	close_fd(&link->window_fd);
	errno = error;
}

/* Whether the error in errno means that the other end is closed. */
static bool peer_gone(void)
{
	return errno == EPIPE || errno == ECONNRESET;
}

/* A frame fits: dc_timing_set() refuses those above DC_MAX_SCREEN_SIZE. */
bool window_link_send_frame(struct window_link *link, const struct dc_picture *picture)
{
	struct window_shared *shared = link->shared;

	if (atomic_load_explicit(&shared->turn, memory_order_acquire) != WINDOW_TURN_CARD)
		return true;
	shared->width = picture->width;
	shared->height = picture->height;
	shared->number = picture->number;
	memcpy(shared->rgb, picture->rgb, 3 * (size_t)picture->width * picture->height);
	atomic_store_explicit(&shared->turn, WINDOW_TURN_WINDOW, memory_order_release);
	return send(link->card_fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 || !peer_gone();
}

bool window_link_receive_frame(struct window_link *link, int timeout_ms, struct dc_picture *picture,
			       bool *gone)
{
	struct window_shared *shared = link->shared;
	struct pollfd fd = { .fd = link->window_fd, .events = POLLIN };
	char byte;

	*gone = false;
	if (poll(&fd, 1, timeout_ms) > 0) {
		ssize_t size = recv(link->window_fd, &byte, 1, MSG_DONTWAIT);

		*gone = size == 0 || (size < 0 && peer_gone());
	}
	if (atomic_load_explicit(&shared->turn, memory_order_acquire) != WINDOW_TURN_WINDOW)
		return false;
	*picture = (struct dc_picture){ .width = shared->width,
					.height = shared->height,
					.rgb = shared->rgb,
					.number = shared->number };
	return picture->width && picture->width <= DC_MAX_SCREEN_SIZE && picture->height &&
	       picture->height <= DC_MAX_SCREEN_SIZE;
}

void window_link_release_frame(struct window_link *link)
{
	atomic_store_explicit(&link->shared->turn, WINDOW_TURN_CARD, memory_order_release);
}

bool window_link_send_action(struct window_link *link, const struct input_action *action)
{
	ssize_t size;

	do
		size = send(link->window_fd, action, sizeof(*action), MSG_NOSIGNAL);
	while (size < 0 && errno == EINTR);
	return size == sizeof(*action);
}

bool window_link_receive_action(struct window_link *link, struct input_action *action, bool *gone)
{
	ssize_t size;

	do
		size = recv(link->card_fd, action, sizeof(*action), MSG_DONTWAIT | MSG_TRUNC);
	while (size > 0 && (size != sizeof(*action) || !input_action_valid(action)));
	*gone = size == 0 || (size < 0 && peer_gone());
	return size > 0;
}
