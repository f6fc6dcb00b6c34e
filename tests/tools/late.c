// SPDX-License-Identifier: MIT
/*
 * Why a job was late, of hand-made records: each cause alone, several after each other, and the
 * response time of a compositor. Times are in units of 1 us from the start of the recording.
 */

#include <stdio.h>
#include <string.h>

#include <vivgpu_drm.h>

#include "events/late.h"

#define US 1000ull
#define MAX 8

static struct recording recording;
static struct job jobs[MAX];
static struct vivgpu_span spans[MAX];
static int failed;

static void check(bool good, const char *what)
{
	printf("%s  %s\n", good ? "ok  " : "FAIL", what);
	failed += !good;
}

/* An empty recording */
static void begin(void)
{
	recording = (struct recording){ .jobs = jobs, .spans = spans };
}

/* A job of queue 1 of a client; it is ready when it is submitted. */
static struct job *add_job(uint64_t client, uint64_t submitted, uint64_t queued, uint64_t started,
			   uint64_t finished)
{
	struct job *job = &jobs[recording.num_jobs];

	*job = (struct job){
		.client = client,
		.queue = 1,
		.number = ++recording.num_jobs,
		.submitted_ns = submitted * US,
		.ready_ns = submitted * US,
		.queued_ns = queued * US,
		.started_ns = started * US,
		.finished_ns = finished * US,
	};
	return job;
}

static void add_span(uint32_t event, uint64_t at, uint64_t client)
{
	spans[recording.count++] = (struct vivgpu_span){
		.begin_ns = at * US,
		.end_ns = at * US,
		.event = event,
		.values = { 0, 0, client },
	};
}

/* The parts are those that are named, and together the time from submit to end. */
static bool is(const struct job *job, const struct late_part *expected, unsigned int count,
	       unsigned int main)
{
	struct late late;
	uint64_t sum = 0;

	if (!late_explain(&recording, job, &late) || late.count != count || late.main != main)
		return false;
	for (unsigned int i = 0; i < count; i++) {
		sum += late.parts[i].time_ns;
		if (late.parts[i].cause != expected[i].cause ||
		    late.parts[i].time_ns != expected[i].time_ns * US ||
		    late.parts[i].job != expected[i].job)
			return false;
	}
	return sum == job->finished_ns - job->submitted_ns &&
	       late.late_ns == job->finished_ns - job->deadline_ns;
}

#define EXPECT(what, job, main, ...)                                                        \
	do {                                                                                \
		const struct late_part expected[] = { __VA_ARGS__ };                        \
		check(is(job, expected, sizeof(expected) / sizeof(*expected), main), what); \
	} while (0)

static void own_length(void)
{
	struct job *job;
	struct late late;

	begin();
	job = add_job(1, 0, 0, 0, 7);
	job->deadline_ns = 7 * US;
	check(!late_explain(&recording, job, &late), "a job that ends at its deadline is not late");
	job->flags = DRM_VIVGPU_JOB_RESERVED | DRM_VIVGPU_JOB_MISSED_BUDGET;
	check(late_explain(&recording, job, &late) && !late.late_ns,
	      "it is if it ends after that of its budget");
	job->flags = 0;
	job->deadline_ns = 5 * US;
	EXPECT("only its own length", job, 0, { LATE_RAN, 7, NULL });
	job->cost_ns = 4 * US;
	EXPECT("longer than predicted", job, 1, { LATE_RAN, 4, NULL }, { LATE_LONGER, 3, NULL });
}

static void others(void)
{
	struct job *before, *job;

	begin();
	before = add_job(2, 0, 0, 0, 10);
	job = add_job(1, 2, 10, 10, 12);
	job->deadline_ns = 8 * US;
	EXPECT("blocked by a job that was in the ring", job, 0, { LATE_BLOCKED, 8, before },
	       { LATE_RAN, 2, NULL });
	before->queued_ns = before->started_ns = 3 * US;
	EXPECT("passed by a job that came into the ring later", job, 1, { LATE_IDLE, 1, NULL },
	       { LATE_PASSED, 7, before }, { LATE_RAN, 2, NULL });
	before->flags = DRM_VIVGPU_JOB_RESERVED;
	before->deadline_ns = 8 * US;
	EXPECT("behind one that is due earlier", job, 1, { LATE_IDLE, 1, NULL },
	       { LATE_EARLIER_DEADLINE, 7, before }, { LATE_RAN, 2, NULL });
	before->deadline_ns = 9 * US;
	EXPECT("not if it is due later", job, 1, { LATE_IDLE, 1, NULL }, { LATE_PASSED, 7, before },
	       { LATE_RAN, 2, NULL });
	before->client = 1;
	EXPECT("behind one of its own queue", job, 1, { LATE_IDLE, 1, NULL },
	       { LATE_OWN_QUEUE, 7, before }, { LATE_RAN, 2, NULL });
}

