// SPDX-License-Identifier: MIT
/*
 * storm: one client makes the GPU fault again and again, in the eight ways of
 * enum kind, while four others work: three with the resolve engine, one with GL. The
 * others' jobs must complete, without an error, with the right pictures.
 *
 * Some faults are planted in the card and strike whatever comes next. So that
 * they strike the right client, the innocent ones are held back while the fault
 * is planted and the guilty job given, and let go at once: their jobs queue up
 * behind the one that fails, and go through the reset with it.
 *
 * A second storm, of a quarter of the faults, is one with deadlines: of the innocent clients one
 * has a budget, one gives hints, with costs that are wrong, and one nothing. Beside them an
 * attacker submits jobs that are longer than the budgets permit, each on a new queue, in the way of
 * a further client with a budget. Some of the attacker's jobs are ended, at least one; those of all
 * others succeed.
 *
 *	IGT_VIVGPU_FAULTS	how many faults (1000)
 *	IGT_VIVGPU_SEED		the sequence of them (1)
 *	IGT_VIVGPU_GL_VENDOR	whose OpenGL it is (vivgpu)
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "board/mailbox.h"
#include "control/channel.h"
#include "gl.h"

#define INNOCENTS 3
#define ROWS 64
#define ATTACK_BYTES (1 << 20)
#define BYTES (ROWS * IGT_VIVGPU_PITCH)
#define TURNS 5 /* pictures of the GL client */
#define JOBS 4  /* of an innocent client at a time */
/* An address between the kernel's and the test's mappings, where nothing is mapped. */
#define NOWHERE 0x80000000u
#define RING "/sys/kernel/debug/dri/128/ring"
#define TIMEOUT (120 * IGT_VIVGPU_SECOND)

enum kind {
	READ_NOWHERE, /* streams that are valid but bad */
	WRITE_NOWHERE,
	WRITE_KERNEL,
	HANG, /* planted in the card */
	MMU_FAULT,
	AXI_ERROR,
	LOSE_EVENT,
	LOSE_IRQ,
	KINDS,
};

/*
 * How each fault is planted (NULL: its job's stream is bad), whether its job must fail, and in how
 * many percent of the cases it is chosen.
 */
static const struct {
	const char *name;
	const char *command;
	bool fatal;
	unsigned int weight;
} kinds[KINDS] = {
	[READ_NOWHERE] = { "read nowhere", NULL, true, 25 },
	[WRITE_NOWHERE] = { "write nowhere", NULL, true, 25 },
	[WRITE_KERNEL] = { "write kernel memory", NULL, true, 10 },
	[HANG] = { "hang", "hang", true, 8 },
	[MMU_FAULT] = { "MMU fault", "mmu-fault", false, 8 },
	[AXI_ERROR] = { "bus error", "axi-error", false, 8 },
	[LOSE_EVENT] = { "lost event", "lose-event", false, 8 },
	[LOSE_IRQ] = { "lost interrupt", "lose-irq 1", false, 8 },
};

/* Of the second storm */
#define BUDGET (4 * IGT_VIVGPU_SECOND / 1000)
#define PERIOD (40 * IGT_VIVGPU_SECOND / 1000)
#define HINT (10 * IGT_VIVGPU_SECOND / 1000)
/* A job of the attacker; one that a reserved job waits for is ended within the period. */
#define ATTACK (100 * IGT_VIVGPU_SECOND / 1000)

static bool with_deadlines;

/* A client with a budget that the attacker's jobs are in the way of */
struct victim {
	int fd;
	uint32_t queue;
	uint32_t sync;
	uint32_t value;
	struct igt_vivgpu_bo bo[2];
};

/* Memory shared by the processes */
static struct shared {
	/* readers: innocent clients with jobs in the ring; writer: until a fault's job is given */
	pthread_rwlock_t gate;
	atomic_bool stop;
	atomic_uint rounds;
	atomic_uint frames;
	atomic_uint attacks;
	atomic_uint ended; /* of these */
	/* reached when the GL client has drawn its reference pictures: faults begin */
	pthread_barrier_t begin;
} *shared;

static void share(void)
{
	pthread_rwlockattr_t attributes;
	pthread_barrierattr_t barrier;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	igt_assert(shared != MAP_FAILED);
	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	igt_assert_eq(pthread_rwlock_init(&shared->gate, &attributes), 0);
	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	igt_assert_eq(pthread_barrier_init(&shared->begin, &barrier, 2), 0);
}

