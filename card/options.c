// SPDX-License-Identifier: MIT
/*
 * The table of options: names, help texts and functions that parse their values.
 *
 * Options are not parsed by getopt_long() or argp, because both accept abbreviated names. An
 * abbreviation in a script would become ambiguous, or another option, when an option is added;
 * here it is an error (test_options.c). Also, each error message is to name the option and the
 * fault on the stream that the caller gives; with getopt_long() that would take as much code as
 * find() and parse_option() are.
 */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board/board.h"
#include "dc/edid.h"
#include "gc/personality.h"
#include "input/devices.h"

#define DEFAULT_PERSONALITY "gc3000"
#define DEFAULT_SPIN_US 50u
#define DEFAULT_POLL_US 50u
#define DEFAULT_VIRTUAL_POLL_US 1u
#define MAX_US 1000000u

struct option {
	const char *name;
	const char *value; /* name of the value in the help; NULL: no value */
	const char *help;
	/* parses @value; returns NULL, or an error message; NULL: parse_option() does it all */
	const char *(*parse)(struct card_options *options, const char *value);
};

static const char *parse_path(const char **where, const char *value)
{
	*where = value;
	return *value ? NULL : "needs a path";
}

static const char *parse_socket(struct card_options *options, const char *value)
{
	return parse_path(&options->socket, value);
}

static const char *parse_bus(struct card_options *options, const char *value)
{
	bool vfio = !strcmp(value, "vfio-user");

	options->transport = vfio ? TRANSPORT_VFIO_USER : TRANSPORT_VHOST_USER;
	return vfio || !strcmp(value, "vhost-user") ? NULL : "is vhost-user or vfio-user";
}

static const char *parse_face(struct card_options *options, const char *value)
{
	options->platform = !strcmp(value, "platform");
	return options->platform || !strcmp(value, "pci") ? NULL : "is pci or platform";
}

static const char *parse_control(struct card_options *options, const char *value)
{
	return parse_path(&options->control, value);
}

static const char *parse_time_socket(struct card_options *options, const char *value)
{
	return parse_path(&options->time_socket, value);
}

static const char *parse_trace(struct card_options *options, const char *value)
{
	return parse_path(&options->trace, value);
}

static const char *parse_truth(struct card_options *options, const char *value)
{
	return parse_path(&options->truth, value);
}

static const char *parse_input(struct card_options *options, const char *value)
{
	return parse_path(&options->input, value);
}

static const char *parse_stats(struct card_options *options, const char *value)
{
	return parse_path(&options->stats, value);
}

static const char *parse_personality(struct card_options *options, const char *value)
{
	options->personality = gc_personality_find(value);
	return options->personality ? NULL : "no such personality (see --help)";
}

static const char *parse_params(struct card_options *options, const char *value)
{
	options->params_given = true;
	return gpu_params_choose(&options->params, value);
}

static const char *parse_display(struct card_options *options, const char *value)
{
	return view_choose(&options->display, value);
}

static const char *parse_mode(struct card_options *options, const char *value)
{
	static char problem[160];

	options->mode = edid_mode_find(value);
	if (options->mode)
		return NULL;
	snprintf(problem, sizeof(problem), "no such mode; the modes are %s", edid_mode_names());
	return problem;
}

static const char *parse_time(struct card_options *options, const char *value)
{
	options->virtual_time = !strcmp(value, "virtual");
	return options->virtual_time || !strcmp(value, "real") ? NULL : "is real or virtual";
}

/* Parse a decimal number from @least to @most. */
static bool parse_number(uint64_t *where, uint64_t least, uint64_t most, const char *value)
{
	char *end;

	errno = 0;
	*where = strtoull(value, &end, 10);
	return isdigit((unsigned char)*value) && !*end && !errno && *where >= least &&
	       *where <= most;
}

static const char *parse_us(uint64_t *where, uint64_t least, const char *value)
{
	if (parse_number(where, least, MAX_US, value))
		return NULL;
	return least ? "is a number of microseconds from 1 to 1000000"
		     : "is a number of microseconds from 0 to 1000000";
}

