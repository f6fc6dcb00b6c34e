// SPDX-License-Identifier: MIT
/*
 * The index stream of a draw: decodes its states and reads indices. There is one address
 * translation per call, for all indices that the call reads from a page.
 */
#include <string.h>

#include "gc/draw_unit.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

void gc_index_stream_decode(const struct gc_state *state, struct gc_index_stream *stream)
{
	uint32_t control = gc_state_u32(state, VIVS_FE_INDEX_STREAM_CONTROL);

	switch (control & VIVS_FE_INDEX_STREAM_CONTROL_TYPE__MASK) {
	case VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_CHAR:
		stream->bytes = 1;
		break;
	case VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT:
		stream->bytes = 2;
		break;
	default:
		stream->bytes = 4;
		break;
	}
	stream->address = gc_state_u32(state, VIVS_FE_INDEX_STREAM_BASE_ADDR);
	stream->restart = control & VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART;
	stream->restart_index = gc_state_u32(state, VIVS_FE_PRIMITIVE_RESTART_INDEX);
}

/* Convert @count consecutive indices of @bytes each to 32 bits. */
static void widen(const uint8_t *from, unsigned int bytes, unsigned int count, uint32_t *index)
{
	uint16_t half;

	switch (bytes) {
	case 1:
		for (unsigned int i = 0; i < count; i++)
			index[i] = from[i];
		break;
	case 2:
		for (unsigned int i = 0; i < count; i++) {
			memcpy(&half, &from[2 * i], sizeof(half));
			index[i] = half;
		}
		break;
	default:
		memcpy(index, from, count * sizeof(*index));
		break;
	}
}

unsigned int gc_index_stream_read(struct gc_core *gc, const struct gc_index_stream *stream,
				  uint64_t first, uint64_t most, uint32_t index[GC_INDEX_RUN])
{
	uint32_t address = stream->address + (uint32_t)first * stream->bytes;
	uint32_t count = (GC_PAGE_SIZE - address % GC_PAGE_SIZE) / stream->bytes;
	const uint8_t *from;

	if (!count) { /* the index crosses a page boundary */
		*index = 0;
		/* true: one index was read */
		return gc_mmu_read(&gc->mmu, GC_CLIENT_FE, address, index, stream->bytes);
	}
	from = gc_mmu_map(&gc->mmu, GC_CLIENT_FE, GC_READ, address);
	if (!from)
		return 0;
	if (count > GC_INDEX_RUN)
		count = GC_INDEX_RUN;
	if (count > most)
		count = (uint32_t)most;
	widen(from, stream->bytes, count, index);
	return count;
}
