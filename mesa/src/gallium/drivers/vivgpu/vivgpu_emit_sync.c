/* SPDX-License-Identifier: MIT */
/* Waits between the blocks of the core, for what writes state and for what writes pixels. */

#include "vivgpu_emit.h"

#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_context.h"

void
vivgpu_emit_pe_stall(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   if (!context->pe_stalled)
      vivgpu_pack_stall(pack, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
   context->pe_stalled = true;
}

void
vivgpu_emit_flush(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack(&pack, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
   vivgpu_stream_end(&context->stream, &pack);
}
