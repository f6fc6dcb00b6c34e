// SPDX-License-Identifier: MIT

#include "command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int taken[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

/* Where signals go, as kill() takes it: the command, or minus its group; 0: there is none */
static volatile pid_t target;
/* The last signal that came; 0: none did */
static volatile sig_atomic_t last_signal;

/* The kernel sends the terminal's signals to a whole group, of which the command is one. */
static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	last_signal = number;
	if (target < 0 || (target > 0 && info->si_code != SI_KERNEL))
		kill(target, number);
}

void command_take_signals(void)
{
	const struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	struct sigaction before;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		sigaction(taken[i], NULL, &before);
		/*
		 * It is ignored for nohup. Scripts ignore SIGINT and SIGQUIT in all programs in the
		 * background, also in one that is to be ended by them.
		 */
		if (taken[i] != SIGHUP || before.sa_handler != SIG_IGN)
			sigaction(taken[i], &action, NULL);
	}
}

bool command_interrupted(void)
{
	return last_signal != 0;
}

/*
 * Hand the terminal, if there is one, from one process group to another: the command may read from
 * it and is reached by its keys while it runs. SIGTTOU must be blocked: it would stop the caller,
 * which is not in the group that has the terminal.
 */
static void hand_terminal(pid_t from, pid_t to)
{
	sigset_t writing, before;

	sigemptyset(&writing);
	sigaddset(&writing, SIGTTOU);
	sigprocmask(SIG_BLOCK, &writing, &before);
	if (tcgetpgrp(STDIN_FILENO) == from)
		tcsetpgrp(STDIN_FILENO, to);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* In the child, with all signals blocked: a signal that waits is the command's. */
static _Noreturn void execute(const char *tool, char *const command[], bool own_group,
			      pid_t parent_group, const sigset_t *mask)
{
	struct sigaction action;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		sigaction(taken[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			signal(taken[i], SIG_DFL);
	}
	if (own_group) {
		setpgid(0, 0);
		hand_terminal(parent_group, getpid());
	}
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(command[0], command);
	fprintf(stderr, "%s: %s: %s\n", tool, command[0], strerror(errno));
	_exit(127);
}

pid_t command_start(const char *tool, char *const command[], bool own_group)
{
	const pid_t parent_group = getpgrp();
	sigset_t all, before;
	pid_t child;

	/* A signal that comes before the command is known waits until it is. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	command_take_signals();
	child = fork();
	if (child == 0)
		execute(tool, command, own_group, parent_group, &before);
	if (child > 0) {
		/* In both processes, so that the group is there whichever of them runs first. */
		if (own_group)
			setpgid(child, child);
		target = own_group ? -child : child;
		/* One that came before there was a command. */
		if (last_signal)
			kill(target, last_signal);
	} else {
		fprintf(stderr, "%s: %s: %s\n", tool, command[0], strerror(errno));
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return child;
}

bool command_ended(pid_t pid, int *status)
{
	int wait_status;

	if (waitpid(pid, &wait_status, WNOHANG) != pid)
		return false;
	target = 0;
	hand_terminal(pid, getpgrp());
	*status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
	return true;
}
