// SPDX-License-Identifier: MIT
/* The control protocol over the card's unix socket. */
#include "control/channel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus/unix_socket.h"

/* A reply ends with the line "ok" or "error: ...". */
static bool complete(const char *reply, size_t length)
{
	const char *last;

	if (!length || reply[length - 1] != '\n')
		return false;
	for (last = reply + length - 1; last > reply && last[-1] != '\n'; last--)
		;
	return !strcmp(last, "ok\n") || !strncmp(last, "error: ", strlen("error: "));
}

static const char *talk(int fd, const char *line, char *reply, size_t reply_bytes)
{
	char text[512]; /* has room: a line is shorter than CONTROL_LINE_BYTES */
	int length = snprintf(text, sizeof(text), "%s\n", line);
	size_t used = 0;

	if (send(fd, text, length, MSG_NOSIGNAL) != length)
		return "the card does not take commands";
	while (!complete(reply, used)) {
		ssize_t got = recv(fd, reply + used, reply_bytes - 1 - used, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return "the card did not answer";
		used += got;
		reply[used] = '\0';
	}
	return NULL;
}

const char *channel_socket(const char *path, const char *line, char *reply, size_t reply_bytes)
{
	static char problem[256];
	int fd = unix_socket_connect(path);
	const char *result;

	if (fd < 0) {
		snprintf(problem, sizeof(problem), "%s: %s", path, strerror(errno));
		return problem;
	}
	result = talk(fd, line, reply, reply_bytes);
	close(fd);
	return result;
}
