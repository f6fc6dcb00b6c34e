/* SPDX-License-Identifier: MIT */
/* The terms of a group; see vivgpu_terms.h. */

#include "vivgpu_terms.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "vivgpu_hash.h"

/*
 * Priors: costs in cycles that are assumed until measured ones replace them, in the order of
 * magnitude of a core of this kind.
 */
#define CYCLES_PER_GROUP   4000.0
#define CYCLES_PER_COMMAND 400.0
#define CYCLES_PER_BYTE    0.12
#define CYCLES_PER_DRAW    60.0
#define CODE_PER_CYCLE     4.0 /* instructions per cycle */
#define CYCLES_PER_LOOKUP  0.5
/* Least prior of a vertex or fragment: its uncertainty is relative to it, so it must not be 0. */
#define SMALLEST_CYCLES 0.25

/* Draws of a group that differ in what their terms depend on; more of them replace older ones. */
#define DRAW_KINDS 32

/* A draw, and what was found for it: its class, its term of draws (or NULL), a hash of both keys */
struct draw_kind {
   const struct vivgpu_command *command;
   struct vivgpu_draw_class *class;
   struct vivgpu_term *draw;
   uint64_t hash;
};

struct draw_kinds {
   struct draw_kind kinds[DRAW_KINDS];
   unsigned count;
   /* Index of the kind that was found or added last */
   unsigned last;
   /* Kind of the last draw; NULL if that does not count, or there is none */
   const struct draw_kind *previous;
   /* The first of the last draws of this kind with equal amounts, and how many they are */
   const struct vivgpu_command *equal;
   unsigned num_equal;
};

/* Return the term with a key, added if necessary; NULL if the table is full. */
static struct vivgpu_term *
term_of(struct vivgpu_terms *terms, enum vivgpu_term_kind kind, uint64_t key, uint64_t family,
        double prior)
{
   struct vivgpu_term *term;

   key = vivgpu_hash_add(key, kind);
   for (unsigned i = 0; i < terms->num_terms; i++) {
      if (terms->terms[i].key == key)
         return &terms->terms[i];
   }
   if (terms->num_terms == VIVGPU_TERMS)
      return NULL;

   term = &terms->terms[terms->num_terms++];
   *term = (struct vivgpu_term){
      .key = key,
      .family = vivgpu_hash_add(family, kind),
      .prior = prior,
      .kind = kind,
   };
   return term;
}

/* Add an amount to a term of commands that are no draws; dropped if there are too many kinds. */
static void
add(struct vivgpu_terms *terms, enum vivgpu_term_kind kind, uint64_t key, double prior,
    double amount)
{
   struct vivgpu_term *term = term_of(terms, kind, key, 0, prior);

   if (term)
      term->amount += amount;
}

/* A command with a cost of its own and one per byte. */
static void
add_bytes(struct vivgpu_terms *terms, enum vivgpu_term_kind kind, uint64_t key, double bytes)
{
   /* Beside these two, keep entries for a class of draws (two) and the term of draws. */
   if (terms->num_terms + 5 > VIVGPU_TERMS)
      return;
   add(terms, kind, key, CYCLES_PER_COMMAND, 1);
   /* The kind of their bytes */
   add(terms, kind + 1, key, CYCLES_PER_BYTE, bytes);
}

static void
add_clear(struct vivgpu_terms *terms, const struct vivgpu_command *command)
{
   const struct vivgpu_command_clear *clear = &command->clear;
   uint64_t key = vivgpu_hash_add(command->target.samples, clear->kind);

   if (clear->kind == VIVGPU_CLEAR_CPU)
      return;
   if (clear->kind == VIVGPU_CLEAR_DRAW)
      key = vivgpu_hash_add(key, clear->buffers);
   add_bytes(terms, VIVGPU_TERM_CLEAR, key, clear->bytes);
}

/*
 * A copy counts as so many bytes per pixel, whatever its formats are: costs are learnt apart for each
 * pair of formats, which corrects the factor.
 */
#define COPIED_PIXEL 4

static void
add_copy(struct vivgpu_terms *terms, enum vivgpu_term_kind kind,
         const struct vivgpu_command *command)
{
   const struct vivgpu_command_copy *copy = &command->copy;
   uint64_t key = vivgpu_hash_add(copy->by, copy->source_ts);

   if (copy->by == VIVGPU_COPY_CPU)
      return;
   key = vivgpu_hash_add(key, copy->source_samples | copy->destination_samples << 8);
   key = vivgpu_hash_add(key, copy->source_format | (uint32_t)copy->destination_format << 16);
   /* The resolve engine's time follows the pixels of the copy; bytes include padding. */
   if (kind == VIVGPU_TERM_COPY && copy->width && copy->height)
      add_bytes(terms, kind, key, 2.0 * COPIED_PIXEL * copy->width * copy->height);
   else
      add_bytes(terms, kind, key, (double)copy->bytes_read + copy->bytes_written);
}

