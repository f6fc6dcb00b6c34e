// SPDX-License-Identifier: MIT
/*
 * Processes eight bytes per step: table k has the CRCs of a byte followed by k zero bytes, so
 * the CRC of eight bytes is the exclusive or of eight entries.
 */
#include "dc/crc32.h"

#include <string.h>

#define POLYNOMIAL 0xedb88320u /* 0x04c11db7, bits reflected */
#define STEP 8

static uint32_t table[STEP][256];

__attribute__((constructor)) static void fill_table(void)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;

		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
		table[0][byte] = crc;
	}
	for (int k = 1; k < STEP; k++)
		for (int byte = 0; byte < 256; byte++)
			table[k][byte] =
				table[k - 1][byte] >> 8 ^ table[0][table[k - 1][byte] & 0xff];
}

static uint32_t little_endian(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t eight_bytes(uint32_t crc, const uint8_t *p)
{
	uint32_t low = little_endian(p) ^ crc;
	uint32_t high = little_endian(p + 4);

	return table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^ table[5][low >> 16 & 0xff] ^
	       table[4][low >> 24] ^ table[3][high & 0xff] ^ table[2][high >> 8 & 0xff] ^
	       table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
}

uint32_t dc_crc32(uint32_t crc, const void *bytes, size_t count)
{
	const uint8_t *p = bytes;

	crc = ~crc;
	for (; count >= STEP; count -= STEP, p += STEP)
		crc = eight_bytes(crc, p);
	for (; count; count--, p++)
		crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
	return ~crc;
}
