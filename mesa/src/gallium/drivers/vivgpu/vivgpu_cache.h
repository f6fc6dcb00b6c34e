/* SPDX-License-Identifier: MIT */
/* The disk cache of compiled shaders. */
#ifndef VIVGPU_CACHE_H
#define VIVGPU_CACHE_H

#include <stdint.h>

struct nir_shader;
struct vivgpu_screen;
struct vivgpu_shader;
struct vivgpu_shader_key;

#define VIVGPU_CACHE_KEY_BYTES 20

/** Open the cache. Without one every shader is compiled. */
void vivgpu_cache_init(struct vivgpu_screen *screen);

/** Compute the hash of a shader's NIR, which names the shader in cache keys. */
void vivgpu_cache_hash_nir(const struct nir_shader *nir,
                           unsigned char name[VIVGPU_CACHE_KEY_BYTES]);

/** Return the shader with hash @name compiled for @key from the cache, or NULL. */
struct vivgpu_shader *vivgpu_cache_find(const struct vivgpu_screen *screen,
                                        const unsigned char name[VIVGPU_CACHE_KEY_BYTES],
                                        const struct vivgpu_shader_key *key);

void vivgpu_cache_store(const struct vivgpu_screen *screen,
                        const unsigned char name[VIVGPU_CACHE_KEY_BYTES],
                        const struct vivgpu_shader_key *key, const struct vivgpu_shader *shader);

#endif
