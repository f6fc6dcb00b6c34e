/* SPDX-License-Identifier: MIT */
/*
 * The writer of a ring of groups; see vivgpu_group_ring.h.
 *
 * Before it overwrites entries the writer advances the tail beyond them, and after it wrote an
 * entry it advances the head. A reader copies what is between the two and then looks at the tail
 * again: what is before the tail now may have been overwritten while it was copied.
 */

#include "vivgpu_group_ring.h"

#include <string.h>

/* A part of an entry */
struct part {
   const void *bytes;
   size_t count;
};

void
vivgpu_group_ring_init(struct vivgpu_group_ring *ring, void *memory, size_t size)
{
   struct vivgpu_group_header *header = memory;

   ring->header = header;
   ring->entries = (uint8_t *)memory + VIVGPU_GROUP_HEADER_BYTES;
   ring->next = 0;
   header->header_bytes = VIVGPU_GROUP_HEADER_BYTES;
   header->group_bytes = sizeof(struct vivgpu_group);
   header->command_bytes = sizeof(struct vivgpu_command);
   header->result_bytes = sizeof(struct vivgpu_group_result);
   header->size = size;
   __atomic_store_n(&header->magic, VIVGPU_GROUP_MAGIC, __ATOMIC_RELEASE);
}

/* Copy to a position, where the ring may begin anew. Returns the position behind. */
static uint64_t
put(struct vivgpu_group_ring *ring, uint64_t position, const void *bytes, size_t count)
{
   size_t at = position & (ring->header->size - 1);
   size_t first = ring->header->size - at < count ? ring->header->size - at : count;

   memcpy(ring->entries + at, bytes, first);
   memcpy(ring->entries, (const uint8_t *)bytes + first, count - first);
   return position + count;
}

/* Entries begin at multiples of 8, so that this number is never divided. */
static uint32_t
bytes_at(const struct vivgpu_group_ring *ring, uint64_t position)
{
   uint32_t bytes;

   memcpy(&bytes, ring->entries + (position & (ring->header->size - 1)), sizeof(bytes));
   return bytes;
}

/* Drop the oldest entries until @bytes are free behind the head. */
static void
make_room(struct vivgpu_group_ring *ring, uint32_t bytes)
{
   struct vivgpu_group_header *header = ring->header;
   uint64_t tail = header->tail;

   if (header->head + bytes - tail <= header->size)
      return;
   while (header->head + bytes - tail > header->size)
      tail += bytes_at(ring, tail);
   __atomic_store_n(&header->tail, tail, __ATOMIC_RELAXED);
   /* A reader that sees bytes written after this fence sees the new tail, too. */
   __atomic_thread_fence(__ATOMIC_RELEASE);
}

static void
write_entry(struct vivgpu_group_ring *ring, enum vivgpu_group_entry_kind kind,
            const struct part *parts, unsigned num_parts)
{
   struct vivgpu_group_entry entry = {.kind = kind, .number = ring->next++};
   size_t bytes = sizeof(entry);
   uint64_t position = ring->header->head;

   for (unsigned i = 0; i < num_parts; i++)
      bytes += parts[i].count;
   entry.bytes = (bytes + 7) & ~(size_t)7;
   make_room(ring, entry.bytes);
   position = put(ring, position, &entry, sizeof(entry));
   for (unsigned i = 0; i < num_parts; i++)
      position = put(ring, position, parts[i].bytes, parts[i].count);
   __atomic_store_n(&ring->header->head, ring->header->head + entry.bytes, __ATOMIC_RELEASE);
}

void
vivgpu_group_ring_write(struct vivgpu_group_ring *ring, const struct vivgpu_group *group,
                        const struct vivgpu_command *commands)
{
   const size_t most = (ring->header->size / 4 - sizeof(struct vivgpu_group_entry) - sizeof(*group)) /
                       sizeof(*commands);
   struct vivgpu_group copy = *group;

   if (copy.num_commands > most) {
      copy.num_lost_commands += copy.num_commands - most;
      copy.num_commands = most;
   }

   const struct part parts[] = {
      {&copy, sizeof(copy)},
      {commands, copy.num_commands * sizeof(*commands)},
   };

   write_entry(ring, VIVGPU_GROUP_ENTRY_GROUP, parts, copy.num_commands ? 2 : 1);
}

void
vivgpu_group_ring_write_result(struct vivgpu_group_ring *ring,
                               const struct vivgpu_group_result *result)
{
   const struct part part = {result, sizeof(*result)};

   write_entry(ring, VIVGPU_GROUP_ENTRY_RESULT, &part, 1);
}
