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

/*
 * The primitives made: vertices as digits, a colon and the provoking one; of a triangle a mask of
 * its edges that are the polygon's, too, if not all are.
 */
static const char *text(void)
{
	static char all[MAX * 8];
	char *end = all;

	*end = '\0';
	for (const struct gc_primitive *p = made; p < made + total; p++) {
		if (p > made)
			*end++ = ' ';
		for (unsigned int i = 0; i < p->count; i++)
			*end++ = (char)('0' + p->vertex[i]);
		end += sprintf(end, ":%u", p->provoking);
		if (p->count == 3 && p->edges != GC_ALL_EDGES)
			end += sprintf(end, "/%u", p->edges);
	}
	return all;
}

static const struct {
	uint32_t type;
	bool last; /* the last vertex of a primitive is the provoking one, not the first */
	const char *vertices; /* | restarts */
	const char *want;
} cases[] = {
	{ PRIMITIVE_TYPE_POINTS, true, "012", "0:0 1:1 2:2" },
	{ PRIMITIVE_TYPE_LINES, true, "01234", "01:1 23:3" },
	{ PRIMITIVE_TYPE_LINES, false, "0123", "01:0 23:2" },
	{ PRIMITIVE_TYPE_LINE_STRIP, true, "0123", "01:1 12:2 23:3" },
	{ PRIMITIVE_TYPE_LINE_STRIP, true, "0", "" },
	/* a loop closes */
	{ PRIMITIVE_TYPE_LINE_LOOP, true, "0123", "01:1 12:2 23:3 30:0" },
	{ PRIMITIVE_TYPE_LINE_LOOP, false, "0123", "01:0 12:1 23:2 30:3" },
	{ PRIMITIVE_TYPE_LINE_LOOP, true, "01", "01:1 10:0" },
	{ PRIMITIVE_TYPE_LINE_LOOP, true, "0", "" },
	{ PRIMITIVE_TYPE_LINE_LOOP, true, "012|34|5", "01:1 12:2 20:0 34:4 43:3" },
	{ PRIMITIVE_TYPE_TRIANGLES, true, "01234567", "012:2 345:5" },
	{ PRIMITIVE_TYPE_TRIANGLES, false, "012345", "012:0 345:3" },
	{ PRIMITIVE_TYPE_TRIANGLES, true, "01|234||5", "234:4" },
	/* a strip keeps its winding; the first triangle after a restart is even again */
	{ PRIMITIVE_TYPE_TRIANGLE_STRIP, true, "012345", "012:2 213:3 234:4 435:5" },
	{ PRIMITIVE_TYPE_TRIANGLE_STRIP, false, "01234", "012:0 213:1 234:2" },
	{ PRIMITIVE_TYPE_TRIANGLE_STRIP, true, "012|3456", "012:2 345:5 546:6" },
	{ PRIMITIVE_TYPE_TRIANGLE_FAN, true, "01234", "012:2 023:3 034:4" },
	{ PRIMITIVE_TYPE_TRIANGLE_FAN, false, "0123", "012:1 023:2" },
	{ PRIMITIVE_TYPE_TRIANGLE_FAN, true, "012|345", "012:2 345:5" },
	/* quads are two triangles; the diagonal, 1-3 or 0-2, is no edge */
	{ PRIMITIVE_TYPE_QUADS, true, "012345678", "013:3/5 123:3/3 457:7/5 567:7/3" },
	{ PRIMITIVE_TYPE_QUADS, false, "0123", "012:0/3 023:0/6" },
	/* unknown types make nothing */
	{ 0, true, "0123456789", "" },
	{ 99, true, "0123456789", "" },
};

TEST(primitives)
{
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int slots[MAX];
		unsigned int n = 0;

		for (const char *c = cases[i].vertices; *c; c++)
			slots[n++] = *c == '|' ? -1 : *c - '0';
		run(cases[i].type, cases[i].last, slots, n);
		ROW("type %u of %s, the %s provokes", cases[i].type, cases[i].vertices,
		    cases[i].last ? "last" : "first");
		CHECK_STR(text(), cases[i].want);
	}
}

/* gc_primitive_vertices() vertices make the requested number of primitives. */
TEST(counts)
{
	for (uint32_t type = PRIMITIVE_TYPE_POINTS; type <= PRIMITIVE_TYPE_QUADS; type++) {
		ROW("type %u", type);
		for (unsigned int n = 2; n < 6; n++) {
			run_count(type, true, (unsigned int)gc_primitive_vertices(type, n));
			CHECK_EQ(total, type == PRIMITIVE_TYPE_QUADS ? 2 * n : n);
		}
		CHECK_EQ(gc_primitive_vertices(type, 0), 0);
		CHECK(gc_primitive_vertices(type, UINT32_MAX) >= UINT32_MAX);
	}
	CHECK_EQ(gc_primitive_vertices(0, 5), 0);
}

int main(void)
{
	return test_all();
}
