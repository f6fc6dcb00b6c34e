/*
 * SPDX-License-Identifier: MIT
 *
 * Interface of the shader compiler: it translates NIR to machine code of a Vivante GC core and
 * describes the inputs, outputs and uniforms that the driver has to program for it.
 *
 * Compilation is a pure function: it uses no context, screen or global state. The same NIR, key
 * and core give the same code, and a compiler may be used by several threads at the same time.
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

/*
 * Size in bytes of a scratch buffer's header. Its first word is the atomic counter from which
 * invocations get their slots; the driver sets it to zero when it creates the buffer.
 */
#define VIVGPU_SCRATCH_HEADER 64

/*
 * How a fragment shader computes the share of the fragment that a smooth line or point covers:
 * the meaning of x, y, z and w of the vec4 input VIVGPU_COVERAGE_LOCATION, in pixels. Coverage
 * is limit - |distance|, clamped to 0..1. The limit is half the width or half the length of the
 * line plus 0.5, or about the radius of the point plus 0.5 (vivgpu_swtnl_smooth.c). Fragments whose
 * share is 0 are killed.
 */
enum vivgpu_coverage {
   VIVGPU_COVERAGE_WHOLE, /* not smooth: the share is 1, there is no input */
   VIVGPU_COVERAGE_LINE,  /* distance across the line, its limit, distance along it, its limit */
   VIVGPU_COVERAGE_POINT, /* x from the centre, limit, y from the centre, largest coverage */
};

/* Additions to a fragment shader for features that the core does not have. */
struct vivgpu_fragment_extras {
   /* gl_FrontFacing is read from x of input VIVGPU_FACE_LOCATION (1: front), not from the core. */
   uint8_t face_input : 1;
   /* enum vivgpu_coverage; the vertex shader multiplies VIVGPU_COVERAGE_LOCATION by w. */
   uint8_t coverage : 2;
   /* Fragments with alpha < alpha_ref / 8 are killed; 0: none. */
   uint8_t alpha_ref : 3;
   /* Alpha is replaced by 1 after that comparison (GL_SAMPLE_ALPHA_TO_ONE). */
   uint8_t alpha_to_one : 1;
};

/*
 * State that selects a variant of a shader. All zero is the most common key. Keys are compared
 * with memcmp(), so set the whole key, padding included, to zero first.
 */
struct vivgpu_shader_key {
   /* Fragment shaders: bit n exchanges red and blue of colour output n. */
   uint8_t frag_rb_swap;
   /* Fragment shaders: number of colour outputs that gl_FragColor is written to; 0 means 1. */
   uint8_t num_color_outputs;
   /* Fragment shaders: bit n replaces texture coordinate n by the point coordinate. */
   uint8_t sprite_coord_enable;
   /* Fragment shaders: 1 + number of the sampler with the polygon stipple; 0: not stippled. */
   uint8_t stipple;
   /*
    * Both stages: bit n enables user clip plane n. The vertex shader writes the distance to it,
    * the fragment shader kills fragments at a negative distance.
    */
   uint8_t ucp_enables;
   /* gl_PointCoord.y grows upwards; the core's grows downwards. */
   bool sprite_coord_yinvert;
   /* gl_Color and gl_SecondaryColor without an interpolation qualifier are flat. */
   bool flatshade;
   /* Fragment shaders: front faces are counter-clockwise. */
   bool front_ccw;
   /* Vertex shaders: gl_PointSize is rounded to an integer, at least 1. */
   bool round_point_size;
   struct vivgpu_fragment_extras extras;
   /*
    * Bit n: the shader compares the depth that sampler n returns by shadow_func[n] and applies
    * shadow_swizzle[n], the view's swizzle, to the result: samplers before HALTI2 cannot compare.
    */
   uint16_t lower_shadow;
   uint8_t shadow_func[VIVGPU_MAX_SAMPLERS];       /* enum compare_func */
   uint8_t shadow_swizzle[VIVGPU_MAX_SAMPLERS][4]; /* enum pipe_swizzle */
   /* VIVGPU_BORDER_* of each sampler: the shader adds the border's colour; 0: no border. */
   uint16_t border[VIVGPU_MAX_SAMPLERS];
};

/*
 * Varyings of the driver's own vertex shaders: front or back face, and the position within a
 * smooth line or point. Applications have at most 16 varyings, so VAR30 and VAR31 are free.
 */
#define VIVGPU_FACE_LOCATION     VARYING_SLOT_VAR31
#define VIVGPU_COVERAGE_LOCATION VARYING_SLOT_VAR30

