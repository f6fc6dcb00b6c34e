/* SPDX-License-Identifier: MIT */

#include "vivgpu_swtnl_texture.h"

#include <math.h>
#include <string.h>

#include "compiler/nir/nir.h"
#include "tgsi/tgsi_exec.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "vivgpu_context.h"

/* Not less than VIVGPU_MAX_LEVELS */
#define MAX_LEVELS 16

struct texture {
   const struct pipe_sampler_view *view;
   const struct pipe_sampler_state *state;
   struct pipe_transfer *transfers[MAX_LEVELS];
   const char *levels[MAX_LEVELS];
};

struct vivgpu_swtnl_textures {
   struct tgsi_sampler sampler;
   struct vivgpu_context *context;
   struct texture textures[VIVGPU_MAX_SAMPLERS];
};

/*
 * A lookup: coordinates, of which the third is the number of a cube's face or of an array's layer,
 * and the reference for comparison.
 */
struct coords {
   float at[3], reference;
};

int
vivgpu_swtnl_wrap(int i, int size, unsigned mode)
{
   int twice;

   switch (mode) {
   case PIPE_TEX_WRAP_REPEAT:
      return ((i % size) + size) % size;
   case PIPE_TEX_WRAP_MIRROR_REPEAT:
      twice = ((i % (2 * size)) + 2 * size) % (2 * size);
      return twice < size ? twice : 2 * size - 1 - twice;
   case PIPE_TEX_WRAP_CLAMP:
   case PIPE_TEX_WRAP_CLAMP_TO_BORDER:
      return i >= 0 && i < size ? i : -1;
   default:
      return CLAMP(i, 0, size - 1);
   }
}

unsigned
vivgpu_swtnl_face(const float direction[3], float coords[2])
{
   const float x = direction[0], y = direction[1], z = direction[2];
   const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), major = MAX3(ax, ay, az);
   const unsigned axis = major == ax ? 0 : major == ay ? 1 : 2;
   const bool negative = direction[axis] < 0;
   const float side = negative ? -1 : 1;
   float s = axis == 0 ? -side * z : axis == 1 ? x : side * x;
   float t = axis == 1 ? side * z : -y;

   coords[0] = (s / major + 1) / 2;
   coords[1] = (t / major + 1) / 2;
   return 2 * axis + negative;
}

static int
vivgpu_swtnl_level_size(const struct texture *texture, unsigned level, unsigned axis)
{
   const struct pipe_resource *resource = texture->view->texture;
   const bool flat = axis == 1 && (resource->target == PIPE_TEXTURE_1D ||
                                   resource->target == PIPE_TEXTURE_1D_ARRAY);

   switch (axis) {
   case 0:
      return u_minify(resource->width0, level);
   case 1:
      return flat ? 1 : u_minify(resource->height0, level);
   default:
      return resource->target == PIPE_TEXTURE_3D ? u_minify(resource->depth0, level)
                                                 : resource->array_size;
   }
}

static float
vivgpu_swtnl_component(const float texel[4], unsigned swizzle)
{
   return swizzle <= PIPE_SWIZZLE_W ? texel[swizzle] : swizzle == PIPE_SWIZZLE_1;
}

static bool
vivgpu_swtnl_compare(unsigned func, float reference, float depth)
{
   switch (func) {
   case PIPE_FUNC_NEVER:
      return false;
   case PIPE_FUNC_LESS:
      return reference < depth;
   case PIPE_FUNC_EQUAL:
      return reference == depth;
   case PIPE_FUNC_LEQUAL:
      return reference <= depth;
   case PIPE_FUNC_GREATER:
      return reference > depth;
   case PIPE_FUNC_NOTEQUAL:
      return reference != depth;
   case PIPE_FUNC_GEQUAL:
      return reference >= depth;
   default:
      return true;
   }
}

