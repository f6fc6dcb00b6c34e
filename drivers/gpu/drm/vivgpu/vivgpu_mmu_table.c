// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page tables of address spaces: allocation, entries, and a walk for dumps. The layouts of
 * both versions of the MMU are described in vivgpu_mmu.c, which takes the locks.
 */

#include <kunit/visibility.h>

#include <linux/bitfield.h>
#include <linux/build_bug.h>
#include <linux/dma-mapping.h>
#include <linux/scatterlist.h>

#include "vivgpu_device.h"
#include "vivgpu_mmu.h"
#include "vivgpu_mmu_table.h"
#include "vivgpu_regs.h"

#define TABLE_ENTRIES	1024
/* The table of version 1, for the upper half */
#define FLAT_ENTRIES	((VIVGPU_VA_END - VIVGPU_V1_START) / VIVGPU_PAGE_SIZE)
#define FLAT_BYTES	(FLAT_ENTRIES * sizeof(u32))

static_assert(MMUV2_PTE_HIGH >> 4 == GENMASK(VIVGPU_DMA_BITS - 33, 0));

static u32 *vivgpu_mmu_table_alloc(struct vivgpu_device *vdev, dma_addr_t *dma)
{
	u32 *table = dma_alloc_wc(vdev->drm.dev, SZ_4K, dma, GFP_KERNEL_ACCOUNT);

	if (table)
		memset32(table, MMUV2_PTE_EXCEPTION, TABLE_ENTRIES);
	return table;
}

static void vivgpu_mmu_table_free(struct vivgpu_device *vdev, u32 *table, dma_addr_t dma)
{
	if (table)
		dma_free_wc(vdev->drm.dev, SZ_4K, table, dma);
}

/**
 * vivgpu_vm_alloc_tables - allocate the first level table, or the flat table of MMU version 1
 * @vm: the address space; @vm's vdev is set
 *
 * Return: 0 or -ENOMEM.
 */
int vivgpu_vm_alloc_tables(struct vivgpu_vm *vm)
{
	struct vivgpu_device *vdev = vm->vdev;

	if (vdev->mmu_v1) {
		vm->flat = dma_alloc_wc(vdev->drm.dev, FLAT_BYTES, &vm->flat_dma,
					GFP_KERNEL_ACCOUNT);
		if (!vm->flat)
			return -ENOMEM;
		memset32(vm->flat, lower_32_bits(vdev->shared.safe_dma), FLAT_ENTRIES);
		return 0;
	}

	vm->mtlb = vivgpu_mmu_table_alloc(vdev, &vm->mtlb_dma);
	if (!vm->mtlb)
		return -ENOMEM;
	vm->mtlb[0] = vdev->shared.stlb_dma | MMUV2_PTE_PRESENT;
	return 0;
}

/**
 * vivgpu_vm_free_tables - free all tables of an address space
 * @vm: the address space; the GPU does not use it
 */
void vivgpu_vm_free_tables(struct vivgpu_vm *vm)
{
	int i;

	for (i = 1; i < TABLE_ENTRIES; i++) {
		vivgpu_mmu_table_free(vm->vdev, vm->stlb[i], vm->stlb_dma[i]);
		vm->stlb[i] = NULL;
	}
	vivgpu_mmu_table_free(vm->vdev, vm->mtlb, vm->mtlb_dma);
	vm->mtlb = NULL;
	if (vm->flat)
		dma_free_wc(vm->vdev->drm.dev, FLAT_BYTES, vm->flat, vm->flat_dma);
	vm->flat = NULL;
}

/**
 * vivgpu_vm_table - get the bus address of an address space's table
 * @vm: the address space
 *
 * Return: bus address of the first level, or of the one table of version 1. It is
 * the value for MMUV2_CONFIGURATION, without a flush.
 */
u32 vivgpu_vm_table(const struct vivgpu_vm *vm)
{
	return lower_32_bits(vm->flat ? vm->flat_dma : vm->mtlb_dma);
}

/**
 * vivgpu_vm_entry - compute an entry of a second level table
 * @dma: bus address of the page, of up to 40 bits
 * @flags: MMUV2_PTE_PRESENT and the like
 *
 * Return: the entry.
 */
u32 vivgpu_vm_entry(dma_addr_t dma, u32 flags)
{
	return lower_32_bits(dma) | FIELD_PREP(MMUV2_PTE_HIGH, upper_32_bits(dma)) | flags;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_vm_entry);

/**
 * vivgpu_vm_window_address - compute an address in the linear window of an MMU of version 1
 * @base: bus address of the window
 * @dma: bus address of the memory
 * @size: bytes
 * @va: receives the GPU address
 *
 * Return: 0, or -ERANGE if the memory is not in the window.
 */
int vivgpu_vm_window_address(u32 base, dma_addr_t dma, u64 size, u32 *va)
{
	if (dma < base || size > VIVGPU_V1_START || dma - base > VIVGPU_V1_START - size)
		return -ERANGE;

	*va = dma - base;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_vm_window_address);

static u32 *vivgpu_mmu_table_flat_pte(const struct vivgpu_vm *vm, u64 va)
{
	return &vm->flat[(va - VIVGPU_V1_START) / VIVGPU_PAGE_SIZE];
}

/**
 * vivgpu_vm_walk - read the page table entries of an address
 * @vm: the address space; its tables may change meanwhile
 * @va: the address
 * @mtlb: bus address of the first level
 * @mtlb_entry: its entry
 * @stlb_entry: the second level's, 0 if there is none
 */
