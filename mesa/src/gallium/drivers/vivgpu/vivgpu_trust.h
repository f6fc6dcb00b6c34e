/* SPDX-License-Identifier: MIT */
/* What the last results say: whether predictions came true, and what a draw took. */
#ifndef VIVGPU_TRUST_H
#define VIVGPU_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Predictions with larger errors, as a share of them, are guesses. */
#define VIVGPU_TRUST_ERROR 0.5

/** Number of results that are remembered */
#define VIVGPU_TRUST_RESULTS 8

struct vivgpu_trust {
   /** Errors of the last predictions, as shares of what was predicted */
   float errors[VIVGPU_TRUST_RESULTS];
   /** Mean time of a draw in the same jobs; 0 for jobs without draws */
   float ns_per_draw[VIVGPU_TRUST_RESULTS];
   /** Number of results so far */
   uint64_t count;
};

/** Remember a result; @predicted_ns: 0 if the job was not predicted, which is an error as well. */
void vivgpu_trust_add(struct vivgpu_trust *trust, uint64_t predicted_ns, double measured_ns,
                      uint32_t draws);

/** Return whether each of the last VIVGPU_TRUST_RESULTS errors was at most VIVGPU_TRUST_ERROR. */
bool vivgpu_trust_is_good(const struct vivgpu_trust *trust);

/**
 * Return what the time of a job should not exceed, or 0 if its prediction is a guess.
 *
 * @error_ns: largest error of predictions as the predictor knows it, which remembers those of the
 * first groups for long
 * @good: vivgpu_trust_is_good(): the last errors were at most VIVGPU_TRUST_ERROR
 */
uint64_t vivgpu_trust_bound(uint64_t predicted_ns, uint64_t error_ns, bool good);

/** Return the largest of the last mean times of a draw; 0 if there is none. */
double vivgpu_trust_ns_per_draw(const struct vivgpu_trust *trust);

#ifdef __cplusplus
}
#endif

#endif
