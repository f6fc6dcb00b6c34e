/* SPDX-License-Identifier: MIT */
/* Render nodes by the name of their driver. */
#ifndef VIVGPU_TOOLS_RENDER_NODE_H
#define VIVGPU_TOOLS_RENDER_NODE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <xf86drm.h>

/* Minor numbers of render nodes (drm_minor_register()) */
#define FIRST_RENDER_NODE 128
#define LAST_RENDER_NODE 191

/**
 * open_render_node - open the first render node of a driver
 *
 * @driver: its name
 * @other: another driver that will do as well, or NULL
 *
 * Returns: a file descriptor, -1 if there is none
 */
static inline int open_render_node(const char *driver, const char *other)
{
	for (int node = FIRST_RENDER_NODE; node <= LAST_RENDER_NODE; node++) {
		char path[32];
		drmVersionPtr version;
		bool found;
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/renderD%d", node);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		version = drmGetVersion(fd);
		found = version && (strcmp(version->name, driver) == 0 ||
				    (other && strcmp(version->name, other) == 0));
		drmFreeVersion(version);
		if (found)
			return fd;
		close(fd);
	}
	return -1;
}

#endif