static uint32_t guilty(int fd)
{
	struct drm_vivgpu_reset_query query = { 0 };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query), 0);
	return query.guilty;
}

/*
 * The queue of an innocent client: with deadlines the first one's has a budget. The others have
 * priorities in turn, DRM_VIVGPU_PRIORITY_LOW and _NORMAL.
 */
static uint32_t create_queue(int fd, int number)
{
	struct drm_vivgpu_queue_create args = {
		.priority = DRM_VIVGPU_PRIORITY_NORMAL,
		.budget_ns = BUDGET,
		.period_ns = PERIOD,
	};

	if (!with_deadlines || number != 1)
		return igt_vivgpu_queue_create(fd, number % 2);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &args), 0);
	return args.queue;
}

/*
 * The second client's jobs have deadlines, those of every other round in the past. In two of three
 * rounds they have a cost as well: @value in ns, 0.13 ms (innocent() counts from 2 << 16), whatever
 * they take.
 */
static void set_hints(struct igt_vivgpu_job *job, int number, uint32_t value)
{
	if (!with_deadlines || number != 2)
		return;
	job->deadline_ns = igt_vivgpu_now() + (value % 2 ? HINT : -HINT);
	job->cost_ns = value % 3 ? value % IGT_VIVGPU_SECOND + 1 : 0;
}

/* Fill, copy, and copy back: the result of four jobs is right only if all ran in order. */
static void submit_round(int fd, uint32_t queue, struct igt_vivgpu_bo *bo, int number,
			 uint32_t value, uint32_t sync)
{
	for (int i = 0; i < JOBS; i++) {
		struct igt_vivgpu_stream stream = { 0 };
		struct igt_vivgpu_job job = {
			.stream = &stream, .bos = { &bo[0], &bo[1] }, .nr_bos = 2, .out_sync = sync
		};

		if (i == 0) {
			igt_vivgpu_fill(&stream, bo[0].va, ROWS / 2, value);
			igt_vivgpu_fill(&stream, bo[0].va + BYTES / 2, ROWS / 2, ~value);
		} else {
			igt_vivgpu_copy(&stream, bo[i & 1].va, bo[!(i & 1)].va, ROWS);
		}
		set_hints(&job, number, value);
		igt_vivgpu_submit(fd, queue, &job);
	}
}

static void check_round(struct igt_vivgpu_bo *bo, uint32_t value)
{
	for (int b = 0; b < 2; b++)
		for (int i = 0; i < BYTES / 4; i++)
			igt_assert_eq_u32(bo[b].map[i], i < BYTES / 8 ? value : ~value);
}

static void innocent(int number)
{
	int fd = igt_vivgpu_open();
	uint32_t queue = create_queue(fd, number), sync = igt_vivgpu_sync_create(fd);
	struct igt_vivgpu_bo bo[2];
	uint32_t value = number << 16;

	for (int i = 0; i < 2; i++)
		igt_vivgpu_bo_init(&bo[i], fd, BYTES);
	while (!shared->stop) {
		memset(bo[1].map, 0, BYTES);
		igt_assert_eq(pthread_rwlock_rdlock(&shared->gate), 0);
		submit_round(fd, queue, bo, number, ++value, sync);
		igt_assert(igt_vivgpu_sync_wait(fd, sync, TIMEOUT));
		igt_assert_eq(pthread_rwlock_unlock(&shared->gate), 0);
		igt_assert_eq(igt_vivgpu_sync_error(fd, sync), 0);
		igt_assert_eq_u32(guilty(fd), 0);
		check_round(bo, value);
		shared->rounds++;
	}
	igt_assert_lt_u64(number << 16, value);
}

/* The pictures are those that it drew before there were faults, to the bit. */
static void innocent_gl(void)
{
	static uint32_t expected[TURNS][GL_PIXELS], pixels[GL_PIXELS];
	unsigned int frame = 0;

	gl_init();
	for (int turn = 0; turn < TURNS; turn++)
		gl_draw(turn, expected[turn]);
	igt_assert(memcmp(expected[0], expected[1], sizeof(expected[0])) != 0);
	pthread_barrier_wait(&shared->begin);
	while (!shared->stop) {
		igt_assert_eq(pthread_rwlock_rdlock(&shared->gate), 0);
		gl_draw(frame % TURNS, pixels);
		igt_assert_eq(pthread_rwlock_unlock(&shared->gate), 0);
		igt_assert_eq(memcmp(pixels, expected[frame % TURNS], sizeof(pixels)), 0);
		frame++;
		shared->frames++;
	}
	igt_assert(frame);
}

