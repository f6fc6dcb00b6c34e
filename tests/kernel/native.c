// SPDX-License-Identifier: MIT
/*
 * native: the basic calls of the kernel driver's own interface, with what they must do and what
 * they must refuse. Runs in the guest, on renderD128 and card0 of a GC3000.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <vivgpu_drm.h>
#include <xf86drm.h>

#define NOP 0x18000000u
#define LOAD_STATE(address) (0x08010000u | (address) >> 2)
#define STATE_MMU_CONFIGURATION 0x184
#define STATE_EVENT 0x3804
#define STATE_PIPE_SELECT 0x3800
#define STATE_SEMAPHORE 0x3808
#define COMMAND_LINK 0x40000002u
#define COMMAND_END 0x10000000u
#define COMMAND_STALL 0x48000000u
#define FE_TO_PE 0x0701u
#define COOKIE 0x123456789abcdefull
#define MARK_COOKIE 0xfeedull
#define EVENT_COOKIE 0xe7e27ull
#define ALL_RECORDS 0x3feu
/* All record types but those of clients, with which a stream begins */
#define GPU_RECORDS 0xfeu
#define SECOND_NS 1000000000ll

static unsigned passed, failed;
static int gpu;
static uint32_t queue;

static void check(bool good, const char *what)
{
	if (good)
		passed++;
	else
		failed++;
	printf("%s %s\n", good ? "ok   " : "FAIL ", what);
}

/* The call's error number, 0 if it succeeded. */
static int call(unsigned long request, void *data)
{
	return drmIoctl(gpu, request, data) == 0 ? 0 : errno;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static uint64_t param(uint32_t number)
{
	struct drm_vivgpu_get_param get = { .param = number };

	return call(DRM_IOCTL_VIVGPU_GET_PARAM, &get) == 0 ? get.value : 0;
}

static void test_params(void)
{
	struct drm_vivgpu_get_param get = { .param = 9999 };

	check(param(DRM_VIVGPU_PARAM_MODEL) == 0x3000, "the model is GC3000");
	check(param(DRM_VIVGPU_PARAM_MAX_POINTS) == 24, "24 timestamp points");
	check(param(DRM_VIVGPU_PARAM_STREAM_RECORDS) >= 256, "room for records");
	check(call(DRM_IOCTL_VIVGPU_GET_PARAM, &get) == EINVAL, "an unknown parameter");
	get = (struct drm_vivgpu_get_param){ .param = DRM_VIVGPU_PARAM_MODEL, .pad = 1 };
	check(call(DRM_IOCTL_VIVGPU_GET_PARAM, &get) == EINVAL, "a pad that is not zero");
}

static uint32_t make_bo(uint64_t size)
{
	struct drm_vivgpu_bo_create create = { .size = size };

	return call(DRM_IOCTL_VIVGPU_BO_CREATE, &create) == 0 ? create.handle : 0;
}

static void *map_bo(uint32_t handle, uint64_t *va)
{
	struct drm_vivgpu_bo_info info = { .handle = handle };

	if (call(DRM_IOCTL_VIVGPU_BO_INFO, &info))
		return NULL;
	*va = info.va;
	return mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu, info.offset);
}

static void test_bos(void)
{
	struct drm_vivgpu_bo_create none = { .size = 0 }, flags = { .size = 1, .flags = 8 };
	struct drm_vivgpu_bo_info info = { .handle = 12345 };
	struct drm_vivgpu_bo_prep prep = { .op = DRM_VIVGPU_PREP_WRITE };
	uint32_t a = make_bo(1), b = make_bo(8192);
	uint64_t va_a = 0, va_b = 0;
	void *map = map_bo(a, &va_a);

	check(a && b && map != MAP_FAILED, "allocate and map");
	map_bo(b, &va_b);
	check(va_a && va_b && va_a != va_b && va_a % 4096 == 0, "addresses");
	prep.handle = a;
	check(call(DRM_IOCTL_VIVGPU_BO_PREP, &prep) == 0, "prepare an idle buffer");
	check(call(DRM_IOCTL_VIVGPU_BO_CREATE, &none) == EINVAL, "a buffer of no size");
	check(call(DRM_IOCTL_VIVGPU_BO_CREATE, &flags) == EINVAL, "unknown flags");
	check(call(DRM_IOCTL_VIVGPU_BO_INFO, &info) == ENOENT, "an unknown handle");
	drmCloseBufferHandle(gpu, a);
	drmCloseBufferHandle(gpu, b);
}

