// SPDX-License-Identifier: MIT
/*
 * intruder PROCESS FILE may|must-not: try to learn something of the command groups of another
 * user's program, which works meanwhile, by every call and file that tells of groups.
 *
 * PROCESS is that program, FILE its file of groups. "may" is for a user with all privileges: an
 * attempt that needs no more than a privilege must succeed then, which shows that it is a real
 * attempt; "must-not" is for a user without any. Both submit empty jobs of their own, whose
 * counts are all zero: what is not zero is a part of the other program's work.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>

#include "client.h"

/* Own jobs while the other program works */
#define JOBS 64
/*
 * Number of guesses at another program's handles, queues, names and file descriptors: the kernel gives out
 * the lowest free numbers, so these are tried.
 */
#define GUESSES 64
/* Likewise for etnaviv's fences, which have rising numbers */
#define FENCES 4096
/* Where DRM's offsets for mmap() begin, in pages, and how many are tried */
#define FIRST_PAGE 0x100000ull
#define PAGES 2048
/* Bits of all types of records, from 1 to that of the close of a client */
#define ALL_TYPES (DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_CLIENT_CLOSE + 1) - 2)

/* What is known of the other program */
struct victim {
	pid_t pid;
	const char *file;
};

/* An own client */
struct own {
	int gpu;
	uint32_t queue;
	uint64_t client;
};

static void broken(const char *what)
{
	fprintf(stderr, "intruder: %s: %s\n", what, strerror(errno));
	exit(2);
}

static struct own open_own(void)
{
	struct own own = { .gpu = open_gpu() };

	own.queue = own.gpu < 0 ? 0 : make_queue(own.gpu);
	if (!own.queue)
		broken("no client of my own");
	own.client = fdinfo(own.gpu, "drm-client-id");
	return own;
}

/* Empty jobs, one after the other, with cookies like those that drivers give. */
static void run_jobs(const struct own *own, unsigned int count)
{
	static const uint32_t words[2] = { COMMAND_NOP };
	const struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = sizeof(words) };

	for (unsigned int i = 0; i < count; i++) {
		struct drm_vivgpu_submit args = {
			.queue = own->queue,
			.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
			.pieces = (uintptr_t)&piece,
			.nr_pieces = 1,
			.cookie = 1ull << 32 | i,
		};

		if (call(own->gpu, DRM_IOCTL_VIVGPU_SUBMIT, &args) || wait_fence(args.fence_fd, 10))
			broken("a job of my own");
		close(args.fence_fd);
	}
}

static int open_stream(const struct own *own, uint32_t flags, uint32_t exact_interval)
{
	struct drm_vivgpu_stream_open args = {
		.flags = flags,
		.types = ALL_TYPES,
		.record_size = sizeof(struct drm_vivgpu_record),
		.exact_interval = exact_interval,
	};

	return call(own->gpu, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args) ? -1 : args.fd;
}

/*
 * A record that tells of a foreign client, or of the work of one: own jobs count nothing, and a
 * process is named in streams of all clients only
 */
static bool is_foreign(const struct own *own, const struct drm_vivgpu_record *record)
{
	return (record->client && record->client != own->client) || record->vertices ||
	       record->primitives || record->fragments || record->pid;
}

/* Read what a stream has after jobs of our own, all of which must be there, and close it. */
static bool stream_tells(const struct own *own, int stream)
{
	struct drm_vivgpu_record record;
	unsigned int jobs = 0;
	bool foreign = false;

	run_jobs(own, JOBS);
	fcntl(stream, F_SETFL, O_NONBLOCK);
	while (read(stream, &record, sizeof(record)) == sizeof(record)) {
		foreign |= is_foreign(own, &record);
		jobs += record.type == DRM_VIVGPU_RECORD_JOB && record.client == own->client;
	}
	close(stream);
	if (jobs != JOBS)
		broken("records of my own");
	return foreign;
}

static bool own_records(const struct victim *victim)
{
	struct own own = open_own();
	uint64_t interval = 0;
	struct drm_vivgpu_get_param param = { .param = DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL };
	bool foreign;

	(void)victim;
	if (call(own.gpu, DRM_IOCTL_VIVGPU_GET_PARAM, &param) == 0)
		interval = param.value;
	foreign = stream_tells(&own, open_stream(&own, 0, 0)) ||
		  stream_tells(&own, open_stream(&own, DRM_VIVGPU_STREAM_COUNTS, 0)) ||
		  stream_tells(&own, open_stream(&own, DRM_VIVGPU_STREAM_COUNTS, interval));
	close(own.gpu);
	return foreign;
}

