/* SPDX-License-Identifier: MIT */
/*
 * The command monitor: lists the GL and EGL commands of each job, as command groups
 * (vivgpu_group.h), and writes them to a ring in a file (vivgpu_group_ring.h) with what the
 * kernel measured of them. A predictor in the process may read both.
 *
 * It is on when VIVGPU_GROUPS is set (see vivgpu_group_file_create(); VIVGPU_GROUPS_MB is the size
 * of the ring) or a predictor was set before a context is created. While it is off,
 * vivgpu_context.monitor is NULL, and a draw tests vivgpu_context.draw_hooks, which is
 * VIVGPU_HOOKS_NONE then.
 *
 * Most commands are like one of the frame before: their descriptions are not made again but have
 * numbers, which a key of the state finds (vivgpu_group_memory.h). Each object on which a
 * description depends has a number in keys that no other object of the process gets, so an object
 * at the address of a destroyed one is not taken for it.
 *
 * Results are the records of this process's own client. They are read when a job was submitted,
 * when a fence was waited for, and at the end of the process: no thread, no system call of the
 * application's own is needed for them, and no privilege.
 *
 * Locking: a monitor belongs to its context. The ring, the predictor and the results are the
 * process's, and protected by a lock of vivgpu_monitor.c.
 */
#ifndef VIVGPU_MONITOR_H
#define VIVGPU_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "util/format/u_formats.h"
#include "util/u_atomic.h"
#include "vivgpu_group_builder.h"
#include "vivgpu_group_memory.h"
#include "vivgpu_trust.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;
struct vivgpu_resource;
struct vivgpu_screen;

/** Surfaces of an open clear that were cleared so far, all in the same way */
struct vivgpu_monitor_clear {
   /** The builder's open command is this clear, which is described when it ends */
   bool open;
   uint8_t kind, count;
   uint16_t buffers;
   uint32_t bytes;
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS + 1];
};

struct vivgpu_monitor {
   struct vivgpu_group_builder builder;
   /** Commands that were described before, and the process's table of descriptions with numbers */
   struct vivgpu_group_memory memory;
   struct vivgpu_group_descriptions *descriptions;
   /**
    * vivgpu_monitor_key() of draws that have the parameters of the last one, if no state changes,
    * and their VIVGPU_PACKED_HEAD(); or VIVGPU_MONITOR_NO_REPEAT
    */
   uint32_t repeat_key, repeat_head;
   /** The parameters of the open draw are complete */
   bool described;
   /** The open draw's vertices are transformed by the CPU */
   bool swtnl;
   /** Arguments of the open draw */
   const struct pipe_draw_info *info;
   const struct pipe_draw_start_count_bias *draws;
   unsigned num_draws;
   struct vivgpu_monitor_clear clear;
   /** The framebuffer as a target, but for its id; valid if it has samples */
   struct vivgpu_group_target target;
   /** The last described draw, without its counts; the state that changed since, VIVGPU_DIRTY_* */
   struct vivgpu_command draw;
   uint32_t stale;
   /** Pair of shaders in @draw: vivgpu_linked_program.link_number */
   uint32_t link_number;
   /** Properties of formats that were asked for */
   struct vivgpu_monitor_format {
      enum pipe_format format;
      uint8_t bytes;
      bool depth;
   } formats[16];
   /** The group that is submitted next, as the predictor got it */
   struct vivgpu_group unpacked;
   struct vivgpu_group_commands commands;
   /** Bytes that the application's thread wrote to buffers since the last group; atomic */
   uint64_t unsynchronized_bytes;
   /** The client's number, as in the kernel's records */
   uint64_t client;
   /**
    * Since the last swap: the window, whether its tile status is in use, and the sum of the areas
    * of draws to it, in pixels
    */
   struct vivgpu_group_target window;
   bool window_has_status;
   uint64_t window_pixels;
   /** VIVGPU_DEBUG=boxes: of the next draw, see vivgpu_command_draw */
   uint32_t box_pixels;
   /** See vivgpu_monitor_predicted(); both 0 if the last group was not predicted */
   uint64_t predicted_ns, error_ns;
   /** How predictions of this context came true; protected by vivgpu_monitor_lock() */
   struct vivgpu_trust trust;
   /** vivgpu_trust_is_good() and vivgpu_trust_ns_per_draw() of @trust; atomic */
   bool trusted;
   uint64_t measured_draw_ns;
};

