// SPDX-License-Identifier: MIT
/*
 * memory: buffers are mapped for DMA before anybody can write to them; they keep their GPU address
 * while a client has a handle; those marked as not needed are purged when memory is short, and no
 * others. Dropping the kernel's caches makes each shrinker free all it can. Runs in the guest, as
 * root.
 *
 * memory closing: only a handle that is closed amid a submit, on a driver with a planted line that
 *	takes half a second in a submit (tests/kernel/run).
 * memory handles: only the addresses of buffers that two clients have handles of.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <linux/udmabuf.h>

#include "../sw_sync.h"
#include "fill.h"

#define SIZE (1 << 20)
#define DROP_CACHES "/proc/sys/vm/drop_caches"
#define DROP_SLAB "2\n"
#define DMA_MAPPINGS "/sys/kernel/debug/dma-api/dump"
#define UNKNOWN_HANDLE 12345
#define FLUSHES 5
#define VALUE 0x77777777u

static sigjmp_buf after_fault;

static void on_bus_error(int number)
{
	siglongjmp(after_fault, number);
}

/* True if reading a word raises SIGBUS. */
static bool faults(const volatile uint32_t *word)
{
	bool fault;

	signal(SIGBUS, on_bus_error);
	fault = sigsetjmp(after_fault, 1) != 0;
	if (!fault)
		(void)*word;
	signal(SIGBUS, SIG_DFL);
	return fault;
}

/* 1 if the contents are there, 0 if they are lost; a negative error number. */
static int advise(const struct client *client, uint32_t handle, uint32_t madv)
{
	struct drm_vivgpu_bo_madvise args = { .handle = handle, .madv = madv };
	int error = call(client->fd, DRM_IOCTL_VIVGPU_BO_MADVISE, &args);

	return error ? -error : (int)args.retained;
}

/* As if memory was short: all shrinkers free what they can. */
static bool need_memory(void)
{
	return write_file(DROP_CACHES, DROP_SLAB) == 0;
}

/* A sync_file that signals when its timeline makes a step; -1 on failure. */
static int make_fence(int timeline)
{
	struct sw_sync_create_fence_data data = { .value = 1, .name = "later" };

	return ioctl(timeline, SW_SYNC_IOC_CREATE_FENCE, &data) == 0 ? data.fence : -1;
}

/*
 * A job that fills a buffer, after the sync_file @fence, which is closed here, or at once if that
 * is -1; the error number.
 */
