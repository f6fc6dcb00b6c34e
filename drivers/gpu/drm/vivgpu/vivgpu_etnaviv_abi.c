// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls of the etnaviv driver, version 1.4, for its unmodified user space.
 * The interface is that of include/uapi/drm/etnaviv_drm.h (authors: see there);
 * what happens behind it is this driver's.
 *
 * Differences a client can see: streams are validated on every core; counters
 * are exact, and more of them have names; requests are answered before the
 * fence signals; user pointers are refused with EINVAL, as a call that is not
 * there: pages of a process would have to be followed by MMU notifiers, which wait
 * for fences, and etnaviv's user space has no use for them.
 */

#include <linux/bitfield.h>
#include <linux/err.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_utils.h>
#include <drm/drm_vma_manager.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_cmd.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_fence.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_job.h"
#include "vivgpu_mmu.h"
#include "vivgpu_stretch.h"
#include "vivgpu_submit.h"

#define MAX_BOS		16384
#define MAX_RELOCS	65536
/* Bytes of a cursor of 64 x 64 pixels */
#define MIN_SCANOUT_BYTES	SZ_16K
#define MAX_PMRS	128

/* Values that end an iteration in etnaviv's interface */
#define NO_DOMAIN	0xff
#define NO_SIGNAL	0xffff

/* Fields of the specification words */
#define SPECS0_STREAMS		GENMASK(3, 0)
#define SPECS0_REGISTERS	GENMASK(7, 4)
#define SPECS0_THREADS		GENMASK(11, 8)
#define SPECS0_VERTEX_CACHE	GENMASK(16, 12)
#define SPECS0_SHADER_CORES	GENMASK(24, 20)
#define SPECS0_PIXEL_PIPES	GENMASK(27, 25)
#define SPECS0_VERTEX_OUTPUT	GENMASK(31, 28)
#define SPECS1_BUFFER		GENMASK(7, 0)
#define SPECS1_INSTRUCTIONS	GENMASK(15, 8)
#define SPECS1_CONSTANTS	GENMASK(31, 16)
#define SPECS2_VARYINGS		GENMASK(8, 4)
#define SPECS3_STREAMS		GENMASK(16, 12)

/* Instruction memory by its code in the specification word */
static u32 vivgpu_etnaviv_abi_instruction_count(u32 code)
{
	static const u16 count[] = { 256, 1024, 2048 };

	return code < ARRAY_SIZE(count) ? count[code] : 256;
}

/* Limits that depend on the specification words; 0 stands for a default. */
static u64 vivgpu_etnaviv_abi_get_spec(const u32 *specs, u32 param)
{
	u32 value;

	switch (param) {
	case ETNAVIV_PARAM_GPU_STREAM_COUNT:
		return FIELD_GET(SPECS3_STREAMS, specs[3]) ?:
		       FIELD_GET(SPECS0_STREAMS, specs[0]) ?: 4;
	case ETNAVIV_PARAM_GPU_REGISTER_MAX:
		return 1u << (FIELD_GET(SPECS0_REGISTERS, specs[0]) ?: 6);
	case ETNAVIV_PARAM_GPU_THREAD_COUNT:
		return 1u << (FIELD_GET(SPECS0_THREADS, specs[0]) ?: 8);
	case ETNAVIV_PARAM_GPU_VERTEX_CACHE_SIZE:
		return FIELD_GET(SPECS0_VERTEX_CACHE, specs[0]) ?: 8;
	case ETNAVIV_PARAM_GPU_SHADER_CORE_COUNT:
		return FIELD_GET(SPECS0_SHADER_CORES, specs[0]) ?: 2;
	case ETNAVIV_PARAM_GPU_PIXEL_PIPES:
		return FIELD_GET(SPECS0_PIXEL_PIPES, specs[0]) ?: 1;
	case ETNAVIV_PARAM_GPU_VERTEX_OUTPUT_BUFFER_SIZE:
		return 1u << (FIELD_GET(SPECS0_VERTEX_OUTPUT, specs[0]) ?: 9);
	case ETNAVIV_PARAM_GPU_BUFFER_SIZE:
		return FIELD_GET(SPECS1_BUFFER, specs[1]);
	case ETNAVIV_PARAM_GPU_INSTRUCTION_COUNT:
		value = FIELD_GET(SPECS1_INSTRUCTIONS, specs[1]);
		return vivgpu_etnaviv_abi_instruction_count(value);
	case ETNAVIV_PARAM_GPU_NUM_CONSTANTS:
		return FIELD_GET(SPECS1_CONSTANTS, specs[1]) ?: 168;
	default:
		return FIELD_GET(SPECS2_VARYINGS, specs[2]) ?: 12;
	}
}

