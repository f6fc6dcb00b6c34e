// SPDX-License-Identifier: MIT
/* Requests to memory: their cost, the arbitration between clients, refresh and scan-out. */
#include "clock/memory.h"

#include "clock/jitter.h"

/* Refresh and scan-out each leave at least 1 / MIN_SHARE of the memory's time to clients. */
#define MIN_SHARE 8

/* Larger than the lines or pages of any request, and small enough that sums do not overflow */
#define MAX_LINES (UINT64_C(1) << 32)

/* Limit @time so that clients get their share of each @interval. */
static uint64_t background_time(uint64_t interval, uint64_t time)
{
	uint64_t most = interval - (interval + MIN_SHARE - 1) / MIN_SHARE;

	return time < most ? time : most;
}

/* From a reset to the first refresh: an interval, with jitter a random part of one. */
static uint64_t first_refresh(const struct gpu_memory_params *p, uint64_t now)
{
	if (p->seed == GPU_JITTER_OFF || !p->refresh_interval)
		return p->refresh_interval;
	return 1 + gpu_jitter_bits(p->seed, GPU_JITTER_REFRESH, now) % p->refresh_interval;
}

/* @time of a request at @arrival, with the memory's present load by others. */
static uint64_t loaded(const struct gpu_memory_params *p, uint64_t arrival, uint64_t time)
{
	const uint64_t one = UINT64_C(1) << 16; /* more than range: see memory_spread's limit */
	uint64_t range = one * p->spread / 100, factor;

	if (p->seed == GPU_JITTER_OFF || !p->spread_time)
		return time;
	factor = one - range +
		 gpu_jitter(p->seed, GPU_JITTER_MEMORY, arrival / p->spread_time, 2 * range);
	return (uint64_t)(((unsigned __int128)time * factor) >> 16);
}

void gpu_memory_reset(struct gpu_memory *memory, const struct gpu_memory_params *params,
		      uint64_t now)
{
	memory->params = params;
	gpu_resource_reset(&memory->bus, now);
	for (unsigned int i = 0; i < GPU_MEMORY_CLIENTS; i++)
		memory->client[i].until = memory->client[i].lines = 0;
	for (unsigned int d = 0; d < GPU_MEMORY_DIRECTIONS; d++) {
		memory->stall[d].until = now;
		memory->stall[d].waited = 0;
	}
	memory->refresh.interval = params->refresh_interval;
	memory->refresh.time = background_time(params->refresh_interval, params->refresh_time);
	memory->refresh.next = now + first_refresh(params, now);
	memory->scanout.next = now;
}

void gpu_memory_set_scanout(struct gpu_memory *memory, uint64_t interval, uint64_t time)
{
	memory->scanout.interval = time ? interval : 0;
	memory->scanout.time = background_time(interval, time);
	memory->scanout.next = memory->bus.head;
}

/*
 * Changes between a client that has @lines and one that is served at the same time and has @other
 * @is_before: the latter comes first in enum gpu_memory_client
 */
static uint64_t changes(const struct gpu_memory_params *p, bool is_before, uint64_t lines,
			uint64_t other)
{
	switch (p->arbitration) {
	case GPU_ARBITER_ORDER:
		if (!is_before)
			return 0;
		break;
	case GPU_ARBITER_WHOLE:
		return 1;
	default:
		break;
	}
	return (other < lines ? other : lines) / p->burst_lines;
}

/* Number of times that the arbiter changes to @client and back */
static uint64_t arbiter_turns(const struct gpu_memory *memory, enum gpu_memory_client client,
			      uint64_t arrival, uint64_t lines)
{
	uint64_t turns = 0;

	if (lines < memory->params->burst_lines)
		return 0;
	for (unsigned int i = 0; i < GPU_MEMORY_CLIENTS; i++) {
		uint64_t other = memory->client[i].lines;

		if (i == client || memory->client[i].until <= arrival)
			continue;
		turns += changes(memory->params, i < client, lines, other);
	}
	return turns;
}

/*
 * Skip accesses of refresh or scan-out that were made while the memory was idle: they delay no
 * request.
 */
static void skip_background(struct gpu_memory_background *b, uint64_t now)
{
	if (b->interval && b->next + b->interval <= now)
		b->next += (now - b->next) / b->interval * b->interval;
}

/*
 * Insert accesses of @b that come before the bus's head. Each moves the head by its time, so that
 * further ones may come before it; background_time() leaves some of each interval free, so these
 * come to an end. Returns: the delay.
 */
static uint64_t insert_background(struct gpu_memory *memory, struct gpu_memory_background *b)
{
	uint64_t free = b->interval - b->time, turns;

	if (!b->interval || b->next >= memory->bus.head)
		return 0;
	turns = (memory->bus.head - b->next + free - 1) / free;
	gpu_resource_delay(&memory->bus, turns * b->time);
	b->next += turns * b->interval;
	return turns * b->time;
}

static uint64_t clamp_count(uint64_t count, uint64_t limit)
{
	return count < limit ? count : limit;
}

/* A request was served from @arrival to @end; for @transfer of this its lines were transferred. */
static void count_wait(struct gpu_memory *memory, enum gpu_memory_direction direction,
		       uint64_t arrival, uint64_t end, uint64_t transfer)
{
	uint64_t *until = &memory->stall[direction].until;
	uint64_t from = arrival > *until ? arrival : *until;

	if (end <= from)
		return;
	*until = end;
	if (end - from > transfer)
		memory->stall[direction].waited += end - from - transfer;
}

uint64_t gpu_memory_serve(struct gpu_memory *memory, enum gpu_memory_client client,
			  uint64_t arrival, const struct gpu_memory_request *request)
{
	const struct gpu_memory_params *p = memory->params;
	uint64_t lines = clamp_count(request->bytes / GPU_MEMORY_LINE_BYTES +
					     (request->bytes % GPU_MEMORY_LINE_BYTES != 0),
				     MAX_LINES);
	uint64_t time = lines * p->line + clamp_count(request->pages, MAX_LINES) * p->page +
			arbiter_turns(memory, client, arrival, lines) * p->turn;
	uint64_t head = memory->bus.head, taken, end;

	/* a request that fits into gaps before the head is not delayed by refresh or scan-out */
	if (!lines)
		return arrival;
	if (arrival > head) {
		skip_background(&memory->refresh, arrival);
		skip_background(&memory->scanout, arrival);
	}
	taken = loaded(p, arrival, time);
	memory->drawn += (int64_t)(taken - time);
	end = gpu_resource_reserve(&memory->bus, arrival, taken);
	if (memory->bus.head != head) {
		end += insert_background(memory, &memory->refresh);
		end += insert_background(memory, &memory->scanout);
	}
	memory->client[client].until = end;
	memory->client[client].lines = lines;
	if (request->written_bytes < request->bytes)
		count_wait(memory, GPU_MEMORY_READ, arrival, end, lines * p->line);
	if (request->written_bytes)
		count_wait(memory, GPU_MEMORY_WRITE, arrival, end, lines * p->line);
	return end;
}

uint64_t gpu_memory_waited(const struct gpu_memory *memory, enum gpu_memory_direction direction)
{
	return memory->stall[direction].waited;
}
