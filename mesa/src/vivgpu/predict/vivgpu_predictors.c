/* SPDX-License-Identifier: MIT */
/*
 * The list of predictors, and the common interface of the one in use. That one needs no calibration
 * runs before it predicts; vivgpu_predict_load() is not part of this interface.
 */

#include <stddef.h>

#include "vivgpu_predictor.h"

static void *
create(const struct vivgpu_predict_config *config)
{
   return vivgpu_predict_create(config);
}

static void
destroy(void *predictor)
{
   vivgpu_predict_destroy(predictor);
}

static void
predict(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        struct vivgpu_prediction *prediction)
{
   vivgpu_predict_group(predictor, group, commands, prediction);
}

static void
observe(void *predictor, const struct vivgpu_group *group, const struct vivgpu_command *commands,
        const struct vivgpu_group_result *result)
{
   vivgpu_predict_observe(predictor, group, commands, result);
}

const struct vivgpu_predictor_type vivgpu_predictor_ours = {
   .name = "ours",
   .description = "history of the group and learnt costs of its commands",
   .create = create,
   .destroy = destroy,
   .predict = predict,
   .observe = observe,
};

const struct vivgpu_predictor_type *const vivgpu_predictors[] = {
   &vivgpu_predictor_ours,
   &vivgpu_predictor_thesis_ratio,
   &vivgpu_predictor_thesis_sequence,
   &vivgpu_predictor_vertices,
   &vivgpu_predictor_order,
   &vivgpu_predictor_table,
   &vivgpu_predictor_instructions,
   &vivgpu_predictor_box,
   &vivgpu_predictor_last_frame,
   &vivgpu_predictor_regression,
   NULL,
};
