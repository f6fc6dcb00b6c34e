// SPDX-License-Identifier: MIT
/* Unix sockets for the bus, virtual time and control connections. */
#include "bus/unix_socket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 4
#define NEW ".new" /* suffix of the name until the socket listens */

static bool set_address(struct sockaddr_un *address, const char *path, const char *suffix)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	return (size_t)snprintf(address->sun_path, sizeof(address->sun_path), "%s%s", path,
				suffix) < sizeof(address->sun_path);
}

/* Connect with the flags @flags of socket(). */
static int connect_with(const char *path, int flags)
{
	struct sockaddr_un address;
	int fd;

	if (!set_address(&address, path, "")) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

int unix_socket_connect(const char *path)
{
	return connect_with(path, 0);
}

/* A listener whose queue is full is one, too; the card does not wait for it. */
static bool has_listener(const char *path)
{
	int fd = connect_with(path, SOCK_NONBLOCK);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno == EAGAIN;
}

/* Whether there is nothing at @path, or a socket, which may be replaced. */
static bool is_free(const char *path)
{
	struct stat status;

	return lstat(path, &status) || S_ISSOCK(status.st_mode);
}

int unix_socket_listen(const char *path, const char **problem)
{
	struct sockaddr_un address;
	int fd;

	if (!set_address(&address, path, NEW)) { /* sun_path: 108 bytes with NEW and the end */
		*problem = "is longer than 103 bytes";
		return -1;
	}
	if (has_listener(path)) {
		*problem = "is in use by another process";
		return -1;
	}
	if (!is_free(path)) {
		*problem = "is a file, and no socket";
		return -1;
	}
	if (!is_free(address.sun_path)) {
		*problem = "cannot be made: with " NEW " added it is a file, and no socket";
		return -1;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	unlink(address.sun_path);
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
	    !listen(fd, BACKLOG) && !rename(address.sun_path, path))
		return fd;
	*problem = strerror(errno);
	if (fd >= 0)
		close(fd);
	unlink(address.sun_path);
	return -1;
}

int unix_socket_accept(int listener)
{
	return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

bool unix_socket_take_fds(struct msghdr *msg, int *fds, unsigned int *count, unsigned int max)
{
	bool fit = !(msg->msg_flags & MSG_CTRUNC);

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		unsigned int carried = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		int fd;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (unsigned int i = 0; i < carried; i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(fd));
			if (*count < max) {
				fds[(*count)++] = fd;
			} else {
				close(fd);
				fit = false;
			}
		}
	}
	return fit;
}
