/*
 * SPDX-License-Identifier: MIT
 *
 * The compiler's intermediate form: the core's instructions in basic blocks,
 * over as many registers of one to four components as needed.
 *
 * DOC: Passes
 *
 *    vir_select()      NIR becomes instructions; modifiers are folded
 *    vir_opt_dce() components nobody reads are not written
 *    vir_legalize()    uniforms and constants get their places; one uniform
 *                      register an instruction
 *    vir_coalesce()    copies disappear by giving both sides one register
 *    vir_schedule()    order within a block
 *    vir_allocate()    temporaries; spills where there are too few
 *    vir_pack()        machine code
 *
 * DOC: Components
 *
 * An instruction of shape VIR_COMPONENTS computes component c of its result
 * from component swizzle[c] of each source. The other shapes read fixed
 * positions of the swizzle, whichever components they write.
 */

#ifndef VIVGPU_IR_H
#define VIVGPU_IR_H

#include "etnaviv/isa/enums.h"
#include "util/bitset.h"
#include "util/list.h"

#include "vivgpu_compiler_private.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VIR_SRCS   3
#define VIR_NO_REG ~0u

enum vir_file {
   VIR_NONE,
   VIR_REG,  /* register index */
   VIR_USER, /* vec4 number index of constant buffer 0 */
   VIR_POOL, /* constants and what the driver fills in: pool[] */
   VIR_FACE, /* the core's register that tells front from back */
   /* after vir_legalize(), instead of USER and POOL: */
   VIR_UNIFORM,   /* uniform register index */
   VIR_IMMEDIATE, /* 20 bits of kind immediate in index, all components alike */
};

/* Kinds of immediates. */
enum vir_immediate {
   VIR_IMMEDIATE_FLOAT, /* the upper 20 bits */
   VIR_IMMEDIATE_SIGNED,
   VIR_IMMEDIATE_UNSIGNED,
};

struct vir_src {
   enum vir_file file;
   bool neg, abs;     /* first abs, then neg */
   bool indirect;     /* USER, UNIFORM: plus a0.x registers */
   uint8_t immediate; /* enum vir_immediate */
   uint16_t range;    /* indirect: how many registers it may be */
   bool in_pool;      /* inside vir_legalize(): index counts from the first pool register */
   uint8_t swizzle[4];
   uint32_t index;
   struct vivgpu_uniform pool[4]; /* VIR_POOL: what each component has to be */
};

enum vir_shape {
   VIR_COMPONENTS, /* component by component */
   VIR_SCALAR,     /* reads position 0 of the swizzle, all components written alike */
   VIR_FACTORS,    /* the same, but two components, whose product is the result */
   VIR_DOT,        /* reads the first positions, all components written alike */
   VIR_TEXTURE,    /* texel component tex_swizzle[c] to component c */
   VIR_MEMORY,     /* LOAD, STORE, ATOMIC: enabled components are neighbours in memory */
   VIR_CONTROL,    /* BRANCH, TEXKILL: nothing is written */
};

struct vir_block;

struct vir_instr {
   struct list_head link;
   struct vir_block *block;
   enum isa_opc op;
   enum isa_cond cond;
   enum isa_type type;
   enum isa_rounding rounding;
   bool sat;
   bool writes_address; /* the result is a0, not a register */
   uint32_t dst;        /* register, or VIR_NO_REG */
   uint8_t mask;        /* components written; of a STORE: components of src[2] stored */
   struct vir_src src[VIR_SRCS];
   uint8_t
      reads[VIR_SRCS]; /* shapes TEXTURE, DOT, MEMORY, CONTROL: positions of the swizzle read */
   uint8_t sampler, tex_swizzle[4];
   struct vir_block *target; /* BRANCH */
   uint32_t ip;              /* its number, after vir_number() */
};

struct vir_block {
   struct list_head link;
   struct list_head instrs;
   uint32_t index;
   uint32_t loop_depth;
   struct vir_block *successors[2];
   BITSET_WORD *live_in, *live_out; /* bit reg * 4 + component, after vir_liveness() */
};

struct vir_reg {
   uint8_t components;
   int8_t fixed;    /* temporary it has to be, component by component; -1: any */
   bool start;      /* has to start at x: an output */
   bool live_out;   /* an output: read when the program ends */
   bool live_in;    /* an input: written before it starts */
   bool factors;    /* written by a VIR_FACTORS instruction */
   bool contiguous; /* written by a LOAD of several components */
   bool unspillable;
   uint8_t used; /* components read somewhere, or live_out; after vir_opt_dce() */
};

struct vir_shader {
   const struct vivgpu_compiler *compiler;
   gl_shader_stage stage;
   struct list_head blocks;
   uint32_t num_blocks;
   struct vir_reg *regs;
   uint32_t num_regs, regs_capacity;
   uint32_t num_instrs; /* after vir_number() */
   char *error;         /* why it cannot be compiled, or NULL */

   struct vivgpu_uniform *uniforms; /* after vir_legalize() */
   uint32_t num_uniforms;           /* registers */
   uint32_t uniforms_capacity;
   uint32_t num_immediates;

   uint32_t
      scratch_base; /* register: where the invocation's scratch memory begins, or VIR_NO_REG */
   struct vir_instr *scratch_stride; /* multiplies by the bytes an invocation has */
   uint32_t scratch_bytes;
   uint32_t spills, fills, loops;

   const uint32_t *output;    /* register by varying or fragment result, or VIR_NO_REG */
   struct vivgpu_shader *out; /* inputs and outputs, filled in by vir_select() */
};

/* vivgpu_ir.c */

