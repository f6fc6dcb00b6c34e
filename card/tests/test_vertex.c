// SPDX-License-Identifier: MIT
/* Vertex fetch: attribute formats, layouts, addresses, faults. */
#include <stdlib.h>

#include "gc/core.h"
#include "gc/float_bits.h"
#include "gc/vertex.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "tests/check.h"

#define BASE 0x40000000u
#define BYTES 0x4000u

static uint8_t memory[BYTES] __attribute__((aligned(4096)));
static struct gc_core gc;
static struct gc_personality personality;
static struct guest_memory guest;
static struct gc_batch batch;

/* A core with MMUv1's linear window over the memory. */
static void open_core(int halti, unsigned int streams)
{
	memset(&gc, 0, sizeof(gc));
	memset(memory, 0, sizeof(memory));
	personality = (struct gc_personality){ .halti = (unsigned int)halti, .streams = streams };
	guest = (struct guest_memory){ 1, { { BASE, BYTES, memory } } };
	gc.personality = &personality;
	gc_mmu_init(&gc.mmu, 1, &guest);
	gc.mmu.base[GC_CLIENT_FE] = BASE;
}

/* FE_VERTEX_ELEMENT_CONFIG.NORMALIZE: SIGN_EXTEND is the symmetric rule, ON is that of GL 2.1 */
enum rule { OFF, SIGN_EXTEND, ON };

#define ONE 0x3f800000 /* 1.0f, of components that are missing */

static void decode(unsigned int type, unsigned int components, enum rule rule, uint64_t low,
		   uint64_t high, uint32_t out[4])
{
	struct gc_element e = { .type = type,
				.components = components,
				.size = gc_element_size(type, components),
				.sign_extend = rule == SIGN_EXTEND,
				.normalize = rule == ON,
				.one = ONE };
	uint64_t words[2] = { low, high };
	uint8_t *exact = malloc(e.size); /* so that a sanitizer sees a read past its end */

	memcpy(exact, words, e.size);
	gc_element_decode(&e, exact, out);
	free(exact);
}

static double decode_one(unsigned int type, enum rule rule, uint64_t value)
{
	uint32_t out[4];

	decode(type, 1, rule, value, 0, out);
	return bits_float(out[0]);
}

TEST(bytes_and_shorts)
{
	for (int v = -128; v < 128; v++) {
		CHECK_EQ((int64_t)decode_one(FE_DATA_TYPE_BYTE, OFF, (uint8_t)v), v);
		CHECK_NEAR(decode_one(FE_DATA_TYPE_BYTE, SIGN_EXTEND, (uint8_t)v),
			   fmax(v / 127.0, -1.0), 1e-7);
		CHECK_NEAR(decode_one(FE_DATA_TYPE_BYTE, ON, (uint8_t)v), (2 * v + 1) / 255.0,
			   1e-7);
		CHECK_EQ((int64_t)decode_one(FE_DATA_TYPE_UNSIGNED_BYTE, OFF, (uint8_t)v),
			 (uint8_t)v);
		CHECK_NEAR(decode_one(FE_DATA_TYPE_UNSIGNED_BYTE, SIGN_EXTEND, (uint8_t)v),
			   (uint8_t)v / 255.0, 1e-7);
	}
	for (int v = -32768; v < 32768; v += 77) {
		CHECK_EQ((int64_t)decode_one(FE_DATA_TYPE_SHORT, OFF, (uint16_t)v), v);
		CHECK_NEAR(decode_one(FE_DATA_TYPE_SHORT, SIGN_EXTEND, (uint16_t)v),
			   fmax(v / 32767.0, -1.0), 1e-7);
		CHECK_NEAR(decode_one(FE_DATA_TYPE_UNSIGNED_SHORT, ON, (uint16_t)v),
			   (uint16_t)v / 65535.0, 1e-7);
	}
}

