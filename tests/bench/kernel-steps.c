// SPDX-License-Identifier: MIT
/*
 * kernel-steps: count the instructions a User-Mode Linux kernel executes between
 * two calls of a marker function, by single steps (ptrace). This is exact where the
 * processor's performance counters cannot be used. Part of `make bench`.
 *
 *	kernel-steps PID MARKER OUTPUT [PROFILE [STACKS]]
 *
 * MARKER is the function's address, in hexadecimal. Each pair of calls becomes a
 * line of OUTPUT, a number. PROFILE gets lines "pair address count" of where
 * they were, and STACKS lines "pair address;address... count" by the functions that were
 * being called (call-tree.h). The guest should run in virtual time, in which waiting for this
 * program takes none. Ends with the guest.
 */

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "call-tree.h"

#define BREAKPOINT 0xccull
/* Different addresses of one profile; a power of two. */
#define PLACES (1u << 18)
/* CONFIG_KERNEL_STACK_ORDER is 2. */
#define STACK_BYTES (4 << 12)

struct place {
	uint64_t address, count;
};

struct tracee {
	pid_t pid;
	uint64_t marker;
	long original; /* the word at the marker */
	FILE *output, *profile, *stacks;
	struct call_tree *tree;
	unsigned int pairs;
	struct place *places;
};

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "kernel-steps: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Return the signal to deliver at the next start; 0 for stops caused by tracing. */
static int wait_for_stop(const struct tracee *t)
{
	int status;

	must(waitpid(t->pid, &status, __WALL) == t->pid, "wait");
	if (!WIFSTOPPED(status))
		exit(0);
	/* For ptrace events, the event's number is in the bits above the signal. */
	return WSTOPSIG(status) == SIGTRAP || status >> 16 ? 0 : WSTOPSIG(status);
}

static void resume(const struct tracee *t, enum __ptrace_request how, int signal)
{
	must(!ptrace(how, t->pid, NULL, (void *)(intptr_t)signal), "resume");
}

static uint64_t register_of(const struct tracee *t, size_t offset)
{
	return ptrace(PTRACE_PEEKUSER, t->pid, offset, NULL);
}

static uint64_t address_of(const struct tracee *t)
{
	return register_of(t, offsetof(struct user_regs_struct, rip));
}

/* For the call tree. */
static uint64_t read_word(void *tracee, uint64_t address)
{
	const struct tracee *t = tracee;

	return ptrace(PTRACE_PEEKDATA, t->pid, address, NULL);
}

static void write_word(const struct tracee *t, long word)
{
	must(!ptrace(PTRACE_POKETEXT, t->pid, t->marker, word), "write");
}

static void set_breakpoint(const struct tracee *t)
{
	write_word(t, (t->original & ~0xffl) | BREAKPOINT);
}

/*
 * Run to the marker and stand before its first instruction, the breakpoint taken away. It has
 * stopped the guest one byte behind the marker, the length of the breakpoint's instruction.
 */
static void run_to_marker(const struct tracee *t)
{
	int signal = 0;

	set_breakpoint(t);
	do {
		resume(t, PTRACE_CONT, signal);
		signal = wait_for_stop(t);
	} while (signal || address_of(t) != t->marker + 1);
	write_word(t, t->original);
	must(!ptrace(PTRACE_POKEUSER, t->pid, offsetof(struct user_regs_struct, rip), t->marker),
	     "step back");
}

/*
 * Count an address in the hash table @places. With more than PLACES of them in a pair this would
 * not end.
 */
static void note_place(const struct tracee *t, uint64_t address)
{
	uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15ull >> 40) % PLACES;

	while (t->places[at].count && t->places[at].address != address)
		at = (at + 1) % PLACES;
	t->places[at].address = address;
	t->places[at].count++;
}

/* From the marker to the marker. Returns the number of instructions. */
static uint64_t step_to_marker(const struct tracee *t)
{
	uint64_t steps = 0, address;
	int signal = 0;

	do {
		resume(t, PTRACE_SINGLESTEP, signal);
		signal = wait_for_stop(t);
		if (signal)
			continue;
		steps++;
		address = address_of(t);
		if (t->profile)
			note_place(t, address);
		if (t->tree)
			call_tree_step(t->tree, address,
				       register_of(t, offsetof(struct user_regs_struct, rsp)));
	} while (signal || address != t->marker);
	return steps;
}

static void write_profile(const struct tracee *t)
{
	for (unsigned int i = 0; t->profile && i < PLACES; i++)
		if (t->places[i].count)
			fprintf(t->profile, "%u %llx %llu\n", t->pairs,
				(unsigned long long)t->places[i].address,
				(unsigned long long)t->places[i].count);
	if (t->profile)
		fflush(t->profile);
	memset(t->places, 0, PLACES * sizeof(*t->places));
	if (t->tree)
		call_tree_write(t->tree, t->pairs, t->stacks);
}

/* Leave the marker by one instruction, or the breakpoint would stop the guest there at once. */
static void pass_marker(const struct tracee *t)
{
	int signal = 0;

	do {
		resume(t, PTRACE_SINGLESTEP, signal);
		signal = wait_for_stop(t);
	} while (signal);
}

int main(int argc, char **argv)
{
	struct tracee t = { 0 };

	if (argc < 4 || argc > 6) {
		fprintf(stderr, "usage: kernel-steps PID MARKER OUTPUT [PROFILE [STACKS]]\n");
		return 2;
	}
	t.pid = atoi(argv[1]);
	t.marker = strtoull(argv[2], NULL, 16);
	t.places = calloc(PLACES, sizeof(*t.places));
	must(t.places != NULL, "memory");
	must(!ptrace(PTRACE_SEIZE, t.pid, NULL, NULL), "seize");
	must(!ptrace(PTRACE_INTERRUPT, t.pid, NULL, NULL), "interrupt");
	wait_for_stop(&t);
	errno = 0;
	t.original = ptrace(PTRACE_PEEKTEXT, t.pid, t.marker, NULL);
	must(!errno, "read");
	t.profile = argc > 4 ? fopen(argv[4], "w") : NULL;
	must(argc == 4 || t.profile, "profile");
	if (argc > 5) {
		t.stacks = fopen(argv[5], "w");
		t.tree = call_tree_create(STACK_BYTES, read_word, &t);
		must(t.stacks && t.tree, "stacks");
	}
	/* The guest begins when the file exists. */
	t.output = fopen(argv[3], "w");
	must(t.output != NULL, argv[3]);
	for (;;) {
		run_to_marker(&t);
		fprintf(t.output, "%llu\n", (unsigned long long)step_to_marker(&t));
		fflush(t.output);
		write_profile(&t);
		t.pairs++;
		pass_marker(&t);
	}
}
