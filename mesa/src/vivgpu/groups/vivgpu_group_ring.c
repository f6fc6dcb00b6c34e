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

#include "vivgpu_group_list.h"

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
   size_t at = position & (ring->header->size - 1), left = ring->header->size - at;

   if (count <= left) {
      memcpy(ring->entries + at, bytes, count);
      return position + count;
   }
   memcpy(ring->entries + at, bytes, left);
   memcpy(ring->entries, (const uint8_t *)bytes + left, count - left);
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

/* Write an entry. @part, @rest: its contents. Inline, since the size of a group is a constant. */
static inline void
write_entry(struct vivgpu_group_ring *ring, const struct vivgpu_group_entry *entry,
            const struct part *part, const struct part *rest)
{
   uint64_t head = ring->header->head, position;
   size_t at = head & (ring->header->size - 1);

   make_room(ring, entry->bytes);
   ring->next += entry->items;
   if (at + entry->bytes <= ring->header->size) {
      memcpy(ring->entries + at, entry, sizeof(*entry));
      memcpy(ring->entries + at + sizeof(*entry), part->bytes, part->count);
      memcpy(ring->entries + at + sizeof(*entry) + part->count, rest->bytes, rest->count);
   } else {
      position = put(ring, head, entry, sizeof(*entry));
      position = put(ring, position, part->bytes, part->count);
      put(ring, position, rest->bytes, rest->count);
   }
   __atomic_store_n(&ring->header->head, head + entry->bytes, __ATOMIC_RELEASE);
}

void
vivgpu_group_ring_write(struct vivgpu_group_ring *ring, const struct vivgpu_group *group,
                        const void *list, size_t bytes)
{
   const size_t head = sizeof(struct vivgpu_group_entry) + sizeof(*group);
   const size_t most = ring->header->size / 4 - head;
   struct vivgpu_group shortened;

   if (bytes > most) {
      shortened = *group;
      bytes = vivgpu_group_shorten(&shortened, list, bytes, most);
      group = &shortened;
   }

   const struct part first = {group, sizeof(*group)}, second = {list, bytes};
   const struct vivgpu_group_entry entry = {
      .bytes = head + bytes,
      .kind = VIVGPU_GROUP_ENTRY_GROUP,
      .items = 1,
      .number = ring->next,
   };

   write_entry(ring, &entry, &first, &second);
}

void
vivgpu_group_ring_write_records(struct vivgpu_group_ring *ring, const void *records, size_t bytes,
                                unsigned count)
{
   static const uint8_t padding[8];
   const uint32_t end = -bytes & 7;
   const struct part first = {records, bytes}, second = {padding, end};

   const struct vivgpu_group_entry entry = {
      .bytes = sizeof(entry) + bytes + end,
      .kind = VIVGPU_GROUP_ENTRY_RECORDS,
      .items = count,
      .number = ring->next,
   };

   write_entry(ring, &entry, &first, &second);
}
