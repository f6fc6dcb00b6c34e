// SPDX-License-Identifier: MIT
/*
 * gone: the device is removed while files are open and jobs run and wait. Runs in
 * the guest as root.
 *
 *	gone unbind	the driver is unbound, bound again, and at last unloaded
 *	gone recovering	it is unbound while it recovers from a hang; on a driver with planted
 *			lines (tests/kernel/run), which log "planted: recovering" then
 *	gone unload MODULES	it is unloaded right behind the last client, some of
 *			whose calls failed for lack of memory
 *	gone die	the card is pulled; every job ends, and later ones are refused
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../sw_sync.h"
#include "client.h"

#define JOBS 100
#define BO_SIZE 65536
#define UNLOADS 10
/* More than a submit of one command allocates. */
#define MAX_ALLOCATIONS 200
#define DRIVER "/sys/bus/pci/drivers/vivgpu"

/* Objects that are open when the device is removed */
struct open_things {
	int gpu;
	int stream;
	int dmabuf;
	uint32_t queue;
	uint32_t bo;
	uint32_t *map;
	/*
	 * what a job signals that waits for a fence of another driver; that fence's timeline, and
	 * the fence, which signals only after the device is gone
	 */
	uint32_t blocked;
	int timeline;
	int never;
	/* sync_files of that job, and of the next one in the queue */
	int waiting[2];
	/* sync object of the last of many jobs that wait for nothing */
	uint32_t last;
};

static int open_stream(int gpu)
{
	struct drm_vivgpu_stream_open args = {
		.types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_RESET),
	};

	return call(gpu, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args) == 0 ? args.fd : -1;
}

/*
 * A fence that signals when its timeline makes a step, or is closed. It must live longer than the
 * timeline: the kernel's sw_sync deadlocks when closing that gives the last reference away.
 */
static uint32_t make_never(struct open_things *t)
{
	struct sw_sync_create_fence_data create = { .value = 1 };
	uint32_t sync = 0;

	t->timeline = open(SW_SYNC, O_RDWR | O_CLOEXEC);
	if (t->timeline < 0 || drmIoctl(t->timeline, SW_SYNC_IOC_CREATE_FENCE, &create) != 0)
		return 0;
	t->never = create.fence;
	drmSyncobjCreate(t->gpu, 0, &sync);
	drmSyncobjImportSyncFile(t->gpu, sync, t->never);
	return sync;
}

static void close_all(struct open_things *t)
{
	close(t->timeline);
	close(t->never);
	close(t->dmabuf);
	munmap(t->map, BO_SIZE);
	close(t->stream);
	close(t->gpu);
}

static struct open_things open_all(void)
{
	struct open_things t = { .gpu = open_gpu(), .dmabuf = -1 };
	uint64_t va = 0;
	uint32_t other, never;
	int error = 0;

	t.queue = make_queue(t.gpu);
	other = make_queue(t.gpu);
	t.stream = open_stream(t.gpu);
	t.bo = make_bo(t.gpu, BO_SIZE);
	t.map = map_bo(t.gpu, t.bo, BO_SIZE, &va);
	drmPrimeHandleToFD(t.gpu, t.bo, O_CLOEXEC, &t.dmabuf);
	drmSyncobjCreate(t.gpu, 0, &t.blocked);
	drmSyncobjCreate(t.gpu, 0, &t.last);
	never = make_never(&t);
	t.waiting[0] = t.waiting[1] = -1;
	check(t.gpu >= 0 && t.queue && other && t.stream >= 0 && t.map && t.dmabuf >= 0 && never,
	      "all is open");
	if (t.map)
		t.map[0] = 42;
	error |= submit_nop(t.gpu, other, never, t.blocked);
	error |= drmSyncobjExportSyncFile(t.gpu, t.blocked, &t.waiting[0]);
	error |= submit_fence(t.gpu, other, &t.waiting[1]);
	for (int i = 0; i < JOBS && !error; i++)
		error = submit_nop(t.gpu, t.queue, 0, t.last);
	check(error == 0, "jobs run and wait");
	return t;
}

static void check_streams_end(const struct open_things *t)
{
	struct pollfd poller = { .fd = t->stream, .events = POLLIN };
	struct drm_vivgpu_record records[8];
	ssize_t size;

	check(poll(&poller, 1, 5000) == 1 && poller.revents & POLLHUP, "the stream hangs up");
	do
		size = read(t->stream, records, sizeof(records));
	while (size > 0);
	check(size < 0 && errno == ENODEV, "nothing more is read from it");
}

