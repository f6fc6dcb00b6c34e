// SPDX-License-Identifier: MIT

#include "call-tree.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NODES (1 << 18)
#define MAX_STACKS 64
#define MAX_DEPTH 256
/* Bytes of the longest instruction. */
#define MAX_LENGTH 15
/* The root of all nodes; no other node is its own parent. */
#define ROOT 0

struct node {
	uint64_t function, count;
	uint32_t parent, first_child, next; /* 0: none */
};

/* A function that has not returned; sp: at its first instruction. */
struct frame {
	uint64_t sp;
	uint32_t node;
};

struct stack {
	uint64_t number;
	struct frame frames[MAX_DEPTH];
	unsigned int depth;
};

struct call_tree {
	uint64_t stack_bytes;
	call_tree_read read;
	void *memory;
	struct node nodes[MAX_NODES];
	uint32_t nr_nodes;
	struct stack stacks[MAX_STACKS];
	unsigned int nr_stacks;
	/* Of the last instruction that was counted; NULL before the first */
	struct stack *current;
	uint64_t ip, sp;
};

struct call_tree *call_tree_create(uint64_t stack_bytes, call_tree_read read, void *memory)
{
	struct call_tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	tree->stack_bytes = stack_bytes;
	tree->read = read;
	tree->memory = memory;
	tree->nr_nodes = 1;
	return tree;
}

/* The node of a function called by that of @parent. If there are too many, it is the parent. */
static uint32_t child(struct call_tree *tree, uint32_t parent, uint64_t function)
{
	uint32_t at = tree->nodes[parent].first_child;

	while (at && tree->nodes[at].function != function)
		at = tree->nodes[at].next;
	if (at || tree->nr_nodes == MAX_NODES)
		return at ? at : parent;
	at = tree->nr_nodes++;
	tree->nodes[at] = (struct node){ .function = function,
					 .parent = parent,
					 .next = tree->nodes[parent].first_child };
	tree->nodes[parent].first_child = at;
	return at;
}

/* The stack of a stack pointer; when there are too many, the last one is used for another. */
static struct stack *stack_of(struct call_tree *tree, uint64_t sp)
{
	uint64_t number = sp / tree->stack_bytes;
	struct stack *stack = tree->stacks;

	while (stack < tree->stacks + tree->nr_stacks && stack->number != number)
		stack++;
	if (stack < tree->stacks + tree->nr_stacks)
		return stack;
	if (tree->nr_stacks < MAX_STACKS)
		tree->nr_stacks++;
	else
		stack = &tree->stacks[MAX_STACKS - 1];
	stack->number = number;
	stack->depth = 0;
	return stack;
}

/*
 * @function: the address to which a call went, or of the first instruction that is seen on the
 * stack or after its outermost frame. Calls deeper than MAX_DEPTH get no frame, and count in the
 * one at that depth.
 */
static void push(struct call_tree *tree, uint64_t function, uint64_t sp)
{
	struct stack *stack = tree->current;
	uint32_t parent = stack->depth ? stack->frames[stack->depth - 1].node : ROOT;

	if (stack->depth < MAX_DEPTH)
		stack->frames[stack->depth++] =
			(struct frame){ .sp = sp, .node = child(tree, parent, function) };
}

/* True if the last instruction was a call, which pushed the address after it. */
static bool was_call(const struct call_tree *tree, uint64_t ip, uint64_t sp)
{
	uint64_t back;

	if (sp + sizeof(back) != tree->sp || (ip >= tree->ip && ip <= tree->ip + MAX_LENGTH))
		return false;
	back = tree->read(tree->memory, sp);
	return back > tree->ip && back <= tree->ip + MAX_LENGTH;
}

void call_tree_step(struct call_tree *tree, uint64_t ip, uint64_t sp)
{
	struct stack *stack = stack_of(tree, sp);
	bool called = stack == tree->current && was_call(tree, ip, sp);

	tree->current = stack;
	while (stack->depth && sp > stack->frames[stack->depth - 1].sp)
		stack->depth--;
	if (called || !stack->depth)
		push(tree, ip, sp);
	tree->ip = ip;
	tree->sp = sp;
	tree->nodes[stack->frames[stack->depth - 1].node].count++;
}

/* Write the functions from the outermost one to that of a node. */
static void write_path(const struct call_tree *tree, uint32_t node, FILE *file)
{
	if (tree->nodes[node].parent != ROOT) {
		write_path(tree, tree->nodes[node].parent, file);
		fputc(';', file);
	}
	fprintf(file, "%llx", (unsigned long long)tree->nodes[node].function);
}

void call_tree_write(struct call_tree *tree, unsigned int prefix, FILE *file)
{
	for (uint32_t i = 1; i < tree->nr_nodes; i++) {
		if (!tree->nodes[i].count)
			continue;
		fprintf(file, "%u ", prefix);
		write_path(tree, i, file);
		fprintf(file, " %llu\n", (unsigned long long)tree->nodes[i].count);
		tree->nodes[i].count = 0;
	}
	fflush(file);
}
