// SPDX-License-Identifier: MIT
/* The device, its objects, buffers, commits, events and checksums. */

#include "rig.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reference.h"

#define CRC_FOLDER "/sys/kernel/debug/dri/0/crtc-0/crc/"
/* Longer than any frame by far, also on a busy machine. */
#define EVENT_TIMEOUT_MS 20000

static unsigned int passed, failed, skipped;

bool expect(bool ok, const char *format, ...)
{
	va_list list;

	if (ok)
		passed++;
	else
		failed++;
	va_start(list, format);
	printf("%s ", ok ? "ok   " : "FAIL ");
	vprintf(format, list);
	putchar('\n');
	va_end(list);
	fflush(stdout);
	return ok;
}

void skip(const char *name, const char *reason)
{
	printf("skip  %s: %s\n", name, reason);
	skipped++;
}

bool counts(void)
{
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return !failed;
}

static const struct {
	uint32_t type;
	const char *name;
} properties[] = {
	[CRTC_ACTIVE] = { DRM_MODE_OBJECT_CRTC, "ACTIVE" },
	[CRTC_MODE_ID] = { DRM_MODE_OBJECT_CRTC, "MODE_ID" },
	[CRTC_GAMMA_LUT] = { DRM_MODE_OBJECT_CRTC, "GAMMA_LUT" },
	[CRTC_OUT_FENCE_PTR] = { DRM_MODE_OBJECT_CRTC, "OUT_FENCE_PTR" },
	[CONNECTOR_CRTC_ID] = { DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID" },
	[CONNECTOR_EDID] = { DRM_MODE_OBJECT_CONNECTOR, "EDID" },
	[PLANE_FB_ID] = { DRM_MODE_OBJECT_PLANE, "FB_ID" },
	[PLANE_CRTC_ID] = { DRM_MODE_OBJECT_PLANE, "CRTC_ID" },
	[PLANE_SRC_X] = { DRM_MODE_OBJECT_PLANE, "SRC_X" },
	[PLANE_SRC_Y] = { DRM_MODE_OBJECT_PLANE, "SRC_Y" },
	[PLANE_SRC_W] = { DRM_MODE_OBJECT_PLANE, "SRC_W" },
	[PLANE_SRC_H] = { DRM_MODE_OBJECT_PLANE, "SRC_H" },
	[PLANE_CRTC_X] = { DRM_MODE_OBJECT_PLANE, "CRTC_X" },
	[PLANE_CRTC_Y] = { DRM_MODE_OBJECT_PLANE, "CRTC_Y" },
	[PLANE_CRTC_W] = { DRM_MODE_OBJECT_PLANE, "CRTC_W" },
	[PLANE_CRTC_H] = { DRM_MODE_OBJECT_PLANE, "CRTC_H" },
	[PLANE_IN_FENCE_FD] = { DRM_MODE_OBJECT_PLANE, "IN_FENCE_FD" },
};

static uint32_t find_property(int fd, uint32_t object, uint32_t type, const char *name,
			      uint64_t *value)
{
	drmModeObjectProperties *list = drmModeObjectGetProperties(fd, object, type);
	uint32_t id = 0;

	for (uint32_t i = 0; list && i < list->count_props && !id; i++) {
		drmModePropertyRes *property = drmModeGetProperty(fd, list->props[i]);

		if (property && !strcmp(property->name, name)) {
			id = property->prop_id;
			if (value)
				*value = list->prop_values[i];
		}
		drmModeFreeProperty(property);
	}
	drmModeFreeObjectProperties(list);
	return id;
}

static void find_planes(struct rig *rig)
{
	drmModePlaneRes *planes = drmModeGetPlaneResources(rig->fd);

	for (uint32_t i = 0; planes && i < planes->count_planes; i++) {
		uint64_t type = 0;

		find_property(rig->fd, planes->planes[i], DRM_MODE_OBJECT_PLANE, "type", &type);
		if (type == DRM_PLANE_TYPE_PRIMARY)
			rig->primary = planes->planes[i];
		if (type == DRM_PLANE_TYPE_CURSOR)
			rig->cursor = planes->planes[i];
	}
	drmModeFreePlaneResources(planes);
}

bool rig_open(struct rig *rig)
{
	drmModeRes *resources;

	memset(rig, 0, sizeof(*rig));
	rig->fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	if (rig->fd < 0 || drmSetClientCap(rig->fd, DRM_CLIENT_CAP_ATOMIC, 1) != 0) {
		perror("kms-test: no atomic display");
		return false;
	}
	resources = drmModeGetResources(rig->fd);
	if (!resources || !resources->count_crtcs || !resources->count_connectors) {
		fprintf(stderr, "kms-test: no CRTC\n");
		return false;
	}
	rig->crtc = resources->crtcs[0];
	rig->connector = resources->connectors[0];
	drmModeFreeResources(resources);
	rig->monitor = drmModeGetConnector(rig->fd, rig->connector);
	find_planes(rig);
	return rig->monitor && rig->primary && rig->cursor;
}

void rig_close(struct rig *rig)
{
	drmModeFreeConnector(rig->monitor);
	close(rig->fd);
}

const drmModeModeInfo *rig_mode(const struct rig *rig, int width, int height)
{
	for (int i = 0; i < rig->monitor->count_modes; i++) {
		const drmModeModeInfo *mode = &rig->monitor->modes[i];

		if (mode->hdisplay == width && mode->vdisplay == height)
			return mode;
	}
	return NULL;
}

drmModePropertyBlobRes *rig_blob(const struct rig *rig, enum property property)
{
	uint64_t blob = 0;

	find_property(rig->fd, rig->connector, properties[property].type, properties[property].name,
		      &blob);
	return blob ? drmModeGetPropertyBlob(rig->fd, blob) : NULL;
}

void set(struct rig *rig, drmModeAtomicReq *req, uint32_t object, enum property property,
	 uint64_t value)
{
	static uint32_t ids[sizeof(properties) / sizeof(properties[0])];
	uint32_t id = ids[property];

	/* Objects of one kind share their properties. */
	if (!id)
		id = ids[property] = find_property(rig->fd, object, properties[property].type,
						   properties[property].name, NULL);
	if (!id || drmModeAtomicAddProperty(req, object, id, value) < 0) {
		fprintf(stderr, "kms-test: no property %s\n", properties[property].name);
		exit(2);
	}
}

void set_plane(struct rig *rig, drmModeAtomicReq *req, uint32_t plane, const struct buffer *buffer,
	       uint32_t src_x, uint32_t src_y, int x, int y, uint32_t width, uint32_t height)
{
	set(rig, req, plane, PLANE_FB_ID, buffer ? buffer->id : 0);
	set(rig, req, plane, PLANE_CRTC_ID, buffer ? rig->crtc : 0);
	set(rig, req, plane, PLANE_SRC_X, (uint64_t)src_x << 16);
	set(rig, req, plane, PLANE_SRC_Y, (uint64_t)src_y << 16);
	set(rig, req, plane, PLANE_SRC_W, (uint64_t)width << 16);
	set(rig, req, plane, PLANE_SRC_H, (uint64_t)height << 16);
	set(rig, req, plane, PLANE_CRTC_X, x);
	set(rig, req, plane, PLANE_CRTC_Y, y);
	set(rig, req, plane, PLANE_CRTC_W, width);
	set(rig, req, plane, PLANE_CRTC_H, height);
}

int commit(struct rig *rig, drmModeAtomicReq *req, uint32_t flags)
{
	int ret = drmModeAtomicCommit(rig->fd, req, flags, NULL);

	drmModeAtomicFree(req);
	return ret;
}

int rig_off(struct rig *rig)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();

	set_plane(rig, req, rig->primary, NULL, 0, 0, 0, 0, 0, 0);
	set_plane(rig, req, rig->cursor, NULL, 0, 0, 0, 0, 0, 0);
	set(rig, req, rig->crtc, CRTC_ACTIVE, 0);
	set(rig, req, rig->crtc, CRTC_MODE_ID, 0);
	set(rig, req, rig->crtc, CRTC_GAMMA_LUT, 0);
	set(rig, req, rig->connector, CONNECTOR_CRTC_ID, 0);
	return commit(rig, req, DRM_MODE_ATOMIC_ALLOW_MODESET);
}

