/* SPDX-License-Identifier: MIT */

#include "vivgpu_screen.h"

#include <stdio.h>

#include "compiler/vivgpu_compiler.h"
#include "drm-uapi/drm_fourcc.h"
#include "drm/etnaviv_drmif.h"
#include "renderonly/renderonly.h"
#include "util/disk_cache.h"
#include "util/format/u_format.h"
#include "util/u_debug.h"
#include "util/u_memory.h"
#include "vivgpu_cache.h"
#include "vivgpu_context.h"
#include "vivgpu_deadline.h"
#include "vivgpu_events.h"
#include "vivgpu_format.h"
#include "vivgpu_kernel.h"
#include "vivgpu_layout.h"
#include "vivgpu_event_sampler.h"
#include "vivgpu_monitor.h"
#include "vivgpu_prediction.h"
#include "vivgpu_transfer.h"
#include "vivgpu_translate.h"
#include "vivgpu_vertex_state.h"

/* Transfers that the slab pool allocates at once */
#define TRANSFERS_AT_ONCE 16

static const struct debug_named_value debug_options[] = {
   {"shaders", VIVGPU_DEBUG_SHADERS, "Print the code of shaders"},
   {"stream", VIVGPU_DEBUG_STREAM, "Print the words of each job"},
   {"sync", VIVGPU_DEBUG_SYNC, "Submit a job after each draw"},
   {"nofastclear", VIVGPU_DEBUG_NO_FAST_CLEAR, "Use no tile status"},
   {"nosuper", VIVGPU_DEBUG_NO_SUPER_TILES, "Textures in small tiles"},
   {"vendor", VIVGPU_DEBUG_VENDOR, "Do the work of Vivante's driver"},
   {"still", VIVGPU_DEBUG_STILL, "Viewports without area: vertices are shaded, no pixels"},
   {"boxes", VIVGPU_DEBUG_BOXES, "Find the bounding box of each draw that is listed (slow)"},
   {"nodrain", VIVGPU_DEBUG_NO_DRAIN, "Do not drain the pipeline for uniforms, samplers and code"},
   {"nostateflush", VIVGPU_DEBUG_NO_STATE_FLUSH,
    "Do not flush pixel caches when blending, depth or stencil state changes"},
   DEBUG_NAMED_VALUE_END,
};

DEBUG_GET_ONCE_FLAGS_OPTION(vivgpu_debug, "VIVGPU_DEBUG", debug_options, 0)

static void
vivgpu_screen_free_kernel(struct vivgpu_kernel *kernel, struct etna_gpu *gpu, struct renderonly *ro)
{
   struct etna_device *dev = kernel->dev;

   if (ro)
      ro->destroy(ro);
   kernel->destroy(kernel);
   etna_gpu_del(gpu);
   etna_device_del(dev);
}

/*
 * Also destroys a screen whose compiler could not be created: what vivgpu_screen_create() makes
 * after it is missing then.
 */
static void
vivgpu_screen_destroy(struct pipe_screen *pscreen)
{
   struct vivgpu_screen *screen = vivgpu_screen(pscreen);

   vivgpu_event_sampler_remove_screen(screen->kernel->fd);
   vivgpu_monitor_screen_fini(screen);
   disk_cache_destroy(screen->cache);
   vivgpu_perfmon_screen_fini(screen);
   if (screen->compiler)
      vivgpu_compiler_destroy(screen->compiler);
   util_idalloc_mt_fini(&screen->buffer_ids);
   vivgpu_vertex_state_screen_fini(&screen->base);
   slab_destroy_parent(&screen->transfers);
   simple_mtx_destroy(&screen->shadow_lock);
   simple_mtx_destroy(&screen->status_lock);
   simple_mtx_destroy(&screen->buffers_lock);
   vivgpu_screen_free_kernel(screen->kernel, screen->gpu, screen->ro);
   FREE(screen);
}

static const char *
vivgpu_get_name(struct pipe_screen *screen)
{
   return vivgpu_screen(screen)->name;
}

static const char *
vivgpu_get_vendor(struct pipe_screen *screen)
{
   return "vivgpu";
}

static const char *
vivgpu_get_device_vendor(struct pipe_screen *screen)
{
   return "Vivante";
}

static int
vivgpu_get_screen_fd(struct pipe_screen *screen)
{
   return vivgpu_screen(screen)->kernel->fd;
}

static const void *
vivgpu_get_compiler_options(struct pipe_screen *screen, enum pipe_shader_ir ir,
                            enum pipe_shader_type type)
{
   return vivgpu_compiler_nir_options(vivgpu_screen(screen)->compiler);
}

