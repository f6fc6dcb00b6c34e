// SPDX-License-Identifier: MIT
/*
 * The smallest i386 program: a process of its own that ends with status 42. It
 * needs no library, so that it can be made with the compiler alone.
 */

void _start(void)
{
	__asm__ volatile("int $0x80" : : "a"(1 /* exit */), "b"(42));
	__builtin_unreachable();
}