/*
 * One job on a queue of which nothing is known and, when it can have begun, a round of the victim,
 * which has a budget. Not beside the planting of a fault, which has to strike another client.
 * Returns: whether the job was ended.
 */
static bool attack_once(int fd, struct igt_vivgpu_job *job, struct victim *victim)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	int error;

	igt_assert_eq(pthread_rwlock_rdlock(&shared->gate), 0);
	igt_vivgpu_submit(fd, queue, job);
	usleep(ATTACK / 1000 / 20);
	submit_round(victim->fd, victim->queue, victim->bo, 1, ++victim->value, victim->sync);
	igt_assert(igt_vivgpu_sync_wait(victim->fd, victim->sync, TIMEOUT));
	igt_assert(igt_vivgpu_sync_wait(fd, job->out_sync, TIMEOUT));
	igt_assert_eq(pthread_rwlock_unlock(&shared->gate), 0);
	igt_assert_eq(igt_vivgpu_sync_error(victim->fd, victim->sync), 0);
	check_round(victim->bo, victim->value);
	error = igt_vivgpu_sync_error(fd, job->out_sync);
	igt_assert_f(!error || error == -ETIME, "error %d\n", error);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, queue), 0);
	return error;
}

static void attacker(void)
{
	int fd = igt_vivgpu_open();
	struct igt_vivgpu_stream stream = { 0 };
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = { .stream = &stream,
				      .bos = { &bo },
				      .nr_bos = 1,
				      .out_sync = igt_vivgpu_sync_create(fd) };
	struct victim victim = { .fd = igt_vivgpu_open() };

	igt_vivgpu_bo_init(&bo, fd, ATTACK_BYTES);
	igt_vivgpu_spin_init(&stream, &bo, ATTACK);
	victim.queue = create_queue(victim.fd, 1);
	victim.sync = igt_vivgpu_sync_create(victim.fd);
	for (int i = 0; i < 2; i++)
		igt_vivgpu_bo_init(&victim.bo[i], victim.fd, BYTES);
	while (!shared->stop) {
		shared->ended += attack_once(fd, &job, &victim);
		shared->attacks++;
		igt_assert_eq_u32(guilty(fd), shared->ended);
		igt_assert_eq_u32(guilty(victim.fd), 0);
	}
	igt_assert_lte_u64(1, shared->ended);
}

static enum kind choose(unsigned int *seed)
{
	unsigned int at = rand_r(seed) % 100;
	int kind = 0;

	while (at >= kinds[kind].weight)
		at -= kinds[kind++].weight;
	return kind;
}

static void plant(const char *command)
{
	char reply[CONTROL_REPLY_BYTES];
	const char *problem = channel_mailbox(command, reply, sizeof(reply));

	igt_assert_f(!problem, "%s: %s\n", command, problem);
	igt_assert_f(strncmp(reply, "ok", 2) == 0, "%s: %s\n", command, reply);
}

static void make_stream(struct igt_vivgpu_stream *stream, enum kind kind,
			const struct igt_vivgpu_bo *bo)
{
	stream->size = 0;
	if (kind == READ_NOWHERE)
		igt_vivgpu_copy(stream, bo->va, NOWHERE, ROWS);
	else if (kind == WRITE_NOWHERE)
		igt_vivgpu_copy(stream, NOWHERE, bo->va, ROWS);
	else if (kind == WRITE_KERNEL)
		igt_vivgpu_fill(stream, 0x100000, ROWS, 0);
	else
		igt_vivgpu_fill(stream, bo->va, ROWS, 1);
}

/* How many jobs have entered the ring */
static unsigned long long jobs_in_ring(void)
{
	FILE *file = fopen(RING, "r");
	unsigned long long given = 0;

	igt_assert_f(file, "%s\n", RING);
	igt_assert_eq(fscanf(file, "slot %*u given %llu", &given), 1);
	fclose(file);
	return given;
}

/*
 * With deadlines, jobs of the others that are submitted later can enter the ring first, where the
 * planted fault would strike them.
 */
