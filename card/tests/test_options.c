// SPDX-License-Identifier: MIT
/* The command line: results of valid options, messages for invalid ones. */
#include "tests/check.h"

#include <stdlib.h>

#include "dc/edid.h"
#include "gc/personality.h"
#include "options.h"

static struct card_options options;
static char *out_text, *err_text;
static size_t out_bytes, err_bytes;

static void forget(void)
{
	free(out_text);
	free(err_text);
	out_text = err_text = NULL;
}

/* Parse a command line of words separated by spaces. */
static enum options_result parse(const char *line)
{
	static char copy[512];
	char *argv[40] = { "vivgpu-card" };
	enum options_result result;
	FILE *out, *err;
	int argc = 1;

	forget();
	out = open_memstream(&out_text, &out_bytes);
	err = open_memstream(&err_text, &err_bytes);
	snprintf(copy, sizeof(copy), "%s", line);
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	result = options_parse(&options, argc, argv, out, err);
	fclose(out);
	fclose(err);
	return result;
}

static bool complains(const char *line, const char *text)
{
	if (parse(line) == OPTIONS_WRONG && strcmp(err_text, text) == 0)
		return true;
	printf("'%s' gave '%s'\n", line, err_text);
	return false;
}

TEST(defaults)
{
	CHECK_EQ(parse("--socket=/run/card"), OPTIONS_OK);
	CHECK(!strcmp(options.socket, "/run/card"));
	CHECK(!strcmp(options.personality->name, "gc3000"));
	CHECK(!options.virtual_time && !options.once && !options.null_draw && !options.no_doorbell);
	CHECK(!options.no_mailbox);
	CHECK(!options.control && !options.trace && !options.record && !options.hazards &&
	      !options.truth && !options.stats && !options.reveal);
	CHECK(!options.hazards_fail && !options.hazards_random);
	CHECK(!strcmp(options.params.name, "imx6q"));
	CHECK_EQ(options.spin_us, 50);
	CHECK(!options.level_interrupts && !options.cache_data);
	CHECK_EQ(options.jitter, 0);
	CHECK_EQ(options_poll_ns(&options), 50000);
}

TEST(everything)
{
	CHECK_EQ(
		parse("--socket /s --control /c --personality gc2000 --time virtual --once "
		      "--time-socket /t --trace /tr --null-draw --stats /st --poll-us 7 "
		      "--spin-us 0 --params wide --reveal --jitter 12345678901234567890 --no-doorbell "
		      "--interrupt level --caches data --hazards /hz --hazards=fail --hazards=random:7 "
		      "--truth /tw --no-mailbox --record /re"),
		OPTIONS_OK);
	CHECK(!strcmp(options.socket, "/s"));
	CHECK(!strcmp(options.control, "/c"));
	CHECK(!strcmp(options.time_socket, "/t"));
	CHECK(!strcmp(options.trace, "/tr"));
	CHECK(!strcmp(options.record, "/re"));
	CHECK(!strcmp(options.hazards, "/hz"));
	CHECK(options.hazards_fail && options.hazards_random);
	CHECK_EQ(options.hazards_seed, 7);
	CHECK(!strcmp(options.truth, "/tw"));
	CHECK(!strcmp(options.stats, "/st"));
	CHECK(!strcmp(options.params.name, "wide"));
	CHECK(!strcmp(options.personality->name, "gc2000"));
	CHECK(options.virtual_time && options.once && options.null_draw && options.no_doorbell);
	CHECK(options.no_mailbox);
	CHECK(options.reveal && options.level_interrupts && options.cache_data);
	CHECK_EQ(options.jitter, 12345678901234567890u);
	CHECK_EQ(options.spin_us, 0);
	CHECK_EQ(options_poll_ns(&options), 7000);
}

TEST(display)
{
	CHECK_EQ(parse("--socket=/s"), OPTIONS_OK);
	CHECK_EQ(options.display.kind, VIEW_NOBODY);
	CHECK(!strcmp(options.mode->name, "1280x720"));
	CHECK_EQ(parse("--socket=/s --display none --mode=640x432"), OPTIONS_OK);
	CHECK_EQ(options.display.kind, VIEW_NOT_FITTED);
	CHECK(!strcmp(options.mode->name, "640x432"));
	CHECK_EQ(parse("--socket=/s --display=png:/a:b"), OPTIONS_OK);
	CHECK_EQ(options.display.kind, VIEW_PNG);
	CHECK(!strcmp(options.display.folder, "/a:b"));
	CHECK_EQ(parse("--socket=/s --display=png-all:c"), OPTIONS_OK);
	CHECK_EQ(options.display.kind, VIEW_PNG_ALL);
	CHECK(complains("--socket=/s --display=png:",
			"vivgpu-card: --display: needs a folder: png:DIR or png-all:DIR\n"));
	CHECK(complains("--socket=/s --display=png",
			"vivgpu-card: --display: needs a folder: png:DIR or png-all:DIR\n"));
	CHECK(complains(
		"--socket=/s --mode=1x1",
		"vivgpu-card: --mode: no such mode; the modes are 1280x720 640x432 1920x1080 "
		"640x480 800x600 1024x768\n"));
	/* the established modes, which the monitor offers whatever it prefers */
	CHECK_EQ(parse("--socket=/s --mode=640x480"), OPTIONS_OK);
	CHECK_EQ(parse("--socket=/s --mode=800x600"), OPTIONS_OK);
	CHECK_EQ(parse("--socket=/s --mode=1024x768"), OPTIONS_OK);
	CHECK_EQ(parse("--socket=/s --display=on:x"), OPTIONS_WRONG);
	CHECK_EQ(parse("--socket=/s --display=pn"), OPTIONS_WRONG);
	CHECK_EQ(parse("--help"), OPTIONS_DONE);
	CHECK(strstr(out_text, "modes: 1280x720 640x432"));
	forget();
}

