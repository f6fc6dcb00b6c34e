// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Stretched windows
 *
 * A race needs two processors in two places at the same time, often within a microsecond.
 * With CONFIG_DRM_VIVGPU_STRETCH the driver waits at such places (&enum vivgpu_stretch_point),
 * so that a test meets in minutes what would otherwise take years. The waits change no result:
 * each is at a place where the thread could be preempted or interrupted anyway, or, with a
 * spinlock held, where the host could preempt the processor.
 *
 * The module parameter stretch is a seed; with 0 nothing is delayed. Time is divided into phases
 * of 2 s; the seed decides which places are delayed in a phase, about one of eight (of the rare
 * ones more, &enum vivgpu_stretch_kind), and there every second pass, often for longer than the
 * rest of the driver takes for anything. If all places were always delayed, each thread would be
 * slower by the same factor, and the order of events the same as without delays.
 *
 * The parameter stretch_passes shows how often each place was passed with a seed, in the order
 * of the enumeration.
 */

#include <linux/delay.h>
#include <linux/export.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>

#include <kunit/visibility.h>

#include "vivgpu_stretch.h"

#define PHASE_NS		(2 * NSEC_PER_SEC)
/* One place of so many, or one rare place, is delayed in a phase, and there one pass of so many */
#define PLACES			8
#define PLACES_RARE		2
#define PASSES			2
/*
 * Delays are powers of two: 64 us to 16 ms, or as often 32 ms to 1 s, which is longer than an
 * unbind; with a lock held 4 us to 8 ms.
 */
#define MIN_SLEEP_SHIFT		6
#define SLEEP_SHIFTS		9
#define LONG_SLEEPS		2
#define MIN_LONG_SHIFT		15
#define LONG_SHIFTS		6
#define MIN_SPIN_SHIFT		2
#define SPIN_SHIFTS		12
/* udelay() of some architectures takes no more. */
#define MAX_UDELAY		1000

static unsigned long vivgpu_stretch_seed;
module_param_named(stretch, vivgpu_stretch_seed, ulong, 0644);
MODULE_PARM_DESC(stretch, "Delay places where races are possible, by this seed (0: never)");

static atomic_t vivgpu_stretch_passes[VIVGPU_STRETCH_POINTS];

static int vivgpu_stretch_show_passes(char *buffer, const struct kernel_param *param)
{
	int i, length = 0;

	for (i = 0; i < VIVGPU_STRETCH_POINTS; i++)
		length += sysfs_emit_at(buffer, length, "%s%d", i ? " " : "",
					atomic_read(&vivgpu_stretch_passes[i]));
	return length + sysfs_emit_at(buffer, length, "\n");
}

static const struct kernel_param_ops vivgpu_stretch_passes_ops = {
	.get = vivgpu_stretch_show_passes,
};

module_param_cb(stretch_passes, &vivgpu_stretch_passes_ops, NULL, 0444);
MODULE_PARM_DESC(stretch_passes, "How often each place was passed while stretch was not 0");

/* hash_64() takes no more than 32 bits of its result on 32-bit kernels. */
static u64 vivgpu_stretch_mix(u64 value)
{
	return value * GOLDEN_RATIO_64;
}

static u32 vivgpu_stretch_hash(u64 seed, enum vivgpu_stretch_point point, u32 number)
{
	u32 place = lower_32_bits(vivgpu_stretch_mix(point + 1));
	u32 mixed = lower_32_bits(vivgpu_stretch_mix(seed ^ place));

	return upper_32_bits(vivgpu_stretch_mix((u64)mixed + number));
}

/* Whether passes of a place are delayed in a phase. */
static bool vivgpu_stretch_is_delayed(u64 seed, enum vivgpu_stretch_point point, u32 phase,
				      enum vivgpu_stretch_kind kind)
{
	u32 places = kind == VIVGPU_STRETCH_RARE ? PLACES_RARE : PLACES;

	return kind == VIVGPU_STRETCH_ALWAYS ||
	       !(vivgpu_stretch_hash(seed, point, phase) % places);
}

/**
 * vivgpu_stretch_us - how long a pass of a place is delayed
 * @seed: the seed
 * @point: the place
 * @phase: number of the phase
 * @pass: number of passes before
 * @kind: kind of the place
 *
 * Return: microseconds, 0 for most passes.
 */
u32 vivgpu_stretch_us(u64 seed, enum vivgpu_stretch_point point, u32 phase, u32 pass,
		      enum vivgpu_stretch_kind kind)
{
	u32 hash = vivgpu_stretch_hash(~seed, point, pass);

	if (hash % PASSES || !vivgpu_stretch_is_delayed(seed, point, phase, kind))
		return 0;

	hash /= PASSES;
	if (kind == VIVGPU_STRETCH_SPIN)
		return 1u << (MIN_SPIN_SHIFT + hash % SPIN_SHIFTS);
	if (hash % LONG_SLEEPS)
		return 1u << (MIN_SLEEP_SHIFT + hash / LONG_SLEEPS % SLEEP_SHIFTS);
	return 1u << (MIN_LONG_SHIFT + hash / LONG_SLEEPS % LONG_SHIFTS);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_stretch_us);

/* The delay of this pass, 0 without a seed. */
static u32 vivgpu_stretch_pass(enum vivgpu_stretch_point point, enum vivgpu_stretch_kind kind)
{
	unsigned long seed = READ_ONCE(vivgpu_stretch_seed);
	u32 phase, pass;

	if (likely(!seed))
		return 0;

	pass = atomic_inc_return(&vivgpu_stretch_passes[point]) - 1;
	phase = div_u64(ktime_get_ns(), PHASE_NS);
	return vivgpu_stretch_us(seed, point, phase, pass, kind);
}

static void vivgpu_stretch_sleep(u32 us)
{
	if (us)
		usleep_range(us, us + us / 8);
}

/**
 * vivgpu_stretch - a place where a race is possible, in a section that may sleep
 * @point: the place
 */
void vivgpu_stretch(enum vivgpu_stretch_point point)
{
	vivgpu_stretch_sleep(vivgpu_stretch_pass(point, VIVGPU_STRETCH_SLEEP));
}

/**
 * vivgpu_stretch_rare - such a place that no job passes
 * @point: the place
 */
void vivgpu_stretch_rare(enum vivgpu_stretch_point point)
{
	vivgpu_stretch_sleep(vivgpu_stretch_pass(point, VIVGPU_STRETCH_RARE));
}

/**
 * vivgpu_stretch_recovery - such a place that only recoveries pass
 * @point: the place
 */
void vivgpu_stretch_recovery(enum vivgpu_stretch_point point)
{
	vivgpu_stretch_sleep(vivgpu_stretch_pass(point, VIVGPU_STRETCH_ALWAYS));
}

/**
 * vivgpu_stretch_spin - a place where a race is possible, in a section that must not sleep
 * @point: the place
 */
void vivgpu_stretch_spin(enum vivgpu_stretch_point point)
{
	u32 us = vivgpu_stretch_pass(point, VIVGPU_STRETCH_SPIN);

	for (; us > MAX_UDELAY; us -= MAX_UDELAY)
		udelay(MAX_UDELAY);
	udelay(us);
}
