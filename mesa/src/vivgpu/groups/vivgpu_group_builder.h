/* SPDX-License-Identifier: MIT */
/*
 * Collects the commands of a group while its command stream is written.
 *
 * A command is opened before its first word is written and closed after its last one. In between
 * other commands may be inserted (a resolve before a draw), and the group may end: then the
 * command is in both groups, marked VIVGPU_COMMAND_FIRST_PART and VIVGPU_COMMAND_SECOND_PART,
 * unless one of them has none of its words. Commands are in the order of their offsets.
 *
 * Most draws differ from the one before only in their counts. Such a draw takes a short way:
 * vivgpu_group_repeat() writes its item of 16 bytes when it opens it. If anything else happens
 * before it is closed, the functions here turn it into a common open command. Commands whose
 * description has a number refer to it (vivgpu_group_refer(), vivgpu_group_insert_reference()).
 *
 * Pure: offsets are passed in. A builder belongs to one context, whose calls are serialized.
 */
#ifndef VIVGPU_GROUP_BUILDER_H
#define VIVGPU_GROUP_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "vivgpu_group_list.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Largest size of a group's list in bytes; further commands are counted as lost */
#define VIVGPU_GROUP_LIST_BYTES (256 * 1024)

struct vivgpu_group_builder {
   /**
    * The group being built. Its sums of draws and vertices are those of lost commands:
    * vivgpu_group_unpack() completes them, and sets the number of commands
    */
   struct vivgpu_group group;
   /** Its list (vivgpu_group_list.h): @used of @size bytes */
   uint8_t *list;
   uint32_t used, size;
   /** There is room for any item if @used is less */
   uint32_t limit;
   /** The open command while @depth is not 0 */
   struct vivgpu_command open;
   /**
    * Calls of open less those of close; or VIVGPU_GROUP_REPEATING: the open draw is the list's last
    * item and has the parameters of @reference, or else of @open
    */
   uint32_t depth;
   /**
    * The open command is as it was opened, not listed yet, and none was opened within it; not what
    * VIVGPU_PACKED_PLAIN_DRAW means
    */
   bool plain;
   /** Byte of the list where the command is that is open or was closed last; or one of these: */
   uint32_t entry;
   /** Offset from which on words are the open command's, in bytes */
   uint32_t mark;
   /**
    * Description of the command that was closed last, if vivgpu_group_refer() did that; 0: in @open
    */
   uint32_t reference;
   /** The table of descriptions; NULL if nothing refers to one */
   const struct vivgpu_group_descriptions *descriptions;
};

/** @entry: the command is not listed (yet), or there was no room for it */
#define VIVGPU_GROUP_NO_ENTRY   UINT32_MAX
#define VIVGPU_GROUP_LOST_ENTRY (UINT32_MAX - 1)

#define VIVGPU_GROUP_REPEATING (1u << 31)

/** Free the memory of a builder, which was zero at first. */
void vivgpu_group_builder_fini(struct vivgpu_group_builder *builder);

/**
 * Add a command that is complete. Inside of an open command its words are taken from that one.
 *
 * @command: type and parameters; its offset is set from @from
 * @from, @to: offsets of its first word and after its last one, in bytes; equal if it has none
 */
void vivgpu_group_insert(struct vivgpu_group_builder *builder, struct vivgpu_command *command,
                         uint32_t from, uint32_t to);

/**
 * Open a command. Inside of an open command this has no effect but for the number of closes that
 * are needed: a copy that is drawn is a copy, not a draw. Returns whether the command was opened.
 *
 * @offset: bytes of the stream so far
 */
bool vivgpu_group_open(struct vivgpu_group_builder *builder, const struct vivgpu_command *command,
                       uint32_t offset);

/** What vivgpu_group_insert_reference() does within an open command, or if no room is there. */
void vivgpu_group_insert_within(struct vivgpu_group_builder *builder, unsigned type,
                                uint32_t number, uint32_t from, uint32_t to);