static const char *parse_poll(struct card_options *options, const char *value)
{
	options->poll_given = true;
	return parse_us(&options->poll_us, 1, value);
}

static const char *parse_spin(struct card_options *options, const char *value)
{
	return parse_us(&options->spin_us, 0, value);
}

static const char *parse_threads(struct card_options *options, const char *value)
{
	uint64_t number;
	bool good = parse_number(&number, 1, GC_MAX_THREADS, value);

	options->threads = (unsigned int)number;
	return good ? NULL : "is a number of threads from 1 to 16";
}

static const char *parse_processor(struct card_options *options, const char *value)
{
	uint64_t number;
	bool good = parse_number(&number, 0, CPU_SETSIZE - 1, value);

	options->processor = (int)number;
	return good ? NULL : "is a processor's number";
}

static const char *parse_null_draw(struct card_options *options, const char *value)
{
	options->null_draw = true;
	return NULL;
}

static const char *parse_no_doorbell(struct card_options *options, const char *value)
{
	options->no_doorbell = true;
	return NULL;
}

static const char *parse_no_mailbox(struct card_options *options, const char *value)
{
	options->no_mailbox = true;
	return NULL;
}

static const char *parse_interrupt(struct card_options *options, const char *value)
{
	options->level_interrupts = !strcmp(value, "level");
	return options->level_interrupts || !strcmp(value, "edge") ? NULL : "is edge or level";
}

static const char *parse_caches(struct card_options *options, const char *value)
{
	options->cache_data = !strcmp(value, "data");
	return options->cache_data || !strcmp(value, "tags") ? NULL : "is tags or data";
}

static const char *parse_record(struct card_options *options, const char *value)
{
	return parse_path(&options->record, value);
}

/* FILE, fail and random:SEED can be given together, each by an option of its own. */
static const char *parse_hazards(struct card_options *options, const char *value)
{
	static const char random[] = "random:";

	if (!strcmp(value, "fail")) {
		options->hazards_fail = true;
		return NULL;
	}
	if (strncmp(value, random, strlen(random)))
		return parse_path(&options->hazards, value);
	options->hazards_random = true;
	return parse_number(&options->hazards_seed, 0, UINT64_MAX, value + strlen(random))
		       ? NULL
		       : "has a number after random:";
}

static const char *parse_jitter(struct card_options *options, const char *value)
{
	return parse_number(&options->jitter, 0, UINT64_MAX, value) ? NULL : "is a number";
}

static const char *parse_reveal(struct card_options *options, const char *value)
{
	options->reveal = true;
	return NULL;
}

static const char *parse_once(struct card_options *options, const char *value)
{
	options->once = true;
	return NULL;
}

