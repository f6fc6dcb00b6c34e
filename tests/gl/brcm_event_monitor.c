// SPDX-License-Identifier: MIT
/*
 * Tests of EGL_BRCM_event_monitor, one for each requirement of its specification: names,
 * collection, data, errors. The tags "bem." are those of
 * Documentation/mesa/conformance-brcm-event-monitor.rst. brcm_event_truth.c tests the content
 * of the events.
 */

#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event_reader.h"

#define CANARY 0x5a
#define NOBODY 65534
/* Size of the driver's ring, and minimum size of an upload event (events.rst) */
#define DRIVER_RING 4096
#define UPLOAD_BYTES 16384

static void check_egl(const char *tag, EGLBoolean returned, EGLint expected, const char *what)
{
	EGLint error = eglGetError(), more = eglGetError();

	check(tag,
	      error == expected && returned == (expected == EGL_SUCCESS) && more == EGL_SUCCESS,
	      "%s: returns %u, error 0x%x, expected 0x%x, and 0x%x after it", what, returned, error,
	      expected, more);
}

/* Called before there is a display. */
static void without_display(void)
{
	check_egl("bem.no-display", set_collection(EGL_ACQUIRE_EVENTS_BRCM), EGL_NOT_INITIALIZED,
		  "acquire without a display");
	check_egl("bem.collection-pname", set_collection(EGL_STOP_EVENTS_BRCM + 1),
		  EGL_BAD_PARAMETER, "a wrong name without a display");
}

static void strings(void)
{
	bool glvnd = !getenv("WITHOUT_GLVND");
	const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);

	check("bem.display-string",
	      has_word(eglQueryString(get_display(), EGL_EXTENSIONS), "EGL_BRCM_event_monitor"),
	      "the display has EGL_BRCM_event_monitor");
	if (!glvnd)
		check("bem.client-string", has_word(client, "EGL_BRCM_event_monitor"),
		      "the client string has it, without libglvnd");
}

/* A second display in the process, of a software renderer: its screen has no sampler. */
static void other_display(void)
{
	PFNEGLQUERYDEVICESEXTPROC query_devices = get_function("eglQueryDevicesEXT");
	PFNEGLQUERYDEVICESTRINGEXTPROC device_string = get_function("eglQueryDeviceStringEXT");
	EGLDeviceEXT devices[16];
	EGLint count = 0, i;
	EGLDisplay display;

	query_devices(COUNT(devices), devices, &count);
	for (i = 0; i < count; i++) {
		if (has_word(device_string(devices[i], EGL_EXTENSIONS), "EGL_MESA_device_software"))
			break;
	}
	if (i == count)
		give_up("no device without hardware");
	display = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
	if (!display || !eglInitialize(display, NULL, NULL))
		give_up("no display without hardware: EGL error 0x%x", eglGetError());
	check("bem.other-display",
	      !has_word(eglQueryString(display, EGL_EXTENSIONS), "EGL_BRCM_event_monitor"),
	      "a display of another driver does not have it");
	eglTerminate(display);
}

/* All six work in a thread that never had a context. */
static void no_context(void)
{
	EGLint size = -1;
	EGLBoolean lost;
	EGLuint64BRCM now = 0;
	char name[64] = "";
	bool good = eglGetCurrentContext() == EGL_NO_CONTEXT;

	good &= get_constant(EGL_NUM_EVENTS_BRCM) > 0;
	good &= get_track_info(0, sizeof(name), name) && name[0];
	good &= get_event_info(0, sizeof(name), name, NULL, NULL) == EGL_TRUE;
	good &= get_field_info(event_index("Flush"), 0, sizeof(name), name, NULL, NULL) == EGL_TRUE;
	good &= set_collection(EGL_ACQUIRE_EVENTS_BRCM) && set_collection(EGL_START_EVENTS_BRCM);
	good &= get_data(0, NULL, &size, &lost, &now) && size >= 0 && now > 0;
	good &= set_collection(EGL_STOP_EVENTS_BRCM) && set_collection(EGL_RELEASE_EVENTS_BRCM);
	check("bem.no-context", good && eglGetError() == EGL_SUCCESS, "all six without a context");
}

