// SPDX-License-Identifier: MIT
/*
 * A job's time from its submit to its end is divided among those that had the GPU meanwhile. Until
 * it was ready it waited for fences, even if others ran. From then on a job that ran instead of it
 * was in the ring before, or had to come first (queue or deadline), or was chosen by the scheduler;
 * while nothing ran the job was held back, the core was reset, or the kernel was late.
 */

#include "late.h"

#include <inttypes.h>
#include <stdlib.h>

#include <vivgpu_drm.h>

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Append a part, or make the last one longer if cause and job are the same, or no room is left.
 * Nothing if it does not end after its begin.
 */
static void add(struct late *late, enum late_cause cause, uint64_t from_ns, uint64_t to_ns,
		const struct job *job)
{
	struct late_part *last = late->count ? &late->parts[late->count - 1] : NULL;

	if (to_ns <= from_ns)
		return;
	if (last && (late->count == LATE_PARTS || (last->cause == cause && last->job == job)))
		last->time_ns += to_ns - from_ns;
	else
		late->parts[late->count++] = (struct late_part){ cause, to_ns - from_ns, job };
}

static bool same_queue(const struct job *a, const struct job *b)
{
	return a->client == b->client && a->queue == b->queue;
}

/*
 * The last job of another queue that ended in an interval: probably that of the awaited fence. Jobs
 * are in the order of their ends.
 */
static const struct job *last_end(const struct recording *recording, const struct job *job,
				  uint64_t from_ns, uint64_t to_ns)
{
	const struct job *last = NULL;

	for (size_t i = 0; i < recording->num_jobs; i++) {
		const struct job *other = &recording->jobs[i];

		if (!same_queue(other, job) && other->finished_ns > from_ns &&
		    other->finished_ns <= to_ns)
			last = other;
	}
	return last;
}

/* Whether the core was reset in an interval */
static bool reset_in(const struct recording *recording, uint64_t from_ns, uint64_t to_ns)
{
	for (size_t i = 0; i < recording->count; i++) {
		const struct vivgpu_span *span = &recording->spans[i];

		if (span->event == VIVGPU_EVENT_RESET && span->begin_ns >= from_ns &&
		    span->begin_ns <= to_ns)
			return true;
	}
	return false;
}

/* When it could have been selected; if that is not recorded, when it was submitted. */
static uint64_t ready(const struct job *job)
{
	return larger(job->ready_ns, job->submitted_ns);
}

static uint64_t clamp(uint64_t value, uint64_t from, uint64_t to)
{
	return smaller(larger(value, from), to);
}

/*
 * The GPU was idle; if @from_ns is not before @to_ns, nothing is added. @before: the job that ran
 * before, or NULL; the cause of a reset if it failed. Without a reset the time is divided:
 * until the job was held back and from when it was in the ring it is latency, between them the
 * scheduler's. A record without ready_ns does not tell latency from a wait for fences.
 */
static void add_idle(struct late *late, const struct recording *recording, const struct job *before,
		     uint64_t from_ns, uint64_t to_ns)
{
	const struct job *job = late->job;
	uint64_t queued_ns = clamp(job->queued_ns, from_ns, larger(from_ns, to_ns));
	uint64_t held_ns = job->held_ns ? clamp(job->held_ns, from_ns, queued_ns) : queued_ns;

	if (to_ns > from_ns && reset_in(recording, from_ns, to_ns)) {
		add(late, LATE_RECOVERY, from_ns, to_ns,
		    before && before->flags & DRM_VIVGPU_JOB_FAILED ? before : NULL);
		return;
	}
	add(late, job->ready_ns ? LATE_IDLE : LATE_WAITED, from_ns, held_ns, NULL);
	add(late, LATE_HELD, held_ns, queued_ns, NULL);
	add(late, LATE_IDLE, queued_ns, to_ns, NULL);
}

/* Why @other ran while @job was ready and had not started */
static enum late_cause cause_of(const struct job *job, const struct job *other)
{
	bool reserved = other->flags & DRM_VIVGPU_JOB_RESERVED;

	if (same_queue(other, job))
		return LATE_OWN_QUEUE;
	if (reserved && other->deadline_ns && other->deadline_ns <= job->deadline_ns)
		return LATE_EARLIER_DEADLINE;
	return other->queued_ns <= ready(job) ? LATE_BLOCKED : LATE_PASSED;
}

/*
 * From when it was ready to its start. The core runs one job after the other, so jobs are in the
 * order of their starts as well as of their ends.
 */
static void add_waiting(struct late *late, const struct recording *recording)
{
	const struct job *job = late->job, *before = NULL;
	uint64_t at_ns = ready(job);

	for (size_t i = 0; i < recording->num_jobs && at_ns < job->started_ns; i++) {
		const struct job *other = &recording->jobs[i];

		if (other == job || other->finished_ns <= ready(job) ||
		    other->started_ns >= job->started_ns)
			continue;
		add_idle(late, recording, before, at_ns,
			 smaller(other->started_ns, job->started_ns));
		at_ns = larger(at_ns, other->started_ns);
		add(late, cause_of(job, other), at_ns, smaller(other->finished_ns, job->started_ns),
		    other);
		at_ns = larger(at_ns, other->finished_ns);
		before = other;
	}
	add_idle(late, recording, before, at_ns, job->started_ns);
}

