/* SPDX-License-Identifier: MIT */
/*
 * The memory interface in time: a DRAM of pages, shared by the units of the core, and
 * taken at fixed intervals by refresh and by the display's scan-out.
 *
 * A client's request is a number of lines in a number of DRAM pages. A line costs its
 * transfer, a page its opening. Clients that are served at the same time close each
 * other's pages: the arbiter changes between them after a burst of lines, and each
 * change costs opening a page again, or the turn of the bus's direction.
 *
 * Times are ticks (GPU_TICKS a cycle).
 */
#ifndef CARD_CLOCK_MEMORY_H
#define CARD_CLOCK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/resource.h"

#define GPU_TICKS 256u /* of a cycle */

#define GPU_MEMORY_LINE_BYTES 64u
#define GPU_MEMORY_BANKS 8u /* each has a page open; successive pages are in different ones */
#define GPU_MEMORY_PAGE_BYTES 8192u /* of a DRAM page: 2 KB in each of four chips of 16 bits */

/** gpu_memory_bank - the bank of a DRAM page; higher bits are mixed in, as controllers do. */
static inline uint32_t gpu_memory_bank(uint32_t page)
{
	return (page ^ page >> 3) % GPU_MEMORY_BANKS;
}

enum gpu_memory_client {
	GPU_MEMORY_FE,
	GPU_MEMORY_SH, /* loads and stores of shaders */
	GPU_MEMORY_TX,
	GPU_MEMORY_RA, /* early depth */
	GPU_MEMORY_PE,
	GPU_MEMORY_CLIENTS
};

/* Prices in ticks, but for the burst. */
struct gpu_memory_params {
	uint32_t line;        /* transfer of a line */
	uint32_t page;        /* closing a page and opening another one */
	uint32_t turn;        /* the arbiter goes to another client */
	uint32_t burst_lines; /* lines after which it does */
	uint32_t latency;     /* from a request to its first data, beside the transfer */
	uint64_t refresh_interval, refresh_time; /* all banks are busy; 0: never */
};

/* Something that takes the memory at intervals, whatever else there is to do. */
struct gpu_memory_background {
	uint64_t next, interval, time; /* interval 0: off */
};

struct gpu_memory {
	const struct gpu_memory_params *params;
	struct gpu_resource bus;
	struct {
		uint64_t until; /* its last request is served until then */
		uint64_t lines; /* of that request */
	} client[GPU_MEMORY_CLIENTS];
	struct gpu_memory_background refresh, scanout;
};

struct gpu_memory_request {
	uint64_t bytes;
	uint64_t pages; /* DRAM pages that are opened for it */
};

/** gpu_memory_reset - idle from @now on; scan-out goes on. */
void gpu_memory_reset(struct gpu_memory *memory, const struct gpu_memory_params *params,
		      uint64_t now);

/**
 * gpu_memory_set_scanout - the display reads
 * @time: it takes the memory at a time; 0: there is no display
 * @interval: between two reads; they leave at least an eighth of it to others
 */
void gpu_memory_set_scanout(struct gpu_memory *memory, uint64_t interval, uint64_t time);

/** gpu_memory_pages - the DRAM pages that @bytes at successive addresses lie in. */
uint64_t gpu_memory_pages(uint64_t bytes);

/**
 * gpu_memory_serve - serve a request
 * @client: who asks
 * @arrival: when
 *
 * Returns: when its last line has been moved, latency not included; @arrival if there is none.
 */
uint64_t gpu_memory_serve(struct gpu_memory *memory, enum gpu_memory_client client,
			  uint64_t arrival, const struct gpu_memory_request *request);

#endif