static void wait_until_in_ring(unsigned long long before)
{
	while (with_deadlines && jobs_in_ring() == before)
		usleep(1000);
}

/*
 * Each fault has a queue of its own: the scheduler would assume that a queue whose jobs hung has
 * more of such long jobs, and hold each of them back for a second. Returns: whether the job failed.
 */
static bool strike(int fd, enum kind kind, struct igt_vivgpu_bo *bo)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_stream stream;
	struct igt_vivgpu_job job = { .stream = &stream,
				      .bos = { bo },
				      .nr_bos = 1,
				      .out_sync = igt_vivgpu_sync_create(fd) };
	unsigned long long before;
	bool failed;

	make_stream(&stream, kind, bo);
	igt_assert_eq(pthread_rwlock_wrlock(&shared->gate), 0);
	before = jobs_in_ring();
	if (kinds[kind].command)
		plant(kinds[kind].command);
	igt_vivgpu_submit(fd, queue, &job);
	wait_until_in_ring(before);
	igt_assert_eq(pthread_rwlock_unlock(&shared->gate), 0);
	igt_assert_f(igt_vivgpu_sync_wait(fd, job.out_sync, TIMEOUT), "%s\n", kinds[kind].name);
	failed = igt_vivgpu_sync_error(fd, job.out_sync) < 0;
	igt_assert_f(failed || !kinds[kind].fatal, "%s did not fail\n", kinds[kind].name);
	igt_vivgpu_sync_destroy(fd, job.out_sync);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, queue), 0);
	return failed;
}

static unsigned int setting(const char *name, unsigned int otherwise)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 0) : otherwise;
}

/* A core that sleeps between the planting and the job drops the fault. */
static void keep_awake(void)
{
	int control = open("/sys/class/drm/renderD128/device/power/control", O_WRONLY);

	igt_assert(control >= 0);
	igt_assert_eq(write(control, "on", 2), 2);
	close(control);
}

/* The faults, one after the other. */
static void storm(int fd, unsigned int faults, unsigned int seed)
{
	uint32_t failed = 0;
	unsigned int count[KINDS] = { 0 };
	struct igt_vivgpu_bo bo;

	igt_vivgpu_bo_init(&bo, fd, BYTES);
	for (unsigned int i = 0; i < faults; i++) {
		enum kind kind = choose(&seed);

		failed += strike(fd, kind, &bo);
		count[kind]++;
		if ((i + 1) % 100 == 0)
			igt_info("%u faults, %u rounds and %u frames of innocent clients\n", i + 1,
				 (unsigned int)shared->rounds, (unsigned int)shared->frames);
	}
	igt_assert_eq_u32(guilty(fd), failed);
	for (int kind = 0; kind < KINDS; kind++)
		igt_info("%4u %s\n", count[kind], kinds[kind].name);
	igt_info("%u jobs of the guilty client failed\n", failed);
	igt_vivgpu_bo_fini(&bo);
}

/* A storm beside innocent clients. */
static void run(unsigned int faults)
{
	int fd = igt_vivgpu_open();

	share();
	igt_fork(child, INNOCENTS + 1 + with_deadlines)
	{
		if (child < INNOCENTS)
			innocent(child + 1);
		else if (child == INNOCENTS)
			innocent_gl();
		else
			attacker();
	}
	keep_awake();
	pthread_barrier_wait(&shared->begin);
	storm(fd, faults, setting("IGT_VIVGPU_SEED", 1));
	shared->stop = true;
	igt_waitchildren();
	igt_info("%u rounds and %u frames of innocent clients\n", (unsigned int)shared->rounds,
		 (unsigned int)shared->frames);
	if (with_deadlines)
		igt_info("%u of %u jobs of the attacker were ended\n", (unsigned int)shared->ended,
			 (unsigned int)shared->attacks);
	drm_close_driver(fd);
}

igt_main
{
	igt_describe("Faults cost nobody but who makes them");
	igt_subtest("storm")
	{
		run(setting("IGT_VIVGPU_FAULTS", 1000));
	}

	igt_describe("The same with budgets, deadlines, wrong costs and an attacker");
	igt_subtest("deadlines")
	{
		with_deadlines = true;
		run(setting("IGT_VIVGPU_FAULTS", 1000) / 4 + 1);
	}
}
