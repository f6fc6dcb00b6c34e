// SPDX-License-Identifier: MIT
/* Actions: their text, files of them, and the events they become; keys of VNC's symbols. */
#include "input/keysyms.h"
#include "input/script.h"
#include "input/translate.h"
#include "tests/check.h"

#include <linux/input.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct input_screen screen = { 1280, 720 };

/* ---- text ---- */

static struct input_action action;

/* The parser's message for a line without a time, or an empty string. */
static const char *parse(const char *text)
{
	static char line[128];
	char *words[16], *rest;
	unsigned int count = 0;
	const char *problem;

	snprintf(line, sizeof(line), "%s", text);
	for (char *w = strtok_r(line, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		words[count++] = w;
	words[count] = NULL;
	problem = input_parse(words, &screen, &action);
	return problem ? problem : "";
}

static bool reads(const char *text, enum input_kind kind, uint32_t code, uint32_t pressed,
		  int32_t x, int32_t y)
{
	const struct input_action expected = { kind, code, pressed, x, y };

	return !*parse(text) && !memcmp(&action, &expected, sizeof(expected)) &&
	       input_action_valid(&action);
}

TEST(every_action)
{
	CHECK(reads("key 30 press", INPUT_KEY, KEY_A, 1, 0, 0));
	CHECK(reads("key 248 release", INPUT_KEY, KEY_MICMUTE, 0, 0, 0));
	CHECK(reads("button left press", INPUT_BUTTON, BTN_LEFT, 1, 0, 0));
	CHECK(reads("button extra release", INPUT_BUTTON, BTN_EXTRA, 0, 0, 0));
	CHECK(reads("pointer 0 0", INPUT_POINTER, 0, 0, 0, 0));
	CHECK(reads("pointer 640 360", INPUT_POINTER, 0, 0, 16384, 16384));
	CHECK(reads("wheel -3", INPUT_WHEEL, 0, 0, 0, -3));
	CHECK(reads("wheel-right 2", INPUT_WHEEL, 0, 0, 2, 0));
	CHECK(reads("touch 9 down 640 0", INPUT_TOUCH_DOWN, 9, 0, 16384, 0));
	CHECK(reads("touch 0 move 0 360", INPUT_TOUCH_MOVE, 0, 0, 0, 16384));
	CHECK(reads("touch 1 up", INPUT_TOUCH_UP, 1, 0, 0, 0));
	CHECK(reads("release-all", INPUT_RELEASE_ALL, 0, 0, 0, 0));
}

TEST(bad_actions)
{
	static const char no_position[] = "has no position X Y on the screen";
	static const char no_end[] = "has no \"press\" or \"release\" at its end";

	CHECK(!strcmp(parse(""), "has no key, button, pointer, wheel, wheel-right, touch or "
				 "release-all"));
	CHECK(!strcmp(parse("key 0 press"), "has no key code from 1 to 248"));
	CHECK(!strcmp(parse("key 249 press"), "has no key code from 1 to 248"));
	CHECK(!strcmp(parse("key -1 press"), "has no key code from 1 to 248"));
	CHECK(!strcmp(parse("key 30"), no_end));
	CHECK(!strcmp(parse("key 30 hold"), no_end));
	CHECK(!strcmp(parse("key 30 press x"), "has words after its end"));
	CHECK(!strcmp(parse("button 1 press"), "has no button left, right, middle, side or extra"));
	CHECK(!strcmp(parse("pointer 1280 0"), no_position));
	CHECK(!strcmp(parse("pointer 0 720"), no_position));
	CHECK(!strcmp(parse("pointer 0 -1"), no_position));
	CHECK(!strcmp(parse("pointer 0"), no_position));
	CHECK(!strcmp(parse("wheel 101"), "has no number of clicks from -100 to 100"));
	CHECK(!strcmp(parse("wheel --1"), "has no number of clicks from -100 to 100"));
	CHECK(!strcmp(parse("touch 10 up"), "has no contact from 0 to 9"));
	CHECK(!strcmp(parse("touch 1"), "has no \"down\", \"move\" or \"up\" after the contact"));
	CHECK(!strcmp(parse("touch 1 down 5"), no_position));
}

/* Every pixel's position is that pixel again in a guest with this screen. */
TEST(positions)
{
	static const uint32_t sizes[] = { 1, 640, 720, 1080, 1280, 1920, 4096 };

	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (uint32_t pixel = 0; pixel < sizes[i]; pixel++) {
			uint64_t at = input_position(pixel, sizes[i]);

			CHECK(at <= INPUT_AXIS_MAX);
			CHECK_EQ(at * sizes[i] / (INPUT_AXIS_MAX + 1), pixel);
		}
}

TEST(limits_of_actions)
{
	struct input_action bad[] = {
		{ .kind = INPUT_KINDS },
		{ .kind = INPUT_KEY },
		{ .kind = INPUT_KEY, .code = BTN_LEFT },
		{ .kind = INPUT_KEY, .code = KEY_A, .pressed = 2 },
		{ .kind = INPUT_BUTTON, .code = KEY_A },
		{ .kind = INPUT_BUTTON, .code = BTN_TASK + 1 },
		{ .kind = INPUT_POINTER, .x = -1 },
		{ .kind = INPUT_POINTER, .y = INPUT_AXIS_MAX + 1 },
		{ .kind = INPUT_WHEEL, .y = INT32_MIN },
		{ .kind = INPUT_TOUCH_DOWN, .code = INPUT_CONTACTS },
		{ .kind = INPUT_TOUCH_MOVE, .code = 0, .x = INT32_MAX },
		{ .kind = INPUT_TOUCH_UP, .code = UINT32_MAX },
	};

	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!input_action_valid(&bad[i]));
}

/* ---- files ---- */

/* Read @text as a file: an empty string, or the message without the file's name. */
static const char *problem_of(const char *text, struct input_script *script)
{
	static char message[128];
	char path[] = "/tmp/input-XXXXXX";
	int fd = mkstemp(path);
	FILE *err = fmemopen(message, sizeof(message), "w");
	bool good = write(fd, text, strlen(text)) == (ssize_t)strlen(text) &&
		    input_script_read(script, path, &screen, err);

	fclose(err);
	close(fd);
	unlink(path);
	return good ? "" : message + strlen(path);
}

TEST(a_script)
{
	struct input_script script;

	CHECK(!strcmp(problem_of("# text\n\n 5ms key 30 press\n7ms\tpointer 640 360\n", &script),
		      ""));
	CHECK_EQ(script.count, 2);
	CHECK_EQ(script.step[0].time_ns, 5000000);
	CHECK_EQ(script.step[0].action.code, 30);
	CHECK_EQ(script.step[1].time_ns, 7000000);
	CHECK_EQ(script.step[1].action.x, 16384);
	input_script_free(&script);
}

TEST(bad_lines_are_named)
{
	struct input_script script;

	CHECK(!strcmp(problem_of("#\n5 key 30 press\n", &script),
		      ":2: the line does not begin with a time such as 120ms, of at most a day\n"));
	CHECK(!strcmp(problem_of("5ms key 30 press\n4ms key 30 press\n", &script),
		      ":2: the line is earlier than the line before\n"));
	CHECK(!strcmp(problem_of("5ms touch 0 down 1 1 1 1 1 1 1 1", &script),
		      ":1: the line has words after its end\n"));
	CHECK_EQ(script.count, 0);
}

TEST(what_cannot_be_read_is_no_empty_script)
{
	struct input_script script;
	char message[128] = "";
	FILE *err = fmemopen(message, sizeof(message), "w");

	CHECK(!input_script_read(&script, "/", &screen, err));
	fclose(err);
	CHECK(!strcmp(message, "/: Is a directory\n"));
}

/* ---- events ---- */

static struct input_state state;
static struct input_report report;

static void perform(const char *text)
{
	CHECK(!*parse(text));
	input_translate(&state, &action, &report);
}

/* Whether the report has these (type, code, value), @count of them. */
static bool has(enum input_device device, unsigned int count, ...)
{
	bool good = report.device == device && report.count == count;
	va_list values;

	va_start(values, count);
	for (unsigned int i = 0; good && i < count; i++) {
		good = report.event[i].type == va_arg(values, int);
		good = report.event[i].code == va_arg(values, int) && good;
		good = (int32_t)report.event[i].value == va_arg(values, int) && good;
	}
	va_end(values);
	return good;
}

TEST(keyboard_and_mouse)
{
	memset(&state, 0, sizeof(state));
	perform("key 30 press");
	CHECK(has(INPUT_KEYBOARD, 1, EV_KEY, KEY_A, 1));
	perform("button left press");
	CHECK(has(INPUT_MOUSE, 1, EV_KEY, BTN_LEFT, 1));
	perform("button left release");
	CHECK(has(INPUT_MOUSE, 1, EV_KEY, BTN_LEFT, 0));
	perform("pointer 640 0");
	CHECK(has(INPUT_MOUSE, 2, EV_ABS, ABS_X, 16384, EV_ABS, ABS_Y, 0));
	perform("wheel -2");
	CHECK(has(INPUT_MOUSE, 2, EV_REL, REL_WHEEL, -2, EV_REL, REL_WHEEL_HI_RES, -240));
	perform("wheel-right 1");
	CHECK(has(INPUT_MOUSE, 2, EV_REL, REL_HWHEEL, 1, EV_REL, REL_HWHEEL_HI_RES, 120));
	perform("wheel 0");
	CHECK(has(INPUT_MOUSE, 0));
}

/* Linux's Documentation/input/multi-touch-protocol.rst, protocol B. */
TEST(touch_screen)
{
	memset(&state, 0, sizeof(state));
	perform("touch 0 move 0 0");
	CHECK(has(INPUT_TOUCH_SCREEN, 0));
	perform("touch 0 down 640 360");
	CHECK(has(INPUT_TOUCH_SCREEN, 5, EV_ABS, ABS_MT_SLOT, 0, EV_ABS, ABS_MT_TRACKING_ID, 0,
		  EV_ABS, ABS_MT_POSITION_X, 16384, EV_ABS, ABS_MT_POSITION_Y, 16384, EV_KEY,
		  BTN_TOUCH, 1));
	perform("touch 3 down 0 0");
	CHECK(has(INPUT_TOUCH_SCREEN, 4, EV_ABS, ABS_MT_SLOT, 3, EV_ABS, ABS_MT_TRACKING_ID, 1,
		  EV_ABS, ABS_MT_POSITION_X, 0, EV_ABS, ABS_MT_POSITION_Y, 0));
	perform("touch 0 move 0 0");
	CHECK(has(INPUT_TOUCH_SCREEN, 3, EV_ABS, ABS_MT_SLOT, 0, EV_ABS, ABS_MT_POSITION_X, 0,
		  EV_ABS, ABS_MT_POSITION_Y, 0));
	perform("touch 0 up");
	CHECK(has(INPUT_TOUCH_SCREEN, 2, EV_ABS, ABS_MT_SLOT, 0, EV_ABS, ABS_MT_TRACKING_ID, -1));
	perform("touch 3 up");
	CHECK(has(INPUT_TOUCH_SCREEN, 3, EV_ABS, ABS_MT_SLOT, 3, EV_ABS, ABS_MT_TRACKING_ID, -1,
		  EV_KEY, BTN_TOUCH, 0));
	perform("touch 3 up");
	CHECK(has(INPUT_TOUCH_SCREEN, 0));
}

TEST(all_is_released)
{
	struct input_action release;
	unsigned int count = 0;

	memset(&state, 0, sizeof(state));
	CHECK(!input_next_release(&state, &release));
	perform("key 30 press");
	perform("button right press");
	perform("touch 2 down 0 0");
	while (input_next_release(&state, &release)) {
		CHECK(input_action_valid(&release));
		input_translate(&state, &release, &report);
		count++;
	}
	CHECK_EQ(count, 3);
}

TEST(symbols_of_keys)
{
	CHECK_EQ(keysym_to_key('a'), KEY_A);
	CHECK_EQ(keysym_to_key('A'), KEY_A);
	CHECK_EQ(keysym_to_key(' '), KEY_SPACE);
	CHECK_EQ(keysym_to_key('~'), KEY_GRAVE);
	CHECK_EQ(keysym_to_key('"'), KEY_APOSTROPHE);
	CHECK_EQ(keysym_to_key(0xff0d), KEY_ENTER);
	CHECK_EQ(keysym_to_key(0xffc9), KEY_F12);
	CHECK_EQ(keysym_to_key(0xffff), KEY_DELETE);
	CHECK_EQ(keysym_to_key(0xfe20), KEY_TAB);
	CHECK_EQ(keysym_to_key(0x7f), 0);
	CHECK_EQ(keysym_to_key(0xff00), 0);
	CHECK_EQ(keysym_to_key(0x10000), 0);
	CHECK_EQ(keysym_to_key(UINT32_MAX), 0);
}

int main(void)
{
	return test_all();
}
