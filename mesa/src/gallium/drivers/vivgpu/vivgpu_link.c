/* SPDX-License-Identifier: MIT */
/* Computes the registers that connect a vertex shader's outputs to a fragment shader's inputs. */

#include <string.h>

#include "etna_core_info.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_pack.h"
#include "vivgpu_shader.h"

/* PA_SHADER_ATTRIBUTES: flat if the shade model is flat, or never flat */
#define ATTRIBUTE_SHADED 0x200
#define ATTRIBUTE_SMOOTH 0x2f1

/*
 * Limits of the inputs and outputs: a VS_INPUT or VS_OUTPUT register holds the numbers of four
 * temporaries, and VS_OUTPUT_COUNT those of two more outputs. So there is room for the position,
 * fifteen varyings, the point coordinates and the point size.
 */
#define MAX_INPUTS  (4 * VIVS_VS_INPUT__LEN)
#define MAX_OUTPUTS (4 * VIVS_VS_OUTPUT__LEN + 2)

/* Bits 8 and up of PS_INPUT_COUNT as Vivante's driver sets them */
#define PS_INPUT_ALWAYS VIVS_PS_INPUT_COUNT_UNK8(31)

/* Number of groups of 16 inputs, as Vivante's driver computes it */
static uint32_t
vivgpu_link_vertex_input_groups(uint32_t inputs)
{
   return VIVS_VS_INPUT_COUNT_UNK8(DIV_ROUND_UP(inputs + 4, 16));
}

/*
 * VS_LOAD_BALANCING: divides work between vertices and fragments. The fields are not documented;
 * Vivante's driver computes them from the sizes of the core's buffers in this way.
 */
static uint32_t
vivgpu_link_load_balancing(const struct etna_core_gpu_info *core, uint32_t varyings)
{
   uint32_t pairs = varyings / 2 + 1;
   uint32_t room = core->vertex_output_buffer_size - 2 * pairs * core->vertex_cache_size;
   uint32_t b = (20480 / MAX2(room, 1) + 9) / 10;
   uint32_t a = (b + 256 / (core->shader_core_count * pairs)) / 2;

   return VIVS_VS_LOAD_BALANCING_A(MIN2(a, 255)) | VIVS_VS_LOAD_BALANCING_B(MIN2(b, 255)) |
          VIVS_VS_LOAD_BALANCING_C(0x3f) | VIVS_VS_LOAD_BALANCING_D(0x0f);
}

/* Set field @index of an array of words with fields of @bits bits. */
static void
vivgpu_link_set_field(uint32_t *words, unsigned bits, unsigned index, uint32_t value)
{
   words[index * bits / 32] |= value << (index * bits % 32);
}

static const struct vivgpu_io *
vivgpu_link_find_output(const struct vivgpu_shader *vs, unsigned location)
{
   for (uint32_t i = 0; i < vs->num_outputs; i++) {
      if (vs->outputs[i].location == location)
         return &vs->outputs[i];
   }
   return NULL;
}

static bool
vivgpu_link_is_color(unsigned location)
{
   return location == VARYING_SLOT_COL0 || location == VARYING_SLOT_COL1 ||
          location == VARYING_SLOT_BFC0 || location == VARYING_SLOT_BFC1;
}

/* Return the use of a component of a varying (VARYING_COMPONENT_USE_*). */
static uint32_t
vivgpu_link_component_use(const struct vivgpu_io *input, unsigned component)
{
   if (input->location == VARYING_SLOT_PNTC && component < 2)
      return component ? VARYING_COMPONENT_USE_POINTCOORD_Y : VARYING_COMPONENT_USE_POINTCOORD_X;
   return vivgpu_link_is_color(input->location) ? VARYING_COMPONENT_USE_COLOR
                                                : VARYING_COMPONENT_USE_GENERIC;
}

