/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers, states and opcodes of Vivante GC cores that the kernel itself
 * uses. Names and values follow the public etna_viv register database.
 */
#ifndef _VIVGPU_REGS_H_
#define _VIVGPU_REGS_H_

#include <linux/bits.h>

/* Host interface */
#define HI_CLOCK_CONTROL		0x000
#define  HI_CLOCK_CONTROL_FSCALE(x)	((x) << 2)
#define  HI_CLOCK_CONTROL_FSCALE_MASK	GENMASK(8, 2)
#define  HI_CLOCK_CONTROL_FSCALE_LOAD	BIT(9)
#define  HI_CLOCK_CONTROL_SOFT_RESET	BIT(12)
#define  HI_CLOCK_CONTROL_IDLE_3D	BIT(16)
#define  HI_CLOCK_CONTROL_IDLE_2D	BIT(17)
#define  HI_CLOCK_CONTROL_ISOLATE	BIT(19)
#define  HI_CLOCK_CONTROL_PIXEL_PIPE	GENMASK(23, 20)
#define HI_IDLE_STATE			0x004
#define  HI_IDLE_STATE_FE		BIT(0)
#define  HI_IDLE_STATE_MC		BIT(14)
#define  HI_IDLE_STATE_ALL		GENMASK(30, 0)
#define HI_AXI_CONFIG			0x008
#define HI_AXI_CONFIG_VALUE		0x00002200
#define HI_INTR_ACKNOWLEDGE		0x010
#define  HI_INTR_EVENTS			GENMASK(29, 0)
#define  HI_INTR_MMU_EXCEPTION		BIT(30)
#define  HI_INTR_AXI_ERROR		BIT(31)
#define HI_INTR_ENBL			0x014
#define HI_CHIP_IDENTITY		0x018
#define HI_CHIP_FEATURE			0x01c
#define HI_CHIP_MODEL			0x020
#define HI_CHIP_REV			0x024
#define HI_CHIP_CUSTOMER_ID		0x030
#define HI_CHIP_MINOR_FEATURE_0		0x034
#define HI_PROFILE_READ_BYTES8		0x040
#define HI_PROFILE_WRITE_BYTES8		0x044
#define HI_CHIP_SPECS			0x048
#define  SPECS_PIXEL_PIPES		GENMASK(27, 25)
#define HI_CHIP_MINOR_FEATURE_1		0x074
#define HI_PROFILE_TOTAL_CYCLES		0x078
#define HI_PROFILE_IDLE_CYCLES		0x07c
#define HI_CHIP_SPECS_2			0x080
#define HI_CHIP_MINOR_FEATURE_2		0x084
#define HI_CHIP_MINOR_FEATURE_3		0x088
#define HI_CHIP_SPECS_3			0x08c
#define HI_CHIP_MINOR_FEATURE_4		0x094
#define HI_CHIP_SPECS_4			0x09c
#define HI_CHIP_MINOR_FEATURE_5		0x0a0
#define HI_CHIP_PRODUCT_ID		0x0a8
#define HI_CHIP_ECO_ID			0x0e8
#define FEATURE_PIPE_3D			BIT(2)
#define MINOR_FEATURE_0_HZ		BIT(27)
#define MINOR_FEATURE_1_DISABLE_PE_GATING	BIT(9)
#define MINOR_FEATURE_1_MMU_VERSION	BIT(28)
#define MINOR_FEATURE_2_DYNAMIC_FREQUENCY_SCALING	BIT(14)
#define MINOR_FEATURE_3_INSTRUCTION_CACHE	BIT(3)
#define MINOR_FEATURE_3_BUG_FIXES12	BIT(15)

/* Power */
#define PM_POWER_CONTROLS		0x100
#define  PM_POWER_CONTROLS_CLOCK_GATING	BIT(0)
#define  PM_POWER_CONTROLS_NO_STALL_GATING	BIT(1)
#define PM_MODULE_CONTROLS		0x104 /* modules whose clock is not gated */
#define  PM_MODULE_CONTROLS_NO_PE	BIT(2)
#define  PM_MODULE_CONTROLS_NO_PA	BIT(4)
#define  PM_MODULE_CONTROLS_NO_SE	BIT(5)
#define  PM_MODULE_CONTROLS_NO_RA	BIT(6)
#define  PM_MODULE_CONTROLS_NO_TX	BIT(7)
#define  PM_MODULE_CONTROLS_NO_SH_EU	BIT(10)
#define  PM_MODULE_CONTROLS_UNKNOWN15	BIT(15)
#define  PM_MODULE_CONTROLS_NO_RA_EZ	BIT(16)
#define  PM_MODULE_CONTROLS_NO_RA_HZ	BIT(17)
#define PM_PULSE_EATER			0x10c
#define  PM_PULSE_EATER_UNREADABLE	0x01590880 /* its value on cores that do not show it */
#define  PM_PULSE_EATER_DISABLE		BIT(0)
#define  PM_PULSE_EATER_UNKNOWN16	BIT(16)
#define  PM_PULSE_EATER_UNKNOWN17	BIT(17)
#define  PM_PULSE_EATER_NO_INTERNAL_DFS	BIT(18)
#define  PM_PULSE_EATER_UNKNOWN23	BIT(23)

