/* SPDX-License-Identifier: MIT */
/*
 * Types and functions shared by the files of the texture unit.
 *
 *  tx_state.c     decodes TE/NTE sampler states to struct tx_sampler
 *  tx_format.c    texel formats; tx_s3tc.c, tx_etc.c, tx_astc.c: compressed blocks
 *  tx_astc_ise.c  integer sequences of ASTC blocks
 *  tx_coord.c     cube faces, derivatives, level of detail
 *  tx_fetch.c     addresses of texels, and what memory, tile status or decoded blocks have there
 *  tx_wrap.h      wrap modes
 *  tx_filter.c    reference implementation: all features, one lane at a time
 *  tx_fast.c      all lanes at once, for 2D lookups; same results
 *  tx_one_level.c the same for lookups with one level and one filter for all lanes
 *  tx_deferred.c  lookups on other threads: pages they may read, recorded cache lines
 *  tx_data.c      contents of texture caches, with --caches=data
 *  tx.c           entry points
 */
#ifndef CARD_GC_TX_H
#define CARD_GC_TX_H

#include <stdbool.h>
#include <stdint.h>

#include "clock/cache_model.h"
#include "gc/batch.h"
#include "gc/core.h"
#include "gc/layout.h"
#include "gc/shader.h"
#include "gc/tx_format.h"

#define TX_SAMPLERS 32 /* VIVS_NTE_SAMPLER__LEN */
#define TX_LEVELS 14   /* VIVS_NTE_SAMPLER_ADDR_LOD__LEN */
#define TX_BLOCKS 512  /* decoded compressed blocks cached per sampler */
#define TX_MAX_ANISOTROPY 16.0f
#define TX_SEEN 16 /* cache lines remembered per request */

#define TX_LINE_SHIFT 6
#define TX_LINE_BYTES (1u << TX_LINE_SHIFT) /* of the texture cache */

/* Texel coordinates have eight fractional bits. */
#define TX_SUBTEXEL_BITS 8
#define TX_SUBTEXELS (1 << TX_SUBTEXEL_BITS)

/* A mip level: size in texels, address and strides in bytes. */
struct tx_level {
	uint32_t address;
	uint32_t stride;       /* from one row of texels or of compressed blocks to the next */
	uint32_t layer_stride; /* from one cube face, array layer or slice to the next */
	int32_t size[3];       /* width, height, depth */
	float fsize[3];
};

/* Tile status of level 0, for textures that were just rendered to. */
struct tx_tile_status {
	bool enabled;
	uint32_t status_address;
	uint8_t clear[16]; /* contents of a cleared tile, repeated */
};

/* Cache of decoded blocks of a sampler's compressed texture, direct mapped by address. */
struct tx_block_cache {
	uint64_t key[TX_BLOCKS]; /* generation << 32 | block address */
	uint32_t texel[];        /* TX_BLOCKS * texels of a block */
};

struct tx_sampler {
	bool enabled;
	uint8_t type; /* TEXTURE_TYPE_* */
	bool array;
	bool seamless;
	uint8_t wrap[3];       /* TEXTURE_WRAPMODE_* */
	uint8_t min, mag, mip; /* TEXTURE_FILTER_* */
	bool round_uv;
	bool srgb;
	bool compare;
	uint8_t compare_func; /* TEXTURE_COMPARE_FUNC_* */
	uint8_t swizzle[4];   /* TEXTURE_SWIZZLE_* */
	bool identity;        /* no component is changed by the swizzle */
	float anisotropy;     /* largest ratio, 1 = isotropic */
	float lod_min, lod_max, lod_bias;
	enum gc_layout layout;
	const struct tx_format *format;
	unsigned int filtered_dims; /* number of filtered coordinates: 1, 2 or 3 */
	int32_t layers;             /* cube faces or array layers; 1: none */
	/* offset of the second pixel pipe's half of a split surface */
	uint32_t split_offset[TX_LEVELS];
	struct tx_level level[TX_LEVELS];
	struct tx_tile_status ts;
	/* tx_fast.c supports it: 2D, isotropic, not seamless, no border, no split; see is_fast() */
	bool fast;
	bool one_level; /* tx_one_level.c supports it, if all lanes use the same level */
	struct tx_block_cache *blocks;
	unsigned int block_texels; /* texels per entry of @blocks */
};

struct gc_texture_unit {
	struct tx_sampler sampler[TX_SAMPLERS];
	struct cache_model cache;
	/* of the caches of fragment and of vertex textures; NULL: lookups read memory */
	struct tx_data *data[2];
	uint64_t stamp;      /* newest write to the states that the samplers were decoded from */
	uint32_t generation; /* of decoded blocks; incremented to invalidate them */
	unsigned int supertile_mode;    /* see gc_supertile_order() */
	bool general_only;              /* tests: use only tx_filter.c */
	struct gc_texture_lines *lines; /* records lines instead of accessing the cache, or NULL */
};

/* Where each lane samples, after projection to faces and layers. */
struct tx_lookup {
	union gc_lanes coord[3]; /* normalised, without the layer coordinate */
	union gc_lanes layer;    /* cube face or array layer */
	union gc_lanes blend;    /* weight of level + 1; 0 = one level */
	uint8_t level[GC_LANES]; /* finer of the two levels */
	uint64_t linear;         /* lanes that filter within a level */
	uint64_t blended;        /* lanes whose blend is not 0 */
	bool uniform; /* all lanes have the same level; all or none of them are blended */
	/* anisotropic filtering: probes along the longer axis */
	uint8_t probes[GC_LANES];
	float step[2][GC_LANES]; /* from one probe to the next, in s and t; if there are several */
};