static void
vivgpu_link_pack_vertex_inputs(struct vivgpu_pack *pack, const struct vivgpu_shader *vs,
                               uint32_t num_elements)
{
   uint32_t registers[VIVS_VS_INPUT__LEN] = {0}, temps = MAX2(vs->num_temps, 1);
   bool ids = vs->vertex_id_reg != VIVGPU_NO_REG; /* then there are fewer elements */
   uint32_t count = num_elements = MIN2(num_elements, MAX_INPUTS - ids);

   /* Elements that the shader does not read are loaded to unused temporaries. */
   for (uint32_t i = 0; i < num_elements; i++)
      vivgpu_link_set_field(registers, 8, i, i < vs->num_inputs ? vs->inputs[i].reg : temps++);
   if (ids)
      vivgpu_link_set_field(registers, 8, count++, vs->vertex_id_reg);

   vivgpu_pack(pack, VIVS_VS_INPUT_COUNT,
               VIVS_VS_INPUT_COUNT_COUNT(count) | vivgpu_link_vertex_input_groups(vs->num_inputs) |
                  (ids ? VIVS_VS_INPUT_COUNT_ID_ENABLE : 0));
   vivgpu_pack(pack, VIVS_VS_TEMP_REGISTER_CONTROL, VIVS_VS_TEMP_REGISTER_CONTROL_NUM_TEMPS(temps));
   vivgpu_pack_array(pack, VIVS_VS_INPUT(0), registers, ARRAY_SIZE(registers));
}

/* Position first, the varyings in the order of the fragment shader's inputs, point size last. */
static void
vivgpu_link_pack_vertex_outputs(struct vivgpu_pack *pack, struct vivgpu_link *link,
                                const struct vivgpu_shader *vs, const struct vivgpu_shader *fs)
{
   uint32_t registers[VIVS_VS_OUTPUT__LEN + 1] = {0}, count = 0;
   /* Outputs that the shader does not write, even gl_Position, are undefined: use any register. */
   uint32_t any = vs->position_reg == VIVGPU_NO_REG ? 0 : vs->position_reg;

   vivgpu_link_set_field(registers, 8, count++, any);
   for (uint32_t i = 0; i < fs->num_inputs; i++) {
      const struct vivgpu_io *output = vivgpu_link_find_output(vs, fs->inputs[i].location);

      vivgpu_link_set_field(registers, 8, count++, output ? output->reg : any);
   }
   link->vs_output_count = count;
   if (vs->point_size_reg != VIVGPU_NO_REG)
      vivgpu_link_set_field(registers, 8, count++, vs->point_size_reg);
   link->vs_output_count_sized = count;
   assert(count <= MAX_OUTPUTS);

   uint32_t last = VIVS_VS_OUTPUT_COUNT_OUTPUT16_REG(registers[VIVS_VS_OUTPUT__LEN] & 0xff) |
                   VIVS_VS_OUTPUT_COUNT_OUTPUT17_REG(registers[VIVS_VS_OUTPUT__LEN] >> 8);

   link->vs_output_count |= last;
   link->vs_output_count_sized |= last;
   vivgpu_pack_array(pack, VIVS_VS_OUTPUT(0), registers,
                     MIN2(DIV_ROUND_UP(count, 4), VIVS_VS_OUTPUT__LEN));
}

/* etnaviv sets UNK0 of RA_CONTROL always; what it does is not known. */
static void
vivgpu_link_pack_varyings(struct vivgpu_pack *pack, const struct vivgpu_shader *fs)
{
   uint32_t counts[2] = {0}, uses[4] = {0}, total = 0, last = 4;

   for (uint32_t i = 0; i < fs->num_inputs; i++) {
      last = fs->inputs[i].components;
      vivgpu_link_set_field(counts, 4, i, last);
      for (uint32_t c = 0; c < last; c++)
         vivgpu_link_set_field(uses, 2, total++, vivgpu_link_component_use(&fs->inputs[i], c));
   }

   vivgpu_pack(pack, VIVS_RA_CONTROL,
               VIVS_RA_CONTROL_UNK0 | (last <= 2 ? VIVS_RA_CONTROL_LAST_VARYING_2X : 0));
   vivgpu_pack(pack, VIVS_GL_VARYING_TOTAL_COMPONENTS,
               VIVS_GL_VARYING_TOTAL_COMPONENTS_NUM(align(total, 2)));
   vivgpu_pack(pack, VIVS_GL_VARYING_NUM_COMPONENTS, counts[0]);
   vivgpu_pack_array(pack, VIVS_GL_VARYING_COMPONENT_USE(0), uses, 2);
   vivgpu_pack(pack, VIVS_GL_VARYING_NUM_COMPONENTS2, counts[1]);
   vivgpu_pack(pack, VIVS_GL_VARYING_COMPONENT_USE2, uses[2]);
   vivgpu_pack(pack, VIVS_GL_VARYING_COMPONENT_USE3, uses[3]);
}

