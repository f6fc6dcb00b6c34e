/* SPDX-License-Identifier: MIT */
/*
 * Declarations of GL_ANGLE_timer_query after its specification, since the system's headers lack
 * them.
 */
#ifndef TESTS_GL_ANGLE_TIMER_QUERY_H
#define TESTS_GL_ANGLE_TIMER_QUERY_H

#include "harness.h"

#define GL_QUERY_COUNTER_BITS_ANGLE 0x8864
#define GL_CURRENT_QUERY_ANGLE 0x8865
#define GL_QUERY_RESULT_ANGLE 0x8866
#define GL_QUERY_RESULT_AVAILABLE_ANGLE 0x8867
#define GL_TIME_ELAPSED_ANGLE 0x88BF
#define GL_TIMESTAMP_ANGLE 0x8E28

typedef khronos_int64_t GLint64ANGLE;
typedef khronos_uint64_t GLuint64ANGLE;

/** The eleven functions: result, name without "gl" and "ANGLE", arguments */
#define ANGLE_FUNCTIONS(F)                                                            \
	F(void, GenQueries, (GLsizei n, GLuint * ids))                                \
	F(void, DeleteQueries, (GLsizei n, const GLuint *ids))                        \
	F(GLboolean, IsQuery, (GLuint id))                                            \
	F(void, BeginQuery, (GLenum target, GLuint id))                               \
	F(void, EndQuery, (GLenum target))                                            \
	F(void, QueryCounter, (GLuint id, GLenum target))                             \
	F(void, GetQueryiv, (GLenum target, GLenum pname, GLint * params))            \
	F(void, GetQueryObjectiv, (GLuint id, GLenum pname, GLint * params))          \
	F(void, GetQueryObjectuiv, (GLuint id, GLenum pname, GLuint * params))        \
	F(void, GetQueryObjecti64v, (GLuint id, GLenum pname, GLint64ANGLE * params)) \
	F(void, GetQueryObjectui64v, (GLuint id, GLenum pname, GLuint64ANGLE * params))

#define ANGLE_DECLARE(result, name, arguments) extern result(*angle##name) arguments;
ANGLE_FUNCTIONS(ANGLE_DECLARE)

/** Load the functions; gives up if one is missing. */
void angle_load(void);

/** Return a query's result; waits for it. */
GLuint64ANGLE angle_result(GLuint id);

/** True if a query's result is available. */
bool angle_available(GLuint id);

/** Create a query for a timestamp and emit it. */
GLuint angle_make_timestamp(void);

#endif
