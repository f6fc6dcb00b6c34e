// SPDX-License-Identifier: MIT
/* Recorded groups through all predictors; see replay.h. */

#include "replay.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vivgpu_group_reader.h"

/* Results that never came: beyond so many waiting groups the oldest is dropped. */
#define MAX_WAITING 1024

/* Create all predictors; false if memory is short. */
static bool create_all(struct replay *replay)
{
	replay->count = 0;
	for (; vivgpu_predictors[replay->count] && !(replay->ours && replay->count);
	     replay->count++) {
		const struct vivgpu_predictor_type *type = vivgpu_predictors[replay->count];

		replay->predictors[replay->count] = type->create(&replay->config);
		if (!replay->predictors[replay->count])
			return false;
	}
	return true;
}

static void write_head(const struct replay *replay)
{
	if (!replay->csv)
		return;
	fprintf(replay->csv, "cookie,frame,kind,measured_ns,cycles,vertices,fragments,"
			     "draws,clear_bytes,copy_bytes,drawn_bytes,texture,samples");
	for (unsigned int i = 0; i < replay->count; i++)
		fprintf(replay->csv, ",%s_ns,%s_bound_ns,%s_fragments", vivgpu_predictors[i]->name,
			vivgpu_predictors[i]->name, vivgpu_predictors[i]->name);
	fputs(",drawn_ns", replay->csv);
	fputc('\n', replay->csv);
}

bool replay_begin(struct replay *replay)
{
	if (!create_all(replay))
		return false;
	write_head(replay);
	return true;
}

/*
 * A group's kind: the least of its commands'. A draw that continues in the next group is one of
 * that group only, and uploads without the GPU count as nothing.
 */
static enum replay_kind kind_of(const struct replay_group *waiting)
{
	enum replay_kind kind = REPLAY_FLUSH;

	for (uint32_t i = 0; i < waiting->group.num_commands; i++) {
		enum replay_kind other = REPLAY_FLUSH;

		switch (waiting->commands[i].type) {
		case VIVGPU_COMMAND_DRAW:
			if (!(waiting->commands[i].flags & VIVGPU_COMMAND_FIRST_PART))
				other = REPLAY_DRAW;
			break;
		case VIVGPU_COMMAND_COPY:
		case VIVGPU_COMMAND_RESOLVE:
			other = REPLAY_COPY;
			break;
		case VIVGPU_COMMAND_CLEAR:
			other = REPLAY_CLEAR;
			break;
		case VIVGPU_COMMAND_UPLOAD:
			if (waiting->commands[i].upload.by_gpu)
				other = REPLAY_UPLOAD;
			break;
		}
		if (other < kind)
			kind = other;
	}
	return kind;
}

/* Drop the waiting group with this index. */
static void drop(struct replay *replay, unsigned int index)
{
	free(replay->waiting[index].commands);
	replay->num_waiting--;
	memmove(&replay->waiting[index], &replay->waiting[index + 1],
		(replay->num_waiting - index) * sizeof(*replay->waiting));
}

/* Vertices that the core will count: in the usual ratio to the submitted ones. */
static uint64_t expected_vertices(const struct replay *replay, const struct vivgpu_group *group)
{
	const struct vivgpu_majority *ratio = &replay->ratios[group->vertices % REPLAY_RATIOS];

	return ratio->count > 1 ? (uint64_t)(ratio->value * group->vertices + 0.5)
				: group->vertices;
}

/* True if a predictor learns from the file that is read. */
static bool is_taught(const struct replay *replay, unsigned int predictor)
{
	return !replay->calibrates || vivgpu_predictors[predictor]->calibrated;
}

