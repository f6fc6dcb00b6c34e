/* SPDX-License-Identifier: MIT */
/*
 * The scene of desktop.c: a room drawn with features of OpenGL 2.1 that OpenGL ES 2.0 lacks or
 * has differently: fixed functions, shaders that read fixed-function state, pixel operations.
 */
#ifndef TESTS_GALLIUM_ROOM_H
#define TESTS_GALLIUM_ROOM_H

#include "canvas.h"

/** Textures of the scene, made by make_textures(). */
struct textures {
	GLuint tiles;  /* 2D, mipmaps */
	GLuint bricks; /* 2D, mipmaps, not of a power of two */
	GLuint glow;   /* 2D, intensity */
	GLuint leaf;   /* 2D, with alpha */
	GLuint marble; /* 3D, luminance */
	GLuint sky;    /* cube map */
	GLuint shadow; /* depth, comparing */
};

extern struct textures textures;

#define SHADOW_SIDE 256

void make_textures(void);

/** Create display lists and buffers of objects that are drawn in several places. */
void make_shapes(void);
void draw_ball(void);
void draw_torus(void);
/** Draw a box of side 1 by client-side arrays, with texture coordinates for two units. */
void draw_box(void);

/** Set both matrices to the view of the camera, or of the first light. */
void look_from_camera(void);
void look_from_light(void);
/** The position of the first light in the room. */
extern const GLfloat light_position[4];

/** Set two lights and fog, for all objects lit by fixed functions. */
void set_lights(void);

/** Draw with fixed functions: a ball that is cut open, a box with combined textures, a mirror. */
void draw_fixed(void);

/** Draw with shaders: a floor with shadows, a marble torus. */
void make_programs(void);
void draw_shadow_map(GLuint framebuffer);
void draw_shaded(void);

/** Draw leaves, points, lines, pixels and bitmaps. */
void draw_flat(void);

#endif
