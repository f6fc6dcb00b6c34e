/* SPDX-License-Identifier: MIT */
/* Random walks of the model of the rules, replayed with the driver's arbiter. */
#ifndef REPLAY_H
#define REPLAY_H

#include "model.h"

/**
 * struct replay_totals - of many walks
 * @walks: how many
 * @steps: their events
 * @decisions: whether a job enters the ring, or is ended
 * @stricter: of these, how often the arbiter did not let a job enter, or ended one, by its estimate of the slack
 * @cut: walks that ended before their last step, since the model does not have the arbiter's state
 * @absent: walks that ended since the model keeps room for a reservation that is given back
 * @diverged: walks in which the arbiter decided otherwise, or a frame was late
 */
struct replay_totals {
	uint64_t walks, steps, decisions, stricter, cut, absent, diverged;
};

uint32_t replay_order(uint32_t walks, int flags, uint64_t *decisions);
void replay_walks(const struct model *model, uint64_t seed, uint32_t walks, bool print,
		  struct replay_totals *sum);

#endif