/* Each call on the old file. */
static void check_calls_fail(const struct open_things *t)
{
	struct drm_vivgpu_get_param param = { .param = DRM_VIVGPU_PARAM_MODEL };
	struct drm_vivgpu_bo_create create = { .size = 4096 };
	struct drm_vivgpu_get_time time = { 0 };
	struct drm_vivgpu_bo_prep prep = { .handle = t->bo, .op = DRM_VIVGPU_PREP_READ };
	struct drm_vivgpu_queue_create queue = { .priority = DRM_VIVGPU_PRIORITY_NORMAL };

	check(submit_nop(t->gpu, t->queue, 0, 0) == ENODEV, "submit gives ENODEV");
	check(call(t->gpu, DRM_IOCTL_VIVGPU_GET_PARAM, &param) == ENODEV, "so do parameters");
	check(call(t->gpu, DRM_IOCTL_VIVGPU_BO_CREATE, &create) == ENODEV, "and allocation");
	check(call(t->gpu, DRM_IOCTL_VIVGPU_GET_TIME, &time) == ENODEV, "and the time");
	check(call(t->gpu, DRM_IOCTL_VIVGPU_BO_PREP, &prep) == ENODEV, "and preparing");
	check(call(t->gpu, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &queue) == ENODEV, "and queues");
}

/* Jobs that wait for a fence do not run after it is signaled. */
static void check_waiting_fail(const struct open_things *t)
{
	uint32_t steps = 1;

	check(poll(&(struct pollfd){ .fd = t->waiting[0], .events = POLLIN }, 1, 0) == 0,
	      "a job still waits");
	check(ioctl(t->timeline, SW_SYNC_IOC_INC, &steps) == 0, "what it waits for comes");
	for (int i = 0; i < 2; i++)
		check(wait_fence(t->waiting[i], 60) == -ENODEV, "job %d fails with ENODEV", i);
}

/*
 * Only sync_files are left of jobs, device and file. They can be queried, and pin the module until
 * they are closed.
 */
static void check_fences_live(const struct open_things *t)
{
	struct sync_fence_info fence = { .status = 1 };
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };
	int unloaded;

	for (int i = 0; i < 2; i++)
		check(ioctl(t->waiting[i], SYNC_IOC_FILE_INFO, &info) == 0 &&
			      fence.status == -ENODEV &&
			      /* Later kernels use this name for all signalled fences. */
			      (strcmp(fence.obj_name, "vivgpu") == 0 ||
			       strcmp(fence.obj_name, "signaled-timeline") == 0),
		      "a sync_file of it is still one of %s", fence.obj_name);
	unloaded = syscall(SYS_delete_module, "vivgpu", O_NONBLOCK);
	check(unloaded == -1 && errno == EAGAIN, "it keeps the module");
	close(t->waiting[0]);
	close(t->waiting[1]);
	check(syscall(SYS_delete_module, "vivgpu", O_NONBLOCK) == 0, "without it the module goes");
}

/* The name of the PCI device that is bound. */
static bool find_device(char *name, size_t size)
{
	FILE *pipe = popen("basename $(ls -d " DRIVER "/*:*)", "r");
	bool found = pipe && fgets(name, size, pipe);

	if (pipe)
		pclose(pipe);
	name[strcspn(name, "\n")] = 0;
	return found;
}

static void test_unbind(void)
{
	struct open_things t = open_all();
	char device[64] = "";
	int gpu, fence = -1;

	check(find_device(device, sizeof(device)), "the driver has device %s", device);
	check(write_file(DRIVER "/unbind", device) == 0, "unbind");
	check_calls_fail(&t);
	check_streams_end(&t);
	check_waiting_fail(&t);
	check(t.map[0] == 42, "mapped memory stays");

	check(write_file(DRIVER "/bind", device) == 0, "bind again");
	gpu = open_gpu();
	/* Its job must be over: a job that is still pending would keep the module for a while. */
	check(gpu >= 0 && submit_fence(gpu, make_queue(gpu), &fence) == 0 &&
		      wait_fence(fence, 20) == 0,
	      "a new file works while old ones are open");
	close(fence);
	close_all(&t);
	close(gpu);
	check_fences_live(&t);
}

