// SPDX-License-Identifier: MIT
/*
 * Decoding of BAR0, the board's registers, display and monitor, interrupts with injected faults,
 * reset, and the mailbox.
 */
#include "tests/check.h"
#include "tests/fake_gc.h"

#include <stdlib.h>

#include "board/board.h"
#include "board/internal.h"

static struct guest_memory memory;
static struct card_clock *cal;
static struct board *board;
static unsigned int msis, yields;
static uint64_t msi_at[64];
static unsigned int msi_source;

static void note_msi(void *ctx, unsigned int source)
{
	msi_source = source;
	if (msis < 64)
		msi_at[msis] = clock_now(cal);
	msis++;
}

static void note_yield(void *ctx)
{
	yields++;
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
static void begin(bool virtual_time)
{
	const struct board_host host = { .send_msi = note_msi, .yield = note_yield };
	const struct gc_options options = { .poll_ns = 1000 };

	end();
	cal = clock_create(virtual_time);
	board = board_create(&host, cal, &memory, gc_personality_find("gc3000"), &options);
	msis = yields = 0;
}

static uint32_t get(uint32_t offset)
{
	return board_read(board, offset, 4);
}

static void set(uint32_t offset, uint32_t value)
{
	board_write(board, offset, 4, value);
}

static void line(bool level)
{
	fake_gc->host.set_irq(fake_gc->host.ctx, level);
}

static void pulse(void)
{
	line(true);
	line(false);
}

/* Advance virtual time to @until_ns. */
static void pass(uint64_t until_ns)
{
	while (clock_next(cal) <= until_ns) {
		clock_set_now(cal, clock_next(cal));
		clock_run_due(cal);
	}
	clock_set_now(cal, until_ns);
}

TEST(registers)
{
	begin(false);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_MAGIC), BOARD_MAGIC_VALUE);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_VERSION), BOARD_VERSION_VALUE);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_STATUS), 0);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_ENABLE), 3);
	CHECK(get(BOARD_REGS_BASE + BOARD_CORE_HZ) > 100000000);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_FEATURES),
		 BOARD_FEATURE_MAILBOX | BOARD_FEATURE_DOORBELL);
	CHECK_EQ(get(BOARD_REGS_BASE + 0x1c), 0xffffffff);
	set(BOARD_REGS_BASE + BOARD_MAGIC, 0);
	set(BOARD_REGS_BASE + BOARD_IRQ_STATUS, 0xff);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_MAGIC), BOARD_MAGIC_VALUE);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_STATUS), 0);
}

TEST(dispatch)
{
	begin(false);
	set(0x0000, 1);
	set(0xfffc, 2);
	CHECK_EQ(fake_gc->reg[0], 1);
	CHECK_EQ(fake_gc->reg[0x3fff], 2);
	CHECK_EQ(get(0xfffc), 2);
	set(0x10000, 3);
	set(0x1fffc, 3);
	CHECK_EQ(fake_gc->writes, 2);
	CHECK_EQ(get(0x10000), 0xffffffff); /* no display block */
	CHECK_EQ(get(0x1fffc), 0xffffffff);
	CHECK_EQ(get(BOARD_EDID_BASE), 0xffffffff);
	CHECK_EQ(get(BOARD_CRC_BASE), 0xffffffff);
	CHECK_EQ(get(0x3fffc), 0xffffffff);
	set(0x3fffc, 9);
	CHECK_EQ(fake_gc->reads, 1);
}