/* A buffer with a name has two handles in one file: one goes, the address stays. */
static void test_two_handles(void)
{
	int render = gpu;
	struct drm_gem_flink flink = { 0 };
	struct drm_gem_open again = { 0 };
	uint64_t va = 0, later = 0, others = 0;
	uint32_t other;

	gpu = open("/dev/dri/card0", O_RDWR);
	flink.handle = make_bo(8192);
	check(map_bo(flink.handle, &va) != MAP_FAILED && va, "a buffer of the primary node");
	check(call(DRM_IOCTL_GEM_FLINK, &flink) == 0, "it gets a name");
	again.name = flink.name;
	check(call(DRM_IOCTL_GEM_OPEN, &again) == 0 && again.handle != flink.handle,
	      "and another handle by it");
	drmCloseBufferHandle(gpu, flink.handle);
	/* would get the first buffer's address if it were free */
	other = make_bo(8192);
	map_bo(other, &others);
	map_bo(again.handle, &later);
	check(later == va && others != va, "the address stays while one handle is left");
	close(gpu);
	gpu = render;
}

/* The queue that is made here is @queue, which all submits use after it. */
static void test_queues(void)
{
	uint32_t bad[2] = { LOAD_STATE(STATE_EVENT), 1 },
		 good[2] = { LOAD_STATE(STATE_PIPE_SELECT), 0 };
	struct drm_vivgpu_queue_create create = {
		.priority = DRM_VIVGPU_PRIORITY_NORMAL,
		.prologue = (uintptr_t)bad,
		.prologue_size = sizeof(bad),
	};
	struct drm_vivgpu_queue_destroy destroy = { .queue = 77 };

	check(call(DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) == EPERM, "a prologue with an event");
	create.prologue = (uintptr_t)good;
	check(call(DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) == 0, "a queue with a prologue");
	queue = create.queue;
	create.priority = 3;
	check(call(DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) == EINVAL, "an unknown priority");
	check(call(DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy) == ENOENT, "an unknown queue");
}

/* Submit words; the other arguments are in @submit. Returns the error number. */
static int submit_words(struct drm_vivgpu_submit *submit, const uint32_t *words, uint32_t size)
{
	/* static: @submit points at it for longer than this call */
	static struct drm_vivgpu_piece piece;

	piece = (struct drm_vivgpu_piece){ .words = (uintptr_t)words, .size = size };
	submit->queue = queue;
	submit->pieces = (uintptr_t)&piece;
	submit->nr_pieces = 1;
	return call(DRM_IOCTL_VIVGPU_SUBMIT, submit);
}

static int submit_one(uint32_t command, uint32_t argument)
{
	const uint32_t words[2] = { command, argument };
	struct drm_vivgpu_submit submit = { 0 };

	return submit_words(&submit, words, sizeof(words));
}

static void test_refusals(void)
{
	const uint32_t words[2] = { NOP, 0 };
	const uint32_t lonely[4] = { LOAD_STATE(STATE_SEMAPHORE), FE_TO_PE, NOP, 0 };
	struct drm_vivgpu_submit submit = { .flags = 1u << 30 }, semaphore = { 0 };

	check(submit_one(LOAD_STATE(STATE_EVENT), 1) == EPERM, "a forged event");
	check(submit_one(LOAD_STATE(STATE_MMU_CONFIGURATION), 1) == EPERM, "another page table");
	check(submit_one(COMMAND_LINK, 0x100000) == EPERM, "a jump out");
	check(submit_one(COMMAND_END, 0) == EPERM, "an end");
	check(submit_one(COMMAND_STALL, FE_TO_PE) == EPERM, "a stall without a semaphore");
	check(submit_words(&semaphore, lonely, sizeof(lonely)) == EPERM,
	      "a semaphore without a stall");
	check(submit_one(LOAD_STATE(STATE_PIPE_SELECT), 1) == EPERM, "the 2D pipe");
	check(submit_one(LOAD_STATE(0xa00) | 3u << 16, 0) == EINVAL, "a command cut off");
	check(submit_words(&submit, words, sizeof(words)) == EINVAL, "unknown flags");
	submit = (struct drm_vivgpu_submit){ .nr_points = 25 };
	check(submit_words(&submit, words, sizeof(words)) == EINVAL, "too many points");
	submit = (struct drm_vivgpu_submit){ 0 };
	check(submit_words(&submit, words, 4) == EINVAL, "half a command");
}

