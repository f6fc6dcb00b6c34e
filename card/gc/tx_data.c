// SPDX-License-Identifier: MIT
/* Contents of the texture cache's lines. Which lines there are is known to the cache model alone. */
#include "gc/tx_data.h"

#include <stdlib.h>
#include <string.h>

struct tx_data *tx_data_create(void)
{
	struct tx_data *data = calloc(1, sizeof(*data));

	if (data)
		tx_data_flush(data);
	return data;
}

void tx_data_flush(struct tx_data *data)
{
	for (unsigned int i = 0; i < CACHE_MODEL_LINES; i++)
		data->tag[i] = CACHE_MEMORY_NONE;
}

/* Index of the entry that has @line, or that may be replaced by it. */
static unsigned int find_entry(const struct tx_data *data, const struct cache_model *cache,
			       uint32_t line)
{
	uint32_t set = line & (cache->sets - 1);
	unsigned int first = 2 * set;

	if (data->tag[first] == line || data->tag[first + 1] == line)
		return first + (data->tag[first] != line);
	/* @line is the set's newest one now; the other one stays */
	return first + (data->tag[first] == cache->older[set]);
}

void tx_data_fetch(struct tx_data *data, const struct cache_model *cache, uint32_t line,
		   bool missed, const uint8_t *memory)
{
	unsigned int entry = find_entry(data, cache, line);
	uint8_t *held = data->line[entry];

	/* the model also has lines whose access has faulted: these were never read */
	if (missed || data->tag[entry] != line) {
		data->tag[entry] = line;
		memcpy(held, memory, TX_LINE_BYTES);
	}
	memcpy(data->request[tx_seen_slot(line)], held, TX_LINE_BYTES);
	data->stale += memcmp(held, memory, TX_LINE_BYTES) != 0;
}
