/* SPDX-License-Identifier: MIT */
/* Commands as text for people; see vivgpu_group_text.h. */

#include "vivgpu_group_text.h"

#include "vivgpu_group_out.h"

static void
put_format(struct vivgpu_group_out *out, vivgpu_format_name name, unsigned format)
{
   const char *text = name ? name(format) : NULL;

   if (text)
      vivgpu_group_put(out, "%s", text);
   else
      vivgpu_group_put(out, "format %u", format);
}

static void
put_target(struct vivgpu_group_out *out, const struct vivgpu_group_target *target, vivgpu_format_name name)
{
   if (!target->id)
      return;
   vivgpu_group_put(out, ", to %ux%u", target->width, target->height);
   if (target->color_format) {
      vivgpu_group_put(out, " ");
      put_format(out, name, target->color_format);
   }
   if (target->num_colors > 1)
      vivgpu_group_put(out, " (%u colours)", target->num_colors);
   if (target->depth_format) {
      vivgpu_group_put(out, " ");
      put_format(out, name, target->depth_format);
   }
   if (target->samples > 1)
      vivgpu_group_put(out, " %u samples", target->samples);
   vivgpu_group_put(out, " #%u", target->id);
}

/* Names by the numbers of the bits VIVGPU_DRAW_*; put_draw() tells VIVGPU_DRAW_INDEXED. */
static void
put_state(struct vivgpu_group_out *out, uint32_t state)
{
   static const char *const names[] = {
      NULL,   "depth test", "depth write", "stencil",   "blend",   "late depth",
      "cull", "scissor",    "by processor", "colour ts", "depth ts",
   };

   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      if (names[i] && state & 1u << i)
         vivgpu_group_put(out, ", %s", names[i]);
   }
}

static void
put_texture(struct vivgpu_group_out *out, const struct vivgpu_group_texture *texture, vivgpu_format_name name)
{
   vivgpu_group_put(out, ", texture %ux%u", texture->width, texture->height);
   if (texture->layers > 1)
      vivgpu_group_put(out, "x%u", texture->layers);
   vivgpu_group_put(out, " ");
   put_format(out, name, texture->format);
   if (texture->levels > 1)
      vivgpu_group_put(out, " %u levels", texture->levels);
   vivgpu_group_put(out, "%s%s%s", texture->filter & VIVGPU_FILTER_LINEAR ? " linear" : "",
       texture->filter & VIVGPU_FILTER_MIPMAP ? " mipmap" : "",
       texture->filter & VIVGPU_FILTER_TRILINEAR ? " trilinear" : "");
   if (texture->anisotropy > 1)
      vivgpu_group_put(out, " %ux anisotropic", texture->anisotropy);
}

/* Number of textures that are described one by one */
static unsigned
num_listed(const struct vivgpu_command_draw *draw)
{
   return draw->num_textures < VIVGPU_DRAW_TEXTURES ? draw->num_textures : VIVGPU_DRAW_TEXTURES;
}

static void
put_draw(struct vivgpu_group_out *out, const struct vivgpu_command *command, vivgpu_format_name name)
{
   const struct vivgpu_command_draw *draw = &command->draw;

   vivgpu_group_put(out, " %s %u", vivgpu_draw_mode_name(draw->mode), draw->count);
   if (draw->instances != 1)
      vivgpu_group_put(out, " x %u instances", draw->instances);
   if (draw->state & VIVGPU_DRAW_INDEXED)
      vivgpu_group_put(out, " by %u-byte indices", draw->index_bytes);
   vivgpu_group_put(out, ", %u primitives, program %08x (%u+%u instructions, %u+%u lookups), %u varyings",
       draw->primitives, draw->program, draw->instructions[0], draw->instructions[1],
       draw->lookups[0], draw->lookups[1], draw->varyings);
   vivgpu_group_put(out, ", %u bytes a vertex, area %ux%u+%u+%u", draw->vertex_bytes, draw->area[2],
       draw->area[3], draw->area[0], draw->area[1]);
   put_state(out, draw->state);
   for (unsigned i = 0; i < num_listed(draw); i++)
      put_texture(out, &draw->textures[i], name);
   if (draw->num_textures > VIVGPU_DRAW_TEXTURES)
      vivgpu_group_put(out, ", %u textures", draw->num_textures);
   if (draw->num_textures)
      vivgpu_group_put(out, ", %u bytes of textures", draw->texture_bytes);
}

/* vivgpu_command_clear.buffers */
static void
put_buffers(struct vivgpu_group_out *out, unsigned buffers)
{
   if (buffers & 1)
      vivgpu_group_put(out, " depth");
   if (buffers & 2)
      vivgpu_group_put(out, " stencil");
   for (unsigned i = 0; i < 4; i++) {
      if (buffers & 4u << i)
         vivgpu_group_put(out, i ? " color%u" : " color", i);
   }
}

/* VIVGPU_CLEAR_* */
static const char *
clear_kind(unsigned kind)
{
   static const char *const names[] = {"fast", "full", "draw", "processor"};

   return kind < 4 ? names[kind] : "?";
}

/* vivgpu_command_copy.by */
static const char *
copy_by(unsigned by)
{
   static const char *const names[] = {"engine", "draw", "processor"};

   return by < 3 ? names[by] : "?";
}

