// SPDX-License-Identifier: MIT
/*
 * Flips: each takes one frame, its time is that of the frame, no frame shows parts of two pictures,
 * and records match. In real time only properties that do not depend on the machine's load are
 * checked; VIVGPU_TIME=virtual enables the others.
 */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <vivgpu_drm.h>

#include "reference.h"
#include "rig.h"

#define FLIPS 120
/* Each one calls the card's control program */
#define VSYNCS 6
/* In real time the place in the frame is read with this uncertainty, on a busy machine. */
#define REAL_UNCERTAINTY_NS 2000000
/* The step of the guest's clock: PARAM_TIME_QUANTUM. */
#define QUANTUM_NS 256
/* Two stamps, a pixel of at most 47 ns. */
#define VIRTUAL_UNCERTAINTY_NS (QUANTUM_NS + 47)
#define CARDCTL "build/card/vivgpu-cardctl"
#define RECORDS 512

static bool virtual_time(void)
{
	const char *time = getenv("VIVGPU_TIME");

	return time && !strcmp(time, "virtual");
}

static double uncertainty_ns(void)
{
	return virtual_time() ? VIRTUAL_UNCERTAINTY_NS : REAL_UNCERTAINTY_NS;
}

static double frame_ns(const struct rig *rig)
{
	return 1e6 * rig->mode.htotal * rig->mode.vtotal / rig->mode.clock;
}

static bool two_buffers(struct rig *rig, struct buffer buffers[2], int width, int height)
{
	const drmModeModeInfo *mode = rig_mode(rig, width, height);

	for (int i = 0; i < 2; i++) {
		if (!expect(!buffer_create(rig, &buffers[i], width, height, DRM_FORMAT_XRGB8888,
					   DRM_FORMAT_MOD_LINEAR),
			    "a buffer"))
			return false;
		memset(buffers[i].pixels, i ? 0x5a : 0xc3, buffers[i].size);
	}
	return expect(mode && !rig_show(rig, mode, &buffers[1]), "mode %dx%d", width, height);
}

/* Consecutive flips of one size; how far the worst is from a whole number of frames. */
static void test_pace(struct rig *rig, int width, int height)
{
	struct event event, last = { 0 };
	struct buffer buffers[2];
	unsigned int late = 0;
	double worst = 0;
	bool ok = true;

	if (!two_buffers(rig, buffers, width, height))
		return;
	for (int i = 0; i < FLIPS && ok; i++) {
		ok = !flip(rig, &buffers[i % 2], &event);
		if (i) {
			uint32_t frames = event.sequence - last.sequence;
			double off = event.time_ns - last.time_ns - frames * frame_ns(rig);

			late += frames != 1;
			worst = off < 0 ? (worst > -off ? worst : -off) : worst > off ? worst : off;
		}
		last = event;
	}
	expect(ok, "%d flips at %dx%d, %u of them late", FLIPS, width, height, late);
	/* The event has microseconds. */
	expect(worst <= uncertainty_ns() + 1000,
	       "stamps are whole frames apart (%.0f ns), worst error %.0f ns", frame_ns(rig),
	       worst);
	if (virtual_time())
		expect(!late, "60 Hz is kept");
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}

static uint64_t param(struct rig *rig, uint32_t name)
{
	struct drm_vivgpu_get_param get = { .param = name };

	return drmIoctl(rig->fd, DRM_IOCTL_VIVGPU_GET_PARAM, &get) ? 1 : get.value;
}

/* The next vertical blank of DRM_VIVGPU_PARAM_NEXT_VBLANK is one that a flip's time has. */
static void test_next_vblank(struct rig *rig)
{
	const drmModeModeInfo *mode = &rig->monitor->modes[0];
	double blank = 1e6 * (mode->vtotal - mode->vdisplay) * mode->htotal / mode->clock,
	       off = 1e9;
	uint64_t next, period;
	struct buffer buffers[2];
	struct event event;

	rig_off(rig);
	expect(!param(rig, DRM_VIVGPU_PARAM_NEXT_VBLANK) &&
		       !param(rig, DRM_VIVGPU_PARAM_VBLANK_PERIOD),
	       "no vertical blank of a display that is off");
	if (!two_buffers(rig, buffers, mode->hdisplay, mode->vdisplay))
		return;
	next = param(rig, DRM_VIVGPU_PARAM_NEXT_VBLANK);
	period = param(rig, DRM_VIVGPU_PARAM_VBLANK_PERIOD);
	/* Flips have the time of the first pixel after the blank. */
	if (!flip(rig, &buffers[0], &event))
		off = remainder((double)(int64_t)(event.time_ns - next) - blank, frame_ns(rig));
	expect(fabs(period - frame_ns(rig)) <= 1, "a vertical blank each %" PRIu64 " ns", period);
	expect(fabs(off) <= uncertainty_ns() + 1000, "the next one is known, %.0f ns off", off);
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}