static int vivgpu_etnaviv_abi_get_param(const struct vivgpu_identity *id, u32 param, u64 *value)
{
	switch (param) {
	case ETNAVIV_PARAM_GPU_MODEL:
		*value = id->model;
		return 0;
	case ETNAVIV_PARAM_GPU_REVISION:
		*value = id->revision;
		return 0;
	case ETNAVIV_PARAM_GPU_PRODUCT_ID:
		*value = id->product;
		return 0;
	case ETNAVIV_PARAM_GPU_CUSTOMER_ID:
		*value = id->customer;
		return 0;
	case ETNAVIV_PARAM_GPU_ECO_ID:
		*value = id->eco;
		return 0;
	case ETNAVIV_PARAM_GPU_FEATURES_0 ... ETNAVIV_PARAM_GPU_FEATURES_6:
		*value = id->features[param - ETNAVIV_PARAM_GPU_FEATURES_0];
		return 0;
	case ETNAVIV_PARAM_GPU_FEATURES_7 ... ETNAVIV_PARAM_GPU_FEATURES_12:
		*value = 0;
		return 0;
	case ETNAVIV_PARAM_GPU_STREAM_COUNT ... ETNAVIV_PARAM_GPU_NUM_VARYINGS:
		*value = vivgpu_etnaviv_abi_get_spec(id->specs, param);
		return 0;
	case ETNAVIV_PARAM_SOFTPIN_START_ADDR:
		*value = VIVGPU_USER_START;
		return 0;
	default:
		return -EINVAL;
	}
}

/**
 * vivgpu_etnaviv_get_param - DRM_IOCTL_ETNAVIV_GET_PARAM
 * @drm: the device
 * @data: &struct drm_etnaviv_param
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_param *args = data;

	if (args->pipe >= ETNA_MAX_PIPES)
		return -EINVAL;
	if (args->pipe)
		return -ENXIO;

	/* With one space for all, clients cannot choose addresses. */
	if (args->param == ETNAVIV_PARAM_SOFTPIN_START_ADDR && to_vivgpu(drm)->mmu_v1) {
		args->value = U64_MAX;
		return 0;
	}

	return vivgpu_etnaviv_abi_get_param(&to_vivgpu(drm)->identity, args->param, &args->value);
}

/*
 * Whether a buffer may become a framebuffer: there is a display, the only flag is ETNA_BO_WC (Mesa
 * sets ETNA_BO_FORCE_MMU for vertex buffers), it is not smaller than a cursor, and one block of
 * memory can hold it.
 */
static bool vivgpu_etnaviv_abi_may_scan_out(const struct vivgpu_device *vdev,
					    const struct drm_etnaviv_gem_new *args)
{
	return vdev->kms && args->flags == ETNA_BO_WC && args->size >= MIN_SCANOUT_BYTES &&
	       args->size <= VIVGPU_MAX_CONTIGUOUS_BYTES;
}

/**
 * vivgpu_etnaviv_gem_new - DRM_IOCTL_ETNAVIV_GEM_NEW
 * @drm: the device
 * @data: &struct drm_etnaviv_gem_new
 * @file: the caller
 *
 * etnaviv's user space expects a display that is another device and has memory
 * of its own, so there is no flag for buffers to show. On a device with a display
 * every buffer that may be one is contiguous, as long as there is such memory.
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_gem_new(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_new *args = data;

	if (args->flags & ~(ETNA_BO_CACHED | ETNA_BO_WC | ETNA_BO_UNCACHED | ETNA_BO_FORCE_MMU))
		return -EINVAL;

	if (vivgpu_etnaviv_abi_may_scan_out(to_vivgpu(drm), args) &&
	    !vivgpu_contiguous_new(file, args->size, &args->handle))
		return 0;

	return vivgpu_gem_new(file, args->size, args->flags & ETNA_BO_CACHED, &args->handle);
}

/**
 * vivgpu_etnaviv_gem_info - DRM_IOCTL_ETNAVIV_GEM_INFO
 * @drm: the device
 * @data: &struct drm_etnaviv_gem_info
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_gem_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_info *args = data;

	return args->pad ? -EINVAL : vivgpu_gem_offset(file, args->handle, &args->offset);
}

/*
 * Jiffies until an absolute time; 0 if it is past or not valid. vivgpu_gem_prep_handle() would give
 * -EBUSY for 0, so its callers pass 1 to get -ETIMEDOUT.
 */
