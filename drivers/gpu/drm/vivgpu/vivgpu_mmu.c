// SPDX-License-Identifier: GPL-2.0-only

#include <linux/bitfield.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/dma-mapping.h>
#include <linux/export.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include <kunit/visibility.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem_shmem_helper.h>

#include "vivgpu_device.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_mmu.h"
#include "vivgpu_regs.h"
#include "vivgpu_stretch.h"

/*
 * DOC: Addresses of copied command streams
 *
 * When the core stops with an error, FE_DMA_ADDRESS has to identify the job that the front
 * end is in. That works if no two jobs in the ring have the same GPU address in different
 * address spaces. So the addresses reserved for the kernel (4 MiB to 64 MiB) are divided
 * into 240 slots of 256 KiB, and each address space that has jobs uses one of them. If
 * there are more address spaces than slots, some share a slot; jobs of two address spaces
 * with the same slot are then not put into the ring together.
 *
 * The functions are pure; the caller serialises.
 */

/**
 * vivgpu_cmd_slot_get - assign a slot to an address space
 * @slots: the slots
 *
 * Return: index of the slot: the first of those with the fewest users.
 */
u32 vivgpu_cmd_slot_get(struct vivgpu_cmd_slots *slots)
{
	u32 best = 0, i;

	for (i = 1; i < VIVGPU_NUM_CMD_SLOTS && slots->users[best]; i++) {
		if (slots->users[i] < slots->users[best])
			best = i;
	}

	if (slots->users[best]++)
		WRITE_ONCE(slots->shared, slots->shared + 1);
	return best;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_cmd_slot_get);

/**
 * vivgpu_cmd_slot_put - an address space is freed, and uses its slot no more
 * @slots: the slots
 * @slot: index that vivgpu_cmd_slot_get() returned
 */
void vivgpu_cmd_slot_put(struct vivgpu_cmd_slots *slots, u32 slot)
{
	if (--slots->users[slot])
		WRITE_ONCE(slots->shared, slots->shared - 1);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_cmd_slot_put);

/*
 * Page tables of address spaces: allocation, entries, and a walk for dumps. The callers take
 * the locks.
 */

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
 * vivgpu_mmu_alloc_tables - allocate the first level table, or the flat table of MMU version 1
 * @vm: the address space; @vm's vdev is set
 *
 * Return: 0 or -ENOMEM.
 */
static int vivgpu_mmu_alloc_tables(struct vivgpu_vm *vm)
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
 * vivgpu_mmu_free_tables - free all tables of an address space
 * @vm: the address space; the GPU does not use it
 */
static void vivgpu_mmu_free_tables(struct vivgpu_vm *vm)
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
 * vivgpu_mmu_clear_range - unmap an address range
 * @vm: the address space, locked
 * @va: first address
 * @size: bytes, whole pages; pages without a table are skipped: all, after vivgpu_vm_revoke()
 */
static void vivgpu_mmu_clear_range(struct vivgpu_vm *vm, u64 va, u64 size)
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
 * vivgpu_mmu_set_range - map contiguous memory
 * @vm: the address space, locked; the caller increments @vm's sequence
 * @va: first address
 * @dma: bus address
 * @size: bytes, whole pages
 * @flags: flags of the entries, like MMUV2_PTE_PRESENT; not used on version 1
 *
 * Return: 0, or -ENOMEM without memory for a table; then a part may be mapped.
 */
static int vivgpu_mmu_set_range(struct vivgpu_vm *vm, u64 va, dma_addr_t dma, u64 size, u32 flags)
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
		ret = vivgpu_mmu_set_range(vm, at, sg_dma_address(sg), sg_dma_len(sg),
					   MMUV2_PTE_PRESENT | MMUV2_PTE_WRITEABLE);
		if (ret) {
			vivgpu_mmu_clear_range(vm, va, size);
			return ret;
		}
		at += sg_dma_len(sg);
	}

	atomic_inc(&vm->sequence);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_vm_set_pages);

