// SPDX-License-Identifier: MIT
/*
 * frame-clock.so: preloaded into an unmodified program that draws on a GBM
 * surface, makes its pictures repeatable and keeps some of them.
 *
 * The program's own calls see a clock that stands still within a frame and
 * goes on by a fixed step with each, FRAME_CLOCK_STEP_US microseconds (default
 * 300000); the libraries keep the real one, because the kernel's timeouts need it. Each frame shown counts, and of every
 * FRAME_CLOCK_EVERY frames (default 1, 0: none) the last is written as
 * FRAME_CLOCK_FOLDER/N.png, N counting from 1, as the display would get it.
 */

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include <gbm.h>

#include "next-frame.h"
#include "png_file.h"

#define FIRST_SECOND 1000
#define FRAME_NS 300000000L
#define SECOND_NS 1000000000L

static unsigned int frames;

/* The first object is the program; whether it contains the address. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *address)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)address >= begin &&
		    (uintptr_t)address - begin < info->dlpi_phdr[i].p_memsz)
			return 1;
	}
	return -1;
}

static bool program_calls(void *return_address)
{
	return dl_iterate_phdr(look_at_program, return_address) == 1;
}

static long long frame_step(void)
{
	static long long step;
	const char *us;

	if (step)
		return step;
	us = getenv("FRAME_CLOCK_STEP_US");
	step = us ? atoll(us) * 1000 : FRAME_NS;
	return step;
}

static struct timespec frame_time(void)
{
	long long ns = frames * frame_step();

	return (struct timespec){ .tv_sec = FIRST_SECOND + ns / SECOND_NS,
				  .tv_nsec = ns % SECOND_NS };
}

/** clock_gettime - the frame's time for the program, the real one for libraries. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	static int (*next)(clockid_t, struct timespec *);

	if (program_calls(__builtin_return_address(0))) {
		*now = frame_time();
		return 0;
	}
	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	return next(clock, now);
}

/** gettimeofday - like clock_gettime. */
int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	static int (*next)(struct timeval *, void *);

	if (program_calls(__builtin_return_address(0))) {
		struct timespec time = frame_time();

		TIMESPEC_TO_TIMEVAL(now, &time);
		return 0;
	}
	if (!next)
		next = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
	return next(now, zone);
}

/** time - like clock_gettime; programs seed their random numbers with it. */
time_t time(time_t *result)
{
	static time_t (*next)(time_t *);

	if (program_calls(__builtin_return_address(0))) {
		if (result)
			*result = FIRST_SECOND;
		return FIRST_SECOND;
	}
	if (!next)
		next = (time_t (*)(time_t *))dlsym(RTLD_NEXT, "time");
	return next(result);
}

/* GBM's XRGB and ARGB: blue in the lowest byte. */
static void copy_row(const uint8_t *from, uint8_t *to, unsigned int width)
{
	for (unsigned int x = 0; x < width; x++, from += 4, to += 3) {
		to[0] = from[2];
		to[1] = from[1];
		to[2] = from[0];
	}
}

static bool copy_buffer(struct gbm_bo *bo, struct picture *picture)
{
	uint32_t format = gbm_bo_get_format(bo), stride;
	void *mapping = NULL;
	const uint8_t *pixels;

	if (format != GBM_FORMAT_XRGB8888 && format != GBM_FORMAT_ARGB8888)
		return false;
	pixels = gbm_bo_map(bo, 0, 0, picture->width, picture->height, GBM_BO_TRANSFER_READ,
			    &stride, &mapping);
	if (!pixels)
		return false;
	for (unsigned int y = 0; y < picture->height; y++)
		copy_row(pixels + (size_t)y * stride, picture->rgb + (size_t)y * picture->width * 3,
			 picture->width);
	gbm_bo_unmap(bo, mapping);
	return true;
}

static void keep_picture(struct gbm_bo *bo, unsigned int number)
{
	const char *folder = getenv("FRAME_CLOCK_FOLDER");
	struct picture picture;
	char path[512];

	snprintf(path, sizeof(path), "%s/%u.png", folder ? folder : ".", number);
	if (!picture_create(&picture, gbm_bo_get_width(bo), gbm_bo_get_height(bo)))
		abort();
	if (!copy_buffer(bo, &picture) || !picture_write(&picture, path)) {
		fprintf(stderr, "frame-clock: no picture %s\n", path);
		abort();
	}
	picture_free(&picture);
}

/** gbm_surface_lock_front_buffer - where every frame shown on a GBM surface passes. */
struct gbm_bo *gbm_surface_lock_front_buffer(struct gbm_surface *surface)
{
	const char *every = getenv("FRAME_CLOCK_EVERY");
	unsigned int period = every ? strtoul(every, NULL, 10) : 1;
	struct gbm_bo *bo = next_frame(surface);

	frames++;
	if (bo && period && frames % period == 0)
		keep_picture(bo, frames / period);
	return bo;
}