/*
 * Flags of vivgpu_shader_key.border for axes 0 to 2. VIVGPU_BORDER_AXIS: GL_CLAMP_TO_BORDER.
 * VIVGPU_BORDER_CLAMP: GL_CLAMP, which clamps the coordinate to 0..1, so that the border's weight
 * in a linear filter is at most 1/2.
 */
#define VIVGPU_BORDER_AXIS(axis)  (1u << (axis))
#define VIVGPU_BORDER_CLAMP(axis) (8u << (axis))
/* Filters of the sampler. A filter without its flag is NEAREST. */
#define VIVGPU_BORDER_MAG_LINEAR (1u << 6)
#define VIVGPU_BORDER_MIN_LINEAR (1u << 7)
#define VIVGPU_BORDER_MIPMAPS    (1u << 8)
#define VIVGPU_BORDER_MIP_LINEAR (1u << 9)
/* The enum compare_func by which the shadow reference is compared with the border. */
#define VIVGPU_BORDER_COMPARES(func) ((func) << 10)
#define VIVGPU_BORDER_FUNC(border)   ((border) >> 10 & 7)

/* Value that the driver has to write to one component of a uniform register. */
enum vivgpu_uniform_kind {
   VIVGPU_UNIFORM_UNUSED,      /* not read: may be left as it is */
   VIVGPU_UNIFORM_CONSTANT,    /* the 32 bits of value */
   VIVGPU_UNIFORM_USER,        /* word number value of constant buffer 0 */
   VIVGPU_UNIFORM_UBO_ADDRESS, /* GPU address of constant buffer number value */
   /* Texels of level 0 of the view of sampler number value: integer from HALTI2 on, else float */
   VIVGPU_UNIFORM_TEXTURE_WIDTH,
   VIVGPU_UNIFORM_TEXTURE_HEIGHT,
   VIVGPU_UNIFORM_TEXTURE_DEPTH,   /* of an array: number of layers */
   VIVGPU_UNIFORM_TEXTURE_SCALE_X, /* float: 1 / width */
   VIVGPU_UNIFORM_TEXTURE_SCALE_Y, /* float: 1 / height */
   VIVGPU_UNIFORM_CLIP_PLANE,      /* component value % 4 of user clip plane value / 4 */
   VIVGPU_UNIFORM_SCRATCH_ADDRESS, /* GPU address of the stage's scratch buffer */
   VIVGPU_UNIFORM_BORDER_COLOR,    /* component value % 4 of the border of sampler value / 4 */
   /* Float of sampler value / 4; value % 4 is 0: LOD bias, 1: minimum LOD, 2: maximum LOD */
   VIVGPU_UNIFORM_SAMPLER_LOD,
};

struct vivgpu_uniform {
   uint8_t kind; /* enum vivgpu_uniform_kind */
   uint32_t value;
};

/* An input or output of a shader: an attribute or a varying. */
struct vivgpu_io {
   uint8_t location;      /* gl_vert_attrib for a vertex shader's input, else gl_varying_slot */
   uint8_t reg;           /* temporary, starting at component x */
   uint8_t components;    /* 1..4, from x to the last one used; 0: an attribute that is not read */
   uint8_t interpolation; /* enum glsl_interp_mode; a fragment shader's inputs */
};

/* Static costs of a shader, for shader-db and for the predictor. */
struct vivgpu_shader_stats {
   uint32_t instructions;
   uint32_t temps;
   uint32_t spills, fills; /* STORE and LOAD instructions to and from the scratch buffer */
   uint32_t uniforms;      /* registers */
   uint32_t constants;     /* components that are constants */
   uint32_t immediates;    /* operands that are immediates */
   uint32_t textures;      /* texture instructions */
   uint32_t loads;         /* LOAD instructions from uniform buffers */
   uint32_t branches;
   uint32_t loops;
   uint32_t cycles; /* estimate: sum of vir_instr_weight() over all instructions */
};

struct vivgpu_shader {
   gl_shader_stage stage;

   uint32_t *code; /* VIVGPU_INSTRUCTION_WORDS words each */
   uint32_t num_instructions;
   uint32_t num_temps; /* temporaries 0 .. num_temps - 1 are used */

   /*
    * Uniform registers from 0 on, four components each; num_uniforms is a multiple of 4. First
    * come user uniforms, whole vectors in the order of their numbers, so that the driver copies
    * few contiguous ranges. The pool follows: constants and values that the driver computes, and
    * components of user uniforms that one instruction reads together with others. If these are too
    * many, components of all kinds are mixed in any order.
    */
   struct vivgpu_uniform *uniforms;
   uint32_t num_uniforms; /* components */

