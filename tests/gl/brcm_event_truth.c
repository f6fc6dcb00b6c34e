// SPDX-License-Identifier: MIT
/*
 * EGL_BRCM_event_monitor: tests that the content of events is right. Times, pairs, tracks and
 * fields are compared with what the program did, with several threads, beside the jobs of
 * another process, and after a GPU hang. The tags "bem." are those of
 * Documentation/mesa/conformance-brcm-event-monitor.rst.
 */

#include "harness.h"

#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event_reader.h"

#define JOBS 20
#define THREADS 3
/* Squares of a job that surely is not over when its submit call is. */
#define LONG_JOB 500
/* A user without rights. */
#define NOBODY 65534

static void start(void)
{
	if (!set_collection(EGL_ACQUIRE_EVENTS_BRCM) || !set_collection(EGL_START_EVENTS_BRCM))
		give_up("no events: EGL error 0x%x", eglGetError());
}

static void stop(void)
{
	set_collection(EGL_STOP_EVENTS_BRCM);
	set_collection(EGL_RELEASE_EVENTS_BRCM);
}

static uint64_t now_us(void)
{
	return now_ns() / 1000;
}

static void prepare(void)
{
	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	make_target(64, 64);
	use_plain_program();
	draw_square(0, 1);
	glFinish();
}

/*
 * Check that each event is well formed, and that each begin has an end of the same number on the same track,
 * which is not before it.
 */
static void check_shape(const struct batch *batch, const char *what)
{
	EGLint tracks = get_constant(EGL_NUM_EVENT_TRACKS_BRCM);
	unsigned int begins = 0, ends = 0, paired = 0, instants = 0;
	bool form = true, pairs = true;

	for (unsigned int i = 0; i < batch->count; i++) {
		const struct event *event = &batch->events[i];

		form &= event->track < (uint32_t)tracks && event->type <= INSTANT && event->id;
		begins += event->type == BEGIN;
		ends += event->type == END;
		instants += event->type == INSTANT;
		if (!event->end)
			continue;
		paired++;
		pairs &= event->end->index == event->index && event->end->track == event->track &&
			 event->end->us >= event->us;
	}
	check("bem.event-format", form && batch->count, "%s: %u events, all known", what,
	      batch->count);
	check("bem.event-type",
	      begins && begins == ends && begins + ends + instants == batch->count,
	      "%s: %u begins, %u ends, %u instants", what, begins, ends, instants);
	check("bem.event-id", pairs && paired == begins, "%s: %u of %u begins have an end", what,
	      paired, begins);
}

/*
 * Check that events of one call are ordered by time, and that spans of a thread's track nest. The
 * tracks of threads are the last ones.
 */
static void check_order(const struct batch *batch, const char *what)
{
	uint32_t first = track_index("Driver thread 1");
	bool sorted = true, nest = true;

	for (unsigned int i = 0; i < batch->count; i++) {
		const struct event *a = &batch->events[i];

		sorted &= i == 0 || batch->events[i - 1].us <= a->us;
		for (unsigned int j = i + 1;
		     a->end && a->track >= first && j < batch->count && &batch->events[j] < a->end;
		     j++) {
			const struct event *b = &batch->events[j];

			nest &= b->track != a->track || !b->end || b->end < a->end;
		}
	}
	check("bem.order", sorted, "%s: times rise", what);
	check("bem.nesting", nest, "%s: what a thread begins last it ends first", what);
}

/* The kernel's number of this process's client, by its first flush */
static int64_t own_client(const struct batch *batch)
{
	for (unsigned int i = 0; i < batch->count; i++) {
		if (is_event(&batch->events[i], "Flush"))
			return field(&batch->events[i], "client");
	}
	give_up("no flush");
}

/* The job of a flush: its wait for dependencies, for the GPU, and its execution */
struct journey {
	const struct event *waiting, *ready, *job;
};

