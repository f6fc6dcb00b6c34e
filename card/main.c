// SPDX-License-Identifier: MIT
/*
 * vivgpu-card: a virtual PCI card with a Vivante GC core. Creates the parts, runs the loop,
 * prints statistics. See --help and Documentation/card/.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "board/board.h"
#include "board/control_server.h"
#include "bus/uml.h"
#include "bus/unix_socket.h"
#include "bus/vfio_user.h"
#include "clock/clock.h"
#include "clock/params_text.h"
#include "dc/edid.h"
#include "dc/view.h"
#include "input/devices.h"
#include "loop.h"
#include "options.h"

/* The kernel's default slack of 50 us would delay short sleeps. */
#define TIMER_SLACK_NS 1000u

#define EXIT_WRONG_OPTION 2

static volatile sig_atomic_t stop;

struct card {
	struct card_options options;
	struct card_clock *clock;
	struct bus *bus;
	struct input_script script;
	struct input_devices input;
	int listener, time_listener, input_listener[INPUT_DEVICES];
	struct board *board;
	struct view *view;
	struct control_server control;
	struct loop loop;
	FILE *trace, *record, *hazards, *truth;
	/* of the sockets that were created: for time, control and guest, and of input devices */
	const char *paths[3 + INPUT_DEVICES];
	unsigned int path_count;
};

static void on_stop(int signal)
{
	stop = 1;
}

/*
 * Guest memory is a file of the guest. If the guest truncates it, accesses raise SIGBUS and the
 * card ends.
 */
static void on_bus_error(int signal)
{
	static const char text[] = "vivgpu-card: the guest's memory went away under the card\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(EXIT_FAILURE + 1); /* not even the reason could be written */
	_exit(EXIT_FAILURE);
}

