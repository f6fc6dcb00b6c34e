/* SPDX-License-Identifier: MIT */
/*
 * A ring of groups and results in a file that processes share. It stays when the process that
 * writes it ends, so that the last groups of a program that died can be read.
 *
 * One process writes; its threads take turns. Any number of processes read, each with a position
 * of its own; they neither wait for the writer nor can they disturb it. The writer overwrites the
 * oldest entries: what they hold is numbered, so a reader knows how much it missed.
 *
 * Format: a struct vivgpu_group_header, from VIVGPU_GROUP_HEADER_BYTES on @size bytes of entries, and
 * after them a table of @descriptions descriptions of commands, to which the entries refer
 * (vivgpu_group_descriptions.h). An entry begins at a multiple of 8 and may continue at the start of
 * the ring. Positions count bytes since the ring was made; entries lie between @tail and @head.
 */
#ifndef VIVGPU_GROUP_RING_H
#define VIVGPU_GROUP_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "vivgpu_group_descriptions.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VIVGPU_GROUP_MAGIC        0x3373707267766976ull /* "vivgrps3", little endian */
#define VIVGPU_GROUP_HEADER_BYTES 4096

/** Bytes of the largest ring: a reader may need a buffer for all of it */
#define VIVGPU_GROUP_MAX_RING (64u << 20)

struct vivgpu_group_header {
   /** Set last when the ring is made */
   uint64_t magic;
   /** Bytes of the structures in this file: another build may have other ones */
   uint32_t header_bytes, group_bytes, command_bytes, result_bytes;
   /** Bytes of the ring: a power of two */
   uint64_t size;
   /** The process that writes */
   uint32_t process;
   /** Descriptions in the table: a power of two */
   uint32_t descriptions;
   /** When it made the ring: CLOCK_MONOTONIC */
   uint64_t started_ns;
   /** Name of its program, with a terminating zero */
   char program[32];
   /** Records that the kernel dropped before the program read them: so many results are missing */
   uint64_t lost_records;
   /** Positions; accessed atomically */
   uint64_t head, tail;
};

/** vivgpu_group_entry.kind */
enum vivgpu_group_entry_kind {
   /** A struct vivgpu_group and its commands, packed: vivgpu_group_list.h */
   VIVGPU_GROUP_ENTRY_GROUP = 1,
   /** Records of the kernel (struct drm_vivgpu_record), as they were read */
   VIVGPU_GROUP_ENTRY_RECORDS,
};

struct vivgpu_group_entry {
   /** With this structure, a multiple of 8 */
   uint32_t bytes;
   uint16_t kind;
   /** 1, or the number of records */
   uint16_t items;
   /** Items in all entries before */
   uint64_t number;
};

/** The writer's side of a ring in memory. */
struct vivgpu_group_ring {
   struct vivgpu_group_header *header;
   uint8_t *entries;
   /** Number of the next item */
   uint64_t next;
   struct vivgpu_group_descriptions descriptions;
};

/** Bytes of a file with a ring of @size bytes and a table of @descriptions descriptions */
static inline size_t
vivgpu_group_ring_bytes(size_t size, uint32_t descriptions)
{
   return VIVGPU_GROUP_HEADER_BYTES + size +
          descriptions * sizeof(struct vivgpu_group_description);
}

/**
 * Make an empty ring and an empty table.
 *
 * @memory: vivgpu_group_ring_bytes() bytes of zeros, aligned to 8
 * @size: a power of two, from 4096 to VIVGPU_GROUP_MAX_RING
 * @descriptions: a power of two, at most VIVGPU_GROUP_MAX_DESCRIPTIONS
 */
void vivgpu_group_ring_init(struct vivgpu_group_ring *ring, void *memory, size_t size,
                            uint32_t descriptions);

/**
 * Write a group and its list of commands. Of a group that is larger than a quarter of the ring,
 * commands are left out and counted in num_lost_commands. Calls are serialized.
 */
void vivgpu_group_ring_write(struct vivgpu_group_ring *ring, const struct vivgpu_group *group,
                             const void *list, size_t bytes);

/**
 * Write @count records of the kernel with results, less than a quarter of the ring. Calls are
 * serialized with those of vivgpu_group_ring_write().
 */
void vivgpu_group_ring_write_records(struct vivgpu_group_ring *ring, const void *records,
                                     size_t bytes, unsigned count);

#ifdef __cplusplus
}
#endif

#endif
