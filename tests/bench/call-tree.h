/* SPDX-License-Identifier: MIT */
/*
 * A tree of the functions that a single-stepped program calls, with the number of instructions in each.
 *
 * A call pushes the address after it. So an instruction that lowers the stack pointer by a word and
 * goes elsewhere was a call if that word is an address right after it, and a function has returned
 * when the stack pointer is above its frame. A jump to another function in place of a call stays in
 * the caller's node. Each stack has frames of its own: those of tasks, and that of signals, by which
 * User-Mode Linux gets its interrupts.
 */
#ifndef CALL_TREE_H
#define CALL_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct call_tree;

/** Returns the word of the stepped program's memory at @address. */
typedef uint64_t (*call_tree_read)(void *memory, uint64_t address);

/**
 * Create a tree; @stack_bytes: size of a stack, aligned to it, a power of two. Returns NULL if memory
 * is short.
 */
struct call_tree *call_tree_create(uint64_t stack_bytes, call_tree_read read, void *memory);

/** Count the instruction at @ip, which is executed next, with the stack pointer @sp. */
void call_tree_step(struct call_tree *tree, uint64_t ip, uint64_t sp);

/**
 * Write lines "PREFIX address;address... count": the first addresses of the functions from the
 * outermost one on, and the instructions in the last one. Then set all counts to 0.
 */
void call_tree_write(struct call_tree *tree, unsigned int prefix, FILE *file);

#endif