   /*
    * Vertex shader: indexed by driver_location, which is the vertex element's number.
    * Fragment shader: the core writes input i to temporary i + 1. Location VARYING_SLOT_PNTC
    * has no matching output of the vertex shader: the core computes it.
    */
   struct vivgpu_io inputs[VIVGPU_MAX_ATTRIBUTES];
   uint32_t num_inputs;

   /* Vertex shader: varyings; position and point size are not among them. */
   struct vivgpu_io outputs[VIVGPU_MAX_VARYINGS];
   uint32_t num_outputs;

   /* Vertex shader: temporaries, or VIVGPU_NO_REG */
   int8_t position_reg;
   int8_t point_size_reg; /* component x */
   int8_t vertex_id_reg;  /* input: x is the vertex number, y that of the instance */

   /* Fragment shader: temporaries at the program's end, or VIVGPU_NO_REG */
   int8_t color_reg[VIVGPU_MAX_COLOR_OUTPUTS];
   bool writes_depth; /* to z of temporary 0 */
   bool uses_kill;
   bool uses_point_coord;
   bool uses_frag_coord; /* reads temporary 0, which the core always sets to the position */

   uint16_t samplers;      /* bit n: sampler n of the stage is used */
   uint32_t scratch_bytes; /* of the stage's scratch buffer, header included; 0: none */

   struct vivgpu_shader_stats stats;
};

/*
 * vivgpu_compiler_create: create a compiler for one core.
 *
 * info: the core, from Mesa's database; it must live as long as the compiler
 * threads: number of the core's shader threads, as the kernel reports it; 0 if it does not
 *
 * Returns NULL if memory is short.
 */
struct vivgpu_compiler *vivgpu_compiler_create(const struct etna_core_info *info, unsigned threads);

/* vivgpu_compiler_destroy: free the compiler; its shaders stay valid. */
void vivgpu_compiler_destroy(struct vivgpu_compiler *compiler);

/* vivgpu_compiler_nir_options: NIR options of the core; valid as long as the compiler. */
const struct nir_shader_compiler_options *
vivgpu_compiler_nir_options(const struct vivgpu_compiler *compiler);

/* vivgpu_compiler_max_uniforms: number of uniform registers (vec4) for a shader of that stage. */
unsigned vivgpu_compiler_max_uniforms(const struct vivgpu_compiler *compiler,
                                      gl_shader_stage stage);

/* vivgpu_compiler_max_instructions: largest number of instructions of a shader. */
unsigned vivgpu_compiler_max_instructions(const struct vivgpu_compiler *compiler);

/* Why a shader cannot be compiled. */
struct vivgpu_compile_error {
   char *reason;  /* a line, which the caller frees with free(); NULL: memory is short */
   bool is_limit; /* the shader needs more than the core has; false: the core lacks an operation */
};

/*
 * vivgpu_compile: compile a vertex or fragment shader.
 *
 * nir: the shader as Gallium passes it, with inputs and outputs as variables and uniforms
 *      lowered; gl_FragCoord and gl_FrontFacing are system values, gl_PointCoord is an input.
 *      It is not changed.
 * key: the variant
 * error: filled in if NULL is returned, otherwise not written; may be NULL
 *
 * Returns the shader, to be freed with vivgpu_shader_destroy(), or NULL.
 */
struct vivgpu_shader *vivgpu_compile(const struct vivgpu_compiler *compiler,
                                     const struct nir_shader *nir,
                                     const struct vivgpu_shader_key *key,
                                     struct vivgpu_compile_error *error);

/* vivgpu_shader_destroy: free a shader; NULL is allowed. */
void vivgpu_shader_destroy(struct vivgpu_shader *shader);

/* vivgpu_shader_serialize: append the shader to blob, for the disk cache. */
void vivgpu_shader_serialize(const struct vivgpu_shader *shader, struct blob *blob);

/*
 * vivgpu_shader_deserialize: read a shader that vivgpu_shader_serialize() wrote.
 * Returns NULL if blob is too short or begins with another magic number, or if memory is short.
 */
struct vivgpu_shader *vivgpu_shader_deserialize(struct blob_reader *blob);

/* vivgpu_shader_report: send one line of statistics in shader-db's format to debug. */
void vivgpu_shader_report(const struct vivgpu_shader *shader, struct util_debug_callback *debug);

/*
 * vivgpu_shader_disassemble: code, inputs, outputs and uniforms as text.
 * Returns a string that the caller frees with free(), or NULL if memory is short.
 */
char *vivgpu_shader_disassemble(const struct vivgpu_shader *shader);

#ifdef __cplusplus
}
#endif

#endif
