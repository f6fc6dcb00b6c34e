/* SPDX-License-Identifier: MIT */
/* Commands, groups and results as JSON; see vivgpu_group_text.h. */

#include "vivgpu_group_text.h"

#include <inttypes.h>
#include <string.h>

#include "vivgpu_group_out.h"

/*
 * Bytes that are not ASCII are escaped as Latin-1, since the text may be truncated within a
 * character.
 */
static void
put_string(struct vivgpu_group_out *out, const char *string, size_t length)
{
   vivgpu_group_put(out, "\"");
   for (size_t i = 0; i < length; i++) {
      unsigned char c = string[i];

      if (c == '"' || c == '\\')
         vivgpu_group_put(out, "\\%c", c);
      else if (c < ' ' || c > '~')
         vivgpu_group_put(out, "\\u%04x", c);
      else
         vivgpu_group_put(out, "%c", c);
   }
   vivgpu_group_put(out, "\"");
}

int
vivgpu_json_string(char *text, size_t size, const char *string, size_t length)
{
   struct vivgpu_group_out out = {text, size, 0};

   put_string(&out, string, length);
   return out.length;
}

/* A member with a format's name, or its number if it has none. */
static void
put_format(struct vivgpu_group_out *out, const char *member, vivgpu_format_name name, unsigned format)
{
   const char *text = name ? name(format) : NULL;

   if (text)
      vivgpu_group_put(out, ",\"%s\":\"%s\"", member, text);
   else
      vivgpu_group_put(out, ",\"%s\":%u", member, format);
}

static void
put_target(struct vivgpu_group_out *out, const struct vivgpu_group_target *target, vivgpu_format_name name)
{
   if (!target->id)
      return;
   vivgpu_group_put(out, ",\"target\":{\"id\":%u,\"width\":%u,\"height\":%u,\"samples\":%u,\"colors\":%u",
       target->id, target->width, target->height, target->samples, target->num_colors);
   if (target->color_format)
      put_format(out, "color_format", name, target->color_format);
   if (target->depth_format)
      put_format(out, "depth_format", name, target->depth_format);
   vivgpu_group_put(out, ",\"color_bytes\":%u,\"depth_bytes\":%u}", target->color_bytes, target->depth_bytes);
}

static void
put_textures(struct vivgpu_group_out *out, const struct vivgpu_command_draw *draw, vivgpu_format_name name)
{
   vivgpu_group_put(out, ",\"num_textures\":%u,\"texture_bytes\":%u,\"textures\":[", draw->num_textures,
       draw->texture_bytes);
   for (unsigned i = 0; i < draw->num_textures && i < VIVGPU_DRAW_TEXTURES; i++) {
      const struct vivgpu_group_texture *texture = &draw->textures[i];

      vivgpu_group_put(out, "%s{\"width\":%u,\"height\":%u,\"layers\":%u,\"levels\":%u", i ? "," : "",
          texture->width, texture->height, texture->layers, texture->levels);
      put_format(out, "format", name, texture->format);
      vivgpu_group_put(out, ",\"filter\":%u,\"anisotropy\":%u}", texture->filter, texture->anisotropy);
   }
   vivgpu_group_put(out, "]");
}

/* x, y, width, height */
static void
put_area(struct vivgpu_group_out *out, const uint16_t area[4])
{
   vivgpu_group_put(out, ",\"area\":[%u,%u,%u,%u]", area[0], area[1], area[2], area[3]);
}

static void
put_draw(struct vivgpu_group_out *out, const struct vivgpu_command_draw *draw, vivgpu_format_name name)
{
   vivgpu_group_put(out, ",\"mode\":\"%s\",\"count\":%u,\"instances\":%u,\"primitives\":%u,\"state\":%u",
       vivgpu_draw_mode_name(draw->mode), draw->count, draw->instances, draw->primitives,
       draw->state);
   vivgpu_group_put(out, ",\"program\":%u,\"vertex_bytes\":%u,\"index_bytes\":%u,\"varyings\":%u", draw->program,
       draw->vertex_bytes, draw->index_bytes, draw->varyings);
   vivgpu_group_put(out, ",\"instructions\":[%u,%u],\"lookups\":[%u,%u],\"temporaries\":[%u,%u]",
       draw->instructions[0], draw->instructions[1], draw->lookups[0], draw->lookups[1],
       draw->temporaries[0], draw->temporaries[1]);
   put_area(out, draw->area);
   if (draw->num_textures)
      put_textures(out, draw, name);
}

static void
put_copy(struct vivgpu_group_out *out, const struct vivgpu_command_copy *copy, vivgpu_format_name name)
{
   vivgpu_group_put(out, ",\"width\":%u,\"height\":%u,\"source_samples\":%u,\"destination_samples\":%u",
       copy->width, copy->height, copy->source_samples, copy->destination_samples);
   put_format(out, "source_format", name, copy->source_format);
   put_format(out, "destination_format", name, copy->destination_format);
   vivgpu_group_put(out, ",\"source_ts\":%u,\"by\":%u,\"bytes_read\":%u,\"bytes_written\":%u", copy->source_ts,
       copy->by, copy->bytes_read, copy->bytes_written);
}