/* Each function has its name; an unknown name gives NULL. */
static void functions(void)
{
	static const char *const names[] = {
		"eglGetEventConstantBRCM",      "eglGetEventTrackInfoBRCM",  "eglGetEventInfoBRCM",
		"eglGetEventDataFieldInfoBRCM", "eglSetEventCollectionBRCM", "eglGetEventDataBRCM"
	};

	for (size_t i = 0; i < COUNT(names); i++)
		check("bem.functions", eglGetProcAddress(names[i]) != NULL, "%s", names[i]);
	check("bem.functions", !eglGetProcAddress("eglGetEventNothingBRCM"),
	      "nothing for a name that nobody has");
}

/* By the numbers of the specification, so that those of the header are tested as well. */
static void constants(void)
{
	EGLint tracks = get_constant(0x33D4), events = get_constant(0x33D5);
	EGLint length = get_constant(0x33D6);

	check_egl("bem.constants", true, EGL_SUCCESS, "constants");
	check("bem.constants", tracks >= 4 && events >= 10 && length > 1,
	      "%d tracks, %d events, names of %d bytes", tracks, events, length);
	for (EGLenum pname = 0x33D0; pname < 0x33D4; pname++)
		check_egl("bem.constant-pname", get_constant(pname) != 0, EGL_BAD_PARAMETER,
			  "a token that is no constant");
	check_egl("bem.constant-pname", get_constant(0x33D7) != 0, EGL_BAD_PARAMETER,
		  "the token after the last");
}

typedef EGLBoolean (*name_function)(int index, EGLint size, char *name);

static EGLBoolean track_name(int index, EGLint size, char *name)
{
	return get_track_info(index, size, name);
}

static EGLBoolean event_name(int index, EGLint size, char *name)
{
	return get_event_info(index, size, name, NULL, NULL);
}

static EGLBoolean field_name(int index, EGLint size, char *name)
{
	return get_field_info(event_index("Flush"), index, size, name, NULL, NULL);
}

/* All names: whole, cut at every length, none at all. */
static void names(const char *what, name_function name, int count)
{
	EGLint longest = get_constant(EGL_MAX_EVENT_STRING_LEN_BRCM);
	bool good = true, cut = true, none = true;
	char whole[256], part[256];

	for (int i = 0; i < count; i++) {
		memset(whole, CANARY, sizeof(whole));
		good &= name(i, sizeof(whole), whole);
		good &= strlen(whole) > 0 && (EGLint)strlen(whole) < longest;
		for (EGLint size = 1; size <= longest; size++) {
			memset(part, CANARY, sizeof(part));
			cut &= name(i, size, part) && part[size] == CANARY &&
			       strlen(part) < (size_t)size && strncmp(part, whole, size - 1) == 0;
		}
		memset(part, CANARY, sizeof(part));
		none &= name(i, 0, part) && part[0] == CANARY && name(i, 10, NULL) &&
			name(i, 0, NULL);
	}
	check("bem.name", good && count > 0, "%d %s have names below %d bytes", count, what,
	      longest);
	check("bem.name-cut", cut,
	      "%s: at most as many characters as there is room for, and a zero", what);
	check("bem.name-none", none, "%s: no name for no room or no place", what);
	check_egl("bem.name", true, EGL_SUCCESS, what);
	check_egl("bem.name-size", name(0, -1, part), EGL_BAD_PARAMETER, "less than no room");
}

static void indices(void)
{
	EGLint tracks = get_constant(EGL_NUM_EVENT_TRACKS_BRCM);
	EGLint events = get_constant(EGL_NUM_EVENTS_BRCM), fields;
	char name[64];

	check_egl("bem.track-index", get_track_info(-1, 64, name), EGL_BAD_PARAMETER, "track -1");
	check_egl("bem.track-index", get_track_info(tracks, 64, name), EGL_BAD_PARAMETER,
		  "the track after the last");
	check_egl("bem.event-index", get_event_info(-1, 64, name, NULL, NULL), EGL_BAD_PARAMETER,
		  "event -1");
	check_egl("bem.event-index", get_event_info(events, 64, name, NULL, NULL),
		  EGL_BAD_PARAMETER, "the event after the last");
	check_egl("bem.field-index", get_field_info(-1, 0, 64, name, NULL, NULL), EGL_BAD_PARAMETER,
		  "a field of event -1");
	check_egl("bem.field-index", get_field_info(events, 0, 64, name, NULL, NULL),
		  EGL_BAD_PARAMETER, "a field of the event after the last");
	for (int i = 0; i < events; i++) {
		get_event_info(i, 0, NULL, &fields, NULL);
		check_egl("bem.field-index", get_field_info(i, fields, 64, name, NULL, NULL),
			  EGL_BAD_PARAMETER, "the field after the last");
	}
	check_egl("bem.field-index", get_field_info(0, -1, 64, name, NULL, NULL), EGL_BAD_PARAMETER,
		  "field -1");
}

