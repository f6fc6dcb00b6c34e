/* SPDX-License-Identifier: MIT */
/* The published test of non-preemptive EDF. */
#ifndef EDF_TEST_H
#define EDF_TEST_H

#include <stdbool.h>

#include "taskset.h"

bool edf_test(const struct taskset *set);

#endif
