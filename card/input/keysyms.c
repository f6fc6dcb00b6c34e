// SPDX-License-Identifier: MIT
/* Symbols of keys (X11/keysymdef.h) and the keys that have them on a keyboard with US layout. */
#include "input/keysyms.h"

#include <linux/input-event-codes.h>

/* Keys of the characters from space to tilde. */
static const uint8_t ascii[] = {
	KEY_SPACE,     KEY_1,          KEY_APOSTROPHE, KEY_3,          KEY_4,     KEY_5,
	KEY_7,         KEY_APOSTROPHE, KEY_9,          KEY_0,          KEY_8,     KEY_EQUAL,
	KEY_COMMA,     KEY_MINUS,      KEY_DOT,        KEY_SLASH,      KEY_0,     KEY_1,
	KEY_2,         KEY_3,          KEY_4,          KEY_5,          KEY_6,     KEY_7,
	KEY_8,         KEY_9,          KEY_SEMICOLON,  KEY_SEMICOLON,  KEY_COMMA, KEY_EQUAL,
	KEY_DOT,       KEY_SLASH,      KEY_2,          KEY_A,          KEY_B,     KEY_C,
	KEY_D,         KEY_E,          KEY_F,          KEY_G,          KEY_H,     KEY_I,
	KEY_J,         KEY_K,          KEY_L,          KEY_M,          KEY_N,     KEY_O,
	KEY_P,         KEY_Q,          KEY_R,          KEY_S,          KEY_T,     KEY_U,
	KEY_V,         KEY_W,          KEY_X,          KEY_Y,          KEY_Z,     KEY_LEFTBRACE,
	KEY_BACKSLASH, KEY_RIGHTBRACE, KEY_6,          KEY_MINUS,      KEY_GRAVE, KEY_A,
	KEY_B,         KEY_C,          KEY_D,          KEY_E,          KEY_F,     KEY_G,
	KEY_H,         KEY_I,          KEY_J,          KEY_K,          KEY_L,     KEY_M,
	KEY_N,         KEY_O,          KEY_P,          KEY_Q,          KEY_R,     KEY_S,
	KEY_T,         KEY_U,          KEY_V,          KEY_W,          KEY_X,     KEY_Y,
	KEY_Z,         KEY_LEFTBRACE,  KEY_BACKSLASH,  KEY_RIGHTBRACE, KEY_GRAVE,
};

/* Keys of the symbols 0xff00 + index: the keypad and keys without a character. */
static const uint8_t function[0x100] = {
	[0x08] = KEY_BACKSPACE, [0x09] = KEY_TAB,        [0x0d] = KEY_ENTER,
	[0x13] = KEY_PAUSE,     [0x14] = KEY_SCROLLLOCK, [0x15] = KEY_SYSRQ,
	[0x1b] = KEY_ESC,       [0x50] = KEY_HOME,       [0x51] = KEY_LEFT,
	[0x52] = KEY_UP,        [0x53] = KEY_RIGHT,      [0x54] = KEY_DOWN,
	[0x55] = KEY_PAGEUP,    [0x56] = KEY_PAGEDOWN,   [0x57] = KEY_END,
	[0x61] = KEY_SYSRQ,     [0x63] = KEY_INSERT,     [0x67] = KEY_COMPOSE,
	[0x7f] = KEY_NUMLOCK,   [0x8d] = KEY_KPENTER,    [0x95] = KEY_KP7,
	[0x96] = KEY_KP4,       [0x97] = KEY_KP8,        [0x98] = KEY_KP6,
	[0x99] = KEY_KP2,       [0x9a] = KEY_KP9,        [0x9b] = KEY_KP3,
	[0x9c] = KEY_KP1,       [0x9d] = KEY_KP5,        [0x9e] = KEY_KP0,
	[0x9f] = KEY_KPDOT,     [0xaa] = KEY_KPASTERISK, [0xab] = KEY_KPPLUS,
	[0xac] = KEY_KPCOMMA,   [0xad] = KEY_KPMINUS,    [0xae] = KEY_KPDOT,
	[0xaf] = KEY_KPSLASH,   [0xb0] = KEY_KP0,        [0xb1] = KEY_KP1,
	[0xb2] = KEY_KP2,       [0xb3] = KEY_KP3,        [0xb4] = KEY_KP4,
	[0xb5] = KEY_KP5,       [0xb6] = KEY_KP6,        [0xb7] = KEY_KP7,
	[0xb8] = KEY_KP8,       [0xb9] = KEY_KP9,        [0xbd] = KEY_KPEQUAL,
	[0xbe] = KEY_F1,        [0xbf] = KEY_F2,         [0xc0] = KEY_F3,
	[0xc1] = KEY_F4,        [0xc2] = KEY_F5,         [0xc3] = KEY_F6,
	[0xc4] = KEY_F7,        [0xc5] = KEY_F8,         [0xc6] = KEY_F9,
	[0xc7] = KEY_F10,       [0xc8] = KEY_F11,        [0xc9] = KEY_F12,
	[0xe1] = KEY_LEFTSHIFT, [0xe2] = KEY_RIGHTSHIFT, [0xe3] = KEY_LEFTCTRL,
	[0xe4] = KEY_RIGHTCTRL, [0xe5] = KEY_CAPSLOCK,   [0xe7] = KEY_LEFTMETA,
	[0xe8] = KEY_RIGHTMETA, [0xe9] = KEY_LEFTALT,    [0xea] = KEY_RIGHTALT,
	[0xeb] = KEY_LEFTMETA,  [0xec] = KEY_RIGHTMETA,  [0xff] = KEY_DELETE,
};

#define ISO_LEFT_TAB 0xfe20u /* Tab with Shift */
#define ISO_LEVEL3 0xfe03u   /* AltGr */
#define FUNCTION_KEYS 0xff00u

uint32_t keysym_to_key(uint32_t keysym)
{
	if (keysym >= ' ' && keysym - ' ' < sizeof(ascii))
		return ascii[keysym - ' '];
	if (keysym >= FUNCTION_KEYS && keysym - FUNCTION_KEYS < sizeof(function))
		return function[keysym - FUNCTION_KEYS];
	if (keysym == ISO_LEFT_TAB)
		return KEY_TAB;
	return keysym == ISO_LEVEL3 ? KEY_RIGHTALT : 0;
}
