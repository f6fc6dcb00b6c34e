// SPDX-License-Identifier: MIT
/*
 * LD_PRELOAD library: writes a program's draws, clears, flushes, swaps, debug groups and labels,
 * one call a line, to the file GROUPS_CALLS, for comparison with the driver's command groups. It
 * gets calls through symbols, dlsym(), eglGetProcAddress() and glXGetProcAddress().
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <GLES2/gl2.h>

typedef void (*function)(void);

static FILE *calls;

/* The C library's dlsym(); the library's own replacement is below. */
static void *(*real_dlsym)(void *, const char *);

static __attribute__((constructor)) void open_calls(void)
{
	const char *path = getenv("GROUPS_CALLS");

	calls = path ? fopen(path, "ae") : NULL;
	if (calls)
		setvbuf(calls, NULL, _IOLBF, 0);
}

#define RECORD(...)                                  \
	do {                                         \
		if (calls)                           \
			fprintf(calls, __VA_ARGS__); \
	} while (0)

/* As dlsym(). The version is that of x86-64. */
static void *find(void *handle, const char *name)
{
	if (!real_dlsym)
		real_dlsym =
			(void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	return real_dlsym(handle, name);
}

/* Functions that the program looked up, for which it got a recording function instead. */
static struct {
	char name[48];
	void *real;
} known[64];

static void remember(const char *name, void *real)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].real && strcmp(known[i].name, name))
			continue;
		snprintf(known[i].name, sizeof(known[i].name), "%s", name);
		known[i].real = real;
		return;
	}
	abort();
}

/* The real function: that of a library the program is linked with, or one that it looked up. */
static void *next(const char *name)
{
	void *found = find(RTLD_NEXT, name);

	for (size_t i = 0; !found && i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].real && !strcmp(known[i].name, name))
			found = known[i].real;
	}
	if (!found)
		abort();
	return found;
}

#define NEXT(name, ...)                   \
	static void (*real)(__VA_ARGS__); \
	if (!real)                        \
	real = (void (*)(__VA_ARGS__))next(name)

/* Lines of draws have the mode, the number of vertices or indices, and that of instances. */
void glDrawArrays(GLenum mode, GLint first, GLsizei count)
{
	NEXT("glDrawArrays", GLenum, GLint, GLsizei);
	RECORD("draw %u %d 1\n", mode, count);
	real(mode, first, count);
}

void glDrawElements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
	NEXT("glDrawElements", GLenum, GLsizei, GLenum, const void *);
	RECORD("draw %u %d 1\n", mode, count);
	real(mode, count, type, indices);
}

void glDrawRangeElements(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
			 const void *indices)
{
	NEXT("glDrawRangeElements", GLenum, GLuint, GLuint, GLsizei, GLenum, const void *);
	RECORD("draw %u %d 1\n", mode, count);
	real(mode, start, end, count, type, indices);
}

#define INSTANCED(suffix)                                                                      \
	void glDrawArraysInstanced##suffix(GLenum mode, GLint first, GLsizei count,            \
					   GLsizei instances)                                  \
	{                                                                                      \
		NEXT("glDrawArraysInstanced" #suffix, GLenum, GLint, GLsizei, GLsizei);        \
		RECORD("draw %u %d %d\n", mode, count, instances);                             \
		real(mode, first, count, instances);                                           \
	}                                                                                      \
	void glDrawElementsInstanced##suffix(GLenum mode, GLsizei count, GLenum type,          \
					     const void *indices, GLsizei instances)           \
	{                                                                                      \
		NEXT("glDrawElementsInstanced" #suffix, GLenum, GLsizei, GLenum, const void *, \
		     GLsizei);                                                                 \
		RECORD("draw %u %d %d\n", mode, count, instances);                             \
		real(mode, count, type, indices, instances);                                   \
	}

INSTANCED()
INSTANCED(ARB)
INSTANCED(EXT)
INSTANCED(ANGLE)

void glClear(GLbitfield mask)
{
	NEXT("glClear", GLbitfield);
	RECORD("clear %u\n", mask);
	real(mask);
}

void glFlush(void)
{
	NEXT("glFlush", void);
	RECORD("flush\n");
	real();
}

void glFinish(void)
{
	NEXT("glFinish", void);
	RECORD("finish\n");
	real();
}

#define DEBUG(suffix)                                                                      \
	void glPushDebugGroup##suffix(GLenum source, GLuint id, GLsizei length,            \
				      const GLchar *text)                                  \
	{                                                                                  \
		NEXT("glPushDebugGroup" #suffix, GLenum, GLuint, GLsizei, const GLchar *); \
		RECORD("push %.*s\n", length < 0 ? (int)strlen(text) : length, text);      \
		real(source, id, length, text);                                            \
	}                                                                                  \
	void glPopDebugGroup##suffix(void)                                                 \
	{                                                                                  \
		NEXT("glPopDebugGroup" #suffix, void);                                     \
		RECORD("pop\n");                                                           \
		real();                                                                    \
	}

DEBUG()
DEBUG(KHR)

#define LABEL(name)                                                                           \
	void name(GLenum kind, GLuint object, GLsizei length, const GLchar *text)             \
	{                                                                                     \
		NEXT(#name, GLenum, GLuint, GLsizei, const GLchar *);                         \
		int bytes = !text ? 0 : length < 0 ? (int)strlen(text) : length;              \
                                                                                              \
		RECORD("label %u%s%.*s\n", object, text ? " " : "", bytes, text ? text : ""); \
		real(kind, object, length, text);                                             \
	}

LABEL(glObjectLabel)
LABEL(glObjectLabelKHR)

EGLBoolean eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
	static EGLBoolean (*real)(EGLDisplay, EGLSurface);

	if (!real)
		real = (EGLBoolean(*)(EGLDisplay, EGLSurface))next("eglSwapBuffers");
	RECORD("swap\n");
	return real(display, surface);
}

/* The recording function of that name, or NULL. */
static function own_function(const char *name)
{
	function own = (function)find(RTLD_DEFAULT, name);
	Dl_info info, self;

	if (own && dladdr((void *)own, &info) && dladdr((void *)glClear, &self) &&
	    info.dli_fbase == self.dli_fbase)
		return own;
	return NULL;
}

/* The recording function, if the implementation has the function. */
static function choose(const char *name, function real)
{
	function own = real ? own_function(name) : NULL;

	if (!own)
		return real;
	remember(name, (void *)real);
	return own;
}

#define GET_ADDRESS(name)                                              \
	function name(const char *function_name)                       \
	{                                                              \
		static function (*real)(const char *);                 \
                                                                       \
		if (!real)                                             \
			real = (function(*)(const char *))next(#name); \
		return choose(function_name, real(function_name));     \
	}

GET_ADDRESS(eglGetProcAddress)
GET_ADDRESS(glXGetProcAddress)
GET_ADDRESS(glXGetProcAddressARB)

/* Loaders of GL functions, glad and waffle, look into libraries they opened themselves. */
void *dlsym(void *handle, const char *name)
{
	void *real = find(handle, name);

	if (handle == RTLD_NEXT || (strncmp(name, "gl", 2) && strncmp(name, "egl", 3)))
		return real;
	return (void *)choose(name, (function)real);
}
