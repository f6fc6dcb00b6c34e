/* SPDX-License-Identifier: MIT */
/* Learnt costs of the terms of groups; see vivgpu_costs.h. */

#include "vivgpu_costs.h"

#include <math.h>
#include <string.h>

#include "vivgpu_hash.h"

/* Standard deviation of a cost's random walk from one observation to the next, relative to it */
#define DRIFT 0.0005
/* Standard deviation of a new cost, relative to it: without and with learnt costs of its family */
#define SPREAD_ALONE  3.0
#define SPREAD_FAMILY 0.4
/* A cost counts as known if its relative standard deviation is less than this. */
#define KNOWN 0.3
/* Parameter @first of vivgpu_rls_init() */
#define FIRST_OBSERVATIONS 4
/* Weight of one observation in a family's ratio. */
#define FAMILY_WEIGHT 0.1

void
vivgpu_costs_init(struct vivgpu_costs *costs, double exponent, double cycle_ns)
{
   memset(costs, 0, sizeof(*costs));
   vivgpu_rls_init(&costs->rls, DRIFT, FIRST_OBSERVATIONS);
   costs->exponent = exponent;
   costs->cycle_ns = cycle_ns;
}

/* The family with a key; NULL if it is unknown. */
static struct vivgpu_family *
find_family(struct vivgpu_costs *costs, uint64_t key)
{
   for (unsigned i = 0; i < VIVGPU_FAMILIES; i++) {
      if (costs->families[i].key == key)
         return &costs->families[i];
   }
   return NULL;
}

/* All terms of a kind are a family as well. */
static uint64_t
kind_key(const struct vivgpu_term *term)
{
   return vivgpu_hash_add(UINT64_C(0x66616d696c79), term->kind);
}

/* Learn a ratio of a learnt cost to its prior; a new family replaces the one unused for longest. */
static void
learn_family(struct vivgpu_costs *costs, uint64_t key, double ratio)
{
   struct vivgpu_family *family = find_family(costs, key);

   if (!family) {
      family = &costs->families[0];
      for (unsigned i = 1; i < VIVGPU_FAMILIES; i++) {
         if (costs->families[i].used < family->used)
            family = &costs->families[i];
      }
      *family = (struct vivgpu_family){.key = key, .ratio = ratio};
   }
   family->ratio += FAMILY_WEIGHT * (ratio - family->ratio);
   family->used = costs->rls.observations;
}

/* Index of a term's cost, which is created if the term is new; it is probably @hint. */
static unsigned
cost_of(struct vivgpu_costs *costs, const struct vivgpu_term *term, unsigned hint)
{
   bool right = hint < VIVGPU_RLS_SIZE && costs->rls.keys[hint] == term->key;
   int found = right ? (int)hint : vivgpu_rls_find(&costs->rls, term->key);
   const struct vivgpu_family *family;
   double prior = term->prior * costs->cycle_ns;

   if (found >= 0) {
      /* A new term of the same group must not replace it. */
      costs->rls.coefficients[found].used = costs->rls.observations + 1;
      return (unsigned)found;
   }
   family = find_family(costs, term->family);
   if (!family)
      family = find_family(costs, kind_key(term));
   if (family && family->ratio > 0.01)
      return vivgpu_rls_add(&costs->rls, term->key, prior * family->ratio, SPREAD_FAMILY);
   return vivgpu_rls_add(&costs->rls, term->key, prior, SPREAD_ALONE);
}

/* True if a cost is known well enough to teach its family, and not to count as an estimate. */
static bool
is_known(const struct vivgpu_rls *rls, unsigned index)
{
   const struct vivgpu_coefficient *coefficient = &rls->coefficients[index];
   double limit = KNOWN * fmax(coefficient->value, 0.01 * coefficient->prior);

   return rls->covariance[index][index] < limit * limit;
}

static enum vivgpu_predict_part
part_of(enum vivgpu_term_kind kind)
{
   switch (kind) {
   case VIVGPU_TERM_GROUP:
   case VIVGPU_TERM_STREAM:
      return VIVGPU_PREDICT_PART_FLUSH;
   case VIVGPU_TERM_CLEAR:
   case VIVGPU_TERM_CLEAR_BYTES:
      return VIVGPU_PREDICT_PART_CLEAR;
   case VIVGPU_TERM_COPY:
   case VIVGPU_TERM_COPY_BYTES:
      return VIVGPU_PREDICT_PART_COPY;
   case VIVGPU_TERM_UPLOAD:
   case VIVGPU_TERM_UPLOAD_BYTES:
      return VIVGPU_PREDICT_PART_UPLOAD;
   case VIVGPU_TERM_SWAP:
   case VIVGPU_TERM_SWAP_BYTES:
      return VIVGPU_PREDICT_PART_SWAP;
   case VIVGPU_TERM_FRAGMENT:
      return VIVGPU_PREDICT_PART_FRAGMENT;
   default:
      return VIVGPU_PREDICT_PART_VERTEX;
   }
}

