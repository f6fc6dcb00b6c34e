/* SPDX-License-Identifier: MIT */
/*
 * Fragments of the classes of draws: the ratio of fragments to vertices of each class is learnt
 * from the counts of whole groups. Before it is known, the draws' area gives an estimate, and the
 * share of it that draws of the same program covered elsewhere.
 */
#ifndef VIVGPU_FRAGMENTS_H
#define VIVGPU_FRAGMENTS_H

#include "vivgpu_rls.h"
#include "vivgpu_terms.h"

/** Programs that are remembered; a new one replaces the one that was unused for longest */
#define VIVGPU_COVERAGES 64

/** Share of their area that the draws of a program covered last */
struct vivgpu_coverage {
   uint64_t key;
   double share;
   uint64_t used;
};

struct vivgpu_fragments {
   struct vivgpu_rls rls;
   struct vivgpu_coverage coverages[VIVGPU_COVERAGES];
};

/** Begin without ratios; @fragments is zero. */
void vivgpu_fragments_init(struct vivgpu_fragments *fragments);

/**
 * Estimate the fragments of each class of a group; returns their sum. Ratios of classes that are
 * new are created.
 */
double vivgpu_fragments_estimate(struct vivgpu_fragments *fragments,
                                 const struct vivgpu_terms *terms, double *classes);

/** Scale the classes' fragments so that their sum is @total. */
void vivgpu_fragments_scale(const struct vivgpu_terms *terms, double *classes, double total);

/**
 * Learn from the number of fragments of a group; @doubt: its standard deviation, 0 if it was
 * counted
 */
void vivgpu_fragments_observe(struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
                              double total, double doubt);

#endif
