// SPDX-License-Identifier: GPL-2.0-only
/*
 * The connector with the monitor, and the encoder, which DRM requires between CRTC and
 * connector. Neither the DC8200 nor the virtual board has an interrupt for hot-plug
 * detection, so DRM's helper polls.
 */

#include <linux/pm_runtime.h>

#include <drm/drm_atomic_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_edid.h>
#include <drm/drm_probe_helper.h>

#include "vivgpu_board.h"
#include "vivgpu_kms.h"

/* Modes to offer when the monitor's EDID cannot be read */
#define MAX_NOEDID_WIDTH	1280
#define MAX_NOEDID_HEIGHT	720

static const struct drm_edid *vivgpu_connector_read_edid(struct drm_connector *connector)
{
	struct vivgpu_device *vdev = to_vivgpu(connector->dev);
	const struct drm_edid *edid;

	if (pm_runtime_resume_and_get(connector->dev->dev) < 0)
		return NULL;

	edid = drm_edid_read_custom(connector, vivgpu_board_read_edid, vdev);
	pm_runtime_put_autosuspend(connector->dev->dev);
	return edid;
}

static int vivgpu_connector_get_modes(struct drm_connector *connector)
{
	const struct drm_edid *edid = vivgpu_connector_read_edid(connector);
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
static enum drm_connector_status vivgpu_connector_detect(struct drm_connector *connector,
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

static const struct drm_connector_helper_funcs vivgpu_connector_helper_funcs = {
	.get_modes = vivgpu_connector_get_modes,
};

static const struct drm_connector_funcs vivgpu_connector_funcs = {
	.detect = vivgpu_connector_detect,
	.fill_modes = drm_helper_probe_single_connector_modes,
	.reset = drm_atomic_helper_connector_reset,
	.atomic_duplicate_state = drm_atomic_helper_connector_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_connector_destroy_state,
};

/**
 * vivgpu_connector_init - create encoder and connector
 * @kms: the display, whose CRTC exists
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_connector_init(struct vivgpu_kms *kms)
{
	struct drm_device *drm = &kms->vdev->drm;
	int ret;

	ret = drmm_encoder_init(drm, &kms->encoder, NULL, DRM_MODE_ENCODER_DPI, NULL);
	if (ret)
		return ret;

	kms->encoder.possible_crtcs = drm_crtc_mask(&kms->crtc);
	ret = drmm_connector_init(drm, &kms->connector, &vivgpu_connector_funcs,
				  DRM_MODE_CONNECTOR_DPI, NULL);
	if (ret)
		return ret;

	kms->connector.polled = DRM_CONNECTOR_POLL_CONNECT | DRM_CONNECTOR_POLL_DISCONNECT;
	drm_connector_helper_add(&kms->connector, &vivgpu_connector_helper_funcs);
	return drm_connector_attach_encoder(&kms->connector, &kms->encoder);
}