/*
 * Add ns of a term to an estimate, with the derivative by the term's cost. Classes of draws may
 * share a term: their parts add up. @number: index of the term
 */
static void
add(struct vivgpu_estimate *estimate, const struct vivgpu_costs *costs,
    const struct vivgpu_term *term, unsigned number, double ns, double derivative)
{
   struct vivgpu_gradient *gradient = &estimate->gradients[number];

   gradient->derivative += derivative;
   estimate->ns += ns;
   estimate->parts_ns[part_of(term->kind)] += ns;
   if (!is_known(&costs->rls, gradient->index))
      estimate->unknown += ns;
}

/* x to the power of p - 1, not of p; only for the exponents of the models, which are 1 and 4 */
static double
power(double x, double p)
{
   return p == 1 ? 1 : x * x * x;
}

/* (a^p + b^p)^(1/p), for p = 1 or 4 */
static double
combine(double a, double b, double p)
{
   return p == 1 ? a + b : sqrt(sqrt(a * power(a, p) + b * power(b, p)));
}

/* Add a class of draws: vertices and fragments that overlap. */
static void
add_class(struct vivgpu_estimate *estimate, const struct vivgpu_costs *costs,
          const struct vivgpu_terms *terms, const struct vivgpu_draw_class *class, double fragments)
{
   unsigned v = class->vertex_term, f = class->fragment_term;
   const struct vivgpu_coefficient *coefficients = costs->rls.coefficients;
   double p = costs->exponent;
   double a = class->vertices * coefficients[estimate->gradients[v].index].value;
   double b = fragments * coefficients[estimate->gradients[f].index].value;
   double both = combine(a, b, p);

   if (!(both > 0)) {
      /* Both costs are 0: use the derivatives of the sum, so that they can grow again. */
      add(estimate, costs, &terms->terms[v], v, 0, class->vertices);
      add(estimate, costs, &terms->terms[f], f, 0, fragments);
      return;
   }
   add(estimate, costs, &terms->terms[v], v, both * a / (a + b),
       class->vertices * power(a / both, p));
   add(estimate, costs, &terms->terms[f], f, both * b / (a + b), fragments * power(b / both, p));
}

void
vivgpu_costs_estimate(struct vivgpu_costs *costs, const struct vivgpu_terms *terms,
                      const double *fragments, struct vivgpu_estimate *estimate)
{
   memset(estimate, 0, sizeof(*estimate));
   estimate->num_gradients = terms->num_terms;
   /* Costs of a group's terms were mostly created one after the other. */
   for (unsigned i = 0; i < terms->num_terms; i++) {
      unsigned hint = i ? estimate->gradients[i - 1].index + 1 : 0;

      estimate->gradients[i].index = cost_of(costs, &terms->terms[i], hint);
   }
   for (unsigned i = 0; i < terms->num_terms; i++) {
      const struct vivgpu_term *term = &terms->terms[i];
      double value = costs->rls.coefficients[estimate->gradients[i].index].value;

      if (term->kind != VIVGPU_TERM_VERTEX && term->kind != VIVGPU_TERM_FRAGMENT)
         add(estimate, costs, term, i, term->amount * value, term->amount);
   }
   for (unsigned i = 0; i < terms->num_classes; i++)
      add_class(estimate, costs, terms, &terms->classes[i], fragments[i]);
   estimate->unknown = estimate->ns > 0 ? estimate->unknown / estimate->ns : 1;
}

double
vivgpu_costs_deviation(const struct vivgpu_costs *costs, const struct vivgpu_estimate *estimate)
{
   return sqrt(vivgpu_rls_variance(&costs->rls, estimate->gradients, estimate->num_gradients));
}

double
vivgpu_costs_observe(struct vivgpu_costs *costs, const struct vivgpu_terms *terms,
                     const double *fragments, double doubt, double measured_ns)
{
   struct vivgpu_estimate estimate;

   vivgpu_costs_estimate(costs, terms, fragments, &estimate);
   vivgpu_rls_observe(&costs->rls, estimate.gradients, estimate.num_gradients, estimate.ns,
                      measured_ns, doubt * estimate.parts_ns[VIVGPU_PREDICT_PART_FRAGMENT]);
   for (unsigned i = 0; i < terms->num_terms; i++) {
      const struct vivgpu_term *term = &terms->terms[i];
      unsigned index = estimate.gradients[i].index;
      double ratio = costs->rls.coefficients[index].value / (term->prior * costs->cycle_ns);

      if (!is_known(&costs->rls, index))
         continue;
      learn_family(costs, term->family, ratio);
      learn_family(costs, kind_key(term), ratio);
   }
   return estimate.ns;
}