static bool all_records(const struct victim *victim)
{
	const uint32_t flags[] = { DRM_VIVGPU_STREAM_ALL,
				   DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_COUNTS };
	struct own own = open_own();
	bool foreign = false;

	(void)victim;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		int stream = open_stream(&own, flags[i], 0);

		foreign |= stream >= 0 && stream_tells(&own, stream);
	}
	close(own.gpu);
	return foreign;
}

static bool opens(uint32_t flags, uint32_t exact_interval)
{
	struct own own = open_own();
	int stream = open_stream(&own, flags, exact_interval);

	close(own.gpu);
	if (stream >= 0)
		close(stream);
	return stream >= 0;
}

static bool sampler(const struct victim *victim)
{
	(void)victim;
	return opens(DRM_VIVGPU_STREAM_EXCLUSIVE, 0);
}

static bool each_job_exact(const struct victim *victim)
{
	(void)victim;
	return opens(DRM_VIVGPU_STREAM_COUNTS, 1);
}

static bool usage(const struct own *own, uint32_t flags, uint64_t client,
		  struct drm_vivgpu_usage *totals)
{
	*totals = (struct drm_vivgpu_usage){ .flags = flags, .client = client };
	return call(own->gpu, DRM_IOCTL_VIVGPU_USAGE, totals) == 0;
}

static bool own_usage(const struct victim *victim)
{
	struct own own = open_own();
	int stream = open_stream(&own, DRM_VIVGPU_STREAM_COUNTS, 0);
	struct drm_vivgpu_usage totals;

	(void)victim;
	run_jobs(&own, JOBS);
	if (!usage(&own, 0, 0, &totals) || totals.client != own.client)
		broken("totals of my own");
	close(stream);
	close(own.gpu);
	return totals.clients != 1 || totals.submitted != JOBS || totals.vertices ||
	       totals.primitives || totals.fragments;
}

/* Clients have numbers in the order in which they were opened: the other one's is a lower one. */
static bool client_usage(const struct victim *victim)
{
	struct own own = open_own();
	struct drm_vivgpu_usage totals;
	bool foreign = false;

	(void)victim;
	for (uint64_t client = 0; client < own.client + GUESSES; client++)
		foreign |= client != own.client &&
			   usage(&own, DRM_VIVGPU_USAGE_CLIENT, client, &totals);
	close(own.gpu);
	return foreign;
}

static bool device_usage(const struct victim *victim)
{
	struct own own = open_own();
	struct drm_vivgpu_usage totals;
	bool given = usage(&own, DRM_VIVGPU_USAGE_DEVICE, 0, &totals);

	(void)victim;
	close(own.gpu);
	return given;
}

/* Fdinfo of an own file: figures of its own jobs, which count nothing. */
static bool own_fdinfo(const struct victim *victim)
{
	struct own own = open_own();
	int stream = open_stream(&own, DRM_VIVGPU_STREAM_COUNTS, 0);
	bool foreign;

	(void)victim;
	run_jobs(&own, JOBS);
	foreign = fdinfo(own.gpu, "vivgpu-jobs-3d") != JOBS ||
		  fdinfo(own.gpu, "vivgpu-vertices-3d") || fdinfo(own.gpu, "vivgpu-fragments-3d");
	close(stream);
	close(own.gpu);
	return foreign;
}

/*
 * Calls that name a buffer, with the handles that each file's first buffers have. An own file has
 * none, so that each call() must return ENOENT: anything else tells of a buffer.
 */
static bool handles(const struct victim *victim)
{
	int gpu = open_gpu();
	bool found = false;

	(void)victim;
	for (uint32_t handle = 1; handle <= GUESSES; handle++) {
		struct drm_vivgpu_bo_info info = { .handle = handle };
		struct drm_vivgpu_bo_prep prep = { .handle = handle, .op = DRM_VIVGPU_PREP_READ };
		struct drm_vivgpu_bo_fini fini = { .handle = handle };
		struct drm_vivgpu_bo_label label = { .handle = handle };
		struct drm_vivgpu_bo_madvise madvise = { .handle = handle };
		struct drm_vivgpu_bo_modifier modifier = { .handle = handle };
		struct drm_gem_open open_name = { .name = handle };
		struct drm_gem_flink flink = { .handle = handle };
		int fd;

		found |= call(gpu, DRM_IOCTL_VIVGPU_BO_INFO, &info) != ENOENT ||
			 call(gpu, DRM_IOCTL_VIVGPU_BO_PREP, &prep) != ENOENT ||
			 call(gpu, DRM_IOCTL_VIVGPU_BO_FINI, &fini) != ENOENT ||
			 call(gpu, DRM_IOCTL_VIVGPU_BO_LABEL, &label) != ENOENT ||
			 call(gpu, DRM_IOCTL_VIVGPU_BO_MADVISE, &madvise) != ENOENT ||
			 call(gpu, DRM_IOCTL_VIVGPU_BO_MODIFIER, &modifier) != ENOENT ||
			 !drmPrimeHandleToFD(gpu, handle, DRM_CLOEXEC, &fd) ||
			 !drmSyncobjHandleToFD(gpu, handle, &fd) ||
			 !call(gpu, DRM_IOCTL_GEM_OPEN, &open_name) ||
			 !call(gpu, DRM_IOCTL_GEM_FLINK, &flink);
	}
	close(gpu);
	return found;
}

