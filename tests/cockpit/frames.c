// SPDX-License-Identifier: MIT

#include "frames.h"

#include <inttypes.h>
#include <stdlib.h>

#define NS_PER_MS 1e6

/**
 * frames_add - add a frame
 * @frames: the client's frames
 * @begun_ns: when the client began it
 * @ended_ns: when the GPU had finished it
 * @late: it missed its period
 */
void frames_add(struct frames *frames, uint64_t begun_ns, uint64_t ended_ns, bool late)
{
	frames->total++;
	frames->late += late;
	if (frames->count < MAX_FRAMES)
		frames->list[frames->count++] = (struct frame){ begun_ns, ended_ns, late };
}

static double length_ms(const struct frame *frame)
{
	return (frame->ended_ns - frame->begun_ns) / NS_PER_MS;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/**
 * frames_percentile_ms - the time of the frame at a share of their order by time
 * @frames: the frames
 * @percent: the share, rounded down to a frame; 100 gives the longest
 *
 * Return: ms from begin to end; 0 without frames or memory.
 */
double frames_percentile_ms(const struct frames *frames, double percent)
{
	double *lengths = malloc(frames->count * sizeof(*lengths)), result = 0;

	for (uint32_t i = 0; lengths && i < frames->count; i++)
		lengths[i] = length_ms(&frames->list[i]);
	if (lengths && frames->count) {
		qsort(lengths, frames->count, sizeof(*lengths), compare);
		result = lengths[(uint32_t)(percent / 100 * (frames->count - 1))];
	}
	free(lengths);
	return result;
}

/**
 * frames_mean_ms - the mean time of a frame
 * @frames: the frames
 *
 * Return: ms from begin to end; 0 without frames.
 */
double frames_mean_ms(const struct frames *frames)
{
	double sum = 0;

	for (uint32_t i = 0; i < frames->count; i++)
		sum += length_ms(&frames->list[i]);
	return frames->count ? sum / frames->count : 0;
}

/**
 * frames_print - write a line "client,begun_ms,time_ms,late" for each frame
 * @frames: the frames
 * @client: the client's name
 * @start_ns: from which times are counted
 * @csv: where
 */
void frames_print(const struct frames *frames, const char *client, uint64_t start_ns, FILE *csv)
{
	for (uint32_t i = 0; i < frames->count; i++) {
		const struct frame *frame = &frames->list[i];

		fprintf(csv, "%s,%.4f,%.4f,%d\n", client,
			((double)frame->begun_ns - start_ns) / NS_PER_MS, length_ms(frame),
			frame->late);
	}
}
