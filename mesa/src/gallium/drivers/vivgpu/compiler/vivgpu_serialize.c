/*
 * SPDX-License-Identifier: MIT
 *
 * Serialization of shaders for Mesa's disk cache.
 *
 * The identity of the Mesa build is part of the cache's key, so reader and writer have the same
 * struct vivgpu_shader and blobs have no version number.
 */

#include <stdlib.h>

#include "util/blob.h"

#include "vivgpu_compiler.h"

#define MAGIC 0x56475031u /* first word of a blob: "VGP1" */

void
vivgpu_shader_serialize(const struct vivgpu_shader *shader, struct blob *blob)
{
   struct vivgpu_shader plain = *shader;

   plain.code = NULL;
   plain.uniforms = NULL;
   blob_write_uint32(blob, MAGIC);
   blob_write_bytes(blob, &plain, sizeof(plain));
   blob_write_bytes(blob, shader->code,
                    shader->num_instructions * VIVGPU_INSTRUCTION_WORDS * sizeof(*shader->code));
   for (uint32_t i = 0; i < shader->num_uniforms; i++) {
      blob_write_uint32(blob, shader->uniforms[i].kind);
      blob_write_uint32(blob, shader->uniforms[i].value);
   }
}

/*
 * Reads code and uniforms, the latter of two words each; false if the blob is too short, or memory
 * is. vivgpu_shader_destroy() then frees what was allocated.
 */
static bool
vivgpu_serialize_read_arrays(struct vivgpu_shader *shader, struct blob_reader *blob)
{
   const size_t bytes =
      (size_t)shader->num_instructions * VIVGPU_INSTRUCTION_WORDS * sizeof(*shader->code);

   if (bytes > (size_t)(blob->end - blob->current) ||
       (size_t)shader->num_uniforms * 8 > (size_t)(blob->end - blob->current))
      return false;
   shader->code = malloc(bytes ? bytes : 1);
   shader->uniforms = calloc(shader->num_uniforms + 1, sizeof(*shader->uniforms));
   if (!shader->code || !shader->uniforms)
      return false;
   blob_copy_bytes(blob, shader->code, bytes);
   for (uint32_t i = 0; i < shader->num_uniforms; i++) {
      shader->uniforms[i].kind = blob_read_uint32(blob);
      shader->uniforms[i].value = blob_read_uint32(blob);
   }
   return !blob->overrun;
}

struct vivgpu_shader *
vivgpu_shader_deserialize(struct blob_reader *blob)
{
   struct vivgpu_shader *shader;

   if (blob_read_uint32(blob) != MAGIC)
      return NULL;
   shader = calloc(1, sizeof(*shader));
   if (!shader)
      return NULL;
   blob_copy_bytes(blob, shader, sizeof(*shader));
   if (blob->overrun) {
      free(shader);
      return NULL;
   }
   shader->code = NULL;
   shader->uniforms = NULL;
   if (!vivgpu_serialize_read_arrays(shader, blob)) {
      vivgpu_shader_destroy(shader);
      return NULL;
   }
   return shader;
}
