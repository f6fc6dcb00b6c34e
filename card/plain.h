/* SPDX-License-Identifier: MIT */
/*
 * The plain card, built by make -C card PLAIN=1, has one implementation of each thing. Other builds
 * have faster versions of what is done most, with the same pictures, counters and modelled time;
 * Documentation/card/speed.rst lists them.
 */
#ifndef CARD_PLAIN_H
#define CARD_PLAIN_H

/* CARD_PLAIN - tested wherever a faster version is chosen; a constant, so the compiler drops it */
#ifdef BUILD_PLAIN
#define CARD_PLAIN 1
#else
#define CARD_PLAIN 0
#endif

#endif
