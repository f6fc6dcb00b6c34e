/* SPDX-License-Identifier: MIT */
/*
 * What the lines of the texture cache hold, with --caches=data: memory as it was when the cache model
 * fetched the line. Without it lookups read memory, as if no line were ever stale.
 */
#ifndef CARD_GC_TX_DATA_H
#define CARD_GC_TX_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/cache_model.h"
#include "gc/tx.h"

struct tx_data {
	uint32_t tag
		[CACHE_MODEL_LINES]; /* numbers of lines; two entries for each set of the model */
	uint8_t line[CACHE_MODEL_LINES][TX_LINE_BYTES];
	/*
	 * the lines of the present request, at tx_seen_slot(): a line that the request remembers is
	 * read once, also if the model replaces it meanwhile
	 */
	uint8_t request[TX_SEEN][TX_LINE_BYTES];
	uint64_t stale; /* accesses to lines that did not hold what memory did */
};

/** tx_data_create - without contents; NULL if there is no memory */
struct tx_data *tx_data_create(void);

/** tx_data_flush - forget the contents of all lines */
void tx_data_flush(struct tx_data *data);

/**
 * tx_data_fetch - a line was accessed that this request did not remember
 * @cache: the model, after the access
 * @line: number of the line
 * @missed: whether the model has fetched it
 * @memory: what memory holds there now
 */
void tx_data_fetch(struct tx_data *data, const struct cache_model *cache, uint32_t line,
		   bool missed, const uint8_t *memory);

/** tx_data_line - contents of a line that the present request has accessed */
static inline const uint8_t *tx_data_line(const struct tx_data *data, uint32_t line)
{
	return data->request[tx_seen_slot(line)];
}

#endif
