// SPDX-License-Identifier: MIT
/* Primitive assembly: order, winding, provoking vertex, restart. */
#include "gc/primitive.h"
#include "hw/cmdstream.xml.h"
#include "tests/check.h"

#define MAX 64

static struct gc_primitive made[MAX];
static unsigned int total;

static void run(uint32_t type, bool last, const int *slots, unsigned int n)
{
	struct gc_assembler a;

	total = 0;
	gc_assembler_begin(&a, type, last);
	for (unsigned int i = 0; i < n; i++)
		total += slots[i] < 0 ? gc_assembler_end(&a, &made[total])
				      : gc_assembler_push(&a, (uint8_t)slots[i], &made[total]);
	total += gc_assembler_end(&a, &made[total]);
}

static void run_count(uint32_t type, bool last, unsigned int n)
{
	int slots[MAX];

	for (unsigned int i = 0; i < n; i++)
		slots[i] = (int)i;
	run(type, last, slots, n);
}

/* a primitive's vertices as digits, then the provoking one */
static bool is(unsigned int i, unsigned int count, const char *vertices, unsigned int provoking)
{
	bool ok = made[i].count == count && made[i].provoking == provoking;

	for (unsigned int j = 0; j < count; j++)
		ok = ok && made[i].vertex[j] == vertices[j] - '0';
	return ok;
}

TEST(points)
{
	run_count(PRIMITIVE_TYPE_POINTS, true, 3);
	CHECK_EQ(total, 3);
	CHECK(is(2, 1, "2", 2));
}

TEST(lines)
{
	run_count(PRIMITIVE_TYPE_LINES, true, 5);
	CHECK_EQ(total, 2);
	CHECK(is(0, 2, "01", 1));
	CHECK(is(1, 2, "23", 3));
	run_count(PRIMITIVE_TYPE_LINES, false, 4);
	CHECK(is(1, 2, "23", 2));
}

TEST(line_strip)
{
	run_count(PRIMITIVE_TYPE_LINE_STRIP, true, 4);
	CHECK_EQ(total, 3);
	CHECK(is(0, 2, "01", 1));
	CHECK(is(2, 2, "23", 3));
	run_count(PRIMITIVE_TYPE_LINE_STRIP, true, 1);
	CHECK_EQ(total, 0);
}

TEST(line_loop_closes)
{
	run_count(PRIMITIVE_TYPE_LINE_LOOP, true, 4);
	CHECK_EQ(total, 4);
	CHECK(is(2, 2, "23", 3));
	CHECK(is(3, 2, "30", 0));
	run_count(PRIMITIVE_TYPE_LINE_LOOP, false, 4);
	CHECK(is(3, 2, "30", 3));
	run_count(PRIMITIVE_TYPE_LINE_LOOP, true, 2);
	CHECK_EQ(total, 2);
	CHECK(is(1, 2, "10", 0));
	run_count(PRIMITIVE_TYPE_LINE_LOOP, true, 1);
	CHECK_EQ(total, 0);
}

TEST(triangles)
{
	run_count(PRIMITIVE_TYPE_TRIANGLES, true, 8);
	CHECK_EQ(total, 2);
	CHECK(is(0, 3, "012", 2));
	CHECK(is(1, 3, "345", 5));
	run_count(PRIMITIVE_TYPE_TRIANGLES, false, 6);
	CHECK(is(1, 3, "345", 3));
}

TEST(triangle_strip_keeps_winding)
{
	run_count(PRIMITIVE_TYPE_TRIANGLE_STRIP, true, 6);
	CHECK_EQ(total, 4);
	CHECK(is(0, 3, "012", 2));
	CHECK(is(1, 3, "213", 3));
	CHECK(is(2, 3, "234", 4));
	CHECK(is(3, 3, "435", 5));
	run_count(PRIMITIVE_TYPE_TRIANGLE_STRIP, false, 5);
	CHECK(is(0, 3, "012", 0));
	CHECK(is(1, 3, "213", 1));
	CHECK(is(2, 3, "234", 2));
}