int rig_show(struct rig *rig, const drmModeModeInfo *mode, const struct buffer *buffer)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	uint32_t blob;
	int ret;

	rig->mode = *mode;
	if (drmModeCreatePropertyBlob(rig->fd, mode, sizeof(*mode), &blob) != 0)
		return -errno;
	set(rig, req, rig->crtc, CRTC_MODE_ID, blob);
	set(rig, req, rig->crtc, CRTC_ACTIVE, 1);
	set(rig, req, rig->connector, CONNECTOR_CRTC_ID, rig->crtc);
	if (buffer)
		set_plane(rig, req, rig->primary, buffer, 0, 0, 0, 0, mode->hdisplay,
			  mode->vdisplay);
	ret = commit(rig, req, DRM_MODE_ATOMIC_ALLOW_MODESET);
	drmModeDestroyPropertyBlob(rig->fd, blob);
	return ret;
}

int buffer_dumb(struct rig *rig, struct buffer *buffer, uint32_t width, uint32_t height,
		uint32_t bpp)
{
	struct drm_mode_create_dumb create = { .width = width, .height = height, .bpp = bpp };
	struct drm_mode_map_dumb map = { 0 };

	memset(buffer, 0, sizeof(*buffer));
	if (drmIoctl(rig->fd, DRM_IOCTL_MODE_CREATE_DUMB, &create) != 0)
		return -errno;
	buffer->handle = create.handle;
	buffer->pitch = create.pitch;
	buffer->size = create.size;
	map.handle = create.handle;
	if (drmIoctl(rig->fd, DRM_IOCTL_MODE_MAP_DUMB, &map) != 0)
		return -errno;
	buffer->pixels =
		mmap(NULL, buffer->size, PROT_READ | PROT_WRITE, MAP_SHARED, rig->fd, map.offset);
	return buffer->pixels == MAP_FAILED ? -errno : 0;
}