/* Data of one request. */
struct tx_access {
	struct gc_core *gc;
	struct gc_texture_unit *unit;
	struct tx_sampler *sampler;
	bool vertex; /* of a vertex shader */
	bool faulted;
	uint32_t line;          /* line of the texture cache accessed last, ~0: none */
	uintptr_t way;          /* added to a GPU address in that line it gives the host address */
	uint32_t seen[TX_SEEN]; /* lines of this request, by a hash; 0: none, line 0 is not kept */
	uint64_t texels;        /* texels read, for the counters */
	uint64_t misses;        /* lines that were not in the cache */
};

/*
 * TX_DEFINE_COMPARE - define a function that compares depth: @name(func, reference, texel)
 * @name: of the function; its first parameter is TEXTURE_COMPARE_FUNC_*
 * @result: int, or a vector of integers: 1, or all ones in each element, where the comparison
 *     is true, otherwise 0
 * @value: float, or a vector of as many floats
 */
#define TX_DEFINE_COMPARE(name, result, value)                                                  \
	static inline __attribute__((always_inline)) result name(uint8_t func, value reference, \
								 value texel)                   \
	{                                                                                       \
		const result never = { 0 };                                                     \
                                                                                                \
		switch (func) {                                                                 \
		case TEXTURE_COMPARE_FUNC_LEQUAL:                                               \
			return reference <= texel;                                              \
		case TEXTURE_COMPARE_FUNC_GEQUAL:                                               \
			return reference >= texel;                                              \
		case TEXTURE_COMPARE_FUNC_LESS:                                                 \
			return reference < texel;                                               \
		case TEXTURE_COMPARE_FUNC_GREATER:                                              \
			return reference > texel;                                               \
		case TEXTURE_COMPARE_FUNC_EQUAL:                                                \
			return reference == texel;                                              \
		case TEXTURE_COMPARE_FUNC_NOTEQUAL:                                             \
			return reference != texel;                                              \
		case TEXTURE_COMPARE_FUNC_ALWAYS:                                               \
			return never == never;                                                  \
		default:                                                                        \
			return never;                                                           \
		}                                                                               \
	}

/** tx_seen_slot - index of @line among the lines that a request remembers */
static inline uint32_t tx_seen_slot(uint32_t line)
{
	return (line ^ line >> 4 ^ line >> 8) % TX_SEEN;
}

/**
 * tx_any_weight - whether a lane of @live has a second texel
 *
 * Other lanes do not count: what their registers hold depends on the size of the host's vectors.
 */
static inline bool tx_any_weight(const union gc_lanes *weight, uint64_t live)
{
	int32_t any = 0;

	for (; live; live &= live - 1)
		any |= weight->i[__builtin_ctzll(live)];
	return any;
}

/** tx_record_lines - append @count line numbers to @lines */
void tx_record_lines(struct gc_texture_lines *lines, const uint32_t *line, unsigned int count);

/** tx_decode_sampler - decode the states of sampler @index; false if it is disabled or invalid */
bool tx_decode_sampler(struct gc_core *gc, unsigned int index, struct tx_sampler *sampler);

/** tx_state_stamp - newest stamp of all texture states */
uint64_t tx_state_stamp(const struct gc_core *gc);

/** tx_prepare - compute projection and level of detail of all lanes, also of those not live */
void tx_prepare(const struct tx_sampler *sampler, const struct gc_texture_request *request,
		struct tx_lookup *lookup);

/**
 * tx_cube_project - face (TEXTURE_FACE_*) of direction @dir; @st receives the position on it,
 * 0..1
 */
int tx_cube_project(const float dir[3], float st[2]);

/**
 * tx_cube_neighbour - find a texel beyond one edge of a cube face on the neighbouring face
 * @face: the face
 * @size: its width and height in texels
 * @x: column; replaced by the column on the neighbouring face
 * @y: row; replaced likewise. Exactly one of @x and @y is outside the face, by one texel.
 *
 * Returns: the neighbouring face.
 */
int tx_cube_neighbour(int face, int32_t size, int32_t *x, int32_t *y);

/**
 * tx_filter_lane - sample one lane
 * @reference: value to compare with, or NULL
 * @out: receives the components before swizzling
 */
void tx_filter_lane(struct tx_access *access, const struct tx_lookup *lookup, unsigned int lane,
		    const float *reference, float out[4]);

/**
 * tx_filter_taps - sample all live lanes as tx_fast(), in the order in which that reads texels; only for
 * samplers with @fast
 */
void tx_filter_taps(struct tx_access *access, const struct tx_lookup *lookup,
		    const union gc_lanes *reference, uint64_t live, struct gc_vec4 *out);

/**
 * tx_fetch_lane - read one texel at integer coordinates, zero outside the texture; @out as
 * above
 */
void tx_fetch_lane(struct tx_access *access, const int32_t at[3], float lod, float out[4]);

/**
 * tx_fast - sample all live lanes; only for samplers with @fast
 * @reference: value to compare depth with, or NULL
 */
void tx_fast(struct tx_access *access, const struct tx_lookup *lookup,
	     const union gc_lanes *reference, uint64_t live, struct gc_vec4 *out);

/** tx_allows_one_level - whether tx_one_level() supports a sampler, by its decoded states */
bool tx_allows_one_level(const struct tx_sampler *s);

/** tx_one_level - sample all live lanes, with the same level and filter for all */
void tx_one_level(struct tx_access *access, const struct tx_lookup *lookup, uint64_t live,
		  struct gc_vec4 *out);

#endif
