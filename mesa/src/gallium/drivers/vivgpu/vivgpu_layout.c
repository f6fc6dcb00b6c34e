/* SPDX-License-Identifier: MIT */

#include "vivgpu_layout.h"

#include <string.h>

#include "hw/common_3d.xml.h"
#include "hw/state_3d.xml.h"
#include "util/format/u_format.h"
#include "util/u_math.h"

#define TILE  4
#define PIPES 2

bool
vivgpu_layout_samples(unsigned samples, unsigned *across, unsigned *down)
{
   *across = samples > 1 ? 2 : 1;
   *down = samples > 2 ? 2 : 1;
   return samples <= 1 || samples == 2 || samples == 4;
}

/* Get the alignment of a level's width and height, in samples. */
static void
vivgpu_layout_padding(const struct pipe_resource *resource, enum vivgpu_tiling tiling, unsigned *x,
                      unsigned *y)
{
   unsigned across, down;

   vivgpu_layout_samples(resource->nr_samples, &across, &down);
   if (util_format_is_compressed(resource->format)) {
      *x = *y = 1;
   } else if (tiling == VIVGPU_SUPER) {
      *x = *y = VIVGPU_SUPER_TILE;
   } else if (tiling == VIVGPU_SPLIT) {
      *x = VIVGPU_SUPER_TILE;
      *y = PIPES * VIVGPU_SUPER_TILE;
   } else if (resource->target == PIPE_BUFFER) {
      *x = VIVGPU_WINDOW_WIDTH;
      *y = 1;
   } else {
      *x = VIVGPU_WINDOW_WIDTH * across;
      *y = VIVGPU_WINDOW_HEIGHT * down;
   }
}

bool
vivgpu_layout_init(struct vivgpu_layout *layout, const struct pipe_resource *resource,
                   enum vivgpu_tiling tiling)
{
   enum pipe_format format = resource->format;
   unsigned across, down, pad_x, pad_y;

   memset(layout, 0, sizeof(*layout));
   layout->tiling = tiling;
   if (!vivgpu_layout_samples(resource->nr_samples, &across, &down))
      return false;

   vivgpu_layout_padding(resource, tiling, &pad_x, &pad_y);
   for (unsigned i = 0; i <= resource->last_level; i++) {
      struct vivgpu_level *level = &layout->levels[i];
      unsigned layers = resource->array_size;

      level->width = u_minify(resource->width0, i);
      level->height = u_minify(resource->height0, i);
      level->depth = u_minify(resource->depth0, i);
      level->padded_width = align(level->width * across, pad_x);
      level->padded_height = align(level->height * down, pad_y);
      level->stride = util_format_get_stride(format, level->padded_width);
      level->layer_stride = level->stride * util_format_get_nblocksy(format, level->padded_height);
      level->pipe1_offset = tiling == VIVGPU_SPLIT ? level->layer_stride / PIPES : 0;
      if (resource->target == PIPE_TEXTURE_3D)
         layers = level->depth;
      level->offset = layout->size;
      layout->size +=
         align64((uint64_t)level->layer_stride * MAX2(layers, 1), VIVGPU_SURFACE_ALIGN);
   }

   return true;
}

uint32_t
vivgpu_layout_halign(const struct vivgpu_layout *layout, bool compressed)
{
   if (compressed)
      return TEXTURE_HALIGN_FOUR;
   return layout->tiling == VIVGPU_SUPER ? TEXTURE_HALIGN_SUPER_TILED : TEXTURE_HALIGN_SIXTEEN;
}

void
vivgpu_layout_rs_alignment(enum vivgpu_tiling tiling, unsigned *across, unsigned *down)
{
   *across = tiling >= VIVGPU_SUPER ? VIVGPU_SUPER_TILE : VIVGPU_WINDOW_WIDTH;
   *down = tiling == VIVGPU_SPLIT   ? PIPES * VIVGPU_SUPER_TILE
           : tiling == VIVGPU_SUPER ? VIVGPU_SUPER_TILE
                                    : VIVGPU_WINDOW_HEIGHT;
}

uint32_t
vivgpu_layout_offset(const struct vivgpu_layout *layout, unsigned level, unsigned bytes, unsigned x,
                     unsigned y)
{
   /*
    * Rows of tiles follow one another, and tiles within a row. SPLIT: the offset is the same in
    * both halves, each of which has every second row of tiles.
    */
   static const unsigned edges[] = {
      [VIVGPU_LINEAR] = 1,
      [VIVGPU_TILED] = TILE,
      [VIVGPU_SUPER] = VIVGPU_SUPER_TILE,
      [VIVGPU_SPLIT] = VIVGPU_SUPER_TILE,
   };
   unsigned edge = edges[layout->tiling];

   if (layout->tiling == VIVGPU_SPLIT)
      y /= PIPES;
   return y / edge * edge * layout->levels[level].stride + x / edge * edge * edge * bytes;
}

/* Return the offset of pixel (x, y) in a surface of 4x4 tiles. */
static size_t
vivgpu_layout_tiled_offset(uint32_t stride, unsigned x, unsigned y, unsigned bytes)
{
   return (size_t)(y / TILE) * TILE * stride +
          (x / TILE * TILE * TILE + y % TILE * TILE + x % TILE) * bytes;
}

/* Return the number of consecutive pixels from x on within a tile. */
static unsigned
vivgpu_layout_run(unsigned x, unsigned end)
{
   return MIN2(TILE - x % TILE, end - x);
}

void
vivgpu_layout_tile(void *tiled, uint32_t tiled_stride, const void *linear, uint32_t linear_stride,
                   unsigned x0, unsigned y0, unsigned width, unsigned height, unsigned bytes)
{
   for (unsigned y = y0; y < y0 + height; y++) {
      const uint8_t *from = (const uint8_t *)linear + (size_t)(y - y0) * linear_stride;

      for (unsigned x = x0, n; x < x0 + width; x += n, from += n * bytes) {
         n = vivgpu_layout_run(x, x0 + width);
         memcpy((uint8_t *)tiled + vivgpu_layout_tiled_offset(tiled_stride, x, y, bytes), from,
                n * bytes);
      }
   }
}

void
vivgpu_layout_untile(const void *tiled, uint32_t tiled_stride, void *linear, uint32_t linear_stride,
                     unsigned x0, unsigned y0, unsigned width, unsigned height, unsigned bytes)
{
   for (unsigned y = y0; y < y0 + height; y++) {
      uint8_t *to = (uint8_t *)linear + (size_t)(y - y0) * linear_stride;

      for (unsigned x = x0, n; x < x0 + width; x += n, to += n * bytes) {
         n = vivgpu_layout_run(x, x0 + width);
         memcpy(to, (const uint8_t *)tiled + vivgpu_layout_tiled_offset(tiled_stride, x, y, bytes),
                n * bytes);
      }
   }
}
