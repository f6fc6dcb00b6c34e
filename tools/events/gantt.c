// SPDX-License-Identifier: MIT
/*
 * Draw the schedule of a part of a recording with gnuplot: a row for each queue, and in it for each
 * job a box for the time in which the GPU ran it, a line for the time in which it waited, a frame
 * for the predicted time, and an arrow at its deadline. Box and arrow of a job that missed its
 * deadline are red, and the frame of one that took longer than the kernel assumed.
 */

#include "part.h"
#include "plot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <vivgpu_drm.h>

#define WIDTH 1600
#define ROW_HEIGHT 90
#define MARGINS 150
/* Queues that are drawn; jobs of further ones are left out. */
#define MAX_ROWS 40
/* From the middle of a row, which is at minus its index */
#define ARROW_TOP 0.46
#define RUN_TOP 0.24
#define RUN_BOTTOM -0.12
#define COST_BOTTOM -0.32
#define RED 0xd62728
#define BLACK 0x000000
#define WAIT_COLOR 0xb0b0b0
#define VBLANK_COLOR 0xd8d8d8

struct queue {
	uint64_t client;
	uint32_t number;
	/** Its jobs of the recording that have a deadline, missed it, took longer than assumed */
	unsigned int with_deadline, missed, overrun;
	/** A job ran on a budget: of the queue, or of a job that waited for it */
	bool reserved;
};

struct gantt {
	const struct recording *recording;
	struct part part;
	struct queue queues[MAX_ROWS];
	unsigned int num_queues;
};

static double ms(const struct gantt *gantt, uint64_t time_ns)
{
	return part_ms(gantt->recording, time_ns);
}

/* Whether the job waited or ran in the part */
static bool visible(const struct gantt *gantt, const struct job *job)
{
	return job->finished_ns >= gantt->part.from_ns && job->submitted_ns <= gantt->part.to_ns;
}

/* The job's queue; NULL if it has no row */
static struct queue *find_queue(struct gantt *gantt, const struct job *job)
{
	for (unsigned int i = 0; i < gantt->num_queues; i++) {
		if (gantt->queues[i].client == job->client && gantt->queues[i].number == job->queue)
			return &gantt->queues[i];
	}
	return NULL;
}