/** A vivgpu_monitor_key() that no draw has: modes are smaller */
#define VIVGPU_MONITOR_NO_REPEAT 0xff00u

/** Mode and index size of a draw */
static inline uint32_t
vivgpu_monitor_key(const struct pipe_draw_info *info)
{
   return (uint32_t)info->mode | (uint32_t)info->index_size << 16;
}

/** Functions of a predictor; calls of all contexts are serialized. */
struct vivgpu_monitor_predictor {
   void *data;
   /** Set group->predicted_ns and bound_ns, before the group is submitted */
   void (*predict)(void *data, struct vivgpu_group *group, const struct vivgpu_command *commands);
   /**
    * Learn from a group that has ended, in the order of the ends of each queue's groups. Returns
    * the time that it took in ns, or a negative number if the result has none.
    */
   double (*observe)(void *data, const struct vivgpu_group *group,
                     const struct vivgpu_group_result *result);
};

/**
 * Set the process's predictor, which must live as long as the process; NULL for none. Contexts
 * that exist already are predicted only if they are monitored.
 */
void vivgpu_monitor_set_predictor(const struct vivgpu_monitor_predictor *predictor);

/** Keep the predictor's functions from being called until vivgpu_monitor_unlock(). */
void vivgpu_monitor_lock(void);
void vivgpu_monitor_unlock(void);

/**
 * Begin to read a screen's results if VIVGPU_GROUPS or a predictor is set; contexts that are
 * created from now on are monitored. Nothing happens if they are already.
 */
void vivgpu_monitor_screen_init(struct vivgpu_screen *screen);
void vivgpu_monitor_screen_fini(struct vivgpu_screen *screen);

/** Create a monitor for a context; NULL if the monitor is disabled or memory is short. */
struct vivgpu_monitor *vivgpu_monitor_create(struct vivgpu_screen *screen);
void vivgpu_monitor_destroy(struct vivgpu_monitor *monitor);

/**
 * Before the job is submitted: end the group and predict it.
 *
 * @offset: bytes of the stream when its end was decided
 */
void vivgpu_monitor_end_group(struct vivgpu_context *context, enum vivgpu_group_reason reason,
                              uint32_t offset);

/**
 * Return the predicted GPU time of the context's last group in ns: between
 * vivgpu_monitor_end_group() and the submit, of the job that is submitted next.
 *
 * It costs nothing: vivgpu_monitor_end_group() has predicted the group, and no lock is taken. Only
 * the thread that submits the context's jobs may call it. Groups are predicted if VIVGPU_PREDICT is
 * set, or since vivgpu_prediction_enable(), which needs neither files nor variables.
 *
 * @error_ns: vivgpu_group.bound_ns: the time differs from the returned one by more in one of 100
 * groups at most; may be NULL
 *
 * Returns 0, and so *@error_ns, if nothing predicts the context's groups.
 */
uint64_t vivgpu_monitor_predicted(const struct vivgpu_context *context, uint64_t *error_ns);

/** True if the context's groups are predicted, not only listed. */
bool vivgpu_monitor_predicts(const struct vivgpu_context *context);

/**
 * Return whether the last predictions of this context came true within a half of them, whatever
 * their bounds say.
 */
bool vivgpu_monitor_is_trusted(const struct vivgpu_context *context);

/**
 * Return the largest mean time of a draw in the last predicted jobs of this context, in ns, as
 * measured; 0 if there were none.
 */
