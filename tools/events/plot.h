/* SPDX-License-Identifier: MIT */
/* Pictures by gnuplot: a script is written to a file, then gnuplot runs it. */
#ifndef VIVGPU_TOOLS_PLOT_H
#define VIVGPU_TOOLS_PLOT_H

#include <stdbool.h>
#include <stdio.h>

/** plot_begin - a temporary file for a script; NULL, after a message, if there can be none */
FILE *plot_begin(void);

/**
 * plot_end - run a script and close it
 *
 * @path: what gnuplot writes to its standard output: the picture, unless the script sets another one
 *
 * Without gnuplot there is no picture, but a message: that is no error, since the picture is only one
 * of several results.
 *
 * Returns: false, after a message, if something else failed; then there is no file @path.
 */
bool plot_end(FILE *script, const char *path);

/**
 * plot_put_text - write any text as a string of gnuplot's language
 *
 * Programs choose their names and the texts of debug groups, so nothing in them may end the string or
 * be a command for gnuplot. Newlines remain, other control characters become question marks.
 * The terminal has to be set with noenhanced: else some characters change the font.
 */
void plot_put_text(FILE *script, const char *text);

/** plot_put_tic - write a text and its place, in the list of "set xtics" and "set ytics" */
void plot_put_tic(FILE *script, const char *text, double place);

#endif
