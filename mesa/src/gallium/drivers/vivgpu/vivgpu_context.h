/* SPDX-License-Identifier: MIT */
/*
 * A context: the bound Gallium state, dirty flags for what is to be emitted, and the job that
 * is being written.
 */
#ifndef VIVGPU_CONTEXT_H
#define VIVGPU_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_context.h"
#include "util/list.h"
#include "util/slab.h"
#include "vivgpu_acc_query.h"
#include "vivgpu_deadline.h"
#include "vivgpu_emitted.h"
#include "vivgpu_generation.h"
#include "vivgpu_group.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_query.h"
#include "vivgpu_screen.h"
#include "vivgpu_shader.h"
#include "vivgpu_state.h"
#include "vivgpu_stipple.h"
#include "vivgpu_stream.h"
#include "vivgpu_upload.h"
#include "vivgpu_vertex_state.h"

struct blitter_context;
struct threaded_context;
struct vivgpu_monitor;
struct vivgpu_primconvert;
struct vivgpu_resource;
struct vivgpu_swtnl;

/** Samplers of both stages share one array: vertex samplers begin at this index. */
#define VIVGPU_VERTEX_SAMPLERS 16
#define VIVGPU_NUM_SAMPLERS    32

#define VIVGPU_MAX_CONST_BUFFERS 16

/** Limit of the shared resources in vivgpu_context_job.pending_shared */
#define VIVGPU_MAX_PENDING_SHARED 4

/**
 * State that has to be emitted before the next draw; vivgpu_emit_state() says in which order.
 *
 * Set by vivgpu_context_dirty() when the application binds something, and directly by code that
 * replaces a state for a draw of its own or finds that a value has changed. All are set when a job
 * begins. Cleared by vivgpu_emit_state() only.
 */
enum {
   VIVGPU_DIRTY_BLEND = 1 << 0,
   VIVGPU_DIRTY_BLEND_COLOR = 1 << 1,
   VIVGPU_DIRTY_ZSA = 1 << 2,
   VIVGPU_DIRTY_STENCIL_REF = 1 << 3,
   VIVGPU_DIRTY_RASTERIZER = 1 << 4,
   VIVGPU_DIRTY_VIEWPORT = 1 << 5,
   VIVGPU_DIRTY_SCISSOR = 1 << 6,
   VIVGPU_DIRTY_FRAMEBUFFER = 1 << 7,
   VIVGPU_DIRTY_SAMPLE_MASK = 1 << 8,
   VIVGPU_DIRTY_ELEMENTS = 1 << 9,
   VIVGPU_DIRTY_VERTEX_BUFFERS = 1 << 10,
   /** Other shaders are bound: variants have to be chosen */
   VIVGPU_DIRTY_SHADERS = 1 << 11,
   /** Other variants were chosen: their code has to be emitted */
   VIVGPU_DIRTY_PROGRAM = 1 << 12,
   VIVGPU_DIRTY_CONSTANTS = 1 << 13,
   VIVGPU_DIRTY_CLIP_PLANES = 1 << 14,
   /** Other samplers or views are bound, or the shaders read others */
   VIVGPU_DIRTY_SAMPLERS = 1 << 15,
   /** Tile status of the render targets */
   VIVGPU_DIRTY_STATUS = 1 << 16,
   /** Registers that depend on the pair of shaders */
   VIVGPU_DIRTY_LINK = 1 << 17,
   VIVGPU_DIRTY_ALL = (1 << 18) - 1,
};

struct vivgpu_surface {
   struct pipe_surface base;
   /** The resource that is rendered to: the texture or its shadow */
   struct vivgpu_resource *render;
   /** Bytes from the buffer's start to the surface */
   uint32_t offset;
   struct vivgpu_target target;
   /** The command monitor's description of it, without the id; empty while its samples are 0 */
   struct vivgpu_group_target described;
   /** What @described depends on, see vivgpu_monitor_surface_key(); 0: none yet */
   uint64_t described_key;
   /** Whether tile status is in use for it: vivgpu_tile_status.valid of @render, or false */
   const bool *has_status;
};

static inline struct vivgpu_surface *
vivgpu_surface(struct pipe_surface *surface)
{
   return (struct vivgpu_surface *)surface;
}

struct vivgpu_view {
   struct pipe_sampler_view base;
   struct vivgpu_view_state words;
   /** Registers with the sampler of number @combined_with; 0: none yet */
   uint32_t combined[VIVGPU_NUM_SAMPLER_STATES], combined_with;
   /** The command monitor's description of it, without the sampler's filter */
   struct vivgpu_group_texture described;
   /** The number of @described; 0: not described, or without a number */
   uint32_t described_number;
};

