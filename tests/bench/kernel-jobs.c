// SPDX-License-Identifier: MIT
/*
 * kernel-jobs: what jobs cost on a kernel driver, etnaviv's or ours, whichever
 * has the card. The same jobs go through each driver's own calls. Part of
 * `make bench`.
 *
 *	kernel-jobs [SCALE]	lines "name value"; SCALE times the usual number of jobs
 *	kernel-jobs marked [N]	lines "name times"; each is done so often between two
 *				calls that kernel-steps knows; only the first N of them
 *	kernel-jobs marked waiting N	the same for submits while N jobs wait
 *
 * Times are the guest's. Accesses of registers and interrupts are the card's own
 * counts, asked for through vivgpu-cardctl (environment: CARDCTL).
 */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <vivgpu_drm.h>
#include <xf86drm.h>

#include "../../tools/render_node.h"

#define COMMAND_NOP 0x18000000u
#define COMMAND_END 0x10000000u
#define COMMAND_LOAD(address, count) (0x08000000u | (count) << 16 | (address) >> 2)
/* A state every driver lets clients load, in blocks of a usual size: a header and 7 words. */
#define STATE_PS_UNIFORMS 0x7000
#define BLOCK_WORDS 8
#define BUFFERS 100
#define BUFFER_BYTES 4096
#define CLIENTS 16
/* Jobs a client leaves in flight. */
#define WINDOW 16
/*
 * Jobs of most counts of instructions: so many that slabs, which some of the jobs allocate, have
 * their share.
 */
#define COUNTED 32
/* Clients with jobs that wait (each has two queues), and submits that are counted meanwhile */
#define LINES 24
#define SELECTED 8u
/* Records that streams hold; they are never read, and a record that is dropped would cost less. */
#define RING_RECORDS 16384
/* Comparisons within one run */
#define TURNS 5
/* The cost that a hint tells */
#define HINT_NS (SECOND_NS / 1000)
#define WAIT_SECONDS 600
/* Calls between two readings of the clock. */
#define GROUP 8
#define STREAM_KIB 64
#define STREAM_WORDS (STREAM_KIB * 1024 / 4)
#define SECOND_NS 1000000000ll

static const uint32_t nops[4] = { COMMAND_NOP, 0, COMMAND_NOP, 0 };

/* An open device, with what either driver's calls need. */
struct gpu {
	const struct driver *driver;
	int fd;
	uint32_t queue;
	uint32_t fences[WINDOW];           /* numbers by job */
	uint32_t syncs[WINDOW];            /* sync objects likewise, ours only */
	const volatile uint32_t *progress; /* by queue, the last job that has ended, ours only */
	uint32_t buffers[BUFFERS];
	uint32_t nr_buffers;   /* that each job uses */
	const uint32_t *words; /* of each job */
	uint32_t bytes;
	uint64_t deadline_ns, cost_ns; /* hints of each job; 0: none */
};

/*
 * A driver's own calls; each returns an error number. The fence that submit() sets is an element of
 * gpu->fences, by whose index vivgpu_submit() takes the sync object.
 */
struct driver {
	const char *name;
	int (*prepare)(struct gpu *gpu);
	int (*new_buffer)(struct gpu *gpu, uint32_t *handle);
	int (*submit)(struct gpu *gpu, const uint32_t *words, uint32_t bytes, uint32_t *fence);
	int (*wait)(struct gpu *gpu, uint32_t fence);
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static int call(int fd, unsigned long request, void *data)
{
	return drmIoctl(fd, request, data) == 0 ? 0 : errno;
}

/*
 * Deadline of waits: long after the run. Reading the clock for each wait would cost as much as the
 * wait itself.
 */
static int64_t deadline_ns(void)
{
	static int64_t end;

	if (!end)
		end = now_ns() + WAIT_SECONDS * SECOND_NS;
	return end;
}

/* End with a message when something goes wrong, so that no incomplete results are printed. */
static void must(int error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "kernel-jobs: %s: %s\n", what, strerror(error));
	exit(1);
}

/* ---- etnaviv ---- */

static int etnaviv_prepare(struct gpu *gpu)
{
	return 0;
}