static void
add_upload(struct vivgpu_terms *terms, const struct vivgpu_command *command)
{
   const struct vivgpu_command_upload *upload = &command->upload;

   if (upload->by_gpu)
      add_bytes(terms, VIVGPU_TERM_UPLOAD, upload->format, upload->bytes);
}

/* Draws with equal keys have the same cost per vertex. */
static uint64_t
vertex_key(const struct vivgpu_command_draw *draw)
{
   uint64_t key = vivgpu_hash_add(draw->program, draw->vertex_bytes);

   return vivgpu_hash_add(key, draw->state & (VIVGPU_DRAW_INDEXED | VIVGPU_DRAW_SWTNL));
}

/* Draws with equal keys have the same cost per fragment. */
static uint64_t
fragment_key(const struct vivgpu_command_draw *draw, const struct vivgpu_group_target *target)
{
   uint64_t key = vivgpu_hash_add(draw->program, draw->state & ~VIVGPU_DRAW_SCISSOR);
   unsigned textures = draw->num_textures;

   key = vivgpu_hash_add(key, target->width | (uint32_t)target->height << 16);
   key = vivgpu_hash_add(key, target->color_format | (uint32_t)target->depth_format << 16);
   key = vivgpu_hash_add(key, target->samples);
   if (textures > VIVGPU_DRAW_TEXTURES)
      textures = VIVGPU_DRAW_TEXTURES;
   for (unsigned i = 0; i < textures; i++) {
      const struct vivgpu_group_texture *texture = &draw->textures[i];

      key = vivgpu_hash_add(key, texture->width | (uint32_t)texture->height << 16);
      key = vivgpu_hash_add(key, texture->format | (uint32_t)texture->filter << 16 |
                                    (uint32_t)texture->anisotropy << 24);
   }
   return key;
}

/* Cycles per vertex: the code or the attributes, whichever takes longer. */
static double
vertex_prior(const struct vivgpu_command_draw *draw)
{
   double code = draw->instructions[0] / CODE_PER_CYCLE;
   double bytes = draw->vertex_bytes * CYCLES_PER_BYTE;
   double prior = code > bytes ? code : bytes;

   return prior > SMALLEST_CYCLES ? prior : SMALLEST_CYCLES;
}

/* Cycles per fragment: the code, the lookups or the pixel's bytes, whichever takes longer. */
static double
fragment_prior(const struct vivgpu_command_draw *draw, const struct vivgpu_group_target *target)
{
   double code = draw->instructions[1] / CODE_PER_CYCLE;
   double lookups = draw->lookups[1] * CYCLES_PER_LOOKUP;
   double bytes = target->color_bytes;
   double prior = code > lookups ? code : lookups;

   if (draw->state & VIVGPU_DRAW_BLEND)
      bytes *= 2;
   if (draw->state & (VIVGPU_DRAW_DEPTH_TEST | VIVGPU_DRAW_DEPTH_WRITE | VIVGPU_DRAW_STENCIL))
      bytes += target->depth_bytes;
   bytes *= (target->samples ? target->samples : 1) * CYCLES_PER_BYTE;
   if (bytes > prior)
      prior = bytes;
   return prior > SMALLEST_CYCLES ? prior : SMALLEST_CYCLES;
}

/*
 * Find the class of a draw, or add it; the last one if there is no room for another. For a first
 * class there is: add_bytes() leaves room for its terms.
 */
static struct vivgpu_draw_class *
class_of(struct vivgpu_terms *terms, const struct vivgpu_command *command)
{
   const struct vivgpu_command_draw *draw = &command->draw;
   uint64_t program = vivgpu_hash_add(0, draw->program);
   struct vivgpu_term *vertex, *fragment;
   struct vivgpu_draw_class *class;

   if (terms->num_terms + 2 > VIVGPU_TERMS && terms->num_classes)
      return &terms->classes[terms->num_classes - 1];
   vertex = term_of(terms, VIVGPU_TERM_VERTEX, vertex_key(draw), program, vertex_prior(draw));
   fragment = term_of(terms, VIVGPU_TERM_FRAGMENT, fragment_key(draw, &command->target), program,
                      fragment_prior(draw, &command->target));
   for (unsigned i = 0; i < terms->num_classes; i++) {
      class = &terms->classes[i];
      if (&terms->terms[class->vertex_term] == vertex &&
          &terms->terms[class->fragment_term] == fragment)
         return class;
   }
   if (terms->num_classes == VIVGPU_DRAW_CLASSES)
      return &terms->classes[VIVGPU_DRAW_CLASSES - 1];

   class = &terms->classes[terms->num_classes++];
   *class = (struct vivgpu_draw_class){
      .vertex_term = (uint8_t)(vertex - terms->terms),
      .fragment_term = (uint8_t)(fragment - terms->terms),
      .samples = command->target.samples ? command->target.samples : 1,
   };
   return class;
}

