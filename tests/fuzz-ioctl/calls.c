// SPDX-License-Identifier: MIT
/*
 * The calls that the fuzzer makes. Most arguments are valid, so that calls get past the first
 * checks; sometimes one field is not.
 */
#include "fuzz.h"
#include "igt.h"
#include "igt_vivgpu.h"

#include <drm_fourcc.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#define MAX_BO_SIZE (1 << 20)
#define STREAM_WORDS 2048
#define MAX_ARRAY 8

void fuzz_client_init(struct fuzz_client *client, int fd)
{
	memset(client, 0, sizeof(*client));
	client->fd = fd;
	for (int i = 0; i < FUZZ_HANDLES; i++) {
		client->fences[i] = -1;
		client->streams[i] = -1;
	}
}

/* With a low probability replace one 32-bit field of a structure by a random value. */
static void spoil(struct fuzz_random *r, void *data, size_t size)
{
	uint32_t bad = fuzz_bad(r);
	size_t at = fuzz_below(r, size / 4) * 4;

	if (fuzz_one_in(r, 12))
		memcpy((char *)data + at, &bad, sizeof(bad));
}

static int call(struct fuzz_client *client, unsigned long request, void *data)
{
	return __igt_vivgpu_ioctl(client->fd, request, data);
}

static unsigned int slot(struct fuzz_random *r)
{
	return fuzz_below(r, FUZZ_HANDLES);
}

/* Mostly one of the slots that are not empty. */
static uint32_t pick(struct fuzz_random *r, const uint32_t *slots)
{
	uint32_t found = 0;

	for (int i = 0; i < 12 && !found; i++)
		found = slots[slot(r)];
	return found;
}

static void bo_create(struct fuzz_random *r, struct fuzz_client *client)
{
	struct drm_vivgpu_bo_create create = { .size = 1 + fuzz_below(r, MAX_BO_SIZE),
					       .flags = fuzz_below(r, 2) };
	struct drm_vivgpu_bo_info info = { 0 };
	unsigned int i = slot(r);

	spoil(r, &create.flags, sizeof(create.flags));
	if (fuzz_one_in(r, 30))
		create.size = fuzz_one_in(r, 2) ? 0 : ~0ull - fuzz_below(r, 8192);
	if (call(client, DRM_IOCTL_VIVGPU_BO_CREATE, &create))
		return;
	info.handle = create.handle;
	if (client->bos[i])
		drmCloseBufferHandle(client->fd, client->bos[i]);
	client->bos[i] = create.handle;
	client->vas[i] = call(client, DRM_IOCTL_VIVGPU_BO_INFO, &info) == 0 ? info.va : 0;
}

/* Jobs that use it may still be running. */
static void bo_close(struct fuzz_random *r, struct fuzz_client *client)
{
	unsigned int i = slot(r);

	drmCloseBufferHandle(client->fd, client->bos[i]);
	client->bos[i] = 0;
	/* Rarely use the address of a closed buffer. */
	if (!fuzz_one_in(r, 16))
		client->vas[i] = 0;
}

static void bo_info(struct fuzz_random *r, struct fuzz_client *client)
{
	struct drm_vivgpu_bo_info info = { .handle = pick(r, client->bos) };
	uint32_t *map;

	spoil(r, &info, sizeof(info));
	if (call(client, DRM_IOCTL_VIVGPU_BO_INFO, &info))
		return;
	map = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, client->fd, info.offset);
	if (map == MAP_FAILED)
		return;
	map[0] = fuzz_next(r);
	map[info.size / 4 - 1] = fuzz_next(r);
	munmap(map, info.size);
}

static void bo_prep(struct fuzz_random *r, struct fuzz_client *client)
{
	struct drm_vivgpu_bo_prep prep = { .handle = pick(r, client->bos),
					   .op = 1 + fuzz_below(r, 3),
					   .timeout_ns =
						   igt_vivgpu_now() + fuzz_below(r, 1000000) };
	struct drm_vivgpu_bo_fini fini = { .handle = prep.handle };

	/* Handle and op; a random timeout could be years. */
	spoil(r, &prep, 8);
	spoil(r, &fini, sizeof(fini));
	call(client, DRM_IOCTL_VIVGPU_BO_PREP, &prep);
	call(client, DRM_IOCTL_VIVGPU_BO_FINI, &fini);
}

static void bo_label(struct fuzz_random *r, struct fuzz_client *client)
{
	char text[64] = "a buffer of the fuzzer";
	struct drm_vivgpu_bo_label label = { .handle = pick(r, client->bos),
					     .length = fuzz_below(r, 65),
					     .label = (uintptr_t)text };

	spoil(r, &label, sizeof(label));
	call(client, DRM_IOCTL_VIVGPU_BO_LABEL, &label);
}

