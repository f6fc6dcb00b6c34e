/* SPDX-License-Identifier: MIT */
/*
 * Timing of the memory interface: a DRAM with pages, shared by the units of the core, and used at
 * fixed intervals by refresh and by the display's scan-out.
 *
 * A client's request is a number of lines in a number of DRAM pages. A line costs its transfer, a
 * page costs its opening. Clients that are served at the same time close each other's pages: the
 * arbiter changes between them (enum gpu_arbitration), and each change costs the opening of a page
 * again, or a change of the bus's direction.
 *
 * Times are in ticks (GPU_TICKS per cycle).
 */
#ifndef CARD_CLOCK_MEMORY_H
#define CARD_CLOCK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/resource.h"
#include "clock/structure.h"

#define GPU_TICKS 256u /* per cycle */

#define GPU_MEMORY_LINE_BYTES 64u
/* Size of a DRAM page in the usual structure: 2 KB in each of four chips of 16 bits */
#define GPU_MEMORY_PAGE_BYTES 8192u

/* In the order of GPU_ARBITER_ORDER */
enum gpu_memory_client {
	GPU_MEMORY_FE,
	GPU_MEMORY_SH, /* loads and stores of shaders */
	GPU_MEMORY_TX,
	GPU_MEMORY_RA, /* early depth */
	GPU_MEMORY_PE,
	GPU_MEMORY_CLIENTS
};

/* Costs in ticks; burst_lines is a count. */
struct gpu_memory_params {
	uint32_t line;        /* transfer of a line */
	uint32_t page;        /* closing a page and opening another one */
	uint32_t turn;        /* change of the arbiter to another client and back */
	uint32_t burst_lines; /* lines after which the arbiter changes */
	enum gpu_arbitration arbitration;
	uint32_t latency; /* not used: callers add it to what gpu_memory_serve() returns */
	uint64_t refresh_interval, refresh_time; /* all banks are busy; 0: never */
	/*
	 * Jitter: other masters make all prices up to @spread percent higher or lower, for
	 * @spread_time at a time; and where the first refresh falls.
	 */
	uint64_t seed; /* GPU_JITTER_OFF: none */
	uint32_t spread;
	uint64_t spread_time;
};

/* A user of the memory at fixed intervals, with priority over all clients */
struct gpu_memory_background {
	uint64_t next, interval, time; /* interval 0: off */
};

/* Directions of requests: each has channels of its own on the bus. */
enum gpu_memory_direction { GPU_MEMORY_READ, GPU_MEMORY_WRITE, GPU_MEMORY_DIRECTIONS };

struct gpu_memory {
	const struct gpu_memory_params *params;
	struct gpu_resource bus;
	struct {
		uint64_t until; /* time until which its last request is served */
		uint64_t lines; /* lines of that request */
	} client[GPU_MEMORY_CLIENTS];
	struct gpu_memory_background refresh, scanout;
	struct {
		uint64_t until;  /* waits before this time are counted already */
		uint64_t waited; /* see gpu_memory_waited() */
	} stall[GPU_MEMORY_DIRECTIONS];
	int64_t drawn; /* time that jitter has added to requests, never set back */
};

struct gpu_memory_request {
	uint64_t bytes;
	uint64_t pages;         /* DRAM pages opened for it */
	uint64_t written_bytes; /* the part of @bytes that is written; the others are read */
};

/** gpu_memory_reset - make the memory idle from @now on; scan-out continues, waits are zero */
void gpu_memory_reset(struct gpu_memory *memory, const struct gpu_memory_params *params,
		      uint64_t now);

/**
 * gpu_memory_set_scanout - set the display's use of the memory
 * @time: duration of an access; 0: there is no display
 * @interval: between two accesses, which leave at least an eighth of it to clients
 */
void gpu_memory_set_scanout(struct gpu_memory *memory, uint64_t interval, uint64_t time);

/** gpu_memory_pages - DRAM pages, of 1 << @page_log2 bytes, of @bytes at successive addresses */
static inline uint64_t gpu_memory_pages(uint64_t bytes, unsigned int page_log2)
{
	return (bytes + (UINT64_C(1) << page_log2) - 1) >> page_log2;
}

/**
 * gpu_memory_serve - serve a request
 * @client: the client that made the request
 * @arrival: its time
 *
 * Returns: when its last line has been transferred, without the latency; @arrival if it has no
 * lines.
 */
uint64_t gpu_memory_serve(struct gpu_memory *memory, enum gpu_memory_client client,
			  uint64_t arrival, const struct gpu_memory_request *request);

/**
 * gpu_memory_waited - time in which requests of one direction have waited since the last reset
 *
 * That is the time in which there was such a request and none of their lines was transferred: the
 * memory served the other direction, opened pages, changed turns, was refreshed, or served the
 * display or other masters. A request that reads and writes waits in both directions.
 */
uint64_t gpu_memory_waited(const struct gpu_memory *memory, enum gpu_memory_direction direction);

#endif
