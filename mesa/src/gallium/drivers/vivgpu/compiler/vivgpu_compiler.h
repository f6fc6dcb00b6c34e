/*
 * SPDX-License-Identifier: MIT
 *
 * The shader compiler of the vivgpu driver: NIR in, machine code of a Vivante
 * GC core and everything a driver has to know to run it out.
 *
 * Compiling is pure: no context, no screen, no global state. The same NIR, key
 * and core give the same shader, on any thread.
 */

#ifndef VIVGPU_COMPILER_H
#define VIVGPU_COMPILER_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/shader_enums.h"

#ifdef __cplusplus
extern "C" {
#endif

struct blob;
struct blob_reader;
struct etna_core_info;
struct nir_shader;
struct nir_shader_compiler_options;
struct util_debug_callback;
struct vivgpu_compiler;

#define VIVGPU_MAX_VARYINGS      16   /* inputs of a fragment, outputs of a vertex shader */
#define VIVGPU_MAX_ATTRIBUTES    16   /* inputs of a vertex shader */
#define VIVGPU_MAX_COLOR_OUTPUTS 8    /* colours of a fragment shader */
#define VIVGPU_MAX_SAMPLERS      16   /* of one stage */
#define VIVGPU_INSTRUCTION_WORDS 4    /* 32-bit words of an instruction */
#define VIVGPU_NO_REG            (-1) /* there is no such input or output */

/* A scratch buffer's first bytes: a counter, which the driver sets to zero once. */
#define VIVGPU_SCRATCH_HEADER 64

/* Lines and points that are smooth: how much of a fragment one covers. */
enum vivgpu_coverage {
   VIVGPU_COVERAGE_WHOLE,
   VIVGPU_COVERAGE_LINE,  /* places across and along it, each followed by where it ends */
   VIVGPU_COVERAGE_POINT, /* x, where it ends, y, its area if that is less than 1 */
};

/* What a fragment shader does besides, for draws that the core can't do by itself. */
struct vivgpu_fragment_extras {
   /* The face is x of input VIVGPU_FACE_LOCATION, 1 for front faces, else 0. */
   uint8_t face_input : 1;
   /* enum vivgpu_coverage, by input VIVGPU_COVERAGE_LOCATION: pixels times w. */
   uint8_t coverage : 2;
   /* Eighths: fragments with less alpha are killed. */
   uint8_t alpha_ref : 3;
   /* Alpha is 1 after that. */
   uint8_t alpha_to_one : 1;
};

/*
 * What a shader depends on besides its NIR. All zero is the common case.
 * Compared with memcmp(): set the whole key to zero first.
 */
struct vivgpu_shader_key {
   /* Fragment shaders: bit n exchanges red and blue of colour n. */
   uint8_t frag_rb_swap;
   /* Fragment shaders: how many colours gl_FragColor goes to; 0 means 1. */
   uint8_t num_color_outputs;
   /* Fragment shaders: bit n replaces texture coordinate n by the point coordinate. */
   uint8_t sprite_coord_enable;
   /* Fragment shaders: 1 + the sampler of the polygons' pattern; 0: not stippled. */
   uint8_t stipple;
   /* Both stages: user clip planes; vertices write distances, fragments are killed by them. */
   uint8_t ucp_enables;
   /* The point coordinate's y grows upwards. */
   bool sprite_coord_yinvert;
   /* Colours without an interpolation of their own are flat. */
   bool flatshade;
   /* Fragment shaders: the front face is the counter-clockwise one. */
   bool front_ccw;
   struct vivgpu_fragment_extras extras;
   /*
    * Samplers whose comparison the core cannot do by itself (before HALTI2):
    * bit n, and for each of those the comparison and the view's swizzle.
    */
   uint16_t lower_shadow;
   uint8_t shadow_func[VIVGPU_MAX_SAMPLERS];       /* enum compare_func */
   uint8_t shadow_swizzle[VIVGPU_MAX_SAMPLERS][4]; /* enum pipe_swizzle */
   /* Samplers with a border, which no core has: VIVGPU_BORDER_*; 0: none. */
   uint16_t border[VIVGPU_MAX_SAMPLERS];
};

/*
 * Where a vertex shader says which face it is of, and where the fragment is in a smooth line or
 * point; no shader of an application gets that far.
 */
#define VIVGPU_FACE_LOCATION     VARYING_SLOT_VAR31
#define VIVGPU_COVERAGE_LOCATION VARYING_SLOT_VAR30

/* A sampler's border, for axis 0 to 2: it begins at the edge; or half a texel inside, at most. */
#define VIVGPU_BORDER_AXIS(axis)  (1u << (axis))
#define VIVGPU_BORDER_CLAMP(axis) (8u << (axis))
/* Filters of its sampler. */
#define VIVGPU_BORDER_MAG_LINEAR (1u << 6)
#define VIVGPU_BORDER_MIN_LINEAR (1u << 7)
#define VIVGPU_BORDER_MIPMAPS    (1u << 8)
#define VIVGPU_BORDER_MIP_LINEAR (1u << 9)
/* How a reference is compared with it: enum compare_func. */
#define VIVGPU_BORDER_COMPARES(func) ((func) << 10)
#define VIVGPU_BORDER_FUNC(border)   ((border) >> 10 & 7)

/* What one component of a uniform register has to hold when the shader runs. */
enum vivgpu_uniform_kind {
   VIVGPU_UNIFORM_UNUSED,          /* anything */
   VIVGPU_UNIFORM_CONSTANT,        /* value itself */
   VIVGPU_UNIFORM_USER,            /* word number value of constant buffer 0 */
   VIVGPU_UNIFORM_UBO_ADDRESS,     /* GPU address of constant buffer number value */
   VIVGPU_UNIFORM_TEXTURE_WIDTH,   /* of level 0 of the view of sampler value; */
   VIVGPU_UNIFORM_TEXTURE_HEIGHT,  /*    an integer with HALTI2, else a float */
   VIVGPU_UNIFORM_TEXTURE_DEPTH,   /* or layers */
   VIVGPU_UNIFORM_TEXTURE_SCALE_X, /* float: 1 / width */
   VIVGPU_UNIFORM_TEXTURE_SCALE_Y, /* float: 1 / height */
   VIVGPU_UNIFORM_CLIP_PLANE,      /* component value % 4 of user clip plane value / 4 */
   VIVGPU_UNIFORM_SCRATCH_ADDRESS, /* GPU address of the stage's scratch buffer */
   VIVGPU_UNIFORM_BORDER_COLOR,    /* component value % 4 of the border of sampler value / 4 */
   VIVGPU_UNIFORM_SAMPLER_LOD,     /* of sampler value / 4: its bias, least, most level of detail */
};

struct vivgpu_uniform {
   uint8_t kind; /* enum vivgpu_uniform_kind */
   uint32_t value;
};

/* An input or output that the stages have to agree on, or an attribute. */
struct vivgpu_io {
   uint8_t location;      /* gl_vert_attrib for a vertex shader's input, else gl_varying_slot */
   uint8_t reg;           /* temporary, starting at component x */
   uint8_t components;    /* 1..4 */
   uint8_t interpolation; /* enum glsl_interp_mode; a fragment shader's inputs */
};

/* What a shader costs; for shader-db and for predictions. */
struct vivgpu_shader_stats {
   uint32_t instructions;
   uint32_t temps;
   uint32_t spills, fills; /* STORE and LOAD instructions to and from the scratch buffer */
   uint32_t uniforms;      /* registers */
   uint32_t constants;     /* components that are constants */
   uint32_t immediates;    /* operands */
   uint32_t textures;      /* instructions */
   uint32_t loads;         /* of uniform buffers */
   uint32_t branches;
   uint32_t loops;
   uint32_t cycles; /* estimate: each instruction once, ten times more for each loop around it */
};

struct vivgpu_shader {
   gl_shader_stage stage;

   uint32_t *code; /* VIVGPU_INSTRUCTION_WORDS words each */
   uint32_t num_instructions;
   uint32_t num_temps; /* temporaries 0 .. num_temps - 1 are used */

   /*
    * Uniform registers from 0 on, four components each; num_uniforms is a
    * multiple of 4. User uniforms come first, in their order and whole, so that
    * they are few runs to copy; a few more may follow among the constants.
    */
   struct vivgpu_uniform *uniforms;
   uint32_t num_uniforms; /* components */

   /*
    * Vertex shader: by driver_location, which is the vertex element's number.
    * Fragment shader: input i is in register i + 1, as the core has it; a
    * location may be VARYING_SLOT_PNTC, which has no output to match.
    */
   struct vivgpu_io inputs[VIVGPU_MAX_ATTRIBUTES];
   uint32_t num_inputs;

   /* Vertex shader: without position and point size. */
   struct vivgpu_io outputs[VIVGPU_MAX_VARYINGS];
   uint32_t num_outputs;

   /* Vertex shader */
   int8_t position_reg;
   int8_t point_size_reg; /* component x */
   int8_t vertex_id_reg;  /* input: x is the vertex number, y that of the instance */

   /* Fragment shader */
   int8_t color_reg[VIVGPU_MAX_COLOR_OUTPUTS];
   bool writes_depth; /* register 0, component z */
   bool uses_kill;
   bool uses_point_coord;
   bool uses_frag_coord; /* register 0, which holds it in any case */

   uint16_t samplers;      /* bit n: sampler n of the stage is used */
   uint32_t scratch_bytes; /* of the stage's own scratch buffer, header and all; 0: none */

   struct vivgpu_shader_stats stats;
};

/*
 * vivgpu_compiler_create: a compiler for one core.
 *
 * info has to live as long as the compiler; threads is how many the core's shaders have.
 * Returns NULL when out of memory.
 */
struct vivgpu_compiler *vivgpu_compiler_create(const struct etna_core_info *info, unsigned threads);

void vivgpu_compiler_destroy(struct vivgpu_compiler *compiler);

/* vivgpu_compiler_nir_options: how NIR for this compiler has to look; lives as long as it. */
const struct nir_shader_compiler_options *
vivgpu_compiler_nir_options(const struct vivgpu_compiler *compiler);

/* vivgpu_compiler_max_uniforms: uniform registers a shader of that stage may use. */
unsigned vivgpu_compiler_max_uniforms(const struct vivgpu_compiler *compiler,
                                      gl_shader_stage stage);

/* vivgpu_compiler_max_instructions: instructions a shader may have. */
unsigned vivgpu_compiler_max_instructions(const struct vivgpu_compiler *compiler);

/*
 * vivgpu_compile: compile a vertex or fragment shader.
 *
 * nir is not changed: inputs and outputs as variables, uniforms lowered as
 * Gallium hands them over. gl_FragCoord and gl_FrontFacing are system values,
 * the point coordinate is an input.
 *
 * Returns NULL when the shader cannot be compiled for this core, and then a
 * line that says why in *error (free() it), if error is not NULL.
 */
struct vivgpu_shader *vivgpu_compile(const struct vivgpu_compiler *compiler,
                                     const struct nir_shader *nir,
                                     const struct vivgpu_shader_key *key, char **error);

void vivgpu_shader_destroy(struct vivgpu_shader *shader);

/* vivgpu_shader_serialize: append the shader to blob, for the disk cache. */
void vivgpu_shader_serialize(const struct vivgpu_shader *shader, struct blob *blob);

/* vivgpu_shader_deserialize: the shader that was serialized, or NULL if blob holds none. */
struct vivgpu_shader *vivgpu_shader_deserialize(struct blob_reader *blob);

/* vivgpu_shader_report: one line of statistics in shader-db's format to debug. */
void vivgpu_shader_report(const struct vivgpu_shader *shader, struct util_debug_callback *debug);

/* vivgpu_shader_disassemble: the code and what surrounds it as text; free() it. */
char *vivgpu_shader_disassemble(const struct vivgpu_shader *shader);

#ifdef __cplusplus
}
#endif

#endif