static inline struct vivgpu_view *
vivgpu_view(struct pipe_sampler_view *view)
{
   return (struct vivgpu_view *)view;
}

/** Constant buffers of a shader stage */
struct vivgpu_constants {
   struct pipe_constant_buffer buffers[VIVGPU_MAX_CONST_BUFFERS];
   /**
    * GPU addresses, valid for buffers whose bit is set in @emitted; reset by a new buffer or job
    */
   uint32_t addresses[VIVGPU_MAX_CONST_BUFFERS];
   uint32_t emitted;
   /** A buffer was bound or got other memory since the last draw */
   bool changed;
};

/** Mark constants as changed: buffers have other memory, or a new job has no addresses of them. */
static inline void
vivgpu_constants_invalidate(struct vivgpu_constants constants[2])
{
   for (unsigned stage = 0; stage < 2; stage++) {
      constants[stage].emitted = 0;
      constants[stage].changed = true;
   }
}

/** States of samplers in the GPU */
struct vivgpu_emitted_samplers {
   uint32_t words[VIVGPU_NUM_SAMPLERS][VIVGPU_NUM_SAMPLER_STATES];
   /** Samplers whose @words are known, and those that are known not to use tile status */
   uint32_t known, without_status;
};

/** Values in the GPU, compared to avoid loading a state twice; unknown when a job begins */
struct vivgpu_emitted_all {
   /** Single states */
   struct vivgpu_emitted values;
   /** Packed states; count 0: unknown */
   VIVGPU_PACKED_STATE(VIVGPU_RASTERIZER_WORDS) rasterizer;
   VIVGPU_PACKED_STATE(VIVGPU_BLEND_WORDS) blend;
   /** The linked pair of shaders; NULL: unknown */
   const struct vivgpu_linked_program *link;
   struct vivgpu_emitted_samplers samplers;
   struct vivgpu_emitted_vertices vertices;
   /** Addresses of vertex streams, of which the first @num_streams are known */
   uint32_t streams[VIVGPU_MAX_STREAMS], num_streams;
   /** Numbers of the variants whose code is loaded; 0: unknown */
   uint32_t code[2];
   /** Values of each stage's uniform registers; the first @emitted words are known */
   struct {
      uint32_t words[VIVGPU_MAX_UNIFORM_WORDS];
      uint32_t emitted;
   } uniforms[2];
   /** True if the sample positions are those of multisampling, not all at the centre */
   bool multisample;
   /** Unknown: a box that no draw sets */
   struct pipe_scissor_state scissor;
};

/** Bound samplers and views of both stages */
struct vivgpu_textures {
   struct vivgpu_sampler *samplers[VIVGPU_NUM_SAMPLERS];
   struct pipe_sampler_view *views[VIVGPU_NUM_SAMPLERS];
   uint32_t num_fragment_samplers, num_fragment_views;
   /** Samplers whose states have to be emitted; samplers of @read with both state and view */
   uint32_t dirty, active;
   /** Samplers that the bound pair of shaders reads */
   uint32_t read;
   /** Samplers whose wrap mode uses the border colour */
   uint32_t bordered;
   /**
    * Views that the shaders read of textures with tile status, a shadow or a copy; valid while
    * vivgpu_seen.resolvable equals vivgpu_screen.num_resolvable
    */
   uint32_t resolvable;
};

/** Bound vertex buffers */
struct vivgpu_vertices {
   struct pipe_vertex_buffer buffers[VIVGPU_MAX_STREAMS];
   uint32_t mask;
   /** Buffers whose offset is unaligned: elements in them are translated */
   uint32_t misaligned;
   /** The display list that is bound in place of elements and vertex buffer 0 */
   struct vivgpu_bound_list list;
};

/**
 * What a context has seen of the screen's counters, so that a draw compares numbers instead of
 * looking at textures and targets.
 *
 * vivgpu_screen.write_seqno is incremented by each recorded write to a texture; the number is
 * stored in vivgpu_resource.seqno. The numbers wrap: they are compared by equality, or by their
 * difference (vivgpu_texture_cache.h). A draw compares in this order:
 *
 * 1. @resolved, @resolvable, before anything is emitted: if another write was recorded, or the
 *    framebuffer or samplers are dirty, vivgpu_resolve_surfaces() binds replaced buffers again
 *    (@replaced_buffers), copies shadows and resolves. That records writes of its own and may
 *    submit the job, so it comes first. The number is read before it, so that the next draw sees
 *    writes that other contexts record meanwhile.
 * 2. @textures, in vivgpu_emit_state(): if another write was recorded, or samplers are dirty, the
 *    bound textures are compared with @texture_cache, and the caches are invalidated if one is
 *    newer.
 * 3. @targets, @invalidations, after the draw: the targets get a new number, unless neither a write
 *    nor an invalidation of texture caches by any context has followed the one that they have.
 *
 * A job's begin changes none of these: caches keep their contents from job to job.
 */