static bool add_group(struct replay *replay, const struct vivgpu_group_item *item)
{
	size_t bytes = item->group->num_commands * sizeof(*item->commands);
	struct replay_group *waiting;

	if (!replay->groups)
		replay->first_frame = item->group->frame;
	if (replay->num_waiting == MAX_WAITING)
		drop(replay, 0);
	if (!replay->waiting)
		replay->waiting = calloc(MAX_WAITING, sizeof(*replay->waiting));
	if (!replay->waiting)
		return false;
	waiting = &replay->waiting[replay->num_waiting];
	waiting->group = *item->group;
	waiting->commands = malloc(bytes + 1);
	if (!waiting->commands)
		return false;
	memcpy(waiting->commands, item->commands, bytes);
	waiting->fragments = -1;
	vivgpu_counts_submit(&replay->counts, waiting->group.cookie,
			     expected_vertices(replay, &waiting->group));
	for (unsigned int i = 0; i < replay->count; i++)
		if (is_taught(replay, i))
			vivgpu_predictors[i]->predict(replay->predictors[i], &waiting->group,
						      waiting->commands, &waiting->predictions[i]);
	replay->num_waiting++;
	replay->groups++;
	return true;
}

/*
 * True if the counts of a result are probably its group's own: the vertices are in the usual ratio
 * to the submitted ones. The ratio of this result is one of those from then on.
 */
static bool probably_own(struct replay *replay, const struct vivgpu_group *group,
			 const struct vivgpu_group_result *result)
{
	struct vivgpu_majority *ratio = &replay->ratios[group->vertices % REPLAY_RATIOS];
	bool usual = !group->vertices ||
		     vivgpu_majority_add(ratio, (double)result->vertices / group->vertices);

	return usual && result->flags & VIVGPU_RESULT_COUNTS &&
	       vivgpu_counts_are_possible(group, result);
}

/*
 * Find whose the counts of a result are, and set the fragments of the group if it is one; how many
 * each of several groups has is unknown.
 */
static void assign_counts(struct replay *replay, struct replay_group *waiting,
			  const struct vivgpu_group_result *result)
{
	const struct vivgpu_counts_run *run = vivgpu_counts_result(&replay->counts, result);
	bool own = probably_own(replay, &waiting->group, result);

	if (run && run->num_jobs == 1) {
		for (unsigned int i = 0; i < replay->num_waiting; i++)
			if (replay->waiting[i].group.cookie == run->jobs[0].cookie)
				replay->waiting[i].fragments = run->fragments;
	} else if (!replay->counts.aligned && own) {
		/* It is unknown whose counts the result has (vivgpu_counts_result()). */
		waiting->fragments = result->fragments;
	}
}

/* Fragments and jitter of a group, as the card has them. */
static void look_up_truth(struct replay *replay, struct replay_group *waiting,
			  const struct vivgpu_group_result *result)
{
	const struct truth_event *event = NULL;

	waiting->drawn_ns = 0;
	if (!replay->calibrates)
		event = truth_find(&replay->truth, result->started_ns, result->finished_ns);
	if (!event)
		return;
	waiting->fragments = event->pixels;
	waiting->drawn_ns = truth_drawn_ns(&replay->truth, event, result->started_ns);
	replay->found++;
	replay->drawn_ns += fabs(waiting->drawn_ns);
	replay->counted_right += result->flags & VIVGPU_RESULT_COUNTS &&
				 result->fragments == event->pixels &&
				 result->vertices == event->vertices;
}

/* Add the error of a prediction to the sums; @fragments: negative if they are unknown */
static void add_error(struct replay_errors *errors, const struct vivgpu_prediction *prediction,
		      double ns, double drawn, double fragments)
{
	double error = fabs((double)prediction->time_ns - ns);

	errors->groups++;
	errors->measured_ns += ns;
	errors->absolute_ns += error;
	errors->beyond_ns += fabs((double)prediction->time_ns - (ns - drawn));
	errors->relative += error / fmax(ns, 1);
	errors->largest_ns = fmax(errors->largest_ns, error);
	errors->within += error <= prediction->bound_ns;
	errors->within_15us += error <= 15000;
	if (fragments > 0) {
		errors->counted++;
		errors->fragments += fabs((double)prediction->fragments - fragments) / fragments;
	}
}

/*
 * Amounts of a group on which its time depends: bytes, summed over its commands; width of the first
 * texture, and samples, of its last draw. "drawn_bytes" are those that a swap reads.
 */