static bool queues(const struct victim *victim)
{
	int gpu = open_gpu();
	bool found = false;

	(void)victim;
	for (uint32_t queue = 1; queue <= GUESSES; queue++) {
		struct drm_vivgpu_submit submit = { .queue = queue };
		struct drm_vivgpu_queue_destroy destroy = { .queue = queue };
		struct drm_vivgpu_reset_query query = { .queue = queue };

		found |= call(gpu, DRM_IOCTL_VIVGPU_SUBMIT, &submit) != ENOENT ||
			 call(gpu, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy) != ENOENT ||
			 call(gpu, DRM_IOCTL_VIVGPU_RESET_QUERY, &query) != ENOENT;
	}
	close(gpu);
	return found;
}

/* etnaviv's fences: a job of another client would be one that is not over. */
static bool fences(const struct victim *victim)
{
	int gpu = open_gpu();
	bool found = false;

	(void)victim;
	for (uint32_t fence = 1; fence <= FENCES; fence++) {
		struct drm_etnaviv_wait_fence wait = { .fence = fence,
						       .flags = ETNA_WAIT_NONBLOCK };

		found |= call(gpu, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &wait) != 0;
	}
	close(gpu);
	return found;
}

/* The exact count of an own job that does nothing. */
static uint64_t count_job(const struct own *own, uint32_t domain, uint32_t signal)
{
	static const uint32_t words[2] = { COMMAND_NOP };
	const struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = sizeof(words) };
	uint32_t handle = make_bo(own->gpu, 4096);
	const struct drm_vivgpu_submit_bo bo = { handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	const struct drm_vivgpu_counter counter = { .domain = domain, .signal = signal };
	struct drm_vivgpu_submit args = {
		.queue = own->queue,
		.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)&bo,
		.nr_bos = 1,
		.counters = (uintptr_t)&counter,
		.nr_counters = 1,
	};
	uint64_t va, count, *map = map_bo(own->gpu, handle, 4096, &va);

	if (!map || call(own->gpu, DRM_IOCTL_VIVGPU_SUBMIT, &args) || wait_fence(args.fence_fd, 10))
		broken("a counter of my own");
	count = *map;
	close(args.fence_fd);
	munmap(map, 4096);
	drmCloseBufferHandle(own->gpu, handle);
	return count;
}

/* Counters of vertices, primitives and fragments; those of cycles and of bytes count anyhow. */
static bool counters(const struct victim *victim)
{
	static const char *const names[] = { "PA", "RA", "SH", "PE" };
	struct drm_vivgpu_perf_domain domain = { 0 };
	struct own own = open_own();
	unsigned int tried = 0;
	bool foreign = false;

	(void)victim;
	for (; call(own.gpu, DRM_IOCTL_VIVGPU_PERF_DOMAIN, &domain) == 0; domain.domain++) {
		bool wanted = false;

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			wanted |= strcmp(domain.name, names[i]) == 0;
		for (uint32_t i = 0; wanted && i < domain.nr_signals; i++) {
			struct drm_vivgpu_perf_signal signal = { .domain = domain.domain,
								 .signal = i };

			if (call(own.gpu, DRM_IOCTL_VIVGPU_PERF_SIGNAL, &signal) ||
			    signal.unit != DRM_VIVGPU_UNIT_COUNT)
				continue;
			tried++;
			foreign |= count_job(&own, domain.domain, i) != 0;
		}
	}
	if (!tried)
		broken("no counters");
	close(own.gpu);
	return foreign;
}

/* Buffers of other files, by their offsets for mmap(). */
static bool mappings(const struct victim *victim)
{
	int gpu = open_gpu();
	bool found = false;

	(void)victim;
	for (uint64_t page = FIRST_PAGE; page < FIRST_PAGE + PAGES; page++)
		found |= mmap(NULL, 4096, PROT_READ, MAP_SHARED, gpu, page << 12) != MAP_FAILED;
	close(gpu);
	return found;
}

static bool opens_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * A process's files in /proc that show its use of the GPU, its variables or its memory: a byte of a
 * file, or of a folder a third entry, after its own and its parent's.
 */
