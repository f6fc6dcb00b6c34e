/* SPDX-License-Identifier: MIT */

#include "vivgpu_samples.h"

#include "util/u_framebuffer.h"
#include "vivgpu_context.h"

unsigned
vivgpu_samples_alpha(unsigned sample, unsigned count)
{
   return (2 * sample + 1) * 4 / count;
}

static void
bind(struct vivgpu_context *context, struct vivgpu_fragment_extras extras, unsigned mask)
{
   context->extras = extras;
   context->sample_mask = mask;
   context->dirty |= VIVGPU_DIRTY_SHADERS | VIVGPU_DIRTY_SAMPLE_MASK;
}

void
vivgpu_samples_begin(struct vivgpu_context *context, struct vivgpu_samples *samples)
{
   bool chosen = context->blend->base.alpha_to_coverage && context->framebuffer_words.multisample;

   *samples = (struct vivgpu_samples){
      .extras = context->extras,
      .mask = context->sample_mask,
      .count = chosen ? util_framebuffer_get_num_samples(&context->framebuffer) : 1,
   };
}

bool
vivgpu_samples_next(struct vivgpu_context *context, struct vivgpu_samples *samples)
{
   struct vivgpu_fragment_extras extras = samples->extras;
   unsigned mask = samples->mask, sample;

   while (samples->count > 1 && samples->next < samples->count && !(mask & 1u << samples->next))
      samples->next++;
   sample = samples->next++;
   if (sample >= samples->count) {
      bind(context, samples->extras, samples->mask);
      return false;
   }
   if (samples->count > 1) {
      extras.alpha_least = vivgpu_samples_alpha(sample, samples->count);
      mask = 1u << sample;
   }
   extras.alpha_to_one = context->blend->base.alpha_to_one;
   bind(context, extras, mask);
   return true;
}
