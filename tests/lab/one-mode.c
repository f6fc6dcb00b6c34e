// SPDX-License-Identifier: MIT
/*
 * one-mode.so: preloaded into a program, connectors have their preferred mode only, if there is one. glmark2 takes the
 * largest, which QEMU's display offers and cannot show.
 */

#include <dlfcn.h>

#include <xf86drmMode.h>

drmModeConnectorPtr drmModeGetConnector(int fd, uint32_t id)
{
	drmModeConnectorPtr (*get)(int, uint32_t) =
		(drmModeConnectorPtr(*)(int, uint32_t))dlsym(RTLD_NEXT, "drmModeGetConnector");
	drmModeConnectorPtr connector = get ? get(fd, id) : NULL;

	for (int i = 0; connector && i < connector->count_modes; i++) {
		if (!(connector->modes[i].type & DRM_MODE_TYPE_PREFERRED))
			continue;
		connector->modes[0] = connector->modes[i];
		connector->count_modes = 1;
	}
	return connector;
}
