// SPDX-License-Identifier: MIT
/* The table of parameters. */
#include "clock/params_field.h"

#include <stddef.h>

#define MAX_CYCLES 1000000 /* whole ones; sums of them stay far from overflow */
#define MAX_PRICE 4096     /* cycles of one unit of work */
#define MAX_NS 1000000

#define FIELD(name, unit, kind, member, min, max) \
	{ name, unit, GPU_PARAM_##kind, offsetof(struct gpu_params, member), min, max }
#define PRICE(name, member) FIELD(name, "cycles", FP, member, 0, MAX_PRICE)
#define CYCLES(name, member) FIELD(name, "cycles", U32, member, 0, MAX_CYCLES)
#define NUMBER(name, unit, member) FIELD(name, unit, U32, member, 1, MAX_CYCLES)
#define LATENCY(name, stage) CYCLES("latency_" name, stage_latency[GPU_STAGE_##stage])
#define QUEUE(name, stage) \
	FIELD("queue_" name, "pieces", U8, queue[GPU_STAGE_##stage], 1, GPU_MAX_QUEUE)

static const struct gpu_param_field fields[] = {
	FIELD("core_clock", "MHz", HZ, core_hz, 1, 10000),
	/* front end */
	PRICE("command_word", fe_word_fp),
	PRICE("index_byte", fe_index_byte_fp),
	PRICE("vertex_byte", fe_vertex_byte_fp),
	CYCLES("draw", draw_overhead),
	PRICE("vertex", vertex_fp),
	/* shader cores */
	PRICE("instruction", instruction_fp),
	PRICE("texture_request", texel_fp),
	NUMBER("threads", "lanes", threads),
	NUMBER("thread_temporaries", "registers", thread_temporaries),
	CYCLES("instruction_latency", instruction_latency),
	CYCLES("texture_latency", texture_latency),
	NUMBER("texture_misses", "lines", texture_misses),
	/* primitives */
	PRICE("primitive", primitive_fp),
	PRICE("primitive_setup", setup_fp),
	PRICE("raster_tile", tile_fp),
	PRICE("rejected_quad", reject_fp),
	PRICE("quad", quad_fp),
	/* pixel engine and resolve engine */
	PRICE("sample", pe_sample_fp),
	PRICE("resolved_pixel", rs_pixel_fp),
	CYCLES("flush", flush_cycles),
	PRICE("flushed_byte", flush_byte_fp),
	CYCLES("status_flush", status_flush_cycles),
	/* memory */
	PRICE("memory_byte", memory_byte_fp),
	CYCLES("memory_page", memory_page_cycles),
	CYCLES("memory_turn", memory_turn_cycles),
	NUMBER("memory_burst", "lines", memory_burst_lines),
	CYCLES("memory_latency", memory_latency),
	FIELD("refresh_interval", "ns", U32, refresh_ns, 0, MAX_NS),
	FIELD("refresh", "ns", U32, refresh_busy_ns, 0, MAX_NS),
	/* with jitter */
	CYCLES("flush_spread", flush_spread),
	FIELD("memory_spread", "percent", U32, memory_spread, 0, 99),
	FIELD("memory_spread_time", "ns", U32, memory_spread_ns, 1, MAX_NS),
	FIELD("interrupt_spread", "ns", U32, interrupt_spread_ns, 0, MAX_NS),
	/* between stages, so none for PE, which is the last one */
	LATENCY("fe", FE),
	LATENCY("vs", VS),
	LATENCY("pa", PA),
	LATENCY("ra", RA),
	LATENCY("ps", PS),
	QUEUE("fe", FE),
	QUEUE("vs", VS),
	QUEUE("pa", PA),
	QUEUE("ra", RA),
	QUEUE("ps", PS),
};

const struct gpu_param_field *gpu_param_field_at(unsigned int index)
{
	return index < sizeof(fields) / sizeof(fields[0]) ? &fields[index] : NULL;
}

double gpu_param_get(const struct gpu_params *params, const struct gpu_param_field *field)
{
	const uint8_t *at = (const uint8_t *)params + field->offset;

	switch (field->kind) {
	case GPU_PARAM_FP:
		return *(const uint32_t *)at / 65536.0;
	case GPU_PARAM_U32:
		return *(const uint32_t *)at;
	case GPU_PARAM_U8:
		return *at;
	case GPU_PARAM_HZ:
		return (double)*(const uint64_t *)at / 1e6;
	}
	return 0;
}

void gpu_param_set(struct gpu_params *params, const struct gpu_param_field *field, double value)
{
	uint8_t *at = (uint8_t *)params + field->offset;

	switch (field->kind) {
	case GPU_PARAM_FP:
		*(uint32_t *)at = (uint32_t)(value * 65536.0 + 0.5);
		break;
	case GPU_PARAM_U32:
		*(uint32_t *)at = (uint32_t)(value + 0.5);
		break;
	case GPU_PARAM_U8:
		*at = (uint8_t)(value + 0.5);
		break;
	case GPU_PARAM_HZ:
		*(uint64_t *)at = (uint64_t)(value + 0.5) * 1000000;
		break;
	}
}