/* Tracks before the display's are those of jobs, whose events have a job and a client. */
static struct journey journey_of(const struct batch *batch, const struct event *flush)
{
	int64_t number = field(flush, "job");
	struct journey found = { NULL };

	for (unsigned int i = 0; i < batch->count; i++) {
		const struct event *event = &batch->events[i];

		if (event->type != BEGIN || event->track >= track_index("Display") ||
		    field(event, "job") != number ||
		    field(event, "client") != field(flush, "client"))
			continue;
		if (is_event(event, "Waiting"))
			found.waiting = event;
		else if (is_event(event, "Ready"))
			found.ready = event;
		else if (is_event(event, "Job"))
			found.job = event;
	}
	return found;
}

static bool has_end(const struct event *event)
{
	return event && event->end;
}

/* Needs the ends of the flush and of the three others. */
static bool ordered(const struct event *flush, const struct journey *to)
{
	return flush->us <= to->waiting->us && to->waiting->us <= flush->end->us &&
	       to->waiting->end->us == to->ready->us && to->ready->end->us == to->job->us &&
	       to->job->end->us >= to->job->us;
}

static bool on_their_tracks(const struct journey *to)
{
	return to->waiting->track == track_index("Scheduler queue") &&
	       to->ready->track == to->waiting->track && to->job->track == track_index("3D engine");
}

/*
 * Check that a flush and its job have the same number and times in the right order, and describe
 * what is wrong. Jobs that end with one interrupt share its time; all but the first have no cycles.
 */
static bool follows(const struct batch *batch, const struct event *flush)
{
	struct journey to = journey_of(batch, flush);
	const char *wrong = NULL;

	if (!has_end(to.waiting) || !has_end(to.ready) || !has_end(to.job) || !has_end(flush))
		wrong = "a step is missing";
	else if (!ordered(flush, &to))
		wrong = "times";
	else if (!on_their_tracks(&to))
		wrong = "tracks";
	else if (field(to.job, "bytes") != field(flush, "bytes"))
		wrong = "bytes";
	else if ((field(to.job, "cycles") > 0) != (to.job->end->us > to.job->us))
		wrong = "cycles without time, or time without cycles";
	else if (field(to.job, "queue") != field(to.waiting, "queue"))
		wrong = "queue";
	if (!wrong)
		return true;
	printf("# job %lld: %s\n", (long long)field(flush, "job"), wrong);
	if (to.job && to.job->end)
		printf("# flush %llu to %llu us, run %llu to %llu us, %lld cycles\n",
		       (unsigned long long)flush->us,
		       (unsigned long long)(flush->end ? flush->end->us : 0),
		       (unsigned long long)to.job->us, (unsigned long long)to.job->end->us,
		       (long long)field(to.job, "cycles"));
	return false;
}

/* JOBS flushes, each with a number of draws of its own. */
static void jobs(void)
{
	uint64_t before = now_us(), after;
	unsigned int good = 0, counted = 0;
	struct batch batch;
	bool inside = true;

	start();
	for (int i = 0; i < JOBS; i++) {
		draw_square(0, i + 1);
		glFlush();
	}
	glFinish();
	batch = take_batch();
	after = now_us();
	stop();

	check_shape(&batch, "jobs");
	check_order(&batch, "jobs");
	for (int i = 0; i < JOBS; i++) {
		const struct event *flush = find_event(&batch, 0, "Flush", "draws", i + 1);

		if (!flush)
			continue;
		good += follows(&batch, flush);
		counted += field(flush, "vertices") == 4 * (i + 1) && field(flush, "result") == 0 &&
			   field(flush, "thread") > 0;
	}
	check("bem.field-data", counted == JOBS, "%u of %u flushes tell draws and vertices",
	      counted, JOBS);
	check("bem.timeline", good == JOBS, "%u of %u flushes lead to their jobs, step by step",
	      good, JOBS);
	check("bem.field-data", own_client(&batch) == fdinfo_client(), "client %" PRId64,
	      own_client(&batch));
	for (unsigned int i = 0; i < batch.count; i++)
		inside &= batch.events[i].us >= before && batch.events[i].us <= batch.now;
	check("bem.timestamp", inside,
	      "microseconds of CLOCK_MONOTONIC, none later than the time of the call");
	check("bem.timestamp-now", batch.now >= before && batch.now <= after,
	      "the time of the call is while it was made");
	free_batch(&batch);
}