void test_flips(struct rig *rig)
{
	const drmModeModeInfo *best = &rig->monitor->modes[0];
	int width = best->hdisplay, height = best->vdisplay;

	expect(best->type & DRM_MODE_TYPE_PREFERRED, "a preferred mode, %s", best->name);
	for (int i = 0; i < rig->monitor->count_modes; i++) {
		const drmModeModeInfo *mode = &rig->monitor->modes[i];

		if (i == 0 || mode->hdisplay != width || mode->vdisplay != height)
			test_pace(rig, mode->hdisplay, mode->vdisplay);
		width = mode->hdisplay;
		height = mode->vdisplay;
		rig_off(rig);
	}
	test_next_vblank(rig);
}

/* The card's own time of its last vertical sync. */
static bool card_vsync(uint64_t *ns)
{
	FILE *answer = popen(CARDCTL " display", "r");
	bool found = false;
	char line[256];

	while (answer && fgets(line, sizeof(line), answer))
		found |= sscanf(line, "vsync_ns %" SCNu64, ns) == 1;
	return answer && !pclose(answer) && found;
}

/*
 * Stamps are those of the card's vertical syncs, later by what is blank until the
 * first row. Other frames may begin between the two questions.
 */
static bool vsync_error(struct rig *rig, double first, double *error)
{
	double blank = 1e6 * (rig->mode.vtotal - rig->mode.vsync_start) * rig->mode.htotal /
		       rig->mode.clock;
	uint64_t sequence, stamp, card;

	if (drmCrtcGetSequence(rig->fd, rig->crtc, &sequence, &stamp) || !card_vsync(&card))
		return false;
	*error = remainder((double)(int64_t)(stamp - card) - blank - first, frame_ns(rig));
	return true;
}

/*
 * In virtual time card and guest have one clock, and a stamp is the card's to the
 * step of the guest's; in real time the clocks differ by a constant.
 */
static void check_vsync(struct rig *rig, const drmModeModeInfo *mode)
{
	double error = 0, least = 0, most = 0, first = 0;
	struct buffer buffers[2];
	struct event event;
	bool ok = true;

	if (!two_buffers(rig, buffers, mode->hdisplay, mode->vdisplay))
		return;
	for (int i = 0; i < VSYNCS && ok; i++) {
		ok = !flip(rig, &buffers[i % 2], &event) && vsync_error(rig, first, &error);
		if (i == 0 && !virtual_time()) {
			first = error;
			error = 0;
		}
		least = error < least ? error : least;
		most = error > most ? error : most;
	}
	if (virtual_time())
		ok = ok && -least <= QUANTUM_NS && most <= QUANTUM_NS;
	expect(ok && most - least <= REAL_UNCERTAINTY_NS,
	       "stamps of flips at %s are the card's: %.0f to %.0f ns off", mode->name, least,
	       most);
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}

void test_vsync(struct rig *rig)
{
	for (int i = 0; i < rig->monitor->count_modes; i++) {
		check_vsync(rig, &rig->monitor->modes[i]);
		rig_off(rig);
	}
}

/* Fill a buffer with a colour while the other one is shown. */
static uint32_t fill(struct buffer *buffer, uint32_t colour)
{
	const uint8_t rgb[3] = { colour >> 16, colour >> 8, colour };
	uint32_t *words = (uint32_t *)buffer->pixels, crc;
	struct screen screen;

	for (size_t i = 0; i < buffer->size / 4; i++)
		words[i] = colour;
	screen_create(&screen, buffer->width, buffer->height);
	for (uint32_t i = 0; i < buffer->width * buffer->height; i++)
		memcpy(screen.rgb + 3 * i, rgb, 3);
	crc = screen_crc(&screen);
	screen_free(&screen);
	return crc;
}