/*
 * DOC: Address spaces
 *
 * MMU version 2: each open file has an address space of its own, with a first level
 * table (MTLB) of 1024 entries for 4 MiB each, and second level tables (STLB) of 1024 pages
 * of 4 KiB. The first second level table is common to all address spaces and maps the ring
 * and the scrub commands, read-only.
 *
 * MMU version 1: all clients share one address space. Below 2 GiB it is a linear window onto
 * memory, above it a flat table of page addresses. The front end fetches commands through the
 * window only, so ring and copies of streams are there, and buffers in the upper half. Entries
 * have no permissions and there are no faults, so clients are isolated neither from each other nor
 * from the system's memory. Entries without a buffer point to a page that is not used for anything
 * else.
 *
 * A buffer is mapped when a submit or BO_INFO first needs its address, and stays mapped
 * until all its handles in the address space's files are closed and no job uses it. They are
 * counted by the address space, not by the file: with version 1 several files use one mapping.
 * Then its entries are cleared.
 * The GPU's translation buffers may hold them until the next flush, which the next job of
 * this address space does. So a reference on the buffer is kept until the jobs have ended
 * that were in the ring when the entries were cleared.
 */

static_assert(VIVGPU_KERNEL_START + VIVGPU_NUM_CMD_SLOTS * VIVGPU_CMD_SLOT_BYTES <=
	      VIVGPU_USER_START);

/* Return the address space's slot, assigned at the first call; vm->lock held. */
static u32 vivgpu_mmu_get_cmd_slot(struct vivgpu_vm *vm)
{
	struct vivgpu_device *vdev = vm->vdev;

	if (vm->cmd_slot == VIVGPU_NO_CMD_SLOT) {
		spin_lock(&vdev->cmd_slots_lock);
		vm->cmd_slot = vivgpu_cmd_slot_get(&vdev->cmd_slots);
		spin_unlock(&vdev->cmd_slots_lock);
	}
	return vm->cmd_slot;
}

static void vivgpu_mmu_put_cmd_slot(struct vivgpu_vm *vm)
{
	struct vivgpu_device *vdev = vm->vdev;

	if (vm->cmd_slot == VIVGPU_NO_CMD_SLOT)
		return;

	spin_lock(&vdev->cmd_slots_lock);
	vivgpu_cmd_slot_put(&vdev->cmd_slots, vm->cmd_slot);
	spin_unlock(&vdev->cmd_slots_lock);
}

/* Set the address ranges of kernel memory and buffers; on version 1 buffers use the upper half. */
static void vivgpu_mmu_init_ranges(struct vivgpu_vm *vm)
{
	bool v1 = vm->vdev->mmu_v1;
	u64 start = v1 ? VIVGPU_V1_START : VIVGPU_KERNEL_START;

	vm->user_start = v1 ? VIVGPU_V1_START : VIVGPU_USER_START;
	drm_mm_init(&vm->mm, start, VIVGPU_VA_END - start);
}

/**
 * vivgpu_vm_create - create an address space that maps only the ring and scrub commands
 * @vdev: the device
 *
 * Return: the address space, or an error pointer. With an MMU of version 1 every call
 * returns the same one.
 */
struct vivgpu_vm *vivgpu_vm_create(struct vivgpu_device *vdev)
{
	struct vivgpu_vm *vm;

	if (vdev->mmu_v1 && vdev->vm)
		return vivgpu_vm_get(vdev->vm);

	vm = kvzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);
	if (!vm)
		return ERR_PTR(-ENOMEM);

	vm->vdev = vdev;
	vm->cmd_slot = VIVGPU_NO_CMD_SLOT;
	if (vivgpu_mmu_alloc_tables(vm)) {
		kvfree(vm);
		return ERR_PTR(-ENOMEM);
	}

	kref_init(&vm->ref);
	mutex_init(&vm->lock);
	vivgpu_mmu_init_ranges(vm);
	INIT_LIST_HEAD(&vm->mappings);
	hash_init(vm->by_obj);
	hash_init(vm->handles);
	INIT_LIST_HEAD(&vm->stale);
	drm_dev_get(&vdev->drm);
	return vm;
}

static void vivgpu_mmu_free_mapping(struct vivgpu_mapping *mapping)
{
	struct mutex *lock = &mapping->vm->vdev->purge_lock;

	mutex_lock(lock);
	vivgpu_stretch(VIVGPU_STRETCH_MMU_FREE);
	list_del(&mapping->bo_link);
	mutex_unlock(lock);
	hash_del(&mapping->hash);
	list_del(&mapping->link);
	drm_gem_object_put(mapping->obj);
	kfree(mapping);
}