static int etnaviv_new_buffer(struct gpu *gpu, uint32_t *handle)
{
	struct drm_etnaviv_gem_new args = { .size = BUFFER_BYTES, .flags = ETNA_BO_WC };
	int error = call(gpu->fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &args);

	*handle = args.handle;
	return error;
}

static int etnaviv_submit(struct gpu *gpu, const uint32_t *words, uint32_t bytes, uint32_t *fence)
{
	struct drm_etnaviv_gem_submit_bo bos[BUFFERS];
	struct drm_etnaviv_gem_submit args = {
		.exec_state = ETNA_PIPE_3D,
		.bos = (uintptr_t)bos,
		.nr_bos = gpu->nr_buffers,
		.stream = (uintptr_t)words,
		.stream_size = bytes,
	};
	int error;

	for (uint32_t i = 0; i < gpu->nr_buffers; i++)
		bos[i] = (struct drm_etnaviv_gem_submit_bo){ .flags = ETNA_SUBMIT_BO_READ,
							     .handle = gpu->buffers[i] };
	error = call(gpu->fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &args);
	*fence = args.fence;
	return error;
}

static int etnaviv_wait(struct gpu *gpu, uint32_t fence)
{
	int64_t end = deadline_ns();
	struct drm_etnaviv_wait_fence args = {
		.fence = fence,
		.timeout = { .tv_sec = end / SECOND_NS, .tv_nsec = end % SECOND_NS },
	};

	return call(gpu->fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &args);
}

/* ---- vivgpu ---- */

static int vivgpu_new_buffer(struct gpu *gpu, uint32_t *handle)
{
	struct drm_vivgpu_bo_create args = { .size = BUFFER_BYTES };
	int error = call(gpu->fd, DRM_IOCTL_VIVGPU_BO_CREATE, &args);

	*handle = args.handle;
	return error;
}

/* Map a new buffer for the numbers of ended jobs. */
static int vivgpu_map_progress(struct gpu *gpu, uint32_t *handle)
{
	struct drm_vivgpu_bo_info info = { 0 };
	int error = vivgpu_new_buffer(gpu, handle);
	void *words;

	info.handle = *handle;
	error = error ?: call(gpu->fd, DRM_IOCTL_VIVGPU_BO_INFO, &info);
	if (error)
		return error;
	words = mmap(NULL, BUFFER_BYTES, PROT_READ, MAP_SHARED, gpu->fd, info.offset);
	gpu->progress = words;
	return words == MAP_FAILED ? errno : 0;
}

static int vivgpu_prepare(struct gpu *gpu)
{
	struct drm_vivgpu_queue_create args = { .priority = DRM_VIVGPU_PRIORITY_NORMAL };
	int error = vivgpu_map_progress(gpu, &args.progress);

	error = error ?: call(gpu->fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &args);
	gpu->queue = args.queue;
	for (int i = 0; !error && i < WINDOW; i++)
		error = -drmSyncobjCreate(gpu->fd, 0, &gpu->syncs[i]);
	return error;
}

/* With implicit synchronisation, as etnaviv's submit has it, and a sync object, as Mesa's submits have. */
static int vivgpu_submit(struct gpu *gpu, const uint32_t *words, uint32_t bytes, uint32_t *fence)
{
	struct drm_vivgpu_submit_bo bos[BUFFERS];
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = bytes };
	struct drm_vivgpu_sync out = { .handle = gpu->syncs[fence - gpu->fences] };
	struct drm_vivgpu_submit args = {
		.queue = gpu->queue,
		.flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)bos,
		.nr_bos = gpu->nr_buffers,
		.out_syncs = (uintptr_t)&out,
		.nr_out_syncs = 1,
		.deadline_ns = gpu->deadline_ns,
		.cost_ns = gpu->cost_ns,
	};
	int error;

	for (uint32_t i = 0; i < gpu->nr_buffers; i++)
		bos[i] = (struct drm_vivgpu_submit_bo){ .handle = gpu->buffers[i],
							.flags = DRM_VIVGPU_SUBMIT_BO_READ };
	error = call(gpu->fd, DRM_IOCTL_VIVGPU_SUBMIT, &args);
	*fence = args.job;
	return error;
}

