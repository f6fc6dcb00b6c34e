/* SPDX-License-Identifier: MIT */
/*
 * Collects the commands of a group while its command stream is written.
 *
 * A command is opened before its first word is written and closed behind its last one. In between
 * other commands may be inserted (a resolve before a draw), and the group may end: then the
 * command is in both groups, marked VIVGPU_COMMAND_FIRST_PART and VIVGPU_COMMAND_SECOND_PART,
 * unless one of them has none of its words. Commands are in the order of their offsets.
 *
 * Pure: offsets are passed in. A builder belongs to one context, whose calls are serialized.
 */
#ifndef VIVGPU_GROUP_BUILDER_H
#define VIVGPU_GROUP_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "vivgpu_group.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Largest number of commands of a group; further ones are counted as lost */
#define VIVGPU_GROUP_COMMANDS 4096

struct vivgpu_group_builder {
   /** The group being built: number of draws, vertices and commands are kept up to date */
   struct vivgpu_group group;
   struct vivgpu_command *commands;
   /** Commands for which memory is there */
   uint32_t size;
   /** The open command while @depth is not 0: calls of open less those of close */
   struct vivgpu_command open;
   uint32_t depth;
   /** Index of the open command in @commands, or one of VIVGPU_GROUP_NO_ENTRY and _LOST_ENTRY */
   uint32_t entry;
   /** Offset from which on words are the open command's, in bytes */
   uint32_t mark;
};

#define VIVGPU_GROUP_NO_ENTRY   UINT32_MAX
#define VIVGPU_GROUP_LOST_ENTRY (UINT32_MAX - 1)

/** Free the memory of a builder, which was zero at first. */
void vivgpu_group_builder_fini(struct vivgpu_group_builder *builder);

/**
 * Add a command that is complete. Inside of an open command its words are taken from that one.
 *
 * @command: type and parameters; its offset is set from @from
 * @from, @to: offsets of its first word and behind its last one, in bytes; equal if it has none
 */
void vivgpu_group_insert(struct vivgpu_group_builder *builder, const struct vivgpu_command *command,
                         uint32_t from, uint32_t to);

/**
 * Open a command. Inside of an open command this has no effect but for the number of closes that
 * are needed: a copy that is drawn is a copy, not a draw. Returns whether the command was opened.
 *
 * @offset: bytes of the stream so far
 */
bool vivgpu_group_open(struct vivgpu_group_builder *builder, const struct vivgpu_command *command,
                       uint32_t offset);

/**
 * Open a command whose parameters the caller writes, all of them, to what is returned; NULL inside
 * of an open command. A close is needed in either case.
 */
struct vivgpu_command *vivgpu_group_begin(struct vivgpu_group_builder *builder, uint32_t offset);

/** The open command, whose parameters may be changed until it is closed; NULL if there is none. */
static inline struct vivgpu_command *
vivgpu_group_opened(struct vivgpu_group_builder *builder)
{
   return builder->depth ? &builder->open : NULL;
}

/**
 * Close the command. A draw is added to the sums of the group in which it is closed.
 *
 * @offset: bytes of the stream so far
 * @always: list the command even if it has no words, because the processor did its work
 */
void vivgpu_group_close(struct vivgpu_group_builder *builder, uint32_t offset, bool always);

/**
 * End the group: complete @builder->group but for cookie, client, sequence, time and job.
 *
 * @offset: bytes of the stream when its end was decided; what follows belongs to no command
 * @bytes: size of the stream
 */
void vivgpu_group_end(struct vivgpu_group_builder *builder, enum vivgpu_group_reason reason,
                      uint32_t offset, uint32_t bytes);

/** Begin the next group; the open command, if there is one, continues in it. */
void vivgpu_group_next(struct vivgpu_group_builder *builder);

#ifdef __cplusplus
}
#endif

#endif
