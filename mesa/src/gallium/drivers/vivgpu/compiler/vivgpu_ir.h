/*
 * SPDX-License-Identifier: MIT
 *
 * The compiler's intermediate representation: the core's instructions in basic blocks, on any
 * number of virtual registers of one to four components. "Register" means a virtual register
 * here; the core's registers are called temporaries.
 *
 * DOC: Passes
 *
 *    vir_select()      selects instructions for NIR, folds negations and absolute values
 *    vir_opt_dce()     removes writes of components that are never read
 *    vir_legalize()    assigns uniform registers; on most cores an instruction reads only one
 *    vir_coalesce()    removes copies by merging their source and destination
 *    vir_opt_dce()     again: removes what the two passes before left unused
 *    vir_schedule()    orders the instructions within a block
 *    vir_allocate()    assigns temporaries, spills registers if there are too few
 *    vir_pack()        encodes machine code
 *
 * DOC: Components
 *
 * A position is an index into the swizzle of a source. An instruction of shape VIR_COMPONENTS
 * computes component c of its result from position c, that is component swizzle[c], of each
 * source. The other shapes read fixed positions, whichever components they write.
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
   VIR_POOL, /* constants and values that the driver writes: pool[] */
   VIR_FACE, /* the core's face register: 1.0 for clockwise polygons, else 0.0 */
   /* vir_legalize() replaces VIR_USER and VIR_POOL by these: */
   VIR_UNIFORM,   /* uniform register index */
   VIR_IMMEDIATE, /* 20 bits in index, of type immediate; the same for all components */
};

/* Types of immediates, as they are encoded. */
enum vir_immediate {
   VIR_IMMEDIATE_FLOAT, /* the upper 20 bits; the others are 0 */
   VIR_IMMEDIATE_SIGNED,
   VIR_IMMEDIATE_UNSIGNED,
};

struct vir_src {
   enum vir_file file;
   bool neg, abs;     /* abs is applied first, then neg */
   bool indirect;     /* VIR_USER, VIR_UNIFORM: a0.x is added to index */
   uint8_t immediate; /* enum vir_immediate */
   uint16_t range;    /* indirect: number of registers that may be read, from index on */
   bool in_pool;      /* only within vir_legalize(): index is relative to the pool's start */
   uint8_t swizzle[4];
   uint32_t index;
   struct vivgpu_uniform pool[4]; /* VIR_POOL: value of each component */
};

/* Which positions an instruction reads and which components it writes. */
enum vir_shape {
   VIR_COMPONENTS, /* each component from the same position of the sources */
   VIR_SCALAR,     /* reads position 0 of the swizzle, writes one value to all components */
   VIR_FACTORS,    /* reads position 0, writes two factors of the result; old cores: the result */
   VIR_DOT,        /* reads positions 0 to 1, 2 or 3, writes one value to all components */
   VIR_TEXTURE,    /* writes component tex_swizzle[c] of the texel to component c */
   VIR_MEMORY,     /* LOAD, STORE, ATOMIC_ADD: components are consecutive words in memory */
   VIR_CONTROL,    /* BRANCH, TEXKILL: writes nothing */
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
   /* The result is a0, not a register; src[0] of the next instruction reads it (indirect). */
   bool writes_address;
   uint32_t dst;        /* register, or VIR_NO_REG */
   uint8_t mask;        /* components written; of a STORE: components of src[2] stored */
   struct vir_src src[VIR_SRCS];
   uint8_t reads[VIR_SRCS]; /* shapes but VIR_COMPONENTS: positions of the swizzle read */
   uint8_t sampler, tex_swizzle[4];
   struct vir_block *target; /* BRANCH */
   uint32_t ip;              /* number in the program, after vir_number() */
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
   int8_t fixed;    /* the temporary that it must be assigned, in the same components; -1: any */
   bool start;      /* an output: component c must be component c of the temporary */
   bool live_out;   /* an output: the core reads it when the program ends */
   bool live_in;    /* an input: the core writes it before the program starts */
   bool factors;    /* both factors that a VIR_FACTORS instruction writes */
   bool contiguous; /* written by a LOAD of several components */
   bool unspillable; /* made by spilling: another spill would gain nothing */
   uint8_t used;     /* components that are read, written or live_out; vir_opt_dce() */
};