TEST(the_monitor)
{
	const uint32_t at = BOARD_REGS_BASE + BOARD_MONITOR;
	char reply[256];
	uint32_t first;

	begin(true);
	CHECK_EQ(get(at), 0xffffffff); /* no display block */
	CHECK(board_attach_display(board, edid_mode_find("640x432")) != NULL);
	CHECK_EQ(get(at), 1);
	first = get(BOARD_EDID_BASE + 56); /* width of the preferred mode */
	CHECK_EQ(first & 0xff, 640 & 0xff);
	board_control(board, "monitor none", reply, sizeof(reply));
	CHECK_EQ(get(at), 1 << 1);
	for (uint32_t i = 0; i < DISPLAY_EDID_AREA; i += 4)
		CHECK_EQ(get(BOARD_EDID_BASE + i), 0);
	board_control(board, "monitor 1920x1080", reply, sizeof(reply));
	CHECK_EQ(get(at), 2 << 1 | 1);
	CHECK_EQ(get(BOARD_EDID_BASE + 56) & 0xff, 1920 & 0xff);
	set(at, 0); /* read only */
	CHECK_EQ(get(at), 2 << 1 | 1);
	CHECK_EQ(msis, 0);
	board_reset(board);
	CHECK_EQ(get(at), 1);
	CHECK_EQ(get(BOARD_EDID_BASE + 56), first);
}

TEST(the_display)
{
	begin(true);
	CHECK(board_attach_display(board, edid_mode_find("640x432")) != NULL);
	CHECK(get(BOARD_REGS_BASE + BOARD_FEATURES) & BOARD_FEATURE_DISPLAY);
	CHECK_EQ(get(BOARD_DC_BASE + DC_TOP_CHIP_MODEL), 0x8200);
	CHECK_EQ(get(BOARD_EDID_BASE), 0xffffff00);
	CHECK_EQ(get(BOARD_EDID_BASE + 4), 0x00ffffff);
	CHECK_EQ(get(BOARD_EDID_BASE + 128), 0);
	CHECK_EQ(get(BOARD_EDID_BASE + 252), 0);
	CHECK_EQ(get(BOARD_CRC_BASE + DISPLAY_CRC_BYTES), 0xffffffff);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_PIXEL_HZ), 0);
	set(BOARD_REGS_BASE + BOARD_PIXEL_HZ, 6000000);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_PIXEL_HZ), 6000000);
	set(BOARD_DC_BASE + DC_HSIZE, 64 | 100 << 16);
	set(BOARD_DC_BASE + DC_VSIZE, 48 | 60 << 16);
	set(BOARD_DC_BASE + DC_PANEL_CONFIG, DC_PANEL_CONFIG_RUNNING | DC_PANEL_CONFIG_DE_EN |
						     DC_PANEL_CONFIG_DAT_EN |
						     DC_PANEL_CONFIG_CLK_EN);
	set(BOARD_DC_BASE + DC_TOP_IRQ_EN, 1);
	set(BOARD_CRC_BASE + DISPLAY_CRC_CONTROL, 0xff);
	CHECK_EQ(get(BOARD_CRC_BASE + DISPLAY_CRC_CONTROL), DISPLAY_CRC_ENABLE);
	set(BOARD_DC_BASE + DC_FB_SIZE, DC_PAIR(64, 48));
	set(BOARD_DC_BASE + DC_FB_BOTTOM_RIGHT, DC_PAIR(64, 48));
	set(BOARD_DC_BASE + DC_FB_CONFIG, DC_FORMAT_X8R8G8B8 << 26);
	set(BOARD_DC_BASE + DC_FB_CONFIG_EX, DC_FB_CONFIG_EX_FB_EN);
	set(BOARD_DC_BASE + DC_PANEL_START, 1);
	CHECK_EQ(fake_gc->display_traffic, 64 * 48 * 4 * 1000);
	CHECK_EQ(get(BOARD_CRC_BASE + DISPLAY_FRAME_COUNT), 1);
	pass(2000000);
	CHECK_EQ(msis, 1);
	CHECK_EQ(1u << msi_source, BOARD_IRQ_DISPLAY);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_STATUS), BOARD_IRQ_DISPLAY);
	CHECK_EQ(get(BOARD_DC_BASE + DC_TOP_IRQ_ACK), 1);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_STATUS), 0);
	CHECK_EQ(get(BOARD_CRC_BASE + DISPLAY_FRAME_COUNT), 3);
	CHECK_EQ(get(BOARD_CRC_BASE + DISPLAY_CRC_FRAME), 2);
	CHECK(get(BOARD_CRC_BASE + DISPLAY_CRC) != 0);
	board_reset(board);
	CHECK_EQ(fake_gc->display_traffic, 0);
	CHECK_EQ(get(BOARD_CRC_BASE + DISPLAY_FRAME_COUNT), 0);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_PIXEL_HZ), 0);
	pass(4000000);
	CHECK_EQ(msis, 1);
}

