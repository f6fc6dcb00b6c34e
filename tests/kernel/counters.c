// SPDX-License-Identifier: MIT
/*
 * counters: the counters that a job requests contain its own work only, whichever jobs run before
 * and after it and however late the interrupts are. They are compared with the card's totals and
 * with the bytes that a fill must write. Runs in the guest, as root for the card's mailbox.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <drm/etnaviv_drm.h>

#include "fill.h"

#define JOBS 12
#define PIXEL_BYTES 4
/* Counts of memory come in units of 8 bytes. */
#define UNIT_BYTES 8
/* A command of the card; ns */
#define LATE_INTERRUPTS "delay-irq 3000000"
/* Counters that a job may have. */
#define MAX_COUNTERS 68

/* A counter by name, and its numbers, which test_names() finds before the other tests use them. */
struct name {
	const char *domain, *signal;
	uint32_t d, s;
};

static struct name written = { "HI", "TOTAL_WRITE_BYTES8", 0, 0 };
static struct name cycles = { "HI", "TOTAL_CYCLES", 0, 0 };
static struct name draws = { "FE", "DRAW_COUNT", 0, 0 };
static struct name requests = { "MC", "TOTAL_WRITE_REQ_8B_FROM_PIPELINE", 0, 0 };

/*
 * A client that fills a buffer of its own, 64 pixels wide. Counts of its jobs are written to
 * @result; @sync has the fence of the last job.
 */
struct worker {
	struct client client;
	struct buffer target, result;
	uint32_t height, sync;
};

static bool find_signal(const struct client *client, struct name *name)
{
	struct drm_vivgpu_perf_signal signal = { .domain = name->d };

	for (; !call(client->fd, DRM_IOCTL_VIVGPU_PERF_SIGNAL, &signal); signal.signal++) {
		name->s = signal.signal;
		if (strcmp(signal.name, name->signal) == 0)
			return true;
	}
	return false;
}

static bool find(const struct client *client, struct name *name)
{
	struct drm_vivgpu_perf_domain domain = { 0 };

	for (; !call(client->fd, DRM_IOCTL_VIVGPU_PERF_DOMAIN, &domain); domain.domain++) {
		name->d = domain.domain;
		if (strcmp(domain.name, name->domain) == 0)
			return find_signal(client, name);
	}
	return false;
}

/* Every domain has the number of signals that it reports; each name differs from the one before. */
static bool list_is_sound(const struct client *client)
{
	struct drm_vivgpu_perf_domain domain = { 0 };
	unsigned int signals = 0;

	for (; !call(client->fd, DRM_IOCTL_VIVGPU_PERF_DOMAIN, &domain); domain.domain++) {
		struct drm_vivgpu_perf_signal signal = { .domain = domain.domain };
		char last[sizeof(signal.name)] = "";

		for (; !call(client->fd, DRM_IOCTL_VIVGPU_PERF_SIGNAL, &signal); signal.signal++) {
			if (!signal.name[0] || !signal.scale || strcmp(last, signal.name) == 0)
				return false;
			memcpy(last, signal.name, sizeof(last));
			signals++;
		}
		if (signal.signal != domain.nr_signals)
			return false;
	}
	return domain.domain >= 9 && signals >= 60;
}

static void test_names(const struct client *client)
{
	struct drm_vivgpu_perf_domain domain = { .domain = 1000 };
	struct drm_vivgpu_perf_signal signal = { .signal = 1000 };

	check(list_is_sound(client), "blocks and counters have names");
	check(find(client, &written) && find(client, &cycles) && find(client, &draws) &&
		      find(client, &requests),
	      "those wanted here are among them");
	check(call(client->fd, DRM_IOCTL_VIVGPU_PERF_DOMAIN, &domain) == ENOENT,
	      "no block after the last");
	check(call(client->fd, DRM_IOCTL_VIVGPU_PERF_SIGNAL, &signal) == ENOENT,
	      "no counter after the last");
}

static struct worker make_worker(uint32_t height)
{
	struct worker worker = { .client = open_client(), .height = height };

	worker.target = make_buffer(worker.client.fd, 64 * PIXEL_BYTES * height);
	worker.result = make_buffer(worker.client.fd, 4096);
	memset(worker.result.map, 0, worker.result.size);
	worker.sync = make_sync(worker.client.fd);
	return worker;
}

static void free_worker(struct worker *worker)
{
	free_buffer(worker->client.fd, &worker->target);
	free_buffer(worker->client.fd, &worker->result);
	close_client(&worker->client);
}

static uint64_t fill_bytes(const struct worker *worker)
{
	return 64ull * PIXEL_BYTES * worker->height;
}

static bool signalled(int gpu, uint32_t sync)
{
	return wait_sync(gpu, sync, 10) == 0;
}

