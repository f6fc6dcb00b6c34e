/* SPDX-License-Identifier: MIT */
/*
 * What a group asks of the core, as a sum of terms: an amount (bytes, vertices, fragments) and a
 * key. Terms with the same key have the same cost per unit, which is what the predictor learns.
 *
 * Draws are in classes, each with a term of vertices and one of fragments: draws of one program
 * with the same state, target, texture sizes and samples.
 */
#ifndef VIVGPU_TERMS_H
#define VIVGPU_TERMS_H

#include "vivgpu_group.h"

/** Terms and classes of draws of a group, at most */
#define VIVGPU_TERMS        96
#define VIVGPU_DRAW_CLASSES 32

enum vivgpu_term_kind {
   /** Once a group: start, flush of the caches, end */
   VIVGPU_TERM_GROUP,
   /** Bytes of the command stream */
   VIVGPU_TERM_STREAM,
   /** Types of commands that are no draws: each is followed by their bytes (add_bytes()) */
   VIVGPU_TERM_CLEAR,
   VIVGPU_TERM_CLEAR_BYTES,
   VIVGPU_TERM_COPY,
   VIVGPU_TERM_COPY_BYTES,
   VIVGPU_TERM_UPLOAD,
   VIVGPU_TERM_UPLOAD_BYTES,
   VIVGPU_TERM_SWAP,
   VIVGPU_TERM_SWAP_BYTES,
   VIVGPU_TERM_DRAW,
   VIVGPU_TERM_VERTEX,
   VIVGPU_TERM_FRAGMENT,
   VIVGPU_TERM_KINDS,
};

struct vivgpu_term {
   uint64_t key;
   /** Terms of the same family probably have costs that are in the same ratio to their priors */
   uint64_t family;
   double amount;
   /** Cost per unit in cycles, estimated from the command alone; more than 0 */
   double prior;
   enum vivgpu_term_kind kind;
};

struct vivgpu_draw_class {
   /** Indices of the class's terms */
   uint8_t vertex_term, fragment_term;
   double draws, vertices, primitives;
   /** Sum of the draws' areas in pixels: viewport, scissor and target */
   double area;
   double samples;
};

struct vivgpu_terms {
   struct vivgpu_term terms[VIVGPU_TERMS];
   unsigned num_terms;
   struct vivgpu_draw_class classes[VIVGPU_DRAW_CLASSES];
   unsigned num_classes;
   /** Sums over all classes */
   double draws, vertices, area;
   /** Hash of the commands in order, with their counts: equal groups do the same work */
   uint64_t exact;
   /** Hash of the set of keys: groups with the same kinds of commands */
   uint64_t shape;
};

/**
 * Find the terms of a group. Amounts of fragment terms are 0. Draws that are the first part of a
 * split draw are left out: the core executes them in the next group (thesis 5.3). If there are
 * too many kinds of commands, further draws count as the last class, and others do not count.
 */
void vivgpu_terms_of_group(struct vivgpu_terms *terms, const struct vivgpu_group *group,
                           const struct vivgpu_command *commands);

#endif
