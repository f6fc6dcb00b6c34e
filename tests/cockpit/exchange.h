/* SPDX-License-Identifier: MIT */
/*
 * Three buffers through which a process hands its newest picture to another one, without waiting:
 * one is drawn to, one is shown, and the third is exchanged for either.
 */
#ifndef COCKPIT_EXCHANGE_H
#define COCKPIT_EXCHANGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define EXCHANGE_BUFFERS 3

/**
 * struct exchange - in memory that both processes share
 * @middle: the third buffer's number, and EXCHANGE_NEW if it was not shown yet
 */
struct exchange {
	atomic_uint middle;
};

/** Number of the first buffer of either side */
#define EXCHANGE_FIRST_DRAWN 0
#define EXCHANGE_FIRST_SHOWN 2

void exchange_init(struct exchange *exchange);
unsigned int exchange_give(struct exchange *exchange, unsigned int drawn);
unsigned int exchange_take(struct exchange *exchange, unsigned int shown);

#endif