/* As Mesa's driver waits: without a call if the job has ended. */
static int vivgpu_wait(struct gpu *gpu, uint32_t fence)
{
	struct drm_vivgpu_job_wait args = {
		.queue = gpu->queue,
		.job = fence,
		.timeout_ns = deadline_ns(),
	};

	if ((int32_t)(gpu->progress[gpu->queue] - fence) >= 0)
		return 0;
	return call(gpu->fd, DRM_IOCTL_VIVGPU_JOB_WAIT, &args);
}

static const struct driver drivers[] = {
	{ "etnaviv", etnaviv_prepare, etnaviv_new_buffer, etnaviv_submit, etnaviv_wait },
	{ "vivgpu", vivgpu_prepare, vivgpu_new_buffer, vivgpu_submit, vivgpu_wait },
};

/* ---- the device ---- */

static const struct driver *driver_of(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	const struct driver *found = NULL;

	for (unsigned int i = 0; version && i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (strcmp(version->name, drivers[i].name) == 0)
			found = &drivers[i];
	drmFreeVersion(version);
	return found;
}

static void open_gpu(struct gpu *gpu)
{
	memset(gpu, 0, sizeof(*gpu));
	gpu->fd = open_render_node(drivers[0].name, drivers[1].name);
	must(gpu->fd < 0 ? ENODEV : 0, "render node");
	gpu->driver = driver_of(gpu->fd);
	gpu->words = nops;
	gpu->bytes = sizeof(nops);
	must(gpu->driver->prepare(gpu), "prepare");
}

/* ---- jobs ---- */

static void submit(struct gpu *gpu, uint32_t *fence)
{
	must(gpu->driver->submit(gpu, gpu->words, gpu->bytes, fence), "submit");
}

/* Jobs one after the other, each waited for. */
static void run_one_by_one(struct gpu *gpu, unsigned int count)
{
	while (count--) {
		submit(gpu, &gpu->fences[0]);
		must(gpu->driver->wait(gpu, gpu->fences[0]), "wait");
	}
}

/* Jobs with as many in flight as the window allows. */
static void run_ahead(struct gpu *gpu, unsigned int count)
{
	for (unsigned int i = 0; i < count + WINDOW; i++) {
		uint32_t *fence = &gpu->fences[i % WINDOW];

		if (i >= WINDOW && i - WINDOW < count)
			must(gpu->driver->wait(gpu, *fence), "wait");
		if (i < count)
			submit(gpu, fence);
	}
}

/* ---- the card's counts ---- */

struct counts {
	uint64_t reads, writes, interrupts;
};

static FILE *card(const char *command)
{
	char line[512];
	FILE *pipe;

	fflush(stdout);
	snprintf(line, sizeof(line), "%s %s", getenv("CARDCTL") ?: "vivgpu-cardctl", command);
	pipe = popen(line, "r");
	must(pipe ? 0 : errno, line);
	return pipe;
}

static struct counts read_counts(void)
{
	struct counts counts = { 0 };
	char name[64];
	unsigned long long value;
	FILE *pipe = card("stats");
	unsigned int found = 0;

	while (fscanf(pipe, "%63s %llu", name, &value) == 2) {
		uint64_t *field = strcmp(name, "board.gc_reads") == 0    ? &counts.reads
				  : strcmp(name, "board.gc_writes") == 0 ? &counts.writes
				  : strcmp(name, "board.msi_sent") == 0  ? &counts.interrupts
									 : NULL;

		found += field != NULL;
		if (field)
			*field = value;
	}
	must(pclose(pipe) || found != 3 ? EIO : 0, "the card's totals");
	return counts;
}

static void print_counts(const char *what, const struct counts *before, unsigned int jobs)
{
	struct counts after = read_counts();

	printf("register_reads_per_job%s %.3f\n", what,
	       (double)(after.reads - before->reads) / jobs);
	printf("register_writes_per_job%s %.3f\n", what,
	       (double)(after.writes - before->writes) / jobs);
	printf("interrupts_per_job%s %.3f\n", what,
	       (double)(after.interrupts - before->interrupts) / jobs);
}

/* ---- what is measured ---- */

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/*
 * The median of what a call takes, in ns, of so many groups of calls. The clock is
 * read once a group: it costs as much as a short call.
 */
static int64_t median_ns(void (*once)(struct gpu *gpu, void *data), struct gpu *gpu, void *data,
			 unsigned int times)
{
	int64_t *taken = calloc(times, sizeof(*taken)), median;

	must(taken ? 0 : ENOMEM, "memory");
	for (unsigned int i = 0; i < times; i++) {
		int64_t begin = now_ns();

		for (int j = 0; j < GROUP; j++)
			once(gpu, data);
		taken[i] = (now_ns() - begin) / GROUP;
	}
	qsort(taken, times, sizeof(*taken), by_value);
	median = taken[times / 2];
	free(taken);
	return median;
}

static void one_job(struct gpu *gpu, void *data)
{
	run_one_by_one(gpu, 1);
}

static void measure_latency(struct gpu *gpu, unsigned int jobs)
{
	struct counts before;

	run_one_by_one(gpu, 16);
	before = read_counts();
	printf("submit_latency %lld\n", (long long)median_ns(one_job, gpu, NULL, jobs));
	print_counts("", &before, jobs * GROUP);
}

/* All jobs up to the next call have the same deadline, a second from now. */
static void set_hints(struct gpu *gpu, bool on)
{
	gpu->deadline_ns = on ? now_ns() + SECOND_NS : 0;
	gpu->cost_ns = on ? HINT_NS : 0;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * With and without hints in alternation, the shortest medians, since differences of a few percent are less
 * than what the machine varies from second to second. The kernel's arbiter is active while there are
 * hints, and for a second after them.
 */
static void measure_hints(struct gpu *gpu, unsigned int jobs)
{
	int64_t hints = INT64_MAX, none = INT64_MAX;

	for (int turn = 0; turn < TURNS; turn++) {
		none = least(none, median_ns(one_job, gpu, NULL, jobs));
		set_hints(gpu, true);
		run_one_by_one(gpu, 16);
		hints = least(hints, median_ns(one_job, gpu, NULL, jobs));
		set_hints(gpu, false);
		sleep(2);
	}
	printf("submit_latency.hints %lld\n", (long long)hints);
	printf("submit_latency.no_hints %lld\n", (long long)none);
}

static void measure_rate(struct gpu *gpu, unsigned int jobs)
{
	struct counts before;
	int64_t begin;

	run_ahead(gpu, WINDOW);
	before = read_counts();
	begin = now_ns();
	run_ahead(gpu, jobs);
	printf("jobs_per_second %.0f\n", jobs * (double)SECOND_NS / (now_ns() - begin));
	print_counts(".ahead", &before, jobs);
}

/*
 * Streams of records of all jobs, with or without counts, never read; one of @exact jobs runs alone, if
 * it is not 0. vivgpu only.
 */
static int open_stream(struct gpu *gpu, uint32_t flags, uint32_t exact)
{
	struct drm_vivgpu_stream_open args = {
		.flags = flags,
		.types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
		.ring_records = RING_RECORDS,
		.record_size = sizeof(struct drm_vivgpu_record),
		.exact_interval = exact,
	};

	must(call(gpu->fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args), "a stream");
	return args.fd;
}

/* The accesses of registers and interrupts with such a stream. */
static void measure_stream(struct gpu *gpu, uint32_t flags, const char *name, const char *ahead,
			   unsigned int jobs)
{
	int stream = open_stream(gpu, flags, 0);
	struct counts before = read_counts();

	run_one_by_one(gpu, jobs);
	print_counts(name, &before, jobs);
	before = read_counts();
	run_ahead(gpu, jobs);
	print_counts(ahead, &before, jobs);
	close(stream);
}

/* From here on jobs use buffers. */
static void make_buffers(struct gpu *gpu)
{
	for (unsigned int i = 0; i < BUFFERS; i++)
		must(gpu->driver->new_buffer(gpu, &gpu->buffers[i]), "buffer");
	gpu->nr_buffers = BUFFERS;
}

static void measure_buffers(struct gpu *gpu, unsigned int jobs)
{
	make_buffers(gpu);
	run_one_by_one(gpu, 1);
	printf("submit_latency.100_buffers %lld\n", (long long)median_ns(one_job, gpu, NULL, jobs));
	gpu->nr_buffers = 0;
}

/* One client: is ready, waits until the pipe closes, and works. */
static void client(const int ready[2], const int go[2], unsigned int jobs)
{
	struct gpu gpu;
	char byte = 0;

	close(go[1]);
	open_gpu(&gpu);
	run_one_by_one(&gpu, 1);
	must(write(ready[1], &byte, 1) == 1 ? 0 : EIO, "pipe");
	must(read(go[0], &byte, 1) == 0 ? 0 : EIO, "pipe");
	run_ahead(&gpu, jobs);
	_exit(0);
}

/* Jobs per second of CLIENTS processes at once */
static double clients_rate(unsigned int jobs)
{
	int ready[2], go[2], status, failed = 0;
	int64_t begin;
	char byte;

	must(pipe(ready) || pipe(go) ? errno : 0, "pipe");
	fflush(stdout);
	for (int i = 0; i < CLIENTS; i++)
		if (fork() == 0)
			client(ready, go, jobs / CLIENTS);
	for (int i = 0; i < CLIENTS; i++)
		must(read(ready[0], &byte, 1) == 1 ? 0 : EIO, "a client");
	begin = now_ns();
	close(go[1]);
	while (wait(&status) > 0)
		failed |= status;
	must(failed ? EIO : 0, "a client");
	return jobs / CLIENTS * CLIENTS * (double)SECOND_NS / (now_ns() - begin);
}

static void measure_clients(const char *name, unsigned int jobs)
{
	printf("%s %.0f\n", name, clients_rate(jobs));
}

/* Jobs per second while a queue has a budget that it does not use: the arbiter selects jobs. */
static double rate_beside_budget(struct gpu *gpu, unsigned int jobs)
{
	struct drm_vivgpu_queue_create create = {
		.priority = DRM_VIVGPU_PRIORITY_NORMAL,
		.budget_ns = SECOND_NS / 1000,
		.period_ns = SECOND_NS / 50,
	};
	struct drm_vivgpu_queue_destroy destroy = { 0 };
	double rate;

	must(call(gpu->fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), "a budget");
	rate = clients_rate(jobs);
	destroy.queue = create.queue;
	must(call(gpu->fd, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy), "the end of a budget");
	return rate;
}

/* Both in alternation, the highest rates, for the reason that measure_hints() gives. */
static void measure_beside_budget(struct gpu *gpu, unsigned int jobs)
{
	double budget = 0, none = 0;

	for (int turn = 0; turn < TURNS; turn++) {
		double rate = clients_rate(jobs);

		none = rate > none ? rate : none;
		rate = rate_beside_budget(gpu, jobs);
		budget = rate > budget ? rate : budget;
	}
	printf("jobs_per_second.16_clients.budget %.0f\n", budget);
	printf("jobs_per_second.16_clients.no_budget %.0f\n", none);
}

static void read_fdinfo(struct gpu *gpu, void *data)
{
	char text[4096];

	must(pread(*(int *)data, text, sizeof(text), 0) > 0 ? 0 : EIO, "fdinfo");
}

static void measure_fdinfo(struct gpu *gpu, unsigned int times)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", gpu->fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	must(fd < 0 ? errno : 0, path);
	printf("fdinfo_read %lld\n", (long long)median_ns(read_fdinfo, gpu, &fd, times));
	close(fd);
}

static void submit_refused(struct gpu *gpu, void *data)
{
	int error = gpu->driver->submit(gpu, data, STREAM_KIB * 1024, &gpu->fences[0]);

	must(error == EPERM ? 0 : error ?: EIO, "a stream that must be refused");
}

/*
 * The validator alone: a stream that is refused at its end, less one that is
 * refused at its beginning. Both are copied, neither makes a job.
 */
static void measure_validator(struct gpu *gpu, unsigned int times)
{
	uint32_t *words = calloc(STREAM_WORDS, sizeof(*words));
	int64_t at_end, at_begin;

	must(words ? 0 : ENOMEM, "memory");
	for (unsigned int i = 0; i < STREAM_WORDS; i += BLOCK_WORDS)
		words[i] = COMMAND_LOAD(STATE_PS_UNIFORMS, BLOCK_WORDS - 1);
	words[STREAM_WORDS - BLOCK_WORDS] = COMMAND_END;
	at_end = median_ns(submit_refused, gpu, words, times);
	words[0] = COMMAND_END;
	at_begin = median_ns(submit_refused, gpu, words, times);
	printf("validator_ns_per_kib %.1f\n", (double)(at_end - at_begin) / STREAM_KIB);
	free(words);
}

/* ---- the part that is counted in instructions ---- */

/* A system call that is used nowhere else: kernel-steps begins and ends here. */
static void mark(void)
{
	syscall(SYS_getsid, 0);
}

/* Calls of count() that still measure; UINT_MAX, which is never counted down to 0, means all. */
static unsigned int wanted = -1;

/*
 * Repeat an action until caches, pools and slabs are warm, then do it @times times between marks.
 * Ends the program if no more measurements are wanted.
 */
static void count(const char *name, void (*some)(struct gpu *gpu, unsigned int times),
		  struct gpu *gpu, unsigned int times)
{
	if (!wanted--)
		exit(0);
	printf("%s %u\n", name, times);
	fflush(stdout);
	some(gpu, 2 * WINDOW);
	mark();
	some(gpu, times);
	mark();
}

static void some_fdinfo(struct gpu *gpu, unsigned int times)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", gpu->fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	must(fd < 0 ? errno : 0, path);
	while (times--)
		read_fdinfo(gpu, &fd);
	close(fd);
}

