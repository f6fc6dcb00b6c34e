// SPDX-License-Identifier: MIT
/*
 * faults: whatever goes wrong, only who caused it loses work, and the reset
 * query says who that was. Runs in the guest as root.
 *
 *	faults recover	each fault the card knows, with an innocent client beside
 *	faults places	a lost event and a hang where two clients' streams lie at one address
 *	faults late	a job that looks stuck ends while it is dealt with; on a driver with
 *			planted lines (tests/kernel/run), which log "planted: stuck" then
 *	faults dump	what devcoredump has after two hangs
 */

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fill.h"

#define JOBS 8
#define FLUSHES 20
/*
 * Commands to the card; "slow 100" is its modelled speed again. The 20 flushes of a job take 0.16
 * ms, and 10,000 times as long with SLOWER: no job ends while a fault is planted.
 */
#define SLOWER "slow 1000000"
/* A fill that takes two seconds with SLOW_FILL: the driver looks for progress each 0.5 s. */
#define LONG_SIDE 1024
#define SLOW_FILL "slow 100000"
/* A state without effect, and words to be found again in a dump */
#define STATE_FILLER 0x3fffc
#define OUR_WORD 0x5eed1234u
#define LABEL "the-guilty-buffer"
#define COOKIE 0xc00c1e5ull
/* One more than the number of stream slots for different clients */
#define CROWD 241
#define RING "/sys/kernel/debug/dri/128/ring"
#define DUMPS "/sys/class/devcoredump/devcd*/data"

/* A client and its jobs. */
struct worker {
	int gpu;
	uint32_t queue;
	int fences[JOBS];
};

static struct worker make_worker(void)
{
	struct worker w = { .gpu = open_gpu() };

	w.queue = make_queue(w.gpu);
	return w;
}

static struct drm_vivgpu_reset_query query(const struct worker *w)
{
	struct drm_vivgpu_reset_query query = { 0 };

	check(call(w->gpu, DRM_IOCTL_VIVGPU_RESET_QUERY, &query) == 0, "reset query");
	return query;
}

/* Jobs that take a moment each, so that several are in the ring. */
static int submit_jobs(struct worker *w)
{
	uint32_t words[FLUSHES * FLUSH_WORDS];
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = sizeof(words) };
	int error = 0;

	for (int i = 0; i < FLUSHES; i++)
		put_flush(words + FLUSH_WORDS * i);
	for (int i = 0; i < JOBS && !error; i++) {
		struct drm_vivgpu_submit args = {
			.queue = w->queue,
			.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
			.pieces = (uintptr_t)&piece,
			.nr_pieces = 1,
		};

		error = call(w->gpu, DRM_IOCTL_VIVGPU_SUBMIT, &args);
		w->fences[i] = args.fence_fd;
	}
	return error;
}

/* Wait for all jobs; how many of them failed. */
static int count_failed(struct worker *w)
{
	int bad = 0;

	for (int i = 0; i < JOBS; i++) {
		bad += wait_fence(w->fences[i], 20) != 0;
		close(w->fences[i]);
	}
	return bad;
}

/* Expected consequences of a fault */
struct outcome {
	/* jobs that the guilty client loses, and is informed of */
	unsigned lost;
	/* resets of the core, at least and at most */
	unsigned least;
	unsigned most;
};

static void check_outcome(struct worker *guilty, struct worker *innocent,
			  const struct drm_vivgpu_reset_query *before, struct outcome expected)
{
	unsigned failed = count_failed(guilty), resets;
	struct drm_vivgpu_reset_query after;

	check(failed == expected.lost, "%u of the jobs that met it failed", failed);
	check(count_failed(innocent) == 0, "the innocent client's are done");
	after = query(guilty);
	resets = after.resets - before->resets;
	check(after.guilty - before->guilty == expected.lost, "guilty of %u",
	      after.guilty - before->guilty);
	check(resets >= expected.least && resets <= expected.most, "%u resets", resets);
	check(query(innocent).guilty == 0, "the innocent one of nothing");
	check(submit_jobs(guilty) == 0 && count_failed(guilty) == 0, "and it goes on");
}

/* The front end waits when the fault is planted. */
static void test_idle(const char *fault, struct outcome expected)
{
	struct worker guilty = make_worker(), innocent = make_worker();
	struct drm_vivgpu_reset_query before = query(&guilty);

	check(card(fault), "%s, nothing runs", fault);
	check(submit_jobs(&guilty) == 0 && submit_jobs(&innocent) == 0, "jobs of two clients");
	check_outcome(&guilty, &innocent, &before, expected);
	close(guilty.gpu);
	close(innocent.gpu);
}