static void
put_upload(struct vivgpu_group_out *out, const struct vivgpu_command_upload *upload, vivgpu_format_name name)
{
   vivgpu_group_put(out, ",\"bytes\":%u,\"by_gpu\":%u", upload->bytes, upload->by_gpu);
   if (!upload->format)
      return;
   put_format(out, "format", name, upload->format);
   vivgpu_group_put(out, ",\"width\":%u,\"height\":%u,\"level\":%u", upload->width, upload->height,
       upload->level);
}

int
vivgpu_command_json(char *text, size_t size, const struct vivgpu_command *command,
                    vivgpu_format_name format)
{
   struct vivgpu_group_out out = {text, size, 0};

   vivgpu_group_put(&out, "{\"type\":\"%s\",\"offset\":%u", vivgpu_command_type_name(command->type),
       command->offset);
   if (command->flags)
      vivgpu_group_put(&out, ",\"flags\":%u", command->flags);
   /* Of a SWAP only the target, its window, is written; the others have no parameters. */
   switch (command->type) {
   case VIVGPU_COMMAND_DRAW:
      put_draw(&out, &command->draw, format);
      break;
   case VIVGPU_COMMAND_CLEAR:
      vivgpu_group_put(&out, ",\"kind\":%u,\"buffers\":%u,\"bytes\":%u", command->clear.kind,
          command->clear.buffers, command->clear.bytes);
      put_area(&out, command->clear.area);
      break;
   case VIVGPU_COMMAND_COPY:
   case VIVGPU_COMMAND_RESOLVE:
      put_copy(&out, &command->copy, format);
      break;
   case VIVGPU_COMMAND_UPLOAD:
      put_upload(&out, &command->upload, format);
      break;
   case VIVGPU_COMMAND_QUERY:
      vivgpu_group_put(&out, ",\"query\":%u,\"end\":%u", command->query.type, command->query.end);
      break;
   case VIVGPU_COMMAND_DEBUG_PUSH:
   case VIVGPU_COMMAND_DEBUG_MARKER:
   case VIVGPU_COMMAND_DEBUG_LABEL:
      vivgpu_group_put(&out, ",\"text\":");
      put_string(&out, command->text, strnlen(command->text, VIVGPU_COMMAND_TEXT));
      break;
   }
   put_target(&out, &command->target, format);
   vivgpu_group_put(&out, "}");
   return out.length;
}

int
vivgpu_group_json(char *text, size_t size, const struct vivgpu_group *group)
{
   struct vivgpu_group_out out = {text, size, 0};

   vivgpu_group_put(&out,
       "\"cookie\":%" PRIu64 ",\"client\":%" PRIu64 ",\"sequence\":%" PRIu64
       ",\"submitted_ns\":%" PRIu64,
       group->cookie, group->client, group->sequence, group->submitted_ns);
   if (group->predicted_ns || group->bound_ns)
      vivgpu_group_put(&out, ",\"predicted_ns\":%" PRIu64 ",\"bound_ns\":%" PRIu64, group->predicted_ns,
          group->bound_ns);
   vivgpu_group_put(&out,
       ",\"submitted_vertices\":%" PRIu64 ",\"frame\":%u,\"queue\":%u,\"job\":%u,"
       "\"stream_bytes\":%u,\"reason\":\"%s\",\"draws\":%u,\"num_commands\":%u,"
       "\"lost_commands\":%u",
       group->vertices, group->frame, group->queue, group->job, group->stream_bytes,
       vivgpu_group_reason_name(group->reason), group->num_draws, group->num_commands,
       group->num_lost_commands);
   return out.length;
}

int
vivgpu_group_result_json(char *text, size_t size, const struct vivgpu_group_result *result)
{
   struct vivgpu_group_out out = {text, size, 0};

   vivgpu_group_put(&out,
       "\"queued_ns\":%" PRIu64 ",\"started_ns\":%" PRIu64 ",\"finished_ns\":%" PRIu64
       ",\"execution_ns\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"prologue_bytes\":%u,\"flags\":%u",
       result->queued_ns, result->started_ns, result->finished_ns,
       result->finished_ns - result->started_ns, result->cycles, result->prologue_bytes,
       result->flags);
   if (result->flags & VIVGPU_RESULT_COUNTS)
      vivgpu_group_put(&out,
          ",\"vertices\":%" PRIu64 ",\"primitives\":%" PRIu64 ",\"fragments\":%" PRIu64,
          result->vertices, result->primitives, result->fragments);
   return out.length;
}
