// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Errata
 *
 * What registers a core needs after a reset, by model, revision and features: clock gating, the
 * "pulse eater" (a divider of the clock), attributes of bus accesses. Vivante's documents are not
 * public; the rows are what etnaviv does, whose functions are named as their sources. It gives no
 * names to the bits that are called UNKNOWN here.
 *
 * The rows of a register are applied from the first to the last to the value that it has.
 * Registers without a row for a core are not accessed.
 *
 * The functions are pure.
 */

#include <linux/array_size.h>
#include <linux/bitfield.h>
#include <linux/export.h>
#include <linux/limits.h>

#include <kunit/visibility.h>

#include "vivgpu_device.h"
#include "vivgpu_errata.h"
#include "vivgpu_regs.h"

#define ANY_MODEL	0
#define ALL_REVISIONS	.first = 0, .last = U32_MAX

#define FROM_MLCG	.source = "etnaviv_gpu_enable_mlcg()"
#define FROM_INIT	.source = "etnaviv_gpu_hw_init()"
#define FROM_PULSE	.source = "etnaviv_gpu_setup_pulse_eater()"

static const struct vivgpu_erratum vivgpu_errata_rows[] = {
	/* Clock gating of modules, and what is not gated. */
	{ PM_POWER_CONTROLS, 0, PM_POWER_CONTROLS_CLOCK_GATING, ANY_MODEL, ALL_REVISIONS,
	  FROM_MLCG },
	{ PM_POWER_CONTROLS, 0, PM_POWER_CONTROLS_NO_STALL_GATING, ANY_MODEL, 0x4301, 0x4302,
	  FROM_MLCG },
	/* The PA without BUG_FIXES12, but for the GC420. Models below the GC400 have no 3D pipe. */
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_PA, ANY_MODEL, ALL_REVISIONS,
	  .feature = 3, .lacks = MINOR_FEATURE_3_BUG_FIXES12, FROM_MLCG },
	{ PM_MODULE_CONTROLS, PM_MODULE_CONTROLS_NO_PA, 0, 0x420, ALL_REVISIONS, FROM_MLCG },
	/* The PE with HZ below revision 5.0.0.0, unless it has the fix. */
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_PE, ANY_MODEL, 0, 0x4fff,
	  .feature = 0, .has = MINOR_FEATURE_0_HZ, FROM_MLCG },
	{ PM_MODULE_CONTROLS, PM_MODULE_CONTROLS_NO_PE, 0, ANY_MODEL, 0, 0x4fff,
	  .feature = 1, .has = MINOR_FEATURE_1_DISABLE_PE_GATING, FROM_MLCG },
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_UNKNOWN15, ANY_MODEL, 0, 0x5421,
	  FROM_MLCG },
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_TX, 0x2000, 0x5108, 0x5108,
	  FROM_MLCG },
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_TX, 0x4000, 0x5222, 0x5222,
	  FROM_MLCG },
	/* NXP's A-050121 for the first, ERR050226 for the second. */
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_TX | PM_MODULE_CONTROLS_NO_SE |
		PM_MODULE_CONTROLS_NO_RA, 0x7000, 0x6202, 0x6202, FROM_MLCG },
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_TX, 0x7000, 0x6203, 0x6203,
	  FROM_MLCG },
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_SH_EU, 0x8000, 0x7200, 0x7200,
	  FROM_MLCG },
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_SH_EU, 0x8000, 0x8002, 0x8002,
	  FROM_MLCG },
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_SH_EU, 0x9200, 0x6304, 0x6304,
	  FROM_MLCG },
	{ PM_MODULE_CONTROLS, 0, PM_MODULE_CONTROLS_NO_RA_HZ | PM_MODULE_CONTROLS_NO_RA_EZ,
	  ANY_MODEL, ALL_REVISIONS, FROM_MLCG },

	/* "Cacheable, no allocate": otherwise the i.MX6 locks up. */
	{ HI_AXI_CONFIG, U32_MAX, HI_AXI_CONFIG_VALUE, ANY_MODEL, ALL_REVISIONS, FROM_INIT },
	{ MC_BUS_CONFIG, MC_BUS_CONFIG_FE | MC_BUS_CONFIG_TX, FIELD_PREP_CONST(MC_BUS_CONFIG_FE, 1),
	  0x2000, 0x5108, 0x5108, FROM_INIT },

	{ PM_PULSE_EATER, U32_MAX, PM_PULSE_EATER_UNREADABLE, ANY_MODEL, 0, 0x5420, FROM_PULSE },
	{ PM_PULSE_EATER, PM_PULSE_EATER_UNKNOWN16, PM_PULSE_EATER_UNKNOWN17, 0x1000,
	  0x5039, 0x5040, FROM_PULSE },
	{ PM_PULSE_EATER, 0, PM_PULSE_EATER_UNKNOWN23, 0x4000, 0x5208, 0x5208, FROM_PULSE },
	{ PM_PULSE_EATER, 0, PM_PULSE_EATER_UNKNOWN23, 0x4000, 0x5222, 0x5222, FROM_PULSE },
	/*
	 * Performance: no scaling of the clock that the core does by itself. The reset sets
	 * DISABLE, which a soft reset does not clear on all cores (etnaviv's mailing list,
	 * 2025-11-21).
	 */
	{ PM_PULSE_EATER, PM_PULSE_EATER_DISABLE, PM_PULSE_EATER_NO_INTERNAL_DFS, ANY_MODEL,
	  0x5421, U32_MAX, FROM_PULSE },
};

static bool vivgpu_errata_applies(const struct vivgpu_identity *id,
				  const struct vivgpu_erratum *row)
{
	u32 word = id->features[1 + row->feature];

	return (row->model == ANY_MODEL || row->model == id->model) &&
	       id->revision >= row->first && id->revision <= row->last &&
	       (word & row->has) == row->has && !(word & row->lacks);
}

/**
 * vivgpu_errata_next - iterate over the errata of a core
 * @id: the core
 * @after: the erratum that was returned before, or NULL
 *
 * Return: the next one, or NULL.
 */
const struct vivgpu_erratum *vivgpu_errata_next(const struct vivgpu_identity *id,
						const struct vivgpu_erratum *after)
{
	const struct vivgpu_erratum *row = after ? after + 1 : vivgpu_errata_rows;

	for (; row < vivgpu_errata_rows + ARRAY_SIZE(vivgpu_errata_rows); row++) {
		if (vivgpu_errata_applies(id, row))
			return row;
	}

	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_errata_next);

/**
 * vivgpu_errata_apply - compute what a register has to be after a reset
 * @id: the core
 * @reg: the register
 * @value: its value; receives the new one
 *
 * Return: whether a row of the table is about this register and this core.
 */
bool vivgpu_errata_apply(const struct vivgpu_identity *id, u16 reg, u32 *value)
{
	const struct vivgpu_erratum *row = NULL;
	bool found = false;

	while ((row = vivgpu_errata_next(id, row))) {
		if (row->reg != reg)
			continue;
		*value = (*value & ~row->clear) | row->set;
		found = true;
	}

	return found;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_errata_apply);
