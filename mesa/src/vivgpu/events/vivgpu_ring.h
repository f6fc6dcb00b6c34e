/* SPDX-License-Identifier: MIT */
/*
 * A lock-free ring buffer of spans with any number of writers and one reader. While it is full,
 * new spans are dropped and counted.
 *
 * It has no pointers, and a ring of zeros is empty, so that processes can share it by mmap(). Its
 * counters are accessed atomically, and changed by vivgpu_ring.c only; @read is the reader's own.
 */
#ifndef VIVGPU_RING_H
#define VIVGPU_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "vivgpu_event_list.h"

/** An event: from begin to end, or an instant at begin */
struct vivgpu_span {
   /** CLOCK_MONOTONIC; equal for an instant */
   uint64_t begin_ns, end_ns;
   /** Process that wrote the span; 0 if it was made from a record of the kernel */
   uint32_t process;
   uint16_t event;
   uint16_t track;
   /** Values of the event's fields, in the order of vivgpu_event_list.h */
   uint64_t values[VIVGPU_EVENT_FIELDS];
};

/** Capacity in spans; a power of two */
#define VIVGPU_RING_SPANS 4096

struct vivgpu_ring_slot {
   /** 2 * number of times the slot was read, plus 1 while it holds an unread span */
   uint64_t turn;
   struct vivgpu_span span;
};

struct vivgpu_ring {
   /** Number of spans written since the ring was created */
   uint64_t written;
   /** Number of spans read since the ring was created */
   uint64_t read;
   /** Number of spans dropped since the last vivgpu_ring_lost() */
   uint64_t lost;
   struct vivgpu_ring_slot slots[VIVGPU_RING_SPANS];
};

/** Write a span, from any thread. Returns false if it was dropped because the ring is full. */
bool vivgpu_ring_write(struct vivgpu_ring *ring, const struct vivgpu_span *span);

/**
 * Read the oldest span, from one thread at a time. Returns false if there is none. While a
 * thread is writing a span, later spans cannot be read yet; if it dies meanwhile, never.
 */
bool vivgpu_ring_read(struct vivgpu_ring *ring, struct vivgpu_span *span);

/** Return the number of spans dropped since the last call. */
uint64_t vivgpu_ring_lost(struct vivgpu_ring *ring);

#endif
