/* SPDX-License-Identifier: MIT */
/*
 * Saving and loading of the learnt costs, and of how fragments are spread over frames.
 *
 * Format: struct contents. Correlations are not saved: after loading, each
 * coefficient has its saved deviation, doubled, but at most vivgpu_rls_limit().
 */

#include <math.h>
#include <string.h>

#include "vivgpu_hash.h"
#include "vivgpu_predict_private.h"

#define MAGIC UINT32_C(0x50475656) /* "VVGP" */

struct header {
   uint32_t magic, version;
   /** Bytes of everything, and a hash of everything after the header */
   uint64_t bytes, checksum;
   uint64_t clock_hz;
};

struct saved {
   uint64_t key;
   double value, prior, variance;
   uint64_t observations;
};

struct contents {
   struct header header;
   struct saved costs[VIVGPU_MODELS][VIVGPU_RLS_SIZE];
   struct saved fragments[VIVGPU_RLS_SIZE];
   struct vivgpu_family families[VIVGPU_MODELS][VIVGPU_FAMILIES];
   double sum_advantage;
   struct vivgpu_curve curves[VIVGPU_CURVES];
};

size_t
vivgpu_predict_save_bytes(void)
{
   return sizeof(struct contents);
}

static uint64_t
checksum_of(const struct contents *contents)
{
   const uint8_t *at = (const uint8_t *)contents + sizeof(contents->header);
   /* All sizes here are multiples of 8. */
   const uint8_t *end = (const uint8_t *)contents + sizeof(*contents);
   uint64_t hash = VIVGPU_PREDICT_VERSION, word;

   for (; at < end; at += sizeof(word)) {
      memcpy(&word, at, sizeof(word));
      hash = vivgpu_hash_add(hash, word);
   }
   return hash;
}

static void
save_table(const struct vivgpu_rls *rls, struct saved *saved)
{
   for (unsigned i = 0; i < VIVGPU_RLS_SIZE; i++) {
      const struct vivgpu_coefficient *coefficient = &rls->coefficients[i];

      saved[i] = (struct saved){
         .key = rls->keys[i],
         .value = coefficient->value,
         .prior = coefficient->prior,
         .variance = rls->covariance[i][i],
         .observations = coefficient->observations,
      };
   }
}

size_t
vivgpu_predict_save(const struct vivgpu_predict *predict, void *data, size_t size)
{
   struct contents *contents = data;

   if (size < sizeof(*contents))
      return 0;
   memset(contents, 0, sizeof(*contents));
   for (unsigned i = 0; i < VIVGPU_MODELS; i++) {
      save_table(&predict->costs[i].rls, contents->costs[i]);
      memcpy(contents->families[i], predict->costs[i].families, sizeof(contents->families[i]));
   }
   save_table(&predict->fragments.rls, contents->fragments);
   contents->sum_advantage = predict->sum.mean;
   memcpy(contents->curves, predict->parts.curves, sizeof(contents->curves));
   contents->header = (struct header){
      .magic = MAGIC,
      .version = VIVGPU_PREDICT_VERSION,
      .bytes = sizeof(*contents),
      .checksum = checksum_of(contents),
      .clock_hz = predict->config.clock_hz,
   };
   return sizeof(*contents);
}

/* A number that can be a cost, its deviation or a ratio. */
static bool
is_valid(double number)
{
   return isfinite(number) && number >= 0 && number < 1e15;
}

/* The same for all that is saved of a table of coefficients */
static bool
are_valid(const struct saved *saved)
{
   for (unsigned i = 0; i < VIVGPU_RLS_SIZE; i++) {
      if (!is_valid(saved[i].value) || !is_valid(saved[i].prior) ||
          !is_valid(sqrt(saved[i].variance)))
         return false;
   }
   return true;
}

/* A curve as vivgpu_curve_add() makes them: points in order */
static bool
is_curve(const struct vivgpu_curve *curve)
{
   if (!is_valid(curve->vertices) || !is_valid(curve->fragments) ||
       curve->count > VIVGPU_CURVE_POINTS)
      return false;
   for (uint32_t i = 0; i < curve->count; i++) {
      const struct vivgpu_curve_point *point = &curve->points[i];

      if (!(point->at >= (i ? point[-1].at : 0) && point->at <= curve->vertices) ||
          !(point->share >= 0 && point->share <= 1))
         return false;
   }
   return true;
}

static bool
is_acceptable(const struct vivgpu_predict *predict, const struct contents *contents)
{
   const struct header *header = &contents->header;

   if (header->magic != MAGIC || header->version != VIVGPU_PREDICT_VERSION ||
       header->bytes != sizeof(*contents) || header->clock_hz != predict->config.clock_hz ||
       header->checksum != checksum_of(contents))
      return false;
   for (unsigned i = 0; i < VIVGPU_MODELS; i++) {
      if (!are_valid(contents->costs[i]))
         return false;
      for (unsigned j = 0; j < VIVGPU_FAMILIES; j++) {
         if (!is_valid(contents->families[i][j].ratio))
            return false;
      }
   }
   for (unsigned i = 0; i < VIVGPU_CURVES; i++) {
      if (!is_curve(&contents->curves[i]))
         return false;
   }
   return are_valid(contents->fragments) && fabs(contents->sum_advantage) <= 1;
}

/* Replace all coefficients. The table's parameters stay; its noises begin again. */
static void
load_table(struct vivgpu_rls *rls, const struct saved *saved)
{
   double drift = rls->drift, first = rls->first;

   vivgpu_rls_init(rls, drift, first);
   for (unsigned i = 0; i < VIVGPU_RLS_SIZE; i++) {
      if (!saved[i].key)
         continue;
      rls->keys[i] = saved[i].key;
      rls->coefficients[i] = (struct vivgpu_coefficient){
         .value = saved[i].value,
         .prior = saved[i].prior,
         .observations = (uint32_t)saved[i].observations,
      };
      /* Twice the deviation; by each load again if the coefficient is not used in between */
      rls->covariance[i][i] =
         fmin(4 * saved[i].variance, vivgpu_rls_limit(&rls->coefficients[i]));
   }
}

bool
vivgpu_predict_load(struct vivgpu_predict *predict, const void *data, size_t size)
{
   const struct contents *contents = data;

   if (size != sizeof(*contents) || (uintptr_t)data % _Alignof(struct contents) ||
       !is_acceptable(predict, contents))
      return false;
   for (unsigned i = 0; i < VIVGPU_MODELS; i++) {
      load_table(&predict->costs[i].rls, contents->costs[i]);
      memcpy(predict->costs[i].families, contents->families[i], sizeof(contents->families[i]));
      /* Their use is counted from now on. */
      for (unsigned j = 0; j < VIVGPU_FAMILIES; j++)
         predict->costs[i].families[j].used = 0;
   }
   load_table(&predict->fragments.rls, contents->fragments);
   memcpy(predict->parts.curves, contents->curves, sizeof(contents->curves));
   for (unsigned i = 0; i < VIVGPU_CURVES; i++)
      predict->parts.curves[i].used = 0;
   /* As if 10 comparisons had given it */
   predict->sum = (struct vivgpu_advantage){.mean = contents->sum_advantage, .count = 10};
   return true;
}
