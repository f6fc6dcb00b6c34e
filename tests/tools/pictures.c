// SPDX-License-Identifier: MIT
/*
 * pictures: what gnuplot gets from vivgpu-events. Names of programs and texts of debug groups that
 * gnuplot's language has a meaning for are shown as they are and do nothing else; scripts that fail,
 * and no gnuplot. Runs in an empty folder; prints each result that is wrong, and
 * ends with status 1 then.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <vivgpu_drm.h>

#include "events/part.h"
#include "events/plot.h"
#include "events/recording.h"
#include "groups/list.h"

#define MS 1000000ull
#define PROCESS 4194300u

/* What a name of a program has room for */
static const char *const names[] = {
	"`touch ran`",
	"\"`touch ran`\"",
	"'`touch ran`'",
	"\"\n!touch ran\n",
	"\\\"; !touch ran",
	"'; !touch ran #",
	"50%s %n %c %",
	"a\\nb\\0427 @c $d {e} x_1^2",
	"\"7\\",
	"@ARGV[1]",
	"''",
	"",
};

#define NUM_NAMES (sizeof(names) / sizeof(names[0]))

static int failed;

static void check(bool good, const char *what, const char *name)
{
	if (!good)
		printf("FAIL  %s: %s\n", what, name);
	failed += !good;
}

/* The first bytes of a file; "" if there is none */
static const char *content(const char *path)
{
	static char bytes[4096];
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(bytes, 1, sizeof(bytes) - 1, file) : 0;

	bytes[length] = '\0';
	if (file)
		fclose(file);
	return bytes;
}

/* True if @path is a PNG; removes it. */
static bool take_png(const char *path)
{
	bool good = strncmp(content(path), "\x89PNG", 4) == 0;

	unlink(path);
	return good;
}

static void add_job(struct recording *recording, uint64_t client)
{
	const struct vivgpu_span span = {
		.begin_ns = 10 * MS,
		.end_ns = 90 * MS,
		.event = VIVGPU_EVENT_JOB,
		.track = VIVGPU_TRACK_3D,
		.values = { [VIVGPU_JOB_NUMBER] = 1, [VIVGPU_JOB_CLIENT] = client },
	};
	const struct job job = {
		.client = client,
		.queue = 1,
		.number = 1,
		.submitted_ns = 5 * MS,
		.started_ns = 10 * MS,
		.finished_ns = 90 * MS,
		.deadline_ns = 80 * MS,
		.cost_ns = 60 * MS,
	};
	struct vivgpu_span waiting = span;

	waiting.event = VIVGPU_EVENT_WAITING;
	waiting.track = VIVGPU_TRACK_QUEUE;
	recording_add(recording, &span);
	recording_add(recording, &waiting);
	recording_add_job(recording, &job);
}

/* A group with a prediction, whose commands are one with the text */
static void add_group(struct list *list, uint64_t client, const char *text)
{
	const struct group_owner owner = { .client = client, .process = PROCESS };
	const struct vivgpu_group group = { .client = client,
					    .num_commands = 1,
					    .predicted_ns = 70 * MS };
	struct vivgpu_command command = { .type = VIVGPU_COMMAND_DEBUG_PUSH };

	snprintf(command.text, sizeof(command.text), "%s", text);
	list_add_group(list, &owner, &group, &command);
}

/* A process with this name, its client 1 with a job, and one of client 2, which has no process. */
static struct recording record_sample(const char *name)
{
	const struct vivgpu_span flush = {
		.begin_ns = 4 * MS,
		.end_ns = 5 * MS,
		.process = PROCESS,
		.event = VIVGPU_EVENT_FLUSH,
		.track = VIVGPU_TRACK_THREAD,
		.values = { 1, [VIVGPU_FLUSH_CLIENT] = 1, [VIVGPU_FLUSH_JOB] = 1 },
	};
	struct recording recording = { .groups = calloc(1, sizeof(struct list)),
				       .end_ns = 100 * MS };

	recording_add(&recording, &flush);
	snprintf(recording.owners[0].name, sizeof(recording.owners[0].name), "%s", name);
	for (uint64_t client = 1; client <= 2; client++) {
		add_job(&recording, client);
		add_group(recording.groups, client, name);
	}
	recording_sort(&recording);
	return recording;
}