/* Fields together make up the event's data. */
static void sizes(void)
{
	EGLint events = get_constant(EGL_NUM_EVENTS_BRCM), fields, total, bytes;
	unsigned int with_sign = 0, without = 0;
	EGLBoolean is_signed;
	bool sums = true, types = true;

	for (int i = 0; i < events; i++) {
		EGLint sum = 0;

		get_event_info(i, 0, NULL, &fields, &total);
		for (int j = 0; j < fields; j++) {
			is_signed = 2;
			get_field_info(i, j, 0, NULL, &is_signed, &bytes);
			types &= bytes == 4 || bytes == 8;
			types &= is_signed == EGL_TRUE || is_signed == EGL_FALSE;
			with_sign += is_signed == EGL_TRUE;
			without += is_signed == EGL_FALSE;
			sum += bytes;
		}
		sums &= sum == total;
	}
	check("bem.data-bytes", sums, "the fields' bytes are the event's");
	check("bem.field-type", types && with_sign && without,
	      "%u fields with a sign, %u without, of 32 or 64 bits", with_sign, without);
}

static void collection_names(void)
{
	static const EGLenum wrong[] = { 0, 0x33CF, EGL_NUM_EVENT_TRACKS_BRCM, EGL_NUM_EVENTS_BRCM,
					 EGL_MAX_EVENT_STRING_LEN_BRCM };
	EGLint bytes;
	char data[4];

	for (unsigned int i = 0; i < COUNT(wrong); i++)
		check_egl("bem.collection-pname", set_collection(wrong[i]), EGL_BAD_PARAMETER,
			  "not a command");
	check_egl("bem.data-arguments", get_data(-1, data, &bytes, NULL, NULL), EGL_BAD_PARAMETER,
		  "less than no room");
	check_egl("bem.data-arguments", get_data(4, data, NULL, NULL, NULL), EGL_BAD_PARAMETER,
		  "no place for the size");
}

/* Acquire, release, start and stop in valid and invalid orders. */
static void commands(void)
{
	EGLint bytes = -1;

	check_egl("bem.start", set_collection(EGL_START_EVENTS_BRCM), EGL_BAD_ACCESS,
		  "start without the sampler");
	check_egl("bem.stop", set_collection(EGL_STOP_EVENTS_BRCM), EGL_SUCCESS,
		  "stop without the sampler");
	check_egl("bem.release", set_collection(EGL_RELEASE_EVENTS_BRCM), EGL_SUCCESS,
		  "release without the sampler");
	check_egl("bem.acquire", set_collection(0x33D0), EGL_SUCCESS, "acquire");
	check_egl("bem.acquire", set_collection(EGL_ACQUIRE_EVENTS_BRCM), EGL_SUCCESS,
		  "acquire again");
	check_egl("bem.start", set_collection(0x33D2), EGL_SUCCESS, "start");
	check_egl("bem.start", set_collection(EGL_START_EVENTS_BRCM), EGL_SUCCESS, "start again");
	check_egl("bem.stop", set_collection(0x33D3), EGL_SUCCESS, "stop");
	check_egl("bem.stop", set_collection(EGL_STOP_EVENTS_BRCM), EGL_SUCCESS, "stop again");
	check_egl("bem.release", set_collection(0x33D1), EGL_SUCCESS, "release");
	check_egl("bem.data-size", get_data(0, NULL, &bytes, NULL, NULL), EGL_SUCCESS,
		  "the size without the sampler");
}