static void write_amounts(const struct replay *replay, const struct replay_group *waiting)
{
	uint64_t clear = 0, copy = 0, drawn = 0;
	unsigned int texture = 0, samples = 0;

	for (uint32_t i = 0; i < waiting->group.num_commands; i++) {
		const struct vivgpu_command *command = &waiting->commands[i];

		switch (command->type) {
		case VIVGPU_COMMAND_DRAW:
			texture = command->draw.textures[0].width;
			samples = command->target.samples;
			break;
		case VIVGPU_COMMAND_CLEAR:
			clear += command->clear.bytes;
			break;
		case VIVGPU_COMMAND_COPY:
		case VIVGPU_COMMAND_RESOLVE:
			copy += (uint64_t)command->copy.bytes_read + command->copy.bytes_written;
			break;
		case VIVGPU_COMMAND_SWAP:
			drawn += command->copy.bytes_read;
			break;
		}
	}
	fprintf(replay->csv, ",%u,%llu,%llu,%llu,%u,%u", waiting->group.num_draws,
		(unsigned long long)clear, (unsigned long long)copy, (unsigned long long)drawn,
		texture, samples);
}

static void write_row(const struct replay *replay, const struct replay_group *waiting,
		      const struct vivgpu_group_result *result, enum replay_kind kind, double ns)
{
	fprintf(replay->csv, "%llu,%u,%s,%.0f,%llu,%llu,",
		(unsigned long long)waiting->group.cookie, waiting->group.frame,
		replay_kind_name(kind), ns, (unsigned long long)result->cycles,
		(unsigned long long)waiting->group.vertices);
	if (waiting->fragments >= 0)
		fprintf(replay->csv, "%.0f", waiting->fragments);
	write_amounts(replay, waiting);
	for (unsigned int i = 0; i < replay->count; i++) {
		const struct vivgpu_prediction *prediction = &waiting->predictions[i];

		fprintf(replay->csv, ",%llu,%llu,%llu", (unsigned long long)prediction->time_ns,
			(unsigned long long)prediction->bound_ns,
			(unsigned long long)prediction->fragments);
	}
	fprintf(replay->csv, ",%.0f", waiting->drawn_ns);
	fputc('\n', replay->csv);
}

/* Compare the time of a group that draws with its cycles. */
static void add_mapping(struct replay_mapping *mapping, const struct vivgpu_group_result *result,
			double ns)
{
	double ratio = result->cycles ? ns / result->cycles : 0;

	mapping->draws++;
	mapping->without_time += ns <= 0;
	if (result->flags & VIVGPU_RESULT_OVERLAPPED || !ratio)
		return;
	mapping->ns += ns;
	mapping->cycles += result->cycles;
	mapping->smallest = mapping->smallest ? fmin(mapping->smallest, ratio) : ratio;
	mapping->largest = fmax(mapping->largest, ratio);
}

/* Remember a group for replay_print_methods(); it is left out if memory is short. */
static void add_measured(struct replay *replay, const struct vivgpu_group_result *result, double ns)
{
	size_t most = replay->max_measured ? 2 * replay->max_measured : 1024;

	if (replay->num_measured == replay->max_measured) {
		void *groups = realloc(replay->measured, most * sizeof(*replay->measured));

		if (!groups)
			return;
		replay->measured = groups;
		replay->max_measured = most;
	}
	replay->measured[replay->num_measured++] = (struct vivgpu_measured_group){
		.submitted_ns = result->submitted_ns,
		.finished_ns = result->finished_ns,
		.true_ns = ns,
	};
}

/* Calibration runs are as they were recorded. */
static bool disturbs(const struct replay *replay)
{
	const struct disturbance *d = &replay->disturbance;

	return !replay->calibrates && (d->late || d->bus || d->clock);
}