/* Block the stop signals; ppoll() in the loop unblocks them. */
static void set_up_signals(void)
{
	struct sigaction action = { .sa_handler = on_stop };
	sigset_t stops;

	sigemptyset(&stops);
	sigaddset(&stops, SIGTERM);
	sigaddset(&stops, SIGINT);
	sigprocmask(SIG_BLOCK, &stops, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
	action.sa_handler = on_bus_error;
	sigaction(SIGBUS, &action, NULL);
}

static bool fail(const char *option, const char *path, const char *problem)
{
	fprintf(stderr, "vivgpu-card: --%s: %s: %s\n", option, path, problem);
	return false;
}

static bool listen_at(struct card *card, const char *option, const char *path, int *fd)
{
	const char *problem = "";

	*fd = unix_socket_listen(path, &problem);
	if (*fd < 0)
		return fail(option, path, problem);
	card->paths[card->path_count++] = path;
	return true;
}

static void remove_sockets(const struct card *card)
{
	for (unsigned int i = 0; i < card->path_count; i++)
		unlink(card->paths[i]);
}

/* Open the guest's socket last: when it exists, guests can connect to all of them. */
static bool open_sockets(struct card *card)
{
	const struct card_options *o = &card->options;
	int control = -1;

	card->time_listener = -1;
	if (o->virtual_time &&
	    !listen_at(card, "time-socket", o->time_socket, &card->time_listener))
		return false;
	if (o->control && !listen_at(card, "control", o->control, &control))
		return false;
	control_server_init(&card->control, control);
	for (unsigned int i = 0; options_have_input(o) && i < INPUT_DEVICES; i++)
		if (!listen_at(card, "input", o->input_socket[i], &card->input_listener[i]))
			return false;
	return listen_at(card, "socket", o->socket, &card->listener);
}

/* Open a file that an option names, if it was given. */
static bool open_file(FILE **file, const char *option, const char *path)
{
	if (!path)
		return true;
	*file = fopen(path, "w");
	return *file || fail(option, path, strerror(errno));
}

static bool fit_display(struct card *card)
{
	const struct card_options *o = &card->options;
	const char *problem = "the display cannot be created";
	struct dc_block *dc;

	if (o->display.kind == VIEW_NOT_FITTED)
		return true;
	card->view = view_create(&o->display, &problem);
	if (!card->view)
		return fail("display", o->display.folder ? o->display.folder : "", problem);
	dc = board_attach_display(card->board, o->mode);
	if (!dc)
		return fail("display", "", problem);
	dc_set_viewer(dc, view_viewer(card->view));
	return true;
}

static struct input_screen screen_size(const struct card_options *options)
{
	return (struct input_screen){ options->mode->width, options->mode->height };
}

static bool read_script(struct card *card)
{
	const struct input_screen screen = screen_size(&card->options);

	return !card->options.input ||
	       input_script_read(&card->script, card->options.input, &screen, stderr);
}

/* After the board's creation; before the bus is used. The sockets are open. */
static void fit_input(struct card *card)
{
	const struct input_screen screen = screen_size(&card->options);

	if (!options_have_input(&card->options))
		return;
	input_devices_init(&card->input, card->bus, card->clock, card->input_listener,
			   &card->script, &screen);
	board_attach_input(card->board, input_devices_command, &card->input);
}

static struct bus *create_bus(const struct card *card)
{
	const struct card_options *o = &card->options;
	const struct vfio_user_options vfio = { .listener = card->listener,
						.once = o->once,
						.platform = o->platform };
	const struct uml_bus_options uml = { .listener = card->listener,
					     .time_listener = card->time_listener,
					     .once = o->once,
					     .stop = &stop };

	return o->transport == TRANSPORT_VFIO_USER ? vfio_user_create(&vfio, card->clock)
						   : uml_bus_create(&uml, card->clock);
}

static bool build(struct card *card)
{
	const struct card_options *o = &card->options;
	struct gc_options gc = { .params = &o->params,
				 .jitter = o->jitter,
				 .null_draw = o->null_draw,
				 .cache_data = o->cache_data,
				 .hazards_fail = o->hazards_fail,
				 .hazards_random = o->hazards_random,
				 .hazards_seed = o->hazards_seed,
				 .threads = o->threads,
				 .poll_ns = options_poll_ns(o) };
	struct board_host host;

	if (!read_script(card))
		return false;
	if (!open_file(&card->trace, "trace", o->trace) ||
	    !open_file(&card->record, "record", o->record) ||
	    !open_file(&card->truth, "truth", o->truth) ||
	    !open_file(&card->hazards, "hazards", o->hazards) || !open_sockets(card))
		return false;
	gc.trace = card->trace;
	gc.record = card->record;
	gc.hazards = card->hazards;
	if (!gc.hazards && (o->hazards_fail || o->hazards_random))
		gc.hazards = stderr;
	gc.truth = card->truth;
	card->clock = clock_create(o->virtual_time);
	card->bus = card->clock ? create_bus(card) : NULL;
	if (!card->bus)
		return fail("socket", o->socket, strerror(errno));
	host = bus_host(card->bus);
	card->board = board_create(&host, card->clock, bus_memory(card->bus), o->personality, &gc);
	if (!card->board)
		return fail("personality", "the core cannot be created", strerror(errno));
	if (o->no_doorbell)
		board_remove_doorbell(card->board);
	if (o->no_mailbox)
		board_remove_mailbox(card->board);
	if (o->level_interrupts)
		board_use_level_interrupts(card->board);
	fit_input(card);
	if (!fit_display(card))
		return false;
	bus_attach(card->bus, card->board);
	card->loop = (struct loop){
		.clock = card->clock,
		.bus = card->bus,
		.board = card->board,
		.control = &card->control,
		/* a view with a user has input devices: see options_have_input() */
		.view = options_have_input(o) || view_has_user(&o->display) ? card->view : NULL,
		.input = &card->input,
		.stop = &stop,
		.poll_ns = gc.poll_ns,
		.spin_ns = 1000 * o->spin_us,
	};
	loop_init(&card->loop);
	return true;
}

/*
 * Pin the thread that serves the guest to one CPU, and the threads it creates to the other CPUs
 * that the card may use, if any: threads inherit their creator's affinity.
 */
static bool build_on_processors(struct card *card)
{
	int processor = card->options.processor;
	cpu_set_t others, own;

	if (processor < 0)
		return build(card);
	CPU_ZERO(&own);
	CPU_SET(processor, &own);
	sched_getaffinity(0, sizeof(others), &others);
	CPU_CLR(processor, &others);
	if (CPU_COUNT(&others))
		sched_setaffinity(0, sizeof(others), &others);
	if (!build(card))
		return false;
	return sched_setaffinity(0, sizeof(own), &own) == 0 ||
	       fail("processor", "the card may not use it", strerror(errno));
}

static void print_figure(void *ctx, const char *name, uint64_t value)
{
	fprintf(ctx, "%s %" PRIu64 "\n", name, value);
}

static void print_statistics(struct card *card, FILE *file)
{
	board_print_statistics(card->board, print_figure, file);
	loop_print_statistics(&card->loop, print_figure, file);
}

static bool write_statistics(struct card *card)
{
	const char *path = card->options.stats;
	FILE *file;

	print_statistics(card, stderr);
	if (!path)
		return true;
	file = fopen(path, "w");
	if (!file)
		return fail("stats", path, strerror(errno));
	print_statistics(card, file);
	return fclose(file) == 0 || fail("stats", path, strerror(errno));
}

/* Only at the end: who measures the parameters in the guest is not to know them before. */
static void reveal(const struct card *card)
{
	if (card->options.reveal)
		gpu_params_write(&card->options.params, stdout);
}

static bool close_file(FILE *file, const char *option, const char *path)
{
	return !file || fclose(file) == 0 || fail(option, path, strerror(errno));
}

/*
 * The board goes before the view and the bus, which it calls; the bus before the script, which its
 * devices play; and the clock last, since all have events in its calendar.
 */
static bool tear_down(struct card *card)
{
	bool good = write_statistics(card);

	reveal(card);
	remove_sockets(card);
	control_server_close(&card->control);
	board_destroy(card->board);
	view_destroy(card->view);
	bus_destroy(card->bus);
	input_script_free(&card->script);
	clock_destroy(card->clock);
	good &= close_file(card->trace, "trace", card->options.trace);
	good &= close_file(card->record, "record", card->options.record);
	good &= close_file(card->truth, "truth", card->options.truth);
	return close_file(card->hazards, "hazards", card->options.hazards) && good;
}

int main(int argc, char *argv[])
{
	static struct card card;

	switch (options_parse(&card.options, argc, argv, stdout, stderr)) {
	case OPTIONS_DONE:
		return EXIT_SUCCESS;
	case OPTIONS_WRONG:
		return EXIT_WRONG_OPTION;
	case OPTIONS_OK:
		break;
	}
	set_up_signals();
	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	if (!build_on_processors(&card)) {
		remove_sockets(&card);
		return EXIT_FAILURE;
	}
	fprintf(stderr, "vivgpu-card: listening on %s\n", card.options.socket);
	loop_run(&card.loop);
	return tear_down(&card) ? EXIT_SUCCESS : EXIT_FAILURE;
}