static uint64_t param(int gpu, uint32_t number)
{
	struct drm_vivgpu_get_param get = { .param = number };

	return call(gpu, DRM_IOCTL_VIVGPU_GET_PARAM, &get) == 0 ? get.value : 0;
}

/* Count into the 64-bit number @place of @result, which is buffer 1 in fill(). */
static struct drm_vivgpu_counter request(const struct name *name, uint32_t place)
{
	return (struct drm_vivgpu_counter){
		.domain = name->d,
		.signal = name->s,
		.bo_index = 1,
		.bo_offset = place * sizeof(uint64_t),
	};
}

/* One fill; @counters may be none. Returns the error number. */
static int fill(struct worker *worker, struct drm_vivgpu_counter *counters, uint32_t count)
{
	struct stream stream = { .count = 0 };
	struct fill area = { (uint32_t)worker->target.va, 64, worker->height, 0x11223344 };
	struct drm_vivgpu_submit_bo bos[2] = {
		{ worker->target.handle, DRM_VIVGPU_SUBMIT_BO_WRITE },
		{ worker->result.handle, DRM_VIVGPU_SUBMIT_BO_WRITE },
	};
	struct drm_vivgpu_sync out = { .handle = worker->sync };
	struct drm_vivgpu_submit args = {
		.bos = (uintptr_t)bos,
		.nr_bos = 2,
		.counters = (uintptr_t)counters,
		.nr_counters = count,
		.out_syncs = (uintptr_t)&out,
		.nr_out_syncs = 1,
	};

	add_fill(&stream, &area);
	return submit_stream(&worker->client, &args, &stream);
}

static uint64_t counted(const struct worker *worker, uint32_t place)
{
	return ((const uint64_t *)(const void *)worker->result.map)[place];
}

static void test_one_job(void)
{
	struct worker worker = make_worker(48);
	struct drm_vivgpu_counter counters[] = { request(&written, 0), request(&cycles, 1),
						 request(&draws, 2), request(&requests, 3) };
	uint64_t before = card_total("gc.rs.write_bytes");

	check(fill(&worker, counters, 4) == 0 && signalled(worker.client.fd, worker.sync),
	      "a fill with four counters");
	check(worker.target.map[64 * 48 - 1] == 0x11223344, "it filled");
	check(counted(&worker, 0) * UNIT_BYTES == fill_bytes(&worker), "bytes written");
	check(counted(&worker, 0) * UNIT_BYTES == card_total("gc.rs.write_bytes") - before,
	      "the card says the same");
	check(counted(&worker, 1) > 0, "cycles");
	check(counted(&worker, 2) == 0, "no draws");
	check(counted(&worker, 3) * UNIT_BYTES == fill_bytes(&worker), "requests of the pipeline");
	free_worker(&worker);
}

static void test_refusals(void)
{
	struct worker worker = make_worker(16);
	struct drm_vivgpu_counter many[MAX_COUNTERS + 1];
	struct drm_vivgpu_counter one = request(&written, 0);

	for (unsigned int i = 0; i <= MAX_COUNTERS; i++)
		many[i] = one;
	check(param(worker.client.fd, DRM_VIVGPU_PARAM_MAX_COUNTERS) == MAX_COUNTERS,
	      "the most counters");
	check(fill(&worker, many, MAX_COUNTERS) == 0, "as many as are permitted");
	check(fill(&worker, many, MAX_COUNTERS + 1) == EINVAL, "one more");
	one.bo_offset = 4096;
	check(fill(&worker, &one, 1) == EINVAL, "a result after the buffer");
	one.bo_offset = 4;
	check(fill(&worker, &one, 1) == EINVAL, "a result at an odd place");
	one = request(&written, 0);
	one.bo_index = 2;
	check(fill(&worker, &one, 1) == EINVAL, "a result in no buffer");
	one = request(&written, 0);
	one.flags = 1;
	check(fill(&worker, &one, 1) == EINVAL, "unknown flags of a counter");
	one = request(&written, 0);
	one.signal = 1000;
	check(fill(&worker, &one, 1) == EINVAL, "an unknown counter");
	free_worker(&worker);
}

/* Two clients' jobs, some of them counting, go to the ring without a pause. */
static void crowd(struct worker *a, struct worker *b, const char *what)
{
	bool exact = true, gave = true;

	memset(a->result.map, 0, a->result.size);
	memset(b->result.map, 0, b->result.size);
	for (uint32_t i = 0; i < JOBS; i++) {
		struct drm_vivgpu_counter counter = request(&written, i);

		gave = gave && fill(a, &counter, 1) == 0;
		gave = gave && fill(b, i % 3 ? &counter : NULL, i % 3 ? 1 : 0) == 0;
		gave = gave && fill(a, NULL, 0) == 0;
	}
	gave = gave && signalled(a->client.fd, a->sync) && signalled(b->client.fd, b->sync);
	for (uint32_t i = 0; i < JOBS; i++) {
		exact = exact && counted(a, i) * UNIT_BYTES == fill_bytes(a);
		exact = exact && counted(b, i) * UNIT_BYTES == (i % 3 ? fill_bytes(b) : 0);
	}
	check(gave && exact, "two clients back to back, %s", what);
}

