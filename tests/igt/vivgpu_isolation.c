// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu isolation
 * Description: What one client must not do to another, or to the kernel
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: security
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>

#define ROWS 16
#define BYTES (ROWS * IGT_VIVGPU_PITCH)
#define SECRET 0x5ec2e700u

static int run_words(int fd, uint32_t queue, uint32_t first, uint32_t second)
{
	struct igt_vivgpu_stream stream = { .size = 2, .words = { first, second } };

	return __igt_vivgpu_run(fd, queue, &stream);
}

static uint32_t guilty(int fd)
{
	struct drm_vivgpu_reset_query query = { 0 };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query), 0);
	return query.guilty;
}

/*
 * Every opcode but NOP and those of drawing, loading states and waiting for the pipe; then commands
 * that would be valid in the kernel's own ring.
 */
static void opcodes(int fd)
{
	static const uint32_t permitted =
		1u << 1 | 1u << 3 | 1u << 5 | 1u << 6 | 1u << 9 | 1u << 12;
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);

	for (uint32_t opcode = 0; opcode < 32; opcode++)
		if (!(permitted >> opcode & 1))
			igt_assert_eq(run_words(fd, queue, opcode << 27, 0), -EPERM);
	igt_assert_eq(run_words(fd, queue, IGT_VIVGPU_LINK, 0x1000), -EPERM);
	igt_assert_eq(run_words(fd, queue, IGT_VIVGPU_WAIT, 0), -EPERM);
	igt_assert_eq(run_words(fd, queue, IGT_VIVGPU_CALL, 0x1000), -EPERM);
	igt_assert_eq(run_words(fd, queue, IGT_VIVGPU_CHIP_SELECT, 0), -EPERM);
}

/* States that redirect the front end, configure the MMU or raise interrupts. */
static void states(int fd)
{
	static const uint32_t forbidden[] = {
		0x00000, 0x0000c, 0x00010, 0x00014, 0x00100, 0x0010c, 0x00180,
		0x00184, 0x00188, 0x0018c, 0x003a8, 0x00400, 0x0042c, 0x00654,
		0x00658, 0x0065c, 0x00660, 0x03804, 0x03894, 0x3fff8,
	};
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);

	for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++)
		igt_assert_eq(run_words(fd, queue, IGT_VIVGPU_LOAD_STATE(forbidden[i], 1), 0),
			      -EPERM);
}

/* A range that begins with a permitted state and reaches a forbidden one. */
static void state_ranges(int fd)
{
	struct igt_vivgpu_stream stream = { .size = 4 };
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);

	stream.words[0] = IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_GL_EVENT - 4, 2);
	igt_assert_eq(__igt_vivgpu_run(fd, queue, &stream), -EPERM);
	stream.words[0] = IGT_VIVGPU_LOAD_STATE(0x00650, 2);
	igt_assert_eq(__igt_vivgpu_run(fd, queue, &stream), -EPERM);
	/* A count of 0 means 1024. */
	stream.size = 1026;
	stream.words[0] = IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_FILL_VALUE, 0);
	igt_assert_eq(__igt_vivgpu_run(fd, queue, &stream), -EPERM);
	/* Addresses do not wrap. */
	stream.size = 4;
	stream.words[0] = IGT_VIVGPU_LOAD_STATE(0x3fffc, 2);
	igt_assert_eq(__igt_vivgpu_run(fd, queue, &stream), -EPERM);
}

/* Words hidden in the padding of a command are no commands, and are not executed. */
static void hidden(int fd)
{
	struct igt_vivgpu_stream stream = { 0 };
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);

	stream.size = 4;
	stream.words[0] = IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_FILL_VALUE, 2);
	stream.words[3] = IGT_VIVGPU_END;
	igt_assert_eq(__igt_vivgpu_run(fd, queue, &stream), 0);
	stream.words[0] = IGT_VIVGPU_NOP;
	stream.words[1] = IGT_VIVGPU_END;
	stream.words[2] = IGT_VIVGPU_NOP;
	igt_assert_eq(__igt_vivgpu_run(fd, queue, &stream), 0);
}

/*
 * Another process, which shares the words, changes them while the kernel validates them. Each job
 * that is taken raises one event, its last; one in which a forbidden word was executed has two.
 */
