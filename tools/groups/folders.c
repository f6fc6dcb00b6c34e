// SPDX-License-Identifier: MIT

#include "folders.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vivgpu_group_file.h"

/* Whether a name has the ending of the monitors' files, and something before it */
static bool has_end(const char *name)
{
	size_t length = strlen(name), end = strlen(VIVGPU_GROUP_FILE_END);

	return length > end && !strcmp(name + length - end, VIVGPU_GROUP_FILE_END);
}

static void visit_folder(const char *folder, void (*visit)(void *, const char *, int), void *data)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char path[PATH_MAX];
		struct stat stat;
		int fd;

		if (!has_end(entry->d_name) || snprintf(path, sizeof(path), "%s/%s", folder,
							entry->d_name) >= (int)sizeof(path))
			continue;
		/* A pipe in the place of a file must not hold up the program. */
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (fd < 0)
			continue;
		if (!fstat(fd, &stat) && S_ISREG(stat.st_mode))
			visit(data, path, fd);
		close(fd);
	}
	if (dir)
		closedir(dir);
}

void each_file(const char *folder, void (*visit)(void *data, const char *path, int fd), void *data)
{
	char own[PATH_MAX];
	glob_t all = { 0 };

	if (folder) {
		visit_folder(folder, visit, data);
		return;
	}
	if (vivgpu_group_folder(own, sizeof(own)))
		visit_folder(own, visit, data);
	if (geteuid())
		return;
	glob("/run/user/*/vivgpu", GLOB_NOSORT, NULL, &all);
	glob("/tmp/vivgpu-*", GLOB_NOSORT | GLOB_APPEND, NULL, &all);
	for (size_t i = 0; i < all.gl_pathc; i++) {
		if (strcmp(all.gl_pathv[i], own))
			visit_folder(all.gl_pathv[i], visit, data);
	}
	globfree(&all);
}
