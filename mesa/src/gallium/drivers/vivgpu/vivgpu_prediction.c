/* SPDX-License-Identifier: MIT */
/* The process's predictor; see vivgpu_prediction.h. */

#include "vivgpu_prediction.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "etnaviv/common/etna_core_info.h"
#include "vivgpu_kernel.h"
#include "vivgpu_monitor.h"
#include "vivgpu_predict.h"
#include "vivgpu_predict_file.h"
#include "vivgpu_screen.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Protected by the lock while it is created, then by that of the monitor. */
static struct vivgpu_predict *predict;
static struct vivgpu_predict_config config;
/* File of the calibration; empty: none. Protected by the lock */
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

/* The predictor remembers the commands of the last groups, so none are passed. */
static double
vivgpu_prediction_observe_group(void *data, const struct vivgpu_group *group,
                                const struct vivgpu_group_result *result)
{
   vivgpu_predict_observe(data, group, NULL, result);
   return vivgpu_measured_ns(&config, result);
}

/*
 * Name and load the calibration of this core, unless it was loaded. It replaces the costs that were
 * learnt before, which are few: contexts with a budget are among the first.
 */
static void
vivgpu_prediction_load_calibration(const struct vivgpu_screen *screen)
{
   char name[64];

   if (path[0])
      return;
   snprintf(name, sizeof(name), "gc%x-%04x", screen->info->model, screen->info->revision);
   if (!vivgpu_predict_path(path, sizeof(path), name)) {
      path[0] = '\0';
      return;
   }
   vivgpu_monitor_lock();
   vivgpu_predict_load_file(predict, path);
   vivgpu_monitor_unlock();
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
      predictor.data = predict;
      if (predict)
         vivgpu_monitor_set_predictor(&predictor);
   }
   if (predict && calibrated)
      vivgpu_prediction_load_calibration(screen);
   created = predict;
   pthread_mutex_unlock(&lock);
   return created;
}

bool
vivgpu_prediction_enable(struct vivgpu_screen *screen, bool calibrated)
{
   const char *wanted = getenv("VIVGPU_PREDICT");

   calibrated &= !wanted || strcmp(wanted, "nocache");
   if ((wanted && !strcmp(wanted, "0")) || !screen->kernel->has_records ||
       !vivgpu_prediction_create_predictor(screen, calibrated))
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

/*
 * Destructors with a priority run after those without: the monitor, which has one of these, has
 * read the last results then.
 */
static void __attribute__((destructor(1000)))
vivgpu_prediction_save_calibration(void)
{
   if (predict && path[0])
      vivgpu_predict_save_file(predict, path);
}
