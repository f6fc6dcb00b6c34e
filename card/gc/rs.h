/* SPDX-License-Identifier: MIT */
/* The resolve engine: copies, converts, fills and clears surfaces, and resolves tile status. */
#ifndef CARD_GC_RS_H
#define CARD_GC_RS_H

struct gc_core;

/** gc_rs_kick - write of RS_KICKER: resolve a window with the current state; adds to gc->work */
void gc_rs_kick(struct gc_core *gc);

/**
 * gc_rs_kick_inplace - write of RS_KICKER_INPLACE: fill the cleared ones among the first @tiles
 * tiles of the surface with colour tile status (TS_COLOR_SURFACE_BASE)
 */
void gc_rs_kick_inplace(struct gc_core *gc, unsigned int tiles);

#endif