TEST(triangle_fan)
{
	run_count(PRIMITIVE_TYPE_TRIANGLE_FAN, true, 5);
	CHECK_EQ(total, 3);
	CHECK(is(0, 3, "012", 2));
	CHECK(is(1, 3, "023", 3));
	CHECK(is(2, 3, "034", 4));
	run_count(PRIMITIVE_TYPE_TRIANGLE_FAN, false, 4);
	CHECK(is(1, 3, "023", 2));
}

TEST(quads_are_two_triangles)
{
	run_count(PRIMITIVE_TYPE_QUADS, true, 9);
	CHECK_EQ(total, 4);
	CHECK(is(0, 3, "013", 3));
	CHECK(is(1, 3, "123", 3));
	CHECK(is(2, 3, "457", 7));
	CHECK_EQ(made[0].edges, 1 | 4); /* 0-1 and 3-0; 1-3 is the diagonal */
	CHECK_EQ(made[1].edges, 1 | 2);
	run_count(PRIMITIVE_TYPE_QUADS, false, 4);
	CHECK(is(0, 3, "012", 0));
	CHECK(is(1, 3, "023", 0));
	CHECK_EQ(made[0].edges, 1 | 2);
	CHECK_EQ(made[1].edges, 2 | 4);
}

TEST(restart)
{
	run(PRIMITIVE_TYPE_TRIANGLE_STRIP, true, (int[]){ 0, 1, 2, 3, -1, 4, 5, 6, 7 }, 9);
	CHECK_EQ(total, 4);
	CHECK(is(1, 3, "213", 3));
	CHECK(is(2, 3, "456", 6)); /* even again */
	CHECK(is(3, 3, "657", 7));
	run(PRIMITIVE_TYPE_LINE_LOOP, true, (int[]){ 0, 1, 2, -1, 3, 4, -1, 5 }, 8);
	CHECK_EQ(total, 5);
	CHECK(is(2, 2, "20", 0));
	CHECK(is(4, 2, "43", 3));
	run(PRIMITIVE_TYPE_TRIANGLES, true, (int[]){ 0, 1, -1, 2, 3, 4, -1, -1, 5 }, 9);
	CHECK_EQ(total, 1);
	CHECK(is(0, 3, "234", 4));
	run(PRIMITIVE_TYPE_TRIANGLE_FAN, true, (int[]){ 0, 1, 2, -1, 3, 4, 5 }, 7);
	CHECK(is(1, 3, "345", 5));
}

TEST(unknown_types_make_nothing)
{
	run_count(0, true, 10);
	CHECK_EQ(total, 0);
	run_count(99, true, 10);
	CHECK_EQ(total, 0);
	CHECK_EQ(gc_primitive_vertices(0, 5), 0);
}

/* gc_primitive_vertices() vertices make the requested number of primitives. */
TEST(counts)
{
	for (uint32_t type = PRIMITIVE_TYPE_POINTS; type <= PRIMITIVE_TYPE_QUADS; type++) {
		for (unsigned int n = 2; n < 6; n++) {
			run_count(type, true, (unsigned int)gc_primitive_vertices(type, n));
			CHECK_EQ(total, type == PRIMITIVE_TYPE_QUADS ? 2 * n : n);
		}
		CHECK_EQ(gc_primitive_vertices(type, 0), 0);
		CHECK(gc_primitive_vertices(type, UINT32_MAX) >= UINT32_MAX);
	}
}

int main(void)
{
	RUN(points);
	RUN(lines);
	RUN(line_strip);
	RUN(line_loop_closes);
	RUN(triangles);
	RUN(triangle_strip_keeps_winding);
	RUN(triangle_fan);
	RUN(quads_are_two_triangles);
	RUN(restart);
	RUN(unknown_types_make_nothing);
	RUN(counts);
	return test_end();
}
