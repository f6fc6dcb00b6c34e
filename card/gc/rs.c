// SPDX-License-Identifier: MIT
/*
 * The resolve engine: window copies with conversion, fills, and the in-place resolve of tile
 * status. Formats and layouts are selected by the RS states; the source is read through the
 * colour tile status (TS_*).
 */
#include "gc/rs.h"

#include <string.h>

#include "gc/core.h"
#include "gc/rs_internal.h"
#include "gc/trace.h"
#include "hw/common.xml.h"
#include "hw/state_3d.xml.h"

#define FIELD(word, name) (((word) & name##__MASK) >> name##__SHIFT)
#define TILED_BASE_ALIGN 64u
#define LINEAR_BASE_ALIGN 32u
/*
 * Blocks of a resolve, and bytes of tile status, between two calls of gc_yield(). Each is about ten
 * microseconds of host time: until the call, a guest's processor that reads a register waits.
 */
#define YIELD_BLOCKS 256u
#define YIELD_TAG_BYTES 128u

/* A window resolve, decoded from the states. */
struct rs_job {
	struct gc_surface source, destination; /* source: unless filling */
	struct gc_tile_status ts;              /* of the source */
	struct rs_conversion conversion;
	struct rs_fill fill; /* if filling */
	bool filling;
	bool flip;
	uint32_t width, height; /* of the destination; a pipe's part */
	uint32_t total_height;  /* of all pipes' parts */
	unsigned int windows;
	uint32_t window_x[2], window_y[2]; /* position of each pipe's part in the destination */
	struct rs_traffic traffic;
	uint64_t blocks;
};

static uint32_t state(const struct gc_core *gc, uint32_t address)
{
	return gc_state_u32(&gc->state, address);
}

static uint32_t align_stride(enum gc_layout layout, unsigned int bytes, uint32_t field)
{
	/*
	 * linear rows begin at multiples of 32 bytes, as surfaces do; for tiled surfaces the field
	 * has the stride of a row of tiles, four rows of pixels, rounded down to whole tiles
	 */
	if (layout == GC_LINEAR)
		return field & ~(LINEAR_BASE_ALIGN - 1);
	return field / GC_TILE_SIZE & ~(GC_TILE_SIZE * bytes - 1);
}

/*
 * @pipe_state: RS_PIPE_*_ADDR(0); @single_state: the address state of cores with one pipe. Only
 * surfaces that are split between two pipes have a base of their own for the second one.
 */
static void set_bases(const struct gc_core *gc, uint32_t pipe_state, uint32_t single_state,
		      struct gc_surface *surface)
{
	uint32_t align = surface->layout == GC_LINEAR ? LINEAR_BASE_ALIGN : TILED_BASE_ALIGN;
	bool pipes = gc->personality->pixel_pipes > 1;

	surface->base[0] = state(gc, pipes ? pipe_state : single_state) & ~(align - 1);
	surface->base[1] = surface->base[0];
	if (gc_layout_is_multi(surface->layout))
		surface->base[1] = state(gc, pipe_state + 4) & ~(align - 1);
}

static void decode_source(const struct gc_core *gc, uint32_t config, struct gc_surface *source)
{
	uint32_t word = state(gc, VIVS_RS_SOURCE_STRIDE);

	source->layout = gc_layout_from_bits(config & VIVS_RS_CONFIG_SOURCE_TILED,
					     word & VIVS_RS_SOURCE_STRIDE_TILING,
					     word & VIVS_RS_SOURCE_STRIDE_MULTI);
	source->supertile_mode = gc->personality->supertile_mode;
	source->bytes = rs_format_bytes(FIELD(config, VIVS_RS_CONFIG_SOURCE_FORMAT));
	source->stride = align_stride(source->layout, source->bytes,
				      FIELD(word, VIVS_RS_SOURCE_STRIDE_STRIDE));
	set_bases(gc, VIVS_RS_PIPE_SOURCE_ADDR(0), VIVS_RS_SOURCE_ADDR, source);
}

static void decode_destination(const struct gc_core *gc, uint32_t config,
			       struct gc_surface *destination)
{
	uint32_t word = state(gc, VIVS_RS_DEST_STRIDE);

