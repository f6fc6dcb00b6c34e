/* SPDX-License-Identifier: MIT */
/*
 * A ring of spans: any number of threads write, one reads, nobody waits. When
 * it is full, what comes is dropped and counted.
 *
 * It holds no pointers, and zeros are an empty ring: it may lie in memory that
 * processes share. Its numbers are accessed atomically, by vivgpu_ring.c alone.
 */
#ifndef VIVGPU_RING_H
#define VIVGPU_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "vivgpu_event_list.h"

/** Something that happened: from begin to end, or at begin if its event has no span */
struct vivgpu_span {
   /** CLOCK_MONOTONIC */
   uint64_t begin_ns, end_ns;
   /** Who wrote it; 0: the kernel */
   uint32_t process;
   uint16_t event;
   uint16_t track;
   /** Its fields, in their order */
   uint64_t values[VIVGPU_EVENT_FIELDS];
};

/** Spans a ring holds unread; a power of two */
#define VIVGPU_RING_SPANS 4096

struct vivgpu_ring_slot {
   /** Twice the number of times it was read, and one more while it is full */
   uint64_t turn;
   struct vivgpu_span span;
};

struct vivgpu_ring {
   /** Spans ever written */
   uint64_t written;
   /** Spans ever read */
   uint64_t read;
   /** Spans dropped since somebody asked */
   uint64_t lost;
   struct vivgpu_ring_slot slots[VIVGPU_RING_SPANS];
};

/** Write a span; false if it was dropped. From any thread. */
bool vivgpu_ring_write(struct vivgpu_ring *ring, const struct vivgpu_span *span);

/**
 * Read the oldest span; false if there is none. From one thread at a time. A
 * span that a thread is just writing hides those behind it until it is done.
 */
bool vivgpu_ring_read(struct vivgpu_ring *ring, struct vivgpu_span *span);

/** How many were dropped since this was asked the last time */
uint64_t vivgpu_ring_lost(struct vivgpu_ring *ring);

#endif