static struct disk_cache *
vivgpu_get_disk_shader_cache(struct pipe_screen *screen)
{
   return vivgpu_screen(screen)->cache;
}

/* Records exist only with our own kernel driver. */
static const struct pipe_event_monitor *
vivgpu_get_event_monitor(struct pipe_screen *screen)
{
   return vivgpu_screen(screen)->kernel->has_records ? vivgpu_event_sampler() : NULL;
}

/* True if the core supports this number of samples. */
static bool
vivgpu_screen_samples_supported(const struct vivgpu_screen *screen, unsigned samples)
{
   if (samples <= 1)
      return true;
   /* Two samples are not supported together with SMALL_MSAA. */
   if (samples == 2 && vivgpu_has(screen, ETNA_FEATURE_SMALL_MSAA))
      return false;
   return (samples == 2 || samples == 4) && vivgpu_has(screen, ETNA_FEATURE_MSAA) &&
          !screen->generation.split;
}

/* Multisampled colours have to be resolved; of depth and stencil the samples are copied. */
static bool
vivgpu_screen_multisampled_supported(enum pipe_format format, unsigned samples)
{
   return samples <= 1 || vivgpu_format_resolve(format) != VIVGPU_NO_FORMAT ||
          vivgpu_format_depth(format) != VIVGPU_NO_FORMAT;
}

static bool
vivgpu_screen_index_format(enum pipe_format format)
{
   return format == PIPE_FORMAT_R8_UINT || format == PIPE_FORMAT_R16_UINT ||
          format == PIPE_FORMAT_R32_UINT;
}

static bool
vivgpu_screen_texture_supported(const struct vivgpu_screen *screen, enum pipe_format format)
{
   if (!screen->generation.halti2_textures &&
       (util_format_is_snorm(format) || util_format_is_pure_integer(format) ||
        util_format_is_float(format)))
      return false;
   return vivgpu_format_texture(format) != VIVGPU_NO_FORMAT &&
          vivgpu_format_decompresses(screen->info, format);
}

static bool
vivgpu_screen_target_supported(const struct vivgpu_screen *screen, enum pipe_format format)
{
   if (vivgpu_format_target(format) == VIVGPU_NO_FORMAT)
      return false;
   if (!screen->generation.halti2_textures && format == PIPE_FORMAT_R8G8_UNORM)
      return false;
   /* Blits from a render target sample it. */
   return vivgpu_screen_texture_supported(screen, format) &&
          (!screen->generation.split || vivgpu_format_can_tile(format));
}

static bool
vivgpu_is_format_supported(struct pipe_screen *pscreen, enum pipe_format format,
                           enum pipe_texture_target target, unsigned samples,
                           unsigned storage_samples, unsigned usage)
{
   const struct vivgpu_screen *screen = vivgpu_screen(pscreen);

   if (target == PIPE_TEXTURE_CUBE_ARRAY || MAX2(samples, 1) != MAX2(storage_samples, 1))
      return false;
   if (!vivgpu_screen_samples_supported(screen, samples))
      return false;
   /* Framebuffer without attachments */
   if (format == PIPE_FORMAT_NONE)
      return usage & PIPE_BIND_RENDER_TARGET;
   if (!vivgpu_screen_multisampled_supported(format, samples))
      return false;
   if (usage & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_BLENDABLE) &&
       !vivgpu_screen_target_supported(screen, format))
      return false;
   if (usage & PIPE_BIND_DEPTH_STENCIL && vivgpu_format_depth(format) == VIVGPU_NO_FORMAT)
      return false;
   if (usage & PIPE_BIND_SAMPLER_VIEW &&
       (samples > 1 || !vivgpu_screen_texture_supported(screen, format)))
      return false;
   if (usage & PIPE_BIND_VERTEX_BUFFER &&
       vivgpu_format_vertex(vivgpu_translate_format(format)) == VIVGPU_NO_FORMAT)
      return false;
   if (usage & PIPE_BIND_INDEX_BUFFER && !vivgpu_screen_index_format(format))
      return false;
   return !(usage & (PIPE_BIND_SHADER_IMAGE | PIPE_BIND_STREAM_OUTPUT));
}

/* In order of preference */
static const uint64_t supported_modifiers[] = {
   DRM_FORMAT_MOD_VIVANTE_SUPER_TILED,
   DRM_FORMAT_MOD_VIVANTE_TILED,
   DRM_FORMAT_MOD_LINEAR,
};

/*
 * Cores with split surfaces do not offer supertiles, which they cannot sample. Split surfaces are
 * never offered.
 */
static unsigned
vivgpu_screen_first_modifier(struct pipe_screen *screen)
{
   return vivgpu_screen(screen)->generation.split ? 1 : 0;
}

