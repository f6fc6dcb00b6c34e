/* SPDX-License-Identifier: MIT */
/* Vertex elements: the sources of a vertex shader's inputs. */

#include <string.h>

#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_format.h"
#include "vivgpu_generation.h"
#include "vivgpu_pack.h"
#include "vivgpu_state.h"

/* Limit of the bytes that are fetched at once: range of the field */
#define MAX_FETCH_BYTES 255

/* Fetched if there are no elements: the core always fetches something */
static const struct pipe_vertex_element nothing = {.src_format = PIPE_FORMAT_R8G8B8A8_UNORM};

static unsigned
vivgpu_vertex_end(const struct pipe_vertex_element *element)
{
   return element->src_offset + util_format_get_blocksize(element->src_format);
}

/*
 * True if @next follows @element in memory, so that both are fetched at once. Mesa gives all
 * elements of a vertex buffer one stride and one divisor. @first: begin of the fetched bytes.
 */
static bool
vivgpu_vertex_continues(const struct pipe_vertex_element *element,
                        const struct pipe_vertex_element *next, unsigned first)
{
   return next->vertex_buffer_index == element->vertex_buffer_index &&
          next->src_offset == vivgpu_vertex_end(element) &&
          vivgpu_vertex_end(next) - first <= MAX_FETCH_BYTES;
}

/* Pack an element. @first: begin of the elements that are fetched at once. */
static uint32_t
vivgpu_vertex_config(const struct pipe_vertex_element *element, bool last_of_run, unsigned first)
{
   const struct util_format_description *desc = util_format_description(element->src_format);

   return vivgpu_format_vertex(element->src_format) |
          VIVS_FE_VERTEX_ELEMENT_CONFIG_NUM(desc->nr_channels) |
          VIVS_FE_VERTEX_ELEMENT_CONFIG_STREAM(element->vertex_buffer_index) |
          VIVS_FE_VERTEX_ELEMENT_CONFIG_START(element->src_offset) |
          VIVS_FE_VERTEX_ELEMENT_CONFIG_END(vivgpu_vertex_end(element) - first) |
          (desc->channel[0].normalized ? VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE_SIGN_EXTEND
                                       : VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE_OFF) |
          (last_of_run ? VIVS_FE_VERTEX_ELEMENT_CONFIG_NONCONSECUTIVE : 0);
}

bool
vivgpu_vertex_elements_init(struct vivgpu_vertex_elements *elements, unsigned count,
                            const struct pipe_vertex_element *base,
                            const struct vivgpu_generation *generation)
{
   struct vivgpu_pack pack = vivgpu_pack_begin(elements->packed.words);
   unsigned first = 0;
   bool begins = true;

   if (count > VIVGPU_MAX_ELEMENTS)
      return false;
   if (count)
      memcpy(elements->base, base, count * sizeof(*base));
   elements->num_base = count;
   elements->vertex_bytes = elements->base_streams = 0;
   for (unsigned i = 0; i < count; i++) {
      elements->vertex_bytes += util_format_get_blocksize(base[i].src_format);
      elements->base_streams |= 1u << base[i].vertex_buffer_index;
   }
   if (!count) {
      base = &nothing;
      count = 1;
   }

   memset(elements->control, 0, sizeof(elements->control));
   memset(elements->divisor, 0, sizeof(elements->divisor));
   elements->integers = elements->divided = 0;
   elements->num_elements = count;
   elements->num_streams = 0;
   for (unsigned i = 0; i < count; i++) {
      unsigned stream = base[i].vertex_buffer_index;

      if (begins)
         first = base[i].src_offset;
      begins = i + 1 == count || !vivgpu_vertex_continues(&base[i], &base[i + 1], first);
      vivgpu_pack(&pack, VIVS_FE_VERTEX_ELEMENT_CONFIG(i),
                  vivgpu_vertex_config(&base[i], begins, first));
      if (util_format_is_pure_integer(base[i].src_format))
         elements->integers |= 1u << i;
      elements->control[stream] = FE_VERTEX_STREAM_CONTROL_VERTEX_STRIDE(base[i].src_stride);
      elements->divisor[stream] = base[i].instance_divisor;
      if (base[i].instance_divisor)
         elements->divided |= 1u << stream;
      elements->num_streams = MAX2(elements->num_streams, stream + 1);
   }
   elements->packed.count = vivgpu_pack_end(&pack);
   return true;
}