static void
put_copy(struct vivgpu_group_out *out, const struct vivgpu_command_copy *copy, vivgpu_format_name name)
{
   vivgpu_group_put(out, " %ux%u ", copy->width, copy->height);
   put_format(out, name, copy->source_format);
   if (copy->destination_format != copy->source_format) {
      vivgpu_group_put(out, " to ");
      put_format(out, name, copy->destination_format);
   }
   if (copy->source_samples > 1 || copy->destination_samples > 1)
      vivgpu_group_put(out, ", %u samples to %u", copy->source_samples, copy->destination_samples);
   vivgpu_group_put(out, ", by %s%s, %u bytes read, %u written", copy_by(copy->by),
       copy->source_ts ? " through tile status" : "", copy->bytes_read, copy->bytes_written);
}

static void
put_text(struct vivgpu_group_out *out, const char *text)
{
   vivgpu_group_put(out, " \"");
   for (unsigned i = 0; i < VIVGPU_COMMAND_TEXT && text[i]; i++)
      vivgpu_group_put(out, "%c", (unsigned char)text[i] < ' ' || text[i] == 127 ? '?' : text[i]);
   vivgpu_group_put(out, "\"");
}

/* All but the target, which is all that a SWAP shows */
static void
put_parameters(struct vivgpu_group_out *out, const struct vivgpu_command *command,
               vivgpu_format_name format)
{
   const struct vivgpu_command_clear *clear = &command->clear;
   const struct vivgpu_command_upload *upload = &command->upload;

   switch (command->type) {
   case VIVGPU_COMMAND_DRAW:
      put_draw(out, command, format);
      break;
   case VIVGPU_COMMAND_CLEAR:
      put_buffers(out, clear->buffers);
      vivgpu_group_put(out, ", %s, area %ux%u+%u+%u, %u bytes", clear_kind(clear->kind), clear->area[2],
          clear->area[3], clear->area[0], clear->area[1], clear->bytes);
      break;
   case VIVGPU_COMMAND_COPY:
   case VIVGPU_COMMAND_RESOLVE:
      put_copy(out, &command->copy, format);
      break;
   case VIVGPU_COMMAND_UPLOAD:
      vivgpu_group_put(out, " %u bytes", upload->bytes);
      if (upload->format) {
         vivgpu_group_put(out, ", %ux%u ", upload->width, upload->height);
         put_format(out, format, upload->format);
         vivgpu_group_put(out, " level %u", upload->level);
      }
      vivgpu_group_put(out, "%s", upload->by_gpu ? ", copied by the GPU" : "");
      break;
   case VIVGPU_COMMAND_QUERY:
      vivgpu_group_put(out, " %s, type %u", command->query.end ? "end" : "begin", command->query.type);
      break;
   case VIVGPU_COMMAND_DEBUG_PUSH:
   case VIVGPU_COMMAND_DEBUG_MARKER:
   case VIVGPU_COMMAND_DEBUG_LABEL:
      put_text(out, command->text);
      break;
   }
}

int
vivgpu_command_text(char *text, size_t size, const struct vivgpu_command *command,
                    vivgpu_format_name format)
{
   struct vivgpu_group_out out = {text, size, 0};

   vivgpu_group_put(&out, "%s", vivgpu_command_type_name(command->type));
   if (!(command->flags & VIVGPU_COMMAND_UNKNOWN))
      put_parameters(&out, command, format);
   else if (command->type == VIVGPU_COMMAND_DRAW)
      vivgpu_group_put(&out, " %u x %u instances, description lost", command->draw.count,
                       command->draw.instances);
   else
      vivgpu_group_put(&out, ", description lost");
   put_target(&out, &command->target, format);
   if (command->flags & VIVGPU_COMMAND_SECOND_PART)
      vivgpu_group_put(&out, ", began in the group before");
   if (command->flags & VIVGPU_COMMAND_FIRST_PART)
      vivgpu_group_put(&out, ", goes on in the next group");
   return out.length;
}

int
vivgpu_command_short(char *text, size_t size, const struct vivgpu_command *command)
{
   struct vivgpu_group_out out = {text, size, 0};

   vivgpu_group_put(&out, "%s", vivgpu_command_type_name(command->type));
   switch (command->type) {
   case VIVGPU_COMMAND_DRAW:
      vivgpu_group_put(&out, " %llu", (unsigned long long)command->draw.count * command->draw.instances);
      break;
   case VIVGPU_COMMAND_CLEAR:
      put_buffers(&out, command->clear.buffers);
      break;
   case VIVGPU_COMMAND_COPY:
   case VIVGPU_COMMAND_RESOLVE:
      vivgpu_group_put(&out, " %ux%u", command->copy.width, command->copy.height);
      break;
   case VIVGPU_COMMAND_UPLOAD:
      vivgpu_group_put(&out, " %u B", command->upload.bytes);
      break;
   case VIVGPU_COMMAND_DEBUG_PUSH:
   case VIVGPU_COMMAND_DEBUG_MARKER:
   case VIVGPU_COMMAND_DEBUG_LABEL:
      put_text(&out, command->text);
      break;
   }
   if (command->flags & VIVGPU_COMMAND_SECOND_PART)
      vivgpu_group_put(&out, " (2nd part)");
   if (command->flags & VIVGPU_COMMAND_FIRST_PART)
      vivgpu_group_put(&out, " (1st part)");
   return out.length;
}
