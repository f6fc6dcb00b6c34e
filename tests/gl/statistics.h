/* SPDX-License-Identifier: MIT */
/*
 * GL_ARB_pipeline_statistics_query for tests: query objects of OpenGL, and the
 * extension's targets.
 */
#ifndef TESTS_GL_STATISTICS_H
#define TESTS_GL_STATISTICS_H

#include "harness.h"

enum {
	SAMPLES_PASSED = 0x8914,
	VERTICES_SUBMITTED = 0x82EE,
	PRIMITIVES_SUBMITTED = 0x82EF,
	VERTEX_SHADER_INVOCATIONS = 0x82F0,
	TESS_CONTROL_SHADER_PATCHES = 0x82F1,
	TESS_EVALUATION_SHADER_INVOCATIONS = 0x82F2,
	GEOMETRY_SHADER_INVOCATIONS = 0x887F,
	GEOMETRY_SHADER_PRIMITIVES_EMITTED = 0x82F3,
	FRAGMENT_SHADER_INVOCATIONS = 0x82F4,
	COMPUTE_SHADER_INVOCATIONS = 0x82F5,
	CLIPPING_INPUT_PRIMITIVES = 0x82F6,
	CLIPPING_OUTPUT_PRIMITIVES = 0x82F7,
	QUERY_COUNTER_BITS = 0x8864,
	CURRENT_QUERY = 0x8865,
	QUERY_RESULT = 0x8866,
	QUERY_RESULT_AVAILABLE = 0x8867,
};

/* Targets whose stages exist: indices in arrays of results, and the targets. */
enum place {
	VERTICES,
	PRIMITIVES,
	VERTEX_SHADER,
	CLIPPING_INPUT,
	CLIPPING_OUTPUT,
	FRAGMENT_SHADER,
	NR_TARGETS,
};

extern const GLenum targets[NR_TARGETS];

struct query_calls {
	void (*gen)(GLsizei, GLuint *);
	void (*delete)(GLsizei, const GLuint *);
	void (*begin)(GLenum, GLuint);
	void (*end)(GLenum);
	void (*begin_indexed)(GLenum, GLuint, GLuint);
	void (*end_indexed)(GLenum, GLuint);
	void (*parameter)(GLenum, GLenum, GLint *);
	void (*get)(GLuint, GLenum, GLuint *);
	void (*get64)(GLuint, GLenum, uint64_t *);
};

/** Filled in by load_query_calls(). */
extern struct query_calls query;

/** Load all functions; gives up if one is missing. */
void load_query_calls(void);

/** Begin queries of all targets, end them, and wait for their results. */
void begin_all(GLuint ids[NR_TARGETS]);
void end_all(void);
void get_all(const GLuint ids[NR_TARGETS], uint64_t results[NR_TARGETS]);

/** Count what a function draws, by queries of all targets at once. */
void count(void (*draw)(void), uint64_t results[NR_TARGETS]);

#endif
