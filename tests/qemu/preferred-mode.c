// SPDX-License-Identifier: MIT
/*
 * preferred-mode.so: preloaded into a program that draws on a display, leaves of the display's modes the preferred
 * one. glmark2 takes the largest, which QEMU's display offers and cannot show.
 */
#include <dlfcn.h>

#include <xf86drmMode.h>

/** drmModeGetConnector - a connector with one mode, if one is preferred. */
drmModeConnectorPtr drmModeGetConnector(int fd, uint32_t id)
{
	drmModeConnectorPtr (*next)(int, uint32_t) =
		(drmModeConnectorPtr(*)(int, uint32_t))dlsym(RTLD_NEXT, "drmModeGetConnector");
	drmModeConnectorPtr connector = next(fd, id);

	for (int i = 0; connector && i < connector->count_modes; i++) {
		if (!(connector->modes[i].type & DRM_MODE_TYPE_PREFERRED))
			continue;
		connector->modes[0] = connector->modes[i];
		connector->count_modes = 1;
	}
	return connector;
}
