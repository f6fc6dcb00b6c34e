// SPDX-License-Identifier: MIT
/*
 * GL_ARB_pipeline_statistics_query for tests.
 */

#include "statistics.h"

const GLenum targets[NR_TARGETS] = {
	[VERTICES] = VERTICES_SUBMITTED,
	[PRIMITIVES] = PRIMITIVES_SUBMITTED,
	[VERTEX_SHADER] = VERTEX_SHADER_INVOCATIONS,
	[CLIPPING_INPUT] = CLIPPING_INPUT_PRIMITIVES,
	[CLIPPING_OUTPUT] = CLIPPING_OUTPUT_PRIMITIVES,
	[FRAGMENT_SHADER] = FRAGMENT_SHADER_INVOCATIONS,
};

struct query_calls query;

void load_query_calls(void)
{
	query.gen = get_function("glGenQueries");
	query.delete = get_function("glDeleteQueries");
	query.begin = get_function("glBeginQuery");
	query.end = get_function("glEndQuery");
	query.begin_indexed = get_function("glBeginQueryIndexed");
	query.end_indexed = get_function("glEndQueryIndexed");
	query.parameter = get_function("glGetQueryiv");
	query.get = get_function("glGetQueryObjectuiv");
	query.get64 = get_function("glGetQueryObjectui64v");
}

void begin_all(GLuint ids[NR_TARGETS])
{
	query.gen(NR_TARGETS, ids);
	for (int i = 0; i < NR_TARGETS; i++)
		query.begin(targets[i], ids[i]);
}

void end_all(void)
{
	for (int i = 0; i < NR_TARGETS; i++)
		query.end(targets[i]);
}

void get_all(const GLuint ids[NR_TARGETS], uint64_t results[NR_TARGETS])
{
	for (int i = 0; i < NR_TARGETS; i++)
		query.get64(ids[i], QUERY_RESULT, &results[i]);
	query.delete(NR_TARGETS, ids);
}

void count(void (*draw)(void), uint64_t results[NR_TARGETS])
{
	GLuint ids[NR_TARGETS];

	begin_all(ids);
	draw();
	end_all();
	get_all(ids, results);
}
