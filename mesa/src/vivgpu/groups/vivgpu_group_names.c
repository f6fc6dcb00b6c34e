/* SPDX-License-Identifier: MIT */
/* Names of commands, reasons and modes; see vivgpu_group_text.h. */

#include "vivgpu_group_text.h"

#include <string.h>

#define NUM(names) (sizeof(names) / sizeof((names)[0]))

static const char *const types[] = {
   [VIVGPU_COMMAND_DRAW] = "draw",
   [VIVGPU_COMMAND_CLEAR] = "clear",
   [VIVGPU_COMMAND_COPY] = "copy",
   [VIVGPU_COMMAND_RESOLVE] = "resolve",
   [VIVGPU_COMMAND_UPLOAD] = "upload",
   [VIVGPU_COMMAND_SWAP] = "swap",
   [VIVGPU_COMMAND_FLUSH] = "flush",
   [VIVGPU_COMMAND_FINISH] = "finish",
   [VIVGPU_COMMAND_QUERY] = "query",
   [VIVGPU_COMMAND_DEBUG_PUSH] = "push",
   [VIVGPU_COMMAND_DEBUG_POP] = "pop",
   [VIVGPU_COMMAND_DEBUG_MARKER] = "marker",
   [VIVGPU_COMMAND_DEBUG_LABEL] = "label",
};

static const char *const reasons[] = {
   [VIVGPU_GROUP_FLUSH] = "flush",
   [VIVGPU_GROUP_FINISH] = "finish",
   [VIVGPU_GROUP_SWAP] = "swap",
   [VIVGPU_GROUP_FULL_STREAM] = "full stream",
   [VIVGPU_GROUP_FULL_UPLOAD] = "full upload",
   /* Timestamp points or counters; nothing that is drawn */
   [VIVGPU_GROUP_TOO_MANY_POINTS] = "points",
   [VIVGPU_GROUP_QUERY] = "query",
   [VIVGPU_GROUP_FENCE] = "fence",
   [VIVGPU_GROUP_TRANSFER] = "transfer",
   [VIVGPU_GROUP_CONTEXT] = "context",
};

/* GL_POINTS to GL_POLYGON */
static const char *const modes[] = {
   "points",         "lines",        "line loop", "line strip", "triangles",
   "triangle strip", "triangle fan", "quads",     "quad strip", "polygon",
};

/* A name by its number; "?" for one without a name */
static const char *
name_of(const char *const *names, unsigned count, unsigned number)
{
   return number < count && names[number] ? names[number] : "?";
}

const char *
vivgpu_command_type_name(unsigned type)
{
   return name_of(types, NUM(types), type);
}

unsigned
vivgpu_command_type(const char *name)
{
   for (unsigned i = 0; i < NUM(types); i++) {
      if (types[i] && strcmp(types[i], name) == 0)
         return i;
   }
   return 0;
}

const char *
vivgpu_group_reason_name(unsigned reason)
{
   return name_of(reasons, NUM(reasons), reason);
}

const char *
vivgpu_draw_mode_name(unsigned mode)
{
   return name_of(modes, NUM(modes), mode);
}
