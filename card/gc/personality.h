/* SPDX-License-Identifier: MIT */
/*
 * Model of the core: a table row of identity registers, limits and behaviours for each. Code
 * checks a property, never the name, so that a new core is a new row.
 */
#ifndef CARD_GC_PERSONALITY_H
#define CARD_GC_PERSONALITY_H

#include <stdbool.h>
#include <stdint.h>

struct gc_personality {
	const char *name; /* "gc3000" */
	/* identity registers */
	uint32_t chip_model, chip_rev, chip_date, chip_time;
	uint32_t product_id, eco_id, customer_id;
	uint32_t features, minor_features[6];
	uint32_t specs[4]; /* CHIP_SPECS, _2, _3, _4 */
	/* limits and behaviours */
	unsigned int mmu_version; /* 1 or 2 */
	unsigned int halti;       /* 0, 2, 5 */
	unsigned int pixel_pipes;
	unsigned int shader_cores;
	unsigned int threads; /* vertices or pixels in flight */
	/* vec4 uniforms that the core reports; those of vertex shaders if not unified */
	unsigned int uniforms;
	unsigned int ps_uniforms; /* of pixel shaders, if not unified */
	unsigned int varyings;
	unsigned int samplers; /* of both stages together */
	unsigned int streams;
	unsigned int instructions; /* of one program */
	bool unified_uniforms;     /* uniforms at SH_HALTI states, shared by both stages */
	bool instruction_cache;    /* programs are fetched from memory */
	bool single_buffer;        /* both pipes render into one buffer */
	bool simd_integers;        /* integer instructions work on four components */
	bool f2i_nan_saturates;    /* F2I of NaN saturates by its sign; otherwise gives 0 */
	/* SIN and COS have period 2; SIN, COS, LOG, DIV return two factors */
	bool fast_transcendentals;
	unsigned int supertile_mode; /* 1 or 2 */
	unsigned int ts_bits;        /* tile status bits per tile */
	unsigned int ts_tile_bytes;  /* bytes of surface that a tag covers */
	/* TOTAL_CYCLES at 0x78, IDLE at 0x7c; otherwise at 0x438 and 0x78 */
	bool total_cycles_at_078;
	const char *clock_params; /* default set of card/clock/params/ */
};

/** gc_personality_find - the row with this name, or NULL */
const struct gc_personality *gc_personality_find(const char *name);

/** gc_personality_at - row @index, or NULL past the last one */
const struct gc_personality *gc_personality_at(unsigned int index);

#endif