static void vivgpu_mmu_free_mappings(struct list_head *list)
{
	struct vivgpu_mapping *mapping, *next;

	list_for_each_entry_safe(mapping, next, list, link) {
		if (drm_mm_node_allocated(&mapping->node))
			drm_mm_remove_node(&mapping->node);
		vivgpu_mmu_free_mapping(mapping);
	}
}

/**
 * vivgpu_vm_revoke - free the page tables when the device is unbound
 * @vm: the address space; the GPU is stopped
 *
 * Mappings keep their addresses; new ones are refused with ENODEV.
 */
void vivgpu_vm_revoke(struct vivgpu_vm *vm)
{
	mutex_lock(&vm->lock);
	vm->revoked = true;
	vivgpu_mmu_free_tables(vm);
	mutex_unlock(&vm->lock);
}

static void vivgpu_mmu_release_vm(struct kref *ref)
{
	struct vivgpu_vm *vm = container_of(ref, struct vivgpu_vm, ref);
	struct vivgpu_device *vdev = vm->vdev;

	vivgpu_mmu_free_mappings(&vm->mappings);
	vivgpu_mmu_free_mappings(&vm->stale);
	drm_mm_takedown(&vm->mm);
	vivgpu_mmu_free_tables(vm);
	vivgpu_mmu_put_cmd_slot(vm);
	mutex_destroy(&vm->lock);
	kvfree(vm);
	drm_dev_put(&vdev->drm);
}

/**
 * vivgpu_vm_get - take a reference on an address space
 * @vm: the address space
 *
 * Return: @vm.
 */
struct vivgpu_vm *vivgpu_vm_get(struct vivgpu_vm *vm)
{
	kref_get(&vm->ref);
	return vm;
}

/**
 * vivgpu_vm_put - drop a reference on an address space
 * @vm: the address space; may sleep
 */
void vivgpu_vm_put(struct vivgpu_vm *vm)
{
	kref_put(&vm->ref, vivgpu_mmu_release_vm);
}

static void vivgpu_mmu_set_closed(struct vivgpu_vm *vm, struct vivgpu_mapping *mapping, bool closed)
{
	WRITE_ONCE(vm->nr_closed, vm->nr_closed - mapping->closed + closed);
	mapping->closed = closed;
}

/*
 * Clear a mapping's entries, free its addresses, and move it to the list of stale mappings,
 * which keeps the buffer until no translation buffer can hold the entries. vm->lock and
 * purge_lock are held.
 */
static void vivgpu_mmu_unmap_locked(struct vivgpu_vm *vm, struct vivgpu_mapping *mapping)
{
	struct vivgpu_device *vdev = vm->vdev;
	unsigned long flags;

	vivgpu_mmu_clear_range(vm, mapping->node.start, mapping->node.size);
	drm_mm_remove_node(&mapping->node);
	spin_lock_irqsave(&vdev->lock, flags);
	mapping->seqno = vdev->ring_seqno;
	spin_unlock_irqrestore(&vdev->lock, flags);
	list_del_init(&mapping->bo_link);
	hash_del(&mapping->hash);
	list_move_tail(&mapping->link, &vm->stale);
	vivgpu_mmu_set_closed(vm, mapping, false);
}

static void vivgpu_mmu_unmap_mapping(struct vivgpu_vm *vm, struct vivgpu_mapping *mapping)
{
	mutex_lock(&vm->vdev->purge_lock);
	vivgpu_mmu_unmap_locked(vm, mapping);
	mutex_unlock(&vm->vdev->purge_lock);
}

/**
 * vivgpu_vm_unmap_all - unmap a buffer from all address spaces
 * @bo: the buffer, idle; its reservation and purge_lock are held
 *
 * For reclaim: locks are only tried.
 *
 * Return: true if it is not mapped any more; then @bo's purge_seqno is set.
 */
bool vivgpu_vm_unmap_all(struct vivgpu_bo *bo)
{
	struct vivgpu_mapping *mapping, *next;

	list_for_each_entry_safe(mapping, next, &bo->mappings, bo_link) {
		struct vivgpu_vm *vm = mapping->vm;

		if (!mutex_trylock(&vm->lock))
			return false;
		vivgpu_mmu_unmap_locked(vm, mapping);
		bo->purge_seqno = max(bo->purge_seqno, mapping->seqno);
		mutex_unlock(&vm->lock);
	}

	return true;
}

