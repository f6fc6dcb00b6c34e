// SPDX-License-Identifier: MIT
/* GL_ANGLE_timer_query's functions for the tests. */

#include "angle_timer_query.h"

#define ANGLE_DEFINE(result, name, arguments) result(*angle##name) arguments;
ANGLE_FUNCTIONS(ANGLE_DEFINE)

void angle_load(void){
#define ANGLE_FIND(result, name, arguments) angle##name = get_function("gl" #name "ANGLE");
	ANGLE_FUNCTIONS(ANGLE_FIND)
}

GLuint64ANGLE angle_result(GLuint id)
{
	GLuint64ANGLE value = 0;

	angleGetQueryObjectui64v(id, GL_QUERY_RESULT_ANGLE, &value);
	return value;
}

bool angle_available(GLuint id)
{
	GLint available = -1;

	angleGetQueryObjectiv(id, GL_QUERY_RESULT_AVAILABLE_ANGLE, &available);
	return available == GL_TRUE;
}

GLuint angle_make_timestamp(void)
{
	GLuint id;

	angleGenQueries(1, &id);
	angleQueryCounter(id, GL_TIMESTAMP_ANGLE);
	return id;
}
