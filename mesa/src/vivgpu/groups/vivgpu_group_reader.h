/* SPDX-License-Identifier: MIT */
/*
 * A reader of a ring of groups (vivgpu_group_ring.h).
 *
 * The file is read, not mapped: its owner may shorten it or write anything into it, and a reader
 * with more rights must come to no harm. What is not as the format says is not passed on.
 */
#ifndef VIVGPU_GROUP_READER_H
#define VIVGPU_GROUP_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "vivgpu_group_list.h"
#include "vivgpu_group_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_group_reader {
   int fd;
   /** As it was when the reader was opened; head, tail and lost records as last read */
   struct vivgpu_group_header header;
   /** Position of the next entry, and the number that its first item should have if @numbered */
   uint64_t position, number;
   bool numbered;
   /** Buffer of @size bytes: @count bytes from position @copied on; the next entry is at @at */
   uint8_t *bytes;
   size_t count, at, size;
   uint64_t copied;
   /** Groups and records that were overwritten before they were read */
   uint64_t lost;
   /** The last group, unpacked */
   struct vivgpu_group group;
   struct vivgpu_group_commands commands;
   /** Descriptions that were read, as in the file's table; NULL before the first one */
   struct vivgpu_group_description *descriptions;
   /** Commands whose descriptions were replaced before they were read */
   uint64_t unknown;
   /** The last result, and records of the last entry that were not returned yet */
   struct vivgpu_group_result result;
   const uint8_t *records, *records_end;
   /** The file violates the format: reading has ended */
   bool damaged;
};

/** What vivgpu_group_reader_next() found; pointers are valid until the next call. */
struct vivgpu_group_item {
   /** NULL if it is a result */
   const struct vivgpu_group *group;
   const struct vivgpu_command *commands;
   const struct vivgpu_group_result *result;
};

/**
 * Begin to read at the oldest entry.
 *
 * @fd: the file; the caller's, open while the reader is used
 *
 * Returns 0, -EINVAL if it is no such file or of another build, or another negative errno.
 */
int vivgpu_group_reader_open(struct vivgpu_group_reader *reader, int fd);

/** Free memory. */
void vivgpu_group_reader_close(struct vivgpu_group_reader *reader);

/** Skip what is in the ring now. */
void vivgpu_group_reader_skip(struct vivgpu_group_reader *reader);

/** Read the next group or result. False if there is none yet, or the file is damaged. */
bool vivgpu_group_reader_next(struct vivgpu_group_reader *reader, struct vivgpu_group_item *item);

#ifdef __cplusplus
}
#endif

#endif
