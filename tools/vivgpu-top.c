// SPDX-License-Identifier: MIT
/*
 * vivgpu-top: shows again and again which processes use the GPU, and how much of its time, from the
 * usage statistics in /proc/PID/fdinfo (the kernel's Documentation/gpu/drm-usage-stats.rst), which
 * other drivers have, too. Times of all engines of all devices are added up: with several of them
 * the sum can be above 100 %. gputop is similar, but Debian has it for x86 only.
 */

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "command_line.h"
#include "printable.h"

#define MAX_CLIENTS 256
#define NAME_BYTES 32
#define DEVICE_BYTES 32
#define DEFAULT_COLUMNS 80
#define FIXED_COLUMNS 48 /* of a line without its bar, with 16 for the name */
#define NS_PER_SECOND 1000000000ull

/*
 * A client: an open file of a DRM driver. Duplicates of its descriptor have the same id; of several
 * processes with them the one that comes last in /proc is shown. MAX_CLIENTS are shown at most.
 */
struct client {
	uint64_t id;
	char device[DEVICE_BYTES]; /* PCI address, or the driver's name; ids are per device */
	long pid;
	char name[NAME_BYTES];
	uint64_t busy_ns;      /* sum of all engines, the largest that was read */
	uint64_t resident_kib; /* sum of memory regions */
	uint64_t before_ns;    /* busy_ns of the last screen */
	/* Its fdinfo has times of engines, without which it is not shown; found for this screen */
	bool has_engine, seen;
};

static struct client clients[MAX_CLIENTS];
static unsigned int client_count;

/* ---- reading ---- */

/* If @line is "@key<...>:\t@value ...", set @value and return what follows it, else NULL. */
static const char *number_of(const char *line, const char *key, uint64_t *value)
{
	const char *colon = strchr(line, ':');
	char *end;

	if (strncmp(line, key, strlen(key)) || !colon)
		return NULL;
	*value = strtoull(colon + 1, &end, 10);
	return end;
}

/* The value of a line "@key:\tTEXT\n", into @text; other lines leave that as it is. */
static void text_of(const char *line, const char *key, char *text, size_t bytes)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length) || line[length] != ':')
		return;
	line += length + 1;
	line += strspn(line, " \t");
	snprintf(text, bytes, "%.*s", (int)strcspn(line, "\n"), line);
}

/* KiB of a size that fdinfo prints as bytes ("12"), "12 KiB" or "12 MiB"; @unit: after the 12 */
static uint64_t kib(uint64_t value, const char *unit)
{
	unit += strspn(unit, " \t");
	if (!strncmp(unit, "MiB", 3))
		return value * 1024;
	return strncmp(unit, "KiB", 3) ? value / 1024 : value;
}

/* Whichever comes first, the PCI address takes the place of the driver's name. */
static void read_line(struct client *client, const char *line)
{
	const char *unit;
	uint64_t value;

	text_of(line, "drm-pdev", client->device, sizeof(client->device));
	if (!client->device[0])
		text_of(line, "drm-driver", client->device, sizeof(client->device));
	if (number_of(line, "drm-client-id", &value)) {
		client->id = value;
	} else if (!strncmp(line, "drm-engine-capacity-", 20)) {
		return;
	} else if (number_of(line, "drm-engine-", &value)) {
		client->busy_ns += value;
		client->has_engine = true;
	} else {
		unit = number_of(line, "drm-resident-", &value);
		if (unit)
			client->resident_kib += kib(value, unit);
	}
}

/* Enter a client that was read for this screen in the table. */
static void keep(const struct client *read)
{
	struct client *client = clients;

	while (client < clients + client_count &&
	       (client->id != read->id || strcmp(client->device, read->device)))
		client++;
	if (client == clients + client_count) {
		if (client_count == MAX_CLIENTS)
			return;
		client_count++;
		*client = *read;
		client->before_ns = read->busy_ns; /* what it used before is of no screen */
	} else { /* if the file was inherited or passed on, the later process probably uses it */
		client->pid = read->pid;
		memcpy(client->name, read->name, sizeof(client->name));
		/* Drivers may report a smaller time than before, until the time has caught up. */
		if (read->busy_ns > client->busy_ns)
			client->busy_ns = read->busy_ns;
		client->resident_kib = read->resident_kib;
	}
	client->seen = true;
}

static void read_fdinfo(const char *path, long pid, const char *name)
{
	struct client client = { .pid = pid };
	FILE *file = fopen(path, "r");
	char line[256];

	if (!file)
		return; /* closed meanwhile */
	while (fgets(line, sizeof(line), file))
		read_line(&client, line);
	fclose(file);
	snprintf(client.name, sizeof(client.name), "%s", name);
	if (client.has_engine)
		keep(&client);
}

/* Whether /proc/PID/fd/FD is a node of DRM: to read fdinfo of all files would take long. */
static bool is_drm(const char *pid, const char *fd)
{
	char path[64], target[64];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%.16s/fd/%.16s", pid, fd);
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return false;
	target[length] = 0;
	return !strncmp(target, "/dev/dri/", 9);
}

