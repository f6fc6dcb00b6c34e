// SPDX-License-Identifier: MIT
/*
 * errors: tests the errors that an application gets when memory is short and when the device
 * was removed; neither may end the process. Names of its checks begin with "er.".
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

#define SIDE 64
#define HUGE_SIDE 8192
#define MAX_TEXTURES 24 /* of 256 MiB: more than a GPU with addresses of 32 bits can have */
#define DRIVER "/sys/bus/pci/drivers/vivgpu"

static PFNGLGETGRAPHICSRESETSTATUSKHRPROC reset_status;

/* Make a context current that is notified of resets. */
static void use_robust_context(void)
{
	static const EGLint config_attributes[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
						    EGL_OPENGL_ES2_BIT, EGL_NONE };
	static const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2,
					     EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
					     EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE };
	EGLContext context;
	EGLConfig config;
	EGLint count;

	eglBindAPI(EGL_OPENGL_ES_API);
	if (!eglChooseConfig(get_display(), config_attributes, &config, 1, &count) || count < 1)
		give_up("no config: EGL error 0x%x", eglGetError());
	context = eglCreateContext(get_display(), config, EGL_NO_CONTEXT, attributes);
	if (!context)
		give_up("no robust context: EGL error 0x%x", eglGetError());
	use_context(context);
}

/* Draw another colour than before and check it. */
static bool draws_right(void)
{
	static GLint green;
	GLint program;
	uint8_t pixel[4];

	green = (green + 51) % 255;
	glGetIntegerv(GL_CURRENT_PROGRAM, &program);
	glUniform4f(glGetUniformLocation(program, "color"), 1, green / 255.0f, 0, 1);
	draw_square(0, 1);
	glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	return pixel[0] == 255 && pixel[1] == green && pixel[2] == 0 && pixel[3] == 255;
}

/*
 * In a guest of 5 GiB the GPU's addresses end before its memory does; in a smaller
 * one the kernel would end the program.
 */
static void without_addresses(void)
{
	GLuint textures[MAX_TEXTURES];
	GLenum error = GL_NO_ERROR;
	int count = 0;

	while (error == GL_NO_ERROR && count < MAX_TEXTURES) {
		glGenTextures(1, &textures[count]);
		glBindTexture(GL_TEXTURE_2D, textures[count++]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, HUGE_SIDE, HUGE_SIDE, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, NULL);
		error = glGetError();
	}
	check("er.memory", error == GL_OUT_OF_MEMORY, "error 0x%x at texture %d of %d", error,
	      count, MAX_TEXTURES);
	check("er.memory", draws_right(), "drawing goes on");
	glDeleteTextures(count, textures);
	glGenTextures(1, textures);
	glBindTexture(GL_TEXTURE_2D, textures[0]);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, HUGE_SIDE, HUGE_SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
		     NULL);
	check_error("er.memory", GL_NO_ERROR, "one more when the others are gone");
	glDeleteTextures(1, textures);
}

/* Takes the device from its driver, for good: nothing can be drawn after that. */
static void lose_device(void)
{
	DIR *folder = opendir(DRIVER);
	struct dirent *entry = NULL;
	FILE *unbind = fopen(DRIVER "/unbind", "w");

	while (folder && (entry = readdir(folder)) && strncmp(entry->d_name, "0000:", 5) != 0)
		;
	if (!entry || !unbind)
		give_up("no device to lose");
	fputs(entry->d_name, unbind);
	if (fclose(unbind))
		give_up("the device stays");
	closedir(folder);
}

static void without_device(void)
{
	static uint8_t texels[SIDE * SIDE * 4];
	GLenum status;
	GLuint texture;

	check("er.device", reset_status() == GL_NO_ERROR, "no reset before");
	lose_device();
	draw_square(0, 1);
	glFinish();
	status = reset_status();
	check("er.device", status == GL_UNKNOWN_CONTEXT_RESET_KHR, "reset status 0x%x", status);
	/* Later calls have no effect and do not hang. */
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
	for (int i = 0; i < 100; i++) {
		draw_square(0, 10);
		glFlush();
	}
	draws_right();
	glFinish();
	check("er.device", true, "a hundred flushes later");
	use_context(EGL_NO_CONTEXT);
	check("er.device", eglTerminate(get_display()), "the display ends");
}

int main(void)
{
	use_robust_context();
	reset_status = get_function("glGetGraphicsResetStatusKHR");
	printf("# vendor: %s\n", (const char *)glGetString(GL_VENDOR));
	make_target(SIDE, SIDE);
	use_plain_program();
	check("er.memory", draws_right(), "at first");
	without_addresses();
	without_device();
	return end_checks();
}