/*
 * The number of elements is that of the configurations which are loaded, so these are loaded all or
 * not at all. It is in the command's first word, too.
 */
static void
vivgpu_vertex_pack_config(struct vivgpu_pack *pack, struct vivgpu_emitted_vertices *emitted,
                          const struct vivgpu_vertex_elements *elements)
{
   uint32_t count = elements->packed.count;

   if (!memcmp(emitted->packed, elements->packed.words, count * sizeof(uint32_t)))
      return;
   memcpy(emitted->packed, elements->packed.words, count * sizeof(uint32_t));
   vivgpu_pack_end(pack);
   memcpy(pack->words + pack->used, elements->packed.words, count * sizeof(uint32_t));
   pack->used += count;
}

static void
vivgpu_vertex_pack_control(struct vivgpu_pack *pack, uint32_t address,
                           struct vivgpu_emitted_vertices *emitted,
                           const struct vivgpu_vertex_elements *elements)
{
   for (uint32_t i = 0; i < elements->num_streams; i++) {
      if (i < emitted->known_streams && emitted->control[i] == elements->control[i])
         continue;
      vivgpu_pack(pack, address + 4 * i, elements->control[i]);
      emitted->control[i] = elements->control[i];
   }
}

/* Few elements are integers, so @integers stands for the states. */
static void
vivgpu_vertex_pack_scale(struct vivgpu_pack *pack, struct vivgpu_emitted_vertices *emitted,
                         const struct vivgpu_vertex_elements *elements)
{
   uint32_t count = elements->num_elements, mask = BITFIELD_MASK(count);

   if (count <= emitted->known_elements && !((emitted->integers ^ elements->integers) & mask))
      return;
   /*
    * A fourth component that the attribute lacks is 1: an integer if the attribute is, else a
    * float.
    */
   for (uint32_t i = 0; i < count; i++)
      vivgpu_pack(pack, VIVS_FE_GENERIC_ATTRIB_SCALE(i), elements->integers & 1u << i ? 1 : fui(1));
   emitted->integers = (emitted->integers & ~mask) | elements->integers;
   emitted->known_elements = MAX2(emitted->known_elements, count);
}

/* Few streams have divisors, so only whether they are 0 is compared. */
static void
vivgpu_vertex_pack_divisor(struct vivgpu_pack *pack, struct vivgpu_emitted_vertices *emitted,
                           const struct vivgpu_vertex_elements *elements)
{
   uint32_t count = elements->num_streams, mask = BITFIELD_MASK(count);

   if (count <= emitted->known_streams && !((emitted->divided | elements->divided) & mask))
      return;
   vivgpu_pack_array(pack, VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR(0), elements->divisor, count);
   emitted->divided = (emitted->divided & ~mask) | elements->divided;
}

void
vivgpu_vertex_elements_pack(const struct vivgpu_vertex_elements *elements,
                            const struct vivgpu_generation *generation,
                            struct vivgpu_emitted_vertices *emitted, struct vivgpu_pack *pack)
{
   vivgpu_vertex_pack_config(pack, emitted, elements);
   vivgpu_vertex_pack_control(pack, generation->stream_control, emitted, elements);
   if (generation->instances) {
      vivgpu_vertex_pack_scale(pack, emitted, elements);
      vivgpu_vertex_pack_divisor(pack, emitted, elements);
   }
   emitted->known_streams = MAX2(emitted->known_streams, elements->num_streams);
}
