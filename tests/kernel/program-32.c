// SPDX-License-Identifier: MIT
/*
 * The smallest i386 program, run by tests/kernel/run: ends with status 42. It uses no library, so
 * the compiler alone can build it.
 */

void _start(void)
{
	__asm__ volatile("int $0x80" : : "a"(1 /* exit */), "b"(42));
	__builtin_unreachable();
}