	destination->layout = gc_layout_from_bits(config & VIVS_RS_CONFIG_DEST_TILED,
						  word & VIVS_RS_DEST_STRIDE_TILING,
						  word & VIVS_RS_DEST_STRIDE_MULTI);
	destination->supertile_mode = gc->personality->supertile_mode;
	destination->bytes = rs_format_bytes(FIELD(config, VIVS_RS_CONFIG_DEST_FORMAT));
	destination->stride = align_stride(destination->layout, destination->bytes,
					   FIELD(word, VIVS_RS_DEST_STRIDE_STRIDE));
	set_bases(gc, VIVS_RS_PIPE_DEST_ADDR(0), VIVS_RS_DEST_ADDR, destination);
}

static void decode_ts(const struct gc_core *gc, unsigned int pixel_bytes, struct gc_tile_status *ts)
{
	gc_ts_color(gc, pixel_bytes, ts);
	ts->client = RS_CLIENT;
	if (state(gc, VIVS_RS_SOURCE_STRIDE) & VIVS_RS_SOURCE_STRIDE_TS_MODE__MASK)
		gc_ts_wide(gc, ts);
}

static void decode_conversion(const struct gc_core *gc, uint32_t config,
			      struct rs_conversion *conversion)
{
	uint32_t matrix[2] = { state(gc, VIVS_RS_DITHER(0)), state(gc, VIVS_RS_DITHER(1)) };

	conversion->source = FIELD(config, VIVS_RS_CONFIG_SOURCE_FORMAT);
	conversion->destination = FIELD(config, VIVS_RS_CONFIG_DEST_FORMAT);
	conversion->shift_x = !!(config & VIVS_RS_CONFIG_DOWNSAMPLE_X);
	conversion->shift_y = !!(config & VIVS_RS_CONFIG_DOWNSAMPLE_Y);
	conversion->swap_rb = config & VIVS_RS_CONFIG_SWAP_RB;
	conversion->raw = conversion->source == conversion->destination && !conversion->shift_x &&
			  !conversion->shift_y && !conversion->swap_rb;
	conversion->dither = gc_dither_bias(matrix, conversion->bias);
	conversion->endian = FIELD(state(gc, VIVS_RS_EXTRA_CONFIG), VIVS_RS_EXTRA_CONFIG_ENDIAN);
}

/* RS_CLEAR_CONTROL.BITS: bit i enables byte i of every 16; with one value four bits are used (rnndb). */
static void decode_fill(const struct gc_core *gc, uint32_t control, unsigned int bytes,
			struct rs_fill *fill)
{
	bool four = FIELD(control, VIVS_RS_CLEAR_CONTROL_MODE) > 1;
	uint32_t word[4], bits = FIELD(control, VIVS_RS_CLEAR_CONTROL_BITS);

	for (unsigned int i = 0; i < 4; i++) {
		unsigned int from = four ? i : bytes == 8 ? i & 1 : 0;

		word[i] = state(gc, VIVS_RS_FILL_VALUE(from));
	}
	fill->pattern[0] = (uint64_t)word[1] << 32 | word[0];
	fill->pattern[1] = (uint64_t)word[3] << 32 | word[2];
	fill->mask[0] = fill->mask[1] = 0;
	for (unsigned int i = 0; i < 16; i++)
		if (bits >> (four ? i : i % 4) & 1)
			fill->mask[i / 8] |= 0xffull << 8 * (i % 8);
}

/*
 * The parts of the window. Unless RS_SINGLE_BUFFER is enabled, each pixel pipe resolves the
 * window at an offset of its own; with equal offsets both do the same work. The states count
 * pixels of the source. The shifts must be those of the job: 0 for a fill.
 */
static void decode_windows(const struct gc_core *gc, struct rs_job *job)
{
	const struct rs_conversion *conversion = &job->conversion;
	uint32_t size = state(gc, VIVS_RS_WINDOW_SIZE);
	bool single = gc->personality->pixel_pipes < 2 ||
		      (gc->personality->single_buffer &&
		       (state(gc, VIVS_RS_SINGLE_BUFFER) & VIVS_RS_SINGLE_BUFFER_ENABLE));
	uint32_t offset[2] = { 0, 0 };

	for (unsigned int pipe = 0; !single && pipe < 2; pipe++)
		offset[pipe] = state(gc, VIVS_RS_PIPE_OFFSET(pipe));
	job->windows = offset[0] == offset[1] ? 1 : 2;
	job->width = FIELD(size, VIVS_RS_WINDOW_SIZE_WIDTH) >> conversion->shift_x;
	job->height = FIELD(size, VIVS_RS_WINDOW_SIZE_HEIGHT) >> conversion->shift_y;
	job->total_height = job->height;
	for (unsigned int w = 0; w < job->windows; w++) {
		job->window_x[w] = FIELD(offset[w], VIVS_RS_PIPE_OFFSET_X) >> conversion->shift_x &
				   ~(RS_BLOCK - 1u);
		job->window_y[w] = FIELD(offset[w], VIVS_RS_PIPE_OFFSET_Y) >> conversion->shift_y &
				   ~(RS_BLOCK - 1u);
		if (job->window_y[w] + job->height > job->total_height)
			job->total_height = job->window_y[w] + job->height;
	}
}

