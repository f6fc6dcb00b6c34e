/* SPDX-License-Identifier: MIT */
/*
 * Inside the texture unit: decoded samplers and what its files share.
 *
 *   tx_state.c   TE/NTE sampler states -> struct tx_sampler
 *   tx_format.c  texel formats; tx_s3tc.c, tx_etc.c, tx_astc.c compressed blocks
 *   tx_coord.c   cube faces, derivatives, level of detail
 *   tx_filter.c  one lane at a time: the complete path and the definition of it
 *   tx_fast.c    all lanes at once for plain 2D lookups, bit-identical to it
 *   tx_plain.c   the same where even less differs from lane to lane
 *   tx_deferred.c   lookups of other threads: what they may read, and the lines they asked for
 *   tx.c         entry points
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
#define TX_BLOCKS 512  /* decoded compressed blocks kept per sampler */
#define TX_MAX_ANISOTROPY 16.0f
#define TX_SEEN 16 /* cache lines a request remembers */

/* Coordinates carry eight fractional bits of a texel. */
#define TX_SUBTEXEL_BITS 8
#define TX_SUBTEXELS (1 << TX_SUBTEXEL_BITS)

/* One mip level: extent in texels, place in GPU memory in bytes. */
struct tx_level {
	uint32_t address;
	uint32_t stride;       /* of a row of texels or of compressed blocks */
	uint32_t layer_stride; /* from one cube face, array layer or slice to the next */
	int32_t size[3];       /* width, height, depth */
	float fsize[3];
};

/* Tile status of level 0, for textures that were just rendered to. */
struct tx_tile_status {
	bool enabled;
	uint32_t status_address;
	uint8_t clear[16]; /* what a cleared tile holds, repeated */
};

/* Decoded blocks of one sampler's compressed texture, direct mapped by address. */
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
	bool identity;        /* the swizzle changes nothing */
	float anisotropy;     /* largest ratio, 1 = isotropic */
	float lod_min, lod_max, lod_bias;
	enum gc_layout layout;
	const struct tx_format *format;
	unsigned int filtered_dims;       /* 1, 2 or 3 coordinates that are filtered */
	int32_t layers;                   /* cube faces or array layers, 1 = none */
	uint32_t split_offset[TX_LEVELS]; /* second pixel pipe's half of a split surface */
	struct tx_level level[TX_LEVELS];
	struct tx_tile_status ts;
	bool fast;  /* tx_fast.c can sample it */
	bool plain; /* and tx_plain.c, where all lanes look at one level */
	struct tx_block_cache *blocks;
	unsigned int block_texels; /* texels an entry of @blocks has room for */
};

struct gc_texture_unit {
	struct tx_sampler sampler[TX_SAMPLERS];
	struct cache_model cache;
	uint64_t stamp;      /* newest state the samplers were decoded from */
	uint32_t generation; /* of decoded blocks; increased to forget them */
	/* pixels from a supertile's first to the one with just bit 2 + k of x or y set */
	uint32_t supertile_x[4], supertile_y[4];
	uint8_t supertile_tile[2][16];  /* tiles from the first: of a column, of a row of them */
	bool general_only;              /* tests: leave the fast path out */
	struct gc_texture_lines *lines; /* takes note of lines in place of the cache, or NULL */
};

/* Where each lane looks, after projection onto faces and layers. */
struct tx_lookup {
	union gc_lanes coord[3]; /* normalised; a layer coordinate is not among them */
	union gc_lanes layer;    /* cube face or array layer */
	union gc_lanes blend;    /* weight of level + 1; 0 = one level */
	uint8_t level[GC_LANES]; /* finer of the two levels */
	uint64_t linear;         /* lanes that filter within a level */
	uint64_t blended;        /* lanes whose blend is not 0 */
	bool uniform;            /* all lanes have the same level; all blend or none does */
	/* anisotropy: probes along the longer axis */
	uint8_t probes[GC_LANES];
	float step[2][GC_LANES]; /* from one probe to the next, s and t */
};

/* One request on its way. */
struct tx_access {
	struct gc_core *gc;
	struct gc_texture_unit *unit;
	struct tx_sampler *sampler;
	bool faulted;
	uint32_t line;          /* texture cache line touched last, ~0 = none */
	uintptr_t way;          /* what makes a host address of a GPU address in it */
	uint32_t seen[TX_SEEN]; /* lines of this request, by a hash; 0 is never kept */
	uint64_t texels;        /* read, for the counters */
	uint64_t misses;        /* lines that had to be fetched */
};

/** tx_record_lines - @count lines are asked for, by number. */
void tx_record_lines(struct gc_texture_lines *lines, const uint32_t *line, unsigned int count);

/** tx_decode_sampler - fill @sampler from the states of sampler @index; false: it is off. */
bool tx_decode_sampler(struct gc_core *gc, unsigned int index, struct tx_sampler *sampler);

/** tx_state_stamp - newest stamp of any texture state. */
uint64_t tx_state_stamp(const struct gc_core *gc);

/** tx_prepare - projection, derivatives and level of detail of all live lanes. */
void tx_prepare(const struct tx_sampler *sampler, const struct gc_texture_request *request,
		struct tx_lookup *lookup);

/** tx_cube_project - face (TEXTURE_FACE_*) of direction @dir; @st gets the place on it, 0..1. */
int tx_cube_project(const float dir[3], float st[2]);

/**
 * tx_cube_neighbour - follow a texel over one edge of a cube face
 * @face: the face, @size: its width and height
 * @x, @y: texel, exactly one of them outside by one; replaced by the place on the neighbour
 *
 * Returns: the neighbouring face.
 */
int tx_cube_neighbour(int face, int32_t size, int32_t *x, int32_t *y);

/** tx_filter_lane - sample one lane; @reference: to compare with, or NULL; @out: before swizzling. */
void tx_filter_lane(struct tx_access *access, const struct tx_lookup *lookup, unsigned int lane,
		    const float *reference, float out[4]);

/** tx_fetch_lane - one texel by integer coordinates, zero outside; @out as above. */
void tx_fetch_lane(struct tx_access *access, const int32_t at[3], float lod, float out[4]);

/**
 * tx_fast - sample all live lanes; only for samplers with @fast set
 * @reference: what to compare depth with, or NULL
 */
void tx_fast(struct tx_access *access, const struct tx_lookup *lookup,
	     const union gc_lanes *reference, uint64_t live, struct gc_vec4 *out);

/** tx_is_plain - whether tx_plain() can sample it, from its decoded states. */
bool tx_is_plain(const struct tx_sampler *s);

/** tx_plain - sample all live lanes of one level with one filter; colours of 0..1. */
void tx_plain(struct tx_access *access, const struct tx_lookup *lookup, uint64_t live,
	      struct gc_vec4 *out);

#endif
