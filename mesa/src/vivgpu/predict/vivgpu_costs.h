/* SPDX-License-Identifier: MIT */
/*
 * Costs of commands: the time of a group is the sum of its terms' amounts, each times a cost that
 * is learnt. Vertices and fragments of a class of draws share the shader cores and overlap in the
 * other stages of the pipeline, so their times a and b are combined to (a^p + b^p)^(1/p): the sum
 * for p = 1 (thesis 5.4), close to the slower of both for large p.
 *
 * A term that is new begins with an estimate: its prior, corrected by the ratio that learnt costs
 * of its family, or else of its kind, have to their priors.
 */
#ifndef VIVGPU_COSTS_H
#define VIVGPU_COSTS_H

#include "vivgpu_rls.h"
#include "vivgpu_terms.h"
#include "vivgpu_predict.h"

/** Families that are remembered; a new one replaces the one that was unused for longest */
#define VIVGPU_FAMILIES 64

/** Mean ratio of learnt costs to their priors */
struct vivgpu_family {
   uint64_t key;
   double ratio;
   uint64_t used;
};

struct vivgpu_costs {
   struct vivgpu_rls rls;
   struct vivgpu_family families[VIVGPU_FAMILIES];
   /** p, with which times of vertices and fragments are combined: 1 or 4 */
   double exponent;
   /** ns per cycle: converts priors */
   double cycle_ns;
};

struct vivgpu_estimate {
   double ns;
   double parts_ns[VIVGPU_PREDICT_PARTS];
   /** Share of @ns whose costs are mere estimates, 0 to 1 */
   double unknown;
   struct vivgpu_gradient gradients[VIVGPU_TERMS];
   unsigned num_gradients;
};

/** Begin without costs. @exponent: 1 or 4, no other p is implemented; @cycle_ns: ns per cycle */
void vivgpu_costs_init(struct vivgpu_costs *costs, double exponent, double cycle_ns);

/**
 * Estimate the time of a group. Costs of terms that are new are created.
 *
 * @fragments: number of fragments of each class of draws
 */
void vivgpu_costs_estimate(struct vivgpu_costs *costs, const struct vivgpu_terms *terms,
                           const double *fragments, struct vivgpu_estimate *estimate);

/** Standard deviation of an estimate in ns, because costs are not known well */
double vivgpu_costs_deviation(const struct vivgpu_costs *costs,
                              const struct vivgpu_estimate *estimate);

/**
 * Learn from a group whose time and fragments were measured. Returns what was estimated before.
 *
 * @doubt: standard deviation of the fragments, as a share of them; 0 if they were counted
 */
double vivgpu_costs_observe(struct vivgpu_costs *costs, const struct vivgpu_terms *terms,
                            const double *fragments, double doubt, double measured_ns);

#endif
