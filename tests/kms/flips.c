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
#define OFFS 20
/* Each one calls the card's control program */
#define VSYNCS 6
/* In real time half of the stamps are known so well, also on a busy machine. */
#define REAL_UNCERTAINTY_NS 2000000
/* The step of the guest's clock: PARAM_TIME_QUANTUM. */
#define QUANTUM_NS 256
/* Of the difference of two stamps: a step of the clock, and a pixel, which takes 47 ns at most. */
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

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * The error that counts, of at least one; sorts them. In virtual time it is the largest. In real
 * time it is the median: the driver asks the card for its place in the frame, and a stamp is wrong
 * by as long as the card waits for a processor meanwhile.
 */
static double judged(double *errors, unsigned int count)
{
	qsort(errors, count, sizeof(*errors), compare_doubles);
	return errors[virtual_time() ? count - 1 : count / 2];
}

/* How far times are from their median; changes them. */
static double deviation(double *times, unsigned int count)
{
	double middle;

	if (!count)
		return INFINITY;
	qsort(times, count, sizeof(*times), compare_doubles);
	middle = times[count / 2];
	for (unsigned int i = 0; i < count; i++)
		times[i] = fabs(times[i] - middle);
	return judged(times, count);
}

/* Two buffers that differ; the mode of their size is set with the second, so flips begin at [0]. */
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

/* Consecutive flips of one size; how far they are from whole numbers of frames after the first. */
static void test_pace(struct rig *rig, int width, int height)
{
	struct event event, first = { 0 }, last = { 0 };
	double errors[FLIPS], off;
	struct buffer buffers[2];
	unsigned int late = 0;
	bool ok = true;

	if (!two_buffers(rig, buffers, width, height))
		return;
	for (int i = 0; i < FLIPS && ok; i++) {
		ok = !flip(rig, &buffers[i % 2], &event);
		if (!i)
			first = event;
		else
			late += event.sequence - last.sequence != 1;
		last = event;
		errors[i] = (double)(int64_t)(event.time_ns - first.time_ns) -
			    (event.sequence - first.sequence) * frame_ns(rig);
	}
	expect(ok, "%d flips at %dx%d, %u of them late", FLIPS, width, height, late);
	off = ok ? deviation(errors, FLIPS) : INFINITY;
	/* The event has microseconds. */
	expect(off <= uncertainty_ns() + 1000,
	       "stamps are whole frames apart (%.0f ns), error %.0f ns", frame_ns(rig), off);
	if (virtual_time())
		expect(!late, "60 Hz is kept");
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}

/* A parameter of the driver; 1, which no test expects, if there is none. */
static uint64_t param(struct rig *rig, uint32_t name)
{
	struct drm_vivgpu_get_param get = { .param = name };

	return drmIoctl(rig->fd, DRM_IOCTL_VIVGPU_GET_PARAM, &get) ? 1 : get.value;
}

