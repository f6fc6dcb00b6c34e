/* SPDX-License-Identifier: MIT */
/*
 * What a texture cache holds, with --caches=data. Without it lookups read memory, as if no line were ever
 * stale.
 */
#ifndef CARD_GC_TX_DATA_H
#define CARD_GC_TX_DATA_H

#include "gc/data_cache.h"
#include "gc/tx.h"

struct tx_data {
	struct data_cache *cache;
	/*
	 * the lines of the present request, at tx_seen_slot(): a line that the request remembers is
	 * read once, also if it is replaced meanwhile
	 */
	uint8_t request[TX_SEEN][TX_LINE_BYTES];
	uint64_t stale; /* accesses to lines that did not hold what memory did */
};

/**
 * tx_data_create - contents of a cache with two ways in as many sets as @model, the model of time,
 *	has; NULL if there is no memory
 */
struct tx_data *tx_data_create(const struct cache_model *model);
void tx_data_destroy(struct tx_data *data);

/**
 * tx_data_fetch - a line was accessed that this request did not remember
 * @line: number of the line
 * @memory: what memory holds there now
 */
void tx_data_fetch(struct tx_data *data, uint32_t line, const uint8_t *memory);

/** tx_data_line - contents of a line that the present request has accessed */
static inline const uint8_t *tx_data_line(const struct tx_data *data, uint32_t line)
{
	return data->request[tx_seen_slot(line)];
}

#endif
