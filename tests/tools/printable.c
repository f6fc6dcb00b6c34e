// SPDX-License-Identifier: MIT
/*
 * printable: what is left of texts that a terminal could take for commands or that are no UTF-8.
 * Prints each result that is wrong, and ends with status 1 then.
 */

#include <stdio.h>
#include <string.h>

#include "printable.h"

static const struct {
	const char *text, *printable;
} texts[] = {
	{ "", "" },
	{ "glmark2-es2 (1) ~`\"\\", "glmark2-es2 (1) ~`\"\\" },
	{ "\033[2J\n\t\177", "?[2J???" },
	{ "\u00e4\u00a0\u20ac\ufffd\U00010000\U0010ffff",
	  "\u00e4\u00a0\u20ac\ufffd\U00010000\U0010ffff" },
	/* U+009B, a control character; U+007F in two bytes, U+0800 without one bit in three */
	{ "\302\2332J", "??2J" },
	{ "\301\277", "??" },
	{ "\340\237\277", "???" },
	/* U+D800, U+110000 */
	{ "\355\240\200", "???" },
	{ "\364\220\200\200", "????" },
	/* Cut off; no first byte; no first byte in use */
	{ "a\342\202", "a??" },
	{ "\342\202b", "??b" },
	{ "\200\277", "??" },
	{ "\370\210\200\200\200", "?????" },
	{ "\377", "?" },
};

int main(void)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[64];

		strcpy(text, texts[i].text);
		make_printable(text);
		if (strcmp(text, texts[i].printable)) {
			printf("FAIL  text %zu: %s\n", i, text);
			failed = 1;
		}
	}
	return failed;
}
