/* SPDX-License-Identifier: MIT */

#include "vivgpu_trust.h"

#include <math.h>

#include "util/macros.h"

void
vivgpu_trust_add(struct vivgpu_trust *trust, uint64_t predicted_ns, double measured_ns,
                 uint32_t draws)
{
   uint32_t at = trust->count++ % VIVGPU_TRUST_RESULTS;

   trust->errors[at] = predicted_ns ? fabs(measured_ns - predicted_ns) / predicted_ns : INFINITY;
   trust->ns_per_draw[at] = draws ? measured_ns / draws : 0;
}

bool
vivgpu_trust_is_good(const struct vivgpu_trust *trust)
{
   for (uint32_t i = 0; i < VIVGPU_TRUST_RESULTS; i++) {
      if (trust->errors[i] > VIVGPU_TRUST_ERROR)
         return false;
   }
   return trust->count >= VIVGPU_TRUST_RESULTS;
}

uint64_t
vivgpu_trust_bound(uint64_t predicted_ns, uint64_t error_ns, bool good)
{
   uint64_t usual_ns = predicted_ns * VIVGPU_TRUST_ERROR;

   if (error_ns > usual_ns && !good)
      return 0;
   return predicted_ns + MIN2(error_ns, usual_ns);
}

double
vivgpu_trust_ns_per_draw(const struct vivgpu_trust *trust)
{
   float largest = 0;

   for (uint32_t i = 0; i < VIVGPU_TRUST_RESULTS; i++)
      largest = fmaxf(largest, trust->ns_per_draw[i]);
   return largest;
}
