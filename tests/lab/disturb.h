/* SPDX-License-Identifier: MIT */
/*
 * Errors of measurement that the thesis had on silicon (6.4, 7.2, 7.3), added to recorded results, which have none: in
 * virtual time no handler is late and no clock changes.
 */
#ifndef VIVGPU_LAB_DISTURB_H
#define VIVGPU_LAB_DISTURB_H

#include <stdbool.h>
#include <stdint.h>

#include "vivgpu_group.h"

struct disturbance {
	/*
	 * Interrupts that come late, one in DISTURB_LATE_OF: by up to DISTURB_LATE_NS, the worst of 7.2.2. Groups that
	 * have ended until the handler runs get the same stamp, so they take no time (6.4, 7.3).
	 */
	bool late;
	/* Other masters of the bus: a group's time differs by up to half of DISTURB_BUS_NS; that of one shorter than
	 * DISTURB_BUS_GROUP_NS by less in proportion to its length (7.3: 30 us of a swap). */
	bool bus;
	/* The core's clock is whole for DISTURB_CLOCK_GROUPS groups, then halved for as many, and so on. */
	bool clock;
	/* Which sequence of numbers decides on late and bus. */
	uint32_t sequence;

	/*
	 * State: groups so far; when the last one ended in the recording, when it ended with the disturbance, and the
	 * stamp that its handler took then.
	 */
	uint64_t groups;
	uint64_t recorded_end_ns, true_end_ns, seen_end_ns;
};

#define DISTURB_LATE_NS 477000
#define DISTURB_LATE_OF 50
#define DISTURB_BUS_NS 30000
#define DISTURB_BUS_GROUP_NS 700000
#define DISTURB_CLOCK_GROUPS 100

/** disturb_named - add the disturbance with a name: late, bus, clock; false if there is none */
bool disturb_named(struct disturbance *disturbance, const char *name);

/** disturb_restarted - the same disturbance, with the same sequence, before its first group */
struct disturbance disturb_restarted(const struct disturbance *disturbance);

/**
 * disturb - change stamps and cycles of a result as if it had been measured with the disturbance
 * @result: results are given in the order in which the groups ended, with the recorded stamps
 *
 * Returns: how long the group really took then, in ns; negative if the recording does not tell.
 */
double disturb(struct disturbance *disturbance, struct vivgpu_group_result *result);

#endif
