// SPDX-License-Identifier: MIT
/* Commands of the control protocol, valid and invalid. */
#include "tests/check.h"
#include "tests/fake_gc.h"

#include <stdlib.h>

#include "board/board.h"
#include "board/internal.h"

static struct guest_memory memory;
static struct card_clock *cal;
static struct board *board;
static unsigned int deaths, bus_clears;
static char reply[CONTROL_REPLY_BYTES];

static void send_nothing(void *ctx, unsigned int source)
{
}

static void do_nothing(void *ctx)
{
}

static void note_death(void *ctx)
{
	deaths++;
}

static void print_bus(void *ctx, board_emit_fn *emit, void *emit_ctx)
{
	emit(emit_ctx, "bus.something", 12345678901234567890u);
}

static void clear_bus(void *ctx)
{
	bus_clears++;
}

static void end(void)
{
	if (!board)
		return;
	board_destroy(board);
	clock_destroy(cal);
	board = NULL;
}

/* Ends the test before, too, so that only the last one is left to main(). */
static void begin(void)
{
	const struct board_host host = { .send_msi = send_nothing,
					 .yield = do_nothing,
					 .die = note_death,
					 .print_statistics = print_bus,
					 .clear_statistics = clear_bus };
	const struct gc_options options = { 0 };

	end();
	cal = clock_create(true);
	board = board_create(&host, cal, &memory, gc_personality_find("gc2000"), &options);
	deaths = bus_clears = 0;
}

static bool says(const char *line, const char *answer)
{
	board_control(board, line, reply, sizeof(reply));
	if (strcmp(reply, answer) == 0)
		return true;
	printf("'%s' was answered '%s'\n", line, reply);
	return false;
}

TEST(faults)
{
	begin();
	CHECK(says("hang", "ok\n"));
	CHECK(says("mmu-fault", "ok\n"));
	CHECK(says("axi-error", "ok\n"));
	CHECK(says("axi-error", "ok\n"));
	CHECK(says("lose-event", "ok\n"));
	CHECK_EQ(fake_gc->faults[GC_FAULT_HANG_FE], 1);
	CHECK_EQ(fake_gc->faults[GC_FAULT_MMU], 1);
	CHECK_EQ(fake_gc->faults[GC_FAULT_AXI], 2);
	CHECK_EQ(fake_gc->faults[GC_FAULT_LOSE_EVENT], 1);
	CHECK(says("die", "ok\n"));
	CHECK_EQ(deaths, 1);
}

TEST(settings)
{
	begin();
	CHECK(says("slow 250", "ok\n"));
	CHECK_EQ(fake_gc->slowdown, 250);
	CHECK(says("null-draw on", "ok\n"));
	CHECK(fake_gc->null_draw);
	CHECK(says(" null-draw\toff \r", "ok\n"));
	CHECK(!fake_gc->null_draw);
	CHECK(says("count-from 0xffffff00", "ok\n"));
	CHECK_EQ(fake_gc->count_from, 0xffffff00);
	CHECK(says("lose-irq 0x10", "ok\n"));
	CHECK_EQ(board->irq.lose, 16);
	CHECK(says("delay-irq 5000", "ok\n"));
	CHECK_EQ(board->irq.delay_ns, 5000);
	CHECK(says("jitter-irq 18446744073709551615 100", "ok\n"));
	CHECK_EQ(board->irq.jitter_state, UINT64_MAX);
	CHECK_EQ(board->irq.jitter_ns, 100);
}

TEST(display)
{
	struct dc_block *dc;

	begin();
	CHECK(says("display", "error: no display is fitted\n"));
	CHECK(says("monitor none", "error: no display is fitted\n"));
	dc = board_attach_display(board, edid_mode_at(0));
	CHECK(says("display", "frame 0\noff: it was not started\nok\n"));
	CHECK(says("monitor none", "ok\n"));
	CHECK(says("monitor 1280x720", "ok\n"));
	CHECK(says("monitor 3x3", "error: 3x3 is neither none nor one of 1280x720 "
				  "640x432 1920x1080 640x480 800x600 1024x768\n"));
	dc_write(dc, DC_PANEL_CONFIG, DC_PANEL_CONFIG_RUNNING);
	dc_write(dc, DC_PANEL_START, 1);
	CHECK(says("display", "frame 0\noff: no pixel clock\nok\n"));
	dc_set_pixel_hz(dc, 6000000);
	dc_write(dc, DC_HSIZE, 64 | 100 << 16);
	dc_write(dc, DC_VSIZE, 48 | 60 << 16);
	dc_write(dc, DC_PANEL_CONFIG, DC_PANEL_CONFIG_RUNNING | DC_PANEL_CONFIG_GAMMA);
	CHECK(says("display", "frame 1\nmode 64x48 total 100x60\npixel_hz 6000000\nvsync_ns 0\n"
			      "bytes_per_second 0\nlit no\ngamma on\nok\n"));
	dc_write(dc, DC_FB_ADDRESS, 0x1000);
	dc_write(dc, DC_FB_STRIDE, 128);
	dc_write(dc, DC_FB_SIZE, DC_PAIR(50, 40));
	dc_write(dc, DC_FB_TOP_LEFT, DC_PAIR(1, 2));
	dc_write(dc, DC_FB_BOTTOM_RIGHT, DC_PAIR(51, 42));
	dc_write(dc, DC_FB_CONFIG,
		 DC_FORMAT_R5G6B5 << 26 | DC_SWIZZLE_ABGR << 23 | DC_TILE_4X4 << 17);
	dc_write(dc, DC_FB_CONFIG_EX, DC_FB_CONFIG_EX_FB_EN | DC_FB_CONFIG_EX_COMMIT);
	dc_write(dc, DC_CURSOR_ADDRESS, 0x2000);
	dc_write(dc, DC_CURSOR_LOCATION, 3 | 4 << 16);
	dc_write(dc, DC_CURSOR_CONFIG,
		 DC_CURSOR_FMT_ARGB8888 | DC_CURSOR_CONFIG_COMMIT | 1 << 5 | 10 << 8 | 20 << 16);
	clock_set_now(cal, 1000000);
	clock_run_due(cal);
	board_control(board, "display", reply, sizeof(reply));
	CHECK(strstr(reply, "\nvsync_ns 1000000\n"));
	CHECK(strstr(reply, "\nframebuffer 0x00001000 stride 128 format 4 swizzle 2 tile 1 at 1 2 "
			    "size 50x40\ncursor 0x00002000 size 64 at -17 -6\n"));
}

