/* SPDX-License-Identifier: MIT */
/* Textures that vertex shaders look at which the processor runs. */
#ifndef VIVGPU_SOFT_TEXTURE_H
#define VIVGPU_SOFT_TEXTURE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nir_shader;
struct tgsi_sampler;
struct vivgpu_context;
struct vivgpu_soft_textures;

/** Textures of one context. NULL without memory. */
struct vivgpu_soft_textures *vivgpu_soft_textures_create(struct vivgpu_context *context);
void vivgpu_soft_textures_destroy(struct vivgpu_soft_textures *textures);

/** Map what a vertex shader looks at, as it is bound. False without memory. */
bool vivgpu_soft_textures_map(struct vivgpu_soft_textures *textures,
                              const struct nir_shader *shader);
void vivgpu_soft_textures_unmap(struct vivgpu_soft_textures *textures);

/** For the draw module. */
struct tgsi_sampler *vivgpu_soft_textures_sampler(struct vivgpu_soft_textures *textures);

/** The texel that one at @i of a row of @size is; -1: the border. @mode: PIPE_TEX_WRAP_*. Pure. */
int vivgpu_soft_wrap(int i, int size, unsigned mode);

/** The face of a cube (PIPE_TEX_FACE_*) in a direction, and where, from 0 to 1. Pure. */
unsigned vivgpu_soft_face(const float direction[3], float place[2]);

#ifdef __cplusplus
}
#endif

#endif