#define INT_REV FE_DATA_TYPE_INT_2_10_10_10_REV
#define UINT_REV FE_DATA_TYPE_UNSIGNED_INT_2_10_10_10_REV
#define INT_10 FE_DATA_TYPE_INT_10_10_10_2
#define UINT_10 FE_DATA_TYPE_UNSIGNED_INT_10_10_10_2
/* 1023, 512, 1 and 2; in the other order 2 and 1 */
#define REV (0x3ffu | 0x200u << 10 | 0x001u << 20 | 2u << 30)
#define WORD (0x3ffu << 22 | 0x200u << 12 | 0x002u << 2 | 1)

TEST(values)
{
	static const struct {
		unsigned int type, components;
		enum rule rule;
		uint64_t bits;
		union {
			float f[4];
			uint32_t u[4];
		} want;
	} cases[] = {
		{ FE_DATA_TYPE_UNSIGNED_BYTE, 1, SIGN_EXTEND, 255, { { 1, 0, 0, 1 } } },
		{ FE_DATA_TYPE_BYTE, 1, SIGN_EXTEND, 0x80, { { -1, 0, 0, 1 } } },
		{ FE_DATA_TYPE_BYTE, 1, SIGN_EXTEND, 0x81, { { -1, 0, 0, 1 } } },
		{ FE_DATA_TYPE_INT, 1, OFF, (uint32_t)-16777217, { { -16777216, 0, 0, 1 } } },
		{ FE_DATA_TYPE_INT, 1, SIGN_EXTEND, 0x80000000, { { -1, 0, 0, 1 } } },
		{ FE_DATA_TYPE_INT, 1, SIGN_EXTEND, 0x7fffffff, { { 1, 0, 0, 1 } } },
		{ FE_DATA_TYPE_UNSIGNED_INT, 1, OFF, ~0u, { { 4294967296, 0, 0, 1 } } },
		{ FE_DATA_TYPE_UNSIGNED_INT, 1, SIGN_EXTEND, ~0u, { { 1, 0, 0, 1 } } },
		{ FE_DATA_TYPE_UNSIGNED_INT, 1, SIGN_EXTEND, 0x80000000, { { 0.5f, 0, 0, 1 } } },
		{ FE_DATA_TYPE_FIXED, 1, OFF, 0xfffe8000, { { -1.5f, 0, 0, 1 } } },
		{ FE_DATA_TYPE_FIXED, 1, OFF, 0x10001, { { 65537 / 65536.0f, 0, 0, 1 } } },
		/* test_format tries all of these */
		{ FE_DATA_TYPE_HALF_FLOAT, 2, OFF, 0x00018000, { { -0.0f, 0x1p-24f, 0, 1 } } },
		{ FE_DATA_TYPE_HALF_FLOAT, 2, OFF, 0x7c00fbff, { { -65504, INFINITY, 0, 1 } } },
		{ UINT_REV, 4, OFF, REV, { { 1023, 512, 1, 2 } } },
		{ INT_REV, 4, OFF, REV, { { -1, -512, 1, -2 } } },
		{ INT_REV, 4, SIGN_EXTEND, REV, { { -1 / 511.0f, -1, 1 / 511.0f, -1 } } },
		{ UINT_REV, 3, SIGN_EXTEND, REV, { { 1, 512 / 1023.0f, 1 / 1023.0f, 1 } } },
		{ UINT_10, 4, OFF, WORD, { { 1023, 512, 2, 1 } } },
		{ INT_10, 4, OFF, WORD, { { -1, -512, 2, 1 } } },
		/* integers stay integers */
		{ FE_DATA_TYPE_BYTE_I, 4, OFF, 0xff80017f, { .u = { 0x7f, 1, 0x80, 0xff } } },
		{ FE_DATA_TYPE_SHORT_I,
		  2,
		  SIGN_EXTEND,
		  0x8000ffff,
		  { .u = { -1, -32768, 0, ONE } } },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t out[4];

		decode(cases[i].type, cases[i].components, cases[i].rule, cases[i].bits, 0, out);
		for (unsigned int c = 0; c < 4; c++) {
			ROW("type %u, rule %u, 0x%" PRIx64 ": component %u", cases[i].type,
			    cases[i].rule, cases[i].bits, c);
			CHECK_EQ(out[c], cases[i].want.u[c]);
		}
	}
}