static void count_streams(struct gpu *gpu)
{
	int stream = open_stream(gpu, 0, 0);

	count("instructions_per_job.records", run_one_by_one, gpu, 8);
	close(stream);
	stream = open_stream(gpu, DRM_VIVGPU_STREAM_COUNTS, 0);
	count("instructions_per_job.counts", run_one_by_one, gpu, 8);
	count("instructions_per_job.ahead.counts", run_ahead, gpu, WINDOW);
	close(stream);
	stream = open_stream(gpu, DRM_VIVGPU_STREAM_COUNTS, WINDOW);
	count("instructions_per_job.ahead.exact", run_ahead, gpu, WINDOW);
	close(stream);
}

/* Jobs of a frame's length: 1,024 commands, each of which loads three states. */
static void count_states(struct gpu *gpu)
{
	static uint32_t words[4096];

	for (unsigned int i = 0; i < 4096; i += 4)
		words[i] = COMMAND_LOAD(STATE_PS_UNIFORMS, 3);
	gpu->words = words;
	gpu->bytes = sizeof(words);
	count("instructions_per_job.4096_words", run_one_by_one, gpu, 2);
	gpu->words = nops;
	gpu->bytes = sizeof(nops);
}

/* The same jobs with deadlines and costs: the kernel's arbiter is active from the first on. */
static void count_hints(struct gpu *gpu)
{
	set_hints(gpu, true);
	count("instructions_per_job.hints", run_one_by_one, gpu, COUNTED);
	count("instructions_per_job.ahead.hints", run_ahead, gpu, COUNTED);
	set_hints(gpu, false);
}

