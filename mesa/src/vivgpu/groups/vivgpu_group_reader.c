/* SPDX-License-Identifier: MIT */

#include "vivgpu_group_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drm-uapi/vivgpu_drm.h"
#include "vivgpu_group_record.h"

/* Bytes that are copied at once, unless an entry is larger. */
#define COPY_BYTES (256 * 1024)

/* Copies in a row that the writer may overwrite while they are made: it is faster than the reader. */
#define MAX_OVERTAKEN 16

/* Read exactly @count bytes; 0 or a negative errno. */
static int
read_at(int fd, void *to, size_t count, uint64_t offset)
{
   while (count) {
      ssize_t done = pread(fd, to, count, offset);

      if (done < 0 && errno == EINTR)
         continue;
      if (done <= 0)
         return done ? -errno : -EINVAL;
      to = (uint8_t *)to + done;
      offset += done;
      count -= done;
   }
   return 0;
}

/* True if a table can have so many descriptions. */
static bool
has_valid_table(uint32_t descriptions)
{
   return descriptions && !(descriptions & (descriptions - 1)) &&
          descriptions <= VIVGPU_GROUP_MAX_DESCRIPTIONS;
}

/* True if a file is one of this build, with room for what its header says. */
static bool
is_valid(const struct vivgpu_group_header *header, off_t file_bytes)
{
   uint64_t size = header->size;

   return header->magic == VIVGPU_GROUP_MAGIC &&
          header->header_bytes == VIVGPU_GROUP_HEADER_BYTES &&
          header->group_bytes == sizeof(struct vivgpu_group) &&
          header->command_bytes == sizeof(struct vivgpu_command) &&
          header->result_bytes == sizeof(struct vivgpu_group_result) && size >= 4096 &&
          size <= VIVGPU_GROUP_MAX_RING && !(size & (size - 1)) && has_valid_table(header->descriptions) &&
          (uint64_t)file_bytes >= vivgpu_group_ring_bytes(0, header->descriptions) &&
          size <= (uint64_t)file_bytes - vivgpu_group_ring_bytes(0, header->descriptions);
}

/* True if head and tail are positions that the format allows. */
static bool
has_valid_ends(const struct vivgpu_group_header *header)
{
   return header->head >= header->tail && header->head - header->tail <= header->size &&
          header->head % 8 == 0 && header->tail % 8 == 0;
}

int
vivgpu_group_reader_open(struct vivgpu_group_reader *reader, int fd)
{
   struct stat stat;
   int ret;

   memset(reader, 0, sizeof(*reader));
   reader->fd = fd;
   if (fstat(fd, &stat))
      return -errno;
   ret = read_at(fd, &reader->header, sizeof(reader->header), 0);
   if (ret)
      return ret;
   if (!is_valid(&reader->header, stat.st_size) || !has_valid_ends(&reader->header))
      return -EINVAL;
   reader->header.program[sizeof(reader->header.program) - 1] = '\0';
   /* Numbers begin with 0: what is missing before the first entry is lost. */
   reader->numbered = true;
   reader->position = reader->header.tail;
   return 0;
}

void
vivgpu_group_reader_close(struct vivgpu_group_reader *reader)
{
   free(reader->bytes);
   free(reader->descriptions);
   vivgpu_group_commands_fini(&reader->commands);
   memset(reader, 0, sizeof(*reader));
}

/* Read head, tail and the number of lost records again. False if the file is damaged. */
static bool
update_ends(struct vivgpu_group_reader *reader)
{
   struct vivgpu_group_header now;

   if (reader->damaged || read_at(reader->fd, &now, sizeof(now), 0) || !has_valid_ends(&now) ||
       now.size != reader->header.size || now.head < reader->header.head) {
      reader->damaged = true;
      return false;
   }
   reader->header.head = now.head;
   reader->header.tail = now.tail;
   reader->header.lost_records = now.lost_records;
   return true;
}