struct vivgpu_seen {
   /** write_seqno and num_resolvable when surfaces were last resolved */
   uint32_t resolved, resolvable;
   /** replaced_buffers when replaced buffers were last bound again */
   uint32_t replaced_buffers;
   /** write_seqno when the bound textures were last compared with @texture_cache */
   uint32_t textures;
   /** write_seqno when this context last invalidated the texture caches */
   uint32_t texture_cache;
   /** write_seqno and texture_invalidations when draws last marked their targets as written */
   uint32_t targets, invalidations;
   /** The targets are marked with @targets; cleared with another framebuffer or depth writes */
   bool targets_marked;
   /** Which parts of the depth buffer were marked as written: vivgpu_depth_written() */
   uint8_t depth_marked;
};

/** What a context knows of the job that is being written, and of those before */
struct vivgpu_context_job {
   /** Fence of the job being written; NULL if none was requested yet */
   struct pipe_fence_handle *fence;
   /** Fence of the last job that had one, and vivgpu_stream.jobs when that job was submitted */
   struct pipe_fence_handle *last_fence;
   uint64_t last_fence_jobs;
   /** Bytes of constants that were copied for the job being written */
   uint32_t copied_constant_bytes;
   /** Shared resources whose shadows were rendered to: copied back at the next flush */
   struct pipe_resource *pending_shared[VIVGPU_MAX_PENDING_SHARED];
   uint32_t num_pending_shared;
};

/** Fallbacks for draws that the core cannot execute; NULL until first used */
struct vivgpu_fallback {
   struct vivgpu_primconvert *primconvert;
   struct vivgpu_swtnl *swtnl;
   /** True within u_primconvert's call of draw_vbo(): the draw is already counted */
   bool in_primconvert;
};

/** State that depends on the primitives that are drawn, and not on bound objects alone */
struct vivgpu_per_draw {
   /** Additions to the fragment shader */
   struct vivgpu_fragment_extras extras;
   /** Points whose texture coordinates are replaced (point sprites) */
   bool point_sprites;
   /** Points or lines with two-sided stencil: they use the front face's state */
   bool stencil_front_only;
};

/** Conditional rendering; no @query: draws are executed */
struct vivgpu_condition {
   struct vivgpu_query *query;
   bool value;
   enum pipe_render_cond_flag mode;
};

/** VIVGPU_DEBUG=vendor */
struct vivgpu_vendor_state {
   /** Words of all jobs so far */
   uint32_t words;
   /** The last draw's vertex buffer: only compared, never dereferenced */
   const void *vertices;
};

enum vivgpu_draw_hooks {
   VIVGPU_HOOKS_NONE,
   /** The command monitor lists the draw */
   VIVGPU_HOOKS_MONITOR,
   /** A debug option's actions; the command monitor lists the draw if there is one */
   VIVGPU_HOOKS_DEBUG,
};

/** Limit of the bytes of constants that are copied for one job */
#define VIVGPU_MAX_COPIED_BYTES (1 << 20)

struct vivgpu_context {
   struct pipe_context base;
   struct vivgpu_screen *screen;
   struct threaded_context *threaded;
   /** The pipe_context.flush that Mesa set in @threaded, which the driver's replaces */
   void (*flush_threaded)(struct pipe_context *, struct pipe_fence_handle **, unsigned);
   struct vivgpu_stream stream;
   struct blitter_context *blitter;
   struct slab_child_pool transfers;
   struct vivgpu_upload_memory upload_memory;
   /** Lists the commands of each job; NULL if the command monitor is off (vivgpu_monitor.h) */
   struct vivgpu_monitor *monitor;
   /** Actions before and after each draw */
   enum vivgpu_draw_hooks draw_hooks;
   /** Frames that the context shows, for the deadlines of its jobs */
   struct vivgpu_frames frames;

   /* What is bound, and which of it has to be emitted */
   uint32_t dirty;
   struct vivgpu_blend *blend;
   struct vivgpu_zsa *zsa;
   struct vivgpu_rasterizer *rasterizer;
   struct vivgpu_vertex_elements *elements;
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_scissor_state scissor;
   struct vivgpu_viewport viewport;
   struct pipe_clip_state clip;
   struct vivgpu_stipple stipple;
   uint32_t sample_mask;
   struct pipe_framebuffer_state framebuffer;
   struct vivgpu_framebuffer packed_framebuffer;
   struct vivgpu_vertices vertices;
   struct vivgpu_program program;
   struct vivgpu_constants constants[2];
   struct vivgpu_textures textures;
   struct vivgpu_per_draw per_draw;
   struct vivgpu_condition condition;
   /** GL_INTEL_blackhole_render: nothing is drawn, cleared or copied between textures */
   bool blackhole;

