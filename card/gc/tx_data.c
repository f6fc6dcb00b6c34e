// SPDX-License-Identifier: MIT
/* Contents of a texture cache, as requests see them. */
#include "gc/tx_data.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(TX_LINE_BYTES == DATA_CACHE_BYTES, "both are lines of a cache");

struct tx_data *tx_data_create(const struct cache_model *model)
{
	struct tx_data *data = calloc(1, sizeof(*data));

	if (!data)
		return NULL;
	/* two ways, those of the usual structure; no MMU, since no line becomes dirty */
	data->cache = data_cache_create(model->sets, 2, NULL, GC_CLIENT_TX);
	if (data->cache)
		return data;
	free(data);
	return NULL;
}

void tx_data_destroy(struct tx_data *data)
{
	if (!data)
		return;
	free(data->cache);
	free(data);
}

void tx_data_fetch(struct tx_data *data, uint32_t line, const uint8_t *memory)
{
	const uint8_t *held = data_cache_line(data->cache, line, memory);

	memcpy(data->request[tx_seen_slot(line)], held, TX_LINE_BYTES);
	data->stale += memcmp(held, memory, TX_LINE_BYTES) != 0;
}