/* A job that signals a binary and a timeline sync object and a sync_file, and one that waits. */
static void test_fences(void)
{
	const uint32_t words[2] = { NOP, 0 };
	uint32_t binary = 0, timeline = 0;
	uint64_t point = 5;
	struct pollfd poller;

	drmSyncobjCreate(gpu, 0, &binary);
	drmSyncobjCreate(gpu, 0, &timeline);

	struct drm_vivgpu_sync syncs[2] = { { .handle = binary },
					    { .handle = timeline, .point = point } };
	struct drm_vivgpu_submit submit = {
		.out_syncs = (uintptr_t)syncs,
		.nr_out_syncs = 2,
		.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
	};

	check(submit_words(&submit, words, sizeof(words)) == 0, "submit");
	check(drmSyncobjWait(gpu, &binary, 1, now_ns() + 5 * SECOND_NS, 0, NULL) == 0,
	      "the binary sync object signals");
	check(drmSyncobjTimelineWait(gpu, &timeline, &point, 1, now_ns() + 5 * SECOND_NS, 0,
				     NULL) == 0,
	      "the timeline's point signals");
	poller = (struct pollfd){ .fd = submit.fence_fd, .events = POLLIN };
	check(poll(&poller, 1, 5000) == 1, "the sync_file signals");

	/*
	 * Waited for: if the job of test_points() ended with the same interrupt, it would have no
	 * cycles.
	 */
	submit = (struct drm_vivgpu_submit){ .in_syncs = (uintptr_t)syncs,
					     .nr_in_syncs = 2,
					     .out_syncs = (uintptr_t)syncs,
					     .nr_out_syncs = 1 };
	submit.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_IN;
	submit.fence_fd = poller.fd;
	check(submit_words(&submit, words, sizeof(words)) == 0, "wait for all three");
	check(drmSyncobjWait(gpu, &binary, 1, now_ns() + 5 * SECOND_NS, 0, NULL) == 0,
	      "the job that waited signals");
	close(poller.fd);
}

/* Two points around a NOP, written when the job's fence signals. */
static void test_points(int stream)
{
	const uint32_t words[6] = { NOP, 0, NOP, 0, NOP, 0 };
	uint32_t bo = make_bo(4096), sync = 0;
	uint64_t va, before = now_ns(), *out = map_bo(bo, &va);
	struct drm_vivgpu_submit_bo bos[1] = { { bo, DRM_VIVGPU_SUBMIT_BO_WRITE } };
	struct drm_vivgpu_point points[2] = { { .stream_offset = 0 },
					      { .stream_offset = 16, .bo_offset = 16 } };
	struct drm_vivgpu_record records[8];
	ssize_t size;
	bool found = false;

	drmSyncobjCreate(gpu, 0, &sync);

	struct drm_vivgpu_sync out_sync = { .handle = sync };
	struct drm_vivgpu_submit submit = {
		.bos = (uintptr_t)bos,
		.nr_bos = 1,
		.points = (uintptr_t)points,
		.nr_points = 2,
		.out_syncs = (uintptr_t)&out_sync,
		.nr_out_syncs = 1,
		.cookie = COOKIE,
		.flags = DRM_VIVGPU_SUBMIT_LEFT_NS,
	};

	check(submit_words(&submit, words, sizeof(words)) == 0, "submit timestamp points");
	check(drmSyncobjWait(gpu, &sync, 1, now_ns() + 5 * SECOND_NS, 0, NULL) == 0,
	      "they are over");
	check(submit.entered_ns >= before && submit.left_ns >= submit.entered_ns &&
		      (int64_t)submit.left_ns <= now_ns(),
	      "when the call came and ended");
	check(out[0] >= before && out[2] >= out[0] && (int64_t)out[2] <= now_ns(),
	      "stamps in order");
	check(out[1] && out[3] >= out[1], "cycles in order");

	size = read(stream, records, sizeof(records));
	for (int i = 0; i < (int)(size / (ssize_t)sizeof(*records)); i++) {
		const struct drm_vivgpu_record *r = &records[i];

		if (r->type != DRM_VIVGPU_RECORD_JOB || r->cookie != COOKIE)
			continue;
		found = r->size == sizeof(*r) && r->job == submit.job &&
			r->submitted_ns <= r->queued_ns && r->started_ns <= r->finished_ns &&
			r->stream_size == sizeof(words) && r->finished_ns >= out[2] &&
			r->job_cycles > 0 && r->submitted_ns == submit.entered_ns;
	}
	check(found, "the job's record");

	points[0].bo_index = 1;
	submit.left_ns = 0;
	check(submit_words(&submit, words, sizeof(words)) == EINVAL, "a point in no buffer");
	check(submit.left_ns > out[2], "when a call that failed ended");
	points[0] = (struct drm_vivgpu_point){ .bo_offset = 4088 };
	check(submit_words(&submit, words, sizeof(words)) == EINVAL, "a point after the buffer");
	points[0] = (struct drm_vivgpu_point){ .stream_offset = 24 };
	check(submit_words(&submit, words, sizeof(words)) == EINVAL, "a point after the stream");
	drmCloseBufferHandle(gpu, bo);
}