/*
 * True if two draws have the same class, because all that classes depend on is equal. Others may
 * have the same class, too.
 */
static bool
is_alike(const struct vivgpu_command *a, const struct vivgpu_command *b)
{
   return a->draw.program == b->draw.program && a->draw.state == b->draw.state &&
          a->draw.vertex_bytes == b->draw.vertex_bytes &&
          a->draw.num_textures == b->draw.num_textures &&
          !memcmp(&a->target, &b->target, sizeof(a->target)) &&
          (!a->draw.num_textures ||
           !memcmp(a->draw.textures, b->draw.textures, sizeof(a->draw.textures)));
}

/* True if a draw is of the same kind as the previous one, which is not NULL. */
static bool
continues(const struct draw_kinds *kinds, const struct vivgpu_command *command)
{
   const struct vivgpu_command *last = kinds->previous->command;

   if (command->flags & VIVGPU_COMMAND_FIRST_PART)
      return false;
   /* Only VIVGPU_DRAW_INDEXED of what a class depends on can differ in a repetition. */
   return command->repeats ? last->draw.state == command->draw.state : is_alike(last, command);
}

/* Return the kind of a draw, added if no earlier draw was alike. */
static const struct draw_kind *
kind_of(struct vivgpu_terms *terms, struct draw_kinds *kinds, const struct vivgpu_command *command)
{
   struct draw_kind *kind;
   struct vivgpu_draw_class *class;

   if (kinds->previous && continues(kinds, command))
      return kinds->previous;
   for (unsigned i = 0; i < kinds->count; i++) {
      /* Most draws are like the one before. */
      kind = &kinds->kinds[(kinds->last + i) % kinds->count];
      if (is_alike(kind->command, command)) {
         kinds->last = (unsigned)(kind - kinds->kinds);
         return kind;
      }
   }
   kinds->last = kinds->count < DRAW_KINDS ? kinds->count++ : (kinds->last + 1) % DRAW_KINDS;
   kind = &kinds->kinds[kinds->last];
   kind->command = command;
   kind->draw = term_of(terms, VIVGPU_TERM_DRAW, command->draw.state & VIVGPU_DRAW_INDEXED, 0,
                        CYCLES_PER_DRAW);
   kind->class = class = class_of(terms, command);
   kind->hash =
      vivgpu_hash_add(terms->terms[class->vertex_term].key, terms->terms[class->fragment_term].key);
   return kind;
}

/* A draw's amounts as a word for the exact hash; the multiplication spreads the area over it. */
static uint64_t
amounts_of(const struct vivgpu_command_draw *draw)
{
   uint64_t area = draw->area[2] | (uint64_t)draw->area[3] << 16;

   return (draw->count | (uint64_t)draw->instances << 32) ^ area * UINT64_C(0x9e3779b97f4a7c15);
}

/* Add the amounts of the last equal draws, if there are any. */
static void
add_equal(struct vivgpu_terms *terms, struct draw_kinds *kinds)
{
   const struct draw_kind *kind = kinds->previous;
   const struct vivgpu_command_draw *draw;
   struct vivgpu_draw_class *class;
   double number = kinds->num_equal, vertices, area;

   if (!kinds->num_equal)
      return;
   draw = &kinds->equal->draw;
   class = kind->class;
   vertices = number * draw->count * draw->instances;
   area = number * draw->area[2] * draw->area[3];
   if (kind->draw)
      kind->draw->amount += number;
   class->draws += number;
   class->vertices += vertices;
   class->primitives += number * draw->primitives;
   class->area += area;
   terms->terms[class->vertex_term].amount += vertices;
   terms->draws += number;
   terms->vertices += vertices;
   terms->area += area;
   terms->exact = vivgpu_hash_add(terms->exact ^ kind->hash ^ kinds->num_equal, amounts_of(draw));
   kinds->num_equal = 0;
}

/* True if two draws of the same kind have equal amounts. */
static bool
is_equal(const struct vivgpu_command_draw *a, const struct vivgpu_command_draw *b)
{
   return a->count == b->count && a->instances == b->instances && a->primitives == b->primitives &&
          a->area[2] == b->area[2] && a->area[3] == b->area[3];
}

/*
 * Begin with a draw that does not continue the last equal ones, whose amounts are added. Its own
 * are added when a draw or command after it differs, or the group ends.
 */