static void test_pictures(const char *name)
{
	struct recording recording = record_sample(name);

	check(write_picture(&recording, "picture.png", 0, 0), "a timeline", name);
	check(take_png("picture.png"), "a timeline's file", name);
	check(write_gantt(&recording, "gantt.png", 0, 0), "a schedule", name);
	check(take_png("gantt.png"), "a schedule's file", name);
	check(access("ran", F_OK) != 0, "a command in a picture is not run", name);
	unlink("ran");
	recording_free(&recording);
}

/* Which is not empty: of no tics gnuplot writes lines of blanks. */
static void test_tic(const char *name, const char *shown)
{
	FILE *script = plot_begin();

	fprintf(script, "set terminal dumb noenhanced size 100,10\nset ytics (");
	plot_put_tic(script, name, 1);
	fprintf(script, ")\nplot [0:1] [0:2] 1 notitle\n");
	check(plot_end(script, "tic") && strstr(content("tic"), shown), "a tic is shown", name);
	unlink("tic");
}

static void test_text(const char *name)
{
	char shown[64], *end = stpcpy(shown, name);
	FILE *script = plot_begin();

	fprintf(script, "set print '-'\nprint ");
	plot_put_text(script, name);
	fprintf(script, "\n");
	check(plot_end(script, "text"), "a text", name);
	strcpy(end, "\n");
	check(strcmp(content("text"), shown) == 0, "a text is shown", name);
	check(access("ran", F_OK) != 0, "a command in a text is not run", name);
	unlink("text");
	unlink("ran");
}

static void test_control_characters(void)
{
	FILE *script = plot_begin();

	fprintf(script, "set print '-'\nprint ");
	plot_put_text(script, "a\033[2J\rb\177");
	fprintf(script, "\n");
	check(plot_end(script, "text") && strcmp(content("text"), "a?[2J?b?\n") == 0,
	      "control characters are not passed on", "");
	unlink("text");
}

static void test_names(void)
{
	const struct vivgpu_span wait = { .process = getpid(), .event = VIVGPU_EVENT_WAIT };
	struct recording recording = { 0 };

	prctl(PR_SET_NAME, "a\033]0;b\302\233c\303\244");
	recording_add(&recording, &wait);
	check(strcmp(recording.owners[0].name, "a?]0;b??c\303\244") == 0,
	      "names have no control characters", recording.owners[0].name);
	recording_free(&recording);
}

static void test_failures(void)
{
	FILE *script = plot_begin();

	fprintf(script, "no command of gnuplot's\nprint 1\n");
	check(!plot_end(script, "wrong") && access("wrong", F_OK) != 0, "a script that fails", "");
	script = plot_begin();
	fprintf(script, "print 1\n");
	check(!plot_end(script, "no-folder/file"), "a file that cannot be written", "");
}

/* It draws longer scripts than a pipe holds, so that none is left unread. */
static void test_no_gnuplot(void)
{
	struct recording recording = record_sample("name");

	for (unsigned int i = 0; i < 10000; i++)
		add_job(&recording, 1);
	setenv("PATH", "/nonexistent", 1);
	check(write_picture(&recording, "picture.png", 0, 0), "no gnuplot is no error", "");
	check(write_gantt(&recording, "picture.png", 0, 0), "no gnuplot is no error", "");
	check(access("picture.png", F_OK) != 0, "without gnuplot there is no picture", "");
	recording_free(&recording);
}

static void test_parts(void)
{
	struct recording recording = { .start_ns = 7 * MS, .end_ns = 207 * MS };
	struct part part = part_choose(&recording, 1, 0);

	check(part.from_ns == 7 * MS && part.to_ns == 207 * MS, "all of 200 ms", "");
	recording.end_ns = 257 * MS;
	part = part_choose(&recording, 1, 0);
	check(part.from_ns == 132 * MS && part.to_ns == 232 * MS, "100 ms of 250 ms", "");
	part = part_choose(&recording, 1, 2);
	check(part.from_ns == 8 * MS && part.to_ns == 10 * MS, "a part that is given", "");
}

int main(void)
{
	for (size_t i = 0; i < NUM_NAMES; i++) {
		test_pictures(names[i]);
		test_text(names[i]);
	}
	test_tic("50%s %n `date` \"", "50%s %n `date` \"");
	test_tic("two\nlines", "two");
	test_control_characters();
	test_names();
	test_parts();
	test_failures();
	test_no_gnuplot();
	return failed > 0;
}
