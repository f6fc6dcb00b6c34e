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
vivgpu_group_ring_init(struct vivgpu_group_ring *ring, void *memory, size_t size,
                       uint32_t descriptions)
{
   struct vivgpu_group_header *header = memory;

   ring->header = header;
   ring->entries = (uint8_t *)memory + VIVGPU_GROUP_HEADER_BYTES;
   ring->next = 0;
   ring->descriptions = (struct vivgpu_group_descriptions){
      .slots = (struct vivgpu_group_description *)(ring->entries + size),
      .count = descriptions,
   };
   header->header_bytes = VIVGPU_GROUP_HEADER_BYTES;
   header->group_bytes = sizeof(struct vivgpu_group);
   header->command_bytes = sizeof(struct vivgpu_command);
   header->result_bytes = sizeof(struct vivgpu_group_result);
   header->size = size;
   header->descriptions = descriptions;
   __atomic_store_n(&header->magic, VIVGPU_GROUP_MAGIC, __ATOMIC_RELEASE);
}

/* Copy to a position, past the ring's end to its beginning. Returns the position after that. */
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

/* Size of the entry at a position: a multiple of 8, so the ring's end never splits this number. */
static uint32_t
bytes_at(const struct vivgpu_group_ring *ring, uint64_t position)
{
   uint32_t bytes;

   memcpy(&bytes, ring->entries + (position & (ring->header->size - 1)), sizeof(bytes));
   return bytes;
}

/* Drop the oldest entries until @bytes, at most the ring's size, are free after the head. */
static void
drop_oldest(struct vivgpu_group_ring *ring, size_t bytes)
{
   struct vivgpu_group_header *header = ring->header;
   uint64_t tail = header->tail;

   while (header->head + bytes - tail > header->size)
      tail += bytes_at(ring, tail);
   __atomic_store_n(&header->tail, tail, __ATOMIC_RELAXED);
   /* A reader that sees bytes written after this fence sees the new tail, too. */
   __atomic_thread_fence(__ATOMIC_RELEASE);
}

/*
 * Write an entry, of at most the ring's size, a multiple of 8. @part, @rest: its contents; both
 * together with @entry have entry->bytes.
 */
static void
write_entry(struct vivgpu_group_ring *ring, const struct vivgpu_group_entry *entry,
            const struct part *part, const struct part *rest)
{
   const uint64_t head = ring->header->head, size = ring->header->size;
   uint8_t *to = ring->entries + (head & (size - 1));
   uint64_t position;

   if (head + entry->bytes - ring->header->tail > size)
      drop_oldest(ring, entry->bytes);
   ring->next += entry->items;
   if ((head & (size - 1)) + entry->bytes <= size) {
      memcpy(to, entry, sizeof(*entry));
      memcpy(to + sizeof(*entry), part->bytes, part->count);
      memcpy(to + sizeof(*entry) + part->count, rest->bytes, rest->count);
   } else {
      position = put(ring, head, entry, sizeof(*entry));
      position = put(ring, position, part->bytes, part->count);
      put(ring, position, rest->bytes, rest->count);
   }
   __atomic_store_n(&ring->header->head, head + entry->bytes, __ATOMIC_RELEASE);
}

/* Write a group whose list is larger than @most bytes: what fits of it. Rare, so not inlined. */
static __attribute__((noinline)) void
write_shortened(struct vivgpu_group_ring *ring, const struct vivgpu_group *group, const void *list,
                size_t bytes, size_t most)
{
   struct vivgpu_group shortened = *group;

   bytes = vivgpu_group_shorten(&shortened, list, bytes, most);
   vivgpu_group_ring_write(ring, &shortened, list, bytes);
}

void
vivgpu_group_ring_write(struct vivgpu_group_ring *ring, const struct vivgpu_group *group,
                        const void *list, size_t bytes)
{
   /* Bytes before the list; header->head is a position in the ring */
   const size_t head = sizeof(struct vivgpu_group_entry) + sizeof(*group);
   const size_t most = ring->header->size / 4 - head;
   const struct vivgpu_group_entry entry = {
      .bytes = head + bytes,
      .kind = VIVGPU_GROUP_ENTRY_GROUP,
      .items = 1,
      .number = ring->next,
   };
   struct vivgpu_group_header *header = ring->header;
   const uint64_t at = header->head & (header->size - 1);
   uint8_t *to = ring->entries + at;

   if (bytes > most) {
      write_shortened(ring, group, list, bytes, most);
      return;
   }
   /*
    * write_entry() is for the few that continue at the ring's start. What follows does the same for
    * one piece, which nearly all are.
    */
   if (at + entry.bytes > header->size) {
      write_entry(ring, &entry, &(struct part){group, sizeof(*group)}, &(struct part){list, bytes});
      return;
   }
   if (header->head + entry.bytes - header->tail > header->size)
      drop_oldest(ring, entry.bytes);
   ring->next++;
   memcpy(to, &entry, sizeof(entry));
   memcpy(to + sizeof(entry), group, sizeof(*group));
   memcpy(to + head, list, bytes);
   __atomic_store_n(&header->head, header->head + entry.bytes, __ATOMIC_RELEASE);
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