/** Add an item to the list, for which there is room: a command by the number of its description. */
static inline void
vivgpu_group_append_reference(struct vivgpu_group_builder *builder, unsigned type, uint32_t number,
                              uint32_t from)
{
   struct vivgpu_group_reference *item =
      (struct vivgpu_group_reference *)(builder->list + builder->used);

   item->packed.offset = from;
   item->packed.head =
      VIVGPU_PACKED_HEAD(type, 0, number ? VIVGPU_PACKED_REFERENCE : 0, 0);
   item->packed.count = item->packed.instances = 0;
   item->number = number;
   builder->used += number ? sizeof(*item) : sizeof(item->packed);
}

/**
 * vivgpu_group_insert() of a command by the number of its description.
 *
 * @type: of the command
 * @number: 0 if it has no parameters
 */
static inline void
vivgpu_group_insert_reference(struct vivgpu_group_builder *builder, unsigned type, uint32_t number,
                              uint32_t from, uint32_t to)
{
   if (builder->depth || builder->used >= builder->limit) {
      vivgpu_group_insert_within(builder, type, number, from, to);
      return;
   }
   builder->mark = to;
   vivgpu_group_append_reference(builder, type, number, from);
}

/** What vivgpu_group_begin() does inside of an open command. */
void vivgpu_group_begin_within(struct vivgpu_group_builder *builder);

/**
 * Open a command whose parameters the caller writes, all of them, to what is returned; NULL inside
 * of an open command. A close is needed in either case.
 */
static inline struct vivgpu_command *
vivgpu_group_begin(struct vivgpu_group_builder *builder, uint32_t offset)
{
   if (builder->depth) {
      vivgpu_group_begin_within(builder);
      return NULL;
   }
   builder->depth = 1;
   builder->plain = true;
   builder->entry = VIVGPU_GROUP_NO_ENTRY;
   builder->mark = offset;
   return &builder->open;
}

/** The open command, whose parameters may be changed until it is closed; NULL if there is none. */
struct vivgpu_command *vivgpu_group_opened(struct vivgpu_group_builder *builder);

/**
 * Close the command. A draw counts in the group in which it is closed: it is added to the sums here
 * if no room was left for it, else by vivgpu_group_unpack().
 *
 * @offset: bytes of the stream so far
 * @always: list the command even if it has no words, because the processor did its work
 */
void vivgpu_group_close(struct vivgpu_group_builder *builder, uint32_t offset, bool always);

/**
 * True if the open command has words, all of them in this group, has no other command within it, is as it
 * was opened, and the list has room, so that no more than an item has to be written to close it.
 *
 * @offset: bytes of the stream so far
 */
static inline bool
vivgpu_group_is_whole(const struct vivgpu_group_builder *builder, uint32_t offset)
{
   return builder->plain && offset > builder->mark && builder->used < builder->limit;
}

/**
 * Close a draw that is all in this group and was not listed yet, as nearly all are. False if it needs
 * a vivgpu_group_close().
 */
static inline bool
vivgpu_group_close_draw(struct vivgpu_group_builder *builder, uint32_t offset)
{
   struct vivgpu_command *open = &builder->open;
   uint32_t at = builder->used;
   unsigned units = open->draw.num_textures ? VIVGPU_PACKED_UNITS : VIVGPU_PACKED_PLAIN_DRAW;

   if (builder->depth != 1 || builder->entry != VIVGPU_GROUP_NO_ENTRY || open->flags ||
       open->type != VIVGPU_COMMAND_DRAW || offset <= builder->mark ||
       builder->used >= builder->limit)
      return false;
   open->offset = builder->mark;
   vivgpu_command_pack(builder->list + at, open, units);
   builder->used = at + sizeof(struct vivgpu_group_packed) + 8 * units;
   builder->entry = at;
   builder->depth = 0;
   builder->plain = false;
   builder->reference = 0;
   return true;
}

