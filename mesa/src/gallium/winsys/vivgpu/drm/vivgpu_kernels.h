/* SPDX-License-Identifier: MIT */
/*
 * The two implementations of struct vivgpu_kernel (vivgpu_kernel.h). @dev still belongs to the
 * caller, @core is the core's number. Both functions return NULL if the device is of another
 * kernel driver or memory is short.
 */
#ifndef VIVGPU_KERNELS_H
#define VIVGPU_KERNELS_H

#include "vivgpu/vivgpu_kernel.h"

/** For the vivgpu kernel driver: the ioctls of vivgpu_drm.h */
struct vivgpu_kernel *vivgpu_kernel_native_create(struct etna_device *dev, uint32_t core);

/** For the etnaviv kernel driver: the ioctls of etnaviv_drm.h */
struct vivgpu_kernel *vivgpu_kernel_etnaviv_create(struct etna_device *dev, uint32_t core);

#endif
