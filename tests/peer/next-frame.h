/* SPDX-License-Identifier: MIT */
/*
 * For libraries that are preloaded into programs which draw on a GBM surface, and see
 * every frame shown because they have a gbm_surface_lock_front_buffer() of their own.
 */
#ifndef TESTS_PEER_NEXT_FRAME_H
#define TESTS_PEER_NEXT_FRAME_H

#include <dlfcn.h>

#include <gbm.h>

/** The frame from libgbm, or from the library preloaded next. */
static inline struct gbm_bo *next_frame(struct gbm_surface *surface)
{
	static struct gbm_bo *(*next)(struct gbm_surface *);

	if (!next)
		next = (struct gbm_bo * (*)(struct gbm_surface *))
			dlsym(RTLD_NEXT, "gbm_surface_lock_front_buffer");
	return next(surface);
}

#endif