static const struct option table[] = {
	{ "socket", "PATH", "unix socket for the guest's PCI device (needed)", parse_socket },
	{ "bus", "vhost-user|vfio-user",
	  "what the guest speaks: vhost-user of User-Mode Linux, or vfio-user of QEMU (vhost-user)",
	  parse_bus },
	{ "face", "pci|platform",
	  "with vfio-user, what the guest sees: a PCI card, or a core for its device tree (pci)",
	  parse_face },
	{ "control", "PATH", "unix socket for the control protocol, see vivgpu-cardctl",
	  parse_control },
	{ "personality", "NAME", "which core the card is (" DEFAULT_PERSONALITY ")",
	  parse_personality },
	{ "params", "SET",
	  "the modelled machine: a set's name, a file (with a '/'), seed:N (the personality's)",
	  parse_params },
	{ "jitter", "SEED", "modelled times vary as silicon's do, by this seed; 0: exact (0)",
	  parse_jitter },
	{ "reveal", NULL, "print the modelled machine's parameters at the end", parse_reveal },
	{ "display", "HOW",
	  "who looks: none (not fitted), on, png:DIR, png-all:DIR, window, vnc[:PORT] (on)",
	  parse_display },
	{ "mode", "WIDTHxHEIGHT", "what the monitor prefers (1280x720)", parse_mode },
	{ "time", "real|virtual", "what the card's time is (real)", parse_time },
	{ "time-socket", "PATH", "unix socket for the guest's time-travel=ext: (SOCKET.time)",
	  parse_time_socket },
	{ "trace", "FILE", "write a readable trace of what the GPU does", parse_trace },
	{ "record", "FILE", "write what the core gets from outside, for build/card/replay",
	  parse_record },
	{ "truth", "FILE", "write what was done before each event, and the jitter that was drawn",
	  parse_truth },
	{ "hazards", "FILE|fail|random:SEED",
	  "what silicon needs and the stream lacks: report it, stop at it, or hang as silicon may",
	  parse_hazards },
	{ "input", "FILE",
	  "keyboard, mouse and touch screen at SOCKET.keyboard, .mouse, .touch, with actions of FILE",
	  parse_input },
	{ "null-draw", NULL, "price draws without drawing", parse_null_draw },
	{ "no-doorbell", NULL, "the board has no doorbell, as silicon has none",
	  parse_no_doorbell },
	{ "no-mailbox", NULL, "the guest has no control of the card", parse_no_mailbox },
	{ "interrupt", "edge|level",
	  "an MSI for each event, or repeated until the guest acknowledges at the source (edge)",
	  parse_interrupt },
	{ "caches", "tags|data",
	  "what caches have: tags for the time they take, or data, which can be stale (tags)",
	  parse_caches },
	{ "stats", "FILE", "write the statistics there on exit, besides stderr", parse_stats },
	{ "poll-us", "N",
	  "look at an idle command loop this often (50; virtual time: every 1 us of it)",
	  parse_poll },
	{ "spin-us", "N", "stay awake this long after work before sleeping (50)", parse_spin },
	{ "threads", "N", "that draw; results do not depend on it (2 if there are two processors)",
	  parse_threads },
	{ "processor", "N", "keep to this one, and what helps to draw to the others (any)",
	  parse_processor },
	{ "once", NULL, "exit when the first guest has gone", parse_once },
	{ "help", NULL, "this list", NULL },
	{ "version", NULL, "the card's version", NULL },
};

#define OPTIONS (sizeof(table) / sizeof(table[0]))

static void print_help(FILE *out)
{
	fputs("usage: vivgpu-card --socket=PATH [OPTION]...\n"
	      "\n"
	      "A virtual PCI card with a Vivante GC core for a guest of User-Mode Linux or QEMU.\n"
	      "\n",
	      out);
	for (unsigned int i = 0; i < OPTIONS; i++) {
		char usage[40];

		snprintf(usage, sizeof(usage), "--%s%s%s", table[i].name, table[i].value ? "=" : "",
			 table[i].value ? table[i].value : "");
		fprintf(out, "  %-22s %s\n", usage, table[i].help);
	}
	fputs("\npersonalities:", out);
	for (unsigned int i = 0; gc_personality_at(i); i++)
		fprintf(out, " %s", gc_personality_at(i)->name);
	fputs("\nsets of parameters:", out);
	for (unsigned int i = 0; gpu_params_at(i); i++)
		fprintf(out, " %s", gpu_params_at(i)->name);
	fprintf(out, "\nmodes: %s", edid_mode_names());
	fputs("\n\nThe card is ready when SOCKET appears. SIGTERM and SIGINT end it; it then prints\n"
	      "its statistics and exits with status 0.\n",
	      out);
}

/* The entry of "--name" or "--name=value"; NULL if there is none. */
static const struct option *find(const char *word)
{
	size_t length = strcspn(word, "=");

	for (unsigned int i = 0; i < OPTIONS; i++)
		if (strlen(table[i].name) == length && !strncmp(table[i].name, word, length))
			return &table[i];
	return NULL;
}

static enum options_result wrong(FILE *err, const char *option, const char *what)
{
	fprintf(err, "vivgpu-card: %s: %s\n", option, what);
	return OPTIONS_WRONG;
}

