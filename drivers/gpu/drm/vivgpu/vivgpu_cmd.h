/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_CMD_H_
#define _VIVGPU_CMD_H_

#include <linux/mutex.h>

#include <drm/drm_mm.h>
#include <drm/drm_suballoc.h>

#include "vivgpu_mmu.h"

struct vivgpu_vm;

/* Memory of one client for copied streams, and the maximum of one job. */
#define VIVGPU_CMD_BYTES	VIVGPU_CMD_SLOT_BYTES
#define VIVGPU_MAX_CMD_BYTES		SZ_128K

/**
 * struct vivgpu_cmd - a client's memory for copies of its streams
 */
struct vivgpu_cmd {
	/** @lock: protects the allocation of the members below */
	struct mutex lock;
	/** @vm: the address space it is mapped in */
	struct vivgpu_vm *vm;
	/** @revoked: the device was unbound, so that no memory is allocated */
	bool revoked;
	/** @words: the CPU's mapping; NULL before the first job and after unbind */
	u32 *words;
	/** @dma: bus address */
	dma_addr_t dma;
	/** @node: GPU addresses, if they are mapped */
	struct drm_mm_node node;
	/** @va: GPU address */
	u32 va;
	/** @manager: suballocator, which waits for fences of earlier users */
	struct drm_suballoc_manager manager;
};

void vivgpu_cmd_init(struct vivgpu_cmd *cmd, struct vivgpu_vm *vm);
void vivgpu_cmd_revoke(struct vivgpu_cmd *cmd);
void vivgpu_cmd_fini(struct vivgpu_cmd *cmd);
struct drm_suballoc *vivgpu_cmd_alloc(struct vivgpu_cmd *cmd, size_t bytes);
u32 *vivgpu_cmd_words(struct vivgpu_cmd *cmd, struct drm_suballoc *part);
u32 vivgpu_cmd_va(struct vivgpu_cmd *cmd, struct drm_suballoc *part);

#endif
