// SPDX-License-Identifier: MIT
/* Reservations of a shared resource, and the idle gaps between them. */
#include "clock/resource.h"

void gpu_resource_reset(struct gpu_resource *resource, uint64_t now)
{
	resource->head = now;
	resource->first = 0;
	resource->gaps = 0;
}

static struct gpu_gap *gap_at(struct gpu_resource *resource, unsigned int i)
{
	return &resource->gap[(resource->first + i) % GPU_RESOURCE_GAPS];
}

static void add_gap(struct gpu_resource *resource, uint64_t begin, uint64_t end)
{
	if (resource->gaps == GPU_RESOURCE_GAPS) {
		resource->first = (resource->first + 1) % GPU_RESOURCE_GAPS;
		resource->gaps--;
	}
	*gap_at(resource, resource->gaps++) = (struct gpu_gap){ begin, end };
}

/* Number of the oldest gap that ends after @arrival; resource->gaps if none does. */
static unsigned int first_gap_after(struct gpu_resource *resource, uint64_t arrival)
{
	unsigned int i = resource->gaps;

	while (i && gap_at(resource, i - 1)->end > arrival)
		i--;
	return i;
}

/* Remove the gaps from @from to @to - 1. */
static void remove_gaps(struct gpu_resource *resource, unsigned int from, unsigned int to)
{
	for (unsigned int i = to; i < resource->gaps; i++)
		*gap_at(resource, from + i - to) = *gap_at(resource, i);
	resource->gaps -= to - from;
}

/*
 * Use idle time from @arrival on; @work receives the work that is left. Returns: when the last part
 * ends.
 */
static uint64_t fill_gaps(struct gpu_resource *resource, uint64_t arrival, uint64_t *work)
{
	unsigned int from = first_gap_after(resource, arrival), i = from;
	uint64_t end = arrival;

	for (; i < resource->gaps && *work; i++) {
		struct gpu_gap *gap = gap_at(resource, i);
		uint64_t begin = gap->begin > arrival ? gap->begin : arrival;
		uint64_t idle = gap->end - begin;

		if (idle > *work) {
			end = begin + *work;
			gap->begin = end;
			*work = 0;
			break;
		}
		*work -= idle;
		end = gap->end;
	}
	remove_gaps(resource, from, i);
	return end;
}

uint64_t gpu_resource_reserve(struct gpu_resource *resource, uint64_t arrival, uint64_t work)
{
	uint64_t end;

	if (arrival < resource->head) {
		end = fill_gaps(resource, arrival, &work);
		if (!work)
			return end;
	} else if (arrival > resource->head && work) {
		add_gap(resource, resource->head, arrival);
		resource->head = arrival;
	}
	if (!work)
		return arrival;
	resource->head += work;
	return resource->head;
}

void gpu_resource_delay(struct gpu_resource *resource, uint64_t time)
{
	resource->head += time;
}