static void test_crowds(void)
{
	struct worker a = make_worker(32), b = make_worker(80);

	crowd(&a, &b, "interrupts as they come");
	check(card(LATE_INTERRUPTS), "delay the interrupts");
	crowd(&a, &b, "interrupts 3 ms late");
	check(card("delay-irq 0"), "delay them no more");
	check(card("jitter-irq 7 2000000"), "interrupts at random");
	crowd(&a, &b, "interrupts at random");
	check(card("jitter-irq 0 0"), "not any more");
	free_worker(&a);
	free_worker(&b);
}

/* One fill by etnaviv's calls, with a counter read before and after it. The error number. */
static int fill_by_etnaviv(const struct worker *worker, const struct name *name)
{
	struct stream stream = { .count = 0 };
	struct fill area = { (uint32_t)worker->target.va, 64, worker->height, 0x55667788 };
	struct drm_etnaviv_gem_submit_bo bos[2] = {
		{ .flags = ETNA_SUBMIT_BO_WRITE, .handle = worker->target.handle },
		{ .flags = ETNA_SUBMIT_BO_WRITE, .handle = worker->result.handle },
	};
	struct drm_etnaviv_gem_submit_pmr requests[2] = {
		{ .flags = ETNA_PM_PROCESS_PRE, .sequence = 7, .read_offset = 2, .read_idx = 1 },
		{ .flags = ETNA_PM_PROCESS_POST, .sequence = 7, .read_offset = 3, .read_idx = 1 },
	};
	struct drm_etnaviv_gem_submit args = {
		.exec_state = ETNA_PIPE_3D,
		.bos = (uintptr_t)bos,
		.nr_bos = 2,
		.stream = (uintptr_t)stream.word,
		.pmrs = (uintptr_t)requests,
		.nr_pmrs = 2,
	};
	struct drm_etnaviv_gem_wait wait = { .handle = worker->result.handle };
	int64_t end = now_ns() + 10 * SECOND_NS;
	int error;

	for (unsigned int i = 0; i < 2; i++) {
		requests[i].domain = name->d;
		requests[i].signal = name->s;
	}
	add_fill(&stream, &area);
	args.stream_size = stream.count * sizeof(uint32_t);
	wait.timeout.tv_sec = end / SECOND_NS;
	wait.timeout.tv_nsec = end % SECOND_NS;
	error = call(worker->client.fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &args);
	return error ? error : call(worker->client.fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &wait);
}

/* etnaviv's user space computes the difference; neither number contains others' work. */
static void test_etnaviv(void)
{
	struct worker a = make_worker(32), b = make_worker(64);

	check(fill(&b, NULL, 0) == 0 && signalled(b.client.fd, b.sync), "another client's fill");
	check(fill_by_etnaviv(&a, &written) == 0, "a fill by etnaviv's calls");
	check(a.target.map[0] == 0x55667788 && a.result.map[0] == 7, "it filled");
	check(a.result.map[2] == 0, "counts begin with the job, not %u", a.result.map[2]);
	check((uint64_t)a.result.map[3] * UNIT_BYTES == fill_bytes(&a), "bytes written");
	free_worker(&a);
	free_worker(&b);
}

/*
 * The counting job hangs; the next one, which waited for it, counts right. The core must stay
 * awake, since waking up would drop the planted hang, and stays so: this is the last test.
 */
static void test_hang(void)
{
	struct worker a = make_worker(32), b = make_worker(64);
	struct drm_vivgpu_counter counter = request(&written, 0);

	check(let_sleep(false) && card("hang"), "hang at the next command");
	check(fill(&a, &counter, 1) == 0 && fill(&b, &counter, 1) == 0, "two counting jobs");
	check(signalled(a.client.fd, a.sync), "the first one ends");
	check(signalled(b.client.fd, b.sync), "the second one gets through");
	check(counted(&a, 0) == UINT64_MAX, "the first one's count is void");
	check(counted(&b, 0) * UNIT_BYTES == fill_bytes(&b), "the second one's are right");
	free_worker(&a);
	free_worker(&b);
}

int main(void)
{
	struct client client;

	client = open_client();
	test_names(&client);
	test_one_job();
	test_refusals();
	test_crowds();
	test_etnaviv();
	test_hang();
	close_client(&client);
	return end_checks();
}