/*
 * Start a child that tries to acquire the sampler, writes 'y' or 'n' to @from, and ends when @to
 * closes. If it reads an 'r' it releases the sampler and answers 'r'.
 */
static pid_t start_child(int *from, int *to)
{
	int up[2], down[2];
	char byte = 0;
	pid_t pid;

	if (pipe(up) || pipe(down))
		give_up("no pipe");
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(down[1]);
		close(up[0]);
		if (set_collection(EGL_ACQUIRE_EVENTS_BRCM))
			byte = 'y';
		else if (eglGetError() == EGL_BAD_ACCESS)
			byte = 'n';
		if (write(up[1], &byte, 1) != 1 || read(down[0], &byte, 1) < 0)
			_exit(3);
		if (byte == 'r')
			set_collection(EGL_RELEASE_EVENTS_BRCM);
		if (byte == 'r' && (write(up[1], "r", 1) != 1 || read(down[0], &byte, 1) < 0))
			_exit(3);
		_exit(0);
	}
	close(up[1]);
	close(down[0]);
	*from = up[0];
	*to = down[1];
	return pid;
}

static char read_reply(int from)
{
	char byte = 0;

	return read(from, &byte, 1) == 1 ? byte : 0;
}

static void end_child(pid_t pid, int from, int to)
{
	close(to);
	close(from);
	waitpid(pid, NULL, 0);
}

/* Another process can acquire the sampler when its owner releases it, ends, or is killed. */
static void exclusive(void)
{
	int from, to;
	pid_t pid = start_child(&from, &to);

	check("bem.acquire-exclusive", read_reply(from) == 'y', "another process acquires");
	check_egl("bem.acquire-exclusive", set_collection(EGL_ACQUIRE_EVENTS_BRCM), EGL_BAD_ACCESS,
		  "acquire while another process has it");
	check_egl("bem.acquire-exclusive", set_collection(EGL_START_EVENTS_BRCM), EGL_BAD_ACCESS,
		  "start while another process has it");
	check("bem.release", write(to, "r", 1) == 1 && read_reply(from) == 'r', "it releases");
	check_egl("bem.release", set_collection(EGL_ACQUIRE_EVENTS_BRCM), EGL_SUCCESS,
		  "acquire after that");
	end_child(pid, from, to);

	pid = start_child(&from, &to);
	check("bem.acquire-exclusive", read_reply(from) == 'n',
	      "a child of the owner gets BAD_ACCESS");
	set_collection(EGL_RELEASE_EVENTS_BRCM);
	end_child(pid, from, to);

	for (int kill_it = 0; kill_it < 2; kill_it++) {
		pid = start_child(&from, &to);
		read_reply(from);
		if (kill_it)
			kill(pid, SIGKILL);
		end_child(pid, from, to);
		check_egl("bem.owner-dies", set_collection(EGL_ACQUIRE_EVENTS_BRCM), EGL_SUCCESS,
			  kill_it ? "acquire after the owner was killed"
				  : "acquire after the owner ended");
		set_collection(EGL_RELEASE_EVENTS_BRCM);
	}
}

/* The sampler dies with its owner, even if a child of the owner lives on. */
static void owner_with_child(void)
{
	int from[2], to[2];
	char byte;
	pid_t pid;

	if (pipe(from) || pipe(to))
		give_up("no pipe");
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(to[1]);
		if (!set_collection(EGL_ACQUIRE_EVENTS_BRCM))
			_exit(1);
		if (fork() == 0) {
			/*
			 * Report that fork() has returned, and wait until the test closes its end.
			 */
			if (write(from[1], "y", 1) != 1)
				_exit(3);
			_exit(read(to[0], &byte, 1) != 0);
		}
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	check("bem.owner-dies", read(from[0], &byte, 1) == 1,
	      "a process acquires, has a child, and ends");
	check_egl("bem.owner-dies", set_collection(EGL_ACQUIRE_EVENTS_BRCM), EGL_SUCCESS,
		  "acquire while the owner's child lives");
	set_collection(EGL_RELEASE_EVENTS_BRCM);
	close(to[1]);
	close(to[0]);
}

/*
 * A process without the privilege to see others' jobs acquires the same sampler. brcm_event_truth.c
 * tests what it sees.
 */