/*
 * Real time: the display's interrupt is delivered in the middle of a long operation of the
 * core.
 */
TEST(the_display_does_not_wait_for_the_core)
{
	uint64_t until;

	begin(false);
	CHECK(board_attach_display(board, edid_mode_at(0)) != NULL);
	set(BOARD_REGS_BASE + BOARD_PIXEL_HZ, 6000000);
	set(BOARD_DC_BASE + DC_HSIZE, 64 | 100 << 16);
	set(BOARD_DC_BASE + DC_VSIZE, 48 | 60 << 16);
	set(BOARD_DC_BASE + DC_PANEL_CONFIG, DC_PANEL_CONFIG_RUNNING);
	set(BOARD_DC_BASE + DC_TOP_IRQ_EN, 1);
	set(BOARD_DC_BASE + DC_PANEL_START, 1);
	fake_gc->host.yield(fake_gc->host.ctx);
	until = clock_now(cal) + 1000000;
	while (clock_now(cal) < until)
		;
	fake_gc->host.yield(fake_gc->host.ctx);
	CHECK_EQ(msis, 1);
}

TEST(sizes_and_alignment)
{
	begin(false);
	set(0x20, 0x44332211);
	CHECK_EQ(board_read(board, 0x20, 1), 0x11);
	CHECK_EQ(board_read(board, 0x23, 1), 0x44);
	CHECK_EQ(board_read(board, 0x22, 2), 0x4433);
	board_write(board, 0x20, 8, 0xaabbccdd99887766);
	CHECK_EQ(get(0x20), 0x99887766);
	CHECK_EQ(get(0x24), 0xaabbccdd);
	CHECK_EQ(board_read(board, 0x20, 8), 0xaabbccdd99887766);
	board_write(board, 0x20, 1, 0);
	board_write(board, 0x20, 2, 0);
	board_write(board, 0x22, 4, 0);
	board_write(board, 0x24, 8, 0);
	CHECK_EQ(get(0x20), 0x99887766);
	CHECK_EQ(board_read(board, 0x22, 4), UINT64_MAX);
	CHECK_EQ(board_read(board, 0x24, 8), UINT64_MAX);
	CHECK_EQ(board_read(board, 0x20, 3), UINT64_MAX);
	CHECK_EQ(board_read(board, 0x20, 0), UINT64_MAX);
	CHECK_EQ(board_read(board, BOARD_BAR0_BYTES, 4), UINT64_MAX);
	CHECK_EQ(board_read(board, 0xfffffffc, 4), UINT64_MAX);
	CHECK_EQ(board_read(board, 0x3fff8, 8), UINT64_MAX);
	board_write(board, BOARD_BAR0_BYTES, 4, 1);
}

TEST(an_msi_for_each_rising_line)
{
	begin(false);
	line(true);
	CHECK_EQ(msis, 1);
	CHECK_EQ(msi_source, 0);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_STATUS), 1);
	line(true);
	CHECK_EQ(msis, 1);
	line(false);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_STATUS), 0);
	line(true);
	CHECK_EQ(msis, 2);
}

static const char *say(const char *command)
{
	static char reply[CONTROL_REPLY_BYTES];

	board_control(board, command, reply, sizeof(reply));
	return reply;
}

/* A handler that does not acknowledge is called again and again. */
TEST(an_active_line_repeats_its_msi)
{
	const uint64_t third = 2 * BOARD_IRQ_REPEAT_NS;

	begin(true);
	board_use_level_interrupts(board);
	line(true);
	pass(third);
	CHECK_EQ(msis, 3);
	CHECK_EQ(msi_at[2], third);
	line(false);
	pass(third + 10 * BOARD_IRQ_REPEAT_NS);
	CHECK_EQ(msis, 3);
	pulse();
	pass(third + 20 * BOARD_IRQ_REPEAT_NS);
	CHECK_EQ(msis, 4);
	CHECK_EQ(board->irq.repeated, 2);
}