static void add_result(struct replay *replay, const struct vivgpu_group_result *recorded)
{
	struct vivgpu_group_result disturbed = *recorded, *result = &disturbed;
	struct replay_group *waiting;
	enum replay_kind kind;
	unsigned int index = 0;
	double ns = vivgpu_measured_ns(&replay->config, recorded);
	bool counts;

	while (index < replay->num_waiting && replay->waiting[index].group.cookie != result->cookie)
		index++;
	if (index == replay->num_waiting) {
		replay->unmatched++;
		return;
	}
	waiting = &replay->waiting[index];
	kind = kind_of(waiting);
	if (disturbs(replay))
		ns = disturb(&replay->disturbance, result);
	replay->results++;
	if (kind == REPLAY_DRAW && ns >= 0)
		add_mapping(&replay->mapping, result, ns);
	assign_counts(replay, waiting, result);
	/* The card's events have the times of the recording, not those with the disturbance. */
	look_up_truth(replay, waiting, recorded);
	/* Whether the group is scored; not the counts of its work */
	counts = !replay->calibrates && ns >= 0 &&
		 waiting->group.frame - replay->first_frame >= replay->skip &&
		 replay->results > replay->skip_groups;
	if (counts)
		add_measured(replay, result, ns);
	for (unsigned int i = 0; i < replay->count; i++) {
		if (counts) {
			add_error(&replay->errors[i][kind], &waiting->predictions[i], ns,
				  waiting->drawn_ns, waiting->fragments);
			add_error(&replay->errors[i][REPLAY_KINDS], &waiting->predictions[i], ns,
				  waiting->drawn_ns, waiting->fragments);
		}
		if (is_taught(replay, i))
			vivgpu_predictors[i]->observe(replay->predictors[i], &waiting->group,
						      waiting->commands, result);
	}
	if (replay->csv && !replay->again && counts &&
	    (replay->only == REPLAY_KINDS || replay->only == kind))
		write_row(replay, waiting, result, kind, ns);
	drop(replay, index);
}

uint64_t replay_clock_hz(const char *path)
{
	struct vivgpu_group_reader reader = { 0 };
	struct vivgpu_group_item item;
	uint64_t longest = 0;
	double hz = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	if (!vivgpu_group_reader_open(&reader, fd)) {
		while (vivgpu_group_reader_next(&reader, &item)) {
			uint64_t ns;

			if (!item.result || item.result->flags & VIVGPU_RESULT_FAILED)
				continue;
			ns = item.result->finished_ns - item.result->started_ns;
			if (item.result->finished_ns < item.result->started_ns || ns <= longest)
				continue;
			longest = ns;
			hz = 1e9 * (double)item.result->cycles / (double)ns;
		}
		vivgpu_group_reader_close(&reader);
	}
	close(fd);
	return (uint64_t)(hz + 0.5);
}

bool replay_file(struct replay *replay, const char *path)
{
	struct vivgpu_group_reader reader = { 0 };
	struct vivgpu_group_item item;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool good = true;
	int ret;

	if (fd < 0)
		return false;
	ret = vivgpu_group_reader_open(&reader, fd);
	while (!ret && good && vivgpu_group_reader_next(&reader, &item)) {
		if (item.result)
			add_result(replay, item.result);
		else
			good = add_group(replay, &item);
	}
	good = good && !ret && !reader.damaged && !reader.unknown;
	if (!ret)
		vivgpu_group_reader_close(&reader);
	close(fd);
	return good;
}

static void drop_all(struct replay *replay)
{
	while (replay->num_waiting)
		drop(replay, replay->num_waiting - 1);
}

bool replay_calibrate(struct replay *replay, const char *path)
{
	bool good;

	replay->calibrates = true;
	good = replay_file(replay, path);
	replay->calibrates = false;
	drop_all(replay);
	memset(&replay->counts, 0, sizeof(replay->counts));
	memset(replay->ratios, 0, sizeof(replay->ratios));
	memset(&replay->mapping, 0, sizeof(replay->mapping));
	replay->groups = replay->results = replay->unmatched = 0;
	return good;
}

const char *replay_kind_name(enum replay_kind kind)
{
	static const char *const names[] = { "draw", "copy", "clear", "upload", "flush", "all" };

	return names[kind];
}

static void print_mapping(const struct replay *replay, FILE *to)
{
	const struct replay_mapping *mapping = &replay->mapping;
	double ratio = mapping->cycles > 0 ? mapping->ns / mapping->cycles : 1;

	fprintf(to, "mapping,%llu,%llu,%llu,%llu,%llu,%.3f,%.3f\n",
		(unsigned long long)replay->groups, (unsigned long long)replay->results,
		(unsigned long long)replay->unmatched, (unsigned long long)mapping->draws,
		(unsigned long long)mapping->without_time,
		100 * ((mapping->smallest > 0 ? mapping->smallest / ratio : 1) - 1),
		100 * ((mapping->largest > 0 ? mapping->largest / ratio : 1) - 1));
}

