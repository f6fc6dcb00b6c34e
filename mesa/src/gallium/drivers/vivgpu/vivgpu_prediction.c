/* SPDX-License-Identifier: MIT */
/* The process's predictor; see vivgpu_prediction.h. */

#include "vivgpu_prediction.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/u_atomic.h"
#include "etnaviv/common/etna_core_info.h"
#include "vivgpu_kernel.h"
#include "vivgpu_monitor.h"
#include "vivgpu_predict.h"
#include "vivgpu_predict_file.h"
#include "vivgpu_screen.h"
#include "vivgpu_trust.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Protected by the lock while it is created, then by that of the monitor. */
static struct vivgpu_predict *predict;
static struct vivgpu_predict_config config;
/* How its last predictions came true; protected by the monitor's lock */
static struct vivgpu_trust trust;
/* What it says; atomic */
static bool trusted;
static uint64_t measured_draw_ns;
/* Of the calibration; empty: none */
static char path[PATH_MAX];

static void
vivgpu_prediction_predict_group(void *data, struct vivgpu_group *group,
                                const struct vivgpu_command *commands)
{
   struct vivgpu_prediction prediction;

   vivgpu_predict_group(data, group, commands, &prediction);
   group->predicted_ns = prediction.time_ns;
   group->bound_ns = prediction.bound_ns;
}

static void
vivgpu_prediction_observe_group(void *data, const struct vivgpu_group *group,
                                const struct vivgpu_group_result *result)
{
   double measured_ns = vivgpu_measured_ns(&config, result);

   vivgpu_predict_observe(data, group, NULL, result);
   if (measured_ns < 0)
      return;
   vivgpu_trust_add(&trust, group->predicted_ns, measured_ns, group->num_draws);
   p_atomic_set(&trusted, vivgpu_trust_is_good(&trust));
   p_atomic_set(&measured_draw_ns, (uint64_t)vivgpu_trust_ns_per_draw(&trust));
}

/* Name and load the calibration of this core. */
static void
vivgpu_prediction_load_calibration(const struct vivgpu_screen *screen)
{
   char name[64];

   snprintf(name, sizeof(name), "gc%x-%04x", screen->info->model, screen->info->revision);
   if (vivgpu_predict_path(path, sizeof(path), name))
      vivgpu_predict_load_file(predict, path);
   else
      path[0] = '\0';
}

/* Create the process's predictor if there is none yet; false if memory is short. */
static bool
vivgpu_prediction_create_predictor(const struct vivgpu_screen *screen, bool calibrated)
{
   static struct vivgpu_monitor_predictor predictor = {
      .predict = vivgpu_prediction_predict_group,
      .observe = vivgpu_prediction_observe_group,
   };
   struct vivgpu_kernel *kernel = screen->kernel;
   struct vivgpu_disjoint_state state = {0};
   bool created;

   pthread_mutex_lock(&lock);
   if (!predict) {
      if (kernel->get_disjoint_state)
         kernel->get_disjoint_state(kernel, &state);
      config.clock_hz = state.core_hz;
      predict = vivgpu_predict_create(&config);
      if (predict && calibrated)
         vivgpu_prediction_load_calibration(screen);
      predictor.data = predict;
      if (predict)
         vivgpu_monitor_set_predictor(&predictor);
   }
   created = predict;
   pthread_mutex_unlock(&lock);
   return created;
}

bool
vivgpu_prediction_is_trusted(void)
{
   return p_atomic_read(&trusted);
}

uint64_t
vivgpu_prediction_measured_draw(void)
{
   return p_atomic_read(&measured_draw_ns);
}

bool
vivgpu_prediction_enable(struct vivgpu_screen *screen)
{
   const char *wanted = getenv("VIVGPU_PREDICT");

   if ((wanted && !strcmp(wanted, "0")) || !screen->kernel->has_records ||
       !vivgpu_prediction_create_predictor(screen, false))
      return false;
   vivgpu_monitor_screen_init(screen);
   return screen->results;
}

void
vivgpu_prediction_screen_init(struct vivgpu_screen *screen)
{
   const char *wanted = getenv("VIVGPU_PREDICT");

   if (!wanted || !*wanted || !strcmp(wanted, "0") || !screen->kernel->has_records)
      return;
   if (!vivgpu_prediction_create_predictor(screen, strcmp(wanted, "nocache")))
      mesa_loge("vivgpu: no memory for VIVGPU_PREDICT");
}

/* With a priority, so that it runs after the monitor has read the last results. */
static void __attribute__((destructor(1000)))
vivgpu_prediction_save_calibration(void)
{
   if (predict && path[0])
      vivgpu_predict_save_file(predict, path);
}