struct vir_shader {
   const struct vivgpu_compiler *compiler;
   gl_shader_stage stage;
   struct list_head blocks;
   uint32_t num_blocks;
   struct vir_reg *regs;
   uint32_t num_regs, regs_capacity;
   uint32_t num_instrs; /* after vir_number() */
   char *error;         /* reason why the shader cannot be compiled, or NULL */
   bool selected;       /* all operations have instructions; what fails after that are limits */

   struct vivgpu_uniform *uniforms; /* after vir_legalize() */
   uint32_t num_uniforms;           /* registers */
   uint32_t num_immediates;
   bool dense;       /* use few uniform registers: see vivgpu_dense.c */
   bool needs_dense; /* after vir_fail(): another attempt with dense may succeed */

   /* Register with the address of the invocation's slot less the header's size, or VIR_NO_REG */
   uint32_t scratch_base;
   struct vir_instr *scratch_stride; /* multiplies the slot's number by its size in bytes */
   uint32_t scratch_bytes;
   uint32_t spills, fills, loops;

   const uint32_t *output;    /* register by varying or fragment result, or VIR_NO_REG */
   struct vivgpu_shader *out; /* vir_select() fills in its inputs and outputs */
};

/* vivgpu_ir.c */

/* vir_shader_create: create an empty program; free it with ralloc_free(). */
struct vir_shader *vir_shader_create(const struct vivgpu_compiler *compiler, gl_shader_stage stage);

/* vir_fail: set the reason why the shader cannot be compiled; later reasons are ignored. */
void vir_fail(struct vir_shader *s, const char *format, ...) PRINTFLIKE(2, 3);

/* vir_reg_create: create a register of 1 to 4 components; returns its number. */
uint32_t vir_reg_create(struct vir_shader *s, unsigned components);

/* vir_block_create: create an empty block, which the caller appends to the program. */
struct vir_block *vir_block_create(struct vir_shader *s);

/* vir_instr_create: create an instruction without sources that is in no block yet. */
struct vir_instr *vir_instr_create(struct vir_shader *s, enum isa_opc op, enum isa_type type,
                                   uint32_t dst, uint8_t mask);

/* vir_append: add an instruction that is in no block to the block's end. */
void vir_append(struct vir_block *block, struct vir_instr *instr);

/* vir_insert_before, _after: add an instruction that is in no block next to where. */
void vir_insert_before(struct vir_instr *where, struct vir_instr *instr);
void vir_insert_after(struct vir_instr *where, struct vir_instr *instr);

/* vir_remove: take an instruction out of its block; it is freed with the program. */
void vir_remove(struct vir_instr *instr);

/* vir_number: number blocks and instructions in their order. */
void vir_number(struct vir_shader *s);

/*
 * vir_set_reads: set reads[] of an instruction by its opcode, for shapes with fixed positions.
 * vir_select_tex() then sets it again: what a VIR_TEXTURE reads does not follow from its opcode.
 */
void vir_set_reads(struct vir_instr *instr);

/* vir_reg: source that reads a register without swizzle. */
struct vir_src vir_reg(uint32_t index);

/* vir_reg_component: source that reads one component of a register at all positions. */
struct vir_src vir_reg_component(uint32_t index, unsigned component);

/* vir_constant: source that reads the same 32 bits at all positions. */
struct vir_src vir_constant(uint32_t bits);

/* vir_float: the same for a float. */
struct vir_src vir_float(float value);

