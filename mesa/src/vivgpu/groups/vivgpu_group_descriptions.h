/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of commands that occur again and again: most frames of a program have the same
 * clears, draws and resolves. A description is a struct vivgpu_command whose flags and offset are
 * 0; the counts in that of a draw mean nothing. It is written once, and lists of groups refer to it
 * by its number (vivgpu_group_list.h).
 *
 * They are a table in the file of a ring, after the ring. Numbers begin with 1 and are not used
 * again; a description is in the slot of its number modulo the table's size until one of a later
 * number replaces it. So a reader finds it by its number whenever it came, or sees that it is lost,
 * as all that a group refers to was written before the group.
 *
 * One process writes, its threads one after the other. Its other threads read meanwhile, and any
 * number of processes: vivgpu_group_reader.h.
 */
#ifndef VIVGPU_GROUP_DESCRIPTIONS_H
#define VIVGPU_GROUP_DESCRIPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "vivgpu_group.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Descriptions of a table in a file: a power of two */
#define VIVGPU_GROUP_DESCRIPTIONS 4096

/** Largest table of which readers accept a file */
#define VIVGPU_GROUP_MAX_DESCRIPTIONS 65536

struct vivgpu_group_description {
   /** 0 while the rest is written; accessed atomically */
   uint32_t number;
   uint32_t reserved;
   struct vivgpu_command command;
};

/** The writer's side of a table, which was zero at first */
struct vivgpu_group_descriptions {
   struct vivgpu_group_description *slots;
   /** A power of two; 0 if there is no table */
   uint32_t count;
   /** The largest number so far; see vivgpu_group_last_number() */
   uint32_t last;
};

/**
 * Add a description of a command. Calls are serialized.
 *
 * Returns its number, or 0 if there is no table or all numbers have been used.
 */
uint32_t vivgpu_group_describe(struct vivgpu_group_descriptions *table,
                               const struct vivgpu_command *command);

/** Returns the largest number so far. Any thread of the writer's process may call it at any time. */
static inline uint32_t
vivgpu_group_last_number(const struct vivgpu_group_descriptions *table)
{
   return __atomic_load_n(&table->last, __ATOMIC_RELAXED);
}

/**
 * Copy the command with this description. Returns false if it was replaced; @command is undefined then.
 *
 * For the writer's process: any of its threads may call it, also while another one describes a command.
 */
bool vivgpu_group_described(const struct vivgpu_group_descriptions *table, uint32_t number,
                            struct vivgpu_command *command);

#ifdef __cplusplus
}
#endif

#endif