static void bo_modifier(struct fuzz_random *r, struct fuzz_client *client)
{
	struct drm_vivgpu_bo_modifier modifier = {
		.handle = pick(r, client->bos),
		.flags = fuzz_below(r, 2) ? DRM_VIVGPU_MODIFIER_SET : 0,
		.modifier = DRM_FORMAT_MOD_VIVANTE_SUPER_TILED,
	};

	spoil(r, &modifier, sizeof(modifier));
	call(client, DRM_IOCTL_VIVGPU_BO_MODIFIER, &modifier);
}

static void job_wait(struct fuzz_random *r, struct fuzz_client *client)
{
	struct drm_vivgpu_job_wait wait = { .queue = pick(r, client->queues),
					    .job = fuzz_below(r, 64) };

	spoil(r, &wait, sizeof(wait));
	call(client, DRM_IOCTL_VIVGPU_JOB_WAIT, &wait);
}

static void bo_madvise(struct fuzz_random *r, struct fuzz_client *client)
{
	struct drm_vivgpu_bo_madvise advice = { .handle = pick(r, client->bos),
						.madv = fuzz_below(r, 2) };

	spoil(r, &advice, sizeof(advice));
	call(client, DRM_IOCTL_VIVGPU_BO_MADVISE, &advice);
}

/* Through a dma-buf and back: the import gives the same handle, so no slot changes. */
static void bo_share(struct fuzz_random *r, struct fuzz_client *client)
{
	unsigned int from = slot(r);
	uint32_t handle = 0;
	int fd = -1;

	if (drmPrimeHandleToFD(client->fd, client->bos[from], O_CLOEXEC | O_RDWR, &fd))
		return;
	drmPrimeFDToHandle(client->fd, fd, &handle);
	close(fd);
}

/* A queue whose slot is taken is forgotten, and lives until the file is closed. */
static void queue_create(struct fuzz_random *r, struct fuzz_client *client)
{
	static uint32_t words[STREAM_WORDS];
	struct drm_vivgpu_queue_create create = { .priority = fuzz_below(r, 3) };

	if (fuzz_one_in(r, 2)) {
		create.prologue = (uintptr_t)words;
		create.prologue_size = 4 * fuzz_stream(r, client, words, 512);
	}
	if (fuzz_one_in(r, 3)) {
		create.budget_ns = 1 + fuzz_below(r, 4000000);
		create.period_ns = 1000000 + fuzz_below(r, 100000000);
	}
	spoil(r, &create, sizeof(create));
	if (call(client, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) == 0)
		client->queues[slot(r)] = create.queue;
}

static void queue_destroy(struct fuzz_random *r, struct fuzz_client *client)
{
	struct drm_vivgpu_queue_destroy destroy = { .queue = pick(r, client->queues) };

	spoil(r, &destroy, sizeof(destroy));
	call(client, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy);
}

static void sync_change(struct fuzz_random *r, struct fuzz_client *client)
{
	unsigned int i = slot(r);
	uint64_t point = 1 + fuzz_below(r, 8);

	switch (fuzz_below(r, 4)) {
	case 0:
		if (client->syncs[i])
			drmSyncobjDestroy(client->fd, client->syncs[i]);
		client->syncs[i] = 0;
		drmSyncobjCreate(client->fd, fuzz_below(r, 2), &client->syncs[i]);
		break;
	case 1:
		drmSyncobjReset(client->fd, &client->syncs[i], 1);
		break;
	case 2:
		drmSyncobjTimelineSignal(client->fd, &client->syncs[i], &point, 1);
		break;
	default:
		drmSyncobjTimelineWait(client->fd, &client->syncs[i], &point, 1,
				       igt_vivgpu_now() + fuzz_below(r, 1000000), fuzz_below(r, 4),
				       NULL);
		break;
	}
}

/* The arrays of a submit, and what it points to. */
struct parts {
	uint32_t words[STREAM_WORDS];
	struct drm_vivgpu_piece pieces[MAX_ARRAY];
	struct drm_vivgpu_submit_bo bos[MAX_ARRAY];
	struct drm_vivgpu_sync in[MAX_ARRAY], out[MAX_ARRAY];
	struct drm_vivgpu_point points[MAX_ARRAY];
	struct drm_vivgpu_counter counters[MAX_ARRAY];
	struct drm_vivgpu_submit submit;
};