void replay_print(const struct replay *replay, FILE *to)
{
	print_mapping(replay, to);
	if (replay->truth.count)
		fprintf(to, "truth,%llu,%llu,%.3f\n", (unsigned long long)replay->found,
			(unsigned long long)replay->counted_right,
			replay->found ? replay->drawn_ns / replay->found / 1e3 : 0);
	fprintf(to, "kind,predictor,groups,mean_us,error_us,error_percent,largest_us,"
		    "within_bound,within_15us,fragments_percent,beyond_us\n");
	for (unsigned int kind = 0; kind <= REPLAY_KINDS; kind++) {
		for (unsigned int i = 0; i < replay->count; i++) {
			const struct replay_errors *errors = &replay->errors[i][kind];
			double groups = errors->groups;

			if (!errors->groups)
				continue;
			fprintf(to, "%s,%s,%.0f,%.3f,%.3f,%.4f,%.3f,%.4f,%.4f,",
				replay_kind_name(kind), vivgpu_predictors[i]->name, groups,
				errors->measured_ns / groups / 1e3,
				errors->absolute_ns / groups / 1e3, 100 * errors->relative / groups,
				errors->largest_ns / 1e3, errors->within / groups,
				errors->within_15us / groups);
			if (errors->counted)
				fprintf(to, "%.4f", 100 * errors->fragments / errors->counted);
			fprintf(to, ",%.3f\n", errors->beyond_ns / groups / 1e3);
		}
	}
}

/* How late a program wakes after glFinish: the mean of the thesis's board (7.2.2) */
#define WAKE_NS 23000

static void print_method(const struct replay *replay, const char *name, FILE *to)
{
	double error = 0, sum = 0;

	for (size_t i = 0; i < replay->num_measured; i++) {
		error += fabs(replay->measured[i].ns - replay->measured[i].true_ns);
		sum += replay->measured[i].true_ns;
	}
	fprintf(to, "method,%s,%zu,%.3f,%.3f\n", name, replay->num_measured,
		sum / replay->num_measured / 1e3, error / replay->num_measured / 1e3);
}

void replay_print_methods(struct replay *replay, FILE *to)
{
	if (!replay->num_measured)
		return;
	vivgpu_measure_polling(replay->measured, replay->num_measured, 1000000);
	print_method(replay, "polling-1ms", to);
	vivgpu_measure_polling(replay->measured, replay->num_measured, 100000);
	print_method(replay, "polling-100us", to);
	vivgpu_measure_finish(replay->measured, replay->num_measured, WAKE_NS);
	print_method(replay, "glfinish", to);
}

bool replay_restart(struct replay *replay)
{
	struct replay again = { .skip = replay->skip,
				.truth = replay->truth,
				.skip_groups = replay->skip_groups,
				.csv = replay->csv,
				.only = replay->only,
				.ours = replay->ours,
				.disturbance = disturb_restarted(&replay->disturbance),
				.config = replay->config };
	size_t bytes = vivgpu_predict_save_bytes();
	void *calibration = malloc(bytes);
	bool good = calibration && vivgpu_predictors[0] == &vivgpu_predictor_ours &&
		    vivgpu_predict_save(replay->predictors[0], calibration, bytes);

	/* The events are those of @again now, and must not be freed. */
	replay->truth = (struct truth){ 0 };
	replay_end(replay);
	*replay = again;
	replay->truth.next = 0;
	good = create_all(replay) && good &&
	       vivgpu_predict_load(replay->predictors[0], calibration, bytes);
	free(calibration);
	return good;
}

void replay_end(struct replay *replay)
{
	drop_all(replay);
	free(replay->waiting);
	free(replay->measured);
	truth_free(&replay->truth);
	for (unsigned int i = 0; i < replay->count; i++)
		vivgpu_predictors[i]->destroy(replay->predictors[i]);
}
