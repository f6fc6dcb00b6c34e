/* SPDX-License-Identifier: MIT */
/*
 * A resource that serves one piece of work at a time and is shared by several users: the shader
 * cores, their threads, the memory interface.
 *
 * Work is reserved in the order in which the software finds it, which is not the order of modelled
 * time: the vertices of a batch are found after the pixels of the batch before, but the machine
 * shades them earlier. So the resource stores the gaps in which it was idle, and work that arrived
 * before them is done there.
 */
#ifndef CARD_CLOCK_RESOURCE_H
#define CARD_CLOCK_RESOURCE_H

#include <stdint.h>

#define GPU_RESOURCE_GAPS 32

/* Times and amounts of work have the unit that the caller uses. */
struct gpu_resource {
	uint64_t head;      /* nothing is reserved from here on */
	unsigned int first; /* the oldest gap, in a ring */
	unsigned int gaps;
	struct gpu_gap {
		uint64_t begin, end;
	} gap[GPU_RESOURCE_GAPS]; /* before the head, oldest first, disjoint */
};

/** gpu_resource_reset - make the resource idle from @now on */
void gpu_resource_reset(struct gpu_resource *resource, uint64_t now);

/**
 * gpu_resource_reserve - do @work as early as possible, not before @arrival
 * @resource: the resource
 * @arrival: earliest time
 * @work: time that it takes alone
 *
 * The work may be done in several idle stretches. The part of a stretch before @arrival
 * is not offered again once its later part was used; the oldest stretch is dropped when
 * there are more than GPU_RESOURCE_GAPS.
 *
 * Returns: the time at which the work is done.
 */
uint64_t gpu_resource_reserve(struct gpu_resource *resource, uint64_t arrival, uint64_t work);

/** gpu_resource_delay - insert @time of other work before what is reserved next */
void gpu_resource_delay(struct gpu_resource *resource, uint64_t time);

#endif
