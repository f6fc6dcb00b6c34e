// SPDX-License-Identifier: MIT
/*
 * GL_KHR_robustness: a context whose draw hung the core gets its reset status; others of the same
 * process get none. The tags are "rs.".
 */

#include "harness.h"

static PFNGLGETGRAPHICSRESETSTATUSKHRPROC reset_status;

static const char *name_of(GLenum status)
{
	switch (status) {
	case GL_NO_ERROR:
		return "no reset";
	case GL_GUILTY_CONTEXT_RESET_KHR:
		return "guilty";
	case GL_INNOCENT_CONTEXT_RESET_KHR:
		return "innocent";
	default:
		return "unknown";
	}
}

/* Make a context current that is notified of resets. */
static EGLContext use_robust_context(void)
{
	static const EGLint config_attributes[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
						    EGL_OPENGL_ES2_BIT, EGL_NONE };
	static const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2,
					     EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
					     EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE };
	EGLDisplay display = get_display();
	EGLContext context;
	EGLConfig config;
	EGLint count;

	eglBindAPI(EGL_OPENGL_ES_API);
	if (!eglChooseConfig(display, config_attributes, &config, 1, &count) || count < 1)
		give_up("no config: EGL error 0x%x", eglGetError());
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
	if (!context)
		give_up("no robust context: EGL error 0x%x", eglGetError());
	use_context(context);
	return context;
}

static void expect(const char *tag, GLenum expected, const char *when)
{
	GLenum status = reset_status();

	check(tag, status == expected, "%s: %s", when, name_of(status));
}

int main(void)
{
	EGLContext other = use_robust_context(), guilty = use_robust_context();

	reset_status = get_function("glGetGraphicsResetStatusKHR");
	make_target(64, 64);
	use_plain_program();
	expect("rs.before", GL_NO_ERROR, "before");
	hang_core();
	draw_square(0, 1);
	glFinish();
	expect("rs.guilty", GL_GUILTY_CONTEXT_RESET_KHR, "its draw hung the core");
	/*
	 * Mesa returns a status of the driver's a second time (st_cb_flush.c): drop it.
	 */
	reset_status();
	expect("rs.guilty", GL_NO_ERROR, "and then no more");

	use_context(other);
	expect("rs.other", GL_NO_ERROR, "a context made before");
	use_robust_context();
	expect("rs.later", GL_NO_ERROR, "a context made afterwards");
	use_context(guilty);
	expect("rs.later", GL_NO_ERROR, "the guilty one again");
	return end_checks();
}
