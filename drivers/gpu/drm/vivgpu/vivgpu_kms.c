// SPDX-License-Identifier: GPL-2.0-only

#include <linux/dma-fence.h>
#include <linux/interrupt.h>
#include <linux/pm_runtime.h>
#include <linux/workqueue.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_edid.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_managed.h>
#include <drm/drm_mode_config.h>
#include <drm/drm_modeset_helper.h>
#include <drm/drm_print.h>
#include <drm/drm_probe_helper.h>
#include <drm/drm_vblank.h>

#include "vivgpu_dc.h"
#include "vivgpu_dc_regs.h"
#include "vivgpu_gem.h"
#include "vivgpu_kms.h"

/*
 * The connector with the monitor, and the encoder, which DRM requires between CRTC and
 * connector. Neither the DC8200 nor the virtual board has an interrupt for hot-plug
 * detection, so DRM's helper polls.
 */

/* Modes to offer when the monitor's EDID cannot be read */
#define MAX_NOEDID_WIDTH	1280
#define MAX_NOEDID_HEIGHT	720

static const struct drm_edid *vivgpu_kms_connector_read_edid(struct drm_connector *connector)
{
	struct vivgpu_device *vdev = to_vivgpu(connector->dev);
	const struct drm_edid *edid;

	if (pm_runtime_resume_and_get(connector->dev->dev) < 0)
		return NULL;

	edid = drm_edid_read_custom(connector, vivgpu_board_read_edid, vdev);
	pm_runtime_put_autosuspend(connector->dev->dev);
	return edid;
}

static int vivgpu_kms_connector_get_modes(struct drm_connector *connector)
{
	const struct drm_edid *edid = vivgpu_kms_connector_read_edid(connector);
	int count;

	drm_edid_connector_update(connector, edid);
	if (!edid)
		return drm_add_modes_noedid(connector, MAX_NOEDID_WIDTH, MAX_NOEDID_HEIGHT);

	count = drm_edid_connector_add_modes(connector);
	drm_edid_free(edid);
	return count;
}

/*
 * The helper compares the connector's epoch, too: a monitor that was replaced between two calls
 * counts as a change. Called under mode_config.mutex.
 */
static enum drm_connector_status vivgpu_kms_connector_detect(struct drm_connector *connector,
							     bool force)
{
	struct vivgpu_kms *kms = vivgpu_kms_of(connector->dev);
	u32 monitor;
	int cookie;

	if (!drm_dev_enter(connector->dev, &cookie))
		return connector_status_disconnected;

	monitor = vivgpu_board_monitor(kms->vdev);
	drm_dev_exit(cookie);
	if (monitor != kms->monitor)
		connector->epoch_counter++;
	kms->monitor = monitor;
	return monitor & VIVGPU_BOARD_MONITOR_PLUGGED ? connector_status_connected :
							connector_status_disconnected;
}

static const struct drm_connector_helper_funcs vivgpu_kms_connector_helper_funcs = {
	.get_modes = vivgpu_kms_connector_get_modes,
};

static const struct drm_connector_funcs vivgpu_kms_connector_funcs = {
	.detect = vivgpu_kms_connector_detect,
	.fill_modes = drm_helper_probe_single_connector_modes,
	.reset = drm_atomic_helper_connector_reset,
	.atomic_duplicate_state = drm_atomic_helper_connector_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_connector_destroy_state,
};

/**
 * vivgpu_kms_connector_init - create encoder and connector
 * @kms: the display, whose CRTC exists
 *
 * Return: 0 or a negative error number.
 */
static int vivgpu_kms_connector_init(struct vivgpu_kms *kms)
{
	struct drm_device *drm = &kms->vdev->drm;
	int ret;

	ret = drmm_encoder_init(drm, &kms->encoder, NULL, DRM_MODE_ENCODER_DPI, NULL);
	if (ret)
		return ret;

	kms->encoder.possible_crtcs = drm_crtc_mask(&kms->crtc);
	ret = drmm_connector_init(drm, &kms->connector, &vivgpu_kms_connector_funcs,
				  DRM_MODE_CONNECTOR_DPI, NULL);
	if (ret)
		return ret;

	kms->connector.polled = DRM_CONNECTOR_POLL_CONNECT | DRM_CONNECTOR_POLL_DISCONNECT;
	drm_connector_helper_add(&kms->connector, &vivgpu_kms_connector_helper_funcs);
	return drm_connector_attach_encoder(&kms->connector, &kms->encoder);
}

