// SPDX-License-Identifier: MIT

#include "printable.h"

#include <stddef.h>
#include <stdint.h>

/* The least character of 2, 3 and 4 bytes: without the control characters U+0080 to U+009F */
static const uint32_t least[] = { 0xa0, 0x800, 0x10000 };

/* Bytes of the character at the start of a text; 0 if it is a control character or no UTF-8 */
static size_t character_bytes(const unsigned char *text)
{
	size_t bytes = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	uint32_t character = text[0] & (0x7f >> bytes);

	if (text[0] < 0x80)
		return text[0] >= ' ' && text[0] != 127;
	for (size_t i = 1; i < bytes; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (text[i] & 0x3f);
	}
	/* Bytes from 0x80 to 0xbf and from 0xf8 on do not begin a character. U+D800 to U+DFFF are none. */
	if (text[0] < 0xc0 || text[0] >= 0xf8 || character < least[bytes - 2] ||
	    character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
		return 0;
	return bytes;
}

void make_printable(char *text)
{
	while (*text) {
		size_t bytes = character_bytes((const unsigned char *)text);

		if (!bytes)
			*text = '?';
		text += bytes ? bytes : 1;
	}
}