/* Add a mapping to the buffer's list; -EFAULT if the buffer was purged. */
static int vivgpu_mmu_link_mapping(struct vivgpu_mapping *mapping)
{
	struct vivgpu_bo *bo = to_vivgpu_bo(mapping->obj);
	struct mutex *lock = &mapping->vm->vdev->purge_lock;
	int ret = -EFAULT;

	mutex_lock(lock);
	if (!bo->purged) {
		list_add(&mapping->bo_link, &bo->mappings);
		ret = 0;
	}
	mutex_unlock(lock);
	return ret;
}

/* Unmap closed and idle buffers; free stale mappings that no translation buffer can hold. */
static void vivgpu_mmu_free_idle_mappings(struct vivgpu_vm *vm)
{
	struct vivgpu_mapping *mapping, *next;
	u64 done;

	list_for_each_entry_safe(mapping, next, &vm->mappings, link) {
		if (!vm->nr_closed)
			break;
		if (mapping->closed &&
		    dma_resv_test_signaled(mapping->obj->resv, DMA_RESV_USAGE_BOOKKEEP))
			vivgpu_mmu_unmap_mapping(vm, mapping);
	}

	spin_lock_irq(&vm->vdev->lock);
	done = vm->vdev->done_seqno;
	spin_unlock_irq(&vm->vdev->lock);
	list_for_each_entry_safe(mapping, next, &vm->stale, link) {
		if (mapping->seqno <= done)
			vivgpu_mmu_free_mapping(mapping);
	}
}

static struct vivgpu_mapping *vivgpu_mmu_find_mapping(struct vivgpu_vm *vm,
						      struct drm_gem_object *obj)
{
	struct vivgpu_mapping *mapping;

	hash_for_each_possible(vm->by_obj, mapping, hash, (unsigned long)obj) {
		if (mapping->obj == obj)
			return mapping;
	}

	return NULL;
}

static int vivgpu_mmu_reserve_va(struct vivgpu_vm *vm, struct drm_mm_node *node, u64 size,
				 u64 fixed)
{
	if (!fixed)
		return drm_mm_insert_node_in_range(&vm->mm, node, size, VIVGPU_PAGE_SIZE, 0,
						   vm->user_start, VIVGPU_VA_END,
						   DRM_MM_INSERT_BEST);

	if (fixed < vm->user_start || size > VIVGPU_VA_END - vm->user_start ||
	    fixed > VIVGPU_VA_END - size || !IS_ALIGNED(fixed, VIVGPU_PAGE_SIZE))
		return -EINVAL;

	node->start = fixed;
	node->size = size;
	return drm_mm_reserve_node(&vm->mm, node);
}

static int vivgpu_mmu_add_mapping(struct vivgpu_vm *vm, struct drm_gem_object *obj, u64 fixed,
				  u64 *va)
{
	struct vivgpu_mapping *mapping;
	struct sg_table *sgt;
	int ret;

	if (vm->revoked)
		return -ENODEV;

	ret = vivgpu_gem_track(obj);
	if (ret)
		return ret;

	/* Without the lock; vivgpu_mmu_link_mapping() checks again with it. */
	if (READ_ONCE(to_vivgpu_bo(obj)->purged))
		return -EFAULT;

	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	if (!mapping)
		return -ENOMEM;

	/* The address first: if there is none, no pages have to be allocated. */
	ret = vivgpu_mmu_reserve_va(vm, &mapping->node, obj->size, fixed);
	if (ret)
		goto err_free;

	sgt = drm_gem_shmem_get_pages_sgt(to_drm_gem_shmem_obj(obj));
	if (IS_ERR(sgt)) {
		ret = PTR_ERR(sgt);
		goto err_node;
	}

	ret = vivgpu_vm_set_pages(vm, mapping->node.start, obj->size, sgt);
	if (ret)
		goto err_node;

	mapping->vm = vm;
	mapping->obj = obj;
	ret = vivgpu_mmu_link_mapping(mapping);
	if (ret)
		goto err_pages;

	drm_gem_object_get(obj);
	list_add(&mapping->link, &vm->mappings);
	hash_add(vm->by_obj, &mapping->hash, (unsigned long)obj);
	*va = mapping->node.start;
	return 0;

err_pages:
	vivgpu_mmu_clear_range(vm, mapping->node.start, mapping->node.size);
err_node:
	drm_mm_remove_node(&mapping->node);
err_free:
	kfree(mapping);
	return ret;
}

