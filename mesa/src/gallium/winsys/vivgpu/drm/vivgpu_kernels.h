/* SPDX-License-Identifier: MIT */
/*
 * The two implementations of struct vivgpu_kernel (vivgpu_kernel.h), which is the interface
 * between the Gallium driver and the kernel driver. @dev must live as long as the result, which
 * does not own it; @core is the core's number. Both functions return NULL if memory is short.
 */
#ifndef VIVGPU_KERNELS_H
#define VIVGPU_KERNELS_H

#include "vivgpu/vivgpu_kernel.h"

/** For the vivgpu kernel driver: the ioctls of vivgpu_drm.h. NULL also without PARAM_MAX_STREAM. */
struct vivgpu_kernel *vivgpu_kernel_native_create(struct etna_device *dev, uint32_t core);

/** For the etnaviv kernel driver: the ioctls of etnaviv_drm.h */
struct vivgpu_kernel *vivgpu_kernel_etnaviv_create(struct etna_device *dev, uint32_t core);

#endif