/* Events of the driver on the CPU */
static void driver(void)
{
	static const char pixels[64 * 80 * 4];
	/* Mesa's threaded context writes to idle buffers without the driver. */
	const bool threaded = getenv("GALLIUM_THREAD") && atoi(getenv("GALLIUM_THREAD"));
	const GLsizei small = 300, large = 20000;
	const struct event *event;
	struct batch batch;
	GLuint buffer, texture;

	start();
	use_program("attribute vec4 position;\n"
		    "void main() { gl_Position = position * 0.625; }\n",
		    "precision mediump float;\n"
		    "void main() { gl_FragColor = vec4(0.125, 0.375, 0.0, 1.0); }\n");
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, large, NULL, GL_STATIC_DRAW);
	glBufferSubData(GL_ARRAY_BUFFER, 0, small, pixels);
	glBufferSubData(GL_ARRAY_BUFFER, 0, large, pixels);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 80, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 32, 16, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	/* A job that ends while the program has no processor is not waited for, but not all of them do. */
	for (int i = 0; i < 20; i++) {
		draw_square(0, LONG_JOB);
		glFinish();
	}
	batch = take_batch();
	stop();
	use_plain_program();

	check_shape(&batch, "driver");
	check_order(&batch, "driver");
	/* The field tells Mesa's shader stage: 0 is the vertex, 4 the fragment shader. */
	for (int stage = 0; stage < 2; stage++) {
		event = find_event(&batch, 0, "Compile", "stage", stage ? 4 : 0);
		check("bem.field-data",
		      event && field(event, "instructions") > 0 &&
			      field(event, "bytes") >= 16 * field(event, "instructions"),
		      "a %s shader was compiled: %d instructions", stage ? "fragment" : "vertex",
		      event ? (int)field(event, "instructions") : 0);
	}
	if (!threaded)
		check("bem.field-data", find_event(&batch, 0, "Upload", "bytes", large) != NULL,
		      "%d bytes of a buffer were uploaded", large);
	check("bem.field-data", find_event(&batch, 0, "Upload", "bytes", sizeof(pixels)) != NULL,
	      "%zu bytes of a texture were uploaded", sizeof(pixels));
	event = find_event(&batch, 0, "Flush", "draws", LONG_JOB);
	check("bem.field-data",
	      event && field(event, "uploaded") == 32 * 16 * 4 + (threaded ? 0 : small),
	      "%d bytes came by uploads too small to be events",
	      event ? (int)field(event, "uploaded") : -1);
	event = find_event(&batch, 0, "Wait", "buffer", 0);
	check("bem.field-data", event && field(event, "result") == 0,
	      "glFinish waited for a fence");
	free_batch(&batch);
}

static void *draw_in_thread(void *data)
{
	EGLContext context = make_context(API_ES2, EGL_NO_CONTEXT);

	use_context(context);
	make_target(64, 64);
	use_plain_program();
	for (int i = 0; i < JOBS; i++) {
		draw_square(0, 1);
		glFinish();
	}
	use_context(EGL_NO_CONTEXT);
	eglDestroyContext(get_display(), context);
	return data;
}

