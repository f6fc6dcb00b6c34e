// SPDX-License-Identifier: MIT
/*
 * Draw a part of a recording with gnuplot, with a row for each track. Rows are, from the top:
 * the display, the 3D engine, a queue for each client, the threads of each process. A span of a
 * thread within another one has a lower height.
 */

#include "part.h"
#include "plot.h"
#include "recording.h"
#include "../groups/list.h"
#include "../groups/summary.h"
#include "../printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 1600
#define ROW_HEIGHT 46
#define MARGINS 130
#define MAX_ROWS 40 /* further ones are left out */
#define MAX_DEPTH 8
#define HALF_HEIGHT 0.42 /* of a box, in rows */
/* From a job to the line of its prediction */
#define PREDICTION_GAP 0.06
/* Pixels of the plot and of a character of a label, about; the least characters of a label */
#define PLOT_WIDTH 1300
#define CHARACTER_WIDTH 6.0
#define MIN_LABEL 8

/*
 * A row of the picture: a thread of a process or, with process 0, a track of the GPU, which for the
 * queue is of one client
 */
struct row {
	uint16_t track; /* not compared for threads, see in_row() */
	uint32_t process;
	uint64_t who; /* see who() */
	/** For threads: ends of the spans that contain the one that is drawn */
	uint64_t ends[MAX_DEPTH];
	unsigned int depth;
};

/* The picture that is drawn; png_file.h has another type of this name. */
struct picture {
	const struct recording *recording;
	struct part part;
	struct row rows[MAX_ROWS];
	unsigned int num_rows;
	/* Jobs with a prediction were drawn: set by put_predictions() for put_key() */
	bool predictions;
};

static const struct {
	enum vivgpu_event event;
	unsigned int color;
} colors[] = {
	{ VIVGPU_EVENT_WAITING, 0xd0d0d0 }, { VIVGPU_EVENT_READY, 0x808080 },
	{ VIVGPU_EVENT_COMPILE, 0xbcbd22 }, { VIVGPU_EVENT_FLUSH, 0x17becf },
	{ VIVGPU_EVENT_UPLOAD, 0x98df8a },  { VIVGPU_EVENT_WAIT, 0xf7b6d2 },
	{ VIVGPU_EVENT_VBLANK, 0xa0a0a0 },  { VIVGPU_EVENT_FLIP, 0xd62728 },
	{ VIVGPU_EVENT_MARK, 0x000000 },    { VIVGPU_EVENT_FAULT, 0xff0000 },
	{ VIVGPU_EVENT_RESET, 0xff0000 },   { VIVGPU_EVENT_EMPTY_JOB, 0x000000 },
};

#define NUM_COLORS (sizeof(colors) / sizeof(colors[0]))

/*
 * Every second job is lighter, because a job often begins where another one ends. Only jobs have
 * their client's colour: spans of a process have none, whatever span_client() says of them.
 */
static unsigned int color_of(const struct picture *picture, const struct vivgpu_span *span)
{
	unsigned int color = part_color(picture->recording, span_client(span));

	if (span->event == VIVGPU_EVENT_JOB)
		return span->values[VIVGPU_JOB_NUMBER] % 2 ? part_lighter(color) : color;
	for (size_t i = 0; i < NUM_COLORS; i++) {
		if (colors[i].event == span->event)
			return colors[i].color;
	}
	return 0;
}

static bool visible(const struct picture *picture, const struct vivgpu_span *span)
{
	return span->end_ns >= picture->part.from_ns && span->begin_ns <= picture->part.to_ns;
}

/* The thread or the queue's client of a row; 0 for rows of the whole GPU. */
static uint64_t who(const struct vivgpu_span *span)
{
	if (span->process)
		return span->values[VIVGPU_DRIVER_THREAD];
	return span->track == VIVGPU_TRACK_QUEUE ? span_client(span) : 0;
}

/* The row of a thread is found by its number, because threads may share the last track. */
static bool in_row(const struct row *row, const struct vivgpu_span *span)
{
	return row->process == span->process && row->who == who(span) &&
	       (span->process || row->track == span->track);
}

static struct row *find_row(struct picture *picture, const struct vivgpu_span *span)
{
	for (unsigned int i = 0; i < picture->num_rows; i++) {
		if (in_row(&picture->rows[i], span))
			return &picture->rows[i];
	}
	return NULL;
}

/* The display first, then the engine, queues, and processes. */
static int compare_rows(const void *left, const void *right)
{
	static const int places[] = {
		[VIVGPU_TRACK_DISPLAY] = 0, [VIVGPU_TRACK_3D] = 1, [VIVGPU_TRACK_QUEUE] = 2
	};
	const struct row *a = left, *b = right;
	int place_a = a->process ? 3 : places[a->track],
	    place_b = b->process ? 3 : places[b->track];

	if (place_a != place_b)
		return place_a - place_b;
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return a->who < b->who ? -1 : a->who > b->who;
}

