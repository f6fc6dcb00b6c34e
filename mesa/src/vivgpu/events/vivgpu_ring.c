/* SPDX-License-Identifier: MIT */
/*
 * Lock-free ring buffer; see vivgpu_ring.h. Each slot has a turn number, which says how often the
 * slot was used and whether it is free or holds an unread span. A writer reserves the next
 * position by a compare-and-exchange of written, fills the slot and then increments its turn. The
 * reader waits at a reserved slot: if its writer dies before the increment, nothing more is read.
 */

#include "vivgpu_ring.h"

static struct vivgpu_ring_slot *
slot_at(struct vivgpu_ring *ring, uint64_t position)
{
   return &ring->slots[position % VIVGPU_RING_SPANS];
}

/* The turn of a slot that is free for the span number @position. */
static uint64_t
free_turn(uint64_t position)
{
   return position / VIVGPU_RING_SPANS * 2;
}

bool
vivgpu_ring_write(struct vivgpu_ring *ring, const struct vivgpu_span *span)
{
   uint64_t position = __atomic_load_n(&ring->written, __ATOMIC_RELAXED);
   struct vivgpu_ring_slot *slot;

   for (;;) {
      slot = slot_at(ring, position);
      uint64_t turn = __atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE);

      /* The span that was written one round before is still unread: the ring is full. */
      if (turn < free_turn(position)) {
         __atomic_fetch_add(&ring->lost, 1, __ATOMIC_RELAXED);
         return false;
      }
      if (turn == free_turn(position) &&
          __atomic_compare_exchange_n(&ring->written, &position, position + 1, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
         break;
      /* Another writer took this position; a failed exchange has updated it already. */
      if (turn > free_turn(position))
         position = __atomic_load_n(&ring->written, __ATOMIC_RELAXED);
   }
   slot->span = *span;
   __atomic_store_n(&slot->turn, free_turn(position) + 1, __ATOMIC_RELEASE);
   return true;
}

bool
vivgpu_ring_read(struct vivgpu_ring *ring, struct vivgpu_span *span)
{
   uint64_t position = __atomic_load_n(&ring->read, __ATOMIC_RELAXED);
   struct vivgpu_ring_slot *slot = slot_at(ring, position);

   if (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) != free_turn(position) + 1)
      return false;
   *span = slot->span;
   __atomic_store_n(&slot->turn, free_turn(position) + 2, __ATOMIC_RELEASE);
   __atomic_store_n(&ring->read, position + 1, __ATOMIC_RELAXED);
   return true;
}

uint64_t
vivgpu_ring_lost(struct vivgpu_ring *ring)
{
   return __atomic_exchange_n(&ring->lost, 0, __ATOMIC_RELAXED);
}