/* vir_shader_create: an empty program; ralloc_free() it. */
struct vir_shader *vir_shader_create(const struct vivgpu_compiler *compiler, gl_shader_stage stage);

/* vir_fail: say why the shader cannot be compiled; the first reason stays. */
void vir_fail(struct vir_shader *s, const char *format, ...) PRINTFLIKE(2, 3);

/* vir_reg_create: a new register. */
uint32_t vir_reg_create(struct vir_shader *s, unsigned components);

struct vir_block *vir_block_create(struct vir_shader *s);

/* vir_instr_create: an instruction that is in no block yet. */
struct vir_instr *vir_instr_create(struct vir_shader *s, enum isa_opc op, enum isa_type type,
                                   uint32_t dst, uint8_t mask);

void vir_append(struct vir_block *block, struct vir_instr *instr);
void vir_insert_before(struct vir_instr *where, struct vir_instr *instr);
void vir_insert_after(struct vir_instr *where, struct vir_instr *instr);
void vir_remove(struct vir_instr *instr);

/* vir_number: number blocks and instructions in their order. */
void vir_number(struct vir_shader *s);

/* vir_set_reads: set which positions of its sources an instruction of a fixed shape reads. */
void vir_set_reads(struct vir_instr *instr);

/* Sources. */
struct vir_src vir_reg(uint32_t index);
struct vir_src vir_reg_component(uint32_t index, unsigned component);
struct vir_src vir_constant(uint32_t bits);
struct vir_src vir_float(float value);

/* vir_is_constant: is all of a VIR_POOL source known now? */
bool vir_is_constant(const struct vir_src *src);

/* vir_swizzle: position i of the result reads what position swizzle[i] of src did. */
struct vir_src vir_swizzle(struct vir_src src, const uint8_t swizzle[4]);

/* vir_replicate: all positions read what position did. */
struct vir_src vir_replicate(struct vir_src src, unsigned position);

enum vir_shape vir_shape(enum isa_opc op);

/* vir_reads: positions of the swizzle of source i that the instruction reads. */
unsigned vir_reads(const struct vir_instr *instr, unsigned i);

/* vir_components_read: components of the register, uniform or pool that source i reads. */
unsigned vir_components_read(const struct vir_instr *instr, unsigned i);

bool vir_is_branch(enum isa_opc op);

/* vir_has_effect: is it more than its result? */
bool vir_has_effect(const struct vir_instr *instr);

/* vir_is_copy: a MOV from register to register that changes nothing. */
bool vir_is_copy(const struct vir_instr *instr);

/* vir_supports_modifiers: may its sources be negative and absolute, as floats? */
bool vir_supports_modifiers(const struct vir_instr *instr);

/* vir_supports_saturate: may its result be clamped to 0..1? */
bool vir_supports_saturate(const struct vir_instr *instr);

/* vir_instr_weight: 10 to the power of the loops around it, at most 10^6. */
uint32_t vir_instr_weight(const struct vir_instr *instr);

#define vir_foreach_block(block, s) list_for_each_entry(struct vir_block, block, &(s)->blocks, link)
#define vir_foreach_block_rev(block, s)                                                            \
   list_for_each_entry_rev(struct vir_block, block, &(s)->blocks, link)
#define vir_foreach_instr(instr, block)                                                            \
   list_for_each_entry(struct vir_instr, instr, &(block)->instrs, link)
#define vir_foreach_instr_safe(instr, block)                                                       \
   list_for_each_entry_safe(struct vir_instr, instr, &(block)->instrs, link)
#define vir_foreach_instr_rev(instr, block)                                                        \
   list_for_each_entry_rev(struct vir_instr, instr, &(block)->instrs, link)
#define vir_foreach_instr_rev_safe(instr, block)                                                   \
   list_for_each_entry_safe_rev(struct vir_instr, instr, &(block)->instrs, link)

/* Passes; each leaves a program that means the same. */

/* vir_select: instructions for s, which vivgpu_nir_prepare() made ready. */
void vir_select(struct vir_shader *ir, nir_shader *s, const struct vivgpu_shader_key *key,
                const struct vivgpu_nir_io *io);

void vir_opt_dce(struct vir_shader *s);
void vir_legalize(struct vir_shader *s);
void vir_coalesce(struct vir_shader *s);
void vir_schedule(struct vir_shader *s);

/*
 * vir_allocate: give each register a temporary and components of it.
 * place: for each register, by vir_reg_place
 * Returns: false after vir_fail().
 */
struct vir_assignment {
   uint8_t reg;
   uint8_t component[4]; /* where each component of the register is */
};
bool vir_allocate(struct vir_shader *s, struct vir_assignment **assignments);

/* vir_scratch_slots: invocations that have a place of their own in a scratch buffer. */
unsigned vir_scratch_slots(unsigned threads);

/* vir_spill: move a register to the scratch buffer. */
void vir_spill(struct vir_shader *s, uint32_t reg);

/* vir_pack: machine code, ralloc'd on s. */
uint32_t *vir_pack(struct vir_shader *s, const struct vir_assignment *assignments);

/* vir_liveness: live_in and live_out of each block. */
void vir_liveness(struct vir_shader *s);

/* vir_live_step: go from the live components after instr to those before it. */
void vir_live_step(BITSET_WORD *live, const struct vir_instr *instr);

/* vir_allocator_setup: the sets of temporaries; false when out of memory. */
bool vir_allocator_setup(struct vivgpu_compiler *compiler);

/* vir_print: the program as text, for debugging. */
void vir_print(FILE *out, const struct vir_shader *s);

#ifdef __cplusplus
}
#endif

#endif
