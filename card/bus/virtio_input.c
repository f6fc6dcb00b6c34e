// SPDX-License-Identifier: MIT
/* Configuration space and event queue of a virtio-input device. */
#include "bus/virtio_input.h"

#include <linux/input.h>
#include <stddef.h>
#include <string.h>

/* Values of select, virtio 1.2, section 5.8.4. */
#define SELECT_NAME 0x01
#define SELECT_IDS 0x03
#define SELECT_PROPERTY_BITS 0x10
#define SELECT_EVENT_BITS 0x11
#define SELECT_AXIS 0x12

#define ANSWER_BYTES 128u

/* The answer to SELECT_AXIS. */
struct axis_answer {
	uint32_t least, greatest, fuzz, flat, resolution;
};

/* The configuration space. */
struct config {
	uint8_t select, subselect;
	uint8_t size; /* of the answer */
	uint8_t reserved[5];
	uint8_t answer[ANSWER_BYTES];
};

_Static_assert(sizeof(struct axis_answer) == 20, "virtio 1.2, 5.8.4");
_Static_assert(sizeof(struct config) == 136, "virtio 1.2, 5.8.4");
_Static_assert(sizeof(struct virtio_input_event) == 8, "virtio 1.2, 5.8.6");

void virtio_input_init(struct virtio_input *input, const struct virtio_input_identity *identity)
{
	memset(input, 0, sizeof(*input));
	input->identity = identity;
}

void virtio_input_reset(struct virtio_input *input)
{
	input->select = 0;
	input->subselect = 0;
	input->first = 0;
	input->count = 0;
	input->started = false;
}

/* Bit maps are as long as their last nonzero byte. */
static uint8_t key_bits(const struct virtio_input_identity *identity, uint8_t *answer)
{
	for (unsigned int key = identity->first_key; key <= identity->last_key; key++)
		answer[key / 8] |= 1u << key % 8;
	return identity->last_key / 8 + 1;
}

static uint8_t relative_bits(const struct virtio_input_identity *identity, uint8_t *answer)
{
	answer[0] = identity->relative_axes;
	answer[1] = identity->relative_axes >> 8;
	return answer[1] ? 2 : answer[0] ? 1 : 0;
}

static uint8_t axis_bits(const struct virtio_input_identity *identity, uint8_t *answer)
{
	uint8_t size = 0;

	for (unsigned int i = 0; i < identity->axes; i++) {
		unsigned int code = identity->axis[i].code;

		answer[code / 8] |= 1u << code % 8;
		if (size <= code / 8)
			size = code / 8 + 1;
	}
	return size;
}

/* EV_REP has no codes; its answer is one byte that is 0, which announces it to the guest. */
static uint8_t event_bits(const struct virtio_input *input, uint8_t *answer)
{
	switch (input->subselect) {
	case EV_KEY:
		return key_bits(input->identity, answer);
	case EV_REL:
		return relative_bits(input->identity, answer);
	case EV_ABS:
		return axis_bits(input->identity, answer);
	case EV_REP:
		return input->identity->repeats;
	default:
		return 0;
	}
}

static uint8_t axis_range(const struct virtio_input *input, uint8_t *answer)
{
	const struct virtio_input_identity *identity = input->identity;

	for (unsigned int i = 0; i < identity->axes; i++) {
		const struct axis_answer range = { .greatest = identity->axis[i].greatest };

		if (identity->axis[i].code != input->subselect)
			continue;
		memcpy(answer, &range, sizeof(range));
		return sizeof(range);
	}
	return 0;
}

static uint8_t property_bits(const struct virtio_input_identity *identity, uint8_t *answer)
{
	answer[0] = identity->direct ? 1u << INPUT_PROP_DIRECT : 0;
	return identity->direct;
}

/* Answers that the device does not have are of size 0. */
static uint8_t fill_answer(const struct virtio_input *input, uint8_t *answer)
{
	const struct input_id ids = { .bustype = BUS_VIRTUAL, .product = input->identity->product };
	size_t length = strlen(input->identity->name);

	if (input->select == SELECT_EVENT_BITS)
		return event_bits(input, answer);
	if (input->select == SELECT_AXIS)
		return axis_range(input, answer);
	if (input->subselect)
		return 0;
	if (input->select == SELECT_NAME) {
		memcpy(answer, input->identity->name, length);
		return length;
	}
	if (input->select == SELECT_IDS) {
		memcpy(answer, &ids, sizeof(ids));
		return sizeof(ids);
	}
	if (input->select == SELECT_PROPERTY_BITS)
		return property_bits(input->identity, answer);
	return 0;
}