int buffer_create(struct rig *rig, struct buffer *buffer, uint32_t width, uint32_t height,
		  uint32_t format, uint64_t modifier)
{
	uint32_t handles[4] = { 0 }, pitches[4] = { 0 }, offsets[4] = { 0 };
	uint32_t side = modifier == DRM_FORMAT_MOD_VIVANTE_SUPER_TILED ? 64 : 4;
	uint64_t modifiers[4] = { modifier };
	int ret;

	ret = buffer_dumb(rig, buffer, (width + side - 1) / side * side,
			  (height + side - 1) / side * side, pixel_format_find(format)->bits);
	if (ret)
		return ret;
	buffer->format = format;
	buffer->modifier = modifier;
	buffer->width = width;
	buffer->height = height;
	handles[0] = buffer->handle;
	pitches[0] = buffer->pitch;
	ret = drmModeAddFB2WithModifiers(rig->fd, width, height, format, handles, pitches, offsets,
					 modifiers, &buffer->id, DRM_MODE_FB_MODIFIERS);
	return ret ? -errno : 0;
}

void buffer_destroy(struct rig *rig, struct buffer *buffer)
{
	if (buffer->id)
		drmModeRmFB(rig->fd, buffer->id);
	if (buffer->pixels && buffer->pixels != MAP_FAILED)
		munmap(buffer->pixels, buffer->size);
	if (buffer->handle)
		drmCloseBufferHandle(rig->fd, buffer->handle);
	memset(buffer, 0, sizeof(*buffer));
}

bool wait_event(struct rig *rig, struct event *event)
{
	struct pollfd poll_fd = { .fd = rig->fd, .events = POLLIN };
	struct drm_event_vblank vblank;

	if (poll(&poll_fd, 1, EVENT_TIMEOUT_MS) != 1 ||
	    read(rig->fd, &vblank, sizeof(vblank)) != sizeof(vblank))
		return false;
	event->sequence = vblank.sequence;
	event->time_ns = vblank.tv_sec * 1000000000ull + vblank.tv_usec * 1000ull;
	return true;
}

int flip(struct rig *rig, const struct buffer *buffer, struct event *event)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	int ret;

	set(rig, req, rig->primary, PLANE_FB_ID, buffer->id);
	ret = commit(rig, req, DRM_MODE_PAGE_FLIP_EVENT | DRM_MODE_ATOMIC_NONBLOCK);
	if (ret)
		return ret;
	return wait_event(rig, event) ? 0 : -ETIME;
}

int crc_open(void)
{
	int fd = open(CRC_FOLDER "control", O_WRONLY);

	if (fd < 0 || write(fd, "auto", 4) != 4)
		return -1;
	close(fd);
	return open(CRC_FOLDER "data", O_RDONLY);
}

bool crc_read(int fd, uint32_t *frame, uint32_t *crc)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	char line[64];
	ssize_t size;

	if (poll(&poll_fd, 1, EVENT_TIMEOUT_MS) != 1)
		return false;
	size = read(fd, line, sizeof(line) - 1);
	if (size <= 0)
		return false;
	line[size] = 0;
	return sscanf(line, "%x %x", frame, crc) == 2;
}

static uint32_t now_sequence(struct rig *rig)
{
	uint64_t sequence = 0, ns;

	drmCrtcGetSequence(rig->fd, rig->crtc, &sequence, &ns);
	return sequence;
}

/* The checksum of frame N is that of the picture of frame N - 1. */
bool shown_crc(struct rig *rig, int fd, uint32_t *crc)
{
	uint32_t from = now_sequence(rig), frame;

	do {
		if (!crc_read(fd, &frame, crc))
			return false;
	} while ((int32_t)(frame - from) <= 0);
	return true;
}