TEST(floats_keep_their_bits)
{
	uint32_t out[4];

	decode(FE_DATA_TYPE_FLOAT, 4, OFF, 0x7fa000017fc12345ull, 0x0000000180000000ull, out);
	CHECK_EQ(out[0], 0x7fc12345);
	CHECK_EQ(out[1], 0x7fa00001); /* a signalling NaN stays one */
	CHECK_EQ(out[2], 0x80000000);
	CHECK_EQ(out[3], 1);
}

TEST(missing_components_are_0_0_0_1)
{
	static const unsigned int types[] = {
		FE_DATA_TYPE_BYTE,  FE_DATA_TYPE_UNSIGNED_BYTE, FE_DATA_TYPE_SHORT,
		FE_DATA_TYPE_FLOAT, FE_DATA_TYPE_HALF_FLOAT,    FE_DATA_TYPE_FIXED,
	};
	uint32_t out[4];

	for (unsigned int t = 0; t < 6; t++)
		for (unsigned int n = 1; n < 4; n++) {
			decode(types[t], n, OFF, ~0ull, ~0ull, out);
			for (unsigned int i = n; i < 3; i++)
				CHECK_EQ(out[i], 0);
			CHECK_EQ(out[3], ONE);
		}
}

static uint32_t element(unsigned int type, unsigned int num, unsigned int stream,
			unsigned int start)
{
	return VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE(type) | VIVS_FE_VERTEX_ELEMENT_CONFIG_NUM(num) |
	       VIVS_FE_VERTEX_ELEMENT_CONFIG_STREAM(stream) |
	       VIVS_FE_VERTEX_ELEMENT_CONFIG_START(start) |
	       VIVS_FE_VERTEX_ELEMENT_CONFIG_NONCONSECUTIVE;
}

static void set(uint32_t address, uint32_t value)
{
	gc_state_set(&gc.state, address, value);
}

static void put_float(uint32_t offset, float f)
{
	memcpy(memory + offset, &f, 4);
}

TEST(layout_on_halti2)
{
	struct gc_vertex_layout layout;

	open_core(2, 16);
	set(VIVS_VS_INPUT_COUNT, 3 | VIVS_VS_INPUT_COUNT_ID_ENABLE);
	set(VIVS_VS_INPUT(0), 5 | 0 << 8 | 9 << 16);
	set(VIVS_FE_VERTEX_ELEMENT_CONFIG(0), element(FE_DATA_TYPE_FLOAT, 3, 2, 8));
	set(VIVS_FE_VERTEX_ELEMENT_CONFIG(1), element(FE_DATA_TYPE_SHORT_I, 0, 15, 255));
	set(VIVS_FE_GENERIC_ATTRIB_SCALE(0), 0x3f800000);
	set(VIVS_FE_GENERIC_ATTRIB_SCALE(1), 1);
	set(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(2), 0x100);
	set(VIVS_NFE_VERTEX_STREAMS_CONTROL(2), 0xf0000abc); /* twelve bits */
	set(VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR(15), 3);
	gc_vertex_layout_decode(&gc, &layout);
	CHECK_EQ(layout.count, 2);
	CHECK(layout.ids && !layout.float_ids);
	CHECK_EQ(layout.id_reg, 9);
	CHECK_EQ(layout.element[0].reg, 5);
	CHECK_EQ(layout.element[0].start, 8);
	CHECK_EQ(layout.element[0].size, 12);
	CHECK_EQ(layout.element[0].one, 0x3f800000);
	CHECK_EQ(layout.element[1].components, 4);
	CHECK_EQ(layout.element[1].size, 8);
	CHECK_EQ(layout.element[1].one, 1);
	CHECK_EQ(layout.stream[2].address, 0x100);
	CHECK_EQ(layout.stream[2].stride, 0xabc);
	CHECK_EQ(layout.stream[15].divisor, 3);
	CHECK_EQ(layout.bytes, 20);
}