static int open_stream(uint32_t flags, uint32_t types)
{
	struct drm_vivgpu_stream_open args = {
		.flags = flags,
		.types = types,
		.record_size = sizeof(struct drm_vivgpu_record),
	};
	int error = call(DRM_IOCTL_VIVGPU_STREAM_OPEN, &args);

	return error ? -error : args.fd;
}

static void test_streams(void)
{
	int sampler = open_stream(DRM_VIVGPU_STREAM_EXCLUSIVE, ALL_RECORDS);

	check(sampler >= 0, "be the sampler");
	check(open_stream(DRM_VIVGPU_STREAM_EXCLUSIVE, ALL_RECORDS) == -EBUSY,
	      "there is one sampler");
	close(sampler);
	sampler = open_stream(DRM_VIVGPU_STREAM_EXCLUSIVE, ALL_RECORDS);
	check(sampler >= 0, "be it again");
	close(sampler);
	check(open_stream(1u << 20, ALL_RECORDS) == -EINVAL, "unknown flags of a stream");
	check(open_stream(0, ALL_RECORDS | 1) == -EINVAL, "an unknown type of record");
	check(open_stream(0, ALL_RECORDS + 2) == -EINVAL, "a type after the last");
}

/* The next record of a stream; false if none comes within five seconds. */
static bool next_record(int stream, struct drm_vivgpu_record *record)
{
	struct pollfd poller = { .fd = stream, .events = POLLIN };

	return poll(&poller, 1, 5000) == 1 &&
	       read(stream, record, sizeof(*record)) == sizeof(*record);
}

/* A mark without a buffer, then an event: their records, in order. */
static void test_marks(void)
{
	const uint32_t words[4] = { NOP, 0, NOP, 0 };
	struct drm_vivgpu_point mark = {
		.stream_offset = 8,
		.cookie = MARK_COOKIE,
		.flags = DRM_VIVGPU_POINT_MARK | DRM_VIVGPU_POINT_NO_BO,
	};
	struct drm_vivgpu_submit submit = { .points = (uintptr_t)&mark, .nr_points = 1 };
	struct drm_vivgpu_submit event = { .queue = queue, .cookie = EVENT_COOKIE };
	struct drm_vivgpu_record record[3];
	int stream = open_stream(0, GPU_RECORDS);
	bool came = true;

	check(submit_words(&submit, words, sizeof(words)) == 0, "submit a mark");
	check(call(DRM_IOCTL_VIVGPU_SUBMIT, &event) == 0, "submit an event");
	for (int i = 0; i < 3; i++)
		came = came && next_record(stream, &record[i]);
	check(came && record[0].type == DRM_VIVGPU_RECORD_MARK && record[0].cookie == MARK_COOKIE &&
		      record[0].job == submit.job,
	      "the mark's record");
	check(came && record[1].type == DRM_VIVGPU_RECORD_JOB && record[1].job == submit.job &&
		      record[1].queue == queue && record[0].time_ns <= record[1].finished_ns &&
		      record[0].cycles <= record[1].cycles,
	      "the job's comes after it");
	check(came && record[2].type == DRM_VIVGPU_RECORD_EVENT && record[2].job == event.job &&
		      record[2].cookie == EVENT_COOKIE && record[2].stream_size == 0 &&
		      record[2].prologue_size == 0 && record[2].started_ns >= record[1].finished_ns,
	      "the event's record");
	check(came && record[1].sequence == record[0].sequence + 1 &&
		      record[2].sequence == record[1].sequence + 1,
	      "nothing is lost");
	close(stream);

	mark.flags = DRM_VIVGPU_POINT_NO_BO;
	check(submit_words(&submit, words, sizeof(words)) == EINVAL, "a point that says nothing");
	mark.flags = DRM_VIVGPU_POINT_MARK | DRM_VIVGPU_POINT_NO_BO | 4;
	check(submit_words(&submit, words, sizeof(words)) == EINVAL, "unknown flags of a point");
	event.points = (uintptr_t)&mark;
	event.nr_points = 1;
	check(call(DRM_IOCTL_VIVGPU_SUBMIT, &event) == EINVAL, "an event with a point");
}

