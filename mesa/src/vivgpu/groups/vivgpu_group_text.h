/* SPDX-License-Identifier: MIT */
/*
 * Groups and commands as text, JSON and CSV. Pure functions: each writes a string of at most
 * @size - 1 bytes, cut off if it is longer, and returns the length of the whole as snprintf().
 */
#ifndef VIVGPU_GROUP_TEXT_H
#define VIVGPU_GROUP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "vivgpu_group.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that suffice for any command in any of the forms below, zero included */
#define VIVGPU_COMMAND_CHARS 1024

/** Name of a format by its number (enum pipe_format); NULL if it has none. */
typedef const char *(*vivgpu_format_name)(unsigned format);

/** "draw", "clear", ...; "?" for a number without a meaning. */
const char *vivgpu_command_type_name(unsigned type);

/** The type with this name, 0 if there is none. */
unsigned vivgpu_command_type(const char *name);

/** "flush", "full stream", ...; "?" for a number without a meaning. */
const char *vivgpu_group_reason_name(unsigned reason);

/** "triangles", ...: modes of OpenGL; "?" for a number without a meaning. */
const char *vivgpu_draw_mode_name(unsigned mode);

/** A command for people, in one line: "draw triangles 300 x 2, program 1234abcd, ...". */
int vivgpu_command_text(char *text, size_t size, const struct vivgpu_command *command,
                        vivgpu_format_name format);

/** A command in a few words: "draw 600", "clear color depth". */
int vivgpu_command_short(char *text, size_t size, const struct vivgpu_command *command);

/** A command as an object of JSON. */
int vivgpu_command_json(char *text, size_t size, const struct vivgpu_command *command,
                        vivgpu_format_name format);

/** The members of a group as JSON, without braces and without its commands. */
int vivgpu_group_json(char *text, size_t size, const struct vivgpu_group *group);

/** The members of a result as JSON, without braces. */
int vivgpu_group_result_json(char *text, size_t size, const struct vivgpu_group_result *result);

/** The columns of vivgpu_group_csv(), as a line of CSV without its end. */
const char *vivgpu_group_csv_columns(void);

/**
 * A group and its result as a line of CSV without its end.
 *
 * @group: NULL for a job that no monitor saw; then its columns but two are empty: cookie and
 *         submitted_ns, which the result has as well
 * @result: NULL if the job has not ended; then its columns are empty. Not NULL as well as @group
 */
int vivgpu_group_csv(char *text, size_t size, const struct vivgpu_group *group,
                     const struct vivgpu_group_result *result);

/** A string of JSON with its quotes: @length bytes; those that are not printable are escaped. */
int vivgpu_json_string(char *text, size_t size, const char *string, size_t length);

#ifdef __cplusplus
}
#endif

#endif
