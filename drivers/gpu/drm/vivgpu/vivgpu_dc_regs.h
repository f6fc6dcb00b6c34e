/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of the display block, a DC8200 of which output 0 is wired. Offsets
 * are from the block's start.
 */
#ifndef _VIVGPU_DC_REGS_H_
#define _VIVGPU_DC_REGS_H_

#include <linux/bitfield.h>
#include <linux/bits.h>

/* Positions and sizes of planes */
#define DC_X				GENMASK(14, 0)
#define DC_Y				GENMASK(29, 15)
#define DC_XY(x, y)			(FIELD_PREP(DC_X, x) | FIELD_PREP(DC_Y, y))

#define DC_IRQ_ACK			0x0010
#define DC_IRQ_EN			0x0014
#define  DC_IRQ_VSYNC			BIT(0)
#define DC_CHIP_MODEL			0x0020
#define  DC_CHIP_MODEL_DC8200		0x8200
#define DC_CHIP_REV			0x0024

/* Framebuffer */
#define DC_FB_ADDRESS			0x1400
#define DC_FB_STRIDE			0x1408
#define  DC_MAX_FB_STRIDE		GENMASK(17, 0)
#define DC_FB_CONFIG			0x1518
#define  DC_FB_CONFIG_TILE_MODE		GENMASK(21, 17)
#define   DC_TILE_LINEAR		0
#define   DC_TILE_4X4			1
#define   DC_TILE_SUPER_GC3000		2
#define   DC_TILE_SUPER_GC2000		3
#define  DC_FB_CONFIG_SWIZZLE		GENMASK(24, 23)
#define   DC_SWIZZLE_ARGB		0
#define   DC_SWIZZLE_RGBA		1
#define   DC_SWIZZLE_ABGR		2
#define   DC_SWIZZLE_BGRA		3
#define  DC_FB_CONFIG_FMT		GENMASK(31, 26)
#define   DC_FMT_X4R4G4B4		0x00
#define   DC_FMT_A4R4G4B4		0x01
#define   DC_FMT_X1R5G5B5		0x02
#define   DC_FMT_A1R5G5B5		0x03
#define   DC_FMT_R5G6B5			0x04
#define   DC_FMT_X8R8G8B8		0x05
#define   DC_FMT_A8R8G8B8		0x06
#define   DC_FMT_A2R10G10B10		0x16
#define DC_FB_SIZE			0x1810
#define DC_FB_CONFIG_EX			0x1cc0
#define  DC_FB_CONFIG_EX_COMMIT		BIT(12)
#define  DC_FB_CONFIG_EX_FB_EN		BIT(13)
#define DC_FB_TOP_LEFT			0x24d8
#define DC_FB_BOTTOM_RIGHT		0x24e0
#define DC_FB_BLEND			0x2510
#define  DC_FB_BLEND_DISABLE		BIT(1)

/* Timing: sizes, then the sync pulses */
#define DC_HSIZE			0x1430
#define DC_VSIZE			0x1440
#define  DC_SIZE_ACTIVE			GENMASK(14, 0)
#define  DC_SIZE_TOTAL			GENMASK(30, 16)
#define DC_HSYNC			0x1438
#define DC_VSYNC			0x1448
#define  DC_SYNC_START			GENMASK(14, 0)
#define  DC_SYNC_END			GENMASK(29, 15)
#define  DC_SYNC_ENABLE			BIT(30)
#define  DC_SYNC_POLARITY		BIT(31)
#define DC_MAX_TIMING			GENMASK(14, 0)
#define DC_CURRENT_LOCATION		0x1450

/* Gamma: 256 entries of 10 bits a channel; each write goes on to the next */
#define DC_GAMMA_INDEX			0x1458
#define DC_GAMMA_DATA			0x1460
#define  DC_GAMMA_BLUE			GENMASK(9, 0)
#define  DC_GAMMA_GREEN			GENMASK(19, 10)
#define  DC_GAMMA_RED			GENMASK(29, 20)
#define DC_GAMMA_SIZE			256
#define DC_GAMMA_BITS			10

/* Panel */
#define DC_PANEL_CONFIG			0x1418
#define  DC_PANEL_CONFIG_DE_EN		BIT(0)
#define  DC_PANEL_CONFIG_DAT_EN		BIT(4)
#define  DC_PANEL_CONFIG_CLK_EN		BIT(8)
#define  DC_PANEL_CONFIG_RUNNING	BIT(12)
#define  DC_PANEL_CONFIG_GAMMA		BIT(13)
#define DC_PANEL_START			0x1ccc
#define DC_PANEL_CONFIG_EX		0x2518
#define  DC_PANEL_CONFIG_EX_COMMIT	BIT(0)

/* Cursor: the offset is subtracted from the location */
#define DC_CURSOR_CONFIG		0x1468
#define  DC_CURSOR_CONFIG_FORMAT	GENMASK(1, 0)
#define   DC_CURSOR_FORMAT_OFF		0
#define   DC_CURSOR_FORMAT_A8R8G8B8	2
#define  DC_CURSOR_CONFIG_UPDATE	BIT(2)
#define  DC_CURSOR_CONFIG_COMMIT	BIT(3)
#define  DC_CURSOR_CONFIG_SIZE		GENMASK(7, 5)
#define  DC_CURSOR_CONFIG_Y_OFFSET	GENMASK(15, 8)
#define  DC_CURSOR_CONFIG_X_OFFSET	GENMASK(23, 16)
#define DC_CURSOR_ADDRESS		0x146c
#define DC_CURSOR_LOCATION		0x1470
#define  DC_CURSOR_X			GENMASK(14, 0)
#define  DC_CURSOR_Y			GENMASK(30, 16)

#endif
