// SPDX-License-Identifier: MIT
/* Common functions of the vivgpu tests; see igt_vivgpu.h. */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

/* Longer than any job here takes on a loaded machine, including resets */
#define RUN_TIMEOUT (60 * IGT_VIVGPU_SECOND)
#define SPIN_ROWS 1024u /* of 1 KiB: 1 MiB */

int64_t igt_vivgpu_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * IGT_VIVGPU_SECOND + now.tv_nsec;
}

void igt_vivgpu_sleep(int64_t ns)
{
	struct timespec time = { ns / IGT_VIVGPU_SECOND, ns % IGT_VIVGPU_SECOND };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

static bool is_vivgpu(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool is = version && strcmp(version->name, "vivgpu") == 0;

	drmFreeVersion(version);
	return is;
}

int igt_vivgpu_open(void)
{
	int fd = drm_open_driver_render(DRIVER_ANY);

	igt_require_f(is_vivgpu(fd), "the device is not one of vivgpu\n");
	return fd;
}

int igt_vivgpu_reopen(int fd)
{
	char path[64];
	int other;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	other = open(path, O_RDWR | O_CLOEXEC);
	igt_assert_f(other >= 0, "open %s: %s\n", path, strerror(errno));
	return other;
}

void igt_vivgpu_subtests(const struct igt_vivgpu_test *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		igt_describe(tests[i].text);
		igt_subtest(tests[i].name)
		{
			int fd = igt_vivgpu_open();

			tests[i].run(fd);
			drm_close_driver(fd);
		}
	}
}

int __igt_vivgpu_ioctl(int fd, unsigned long request, void *data)
{
	return drmIoctl(fd, request, data) == 0 ? 0 : -errno;
}

uint64_t igt_vivgpu_param(int fd, uint32_t param)
{
	struct drm_vivgpu_get_param get = { .param = param };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &get), 0);
	return get.value;
}

int __igt_vivgpu_bo_create(int fd, uint64_t size, uint32_t flags, uint32_t *handle)
{
	struct drm_vivgpu_bo_create create = { .size = size, .flags = flags };
	int ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_CREATE, &create);

	*handle = create.handle;
	return ret;
}

void igt_vivgpu_bo_init(struct igt_vivgpu_bo *bo, int fd, uint64_t size)
{
	struct drm_vivgpu_bo_info info = { 0 };

	memset(bo, 0, sizeof(*bo));
	bo->fd = fd;
	igt_assert_eq(__igt_vivgpu_bo_create(fd, size, 0, &bo->handle), 0);
	info.handle = bo->handle;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_INFO, &info), 0);
	bo->size = info.size;
	bo->va = info.va;
	bo->map = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.offset);
	igt_assert(bo->map != MAP_FAILED);
}

void igt_vivgpu_bo_fini(struct igt_vivgpu_bo *bo)
{
	igt_assert_eq(munmap(bo->map, bo->size), 0);
	igt_assert_eq(drmCloseBufferHandle(bo->fd, bo->handle), 0);
}

int __igt_vivgpu_queue_create(int fd, uint32_t priority, uint32_t *queue)
{
	struct drm_vivgpu_queue_create create = { .priority = priority };
	int ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create);

	*queue = create.queue;
	return ret;
}

uint32_t igt_vivgpu_queue_create(int fd, uint32_t priority)
{
	uint32_t queue;

	igt_assert_eq(__igt_vivgpu_queue_create(fd, priority, &queue), 0);
	return queue;
}

int __igt_vivgpu_progress_queue_create(int fd, uint32_t handle, uint32_t *queue)
{
	struct drm_vivgpu_queue_create create = { .priority = DRM_VIVGPU_PRIORITY_NORMAL,
						  .progress = handle };
	int ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create);

	*queue = create.queue;
	return ret;
}

int __igt_vivgpu_reserve(int fd, uint64_t budget_ns, uint64_t period_ns, uint32_t *queue,
			 uint32_t *reason)
{
	struct drm_vivgpu_queue_create args = {
		.priority = DRM_VIVGPU_PRIORITY_NORMAL,
		.budget_ns = budget_ns,
		.period_ns = period_ns,
	};
	int ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &args);

	*queue = args.queue;
	*reason = args.reason;
	return ret;
}

int __igt_vivgpu_queue_destroy(int fd, uint32_t queue)
{
	struct drm_vivgpu_queue_destroy destroy = { .queue = queue };

	return __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy);
}

