// SPDX-License-Identifier: MIT
/*
 * GL_ANGLE_timer_query, sentence by sentence; the tags "tq." are those of
 * Documentation/mesa/conformance-angle-timer-query.rst.
 */

#include "harness.h"

#include <string.h>

int main(void)
{
	EGLContext context = make_context(API_ES2, EGL_NO_CONTEXT);

	use_context(context);
	check("tq.renderer", strstr((const char *)glGetString(GL_RENDERER), "Vivante") != NULL,
	      "%s draws", glGetString(GL_RENDERER));
	return end_checks();
}
