/* SPDX-License-Identifier: MIT */
/* Textures that vertex shaders look at which the processor runs. */
#ifndef VIVGPU_SWTNL_TEXTURE_H
#define VIVGPU_SWTNL_TEXTURE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nir_shader;
struct tgsi_sampler;
struct vivgpu_context;
struct vivgpu_swtnl_textures;

/** Textures of one context. NULL without memory. */
struct vivgpu_swtnl_textures *vivgpu_swtnl_textures_create(struct vivgpu_context *context);
void vivgpu_swtnl_textures_destroy(struct vivgpu_swtnl_textures *textures);

/** Map what a vertex shader looks at, as it is bound. False without memory. */
bool vivgpu_swtnl_textures_map(struct vivgpu_swtnl_textures *textures,
                               const struct nir_shader *shader);
void vivgpu_swtnl_textures_unmap(struct vivgpu_swtnl_textures *textures);

/** For the draw module. */
struct tgsi_sampler *vivgpu_swtnl_textures_sampler(struct vivgpu_swtnl_textures *textures);

/** The texel that one at @i of a row of @size is; -1: the border. @mode: PIPE_TEX_WRAP_*. Pure. */
int vivgpu_swtnl_wrap(int i, int size, unsigned mode);

/** The face of a cube (PIPE_TEX_FACE_*) in a direction, and where, from 0 to 1. Pure. */
unsigned vivgpu_swtnl_face(const float direction[3], float coords[2]);

#ifdef __cplusplus
}
#endif

#endif