/* The guilty client's jobs run when the fault is planted. */
static void test_running(const char *fault, struct outcome expected)
{
	struct worker guilty = make_worker(), innocent = make_worker();
	struct drm_vivgpu_reset_query before = query(&guilty);

	check(card(SLOWER) && submit_jobs(&guilty) == 0, "slow jobs run");
	check(card(fault) && card("slow 100"), "%s, a job runs", fault);
	check(submit_jobs(&innocent) == 0, "jobs of another client");
	check_outcome(&guilty, &innocent, &before, expected);
	close(guilty.gpu);
	close(innocent.gpu);
}

static void test_recover(void)
{
	const struct outcome nothing = { 0, 0, 0 }, one_job = { 1, 1, 1 };
	/* A front end that continues after an error may have finished before the reset. */
	const struct outcome nobodys = { 0, 0, 1 };

	check(let_sleep(false), "the core stays awake");
	test_idle("hang", one_job);
	test_running("hang", one_job);
	test_idle("lose-irq 1", nothing);
	test_idle("lose-event", nothing);
	test_running("lose-event", nothing);
	test_idle("mmu-fault", nobodys);
	test_running("mmu-fault", one_job);
	test_idle("axi-error", nobodys);
	test_running("axi-error", one_job);
	check(let_sleep(true), "it may sleep");
}

/* How many jobs are in the ring; the address of the last one's copy. */
static unsigned look_at_ring(uint32_t *address)
{
	static char text[1 << 14];
	unsigned count = 0;
	FILE *file = fopen(RING, "r");
	size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	text[length] = 0;
	for (const char *at = text; (at = strstr(at, " at ")); at += 4) {
		*address = strtoul(at + 4, NULL, 16);
		count++;
	}
	return count;
}

/*
 * Address of the copy of the last of JOBS slow jobs once all of them are in the ring, 0 if they are
 * not within a second.
 */
static uint32_t stream_address(void)
{
	int64_t end = now_ns() + SECOND_NS;
	uint32_t address = 0;

	while (look_at_ring(&address) != JOBS)
		if (now_ns() > end)
			return 0;
	return address;
}

/* Run JOBS slow jobs. Returns: the address of the copy of the last one's stream. */
static uint32_t address_of(struct worker *w)
{
	uint32_t address = 0;

	if (card(SLOWER) && submit_jobs(w) == 0)
		address = stream_address();
	check(card("slow 100") && count_failed(w) == 0, "jobs at %08x", address);
	return address;
}

/*
 * More clients than stream slots, so the first and the last client share one. The first one's event
 * is lost; then the last one hangs within its stream.
 */
static void test_places(void)
{
	static struct worker crowd[CROWD];
	struct worker *first = &crowd[0], *last = &crowd[CROWD - 1];
	struct drm_vivgpu_reset_query before;
	bool good = true;
	int fence = -1;

	check(let_sleep(false), "the core stays awake");
	for (int i = 0; i < CROWD; i++) {
		crowd[i] = make_worker();
		good = good && submit_fence(crowd[i].gpu, crowd[i].queue, &fence) == 0 &&
		       wait_fence(fence, 20) == 0;
		close(fence);
	}
	check(good, "jobs of %d clients", CROWD);
	check(address_of(first) == address_of(last), "the last one's at the place of the first's");

	before = query(last);
	check(card("lose-event") && submit_fence(first->gpu, first->queue, &fence) == 0,
	      "an event is lost");
	check(card(SLOWER) && submit_jobs(last) == 0 && card("hang") && card("slow 100"),
	      "behind it the last one's job hangs");
	check(wait_fence(fence, 20) == 0, "the first one's is done all the same");
	close(fence);
	check(count_failed(last) == 1, "one of the last one's fails");
	check(query(last).guilty - before.guilty == 1, "which is guilty of it");
	check(query(first).guilty == 0, "and the first one of nothing");
	for (int i = 0; i < CROWD; i++)
		close(crowd[i].gpu);
	check(let_sleep(true), "it may sleep");
}