uint64_t vivgpu_monitor_measured_draw(const struct vivgpu_context *context);

/** After the submit: write the group, read results, begin the next group. */
void vivgpu_monitor_submitted(struct vivgpu_context *context);

/** Write the results that the kernel has to the ring. */
void vivgpu_monitor_read_results(struct vivgpu_screen *screen);

/**
 * Give a description a number for vivgpu_group_refer(). Descriptions to which a context refers
 * before it forgets all of them are the last half of the table at most, so that readers have time
 * to read them. Returns 0 if that is not possible, because memory is short or the group has too
 * many new ones.
 */
uint32_t vivgpu_monitor_describe(struct vivgpu_monitor *monitor,
                                 const struct vivgpu_command *command);

/** What vivgpu_monitor_number() does the first time. */
uint32_t vivgpu_monitor_new_number(uint32_t *number);

/** The number of an object in keys of descriptions, which it gets if @number is 0. Never 0. */
static inline uint32_t
vivgpu_monitor_number(uint32_t *number)
{
   return p_atomic_read(number) ? p_atomic_read(number) : vivgpu_monitor_new_number(number);
}

/**
 * A key of a surface's description: the number of its texture, with format and level. It is not one
 * of the surface itself, since Mesa creates a new surface of a window's buffer for each frame.
 */
static inline uint64_t
vivgpu_monitor_surface_key(const struct pipe_surface *surface, uint32_t *number)
{
   return vivgpu_monitor_number(number) | (uint64_t)surface->format << 32 |
          (uint64_t)surface->u.tex.level << 48;
}

/* The functions below are called if the context has a monitor. Each open needs a close. */

/** Close a command. @always: list it even if it has no words: see vivgpu_group_close(). */
void vivgpu_monitor_close(struct vivgpu_context *context, bool always);

/**
 * Open a draw: vivgpu_monitor_draw.c. Blend, zsa, rasterizer and elements are bound. Close it by
 * vivgpu_monitor_close_draw().
 */
void vivgpu_monitor_open_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                              const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

/** Describe a level of a resource as a target. */
void vivgpu_monitor_set_target(struct vivgpu_context *context, struct vivgpu_group_target *target,
                               struct pipe_resource *resource, enum pipe_format format,
                               unsigned level);

/** A surface as a target; it is described once. */
const struct vivgpu_group_target *vivgpu_monitor_surface(struct vivgpu_context *context,
                                                         struct pipe_surface *psurface);

/** Add the attachments of @added to those of a target. */
void vivgpu_monitor_add_target(struct vivgpu_group_target *target,
                               const struct vivgpu_group_target *added);

/** Set whether the CPU transforms the vertices of the open draw. */
void vivgpu_monitor_set_swtnl(struct vivgpu_context *context, bool swtnl);

/** Describe the open draw or clear in the builder's open command, if that was not done yet. */
void vivgpu_monitor_finish(struct vivgpu_context *context);
void vivgpu_monitor_finish_draw(struct vivgpu_context *context);
void vivgpu_monitor_finish_clear(struct vivgpu_context *context);

/** Close a draw. Draws like it are listed by their counts only if nothing changes meanwhile. */
void vivgpu_monitor_close_draw(struct vivgpu_context *context);

/** Open a clear, whose surfaces follow. Close it by vivgpu_monitor_close_clear(). */
void vivgpu_monitor_open_clear(struct vivgpu_context *context);
void vivgpu_monitor_close_clear(struct vivgpu_context *context);

/** A surface is cleared next. @kind: VIVGPU_CLEAR_*, @buffers: PIPE_CLEAR_*, @bytes: written */
void vivgpu_monitor_clear_surface(struct vivgpu_context *context, unsigned kind, unsigned buffers,
                                  struct pipe_surface *surface, uint32_t bytes);

