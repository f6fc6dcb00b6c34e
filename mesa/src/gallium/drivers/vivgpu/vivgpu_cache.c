/* SPDX-License-Identifier: MIT */

#include "vivgpu_cache.h"

#include <string.h>

#include "compiler/nir/nir_serialize.h"
#include "compiler/vivgpu_compiler.h"
#include "util/blob.h"
#include "util/build_id.h"
#include "util/disk_cache.h"
#include "util/mesa-sha1.h"
#include "vivgpu_screen.h"

/* The key includes the driver's build, since another build may generate other code. */
void
vivgpu_cache_init(struct vivgpu_screen *screen)
{
   struct mesa_sha1 hash;
   unsigned char digest[SHA1_DIGEST_LENGTH];
   char build[2 * SHA1_DIGEST_LENGTH + 1];

   _mesa_sha1_init(&hash);
   if (!disk_cache_get_function_identifier(vivgpu_cache_init, &hash))
      return;
   _mesa_sha1_final(&hash, digest);
   _mesa_sha1_format(build, digest);
   screen->cache = disk_cache_create(screen->name, build, 0);
}

/* Names and other data that do not influence the code are excluded. */
void
vivgpu_cache_hash_nir(const struct nir_shader *nir, unsigned char name[VIVGPU_CACHE_KEY_BYTES])
{
   struct blob blob;

   STATIC_ASSERT(VIVGPU_CACHE_KEY_BYTES == SHA1_DIGEST_LENGTH);
   blob_init(&blob);
   nir_serialize(&blob, nir, true);
   _mesa_sha1_compute(blob.data, blob.size, name);
   blob_finish(&blob);
}

static void
vivgpu_cache_compute_key(const struct vivgpu_screen *screen,
                         const unsigned char name[VIVGPU_CACHE_KEY_BYTES],
                         const struct vivgpu_shader_key *key, cache_key out)
{
   unsigned char data[VIVGPU_CACHE_KEY_BYTES + sizeof(*key)];

   memcpy(data, name, VIVGPU_CACHE_KEY_BYTES);
   memcpy(data + VIVGPU_CACHE_KEY_BYTES, key, sizeof(*key));
   disk_cache_compute_key(screen->cache, data, sizeof(data), out);
}

struct vivgpu_shader *
vivgpu_cache_find(const struct vivgpu_screen *screen,
                  const unsigned char name[VIVGPU_CACHE_KEY_BYTES],
                  const struct vivgpu_shader_key *key)
{
   struct vivgpu_shader *shader;
   struct blob_reader reader;
   cache_key where;
   size_t size;
   void *data;

   if (!screen->cache)
      return NULL;
   vivgpu_cache_compute_key(screen, name, key, where);
   data = disk_cache_get(screen->cache, where, &size);
   if (!data)
      return NULL;
   blob_reader_init(&reader, data, size);
   shader = vivgpu_shader_deserialize(&reader);
   free(data);
   return shader;
}

void
vivgpu_cache_store(const struct vivgpu_screen *screen,
                   const unsigned char name[VIVGPU_CACHE_KEY_BYTES],
                   const struct vivgpu_shader_key *key, const struct vivgpu_shader *shader)
{
   struct blob blob;
   cache_key where;

   if (!screen->cache)
      return;
   vivgpu_cache_compute_key(screen, name, key, where);
   blob_init(&blob);
   vivgpu_shader_serialize(shader, &blob);
   if (!blob.out_of_memory)
      disk_cache_put(screen->cache, where, blob.data, blob.size, NULL);
   blob_finish(&blob);
}