/* MMU, version 1: bases of the linear window and page tables, of each unit */
#define MC_MMU_FE_PAGE_TABLE		0x400
#define MC_MMU_TX_PAGE_TABLE		0x404
#define MC_MMU_PE_PAGE_TABLE		0x408
#define MC_MMU_PEZ_PAGE_TABLE		0x40c
#define MC_MMU_RA_PAGE_TABLE		0x410
#define MC_MEMORY_BASE_ADDR_RA		0x418
#define MC_MEMORY_BASE_ADDR_FE		0x41c
#define MC_MEMORY_BASE_ADDR_TX		0x420
#define MC_MEMORY_BASE_ADDR_PEZ		0x424
#define MC_MEMORY_BASE_ADDR_PE		0x428

/* MMU, version 2 */
#define MMUV2_SAFE_ADDRESS		0x180
#define MMUV2_CONFIGURATION		0x184
#define  MMUV2_CONFIGURATION_FLUSH	BIT(4)
#define MMUV2_STATUS			0x188
#define MMUV2_CONTROL			0x18c
#define  MMUV2_CONTROL_ENABLE		BIT(0)
#define MMUV2_EXCEPTION_ADDR(i)		(0x190 + 4 * (i))
#define MMUV2_UNITS			4

/* Entries of both levels of its tables */
#define MMUV2_PTE_PRESENT		BIT(0)
#define MMUV2_PTE_EXCEPTION		BIT(1)
#define MMUV2_PTE_WRITEABLE		BIT(2)
#define MMUV2_PTE_HIGH			GENMASK(11, 4) /* of a page's address, from bit 32 on */

/* Counters: what a block shows, and three registers that select it */
#define MC_PROFILE_CYCLE_COUNTER	0x438
#define MC_PROFILE_RA			0x448
#define MC_PROFILE_TX			0x44c
#define MC_PROFILE_FE			0x450
#define MC_PROFILE_PE			0x454
#define MC_PROFILE_SH			0x45c
#define MC_PROFILE_PA			0x460
#define MC_PROFILE_SE			0x464
#define MC_PROFILE_MC			0x468
#define MC_PROFILE_HI			0x46c
#define MC_PROFILE_CONFIG(i)		(0x470 + 4 * (i))
#define MC_BUS_CONFIG			0x480
#define  MC_BUS_CONFIG_FE		GENMASK(3, 0)
#define  MC_BUS_CONFIG_TX		GENMASK(7, 4)

/* Front end */
#define FE_COMMAND_ADDRESS		0x654
#define FE_COMMAND_CONTROL		0x658
#define  FE_COMMAND_CONTROL_ENABLE	BIT(16)
#define FE_DMA_STATUS			0x65c
#define FE_DMA_DEBUG_STATE		0x660
#define FE_DMA_ADDRESS			0x664
#define FE_DMA_LOW			0x668
#define FE_DMA_HIGH			0x66c
#define FE_AUTO_FLUSH			0x670

/* States */
#define VS_ICACHE_CONTROL		0x868
#define  VS_ICACHE_CONTROL_FLUSH	GENMASK(5, 4) /* vertex and pixel shaders' */
#define TS_FLUSH_CACHE			0x1650
#define GL_PIPE_SELECT			0x3800
#define  GL_PIPE_SELECT_3D		0
#define GL_FLUSH_MMU			0x3810
#define  GL_FLUSH_MMU_ALL		GENMASK(4, 0)
#define RS_KICKER			0x1600
#define RS_KICKER_INPLACE		0x16b0

#define GL_EVENT			0x3804
#define  GL_EVENT_FROM_PE		BIT(6)
#define GL_SEMAPHORE_TOKEN		0x3808
#define GL_FLUSH_CACHE			0x380c
#define  GL_FLUSH_CACHE_DEPTH		BIT(0)
#define  GL_FLUSH_CACHE_COLOR		BIT(1)
#define  GL_FLUSH_CACHE_TEXTURE		BIT(2)
#define  GL_FLUSH_CACHE_TEXTUREVS	BIT(4)
#define  GL_FLUSH_CACHE_SHADER_L1	BIT(5)
#define  GL_FLUSH_CACHE_SHADER_L2	BIT(6)

#define GL_STALL_TOKEN			0x3c00
#define RECIPIENT_FE			1
#define RECIPIENT_RA			5
#define RECIPIENT_PE			7
#define TOKEN(from, to)			((from) | (to) << 8)
#define TOKEN_FROM(token)		((token) & 0x1f)

/* Commands: the operation is in bits 31 to 27 of the first word */
#define FE_OPCODE(word)			((word) >> 27)
#define FE_OP_LOAD_STATE		1
#define  FE_LOAD_STATE_COUNT(word)	((word) >> 16 & 0x3ff)
#define  FE_LOAD_STATE_ADDRESS(word)	(((word) & 0xffff) << 2)
#define  FE_MAX_LOAD_STATE_COUNT		1023
#define FE_OP_END			2
#define FE_OP_NOP			3
#define FE_OP_DRAW_2D			4
#define FE_OP_DRAW			5
#define FE_OP_DRAW_INDEXED		6
#define FE_OP_WAIT			7
#define FE_OP_LINK			8
#define FE_OP_STALL			9
#define FE_OP_CALL			10
#define FE_OP_RETURN			11
#define FE_OP_DRAW_INSTANCED		12
#define FE_OP_CHIP_SELECT		13

#define FE_COMMAND(op, low)		((u32)(op) << 27 | (low))

#endif
