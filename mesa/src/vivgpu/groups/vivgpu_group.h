/* SPDX-License-Identifier: MIT */
/*
 * Command groups: types shared by the command monitor, the tools and the predictor.
 *
 * A group is one job of one queue of the kernel driver. While the Gallium driver records the job's
 * command stream, its command monitor lists the GL and EGL commands in it, each with the
 * parameters on which its execution time depends. When the job has ended, the kernel's record of
 * it (struct drm_vivgpu_record) tells when it ran and what the core counted. Both have the same
 * cookie.
 *
 * The types have no pointers and the same layout in 32 and 64 bit programs: they are written to
 * memory that processes share and to files. They depend on neither Mesa nor the kernel's headers.
 */
#ifndef VIVGPU_GROUP_H
#define VIVGPU_GROUP_H

#include <stdint.h>

/** Kinds of commands; vivgpu_command.type */
enum vivgpu_command_type {
   VIVGPU_COMMAND_DRAW = 1,
   VIVGPU_COMMAND_CLEAR,
   /** A copy or conversion from one resource to another, by the resolve engine or as a draw */
   VIVGPU_COMMAND_COPY,
   /**
    * A resolve of tile status, tiling or samples within the job, between a resource and its shadow
    */
   VIVGPU_COMMAND_RESOLVE,
   /** Data of the application written to a buffer or texture */
   VIVGPU_COMMAND_UPLOAD,
   /** End of a frame: eglSwapBuffers, glXSwapBuffers, a flush of the front buffer */
   VIVGPU_COMMAND_SWAP,
   VIVGPU_COMMAND_FLUSH,
   VIVGPU_COMMAND_FINISH,
   /** Begin or end of a query, or a timestamp */
   VIVGPU_COMMAND_QUERY,
   /** glPushDebugGroup, glPopDebugGroup, glDebugMessageInsert */
   VIVGPU_COMMAND_DEBUG_PUSH,
   VIVGPU_COMMAND_DEBUG_POP,
   VIVGPU_COMMAND_DEBUG_MARKER,
   /** glObjectLabel: an object of the application has this name from now on */
   VIVGPU_COMMAND_DEBUG_LABEL,
};

/** vivgpu_command.flags: the command continues in the next group */
#define VIVGPU_COMMAND_FIRST_PART  (1u << 0)
/** It began in the group before */
#define VIVGPU_COMMAND_SECOND_PART (1u << 1)
/**
 * Its description was overwritten before it was read: target and parameters are zero, but for a draw's
 * count and instances
 */
#define VIVGPU_COMMAND_UNKNOWN (1u << 2)

/** Why a group ended; vivgpu_group.reason */
enum vivgpu_group_reason {
   VIVGPU_GROUP_FLUSH = 1,
   VIVGPU_GROUP_FINISH,
   VIVGPU_GROUP_SWAP,
   /** The command stream has the largest size that the kernel accepts */
   VIVGPU_GROUP_FULL_STREAM,
   /** No memory for uploads is left in this job */
   VIVGPU_GROUP_FULL_UPLOAD,
   /** A job can have no more timestamp points, or no more counters */
   VIVGPU_GROUP_TOO_MANY_POINTS,
   /** A query's result was asked for, or its counters want a job of their own */
   VIVGPU_GROUP_QUERY,
   /** The application, or another context, asked for a fence */
   VIVGPU_GROUP_FENCE,
   /** The processor waits to read or write a buffer that the job uses */
   VIVGPU_GROUP_TRANSFER,
   /** The context is destroyed or its framebuffer is shared with another one */
   VIVGPU_GROUP_CONTEXT,
};

/** The target of draws, clears and resolves; sizes in pixels */
struct vivgpu_group_target {
   uint16_t width, height;
   /** enum pipe_format of colour target 0 and of depth and stencil; 0 if there is none */
   uint16_t color_format, depth_format;
   /** Bytes per pixel of all colour targets together, without samples */
   uint8_t color_bytes;
   uint8_t depth_bytes;
   /** 1, 2 or 4 */
   uint8_t samples;
   uint8_t num_colors;
   /** Same for all groups that draw into the same resource, while it exists; 0: no target */
   uint32_t id;
};