/*
 * DOC: Mode setting: checks of framebuffers, commits, initialisation, unbind and suspend
 *
 * A core without a display block stays a render-only device.
 *
 * The display block has three groups of registers: primary plane, cursor, panel. Each has a commit
 * bit and goes through these states::
 *
 *             atomic_update           atomic_flush              vertical sync
 *     loaded ---------------> staged -------------> committing ---------------> loaded
 *             values written           commit bit    ^      |   the block clears
 *             or kept for it           is set        +------+   the commit bit
 *                                 asynchronous commit of a cursor:
 *                                 commit bit cleared, values written,
 *                                 commit bit set again
 *
 * &vivgpu_kms.staged and &vivgpu_kms.committing have a bit for each group. The interrupt handler
 * clears those of @committing whose commit bit reads as zero, and sends the flip's event when none
 * is left.
 *
 * DRM orders commits of the same plane, but not an asynchronous commit of the cursor and the
 * commit tail of a nonblocking flip, which run on different CPUs. What both write, and the
 * interrupt handler reads, is protected by &drm_device.event_lock.
 */

/* Limit of framebuffers and modes; larger than usual modes, so that a framebuffer can be panned. */
#define MAX_FB_SIZE	4096

/* A framebuffer must lie in memory as the block reads it, and in one piece. */
static int vivgpu_kms_fb_check(struct drm_gem_object *obj, const struct drm_mode_fb_cmd2 *cmd,
			       const struct drm_format_info *info)
{
	const struct vivgpu_dc_layout layout = {
		.modifier = cmd->modifier[0],
		.pitch = cmd->pitches[0],
		.offset = cmd->offsets[0],
		.cpp = info->cpp[0],
	};
	u64 size = vivgpu_dc_size(&layout, cmd->width, cmd->height);
	dma_addr_t address;
	int ret, cookie;

	ret = vivgpu_dc_check_layout(&layout);
	if (ret)
		return ret;
	if (size > obj->size)
		return -EINVAL;
	/* The first call for a buffer maps it for the device. */
	if (!drm_dev_enter(obj->dev, &cookie))
		return -ENODEV;

	ret = vivgpu_contiguous_address(obj, size, &address);
	drm_dev_exit(cookie);
	return ret;
}

static struct drm_framebuffer *vivgpu_kms_fb_create(struct drm_device *drm, struct drm_file *file,
						    const struct drm_format_info *info,
						    const struct drm_mode_fb_cmd2 *cmd)
{
	VIVGPU_COMPAT_FORMAT_INFO(info, drm, cmd)
	struct drm_mode_fb_cmd2 with_modifier = *cmd;
	struct drm_gem_object *obj;
	int ret;
	u32 config;

	if (!vivgpu_dc_format(info->format, &config))
		return ERR_PTR(-EINVAL);

	obj = drm_gem_object_lookup(file, cmd->handles[0]);
	if (!obj)
		return ERR_PTR(-ENOENT);

	if (!(cmd->flags & DRM_MODE_FB_MODIFIERS)) {
		with_modifier.flags |= DRM_MODE_FB_MODIFIERS;
		with_modifier.modifier[0] = vivgpu_gem_modifier(obj);
	}
	ret = vivgpu_kms_fb_check(obj, &with_modifier, info);
	drm_gem_object_put(obj);
	return ret ? ERR_PTR(ret) : drm_gem_fb_create(drm, file, info, &with_modifier);
}

/* The commit's state of the CRTC if it is on afterwards, else NULL. */
static struct drm_crtc_state *vivgpu_kms_active_crtc(struct drm_device *drm,
						     struct drm_atomic_commit *state)
{
	struct drm_crtc_state *crtc =
		drm_atomic_get_new_crtc_state(state, &to_vivgpu(drm)->kms->crtc);

	return crtc && crtc->active ? crtc : NULL;
}