static void make_rows(struct picture *picture)
{
	const struct recording *recording = picture->recording;

	for (size_t i = 0; i < recording->count; i++) {
		const struct vivgpu_span *span = &recording->spans[i];

		if (visible(picture, span) && !find_row(picture, span) &&
		    picture->num_rows < MAX_ROWS)
			picture->rows[picture->num_rows++] = (struct row){ .track = span->track,
									   .process = span->process,
									   .who = who(span) };
	}
	qsort(picture->rows, picture->num_rows, sizeof(picture->rows[0]), compare_rows);
}

static double ms(const struct picture *picture, uint64_t time_ns)
{
	return part_ms(picture->recording, time_ns);
}

/*
 * Number of spans that contain this one, MAX_DEPTH at most. Spans are passed once, in the order of
 * their begins. They are in one block: the driver's events, those with a process, have no instants.
 */
static unsigned int depth_of(struct row *row, const struct vivgpu_span *span)
{
	while (row->depth && row->ends[row->depth - 1] <= span->begin_ns)
		row->depth--;
	if (row->depth == MAX_DEPTH)
		return MAX_DEPTH;
	row->ends[row->depth] = span->end_ns;
	return row->depth++;
}

static void put_span(FILE *plot, struct picture *picture, struct row *row,
		     const struct vivgpu_span *span)
{
	double y = -(double)(row - picture->rows), half = HALF_HEIGHT;

	/*
	 * Only spans of threads get lower by depth: waits of one client overlap without nesting.
	 * A job's wait in the ring is drawn within others' waits for the ring, a vertical blank
	 * within a flip.
	 */
	if (row->process)
		half /= 1 + 0.5 * depth_of(row, span);
	else if (span->event == VIVGPU_EVENT_READY)
		half /= 2;
	else if (span->event == VIVGPU_EVENT_VBLANK)
		half /= 2;
	fprintf(plot, "%.6f %.6f %.6f %.3f %.3f %u\n", ms(picture, span->begin_ns),
		ms(picture, span->begin_ns), ms(picture, span->end_ns), y - half, y + half,
		color_of(picture, span));
}

/* A process always has an owner: recording_add() adds it with the span. */
static void put_row_name(FILE *plot, const struct picture *picture, const struct row *row)
{
	const struct owner *owner = row->process
					    ? recording_process(picture->recording, row->process)
					    : recording_client(picture->recording, row->who);
	int number = row - picture->rows;
	char name[PROCESS_NAME_BYTES + 32];

	if (row->process)
		snprintf(name, sizeof(name), "%s, thread %" PRIu64, owner->name, row->who);
	else if (row->track == VIVGPU_TRACK_QUEUE && owner)
		snprintf(name, sizeof(name), "queue of %s", owner->name);
	else if (row->track == VIVGPU_TRACK_QUEUE)
		snprintf(name, sizeof(name), "queue of client %" PRIu64, row->who);
	else
		snprintf(name, sizeof(name), "%s", vivgpu_track_name(row->track));
	fputs(number ? ", " : "", plot);
	plot_put_tic(plot, name, -number);
}

static void put_key_entry(FILE *plot, unsigned int color, const char *title)
{
	fprintf(plot, ", keyentry with boxes fs solid lc rgb 0x%06x title ", color);
	plot_put_text(plot, title);
}

/* The key: jobs of all clients with an owner; other events by kind if any is in the part. */
static void put_key(FILE *plot, const struct picture *picture)
{
	const struct recording *recording = picture->recording;
	bool seen[VIVGPU_NUM_EVENTS] = { false };

	for (size_t i = 0; i < recording->count; i++)
		seen[recording->spans[i].event] |= visible(picture, &recording->spans[i]);
	for (size_t i = 0; i < recording->num_owners; i++) {
		if (recording->owners[i].client)
			put_key_entry(plot, part_color(recording, recording->owners[i].client),
				      recording->owners[i].name);
	}
	for (size_t i = 0; i < NUM_COLORS; i++) {
		if (seen[colors[i].event])
			put_key_entry(plot, colors[i].color,
				      vivgpu_event_info(colors[i].event)->name);
	}
	if (picture->predictions)
		fprintf(plot, ", keyentry with lines lc black lw 1.5 title \"predicted\"");
	fprintf(plot, "\n");
}

static void put_frame(FILE *plot, const struct picture *picture)
{
	const struct recording *recording = picture->recording;

	fprintf(plot,
		"set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,10'\n"
		"set xrange [%f:%f]\nset yrange [%f:0.6]\n"
		"set xlabel 'ms'\nset xtics out nomirror\nset grid xtics\nset border 1\n"
		"set key outside top center horizontal samplen 1.5 width -1 font ',9'\nset style fill solid border\n",
		WIDTH, MARGINS + ROW_HEIGHT * (int)picture->num_rows,
		ms(picture, picture->part.from_ns), ms(picture, picture->part.to_ns),
		-(double)picture->num_rows + 0.4);
	if (recording->lost_records || recording->lost_spans)
		fprintf(plot, "set title 'incomplete: %llu records and %llu spans were lost'\n",
			(unsigned long long)recording->lost_records,
			(unsigned long long)recording->lost_spans);
	fprintf(plot, "set ytics scale 0 (");
	for (unsigned int i = 0; i < picture->num_rows; i++)
		put_row_name(plot, picture, &picture->rows[i]);
	fprintf(plot, ")\n");
}