/* Read a texel; of a compressed format, a texel of a block. */
static void
vivgpu_swtnl_read_texel(const struct texture *texture, unsigned level, const int at[3],
                        float texel[4])
{
   const enum pipe_format format = texture->view->format;
   const unsigned width = util_format_get_blockwidth(format);
   const unsigned height = util_format_get_blockheight(format);
   const struct pipe_transfer *transfer = texture->transfers[level];
   const void *block = texture->levels[level] + (size_t)at[2] * transfer->layer_stride +
                       (size_t)(at[1] / height) * transfer->stride +
                       (size_t)(at[0] / width) * util_format_get_blocksize(format);

   if (util_format_is_depth_or_stencil(format)) {
      util_format_unpack_z_float(format, &texel[0], block, 1);
      texel[1] = texel[2] = texel[0];
      texel[3] = 1;
   } else {
      util_format_fetch_rgba_func(format)(texel, block, at[0] % width, at[1] % height);
   }
}

/* Fetch a texel or the border: compare it if it is a depth comparison, and apply the swizzle. */
static void
vivgpu_swtnl_fetch(const struct texture *texture, unsigned level, const int at[3], float reference,
                   float rgba[4])
{
   const struct pipe_sampler_view *view = texture->view;
   float texel[4];

   if (at[0] < 0 || at[1] < 0 || at[2] < 0)
      memcpy(texel, texture->state->border_color.f, sizeof(texel));
   else
      vivgpu_swtnl_read_texel(texture, level, at, texel);
   if (texture->state->compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE) {
      texel[0] = vivgpu_swtnl_compare(texture->state->compare_func, SATURATE(reference), texel[0]);
      texel[1] = texel[2] = texel[0];
      texel[3] = 1;
   }
   rgba[0] = vivgpu_swtnl_component(texel, view->swizzle_r);
   rgba[1] = vivgpu_swtnl_component(texel, view->swizzle_g);
   rgba[2] = vivgpu_swtnl_component(texel, view->swizzle_b);
   rgba[3] = vivgpu_swtnl_component(texel, view->swizzle_a);
}

/* The two texels of an axis, and the weight of the second */
struct axis {
   int texels[2];
   float weight;
};

static struct axis
vivgpu_swtnl_axis_of(const struct texture *texture, unsigned level, unsigned axis, float at,
                     bool linear)
{
   const struct pipe_sampler_state *state = texture->state;
   const unsigned wraps[3] = {state->wrap_s, state->wrap_t, state->wrap_r};
   const unsigned target = texture->view->target;
   const int size = vivgpu_swtnl_level_size(texture, level, axis);
   unsigned wrap = target == PIPE_TEXTURE_CUBE ? PIPE_TEX_WRAP_CLAMP_TO_EDGE : wraps[axis];
   struct axis found = {{0, 0}, 0};

   if ((axis == 1 && (target == PIPE_TEXTURE_1D || target == PIPE_TEXTURE_1D_ARRAY)) ||
       (axis == 2 && target != PIPE_TEXTURE_3D))
      return (struct axis){{axis == 2 ? (int)at : 0, axis == 2 ? (int)at : 0}, 0};
   if (!state->unnormalized_coords)
      at *= size;
   if (wrap == PIPE_TEX_WRAP_CLAMP)
      at = CLAMP(at, 0, size);
   if (wrap == PIPE_TEX_WRAP_CLAMP && !linear)
      wrap = PIPE_TEX_WRAP_CLAMP_TO_EDGE;
   if (linear)
      at -= 0.5f;
   found.weight = linear ? at - floorf(at) : 0;
   for (int i = 0; i < 2; i++)
      found.texels[i] = vivgpu_swtnl_wrap((int)floorf(at) + i, size, wrap);
   return found;
}

static void
vivgpu_swtnl_sample_level(const struct texture *texture, unsigned level,
                          const struct coords *coords, bool linear, float rgba[4])
{
   struct axis axes[3];

   for (unsigned axis = 0; axis < 3; axis++)
      axes[axis] = vivgpu_swtnl_axis_of(texture, level, axis, coords->at[axis], linear);
   memset(rgba, 0, 4 * sizeof(float));
   for (unsigned corner = 0; corner < 8; corner++) {
      float weight = 1, texel[4];
      int at[3];

      for (unsigned axis = 0; axis < 3; axis++) {
         const bool second = corner >> axis & 1;

         at[axis] = axes[axis].texels[second];
         weight *= second ? axes[axis].weight : 1 - axes[axis].weight;
      }
      if (weight == 0)
         continue;
      vivgpu_swtnl_fetch(texture, level, at, coords->reference, texel);
      for (unsigned i = 0; i < 4; i++)
         rgba[i] += weight * texel[i];
   }
}

