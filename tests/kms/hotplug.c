// SPDX-License-Identifier: MIT
/*
 * Hot-plug of the monitor: after a command to the card the kernel sends a uevent, and the
 * connector has the status and the modes of the new monitor, in which a picture can be shown.
 */

#include <linux/netlink.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "reference.h"
#include "rig.h"

#define CARDCTL "build/card/vivgpu-cardctl"
#define KERNEL_EVENTS 1 /* the multicast group of the kernel's uevents */

/* The driver polls every ten seconds. */
#define LONGEST_WAIT_MS 25000

static int open_uevents(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_EVENTS };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Whether a uevent, which is a sequence of strings, has all of @words. */
static bool has(const char *event, size_t size, const char *const words[], size_t count)
{
	size_t found = 0;

	for (const char *at = event; at < event + size; at += strlen(at) + 1)
		for (size_t i = 0; i < count; i++)
			found += !strcmp(at, words[i]);
	return found == count;
}

static bool wait_hotplug(int fd)
{
	static const char *const words[] = { "ACTION=change", "SUBSYSTEM=drm", "HOTPLUG=1" };
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	char event[4096];

	while (poll(&poller, 1, LONGEST_WAIT_MS) == 1) {
		ssize_t size = recv(fd, event, sizeof(event) - 1, 0);

		if (size <= 0)
			return false;
		event[size] = '\0';
		if (has(event, size, words, 3))
			return true;
	}
	return false;
}

/* Replace the rig's monitor by the one that the kernel detects now. */
static bool change(struct rig *rig, int events, const char *monitor)
{
	char command[64];

	snprintf(command, sizeof(command), CARDCTL " monitor %s", monitor);
	if (!expect(!system(command), "monitor %s", monitor) ||
	    !expect(wait_hotplug(events), "%s: a uevent", monitor))
		return false;
	drmModeFreeConnector(rig->monitor);
	rig->monitor = drmModeGetConnector(rig->fd, rig->connector);
	return expect(rig->monitor, "%s: the connector", monitor);
}

static void expect_monitor(struct rig *rig, int width, int height)
{
	const drmModeConnector *monitor = rig->monitor;
	const drmModeModeInfo *mode = monitor->count_modes ? &monitor->modes[0] : NULL;

	expect(monitor->connection == DRM_MODE_CONNECTED, "it is connected");
	expect(mode && mode->hdisplay == width && mode->vdisplay == height &&
		       mode->type & DRM_MODE_TYPE_PREFERRED,
	       "it prefers %dx%d", width, height);
}

static void expect_black(struct rig *rig, int width, int height)
{
	const drmModeModeInfo *mode = rig_mode(rig, width, height);
	struct screen black;
	struct buffer buffer;
	uint32_t got = 0;
	int crcs;

	if (!expect(mode && !buffer_create(rig, &buffer, width, height, DRM_FORMAT_XRGB8888,
					   DRM_FORMAT_MOD_LINEAR),
		    "a buffer of %dx%d", width, height))
		return;
	screen_create(&black, width, height);
	if (expect(!rig_show(rig, mode, &buffer), "its mode is set")) {
		crcs = crc_open();
		expect(shown_crc(rig, crcs, &got) && got == screen_crc(&black), "it is shown");
		close(crcs);
	}
	screen_free(&black);
	rig_off(rig);
	buffer_destroy(rig, &buffer);
}

void test_hotplug(struct rig *rig)
{
	int events = open_uevents();

	if (!expect(events >= 0, "uevents"))
		return;
	if (change(rig, events, "none"))
		expect(rig->monitor->connection == DRM_MODE_DISCONNECTED &&
			       rig->monitor->count_modes == 0,
		       "it is disconnected and has no modes");
	if (change(rig, events, "1920x1080")) {
		expect_monitor(rig, 1920, 1080);
		expect_black(rig, 1920, 1080);
	}
	/* without an unplugged state in between */
	if (change(rig, events, "640x432")) {
		expect_monitor(rig, 640, 432);
		expect(!rig_mode(rig, 1920, 1080), "1920x1080 is no longer offered");
	}
	/* The monitor that the card had at first, for the tests after this one */
	if (change(rig, events, "1280x720"))
		expect_monitor(rig, 1280, 720);
	close(events);
}
