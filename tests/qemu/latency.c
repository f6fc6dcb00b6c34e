// SPDX-License-Identifier: MIT
/*
 * qemu-latency: times of accesses to the card's registers by a program that has mapped its BAR.
 *
 *	qemu-latency /sys/bus/pci/devices/0000:00:05.0/resource0
 *
 * Before a driver has the card. Prints medians and 99th percentiles in microseconds.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define BAR_BYTES 0x40000u
/* Of the board, in words: its magic, which is constant, and the interrupt enable, which is set. */
#define MAGIC (0x20000 / 4)
#define MAGIC_VALUE 0x47565630u
#define IRQ_ENABLE (0x2000c / 4)
#define IRQ_ENABLE_ALL 3u

#define ACCESSES 5000

static double microseconds[ACCESSES];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void report(const char *what)
{
	qsort(microseconds, ACCESSES, sizeof(microseconds[0]), compare);
	printf("%s: median %.1f us, 99 %% within %.1f us\n", what, microseconds[ACCESSES / 2],
	       microseconds[ACCESSES * 99 / 100]);
}

int main(int argc, char *argv[])
{
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_SYNC) : -1;
	volatile uint32_t *bar = mmap(NULL, BAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (bar == MAP_FAILED || bar[MAGIC] != MAGIC_VALUE) {
		fprintf(stderr,
			"qemu-latency: the card's BAR cannot be mapped, or is not the card's\n");
		return 1;
	}
	for (int i = 0; i < ACCESSES; i++) {
		double start = now();

		if (bar[MAGIC] != MAGIC_VALUE)
			return 1;
		microseconds[i] = now() - start;
	}
	report("register read");
	for (int i = 0; i < ACCESSES; i++) {
		double start = now();

		bar[IRQ_ENABLE] = IRQ_ENABLE_ALL;
		microseconds[i] = now() - start;
	}
	report("register write");
	return 0;
}
