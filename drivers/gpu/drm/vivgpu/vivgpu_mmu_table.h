/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_MMU_TABLE_H_
#define _VIVGPU_MMU_TABLE_H_

#include <linux/types.h>

struct sg_table;
struct vivgpu_vm;

int vivgpu_vm_alloc_tables(struct vivgpu_vm *vm);
void vivgpu_vm_free_tables(struct vivgpu_vm *vm);
u32 vivgpu_vm_table(const struct vivgpu_vm *vm);
int vivgpu_vm_window_address(u32 base, dma_addr_t dma, u64 size, u32 *va);
u32 vivgpu_vm_entry(dma_addr_t dma, u32 flags);
void vivgpu_vm_walk(struct vivgpu_vm *vm, u32 va, u32 *mtlb, u32 *mtlb_entry, u32 *stlb_entry);
void vivgpu_vm_clear_range(struct vivgpu_vm *vm, u64 va, u64 size);
int vivgpu_vm_set_range(struct vivgpu_vm *vm, u64 va, dma_addr_t dma, u64 size, u32 flags);
int vivgpu_vm_set_pages(struct vivgpu_vm *vm, u64 va, u64 size, struct sg_table *sgt);

#endif
