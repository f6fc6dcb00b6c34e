// SPDX-License-Identifier: MIT
/*
 * The control protocol: a command line in, lines of reply out, the last of them "ok" or "error:
 * ...". Commands are described in Documentation/card/control.rst.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/internal.h"

#define MAX_WORDS 8
#define LAST_LINE_BYTES 128 /* reserved for "ok" or the error */

/* A reply under construction. */
struct reply {
	char *text;
	unsigned int room, used;
	const char *error;                     /* NULL: ok */
	char error_text[LAST_LINE_BYTES - 16]; /* with "error: ", newline and zero byte it fits */
};

#define ANY_NUMBER 0u

/*
 * A command: words[0] is its name, which counts in @words. A NULL follows the last word. With
 * ANY_NUMBER words after the MAX_WORDS-th are cut off: actions are shorter, and refuse the others.
 */
struct command {
	const char *name;
	const char *arguments; /* for help */
	unsigned int words;    /* number of words, or ANY_NUMBER */
	const char *help;
	void (*run)(struct board *board, char *const words[], struct reply *reply);
};

static void add_line(struct reply *reply, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Append a line to the reply; a line that does not fit is left out. */
static void add_line(struct reply *reply, const char *format, ...)
{
	unsigned int room = reply->room - reply->used;
	va_list arguments;
	int length;

	if (room <= LAST_LINE_BYTES)
		return;
	room -= LAST_LINE_BYTES;
	va_start(arguments, format);
	length = vsnprintf(reply->text + reply->used, room, format, arguments);
	va_end(arguments);
	if (length >= 0 && (unsigned int)length < room - 1) {
		reply->used += length;
		reply->text[reply->used++] = '\n';
	}
	reply->text[reply->used] = '\0';
}

static void set_error(struct reply *reply, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void set_error(struct reply *reply, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reply->error_text, sizeof(reply->error_text), format, arguments);
	va_end(arguments);
	reply->error = reply->error_text;
}

/* Parse a number from @least to @most, decimal or 0x...; sets the error otherwise. */
static bool number(struct reply *reply, const char *word, uint64_t least, uint64_t most,
		   uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(word, &end, 0);
	if (isdigit((unsigned char)word[0]) && !*end && !errno && *value >= least && *value <= most)
		return true;
	set_error(reply, "%.32s is no number from %" PRIu64 " to %" PRIu64, word, least, most);
	return false;
}

static void emit_line(void *ctx, const char *name, uint64_t value)
{
	add_line(ctx, "%s %" PRIu64, name, value);
}

static void do_stats(struct board *board, char *const words[], struct reply *reply)
{
	board_print_statistics(board, emit_line, reply);
}

struct wanted {
	const char *name;
	struct reply *reply;
	bool found;
};

static void emit_wanted(void *ctx, const char *name, uint64_t value)
{
	struct wanted *wanted = ctx;

	if (strcmp(name, wanted->name))
		return;
	add_line(wanted->reply, "%s %" PRIu64, name, value);
	wanted->found = true;
}

static void do_total(struct board *board, char *const words[], struct reply *reply)
{
	struct wanted wanted = { .name = words[1], .reply = reply };

	board_print_statistics(board, emit_wanted, &wanted);
	if (!wanted.found)
		set_error(reply, "no total is called %.32s", words[1]);
}

static void do_clear(struct board *board, char *const words[], struct reply *reply)
{
	board_clear_statistics(board);
}

static void do_hang(struct board *board, char *const words[], struct reply *reply)
{
	gc_inject(board->gc, GC_FAULT_HANG_FE);
}

static void do_lose_event(struct board *board, char *const words[], struct reply *reply)
{
	gc_inject(board->gc, GC_FAULT_LOSE_EVENT);
}

static void do_mmu_fault(struct board *board, char *const words[], struct reply *reply)
{
	gc_inject(board->gc, GC_FAULT_MMU);
}

static void do_axi_error(struct board *board, char *const words[], struct reply *reply)
{
	gc_inject(board->gc, GC_FAULT_AXI);
}

#define LONGEST_NS (3600ull * 1000000000ull)

static void do_lose_irq(struct board *board, char *const words[], struct reply *reply)
{
	uint64_t count;

	if (number(reply, words[1], 0, UINT32_MAX, &count))
		board->irq.lose = count;
}

static void do_delay_irq(struct board *board, char *const words[], struct reply *reply)
{
	uint64_t delay;

	if (number(reply, words[1], 0, LONGEST_NS, &delay))
		board->irq.delay_ns = delay;
}

static void do_jitter_irq(struct board *board, char *const words[], struct reply *reply)
{
	uint64_t seed, most;

	if (number(reply, words[1], 0, UINT64_MAX, &seed) &&
	    number(reply, words[2], 0, LONGEST_NS, &most))
		board_irq_set_jitter(&board->irq, seed, most);
}

static void do_slow(struct board *board, char *const words[], struct reply *reply)
{
	uint64_t percent;

	if (number(reply, words[1], 1, 1000000, &percent))
		gc_set_slowdown(board->gc, percent);
}

static void do_count_from(struct board *board, char *const words[], struct reply *reply)
{
	uint64_t value;

	if (number(reply, words[1], 0, UINT32_MAX, &value))
		gc_set_count_from(board->gc, (uint32_t)value);
}

static void do_null_draw(struct board *board, char *const words[], struct reply *reply)
{
	if (!strcmp(words[1], "on"))
		gc_set_null_draw(board->gc, true);
	else if (!strcmp(words[1], "off"))
		gc_set_null_draw(board->gc, false);
	else
		set_error(reply, "%.32s is neither on nor off", words[1]);
}

static void do_die(struct board *board, char *const words[], struct reply *reply)
{
	board->host.die(board->host.ctx);
}

static void do_personality(struct board *board, char *const words[], struct reply *reply)
{
	const struct gc_personality *p = board->personality;

	add_line(reply, "name %s", p->name);
	add_line(reply, "model 0x%" PRIx32, p->chip_model);
	add_line(reply, "revision 0x%" PRIx32, p->chip_rev);
	add_line(reply, "mmu %u", p->mmu_version);
	add_line(reply, "halti %u", p->halti);
	add_line(reply, "core_hz %" PRIu64, board->core_hz);
}

static void do_time(struct board *board, char *const words[], struct reply *reply)
{
	add_line(reply, "mode %s", clock_is_virtual(board->clock) ? "virtual" : "real");
	add_line(reply, "now_ns %" PRIu64, clock_now(board->clock));
}

/* Add the state of framebuffer and cursor that is scanned out. */
static void add_frame(struct reply *reply, const struct dc_frame *frame)
{
	const struct dc_framebuffer *fb = &frame->fb;
	const struct dc_cursor *cursor = &frame->cursor;

	add_line(reply, "lit %s", frame->lit ? "yes" : "no");
	if (fb->shown)
		add_line(reply,
			 "framebuffer 0x%08" PRIx32 " stride %" PRIu32 " format %" PRIu32
			 " swizzle %" PRIu32 " tile %" PRIu32 " at %" PRIu32 " %" PRIu32
			 " size %" PRIu32 "x%" PRIu32,
			 fb->address, fb->stride, fb->format, fb->swizzle, fb->tile, fb->x, fb->y,
			 fb->width, fb->height);
	if (cursor->shown)
		add_line(reply, "cursor 0x%08" PRIx32 " size %" PRIu32 " at %" PRId32 " %" PRId32,
			 cursor->address, cursor->size, cursor->x, cursor->y);
	add_line(reply, "gamma %s", frame->gamma ? "on" : "off");
}

static void do_display(struct board *board, char *const words[], struct reply *reply)
{
	const struct dc_block *dc = board->display.dc;
	struct dc_status status;

	if (!dc) {
		set_error(reply, "no display is fitted");
		return;
	}
	dc_get_status(dc, &status);
	add_line(reply, "frame %" PRIu32, dc_frame_count(dc));
	if (status.problem) {
		add_line(reply, "off: %s", status.problem);
		return;
	}
	add_line(reply, "mode %" PRIu32 "x%" PRIu32 " total %" PRIu32 "x%" PRIu32,
		 status.timing.width, status.timing.height, status.timing.row_pixels,
		 status.timing.rows);
	add_line(reply, "pixel_hz %" PRIu64, status.timing.hz);
	add_line(reply, "vsync_ns %" PRIu64, status.vsync_ns);
	add_line(reply, "bytes_per_second %" PRIu64, status.traffic);
	add_frame(reply, &status.frame);
}

static void do_monitor(struct board *board, char *const words[], struct reply *reply)
{
	const struct edid_mode *mode = edid_mode_find(words[1]);

	if (!board->display.dc)
		set_error(reply, "no display is fitted");
	else if (!mode && strcmp(words[1], "none") != 0)
		set_error(reply, "%.32s is neither none nor one of %s", words[1],
			  edid_mode_names());
	else
		board_display_plug(&board->display, mode);
}

static void do_input(struct board *board, char *const words[], struct reply *reply)
{
	const char *problem;

	if (!board->input) {
		set_error(reply, "no input devices are fitted");
		return;
	}
	problem = board->input(board->input_ctx, words + 1);
	if (problem)
		set_error(reply, "the action %s", problem);
}

static void do_help(struct board *board, char *const words[], struct reply *reply);

static const struct command commands[] = {
	{ "help", "", 1, "this list", do_help },
	{ "stats", "", 1, "true totals since the start or the last clear", do_stats },
	{ "total", "NAME", 2, "one of them", do_total },
	{ "clear", "", 1, "set the totals to zero", do_clear },
	{ "personality", "", 1, "which core the card is", do_personality },
	{ "time", "", 1, "the card's time", do_time },
	{ "display", "", 1, "what the display shows, and when", do_display },
	{ "monitor", "none|MODE", 2, "unplug the monitor, or plug one that prefers MODE",
	  do_monitor },
	{ "input", "ACTION...", ANY_NUMBER, "act as the user, e.g. key 30 press", do_input },
	{ "hang", "", 1, "the front end stops at its next command until it is reset", do_hang },
	{ "lose-event", "", 1, "the next event is executed but never reported", do_lose_event },
	{ "lose-irq", "N", 2, "the next N interrupts are lost", do_lose_irq },
	{ "delay-irq", "NS", 2, "every interrupt arrives NS late; 0 ends it", do_delay_irq },
	{ "jitter-irq", "SEED MAX_NS", 3,
	  "every interrupt arrives up to MAX_NS late, at random; 0 ends it", do_jitter_irq },
	{ "mmu-fault", "", 1, "the front end's next memory access faults", do_mmu_fault },
	{ "axi-error", "", 1, "raise an AXI error interrupt", do_axi_error },
	{ "slow", "PERCENT", 2, "work takes PERCENT/100 of its modelled time", do_slow },
	{ "count-from", "N", 2, "cycle and profiling counters begin at N at the core's next reset",
	  do_count_from },
	{ "null-draw", "on|off", 2, "price draws without drawing", do_null_draw },
	{ "die", "", 1, "behave as if the card was pulled", do_die },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void do_help(struct board *board, char *const words[], struct reply *reply)
{
	for (unsigned int i = 0; i < COMMANDS; i++) {
		char usage[48];

		snprintf(usage, sizeof(usage), "%s %s", commands[i].name, commands[i].arguments);
		add_line(reply, "%-24s %s", usage, commands[i].help);
	}
}

/*
 * Split @line in place; @words gets at most MAX_WORDS words and NULL. Returns the number of words,
 * MAX_WORDS + 1 if there are more.
 */
static unsigned int split(char *line, char *words[MAX_WORDS + 1])
{
	unsigned int count = 0;
	char *rest = NULL;

	words[MAX_WORDS] = NULL;
	for (char *w = strtok_r(line, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
		if (count == MAX_WORDS)
			return MAX_WORDS + 1;
		words[count++] = w;
	}
	words[count] = NULL;
	return count;
}

static void run(struct board *board, char *const words[], unsigned int count, struct reply *reply)
{
	for (unsigned int i = 0; i < COMMANDS; i++) {
		if (strcmp(words[0], commands[i].name) != 0)
			continue;
		if (count == commands[i].words || commands[i].words == ANY_NUMBER)
			commands[i].run(board, words, reply);
		else
			set_error(reply, "usage: %s %s", commands[i].name, commands[i].arguments);
		return;
	}
	set_error(reply, "unknown command %.32s (try help)", words[0]);
}

void board_control(struct board *board, const char *line, char *text, unsigned int text_bytes)
{
	struct reply reply = { .text = text, .room = text_bytes };
	char copy[CONTROL_LINE_BYTES];
	char *words[MAX_WORDS + 1];
	unsigned int count;

	if (!text_bytes)
		return;
	text[0] = '\0';
	board->statistics.control_commands++;
	if (strlen(line) >= sizeof(copy)) {
		set_error(&reply, "the command is too long");
	} else {
		strcpy(copy, line);
		count = split(copy, words);
		if (count)
			run(board, words, count, &reply);
		else
			set_error(&reply, "no command (try help)");
	}
	if (reply.error)
		snprintf(text + reply.used, text_bytes - reply.used, "error: %s\n", reply.error);
	else
		snprintf(text + reply.used, text_bytes - reply.used, "ok\n");
}