static bool is_convertible(unsigned int format)
{
	return format == RS_FORMAT_YUY2 || gc_format_rs(format);
}

/* Decode the states. Returns: false if the conversion is not supported. */
static bool decode(const struct gc_core *gc, struct rs_job *job)
{
	uint32_t config = state(gc, VIVS_RS_CONFIG), control = state(gc, VIVS_RS_CLEAR_CONTROL);

	memset(job, 0, sizeof(*job));
	decode_conversion(gc, config, &job->conversion);
	job->filling =
		FIELD(control, VIVS_RS_CLEAR_CONTROL_MODE) != VIVS_RS_CLEAR_CONTROL_MODE_DISABLED;
	if (!rs_format_bytes(job->conversion.destination))
		return false;
	decode_destination(gc, config, &job->destination);
	if (job->filling) {
		job->conversion.shift_x = job->conversion.shift_y = 0;
		decode_fill(gc, control, job->destination.bytes, &job->fill);
	} else if (!job->conversion.raw && (!is_convertible(job->conversion.source) ||
					    !is_convertible(job->conversion.destination))) {
		return false;
	} else {
		decode_source(gc, config, &job->source);
		decode_ts(gc, job->source.bytes, &job->ts);
	}
	job->flip = config & VIVS_RS_CONFIG_FLIP;
	decode_windows(gc, job);
	return true;
}

/* Reverse the rows of a block, for a flipped destination. */
static void flip_rows(const struct rs_job *job, struct rs_block *block)
{
	unsigned int bytes = RS_BLOCK * job->destination.bytes;
	struct rs_block old = *block;

	for (unsigned int row = 0; row < RS_BLOCK; row++)
		memcpy(block->byte + row * bytes, old.byte + (RS_BLOCK - 1 - row) * bytes, bytes);
}

/* Read and convert the source of the destination's block at (@x, @y). */
static bool make_block(struct gc_core *gc, struct rs_job *job, uint32_t x, uint32_t y,
		       unsigned int rows, struct rs_block *out)
{
	const struct rs_conversion *conversion = &job->conversion;
	struct rs_block in[4];
	unsigned int n = 0;

	if (conversion->raw && conversion->endian == ENDIAN_MODE_NO_SWAP) {
		/* a flipped destination gets rows that do not exist, too */
		if (rows < RS_BLOCK)
			memset(out, 0, sizeof(*out));
		return rs_load(gc, &job->source, &job->ts, x, y, rows, &job->traffic, out);
	}
	/* rows that do not exist are converted too; initialise them */
	if (rows < RS_BLOCK)
		memset(in, 0, sizeof(in));
	for (unsigned int by = 0; by < 1u << conversion->shift_y; by++) {
		for (unsigned int bx = 0; bx < 1u << conversion->shift_x; bx++) {
			uint32_t sx = (x << conversion->shift_x) + bx * RS_BLOCK;
			uint32_t sy = (y << conversion->shift_y) + by * RS_BLOCK;
			uint32_t left = (rows << conversion->shift_y) - by * RS_BLOCK;

			if ((int32_t)left <= 0)
				break;
			if (!rs_load(gc, &job->source, &job->ts, sx, sy,
				     left < RS_BLOCK ? left : RS_BLOCK, &job->traffic, &in[n++]))
				return false;
		}
	}
	rs_convert(conversion, in, out);
	return true;
}

static bool do_block(struct gc_core *gc, struct rs_job *job, uint32_t x, uint32_t y,
		     unsigned int rows)
{
	struct rs_block block;
	uint32_t to_y = y;

	job->blocks++;
	if (job->filling)
		return rs_fill(gc, &job->destination, x, y, rows, &job->traffic, &job->fill);
	if (!make_block(gc, job, x, y, rows, &block))
		return false;
	if (job->flip) {
		to_y = ((job->total_height + RS_BLOCK - 1) & ~(RS_BLOCK - 1u)) - RS_BLOCK - y;
		rows = RS_BLOCK;
		flip_rows(job, &block);
	}
	return rs_store(gc, &job->destination, x, to_y, rows, &job->traffic, &block);
}