void vivgpu_vm_walk(struct vivgpu_vm *vm, u32 va, u32 *mtlb, u32 *mtlb_entry, u32 *stlb_entry)
{
	u32 i = va / VIVGPU_STLB_SPAN, j = va % VIVGPU_STLB_SPAN / VIVGPU_PAGE_SIZE;
	u32 *stlb = i ? READ_ONCE(vm->stlb[i]) : vm->vdev->shared.stlb;

	*mtlb = vivgpu_vm_table(vm);
	if (vm->flat) {
		*mtlb_entry = va < VIVGPU_V1_START ? 0 :
			      READ_ONCE(*vivgpu_mmu_table_flat_pte(vm, va));
		*stlb_entry = 0;
		return;
	}

	*mtlb_entry = READ_ONCE(vm->mtlb[i]);
	*stlb_entry = stlb ? READ_ONCE(stlb[j]) : 0;
}

/* Return the entry for an address, allocating its table if needed; NULL if memory is short. */
static u32 *vivgpu_mmu_table_get_pte(struct vivgpu_vm *vm, u64 va)
{
	u32 i = va / VIVGPU_STLB_SPAN;

	if (vm->flat)
		return vivgpu_mmu_table_flat_pte(vm, va);

	if (!vm->stlb[i]) {
		vm->stlb[i] = vivgpu_mmu_table_alloc(vm->vdev, &vm->stlb_dma[i]);
		if (!vm->stlb[i])
			return NULL;
		vm->mtlb[i] = lower_32_bits(vm->stlb_dma[i]) | MMUV2_PTE_PRESENT;
	}

	return &vm->stlb[i][va % VIVGPU_STLB_SPAN / VIVGPU_PAGE_SIZE];
}

/**
 * vivgpu_vm_clear_range - unmap an address range
 * @vm: the address space, locked
 * @va: first address
 * @size: bytes, whole pages; pages without a table are skipped
 */
void vivgpu_vm_clear_range(struct vivgpu_vm *vm, u64 va, u64 size)
{
	u32 safe = lower_32_bits(vm->vdev->shared.safe_dma);
	u64 end = va + size;

	for (; va < end; va += VIVGPU_PAGE_SIZE) {
		u32 *table = vm->stlb[va / VIVGPU_STLB_SPAN];

		if (vm->flat)
			*vivgpu_mmu_table_flat_pte(vm, va) = safe;
		else if (table)
			table[va % VIVGPU_STLB_SPAN / VIVGPU_PAGE_SIZE] = MMUV2_PTE_EXCEPTION;
	}
	atomic_inc(&vm->sequence);
}

/**
 * vivgpu_vm_set_range - map contiguous memory
 * @vm: the address space, locked; the caller increments @vm's sequence
 * @va: first address
 * @dma: bus address
 * @size: bytes, whole pages
 * @flags: flags of the entries, like MMUV2_PTE_PRESENT; not used on version 1
 *
 * Return: 0, or -ENOMEM without memory for a table; then a part may be mapped.
 */
int vivgpu_vm_set_range(struct vivgpu_vm *vm, u64 va, dma_addr_t dma, u64 size, u32 flags)
{
	u64 done;

	for (done = 0; done < size; done += VIVGPU_PAGE_SIZE) {
		u32 *pte = vivgpu_mmu_table_get_pte(vm, va + done);

		if (!pte)
			return -ENOMEM;
		/* An entry of version 1 is an address and nothing else. */
		*pte = vm->flat ? lower_32_bits(dma + done) : vivgpu_vm_entry(dma + done, flags);
	}

	return 0;
}

/*
 * Whether page table entries can hold a part of a buffer: whole pages, with addresses of as many
 * bits as an entry has. In the bits below a page's address an entry has flags.
 */
static bool vivgpu_mmu_table_fits(const struct vivgpu_vm *vm, struct scatterlist *sg)
{
	u64 start = sg_dma_address(sg), length = sg_dma_len(sg);

	return length && IS_ALIGNED(start | length, VIVGPU_PAGE_SIZE) &&
	       start + length <= (vm->flat ? SZ_4G : 1ull << VIVGPU_DMA_BITS);
}

/*
 * Whether a list of pages, which for an imported buffer is that of another driver, can be mapped
 * and is as long as the buffer.
 */
static bool vivgpu_mmu_table_is_good(const struct vivgpu_vm *vm, struct sg_table *sgt, u64 size)
{
	struct scatterlist *sg;
	u64 sum = 0;
	int i;

	for_each_sgtable_dma_sg(sgt, sg, i) {
		if (!vivgpu_mmu_table_fits(vm, sg))
			return false;
		sum += sg_dma_len(sg);
	}

	return sum == size;
}

/**
 * vivgpu_vm_set_pages - map a buffer's pages, writeable
 * @vm: the address space, locked
 * @va: first address
 * @size: the buffer's size in bytes, which is reserved at @va
 * @sgt: the pages, mapped for DMA
 *
 * Return: 0; -EINVAL if @sgt is not the list of whole pages of a buffer of this size, or if an
 * address has too many bits; -ENOMEM. On error nothing is mapped.
 */
int vivgpu_vm_set_pages(struct vivgpu_vm *vm, u64 va, u64 size, struct sg_table *sgt)
{
	struct scatterlist *sg;
	u64 at = va;
	int i, ret;

	if (!vivgpu_mmu_table_is_good(vm, sgt, size))
		return -EINVAL;

	for_each_sgtable_dma_sg(sgt, sg, i) {
		ret = vivgpu_vm_set_range(vm, at, sg_dma_address(sg), sg_dma_len(sg),
					  MMUV2_PTE_PRESENT | MMUV2_PTE_WRITEABLE);
		if (ret) {
			vivgpu_vm_clear_range(vm, va, size);
			return ret;
		}
		at += sg_dma_len(sg);
	}

	atomic_inc(&vm->sequence);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_vm_set_pages);
