/* SPDX-License-Identifier: MIT */
/* The command line of vivgpu-card. */
#ifndef CARD_OPTIONS_H
#define CARD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clock/params.h"
#include "dc/view.h"
#include "input/translate.h"

struct edid_mode;
struct gc_personality;

#define OPTIONS_PATH_BYTES 256

enum card_transport {
	TRANSPORT_VHOST_USER, /* User-Mode Linux */
	TRANSPORT_VFIO_USER,  /* QEMU */
};

struct card_options {
	enum card_transport transport;
	bool platform; /* the guest finds the card in a device tree; vfio-user only */
	const char *socket;
	const char *control;     /* NULL: no control socket */
	const char *time_socket; /* virtual time only; default: socket with ".time" */
	const char *trace;       /* NULL: none */
	const char *record;      /* the same */
	const char *truth;       /* file of what was done before each event; NULL: none */
	const char *hazards;     /* file of the hazard report; NULL: stderr if fail or random */
	bool hazards_fail, hazards_random; /* see struct gc_options */
	uint64_t hazards_seed;
	const char *input; /* file of actions; NULL: none */
	const char *stats; /* NULL: only to stderr */
	const struct gc_personality *personality;
	struct gpu_params params; /* of the clock's model; the personality's unless given */
	struct view_choice display;
	const struct edid_mode *mode; /* the monitor's preferred mode */
	bool virtual_time;
	bool null_draw;
	bool no_doorbell, no_mailbox;
	bool cache_data;       /* caches have contents, which can be stale */
	bool level_interrupts; /* MSIs are repeated while the line is active */
	bool once;
	bool reveal;          /* print params at the end */
	bool params_given;    /* otherwise options_parse() sets params by the personality */
	bool poll_given;      /* otherwise poll_us is not used: see options_poll_ns() */
	unsigned int threads; /* that shade pixels */
	int processor;        /* processor of the thread that serves the guest; -1: any */
	uint64_t poll_us, spin_us;
	uint64_t jitter; /* seed; 0: exact */
	char default_time_socket[OPTIONS_PATH_BYTES];
	char input_socket[INPUT_DEVICES][OPTIONS_PATH_BYTES]; /* socket with ".keyboard" etc. */
};

enum options_result {
	OPTIONS_OK,
	OPTIONS_DONE,  /* --help or --version was printed: exit with 0 */
	OPTIONS_WRONG, /* an error was printed: exit with 2 */
};

/**
 * options_parse - parse the command line
 * @options: receives the options
 * @argc: as of main()
 * @argv: as of main()
 * @out: output of --help and --version
 * @err: error messages, each with the option's name
 */
enum options_result options_parse(struct card_options *options, int argc, char *const argv[],
				  FILE *out, FILE *err);

/** options_have_input - whether the guest gets input devices */
bool options_have_input(const struct card_options *options);

/** options_poll_ns - polling interval of the front end's idle loop, in ns */
uint64_t options_poll_ns(const struct card_options *options);

#endif