static struct vivgpu_handles *vivgpu_mmu_find_handles(struct vivgpu_vm *vm,
						      const struct drm_gem_object *obj)
{
	struct vivgpu_handles *handles;

	hash_for_each_possible(vm->handles, handles, hash, (unsigned long)obj) {
		if (handles->obj == obj)
			return handles;
	}

	return NULL;
}

/**
 * vivgpu_vm_map - find a buffer's address, or map it
 * @vm: the address space
 * @obj: the buffer
 * @fixed: address to map it at, or 0 for any
 * @va: receives the address
 *
 * Another thread may close the handle after it was looked up. A buffer without a handle is not
 * mapped, since vivgpu_vm_close(), which would unmap it, has been called.
 *
 * Return: 0; -ENOENT if no file that uses the address space has a handle, -EINVAL if @fixed is not
 * valid or differs from the address of an existing mapping, -ENOSPC if @fixed is used by
 * other buffers or no address is free, -EFAULT if the buffer was purged, -ENOMEM, -ENODEV
 * after unbind.
 */
int vivgpu_vm_map(struct vivgpu_vm *vm, struct drm_gem_object *obj, u64 fixed, u64 *va)
{
	struct vivgpu_mapping *mapping;
	bool matches;
	int ret = 0;

	mutex_lock(&vm->lock);
	mapping = vivgpu_mmu_find_mapping(vm, obj);
	matches = mapping && (!fixed || mapping->node.start == fixed);
	if (mapping && !mapping->closed) {
		/* There is a handle, or it would be closed. */
		ret = matches ? 0 : -EINVAL;
	} else if (!vivgpu_mmu_find_handles(vm, obj)) {
		ret = -ENOENT;
	} else if (matches) {
		vivgpu_mmu_set_closed(vm, mapping, false);
	} else {
		vivgpu_mmu_free_idle_mappings(vm);
		vivgpu_stretch(VIVGPU_STRETCH_MMU_MAP);
		ret = vivgpu_mmu_add_mapping(vm, obj, fixed, va);
	}
	if (!ret && matches)
		*va = mapping->node.start;
	mutex_unlock(&vm->lock);
	return ret;
}

/* Find the count of a buffer's handles, or add one of 0; NULL if memory is short. */
static struct vivgpu_handles *vivgpu_mmu_get_handles(struct vivgpu_vm *vm,
						     const struct drm_gem_object *obj)
{
	struct vivgpu_handles *handles = vivgpu_mmu_find_handles(vm, obj);

	if (handles)
		return handles;

	handles = kzalloc(sizeof(*handles), GFP_KERNEL_ACCOUNT);
	if (!handles)
		return NULL;

	handles->obj = obj;
	hash_add(vm->handles, &handles->hash, (unsigned long)obj);
	return handles;
}

/**
 * vivgpu_vm_open - count a new handle of a buffer
 * @vm: the address space of the handle's file
 * @obj: the buffer
 *
 * Return: 0 or -ENOMEM.
 */
int vivgpu_vm_open(struct vivgpu_vm *vm, const struct drm_gem_object *obj)
{
	struct vivgpu_handles *handles;

	mutex_lock(&vm->lock);
	handles = vivgpu_mmu_get_handles(vm, obj);
	if (handles)
		handles->count++;
	mutex_unlock(&vm->lock);
	return handles ? 0 : -ENOMEM;
}

/* Count a handle no more. Returns true if it was the last one. */
static bool vivgpu_mmu_close_handle(struct vivgpu_vm *vm, const struct drm_gem_object *obj)
{
	struct vivgpu_handles *handles = vivgpu_mmu_find_handles(vm, obj);

	if (WARN_ON(!handles) || --handles->count)
		return false;

	hash_del(&handles->hash);
	kfree(handles);
	return true;
}

/**
 * vivgpu_vm_close - a handle of a buffer is closed; the last one closes the buffer's mapping
 * @vm: the address space of the handle's file
 * @obj: the buffer
 */
void vivgpu_vm_close(struct vivgpu_vm *vm, struct drm_gem_object *obj)
{
	struct vivgpu_mapping *mapping;

	mutex_lock(&vm->lock);
	if (vivgpu_mmu_close_handle(vm, obj)) {
		mapping = vivgpu_mmu_find_mapping(vm, obj);
		if (mapping)
			vivgpu_mmu_set_closed(vm, mapping, true);
		vivgpu_mmu_free_idle_mappings(vm);
	}
	mutex_unlock(&vm->lock);
}

