// SPDX-License-Identifier: MIT
/* virtio-input: configuration space, event queue and status queue. */
#include "bus/virtio_input.h"
#include "tests/check.h"
#include "tests/ring.h"

#include <linux/input.h>

#define ADDRESS 0x7654000ull
#define EVENT_BYTES sizeof(struct virtio_input_event)

static const struct virtio_input_axis axes[] = { { ABS_X, 99 }, { ABS_MT_POSITION_X, 70000 } };

static const struct virtio_input_identity identity = {
	.name = "board",
	.product = 7,
	.first_key = 1,
	.last_key = 17,
	.repeats = true,
	.relative_axes = 1u << REL_WHEEL | 1u << REL_WHEEL_HI_RES,
	.axis = axes,
	.axes = 2,
	.direct = true,
};

static struct virtio_input input;
static struct guest_memory memory;
static struct test_ring guest;
static struct vring ring;
static uint8_t *room;

/* What it allocates is freed by the next one, and by main(). */
static void begin(void)
{
	free(room);
	room = calloc(1, RING_ROOM); /* on the heap, so that the sanitizer finds accesses outside */
	memory = (struct guest_memory){ 1, { { ADDRESS, RING_ROOM, room } } };
	ring_init(&guest, room, ADDRESS);
	ring_open(&ring, &guest, &memory);
	virtio_input_init(&input, &identity);
}

/* Offer a buffer of @bytes. */
static void offer(unsigned int index, uint32_t bytes)
{
	ring_describe(&guest, index, bytes, VRING_DESC_WRITE, 0);
	ring_offer(&guest, index);
}

/*
 * The answer's size, with the answer in @answer.
 * @select: virtio 1.2, 5.8.4: 0x01 name, 0x03 identity, 0x10 properties, 0x11 events, 0x12 axis
 */
static uint8_t ask(uint8_t select, uint8_t subselect, uint8_t answer[128])
{
	const uint8_t selection[2] = { select, subselect };
	uint8_t size;

	virtio_input_write_config(&input, 0, selection, 2);
	virtio_input_read_config(&input, 2, &size, 1);
	virtio_input_read_config(&input, 8, answer, 128);
	return size;
}

static void report(uint16_t key)
{
	const struct virtio_input_event event = { EV_KEY, key, 1 };

	virtio_input_report(&input, &event, 1);
}

TEST(configuration_space)
{
	static const uint8_t keys[3] = { 0xfe, 0xff, 0x03 };
	uint8_t answer[128], all[140];

	begin();
	CHECK_EQ(ask(0x01, 0, answer), 5);
	CHECK(!memcmp(answer, "board", 6));
	CHECK_EQ(ask(0x03, 0, answer), 8);
	CHECK_EQ(answer[4], 7);
	CHECK_EQ(ask(0x11, EV_KEY, answer), 3);
	CHECK(!memcmp(answer, keys, 3));
	CHECK_EQ(ask(0x11, EV_REP, answer), 1);
	CHECK_EQ(ask(0x11, EV_MSC, answer), 0);
	CHECK_EQ(ask(0x01, 1, answer), 0);
	CHECK_EQ(ask(0xff, 0, answer), 0);
	memset(all, 0xcc, sizeof(all));
	virtio_input_read_config(&input, 0, all, sizeof(all));
	CHECK_EQ(all[0], 0xff);
	CHECK_EQ(all[139], 0); /* beyond the end */
	virtio_input_read_config(&input, UINT32_MAX, all, 4);
	CHECK_EQ(all[0], 0);
}

TEST(axes_and_properties)
{
	static const uint8_t wheels[2] = { 0, 0x09 };
	uint32_t range[32]; /* least, greatest, fuzz, flat, resolution */
	uint8_t answer[128];

	begin();
	CHECK_EQ(ask(0x11, EV_REL, answer), 2);
	CHECK(!memcmp(answer, wheels, 2));
	CHECK_EQ(ask(0x11, EV_ABS, answer), ABS_MT_POSITION_X / 8 + 1);
	CHECK_EQ(answer[0], 1u << ABS_X);
	CHECK_EQ(answer[ABS_MT_POSITION_X / 8], 1u << ABS_MT_POSITION_X % 8);
	CHECK_EQ(ask(0x12, ABS_MT_POSITION_X, (uint8_t *)range), 20);
	CHECK_EQ(range[0], 0);
	CHECK_EQ(range[1], 70000);
	CHECK_EQ(range[4], 0);
	CHECK_EQ(ask(0x12, ABS_Y, answer), 0);
	CHECK_EQ(ask(0x10, 0, answer), 1);
	CHECK_EQ(answer[0], 1u << INPUT_PROP_DIRECT);
}