/*
 * A CRTC that is on has a runtime PM reference, which atomic_disable drops. It is taken here
 * and not in atomic_enable: a resume locks and allocates, which the commit tail must not,
 * because fences of the commit depend on it.
 *
 * A call that began before the unbind may come here later. vivgpu_kms_shutdown() holds the CRTC's
 * lock and waits for the commits before its own, which has to reach the registers: so it is the
 * last one that does, because after an unplug no commit is accepted that turns the CRTC on. One
 * that leaves it on comes before vivgpu_kms_shutdown(), and DRM removes framebuffers that way.
 */
static int vivgpu_kms_atomic_commit(struct drm_device *drm, struct drm_atomic_commit *state,
				    bool nonblock)
{
	struct drm_crtc_state *crtc = vivgpu_kms_active_crtc(drm, state);
	bool enables = crtc && drm_atomic_crtc_needs_modeset(crtc);
	int ret;

	if (enables) {
		if (drm_dev_is_unplugged(drm))
			return -ENODEV;

		ret = pm_runtime_resume_and_get(drm->dev);
		if (ret)
			return ret;
	}
	ret = drm_atomic_helper_commit(drm, state, nonblock);
	if (ret && enables)
		pm_runtime_put_autosuspend(drm->dev);
	return ret;
}

static const struct drm_mode_config_funcs vivgpu_kms_mode_config_funcs = {
	.fb_create = vivgpu_kms_fb_create,
	.atomic_check = drm_atomic_helper_check,
	.atomic_commit = vivgpu_kms_atomic_commit,
};

/*
 * Registers can be reached while the CRTC is on only, so planes come after it. A
 * fence that user space asked for signals with the flip, so nothing here waits for
 * memory or reservations.
 */
static void vivgpu_kms_commit_tail(struct drm_atomic_commit *state)
{
	struct drm_device *drm = state->dev;
	bool cookie = dma_fence_begin_signalling();

	drm_atomic_helper_commit_modeset_disables(drm, state);
	drm_atomic_helper_commit_modeset_enables(drm, state);
	drm_atomic_helper_commit_planes(drm, state, DRM_PLANE_COMMIT_ACTIVE_ONLY);
	drm_atomic_helper_commit_hw_done(state);
	dma_fence_end_signalling(cookie);
	drm_atomic_helper_wait_for_flip_done(drm, state);
	drm_atomic_helper_cleanup_planes(drm, state);
}

static const struct drm_mode_config_helper_funcs vivgpu_kms_mode_config_helper_funcs = {
	.atomic_commit_tail = vivgpu_kms_commit_tail,
};

static int vivgpu_kms_init_mode_config(struct drm_device *drm)
{
	struct drm_mode_config *config = &drm->mode_config;
	int ret;

	ret = drmm_mode_config_init(drm);
	if (ret)
		return ret;

	config->min_width = 1;
	config->min_height = 1;
	config->max_width = MAX_FB_SIZE;
	config->max_height = MAX_FB_SIZE;
	config->cursor_width = VIVGPU_DC_MAX_CURSOR_SIZE;
	config->cursor_height = VIVGPU_DC_MAX_CURSOR_SIZE;
	config->preferred_depth = 24;
	config->funcs = &vivgpu_kms_mode_config_funcs;
	config->helper_private = &vivgpu_kms_mode_config_helper_funcs;
	return 0;
}

static int vivgpu_kms_create_objects(struct vivgpu_kms *kms)
{
	int ret;

	kms->primary = vivgpu_primary_create(kms);
	if (IS_ERR(kms->primary))
		return PTR_ERR(kms->primary);

	kms->cursor = vivgpu_cursor_create(kms);
	if (IS_ERR(kms->cursor))
		return PTR_ERR(kms->cursor);

	ret = vivgpu_crtc_init(kms);
	return ret ?: vivgpu_kms_connector_init(kms);
}

