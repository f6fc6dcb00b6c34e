/* SPDX-License-Identifier: MIT */

#include "vivgpu_cpu_blit.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "vivgpu_context.h"
#include "vivgpu_layout.h"
#include "vivgpu_transfer.h"

/* A surface of a blit: its box, which may be flipped, and the mapped pixels */
struct side {
   struct pipe_transfer *transfer;
   struct vivgpu_rows rows;
   struct pipe_box box;
   bool flip_x, flip_y;
   /** Mapped pixels for a pixel of the surface: its samples if VIVGPU_MAP_SAMPLES is used */
   unsigned samples_x, samples_y;
};

void
vivgpu_cpu_blit_first_samples(const struct vivgpu_rows *rows, unsigned width, unsigned height,
                              unsigned x, unsigned y)
{
   for (unsigned row = 0; row < height; row++) {
      const char *from = rows->pixels + (size_t)row * y * rows->stride;
      char *to = rows->pixels + (size_t)row * rows->stride;

      for (unsigned i = 0; i < width; i++)
         memmove(to + i * rows->bytes, from + i * x * rows->bytes, rows->bytes);
   }
}

uint32_t
vivgpu_cpu_blit_mask(enum pipe_format format, unsigned mask)
{
   switch (format) {
   case PIPE_FORMAT_Z16_UNORM:
      return mask & PIPE_MASK_Z ? 0xffff : 0;
   case PIPE_FORMAT_X8Z24_UNORM:
      return mask & PIPE_MASK_Z ? 0xffffff00 : 0;
   case PIPE_FORMAT_S8_UINT_Z24_UNORM:
      return (mask & PIPE_MASK_Z ? 0xffffff00 : 0) | (mask & PIPE_MASK_S ? 0xff : 0);
   default:
      return mask & PIPE_MASK_RGBA && !util_format_is_depth_or_stencil(format)
                ? BITFIELD64_MASK(8 * util_format_get_blocksize(format))
                : 0;
   }
}

unsigned
vivgpu_cpu_blit_nearest(unsigned to, unsigned to_size, int from_size, bool flip)
{
   unsigned from = (unsigned)(((uint64_t)to * 2 + 1) * from_size / (2 * (uint64_t)to_size));

   return flip ? from_size - 1 - from : from;
}

static void
vivgpu_cpu_normalize_extent(int *start, int *size, bool *flip)
{
   *flip = *size < 0;
   if (!*flip)
      return;
   *start += *size;
   *size = -*size;
}

/* Map one layer of a surface. */
static bool
vivgpu_cpu_map(struct vivgpu_context *context, struct side *side, struct pipe_resource *resource,
               unsigned level, const struct pipe_box *box, int layer, unsigned usage)
{
   side->samples_x = side->samples_y = 1;
   if (usage & VIVGPU_MAP_SAMPLES)
      vivgpu_layout_samples(resource->nr_samples, &side->samples_x, &side->samples_y);
   side->box = *box;
   vivgpu_cpu_normalize_extent(&side->box.x, &side->box.width, &side->flip_x);
   vivgpu_cpu_normalize_extent(&side->box.y, &side->box.height, &side->flip_y);
   side->box.z += layer;
   side->box.depth = 1;
   side->rows.pixels =
      context->base.texture_map(&context->base, resource, level, usage, &side->box,
                                &side->transfer);
   if (!side->rows.pixels)
      return false;
   side->rows.stride = side->transfer->stride;
   side->rows.bytes = util_format_get_blocksize(resource->format);
   return true;
}

static void
vivgpu_cpu_unmap(struct vivgpu_context *context, const struct side *side)
{
   if (side->rows.pixels)
      context->base.texture_unmap(&context->base, side->transfer);
}

static void
vivgpu_cpu_merge(char *to, const char *from, unsigned bytes, uint32_t mask)
{
   uint32_t old = 0, new = 0;

   memcpy(&old, to, bytes);
   memcpy(&new, from, bytes);
   old = (old & ~mask) | (new & mask);
   memcpy(to, &old, bytes);
}

static bool
vivgpu_cpu_in_scissor(const struct pipe_blit_info *info, int x, int y)
{
   const struct pipe_scissor_state *box = &info->scissor;

   return !info->scissor_enable || (x >= (int)box->minx && x < (int)box->maxx &&
                                    y >= (int)box->miny && y < (int)box->maxy);
}

/*
 * Return the mapped column (or row) of the source for that of the destination, @to. Sizes are in
 * pixels. A sample gets that of the same place in its pixel.
 */
static unsigned
vivgpu_cpu_source_of(unsigned to, unsigned to_size, unsigned to_samples, int from_size,
                     unsigned from_samples, bool flip)
{
   unsigned from = vivgpu_cpu_blit_nearest(to / to_samples, to_size, from_size, flip);

   return from * from_samples + (from_samples > 1 ? to % to_samples : 0);
}

static void
vivgpu_cpu_copy(const struct pipe_blit_info *info, const struct side *to, const struct side *from,
                uint32_t mask)
{
   const bool flip_x = to->flip_x != from->flip_x, flip_y = to->flip_y != from->flip_y;
   const unsigned width = to->box.width * to->samples_x, height = to->box.height * to->samples_y;
   const unsigned bytes = to->rows.bytes;

   for (unsigned y = 0; y < height; y++) {
      unsigned row = vivgpu_cpu_source_of(y, to->box.height, to->samples_y, from->box.height,
                                          from->samples_y, flip_y);
      const char *source = from->rows.pixels + (size_t)row * from->rows.stride;
      char *dest = to->rows.pixels + (size_t)y * to->rows.stride;

      for (unsigned x = 0; x < width; x++) {
         unsigned column = vivgpu_cpu_source_of(x, to->box.width, to->samples_x, from->box.width,
                                                from->samples_x, flip_x);

         if (vivgpu_cpu_in_scissor(info, to->box.x + x / to->samples_x,
                                   to->box.y + y / to->samples_y))
            vivgpu_cpu_merge(dest + x * bytes, source + column * bytes, bytes, mask);
      }
   }
}

bool
vivgpu_cpu_blit(struct vivgpu_context *context, const struct pipe_blit_info *info)
{
   const uint32_t mask = vivgpu_cpu_blit_mask(info->dst.resource->format, info->mask);
   const unsigned write = info->dst.resource->nr_samples > 1 ? VIVGPU_MAP_SAMPLES : 0;
   const unsigned read = info->src.resource->nr_samples > 1 ? write : 0;
   bool done = true;

   if (!mask || util_format_get_blocksize(info->dst.resource->format) > sizeof(mask) ||
       info->src.resource->format != info->dst.resource->format ||
       info->src.box.depth != info->dst.box.depth)
      return false;
   for (int z = 0; z < info->dst.box.depth && done; z++) {
      struct side from = {NULL}, to = {NULL};

      done = vivgpu_cpu_map(context, &from, info->src.resource, info->src.level, &info->src.box, z,
                            PIPE_MAP_READ | read) &&
             vivgpu_cpu_map(context, &to, info->dst.resource, info->dst.level, &info->dst.box, z,
                            PIPE_MAP_READ | PIPE_MAP_WRITE | write);
      if (done)
         vivgpu_cpu_copy(info, &to, &from, mask);
      vivgpu_cpu_unmap(context, &from);
      vivgpu_cpu_unmap(context, &to);
   }
   return done;
}
