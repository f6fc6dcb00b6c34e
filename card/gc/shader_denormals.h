/* SPDX-License-Identifier: MIT */
/*
 * The shader core treats denormal operands and results as zero: GC2000 passes piglit's
 * fs-underflow-mul-compare-zero, which requires that. Uses the host processor's flush-to-zero
 * mode, which costs nothing.
 */
#ifndef CARD_GC_SHADER_DENORMALS_H
#define CARD_GC_SHADER_DENORMALS_H

#include <stdint.h>

#if defined(__SSE__)

#define MXCSR_DENORMALS_ARE_ZERO 0x0040u
#define MXCSR_FLUSH_TO_ZERO 0x8000u

/**
 * shader_flush_denormals - flush denormals in this thread; returns the mode for
 * shader_restore_denormals()
 */
static inline uint64_t shader_flush_denormals(void)
{
	uint32_t mode = __builtin_ia32_stmxcsr();

	__builtin_ia32_ldmxcsr(mode | MXCSR_DENORMALS_ARE_ZERO | MXCSR_FLUSH_TO_ZERO);
	return mode;
}

static inline void shader_restore_denormals(uint64_t mode)
{
	__builtin_ia32_ldmxcsr((uint32_t)mode);
}

#elif defined(__aarch64__)

#define FPCR_FLUSH_TO_ZERO (UINT64_C(1) << 24)

static inline uint64_t shader_flush_denormals(void)
{
	uint64_t mode;

	__asm__ volatile("mrs %0, fpcr" : "=r"(mode));
	__asm__ volatile("msr fpcr, %0" : : "r"(mode | FPCR_FLUSH_TO_ZERO));
	return mode;
}

static inline void shader_restore_denormals(uint64_t mode)
{
	__asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

#else
#error "how does this processor flush denormals?"
#endif

#endif