static unsigned long vivgpu_etnaviv_abi_jiffies_until(const struct drm_etnaviv_timespec *timeout)
{
	const struct timespec64 end = { .tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_nsec };

	return timespec64_valid(&end) ? drm_timeout_abs_to_jiffies(timespec64_to_ns(&end)) : 0;
}

/**
 * vivgpu_etnaviv_cpu_prep - DRM_IOCTL_ETNAVIV_GEM_CPU_PREP
 * @drm: the device
 * @data: &struct drm_etnaviv_gem_cpu_prep
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_cpu_prep(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_cpu_prep *args = data;
	unsigned long timeout = vivgpu_etnaviv_abi_jiffies_until(&args->timeout) ?: 1;

	if (args->op & ~(ETNA_PREP_READ | ETNA_PREP_WRITE | ETNA_PREP_NOSYNC))
		return -EINVAL;

	return vivgpu_gem_prep_handle(file, args->handle, args->op & ETNA_PREP_WRITE,
				      args->op & ETNA_PREP_NOSYNC ? 0 : timeout);
}

/**
 * vivgpu_etnaviv_cpu_fini - DRM_IOCTL_ETNAVIV_GEM_CPU_FINI
 * @drm: the device
 * @data: &struct drm_etnaviv_gem_cpu_fini
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_cpu_fini(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_cpu_fini *args = data;

	return args->flags ? -EINVAL : vivgpu_gem_fini_handle(file, args->handle);
}

static int vivgpu_etnaviv_abi_add_bos(struct vivgpu_submission *sub,
				      const struct drm_etnaviv_gem_submit *args, u64 *addresses)
{
	const struct drm_etnaviv_gem_submit_bo __user *bos = u64_to_user_ptr(args->bos);
	struct drm_etnaviv_gem_submit_bo bo;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_bos; i++) {
		if (copy_from_user(&bo, &bos[i], sizeof(bo)))
			return -EFAULT;
		if (args->flags & ETNA_SUBMIT_SOFTPIN && !bo.presumed)
			return -EINVAL;
		ret = vivgpu_submission_add_bo(sub, bo.handle, bo.flags,
					       args->flags & ETNA_SUBMIT_SOFTPIN ? bo.presumed : 0,
					       &addresses[i]);
		if (ret)
			return ret;
	}

	return 0;
}

/* Write one buffer's address into the stream. */
static int vivgpu_etnaviv_abi_apply_reloc(struct vivgpu_submission *sub, const u64 *addresses,
					  const struct drm_etnaviv_gem_submit_reloc *reloc)
{
	struct vivgpu_job *job = sub->job;
	u32 word = reloc->submit_offset / sizeof(u32);

	if (reloc->flags || reloc->submit_offset % sizeof(u32) || word >= sub->words ||
	    reloc->reloc_idx >= job->nr_bos ||
	    reloc->reloc_offset > job->bos[reloc->reloc_idx].obj->size - sizeof(u32))
		return -EINVAL;

	sub->stream[word] = addresses[reloc->reloc_idx] + reloc->reloc_offset;
	return 0;
}

static int vivgpu_etnaviv_abi_apply_relocs(struct vivgpu_submission *sub,
					   const struct drm_etnaviv_gem_submit *args,
					   const u64 *addresses)
{
	const struct drm_etnaviv_gem_submit_reloc __user *relocs = u64_to_user_ptr(args->relocs);
	struct drm_etnaviv_gem_submit_reloc reloc;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_relocs; i++) {
		if (copy_from_user(&reloc, &relocs[i], sizeof(reloc)))
			return -EFAULT;
		ret = vivgpu_etnaviv_abi_apply_reloc(sub, addresses, &reloc);
		if (ret)
			return ret;
	}

	return 0;
}

/*
 * A request of user space: the counter's word before or after the job. Offsets
 * are in words, whatever their name says; word 0 gets the sequence number.
 */