static int compare_queues(const void *left, const void *right)
{
	const struct queue *a = left, *b = right;

	if (a->reserved != b->reserved)
		return a->reserved ? -1 : 1;
	if (a->client != b->client)
		return a->client < b->client ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Queues with jobs in the part, and totals of their jobs in the whole recording. */
static void make_queues(struct gantt *gantt)
{
	const struct recording *recording = gantt->recording;

	for (size_t i = 0; i < recording->num_jobs; i++) {
		const struct job *job = &recording->jobs[i];

		if (visible(gantt, job) && !find_queue(gantt, job) && gantt->num_queues < MAX_ROWS)
			gantt->queues[gantt->num_queues++] =
				(struct queue){ .client = job->client, .number = job->queue };
	}
	for (size_t i = 0; i < recording->num_jobs; i++) {
		const struct job *job = &recording->jobs[i];
		struct queue *queue = find_queue(gantt, job);

		if (!queue)
			continue;
		queue->with_deadline += job->deadline_ns != 0;
		queue->missed += (job->flags & DRM_VIVGPU_JOB_MISSED) != 0;
		queue->overrun += (job->flags & DRM_VIVGPU_JOB_OVERRUN) != 0;
		queue->reserved |= (job->flags & DRM_VIVGPU_JOB_RESERVED) != 0;
	}
	qsort(gantt->queues, gantt->num_queues, sizeof(gantt->queues[0]), compare_queues);
}

static void put_queue_name(FILE *plot, const struct gantt *gantt, unsigned int row)
{
	const struct queue *queue = &gantt->queues[row];
	const struct owner *owner = recording_client(gantt->recording, queue->client);
	char client[32], name[128];

	snprintf(client, sizeof(client), "client %" PRIu64, queue->client);
	snprintf(name, sizeof(name), "%s, queue %u%s\n%u of %u jobs late\n%u longer than assumed",
		 owner ? owner->name : client, queue->number, queue->reserved ? " (budget)" : "",
		 queue->missed, queue->with_deadline, queue->overrun);
	fputs(row ? ", " : "", plot);
	plot_put_tic(plot, name, -(int)row);
}

static void put_frame(FILE *plot, const struct gantt *gantt)
{
	fprintf(plot,
		"set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,10'\n"
		"set xrange [%f:%f]\nset yrange [%f:0.6]\n"
		"set xlabel 'ms'\nset xtics out nomirror\nset border 1\n"
		"set key outside top center horizontal samplen 2 font ',9'\n",
		WIDTH, MARGINS + ROW_HEIGHT * (int)gantt->num_queues,
		ms(gantt, gantt->part.from_ns), ms(gantt, gantt->part.to_ns),
		-(double)gantt->num_queues + 0.4);
	fprintf(plot, "set ytics scale 0 (");
	for (unsigned int i = 0; i < gantt->num_queues; i++)
		put_queue_name(plot, gantt, i);
	fprintf(plot, ")\n");
}

/* A line for a box: its x, for which its begin is taken, begin, end, bottom, top, colour */
static void put_box(FILE *plot, const struct gantt *gantt, uint64_t from_ns, uint64_t to_ns,
		    double bottom, double top, unsigned int color)
{
	fprintf(plot, "%.6f %.6f %.6f %.3f %.3f %u\n", ms(gantt, from_ns), ms(gantt, from_ns),
		ms(gantt, to_ns), bottom, top, color);
}

static unsigned int color_of(const struct gantt *gantt, const struct job *job)
{
	unsigned int color = part_color(gantt->recording, job->client);

	if (job->flags & DRM_VIVGPU_JOB_MISSED)
		return RED;
	return job->number % 2 ? part_lighter(color) : color;
}

/* One part of a visible job, as a line of a data block; @y: the middle of its row */
typedef void (*put_job)(FILE *plot, const struct gantt *gantt, const struct job *job, double y);

static void put_wait(FILE *plot, const struct gantt *gantt, const struct job *job, double y)
{
	put_box(plot, gantt, job->submitted_ns, job->started_ns, y - 0.02, y + 0.02, WAIT_COLOR);
}

static void put_run(FILE *plot, const struct gantt *gantt, const struct job *job, double y)
{
	put_box(plot, gantt, job->started_ns, job->finished_ns, y + RUN_BOTTOM, y + RUN_TOP,
		color_of(gantt, job));
}

static void put_cost(FILE *plot, const struct gantt *gantt, const struct job *job, double y)
{
	if (job->cost_ns)
		put_box(plot, gantt, job->started_ns, job->started_ns + job->cost_ns,
			y + COST_BOTTOM, y + RUN_BOTTOM,
			job->flags & DRM_VIVGPU_JOB_OVERRUN ? RED : BLACK);
}

/* A line for an arrow: its start, its direction, colour */
static void put_deadline(FILE *plot, const struct gantt *gantt, const struct job *job, double y)
{
	if (job->deadline_ns)
		fprintf(plot, "%.6f %.3f 0 %.3f %d\n", ms(gantt, job->deadline_ns), y + ARROW_TOP,
			RUN_BOTTOM - ARROW_TOP, job->flags & DRM_VIVGPU_JOB_MISSED ? RED : BLACK);
}

/*
 * A block of data for gnuplot; never an empty one: the last line, as a box and as an arrow, is at
 * y = 9, above the picture.
 */
static void put_block(FILE *plot, struct gantt *gantt, const char *name, put_job put)
{
	const struct recording *recording = gantt->recording;

	fprintf(plot, "$%s << END\n", name);
	for (size_t i = 0; i < recording->num_jobs; i++) {
		const struct job *job = &recording->jobs[i];
		const struct queue *queue = visible(gantt, job) ? find_queue(gantt, job) : NULL;

		if (queue)
			put(plot, gantt, job, -(double)(queue - gantt->queues));
	}
	fprintf(plot, "%f 9 0 9 9 0\nEND\n", ms(gantt, gantt->part.from_ns));
}

/* Vertical blanks, through all rows. */
static void put_vblanks(FILE *plot, const struct gantt *gantt)
{
	const struct recording *recording = gantt->recording;

	for (size_t i = 0; i < recording->count; i++) {
		const struct vivgpu_span *span = &recording->spans[i];

		if (span->event == VIVGPU_EVENT_VBLANK && span->begin_ns >= gantt->part.from_ns &&
		    span->begin_ns <= gantt->part.to_ns)
			fprintf(plot,
				"set arrow from %f,graph 0 to %f,graph 1 nohead back lc rgb 0x%06x\n",
				ms(gantt, span->begin_ns), ms(gantt, span->begin_ns), VBLANK_COLOR);
	}
}

/*
 * The numbers after "using" are columns of the lines of put_box() and put_deadline(), in the order
 * that the style wants. The key has the colour of the first client.
 */
static void draw(FILE *plot, struct gantt *gantt)
{
	put_frame(plot, gantt);
	put_vblanks(plot, gantt);
	put_block(plot, gantt, "waits", put_wait);
	put_block(plot, gantt, "runs", put_run);
	put_block(plot, gantt, "costs", put_cost);
	put_block(plot, gantt, "deadlines", put_deadline);
	fprintf(plot,
		"plot $waits using 1:4:2:3:4:5:6 with boxxyerror fs solid noborder lc rgb variable notitle,"
		" $runs using 1:4:2:3:4:5:6 with boxxyerror fs solid lc rgb variable lw 0.5 notitle,"
		" $costs using 1:4:2:3:4:5:6 with boxxyerror fs empty lc rgb variable notitle,"
		" $deadlines using 1:2:3:4:5 with vectors head filled size screen 0.004,20 lc rgb variable lw 1.5 notitle,"
		" keyentry with boxes fs solid lc rgb 0x%06x title 'runs',"
		" keyentry with boxes fs solid lc rgb 0x%06x title 'runs, ends after its deadline',"
		" keyentry with boxes fs empty lc rgb 0x%06x title 'predicted (red: it took longer than assumed)',"
		" keyentry with lines lw 4 lc rgb 0x%06x title 'waits',"
		" keyentry with vectors head filled lc rgb 0x%06x title 'deadline',"
		" keyentry with lines lc rgb 0x%06x title 'vertical blank'\n",
		0x1f77b4, RED, BLACK, WAIT_COLOR, BLACK, VBLANK_COLOR);
}

bool write_gantt(const struct recording *recording, const char *path, double from_ms,
		 double length_ms)
{
	struct gantt gantt = { .recording = recording,
			       .part = part_choose(recording, from_ms, length_ms) };
	FILE *plot;

	make_queues(&gantt);
	if (!gantt.num_queues) {
		fprintf(stderr, "vivgpu-events: no jobs in the part to be drawn\n");
		return false;
	}
	plot = plot_begin();
	if (!plot)
		return false;
	draw(plot, &gantt);
	return plot_end(plot, path);
}
