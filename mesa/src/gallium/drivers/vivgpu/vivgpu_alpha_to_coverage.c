/* SPDX-License-Identifier: MIT */

#include "vivgpu_alpha_to_coverage.h"

#include "util/u_framebuffer.h"
#include "vivgpu_context.h"

unsigned
vivgpu_alpha_to_coverage_ref(unsigned sample, unsigned count)
{
   return (2 * sample + 1) * 4 / count;
}

static void
vivgpu_alpha_bind_pass(struct vivgpu_context *context, struct vivgpu_fragment_extras extras,
                       unsigned mask)
{
   context->per_draw.extras = extras;
   context->sample_mask = mask;
   context->dirty |= VIVGPU_DIRTY_SHADERS | VIVGPU_DIRTY_SAMPLE_MASK;
}

void
vivgpu_alpha_to_coverage_begin(struct vivgpu_context *context,
                               struct vivgpu_alpha_to_coverage *samples)
{
   bool chosen = context->blend->base.alpha_to_coverage && context->packed_framebuffer.multisample;

   *samples = (struct vivgpu_alpha_to_coverage){
      .extras = context->per_draw.extras,
      .mask = context->sample_mask,
      .count = chosen ? util_framebuffer_get_num_samples(&context->framebuffer) : 1,
   };
}

bool
vivgpu_alpha_to_coverage_next_pass(struct vivgpu_context *context,
                                   struct vivgpu_alpha_to_coverage *samples)
{
   struct vivgpu_fragment_extras extras = samples->extras;
   unsigned mask = samples->mask, sample;

   while (samples->count > 1 && samples->next < samples->count && !(mask & 1u << samples->next))
      samples->next++;
   sample = samples->next++;
   if (sample >= samples->count) {
      vivgpu_alpha_bind_pass(context, samples->extras, samples->mask);
      return false;
   }
   if (samples->count > 1) {
      extras.alpha_ref = vivgpu_alpha_to_coverage_ref(sample, samples->count);
      mask = 1u << sample;
   }
   extras.alpha_to_one = context->blend->base.alpha_to_one;
   vivgpu_alpha_bind_pass(context, extras, mask);
   return true;
}