static void fill_syncs(struct fuzz_random *r, struct fuzz_client *client,
		       struct drm_vivgpu_sync *syncs)
{
	for (int i = 0; i < MAX_ARRAY; i++)
		syncs[i] = (struct drm_vivgpu_sync){ .handle = pick(r, client->syncs),
						     .point = fuzz_below(r, 4) };
}

static void fill_points(struct fuzz_random *r, struct parts *p)
{
	uint32_t count = 0;

	for (uint32_t at = 0; at < p->pieces[0].size / 4 && count < MAX_ARRAY; at += 2)
		if (p->words[at] == IGT_VIVGPU_NOP && fuzz_one_in(r, 2))
			p->points[count++] = (struct drm_vivgpu_point){
				.stream_offset = 4 * at,
				.bo_offset = 16 * fuzz_below(r, 64),
				.cookie = at,
				.flags = fuzz_below(r, 2),
			};
	p->submit.nr_points = count;
}

static void fill_counters(struct fuzz_random *r, struct parts *p)
{
	for (int i = 0; i < MAX_ARRAY; i++)
		p->counters[i] = (struct drm_vivgpu_counter){
			.domain = fuzz_below(r, 11),
			.signal = fuzz_below(r, 20),
			.bo_offset = 16 * fuzz_below(r, 256),
		};
	p->submit.nr_counters = fuzz_one_in(r, 8) ? fuzz_below(r, MAX_ARRAY) : 0;
}

static void fill_arrays(struct fuzz_random *r, struct fuzz_client *client, struct parts *p)
{
	unsigned int first = slot(r);

	p->pieces[0].words = (uintptr_t)p->words;
	p->pieces[0].size = 4 * fuzz_stream(r, client, p->words, STREAM_WORDS);
	for (unsigned int i = 0; i < FUZZ_HANDLES && p->submit.nr_bos < MAX_ARRAY; i++) {
		uint32_t handle = client->bos[(first + i) % FUZZ_HANDLES];

		if (handle || fuzz_one_in(r, 300))
			p->bos[p->submit.nr_bos++] = (struct drm_vivgpu_submit_bo){
				.handle = handle,
				.flags = 1 + fuzz_below(r, 3),
			};
	}
	fill_syncs(r, client, p->in);
	fill_syncs(r, client, p->out);
	fill_points(r, p);
	fill_counters(r, p);
}

static void submit(struct fuzz_random *r, struct fuzz_client *client)
{
	static struct parts p;
	struct drm_vivgpu_submit *s = &p.submit;
	unsigned int fence = slot(r);

	memset(&p, 0, sizeof(p));
	fill_arrays(r, client, &p);
	s->queue = pick(r, client->queues);
	/* 5: implicit synchronisation and a fence out; a fence in has a probability of its own */
	s->flags = fuzz_one_in(r, 3) ? fuzz_below(r, 16) & 5 : 0;
	if (fuzz_one_in(r, 8))
		s->flags |= DRM_VIVGPU_SUBMIT_FENCE_FD_IN;
	s->pieces = (uintptr_t)p.pieces;
	s->bos = (uintptr_t)p.bos;
	s->in_syncs = (uintptr_t)p.in;
	s->out_syncs = (uintptr_t)p.out;
	s->points = (uintptr_t)p.points;
	s->counters = (uintptr_t)p.counters;
	s->nr_pieces = 1;
	s->nr_in_syncs = fuzz_one_in(r, 8) ? fuzz_below(r, 3) : 0;
	s->nr_out_syncs = fuzz_below(r, 3);
	s->fence_fd = client->fences[fence];
	s->cookie = fuzz_next(r);
	if (fuzz_one_in(r, 4))
		s->deadline_ns = igt_vivgpu_now() + fuzz_below(r, 50000000);
	if (fuzz_one_in(r, 3))
		s->cost_ns = 1 + fuzz_below(r, 20000000);
	if (fuzz_one_in(r, 3))
		s->bound_ns = 1 + fuzz_below(r, 30000000);
	spoil(r, s, sizeof(*s));
	if (fuzz_one_in(r, 6))
		/* The arrays and the submit, without the stream */
		spoil(r, &p.pieces, sizeof(p) - offsetof(struct parts, pieces));
	if (call(client, DRM_IOCTL_VIVGPU_SUBMIT, s))
		return;
	client->jobs++;
	if (!(s->flags & DRM_VIVGPU_SUBMIT_FENCE_FD_OUT))
		return;
	if (client->fences[fence] >= 0)
		close(client->fences[fence]);
	client->fences[fence] = s->fence_fd;
}

