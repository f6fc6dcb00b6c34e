// SPDX-License-Identifier: MIT
/*
 * Draws for tests; see igt_vivgpu_draw.h. State addresses and values are those of the public
 * register database.
 */
#include "igt.h"
#include "igt_vivgpu_draw.h"

#include <string.h>

#define TARGET_BYTES (IGT_VIVGPU_DRAW_SIDE * IGT_VIVGPU_DRAW_SIDE * 4)
/* The type of primitives in a draw command, not their number */
#define TRIANGLES 4
/* Addresses of states; the program of the vertex shader begins at instruction 0 */
#define UNIFORMS 0x30000
#define INSTRUCTIONS 0x0c000
/* The first instruction of the pixel shader */
#define PIXEL_PROGRAM 256

#define ONE 0x3f800000u

/* Corners of a triangle, in clip coordinates: half of the target. */
static const float corners[6] = { -1, -1, 1, -1, -1, 1 };

/*
 * position = (attribute.xy, 0, 1), with the uniforms 0 and 1; and a colour that depends on nothing
 */
static const uint32_t vertex_program[8] = { 0x01811009, 0x00000000, 0x00000000, 0x00010008,
					    0x06011009, 0x00000000, 0x00000000, 0x20100008 };
static const uint32_t pixel_program[4] = { 0x07821009, 0x00000000, 0x00000000, 0x707e4008 };

struct state {
	uint32_t address, value;
};

static uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

void igt_vivgpu_draw_init(const struct igt_vivgpu_bo *bo)
{
	float *vertex = (float *)((char *)bo->map + TARGET_BYTES);

	igt_assert_lte_u64(TARGET_BYTES + IGT_VIVGPU_DRAW_MAX * sizeof(corners), bo->size);
	for (int i = 0; i < IGT_VIVGPU_DRAW_MAX; i++)
		memcpy(vertex + 6 * i, corners, sizeof(corners));
}

static void add_states(struct igt_vivgpu_stream *stream, const struct state *states, size_t count)
{
	for (size_t i = 0; i < count; i++)
		igt_vivgpu_state(stream, states[i].address, states[i].value);
}

static void add_words(struct igt_vivgpu_stream *stream, uint32_t address, const uint32_t *words,
		      size_t count)
{
	for (size_t i = 0; i < count; i++)
		igt_vivgpu_state(stream, address + 4 * i, words[i]);
}

