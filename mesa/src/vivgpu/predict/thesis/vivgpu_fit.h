/* SPDX-License-Identifier: MIT */
/* Least squares for y = a u + b v with a, b >= 0, the form of all of the thesis's models */
#ifndef VIVGPU_FIT_H
#define VIVGPU_FIT_H

/** Weight that an observation keeps with each one after it */
#define VIVGPU_FIT_DECAY 0.995

struct vivgpu_fit {
   /** Weighted sums of products */
   double uu, uv, vv, uy, vy;
};

/**
 * Learn from an observation with the same weight as all others; @u, @v: at least 0, and a @v that is
 * always 0 fits y = a u.
 */
void vivgpu_fit_add_equal(struct vivgpu_fit *fit, double u, double v, double y);

/** The same, of the newest one in a sequence: those before lose weight by VIVGPU_FIT_DECAY. */
void vivgpu_fit_add(struct vivgpu_fit *fit, double u, double v, double y);

/**
 * The coefficients so far; both 0 without observations. If u and v were always proportional, the
 * shortest of all solutions.
 */
void vivgpu_fit_solve(const struct vivgpu_fit *fit, double *a, double *b);

#endif