static void
vivgpu_swtnl_sample(const struct texture *texture, const struct coords *coords, float lod,
                    float rgba[4])
{
   const struct pipe_sampler_state *state = texture->state;
   const unsigned first = texture->view->u.tex.first_level, last = texture->view->u.tex.last_level;
   bool linear;
   float second[4];

   lod = CLAMP(lod + state->lod_bias, state->min_lod, state->max_lod);
   linear = (lod > 0 ? state->min_img_filter : state->mag_img_filter) == PIPE_TEX_FILTER_LINEAR;
   if (state->min_mip_filter == PIPE_TEX_MIPFILTER_NONE)
      lod = 0;
   lod = CLAMP(lod, 0, (float)(last - first));
   if (state->min_mip_filter == PIPE_TEX_MIPFILTER_NEAREST)
      lod = ceilf(lod + 0.5f) - 1;
   vivgpu_swtnl_sample_level(texture, first + (unsigned)lod, coords, linear, rgba);
   if (lod == floorf(lod))
      return;
   vivgpu_swtnl_sample_level(texture, first + (unsigned)lod + 1, coords, linear, second);
   for (unsigned i = 0; i < 4; i++)
      rgba[i] += (lod - floorf(lod)) * (second[i] - rgba[i]);
}

int
vivgpu_swtnl_layer(float layer, int layers)
{
   return (int)CLAMP(floorf(layer + 0.5f), 0, layers - 1);
}

/* TGSI has the reference for comparison in the coordinate behind the others. */
static struct coords
vivgpu_swtnl_coords_of(const struct texture *texture, float s, float t, float p, float c0)
{
   const float direction[3] = {s, t, p};
   struct coords coords = {{s, t, 0}, p};
   float on_face[2];

   switch (texture->view->target) {
   case PIPE_TEXTURE_CUBE:
      coords.at[2] = vivgpu_swtnl_face(direction, on_face);
      coords.at[0] = on_face[0];
      coords.at[1] = on_face[1];
      coords.reference = c0;
      break;
   case PIPE_TEXTURE_3D:
      coords.at[2] = p;
      break;
   case PIPE_TEXTURE_1D_ARRAY:
      coords.at[2] = vivgpu_swtnl_layer(t, texture->view->texture->array_size);
      break;
   case PIPE_TEXTURE_2D_ARRAY:
      coords.at[2] = vivgpu_swtnl_layer(p, texture->view->texture->array_size);
      coords.reference = c0;
      break;
   default:
      break;
   }
   return coords;
}

/* NULL if none is bound: lookups then return 0, 0, 0, 1. */
static const struct texture *
vivgpu_swtnl_texture_at(const struct tgsi_sampler *sampler, unsigned index)
{
   const struct vivgpu_swtnl_textures *textures = (const struct vivgpu_swtnl_textures *)sampler;
   const struct texture *texture = index < VIVGPU_MAX_SAMPLERS ? &textures->textures[index] : NULL;

   return texture && texture->view ? texture : NULL;
}

static void
vivgpu_swtnl_get_samples(struct tgsi_sampler *sampler, const unsigned view, const unsigned state,
                         const float s[4], const float t[4], const float p[4], const float c0[4],
                         const float c1[4], float derivs[3][2][4], const int8_t offset[3],
                         enum tgsi_sampler_control control, float rgba[4][4])
{
   const struct texture *texture = vivgpu_swtnl_texture_at(sampler, view);

   for (unsigned lane = 0; lane < 4; lane++) {
      float texel[4] = {0, 0, 0, 1};

      if (texture) {
         struct coords coords =
            vivgpu_swtnl_coords_of(texture, s[lane], t[lane], p[lane], c0[lane]);

         vivgpu_swtnl_sample(texture, &coords, control == TGSI_SAMPLER_LOD_EXPLICIT ? c1[lane] : 0,
                             texel);
      }
      for (unsigned i = 0; i < 4; i++)
         rgba[i][lane] = texel[i];
   }
}