/*
 * Jobs while another queue has a budget that it does not use, so that the kernel's arbiter selects jobs.
 * It keeps the budget until the program ends.
 */
static void count_budget(struct gpu *gpu)
{
	struct drm_vivgpu_queue_create create = {
		.priority = DRM_VIVGPU_PRIORITY_NORMAL,
		.budget_ns = SECOND_NS / 1000,
		.period_ns = SECOND_NS / 50,
	};

	must(call(gpu->fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), "a budget");
	count("instructions_per_job.budget", run_one_by_one, gpu, COUNTED);
	count("instructions_per_job.ahead.budget", run_ahead, gpu, COUNTED);
}

/* A queue of a client */
struct line {
	struct gpu *gpu;
	uint32_t queue;
};

/* A budget of 0 is none. */
static void line_open(struct line *line, struct gpu *gpu, uint64_t budget_ns)
{
	struct drm_vivgpu_queue_create create = {
		.priority = DRM_VIVGPU_PRIORITY_NORMAL,
		.budget_ns = budget_ns,
		.period_ns = budget_ns ? SECOND_NS / 5 : 0,
	};

	must(call(gpu->fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), "a queue");
	*line = (struct line){ .gpu = gpu, .queue = create.queue };
}

static void line_submit(const struct line *line)
{
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)nops, .size = sizeof(nops) };
	struct drm_vivgpu_submit args = {
		.queue = line->queue,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
	};

	must(call(line->gpu->fd, DRM_IOCTL_VIVGPU_SUBMIT, &args), "submit");
}

