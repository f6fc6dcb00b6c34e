// SPDX-License-Identifier: MIT

#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <vivgpu_drm.h>
#include <xf86drm.h>

#define FIRST_NODE 128
#define LAST_NODE 191
/* Enough for some seconds in which a tool gets no processor; the kernel may give less. */
#define RING_RECORDS 16384

int open_device(void)
{
	for (int node = FIRST_NODE; node <= LAST_NODE; node++) {
		char path[64];
		drmVersion *version;
		bool ours;
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/renderD%d", node);
		fd = open(path, O_RDWR | O_CLOEXEC);
		version = fd < 0 ? NULL : drmGetVersion(fd);
		ours = version && strcmp(version->name, "vivgpu") == 0;
		drmFreeVersion(version);
		if (ours)
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

int open_records(int device, uint32_t flags, uint32_t types)
{
	struct drm_vivgpu_stream_open args = { .flags = flags,
					       .types = types,
					       .ring_records = RING_RECORDS,
					       .record_size = sizeof(struct drm_vivgpu_record) };

	if (drmIoctl(device, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args))
		return -errno;
	fcntl(args.fd, F_SETFL, O_NONBLOCK);
	return args.fd;
}
