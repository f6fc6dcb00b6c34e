// SPDX-License-Identifier: MIT
/*
 * state: no client sees values that another one left in the core's states, and each one sees its
 * own. The value is that of a fill: a fill that is started without loading one shows it in its
 * buffer. Runs in the guest.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fill.h"

#define WIDTH 16
#define HEIGHT 4
#define SECRET 0x5ec2e7a5u
#define OTHER 0x01234567u
#define RS_FILL_VALUE 0x1640
#define UNIFORMS 0x30000
#define VS_RANGE 0x0085c
#define VS_ICACHE_CONTROL 0x00868
#define ICACHE_ENABLE 1
#define VS_NEWRANGE_LOW 0x0087c
#define INSTRUCTIONS 0x0c000
#define MANY 512
#define PIPELINED 6

static struct stream stream;

/* A fill into a new buffer. With @value 0 no value is loaded. Returns what was written. */
static uint32_t fill(const struct client *client, uint32_t value)
{
	struct buffer target = make_buffer(client->fd, 4096);
	struct fill area = { (uint32_t)target.va, WIDTH, HEIGHT, value };
	struct drm_vivgpu_submit_bo bo = { target.handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_sync out = { .handle = make_sync(client->fd) };
	struct drm_vivgpu_submit args = {
		.bos = (uintptr_t)&bo,
		.nr_bos = 1,
		.out_syncs = (uintptr_t)&out,
		.nr_out_syncs = 1,
	};
	uint32_t seen = ~0u;

	memset(target.map, 0xee, target.size);
	stream.count = 0;
	add_fill(&stream, &area);
	if (!value)
		for (uint32_t i = 0; i < stream.count; i += 2)
			if (stream.word[i] == COMMAND_LOAD(RS_FILL_VALUE, 1))
				stream.word[i] = COMMAND_NOP;
	if (submit_stream(client, &args, &stream) == 0 &&
	    wait_sync(client->fd, out.handle, 10) == 0)
		seen = target.map[WIDTH * HEIGHT - 1];
	free_buffer(client->fd, &target);
	return seen;
}

/* Leave uniforms and instructions behind. The error number. */
static int litter(const struct client *client)
{
	static struct stream many;
	struct drm_vivgpu_submit args = { 0 };

	many.count = 0;
	for (uint32_t i = 0; i < MANY; i++) {
		add_state(&many, UNIFORMS + 4 * i, SECRET);
		add_state(&many, INSTRUCTIONS + 4 * i, SECRET);
	}
	return submit_stream(client, &args, &many);
}

static int open_records(int gpu)
{
	struct drm_vivgpu_stream_open args = {
		.types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
		.record_size = sizeof(struct drm_vivgpu_record),
	};

	return call(gpu, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args) ? -1 : args.fd;
}

/* The oldest unread record: that of the last job, as long as each job's is read. Type 0: none. */
static struct drm_vivgpu_record last_record(int records)
{
	struct drm_vivgpu_record record = { 0 };

	if (read(records, &record, sizeof(record)) != sizeof(record))
		record.type = 0;
	return record;
}

static void test_values(void)
{
	struct client a = open_client(), b = open_client();

	check(fill(&a, SECRET) == SECRET, "a client loads a value");
	check(fill(&a, 0) == SECRET, "it is still there for the same client");
	check(fill(&b, 0) == 0, "and zero for another one");
	check(fill(&a, 0) == 0, "which took it away from the first, too");
	check(fill(&b, OTHER) == OTHER && fill(&a, 0) == 0, "the other way round");
	close_client(&a);
	close_client(&b);
}

/* A queue whose prologue loads the value has it, whichever client ran in between. */
static void test_prologue(void)
{
	const uint32_t words[] = { COMMAND_LOAD(RS_FILL_VALUE, 1), OTHER };
	struct drm_vivgpu_queue_create create = {
		.priority = DRM_VIVGPU_PRIORITY_NORMAL,
		.prologue = (uintptr_t)words,
		.prologue_size = sizeof(words),
	};
	struct client a = open_client(), b = open_client();

	check(call(a.fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) == 0, "a queue with a prologue");
	a.queue = create.queue;
	check(fill(&a, 0) == OTHER, "its value is there");
	check(fill(&b, SECRET) == SECRET && fill(&a, 0) == OTHER, "also after another client");
	close_client(&a);
	close_client(&b);
}

/* Cost of a switch of clients with no, few and many foreign states */
static void test_cost(void)
{
	struct client a = open_client(), b = open_client();
	int records = open_records(b.fd);
	struct drm_vivgpu_record record[3];

	fill(&b, 1);
	last_record(records);
	fill(&b, 1);
	record[0] = last_record(records);
	fill(&a, 1);
	fill(&b, 1);
	record[1] = last_record(records);
	check(litter(&a) == 0, "leave uniforms and instructions");
	fill(&b, 1);
	record[2] = last_record(records);
	for (int i = 0; i < 3; i++)
		printf("      %u bytes loaded, %llu cycles\n", record[i].prologue_size,
		       (unsigned long long)record[i].job_cycles);
	check(record[0].type && record[0].prologue_size == 0 &&
		      !(record[0].flags & DRM_VIVGPU_JOB_PROLOGUE),
	      "the same client goes on for nothing");
	check(record[1].prologue_size > 0 && record[1].prologue_size < 1024 &&
		      record[1].flags & DRM_VIVGPU_JOB_PROLOGUE,
	      "after a fill a few states are cleared");
	check(record[2].prologue_size >= 2 * MANY * 4 && record[2].prologue_size < 3 * MANY * 4,
	      "after many states those are cleared");
	close(records);
	close_client(&a);
	close_client(&b);
}

/* Enable the instruction cache. Returns the error number. */
static int enable_icache(const struct client *client)
{
	struct drm_vivgpu_submit args = { 0 };

	stream.count = 0;
	add_state(&stream, VS_ICACHE_CONTROL, ICACHE_ENABLE);
	return submit_stream(client, &args, &stream);
}

/*
 * The instruction cache is indexed by GPU address: both stages' caches are flushed between
 * two clients if one used them, also if a prologue loads the states around its control.
 */
static void test_icache(void)
{
	const uint32_t words[] = {
		COMMAND_LOAD(VS_RANGE, 7),        0, 0, 0, ICACHE_ENABLE, 0, 0, 0,
		COMMAND_LOAD(VS_NEWRANGE_LOW, 1), 0,
	};
	struct drm_vivgpu_queue_create create = {
		.priority = DRM_VIVGPU_PRIORITY_NORMAL,
		.prologue = (uintptr_t)words,
		.prologue_size = sizeof(words),
	};
	struct client a = open_client(), b = open_client();
	uint64_t flushes;

	check(call(b.fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) == 0,
	      "a queue whose prologue enables the instruction cache");
	/* A core that wakes up is reset, which empties the caches, too. */
	check(let_sleep(false) && fill(&a, SECRET) == SECRET, "the core stays awake");
	flushes = card_total("gc.sh.icache_flushes");
	check(enable_icache(&a) == 0 && fill(&a, SECRET) == SECRET &&
		      card_total("gc.sh.icache_flushes") == flushes,
	      "a client's own jobs do not flush its instructions");
	b.queue = create.queue;
	check(fill(&b, OTHER) == OTHER && card_total("gc.sh.icache_flushes") == flushes + 2,
	      "another client's job does, in spite of its prologue");
	check(fill(&a, SECRET) == SECRET && card_total("gc.sh.icache_flushes") == flushes + 4,
	      "and so does the next one of the first");
	check(let_sleep(true), "the core may sleep");
	close_client(&a);
	close_client(&b);
}

/* After a hang it is unknown which commands were executed. */
static void test_hang(void)
{
	struct client a = open_client(), b = open_client();

	check(fill(&a, SECRET) == SECRET, "a value again");
	check(card("hang"), "hang at the next command");
	fill(&a, SECRET);
	check(fill(&b, 0) == 0, "another client finds zero after a reset");
	check(fill(&a, SECRET) == SECRET && card("hang"), "hang again");
	fill(&b, 1);
	check(fill(&a, 0) == 0, "and so does the one that left it");
	close_client(&a);
	close_client(&b);
}

/* A job that takes a while; the error number. */
static int submit_slow(const struct client *client)
{
	struct drm_vivgpu_submit args = { 0 };

	stream.count = 0;
	add_state(&stream, RS_FILL_VALUE, SECRET);
	put_flush(stream.word + stream.count);
	stream.count += FLUSH_WORDS;
	return submit_stream(client, &args, &stream);
}

/*
 * After a reset the jobs of two clients in turn, for each of which states are cleared, are still in
 * the ring together: each is given to it before the one before has ended.
 */
static void test_pipelining(void)
{
	struct client clients[2] = { open_client(), open_client() };
	int records[2] = { open_records(clients[0].fd), open_records(clients[1].fd) }, error = 0;
	struct drm_vivgpu_record last = { 0 }, record;
	unsigned together = 0;

	check(let_sleep(false) && fill(&clients[0], SECRET) == SECRET, "states of a client");
	check(card("hang"), "hang at the next command");
	fill(&clients[1], SECRET);
	last_record(records[0]);
	check(last_record(records[1]).flags & DRM_VIVGPU_JOB_FAILED, "the other one's job fails");

	check(card("slow 1000000"), "slow jobs");
	for (int i = 0; i < PIPELINED; i++)
		error |= submit_slow(&clients[i % 2]);
	check(error == 0 && card("slow 100"), "of two clients in alternation");
	for (int i = 0; i < PIPELINED; i++) {
		record = last_record(records[i % 2]);
		together += i && record.queued_ns < last.finished_ns;
		last = record;
	}
	check(together == PIPELINED - 1, "%u are given to the ring while another one is in it",
	      together);
	check(let_sleep(true), "the core may sleep");
	for (int i = 0; i < 2; i++) {
		close(records[i]);
		close_client(&clients[i]);
	}
}

int main(void)
{
	test_values();
	test_prologue();
	test_cost();
	test_icache();
	test_hang();
	test_pipelining();
	return end_checks();
}