static int vivgpu_etnaviv_abi_add_pmr(struct vivgpu_submission *sub,
				      const struct drm_etnaviv_gem_submit_pmr *in)
{
	struct vivgpu_counter *counter;
	u32 *word, *done;
	int ret;

	if (in->flags & ~(ETNA_PM_PROCESS_PRE | ETNA_PM_PROCESS_POST) || !in->read_offset)
		return -EINVAL;

	ret = vivgpu_submission_add_counter(sub, vivgpu_perfmon_signal(in->domain, in->signal),
					    in->read_idx, &counter);
	if (ret)
		return ret;
	if (in->read_offset >= counter->obj->size / sizeof(u32))
		return -EINVAL;

	word = vivgpu_gem_vmap(counter->obj, in->read_offset * sizeof(*word), &counter->map);
	if (IS_ERR(word))
		return PTR_ERR(word);

	done = vivgpu_gem_vmap(counter->obj, 0, &counter->done_map);
	if (IS_ERR(done))
		return PTR_ERR(done);

	if (in->flags & ETNA_PM_PROCESS_PRE)
		counter->before = word;
	if (in->flags & ETNA_PM_PROCESS_POST)
		counter->after = word;
	counter->done = done;
	counter->sequence = in->sequence;
	return 0;
}

static int vivgpu_etnaviv_abi_add_pmrs(struct vivgpu_submission *sub,
				       const struct drm_etnaviv_gem_submit *args)
{
	const struct drm_etnaviv_gem_submit_pmr __user *requests = u64_to_user_ptr(args->pmrs);
	struct drm_etnaviv_gem_submit_pmr request;
	u32 i;
	int ret;

	for (i = 0; i < args->nr_pmrs; i++) {
		if (copy_from_user(&request, &requests[i], sizeof(request)))
			return -EFAULT;
		ret = vivgpu_etnaviv_abi_add_pmr(sub, &request);
		if (ret)
			return ret;
	}

	return 0;
}

static int vivgpu_etnaviv_abi_prepare_job(struct vivgpu_submission *sub,
					  const struct drm_etnaviv_gem_submit *args)
{
	u64 *addresses;
	int ret;

	sub->stream[sub->words - 1] = 0;
	if (copy_from_user(sub->stream, u64_to_user_ptr(args->stream), args->stream_size))
		return -EFAULT;

	addresses = kvmalloc_array(args->nr_bos, sizeof(*addresses), GFP_KERNEL);
	if (!addresses)
		return -ENOMEM;

	ret = vivgpu_etnaviv_abi_add_bos(sub, args, addresses);
	ret = ret ?: vivgpu_etnaviv_abi_apply_relocs(sub, args, addresses);
	kvfree(addresses);
	ret = ret ?: vivgpu_etnaviv_abi_add_pmrs(sub, args);
	ret = ret ?: vivgpu_submission_prepare(sub);
	if (!ret && args->flags & ETNA_SUBMIT_FENCE_FD_IN)
		ret = vivgpu_submission_fence_in(sub, args->fence_fd);
	return ret;
}

static int vivgpu_etnaviv_abi_push_job(struct vivgpu_submission *sub,
				       struct drm_etnaviv_gem_submit *args)
{
	struct vivgpu_fence_out out;
	struct dma_fence *fence;
	int ret;

	ret = vivgpu_fence_out_init(&out, args->flags & ETNA_SUBMIT_FENCE_FD_OUT);
	if (ret)
		return ret;

	ret = vivgpu_submission_push(sub, !(args->flags & ETNA_SUBMIT_NO_IMPLICIT), &args->fence,
				     &fence);
	if (ret) {
		vivgpu_fence_out_fini(&out, NULL, NULL);
		return ret;
	}

	vivgpu_fence_out_fini(&out, fence, &args->fence_fd);
	dma_fence_put(fence);
	return 0;
}

static int vivgpu_etnaviv_abi_check_submit(const struct drm_etnaviv_gem_submit *args)
{
	if (args->pipe || args->exec_state != ETNA_PIPE_3D || args->flags & ~ETNA_SUBMIT_FLAGS ||
	    args->stream_size % sizeof(u32) || !args->stream_size || args->nr_pmrs > MAX_PMRS ||
	    args->nr_bos > MAX_BOS || args->nr_relocs > MAX_RELOCS)
		return -EINVAL;
	if (args->flags & ETNA_SUBMIT_SOFTPIN && args->nr_relocs)
		return -EINVAL;

	return args->stream_size > VIVGPU_MAX_CMD_BYTES ? -E2BIG : 0;
}