/*
 * Spans, or instants, as a block of data for gnuplot; never an empty one: the last line is at
 * y = 9, above the picture.
 */
static void put_block(FILE *plot, struct picture *picture, const char *name, bool spans)
{
	const struct recording *recording = picture->recording;

	fprintf(plot, "$%s << END\n", name);
	for (size_t i = 0; i < recording->count; i++) {
		const struct vivgpu_span *span = &recording->spans[i];
		struct row *row = visible(picture, span) ? find_row(picture, span) : NULL;

		if (row && vivgpu_event_info(span->event)->spans == spans)
			put_span(plot, picture, row, span);
	}
	fprintf(plot, "%f %f %f 9 9 0\nEND\n", ms(picture, picture->part.from_ns),
		ms(picture, picture->part.from_ns), ms(picture, picture->part.from_ns));
}

/* Below each job with a prediction a line that is as long as it was predicted to be. */
static void put_predictions(FILE *plot, struct picture *picture)
{
	const struct recording *recording = picture->recording;

	for (size_t i = 0; i < recording->count; i++) {
		const struct vivgpu_span *span = &recording->spans[i];
		const struct vivgpu_group *group = recording_prediction(recording, span);
		const struct row *row = group ? find_row(picture, span) : NULL;
		double y;

		if (!row || !visible(picture, span))
			continue;
		y = -(double)(row - picture->rows) - HALF_HEIGHT - PREDICTION_GAP;
		fprintf(plot,
			"set arrow from %.6f,%.3f to %.6f,%.3f heads size graph 0.002,90 lw 1.5\n",
			ms(picture, span->begin_ns), y,
			ms(picture, span->begin_ns + group->predicted_ns), y);
		picture->predictions = true;
	}
}

/* The commands of a job's group, cut off to fit into the visible part of its box. */
static void put_label(FILE *plot, struct picture *picture, const struct vivgpu_span *span)
{
	double from = ms(picture, span->begin_ns), to = ms(picture, span->end_ns);
	double first = ms(picture, picture->part.from_ns), last = ms(picture, picture->part.to_ns);
	const struct row *row = find_row(picture, span);
	const struct entry *entry = list_find(picture->recording->groups, span_client(span),
					      span->values[VIVGPU_JOB_COOKIE]);
	char commands[SUMMARY_CHARS];
	int room;

	from = from < first ? first : from;
	to = to > last ? last : to;
	room = (int)((to - from) / (last - first) * PLOT_WIDTH / CHARACTER_WIDTH);
	if (!row || !entry || !entry->has_group || room < MIN_LABEL)
		return;
	entry_summary(commands, sizeof(commands), entry);
	if ((int)strlen(commands) > room)
		strcpy(commands + room - 3, "...");
	/* A character may have been cut. */
	make_printable(commands);
	fprintf(plot, "set label ");
	plot_put_text(plot, commands);
	fprintf(plot, " at %f,%f center front font ',8'\n", (from + to) / 2,
		-(double)(row - picture->rows));
}

static void put_labels(FILE *plot, struct picture *picture)
{
	const struct recording *recording = picture->recording;

	for (size_t i = 0; i < recording->count; i++) {
		if (recording->spans[i].event == VIVGPU_EVENT_JOB &&
		    visible(picture, &recording->spans[i]))
			put_label(plot, picture, &recording->spans[i]);
	}
}

static void draw(FILE *plot, struct picture *picture)
{
	put_frame(plot, picture);
	put_labels(plot, picture);
	put_predictions(plot, picture);
	put_block(plot, picture, "spans", true);
	put_block(plot, picture, "points", false);
	fprintf(plot,
		"plot $spans using 1:4:2:3:4:5:6 with boxxyerror lc rgb variable lw 0.5 notitle, "
		"$points using 1:4:2:3:4:5:6 with boxxyerror lc rgb variable lw 2 notitle");
	put_key(plot, picture);
}

bool write_picture(const struct recording *recording, const char *path, double from_ms,
		   double length_ms)
{
	struct picture picture = { .recording = recording,
				   .part = part_choose(recording, from_ms, length_ms) };
	FILE *plot;

	make_rows(&picture);
	if (!picture.num_rows) {
		fprintf(stderr, "vivgpu-events: nothing happened in the part to be drawn\n");
		return false;
	}
	plot = plot_begin();
	if (!plot)
		return false;
	draw(plot, &picture);
	return plot_end(plot, path);
}