TEST(the_time_until_the_guest_acknowledges)
{
	begin(true);
	line(true);
	pass(300);
	line(true); /* another event */
	pass(1000);
	line(false);
	line(false);
	pass(5000);
	line(true);
	pass(5200);
	line(false);
	CHECK_EQ(board->statistics.acknowledged, 2);
	CHECK_EQ(board->statistics.acknowledge_ns, 1200);
	CHECK_EQ(board->statistics.acknowledge_max_ns, 1000);
}

/* The board's enable register, a lost message, a reset. */
TEST(a_level_follows_enable_and_reset)
{
	begin(true);
	board_use_level_interrupts(board);
	say("lose-irq 1");
	line(true);
	pass(BOARD_IRQ_REPEAT_NS);
	CHECK_EQ(msis, 1);
	set(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, BOARD_IRQ_DISPLAY);
	pass(10 * BOARD_IRQ_REPEAT_NS);
	CHECK_EQ(msis, 1);
	set(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, BOARD_IRQ_ALL);
	pass(11 * BOARD_IRQ_REPEAT_NS);
	CHECK_EQ(msis, 3);
	board_reset(board);
	pass(20 * BOARD_IRQ_REPEAT_NS);
	CHECK_EQ(msis, 3);
	line(true);
	pass(21 * BOARD_IRQ_REPEAT_NS);
	CHECK_EQ(msis, 5);
}

TEST(interrupt_enable)
{
	begin(false);
	set(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, 2);
	line(true);
	CHECK_EQ(msis, 0);
	/* the status has the bit nevertheless */
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_STATUS), 1);
	set(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, 0xffffffff);
	CHECK_EQ(msis, 1); /* was pending */
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_ENABLE), 3);
	set(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, 3);
	CHECK_EQ(msis, 1);
}

TEST(doorbell)
{
	begin(false);
	CHECK(!board_test_and_clear_doorbell(board));
	set(BOARD_REGS_BASE + BOARD_DOORBELL, 1);
	CHECK(board_test_and_clear_doorbell(board));
	CHECK(!board_test_and_clear_doorbell(board));
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_DOORBELL), 0);
}

TEST(no_doorbell)
{
	begin(false);
	board_remove_doorbell(board);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_FEATURES), BOARD_FEATURE_MAILBOX);
	set(BOARD_REGS_BASE + BOARD_DOORBELL, 1);
	CHECK(!board_test_and_clear_doorbell(board));
}

TEST(no_mailbox)
{
	begin(false);
	CHECK(get(BOARD_MAILBOX_BASE) != UINT32_MAX);
	board_remove_mailbox(board);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_FEATURES), BOARD_FEATURE_DOORBELL);
	for (uint32_t offset = 0; offset < MAILBOX_BYTES; offset += 4) {
		set(BOARD_MAILBOX_BASE + offset, 1);
		CHECK_EQ(get(BOARD_MAILBOX_BASE + offset), UINT32_MAX);
	}
}

TEST(the_core_can_yield)
{
	begin(false);
	fake_gc->host.yield(fake_gc->host.ctx);
	CHECK_EQ(yields, 1);
	CHECK(fake_gc->host.memory == &memory);
	CHECK(fake_gc->host.clock == cal);
	CHECK_EQ(fake_gc->options.poll_ns, 1000);
}

TEST(lost_interrupts)
{
	begin(false);
	say("lose-irq 2");
	pulse();
	pulse();
	CHECK_EQ(msis, 0);
	pulse();
	CHECK_EQ(msis, 1);
	CHECK_EQ(board->irq.lost, 2);
}