/* Parse the option at argv[*i], with its value; if that is the next word, *i becomes its index. */
static enum options_result parse_option(struct card_options *options, int argc, char *const argv[],
					int *i, FILE *out, FILE *err)
{
	const char *word = argv[*i];
	const struct option *option = strncmp(word, "--", 2) ? NULL : find(word + 2);
	const char *value = strchr(word, '=');
	const char *problem;
	char name[32];

	if (!option)
		return wrong(err, word, "no such option (see --help)");
	snprintf(name, sizeof(name), "--%s", option->name);
	if (value && !option->value)
		return wrong(err, name, "takes no value");
	if (!strcmp(option->name, "help")) {
		print_help(out);
		return OPTIONS_DONE;
	}
	if (!strcmp(option->name, "version")) {
		fprintf(out, "vivgpu-card, board version %u\n", BOARD_VERSION_VALUE);
		return OPTIONS_DONE;
	}
	if (value)
		value++;
	else if (option->value && *i + 1 < argc)
		value = argv[++*i];
	if (option->value && !value)
		return wrong(err, name, "needs a value");
	problem = option->parse(options, value);
	return problem ? wrong(err, name, problem) : OPTIONS_OK;
}

static bool append(char path[OPTIONS_PATH_BYTES], const char *socket, const char *suffix)
{
	int length = snprintf(path, OPTIONS_PATH_BYTES, "%s%s", socket, suffix);

	return length >= 0 && length < OPTIONS_PATH_BYTES;
}

static bool append_suffixes(struct card_options *options)
{
	for (unsigned int i = 0; i < INPUT_DEVICES; i++)
		if (!append(options->input_socket[i], options->socket, input_socket_suffix[i]))
			return false;
	return append(options->default_time_socket, options->socket, ".time");
}

/* Options that only one of the transports can have. */
static enum options_result check_transport(const struct card_options *options, FILE *err)
{
	if (options->transport == TRANSPORT_VHOST_USER && options->platform)
		return wrong(err, "--face", "platform needs --bus=vfio-user");
	if (options->transport == TRANSPORT_VFIO_USER && options->virtual_time)
		return wrong(err, "--time", "virtual needs --bus=vhost-user");
	return OPTIONS_OK;
}

static enum options_result check(struct card_options *options, FILE *err)
{
	if (!options->socket)
		return wrong(err, "--socket", "is needed (see --help)");
	if (!options->personality)
		return wrong(err, "--personality", "no such personality (see --help)");
	if (options->time_socket && !options->virtual_time)
		return wrong(err, "--time-socket", "only makes sense with --time=virtual");
	if (!append_suffixes(options))
		return wrong(err, "--socket", "is too long");
	if (check_transport(options, err) != OPTIONS_OK)
		return OPTIONS_WRONG;
	if (!options->params_given)
		options->params = *gpu_params_find(options->personality->clock_params);
	if (!options->time_socket)
		options->time_socket = options->default_time_socket;
	return OPTIONS_OK;
}

enum options_result options_parse(struct card_options *options, int argc, char *const argv[],
				  FILE *out, FILE *err)
{
	memset(options, 0, sizeof(*options));
	options->personality = gc_personality_find(DEFAULT_PERSONALITY);
	options->display.kind = VIEW_NOBODY;
	options->mode = edid_mode_at(0);
	options->spin_us = DEFAULT_SPIN_US;
	options->threads = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
	options->processor = -1;
	for (int i = 1; i < argc; i++) {
		enum options_result result = parse_option(options, argc, argv, &i, out, err);

		if (result != OPTIONS_OK)
			return result;
	}
	return check(options, err);
}

bool options_have_input(const struct card_options *options)
{
	return options->input || view_has_user(&options->display);
}

uint64_t options_poll_ns(const struct card_options *options)
{
	uint64_t us = options->virtual_time ? DEFAULT_VIRTUAL_POLL_US : DEFAULT_POLL_US;

	return 1000 * (options->poll_given ? options->poll_us : us);
}