static void privilege(void)
{
	int from, to;
	pid_t pid = start_child(&from, &to);

	check("bem.privilege", read_reply(from) == 'y', "another process acquires");
	if (seteuid(NOBODY))
		give_up("no way to become nobody");
	check_egl("bem.privilege", set_collection(EGL_ACQUIRE_EVENTS_BRCM), EGL_BAD_ACCESS,
		  "acquire without CAP_PERFMON beside it");
	end_child(pid, from, to);
	check_egl("bem.privilege", set_collection(EGL_ACQUIRE_EVENTS_BRCM), EGL_SUCCESS,
		  "acquire without CAP_PERFMON after it");
	pid = start_child(&from, &to);
	check("bem.privilege", read_reply(from) == 'n',
	      "another process gets BAD_ACCESS beside one without CAP_PERFMON");
	end_child(pid, from, to);
	if (seteuid(0))
		give_up("no way back from being nobody");
	pid = start_child(&from, &to);
	check("bem.privilege", read_reply(from) == 'n', "and so does one with CAP_PERFMON");
	end_child(pid, from, to);
	set_collection(EGL_RELEASE_EVENTS_BRCM);
}

/* A job with one draw. */
static void job(void)
{
	draw_square(0, 1);
	glFlush();
}

static void draw_jobs(int count)
{
	for (int i = 0; i < count; i++)
		job();
	glFinish();
}

/* Draws before start and after stop are not collected; only eglGetEventDataBRCM clears what was. */
static void start_and_stop(void)
{
	struct batch batch;

	set_collection(EGL_ACQUIRE_EVENTS_BRCM);
	draw_jobs(3);
	batch = take_batch();
	check("bem.start", batch.count == 0, "nothing before start: %u events", batch.count);
	free_batch(&batch);

	set_collection(EGL_START_EVENTS_BRCM);
	draw_jobs(5);
	set_collection(EGL_STOP_EVENTS_BRCM);
	draw_jobs(7);
	set_collection(EGL_START_EVENTS_BRCM);
	draw_jobs(11);
	set_collection(EGL_STOP_EVENTS_BRCM);
	set_collection(EGL_RELEASE_EVENTS_BRCM);
	draw_jobs(13);
	batch = take_batch();
	check("bem.start",
	      count_events(&batch, "Flush") >= 16 && count_events(&batch, "Flush") < 16 + 5,
	      "what was drawn between start and stop, both times: %u flushes for 16 jobs",
	      count_events(&batch, "Flush"));
	check("bem.stop", count_events(&batch, "Job") >= 16 && count_events(&batch, "Job") < 16 + 5,
	      "%u jobs, and none of the others", count_events(&batch, "Job"));
	check("bem.data-reset", !batch.lost, "stop, start and release drop nothing");
	free_batch(&batch);
	batch = take_batch();
	check("bem.data-reset", batch.count == 0, "the call took all: %u are left", batch.count);
	free_batch(&batch);
}

/*
 * Sizes: asking changes nothing, and buffers of any size give the same events in the end. The
 * header of an event is 24 bytes, with its index at byte 16.
 */
static void pieces(void)
{
	EGLint size, again, null, got, sum = 0;
	EGLuint64BRCM now;
	EGLBoolean lost;
	uint8_t *data;
	bool whole = true;

	set_collection(EGL_ACQUIRE_EVENTS_BRCM);
	set_collection(EGL_START_EVENTS_BRCM);
	draw_jobs(10);
	set_collection(EGL_STOP_EVENTS_BRCM);
	check_egl("bem.data-size", get_data(0, NULL, &size, &lost, &now), EGL_SUCCESS, "the size");
	data = malloc(size + 1);
	memset(data, CANARY, size + 1);
	get_data(size, NULL, &null, NULL, NULL);
	get_data(0, data, &again, NULL, NULL);
	check("bem.data-size", size > 0 && size == again && size == null && data[0] == CANARY,
	      "%d bytes, %d if there is no room, %d if there is no place", size, again, null);

	get_data(23, data, &got, NULL, NULL);
	check("bem.data-whole", got == 0 && data[0] == CANARY, "23 bytes hold no event: %d", got);
	while (get_data(100, data, &got, NULL, NULL) && got) {
		EGLint bytes;
		uint32_t index;

		memcpy(&index, data + 16, 4);
		get_event_info(index, 0, NULL, NULL, &bytes);
		whole &= got <= 100 && got >= 24 + bytes && data[100] == CANARY;
		sum += got;
	}
	check("bem.data-whole", whole, "100 bytes at a time, whole events only");
	check("bem.data-left", sum == size, "%d bytes in pieces, %d together", sum, size);
	set_collection(EGL_RELEASE_EVENTS_BRCM);
	free(data);
}