void
vivgpu_group_reader_skip(struct vivgpu_group_reader *reader)
{
   /* What is skipped does not count as lost. */
   reader->numbered = false;
   reader->count = reader->at = 0;
   reader->records = reader->records_end = NULL;
   if (update_ends(reader))
      reader->position = reader->header.head;
}

/*
 * Copy bytes from a position on, past the ring's end from its beginning, to the buffer, which has
 * room for them. False if the file cannot be read.
 */
static bool
copy(struct vivgpu_group_reader *reader, uint64_t position, size_t count)
{
   uint64_t at = position & (reader->header.size - 1);
   size_t first = reader->header.size - at < count ? reader->header.size - at : count;

   return !read_at(reader->fd, reader->bytes, first, VIVGPU_GROUP_HEADER_BYTES + at) &&
          !read_at(reader->fd, reader->bytes + first, count - first, VIVGPU_GROUP_HEADER_BYTES);
}

/* Make room in the buffer. False if memory is short. */
static bool
reserve(struct vivgpu_group_reader *reader, size_t size)
{
   uint8_t *bytes;

   if (size <= reader->size)
      return true;
   bytes = realloc(reader->bytes, size);
   if (!bytes)
      return false;
   reader->bytes = bytes;
   reader->size = size;
   return true;
}

/* What copy_entries() did */
enum copied {
   COPIED_NOTHING,
   COPIED_ENTRIES,
   /** The writer overwrote all of it meanwhile; the reader's position is the tail */
   COPIED_TOO_LATE,
};

/* Copy entries from the reader's position on, or from the tail if that has passed it. */
static enum copied
copy_entries(struct vivgpu_group_reader *reader, size_t most)
{
   uint64_t head;

   reader->count = reader->at = 0;
   if (!update_ends(reader))
      return COPIED_NOTHING;
   if (reader->position < reader->header.tail)
      reader->position = reader->header.tail;
   if (reader->position > reader->header.head) {
      reader->damaged = true;
      return COPIED_NOTHING;
   }
   head = reader->header.head;
   if (head - reader->position < most)
      most = head - reader->position;
   if (!most || !reserve(reader, most))
      return COPIED_NOTHING;
   if (!copy(reader, reader->position, most) || !update_ends(reader)) {
      reader->damaged = true;
      return COPIED_NOTHING;
   }
   reader->copied = reader->position;
   if (reader->header.tail > reader->position) {
      /* Bytes before the tail were overwritten while they were copied. */
      reader->position = reader->header.tail;
      if (reader->position - reader->copied >= most)
         return COPIED_TOO_LATE;
      reader->at = reader->position - reader->copied;
   }
   reader->count = most;
   return COPIED_ENTRIES;
}

/*
 * Copy entries, and again while the writer overtakes the reader. False if nothing is there, or the
 * writer remains faster: a file's owner can let it seem so for ever.
 */
static bool
refill(struct vivgpu_group_reader *reader, size_t most)
{
   enum copied copied = COPIED_TOO_LATE;

   for (unsigned i = 0; i < MAX_OVERTAKEN && copied == COPIED_TOO_LATE; i++)
      copied = copy_entries(reader, most);
   return copied == COPIED_ENTRIES;
}

/* The copied entry at the reader's position; NULL if not all of it was copied, or it is damaged. */
static const struct vivgpu_group_entry *
copied_entry(struct vivgpu_group_reader *reader)
{
   const struct vivgpu_group_entry *entry = (const void *)(reader->bytes + reader->at);
   size_t left = reader->count - reader->at;

   if (left < sizeof(*entry))
      return NULL;
   if (entry->bytes < sizeof(*entry) || entry->bytes % 8 || entry->bytes > reader->header.size) {
      reader->damaged = true;
      return NULL;
   }
   return entry->bytes <= left ? entry : NULL;
}

/*
 * The entry at the reader's position, copied if necessary. Copies again with a larger buffer if the
 * entry does not fit. NULL if there is none, or the file is damaged.
 */