static int fill_after(const struct client *client, const struct buffer *buffer, uint32_t sync,
		      int fence)
{
	struct fill area = { (uint32_t)buffer->va, 16, 4, VALUE };
	struct drm_vivgpu_submit_bo bo = { buffer->handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_sync out = { .handle = sync };
	struct drm_vivgpu_submit args = {
		.bos = (uintptr_t)&bo,
		.nr_bos = 1,
		.out_syncs = (uintptr_t)&out,
		.nr_out_syncs = 1,
		.flags = fence >= 0 ? DRM_VIVGPU_SUBMIT_FENCE_FD_IN : 0,
		.fence_fd = fence,
	};
	static struct stream stream;
	int error;

	stream.count = 0;
	add_fill(&stream, &area);
	error = submit_stream(client, &args, &stream);
	if (fence >= 0)
		close(fence);
	return error;
}

static int fill(const struct client *client, const struct buffer *buffer, uint32_t sync)
{
	return fill_after(client, buffer, sync, -1);
}

static void test_arguments(const struct client *client)
{
	struct buffer buffer = make_buffer(client->fd, 4096);
	struct drm_vivgpu_bo_madvise pad = { .handle = buffer.handle, .pad = 1 };

	check(advise(client, buffer.handle, 2) == -EINVAL, "unknown advice");
	check(advise(client, UNKNOWN_HANDLE, DRM_VIVGPU_MADV_DONTNEED) == -ENOENT,
	      "advice on nothing");
	check(call(client->fd, DRM_IOCTL_VIVGPU_BO_MADVISE, &pad) == EINVAL,
	      "a pad that is not zero");
	free_buffer(client->fd, &buffer);
}

static void test_purge(const struct client *client)
{
	struct buffer gone = make_buffer(client->fd, SIZE), kept = make_buffer(client->fd, SIZE);
	uint32_t sync = make_sync(client->fd);
	uint64_t purgeable = fdinfo(client->fd, "drm-purgeable-memory");

	gone.map[7] = kept.map[7] = 42;
	check(fill(client, &gone, sync) == 0 && fill(client, &kept, sync) == 0 &&
		      wait_sync(client->fd, sync, 10) == 0,
	      "two buffers are used");
	check(advise(client, gone.handle, DRM_VIVGPU_MADV_DONTNEED) == 1 &&
		      advise(client, kept.handle, DRM_VIVGPU_MADV_DONTNEED) == 1,
	      "they are not needed");
	check(fdinfo(client->fd, "drm-purgeable-memory") > purgeable, "fdinfo counts them");
	check(advise(client, kept.handle, DRM_VIVGPU_MADV_WILLNEED) == 1, "one is needed again");
	check(need_memory(), "memory is short");
	check(advise(client, gone.handle, DRM_VIVGPU_MADV_WILLNEED) == 0, "the other one is lost");
	check(advise(client, kept.handle, DRM_VIVGPU_MADV_WILLNEED) == 1 &&
		      kept.map[0] == 0x77777777,
	      "the needed one is not");
	check(faults(&gone.map[7]) && !faults(&kept.map[7]), "the processor's accesses");
	check(fill(client, &gone, sync) == EFAULT, "a job with the lost one");
	check(fill(client, &kept, sync) == 0 && wait_sync(client->fd, sync, 10) == 0,
	      "a job with the other");
	free_buffer(client->fd, &gone);
	free_buffer(client->fd, &kept);
}

/* A buffer that a job uses is kept until the job has ended. */
static void test_busy(const struct client *client)
{
	struct buffer buffer = make_buffer(client->fd, SIZE);
	uint32_t sync = make_sync(client->fd), one = 1;
	int timeline = open(SW_SYNC, O_RDWR);

	check(timeline >= 0 && fill_after(client, &buffer, sync, make_fence(timeline)) == 0,
	      "a job that waits for a fence");
	check(advise(client, buffer.handle, DRM_VIVGPU_MADV_DONTNEED) == 1 && need_memory(),
	      "memory is short while it waits");
	check(advise(client, buffer.handle, DRM_VIVGPU_MADV_WILLNEED) == 1, "it is kept");
	check(ioctl(timeline, SW_SYNC_IOC_INC, &one) == 0 && wait_sync(client->fd, sync, 10) == 0,
	      "the job is over");
	close(timeline);
	check(advise(client, buffer.handle, DRM_VIVGPU_MADV_DONTNEED) == 1 && need_memory() &&
		      advise(client, buffer.handle, DRM_VIVGPU_MADV_WILLNEED) == 0,
	      "then it goes");
	free_buffer(client->fd, &buffer);
}

/* A buffer that was exported is never purged. */
static void test_shared(const struct client *client)
{
	struct buffer buffer = make_buffer(client->fd, SIZE);
	uint32_t sync = make_sync(client->fd);
	int fd = -1;

	check(fill(client, &buffer, sync) == 0 && wait_sync(client->fd, sync, 10) == 0 &&
		      drmPrimeHandleToFD(client->fd, buffer.handle, DRM_CLOEXEC, &fd) == 0,
	      "export a buffer");
	check(advise(client, buffer.handle, DRM_VIVGPU_MADV_DONTNEED) == 1 && need_memory() &&
		      advise(client, buffer.handle, DRM_VIVGPU_MADV_WILLNEED) == 1,
	      "it is kept");
	close(fd);
	free_buffer(client->fd, &buffer);
}

/* Memory of this process as a dma-buf, at @map; -1 on failure. */
static int make_udmabuf(uint32_t **map)
{
	int memory = memfd_create("import", MFD_ALLOW_SEALING), device, fd;
	struct udmabuf_create create = { .memfd = memory, .size = SIZE };

	if (ftruncate(memory, SIZE) || fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK))
		return -1;
	*map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	device = open("/dev/udmabuf", O_RDWR);
	fd = ioctl(device, UDMABUF_CREATE, &create);
	close(device);
	close(memory);
	return *map == MAP_FAILED ? -1 : fd;
}

/* A job that takes a moment; the error number. */
static int submit_flushes(const struct client *client, uint32_t sync)
{
	uint32_t words[FLUSHES * FLUSH_WORDS];

	for (int i = 0; i < FLUSHES; i++)
		put_flush(words + i * FLUSH_WORDS);
	return submit(client->fd, client->queue, words, sizeof(words), 0, sync);
}

/* A NOP with a buffer, and with @points timestamp points in it; the error number. */
static int submit_handle(const struct client *client, uint32_t handle, uint32_t points)
{
	uint32_t words[2] = { COMMAND_NOP, 0 };
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = sizeof(words) };
	struct drm_vivgpu_submit_bo bo = { handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_point point = { 0 };
	struct drm_vivgpu_submit args = {
		.queue = client->queue,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)&bo,
		.nr_bos = 1,
		.points = (uintptr_t)&point,
		.nr_points = points,
		.fence_fd = -1,
	};

	return call(client->fd, DRM_IOCTL_VIVGPU_SUBMIT, &args);
}

