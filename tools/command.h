/* SPDX-License-Identifier: MIT */
/*
 * Commands that tools run while they do their work, and signals that would end a tool: they go to its
 * command, and the tool goes on until that has ended, so that nothing of what it did is lost.
 */
#ifndef VIVGPU_TOOLS_COMMAND_H
#define VIVGPU_TOOLS_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * command_take_signals - do not end at SIGINT, SIGTERM, SIGQUIT and SIGHUP any more
 *
 * They go to the command, as soon as there is one. SIGHUP remains ignored if it is.
 */
void command_take_signals(void);

/** command_interrupted - whether one of these signals came since command_take_signals() */
bool command_interrupted(void);

/**
 * command_start - run a command, the only one of this process; takes signals if that was not done
 *
 * @tool: name of this program, for messages
 * @own_group: in a process group of its own: signals go to the command and its children alike, and it
 *	has the terminal until command_ended(). Else a key of the terminal reaches the command and this
 *	program, which then passes nothing on
 *
 * A command that cannot be executed prints a message and exits with 127.
 *
 * Returns: its process; -1, after a message, if there can be none.
 */
pid_t command_start(const char *tool, char *const command[], bool own_group);

/**
 * command_ended - whether the command has ended; not to be called again after that
 *
 * @status: set to its exit status as a shell gives it, if it has ended
 */
bool command_ended(pid_t pid, int *status);

#endif
