// SPDX-License-Identifier: MIT
/* Starts the window's program, sends frames and ends it. */
#include "dc/view_window.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/*
 * Make the link's ends descriptors 3 and 4 of the program. The caller has copied them to numbers
 * above these, so that one dup2() does not overwrite the other's source.
 */
static int add_descriptors(posix_spawn_file_actions_t *actions, int memory_fd, int socket_fd)
{
	int error = posix_spawn_file_actions_adddup2(actions, memory_fd, WINDOW_MEMORY_FD);

	return error ? error
		     : posix_spawn_file_actions_adddup2(actions, socket_fd, WINDOW_SOCKET_FD);
}

/* The program blocks no signal and does not ignore SIGPIPE, as the card does. */
static int set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, usual;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &usual);
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int spawn(struct view_window *window, const char *program, const char *argument,
		 int memory_fd, int socket_fd)
{
	char *const argv[] = { (char *)program, (char *)argument, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	error = add_descriptors(&actions, memory_fd, socket_fd);
	if (!error)
		error = set_signals(&attributes);
	if (!error)
		error = posix_spawn(&window->pid, program, &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

const char *view_window_open(struct view_window *window, const char *program, const char *argument)
{
	int memory_fd, socket_fd, error;

	window->closed = false;
	if (!window_link_create(&window->link))
		return strerror(errno);
	memory_fd = fcntl(window->link.memory_fd, F_DUPFD_CLOEXEC, WINDOW_SOCKET_FD + 1);
	socket_fd = fcntl(window->link.window_fd, F_DUPFD_CLOEXEC, WINDOW_SOCKET_FD + 1);
	error = memory_fd < 0 || socket_fd < 0
			? errno
			: spawn(window, program, argument, memory_fd, socket_fd);
	if (memory_fd >= 0)
		close(memory_fd);
	if (socket_fd >= 0)
		close(socket_fd);
	if (error) {
		window_link_close(&window->link);
		return error == ENOENT
			       ? "the view's program was not built (it needs SDL2 or libvncserver)"
			       : strerror(error);
	}
	close(window->link.window_fd); /* sending must fail when the program has gone */
	window->link.window_fd = -1;
	return NULL;
}

void view_window_show(struct view_window *window, const struct dc_picture *picture)
{
	if (!window->closed)
		window_link_send_frame(&window->link, picture);
}

int view_window_input_fd(const struct view_window *window)
{
	return window->closed ? -1 : window->link.card_fd;
}

bool view_window_receive_action(struct view_window *window, struct input_action *action)
{
	if (window->closed)
		return false;
	if (window_link_receive_action(&window->link, action, &window->closed))
		return true;
	*action = (struct input_action){ .kind = INPUT_RELEASE_ALL };
	return window->closed;
}

/* The program ends when the socket is closed. */
void view_window_close(struct view_window *window)
{
	window_link_close(&window->link);
	while (waitpid(window->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