static void stream_open(struct fuzz_random *r, struct fuzz_client *client)
{
	struct drm_vivgpu_stream_open args = {
		.flags = fuzz_below(r, 8),
		.types = fuzz_next(r) & 0x3fe, /* bits of the types 1 to 9 */
		.ring_records = fuzz_below(r, 300),
		.wakeup_records = fuzz_below(r, 4),
		.record_size = 120 + fuzz_below(r, 100),
		.exact_interval = fuzz_one_in(r, 4) ? fuzz_below(r, 32) : 0,
	};
	unsigned int i = slot(r);

	spoil(r, &args, sizeof(args));
	if (call(client, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args))
		return;
	if (client->streams[i] >= 0)
		close(client->streams[i]);
	client->streams[i] = args.fd;
	fcntl(args.fd, F_SETFL, O_NONBLOCK);
}

static void stream_read(struct fuzz_random *r, struct fuzz_client *client)
{
	char records[1024];
	unsigned int i = slot(r);
	ssize_t size = read(client->streams[i], records, fuzz_below(r, sizeof(records)));

	if (size < 0 && fuzz_one_in(r, 4)) {
		close(client->streams[i]);
		client->streams[i] = -1;
	}
}

/* The calls that only read: parameters, time, resets, names of counters, totals. */
static void ask(struct fuzz_random *r, struct fuzz_client *client)
{
	union {
		struct drm_vivgpu_get_param param;
		struct drm_vivgpu_get_time time;
		struct drm_vivgpu_reset_query resets;
		struct drm_vivgpu_perf_domain domain;
		struct drm_vivgpu_perf_signal signal;
		struct drm_vivgpu_usage usage;
	} u;
	static const unsigned long requests[] = {
		DRM_IOCTL_VIVGPU_GET_PARAM,   DRM_IOCTL_VIVGPU_GET_TIME,
		DRM_IOCTL_VIVGPU_RESET_QUERY, DRM_IOCTL_VIVGPU_PERF_DOMAIN,
		DRM_IOCTL_VIVGPU_PERF_SIGNAL, DRM_IOCTL_VIVGPU_USAGE,
	};
	unsigned int which = fuzz_below(r, sizeof(requests) / sizeof(requests[0]));

	memset(&u, 0, sizeof(u));
	u.signal.domain = fuzz_below(r, 12);
	u.signal.signal = fuzz_below(r, 32);
	spoil(r, &u, sizeof(u));
	call(client, requests[which], &u);
}

/*
 * Random ioctl number of the driver's range (which includes etnaviv's calls), random contents and
 * size.
 */
static void any_call(struct fuzz_random *r, struct fuzz_client *client)
{
	static uint32_t data[64];
	unsigned int number = DRM_COMMAND_BASE + fuzz_below(r, 0x40);
	unsigned int size = 4 * (1 + fuzz_below(r, 40));

	for (unsigned int i = 0; i < 64; i++)
		data[i] = fuzz_one_in(r, 2)   ? 0
			  : fuzz_one_in(r, 2) ? fuzz_below(r, 64)
					      : fuzz_bad(r);
	call(client, _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, number, size), data);
}

static void read_fdinfo(struct fuzz_random *r, struct fuzz_client *client)
{
	char path[64], text[4096];
	int fd;

	(void)r;
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", client->fd);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return;
	igt_assert(read(fd, text, sizeof(text)) > 0);
	close(fd);
}

/* Fences and streams come from the calls themselves. */
void fuzz_client_fill(struct fuzz_random *r, struct fuzz_client *client)
{
	for (int i = 0; i < FUZZ_HANDLES; i++) {
		bo_create(r, client);
		queue_create(r, client);
		if (!client->syncs[i])
			drmSyncobjCreate(client->fd, 0, &client->syncs[i]);
	}
}

/* The weights are percentages. */
static const struct {
	unsigned int weight;
	void (*make)(struct fuzz_random *r, struct fuzz_client *client);
} calls[] = {
	{ 10, bo_create },    { 5, bo_close },    { 5, bo_info },     { 4, bo_prep },
	{ 3, bo_label },      { 4, bo_madvise },  { 2, bo_share },    { 5, queue_create },
	{ 2, queue_destroy }, { 8, sync_change }, { 30, submit },     { 3, stream_open },
	{ 2, bo_modifier },   { 2, job_wait },    { 5, stream_read }, { 4, ask },
	{ 4, any_call },      { 2, read_fdinfo },
};

unsigned int fuzz_call(struct fuzz_random *r, struct fuzz_client *client)
{
	unsigned int at = fuzz_below(r, 100), which = 0;

	while (at >= calls[which].weight)
		at -= calls[which++].weight;
	calls[which].make(r, client);
	return which;
}