static void waits(void)
{
	struct job *before, *job;

	begin();
	before = add_job(2, 0, 0, 0, 6);
	job = add_job(1, 1, 7, 8, 10);
	job->ready_ns = 7 * US;
	job->deadline_ns = 9 * US;
	EXPECT("waited for another client's job, which is named", job, 0,
	       { LATE_DEPENDENCY, 6, before }, { LATE_IDLE, 1, NULL }, { LATE_RAN, 2, NULL });
	job->deadline_ns = 2 * US;
	EXPECT("what it takes alone is more than the time it had", job, 2,
	       { LATE_DEPENDENCY, 6, before }, { LATE_IDLE, 1, NULL }, { LATE_RAN, 2, NULL });
	job->deadline_ns = 9 * US;
	job->ready_ns = 0;
	EXPECT("without the time at which it was ready: blocked, then unknown", job, 0,
	       { LATE_BLOCKED, 5, before }, { LATE_WAITED, 1, NULL }, { LATE_IDLE, 1, NULL },
	       { LATE_RAN, 2, NULL });

	begin();
	job = add_job(1, 1, 7, 7, 9);
	job->held_ns = 2 * US;
	job->deadline_ns = 4 * US;
	EXPECT("held back while the GPU was idle", job, 1, { LATE_IDLE, 1, NULL },
	       { LATE_HELD, 5, NULL }, { LATE_RAN, 2, NULL });
}

static void recovery(void)
{
	struct job *before, *job;

	begin();
	before = add_job(2, 0, 0, 0, 5);
	before->flags = DRM_VIVGPU_JOB_FAILED;
	job = add_job(1, 1, 9, 9, 10);
	job->deadline_ns = 8 * US;
	add_span(VIVGPU_EVENT_RESET, 7, 0);
	EXPECT("a job that failed, and the recovery after it", job, 0, { LATE_BLOCKED, 4, before },
	       { LATE_RECOVERY, 4, before }, { LATE_RAN, 1, NULL });
}

/* More jobs before it than there are parts */
static void many(void)
{
	static struct job crowd[100];
	struct late late;
	struct job *job;

	begin();
	for (unsigned int i = 0; i < 100; i++) {
		/* jobs[] has no room for all: each is made there, as its first, and copied. */
		job = add_job(i + 2, 0, i, i, i + 1);
		crowd[i] = *job;
		recording.num_jobs = 0;
	}
	recording.jobs = crowd;
	recording.num_jobs = 100;
	job = &crowd[99];
	job->submitted_ns = 1;
	job->deadline_ns = 50 * US;
	check(late_explain(&recording, job, &late) && late.count == LATE_PARTS,
	      "more parts than there is room for");
}

static void response(void)
{
	struct response found;

	begin();
	add_span(VIVGPU_EVENT_VBLANK, 2, 0);
	add_span(VIVGPU_EVENT_FLIP, 18, 1);
	add_span(VIVGPU_EVENT_VBLANK, 18, 0);
	add_span(VIVGPU_EVENT_FLIP, 34, 1);
	add_job(1, 5, 6, 6, 8);
	add_job(2, 6, 8, 8, 12);
	add_job(1, 7, 12, 12, 14);
	add_job(1, 20, 21, 21, 30);
	check(late_response(&recording, &spans[1], &found) && found.cpu_ns == 3 * US &&
		      found.gpu_ns == 9 * US && found.display_ns == 4 * US,
	      "from the vertical blank to submit, end and flip");
	check(late_response(&recording, &spans[3], &found) && found.cpu_ns == 2 * US &&
		      found.gpu_ns == 10 * US && found.display_ns == 4 * US,
	      "the next frame has the jobs after the flip");
	spans[0].begin_ns = 6 * US;
	check(!late_response(&recording, &spans[1], &found),
	      "nothing is said without a vertical blank before the first submit");
}

static void text(void)
{
	char line[4096];
	struct job *job;
	FILE *file = fmemopen(line, sizeof(line), "w");

	begin();
	add_job(2, 0, 0, 0, 10000);
	job = add_job(1, 2000, 10000, 10000, 12000);
	job->deadline_ns = 8000 * US;
	late_write(&recording, file);
	fclose(file);
	check(!strcmp(line,
		      "client 1, queue 1, job 2 at 2.000 ms: 4.000 ms late, due 6.000 ms after its submit\n"
		      "  *     8.000 ms  blocked by a job that was in the ring before: client 2, queue 1, job 1\n"
		      "        2.000 ms  ran\n"
		      "1 of 1 jobs with a deadline were late\n"),
	      "what is written");

	job->flags = DRM_VIVGPU_JOB_RESERVED | DRM_VIVGPU_JOB_MISSED_BUDGET |
		     DRM_VIVGPU_JOB_BOUND_PREDICTED;
	job->bound_ns = 2100 * US;
	file = fmemopen(line, sizeof(line), "w");
	late_write(&recording, file);
	fclose(file);
	check(strstr(line, "due 6.000 ms after its submit, on a budget, whose deadline it missed; "
			   "its predicted bound decided: 2.100 ms\n"),
	      "a missed promise, and whose bound was assumed");
}

int main(void)
{
	own_length();
	others();
	waits();
	recovery();
	many();
	response();
	text();
	return failed;
}