TEST(virtual_interrupts_go_through_the_calendar)
{
	begin(true);
	clock_set_now(cal, 100);
	line(true);
	CHECK_EQ(msis, 0);
	pass(100);
	CHECK_EQ(msis, 1);
	CHECK_EQ(msi_at[0], 100);
}

/* Real time: due events run in the middle of the core's next operation. */
TEST(interrupts_do_not_wait_for_the_core)
{
	uint64_t until;

	begin(false);
	say("delay-irq 100000");
	pulse();
	until = clock_now(cal) + 200000;
	while (clock_now(cal) < until)
		;
	fake_gc->host.yield(fake_gc->host.ctx);
	CHECK_EQ(msis, 1);
}

TEST(delayed_interrupts)
{
	begin(true);
	say("delay-irq 500");
	clock_set_now(cal, 100);
	pulse();
	clock_set_now(cal, 200);
	pulse();
	pass(599);
	CHECK_EQ(msis, 0);
	pass(10000);
	CHECK_EQ(msis, 2);
	CHECK_EQ(msi_at[0], 600);
	CHECK_EQ(msi_at[1], 700);
	say("delay-irq 0");
	pulse();
	pass(10000);
	CHECK_EQ(msi_at[2], 10000);
}

/* Twenty interrupts with jitter; records the times of arrival. */
static void jittered(const char *command, uint64_t times[20])
{
	begin(true);
	say(command);
	for (unsigned int i = 0; i < 20; i++) {
		pulse();
		pass((i + 1) * 10000);
	}
	memcpy(times, msi_at, 20 * sizeof(*times));
}

/* A machine's own latency: random by the seed of --jitter; a reset does not end it. */
TEST(interrupts_have_a_latency)
{
	uint64_t most = 0, sum = 0;

	begin(true);
	board_irq_set_latency(&board->irq, 9, 2000);
	board_reset(board);
	for (unsigned int i = 0; i < 20; i++) {
		pulse();
		pass((i + 1) * 10000);
	}
	CHECK_EQ(msis, 20);
	for (unsigned int i = 0; i < 20; i++) {
		uint64_t late = msi_at[i] - i * 10000;

		CHECK(late <= 2000);
		most = late > most ? late : most;
		sum += late;
	}
	CHECK(most > 1200);
	CHECK(sum > 20 * 700 && sum < 20 * 1300);
	board_irq_set_latency(&board->irq, 0, 2000); /* seed 0: none */
	pulse();
	pass(300000);
	CHECK_EQ(msi_at[20], 200000);
}

TEST(jitter_depends_on_the_seed_alone)
{
	uint64_t a[20], b[20], c[20], most = 0;

	jittered("jitter-irq 7 5000", a);
	CHECK_EQ(msis, 20);
	jittered("jitter-irq 7 5000", b);
	jittered("jitter-irq 8 5000", c);
	CHECK(!memcmp(a, b, sizeof(a)));
	CHECK(memcmp(a, c, sizeof(a)));
	for (unsigned int i = 0; i < 20; i++) {
		uint64_t late = a[i] - i * 10000;

		CHECK(late <= 5000);
		most = late > most ? late : most;
	}
	CHECK(most > 2500);
}

TEST(more_delayed_than_fit_are_merged)
{
	begin(true);
	say("delay-irq 1000000");
	for (unsigned int i = 0; i < BOARD_IRQ_IN_FLIGHT + 5; i++)
		pulse();
	pass(2000000);
	CHECK_EQ(msis, BOARD_IRQ_IN_FLIGHT);
	CHECK_EQ(board->irq.merged, 5);
}

