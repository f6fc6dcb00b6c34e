// SPDX-License-Identifier: MIT
/*
 * Memory hazards of a draw with deferred shading: which uses conflict, and which chunk waits
 * for which.
 */
#include "check.h"
#include "gc/draw_hazards.h"

#define AT 0x10000000u
#define SAME_PLACE (AT + GC_HAZARD_GRANULES * 256u) /* has the same entry of the table */

static struct gc_hazards hazards;
static uint8_t memory[4][4096];

static uint64_t add_granule(uint32_t address, uint64_t pixels, uint64_t number)
{
	return gc_hazards_pixels(&hazards, address, pixels, number, 0);
}

TEST(chunks_wait_for_the_last_one_with_a_pixel_of_theirs)
{
	gc_hazards_begin(&hazards);
	CHECK_EQ(add_granule(AT, 0xf, 1), 0);
	CHECK_EQ(add_granule(AT, 0xf, 1), 0); /* no hazard with itself */
	CHECK_EQ(add_granule(AT, 0xf0, 2), 0);
	/* 1 would be enough, but only the newest chunk is stored */
	CHECK_EQ(add_granule(AT, 0x3, 3), 2);
	CHECK_EQ(add_granule(AT, 0xf00, 4), 0);
	CHECK_EQ(add_granule(AT, 0x100, 5), 4);
	CHECK_EQ(add_granule(AT, 0x1, 6), 5); /* 3 would be enough; 5 is the newest */
	CHECK_EQ(add_granule(AT + 256, 0xf, 7), 0);
}

TEST(what_is_past_is_not_waited_for)
{
	gc_hazards_begin(&hazards);
	CHECK_EQ(add_granule(AT, 0xf, 1), 0);
	CHECK_EQ(gc_hazards_pixels(&hazards, AT, 0xf, 2, 1), 0);
	CHECK_EQ(gc_hazards_pixels(&hazards, AT, 0xf, 3, 1), 2);
	gc_hazards_begin(&hazards);
	CHECK_EQ(add_granule(AT, 0xf, 4), 0);
}

TEST(places_that_share_an_entry_wait_too_often)
{
	gc_hazards_begin(&hazards);
	CHECK_EQ(add_granule(AT, 0xf, 1), 0);
	CHECK_EQ(add_granule(SAME_PLACE, 0xf, 2), 1);
	CHECK_EQ(add_granule(AT, 0xf, 3), 2); /* chunk 1 among those before */
	CHECK_EQ(add_granule(AT, 0xf0, 4), 3);
}

#define AREA 0x4000u /* bytes: 64 granules of 256 */
#define ALL UINT64_MAX

static uint64_t add_area(uint32_t address, uint64_t granules, uint64_t number)
{
	return gc_hazards_area(&hazards, address, granules, number, 0);
}

TEST(areas_are_all_pixels_of_their_granules)
{
	gc_hazards_begin(&hazards);
	CHECK_EQ(add_area(AT, ALL, 1), 0);
	CHECK_EQ(add_area(AT, ALL, 1), 0); /* no hazard with itself */
	CHECK_EQ(add_area(AT + AREA, ALL, 2), 0);
	CHECK_EQ(add_granule(AT + 256, 0x10, 3), 1);
	CHECK_EQ(add_granule(AT + AREA - 256, 0x10, 3), 1);
	CHECK_EQ(add_granule(AT + 512, 0x10, 4), 1); /* independent of other checks in between */
	CHECK_EQ(add_granule(AT + AREA, 0x1, 4), 2);
	CHECK_EQ(add_area(AT, ALL, 5), 4);
	CHECK_EQ(add_granule(AT, 0x1, 6), 5);
	CHECK_EQ(add_granule(AT + 2 * AREA, 0x1, 7), 0);
}