static void changing_words(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_stream *stream = mmap(NULL, sizeof(*stream), PROT_READ | PROT_WRITE,
						MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct igt_vivgpu_job job = { .stream = stream };
	uint64_t events;
	int taken = 0, refused = 0;

	igt_vivgpu_require_card();
	stream->size = IGT_VIVGPU_STREAM_WORDS;
	for (uint32_t i = 0; i < stream->size; i += 2)
		stream->words[i] = IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_FILL_VALUE, 1);
	job.out_sync = igt_vivgpu_sync_create(fd);
	events = igt_vivgpu_card_total("gc.hi.events");
	igt_fork(child, 1)
	{
		volatile uint32_t *word = &stream->words[stream->size - 2];
		int64_t end = igt_vivgpu_now() + IGT_VIVGPU_SECOND;

		/*
		 * Of 1000 or 1001 writes either value may be the last, which stays in memory
		 * longest.
		 */
		while (igt_vivgpu_now() < end)
			for (int i = 0; i < 1000 + (rand() & 1); i++)
				*word = IGT_VIVGPU_LOAD_STATE(
					i & 1 ? IGT_VIVGPU_GL_EVENT : IGT_VIVGPU_RS_FILL_VALUE, 1);
		_exit(0);
	}
	for (int64_t end = igt_vivgpu_now() + IGT_VIVGPU_SECOND; igt_vivgpu_now() < end;) {
		int ret = __igt_vivgpu_submit(fd, queue, &job);

		igt_assert(ret == 0 || ret == -EPERM);
		taken += ret == 0;
		refused += ret != 0;
		if (ret == 0)
			igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, 60 * IGT_VIVGPU_SECOND));
	}
	igt_waitchildren();
	events = igt_vivgpu_card_total("gc.hi.events") - events;
	igt_info("%d taken, %d refused, %d events\n", taken, refused, (int)events);
	igt_assert(taken && refused);
	igt_assert_eq(events, taken);
	munmap(stream, sizeof(*stream));
}

/*
 * Two clients; the first has a secret at an address that is not mapped for the second: behind a
 * filler that is larger than all that the second one has.
 */
struct pair {
	int fd[2];
	uint32_t queue[2];
	struct igt_vivgpu_bo secret, result;
};

static void pair_init(struct pair *pair, int fd)
{
	struct igt_vivgpu_bo filler;

	pair->fd[0] = fd;
	pair->fd[1] = igt_vivgpu_reopen(fd);
	for (int i = 0; i < 2; i++)
		pair->queue[i] = igt_vivgpu_queue_create(pair->fd[i], DRM_VIVGPU_PRIORITY_NORMAL);
	igt_vivgpu_bo_init(&filler, pair->fd[0], 1 << 22);
	igt_vivgpu_bo_init(&pair->secret, pair->fd[0], BYTES);
	igt_vivgpu_bo_init(&pair->result, pair->fd[1], BYTES);
	igt_assert(pair->secret.va != pair->result.va);
	for (int i = 0; i < BYTES / 4; i++)
		pair->secret.map[i] = SECRET + i;
}

/* The second client's stream faults: only that client is guilty, and the secret is not copied. */
static void must_fault(struct pair *pair, const struct igt_vivgpu_stream *stream)
{
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_job job = { .stream = stream,
				      .bos = { &pair->result },
				      .nr_bos = 1,
				      .out_sync = igt_vivgpu_sync_create(pair->fd[1]) };
	uint32_t before = guilty(pair->fd[1]);

	igt_vivgpu_submit(pair->fd[1], pair->queue[1], &job);
	igt_assert(igt_vivgpu_sync_wait(pair->fd[1], job.out_sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert(igt_vivgpu_sync_error(pair->fd[1], job.out_sync) < 0);
	igt_assert_eq_u32(guilty(pair->fd[1]), before + 1);
	igt_assert_eq_u32(guilty(pair->fd[0]), 0);
	for (int i = 0; i < BYTES / 4; i++) {
		igt_assert_eq_u32(pair->secret.map[i], SECRET + i);
		igt_assert_eq_u32(pair->result.map[i], 0);
	}
	igt_assert_eq(__igt_vivgpu_run(pair->fd[0], pair->queue[0], &nop), 0);
	igt_assert_eq(__igt_vivgpu_run(pair->fd[1], pair->queue[1], &nop), 0);
}

static void read_foreign(int fd)
{
	struct igt_vivgpu_stream stream = { 0 };
	struct pair pair;

	pair_init(&pair, fd);
	igt_vivgpu_copy(&stream, pair.result.va, pair.secret.va, ROWS);
	must_fault(&pair, &stream);
	close(pair.fd[1]);
}

static void write_foreign(int fd)
{
	struct igt_vivgpu_stream stream = { 0 };
	struct pair pair;

	pair_init(&pair, fd);
	igt_vivgpu_fill(&stream, pair.secret.va, ROWS, 0);
	must_fault(&pair, &stream);
	close(pair.fd[1]);
}

/*
 * The same directly after the owner's job, while the GPU's translation buffers still hold the
 * owner's translations.
 */
static void read_foreign_warm(int fd)
{
	struct igt_vivgpu_stream stream = { 0 }, owner = { 0 };
	struct pair pair;
	struct igt_vivgpu_job job = { .stream = &owner, .bos = { &pair.secret }, .nr_bos = 1 };

	pair_init(&pair, fd);
	igt_vivgpu_copy(&owner, pair.secret.va, pair.secret.va, ROWS);
	igt_vivgpu_copy(&stream, pair.result.va, pair.secret.va, ROWS);
	for (int i = 0; i < 8; i++)
		igt_vivgpu_submit(pair.fd[0], pair.queue[0], &job);
	must_fault(&pair, &stream);
	close(pair.fd[1]);
}

/* The handle of another client's buffer is invalid. */
static void foreign_handle(int fd)
{
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct pair pair;
	/* The secret's handle: the first client's second buffer */
	struct igt_vivgpu_bo guess = { .handle = 2 };
	struct igt_vivgpu_job job = { .stream = &nop, .bos = { &guess }, .nr_bos = 1 };

	pair_init(&pair, fd);
	igt_assert_eq(__igt_vivgpu_submit(pair.fd[1], pair.queue[1], &job), -ENOENT);
	/* Queues are numbered for each file: both clients' queues have the same number. */
	igt_assert_eq(__igt_vivgpu_submit(pair.fd[0], pair.queue[1], &job), 0);
	igt_assert_eq(__igt_vivgpu_submit(pair.fd[1], pair.queue[1] + 1, &job), -ENOENT);
	close(pair.fd[1]);
}

/* The fence of a job by etnaviv's call; not waited for. */
static uint32_t etnaviv_nop(int fd)
{
	const uint32_t words[] = { IGT_VIVGPU_NOP, 0 };
	struct drm_etnaviv_gem_submit args = {
		.exec_state = ETNA_PIPE_3D,
		.stream = (uintptr_t)words,
		.stream_size = sizeof(words),
	};

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &args), 0);
	return args.fence;
}