void virtio_input_read_config(void *ctx, uint32_t offset, uint8_t *data, uint32_t size)
{
	const struct virtio_input *input = ctx;
	struct config config = { .select = input->select, .subselect = input->subselect };

	config.size = fill_answer(input, config.answer);
	memset(data, 0, size);
	if (offset >= sizeof(config))
		return;
	if (size > sizeof(config) - offset)
		size = sizeof(config) - offset;
	memcpy(data, (const uint8_t *)&config + offset, size);
}

/*
 * For each selection of the guest QEMU's front end writes the whole space, with what it has read
 * before: what follows the selection is read-only and ignored.
 */
bool virtio_input_write_config(void *ctx, uint32_t offset, const uint8_t *data, uint32_t size)
{
	struct virtio_input *input = ctx;

	if (offset > offsetof(struct config, subselect) || size > sizeof(struct config) - offset)
		return false;
	for (uint32_t i = 0; offset + i < offsetof(struct config, size) && i < size; i++)
		*(offset + i ? &input->subselect : &input->select) = data[i];
	return true;
}

static bool ends_report(const struct virtio_input_event *event)
{
	return event->type == EV_SYN && event->code == SYN_REPORT;
}

static struct virtio_input_event *at(struct virtio_input *input, unsigned int index)
{
	return &input->queue[(input->first + index) % VIRTIO_INPUT_QUEUE];
}

/*
 * Remove the oldest report that the guest has no part of. There is one: the queue is nearly full,
 * and a report has at most VIRTIO_INPUT_REPORT_MAX events. The rest of a report that the guest has
 * a part of, @kept events, moves to the end of the gap; @end is then the number of events dropped.
 */
static void drop_report(struct virtio_input *input)
{
	unsigned int kept = 0, end;

	if (input->started)
		while (!ends_report(at(input, kept++)))
			;
	for (end = kept; !ends_report(at(input, end)); end++)
		;
	end++;
	input->dropped += end - kept;
	while (kept)
		*at(input, --end) = *at(input, --kept);
	input->count -= end;
	input->first = (input->first + end) % VIRTIO_INPUT_QUEUE;
}

void virtio_input_report(struct virtio_input *input, const struct virtio_input_event *events,
			 unsigned int count)
{
	while (input->count + count + 1 > VIRTIO_INPUT_QUEUE)
		drop_report(input);
	for (unsigned int i = 0; i < count; i++)
		*at(input, input->count++) = events[i];
	*at(input, input->count++) = (struct virtio_input_event){ EV_SYN, SYN_REPORT, 0 };
}

/* Put the first event into the chain; returns the bytes written. */
static uint32_t fill_chain(struct virtio_input *input, const struct vring_chain *chain)
{
	const struct virtio_input_event *event = at(input, 0);

	if (!vring_chain_write(chain, 0, event, sizeof(*event)))
		return 0;
	input->started = !ends_report(event);
	input->first = (input->first + 1) % VIRTIO_INPUT_QUEUE;
	input->count--;
	input->delivered++;
	return sizeof(*event);
}

bool virtio_input_deliver(struct virtio_input *input, struct vring *ring,
			  const struct guest_memory *memory)
{
	struct vring_chain chain;
	bool used = false;

	while (input->count && vring_pending(ring)) {
		enum vring_result result = vring_pop(ring, memory, &chain);
		uint32_t written = 0;

		if (result == VRING_BROKEN || result == VRING_EMPTY)
			break;
		if (result == VRING_CHAIN)
			written = fill_chain(input, &chain);
		input->bad_chains += !written;
		vring_push(ring, chain.head, written);
		used = true;
	}
	return used && vring_wants_interrupt(ring);
}

bool virtio_input_take_status(struct virtio_input *input, struct vring *ring,
			      const struct guest_memory *memory)
{
	struct vring_chain chain;
	bool used = false;

	while (vring_pending(ring)) {
		enum vring_result result = vring_pop(ring, memory, &chain);

		if (result == VRING_BROKEN || result == VRING_EMPTY)
			break;
		input->bad_chains += result != VRING_CHAIN;
		vring_push(ring, chain.head, 0);
		used = true;
	}
	return used && vring_wants_interrupt(ring);
}
