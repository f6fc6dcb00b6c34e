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

/** Capacity in spans; a power of two, at least 64 */
#define VIVGPU_RING_SPANS 4096

struct vivgpu_ring {
   /** Number of spans written since the ring was created; the last one may not be counted yet */
   uint64_t written;
   /** Number of spans read since the ring was created */
   uint64_t read;
   /** Number of spans dropped since the last vivgpu_ring_lost() */
   uint64_t lost;
   /** A bit for each of @spans: it is being written, or not read yet */
   uint64_t used[VIVGPU_RING_SPANS / 64];
   /**
    * Which of @spans is the one with number i, in entry i modulo VIVGPU_RING_SPANS:
    * (i / VIVGPU_RING_SPANS + 1) * VIVGPU_RING_SPANS + its index; less if it is not written yet
    */
   uint64_t order[VIVGPU_RING_SPANS];
   struct vivgpu_span spans[VIVGPU_RING_SPANS];
};

/**
 * Write a span, from any thread. Returns false if it was dropped because the ring is full. A process
 * that is killed meanwhile loses this span at most, and leaves the ring with room for one less; so
 * does, in the child's copy, fork() by another thread.
 */
bool vivgpu_ring_write(struct vivgpu_ring *ring, const struct vivgpu_span *span);

/** Read the oldest span, from one thread at a time. Returns false if there is none. */
bool vivgpu_ring_read(struct vivgpu_ring *ring, struct vivgpu_span *span);

/** Return the number of spans dropped since the last call. */
uint64_t vivgpu_ring_lost(struct vivgpu_ring *ring);

#endif
