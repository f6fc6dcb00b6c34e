/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_MMU_H_
#define _VIVGPU_MMU_H_

#include <linux/hashtable.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/types.h>

#include <drm/drm_mm.h>

struct drm_gem_object;
struct sg_table;
struct vivgpu_bo;
struct vivgpu_device;

/* Size and number of command slots: ranges of GPU addresses for clients' copied streams */
#define VIVGPU_CMD_SLOT_BYTES	SZ_256K
#define VIVGPU_NUM_CMD_SLOTS		240

/**
 * struct vivgpu_cmd_slots - use of the command slots
 * @users: number of address spaces that use each slot
 * @shared: number of address spaces that had to share a slot
 */
struct vivgpu_cmd_slots {
	u16 users[VIVGPU_NUM_CMD_SLOTS];
	u32 shared;
};

u32 vivgpu_cmd_slot_get(struct vivgpu_cmd_slots *slots);
void vivgpu_cmd_slot_put(struct vivgpu_cmd_slots *slots, u32 slot);

#define VIVGPU_PAGE_SIZE	SZ_4K
#define VIVGPU_STLB_SPAN	SZ_4M
/* Bits of bus addresses in page table entries of version 2; those of version 1 have 32. */
#define VIVGPU_DMA_BITS		40
/* The kernel uses the first 64 MiB of each space; the first 4 MiB are equal in all. */
#define VIVGPU_RING_VA		SZ_1M
#define VIVGPU_SCRUB_VA		SZ_2M
#define VIVGPU_KERNEL_START	SZ_4M
#define VIVGPU_USER_START	SZ_64M
#define VIVGPU_VA_END		SZ_4G
/* An MMU of version 1 has a linear window below this, and one page table above. */
#define VIVGPU_V1_START		SZ_2G
/* vivgpu_vm.cmd_slot before the first job, and with an MMU of version 1 */
#define VIVGPU_NO_CMD_SLOT		U32_MAX
/* Size of the hash table of mappings by buffer, in bits: a submit looks up each buffer. */
#define VIVGPU_MAPPING_BITS	8

/**
 * struct vivgpu_vm - an address space of the GPU
 */
struct vivgpu_vm {
	/** @ref: held by files, jobs in flight and the device */
	struct kref ref;
	/** @vdev: the device */
	struct vivgpu_device *vdev;
	/**
	 * @cmd_slot: slot of its copies of streams, VIVGPU_NO_CMD_SLOT if there never were
	 * any
	 */
	u32 cmd_slot;
	/**
	 * @lock: protects mappings, address ranges and tables; jobs in flight do not depend on
	 * it; reclaim only tries it
	 */
	struct mutex lock;
	/** @mm: used addresses */
	struct drm_mm mm;
	/** @user_start: first address for buffers */
	u64 user_start;
	/** @flat: the one page table of an MMU of version 1, else NULL */
	u32 *flat;
	/** @flat_dma: its bus address */
	dma_addr_t flat_dma;
	/** @revoked: the device was unbound, and the tables are freed */
	bool revoked;
	/** @mtlb: first level */
	u32 *mtlb;
	/** @mtlb_dma: its bus address */
	dma_addr_t mtlb_dma;
	/** @stlb: second level tables, NULL for ranges that never had a mapping */
	u32 *stlb[1024];
	/** @stlb_dma: their bus addresses */
	dma_addr_t stlb_dma[1024];
	/** @sequence: incremented by each change that requires an MMU flush */
	atomic_t sequence;
	/** @mappings: mapped buffers */
	struct list_head mappings;
	/** @nr_closed: how many of them are closed */
	u32 nr_closed;
	/** @by_obj: the mapped buffers, hashed by buffer */
	DECLARE_HASHTABLE(by_obj, VIVGPU_MAPPING_BITS);
	/** @handles: counts of the handles of buffers, hashed by buffer */
	DECLARE_HASHTABLE(handles, VIVGPU_MAPPING_BITS);
	/** @stale: unmapped buffers that the GPU's translation buffers may still hold */
	struct list_head stale;
};

/**
 * struct vivgpu_mapping - a buffer in an address space
 */
struct vivgpu_mapping {
	/** @link: in the space's list */
	struct list_head link;
	/** @hash: in the space's hash table, while it is mapped */
	struct hlist_node hash;
	/** @node: its addresses */
	struct drm_mm_node node;
	/** @vm: the space */
	struct vivgpu_vm *vm;
	/** @bo_link: in the buffer's list, while it is mapped */
	struct list_head bo_link;
	/** @obj: the buffer, referenced */
	struct drm_gem_object *obj;
	/** @closed: the buffer's last handle in the files that use the space was closed */
	bool closed;
	/** @seqno: stale: can be freed when the job with this ring_seqno is done */
	u64 seqno;
};

/**
 * struct vivgpu_handles - the handles of a buffer in the files that use an address space
 */
struct vivgpu_handles {
	/** @hash: in the space's hash table */
	struct hlist_node hash;
	/** @obj: the buffer, which the handles reference */
	const struct drm_gem_object *obj;
	/** @count: how many there are, not 0 */
	u32 count;
};

struct vivgpu_vm *vivgpu_vm_create(struct vivgpu_device *vdev);
struct vivgpu_vm *vivgpu_vm_get(struct vivgpu_vm *vm);
void vivgpu_vm_put(struct vivgpu_vm *vm);
void vivgpu_vm_revoke(struct vivgpu_vm *vm);
int vivgpu_vm_map(struct vivgpu_vm *vm, struct drm_gem_object *obj, u64 fixed, u64 *va);
bool vivgpu_vm_unmap_all(struct vivgpu_bo *bo);
int vivgpu_vm_open(struct vivgpu_vm *vm, const struct drm_gem_object *obj);
void vivgpu_vm_close(struct vivgpu_vm *vm, struct drm_gem_object *obj);
void vivgpu_vm_visit_closed(struct vivgpu_vm *vm,
			    void (*each)(void *data, struct drm_gem_object *obj), void *data);
int vivgpu_vm_map_kernel(struct vivgpu_vm *vm, struct drm_mm_node *node, dma_addr_t dma,
			 size_t size, u32 *va);
void vivgpu_vm_unmap_kernel(struct vivgpu_vm *vm, struct drm_mm_node *node);

u32 vivgpu_vm_table(const struct vivgpu_vm *vm);
int vivgpu_vm_window_address(u32 base, dma_addr_t dma, u64 size, u32 *va);
u32 vivgpu_vm_entry(dma_addr_t dma, u32 flags);
void vivgpu_vm_walk(struct vivgpu_vm *vm, u32 va, u32 *mtlb, u32 *mtlb_entry, u32 *stlb_entry);
int vivgpu_vm_set_pages(struct vivgpu_vm *vm, u64 va, u64 size, struct sg_table *sgt);

#endif
