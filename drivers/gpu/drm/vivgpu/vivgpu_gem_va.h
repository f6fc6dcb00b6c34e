/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_GEM_VA_H_
#define _VIVGPU_GEM_VA_H_

#include <linux/types.h>

struct drm_file;
struct drm_gem_object;

int vivgpu_gem_map(struct drm_file *file, struct drm_gem_object *obj, u64 fixed, u64 *va);
int vivgpu_gem_open(struct drm_gem_object *obj, struct drm_file *file);
void vivgpu_gem_close(struct drm_gem_object *obj, struct drm_file *file);

#endif