/* Let the kernel's threads run: in virtual time until they have nothing to do. */
static void let_run(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1000 }, NULL);
}

/*
 * Submits to queues with a budget while so many jobs wait, because the front end has stopped in a job before
 * them. Each is one selection. Of those that wait, one half is on queues with a budget. The memory for
 * streams of LINES clients has room for all.
 */
static void count_waiting(struct gpu *gpu, unsigned int waiting)
{
	static struct gpu clients[LINES];
	struct line plain[LINES], reserved[LINES], selected[SELECTED], stopped;

	for (unsigned int i = 0; i < LINES; i++) {
		open_gpu(&clients[i]);
		line_open(&plain[i], &clients[i], 0);
		line_open(&reserved[i], &clients[i], SECOND_NS / 1000);
	}
	for (unsigned int i = 0; i < SELECTED; i++)
		line_open(&selected[i], gpu, SECOND_NS / 1000);
	line_open(&stopped, gpu, 0);
	printf("instructions_per_submit.waiting.%u %u\n", waiting, SELECTED);
	fflush(stdout);
	must(pclose(card("hang")) ? EIO : 0, "the card");
	line_submit(&stopped);
	for (unsigned int i = 0; i < waiting; i++)
		line_submit(i % 2 ? &plain[i / 2 % LINES] : &reserved[i / 2 % LINES]);
	let_run();
	mark();
	for (unsigned int i = 0; i < SELECTED; i++) {
		line_submit(&selected[i]);
		let_run();
	}
	mark();
}

