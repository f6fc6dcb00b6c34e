/* SPDX-License-Identifier: MIT */

#include "vivgpu_context.h"

#include <errno.h>
#include <string.h>

#include "hw/cmdstream.xml.h"
#include "util/log.h"
#include "util/u_blitter.h"
#include "util/u_debug_cb.h"
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"
#include "vivgpu_bo.h"
#include "vivgpu_deadline.h"
#include "vivgpu_emit.h"
#include "vivgpu_texture_cache.h"
#include "vivgpu_fence.h"
#include "vivgpu_job.h"
#include "vivgpu_monitor.h"
#include "vivgpu_primconvert.h"
#include "vivgpu_resource.h"
#include "vivgpu_swtnl.h"
#include "vivgpu_threaded.h"
#include "vivgpu_vendor.h"

/* Size of the dummy buffer (vivgpu_context.dummy): a supertile of four-byte pixels. */
#define DUMMY_BYTES (64 * 64 * 4)

/* Size of a buffer of the constant uploader. */
#define CONSTANT_BYTES (128 * 1024)

static void
vivgpu_set_frontend_noop(struct pipe_context *pcontext, bool enable)
{
   vivgpu_context(pcontext)->blackhole = enable;
}

static enum pipe_reset_status
vivgpu_get_device_reset_status(struct pipe_context *pcontext)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_kernel *kernel = context->screen->kernel;
   uint32_t resets;

   if (context->lost)
      return PIPE_UNKNOWN_CONTEXT_RESET;
   if (!kernel->guilty_resets(kernel, context->stream.queue, &resets))
      return PIPE_NO_RESET;

   bool guilty = resets != context->guilty_seen;

   context->guilty_seen = resets;
   return guilty ? PIPE_GUILTY_CONTEXT_RESET : PIPE_NO_RESET;
}

/*
 * A marker is a sequence of NOP commands whose second words hold the text; a long text is cut, so
 * that it fits a job. Debug groups and labels are for the command monitor only: they cost the GPU
 * nothing.
 */
static void
vivgpu_emit_string_marker(struct pipe_context *pcontext, const char *text, int length)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_stream *stream = &context->stream;
   int words = DIV_ROUND_UP(MIN2(length, VIVGPU_MAX_EMIT_WORDS), 4);

   if (length <= 0)
      return;
   if (unlikely(context->monitor))
      vivgpu_monitor_marker(context, text, length);
   if (vivgpu_marker_is_debug(text) || !vivgpu_job_reserve(context, 2 * words))
      return;
   for (int i = 0; i < words; i++) {
      uint32_t word = 0;

      memcpy(&word, text + 4 * i, MIN2(4, length - 4 * i));
      stream->words[stream->used++] = VIV_FE_NOP_HEADER_OP_NOP;
      stream->words[stream->used++] = word;
   }
}

static void
vivgpu_context_destroy(struct pipe_context *pcontext)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   if (context->stream.queue) {
      vivgpu_surface_update_shared(context);
      vivgpu_job_submit(context, VIVGPU_GROUP_CONTEXT);
   }
   if (context->vertices.list.state)
      vivgpu_vertex_state_unbind(context);
   util_unreference_framebuffer_state(&context->framebuffer);
   for (unsigned i = 0; i < VIVGPU_NUM_SAMPLERS; i++)
      pipe_sampler_view_reference(&context->textures.views[i], NULL);
   vivgpu_stipple_destroy(context);
   vivgpu_swtnl_destroy(context);
   vivgpu_primconvert_destroy(context);
   for (unsigned i = 0; i < VIVGPU_MAX_STREAMS; i++)
      pipe_vertex_buffer_unreference(&context->vertices.buffers[i]);
   for (unsigned stage = 0; stage < 2; stage++) {
      for (unsigned i = 0; i < VIVGPU_MAX_CONST_BUFFERS; i++)
         pipe_resource_reference(&context->constants[stage].buffers[i].buffer, NULL);
   }
   if (context->blitter)
      util_blitter_destroy(context->blitter);
   if (pcontext->stream_uploader)
      u_upload_destroy(pcontext->stream_uploader);
   if (pcontext->const_uploader)
      u_upload_destroy(pcontext->const_uploader);
   slab_destroy_child(&context->transfers);
   vivgpu_query_fini(context);
   p_atomic_dec(&context->screen->contexts);
   pcontext->screen->fence_reference(pcontext->screen, &context->job.last_fence, NULL);
   vivgpu_bo_unref(context->dummy);
   vivgpu_bo_unref(context->upload_memory.bo);
   for (unsigned i = 0; i < ARRAY_SIZE(context->scratch); i++)
      vivgpu_bo_unref(context->scratch[i]);
   vivgpu_stream_fini(&context->stream);
   vivgpu_monitor_destroy(context->monitor);
   FREE(context);
}

static uint32_t
vivgpu_context_priority_of(unsigned flags)
{
   if (flags & (PIPE_CONTEXT_HIGH_PRIORITY | PIPE_CONTEXT_REALTIME_PRIORITY))
      return DRM_VIVGPU_PRIORITY_HIGH;
   return flags & PIPE_CONTEXT_LOW_PRIORITY ? DRM_VIVGPU_PRIORITY_LOW : DRM_VIVGPU_PRIORITY_NORMAL;
}

/*
 * Create the context's queue, with a budget if one is asked for. A priority for which the process
 * has no privilege any more, and a budget that is refused, are left out.
 */