TEST(questions)
{
	begin();
	clock_set_now(cal, 4242);
	CHECK(says("time", "mode virtual\nnow_ns 4242\nok\n"));
	CHECK(says("personality", "name gc2000\nmodel 0x2000\nrevision 0x5108\nmmu 1\nhalti 0\n"
				  "core_hz 528000000\nok\n"));
	board_control(board, "stats", reply, sizeof(reply));
	CHECK(!strncmp(reply, "bus.something 12345678901234567890\n", 35));
	CHECK(strstr(reply, "\nboard.control_commands 3\n"));
	CHECK(strstr(reply, "\ngc.fake 0\n"));
	CHECK(says("clear", "ok\n"));
	CHECK_EQ(bus_clears, 1);
	CHECK_EQ(fake_gc->cleared, 1);
	board_control(board, "stats", reply, sizeof(reply));
	CHECK(strstr(reply, "\nboard.control_commands 1\n"));
	CHECK(says("total gc.fake", "gc.fake 0\nok\n"));
	CHECK(says("total gc", "error: no total is called gc\n"));
	board_control(board, "help", reply, sizeof(reply));
	CHECK(strstr(reply, "jitter-irq SEED MAX_NS"));
	CHECK(!strcmp(reply + strlen(reply) - 3, "ok\n"));
}

TEST(mistakes)
{
	char longest[400];

	begin();
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	CHECK(says("", "error: no command (try help)\n"));
	CHECK(says("   ", "error: no command (try help)\n"));
	CHECK(says("HANG", "error: unknown command HANG (try help)\n"));
	CHECK(says("hang now", "error: usage: hang \n"));
	CHECK(says("slow", "error: usage: slow PERCENT\n"));
	CHECK(says("slow 1 2 3 4 5 6", "error: usage: slow PERCENT\n"));
	CHECK(says("slow 0", "error: 0 is no number from 1 to 1000000\n"));
	CHECK(says("slow -5", "error: -5 is no number from 1 to 1000000\n"));
	CHECK(says("slow 1e3", "error: 1e3 is no number from 1 to 1000000\n"));
	CHECK(says("lose-irq 99999999999999999999",
		   "error: 99999999999999999999 is no number from 0 to 4294967295\n"));
	CHECK(says("count-from 0x100000000",
		   "error: 0x100000000 is no number from 0 to 4294967295\n"));
	CHECK(says("null-draw maybe", "error: maybe is neither on nor off\n"));
	CHECK(says(longest, "error: the command is too long\n"));
	longest[200] = '\0';
	board_control(board, longest, reply, sizeof(reply));
	CHECK(!strncmp(reply, "error: unknown command aaaa", 27));
	CHECK_EQ(fake_gc->slowdown, 100);
}

/*
 * Lines that do not fit are dropped, except the last one, with the result: it is cut at the
 * buffer's end.
 */
TEST(small_reply)
{
	char small[200];

	begin();
	board_control(board, "help", small, sizeof(small));
	CHECK(!strcmp(small + strlen(small) - 3, "ok\n"));
	board_control(board, "slow 0", small, 10);
	CHECK(strlen(small) == 9);
	board_control(board, "help", small, 1);
	CHECK(!*small);
}

TEST(garbage)
{
	uint64_t random = 3;

	begin();
	for (unsigned int round = 0; round < 20000; round++) {
		char line[40];

		for (unsigned int i = 0; i < sizeof(line); i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			line[i] = "abcdehilnorstuy- 0123456789\t%n\377"[(random >> 33) % 31];
		}
		line[random >> 40 & 31] = '\0';
		board_control(board, line, reply, sizeof(reply));
		CHECK(strstr(reply, "error: ") == reply || strstr(reply, "ok\n"));
	}
}

static char heard[64];

/* Joins @words in the buffer @ctx, which the test compares. */
static const char *listen_to(void *ctx, char *const words[])
{
	char *text = ctx;

	*text = '\0';
	for (unsigned int i = 0; words[i]; i++)
		text = stpcpy(stpcpy(text, i ? " " : ""), words[i]);
	return strcmp(heard, "nothing") ? NULL : "is none";
}

TEST(input)
{
	begin();
	CHECK(says("input key 30 press", "error: no input devices are fitted\n"));
	board_attach_input(board, listen_to, heard);
	CHECK(says("input touch 0 down 10 20", "ok\n"));
	CHECK(!strcmp(heard, "touch 0 down 10 20"));
	CHECK(says("input a b c d e f g h i", "ok\n"));
	/* a command has at most 8 words */
	CHECK(!strcmp(heard, "a b c d e f g"));
	CHECK(says("input", "ok\n"));
	CHECK(!*heard);
	CHECK(says("input nothing", "error: the action is none\n"));
}

int main(void)
{
	int status = test_all();

	end();
	return status;
}