TEST(layout_on_older_cores)
{
	struct gc_vertex_layout layout;

	open_core(0, 8);
	set(VIVS_VS_INPUT_COUNT, 1);
	set(VIVS_FE_VERTEX_ELEMENT_CONFIG(0), element(FE_DATA_TYPE_FLOAT, 2, 3, 0));
	set(VIVS_FE_VERTEX_STREAMS_BASE_ADDR(3), 0x40);
	set(VIVS_FE_VERTEX_STREAMS_CONTROL(3), 0xa0c);
	set(VIVS_FE_VERTEX_STREAM_BASE_ADDR, 0x80);
	gc_vertex_layout_decode(&gc, &layout);
	CHECK_EQ(layout.stream[3].address, 0x40);
	CHECK_EQ(layout.stream[3].stride, 12);
	personality.streams = 1;
	gc_vertex_layout_decode(&gc, &layout);
	CHECK_EQ(layout.stream[3].address, 0x80);
	CHECK_EQ(layout.element[0].one, 0x3f800000);
}

/* Types that stay integers are HALTI2's; an older core reads nothing for them. */
TEST(refused_types)
{
	static const unsigned int types[] = { FE_DATA_TYPE_BYTE_I, FE_DATA_TYPE_SHORT_I };
	struct gc_vertex_run run = { .count = 1 };
	struct gc_vertex_layout layout;

	for (unsigned int i = 0; i < 2; i++) {
		ROW("type %u", types[i]);
		open_core(0, 8);
		memset(memory, 0x33, sizeof(memory));
		set(VIVS_VS_INPUT_COUNT, 1);
		set(VIVS_FE_VERTEX_ELEMENT_CONFIG(0), element(types[i], 4, 0, 0));
		gc_vertex_layout_decode(&gc, &layout);
		CHECK_EQ(gc.counters.fe_refused_formats, 1);
		CHECK_EQ(layout.bytes, 0);
		CHECK(gc_vertex_fetch(&gc, &layout, &run, &batch));
		CHECK_EQ(batch.temp[0].c[0].u[0], 0);
		CHECK_EQ(batch.temp[0].c[3].u[0], ONE);
		open_core(2, 16);
		set(VIVS_VS_INPUT_COUNT, 1);
		set(VIVS_FE_VERTEX_ELEMENT_CONFIG(0), element(types[i], 4, 0, 0));
		gc_vertex_layout_decode(&gc, &layout);
		CHECK_EQ(gc.counters.fe_refused_formats, 0);
	}
}

/* Interleaved floats whose vertices lie across page ends, with any stride. */
TEST(fetch_crosses_pages)
{
	static const unsigned int strides[] = { 0, 12, 13, 16, 200, 255 };

	for (unsigned int n = 0; n < 6; n++) {
		struct gc_vertex_layout layout = { .count = 1 };
		struct gc_vertex_run run = { .count = 40 };

		open_core(2, 16);
		layout.element[0] = (struct gc_element){ .type = FE_DATA_TYPE_FLOAT,
							 .components = 3,
							 .size = 12,
							 .stream = 1,
							 .start = 3,
							 .reg = 7,
							 .one = 0x3f800000 };
		layout.stream[1] =
			(struct gc_stream){ .address = 4096 - 200, .stride = strides[n] };
		for (unsigned int i = 0; i < BYTES; i++)
			memory[i] = (uint8_t)(i * 7 + (i >> 8));
		for (unsigned int i = 0; i < 40; i++)
			run.index[i] = i * 11 % 40;
		CHECK(gc_vertex_fetch(&gc, &layout, &run, &batch));
		for (unsigned int i = 0; i < 40; i++)
			for (unsigned int c = 0; c < 3; c++) {
				uint32_t want;

				memcpy(&want,
				       memory + 4096 - 200 + 3 + run.index[i] * strides[n] + 4 * c,
				       4);
				CHECK_EQ(batch.temp[7].c[c].u[i], want);
			}
	}
}

