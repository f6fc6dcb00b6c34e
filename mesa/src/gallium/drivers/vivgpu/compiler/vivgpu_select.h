/*
 * SPDX-License-Identifier: MIT
 *
 * Internal interface of instruction selection (vivgpu_select*.c).
 */

#ifndef VIVGPU_SELECT_H
#define VIVGPU_SELECT_H

#include "vivgpu_ir.h"

/*
 * Largest number of NIR vectors of uniforms and constants that are read from a pool register of
 * their own. Further ones are copied to a register, so that the pool leaves room for others; with
 * vir_shader.dense all are.
 */
#define VIR_MAX_VECTORS 48u

/* State of the selection of one shader. */
struct vir_select {
   struct vir_shader *ir;
   const nir_shader *nir;
   const struct vivgpu_core *core;
   const struct vivgpu_shader_key *key;
   const struct vivgpu_nir_io *io;
   struct vir_block *block; /* the block to which instructions are appended */
   struct vir_block *loop_start, *loop_end;
   uint32_t loop_depth;
   uint32_t num_defs;
   uint32_t *reg_of_def; /* register of a NIR value or NIR register, or VIR_NO_REG */
   bool *is_vector;      /* by value: counted in num_vectors */
   unsigned num_vectors; /* vectors of uniforms and constants that are read from the pool */
   bool *is_folded;      /* by value: its instruction was made part of another one */
   uint32_t frag_position; /* fragment shader: register of temporary 0: position, then depth */
   uint32_t frag_coord;    /* fragment shader: register that gl_FragCoord reads */
   uint32_t input[VARYING_SLOT_MAX];  /* register by attribute number or varying, or VIR_NO_REG */
   uint32_t output[VARYING_SLOT_MAX]; /* register by varying or fragment result */
   uint32_t vertex_id; /* register of the numbers of vertex (x) and instance (y), or VIR_NO_REG */
};

/* Whether vir_resolve() folds negations and absolute values into the source's modifiers. */
enum vir_modifiers { VIR_KEEP_MODIFIERS, VIR_FOLD_MODIFIERS };

/* vir_def: the register of a NIR value; it is created at the first call. */
uint32_t vir_def(struct vir_select *sel, const nir_def *def);

/*
 * vir_resolve: the source that reads components swizzle of def. Copies, and with
 * VIR_FOLD_MODIFIERS negations and absolute values, are skipped.
 */
struct vir_src vir_resolve(struct vir_select *sel, const nir_def *def, const uint8_t swizzle[4],
                           enum vir_modifiers modifiers);

/* vir_resolve_alu: the same for a source of an ALU instruction. */
struct vir_src vir_resolve_alu(struct vir_select *sel, const nir_alu_src *src,
                               enum vir_modifiers modifiers);

/* vir_uniform_component: value that position of a VIR_POOL or VIR_USER source reads. */
struct vivgpu_uniform vir_uniform_component(const struct vir_src *src, unsigned position);

/*
 * vir_in_register: src if it is a register without modifiers, else a source that reads a copy in
 * a new register. positions: mask of the positions to copy
 */
struct vir_src vir_in_register(struct vir_select *sel, struct vir_src src, unsigned positions);

/* vir_emit: append an instruction with its three sources. */
struct vir_instr *vir_emit(struct vir_select *sel, enum isa_opc op, enum isa_type type,
                           uint32_t dst, uint8_t mask, struct vir_src src0, struct vir_src src1,
                           struct vir_src src2);

/* vir_emit_mov: append a copy. */
struct vir_instr *vir_emit_mov(struct vir_select *sel, uint32_t dst, uint8_t mask,
                               struct vir_src src);

#define VIR_NO_SRC ((struct vir_src){.file = VIR_NONE})

/* A comparison of two values, or of one with zero. */
struct vir_test {
   enum isa_cond cond;
   enum isa_type type;
   bool exact;            /* the result for NaN must be that of NIR */
   struct vir_src src[2]; /* src[1] is VIR_NONE for conditions of one operand */
};

/* vir_test_of: the comparison that is true if a component of the boolean def is true. */
struct vir_test vir_test_of(struct vir_select *sel, const nir_def *def, unsigned component);

/* vir_test_invert: invert a test; false if it is exact and NaN would give another result. */
bool vir_test_invert(struct vir_test *test);

/*
 * vir_select_alu, _tex, _intrinsic: select the instructions for one NIR instruction. They call
 * vir_fail() for operations that the core does not have.
 */
void vir_select_alu(struct vir_select *sel, nir_alu_instr *alu);
void vir_select_tex(struct vir_select *sel, nir_tex_instr *tex);
void vir_select_intrinsic(struct vir_select *sel, nir_intrinsic_instr *intrin);

/*
 * vir_select_inputs: create the registers of inputs, and describe the inputs in vivgpu_shader.
 * To be called before instructions are selected.
 */
void vir_select_inputs(struct vir_select *sel);

/* vir_select_outputs: describe the outputs in vivgpu_shader, after instructions are selected. */
void vir_select_outputs(struct vir_select *sel);

#endif
