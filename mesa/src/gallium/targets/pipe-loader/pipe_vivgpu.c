/*
 * SPDX-License-Identifier: MIT
 *
 * The driver as a module of its own for loaders that ask for one.
 */

#include "target-helpers/drm_helper.h"
#include "target-helpers/inline_debug_helper.h"