int __igt_vivgpu_submit(int fd, uint32_t queue, struct igt_vivgpu_job *job)
{
	struct drm_vivgpu_submit_bo bos[IGT_VIVGPU_MAX_BOS];
	struct drm_vivgpu_piece piece = {
		.words = (uintptr_t)job->stream->words,
		.size = job->stream->size * 4,
	};
	struct drm_vivgpu_sync in = { .handle = job->in_sync };
	struct drm_vivgpu_sync out = { .handle = job->out_sync };
	struct drm_vivgpu_submit submit = {
		.queue = queue,
		.flags = job->flags,
		.pieces = (uintptr_t)&piece,
		.bos = (uintptr_t)bos,
		.in_syncs = (uintptr_t)&in,
		.out_syncs = (uintptr_t)&out,
		.points = (uintptr_t)job->points,
		.nr_pieces = 1,
		.nr_bos = job->nr_bos,
		.nr_in_syncs = job->in_sync != 0,
		.nr_out_syncs = job->out_sync != 0,
		.nr_points = job->nr_points,
		.cookie = job->cookie,
		.deadline_ns = job->deadline_ns,
		.cost_ns = job->cost_ns,
		.bound_ns = job->bound_ns,
		.max_piece_ns = job->max_piece_ns,
	};
	unsigned long request = DRM_IOCTL_VIVGPU_SUBMIT;
	int ret;

	for (uint32_t i = 0; i < job->nr_bos; i++) {
		bos[i].handle = job->bos[i]->handle;
		bos[i].flags = DRM_VIVGPU_SUBMIT_BO_READ | DRM_VIVGPU_SUBMIT_BO_WRITE;
	}
	if (job->args_size)
		request = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE,
			       DRM_COMMAND_BASE + DRM_VIVGPU_SUBMIT, job->args_size);
	ret = __igt_vivgpu_ioctl(fd, request, &submit);
	job->number = submit.job;
	job->max_piece_ns = submit.max_piece_ns;
	return ret;
}

void igt_vivgpu_submit(int fd, uint32_t queue, struct igt_vivgpu_job *job)
{
	igt_assert_eq(__igt_vivgpu_submit(fd, queue, job), 0);
}

int __igt_vivgpu_run(int fd, uint32_t queue, const struct igt_vivgpu_stream *stream)
{
	struct igt_vivgpu_job job = { .stream = stream, .out_sync = igt_vivgpu_sync_create(fd) };
	int ret = __igt_vivgpu_submit(fd, queue, &job);

	if (ret == 0)
		igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, RUN_TIMEOUT));
	igt_vivgpu_sync_destroy(fd, job.out_sync);
	return ret;
}

void igt_vivgpu_run(int fd, uint32_t queue, struct igt_vivgpu_job *job)
{
	igt_assert_eq_u32(job->out_sync, 0);
	job->out_sync = igt_vivgpu_sync_create(fd);
	igt_vivgpu_submit(fd, queue, job);
	igt_assert(igt_vivgpu_sync_wait(fd, job->out_sync, RUN_TIMEOUT));
	igt_vivgpu_sync_destroy(fd, job->out_sync);
	job->out_sync = 0;
}

void igt_vivgpu_client_init(struct igt_vivgpu_client *client, int fd, uint64_t bytes)
{
	memset(client, 0, sizeof(*client));
	client->fd = fd;
	client->queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	igt_vivgpu_bo_init(&client->bo, fd, bytes);
	client->job.stream = &client->work;
	client->job.bos[0] = &client->bo;
	client->job.nr_bos = 1;
}

void igt_vivgpu_client_submit(struct igt_vivgpu_client *client)
{
	if (!client->job.out_sync)
		client->job.out_sync = igt_vivgpu_sync_create(client->fd);
	igt_vivgpu_submit(client->fd, client->queue, &client->job);
}

void igt_vivgpu_client_wait(const struct igt_vivgpu_client *client)
{
	igt_assert(igt_vivgpu_sync_wait(client->fd, client->job.out_sync, RUN_TIMEOUT));
}

uint32_t igt_vivgpu_sync_create(int fd)
{
	uint32_t sync = 0;

	igt_assert_eq(drmSyncobjCreate(fd, 0, &sync), 0);
	return sync;
}

void igt_vivgpu_sync_destroy(int fd, uint32_t sync)
{
	igt_assert_eq(drmSyncobjDestroy(fd, sync), 0);
}

bool igt_vivgpu_sync_wait(int fd, uint32_t sync, int64_t timeout_ns)
{
	int ret = drmSyncobjWait(fd, &sync, 1, igt_vivgpu_now() + timeout_ns, 0, NULL);

	igt_assert_f(ret == 0 || ret == -ETIME, "waiting failed: %s\n", strerror(-ret));
	return ret == 0;
}

int igt_vivgpu_sync_error(int fd, uint32_t sync)
{
	struct sync_file_info info = { 0 };
	int file = -1;

	igt_assert_eq(drmSyncobjExportSyncFile(fd, sync, &file), 0);
	igt_assert_eq(ioctl(file, SYNC_IOC_FILE_INFO, &info), 0);
	close(file);
	return info.status < 0 ? info.status : 0;
}

