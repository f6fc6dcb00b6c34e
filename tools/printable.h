/* SPDX-License-Identifier: MIT */
/* Texts that other programs choose, such as their names, before they are shown or written to files. */
#ifndef VIVGPU_TOOLS_PRINTABLE_H
#define VIVGPU_TOOLS_PRINTABLE_H

/**
 * make_printable - replace each byte of a text by a question mark that is not one of a character in
 * UTF-8, or is one of a control character
 *
 * Terminals take control characters for commands; JSON and protocol buffers have texts in UTF-8 only.
 */
void make_printable(char *text);

#endif