TEST(granules_of_an_area_are_separate)
{
	gc_hazards_begin(&hazards);
	CHECK_EQ(add_area(AT, 0xffffffff, 1), 0);
	CHECK_EQ(add_area(AT, ~UINT64_C(0xffffffff), 2), 0);
	CHECK_EQ(add_granule(AT + 31 * 256, 0x1, 3), 1);
	CHECK_EQ(add_granule(AT + 32 * 256, 0x1, 3), 2);
	CHECK_EQ(add_area(AT + 63 * 256, 0x3, 4), 3); /* in two areas */
	CHECK_EQ(add_area(AT + AREA, 0x2, 5), 0);
	CHECK_EQ(add_area(AT + AREA, 0x1, 6), 5);
	CHECK_EQ(add_granule(AT + AREA + 256, 0xf0, 7), 5);
}

TEST(areas_that_are_past_are_not_waited_for)
{
	gc_hazards_begin(&hazards);
	CHECK_EQ(add_area(AT, ALL, 1), 0);
	CHECK_EQ(gc_hazards_area(&hazards, AT, ALL, 2, 1), 0);
	CHECK_EQ(gc_hazards_pixels(&hazards, AT, 0xf, 3, 2), 0);
	CHECK_EQ(gc_hazards_pixels(&hazards, AT, 0xf, 3, 1), 2);
	CHECK_EQ(add_area(AT + GC_HAZARD_AREAS * AREA, ALL, 4), 3); /* the same entry */
	CHECK_EQ(add_granule(AT, 0xf, 5), 4);
	gc_hazards_begin(&hazards);
	CHECK_EQ(add_granule(AT, 0xf, 5), 0);
	CHECK_EQ(add_area(AT, ALL, 6), 5);
}

TEST(quads_are_their_pixels)
{
	uint32_t address[GC_QUADS] = { AT, AT + 8, AT + 32, AT + 40, AT + 256 };

	gc_hazards_begin(&hazards);
	CHECK_EQ(gc_hazards_quads(&hazards, address, 0xfffff, 1, 0), 0);
	CHECK_EQ(add_granule(AT, ~UINT64_C(0xffff), 2), 0); /* the rest of the run */
	gc_hazards_begin(&hazards);
	CHECK_EQ(gc_hazards_quads(&hazards, address, 0x4, 1, 0), 0); /* below the first pixel */
	CHECK_EQ(add_granule(AT, ~UINT64_C(0x10), 2), 0);
	CHECK_EQ(add_granule(AT, 0x10, 3), 2);
}

static bool page(uint32_t number, unsigned int at, enum gc_page_use what)
{
	return gc_hazards_page(&hazards, number, memory[at], what);
}

TEST(pages_that_are_painted_are_nothing_else)
{
	gc_hazards_begin(&hazards);
	CHECK(page(1, 0, GC_USE_COLOR));
	CHECK(page(1, 0, GC_USE_COLOR));
	CHECK_EQ(gc_hazards_find_page(&hazards, 1, memory[0]), GC_USE_COLOR);
	CHECK(!page(1, 0, GC_USE_READ));
	CHECK(page(2, 1, GC_USE_TEXTURE));
	CHECK(!page(2, 1, GC_USE_COLOR));
	CHECK(page(3, 2, GC_USE_COLOR));
	CHECK(!page(4, 2, GC_USE_COLOR)); /* the same memory elsewhere */
}

TEST(others_share_where_nobody_writes)
{
	gc_hazards_begin(&hazards);
	CHECK(page(1, 0, GC_USE_TEXTURE));
	CHECK(page(2, 0, GC_USE_READ));
	CHECK(!page(1, 0, GC_USE_WRITE));
	CHECK(page(1, 1, GC_USE_READ));
	CHECK(page(1, 1, GC_USE_WRITE)); /* in order, on one thread */
	CHECK(page(1, 2, GC_USE_TILE_STATUS));
	CHECK(!page(1, 2, GC_USE_WRITE));
}

TEST(too_many_pages_are_refused)
{
	static uint8_t many[GC_HAZARD_PAGES];
	unsigned int taken = 0;

	gc_hazards_begin(&hazards);
	while (taken < GC_HAZARD_PAGES &&
	       gc_hazards_page(&hazards, taken, many + taken, GC_USE_READ))
		taken++;
	CHECK_EQ(taken, GC_HAZARD_PAGES / 4 * 3);
}

int main(void)
{
	return test_all();
}