static void
vivgpu_link_pack_attributes(struct vivgpu_pack *pack, const struct vivgpu_shader *fs)
{
   vivgpu_pack(pack, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT,
               VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT(fs->num_inputs));
   for (uint32_t i = 0; i < fs->num_inputs; i++)
      vivgpu_pack(pack, VIVS_PA_SHADER_ATTRIBUTES(i),
                  vivgpu_link_is_color(fs->inputs[i].location) ? ATTRIBUTE_SHADED
                                                               : ATTRIBUTE_SMOOTH);
}

static void
vivgpu_link_pack_fragment(struct vivgpu_pack *pack, const struct vivgpu_shader *fs,
                          const struct vivgpu_link_key *key)
{
   /* Position and varyings. Multisampling adds one input and the temporary for it. */
   uint32_t inputs = 1 + fs->num_inputs + key->multisample;
   uint32_t temps = MAX3(fs->num_temps + key->multisample, inputs, 1);
   uint32_t outputs = 0;

   /* The alpha test uses the first color even if no target is bound. */
   for (uint32_t i = 0; i < MAX2(key->num_targets, 1); i++) {
      int reg = fs->color_reg[key->output[i]];

      vivgpu_link_set_field(&outputs, 8, i, reg == VIVGPU_NO_REG ? 0 : reg);
   }
   vivgpu_pack(pack, VIVS_PS_END_PC, fs->num_instructions);
   vivgpu_pack(pack, VIVS_PS_OUTPUT_REG, outputs);
   vivgpu_pack(pack, VIVS_PS_INPUT_COUNT, VIVS_PS_INPUT_COUNT_COUNT(inputs) | PS_INPUT_ALWAYS);
   vivgpu_pack(pack, VIVS_PS_TEMP_REGISTER_CONTROL, VIVS_PS_TEMP_REGISTER_CONTROL_NUM_TEMPS(temps));
   vivgpu_pack(pack, VIVS_PS_START_PC, 0);
}

void
vivgpu_link(struct vivgpu_link *link, const struct vivgpu_shader *vs,
            const struct vivgpu_shader *fs, const struct vivgpu_link_key *key)
{
   struct vivgpu_pack pack = vivgpu_pack_begin(link->packed.words);

   vivgpu_pack(&pack, VIVS_VS_END_PC, vs->num_instructions);
   vivgpu_pack(&pack, VIVS_VS_START_PC, 0);
   vivgpu_pack(&pack, VIVS_VS_LOAD_BALANCING,
               vivgpu_link_load_balancing(key->core, vs->num_outputs));
   vivgpu_link_pack_vertex_inputs(&pack, vs, key->num_elements);
   vivgpu_link_pack_varyings(&pack, fs);
   vivgpu_link_pack_fragment(&pack, fs, key);
   /*
    * Arrays of variable length last, so that the other states have the same positions in all links
    * (see vivgpu_emitted_delta()).
    */
   vivgpu_link_pack_vertex_outputs(&pack, link, vs, fs);
   vivgpu_link_pack_attributes(&pack, fs);
   link->packed.count = vivgpu_pack_end(&pack);

   link->pa_config_mask = ~0u;
   if (vs->point_size_reg == VIVGPU_NO_REG)
      link->pa_config_mask &= ~VIVS_PA_CONFIG_POINT_SIZE_ENABLE;
   if (!fs->uses_point_coord)
      link->pa_config_mask &= ~VIVS_PA_CONFIG_POINT_SPRITE_ENABLE;
}