/**
 * vivgpu_kms_init - find the display, if there is one
 * @vdev: the device, not registered yet
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_kms_init(struct vivgpu_device *vdev)
{
	struct drm_device *drm = &vdev->drm;
	struct vivgpu_kms *kms;
	int ret;

	if (!vdev->display) {
		drm->driver_features &= ~(DRIVER_MODESET | DRIVER_ATOMIC);
		return 0;
	}

	kms = drmm_kzalloc(drm, sizeof(*kms), GFP_KERNEL);
	if (!kms)
		return -ENOMEM;

	kms->vdev = vdev;
	kms->regs = vdev->display;
	if (vivgpu_dc_read(kms, DC_CHIP_MODEL) != DC_CHIP_MODEL_DC8200) {
		drm_err(drm, "the display is no DC8200\n");
		return -ENODEV;
	}

	vdev->kms = kms;
	ret = vivgpu_kms_init_mode_config(drm);
	ret = ret ?: vivgpu_kms_create_objects(kms);
	if (ret)
		return ret;

	drm_mode_config_reset(drm);
	vivgpu_dc_write(kms, DC_IRQ_EN, 0);
	return request_irq(vdev->display_irq, vivgpu_crtc_interrupt, IRQF_SHARED, "vivgpu-display",
			   kms);
}

/**
 * vivgpu_kms_register - poll the monitor, and start the kernel's own DRM clients
 * @vdev: the device, registered
 */
void vivgpu_kms_register(struct vivgpu_device *vdev)
{
	if (!vdev->kms)
		return;

	drm_kms_helper_poll_init(&vdev->drm);
	drm_client_setup(&vdev->drm, NULL);
}

/* Work that turns the display off */
struct kms_shutdown {
	struct work_struct work;
	struct drm_device *drm;
};

static void vivgpu_kms_shutdown_work(struct work_struct *work)
{
	drm_atomic_helper_shutdown(container_of(work, struct kms_shutdown, work)->drm);
}

/*
 * Turn the display off. A commit fails if a signal comes for the process while it waits for
 * the one before, and drm_atomic_helper_shutdown() does not try again: the display would
 * stay on. A worker gets no signals.
 */
static void vivgpu_kms_shutdown(struct drm_device *drm)
{
	struct kms_shutdown shutdown = { .drm = drm };

	INIT_WORK_ONSTACK(&shutdown.work, vivgpu_kms_shutdown_work);
	queue_work(system_dfl_wq, &shutdown.work);
	flush_work(&shutdown.work);
	destroy_work_on_stack(&shutdown.work);
}

/**
 * vivgpu_kms_fini - turn the display off and free its interrupt
 * @vdev: the device, unplugged or never registered; its interrupt is still on
 */
void vivgpu_kms_fini(struct vivgpu_device *vdev)
{
	struct vivgpu_kms *kms = vdev->kms;

	if (!kms)
		return;

	drm_kms_helper_poll_fini(&vdev->drm);
	vivgpu_kms_shutdown(&vdev->drm);
	free_irq(vdev->display_irq, kms);
	vivgpu_crtc_fini(kms);
}

/**
 * vivgpu_kms_suspend - save the display's state and turn it off
 * @vdev: the device
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_kms_suspend(struct vivgpu_device *vdev)
{
	return vdev->kms ? drm_mode_config_helper_suspend(&vdev->drm) : 0;
}

/**
 * vivgpu_kms_resume - show again what vivgpu_kms_suspend() remembered
 * @vdev: the device, its registers can be reached
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_kms_resume(struct vivgpu_device *vdev)
{
	return vdev->kms ? drm_mode_config_helper_resume(&vdev->drm) : 0;
}

/**
 * vivgpu_kms_next_vblank - when the display begins its next vertical blank
 * @vdev: the device
 *
 * Return: CLOCK_MONOTONIC in ns; 0 if there is no display, or if it is off.
 */
u64 vivgpu_kms_next_vblank(struct vivgpu_device *vdev)
{
	ktime_t time = 0;
	int cookie;

	if (!vdev->kms || !drm_dev_enter(&vdev->drm, &cookie))
		return 0;

	if (drm_crtc_next_vblank_start(&vdev->kms->crtc, &time))
		time = 0;
	drm_dev_exit(cookie);
	return ktime_to_ns(time);
}

/**
 * vivgpu_kms_vblank_period - the time between two vertical blanks
 * @vdev: the device
 *
 * Return: ns; 0 if there is no display, or if it is off.
 */
u64 vivgpu_kms_vblank_period(struct vivgpu_device *vdev)
{
	struct vivgpu_kms *kms = vdev->kms;

	return kms && READ_ONCE(kms->running) ? drm_crtc_vblank_crtc(&kms->crtc)->framedur_ns : 0;
}