int __igt_vivgpu_stream_open(int fd, uint32_t flags, uint32_t types, int *stream)
{
	struct drm_vivgpu_stream_open args = { .flags = flags,
					       .types = types,
					       .record_size = sizeof(struct drm_vivgpu_record) };
	int ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args);

	*stream = ret ? -1 : args.fd;
	return ret;
}

int igt_vivgpu_counts_open(int fd, uint32_t flags, uint32_t exact_interval)
{
	struct drm_vivgpu_stream_open args = {
		.flags = flags | DRM_VIVGPU_STREAM_COUNTS,
		.types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
		.record_size = sizeof(struct drm_vivgpu_record),
		.exact_interval = exact_interval,
	};

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args), 0);
	return args.fd;
}

int __igt_vivgpu_totals(int fd, uint32_t flags, uint64_t client, struct drm_vivgpu_usage *usage)
{
	*usage = (struct drm_vivgpu_usage){ .flags = flags, .client = client };
	return __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_USAGE, usage);
}

struct drm_vivgpu_usage igt_vivgpu_totals(int fd, uint32_t flags)
{
	struct drm_vivgpu_usage usage;

	igt_assert_eq(__igt_vivgpu_totals(fd, flags, 0, &usage), 0);
	return usage;
}

void igt_vivgpu_spin_init(struct igt_vivgpu_stream *stream, const struct igt_vivgpu_bo *bo,
			  int64_t ns)
{
	/*
	 * The resolve engine fills about one pixel a clock. vivgpu_bo.c looks for the value of the
	 * fills.
	 */
	uint64_t clock = igt_vivgpu_param(bo->fd, DRM_VIVGPU_PARAM_CORE_CLOCK);
	uint64_t fill_ns = SPIN_ROWS * (IGT_VIVGPU_PITCH / 4) * IGT_VIVGPU_SECOND / clock;

	igt_assert_lte_u64(SPIN_ROWS * IGT_VIVGPU_PITCH, bo->size);
	stream->size = 0;
	igt_vivgpu_fill(stream, bo->va, SPIN_ROWS, 0x5a5a5a5a);
	while (ns > (int64_t)fill_ns) {
		igt_vivgpu_again(stream);
		ns -= fill_ns;
	}
}

static const char *card_program(void)
{
	const char *program = getenv("IGT_VIVGPU_CARDCTL");

	return program ? program : "vivgpu-cardctl";
}

/*
 * Send a command to the card and find a "name value" line of its reply; @room: bytes of @value.
 * Returns true if there is one.
 */
static bool ask_card(const char *command, const char *name, char *value, size_t room)
{
	char line[256], shell[512], format[128];
	bool found = false;
	FILE *pipe;

	igt_assert(snprintf(shell, sizeof(shell), "%s %s", card_program(), command) <
		   (int)sizeof(shell));
	snprintf(format, sizeof(format), "%s %%%zus", name, room - 1);
	pipe = popen(shell, "r");
	igt_assert(pipe);
	while (fgets(line, sizeof(line), pipe))
		found |= sscanf(line, format, value) == 1;
	return pclose(pipe) == 0 && found;
}

void igt_vivgpu_require_card(void)
{
	char mode[32];

	igt_require_f(ask_card("time", "mode", mode, sizeof(mode)), "no virtual card\n");
}

void igt_vivgpu_card(const char *format, ...)
{
	char command[256], shell[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	snprintf(shell, sizeof(shell), "%s %s", card_program(), command);
	igt_assert_f(system(shell) == 0, "the card refused '%s'\n", command);
}

uint64_t igt_vivgpu_card_total(const char *name)
{
	uint64_t value;

	igt_vivgpu_card_totals(&name, &value, 1);
	return value;
}

void igt_vivgpu_card_totals(const char *const *names, uint64_t *values, unsigned int count)
{
	char line[256], name[128], shell[512];
	unsigned int found = 0;
	unsigned long long value;
	FILE *pipe;

	igt_assert(snprintf(shell, sizeof(shell), "%s stats", card_program()) < (int)sizeof(shell));
	pipe = popen(shell, "r");
	igt_assert(pipe);
	while (fgets(line, sizeof(line), pipe)) {
		if (sscanf(line, "%127s %llu", name, &value) != 2)
			continue;
		for (unsigned int i = 0; i < count; i++) {
			if (strcmp(name, names[i]) != 0)
				continue;
			values[i] = value;
			found++;
		}
	}
	igt_assert_eq(pclose(pipe), 0);
	igt_assert_f(found == count, "no total '%s', or one beside it\n", names[0]);
}

bool igt_vivgpu_virtual_time(void)
{
	char mode[32];

	igt_assert(ask_card("time", "mode", mode, sizeof(mode)));
	return strcmp(mode, "virtual") == 0;
}
