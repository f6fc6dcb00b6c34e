// SPDX-License-Identifier: MIT

#include "exchange.h"

/* A bit above the numbers of the buffers */
#define EXCHANGE_NEW 4u

/**
 * exchange_init - no picture is there yet
 * @exchange: the exchange
 */
void exchange_init(struct exchange *exchange)
{
	/* The buffer that is neither EXCHANGE_FIRST_DRAWN nor EXCHANGE_FIRST_SHOWN */
	atomic_init(&exchange->middle, 1);
}

/**
 * exchange_give - a picture is complete
 * @exchange: the exchange
 * @drawn: its buffer
 *
 * Return: the buffer for the next picture.
 */
unsigned int exchange_give(struct exchange *exchange, unsigned int drawn)
{
	return atomic_exchange(&exchange->middle, drawn | EXCHANGE_NEW) & ~EXCHANGE_NEW;
}

/**
 * exchange_take - get the newest picture
 * @exchange: the exchange
 * @shown: buffer of the picture that is shown, which is free from now on if there is a newer one
 *
 * Return: the newest picture's buffer, @shown if there is no newer one.
 */
unsigned int exchange_take(struct exchange *exchange, unsigned int shown)
{
	/* Only this side clears the bit, so it is still there when the buffers are exchanged. */
	if (!(atomic_load(&exchange->middle) & EXCHANGE_NEW))
		return shown;
	return atomic_exchange(&exchange->middle, shown) & ~EXCHANGE_NEW;
}
