/* SPDX-License-Identifier: MIT */
/*
 * Registers of the display block (VeriSilicon DC8200): byte offsets and fields, as Linux uses
 * them. There are two outputs, each with its set of registers; only output 0 is connected.
 * Documentation/card/display.rst describes their implementation.
 */
#ifndef CARD_DC_REGISTERS_H
#define CARD_DC_REGISTERS_H

#define DC_TOP_RST 0x0000u
#define DC_TOP_IRQ_ACK 0x0010u
#define DC_TOP_IRQ_EN 0x0014u
#define DC_TOP_CHIP_MODEL 0x0020u
#define DC_TOP_CHIP_REV 0x0024u
#define DC_TOP_CHIP_CUSTOMER 0x0030u

#define DC_IRQ_VSYNC(n) (1u << (n))

#define DC_FB_ADDRESS 0x1400u
#define DC_FB_STRIDE 0x1408u
#define DC_FB_CONFIG 0x1518u
#define DC_FB_SIZE 0x1810u
#define DC_FB_CONFIG_EX 0x1cc0u
#define DC_FB_TOP_LEFT 0x24d8u
#define DC_FB_BOTTOM_RIGHT 0x24e0u
#define DC_FB_BLEND 0x2510u

#define DC_FB_STRIDE_MASK 0x3ffffu
#define DC_FB_CONFIG_CLEAR_EN (1u << 8)
#define DC_FB_CONFIG_TILE_MODE(v) ((v) >> 17 & 0x1fu)
#define DC_FB_CONFIG_SWIZZLE(v) ((v) >> 23 & 0x3u)
#define DC_FB_CONFIG_FMT(v) ((v) >> 26)
#define DC_FB_CONFIG_EX_COMMIT (1u << 12)
#define DC_FB_CONFIG_EX_FB_EN (1u << 13)

#define DC_PANEL_CONFIG 0x1418u
#define DC_HSIZE 0x1430u
#define DC_HSYNC 0x1438u
#define DC_VSIZE 0x1440u
#define DC_VSYNC 0x1448u
#define DC_CURRENT_LOCATION 0x1450u
#define DC_GAMMA_INDEX 0x1458u
#define DC_GAMMA_DATA 0x1460u
#define DC_DPI_CONFIG 0x14b8u
#define DC_PANEL_START 0x1cccu
#define DC_PANEL_CONFIG_EX 0x2518u

#define DC_PANEL_CONFIG_DE_EN (1u << 0)
#define DC_PANEL_CONFIG_DAT_EN (1u << 4)
#define DC_PANEL_CONFIG_CLK_EN (1u << 8)
#define DC_PANEL_CONFIG_RUNNING (1u << 12)
#define DC_PANEL_CONFIG_GAMMA (1u << 13)
#define DC_PANEL_START_RUNNING(n) (1u << (n))
#define DC_PANEL_CONFIG_EX_COMMIT (1u << 0)

/* HSIZE, VSIZE */
#define DC_SIZE_ACTIVE(v) ((v) & 0x7fffu)
#define DC_SIZE_TOTAL(v) ((v) >> 16 & 0x7fffu)

/* FB_SIZE and positions; the start and end of HSYNC and VSYNC */
#define DC_PAIR_LOW(v) ((v) & 0x7fffu)
#define DC_PAIR_HIGH(v) ((v) >> 15 & 0x7fffu)
#define DC_PAIR(low, high) ((uint32_t)(low) | (uint32_t)(high) << 15)

#define DC_GAMMA_ENTRIES 256u
#define DC_GAMMA_DATA_MASK 0x3fffffffu

/* Cursor registers: one set for each output, DC_CURSOR_STEP apart */
#define DC_CURSOR_STEP 0x1080u
#define DC_CURSOR_CONFIG 0x1468u
#define DC_CURSOR_ADDRESS 0x146cu
#define DC_CURSOR_LOCATION 0x1470u

#define DC_CURSOR_CONFIG_FMT(v) ((v) & 0x3u)
#define DC_CURSOR_FMT_ARGB8888 2u
#define DC_CURSOR_CONFIG_UPDATE (1u << 2)
#define DC_CURSOR_CONFIG_COMMIT (1u << 3)
#define DC_CURSOR_CONFIG_SIZE(v) ((v) >> 5 & 0x7u)
#define DC_CURSOR_CONFIG_Y_OFFSET(v) ((v) >> 8 & 0xffu)
#define DC_CURSOR_CONFIG_X_OFFSET(v) ((v) >> 16 & 0xffu)
#define DC_CURSOR_LOCATION_X(v) ((v) & 0x7fffu)
#define DC_CURSOR_LOCATION_Y(v) ((v) >> 16 & 0x7fffu)

#define DC_CHIP_MODEL 0x8200u
#define DC_CHIP_REV 0x5720u
#define DC_CHIP_CUSTOMER 0x30au

/* FB_CONFIG's formats, swizzles and tile modes */
enum dc_format {
	DC_FORMAT_X4R4G4B4 = 0,
	DC_FORMAT_A4R4G4B4 = 1,
	DC_FORMAT_X1R5G5B5 = 2,
	DC_FORMAT_A1R5G5B5 = 3,
	DC_FORMAT_R5G6B5 = 4,
	DC_FORMAT_X8R8G8B8 = 5,
	DC_FORMAT_A8R8G8B8 = 6,
	DC_FORMAT_A2R10G10B10 = 0x16,
};

enum dc_swizzle { DC_SWIZZLE_ARGB, DC_SWIZZLE_RGBA, DC_SWIZZLE_ABGR, DC_SWIZZLE_BGRA };

enum dc_tile {
	DC_TILE_LINEAR,
	DC_TILE_4X4,
	DC_TILE_SUPER_GC3000,
	DC_TILE_SUPER_GC2000,
	DC_TILE_MODES
};

#endif