/* vir_is_constant: true if src is a VIR_POOL source of compile-time constants only. */
bool vir_is_constant(const struct vir_src *src);

/* vir_swizzle: compose swizzles: position i of the result reads position swizzle[i] of src. */
struct vir_src vir_swizzle(struct vir_src src, const uint8_t swizzle[4]);

/* vir_replicate: src with one position's component in all positions. */
struct vir_src vir_replicate(struct vir_src src, unsigned position);

/* vir_shape: which components an opcode reads and writes. */
enum vir_shape vir_shape(enum isa_opc op);

/* vir_reads: bit mask of the positions of source i's swizzle that the instruction reads. */
unsigned vir_reads(const struct vir_instr *instr, unsigned i);

/* vir_components_read: bit mask of the components that source i reads after its swizzle. */
unsigned vir_components_read(const struct vir_instr *instr, unsigned i);

/* vir_is_branch: true for conditional and unconditional branches. */
bool vir_is_branch(enum isa_opc op);

/*
 * vir_has_effect: true if the instruction does more than write a register: store, atomic operation,
 * jump, kill.
 */
bool vir_has_effect(const struct vir_instr *instr);

/* vir_is_copy: true for a MOV from register to register without modifiers or saturation. */
bool vir_is_copy(const struct vir_instr *instr);

/* vir_supports_modifiers: true if sources may have neg and abs: float ALU instructions. */
bool vir_supports_modifiers(const struct vir_instr *instr);

/* vir_supports_saturate: true if the instruction can clamp its result to 0..1. */
bool vir_supports_saturate(const struct vir_instr *instr);

/* vir_instr_weight: estimated executions: 10 to the power of the loop depth, at most 10^6. */
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

/* Passes; none changes the program's results. */

/* vir_select: select instructions for s, which vivgpu_nir_prepare() has lowered. */
void vir_select(struct vir_shader *ir, nir_shader *s, const struct vivgpu_shader_key *key,
                const struct vivgpu_nir_io *io);

/* vir_opt_dce: remove writes of components that are never read; sets vir_reg.used. */
void vir_opt_dce(struct vir_shader *s);

/* vir_legalize: assign uniform registers; calls vir_fail() if there are too few. */
void vir_legalize(struct vir_shader *s);

/* vir_coalesce: remove copies by merging their source and destination registers. */
void vir_coalesce(struct vir_shader *s);

/* vir_schedule: reorder the instructions within each block. */
void vir_schedule(struct vir_shader *s);

/* Where a register is. */
struct vir_assignment {
   uint8_t reg;          /* temporary */
   uint8_t component[4]; /* component of the temporary, by component of the register */
};

/*
 * vir_allocate: assign a temporary and components of it to each register.
 * assignments: set to an array by register, ralloc'd on s
 * Returns false after vir_fail().
 */
bool vir_allocate(struct vir_shader *s, struct vir_assignment **assignments);

/*
 * vir_scratch_slots: number of slots of a scratch buffer, a power of two; see vivgpu_spill.c.
 * threads: number of the core's shader threads, 0 if unknown; at least 256 are assumed
 */
unsigned vir_scratch_slots(unsigned threads);

/* vir_spill: keep a register in the scratch buffer, with loads and stores around its uses. */
void vir_spill(struct vir_shader *s, uint32_t reg);

/* vir_pack: encode machine code; returns 4 words for each instruction, ralloc'd on s. */
uint32_t *vir_pack(struct vir_shader *s, const struct vir_assignment *assignments);

/* vir_liveness: compute live_in and live_out of each block. */
void vir_liveness(struct vir_shader *s);

/* vir_live_step: change the set of components live after instr to that before it. */
void vir_live_step(BITSET_WORD *live, const struct vir_instr *instr);

/* vir_allocator_setup: create the allocator's register classes; false if memory is short. */
bool vir_allocator_setup(struct vivgpu_compiler *compiler);

#ifdef __cplusplus
}
#endif

#endif
