/* SPDX-License-Identifier: MIT */
/*
 * Registers of the host interface, power management, MMU and memory controller, which a kernel
 * driver accesses by MMIO and Mesa's register headers do not have. From the public etna_viv
 * register database.
 */
#ifndef CARD_GC_REGISTERS_H
#define CARD_GC_REGISTERS_H

#include <stdint.h>

#define GC_REG_SPACE 0x10000u /* bytes of the core's register window */

/* Host interface */
#define HI_CLOCK_CONTROL 0x000
#define HI_CLOCK_3D_DISABLE (1u << 0)
#define HI_CLOCK_2D_DISABLE (1u << 1)
#define HI_CLOCK_FSCALE_SHIFT 2
#define HI_CLOCK_FSCALE_MASK 0x1fcu /* in 64ths; takes effect when FSCALE_LOAD is written */
#define HI_CLOCK_FSCALE_LOAD (1u << 9)
#define HI_CLOCK_DEBUG_DISABLE (1u << 11) /* profiling registers read zero */
#define HI_CLOCK_SOFT_RESET (1u << 12)
#define HI_CLOCK_IDLE_3D (1u << 16)
#define HI_CLOCK_IDLE_2D (1u << 17)
#define HI_CLOCK_IDLE_VG (1u << 18)
#define HI_CLOCK_ISOLATE (1u << 19)
#define HI_CLOCK_PIPE_SHIFT 20 /* pixel pipe whose counters are visible */
#define HI_CLOCK_PIPE_MASK 0x00f00000u
#define HI_IDLE_STATE 0x004
#define HI_AXI_CONFIG 0x008
#define HI_AXI_STATUS 0x00c
#define HI_AXI_WRITE_ERROR (1u << 8)
#define HI_AXI_READ_ERROR (1u << 9)
#define HI_INTR_ACKNOWLEDGE 0x010 /* reading clears */
#define HI_INTR_ENABLE 0x014
#define HI_CHIP_IDENTITY 0x018
#define HI_CHIP_FEATURE 0x01c
#define HI_CHIP_MODEL 0x020
#define HI_CHIP_REV 0x024
#define HI_CHIP_DATE 0x028
#define HI_CHIP_TIME 0x02c
#define HI_CHIP_CUSTOMER_ID 0x030
#define HI_CHIP_MINOR_0 0x034
#define HI_MEMORY_COUNTER_RESET 0x03c
#define HI_READ_BYTES8 0x040
#define HI_WRITE_BYTES8 0x044
#define HI_CHIP_SPECS 0x048
#define HI_CHIP_MINOR_1 0x074
#define HI_TOTAL_CYCLES 0x078
#define HI_IDLE_CYCLES 0x07c
#define HI_CHIP_SPECS_2 0x080
#define HI_CHIP_MINOR_2 0x084
#define HI_CHIP_MINOR_3 0x088
#define HI_CHIP_SPECS_3 0x08c
#define HI_CHIP_MINOR_4 0x094
#define HI_CHIP_SPECS_4 0x09c
#define HI_CHIP_MINOR_5 0x0a0
#define HI_CHIP_PRODUCT_ID 0x0a8
#define HI_CHIP_ECO_ID 0x0e8

/* Bits of HI_IDLE_STATE; absent modules read idle. */
#define HI_IDLE_FE (1u << 0)
#define HI_IDLE_PE (1u << 2)
#define HI_IDLE_SH (1u << 3)
#define HI_IDLE_PA (1u << 4)
#define HI_IDLE_SE (1u << 5)
#define HI_IDLE_RA (1u << 6)
#define HI_IDLE_TX (1u << 7)
#define HI_IDLE_TS (1u << 11)
#define HI_IDLE_MC (1u << 14)
#define HI_IDLE_ALL 0x7fffffffu

/* Bits of HI_INTR_ACKNOWLEDGE: the 30 events, and those above them. */
#define HI_INTR_EVENTS 0x3fffffffu
#define HI_INTR_MMU_BIT 30
#define HI_INTR_AXI_BIT 31

/* Power management: no effect; registers but MODULE_STATUS store what is written */
#define PM_POWER_CONTROLS 0x100
#define PM_MODULE_CONTROLS 0x104
#define PM_MODULE_STATUS 0x108
#define PM_PULSE_EATER 0x10c

/* MMUv2; the first two are also reachable as states */
#define MMUV2_SAFE_ADDRESS 0x180
#define MMUV2_CONFIGURATION 0x184
#define MMUV2_MODE_1K (1u << 0)
#define MMUV2_MODE_KEEP (1u << 3)
#define MMUV2_FLUSH (1u << 4)
#define MMUV2_FLUSH_KEEP (1u << 7)
#define MMUV2_ADDRESS_KEEP (1u << 8)
#define MMUV2_ADDRESS_MASK 0xfffffc00u
#define MMUV2_STATUS 0x188
#define MMUV2_CONTROL 0x18c
#define MMUV2_CONTROL_ENABLE (1u << 0)
#define MMUV2_EXCEPTION_ADDR(i) (0x190 + 4 * (i))

/* Memory controller: MMUv1 and profiling */
#define MC_MMU_FE_PAGE_TABLE 0x400
#define MC_MMU_TX_PAGE_TABLE 0x404
#define MC_MMU_PE_PAGE_TABLE 0x408
#define MC_MMU_PEZ_PAGE_TABLE 0x40c
#define MC_MMU_RA_PAGE_TABLE 0x410
#define MC_MEMORY_BASE_RA 0x418
#define MC_MEMORY_BASE_FE 0x41c
#define MC_MEMORY_BASE_TX 0x420
#define MC_MEMORY_BASE_PEZ 0x424
#define MC_MEMORY_BASE_PE 0x428
#define MC_CYCLE_COUNTER 0x438
#define MC_PROFILE_FIRST 0x448
#define MC_PROFILE_RA 0x448
#define MC_PROFILE_TX 0x44c
#define MC_PROFILE_FE 0x450
#define MC_PROFILE_PE 0x454
#define MC_PROFILE_DE 0x458
#define MC_PROFILE_SH 0x45c
#define MC_PROFILE_PA 0x460
#define MC_PROFILE_SE 0x464
#define MC_PROFILE_MC 0x468
#define MC_PROFILE_HI 0x46c
#define MC_PROFILE_CONFIG(i) (0x470 + 4 * (i)) /* 0..2 */
#define MC_BUS_CONFIG 0x480
#define GC_REG_STORED 0x484 /* end of the registers that read from gc_fe.reg */

#endif
