/* SPDX-License-Identifier: MIT */
/*
 * Common functions of the display tests: the device with its objects, buffers, atomic commits,
 * events, checksums of the scanned-out frames, and counting.
 */
#ifndef TESTS_KMS_RIG_H
#define TESTS_KMS_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include <drm_fourcc.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

/* A buffer with a framebuffer, mapped. */
struct buffer {
	uint32_t handle, id, format, width, height, pitch;
	uint64_t modifier, size;
	uint8_t *pixels;
};

struct event {
	uint32_t sequence;
	uint64_t time_ns;
};

struct rig {
	int fd;
	uint32_t crtc, connector, primary, cursor;
	drmModeConnector *monitor;
	drmModeModeInfo mode; /* what is set */
};

/** Properties that the tests set. */
enum property {
	CRTC_ACTIVE,
	CRTC_MODE_ID,
	CRTC_GAMMA_LUT,
	CRTC_OUT_FENCE_PTR,
	CONNECTOR_CRTC_ID,
	CONNECTOR_EDID,
	PLANE_FB_ID,
	PLANE_CRTC_ID,
	PLANE_SRC_X,
	PLANE_SRC_Y,
	PLANE_SRC_W,
	PLANE_SRC_H,
	PLANE_CRTC_X,
	PLANE_CRTC_Y,
	PLANE_CRTC_W,
	PLANE_CRTC_H,
	PLANE_IN_FENCE_FD,
};

/** rig_open - open the display and become its master; false (with a message) if there is none. */
bool rig_open(struct rig *rig);
void rig_close(struct rig *rig);

/** rig_mode - the monitor's mode of this size, or NULL. */
const drmModeModeInfo *rig_mode(const struct rig *rig, int width, int height);

/**
 * rig_blob - the blob of a connector's property, or NULL; free it with drmModeFreePropertyBlob().
 */
drmModePropertyBlobRes *rig_blob(const struct rig *rig, enum property property);

/** rig_off - turn everything off and reset all properties; 0 or -errno. */
int rig_off(struct rig *rig);

/**
 * rig_show - set a mode with a buffer that fills the screen, or without a plane if it is NULL, by
 * an atomic commit; 0 or -errno.
 */
int rig_show(struct rig *rig, const drmModeModeInfo *mode, const struct buffer *buffer);

/** buffer_create - a dumb buffer of whole tiles with a framebuffer; 0 or -errno. */
int buffer_create(struct rig *rig, struct buffer *buffer, uint32_t width, uint32_t height,
		  uint32_t format, uint64_t modifier);
void buffer_destroy(struct rig *rig, struct buffer *buffer);
/** buffer_dumb - a mapped dumb buffer without a framebuffer; 0 or -errno. */
int buffer_dumb(struct rig *rig, struct buffer *buffer, uint32_t width, uint32_t height,
		uint32_t bpp);

/** set - add a property to an atomic request. */
void set(struct rig *rig, drmModeAtomicReq *req, uint32_t object, enum property property,
	 uint64_t value);
/**
 * set_plane - add a plane's properties: the part of @buffer from @src_x, @src_y on is at @x, @y on
 * the screen, not scaled; NULL turns the plane off.
 */
void set_plane(struct rig *rig, drmModeAtomicReq *req, uint32_t plane, const struct buffer *buffer,
	       uint32_t src_x, uint32_t src_y, int x, int y, uint32_t width, uint32_t height);
/** commit - the request, which is freed; 0 or -errno. */
int commit(struct rig *rig, drmModeAtomicReq *req, uint32_t flags);

/** wait_event - the next flip's event; false after some seconds. */
bool wait_event(struct rig *rig, struct event *event);
/** flip - show another buffer and wait; 0 or -errno. */
int flip(struct rig *rig, const struct buffer *buffer, struct event *event);

/**
 * crc_open - enable checksums: the file to read them from, or -1; crc_read returns the next one and
 * its frame, false if none comes within some seconds.
 */
int crc_open(void);
bool crc_read(int fd, uint32_t *frame, uint32_t *crc);
/** shown_crc - checksum of what the screen shows now. */
bool shown_crc(struct rig *rig, int fd, uint32_t *crc);

/** expect - count a test; @format describes it. */
bool expect(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** counts - print the totals; returns true if no test failed. */
bool counts(void);
/** skip - count a skipped test, with the reason. */
void skip(const char *name, const char *reason);

void test_pictures(struct rig *rig);
void test_cursor(struct rig *rig);
void test_gamma(struct rig *rig);
void test_best(struct rig *rig);
void test_monitor(struct rig *rig);
void test_hotplug(struct rig *rig);
void test_flips(struct rig *rig);
void test_vsync(struct rig *rig);
void test_tearing(struct rig *rig);
void test_shown(struct rig *rig);
void test_off(struct rig *rig);
void test_refusals(struct rig *rig);
void test_fences(struct rig *rig);
void test_sharing(struct rig *rig);
void test_signals(struct rig *rig);
void test_sleep(struct rig *rig);
void test_records(struct rig *rig);
void test_deadlines(struct rig *rig);
/** test_fbdev - the emulated framebuffer device; ends with its totals; an exit status. */
int test_fbdev(void);
/** show_still - show two still pictures, for viewers of the card; returns an exit status. */
int show_still(struct rig *rig, const char *folder);
/** show_nothing - set a mode without a plane for @seconds; returns an exit status. */
int show_nothing(struct rig *rig, unsigned int seconds);
/** flip_on - flip for @seconds of CLOCK_MONOTONIC, or until a flip fails: an exit status, 0 too. */
int flip_on(struct rig *rig, unsigned int seconds);

#endif