/*
 * A client draws into another driver's memory and goes while the next client's job
 * runs, which so is the last user of the address space and the buffer.
 */
static void test_import(const struct client *other)
{
	struct client client = open_client();
	struct drm_vivgpu_bo_info info = { 0 };
	uint32_t *map = NULL, sync = make_sync(client.fd), behind = make_sync(other->fd);
	struct buffer buffer = { .size = SIZE };
	int fd = make_udmabuf(&map);

	check(fd >= 0 && drmPrimeFDToHandle(client.fd, fd, &info.handle) == 0 &&
		      call(client.fd, DRM_IOCTL_VIVGPU_BO_INFO, &info) == 0,
	      "import memory of a process");
	close(fd);
	buffer.handle = info.handle;
	buffer.va = info.va;
	check(let_sleep(false) && fill(&client, &buffer, sync) == 0 &&
		      wait_sync(client.fd, sync, 10) == 0,
	      "draw into it");
	check(map[0] == VALUE, "what was drawn is there");
	check(submit_handle(&client, buffer.handle, 1) == EINVAL, "no timestamp point in it");
	check(card("slow 1000000") && submit_flushes(other, behind) == 0, "another client's job");
	close_client(&client);
	check(card("slow 100") && wait_sync(other->fd, behind, 20) == 0,
	      "is done, the first is gone");
	check(let_sleep(true), "the core may sleep");
	munmap(map, SIZE);
}

/* Buffers that are mapped for the GPU, of all clients. */
static int count_mappings(void)
{
	FILE *file = popen("cat /sys/kernel/debug/dri/128/mmu", "r");
	char line[128];
	int count = 0;

	while (file && fgets(line, sizeof(line), file))
		count += strncmp(line, "  ", 2) == 0;
	return file && pclose(file) == 0 ? count : -1;
}

/* A buffer's address in a client's address space; 0 on failure. */
static uint64_t find_address(const struct client *client, uint32_t handle)
{
	struct drm_vivgpu_bo_info info = { .handle = handle };

	return call(client->fd, DRM_IOCTL_VIVGPU_BO_INFO, &info) == 0 ? info.va : 0;
}

/*
 * Two clients have a handle of one buffer. One closes its own, and makes another buffer, which
 * would get the address if it were free. The other client's jobs write where they did. With an MMU
 * of version 1 both clients' jobs use one mapping.
 */
static void test_handles(const struct client *client)
{
	struct client other = open_client();
	uint32_t sync = make_sync(other.fd);
	int before = count_mappings(), fd = -1;
	struct buffer first = make_buffer(client->fd, SIZE), second;
	struct buffer shared = { .size = SIZE };

	check(drmPrimeHandleToFD(client->fd, first.handle, DRM_CLOEXEC, &fd) == 0 &&
		      drmPrimeFDToHandle(other.fd, fd, &shared.handle) == 0,
	      "another client gets a handle of a buffer");
	close(fd);
	shared.va = find_address(&other, shared.handle);
	check(drmCloseBufferHandle(client->fd, first.handle) == 0, "the first one closes its own");
	second = make_buffer(client->fd, SIZE);
	check(shared.va && find_address(&other, shared.handle) == shared.va,
	      "the other's address stays");
	check(fill(&other, &shared, sync) == 0 && wait_sync(other.fd, sync, 10) == 0,
	      "the other draws into it");
	check(first.map[0] == VALUE && second.map[0] == 0,
	      "and not into what was made since: %x %x", first.map[0], second.map[0]);
	munmap(first.map, SIZE);
	free_buffer(client->fd, &second);
	check(drmCloseBufferHandle(other.fd, shared.handle) == 0, "the last handle goes");
	check(count_mappings() == before, "%d buffers are mapped, before %d", count_mappings(),
	      before);
	close_client(&other);
}

struct late_submit {
	const struct client *client;
	uint32_t handle;
	int error;
};

static void *submit_late(void *data)
{
	struct late_submit *late = data;

	late->error = submit_handle(late->client, late->handle, 0);
	return NULL;
}

/*
 * A handle is closed while a submit has looked it up but not yet mapped the buffer, on a
 * driver that takes half a second in between. The buffer does not stay.
 */