/* The longest part besides its predicted time, unless that alone is more than it had. */
static unsigned int main_part(const struct late *late)
{
	uint64_t had_ns =
		late->job->deadline_ns - smaller(late->job->submitted_ns, late->job->deadline_ns);
	const struct late_part *parts = late->parts;
	unsigned int main = 0;

	for (unsigned int i = 0; i < late->count; i++) {
		if (parts[i].cause == LATE_RAN && parts[i].time_ns > had_ns)
			return i;
		if (parts[main].cause == LATE_RAN ||
		    (parts[i].cause != LATE_RAN && parts[i].time_ns > parts[main].time_ns))
			main = i;
	}
	return main;
}

bool late_explain(const struct recording *recording, const struct job *job, struct late *late)
{
	/* What exceeds the predicted cost is LATE_LONGER; without a prediction all is LATE_RAN. */
	uint64_t length_ns = job->finished_ns - job->started_ns;
	uint64_t expected_ns = job->cost_ns ? smaller(job->cost_ns, length_ns) : length_ns;

	*late = (struct late){ .job = job };
	/* A job that missed its budget's deadline is late even if its own deadline was later. */
	if (!(job->flags & DRM_VIVGPU_JOB_MISSED_BUDGET) &&
	    (!job->deadline_ns || job->finished_ns <= job->deadline_ns))
		return false;
	late->late_ns = job->finished_ns - smaller(job->deadline_ns, job->finished_ns);
	add(late, LATE_DEPENDENCY, job->submitted_ns, ready(job),
	    last_end(recording, job, job->submitted_ns, ready(job)));
	add_waiting(late, recording);
	add(late, LATE_RAN, job->started_ns, job->started_ns + expected_ns, NULL);
	add(late, LATE_LONGER, job->started_ns + expected_ns, job->finished_ns, NULL);
	late->main = main_part(late);
	return true;
}

/* --- Response times ------------------------------------------------------ */

/* The first value of flips and vertical blanks is the display. */
static bool is_flip_of(const struct vivgpu_span *span, uint64_t client, uint64_t crtc)
{
	return span->event == VIVGPU_EVENT_FLIP && span_client(span) == client &&
	       span->values[0] == crtc;
}

/* The last vertical blank of a display up to a time, or 0; a flip has the time of its own */
static uint64_t last_vblank(const struct recording *recording, uint64_t crtc, uint64_t until_ns)
{
	uint64_t last = 0;

	for (size_t i = 0; i < recording->count && recording->spans[i].begin_ns <= until_ns; i++) {
		const struct vivgpu_span *span = &recording->spans[i];

		if ((span->event == VIVGPU_EVENT_VBLANK || span->event == VIVGPU_EVENT_FLIP) &&
		    span->values[0] == crtc)
			last = span->begin_ns;
	}
	return last;
}

/* The last flip of the same client on the same display before this one, or 0 */
static uint64_t flip_before(const struct recording *recording, const struct vivgpu_span *flip)
{
	uint64_t last = 0;

	for (size_t i = 0; i < recording->count; i++) {
		const struct vivgpu_span *span = &recording->spans[i];

		if (span->begin_ns >= flip->begin_ns)
			break;
		if (is_flip_of(span, span_client(flip), flip->values[0]))
			last = span->begin_ns;
	}
	return last;
}

bool late_response(const struct recording *recording, const struct vivgpu_span *flip,
		   struct response *response)
{
	uint64_t since_ns = flip_before(recording, flip), first_ns = UINT64_MAX, last_ns = 0;
	uint64_t woken_ns;

	for (size_t i = 0; i < recording->num_jobs; i++) {
		const struct job *job = &recording->jobs[i];

		if (job->client != span_client(flip) || job->submitted_ns < since_ns ||
		    job->finished_ns > flip->begin_ns)
			continue;
		first_ns = smaller(first_ns, job->submitted_ns);
		last_ns = larger(last_ns, job->finished_ns);
	}
	woken_ns = last_ns ? last_vblank(recording, flip->values[0], first_ns) : 0;
	if (!woken_ns)
		return false;
	*response = (struct response){ first_ns - woken_ns, last_ns - first_ns,
				       flip->begin_ns - last_ns };
	return true;
}

/* --- Text ---------------------------------------------------------------- */

static void put_name(FILE *file, const struct recording *recording, uint64_t client)
{
	const struct owner *owner = recording_client(recording, client);

	fprintf(file, "client %" PRIu64, client);
	if (owner)
		fprintf(file, " (%s)", owner->name);
}

