// SPDX-License-Identifier: MIT
/*
 * GL_ANGLE_timer_query without GL_EXT_disjoint_timer_query, which Mesa's environment
 * switches off here: the extension needs no other. The tags are "tq.".
 */

#include "angle_timer_query.h"

#include <stdlib.h>

int main(void)
{
	GLint bits = 0;
	GLuint ids[2];

	setenv("MESA_EXTENSION_OVERRIDE", "-GL_EXT_disjoint_timer_query", 1);
	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	angle_load();
	make_target(64, 64);
	use_plain_program();
	check("tq.alone",
	      has_extension("GL_ANGLE_timer_query") &&
		      !has_extension("GL_EXT_disjoint_timer_query"),
	      "offered without GL_EXT_disjoint_timer_query");
	angleGenQueries(2, ids);
	angleGetQueryiv(GL_TIMESTAMP_ANGLE, GL_QUERY_COUNTER_BITS_ANGLE, &bits);
	angleBeginQuery(GL_TIME_ELAPSED_ANGLE, ids[0]);
	draw_square(0, 1);
	angleEndQuery(GL_TIME_ELAPSED_ANGLE);
	angleQueryCounter(ids[1], GL_TIMESTAMP_ANGLE);
	check("tq.alone", bits > 0 && angle_result(ids[0]) > 0 && angle_result(ids[1]) > 0,
	      "a draw takes %llu ns, %d bits", (unsigned long long)angle_result(ids[0]), bits);
	check_error("tq.alone", GL_NO_ERROR, "after all");
	return end_checks();
}
