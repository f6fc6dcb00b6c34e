/* SPDX-License-Identifier: MIT */
/* The prologue of a queue: see vivgpu_emit_prologue(). */

#include "vivgpu_emit.h"

#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_math.h"
#include "vivgpu_generation.h"
#include "vivgpu_layout.h"
#include "vivgpu_pack.h"
#include "vivgpu_state.h"

/* Values that Vivante's driver writes to these states; their fields are not documented. */
#define PA_W_CLIP_LIMIT_VALUE    0x34000001
#define PA_UNK00A80_VALUE        0x38a01404
#define RA_HDEPTH_CONTROL_VALUE  0x00007000
#define VS_HALTI1_UNK00884_VALUE 0x00000808
#define GL_BUG_FIXES_VALUE       0x6
#define MAX_VIEWPORT             8192.0f

static void
vivgpu_emit_pack_zeros(struct vivgpu_pack *pack, uint32_t address, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      vivgpu_pack(pack, address + 4 * i, 0);
}

uint32_t
vivgpu_emit_prologue(const struct vivgpu_generation *generation,
                     uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS])
{
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, VIVS_GL_PIPE_SELECT, VIVS_GL_PIPE_SELECT_PIPE(PIPE_ID_PIPE_3D));
   vivgpu_pack(&pack, VIVS_GL_API_MODE, VIVS_GL_API_MODE_OPENGL);
   vivgpu_pack(&pack, VIVS_PA_W_CLIP_LIMIT, PA_W_CLIP_LIMIT_VALUE);
   vivgpu_pack(&pack, VIVS_PA_FLAGS, 0);
   vivgpu_pack(&pack, VIVS_PA_VIEWPORT_UNK00A80, PA_UNK00A80_VALUE);
   vivgpu_pack(&pack, VIVS_PA_VIEWPORT_UNK00A84, fui(MAX_VIEWPORT));
   vivgpu_pack(&pack, VIVS_PA_ZFARCLIPPING, 0);
   vivgpu_pack(&pack, VIVS_RA_HDEPTH_CONTROL, RA_HDEPTH_CONTROL_VALUE);
   if (generation->integers)
      vivgpu_pack(&pack, VIVS_VS_HALTI1_UNK00884, VS_HALTI1_UNK00884_VALUE);
   vivgpu_pack(&pack, VIVS_RA_UNK00E0C, 0);
   if (generation->fragment_uniforms) {
      vivgpu_pack(&pack, VIVS_VS_UNIFORM_BASE, 0);
      vivgpu_pack(&pack, VIVS_PS_UNIFORM_BASE, generation->fragment_uniforms);
   }
   if (generation->bug_fixes)
      vivgpu_pack(&pack, VIVS_GL_BUG_FIXES, GL_BUG_FIXES_VALUE);
   if (!generation->split)
      vivgpu_pack(&pack, VIVS_RS_SINGLE_BUFFER, VIVS_RS_SINGLE_BUFFER_ENABLE);

   /* Clear addresses and samplers of other queues: elements, streams, surfaces, tile status. */
   vivgpu_emit_pack_zeros(&pack, VIVS_FE_VERTEX_ELEMENT_CONFIG(0), VIVGPU_MAX_ELEMENTS);
   vivgpu_emit_pack_zeros(&pack, VIVS_FE_INDEX_STREAM_BASE_ADDR, 2);
   vivgpu_emit_pack_zeros(&pack, generation->stream_address, generation->num_streams);
   vivgpu_emit_pack_zeros(&pack, VIVS_PE_PIPE_COLOR_ADDR(0), VIVGPU_PIXEL_PIPES);
   vivgpu_emit_pack_zeros(&pack, VIVS_PE_PIPE_DEPTH_ADDR(0), VIVGPU_PIXEL_PIPES);
   vivgpu_pack(&pack, VIVS_TS_MEM_CONFIG, 0);
   vivgpu_emit_pack_zeros(&pack, VIVS_TS_SAMPLER_CONFIG(0), VIVS_TS_SAMPLER__LEN);
   if (generation->halti2_textures)
      vivgpu_emit_pack_zeros(&pack, VIVS_TS_RT_CONFIG(0), VIVS_TS_RT__LEN);
   vivgpu_emit_pack_zeros(&pack, generation->samplers.states[VIVGPU_SAMPLER_CONFIG0],
                          generation->samplers.count);
   return vivgpu_pack_end(&pack);
}
