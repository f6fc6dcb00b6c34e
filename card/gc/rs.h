/* SPDX-License-Identifier: MIT */
/* The resolve engine: copies, converts, fills and clears surfaces; resolves tile status. */
#ifndef CARD_GC_RS_H
#define CARD_GC_RS_H

struct gc_core;

/** gc_rs_kick - VIVS_RS_KICKER: run a window resolve with the state as it stands; fills gc->work. */
void gc_rs_kick(struct gc_core *gc);

/** gc_rs_kick_inplace - VIVS_RS_KICKER_INPLACE: fill in @tiles cleared tiles of the source. */
void gc_rs_kick_inplace(struct gc_core *gc, unsigned int tiles);

#endif