struct vivgpu_group_texture {
   uint16_t width, height;
   /** enum pipe_format */
   uint16_t format;
   /** Depth, layers or 6 faces; 1 for a plain texture */
   uint16_t layers;
   uint8_t levels;
   /** VIVGPU_FILTER_* */
   uint8_t filter;
   /** Largest anisotropy; 1 for none */
   uint8_t anisotropy;
   uint8_t reserved;
};

#define VIVGPU_FILTER_LINEAR  (1u << 0)
#define VIVGPU_FILTER_MIPMAP  (1u << 1)
/** Between levels as well */
#define VIVGPU_FILTER_TRILINEAR (1u << 2)

/** vivgpu_command_draw.state */
#define VIVGPU_DRAW_INDEXED     (1u << 0)
#define VIVGPU_DRAW_DEPTH_TEST  (1u << 1)
#define VIVGPU_DRAW_DEPTH_WRITE (1u << 2)
#define VIVGPU_DRAW_STENCIL     (1u << 3)
#define VIVGPU_DRAW_BLEND       (1u << 4)
/** The program discards fragments or writes their depth, so the depth test is late */
#define VIVGPU_DRAW_LATE_DEPTH  (1u << 5)
#define VIVGPU_DRAW_CULL        (1u << 6)
#define VIVGPU_DRAW_SCISSOR     (1u << 7)
/** Vertices were transformed by the processor */
#define VIVGPU_DRAW_SWTNL       (1u << 8)
/** Tile status of colour or of depth is in use: cleared tiles need not be read */
#define VIVGPU_DRAW_COLOR_TS    (1u << 9)
#define VIVGPU_DRAW_DEPTH_TS    (1u << 10)

/** Textures of a draw that are described one by one */
#define VIVGPU_DRAW_TEXTURES 3

struct vivgpu_command_draw {
   /** Vertices or indices as the application gave them */
   uint32_t count;
   uint32_t instances;
   /** Primitives that the core assembles, of all instances */
   uint32_t primitives;
   uint32_t state;
   /** Hash of the pair of compiled programs; same in each run of an application */
   uint32_t program;
   /** Bytes of vertex attributes per vertex */
   uint16_t vertex_bytes;
   /** GL_POINTS to GL_POLYGON, as the application gave it */
   uint8_t mode;
   uint8_t index_bytes;
   /** Instructions and lookups of textures in the code of the stages: 0 vertex, 1 fragment */
   uint16_t instructions[2];
   uint8_t lookups[2];
   uint8_t temporaries[2];
   uint8_t varyings;
   uint8_t num_textures;
   /** Intersection of viewport, scissor and target: x, y, width, height in pixels */
   uint16_t area[4];
   uint16_t reserved;
   /**
    * 1 + pixels of the bounding box of what is drawn, on the target; 0 if it was not looked for
    */
   uint32_t box_pixels;
   /** Bytes of all textures of the draw, all levels */
   uint32_t texture_bytes;
   /** The last member: lists leave it out if the draw has none */
   struct vivgpu_group_texture textures[VIVGPU_DRAW_TEXTURES];
};

/** vivgpu_command_clear.kind */
#define VIVGPU_CLEAR_FAST 0 /**< tile status only */
#define VIVGPU_CLEAR_FULL 1 /**< memory, by the resolve engine */
#define VIVGPU_CLEAR_DRAW 2 /**< a quad */
#define VIVGPU_CLEAR_CPU  3 /**< by the processor */

struct vivgpu_command_clear {
   uint8_t kind;
   /** Bits: 0 depth, 1 stencil, 2 to 5 the colour targets (PIPE_CLEAR_*) */
   uint8_t buffers;
   /** x, y, width, height in pixels */
   uint16_t area[4];
   uint16_t reserved;
   /** Bytes that are written: tile status or pixels */
   uint32_t bytes;
};

/** How a copy is done; vivgpu_command_copy.by */
enum {
   VIVGPU_COPY_ENGINE, /* the resolve engine */
   VIVGPU_COPY_DRAW,
   VIVGPU_COPY_CPU,
};

