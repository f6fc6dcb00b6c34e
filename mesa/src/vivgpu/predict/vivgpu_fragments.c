/* SPDX-License-Identifier: MIT */
/* Ratios of fragments to vertices; see vivgpu_fragments.h. */

#include "vivgpu_fragments.h"

#include <math.h>
#include <string.h>

/*
 * Before anything is known: the share of its area that a draw covers, and pixels of a primitive.
 * All draws of a class together cover the area of one at most.
 */
#define COVERED          0.3
#define PRIMITIVE_PIXELS 8000.0
/* Share of the largest area that all new classes of a group cover together. */
#define COVERED_BY_NEW 0.6
/* Draws from which on a class has many: each of them covers a few times what known ones cover at most. */
#define MANY_DRAWS 8
#define TIMES_KNOWN 4.0
#define DRIFT          0.01
#define SPREAD         2.0
/* Observations of a kind for which the first noise counts: ratios differ from group to group. */
#define FIRST_OBSERVATIONS 50

void
vivgpu_fragments_init(struct vivgpu_fragments *fragments)
{
   vivgpu_rls_init(&fragments->rls, DRIFT, FIRST_OBSERVATIONS);
}

/* The coverage with a key; NULL if it is unknown. */
static struct vivgpu_coverage *
find_coverage(struct vivgpu_fragments *fragments, uint64_t key)
{
   for (unsigned i = 0; i < VIVGPU_COVERAGES; i++) {
      if (fragments->coverages[i].key == key)
         return &fragments->coverages[i];
   }
   return NULL;
}

static void
learn_coverage(struct vivgpu_fragments *fragments, uint64_t key, double share)
{
   struct vivgpu_coverage *coverage = find_coverage(fragments, key);

   if (!coverage) {
      coverage = &fragments->coverages[0];
      for (unsigned i = 1; i < VIVGPU_COVERAGES; i++) {
         if (fragments->coverages[i].used < coverage->used)
            coverage = &fragments->coverages[i];
      }
   }
   *coverage = (struct vivgpu_coverage){
      .key = key,
      .share = share,
      .used = fragments->rls.observations,
   };
}

/* Fragments per vertex by a class's area, its program and its primitives. */
static double
prior(struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
      const struct vivgpu_draw_class *class)
{
   const struct vivgpu_coverage *coverage =
      find_coverage(fragments, terms->terms[class->fragment_term].family);
   double pixels = fmin(class->area * COVERED, class->primitives * PRIMITIVE_PIXELS);

   pixels = fmin(pixels, class->area / fmax(class->draws, 1));
   if (coverage)
      pixels = coverage->share * class->area;
   return fmax(pixels / class->vertices, 1e-3);
}

/* Fill the gradients of the classes with vertices; classes may share a ratio. */
static unsigned
gradients_of(struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
             struct vivgpu_gradient *gradients, double *classes)
{
   unsigned count = 0;

   for (unsigned i = 0; i < terms->num_classes; i++) {
      const struct vivgpu_draw_class *class = &terms->classes[i];
      unsigned index, j = 0;

      classes[i] = 0;
      if (class->vertices <= 0)
         continue;
      index = vivgpu_rls_add(&fragments->rls, terms->terms[class->fragment_term].key,
                             prior(fragments, terms, class), SPREAD);
      fragments->rls.coefficients[index].used = fragments->rls.observations + 1;
      classes[i] = class->vertices * fragments->rls.coefficients[index].value;
      while (j < count && gradients[j].index != index)
         j++;
      if (j == count)
         gradients[count++] = (struct vivgpu_gradient){.index = index};
      gradients[j].derivative += class->vertices;
   }
   return count;
}

/* True if fragments of a class have never been counted. */
static bool
is_new(const struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
       const struct vivgpu_draw_class *class)
{
   int index = vivgpu_rls_find(&fragments->rls, terms->terms[class->fragment_term].key);

   return index >= 0 && !fragments->rls.coefficients[index].observations;
}

/*
 * Scale down the fragments of classes that have never been counted. Many draws are rarely much larger
 * than the many known ones beside them. And all together they cover a share of the largest draw's
 * area: a group of many new programs rarely covers its target with each.
 */
static void
limit_new(const struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
          double *classes)
{
   bool new[VIVGPU_DRAW_CLASSES] = {false};
   double sum = 0, largest = 0, draws = 0, known = 0;

   for (unsigned i = 0; i < terms->num_classes; i++) {
      const struct vivgpu_draw_class *class = &terms->classes[i];

      largest = fmax(largest, COVERED_BY_NEW * class->area / fmax(class->draws, 1));
      new[i] = is_new(fragments, terms, class);
      draws += new[i] ? 0 : class->draws;
      known += new[i] ? 0 : classes[i];
   }
   for (unsigned i = 0; i < terms->num_classes; i++) {
      const struct vivgpu_draw_class *class = &terms->classes[i];

      if (new[i] && draws >= MANY_DRAWS && class->draws >= MANY_DRAWS)
         classes[i] = fmin(classes[i], TIMES_KNOWN * known / draws * class->draws);
      sum += new[i] ? classes[i] : 0;
   }
   for (unsigned i = 0; i < terms->num_classes; i++) {
      if (new[i] && sum > largest)
         classes[i] *= largest / sum;
   }
}

double
vivgpu_fragments_estimate(struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
                          double *classes)
{
   struct vivgpu_gradient gradients[VIVGPU_DRAW_CLASSES];
   double total = 0;

   gradients_of(fragments, terms, gradients, classes);
   limit_new(fragments, terms, classes);
   for (unsigned i = 0; i < terms->num_classes; i++)
      total += classes[i];
   return total;
}

void
vivgpu_fragments_scale(const struct vivgpu_terms *terms, double *classes, double total)
{
   double sum = 0;

   for (unsigned i = 0; i < terms->num_classes; i++)
      sum += classes[i];
   for (unsigned i = 0; i < terms->num_classes; i++) {
      if (sum > 0)
         classes[i] *= total / sum;
      else
         classes[i] = total / terms->num_classes;
   }
}

void
vivgpu_fragments_observe(struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
                         double total, double doubt)
{
   struct vivgpu_gradient gradients[VIVGPU_DRAW_CLASSES];
   double classes[VIVGPU_DRAW_CLASSES], expected = 0;
   unsigned count = gradients_of(fragments, terms, gradients, classes);

   for (unsigned i = 0; i < terms->num_classes; i++)
      expected += classes[i];
   if (!count)
      return;
   vivgpu_rls_observe(&fragments->rls, gradients, count, expected, total, doubt);
   gradients_of(fragments, terms, gradients, classes);
   for (unsigned i = 0; i < terms->num_classes; i++) {
      const struct vivgpu_draw_class *class = &terms->classes[i];

      if (class->area > 0)
         learn_coverage(fragments, terms->terms[class->fragment_term].family,
                        classes[i] / class->area);
   }
}