/* Threads draw while this one collects, without a context of its own. */
static void threads(void)
{
	struct batch batch;
	pthread_t workers[THREADS];
	unsigned int flushes = 0, paired = 0, begins = 0, lost = 0;
	bool tracks[64] = { false };
	int used = 0;

	use_context(EGL_NO_CONTEXT);
	start();
	for (int i = 0; i < THREADS; i++)
		pthread_create(&workers[i], NULL, draw_in_thread, NULL);
	for (int i = 0; i <= THREADS; i++) {
		batch = take_batch();
		for (unsigned int j = 0; j < batch.count; j++) {
			const struct event *event = &batch.events[j];

			begins += event->type == BEGIN;
			paired += event->end != NULL;
			if (is_event(event, "Flush"))
				tracks[event->track] = true;
		}
		flushes += count_events(&batch, "Flush");
		lost += batch.lost;
		free_batch(&batch);
		if (i < THREADS)
			pthread_join(workers[i], NULL);
	}
	stop();
	for (unsigned int i = 0; i < COUNT(tracks); i++)
		used += tracks[i];
	check("bem.threads", flushes >= THREADS * JOBS && !lost,
	      "%u flushes of %d threads that draw %d times", flushes, THREADS, JOBS);
	check("bem.threads", begins == paired, "%u begins, %u with their end", begins, paired);
	check("bem.track", used >= THREADS, "%d threads have tracks of their own", used);
}

static void *release_in_thread(void *data)
{
	*(bool *)data = set_collection(EGL_ACQUIRE_EVENTS_BRCM) &&
			set_collection(EGL_RELEASE_EVENTS_BRCM) &&
			!set_collection(EGL_START_EVENTS_BRCM) && eglGetError() == EGL_BAD_ACCESS;
	return NULL;
}

/* The sampler belongs to the process, errors to a thread. */
static void thread_errors(void)
{
	pthread_t thread;
	bool good = false;

	set_collection(EGL_ACQUIRE_EVENTS_BRCM);
	pthread_create(&thread, NULL, release_in_thread, &good);
	pthread_join(thread, NULL);
	check("bem.threads", good, "another thread of the process has the sampler too");
	check("bem.threads", eglGetError() == EGL_SUCCESS, "its error is not this thread's");
}

static void draw_jobs(void)
{
	for (int i = 0; i < JOBS; i++) {
		draw_square(0, 1);
		glFlush();
	}
	glFinish();
}

static atomic_bool planted;
static sem_t drawing;

/* Draws at least once more after the fault was planted. */
static void *draw_until_planted(void *data)
{
	bool last;

	prepare();
	draw_jobs();
	sem_post(&drawing);
	do {
		last = planted;
		draw_jobs();
	} while (!last);
	return data;
}

/* Plant a fault while the core is awake: waking up resets it and drops the fault. */
static void plant_fault(void)
{
	pthread_t worker;

	sem_init(&drawing, 0, 0);
	pthread_create(&worker, NULL, draw_until_planted, NULL);
	sem_wait(&drawing);
	planted = card_command("mmu-fault");
	if (!planted)
		give_up("no fault");
	pthread_join(worker, NULL);
}

/* Start this program again to draw in another process; see main(). */
static void run_another(const char *what)
{
	char *const arguments[] = { "brcm_event_truth", (char *)what, NULL };
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		execv("/proc/self/exe", arguments);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

/* Another process draws: its jobs are on the tracks of the hardware, and only there. */
static void another_process(void)
{
	struct batch batch;
	unsigned int theirs = 0, ours = 0;
	int64_t own;

	prepare();
	start();
	draw_square(0, 1);
	glFinish();
	run_another("draw");
	batch = take_batch();
	stop();
	own = own_client(&batch);
	for (unsigned int i = 0; i < batch.count; i++) {
		if (!is_event(&batch.events[i], "Job"))
			continue;
		theirs += field(&batch.events[i], "client") != own;
		ours += field(&batch.events[i], "client") == own;
	}
	check("bem.track", theirs >= JOBS && ours >= 1,
	      "%u jobs of another process, %u of this one", theirs, ours);
	check("bem.track", count_events(&batch, "Flush") < JOBS,
	      "flushes are those of this process: %u", count_events(&batch, "Flush"));
	free_batch(&batch);
}

/* A display of the core's besides the harness's, as long as a few jobs take. */
static void draw_on_another_display(void)
{
	static const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	PFNEGLQUERYDISPLAYATTRIBEXTPROC query = get_function("eglQueryDisplayAttribEXT");
	EGLDisplay display;
	EGLContext context;
	EGLAttrib device;

	if (!query(get_display(), EGL_DEVICE_EXT, &device))
		give_up("the display has no device");
	display = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, (void *)device, NULL);
	if (!display || !eglInitialize(display, NULL, NULL))
		give_up("no display: EGL error 0x%x", eglGetError());
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
	if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		give_up("no context: EGL error 0x%x", eglGetError());
	make_target(64, 64);
	use_plain_program();
	draw_jobs();
	eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglDestroyContext(display, context);
	eglTerminate(display);
}