static const struct vivgpu_group_entry *
next_entry(struct vivgpu_group_reader *reader)
{
   const struct vivgpu_group_entry *entry = copied_entry(reader);

   if (!entry && !reader->damaged && refill(reader, COPY_BYTES))
      entry = copied_entry(reader);
   if (!entry && reader->count && !reader->damaged && refill(reader, reader->header.size))
      entry = copied_entry(reader);
   return entry;
}

/*
 * vivgpu_group_lookup: copy a description from the file unless that was done before, as numbers are
 * not used again. The copy is consistent if the file still has the number afterwards: the writer
 * clears the number before it changes the rest.
 */
static bool
find_description(void *data, uint32_t number, struct vivgpu_command *command)
{
   struct vivgpu_group_reader *reader = data;
   const uint32_t count = reader->header.descriptions, slot = number & (count - 1);
   /* Where a file would end whose table has only the descriptions before this one */
   const uint64_t at = vivgpu_group_ring_bytes(reader->header.size, slot);
   struct vivgpu_group_description *copy;
   uint32_t after;

   if (!reader->descriptions)
      reader->descriptions = calloc(count, sizeof(*reader->descriptions));
   if (!reader->descriptions || !number)
      return false;
   copy = &reader->descriptions[slot];
   if (copy->number != number &&
       (read_at(reader->fd, copy, sizeof(*copy), at) ||
        read_at(reader->fd, &after, sizeof(after), at) || after != copy->number))
      copy->number = 0;
   if (copy->number != number)
      return false;
   *command = copy->command;
   return true;
}

/* Parse a group. Returns false if it violates the format, or memory is short. */
static bool
parse_group(struct vivgpu_group_reader *reader, const uint8_t *payload, size_t bytes,
            struct vivgpu_group_item *item)
{
   const struct vivgpu_group_lookup lookup = {find_description, reader};
   struct vivgpu_group *group = &reader->group;

   if (bytes < sizeof(*group))
      return false;
   memcpy(group, payload, sizeof(*group));
   if (!vivgpu_group_unpack(&reader->commands, group, payload + sizeof(*group),
                            bytes - sizeof(*group), &lookup))
      return false;
   reader->unknown += reader->commands.unknown;
   item->group = group;
   item->commands = reader->commands.commands;
   return true;
}

/* Take the next result of the records that are left in the buffer; false if none has one. */
static bool
next_result(struct vivgpu_group_reader *reader, struct vivgpu_group_item *item)
{
   struct drm_vivgpu_record record;

   while (vivgpu_group_next_record(&reader->records, reader->records_end, &record)) {
      if (!vivgpu_group_result(&record, &reader->result))
         continue;
      item->result = &reader->result;
      return true;
   }
   reader->records = reader->records_end = NULL;
   return false;
}

/* Count what is missing before the entry at the reader's position, and move on to the next one. */
static void
advance(struct vivgpu_group_reader *reader, const struct vivgpu_group_entry *entry)
{
   if (reader->numbered && entry->number > reader->number)
      reader->lost += entry->number - reader->number;
   reader->numbered = true;
   reader->number = entry->number + entry->items;
   reader->position += entry->bytes;
   reader->at += entry->bytes;
}

bool
vivgpu_group_reader_next(struct vivgpu_group_reader *reader, struct vivgpu_group_item *item)
{
   const struct vivgpu_group_entry *entry;

   memset(item, 0, sizeof(*item));
   /* The buffer is not filled again before all records of its last entry are used up. */
   while (!next_result(reader, item)) {
      const uint8_t *payload;

      entry = next_entry(reader);
      if (!entry)
         return false;
      payload = (const uint8_t *)(entry + 1);
      advance(reader, entry);
      if (entry->kind == VIVGPU_GROUP_ENTRY_RECORDS) {
         reader->records = payload;
         reader->records_end = (const uint8_t *)entry + entry->bytes;
         continue;
      }
      if (entry->kind == VIVGPU_GROUP_ENTRY_GROUP &&
          parse_group(reader, payload, entry->bytes - sizeof(*entry), item))
         return true;
      reader->damaged = true;
      return false;
   }
   return true;
}