/**
 * COPY, RESOLVE and SWAP. Of a SWAP: the window; bytes_read is an upper bound of what was drawn to
 * of it, from the draws' areas. A copy to the display's buffer, if any, is a RESOLVE before it.
 */
struct vivgpu_command_copy {
   /** Pixels of the destination */
   uint16_t width, height;
   uint16_t source_format, destination_format;
   uint8_t source_samples, destination_samples;
   /** 1 if the source's tile status has to be looked at */
   uint8_t source_ts;
   /** VIVGPU_COPY_* */
   uint8_t by;
   uint32_t bytes_read, bytes_written;
};

struct vivgpu_command_upload {
   uint32_t bytes;
   uint16_t width, height;
   /** enum pipe_format; 0 for a buffer */
   uint16_t format;
   uint8_t level;
   /** 1 if the GPU copies, into a tiled layout or from a staging buffer */
   uint8_t by_gpu;
};

struct vivgpu_command_query {
   /** enum pipe_query_type */
   uint16_t type;
   /** 0 at its begin, 1 at its end or for a timestamp */
   uint8_t end;
   uint8_t reserved;
};

/**
 * DEBUG_PUSH, DEBUG_MARKER and DEBUG_LABEL: the beginning of the application's text, padded with zeros.
 * Of a label: kind of the object, its number, and the text, which is left out if the label is removed
 */
#define VIVGPU_COMMAND_TEXT 56

struct vivgpu_command {
   /** enum vivgpu_command_type */
   uint8_t type;
   uint8_t flags;
   /**
    * Set by vivgpu_group_unpack(): 1 if target and parameters are those of the draw before, but for
    * count, instances, primitives and indices
    */
   uint16_t repeats;
   /** Bytes from the start of the group's stream to the command's first word */
   uint32_t offset;
   struct vivgpu_group_target target;
   union {
      struct vivgpu_command_draw draw;
      struct vivgpu_command_clear clear;
      struct vivgpu_command_copy copy;
      struct vivgpu_command_upload upload;
      struct vivgpu_command_query query;
      char text[VIVGPU_COMMAND_TEXT];
   };
};

struct vivgpu_group {
   /** As in the kernel's records; unique within a process */
   uint64_t cookie;
   /** Client number, as drm-client-id in fdinfo */
   uint64_t client;
   /** One more than the last group's of this process; a gap is a loss */
   uint64_t sequence;
   /** CLOCK_MONOTONIC before the submit call */
   uint64_t submitted_ns;
   /**
    * Prediction, and its bound: the time is at most predicted_ns + bound_ns; both 0 if there is
    * none
    */
   uint64_t predicted_ns, bound_ns;
   /**
    * Vertices of all draws, times their instances; of a split draw in its second part's group only
    */
   uint64_t vertices;
   /** Swaps of the context before this group */
   uint32_t frame;
   uint32_t queue;
   /** The kernel's number of the job; 0 if it was refused */
   uint32_t job;
   uint32_t stream_bytes;
   /** enum vivgpu_group_reason */
   uint16_t reason;
   uint16_t reserved;
   uint32_t num_draws;
   /** Commands that follow, and those for which no room was left */
   uint32_t num_commands, num_lost_commands;
};

/** vivgpu_group_result.flags */
/** vertices, primitives and fragments were read */
#define VIVGPU_RESULT_COUNTS     (1u << 0)
/** The counts are of this job only; else they include a part of its neighbours' */
#define VIVGPU_RESULT_EXACT      (1u << 1)
/** The next job may have begun before cycles and counts were read */
#define VIVGPU_RESULT_OVERLAPPED (1u << 2)
/** The job failed; nothing else is valid */
#define VIVGPU_RESULT_FAILED     (1u << 3)
/** The queue's prologue ran before the job */
#define VIVGPU_RESULT_PROLOGUE   (1u << 4)

/** What the kernel measured of a group; times are of CLOCK_MONOTONIC */
struct vivgpu_group_result {
   uint64_t cookie;
   uint64_t submitted_ns, queued_ns, started_ns, finished_ns;
   uint64_t cycles;
   uint64_t vertices, primitives, fragments;
   uint32_t prologue_bytes;
   uint32_t flags;
};

#endif
