// SPDX-License-Identifier: MIT

#include "plot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

FILE *plot_begin(void)
{
	FILE *script = tmpfile();

	if (!script)
		fprintf(stderr, "vivgpu-events: no file for gnuplot: %s\n", strerror(errno));
	return script;
}

/*
 * Start gnuplot on its standard input as a file: from a pipe or a terminal it reads on after an error.
 * Returns 0 or an error number, ENOENT without gnuplot.
 */
static int start(pid_t *pid, int script, int output)
{
	char *const arguments[] = { (char[]){ "gnuplot" }, (char[]){ "/proc/self/fd/0" }, NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Let gnuplot run a script. Returns 0, an error number, ENOENT without gnuplot, or -1 if it failed. */
static int run(int script, int output)
{
	int status, error;
	pid_t pid;

	/*
	 * gnuplot is the distribution's: it must not get the libraries of our Mesa, which are in this
	 * variable if this program was started by vivgpu-run.
	 */
	unsetenv("LD_LIBRARY_PATH");
	error = start(&pid, script, output);
	if (error)
		return error;
	return TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) == pid && status == 0 ? 0 : -1;
}

bool plot_end(FILE *script, const char *path)
{
	bool written = fflush(script) == 0 && !ferror(script);
	int output, error = errno;

	if (!written)
		fprintf(stderr, "vivgpu-events: no script for gnuplot: %s\n", strerror(error));
	output = written ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
	if (written && output < 0)
		fprintf(stderr, "vivgpu-events: %s: %s\n", path, strerror(errno));
	if (output < 0) {
		fclose(script);
		return false;
	}
	error = run(fileno(script), output);
	close(output);
	fclose(script);
	if (!error)
		return true;
	unlink(path);
	fprintf(stderr, "vivgpu-events: no %s: gnuplot %s\n", path,
		error == ENOENT ? "is not installed"
		: error > 0     ? strerror(error)
				: "failed");
	return error == ENOENT;
}

/* Characters that mean nothing in a string, nor where it would end too early; others are escaped. */
static bool is_plain(unsigned char character)
{
	return isalnum(character) || character >= 128 || strchr(" ,.:;+-=_/()[]", character);
}

/*
 * In double quotes, because in single ones a quote at the beginning cannot be written. gnuplot
 * substitutes backquotes and macros before it reads escapes; of an octal one that begins with a zero
 * it reads four digits. @percent: what is written for a per cent sign
 */
static void put_string(FILE *script, const char *text, const char *percent)
{
	fputc('"', script);
	for (; *text; text++) {
		unsigned char character = *text;

		if (character == '%')
			fputs(percent, script);
		else if (character == '\n')
			fputs("\\n", script);
		else if (character < ' ' || character == 127)
			fputc('?', script);
		else if (is_plain(character))
			fputc(character, script);
		else
			fprintf(script, "\\0%03o", character);
	}
	fputc('"', script);
}

void plot_put_text(FILE *script, const char *text)
{
	put_string(script, text, "%");
}

void plot_put_tic(FILE *script, const char *text, double place)
{
	/* gnuplot takes it for a format of the place, and cuts off what is longer than 50 bytes then. */
	put_string(script, text, "%%");
	fprintf(script, " %g", place);
}