void igt_vivgpu_draw_states(struct igt_vivgpu_stream *stream, const struct igt_vivgpu_bo *bo)
{
	const uint32_t side = float_bits(IGT_VIVGPU_DRAW_SIDE);
	const uint32_t half = float_bits(IGT_VIVGPU_DRAW_SIDE / 2);
	const struct state states[] = {
		{ 0x01654, 0 },                     /* TS_MEM_CONFIG */
		{ 0x00600, 0x08002088 },            /* FE_VERTEX_ELEMENT_CONFIG: two floats */
		{ 0x00780, ONE },                   /* FE_GENERIC_ATTRIB_SCALE */
		{ 0x14600, bo->va + TARGET_BYTES }, /* NFE_VERTEX_STREAMS_BASE_ADDR */
		{ 0x14640, 8 },                     /* NFE_VERTEX_STREAMS_CONTROL */
		{ 0x00808, 0x101 },                 /* VS_INPUT_COUNT */
		{ 0x00804, 1 },                     /* VS_OUTPUT_COUNT */
		{ 0x00810, 1 },                     /* VS_OUTPUT: position in t1 */
		{ 0x0080c, 2 },                     /* VS_TEMP_REGISTER_CONTROL */
		{ 0x0085c, 1 << 16 },               /* VS_RANGE */
		{ 0x00a00, half },                  /* PA_VIEWPORT_SCALE */
		{ 0x00a04, half },
		{ 0x00a08, ONE },
		{ 0x00a0c, half }, /* PA_VIEWPORT_OFFSET */
		{ 0x00a10, half },
		{ 0x00a14, 0 },
		{ 0x00a80, 0x38a01404 }, /* PA_VIEWPORT_UNK00A80, as Vivante's driver has it */
		{ 0x00a84, 0x46000000 }, /* PA_VIEWPORT_UNK00A84: 8192.0 */
		{ 0x00a2c, 0x34000001 }, /* PA_W_CLIP_LIMIT */
		{ 0x00a28, 0x11 },       /* PA_SYSTEM_MODE */
		{ 0x00a30, 0 },          /* PA_ATTRIBUTE_ELEMENT_COUNT */
		{ 0x00a34, 0x412000 },   /* PA_CONFIG: no culling */
		{ 0x00c00, 0 },          /* SE_SCISSOR */
		{ 0x00c04, 0 },
		{ 0x00c08, side },
		{ 0x00c0c, side },
		{ 0x00c20, side }, /* SE_CLIP */
		{ 0x00c24, side },
		{ 0x01004, 2 },                                   /* PS_OUTPUT_REG */
		{ 0x01008, 0x1f01 },                              /* PS_INPUT_COUNT: position */
		{ 0x0100c, 3 },                                   /* PS_TEMP_REGISTER_CONTROL */
		{ 0x01010, 2 },                                   /* PS_CONTROL */
		{ 0x0101c, PIXEL_PROGRAM << 16 | PIXEL_PROGRAM }, /* PS_RANGE */
		{ 0x01024, 1 },                                   /* PS_UNIFORM_BASE */
		{ 0x01400, 0x01000700 },                          /* PE_DEPTH_CONFIG: none */
		{ 0x0142c, 0x00110f06 },                          /* PE_COLOR_FORMAT: A8R8G8B8 */
		{ 0x01434, IGT_VIVGPU_DRAW_SIDE * 4 },            /* PE_COLOR_STRIDE */
		{ 0x01460, bo->va },                              /* PE_PIPE_COLOR_ADDR */
		{ 0x01464, bo->va },
		{ 0x014a4, 0x000e426c }, /* PE_LOGIC_OP */
		{ 0x03860, 6 },          /* GL_BUG_FIXES: the only value without a hazard */
		{ UNIFORMS, 0 },
		{ UNIFORMS + 4, ONE },
	};

	add_states(stream, states, sizeof(states) / sizeof(states[0]));
	add_words(stream, INSTRUCTIONS, vertex_program, 8);
	add_words(stream, INSTRUCTIONS + 16 * PIXEL_PROGRAM, pixel_program, 4);
}

/* The command's words: opcode and type; first vertex and number of primitives. */
void igt_vivgpu_draw(struct igt_vivgpu_stream *stream, uint32_t triangles)
{
	igt_assert(triangles >= 1 && triangles <= IGT_VIVGPU_DRAW_MAX);
	igt_vivgpu_emit(stream, IGT_VIVGPU_DRAW, TRIANGLES);
	igt_vivgpu_emit(stream, 0, triangles);
}

struct igt_vivgpu_counts igt_vivgpu_card_counts(void)
{
	static const char *const names[3] = { "gc.pa.input_vertices", "gc.ra.primitives",
					      "gc.ps.pixels" };
	uint64_t values[3];

	igt_vivgpu_card_totals(names, values, 3);
	return (struct igt_vivgpu_counts){ values[0], values[1], values[2] };
}

struct igt_vivgpu_counts igt_vivgpu_counts_since(struct igt_vivgpu_counts a,
						 struct igt_vivgpu_counts b)
{
	return (struct igt_vivgpu_counts){ .vertices = a.vertices - b.vertices,
					   .primitives = a.primitives - b.primitives,
					   .fragments = a.fragments - b.fragments };
}

void igt_vivgpu_assert_counts(struct igt_vivgpu_counts a, struct igt_vivgpu_counts b)
{
	igt_assert_eq_u64(a.vertices, b.vertices);
	igt_assert_eq_u64(a.primitives, b.primitives);
	igt_assert_eq_u64(a.fragments, b.fragments);
}

struct igt_vivgpu_counts igt_vivgpu_record_counts(const struct drm_vivgpu_record *record)
{
	return (struct igt_vivgpu_counts){ .vertices = record->vertices,
					   .primitives = record->primitives,
					   .fragments = record->fragments };
}

void igt_vivgpu_counts_add(struct igt_vivgpu_counts *sum, struct igt_vivgpu_counts counts)
{
	sum->vertices += counts.vertices;
	sum->primitives += counts.primitives;
	sum->fragments += counts.fragments;
}
