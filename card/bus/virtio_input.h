/* SPDX-License-Identifier: MIT */
/*
 * A virtio-input device (virtio 1.2, section 5.8): its configuration space, and a queue of events
 * that are passed to the guest as it offers buffers for them.
 *
 * The queue never waits for the guest. When it is full, the oldest whole reports (the events up to
 * and with SYN_REPORT) are dropped, so that the guest gets no part of a report.
 */
#ifndef CARD_BUS_VIRTIO_INPUT_H
#define CARD_BUS_VIRTIO_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/memory.h"
#include "bus/vring.h"

#define VIRTIO_INPUT_QUEUE 256u
#define VIRTIO_INPUT_REPORT_MAX 16u /* events of a report, with its SYN_REPORT */

#define VIRTIO_INPUT_EVENTS 0u /* number of the queue with events */
#define VIRTIO_INPUT_STATUS 1u /* number of the queue with the guest's LED states */

/* An event as it lies in guest memory; types and codes are those of linux/input.h. */
struct virtio_input_event {
	uint16_t type, code;
	uint32_t value;
};

/* An axis: its values are from 0 to @greatest. */
struct virtio_input_axis {
	uint16_t code; /* ABS_... */
	uint32_t greatest;
};

/* Contents of the device's configuration space, section 5.8.4 of the virtio specification */
struct virtio_input_identity {
	const char *name; /* at most 128 bytes, the room for an answer */
	uint16_t product;
	uint16_t first_key, last_key; /* keys and buttons: EV_KEY codes, both included */
	bool repeats;                 /* the guest repeats keys that are held */
	uint16_t relative_axes;       /* bit n: REL code n */
	const struct virtio_input_axis *axis;
	unsigned int axes;
	bool direct; /* the user touches what he sees (INPUT_PROP_DIRECT) */
};

struct virtio_input {
	const struct virtio_input_identity *identity;
	uint8_t select, subselect; /* what the guest wants to read */
	struct virtio_input_event queue[VIRTIO_INPUT_QUEUE];
	unsigned int first, count;
	bool started;                            /* part of the first report is with the guest */
	uint64_t delivered, dropped, bad_chains; /* statistics: events, events, chains */
};

void virtio_input_init(struct virtio_input *input, const struct virtio_input_identity *identity);

/** virtio_input_reset - drop the guest's selection and all events after it has disconnected */
void virtio_input_reset(struct virtio_input *input);

/** virtio_input_read_config, virtio_input_write_config - as in struct vhost_user; @ctx is @input */
void virtio_input_read_config(void *ctx, uint32_t offset, uint8_t *data, uint32_t size);
bool virtio_input_write_config(void *ctx, uint32_t offset, const uint8_t *data, uint32_t size);

/**
 * virtio_input_report - queue a report
 * @input: the device
 * @events: the events, without SYN_REPORT, which is appended
 * @count: less than VIRTIO_INPUT_REPORT_MAX
 */
void virtio_input_report(struct virtio_input *input, const struct virtio_input_event *events,
			 unsigned int count);

/**
 * virtio_input_deliver - pass queued events to the guest, as many as it has buffers for
 *
 * Returns: whether the guest must be notified.
 */
bool virtio_input_deliver(struct virtio_input *input, struct vring *ring,
			  const struct guest_memory *memory);

/**
 * virtio_input_take_status - return the guest's buffers with states of LEDs; there are no LEDs
 *
 * Returns: whether the guest must be notified.
 */
bool virtio_input_take_status(struct virtio_input *input, struct vring *ring,
			      const struct guest_memory *memory);

#endif
