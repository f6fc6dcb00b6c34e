// SPDX-License-Identifier: GPL-2.0-only
/* KUnit tests of the table of errata. */

#include <kunit/test.h>

#include <linux/bits.h>
#include <linux/limits.h>

#include "../vivgpu_device.h"
#include "../vivgpu_errata.h"
#include "../vivgpu_regs.h"

static const u16 registers[] = {
	PM_POWER_CONTROLS, PM_MODULE_CONTROLS, HI_AXI_CONFIG, MC_BUS_CONFIG, PM_PULSE_EATER,
};

/* What the registers of a core become; those that are not accessed have @before */
struct errata_case {
	const char *name;
	struct vivgpu_identity id;
	u32 before;
	u32 values[ARRAY_SIZE(registers)];
};

static const struct errata_case errata_cases[] = {
	{ "GC880 r5106", { .model = 0x880, .revision = 0x5106 }, 0,
	  { 0x1, 0x38010, 0x2200, 0, 0x01590880 } },
	{ "GC2000 r5108", { .model = 0x2000, .revision = 0x5108 }, 0,
	  { 0x1, 0x38090, 0x2200, 0x1, 0x01590880 } },
	{ "other bits are kept", { .model = 0x2000, .revision = 0x5108 }, U32_MAX,
	  { U32_MAX, U32_MAX, 0x2200, 0xffffff01, 0x01590880 } },
	{ "GC3000 r5450", { .model = 0x3000, .revision = 0x5450,
			    .features[4] = MINOR_FEATURE_3_BUG_FIXES12 }, 0x00110000,
	  { 0x110001, 0x130000, 0x2200, 0x00110000, 0x00150000 } },
	{ "the reset's DISABLE goes", { .model = 0x3000, .revision = 0x5450,
					.features[4] = MINOR_FEATURE_3_BUG_FIXES12 }, 0x015b0881,
	  { 0x015b0881, 0x015b0881, 0x2200, 0x015b0881, 0x015f0880 } },
	{ "GC7000 r6202", { .model = 0x7000, .revision = 0x6202,
			    .features[4] = MINOR_FEATURE_3_BUG_FIXES12 }, 0,
	  { 0x1, 0x300e0, 0x2200, 0, 0x40000 } },
	{ "GC7000 r6214", { .model = 0x7000, .revision = 0x6214,
			    .features[4] = MINOR_FEATURE_3_BUG_FIXES12 }, 0,
	  { 0x1, 0x30000, 0x2200, 0, 0x40000 } },
	{ "GC1000 r5039", { .model = 0x1000, .revision = 0x5039 }, 0,
	  { 0x1, 0x38010, 0x2200, 0, 0x015a0880 } },
	{ "GC4000 r5222", { .model = 0x4000, .revision = 0x5222 }, 0,
	  { 0x1, 0x38090, 0x2200, 0, 0x01d90880 } },
	{ "GC400 r4302 with HZ", { .model = 0x400, .revision = 0x4302,
				   .features[1] = MINOR_FEATURE_0_HZ }, 0,
	  { 0x3, 0x38014, 0x2200, 0, 0x01590880 } },
	{ "the same with its PE fixed", { .model = 0x400, .revision = 0x4302,
					  .features[1] = MINOR_FEATURE_0_HZ,
					  .features[2] = MINOR_FEATURE_1_DISABLE_PE_GATING }, 0,
	  { 0x3, 0x38010, 0x2200, 0, 0x01590880 } },
	{ "GC420", { .model = 0x420, .revision = 0x5337 }, 0,
	  { 0x1, 0x38000, 0x2200, 0, 0x01590880 } },
	{ "the last revision before the DFS fix", { .model = 0x2500, .revision = 0x5420 }, 0,
	  { 0x1, 0x38010, 0x2200, 0, 0x01590880 } },
	{ "the first revision with it", { .model = 0x2500, .revision = 0x5421 }, 0,
	  { 0x1, 0x38010, 0x2200, 0, 0x40000 } },
};

static void errata_describe(const struct errata_case *c, char *description)
{
	strscpy(description, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(errata, errata_cases, errata_describe);

static void errata_registers(struct kunit *test)
{
	const struct errata_case *c = test->param_value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(registers); i++) {
		u32 value = c->before;
		bool found = vivgpu_errata_apply(&c->id, registers[i], &value);

		KUNIT_EXPECT_EQ_MSG(test, value, c->values[i], "register %03x", registers[i]);
		KUNIT_EXPECT_EQ_MSG(test, found, registers[i] != MC_BUS_CONFIG ||
				    (c->id.model == 0x2000 && c->id.revision == 0x5108),
				    "register %03x", registers[i]);
	}
}

/* Each row that applies names its source, and is about a register that the reset writes. */
static void errata_sources(struct kunit *test)
{
	size_t c, i;

	for (c = 0; c < ARRAY_SIZE(errata_cases); c++) {
		const struct vivgpu_erratum *row = NULL;

		while ((row = vivgpu_errata_next(&errata_cases[c].id, row))) {
			bool known = false;

			KUNIT_EXPECT_NOT_NULL(test, row->source);
			for (i = 0; i < ARRAY_SIZE(registers); i++)
				known |= registers[i] == row->reg;
			KUNIT_EXPECT_TRUE(test, known);
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(errata_registers, errata_gen_params),
	KUNIT_CASE(errata_sources),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-errata",
	.test_cases = cases,
};

kunit_test_suite(suite);