TEST(only_the_selection_can_be_written)
{
	uint8_t bytes[140] = { 1, 0, 9, 9 }, answer[128];

	begin();
	CHECK(!virtio_input_write_config(&input, 0, bytes, 137));
	CHECK(!virtio_input_write_config(&input, 1, bytes, 136));
	CHECK(!virtio_input_write_config(&input, 2, bytes, 1));
	CHECK(!virtio_input_write_config(&input, UINT32_MAX, bytes, 2));
	CHECK(virtio_input_write_config(&input, 1, bytes, 1));
	CHECK_EQ(input.subselect, 1);
	/* the whole space, as by QEMU: what follows the selection stays */
	CHECK(virtio_input_write_config(&input, 0, bytes, 136));
	CHECK_EQ(input.select, 1);
	CHECK_EQ(input.subselect, 0);
	virtio_input_read_config(&input, 2, answer, 1);
	CHECK_EQ(answer[0], 5);
}

TEST(events_wait_for_buffers)
{
	struct virtio_input_event event;

	begin();
	report(30);
	CHECK(!virtio_input_deliver(&input, &ring, &memory));
	offer(0, EVENT_BYTES);
	CHECK(virtio_input_deliver(&input, &ring, &memory));
	CHECK_EQ(ring_last_used(&guest).length, EVENT_BYTES);
	memcpy(&event, guest_memory_at(&memory, guest.desc[0].address, EVENT_BYTES), EVENT_BYTES);
	CHECK_EQ(event.type, EV_KEY);
	CHECK_EQ(event.code, 30);
	CHECK_EQ(event.value, 1);
	CHECK_EQ(input.count, 1);
	offer(1, EVENT_BYTES);
	CHECK(virtio_input_deliver(&input, &ring, &memory));
	memcpy(&event, guest_memory_at(&memory, guest.desc[1].address, EVENT_BYTES), EVENT_BYTES);
	CHECK_EQ(event.type, EV_SYN);
	CHECK_EQ(input.delivered, 2);
}

TEST(short_buffers_are_given_back)
{
	begin();
	report(30);
	offer(0, EVENT_BYTES - 1);
	CHECK(virtio_input_deliver(&input, &ring, &memory));
	CHECK_EQ(ring_last_used(&guest).length, 0);
	CHECK_EQ(input.count, 2);
	CHECK_EQ(input.bad_chains, 1);
}

TEST(a_full_queue_drops_the_oldest_report)
{
	begin();
	for (unsigned int i = 0; i < VIRTIO_INPUT_QUEUE / 2; i++)
		report(1 + i);
	CHECK_EQ(input.dropped, 0);
	report(200);
	CHECK_EQ(input.dropped, 2);
	CHECK_EQ(input.count, VIRTIO_INPUT_QUEUE);
	CHECK_EQ(input.queue[input.first].code, 2);
}

TEST(a_report_that_was_begun_is_finished)
{
	begin();
	for (unsigned int i = 0; i < VIRTIO_INPUT_QUEUE / 2; i++)
		report(1 + i);
	offer(0, EVENT_BYTES);
	virtio_input_deliver(&input, &ring, &memory); /* the first key without its SYN_REPORT */
	report(200);
	CHECK_EQ(input.dropped, 2);
	CHECK_EQ(input.queue[input.first].type, EV_SYN);
	CHECK_EQ(input.queue[(input.first + 1) % VIRTIO_INPUT_QUEUE].code, 3);
	CHECK_EQ(input.count, VIRTIO_INPUT_QUEUE - 1);
}

TEST(states_of_leds_are_given_back)
{
	begin();
	ring_describe(&guest, 0, EVENT_BYTES, 0, 0);
	ring_offer(&guest, 0);
	CHECK(virtio_input_take_status(&input, &ring, &memory));
	CHECK_EQ(ring_last_used(&guest).length, 0);
	CHECK(!virtio_input_take_status(&input, &ring, &memory));
}

int main(void)
{
	int status = test_all();

	free(room);
	return status;
}