/* The next vertical blank of DRM_VIVGPU_PARAM_NEXT_VBLANK is one that a flip's time has. */
static void test_next_vblank(struct rig *rig)
{
	const drmModeModeInfo *mode = &rig->monitor->modes[0];
	double blank = 1e6 * (mode->vtotal - mode->vdisplay) * mode->htotal / mode->clock;
	double errors[VSYNCS], off;
	struct buffer buffers[2];
	struct event event;
	uint64_t next, period;
	bool ok = true;

	rig_off(rig);
	expect(!param(rig, DRM_VIVGPU_PARAM_NEXT_VBLANK) &&
		       !param(rig, DRM_VIVGPU_PARAM_VBLANK_PERIOD),
	       "no vertical blank of a display that is off");
	if (!two_buffers(rig, buffers, mode->hdisplay, mode->vdisplay))
		return;
	period = param(rig, DRM_VIVGPU_PARAM_VBLANK_PERIOD);
	for (int i = 0; i < VSYNCS && ok; i++) {
		next = param(rig, DRM_VIVGPU_PARAM_NEXT_VBLANK);
		ok = !flip(rig, &buffers[i % 2], &event);
		/* Flips have the time of the first pixel after the blank. */
		errors[i] = fabs(
			remainder((double)(int64_t)(event.time_ns - next) - blank, frame_ns(rig)));
	}
	off = ok ? judged(errors, VSYNCS) : INFINITY;
	expect(fabs(period - frame_ns(rig)) <= 1, "a vertical blank each %" PRIu64 " ns", period);
	/* Two stamps, and the event has microseconds. */
	expect(off <= 2 * uncertainty_ns() + 1000, "the next one is known, %.0f ns off", off);
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
static bool vsync_error(struct rig *rig, double *error)
{
	double blank = 1e6 * (rig->mode.vtotal - rig->mode.vsync_start) * rig->mode.htotal /
		       rig->mode.clock;
	uint64_t sequence, stamp, card;

	if (drmCrtcGetSequence(rig->fd, rig->crtc, &sequence, &stamp) || !card_vsync(&card))
		return false;
	*error = remainder((double)(int64_t)(stamp - card) - blank, frame_ns(rig));
	return true;
}

/*
 * How far errors of VSYNCS stamps are from that of the best one. A frame more or less is no
 * difference.
 */
static double difference(const double *errors, double frame)
{
	double off[VSYNCS], least = INFINITY;

	for (int i = 0; i < VSYNCS; i++) {
		for (int j = 0; j < VSYNCS; j++)
			off[j] = fabs(remainder(errors[j] - errors[i], frame));
		least = fmin(least, judged(off, VSYNCS));
	}
	return least;
}

/*
 * In virtual time card and guest have one clock, and a stamp is the card's to the
 * step of the guest's; in real time the clocks differ by a constant.
 */
static void check_vsync(struct rig *rig, const drmModeModeInfo *mode)
{
	double errors[VSYNCS], off;
	struct buffer buffers[2];
	struct event event;
	bool ok = true;

	if (!two_buffers(rig, buffers, mode->hdisplay, mode->vdisplay))
		return;
	for (int i = 0; i < VSYNCS && ok; i++)
		ok = !flip(rig, &buffers[i % 2], &event) && vsync_error(rig, &errors[i]);
	if (!ok) {
		off = INFINITY;
	} else if (virtual_time()) {
		for (int i = 0; i < VSYNCS; i++)
			errors[i] = fabs(errors[i]);
		off = judged(errors, VSYNCS);
	} else {
		off = difference(errors, frame_ns(rig));
	}
	expect(off <= (virtual_time() ? QUANTUM_NS : REAL_UNCERTAINTY_NS),
	       "stamps of flips at %s are the card's, %.0f ns off", mode->name, off);
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

/* Fill a buffer with a colour while the other one is shown. Returns its frame's checksum. */
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

/* Checksums of the frames after the one in a flip's event are of its picture, one for a frame. */
void test_shown(struct rig *rig)
{
	uint32_t frame, shown, last = 0, crc = 0;
	int fd, flips = 0, repeated = 0;
	struct buffer buffers[2];
	struct event event;
	bool ok = true;

	if (!two_buffers(rig, buffers, 640, 432))
		return;
	fd = crc_open();
	while (flips < FLIPS / 4 && ok) {
		shown = fill(&buffers[flips % 2], (flips + 1) * 0x081018);
		ok = !flip(rig, &buffers[flips % 2], &event);
		do {
			ok = ok && crc_read(fd, &frame, &crc);
			repeated += ok && frame == last;
			last = frame;
		} while (ok && (int32_t)(frame - event.sequence) <= 0);
		ok = ok && crc == shown;
		flips += ok;
	}
	expect(flips == FLIPS / 4, "%d of %d flips are shown in the frame of their event", flips,
	       FLIPS / 4);
	expect(!repeated, "no frame has two checksums");
	close(fd);
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}

/* The display is turned off while checksums are read and an interrupt may be handled. */
void test_off(struct rig *rig)
{
	const drmModeModeInfo *mode = rig_mode(rig, 640, 432);
	struct buffer buffers[2];
	uint32_t frame, crc;
	int shown = 0;

	if (!two_buffers(rig, buffers, 640, 432))
		return;
	for (int i = 0; i < OFFS; i++) {
		int fd = crc_open();

		shown += fd >= 0 && crc_read(fd, &frame, &crc);
		rig_off(rig);
		close(fd);
		if (rig_show(rig, mode, &buffers[i % 2]))
			break;
	}
	expect(shown == OFFS, "turned off %d times of %d", shown, OFFS);
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

/* How many flips have a record, at the vertical sync before the time of their event. */
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

/* Records of frames follow one another at the mode's pace, one for a frame. */
static void check_frames(struct rig *rig, const struct drm_vivgpu_record *records, size_t count)
{
	const struct drm_vivgpu_record *first = NULL, *last = NULL;
	static double errors[RECORDS];
	size_t frames = 0, repeated = 0;
	double off;

	for (size_t i = 0; i < count; i++) {
		if (records[i].type != DRM_VIVGPU_RECORD_VBLANK)
			continue;
		if (!first)
			first = &records[i];
		repeated += last && last->vblank == records[i].vblank;
		last = &records[i];
		errors[frames++] = (double)(int64_t)(records[i].time_ns - first->time_ns) -
				   (records[i].vblank - first->vblank) * frame_ns(rig);
	}
	off = deviation(errors, frames);
	expect(frames >= FLIPS && off <= uncertainty_ns(), "%zu records of frames, error %.0f ns",
	       frames, off);
	expect(!repeated, "no frame has two records");
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

int show_nothing(struct rig *rig, unsigned int seconds)
{
	int ret = rig_show(rig, &rig->monitor->modes[0], NULL);

	if (ret)
		printf("nothing can be shown: %s\n", strerror(-ret));
	sleep(ret ? 0 : seconds);
	return ret ? 1 : 0;
}
