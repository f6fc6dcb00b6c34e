// SPDX-License-Identifier: MIT
/* Rules of flushes and stalls: a stream that keeps each, and one planted for each that breaks it. */
#include "tests/check.h"

#include "gc/sync.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define PIXELS (VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH)
#define BIT(rule) (1u << (rule))

static void stall(struct gc_sync *sync)
{
	gc_sync_stall(sync, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
}

TEST(resolves)
{
	struct gc_sync s = { 0 };

	CHECK_EQ(gc_sync_resolve(&s), 0); /* nothing was drawn: no rule applies */
	CHECK_EQ(s.applied[GC_SYNC_RS_FLUSH], 0);
	gc_sync_draw(&s);
	gc_sync_flush(&s, PIXELS);
	stall(&s);
	CHECK_EQ(gc_sync_resolve(&s), 0);
	CHECK_EQ(s.applied[GC_SYNC_RS_FLUSH], 1);
	gc_sync_draw(&s);
	stall(&s);
	CHECK_EQ(gc_sync_resolve(&s), BIT(GC_SYNC_RS_FLUSH));
	gc_sync_draw(&s);
	gc_sync_flush(&s, VIVS_GL_FLUSH_CACHE_COLOR);
	stall(&s);
	CHECK_EQ(gc_sync_resolve(&s), BIT(GC_SYNC_RS_FLUSH)); /* depth is missing */
	gc_sync_draw(&s);
	gc_sync_flush(&s, PIXELS);
	CHECK_EQ(gc_sync_resolve(&s), BIT(GC_SYNC_RS_STALL));
	gc_sync_draw(&s);
	stall(&s);
	gc_sync_flush(&s, PIXELS); /* in the wrong order */
	CHECK_EQ(gc_sync_resolve(&s), BIT(GC_SYNC_RS_STALL));
	gc_sync_draw(&s);
	CHECK_EQ(gc_sync_resolve(&s), BIT(GC_SYNC_RS_FLUSH) | BIT(GC_SYNC_RS_STALL));
	CHECK_EQ(s.applied[GC_SYNC_RS_STALL], 6);
	CHECK_EQ(s.broken[GC_SYNC_RS_STALL], 3);
	CHECK_EQ(s.broken[GC_SYNC_RS_FLUSH], 3);
}

TEST(vertex_textures)
{
	struct gc_sync s = { 0 };

	CHECK_EQ(gc_sync_draw(&s), 0);
	CHECK_EQ(s.applied[GC_SYNC_TXVS_STALL], 0);
	gc_sync_flush(&s, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	CHECK_EQ(gc_sync_draw(&s), BIT(GC_SYNC_TXVS_STALL));
	gc_sync_flush(&s, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	gc_sync_stall(&s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	CHECK_EQ(gc_sync_draw(&s), 0);
	CHECK_EQ(gc_sync_draw(&s), 0);
	gc_sync_flush(&s, VIVS_GL_FLUSH_CACHE_TEXTURE);
	CHECK_EQ(gc_sync_draw(&s), 0);
	CHECK_EQ(s.applied[GC_SYNC_TXVS_STALL], 2);
	CHECK_EQ(s.broken[GC_SYNC_TXVS_STALL], 1);
}

TEST(a_reset_forgets_what_is_pending)
{
	struct gc_sync s = { 0 };

	gc_sync_draw(&s);
	gc_sync_resolve(&s);
	gc_sync_draw(&s);
	gc_sync_flush(&s, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	gc_sync_reset(&s);
	CHECK_EQ(gc_sync_resolve(&s), 0);
	CHECK_EQ(gc_sync_draw(&s), 0);
	CHECK_EQ(s.applied[GC_SYNC_RS_FLUSH], 1);
	CHECK_EQ(s.broken[GC_SYNC_RS_FLUSH], 1);
}

TEST(summary)
{
	struct gc_sync s = { .applied = { 1, 2, 3 }, .broken = { 0, 1, 3 } };
	char text[256] = "";
	FILE *file = fmemopen(text, sizeof(text), "w");

	gc_sync_summary(&s, file);
	fclose(file);
	CHECK(!strcmp(text, "rs-flush: applied 1, broken 0\n"
			    "rs-stall: applied 2, broken 1\n"
			    "txvs-stall: applied 3, broken 3\n"));
}

int main(void)
{
	RUN(resolves);
	RUN(vertex_textures);
	RUN(a_reset_forgets_what_is_pending);
	RUN(summary);
	return test_end();
}