/** Open a clear of a part of a surface by a draw. */
void vivgpu_monitor_open_clear_draw(struct vivgpu_context *context, unsigned buffers,
                                    const struct pipe_surface *surface, unsigned x, unsigned y,
                                    unsigned width, unsigned height);

void vivgpu_monitor_open_copy(struct vivgpu_context *context, const struct pipe_blit_info *info);

/** Set how the open copy is done: VIVGPU_COPY_*. */
void vivgpu_monitor_copy_by(struct vivgpu_context *context, unsigned by);

/** Where the words of a copy or resolve may begin */
struct vivgpu_monitor_place {
   uint64_t job;
   uint32_t used;
};

struct vivgpu_monitor_place vivgpu_monitor_place(const struct vivgpu_context *context);

/** The commands since @place are a copy, also within another command. */
void vivgpu_monitor_copied(struct vivgpu_context *context, struct vivgpu_monitor_place place,
                           const struct pipe_blit_info *info);

/**
 * The commands since @place are a resolve from one resource to another or, for tile status, in
 * place.
 * @level: the level
 * @box: the pixels of each layer; NULL: all
 */
void vivgpu_monitor_resolved(struct vivgpu_context *context, struct vivgpu_monitor_place place,
                             struct vivgpu_resource *to, struct vivgpu_resource *from,
                             unsigned level, const struct pipe_box *box);

/**
 * The commands since @place copy a window of tiles, as words in the linear @words, to a level of @to. The
 * sizes and formats that are listed are those of the words.
 */
void vivgpu_monitor_tiles_resolved(struct vivgpu_context *context,
                                   struct vivgpu_monitor_place place, struct vivgpu_resource *to,
                                   unsigned level, struct vivgpu_resource *words);

/** Open an upload. @format: PIPE_FORMAT_NONE for a buffer, whose width is its bytes */
void vivgpu_monitor_open_upload(struct vivgpu_context *context, uint32_t bytes,
                                enum pipe_format format, unsigned width, unsigned height,
                                unsigned level, bool by_gpu);

/**
 * Add an upload by the CPU, which has no words. Within an open command it is a part of that one
 * and is not listed.
 */
void vivgpu_monitor_upload(struct vivgpu_context *context, uint32_t bytes, enum pipe_format format,
                           unsigned width, unsigned height, unsigned level);

/**
 * Bytes were written to a buffer that was mapped with @usage, maybe by the application's thread
 * beside the threaded context. Uploaders map theirs persistently: what they write belongs to the
 * commands that use it.
 */
void vivgpu_monitor_buffer(struct vivgpu_context *context, unsigned usage, uint32_t bytes);

void vivgpu_monitor_open_query(struct vivgpu_context *context, unsigned type, bool end);

/**
 * First characters of the markers for glPushDebugGroup(), glPopDebugGroup() and glObjectLabel():
 * mesa/patches/0008 and 0023
 */
#define VIVGPU_MARKER_PUSH  '\x02'
#define VIVGPU_MARKER_POP   '\x03'
#define VIVGPU_MARKER_LABEL '\x04'

/** True for these: the GPU gets no words for them. */
static inline bool
vivgpu_marker_is_debug(const char *text)
{
   return *text >= VIVGPU_MARKER_PUSH && *text <= VIVGPU_MARKER_LABEL;
}

/**
 * A marker of the application, a debug group that begins or ends, or a label. @length: at least 1
 */
void vivgpu_monitor_marker(struct vivgpu_context *context, const char *text, unsigned length);

/**
 * pipe_context.flush was called: list what the application called for it.
 *
 * @flags: PIPE_FLUSH_*; @fence: a fence was requested; @submits: a job will be submitted
 *
 * Returns why the group ends.
 */
enum vivgpu_group_reason vivgpu_monitor_flush(struct vivgpu_context *context, unsigned flags,
                                              bool fence, bool submits);

#ifdef __cplusplus
}
#endif

#endif
