// SPDX-License-Identifier: MIT
#include "drawing.h"

#include <fcntl.h>

#include <EGL/eglext.h>
#include <GLES2/gl2ext.h>

static const char *make_context(struct drawing *drawing)
{
	static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE };

	drawing->display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, drawing->gbm, NULL);
	if (!eglInitialize(drawing->display, NULL, NULL))
		return "no EGL display";
	eglBindAPI(EGL_OPENGL_ES_API);
	drawing->context =
		eglCreateContext(drawing->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
	if (!eglMakeCurrent(drawing->display, EGL_NO_SURFACE, EGL_NO_SURFACE, drawing->context))
		return "no context";
	return NULL;
}

const char *drawing_open(struct drawing *drawing, const char *node)
{
	drawing->fd = open(node, O_RDWR | O_CLOEXEC);
	if (drawing->fd < 0)
		return "no render node";
	drawing->gbm = gbm_create_device(drawing->fd);
	return drawing->gbm ? make_context(drawing) : "no GBM device";
}

/* Attach the buffer to the framebuffer that is bound; false after an error. */
static bool attach(struct drawing *drawing, struct gbm_bo *bo)
{
	PFNEGLCREATEIMAGEKHRPROC create_image =
		(PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
	PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC set_storage =
		(PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC)eglGetProcAddress(
			"glEGLImageTargetRenderbufferStorageOES");
	EGLImageKHR image =
		create_image(drawing->display, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR, bo, NULL);
	GLuint renderbuffer;

	if (image == EGL_NO_IMAGE_KHR)
		return false;
	glGenRenderbuffers(1, &renderbuffer);
	glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
	set_storage(GL_RENDERBUFFER, image);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
				  renderbuffer);
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

const char *drawing_create_buffer(struct drawing *drawing, struct drawing_buffer *buffer,
				  unsigned int size)
{
	buffer->bo =
		gbm_bo_create(drawing->gbm, size, size, GBM_FORMAT_XRGB8888, GBM_BO_USE_RENDERING);
	if (!buffer->bo)
		return "no buffer";
	glGenFramebuffers(1, &buffer->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, buffer->framebuffer);
	return attach(drawing, buffer->bo) ? NULL : "the buffer cannot be drawn into";
}

static int take_fence(struct drawing *drawing)
{
	PFNEGLDUPNATIVEFENCEFDANDROIDPROC dup_fence =
		(PFNEGLDUPNATIVEFENCEFDANDROIDPROC)eglGetProcAddress("eglDupNativeFenceFDANDROID");
	EGLSync sync = eglCreateSync(drawing->display, EGL_SYNC_NATIVE_FENCE_ANDROID, NULL);
	int fence;

	if (sync == EGL_NO_SYNC)
		return -1;
	/* There is no descriptor before the fence was flushed (EGL_ANDROID_native_fence_sync). */
	glFlush();
	fence = dup_fence(drawing->display, sync);
	eglDestroySync(drawing->display, sync);
	return fence;
}

int drawing_draw(struct drawing *drawing, struct drawing_buffer *buffer, unsigned int number)
{
	glBindFramebuffer(GL_FRAMEBUFFER, buffer->framebuffer);
	glClearColor(number % 16 / 15.0f, 0.5f, 0.25f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	return take_fence(drawing);
}