/* Collect the numbers of this process's clients from flush events. Returns how many there are. */
static unsigned int own_clients(const struct batch *batch, int64_t *clients, unsigned int most)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < batch->count; i++) {
		unsigned int known = 0;
		int64_t client;

		if (!is_event(&batch->events[i], "Flush"))
			continue;
		client = field(&batch->events[i], "client");
		while (known < count && clients[known] != client)
			known++;
		if (known == count && count < most)
			clients[count++] = client;
	}
	return count;
}

/*
 * Without CAP_PERFMON: the jobs of this process, also of a display that came later and
 * is gone, and no other's.
 */
static void own_process(void)
{
	struct batch batch;
	unsigned int theirs = 0, ours = 0, count;
	int64_t clients[3];

	prepare();
	if (seteuid(NOBODY))
		give_up("no way to become nobody");
	start();
	draw_jobs();
	if (seteuid(0))
		give_up("no way back from being nobody");
	run_another("draw");
	draw_on_another_display();
	batch = take_batch();
	stop();
	count = own_clients(&batch, clients, COUNT(clients));
	for (unsigned int i = 0; i < batch.count; i++) {
		unsigned int known = 0;

		if (!is_event(&batch.events[i], "Job"))
			continue;
		while (known < count && clients[known] != field(&batch.events[i], "client"))
			known++;
		theirs += known == count;
		ours += known < count;
	}
	check("bem.privilege", ours >= 2 * JOBS && !theirs,
	      "without CAP_PERFMON: %u jobs of this process, %u of another", ours, theirs);
	check("bem.privilege", count == 2 && !batch.lost, "of %u displays", count);
	check_shape(&batch, "own process");
	check_order(&batch, "own process");
	free_batch(&batch);
}

/* A fault, in another process's job or between two jobs, and the reset are both reported. */
static void fault(void)
{
	const struct event *reset = NULL, *fault = NULL;
	struct batch batch;

	start();
	run_another("fault");
	batch = take_batch();
	stop();
	for (unsigned int i = 0; i < batch.count; i++) {
		if (is_event(&batch.events[i], "Reset"))
			reset = &batch.events[i];
		if (is_event(&batch.events[i], "Fault"))
			fault = &batch.events[i];
	}
	check("bem.instant",
	      reset && reset->type == INSTANT && !reset->end &&
		      reset->track == track_index("3D engine"),
	      "a reset is an instant of the 3D engine");
	check("bem.instant",
	      fault && reset && fault->type == INSTANT && fault->us <= reset->us &&
		      field(fault, "status") != 0,
	      "a fault of the MMU comes before it");
	free_batch(&batch);
}

int main(int argc, char **argv)
{
	prepare();
	if (argc > 1) {
		if (strcmp(argv[1], "fault") == 0)
			plant_fault();
		else
			draw_jobs();
		return 0;
	}
	find_functions();
	jobs();
	driver();
	threads();
	thread_errors();
	another_process();
	own_process();
	fault();
	return end_checks();
}
