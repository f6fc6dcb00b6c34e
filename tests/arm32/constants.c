// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Sums of sizes that a client chooses, on an architecture whose long has 32 bits: compiled by
 * tests/arm32/run in the driver's folder. The compiler computes the results, and a call is left in
 * the object, which is an error, if one differs.
 */

/* A copy of vivgpu_validate.c */
#include "arm32_validate.c"

#include <linux/build_bug.h>
#include <linux/sizes.h>

void vivgpu_constants(void);

void vivgpu_constants(void)
{
	static const struct drm_vivgpu_piece fits[] = { { .size = SZ_64K }, { .size = SZ_64K } };
	/* Together 2^32 + 8 bytes: a sum of 32 bits would be 8, which is below the limit. */
	static const struct drm_vivgpu_piece wraps[] = { { .size = SZ_128K },
							 { .size = 0xfffe0008 } };

	static_assert(sizeof(size_t) == sizeof(u32));
	BUILD_BUG_ON(vivgpu_validate_pieces(fits, ARRAY_SIZE(fits), SZ_128K) != SZ_128K);
	BUILD_BUG_ON(vivgpu_validate_pieces(wraps, ARRAY_SIZE(wraps), SZ_128K) != -E2BIG);
}
