// SPDX-License-Identifier: MIT
/*
 * desktop FOLDER: draws a room with OpenGL 2.1 and writes PNG files to FOLDER: one picture each
 * of the parts drawn by fixed functions, by shaders and by pixel operations, and one of all
 * together. Its pictures of two drivers are compared.
 */
#include "canvas.h"
#include "harness.h"
#include "room.h"

static GLuint room_framebuffer, shadow_framebuffer;

/*
 * Set the view: a camera above the floor's edge, or a light high up, directed at the middle. @angle
 * is no angle but half of the width of the view at the distance @near; @down is in degrees.
 */
static void look(float angle, float down, float distance, float near, float far)
{
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glFrustum(-angle, angle, -angle * HEIGHT / WIDTH, angle * HEIGHT / WIDTH, near, far);
	glMatrixMode(GL_MODELVIEW);
	glLoadIdentity();
	glTranslatef(0, -0.6f, -distance);
	glRotatef(down, 1, 0, 0);
}

void look_from_camera(void)
{
	look(0.6f, 22, 7, 1, 20);
	glRotatef(-12, 0, 1, 0);
}

/* Approximately from light_position. */
void look_from_light(void)
{
	look(0.9f, 60, 6, 2, 12);
	glRotatef(-51, 0, 1, 0);
}

static void begin_room(void)
{
	glBindFramebuffer(GL_FRAMEBUFFER, room_framebuffer);
	glViewport(0, 0, WIDTH, HEIGHT);
	glClearColor(0.3f, 0.35f, 0.4f, 1);
	look_from_camera();
	set_lights();
}

static void draw_all(void)
{
	draw_shaded();
	draw_fixed();
	draw_flat();
}

int main(int argc, char **argv)
{
	static const struct drawing pictures[] = {
		{ "desktop-fixed", draw_fixed },
		{ "desktop-shaded", draw_shaded },
		{ "desktop-flat", draw_flat },
		{ "desktop-room", draw_all },
	};
	const char *folder = begin_pictures(argc, argv);

	make_textures();
	make_shapes();
	make_programs();
	room_framebuffer = make_target(WIDTH, HEIGHT);
	add_depth(GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
	glGenFramebuffers(1, &shadow_framebuffer);
	glEnable(GL_DEPTH_TEST);
	draw_shadow_map(shadow_framebuffer);
	begin_room();
	write_pictures(folder, pictures, COUNT(pictures));
	return 0;
}