static int label(uint32_t handle, const char *text, uint32_t length)
{
	struct drm_vivgpu_bo_label args = { handle, length, (uintptr_t)text };

	return call(DRM_IOCTL_VIVGPU_BO_LABEL, &args);
}

static void test_labels(void)
{
	char longest[DRM_VIVGPU_LABEL_MAX + 1];
	uint32_t bo = make_bo(4096);

	memset(longest, 'x', sizeof(longest));
	check(label(bo, "vertices", 8) == 0 && label(bo, longest, DRM_VIVGPU_LABEL_MAX) == 0 &&
		      label(bo, NULL, 0) == 0,
	      "label a buffer");
	check(label(bo, longest, DRM_VIVGPU_LABEL_MAX + 1) == EINVAL, "a label too long");
	check(label(bo, "a\0b", 3) == EINVAL, "a label with a zero in it");
	check(label(bo, NULL, 3) == EFAULT, "a label that is nowhere");
	check(label(12345, "vertices", 8) == ENOENT, "a label for nothing");
	drmCloseBufferHandle(gpu, bo);
}

/* Busy time from our own fdinfo. */
static uint64_t busy_ns(void)
{
	unsigned long long value = 0;
	char path[64], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", gpu);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "drm-engine-3d: %llu ns", &value) == 1)
			break;
	if (file)
		fclose(file);
	return value;
}

static void test_time(void)
{
	struct drm_vivgpu_get_time a = { 0 }, b = { 0 }, bad = { .flags = 1 };
	struct drm_vivgpu_reset_query query = { 0 };
	uint64_t busy = busy_ns();

	check(param(DRM_VIVGPU_PARAM_TIME_UNCERTAINTY) > 0 &&
		      param(DRM_VIVGPU_PARAM_TIME_UNCERTAINTY) < SECOND_NS,
	      "how late stamps are");
	check(busy > 0, "fdinfo has the time of our jobs");
	usleep(20000);
	check(busy_ns() == busy, "idle time counts as nothing");
	check(call(DRM_IOCTL_VIVGPU_GET_TIME, &a) == 0 &&
		      call(DRM_IOCTL_VIVGPU_GET_TIME, &b) == 0 && b.cpu_ns >= a.cpu_ns &&
		      b.gpu_cycles >= a.gpu_cycles,
	      "clocks go forward");
	check(a.uncertainty_ns > 0 && a.uncertainty_ns < SECOND_NS, "an uncertainty");
	check(call(DRM_IOCTL_VIVGPU_GET_TIME, &bad) == EINVAL, "unknown flags of the time");
	check(call(DRM_IOCTL_VIVGPU_RESET_QUERY, &query) == 0 && query.guilty == 0,
	      "guilty of nothing");
}

int main(void)
{
	int stream;

	gpu = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	if (gpu < 0) {
		perror("native: /dev/dri/renderD128");
		return 2;
	}

	test_params();
	test_bos();
	test_two_handles();
	test_queues();
	test_refusals();
	test_fences();
	stream = open_stream(0, DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB));
	check(stream >= 0, "open a stream of records");
	test_points(stream);
	test_streams();
	test_marks();
	test_labels();
	test_time();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed ? 1 : 0;
}
