/* SPDX-License-Identifier: MIT */
/* The driver's admission test, judged by the oracle. */
#ifndef ADMISSION_H
#define ADMISSION_H

#include <linux/types.h>

/**
 * struct admission_judgement - of many sets
 * @sets: how many
 * @admitted: of these, how many the driver admits
 * @broken: of the admitted ones, how many the oracle breaks with the blocking that the driver found
 * @tight: of the admitted ones, how many the oracle breaks with a blocking that is a unit longer
 *	(not tried where the driver found the longest that it ever permits)
 * @harmless: sets that the oracle does not break with the least blocking
 * @refused: of these, how many the driver refuses
 * @states: that the oracle visited
 */
struct admission_judgement {
	u32 sets;
	u32 admitted;
	u32 broken;
	u32 tight;
	u32 harmless;
	u32 refused;
	u64 states;
};

void admission_judge(u32 sets, u32 tasks, u64 recovery_ns, struct admission_judgement *sum);

#endif
