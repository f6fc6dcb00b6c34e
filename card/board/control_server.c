// SPDX-License-Identifier: MIT
/* Connections to the control socket. */
#include "board/control_server.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus/unix_socket.h"

void control_server_init(struct control_server *server, int listener)
{
	server->listener = listener;
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		server->client[i].fd = -1;
}

static void drop(struct control_client *client)
{
	close(client->fd);
	client->fd = -1;
}

void control_server_close(struct control_server *server)
{
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		if (server->client[i].fd >= 0)
			drop(&server->client[i]);
	if (server->listener >= 0)
		close(server->listener);
	server->listener = -1;
}

unsigned int control_server_poll_fds(const struct control_server *server, struct pollfd *fds)
{
	unsigned int count = 0;

	if (server->listener >= 0)
		fds[count++] = (struct pollfd){ .fd = server->listener, .events = POLLIN };
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		if (server->client[i].fd >= 0)
			fds[count++] =
				(struct pollfd){ .fd = server->client[i].fd, .events = POLLIN };
	return count;
}

static struct control_client *free_client(struct control_server *server)
{
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		if (server->client[i].fd < 0)
			return &server->client[i];
	return NULL;
}

static void accept_clients(struct control_server *server)
{
	int fd;

	if (server->listener < 0)
		return;
	while ((fd = unix_socket_accept(server->listener)) >= 0) {
		struct control_client *client = free_client(server);

		if (client) {
			client->fd = fd;
			client->used = 0;
		} else {
			close(fd);
		}
	}
}

/* Execute a line; false if the reply does not fit into the socket: its client does not read. */
static bool execute(struct board *board, int fd, const char *line)
{
	char reply[CONTROL_REPLY_BYTES];
	size_t length;

	board_control(board, line, reply, sizeof(reply));
	length = strlen(reply);
	return send(fd, reply, length, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)length;
}

/* Execute all complete lines; false if the client has to be disconnected. */
static bool execute_lines(struct control_client *client, struct board *board, bool *executed)
{
	char *line = client->line;
	char *end;

	while ((end = memchr(line, '\n', client->used - (line - client->line)))) {
		*end = '\0';
		*executed = true;
		if (!execute(board, client->fd, line))
			return false;
		line = end + 1;
	}
	client->used -= line - client->line;
	memmove(client->line, line, client->used);
	return client->used < sizeof(client->line); /* full without a newline: not a command */
}

static void serve_client(struct control_client *client, struct board *board, bool *executed)
{
	ssize_t got = recv(client->fd, client->line + client->used,
			   sizeof(client->line) - client->used, MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got > 0)
		client->used += got;
	if (got <= 0 || !execute_lines(client, board, executed))
		drop(client);
}

bool control_server_serve(struct control_server *server, struct board *board)
{
	bool executed = false;

	accept_clients(server);
	for (unsigned int i = 0; i < CONTROL_CLIENTS; i++)
		if (server->client[i].fd >= 0)
			serve_client(&server->client[i], board, &executed);
	return executed;
}
