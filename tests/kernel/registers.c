// SPDX-License-Identifier: MIT
/*
 * registers: a thread's floating point registers stay its own, though the
 * guest's kernel leaves them in the host's process (vm/patches/0013). A value
 * in a register must come through system calls, first accesses to pages, other
 * threads, signals, fork() and a debugger. Runs in a guest.
 */

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"

#define PAGE 4096
#define ROUNDS 50
#define THREADS 4
#define FORKS 5

static volatile sig_atomic_t signals;

/*
 * @value is in a register during a system call and a write to @page; returns
 * what is there then.
 */
static uint64_t hold_call(uint64_t value, volatile char *page, long number, long a, long b, long c)
{
	uint64_t after;

	__asm__ volatile("movq %[value], %%xmm5\n\t"
			 "syscall\n\t"
			 "movb $1, (%[page])\n\t"
			 "movq %%xmm5, %[after]"
			 : [after] "=&r"(after), "+a"(number)
			 : [value] "r"(value), [page] "r"(page), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "xmm5", "memory");
	return after;
}

static uint64_t hold(uint64_t value, long number, volatile char *page)
{
	return hold_call(value, page, number, 0, 0, 0);
}

static void *fresh_page(void)
{
	return mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Use values that no other thread has. Returns how many were lost. */
static unsigned int hold_often(uint64_t seed)
{
	unsigned int lost = 0;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		uint64_t value = seed * 0x9e3779b97f4a7c15u + i;
		char *page = fresh_page();

		lost += hold(value, SYS_sched_yield, page) != value;
		lost += hold(~value, SYS_getppid, page) != ~value;
		munmap(page, PAGE);
	}
	return lost;
}

static void *thread(void *seed)
{
	return (void *)(uintptr_t)hold_often((uintptr_t)seed);
}

static unsigned int hold_in_threads(void)
{
	pthread_t threads[THREADS];
	unsigned int lost = 0;
	void *result;

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, (void *)(i + 1));
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		lost += (uintptr_t)result;
	}
	return lost;
}

/* Sets all bits of the register, then enters the kernel by a system call. */
static void on_signal(int signal)
{
	__asm__ volatile("pcmpeqd %%xmm5, %%xmm5" : : : "xmm5");
	getppid();
	signals += signal == SIGUSR1;
}

/*
 * The system call is a signal to oneself, so that its handler runs before the page is written to.
 */
static unsigned int hold_through_signals(void)
{
	unsigned int lost = 0;

	signal(SIGUSR1, on_signal);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		char *page = fresh_page();

		lost += hold_call(i + 1, page, SYS_tgkill, getpid(), gettid(), SIGUSR1) != i + 1;
		munmap(page, PAGE);
	}
	return lost + (ROUNDS - signals);
}

/*
 * fork() as the system call: parent and child must have the value, and values that the child sets
 * later do not affect the parent.
 */
static unsigned int hold_through_fork(void)
{
	unsigned int lost = 0;

	for (unsigned int i = 0; i < FORKS; i++) {
		pid_t parent = getpid();
		char byte;
		bool kept = hold(i + 1, SYS_fork, &byte) == i + 1;
		int status = 1;

		if (getpid() != parent)
			_exit(!kept || hold_often(i));
		lost += !kept;
		wait(&status);
		lost += status != 0;
	}
	return lost;
}

/*
 * Stop with @value in the register; the exit status tells whether @expected was in it afterwards.
 */
static void traced_child(uint64_t value, uint64_t expected)
{
	uint64_t after;

	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	__asm__ volatile("movq %[value], %%xmm5\n\t"
			 "syscall\n\t"
			 "movq %%xmm5, %[after]"
			 : [after] "=&r"(after)
			 : [value] "r"(value), "a"(SYS_kill), "D"(getpid()), "S"(SIGSTOP)
			 : "rcx", "r11", "xmm5", "memory");
	_exit(after != expected);
}

static void check_debugger(void)
{
	const uint64_t value = 0x123456789abcdef, other = 0xfedcba987654321;
	struct user_fpregs_struct registers;
	uint64_t *xmm5 = (uint64_t *)&registers.xmm_space[4 * 5];
	pid_t child = fork();
	char byte;
	int status;

	if (!child)
		traced_child(value, other);
	waitpid(child, &status, 0);
	check(!ptrace(PTRACE_GETFPREGS, child, NULL, &registers) && *xmm5 == value,
	      "a debugger reads its child's registers");
	*xmm5 = other;
	ptrace(PTRACE_SETFPREGS, child, NULL, &registers);
	check(hold(value, SYS_getppid, &byte) == value, "and leaves its own alone");
	ptrace(PTRACE_CONT, child, NULL, NULL);
	waitpid(child, &status, 0);
	check(WIFEXITED(status) && !WEXITSTATUS(status), "and the child has what it wrote");
}

int main(void)
{
	check(!hold_often(1), "system calls and first accesses");
	check(!hold_in_threads(), "threads");
	check(!hold_through_signals(), "signals");
	check(!hold_through_fork(), "fork");
	check_debugger();
	return end_checks();
}
