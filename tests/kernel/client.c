// SPDX-License-Identifier: MIT
/* Common functions of the kernel driver's test clients. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "client.h"

#include "../../tools/render_node.h"

#define STATE_FLUSH_CACHE 0x380c
#define FLUSH_DEPTH_AND_COLOR 3
#define STATE_SEMAPHORE 0x3808
#define TOKEN_FE_TO_PE 0x701
#define COMMAND_STALL 0x48000000u

static unsigned passed, failed;

void check(bool good, const char *format, ...)
{
	va_list args;

	if (good)
		passed++;
	else
		failed++;
	printf("%s ", good ? "ok   " : "FAIL ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

int end_checks(void)
{
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed ? 1 : 0;
}

int open_gpu(void)
{
	return open_render_node("vivgpu", NULL);
}

int call(int gpu, unsigned long request, void *data)
{
	return drmIoctl(gpu, request, data) == 0 ? 0 : errno;
}

int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

bool is_suspended(void)
{
	char state[32] = "";
	int fd = open("/sys/class/drm/renderD128/device/power/runtime_status", O_RDONLY);

	if (fd >= 0 && read(fd, state, sizeof(state) - 1) < 0)
		state[0] = 0;
	if (fd >= 0)
		close(fd);
	return strcmp(state, "suspended\n") == 0;
}

uint32_t make_queue(int gpu)
{
	struct drm_vivgpu_queue_create create = { .priority = DRM_VIVGPU_PRIORITY_NORMAL };

	return call(gpu, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) == 0 ? create.queue : 0;
}

uint32_t make_bo(int gpu, uint64_t size)
{
	struct drm_vivgpu_bo_create create = { .size = size };

	return call(gpu, DRM_IOCTL_VIVGPU_BO_CREATE, &create) == 0 ? create.handle : 0;
}

void *map_bo(int gpu, uint32_t handle, uint64_t size, uint64_t *va)
{
	struct drm_vivgpu_bo_info info = { .handle = handle };
	void *map;

	if (call(gpu, DRM_IOCTL_VIVGPU_BO_INFO, &info))
		return NULL;
	*va = info.va;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu, info.offset);
	return map == MAP_FAILED ? NULL : map;
}

int submit(int gpu, uint32_t queue, const uint32_t *words, uint32_t size, uint32_t in, uint32_t out)
{
	return submit_hinted(gpu, queue, words, size, in, out, (struct hints){ 0 });
}

int submit_hinted(int gpu, uint32_t queue, const uint32_t *words, uint32_t size, uint32_t in,
		  uint32_t out, struct hints hints)
{
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = size };
	struct drm_vivgpu_sync in_sync = { .handle = in }, out_sync = { .handle = out };
	struct drm_vivgpu_submit args = {
		.queue = queue,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.in_syncs = (uintptr_t)&in_sync,
		.nr_in_syncs = in != 0,
		.out_syncs = (uintptr_t)&out_sync,
		.nr_out_syncs = out != 0,
		.deadline_ns = hints.deadline_ns,
		.cost_ns = hints.cost_ns,
	};

	return call(gpu, DRM_IOCTL_VIVGPU_SUBMIT, &args);
}

void put_flush(uint32_t *words)
{
	const uint32_t flush[FLUSH_WORDS] = {
		COMMAND_LOAD(STATE_FLUSH_CACHE, 1),
		FLUSH_DEPTH_AND_COLOR,
		COMMAND_LOAD(STATE_SEMAPHORE, 1),
		TOKEN_FE_TO_PE,
		COMMAND_STALL,
		TOKEN_FE_TO_PE,
	};

	memcpy(words, flush, sizeof(flush));
}

int submit_nop(int gpu, uint32_t queue, uint32_t in, uint32_t out)
{
	const uint32_t words[2] = { COMMAND_NOP, 0 };

	return submit(gpu, queue, words, sizeof(words), in, out);
}

int wait_sync(int gpu, uint32_t sync, int seconds)
{
	return -drmSyncobjWait(gpu, &sync, 1, now_ns() + seconds * SECOND_NS,
			       DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL);
}

int submit_fence(int gpu, uint32_t queue, int *fence)
{
	const uint32_t words[2] = { COMMAND_NOP, 0 };
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = sizeof(words) };
	struct drm_vivgpu_submit args = {
		.queue = queue,
		.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
	};
	int error = call(gpu, DRM_IOCTL_VIVGPU_SUBMIT, &args);

	*fence = error ? -1 : args.fence_fd;
	return error;
}

int wait_fence(int fence, int seconds)
{
	struct sync_file_info info = { .num_fences = 0 };
	struct pollfd poller = { .fd = fence, .events = POLLIN };

	if (poll(&poller, 1, seconds * 1000) != 1)
		return -ETIMEDOUT;
	if (ioctl(fence, SYNC_IOC_FILE_INFO, &info) != 0)
		return -errno;
	return info.status < 0 ? info.status : 0;
}

uint64_t fdinfo(int gpu, const char *key)
{
	unsigned long long value = 0;
	char path[64], line[256];
	size_t length = strlen(key);
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", gpu);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, key, length) == 0 && line[length] == ':') {
			char *unit;

			value = strtoull(line + length + 1, &unit, 0);
			value <<= strncmp(unit, " KiB", 4) == 0   ? 10
				  : strncmp(unit, " MiB", 4) == 0 ? 20
								  : 0;
		}
	if (file)
		fclose(file);
	return value;
}

int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), error = 0;

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		error = errno;
	if (fd >= 0)
		close(fd);
	return error;
}

bool wait_log(const char *text, int seconds)
{
	int64_t end = now_ns() + seconds * SECOND_NS;
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	struct pollfd poller = { .fd = log, .events = POLLIN };
	bool found = false;
	char line[1024];

	while (log >= 0 && !found && now_ns() < end) {
		ssize_t size = read(log, line, sizeof(line) - 1);

		if (size < 0 && errno == EAGAIN)
			poll(&poller, 1, 100);
		line[size > 0 ? size : 0] = 0;
		found = strstr(line, text);
	}
	close(log);
	return found;
}

bool let_sleep(bool may)
{
	return write_file("/sys/class/drm/renderD128/device/power/control", may ? "auto" : "on") ==
	       0;
}

static FILE *cardctl(const char *command)
{
	char line[512];

	fflush(stdout);
	snprintf(line, sizeof(line), "%s %s", getenv("CARDCTL") ?: "vivgpu-cardctl", command);
	return popen(line, "r");
}

bool card(const char *command)
{
	FILE *pipe = cardctl(command);
	char line[256];

	while (pipe && fgets(line, sizeof(line), pipe))
		;
	return pipe && pclose(pipe) == 0;
}

uint64_t card_total(const char *name)
{
	FILE *pipe = cardctl("stats");
	size_t length = strlen(name);
	uint64_t value = 0;
	char line[256];

	while (pipe && fgets(line, sizeof(line), pipe))
		if (strncmp(line, name, length) == 0 && line[length] == ' ')
			value = strtoull(line + length, NULL, 0);
	if (pipe)
		pclose(pipe);
	return value;
}
