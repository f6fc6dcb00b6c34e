/* SPDX-License-Identifier: MIT */
/*
 * Lock-free ring buffer; see vivgpu_ring.h. A writer takes a slot that is not in use, fills it, and
 * publishes it as the next one to be read, by a single compare-and-exchange. Neither writers nor the
 * reader wait for a writer: one that dies before that leaves its slot in use, one that dies after it
 * need not have counted the span in @written, which the reader or the next writer does.
 */

#include "vivgpu_ring.h"

#define SLOTS VIVGPU_RING_SPANS

/* Take a slot that is not in use; -1 if there is none. */
static int
take_slot(struct vivgpu_ring *ring)
{
   /* If the oldest spans are read first, slots are free from here on. */
   uint64_t first = __atomic_load_n(&ring->written, __ATOMIC_RELAXED) / 64;

   for (unsigned i = 0; i < SLOTS / 64; i++) {
      unsigned number = (first + i) % (SLOTS / 64);
      uint64_t used = __atomic_load_n(&ring->used[number], __ATOMIC_RELAXED);

      while (~used) {
         unsigned bit = __builtin_ctzll(~used);

         if (__atomic_compare_exchange_n(&ring->used[number], &used, used | UINT64_C(1) << bit,
                                         false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return number * 64 + bit;
      }
   }
   return -1;
}

/*
 * Publish a slot at the first position that has none. Its entry of the round before has been read:
 * otherwise all slots would hold unread spans, and this one would not have been free.
 */
static void
publish(struct vivgpu_ring *ring, unsigned slot)
{
   uint64_t position = __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE);
   bool done = false;

   while (!done) {
      uint64_t *entry = &ring->order[position % SLOTS];
      uint64_t round = position / SLOTS + 1, old = __atomic_load_n(entry, __ATOMIC_ACQUIRE);

      if (old / SLOTS < round)
         done = __atomic_compare_exchange_n(entry, &old, round * SLOTS + slot, false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
      /* This position has a slot, of this or another writer. A failed exchange updates it. */
      if (__atomic_compare_exchange_n(&ring->written, &position, position + 1, false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
         position++;
   }
}

bool
vivgpu_ring_write(struct vivgpu_ring *ring, const struct vivgpu_span *span)
{
   int slot = take_slot(ring);

   if (slot < 0) {
      __atomic_fetch_add(&ring->lost, 1, __ATOMIC_RELAXED);
      return false;
   }
   ring->spans[slot] = *span;
   publish(ring, slot);
   return true;
}

bool
vivgpu_ring_read(struct vivgpu_ring *ring, struct vivgpu_span *span)
{
   uint64_t position = __atomic_load_n(&ring->read, __ATOMIC_RELAXED), written = position;
   uint64_t entry = __atomic_load_n(&ring->order[position % SLOTS], __ATOMIC_ACQUIRE);
   unsigned slot = entry % SLOTS;

   if (entry / SLOTS != position / SLOTS + 1)
      return false;
   /* @written is never less than @read. */
   if (__atomic_load_n(&ring->written, __ATOMIC_RELAXED) == position)
      __atomic_compare_exchange_n(&ring->written, &written, position + 1, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_RELAXED);
   *span = ring->spans[slot];
   __atomic_store_n(&ring->read, position + 1, __ATOMIC_RELAXED);
   __atomic_fetch_and(&ring->used[slot / 64], ~(UINT64_C(1) << slot % 64), __ATOMIC_RELEASE);
   return true;
}

uint64_t
vivgpu_ring_lost(struct vivgpu_ring *ring)
{
   return __atomic_exchange_n(&ring->lost, 0, __ATOMIC_RELAXED);
}
