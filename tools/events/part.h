/* SPDX-License-Identifier: MIT */
/* What the pictures of a recording have in common: the part that is drawn, and the colours. */
#ifndef VIVGPU_TOOLS_PART_H
#define VIVGPU_TOOLS_PART_H

#include "recording.h"

/** The part of a recording that is drawn; CLOCK_MONOTONIC in ns */
struct part {
	uint64_t from_ns, to_ns;
};

/**
 * part_choose - choose the part to draw
 * @recording: the recording
 * @from_ms: from the recording's start; ignored if @length_ms is 0
 * @length_ms: length; with 0 the function chooses: the whole of a recording of up to 200 ms, 100 ms
 *	from the middle on of a longer one, where programs have usually finished starting
 */
struct part part_choose(const struct recording *recording, double from_ms, double length_ms);

/** part_ms - a time in ms from the recording's start */
double part_ms(const struct recording *recording, uint64_t time_ns);

/** part_color - the colour of a client's jobs as 0xrrggbb, the same in a recording's pictures */
unsigned int part_color(const struct recording *recording, uint64_t client);

/** part_lighter - the mean of a colour and white */
unsigned int part_lighter(unsigned int color);

#endif