static bool process_files(const struct victim *victim)
{
	static const char *const names[] = {
		"fd", "fdinfo", "environ", "maps", "mem", "map_files"
	};
	bool found = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[64], byte;
		int fd;

		snprintf(path, sizeof(path), "/proc/%d/%s", victim->pid, names[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0) {
			DIR *folder = fdopendir(fd);

			found |= folder ? readdir(folder) && readdir(folder) && readdir(folder)
					: read(fd, &byte, 1) == 1;
			folder ? closedir(folder) : close(fd);
		}
	}
	return found;
}

/* A file that the program has open, the device's among them. */
static bool descriptors(const struct victim *victim)
{
	int process = syscall(SYS_pidfd_open, victim->pid, 0);
	bool found = false;

	if (process < 0)
		broken("pidfd_open");
	for (int i = 0; i < GUESSES; i++) {
		int fd = syscall(SYS_pidfd_getfd, process, i, 0);

		found |= fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	close(process);
	return found;
}

static bool group_file(const struct victim *victim)
{
	char folder[256], *name;
	int notify = inotify_init1(IN_CLOEXEC);
	bool found;

	snprintf(folder, sizeof(folder), "%s", victim->file);
	name = dirname(folder);
	found = opens_file(victim->file) || opens_file(name) || access(victim->file, F_OK) == 0 ||
		inotify_add_watch(notify, name, IN_ALL_EVENTS) >= 0 ||
		link(victim->file, "/tmp/intruder.groups") == 0;
	close(notify);
	return found;
}

/* Sockets and shared memory with the driver's name would be ways into the program; it has none. */
static bool shared(const struct victim *victim)
{
	FILE *sockets = fopen("/proc/net/unix", "r");
	DIR *memory = opendir("/dev/shm");
	struct dirent *entry;
	bool found = false;
	char line[512];

	(void)victim;
	while (sockets && fgets(line, sizeof(line), sockets))
		found |= strstr(line, "vivgpu") != NULL;
	while (memory && (entry = readdir(memory)))
		found |= strstr(entry->d_name, "vivgpu") != NULL;
	if (sockets)
		fclose(sockets);
	if (memory)
		closedir(memory);
	return found;
}

static bool debugfs(const struct victim *victim)
{
	(void)victim;
	return opens_file("/sys/kernel/debug/dri/0/usage") ||
	       opens_file("/sys/kernel/debug/dri/0/streams") ||
	       opens_file("/sys/kernel/debug/dri/0/ring") || opens_file("/sys/kernel/debug/dri");
}

static bool tracing(const struct victim *victim)
{
	(void)victim;
	return opens_file("/sys/kernel/tracing/trace") ||
	       opens_file("/sys/kernel/tracing/events/vivgpu/vivgpu_done/id");
}

/* An attempt: true if it revealed something of the other program */
struct attempt {
	const char *name;
	bool (*run)(const struct victim *victim);
	/* It succeeds with all privileges */
	bool privileged;
};

static const struct attempt attempts[] = {
	{ "the own stream of records, with counts and without", own_records, false },
	{ "the stream of all clients' records", all_records, true },
	{ "the exclusive sampler", sampler, true },
	{ "each job exact", each_job_exact, true },
	{ "the own totals", own_usage, false },
	{ "another client's totals", client_usage, true },
	{ "the device's totals", device_usage, true },
	{ "fdinfo of an own file", own_fdinfo, false },
	{ "exact counters of own jobs", counters, false },
	{ "guessed handles of buffers and sync objects", handles, false },
	{ "guessed queues", queues, false },
	{ "guessed fences", fences, false },
	{ "guessed mappings", mappings, false },
	{ "the program's files in /proc", process_files, true },
	{ "the program's file descriptors", descriptors, true },
	{ "the program's file of groups", group_file, true },
	{ "sockets and shared memory", shared, false },
	{ "debugfs", debugfs, true },
	{ "the kernel's trace", tracing, true },
};

int main(int argc, char **argv)
{
	bool may = argc == 4 && strcmp(argv[3], "may") == 0;
	struct victim victim;

	if (argc != 4 || (!may && strcmp(argv[3], "must-not") != 0)) {
		fprintf(stderr, "usage: intruder PROCESS FILE may|must-not\n");
		return 2;
	}
	victim = (struct victim){ .pid = atoi(argv[1]), .file = argv[2] };
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		const struct attempt *attempt = &attempts[i];
		bool expected = may && attempt->privileged;

		check(attempt->run(&victim) == expected, "%s: %s", attempt->name,
		      expected ? "tells" : "tells nothing");
	}
	return end_checks();
}