static int
vivgpu_context_create_queue(struct vivgpu_context *context, unsigned flags)
{
   uint32_t prologue[VIVGPU_MAX_PROLOGUE_WORDS];
   struct vivgpu_kernel *kernel = context->screen->kernel;
   struct vivgpu_budget budget =
      kernel->has_deadlines ? vivgpu_deadline_take_budget() : (struct vivgpu_budget){0};
   struct vivgpu_queue_config config = {
      .priority = vivgpu_context_priority_of(flags),
      .prologue = prologue,
      .prologue_words = vivgpu_emit_prologue(&context->screen->generation, prologue),
      .budget_ns = budget.budget_ns,
      .period_ns = budget.period_ns,
   };
   int ret = vivgpu_stream_init(&context->stream, kernel, &config);

   context->frames.has_budget = !ret && budget.budget_ns;
   if (!ret || (ret != -EACCES && ret != -EBUSY && ret != -EDQUOT))
      return ret;
   if (budget.budget_ns)
      mesa_logw("vivgpu: VIVGPU_BUDGET is not granted: %s", strerror(-ret));
   config.priority = MIN2(config.priority, DRM_VIVGPU_PRIORITY_NORMAL);
   config.budget_ns = config.period_ns = 0;
   /* vivgpu_stream_init() creates the queue last: all else is there. */
   return kernel->queue_create(kernel, &config, &context->stream.queue);
}

int
vivgpu_context_reserve(struct pipe_screen *screen, struct pipe_context *pcontext,
                       uint64_t budget_ns, uint64_t period_ns)
{
   struct vivgpu_context *context = vivgpu_context(threaded_context_unwrap_sync(pcontext));
   struct vivgpu_kernel *kernel = context->screen->kernel;
   uint32_t prologue[VIVGPU_MAX_PROLOGUE_WORDS], queue;
   struct vivgpu_queue_config config = {
      .priority = DRM_VIVGPU_PRIORITY_NORMAL,
      .prologue = prologue,
      .prologue_words = vivgpu_emit_prologue(&context->screen->generation, prologue),
      .budget_ns = budget_ns,
      .period_ns = period_ns,
   };
   int ret;

   /* Jobs of two queues could run in the wrong order. */
   if (context->stream.jobs)
      return -EINVAL;
   ret = kernel->queue_create(kernel, &config, &queue);
   if (ret)
      return ret;
   kernel->queue_destroy(kernel, context->stream.queue);
   context->stream.queue = queue;
   context->frames.has_budget = true;
   context->frames.max_draws = 0;
   vivgpu_deadline_predict(context);
   return 0;
}

static void
vivgpu_context_init_functions(struct pipe_context *context)
{
   context->destroy = vivgpu_context_destroy;
   context->set_frontend_noop = vivgpu_set_frontend_noop;
   context->get_device_reset_status = vivgpu_get_device_reset_status;
   context->emit_string_marker = vivgpu_emit_string_marker;
   context->set_debug_callback = u_default_set_debug_callback;
   vivgpu_flush_init(context);
   vivgpu_state_init(context);
   vivgpu_surface_init(context);
   vivgpu_texture_init(context);
   vivgpu_transfer_init(context);
   vivgpu_shader_init(context);
   vivgpu_draw_init(context);
   vivgpu_clear_init(context);
   vivgpu_blit_init(context);
   vivgpu_query_init(context);
   vivgpu_fence_context_init(context);
}

struct pipe_context *
vivgpu_context_create(struct pipe_screen *screen, void *priv, unsigned flags)
{
   struct vivgpu_context *context = CALLOC_STRUCT(vivgpu_context);
   struct pipe_context *base;

   if (!context)
      return NULL;
   base = &context->base;
   base->screen = screen;
   base->priv = priv;
   context->screen = vivgpu_screen(screen);
   /* No context is added while a buffer's memory is replaced. */
   simple_mtx_lock(&context->screen->buffers_lock);
   p_atomic_inc(&context->screen->contexts);
   simple_mtx_unlock(&context->screen->buffers_lock);
   context->seen.texture_cache =
      vivgpu_texture_cache_unknown(p_atomic_read(&context->screen->write_seqno));
   context->sample_mask = ~0u;
   context->program.depends = VIVGPU_DIRTY_SHADERS | VIVGPU_DIRTY_PROGRAM |
                              VIVGPU_DIRTY_RASTERIZER | VIVGPU_DIRTY_FRAMEBUFFER;
   if (!context->screen->generation.halti2_textures)
      context->program.depends |= VIVGPU_DIRTY_SAMPLERS;
   context->stream.in_fence = -1;
   context->monitor = vivgpu_monitor_create(context->screen);
   context->stream.monitored = context->monitor;
   if (context->screen->debug & (VIVGPU_DEBUG_SYNC | VIVGPU_DEBUG_VENDOR | VIVGPU_DEBUG_BOXES))
      context->draw_hooks = VIVGPU_HOOKS_DEBUG;
   else if (context->monitor)
      context->draw_hooks = VIVGPU_HOOKS_MONITOR;
   vivgpu_context_init_functions(base);
   context->dummy = vivgpu_bo_create(context->screen->kernel, DUMMY_BYTES);
   if (!context->dummy || vivgpu_context_create_queue(context, flags))
      goto fail;
   vivgpu_deadline_begin(context);
   vivgpu_job_begin(context);
   base->stream_uploader = u_upload_create_default(base);
   base->const_uploader = u_upload_create(base, CONSTANT_BYTES, PIPE_BIND_CONSTANT_BUFFER,
                                          PIPE_USAGE_STREAM, VIVGPU_RESOURCE_FLAG_CPU);
   if (!base->stream_uploader || !base->const_uploader)
      goto fail;
   context->blitter = util_blitter_create(base);
   if (!context->blitter)
      goto fail;

   return flags & PIPE_CONTEXT_PREFER_THREADED ? vivgpu_threaded_create(context) : base;

fail:
   vivgpu_context_destroy(base);
   return NULL;
}