/*
 * Resolve a pipe's part, in whole blocks: columns behind a width that is no multiple of 4 are
 * written, too, rows behind the height only in tiled surfaces or if flipped. Returns: false after a
 * fault or reset.
 */
static bool do_window(struct gc_core *gc, struct rs_job *job, unsigned int w)
{
	for (uint32_t y = 0; y < job->height; y += RS_BLOCK) {
		uint32_t rows = job->height - y;

		for (uint32_t x = 0; x < job->width; x += RS_BLOCK) {
			if (!do_block(gc, job, job->window_x[w] + x, job->window_y[w] + y,
				      rows < RS_BLOCK ? rows : RS_BLOCK))
				return false;
			if (job->blocks % YIELD_BLOCKS == 0 && !gc_yield(gc))
				return false;
		}
	}
	return true;
}

static void report(struct gc_core *gc, uint64_t pixels, const struct rs_traffic *traffic)
{
	gc->work.rs_pixels += pixels;
	gc->work.rs_read_bytes += traffic->read_bytes;
	gc->work.rs_write_bytes += traffic->write_bytes;
	gc->work.ts_read_bytes += traffic->ts_bytes;
	gc->counters.rs_resolves++;
	gc->counters.rs_pixels += pixels;
	gc->counters.rs_read_bytes += traffic->read_bytes;
	gc->counters.rs_write_bytes += traffic->write_bytes;
}

void gc_rs_kick(struct gc_core *gc)
{
	struct rs_job job;
	unsigned int shift;

	if (!decode(gc, &job)) {
		if (gc_tracing(gc))
			gc_trace(gc, "rs", "no conversion from format %u to %u",
				 job.conversion.source, job.conversion.destination);
		return;
	}
	for (unsigned int w = 0; w < job.windows; w++)
		if (!do_window(gc, &job, w))
			break;
	shift = job.conversion.shift_x + job.conversion.shift_y;
	report(gc, (job.blocks * RS_BLOCK_PIXELS) << shift, &job.traffic);
}

/* Fill the cleared tiles among those with tags in one byte. Returns: false after a fault. */
static bool fill_tag_byte(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t first,
			  uint32_t count, struct rs_traffic *traffic)
{
	for (uint32_t i = first; i < first + count; i++) {
		uint32_t address = ts->surface_address + i * ts->tile_bytes;
		bool cleared;

		if (!gc_ts_is_cleared(gc, ts, address, &cleared))
			return false;
		if (!cleared)
			continue;
		if (!gc_ts_fill(gc, ts, address))
			return false;
		traffic->write_bytes += ts->tile_bytes;
	}
	return true;
}

static void resolve_tags(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t tiles,
			 struct rs_traffic *traffic)
{
	const uint32_t a_byte = 8 / ts->bits;

	for (uint32_t i = 0; i < tiles; i += a_byte) {
		uint32_t address = gc_ts_tag_address(ts, i);
		const uint8_t *tags = gc_mmu_map(&gc->mmu, ts->client, GC_READ, address);

		if (!tags)
			return;
		traffic->ts_bytes++;
		if (*tags &&
		    !fill_tag_byte(gc, ts, i, tiles - i < a_byte ? tiles - i : a_byte, traffic))
			return;
		if (traffic->ts_bytes % YIELD_TAG_BYTES == 0 && !gc_yield(gc))
			return;
	}
}

void gc_rs_kick_inplace(struct gc_core *gc, unsigned int tiles)
{
	struct rs_traffic traffic = { 0 };
	struct gc_tile_status ts;
	uint32_t most;

	/*
	 * The command has no format, which decides whether the second word of the clear value is
	 * used: for pixels of 64 bits only. [chosen] Pixels have 64 bits unless that word is 0, as
	 * drivers leave it for depth. If both words are equal, the size makes no difference.
	 */
	decode_ts(gc, state(gc, VIVS_TS_COLOR_CLEAR_VALUE_EXT) ? 8 : 4, &ts);
	if (!ts.enabled)
		return;
	/* a surface is not larger than the address space */
	most = UINT32_MAX / ts.tile_bytes;
	resolve_tags(gc, &ts, tiles < most ? tiles : most, &traffic);
	report(gc, traffic.write_bytes / sizeof(uint32_t), &traffic);
}