   struct vivgpu_context_job job;
   struct vivgpu_seen seen;
   struct vivgpu_emitted_all emitted;
   /** True after vivgpu_emit_pe_stall() in this draw, or if VIVGPU_DEBUG forbids it */
   bool pe_stalled;
   /** Memory that the GPU accesses in place of an unbound target, vertex or constant buffer */
   struct vivgpu_bo *dummy;
   /** Scratch memory of shaders that spill, for each stage */
   struct vivgpu_bo *scratch[2];

   struct vivgpu_occlusion occlusion;
   struct vivgpu_submissions submissions;
   struct vivgpu_acc_queries acc_queries;
   struct vivgpu_perfmon_context perfmon;
   struct vivgpu_time time;

   struct vivgpu_fallback fallback;
   struct vivgpu_vendor_state vendor;
   /** A submit failed: nothing of this context is drawn any more */
   bool lost;
   /** vivgpu_kernel.guilty_resets() when the application last asked */
   uint32_t guilty_seen;
};

static inline struct vivgpu_context *
vivgpu_context(struct pipe_context *context)
{
   return (struct vivgpu_context *)context;
}

/**
 * Mark states (a set of VIVGPU_DIRTY_*) as dirty after the application set them. Changes by Mesa
 * itself (occlusion.paused) are not counted as state changes.
 */
static inline void
vivgpu_context_dirty(struct vivgpu_context *context, uint32_t states)
{
   context->dirty |= states;
   if (!context->occlusion.paused)
      vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_STATE_CHANGES, 1);
}

/** True if the pair of shaders is chosen, and nothing that it depends on was bound since. */
static inline bool
vivgpu_program_chosen(const struct vivgpu_context *context)
{
   const struct vivgpu_program *program = &context->program;

   return !(context->dirty & program->depends) && program->variants[VIVGPU_VS] &&
          program->current->key.num_elements == context->elements->num_elements;
}

/** Return what draws write of the depth buffer with the bound state: 1: depth, 2: stencil. */
static inline unsigned
vivgpu_depth_written(const struct vivgpu_context *context)
{
   return context->framebuffer.zsbuf
             ? context->zsa->writes_depth | context->zsa->writes_stencil << 1
             : 0;
}

struct pipe_context *vivgpu_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

/**
 * pipe_screen.context_reserve: replace the queue of a context that has submitted nothing by one
 * with a budget. Returns 0, -EACCES without the privilege, -EBUSY if the budget cannot be
 * guaranteed, -EDQUOT if it is more than the limit of a cgroup, or another negative error number.
 */
int vivgpu_context_reserve(struct pipe_screen *screen, struct pipe_context *context,
                           uint64_t budget_ns, uint64_t period_ns);

/**
 * Record that a surface was rendered to or cleared: its @render gets a new sequence number, so
 * that the other copy of the texture, the shadow or the base resource, is older.
 */
void vivgpu_surface_mark_written(struct vivgpu_context *context, struct pipe_surface *surface);

/** vivgpu_surface_mark_written() for all render targets that draws write with the bound state. */
void vivgpu_targets_mark_written(struct vivgpu_context *context);

/**
 * Copy the shadows of shared resources that were drawn to back to the resources: other processes
 * and the display access the resource, not its shadow.
 */
void vivgpu_surface_update_shared(struct vivgpu_context *context);

/**
 * Bring up to date what the next draw reads and writes: shadows, copies, and pixels that are
 * cleared only by tile status which the draw cannot use. See vivgpu_seen.
 */
void vivgpu_resolve_surfaces(struct vivgpu_context *context);

/** True if draws are executed: no render condition and no blackhole render mode forbids it. */
static inline bool
vivgpu_context_condition(struct vivgpu_context *context)
{
   return !context->blackhole && (!context->condition.query || vivgpu_query_condition(context));
}

/* Each sets a part of the context's functions. */
void vivgpu_flush_init(struct pipe_context *context);
void vivgpu_state_init(struct pipe_context *context);
void vivgpu_surface_init(struct pipe_context *context);
void vivgpu_texture_init(struct pipe_context *context);
void vivgpu_transfer_init(struct pipe_context *context);
void vivgpu_shader_init(struct pipe_context *context);
void vivgpu_draw_init(struct pipe_context *context);
void vivgpu_clear_init(struct pipe_context *context);
void vivgpu_blit_init(struct pipe_context *context);

#endif
