/* SPDX-License-Identifier: MIT */
/* Shader instructions that read and write guest memory. */
#ifndef CARD_GC_SHADER_MEMORY_H
#define CARD_GC_SHADER_MEMORY_H

#include "gc/shader_program.h"

/**
 * shader_load, shader_store, shader_atomic - execute the instruction for the running lanes
 * @out: receives the loaded or old values, to be written by the caller
 *
 * Lanes are processed one by one, lowest first. Killed lanes and helpers do not write, and get no
 * result of an atomic: @out keeps what it had.
 *
 * Returns: false after a memory fault.
 */
bool shader_load(struct shader_run *run, const struct shader_micro *m, union gc_lanes *out);
bool shader_store(struct shader_run *run, const struct shader_micro *m);
bool shader_atomic(struct shader_run *run, const struct shader_micro *m, union gc_lanes *out);

#endif