/*
 * Overflow between two calls of the kernel's stream, which holds 1,024 records: reported once, then
 * collecting continues.
 */
static void losses(void)
{
	struct batch batch;
	EGLBoolean lost = 7;
	EGLint size;

	set_collection(EGL_ACQUIRE_EVENTS_BRCM);
	set_collection(EGL_START_EVENTS_BRCM);
	draw_jobs(20);
	batch = take_batch();
	check("bem.lost", !batch.lost, "20 jobs: nothing is lost");
	free_batch(&batch);
	draw_jobs(1100);
	get_data(0, NULL, &size, &lost, NULL);
	check("bem.lost", lost == EGL_TRUE, "1100 jobs between two calls: something is lost");
	batch = take_batch();
	check("bem.lost", batch.lost && count_events(&batch, "Job") >= 1000,
	      "it is reported with the data: %u jobs came", count_events(&batch, "Job"));
	free_batch(&batch);
	draw_jobs(20);
	batch = take_batch();
	check("bem.lost", !batch.lost && count_events(&batch, "Job") >= 20,
	      "and not once more: %u jobs", count_events(&batch, "Job"));
	set_collection(EGL_RELEASE_EVENTS_BRCM);
	free_batch(&batch);
}

/*
 * Uploads large enough to be events, which make no jobs. tests/gl/run switches Mesa's threaded
 * context off, which writes to idle buffers without the driver: there would be no events.
 */
static void upload(int count)
{
	static const char data[UPLOAD_BYTES];

	for (int i = 0; i < count; i++)
		glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(data), data);
}

/*
 * Overflow of the driver's ring while the kernel's is nearly empty: the events that fit are
 * delivered, the loss is reported once, and collecting continues.
 */
static void driver_losses(void)
{
	struct batch batch;
	GLuint buffer;

	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, UPLOAD_BYTES, NULL, GL_STATIC_DRAW);
	set_collection(EGL_ACQUIRE_EVENTS_BRCM);
	set_collection(EGL_START_EVENTS_BRCM);
	upload(DRIVER_RING);
	batch = take_batch();
	check("bem.lost", !batch.lost && count_events(&batch, "Upload") == DRIVER_RING,
	      "%u of %u uploads, as many as the driver's ring holds",
	      count_events(&batch, "Upload"), DRIVER_RING);
	free_batch(&batch);
	upload(DRIVER_RING + 100);
	batch = take_batch();
	check("bem.lost",
	      batch.lost && count_events(&batch, "Upload") == DRIVER_RING &&
		      count_events(&batch, "Job") == 0,
	      "100 more: something is lost, %u uploads came", count_events(&batch, "Upload"));
	free_batch(&batch);
	upload(20);
	batch = take_batch();
	check("bem.lost", !batch.lost && count_events(&batch, "Upload") == 20,
	      "and not once more: %u uploads", count_events(&batch, "Upload"));
	free_batch(&batch);
	set_collection(EGL_RELEASE_EVENTS_BRCM);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glDeleteBuffers(1, &buffer);
}

int main(void)
{
	functions();
	find_functions();
	without_display();
	strings();
	other_display();
	no_context();
	constants();
	names("tracks", track_name, get_constant(EGL_NUM_EVENT_TRACKS_BRCM));
	names("events", event_name, get_constant(EGL_NUM_EVENTS_BRCM));
	names("fields", field_name, 7); /* as many as a flush has */
	indices();
	sizes();
	collection_names();
	commands();
	exclusive();
	owner_with_child();
	privilege();

	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	make_target(64, 64);
	use_plain_program();
	draw_jobs(1);
	start_and_stop();
	pieces();
	losses();
	driver_losses();
	return end_checks();
}