TEST(reset_is_power_on)
{
	begin(true);
	say("lose-irq 100");
	say("delay-irq 77");
	say("slow 300");
	say("null-draw on");
	say("count-from 5");
	line(true);
	set(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, 0);
	set(BOARD_REGS_BASE + BOARD_DOORBELL, 1);
	set(BOARD_MAILBOX_BASE + MAILBOX_COMMAND, 0x64646464);
	say("lose-irq 0");
	line(false);
	set(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, 3);
	line(true); /* in flight for 77 ns, and when the reset comes */
	board_reset(board);
	pass(1000);
	CHECK_EQ(msis, 0);
	CHECK_EQ(fake_gc->resets, 1);
	CHECK_EQ(fake_gc->slowdown, 100);
	CHECK(!fake_gc->null_draw);
	CHECK_EQ(fake_gc->count_from, 0);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_STATUS), 0);
	CHECK_EQ(get(BOARD_REGS_BASE + BOARD_IRQ_ENABLE), 3);
	CHECK_EQ(get(BOARD_MAILBOX_BASE + MAILBOX_COMMAND), 0);
	CHECK(!board_test_and_clear_doorbell(board));
	line(true);
	pass(1000);
	CHECK_EQ(msis, 1);
}

/* Use the mailbox by its registers, as a guest does. */
static void mail(const char *command, char *reply)
{
	uint32_t length;

	set(BOARD_MAILBOX_BASE + MAILBOX_CONTROL, MAILBOX_BEGIN);
	for (size_t i = 0; i < strlen(command); i += 4) {
		uint32_t word = 0;

		memcpy(&word, command + i, strlen(command + i) < 4 ? strlen(command + i) : 4);
		set(BOARD_MAILBOX_BASE + MAILBOX_COMMAND, word);
	}
	set(BOARD_MAILBOX_BASE + MAILBOX_CONTROL, MAILBOX_GO);
	length = get(BOARD_MAILBOX_BASE + MAILBOX_CONTROL);
	for (uint32_t i = 0; i < length; i += 4) {
		uint32_t word = get(BOARD_MAILBOX_BASE + MAILBOX_REPLY);

		memcpy(reply + i, &word, 4);
	}
	reply[length] = '\0';
}

TEST(mailbox)
{
	char reply[CONTROL_REPLY_BYTES + 4];

	begin(false);
	CHECK_EQ(get(BOARD_MAILBOX_BASE + MAILBOX_ID), MAILBOX_ID_VALUE);
	mail("personality", reply);
	CHECK(!strncmp(reply, "name gc3000\n", 12));
	CHECK(!strcmp(reply + strlen(reply) - 3, "ok\n"));
	CHECK_EQ(get(BOARD_MAILBOX_BASE + MAILBOX_REPLY), 0); /* zeros past the end */
	set(BOARD_MAILBOX_BASE + MAILBOX_REPLY, 5);
	CHECK_EQ(get(BOARD_MAILBOX_BASE + MAILBOX_REPLY), 0x30336367 /* "gc30" */);
	set(BOARD_MAILBOX_BASE + MAILBOX_REPLY, 0xffffffff);
	CHECK_EQ(get(BOARD_MAILBOX_BASE + MAILBOX_REPLY), 0);
	mail("hang", reply);
	CHECK(!strcmp(reply, "ok\n"));
	CHECK_EQ(fake_gc->faults[GC_FAULT_HANG_FE], 1);
	mail("", reply);
	CHECK(!strncmp(reply, "error: ", 7));
	set(BOARD_MAILBOX_BASE + MAILBOX_CONTROL, 3);
	set(BOARD_MAILBOX_BASE + MAILBOX_BYTES, 1);
	CHECK_EQ(get(BOARD_MAILBOX_BASE + MAILBOX_BYTES), 0xffffffff);
}

TEST(overlong_mail)
{
	char reply[CONTROL_REPLY_BYTES + 4], command[600];

	begin(false);
	memset(command, ' ', sizeof(command));
	memcpy(command, "hang", 4);
	command[sizeof(command) - 1] = '\0';
	mail(command, reply);
	CHECK(!strcmp(reply, "error: the command is too long\n"));
	CHECK_EQ(fake_gc->faults[GC_FAULT_HANG_FE], 0);
	mail("hang", reply); /* the command after it works */
	CHECK_EQ(fake_gc->faults[GC_FAULT_HANG_FE], 1);
}

int main(void)
{
	int status = test_all();

	end();
	return status;
}
