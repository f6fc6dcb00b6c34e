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
	GLuint glow;   /* 2D, one component of light */
	GLuint leaf;   /* 2D, with alpha */
	GLuint marble; /* 3D, luminance */
	GLuint sky;    /* cube map */
	GLuint shadow; /* depth, comparing */
};

extern struct textures textures;

#define SHADOW_SIDE 256

void make_textures(void);

/** Display lists and buffers of what is drawn in several places. */
void make_shapes(void);
void draw_ball(void);
void draw_torus(void);
/** A box of side 1 by client-side arrays, with texture places on two units. */
void draw_box(void);

/** Where the camera and the first light are; they replace both matrices. */
void look_from_camera(void);
void look_from_light(void);
/** The position of the first light in the room. */
extern const GLfloat light_position[4];

/** Two lights, fog: for everything that is lit by fixed functions. */
void set_lights(void);

/** By fixed functions: a ball that is cut open, a box with combined textures, a mirror. */
void draw_fixed(void);

/** With shaders: a floor with shadows on it, a marble torus. */
void make_programs(void);
void draw_shadow_map(GLuint framebuffer);
void draw_shaded(void);

/** Leaves, points, lines, pixels and bitmaps. */
void draw_flat(void);

#endif
