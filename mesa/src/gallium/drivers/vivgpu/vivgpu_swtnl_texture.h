/* SPDX-License-Identifier: MIT */
/*
 * Texture lookups of vertex shaders that run in the draw module. The module has a sampler of its
 * own only with LLVM; without it the driver passes a struct tgsi_sampler, and softpipe's depends on
 * softpipe's structures of textures and its tile cache.
 */
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

/** Create the textures of a context. Returns NULL if memory is short. */
struct vivgpu_swtnl_textures *vivgpu_swtnl_textures_create(struct vivgpu_context *context);
void vivgpu_swtnl_textures_destroy(struct vivgpu_swtnl_textures *textures);

/** Map the bound vertex textures that @shader uses. Returns false if memory is short. */
bool vivgpu_swtnl_textures_map(struct vivgpu_swtnl_textures *textures,
                               const struct nir_shader *shader);
void vivgpu_swtnl_textures_unmap(struct vivgpu_swtnl_textures *textures);

/** Return the interface for the draw module. */
struct tgsi_sampler *vivgpu_swtnl_textures_sampler(struct vivgpu_swtnl_textures *textures);

/**
 * Return the texel of a row of @size texels for coordinate @i, or -1 for the border. @mode:
 * PIPE_TEX_WRAP_*. Pure.
 */
int vivgpu_swtnl_wrap(int i, int size, unsigned mode);

/**
 * Return the face of a cube (PIPE_TEX_FACE_*) in a direction, and the coordinates on it from 0 to
 * 1. Pure.
 */
unsigned vivgpu_swtnl_face(const float direction[3], float coords[2]);

/** Return the layer of an array of @layers that a coordinate selects: the nearest. Pure. */
int vivgpu_swtnl_layer(float layer, int layers);

#ifdef __cplusplus
}
#endif

#endif
