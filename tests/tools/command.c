// SPDX-License-Identifier: MIT
/*
 * command: signals that a tool gets while it runs a command, and how commands end. Prints each
 * result that is wrong, and ends with status 1 then. Each test is a process of its own, a tool.
 */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

/* Linked with --wrap=fork */
pid_t __real_fork(void);
pid_t __wrap_fork(void);

static bool no_processes;
static int failed;

pid_t __wrap_fork(void)
{
	if (!no_processes)
		return __real_fork();
	errno = EAGAIN;
	return -1;
}

static void check(bool good, const char *what)
{
	if (!good)
		printf("FAIL  %s\n", what);
	failed += !good;
}

/* Wait for a command's end; its status. */
static int wait_for(pid_t pid)
{
	int status;

	while (!command_ended(pid, &status))
		poll(NULL, 0, 1);
	return status;
}

/* The status of a command in the shell's language; @own_group: see command_start() */
static int run(const char *text, bool own_group)
{
	char *const command[] = { (char[]){ "sh" }, (char[]){ "-c" }, (char *)text, NULL };

	return wait_for(command_start("tool", command, own_group));
}

static int exits(void)
{
	return run("exit 3", false);
}

static int dies(void)
{
	return run("kill -9 $$", false);
}

static int does_not_exist(void)
{
	char *const command[] = { (char[]){ "/nonexistent" }, NULL };

	return wait_for(command_start("tool", command, false));
}

/* The command lets its parent, the tool, have a signal, and must get it. */
static int forwards(void)
{
	return run("trap 'exit 5' TERM; kill -TERM $PPID; while :; do sleep 0.01; done", false);
}

static int forwards_to_group(void)
{
	return run("trap 'exit 6' INT; kill -INT $PPID; while :; do sleep 0.01; done", true);
}

/* A child of the command ends by the signal, and then does the command. */
static int reaches_children(void)
{
	return run("trap : TERM; "
		   "(trap 'exit 0' TERM; kill -TERM $PPID; while :; do sleep 0.01; done) & "
		   "wait; wait; exit 7",
		   true);
}

static int comes_before(void)
{
	command_take_signals();
	raise(SIGTERM);
	return command_interrupted() ? run("sleep 60", false) : 0;
}

/* As nohup starts programs: the command must not end by it, nor the tool. */
static int ignores_hangup(void)
{
	signal(SIGHUP, SIG_IGN);
	return run("kill -HUP $PPID; kill -HUP $$; exit 8", false);
}

static int without_processes(void)
{
	char *const command[] = { (char[]){ "true" }, NULL };

	no_processes = true;
	return command_start("tool", command, false) == -1 ? 9 : 0;
}

/* Run a test, whose status must be this one. */
static void expect(int (*test)(void), int expected, const char *what)
{
	pid_t pid;
	int status = 0;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(test());
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && WEXITSTATUS(status) == expected, what);
}

int main(void)
{
	expect(exits, 3, "a command's status");
	expect(dies, 128 + SIGKILL, "a command that a signal ends");
	expect(does_not_exist, 127, "a command that does not exist");
	expect(forwards, 5, "a signal goes to the command");
	expect(forwards_to_group, 6, "a signal goes to a command with its own group");
	expect(reaches_children, 7, "a signal goes to the command's children");
	expect(comes_before, 128 + SIGTERM, "a signal that comes before the command");
	expect(ignores_hangup, 8, "an ignored hangup");
	expect(without_processes, 9, "no process for the command");
	return failed > 0;
}
