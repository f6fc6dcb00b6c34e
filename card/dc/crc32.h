/* SPDX-License-Identifier: MIT */
/* CRC-32 of IEEE 802.3, as zlib's crc32(). */
#ifndef CARD_DC_CRC32_H
#define CARD_DC_CRC32_H

#include <stddef.h>
#include <stdint.h>

/**
 * dc_crc32 - continue the computation of a CRC
 * @crc: CRC of the bytes before; 0 to begin
 * @bytes: data
 * @count: number of bytes
 *
 * Returns: the CRC including @bytes.
 */
uint32_t dc_crc32(uint32_t crc, const void *bytes, size_t count);

#endif
