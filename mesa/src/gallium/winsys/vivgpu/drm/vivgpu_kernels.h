/* SPDX-License-Identifier: MIT */
/*
 * The back ends of vivgpu_kernel.h. Both leave @dev to the caller and return NULL
 * if the device is not such a one.
 */
#ifndef VIVGPU_KERNELS_H
#define VIVGPU_KERNELS_H

#include "vivgpu/vivgpu_kernel.h"

/** vivgpu's own calls */
struct vivgpu_kernel *vivgpu_kernel_native_create(struct etna_device *dev, uint32_t core);

/** etnaviv's calls, for core number @core */
struct vivgpu_kernel *vivgpu_kernel_etnaviv_create(struct etna_device *dev, uint32_t core);

#endif