/* Draw into the hidden buffer, flip, and so on: every frame has one colour, in their order. */
void test_tearing(struct rig *rig)
{
	uint32_t crcs[FLIPS + 1], frame, crc, at = 0;
	struct buffer buffers[2];
	struct event event;
	bool ok = true;
	int fd;

	if (!two_buffers(rig, buffers, 640, 432))
		return;
	fd = crc_open();
	crcs[0] = fill(&buffers[1], 0);
	ok = shown_crc(rig, fd, &crc) && crc == crcs[0];
	for (int i = 1; i <= FLIPS / 4 && ok; i++) {
		crcs[i] = fill(&buffers[(i + 1) % 2], i * 0x081018);
		ok = !flip(rig, &buffers[(i + 1) % 2], &event);
		/* Frames up to this one's start show the pictures before. */
		do {
			ok = ok && crc_read(fd, &frame, &crc);
			while (ok && at < (uint32_t)i && crc != crcs[at])
				at++;
			ok = ok && crc == crcs[at];
		} while (ok && (int32_t)(frame - event.sequence) < 0);
	}
	expect(ok, "%d flips while drawing: no frame is torn or older than the last", FLIPS / 4);
	close(fd);
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}

static int open_stream(struct rig *rig)
{
	struct drm_vivgpu_stream_open args = {
		.types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_VBLANK) |
			 DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_FLIP),
		.record_size = sizeof(struct drm_vivgpu_record),
	};

	return drmIoctl(rig->fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args) ? -errno : args.fd;
}

/*
 * Time from the vertical sync pulse, which is in records, to the first pixel, which is DRM's time;
 * ns.
 */
static int64_t sync_ns(const struct rig *rig)
{
	const drmModeModeInfo *mode = &rig->mode;

	return 1000000ll * (mode->vtotal - mode->vsync_start) * mode->htotal / mode->clock;
}

/* Whether each flip has a record, at the vertical sync before the time of its event. */
static unsigned int find_flips(const struct rig *rig, const struct drm_vivgpu_record *records,
			       size_t count, const struct event *events, const uint32_t *ids,
			       int flips)
{
	unsigned int found = 0;
	size_t r = 0;

	for (int i = 0; i < flips; i++) {
		while (r < count && (records[r].type != DRM_VIVGPU_RECORD_FLIP ||
				     (uint32_t)records[r].vblank != events[i].sequence))
			r++;
		found += r < count && records[r].fb == ids[i] && records[r].crtc == 0 &&
			 records[r].client &&
			 (records[r].time_ns + sync_ns(rig)) / 1000 == events[i].time_ns / 1000;
	}
	return found;
}

/* Records of frames follow one another at the mode's pace. */
static void check_frames(struct rig *rig, const struct drm_vivgpu_record *records, size_t count)
{
	const struct drm_vivgpu_record *first = NULL, *last = NULL;
	double worst = 0;
	size_t frames = 0;

	for (size_t i = 0; i < count; i++) {
		if (records[i].type != DRM_VIVGPU_RECORD_VBLANK)
			continue;
		last = &records[i];
		if (!first)
			first = last;
		double off = last->time_ns - first->time_ns -
			     (last->vblank - first->vblank) * frame_ns(rig);

		worst = off > worst ? off : -off > worst ? -off : worst;
		frames++;
	}
	expect(frames >= FLIPS && worst <= uncertainty_ns(),
	       "%zu records of frames, worst error %.0f ns", frames, worst);
}

void test_records(struct rig *rig)
{
	static struct drm_vivgpu_record records[RECORDS];
	struct event events[FLIPS];
	struct buffer buffers[2];
	uint32_t ids[FLIPS];
	ssize_t size;
	int fd;

	if (!two_buffers(rig, buffers, 640, 432))
		return;
	fd = open_stream(rig);
	if (!expect(fd >= 0, "a stream of records"))
		return;
	for (int i = 0; i < FLIPS; i++) {
		ids[i] = buffers[i % 2].id;
		if (flip(rig, &buffers[i % 2], &events[i]))
			expect(false, "flip %d", i);
	}
	size = read(fd, records, sizeof(records));
	size = size < 0 ? 0 : size / (ssize_t)sizeof(records[0]);
	expect(find_flips(rig, records, size, events, ids, FLIPS) == FLIPS,
	       "%d flips have their records", FLIPS);
	check_frames(rig, records, size);
	close(fd);
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

int flip_on(struct rig *rig, unsigned int seconds)
{
	uint64_t end = now_ns() + seconds * 1000000000ull;
	struct buffer buffers[2];
	struct event event;
	unsigned int count = 0;
	int ret = 0;

	if (!two_buffers(rig, buffers, 640, 432))
		return 1;
	while (!ret && now_ns() < end) {
		ret = flip(rig, &buffers[count % 2], &event);
		count += !ret;
	}
	printf("%u flips, then %s\n", count, ret ? strerror(-ret) : "done");
	return 0;
}