/* A job of one long fill. */
static int submit_fill(const struct client *client, const struct buffer *target, int *fence)
{
	struct drm_vivgpu_submit_bo use = { target->handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_submit args = {
		.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
		.bos = (uintptr_t)&use,
		.nr_bos = 1,
	};
	struct fill area = { target->va, LONG_SIDE, LONG_SIDE, OUR_WORD };
	struct stream stream = { .count = 0 };
	int error;

	add_fill(&stream, &area);
	error = submit_stream(client, &args, &stream);
	*fence = args.fence_fd;
	return error;
}

static struct drm_vivgpu_reset_query query_client(const struct client *client)
{
	const struct worker w = { .gpu = client->fd };

	return query(&w);
}

/* The front end is in the second job when the first one ends, which looked stuck. */
static void test_late(void)
{
	struct client clients[2] = { open_client(), open_client() };
	struct buffer targets[2];
	int fences[2], status, error = 0;
	unsigned resets = query_client(&clients[0]).resets;

	check(let_sleep(false) && card(SLOW_FILL), "the core stays awake, and is slow");
	for (int i = 0; i < 2 && !error; i++) {
		targets[i] = make_buffer(clients[i].fd, LONG_SIDE * LONG_SIDE * 4);
		error = submit_fill(&clients[i], &targets[i], &fences[i]);
	}
	check(error == 0, "a long job of two clients");
	check(wait_log("planted: stuck", 20), "the first one looks stuck");
	for (int i = 0; i < 2; i++) {
		status = wait_fence(fences[i], 20);
		check(status == 0 && targets[i].map[0] == OUR_WORD, "job %d is done (%d)", i,
		      status);
		check(query_client(&clients[i]).guilty == 0, "it is guilty of nothing");
	}
	check(query_client(&clients[0]).resets == resets, "there was no reset");
	check(card("slow 100") && let_sleep(true), "all is as before");
	for (int i = 0; i < 2; i++) {
		close(fences[i]);
		free_buffer(clients[i].fd, &targets[i]);
		close_client(&clients[i]);
	}
}

/*
 * The one dump there is, or NULL. The driver gives devcoredump the next one when that is dismissed,
 * so they come in the order of the faults.
 */
static char *read_dump(char *path, size_t size)
{
	static char text[1 << 18];
	glob_t found;
	size_t length = 0;

	for (int i = 0; i < 100; i++) {
		FILE *file = NULL;

		if (glob(DUMPS, 0, NULL, &found) == 0) {
			snprintf(path, size, "%s", found.gl_pathv[0]);
			file = fopen(path, "r");
			globfree(&found);
		}
		if (file) {
			length = fread(text, 1, sizeof(text) - 1, file);
			fclose(file);
			text[length] = 0;
			return text;
		}
		usleep(50000);
	}
	return NULL;
}

/* A job whose stream has @word and OUR_WORD, and that uses a buffer; its fence is the first. */
static int submit_marked(struct worker *w, uint32_t bo, uint32_t word)
{
	const uint32_t words[4] = { COMMAND_LOAD(STATE_FILLER, 1), word,
				    COMMAND_LOAD(STATE_FILLER, 1), OUR_WORD };
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = sizeof(words) };
	struct drm_vivgpu_submit_bo use = { bo, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_submit args = {
		.queue = w->queue,
		.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)&use,
		.nr_bos = 1,
		.cookie = COOKIE,
	};
	int error = call(w->gpu, DRM_IOCTL_VIVGPU_SUBMIT, &args);

	w->fences[0] = args.fence_fd;
	return error;
}

static void hang_once(struct worker *w, uint32_t bo, uint32_t word)
{
	check(card("hang") && submit_marked(w, bo, word) == 0, "a job meets a hang");
	check(wait_fence(w->fences[0], 20) == -ETIME, "it fails with ETIME");
	close(w->fences[0]);
}

static void check_dump(uint32_t word)
{
	char path[256] = "", number[16];
	char *text = read_dump(path, sizeof(path));

	check(text, "there is a dump");
	if (!text)
		return;
	snprintf(number, sizeof(number), "%08x", word);
	check(strstr(text, number) && strstr(text, "5eed1234"), "our words are in it");
	check(strstr(text, "\"" LABEL "\""), "and our buffer's label");
	check(strstr(text, "cookie: c00c1e5"), "and the cookie");
	check(strstr(text, "FE_DMA_ADDRESS:") && strstr(text, "ring: last slot") &&
		      strstr(text, "mmu:"),
	      "registers, ring and MMU");
	check(write_file(path, "1") == 0, "dismiss it");
	/* devcoredump removes the file asynchronously. */
	for (int i = 0; i < 100 && access(path, F_OK) == 0; i++)
		usleep(50000);
	check(access(path, F_OK) != 0, "it is gone");
}

static void test_dump(void)
{
	struct worker w = make_worker();
	uint32_t bo = make_bo(w.gpu, 8192);
	struct drm_vivgpu_bo_label label = {
		.handle = bo,
		.length = sizeof(LABEL) - 1,
		.label = (uintptr_t)LABEL,
	};

	check(let_sleep(false) && bo && call(w.gpu, DRM_IOCTL_VIVGPU_BO_LABEL, &label) == 0,
	      "a buffer with a label");
	check(submit_nop(w.gpu, w.queue, 0, 0) == 0, "a good job");
	hang_once(&w, bo, 0x11112222);
	hang_once(&w, bo, 0x33334444);
	check_dump(0x11112222);
	check_dump(0x33334444);
	close(w.gpu);
	check(let_sleep(true), "it may sleep");
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	if (strcmp(what, "recover") == 0) {
		test_recover();
	} else if (strcmp(what, "dump") == 0) {
		test_dump();
	} else if (strcmp(what, "places") == 0) {
		test_places();
	} else if (strcmp(what, "late") == 0) {
		test_late();
	} else {
		fprintf(stderr, "usage: faults recover | places | late | dump\n");
		return 2;
	}
	return end_checks();
}