static void read_name(const char *pid, char name[NAME_BYTES])
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	file = fopen(path, "r");
	if (!file || !fgets(name, NAME_BYTES, file))
		name[0] = 0;
	name[strcspn(name, "\n")] = 0;
	make_printable(name);
	if (file)
		fclose(file);
}

static void read_process(const char *pid)
{
	char path[64], name[NAME_BYTES];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	folder = opendir(path);
	if (!folder)
		return; /* another user's, or it has ended */
	read_name(pid, name);
	while ((entry = readdir(folder))) {
		if (!is_drm(pid, entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/proc/%.16s/fdinfo/%.16s", pid, entry->d_name);
		read_fdinfo(path, atol(pid), name);
	}
	closedir(folder);
}

/* Drop clients that were not found for this screen: closed, or no longer to be read. */
static void drop_ended(void)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < client_count; i++)
		if (clients[i].seen)
			clients[kept++] = clients[i];
	client_count = kept;
}

static void begin_screen(void)
{
	for (unsigned int i = 0; i < client_count; i++) {
		clients[i].before_ns = clients[i].busy_ns;
		clients[i].seen = false;
	}
}

static void read_all(void)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;

	begin_screen();
	while (folder && (entry = readdir(folder)))
		if (isdigit((unsigned char)entry->d_name[0]))
			read_process(entry->d_name);
	if (folder)
		closedir(folder);
	drop_ended();
}

/* ---- printing ---- */

/* GPU time since the last screen */
static uint64_t used(const struct client *client)
{
	return client->busy_ns - client->before_ns;
}

/* Most time first, then in the order of processes. */
static int compare(const void *one, const void *other)
{
	const struct client *a = one, *b = other;

	if (used(a) != used(b))
		return used(a) < used(b) ? 1 : -1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static int columns(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return DEFAULT_COLUMNS;
	return size.ws_col;
}

static void print_bar(double share, int width)
{
	int filled = (int)(share / 100 * width + 0.5);

	for (int i = 0; i < width; i++)
		putchar(i < filled ? '#' : ' ');
}

/* @elapsed_ns: from the last screen to this one; 0 on the first, which has no shares yet */
static void print_screen(uint64_t elapsed_ns)
{
	int width = columns() - FIXED_COLUMNS;
	uint64_t total = 0;

	if (width < 1)
		width = 1;
	for (unsigned int i = 0; i < client_count; i++)
		total += used(&clients[i]);
	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[2J", stdout);
	printf("GPU %.1f %% busy, %u clients\n", elapsed_ns ? 100.0 * total / elapsed_ns : 0.0,
	       client_count);
	printf("%7s %9s %9s  %-*s NAME\n", "PID", "MEM", "GPU", width + 2, "");
	qsort(clients, client_count, sizeof(clients[0]), compare);
	for (unsigned int i = 0; i < client_count; i++) {
		double share = elapsed_ns ? 100.0 * used(&clients[i]) / elapsed_ns : 0;

		printf("%7ld %6" PRIu64 " MB %7.1f %%  |", clients[i].pid,
		       clients[i].resident_kib / 1024, share);
		print_bar(share < 100 ? share : 100, width);
		printf("| %s\n", clients[i].name);
	}
	if (!isatty(STDOUT_FILENO))
		putchar('\n');
	fflush(stdout);
}

/* ---- options ---- */

static const struct command_line_option options[] = {
	{ 'd', "delay", "SECONDS", "time between two screens (1)" },
	{ 'n', "count", "SCREENS", "end after this many screens" },
	{ 0 },
};

static const struct command_line line = {
	.tool = (char[]){ "vivgpu-top" },
	.usage = "[OPTION...]",
	.purpose =
		"Show again and again which processes use the GPU, and the share of its time that each\n"
		"of them had.\n",
	.status = "  0, or 2 for wrong arguments.\n",
	.options = options,
};

/* A number greater than zero, at most @most. */
static double parse(const char *text, double most, const char *error)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0) || value > most)
		command_line_fail(&line, error);
	return value;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

int main(int argc, char **argv)
{
	const struct command_line_option *option;
	double delay = 1, screens = 0; /* 0: without end */
	struct timespec pause;
	uint64_t last = 0;

	while ((option = command_line_next(&line, argc, argv))) {
		if (option->letter == 'd')
			delay = parse(optarg, 86400, "--delay: a number of seconds");
		else
			screens = parse(optarg, 1e9, "--count: a number of screens");
	}
	if (optind < argc)
		command_line_fail(&line, "no arguments are expected");
	pause.tv_sec = (time_t)delay;
	pause.tv_nsec = (long)((delay - pause.tv_sec) * NS_PER_SECOND);
	for (uint64_t i = 0; !screens || i < screens; i++) {
		uint64_t now;

		if (i)
			nanosleep(&pause, NULL);
		now = now_ns();
		read_all();
		print_screen(i ? now - last : 0);
		last = now;
	}
	return 0;
}