TEST(instances_and_ids)
{
	struct gc_vertex_layout layout = { .count = 2, .ids = true, .id_reg = 3 };
	struct gc_vertex_run run = { .count = 8 };

	open_core(2, 16);
	for (unsigned int i = 0; i < 16; i++) {
		put_float(16 * i, (float)i);
		put_float(0x800 + 4 * i, 100.0f + (float)i);
	}
	/* type, components, stream, start, size, reg, sign_extend, normalize, one */
	layout.element[0] =
		(struct gc_element){ FE_DATA_TYPE_FLOAT, 1, 0, 0, 4, 0, false, false, 0 };
	layout.element[1] =
		(struct gc_element){ FE_DATA_TYPE_FLOAT, 1, 1, 0, 4, 1, false, false, 7 };
	layout.stream[0] = (struct gc_stream){ 0, 16, 0 };
	layout.stream[1] = (struct gc_stream){ 0x800, 4, 2 };
	for (unsigned int i = 0; i < 8; i++) {
		run.index[i] = 15 - i;
		run.instance[i] = i;
	}
	CHECK(gc_vertex_fetch(&gc, &layout, &run, &batch));
	for (unsigned int i = 0; i < 8; i++) {
		CHECK(batch.temp[0].c[0].f[i] == 15.0f - (float)i);
		CHECK(batch.temp[1].c[0].f[i] == 100.0f + (float)(i / 2));
		CHECK_EQ(batch.temp[1].c[3].u[i], 7);
		CHECK_EQ(batch.temp[3].c[0].u[i], 15 - i);
		CHECK_EQ(batch.temp[3].c[1].u[i], i);
		CHECK_EQ(batch.vertex_id.u[i], 15 - i);
		CHECK_EQ(batch.instance_id.u[i], i);
	}
	layout.float_ids = true;
	CHECK(gc_vertex_fetch(&gc, &layout, &run, &batch));
	CHECK(batch.temp[3].c[0].f[2] == 13.0f && batch.temp[3].c[1].f[2] == 2.0f);
}

static void put_word(uint32_t offset, uint32_t word)
{
	memcpy(memory + offset, &word, 4);
}

/* Under MMUv2, with GPU pages 1 and 2 at the memory's first two pages and nothing else. */
TEST(fetch_of_an_unmapped_page_gives_up)
{
	struct gc_vertex_layout layout = { .count = 1 };
	struct gc_vertex_run run = { .count = 2, .index = { 0, 0 } };

	open_core(2, 16);
	gc_mmu_init(&gc.mmu, 2, &guest);
	gc.mmu.enabled = true;
	gc.mmu.master = BASE + 0x2000;
	put_word(0x2000, (BASE + 0x3000) | 1);
	put_word(0x3004, BASE | 5);
	put_word(0x3008, (BASE + 0x1000) | 5);
	put_word(0x300c, 2); /* not present, raise an exception */
	layout.element[0] =
		(struct gc_element){ .type = FE_DATA_TYPE_FLOAT, .components = 4, .size = 16 };
	layout.stream[0] = (struct gc_stream){ 0x1000, 16, 0 };
	CHECK(gc_vertex_fetch(&gc, &layout, &run, &batch));
	run.index[1] = 0x2000 / 16 - 1;
	CHECK(gc_vertex_fetch(&gc, &layout, &run, &batch));
	CHECK(!gc.mmu.faulted);
	layout.element[0].start = 8; /* the last vertex now ends in the next page */
	CHECK(!gc_vertex_fetch(&gc, &layout, &run, &batch));
	CHECK(gc.mmu.faulted);
}

int main(void)
{
	return test_all();
}