static void
vivgpu_query_dmabuf_modifiers(struct pipe_screen *screen, enum pipe_format format, int max,
                              uint64_t *modifiers, unsigned *external_only, int *count)
{
   int first = vivgpu_screen_first_modifier(screen);
   int count_all = ARRAY_SIZE(supported_modifiers) - first;

   *count = max ? MIN2(max, count_all) : count_all;
   for (int i = 0; max && i < *count; i++) {
      modifiers[i] = supported_modifiers[first + i];
      if (external_only)
         external_only[i] = 0;
   }
}

static bool
vivgpu_is_dmabuf_modifier_supported(struct pipe_screen *screen, uint64_t modifier,
                                    enum pipe_format format, bool *external_only)
{
   if (external_only)
      *external_only = false;
   for (unsigned i = vivgpu_screen_first_modifier(screen); i < ARRAY_SIZE(supported_modifiers);
        i++) {
      if (supported_modifiers[i] == modifier)
         return true;
   }
   return false;
}

/* Number of threads of the shader cores; 0 if the kernel does not report it. */
static unsigned
vivgpu_screen_num_threads(struct etna_gpu *gpu)
{
   uint64_t threads;

   return etna_gpu_get_param(gpu, ETNA_GPU_THREAD_COUNT, &threads) ? 0 : threads;
}

static void
vivgpu_screen_init_functions(struct pipe_screen *screen)
{
   screen->destroy = vivgpu_screen_destroy;
   screen->get_name = vivgpu_get_name;
   screen->get_vendor = vivgpu_get_vendor;
   screen->get_device_vendor = vivgpu_get_device_vendor;
   screen->get_screen_fd = vivgpu_get_screen_fd;
   screen->get_compiler_options = vivgpu_get_compiler_options;
   screen->get_disk_shader_cache = vivgpu_get_disk_shader_cache;
   screen->get_event_monitor = vivgpu_get_event_monitor;
   screen->context_create = vivgpu_context_create;
   if (vivgpu_screen(screen)->kernel->has_deadlines)
      screen->context_reserve = vivgpu_context_reserve;
   screen->is_format_supported = vivgpu_is_format_supported;
   screen->query_dmabuf_modifiers = vivgpu_query_dmabuf_modifiers;
   screen->is_dmabuf_modifier_supported = vivgpu_is_dmabuf_modifier_supported;
   vivgpu_resource_screen_init(screen);
   vivgpu_fence_screen_init(screen);
}

struct pipe_screen *
vivgpu_screen_create(struct vivgpu_kernel *kernel, struct etna_gpu *gpu, struct renderonly *ro)
{
   struct vivgpu_screen *screen = CALLOC_STRUCT(vivgpu_screen);

   if (!screen) {
      vivgpu_screen_free_kernel(kernel, gpu, ro);
      return NULL;
   }
   screen->kernel = kernel;
   screen->gpu = gpu;
   screen->ro = ro;
   screen->info = etna_gpu_get_core_info(gpu);
   screen->debug = debug_get_option_vivgpu_debug();
   simple_mtx_init(&screen->shadow_lock, mtx_plain);
   simple_mtx_init(&screen->status_lock, mtx_plain);
   simple_mtx_init(&screen->buffers_lock, mtx_plain);
   slab_create_parent(&screen->transfers, sizeof(struct vivgpu_transfer), TRANSFERS_AT_ONCE);
   util_idalloc_mt_init_tc(&screen->buffer_ids);
   vivgpu_vertex_state_screen_init(&screen->base);
   snprintf(screen->name, sizeof(screen->name), "Vivante GC%x rev %04x", screen->info->model,
            screen->info->revision);
   vivgpu_screen_init_functions(&screen->base);

   if (vivgpu_generation_init(&screen->generation, screen->info))
      screen->compiler = vivgpu_compiler_create(screen->info, vivgpu_screen_num_threads(gpu));
   if (!screen->compiler) {
      vivgpu_screen_destroy(&screen->base);
      return NULL;
   }
   vivgpu_generation_divide_uniforms(
      &screen->generation, vivgpu_compiler_max_uniforms(screen->compiler, MESA_SHADER_VERTEX));
   vivgpu_caps_init(screen);
   vivgpu_time_screen_init(screen);
   vivgpu_cache_init(screen);
   vivgpu_perfmon_screen_init(screen);
   vivgpu_deadline_screen_init(screen);
   vivgpu_events_init();
   vivgpu_prediction_screen_init(screen);
   vivgpu_monitor_screen_init(screen);
   if (screen->kernel->has_records)
      vivgpu_event_sampler_add_screen(screen->kernel->fd);
   return &screen->base;
}