/**
 * vivgpu_etnaviv_submit - DRM_IOCTL_ETNAVIV_GEM_SUBMIT
 * @drm: the device
 * @data: &struct drm_etnaviv_gem_submit
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_etnaviv_gem_submit *args = data;
	struct vivgpu_submission_size size = {
		.nr_bos = args->nr_bos,
		.nr_counters = args->nr_pmrs,
	};
	struct vivgpu_submission sub;
	int ret;

	ret = vivgpu_etnaviv_abi_check_submit(args);
	if (ret)
		return ret;
	if (args->flags & ETNA_SUBMIT_SOFTPIN && to_vivgpu(drm)->mmu_v1)
		return -EINVAL;

	/* The last command may come without the word that fills it up. */
	size.words = round_up(args->stream_size, 8) / sizeof(u32);
	ret = vivgpu_submission_init(&sub, file, vfile->compat, &size, ktime_get_ns());
	ret = ret ?: vivgpu_etnaviv_abi_prepare_job(&sub, args);
	ret = ret ?: vivgpu_etnaviv_abi_push_job(&sub, args);
	vivgpu_submission_fini(&sub);
	return ret;
}

static struct dma_fence *vivgpu_etnaviv_abi_find_fence(struct vivgpu_client *client, u32 id)
{
	struct dma_fence *fence;

	xa_lock(&client->fences);
	fence = xa_load(&client->fences, id);
	vivgpu_stretch_spin(VIVGPU_STRETCH_FENCE_FIND);
	if (fence)
		dma_fence_get(fence);
	xa_unlock(&client->fences);
	return fence;
}

/**
 * vivgpu_etnaviv_wait_fence - DRM_IOCTL_ETNAVIV_WAIT_FENCE
 * @drm: the device
 * @data: &struct drm_etnaviv_wait_fence
 * @file: the caller
 *
 * A number without a fence is that of a job that has been freed, so there is no wait. Numbers
 * are the client's own: another client's jobs cannot be waited for.
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_wait_fence(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_wait_fence *args = data;
	struct vivgpu_file *vfile = file->driver_priv;
	struct dma_fence *fence;
	long ret;

	if (args->flags & ~ETNA_WAIT_NONBLOCK || args->pipe)
		return -EINVAL;

	fence = vivgpu_etnaviv_abi_find_fence(vfile->client, args->fence);
	if (!fence)
		return 0;

	if (args->flags & ETNA_WAIT_NONBLOCK) {
		ret = dma_fence_is_signaled(fence) ? 0 : -EBUSY;
	} else {
		ret = dma_fence_wait_timeout(fence, true,
					     vivgpu_etnaviv_abi_jiffies_until(&args->timeout));
		ret = ret > 0 ? 0 : ret ?: -ETIMEDOUT;
	}
	dma_fence_put(fence);
	return ret;
}

/**
 * vivgpu_etnaviv_gem_wait - DRM_IOCTL_ETNAVIV_GEM_WAIT
 * @drm: the device
 * @data: &struct drm_etnaviv_gem_wait
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_gem_wait(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_wait *args = data;
	unsigned long timeout = vivgpu_etnaviv_abi_jiffies_until(&args->timeout) ?: 1;

	if (args->flags & ~ETNA_WAIT_NONBLOCK || args->pipe)
		return -EINVAL;

	return vivgpu_gem_prep_handle(file, args->handle, true,
				      args->flags & ETNA_WAIT_NONBLOCK ? 0 : timeout);
}

/**
 * vivgpu_etnaviv_query_domain - DRM_IOCTL_ETNAVIV_PM_QUERY_DOM
 * @drm: the device
 * @data: &struct drm_etnaviv_pm_domain
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_query_domain(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_pm_domain *args = data;
	const struct vivgpu_domain *domain = vivgpu_perfmon_domain(args->iter);

	if (args->pipe >= ETNA_MAX_PIPES || !domain)
		return -EINVAL;
	if (args->pipe)
		return -ENXIO;

	args->id = args->iter++;
	args->nr_signals = domain->nr_signals;
	strscpy_pad(args->name, domain->name, sizeof(args->name));
	if (!vivgpu_perfmon_domain(args->iter))
		args->iter = NO_DOMAIN;
	return 0;
}

/**
 * vivgpu_etnaviv_query_signal - DRM_IOCTL_ETNAVIV_PM_QUERY_SIG
 * @drm: the device
 * @data: &struct drm_etnaviv_pm_signal
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_etnaviv_query_signal(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_pm_signal *args = data;
	const struct vivgpu_signal *signal = vivgpu_perfmon_signal(args->domain, args->iter);

	if (args->pipe >= ETNA_MAX_PIPES || !signal)
		return -EINVAL;
	if (args->pipe)
		return -ENXIO;

	args->id = args->iter++;
	strscpy_pad(args->name, signal->name, sizeof(args->name));
	if (!vivgpu_perfmon_signal(args->domain, args->iter))
		args->iter = NO_SIGNAL;
	return 0;
}
