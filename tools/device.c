// SPDX-License-Identifier: MIT

#include "device.h"

#include <errno.h>
#include <fcntl.h>

#include <vivgpu_drm.h>
#include <xf86drm.h>

#include "render_node.h"

/* Enough for some seconds in which a tool gets no processor; the kernel may give less. */
#define RING_RECORDS 16384

int open_device(void)
{
	return open_render_node("vivgpu", NULL);
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