static void test_closing(const struct client *client)
{
	struct drm_vivgpu_bo_create create = { .size = SIZE };
	struct late_submit late = { .client = client };
	int before = count_mappings();
	pthread_t thread;

	check(before >= 0 && call(client->fd, DRM_IOCTL_VIVGPU_BO_CREATE, &create) == 0,
	      "a buffer that is not mapped");
	late.handle = create.handle;
	pthread_create(&thread, NULL, submit_late, &late);
	usleep(100000);
	check(drmCloseBufferHandle(client->fd, create.handle) == 0, "close it amid a submit");
	pthread_join(thread, NULL);
	check(late.error == ENOENT, "the submit finds no such buffer: %d", late.error);
	check(count_mappings() == before, "%d buffers are mapped, before %d", count_mappings(),
	      before);
}

/* Bytes that the driver has mapped for DMA, of all clients; 0 if the kernel does not tell. */
static uint64_t count_dma_bytes(void)
{
	FILE *file = fopen(DMA_MAPPINGS, "r");
	uint64_t bytes = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		const char *length = strstr(line, " L=");

		if (strncmp(line, "vivgpu ", 7) == 0 && length)
			bytes += strtoull(length + 3, NULL, 16);
	}
	if (file)
		fclose(file);
	return bytes;
}

/* A buffer that was created, and not used yet, with what is mapped for DMA before and now. */
struct new_buffer {
	uint32_t handle;
	uint64_t before, created;
};

static struct new_buffer create_buffer(const struct client *client, uint32_t flags)
{
	struct drm_vivgpu_bo_create create = { .size = SIZE, .flags = flags };
	struct new_buffer made = { .before = count_dma_bytes() };

	check(made.before && call(client->fd, DRM_IOCTL_VIVGPU_BO_CREATE, &create) == 0,
	      "a buffer of 1 MiB");
	made.handle = create.handle;
	made.created = count_dma_bytes();
	return made;
}

/* Whether it is mapped for DMA now, and then close it. */
static void check_mapped(const struct client *client, const struct new_buffer *made,
			 const char *what)
{
	uint64_t now = count_dma_bytes();

	check(now == made->before + SIZE, "%s: %lld KiB more are mapped for DMA", what,
	      (long long)(now - made->before) / 1024);
	drmCloseBufferHandle(client->fd, made->handle);
	check(count_dma_bytes() == made->before, "%s: closed, and not mapped any more", what);
}

/* A mapping by the processor, with the offset from etnaviv's call, which needs no GPU address. */
static void test_dma_mmap(const struct client *client)
{
	struct new_buffer made = create_buffer(client, 0);
	struct drm_etnaviv_gem_info info = { .handle = made.handle };
	int error = call(client->fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &info);
	void *map;

	check(made.created == made.before, "it has no memory yet");
	map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, client->fd, info.offset);
	check(error == 0 && map != MAP_FAILED, "map it");
	munmap(map, SIZE);
	check_mapped(client, &made, "mmap()");
}

static void test_dma_export(const struct client *client)
{
	struct new_buffer made = create_buffer(client, 0);
	int fd = -1;

	check(drmPrimeHandleToFD(client->fd, made.handle, DRM_CLOEXEC, &fd) == 0, "export it");
	close(fd);
	check_mapped(client, &made, "export");
}

static void test_dma_scanout(const struct client *client)
{
	struct new_buffer made = create_buffer(client, DRM_VIVGPU_BO_SCANOUT);

	check_mapped(client, &made, "for scan-out");
}

/* The driver writes the numbers of ended jobs. */
static void test_dma_progress(const struct client *client)
{
	struct new_buffer made = create_buffer(client, 0);
	struct drm_vivgpu_queue_create create = { .priority = DRM_VIVGPU_PRIORITY_NORMAL,
						  .progress = made.handle };
	struct drm_vivgpu_queue_destroy destroy = { 0 };

	check(call(client->fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) == 0, "of a queue");
	destroy.queue = create.queue;
	check(call(client->fd, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy) == 0,
	      "which goes, the buffer stays");
	check_mapped(client, &made, "for the numbers of jobs");
}

int main(int argc, char **argv)
{
	struct client client = open_client();

	if (argc > 1) {
		if (strcmp(argv[1], "closing") == 0)
			test_closing(&client);
		else
			test_handles(&client);
		close_client(&client);
		return end_checks();
	}

	test_handles(&client);
	test_dma_mmap(&client);
	test_dma_export(&client);
	test_dma_scanout(&client);
	test_dma_progress(&client);
	test_arguments(&client);
	test_purge(&client);
	test_busy(&client);
	test_shared(&client);
	test_import(&client);
	close_client(&client);
	return end_checks();
}