/*
 * Numbers of etnaviv's fences are the client's own: another one learns nothing of its jobs. A
 * number without a fence of the caller counts as signalled.
 */
static void foreign_fence(int fd)
{
	struct igt_vivgpu_client client;
	struct drm_etnaviv_wait_fence args = { .flags = ETNA_WAIT_NONBLOCK };
	uint32_t first, foreign;
	int other = igt_vivgpu_reopen(fd);

	igt_vivgpu_client_init(&client, fd, 1 << 20);
	first = etnaviv_nop(fd);
	igt_vivgpu_spin_init(&client.work, &client.bo, IGT_VIVGPU_SECOND / 5);
	igt_vivgpu_client_submit(&client);
	args.fence = etnaviv_nop(fd);
	igt_assert_eq(args.fence, first + 1);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &args), -EBUSY);
	igt_assert_eq(__igt_vivgpu_ioctl(other, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &args), 0);
	foreign = etnaviv_nop(other);
	igt_assert_eq(foreign, first);
	igt_vivgpu_client_wait(&client);
	close(other);
}

/* A buffer whose handle is closed is not mapped any more: reading from its address faults. */
static void read_closed(int fd)
{
	struct igt_vivgpu_stream stream = { 0 };
	struct igt_vivgpu_bo gone;
	struct pair pair;

	pair_init(&pair, fd);
	igt_vivgpu_bo_init(&gone, pair.fd[1], 1 << 20);
	igt_vivgpu_copy(&stream, pair.result.va, gone.va, ROWS);
	igt_vivgpu_bo_fini(&gone);
	must_fault(&pair, &stream);
	close(pair.fd[1]);
}

/*
 * Where the kernel keeps the ring and copies of streams nothing can be written. An address at which
 * the client has its own buffer is left out.
 */
static void write_kernel_memory(int fd)
{
	static const uint64_t addresses[] = { 0x0, 0x1000, 0x10000, 0x100000, 0x200000, 0x400000 };
	struct pair pair;

	pair_init(&pair, fd);
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		struct igt_vivgpu_stream stream = { 0 };

		if (addresses[i] + BYTES > pair.result.va && addresses[i] < pair.result.va + BYTES)
			continue;
		igt_vivgpu_fill(&stream, addresses[i], ROWS, IGT_VIVGPU_NOP);
		must_fault(&pair, &stream);
	}
	close(pair.fd[1]);
}

/*
 * State of one client is not visible to the next: a fill whose colour the second client did not
 * load must not use the first one's.
 */