/**
 * vivgpu_vm_visit_closed - call a function for buffers without a handle that jobs still use
 * @vm: the address space
 * @each: the function, called with @vm's lock held
 * @data: for @each
 *
 * With an MMU of version 1 clients share the address space and a mapping does not record
 * the client, so the function is not called at all. Nor is the lock taken if there are no such
 * buffers.
 */
void vivgpu_vm_visit_closed(struct vivgpu_vm *vm,
			    void (*each)(void *data, struct drm_gem_object *obj), void *data)
{
	struct vivgpu_mapping *mapping;

	if (vm->flat || !READ_ONCE(vm->nr_closed))
		return;

	mutex_lock(&vm->lock);
	vivgpu_mmu_free_idle_mappings(vm);
	list_for_each_entry(mapping, &vm->mappings, link) {
		if (mapping->closed)
			each(data, mapping->obj);
	}
	mutex_unlock(&vm->lock);
}

/*
 * Reserve addresses for the kernel's memory from the address space's slot: they differ
 * from those in other address spaces, so that the front end's address identifies the job
 * it is in.
 */
static int vivgpu_mmu_reserve_kernel_va(struct vivgpu_vm *vm, struct drm_mm_node *node, size_t size)
{
	u64 start = VIVGPU_KERNEL_START + vivgpu_mmu_get_cmd_slot(vm) * VIVGPU_CMD_SLOT_BYTES;

	return drm_mm_insert_node_in_range(&vm->mm, node, size, VIVGPU_PAGE_SIZE, 0, start,
					   start + VIVGPU_CMD_SLOT_BYTES, DRM_MM_INSERT_BEST);
}

/* Unmap memory of the kernel and free its addresses; vm->lock held. */
static void vivgpu_mmu_unmap_kernel(struct vivgpu_vm *vm, struct drm_mm_node *node)
{
	vivgpu_mmu_clear_range(vm, node->start, node->size);
	drm_mm_remove_node(node);
}

/* Map memory of the kernel with an MMU of version 2; vm->lock held. */
static int vivgpu_mmu_map_kernel(struct vivgpu_vm *vm, struct drm_mm_node *node, dma_addr_t dma,
				 size_t size, u32 *va)
{
	int ret = vivgpu_mmu_reserve_kernel_va(vm, node, size);

	if (ret)
		return ret;

	*va = node->start;
	ret = vivgpu_mmu_set_range(vm, node->start, dma, size, MMUV2_PTE_PRESENT);
	atomic_inc(&vm->sequence);
	if (ret)
		vivgpu_mmu_unmap_kernel(vm, node);
	return ret;
}

/**
 * vivgpu_vm_map_kernel - map memory of the kernel for commands, read-only for the GPU
 * @vm: the address space
 * @node: its addresses; unmap it before the memory goes
 * @dma: bus address
 * @size: bytes, whole pages; no more than VIVGPU_CMD_SLOT_BYTES in a space
 * @va: receives the GPU address
 *
 * With an MMU of version 1 nothing has to be mapped: the memory is in the linear window.
 *
 * Return: 0 or a negative error number, -ERANGE if the memory is not in that window; then nothing
 * is mapped and no addresses are used.
 */
int vivgpu_vm_map_kernel(struct vivgpu_vm *vm, struct drm_mm_node *node, dma_addr_t dma,
			 size_t size, u32 *va)
{
	int ret;

	mutex_lock(&vm->lock);
	if (vm->revoked)
		ret = -ENODEV;
	else if (vm->flat)
		ret = vivgpu_vm_window_address(vm->vdev->window_base, dma, size, va);
	else
		ret = vivgpu_mmu_map_kernel(vm, node, dma, size, va);
	mutex_unlock(&vm->lock);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_vm_map_kernel);

/**
 * vivgpu_vm_unmap_kernel - unmap memory that vivgpu_vm_map_kernel() mapped
 * @vm: the address space
 * @node: its addresses
 */
void vivgpu_vm_unmap_kernel(struct vivgpu_vm *vm, struct drm_mm_node *node)
{
	mutex_lock(&vm->lock);
	if (drm_mm_node_allocated(node))
		vivgpu_mmu_unmap_kernel(vm, node);
	mutex_unlock(&vm->lock);
}