/**
 * Close a command for which vivgpu_group_is_whole() is true: list it by the number of its description.
 * @builder->open is not read, so its parameters need not be filled in. The draws that
 * vivgpu_group_repeat() opens after a draw have its description.
 *
 * @head: VIVGPU_PACKED_HEAD() without flags and units
 * @count, @instances: of a draw, otherwise 0
 */
static inline void
vivgpu_group_refer(struct vivgpu_group_builder *builder, uint32_t head, uint32_t count,
                   uint32_t instances, uint32_t number)
{
   uint32_t at = builder->used;
   struct vivgpu_group_reference *item = (struct vivgpu_group_reference *)(builder->list + at);

   item->packed.offset = builder->mark;
   item->packed.head = head | VIVGPU_PACKED_HEAD(0, 0, VIVGPU_PACKED_REFERENCE, 0);
   item->packed.count = count;
   item->packed.instances = instances;
   item->number = number;
   builder->used = at + sizeof(*item);
   builder->entry = at;
   builder->depth = 0;
   builder->plain = false;
   builder->reference = number;
}

/**
 * Open a draw with the parameters of the command that was closed last, a draw that was listed in
 * this group, but for what is passed here. No command is open. False if no room is there: then
 * nothing is open.
 *
 * @head: VIVGPU_PACKED_HEAD() of a draw without flags and units
 */
static inline bool
vivgpu_group_repeat(struct vivgpu_group_builder *builder, uint32_t offset, uint32_t head,
                    uint32_t count, uint32_t instances)
{
   uint32_t used = builder->used;
   struct vivgpu_group_packed *packed = (struct vivgpu_group_packed *)(builder->list + used);

   if (used >= builder->limit)
      return false;
   packed->offset = offset;
   packed->head = head;
   packed->count = count;
   packed->instances = instances;
   builder->used = used + sizeof(*packed);
   builder->depth = VIVGPU_GROUP_REPEATING;
   builder->mark = offset;
   return true;
}

/**
 * Close the open draw if vivgpu_group_repeat() opened it, it is complete and has words. False if it needs a
 * vivgpu_group_close().
 *
 * @offset: bytes of the stream so far
 */
static inline bool
vivgpu_group_repeated(struct vivgpu_group_builder *builder, uint32_t offset)
{
   if (builder->depth != VIVGPU_GROUP_REPEATING || offset <= builder->mark)
      return false;
   builder->depth = 0;
   return true;
}

/** True if the command that was closed last is in the list. */
static inline bool
vivgpu_group_is_listed(const struct vivgpu_group_builder *builder)
{
   return builder->entry < VIVGPU_GROUP_LOST_ENTRY;
}

/** What vivgpu_group_end() does with an open command. */
void vivgpu_group_end_open(struct vivgpu_group_builder *builder, uint32_t offset);

/**
 * End the group: complete @builder->group and its list, but for cookie, client, sequence, time
 * and job.
 *
 * @offset: bytes of the stream when its end was decided; what follows belongs to no command
 * @bytes: size of the stream
 */
static inline void
vivgpu_group_end(struct vivgpu_group_builder *builder, enum vivgpu_group_reason reason,
                 uint32_t offset, uint32_t bytes)
{
   if (builder->depth)
      vivgpu_group_end_open(builder, offset);
   builder->group.reason = reason;
   builder->group.stream_bytes = bytes;
}

/** Begin the next group; the open command, if there is one, continues in it. */
static inline void
vivgpu_group_next(struct vivgpu_group_builder *builder)
{
   struct vivgpu_group *group = &builder->group;

   group->predicted_ns = group->bound_ns = 0;
   group->vertices = 0;
   group->num_draws = 0;
   group->num_lost_commands = 0;
   builder->used = 0;
   builder->entry = VIVGPU_GROUP_NO_ENTRY;
   builder->mark = 0;
}

#ifdef __cplusplus
}
#endif

#endif
