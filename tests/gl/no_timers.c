// SPDX-License-Identifier: MIT
/*
 * On a kernel driver without timestamps no extension for time queries is in the list, and calls of
 * their functions give an error; without counters there are no pipeline statistics. The tags
 * are "nt.", and one "psq.".
 */

#include "angle_timer_query.h"

static const char *const es2[] = { "GL_ANGLE_timer_query", "GL_EXT_disjoint_timer_query" };
static const char *const desktop[] = { "GL_ARB_timer_query", "GL_EXT_timer_query" };

int main(void)
{
	GLuint id = 1;
	GLint value;

	use_context(make_context(API_GL, EGL_NO_CONTEXT));
	for (size_t i = 0; i < COUNT(desktop); i++)
		check("nt.not-offered", !has_extension(desktop[i]), "%s", desktop[i]);
	check("psq.no-counters", !has_extension("GL_ARB_pipeline_statistics_query"),
	      "not offered without counters");
	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	for (size_t i = 0; i < COUNT(es2); i++)
		check("nt.not-offered", !has_extension(es2[i]), "%s", es2[i]);
	angle_load();
	angleGenQueries(1, &id);
	check_error("nt.refused", GL_INVALID_OPERATION, "GenQueries");
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, id);
	check_error("nt.refused", GL_INVALID_OPERATION, "BeginQuery");
	angleQueryCounter(id, GL_TIMESTAMP_ANGLE);
	check_error("nt.refused", GL_INVALID_OPERATION, "QueryCounter");
	glGetIntegerv(GL_GPU_DISJOINT_EXT, &value);
	check_error("nt.refused", GL_INVALID_ENUM, "GPU_DISJOINT");
	return end_checks();
}
