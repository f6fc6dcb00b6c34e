// SPDX-License-Identifier: MIT
/* What this process has used of the GPU, by the kernel's fdinfo. */

#include "client_usage.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_CLIENTS 16

/* Clients that were counted: a file may be open under several numbers. */
struct clients {
	uint64_t id[MAX_CLIENTS];
	unsigned int count;
};

static bool is_new(struct clients *clients, uint64_t id)
{
	for (unsigned int i = 0; i < clients->count; i++)
		if (clients->id[i] == id)
			return false;
	if (clients->count == MAX_CLIENTS)
		abort();
	clients->id[clients->count++] = id;
	return true;
}

static void add_file(const char *name, struct clients *clients, struct client_usage *usage)
{
	uint64_t id = 0, cycles = 0, jobs = 0;
	char path[300], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%s", name);
	file = fopen(path, "r");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "drm-client-id: %" SCNu64, &id);
		sscanf(line, "drm-cycles-3d: %" SCNu64, &cycles);
		sscanf(line, "vivgpu-jobs-3d: %" SCNu64, &jobs);
	}
	fclose(file);
	if (id && is_new(clients, id)) {
		usage->cycles += cycles;
		usage->jobs += jobs;
	}
}

struct client_usage client_usage_now(void)
{
	struct client_usage usage = { 0 };
	struct clients clients = { 0 };
	DIR *folder = opendir("/proc/self/fdinfo");
	struct dirent *entry;

	if (!folder)
		abort();
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			add_file(entry->d_name, &clients, &usage);
	closedir(folder);
	return usage;
}
