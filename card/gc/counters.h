/* SPDX-License-Identifier: MIT */
/*
 * Counts of what the core did since its creation. Both the profiling registers (selected by
 * CONFIG0..2) and the control protocol's statistics are derived from these.
 */
#ifndef CARD_GC_COUNTERS_H
#define CARD_GC_COUNTERS_H

#include <stdint.h>

struct gc_counters {
	/* FE */
	uint64_t fe_commands, fe_words, fe_draws, fe_indices, fe_vertices_fetched;
	/* SH */
	uint64_t sh_cycles;
	uint64_t ps_instructions, ps_pixels, ps_branches, ps_texlds;
	uint64_t vs_instructions, vs_vertices, vs_branches, vs_texlds;
	uint64_t sh_accesses;       /* loads, stores and atomics of both stages */
	uint64_t sh_icache_flushes; /* flushes of one stage's instruction cache */
	/* PA */
	uint64_t pa_input_vertices, pa_input_primitives, pa_output_primitives;
	uint64_t pa_depth_clipped, pa_trivial_rejected, pa_culled, pa_dropped_zero_area, pa_clipped;
	/* SE */
	uint64_t se_culled_triangles, se_triangles, se_lines, se_points;
	/* RA */
	uint64_t ra_pixels, ra_quads, ra_quads_after_early_z, ra_primitives;
	uint64_t ra_eez_culled_quads, ra_pipe_cache_misses;
	/* TX */
	uint64_t tx_bilinear_requests, tx_trilinear_requests, tx_discarded_requests, tx_requests;
	uint64_t tx_mem_reads, tx_mem_read_8b, tx_cache_misses, tx_cache_hits;
	/* PE */
	uint64_t pe_killed_by_color, pe_killed_by_depth, pe_drawn_by_color, pe_drawn_by_depth;
	/* RS */
	uint64_t rs_resolves, rs_pixels;
	/* MC and HI: bytes, by the unit that moved them */
	uint64_t fe_read_bytes, tx_read_bytes, pe_read_bytes, pe_write_bytes, rs_read_bytes,
		rs_write_bytes, sh_read_bytes, sh_write_bytes;
	uint64_t ts_read_bytes,
		ts_write_bytes; /* tile status, by pixel engine and resolve engine */
	/* cycles in which requests to memory waited, see clock/memory.h */
	uint64_t hi_read_stalls, hi_write_stalls;
	/* pe_read_bytes and pe_write_bytes by colour and depth */
	uint64_t mc_color_read_bytes, mc_color_write_bytes, mc_depth_read_bytes,
		mc_depth_write_bytes;
	/* formats that the core does not have: of attributes, samplers and targets of draws */
	uint64_t fe_refused_formats, tx_refused_formats, pe_refused_formats;
	/* events and interrupts */
	uint64_t events, interrupts, mmu_faults, resets;
};

#endif
