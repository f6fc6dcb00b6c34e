// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for the copies of command streams that the front end runs. Each client has 256 KiB
 * of its own, mapped read-only in its own GPU address space: no other client can read it,
 * and a client that has used all of it waits for its own jobs only. With an MMU of version 1 it is
 * in the linear window, through which all clients can access memory.
 */

#include <linux/dma-mapping.h>

#include "vivgpu_cmd.h"
#include "vivgpu_device.h"
#include "vivgpu_mmu.h"

/* The front end fetches 64 bits at a time. */
#define CMD_ALIGN	8

/**
 * vivgpu_cmd_init - initialise; the memory is allocated with the first job
 * @cmd: the memory
 * @vm: the client's address space
 */
void vivgpu_cmd_init(struct vivgpu_cmd *cmd, struct vivgpu_vm *vm)
{
	mutex_init(&cmd->lock);
	cmd->vm = vm;
}

/**
 * vivgpu_cmd_revoke - free the DMA memory when the device is unbound
 * @cmd: the memory; the GPU is stopped, and no drm_dev_enter() section writes to it
 *
 * Suballocations stay until their owners free them. A submit call that began before the
 * unbind may still call vivgpu_cmd_alloc(), which then fails with ENODEV.
 */
void vivgpu_cmd_revoke(struct vivgpu_cmd *cmd)
{
	mutex_lock(&cmd->lock);
	cmd->revoked = true;
	if (cmd->words) {
		vivgpu_vm_unmap_kernel(cmd->vm, &cmd->node);
		dma_free_wc(cmd->vm->vdev->drm.dev, VIVGPU_CMD_BYTES, cmd->words, cmd->dma);
		cmd->words = NULL;
	}
	mutex_unlock(&cmd->lock);
}

/**
 * vivgpu_cmd_fini - free the memory
 * @cmd: the memory, not used by any job
 */
void vivgpu_cmd_fini(struct vivgpu_cmd *cmd)
{
	drm_suballoc_manager_fini(&cmd->manager);
	vivgpu_cmd_revoke(cmd);
	mutex_destroy(&cmd->lock);
}

/* Allocate and map the memory with the first job; cmd->lock held. */
static int vivgpu_cmd_alloc_memory(struct vivgpu_cmd *cmd)
{
	struct device *dev = cmd->vm->vdev->drm.dev;
	int ret;

	if (cmd->words)
		return 0;
	if (cmd->revoked)
		return -ENODEV;

	cmd->words = dma_alloc_wc(dev, VIVGPU_CMD_BYTES, &cmd->dma, GFP_KERNEL_ACCOUNT);
	if (!cmd->words)
		return -ENOMEM;

	ret = vivgpu_vm_map_kernel(cmd->vm, &cmd->node, cmd->dma, VIVGPU_CMD_BYTES, &cmd->va);
	if (ret) {
		dma_free_wc(dev, VIVGPU_CMD_BYTES, cmd->words, cmd->dma);
		cmd->words = NULL;
		return ret;
	}

	if (!cmd->manager.size)
		drm_suballoc_manager_init(&cmd->manager, VIVGPU_CMD_BYTES, CMD_ALIGN);
	return 0;
}

/**
 * vivgpu_cmd_alloc - suballocate; may wait for earlier jobs of the same client
 * @cmd: the memory
 * @bytes: size, at most VIVGPU_MAX_CMD_BYTES
 *
 * Return: the suballocation, or an error pointer, also if a signal ends the wait. Free it with
 * drm_suballoc_free() and the fence of the job.
 */
struct drm_suballoc *vivgpu_cmd_alloc(struct vivgpu_cmd *cmd, size_t bytes)
{
	int ret;

	mutex_lock(&cmd->lock);
	ret = vivgpu_cmd_alloc_memory(cmd);
	mutex_unlock(&cmd->lock);
	if (ret)
		return ERR_PTR(ret);

	return drm_suballoc_new(&cmd->manager, bytes, GFP_KERNEL, true, CMD_ALIGN);
}

/**
 * vivgpu_cmd_words - get the CPU's address of a suballocation
 * @cmd: the memory
 * @part: the suballocation; the caller is within drm_dev_enter()
 *
 * Return: pointer to the first word.
 */
u32 *vivgpu_cmd_words(struct vivgpu_cmd *cmd, struct drm_suballoc *part)
{
	return cmd->words + drm_suballoc_soffset(part) / sizeof(u32);
}

/**
 * vivgpu_cmd_va - get the GPU address of a suballocation
 * @cmd: the memory
 * @part: the suballocation
 *
 * Return: the address.
 */
u32 vivgpu_cmd_va(struct vivgpu_cmd *cmd, struct drm_suballoc *part)
{
	return cmd->va + drm_suballoc_soffset(part);
}