static void put_part(FILE *file, const struct recording *recording, const struct late *late,
		     unsigned int number)
{
	static const char *const texts[LATE_CAUSES] = {
		[LATE_DEPENDENCY] = "waited for fences",
		[LATE_OWN_QUEUE] = "behind a job of its own queue",
		[LATE_EARLIER_DEADLINE] = "behind a reserved job that is due earlier",
		[LATE_BLOCKED] = "blocked by a job that was in the ring before",
		[LATE_PASSED] = "passed by another job",
		[LATE_HELD] = "held back while the GPU was idle",
		[LATE_RECOVERY] = "recovery of the core",
		[LATE_IDLE] = "the GPU was idle: latency of the kernel",
		[LATE_WAITED] = "the GPU was idle: it waited for fences or was held back",
		[LATE_RAN] = "ran",
		[LATE_LONGER] = "ran for longer than predicted",
	};
	const struct late_part *part = &late->parts[number];

	fprintf(file, "  %c %9.3f ms  %s", number == late->main ? '*' : ' ', part->time_ns / 1e6,
		texts[part->cause]);
	if (part->job) {
		fprintf(file,
			part->cause == LATE_DEPENDENCY ? ", the last to end before was " : ": ");
		put_name(file, recording, part->job->client);
		fprintf(file, ", queue %u, job %u%s%s", part->job->queue, part->job->number,
			part->job->flags & DRM_VIVGPU_JOB_RESERVED ? ", on a budget" : "",
			part->job->flags & DRM_VIVGPU_JOB_FAILED ? ", failed" : "");
	}
	fputc('\n', file);
}

static void put_late(FILE *file, const struct recording *recording, const struct late *late)
{
	const struct job *job = late->job;

	put_name(file, recording, job->client);
	fprintf(file,
		", queue %u, job %u at %.3f ms: %.3f ms late, due %.3f ms after its submit%s%s",
		job->queue, job->number, (job->submitted_ns - recording->start_ns) / 1e6,
		late->late_ns / 1e6, ((double)job->deadline_ns - job->submitted_ns) / 1e6,
		job->flags & DRM_VIVGPU_JOB_RESERVED ? ", on a budget" : "",
		job->flags & DRM_VIVGPU_JOB_MISSED_BUDGET ? ", whose deadline it missed" : "");
	if (job->flags & DRM_VIVGPU_JOB_BOUND_PREDICTED)
		fprintf(file, "; its predicted bound decided: %.3f ms", job->bound_ns / 1e6);
	fputc('\n', file);
	for (unsigned int i = 0; i < late->count; i++)
		put_part(file, recording, late, i);
}

static uint64_t total(const struct response *response)
{
	return response->cpu_ns + response->gpu_ns + response->display_ns;
}

/* Mean and longest response time of a client's flips on a display; @first: the first of them */
static void put_responses(FILE *file, const struct recording *recording,
			  const struct vivgpu_span *first)
{
	struct response one, sum = { 0 }, longest = { 0 };
	unsigned int count = 0;

	for (const struct vivgpu_span *span = first; span < recording->spans + recording->count;
	     span++) {
		if (!is_flip_of(span, span_client(first), first->values[0]) ||
		    !late_response(recording, span, &one))
			continue;
		count++;
		sum.cpu_ns += one.cpu_ns;
		sum.gpu_ns += one.gpu_ns;
		sum.display_ns += one.display_ns;
		if (total(&one) > total(&longest))
			longest = one;
	}
	if (!count)
		return;
	put_name(file, recording, span_client(first));
	fprintf(file, ": %u flips with jobs; from the vertical blank to the flip\n", count);
	fprintf(file, "    mean     %8.3f ms: CPU %.3f, GPU %.3f, display %.3f\n",
		total(&sum) / 1e6 / count, sum.cpu_ns / 1e6 / count, sum.gpu_ns / 1e6 / count,
		sum.display_ns / 1e6 / count);
	fprintf(file, "    longest  %8.3f ms: CPU %.3f, GPU %.3f, display %.3f\n",
		total(&longest) / 1e6, longest.cpu_ns / 1e6, longest.gpu_ns / 1e6,
		longest.display_ns / 1e6);
}

static bool is_first_flip(const struct recording *recording, const struct vivgpu_span *flip)
{
	return flip->event == VIVGPU_EVENT_FLIP && !flip_before(recording, flip);
}

void late_write(const struct recording *recording, FILE *file)
{
	unsigned int count = 0, with_deadline = 0;
	struct late late;

	for (size_t i = 0; i < recording->num_jobs; i++) {
		with_deadline += recording->jobs[i].deadline_ns != 0;
		if (!late_explain(recording, &recording->jobs[i], &late))
			continue;
		count++;
		put_late(file, recording, &late);
	}
	fprintf(file, "%u of %u jobs with a deadline were late\n", count, with_deadline);
	for (size_t i = 0; i < recording->count; i++)
		if (is_first_flip(recording, &recording->spans[i]))
			put_responses(file, recording, &recording->spans[i]);
}