static void inherit_state(int fd)
{
	struct igt_vivgpu_stream stream = { 0 }, first = { 0 };
	struct pair pair;
	struct igt_vivgpu_job job = { .stream = &first, .bos = { &pair.secret }, .nr_bos = 1 };
	struct igt_vivgpu_job next = { .stream = &stream, .bos = { &pair.result }, .nr_bos = 1 };

	pair_init(&pair, fd);
	igt_vivgpu_fill(&first, pair.secret.va, ROWS, SECRET);
	igt_vivgpu_fill(&stream, pair.result.va, ROWS, 1);
	for (uint32_t i = 0; i < stream.size; i += 2)
		if (stream.words[i] == IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_FILL_VALUE, 1))
			stream.words[i] = IGT_VIVGPU_NOP;
	igt_vivgpu_run(pair.fd[0], pair.queue[0], &job);
	igt_vivgpu_run(pair.fd[1], pair.queue[1], &next);
	igt_assert_eq_u32(pair.secret.map[0], SECRET);
	for (int i = 0; i < BYTES / 4; i++)
		igt_assert_eq_u32(pair.result.map[i], 0);
	close(pair.fd[1]);
}

/*
 * The state of a queue's prologue is there for each of its jobs, which only start the fill: also in
 * rounds 1 and 3, where another client's job has loaded other values in between.
 */
static void keep_state(int fd)
{
	struct igt_vivgpu_stream prologue = { 0 }, kick = { 0 };
	int other = igt_vivgpu_reopen(fd);
	uint32_t theirs = igt_vivgpu_queue_create(other, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = { .stream = &kick, .bos = { &bo }, .nr_bos = 1 };
	struct drm_vivgpu_queue_create create = { .priority = DRM_VIVGPU_PRIORITY_NORMAL };

	igt_vivgpu_bo_init(&bo, fd, BYTES);
	igt_vivgpu_fill(&prologue, bo.va, ROWS, SECRET);
	prologue.size -= 2; /* the kick */
	create.prologue = (uintptr_t)prologue.words;
	create.prologue_size = prologue.size * 4;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create), 0);
	igt_vivgpu_again(&kick);
	for (int i = 0; i < 4; i++) {
		struct igt_vivgpu_stream other_state = { 0 };

		igt_vivgpu_state(&other_state, IGT_VIVGPU_RS_FILL_VALUE, 1);
		igt_vivgpu_state(&other_state, IGT_VIVGPU_RS_PIPE_DEST_ADDR, 0);
		if (i & 1)
			igt_assert_eq(__igt_vivgpu_run(other, theirs, &other_state), 0);
		memset(bo.map, 0, bo.size);
		igt_vivgpu_run(fd, create.queue, &job);
		igt_assert_eq_u32(bo.map[0], SECRET);
		igt_assert_eq_u32(bo.map[BYTES / 4 - 1], SECRET);
	}
	close(other);
}

/* Prologues that could use state of another client are refused. */
static void prologue_actions(int fd)
{
	static const struct {
		uint32_t words[4];
		int result;
	} cases[] = {
		{ { IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_FILL_VALUE, 1), SECRET, IGT_VIVGPU_NOP },
		  0 },
		{ { IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_RS_KICKER, 1), 0xbadabeeb, IGT_VIVGPU_NOP },
		  -EPERM },
		{ { IGT_VIVGPU_NOP, 0, IGT_VIVGPU_LOAD_STATE(IGT_VIVGPU_GL_FLUSH_CACHE, 1), 1 },
		  -EPERM },
		{ { IGT_VIVGPU_DRAW, 4, 0, 1 }, -EPERM },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct drm_vivgpu_queue_create create = {
			.priority = DRM_VIVGPU_PRIORITY_NORMAL,
			.prologue = (uintptr_t)cases[i].words,
			.prologue_size = sizeof(cases[i].words),
		};

		igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create),
			      cases[i].result);
	}
}

static const struct igt_vivgpu_test tests[] = {
	{ "opcodes", "No command that jumps, stops or switches", opcodes },
	{ "states", "No state that moves front end, MMU or interrupt", states },
	{ "state-ranges", "No range that reaches such a state", state_ranges },
	{ "hidden", "Words that are no commands are not run", hidden },
	{ "changing-words", "Words changed during the call are not run unchecked", changing_words },
	{ "read-foreign", "Another client's buffer is not read", read_foreign },
	{ "read-foreign-warm", "Nor right after its owner's job", read_foreign_warm },
	{ "write-foreign", "Another client's buffer is not written", write_foreign },
	{ "foreign-handle", "Another client's handles are unknown", foreign_handle },
	{ "foreign-fence", "Nor are its fences known", foreign_fence },
	{ "read-closed", "A closed buffer is not read", read_closed },
	{ "write-kernel-memory", "The kernel's part of the space is read-only",
	  write_kernel_memory },
	{ "inherit-state", "No state of another client is seen", inherit_state },
	{ "keep-state", "A queue's prologue is run when it must", keep_state },
	{ "prologue-actions", "A prologue can load state only", prologue_actions },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
