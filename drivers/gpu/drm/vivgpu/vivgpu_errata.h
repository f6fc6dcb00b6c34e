/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_ERRATA_H_
#define _VIVGPU_ERRATA_H_

#include <linux/types.h>

struct vivgpu_identity;

/**
 * struct vivgpu_erratum - a change of a register that some cores need after a reset
 * @reg: the register
 * @clear: bits that are cleared
 * @set: bits that are set then
 * @model: the model, 0 for all
 * @first: first revision
 * @last: last revision
 * @feature: minor feature word, from 0 on, of the two masks
 * @has: bits of it that the core must all have, 0 for none
 * @lacks: bits of which the core must have none
 * @source: where it is from
 */
struct vivgpu_erratum {
	u16 reg;
	u32 clear;
	u32 set;
	u32 model;
	u32 first;
	u32 last;
	u8 feature;
	u32 has;
	u32 lacks;
	const char *source;
};

bool vivgpu_errata_apply(const struct vivgpu_identity *id, u16 reg, u32 *value);
const struct vivgpu_erratum *vivgpu_errata_next(const struct vivgpu_identity *id,
						const struct vivgpu_erratum *after);

#endif
