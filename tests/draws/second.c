// SPDX-License-Identifier: MIT
#include "second.h"

#include <pthread.h>
#include <semaphore.h>

#include "harness.h"

/*
 * The second context, and the view that its thread is to show. Elsewhere "second" is a second
 * colour buffer (OP_SECOND, use_second()).
 */
static struct {
	EGLContext context;
	sem_t asked, done;
	struct view *view;
} second;

GLsync hand_over(enum handover way)
{
	GLsync fence = NULL;

	if (way == HANDOVER_FINISH) {
		glFinish();
		return NULL;
	}
	if (way == HANDOVER_FENCE)
		fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
	glFlush();
	return fence;
}

void take_over(GLsync fence)
{
	if (!fence)
		return;
	glWaitSync(fence, 0, GL_TIMEOUT_IGNORED);
	glDeleteSync(fence);
}

static GLuint attach(GLenum target, GLuint buffer)
{
	GLuint framebuffer;

	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(target, framebuffer);
	glFramebufferRenderbuffer(target, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
	return framebuffer;
}

static void draw_square_of(GLuint texture)
{
	glViewport(0, 0, SIZE, SIZE);
	glClear(GL_COLOR_BUFFER_BIT);
	glEnable(GL_TEXTURE_2D);
	glBindTexture(GL_TEXTURE_2D, texture);
	glBegin(value_of(&other_square, 0));
	for (const double *v = other_square.values + 1;
	     v < other_square.values + other_square.count; v += VERTEX) {
		glColor4d(v[3], v[4], v[5], v[6]);
		glTexCoord2d(v[7], v[8]);
		glVertex3d(v[0] * 2 / SIZE - 1, v[1] * 2 / SIZE - 1, v[2] * 2 - 1);
	}
	glEnd();
	glBindTexture(GL_TEXTURE_2D, 0);
}

static void show(struct view *view)
{
	GLuint framebuffers[2] = { attach(GL_DRAW_FRAMEBUFFER, view->to) };

	take_over(view->fence);
	if (view->texture) {
		draw_square_of(view->texture);
	} else {
		framebuffers[1] = attach(GL_READ_FRAMEBUFFER, view->from);
		glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT,
				  GL_NEAREST);
	}
	view->fence = hand_over(view->way);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glDeleteFramebuffers(2, framebuffers);
}

static void *show_views(void *unused)
{
	(void)unused;
	eglBindAPI(EGL_OPENGL_API);
	use_context(second.context);
	glDisable(GL_DITHER);
	for (;;) {
		sem_wait(&second.asked);
		show(second.view);
		sem_post(&second.done);
	}
	return NULL;
}

void start_second(EGLContext share)
{
	pthread_t thread;

	if (second.context)
		return;
	second.context = make_context(API_GL, share);
	sem_init(&second.asked, 0, 0);
	sem_init(&second.done, 0, 0);
	if (pthread_create(&thread, NULL, show_views, NULL) != 0)
		give_up("no second thread");
}

void show_view(struct view *view)
{
	second.view = view;
	sem_post(&second.asked);
	sem_wait(&second.done);
}