static void
begin_equal(struct vivgpu_terms *terms, struct draw_kinds *kinds,
            const struct vivgpu_command *command)
{
   add_equal(terms, kinds);
   if (command->flags & VIVGPU_COMMAND_FIRST_PART) {
      kinds->previous = NULL;
      return;
   }
   kinds->previous = kind_of(terms, kinds, command);
   kinds->equal = command;
   kinds->num_equal = 1;
}

static inline void
add_draw(struct vivgpu_terms *terms, struct draw_kinds *kinds, const struct vivgpu_command *command)
{
   if (kinds->num_equal && is_equal(&kinds->equal->draw, &command->draw) &&
       continues(kinds, command))
      kinds->num_equal++;
   else
      begin_equal(terms, kinds, command);
}

/*
 * True if a swap's window is copied, which the last copy of the group is for then. Else the display
 * shows what was drawn, and the core does nothing for the swap.
 */
static bool
is_copied(const struct vivgpu_command *swap, const struct vivgpu_command *copy)
{
   return copy && copy->copy.width == swap->copy.width && copy->copy.height == swap->copy.height;
}

/*
 * Add a command that is no draw. Its bytes are part of the exact hash; those of an upload only in
 * their order of magnitude. Uploads by the processor, queries and debug texts are left out.
 *
 * @copy: the group's last copy before it, or NULL
 */
static void
add_other(struct vivgpu_terms *terms, const struct vivgpu_command *command,
          const struct vivgpu_command *copy)
{
   uint64_t bytes = 0;

   switch (command->type) {
   case VIVGPU_COMMAND_CLEAR:
      add_clear(terms, command);
      bytes = command->clear.bytes;
      break;
   case VIVGPU_COMMAND_COPY:
   case VIVGPU_COMMAND_RESOLVE:
      add_copy(terms, VIVGPU_TERM_COPY, command);
      bytes = command->copy.bytes_read + (uint64_t)command->copy.bytes_written;
      break;
   case VIVGPU_COMMAND_SWAP:
      if (is_copied(command, copy))
         add_copy(terms, VIVGPU_TERM_SWAP, command);
      bytes = command->copy.bytes_read + (uint64_t)command->copy.bytes_written;
      break;
   case VIVGPU_COMMAND_UPLOAD:
      if (!command->upload.by_gpu)
         return;
      add_upload(terms, command);
      bytes = vivgpu_bits(command->upload.bytes);
      break;
   case VIVGPU_COMMAND_FLUSH:
   case VIVGPU_COMMAND_FINISH:
      break;
   default:
      return;
   }
   terms->exact = vivgpu_hash_add(terms->exact, command->type);
   terms->exact = vivgpu_hash_add(terms->exact, bytes);
}

/*
 * Add draws for which the monitor had no room, as one draw of a class without a program. @kinds is
 * not used after this: it refers to that draw, a variable here.
 */
static void
add_lost_draws(struct vivgpu_terms *terms, struct draw_kinds *kinds,
               const struct vivgpu_group *group)
{
   struct vivgpu_command command;
   double vertices;

   add_equal(terms, kinds);
   vertices = (double)group->vertices - terms->vertices;
   if (!group->num_lost_commands || vertices <= 0)
      return;
   memset(&command, 0, sizeof(command));
   command.type = VIVGPU_COMMAND_DRAW;
   command.draw.count = vertices < UINT32_MAX ? (uint32_t)vertices : UINT32_MAX;
   command.draw.instances = 1;
   add_draw(terms, kinds, &command);
   add_equal(terms, kinds);
}

void
vivgpu_terms_of_group(struct vivgpu_terms *terms, const struct vivgpu_group *group,
                      const struct vivgpu_command *commands)
{
   const struct vivgpu_command *copy = NULL;
   struct draw_kinds kinds;

   kinds.count = kinds.last = 0;
   kinds.previous = NULL;
   kinds.num_equal = 0;
   terms->num_terms = terms->num_classes = 0;
   terms->draws = terms->vertices = terms->area = 0;
   terms->exact = 1;
   add(terms, VIVGPU_TERM_GROUP, 0, CYCLES_PER_GROUP, 1);
   add(terms, VIVGPU_TERM_STREAM, 0, CYCLES_PER_BYTE, group->stream_bytes);
   for (uint32_t i = 0; i < group->num_commands; i++) {
      if (commands[i].type == VIVGPU_COMMAND_DRAW) {
         add_draw(terms, &kinds, &commands[i]);
         continue;
      }
      add_equal(terms, &kinds);
      add_other(terms, &commands[i], copy);
      if (commands[i].type == VIVGPU_COMMAND_RESOLVE || commands[i].type == VIVGPU_COMMAND_COPY)
         copy = &commands[i];
   }
   add_lost_draws(terms, &kinds, group);
   terms->shape = 0;
   for (unsigned i = 0; i < terms->num_terms; i++)
      terms->shape += vivgpu_hash_add(1, terms->terms[i].key);
}