static bool is_ours(const struct gpu *gpu)
{
	return strcmp(gpu->driver->name, "vivgpu") == 0;
}

static void count_all(struct gpu *gpu)
{
	count("instructions_per_job", run_one_by_one, gpu, COUNTED);
	count("instructions_per_job.ahead", run_ahead, gpu, COUNTED);
	if (is_ours(gpu))
		count_streams(gpu);
	make_buffers(gpu);
	count("instructions_per_job.100_buffers", run_one_by_one, gpu, 2);
	gpu->nr_buffers = 0;
	count_states(gpu);
	count("instructions_per_fdinfo_read", some_fdinfo, gpu, 4);
	/* The last ones, since the arbiter stays active. */
	if (is_ours(gpu)) {
		count_hints(gpu);
		count_budget(gpu);
	}
}

int main(int argc, char **argv)
{
	bool marked = argc > 1 && strcmp(argv[1], "marked") == 0;
	unsigned int scale = argc > 1 && !marked ? atoi(argv[1]) : 1;
	struct gpu gpu;

	if (argc > 2 + 2 * marked || !scale) {
		fprintf(stderr, "usage: kernel-jobs [SCALE] | marked [N | waiting N]\n");
		return 2;
	}
	open_gpu(&gpu);
	if (marked) {
		if (argc > 3 && strcmp(argv[2], "waiting") == 0) {
			count_waiting(&gpu, atoi(argv[3]));
			return 0;
		}
		if (argc > 2)
			wanted = atoi(argv[2]);
		count_all(&gpu);
		return 0;
	}
	measure_latency(&gpu, 100 * scale);
	measure_rate(&gpu, 1600 * scale);
	if (is_ours(&gpu)) {
		measure_hints(&gpu, 100 * scale);
		measure_stream(&gpu, 0, ".records", ".ahead.records", 400 * scale);
		measure_stream(&gpu, DRM_VIVGPU_STREAM_COUNTS, ".counts", ".ahead.counts",
			       400 * scale);
	}
	measure_fdinfo(&gpu, 100 * scale);
	measure_buffers(&gpu, 50 * scale);
	measure_clients("jobs_per_second.16_clients", 1600 * scale);
	if (is_ours(&gpu)) {
		measure_beside_budget(&gpu, 1600 * scale);
		measure_validator(&gpu, 25 * scale);
	}
	return 0;
}
