/* SPDX-License-Identifier: MIT */
/* Ratios of fragments to vertices; see vivgpu_fragments.h. */

#include "vivgpu_fragments.h"

#include <math.h>
#include <string.h>

/*
 * Before anything is known: share of its area that a draw covers, and pixels of a primitive, at
 * most. All draws of a class together cover the area of one at most.
 */
#define COVERED          0.3
#define PRIMITIVE_PIXELS 8000.0
/* Share of the largest area that all new classes of a group cover together, at most. */
#define COVERED_BY_NEW 0.6
/*
 * If a new class has this many draws, and the known classes have together, each of its draws covers
 * at most so many times what a known one does in the mean.
 */
#define MANY_DRAWS 8
#define TIMES_KNOWN 4.0
/*
 * Random walk of a ratio in one observation, and standard deviation of a new one, relative to it.
 */
#define DRIFT  0.01
#define SPREAD 2.0
/* Parameter @first of vivgpu_rls_init(): ratios differ from group to group. */
#define FIRST_OBSERVATIONS 50

/* In place of the index of a ratio */
#define NO_RATIO VIVGPU_RLS_SIZE

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

/*
 * Fragments per vertex of a class, which has vertices, by its area, its program and its primitives.
 */
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

/* Index of the ratio of a class with vertices, created if it is new; it is probably @hint. */
static unsigned
ratio_of(struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
         const struct vivgpu_draw_class *class, unsigned hint)
{
   uint64_t key = terms->terms[class->fragment_term].key;
   bool right = hint < VIVGPU_RLS_SIZE && fragments->rls.keys[hint] == key;
   int found = right ? (int)hint : vivgpu_rls_find(&fragments->rls, key);

   if (found >= 0)
      return (unsigned)found;
   return vivgpu_rls_add(&fragments->rls, key, prior(fragments, terms, class), SPREAD);
}

/*
 * Fill the gradients of the classes with vertices, and return their number; classes may share a
 * ratio.
 *
 * @classes: result: fragments of each class
 * @indices: result: index of each class's ratio; NO_RATIO without vertices
 */
static unsigned
gradients_of(struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
             struct vivgpu_gradient *gradients, double *classes, unsigned *indices)
{
   unsigned count = 0, hint = 0;

   for (unsigned i = 0; i < terms->num_classes; i++) {
      const struct vivgpu_draw_class *class = &terms->classes[i];
      unsigned index, j = 0;

      classes[i] = 0;
      indices[i] = NO_RATIO;
      if (class->vertices <= 0)
         continue;
      index = indices[i] = ratio_of(fragments, terms, class, hint);
      /* Ratios of a group's classes were mostly created one after the other. */
      hint = index + 1;
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

/*
 * Scale down the fragments of classes that have never been counted. Many draws are rarely much larger
 * than the many known ones beside them. And all together they cover a share of the largest draw's
 * area: a group of many new programs rarely covers its target with each.
 */
static void
limit_new(const struct vivgpu_fragments *fragments, const struct vivgpu_terms *terms,
          const unsigned *indices, double *classes)
{
   bool new[VIVGPU_DRAW_CLASSES] = {false};
   /*
    * draws, known: draws and fragments of the classes that are not new; sum: fragments of new ones
    */
   double sum = 0, largest = 0, draws = 0, known = 0;

   for (unsigned i = 0; i < terms->num_classes; i++) {
      const struct vivgpu_draw_class *class = &terms->classes[i];

      largest = fmax(largest, COVERED_BY_NEW * class->area / fmax(class->draws, 1));
      new[i] = indices[i] != NO_RATIO && !fragments->rls.coefficients[indices[i]].observations;
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
   unsigned indices[VIVGPU_DRAW_CLASSES];
   double total = 0;

   gradients_of(fragments, terms, gradients, classes, indices);
   limit_new(fragments, terms, indices, classes);
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
   unsigned indices[VIVGPU_DRAW_CLASSES];
   unsigned count = gradients_of(fragments, terms, gradients, classes, indices);

   for (unsigned i = 0; i < terms->num_classes; i++)
      expected += classes[i];
   if (!count)
      return;
   vivgpu_rls_observe(&fragments->rls, gradients, count, expected, total, doubt);
   /* The fragments by the ratios that have learnt now */
   gradients_of(fragments, terms, gradients, classes, indices);
   for (unsigned i = 0; i < terms->num_classes; i++) {
      const struct vivgpu_draw_class *class = &terms->classes[i];

      if (class->area > 0)
         learn_coverage(fragments, terms->terms[class->fragment_term].family,
                        classes[i] / class->area);
   }
}
