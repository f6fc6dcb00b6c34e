// SPDX-License-Identifier: MIT

#include "part.h"

/* Recordings up to WHOLE_MS are drawn as a whole; of longer ones PART_MS are drawn. */
#define WHOLE_MS 200.0
#define PART_MS 100.0

static const unsigned int client_colors[] = { 0x1f77b4, 0xff7f0e, 0x2ca02c,
					      0x9467bd, 0x8c564b, 0xe377c2 };

struct part part_choose(const struct recording *recording, double from_ms, double length_ms)
{
	double all = (recording->end_ns - recording->start_ns) / 1e6;
	struct part part;

	if (length_ms <= 0) {
		length_ms = all <= WHOLE_MS ? all : PART_MS;
		from_ms = all <= WHOLE_MS ? 0 : all / 2;
	}
	part.from_ns = recording->start_ns + (uint64_t)(from_ms * 1e6);
	part.to_ns = part.from_ns + (uint64_t)(length_ms * 1e6);
	return part;
}

double part_ms(const struct recording *recording, uint64_t time_ns)
{
	return ((double)time_ns - (double)recording->start_ns) / 1e6;
}

/* By the client's place among the owners; beyond six, and with unknown clients, colours recur. */
unsigned int part_color(const struct recording *recording, uint64_t client)
{
	const size_t count = sizeof(client_colors) / sizeof(client_colors[0]);

	for (size_t i = 0; i < recording->num_owners; i++) {
		if (recording->owners[i].client == client)
			return client_colors[i % count];
	}
	return client_colors[client % count];
}

unsigned int part_lighter(unsigned int color)
{
	return (color >> 1 & 0x7f7f7f) + 0x808080;
}