static void
vivgpu_swtnl_get_dims(struct tgsi_sampler *sampler, const unsigned view, int level, int dims[4])
{
   const struct texture *texture = vivgpu_swtnl_texture_at(sampler, view);

   for (unsigned axis = 0; axis < 3; axis++)
      dims[axis] = texture ? vivgpu_swtnl_level_size(texture, level, axis) : 0;
   dims[3] = texture ? texture->view->u.tex.last_level + 1 : 0;
}

/* For texelFetch(), which GLSL 1.20 does not have */
static void
vivgpu_swtnl_get_texel(struct tgsi_sampler *sampler, const unsigned view, const int i[4],
                       const int j[4], const int k[4], const int lod[4], const int8_t offset[3],
                       float rgba[4][4])
{
   memset(rgba, 0, 16 * sizeof(float));
}

static void
vivgpu_swtnl_query_lod(const struct tgsi_sampler *sampler, const unsigned view,
                       const unsigned state, const float s[4], const float t[4], const float p[4],
                       const float c0[4], const enum tgsi_sampler_control control, float mipmap[4],
                       float lod[4])
{
   memset(mipmap, 0, 4 * sizeof(float));
   memset(lod, 0, 4 * sizeof(float));
}

struct vivgpu_swtnl_textures *
vivgpu_swtnl_textures_create(struct vivgpu_context *context)
{
   struct vivgpu_swtnl_textures *textures = CALLOC_STRUCT(vivgpu_swtnl_textures);

   if (!textures)
      return NULL;
   textures->context = context;
   textures->sampler = (struct tgsi_sampler){
      .get_samples = vivgpu_swtnl_get_samples,
      .get_dims = vivgpu_swtnl_get_dims,
      .get_texel = vivgpu_swtnl_get_texel,
      .query_lod = vivgpu_swtnl_query_lod,
   };
   return textures;
}

void
vivgpu_swtnl_textures_destroy(struct vivgpu_swtnl_textures *textures)
{
   FREE(textures);
}

struct tgsi_sampler *
vivgpu_swtnl_textures_sampler(struct vivgpu_swtnl_textures *textures)
{
   return &textures->sampler;
}

static bool
vivgpu_swtnl_map_levels(struct vivgpu_context *context, struct texture *texture)
{
   const unsigned last = MIN2(texture->view->u.tex.last_level, MAX_LEVELS - 1);

   for (unsigned level = texture->view->u.tex.first_level; level <= last; level++) {
      texture->levels[level] = pipe_texture_map_3d(
         &context->base, texture->view->texture, level, PIPE_MAP_READ, 0, 0, 0,
         vivgpu_swtnl_level_size(texture, level, 0), vivgpu_swtnl_level_size(texture, level, 1),
         vivgpu_swtnl_level_size(texture, level, 2), &texture->transfers[level]);
      if (!texture->levels[level])
         return false;
   }
   return true;
}

bool
vivgpu_swtnl_textures_map(struct vivgpu_swtnl_textures *textures, const struct nir_shader *shader)
{
   struct vivgpu_context *context = textures->context;
   unsigned i;

   BITSET_FOREACH_SET (i, shader->info.textures_used, VIVGPU_MAX_SAMPLERS) {
      const struct pipe_sampler_view *view = context->textures.views[VIVGPU_VERTEX_SAMPLERS + i];
      const struct vivgpu_sampler *state = context->textures.samplers[VIVGPU_VERTEX_SAMPLERS + i];
      struct texture *texture = &textures->textures[i];

      if (!view || !state || view->target == PIPE_BUFFER)
         continue;
      texture->view = view;
      texture->state = &state->base;
      if (!vivgpu_swtnl_map_levels(context, texture))
         return false;
   }
   return true;
}

void
vivgpu_swtnl_textures_unmap(struct vivgpu_swtnl_textures *textures)
{
   for (unsigned i = 0; i < VIVGPU_MAX_SAMPLERS; i++) {
      struct texture *texture = &textures->textures[i];

      for (unsigned level = 0; level < MAX_LEVELS; level++) {
         if (texture->levels[level])
            pipe_texture_unmap(&textures->context->base, texture->transfers[level]);
      }
      memset(texture, 0, sizeof(*texture));
   }
}