/* A job hangs while others are behind it in the ring and in the queue. */
static void test_recovering(void)
{
	int gpu = open_gpu(), fences[JOBS], status, error = 0, good = 0;
	uint32_t queue = make_queue(gpu);
	char device[64] = "";

	check(find_device(device, sizeof(device)), "the driver has device %s", device);
	check(let_sleep(false) && card("hang"), "a hang is to come");
	for (int i = 0; i < JOBS && !error; i++)
		error = submit_fence(gpu, queue, &fences[i]);
	check(error == 0, "%d jobs", JOBS);
	check(wait_log("planted: recovering", 20), "the driver recovers");
	check(write_file(DRIVER "/unbind", device) == 0, "unbind");
	for (int i = 0; i < JOBS; i++) {
		status = wait_fence(fences[i], 20);
		good += status == -ENODEV || status == 0 || (i == 0 && status == -ETIME);
		close(fences[i]);
	}
	check(good == JOBS, "%d jobs ended as they should", good);
	check(submit_nop(gpu, queue, 0, 0) == ENODEV, "submit gives ENODEV");
	close(gpu);

	check(write_file(DRIVER "/bind", device) == 0, "bind again");
	gpu = open_gpu();
	check(submit_fence(gpu, make_queue(gpu), &fences[0]) == 0 && wait_fence(fences[0], 20) == 0,
	      "a new file works");
	close(fences[0]);
	close(gpu);
}

/*
 * One submit that returns a sync_file, in which allocation number @n fails, by the file @fail_nth.
 * Returns: whether there were so many.
 */
static bool submit_without_memory(int gpu, uint32_t queue, int fail_nth, unsigned n)
{
	char word[16];
	int fence = -1, rest, error;

	snprintf(word, sizeof(word), "%u", n);
	pwrite(fail_nth, word, strlen(word), 0);
	error = submit_fence(gpu, queue, &fence);
	memset(word, 0, sizeof(word));
	pread(fail_nth, word, sizeof(word) - 1, 0);
	rest = atoi(word);
	pwrite(fail_nth, "0", 1, 0);
	if (!error)
		close(fence);
	else if (error != ENOMEM)
		check(false, "allocation %u fails: %d", n, error);
	return !rest;
}

/* A client whose allocations fail one after the other; all its jobs end. */
static void be_short_of_memory(void)
{
	int gpu = open_gpu(), fail_nth = open("/proc/thread-self/fail-nth", O_RDWR);
	uint32_t queue = make_queue(gpu), sync = 0;
	unsigned n = 1;

	write_file("/sys/kernel/debug/failslab/ignore-gfp-wait", "N");
	write_file("/sys/kernel/debug/failslab/verbose", "0");
	while (n < MAX_ALLOCATIONS && submit_without_memory(gpu, queue, fail_nth, n))
		n++;
	check(n > 1 && n < MAX_ALLOCATIONS, "%u allocations of a submit failed", n - 1);
	drmSyncobjCreate(gpu, 0, &sync);
	check(submit_nop(gpu, queue, 0, sync) == 0 && wait_sync(gpu, sync, 10) == 0, "a good job");
	close(fail_nth);
	close(gpu);
}

/* No reference remains after the client's close. */
static void test_unload(const char *modules)
{
	char command[256];

	snprintf(command, sizeof(command), "modprobe -d %s vivgpu", modules);
	for (int i = 0; i < UNLOADS; i++) {
		be_short_of_memory();
		check(syscall(SYS_delete_module, "vivgpu", O_NONBLOCK) == 0,
		      "unload the module at once (%d)", errno);
		check(system(command) == 0, "and load it again");
	}
}

static void test_die(void)
{
	struct open_things t = open_all();
	int error, status, fence = -1;

	card("die");
	/* The driver notices by the next job, or by the bus before that. */
	error = submit_fence(t.gpu, t.queue, &fence);
	check(error == 0 || error == ENODEV, "one more job is taken or refused");
	status = error ? -error : wait_fence(fence, 60);
	check(status == -ENODEV || status == -ETIME, "it fails (%d)", status);
	check(submit_nop(t.gpu, t.queue, 0, 0) == ENODEV, "submit gives ENODEV");
	close(fence);
	close_all(&t);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "unbind") == 0) {
		test_unbind();
	} else if (argc == 2 && strcmp(argv[1], "die") == 0) {
		test_die();
	} else if (argc == 2 && strcmp(argv[1], "recovering") == 0) {
		test_recovering();
	} else if (argc == 3 && strcmp(argv[1], "unload") == 0) {
		test_unload(argv[2]);
	} else {
		fprintf(stderr, "usage: gone unbind | recovering | unload MODULES | die\n");
		return 2;
	}
	return end_checks();
}