TEST(input)
{
	CHECK_EQ(parse("--socket=/run/card"), OPTIONS_OK);
	CHECK(!options_have_input(&options));
	CHECK_EQ(parse("--socket=/run/card --display=vnc"), OPTIONS_OK);
	CHECK(options_have_input(&options));
	CHECK_EQ(parse("--socket=/run/card --input=/keys"), OPTIONS_OK);
	CHECK(options_have_input(&options));
	CHECK(!strcmp(options.input, "/keys"));
	CHECK(!strcmp(options.input_socket[INPUT_KEYBOARD], "/run/card.keyboard"));
	CHECK(!strcmp(options.input_socket[INPUT_MOUSE], "/run/card.mouse"));
	CHECK(!strcmp(options.input_socket[INPUT_TOUCH_SCREEN], "/run/card.touch"));
}

TEST(transports)
{
	CHECK_EQ(parse("--socket=/s"), OPTIONS_OK);
	CHECK_EQ(options.transport, TRANSPORT_VHOST_USER);
	CHECK(!options.platform);
	CHECK_EQ(parse("--socket=/s --bus=vhost-user --face=pci --time=virtual"), OPTIONS_OK);
	CHECK_EQ(options.transport, TRANSPORT_VHOST_USER);
	CHECK_EQ(parse("--socket=/s --bus=vfio-user --face platform"), OPTIONS_OK);
	CHECK_EQ(options.transport, TRANSPORT_VFIO_USER);
	CHECK(options.platform);
	CHECK_EQ(parse("--socket=/s --bus=vfio-user --display=vnc"), OPTIONS_OK);
	CHECK(options_have_input(&options));
	CHECK(complains("--socket=/s --bus=vfio",
			"vivgpu-card: --bus: is vhost-user or vfio-user\n"));
	CHECK(complains("--socket=/s --face=of", "vivgpu-card: --face: is pci or platform\n"));
	CHECK(complains("--socket=/s --face=platform",
			"vivgpu-card: --face: platform needs --bus=vfio-user\n"));
	CHECK(complains("--socket=/s --bus=vfio-user --time=virtual",
			"vivgpu-card: --time: virtual needs --bus=vhost-user\n"));
}

TEST(virtual_time_has_its_own_defaults)
{
	CHECK_EQ(parse("--time=virtual --socket=/run/card"), OPTIONS_OK);
	CHECK(!strcmp(options.time_socket, "/run/card.time"));
	CHECK_EQ(options_poll_ns(&options), 1000);
}

TEST(complaints)
{
	CHECK(complains("", "vivgpu-card: --socket: is needed (see --help)\n"));
	CHECK(complains("--socket", "vivgpu-card: --socket: needs a value\n"));
	CHECK(complains("--socket=", "vivgpu-card: --socket: needs a path\n"));
	CHECK(complains("--sock=/x", "vivgpu-card: --sock=/x: no such option (see --help)\n"));
	CHECK(complains("socket", "vivgpu-card: socket: no such option (see --help)\n"));
	CHECK(complains("--once=yes", "vivgpu-card: --once: takes no value\n"));
	CHECK(complains("--personality=gc9", "vivgpu-card: --personality: no such personality "
					     "(see --help)\n"));
	CHECK(complains("--params=none",
			"vivgpu-card: --params: no such set of parameters (see --help)\n"));
	CHECK(complains("--params=seed:x", "vivgpu-card: --params: the seed is a number\n"));
	CHECK(complains("--params=/none/such",
			"vivgpu-card: --params: No such file or directory\n"));
	CHECK(complains("--jitter=-1", "vivgpu-card: --jitter: is a number\n"));
	CHECK(complains("--time=soon", "vivgpu-card: --time: is real or virtual\n"));
	CHECK(complains("--caches=some", "vivgpu-card: --caches: is tags or data\n"));
	CHECK(complains("--interrupt=sometimes", "vivgpu-card: --interrupt: is edge or level\n"));
	CHECK(complains("--socket=/s --time-socket=/t",
			"vivgpu-card: --time-socket: only makes sense with --time=virtual\n"));
	CHECK(complains("--poll-us=0", "vivgpu-card: --poll-us: is a number of microseconds from "
				       "1 to 1000000\n"));
	CHECK(complains("--spin-us=1000001", "vivgpu-card: --spin-us: is a number of microseconds "
					     "from 0 to 1000000\n"));
	CHECK(complains("--threads=0",
			"vivgpu-card: --threads: is a number of threads from 1 to 16\n"));
	CHECK(complains("--threads=17",
			"vivgpu-card: --threads: is a number of threads from 1 to 16\n"));
	CHECK(complains("--processor=-1", "vivgpu-card: --processor: is a processor's number\n"));
	CHECK(complains("--processor=9999", "vivgpu-card: --processor: is a processor's number\n"));
	CHECK(complains("--spin-us=5ms", "vivgpu-card: --spin-us: is a number of microseconds "
					 "from 0 to 1000000\n"));
}

TEST(help_and_version)
{
	CHECK_EQ(parse("--help --nonsense"), OPTIONS_DONE);
	CHECK(strstr(out_text, "--time-socket=PATH"));
	CHECK(strstr(out_text, "gc2000"));
	CHECK(strstr(out_text, "sets of parameters: imx6q gc7000-like slow-memory wide"));
	CHECK_EQ(parse("--version"), OPTIONS_DONE);
	CHECK(strstr(out_text, "vivgpu-card"));
	CHECK_EQ(err_bytes, 0);
	forget();
}

int main(void)
{
	return test_all();
}
