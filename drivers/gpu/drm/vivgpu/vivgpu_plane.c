// SPDX-License-Identifier: GPL-2.0-only
/*
 * The primary plane: a framebuffer anywhere on the screen, not scaled. Its registers
 * (DC_FB_*) are double buffered: the CRTC's atomic_flush sets the commit bit of
 * DC_FB_CONFIG_EX, and the display block takes the values over at the next vertical sync.
 */

#include <linux/slab.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_atomic_state_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_gem_framebuffer_helper.h>

#include "vivgpu_dc.h"
#include "vivgpu_dc_regs.h"
#include "vivgpu_gem.h"
#include "vivgpu_kms.h"

/* The GC2000 orders the tiles of a supertile in another way than later models. */
#define MODEL_GC2000	0x2000

/**
 * struct primary_state - state of the primary plane
 */
struct primary_state {
	/** @base: DRM's */
	struct drm_plane_state base;
	/** @address: bus address of the first pixel that is shown; set by prepare_fb */
	u32 address;
};

static struct primary_state *vivgpu_plane_to_state(const struct drm_plane_state *state)
{
	return container_of(state, struct primary_state, base);
}

static void vivgpu_plane_reset(struct drm_plane *plane)
{
	struct primary_state *state;

	if (plane->state) {
		__drm_atomic_helper_plane_destroy_state(plane->state);
		kfree(vivgpu_plane_to_state(plane->state));
		plane->state = NULL;
	}
	state = kzalloc(sizeof(*state), GFP_KERNEL);
	if (state)
		__drm_atomic_helper_plane_reset(plane, &state->base);
}

static struct drm_plane_state *vivgpu_plane_duplicate_state(struct drm_plane *plane)
{
	struct primary_state *state =
		kmemdup(vivgpu_plane_to_state(plane->state), sizeof(*state), GFP_KERNEL);

	if (!state)
		return NULL;

	__drm_atomic_helper_plane_duplicate_state(plane, &state->base);
	return &state->base;
}

static void vivgpu_plane_destroy_state(struct drm_plane *plane, struct drm_plane_state *state)
{
	__drm_atomic_helper_plane_destroy_state(state);
	kfree(vivgpu_plane_to_state(state));
}

static const struct drm_plane_funcs vivgpu_plane_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.reset = vivgpu_plane_reset,
	.atomic_duplicate_state = vivgpu_plane_duplicate_state,
	.atomic_destroy_state = vivgpu_plane_destroy_state,
};

/**
 * vivgpu_plane_check_position - compute a plane's clipped position and visibility
 * @state: the plane's new state
 * @all: the commit it belongs to
 *
 * Return: 0 or a negative error number; -ERANGE if it would be scaled.
 */
int vivgpu_plane_check_position(struct drm_plane_state *state, struct drm_atomic_commit *all)
{
	struct drm_crtc_state *crtc_state = NULL;

	if (state->crtc)
		crtc_state = drm_atomic_get_new_crtc_state(all, state->crtc);
	return drm_atomic_helper_check_plane_state(state, crtc_state, DRM_PLANE_NO_SCALING,
						   DRM_PLANE_NO_SCALING, true, true);
}

/* Byte offset, in its buffer, of the first pixel that is shown. */
static int vivgpu_plane_first_pixel_offset(const struct drm_plane_state *state, u32 *offset)
{
	const struct drm_framebuffer *fb = state->fb;
	const struct vivgpu_dc_layout layout = {
		.modifier = fb->modifier,
		.pitch = fb->pitches[0],
		.offset = fb->offsets[0],
		.cpp = fb->format->cpp[0],
	};

	return vivgpu_dc_pixel(&layout, state->src.x1 >> 16, state->src.y1 >> 16, offset);
}

/* The offset is computed only to see whether what is shown begins with a tile. */
static int vivgpu_plane_atomic_check(struct drm_plane *plane, struct drm_atomic_commit *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	int ret = vivgpu_plane_check_position(state, all);
	u32 offset;

	return ret || !state->visible ? ret : vivgpu_plane_first_pixel_offset(state, &offset);
}

/*
 * Look up the framebuffer's bus address here and not in atomic_update: the lookup locks
 * the buffer's reservation and can fail, which the commit tail must not, because out
 * fences of the commit depend on it. The address is constant for the buffer's lifetime,
 * see vivgpu_contiguous_address().
 */
static int vivgpu_plane_prepare_fb(struct drm_plane *plane, struct drm_plane_state *state)
{
	int ret = drm_gem_plane_helper_prepare_fb(plane, state);
	dma_addr_t base;
	u32 offset;

	if (ret || !state->visible)
		return ret;

	ret = vivgpu_plane_first_pixel_offset(state, &offset);
	ret = ret ?: vivgpu_contiguous_address(state->fb->obj[0], 0, &base);
	if (!ret)
		vivgpu_plane_to_state(state)->address = lower_32_bits(base + offset);
	return ret;
}

/* The format is one that vivgpu_dc_format() knows: vivgpu_kms_fb_create() refuses others. */
static u32 vivgpu_plane_fb_config(struct vivgpu_kms *kms, const struct drm_framebuffer *fb)
{
	bool gc2000 = kms->vdev->identity.model == MODEL_GC2000;
	u32 config = 0;

	vivgpu_dc_format(fb->format->format, &config);
	return config | FIELD_PREP(DC_FB_CONFIG_TILE_MODE,
				   vivgpu_dc_tile_mode(fb->modifier, gc2000));
}

/* Turn the plane on or off with the next atomic_flush. */
static void vivgpu_plane_stage(struct vivgpu_kms *kms, u32 fb_config)
{
	spin_lock_irq(&kms->vdev->drm.event_lock);
	kms->fb_config = fb_config;
	vivgpu_dc_write(kms, DC_FB_CONFIG_EX, fb_config);
	vivgpu_kms_stage(kms, VIVGPU_COMMIT_PRIMARY);
	spin_unlock_irq(&kms->vdev->drm.event_lock);
}

static void vivgpu_plane_atomic_disable(struct drm_plane *plane, struct drm_atomic_commit *all)
{
	vivgpu_plane_stage(vivgpu_kms_of(plane->dev), 0);
}

static void vivgpu_plane_atomic_update(struct drm_plane *plane, struct drm_atomic_commit *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	struct vivgpu_kms *kms = vivgpu_kms_of(plane->dev);
	const struct drm_rect *dst = &state->dst;

	if (!state->visible) {
		vivgpu_plane_atomic_disable(plane, all);
		return;
	}

	vivgpu_dc_write(kms, DC_FB_ADDRESS, vivgpu_plane_to_state(state)->address);
	vivgpu_dc_write(kms, DC_FB_STRIDE, state->fb->pitches[0]);
	vivgpu_dc_write(kms, DC_FB_CONFIG, vivgpu_plane_fb_config(kms, state->fb));
	vivgpu_dc_write(kms, DC_FB_SIZE, DC_XY(drm_rect_width(dst), drm_rect_height(dst)));
	vivgpu_dc_write(kms, DC_FB_TOP_LEFT, DC_XY(dst->x1, dst->y1));
	vivgpu_dc_write(kms, DC_FB_BOTTOM_RIGHT, DC_XY(dst->x2, dst->y2));
	vivgpu_dc_write(kms, DC_FB_BLEND, DC_FB_BLEND_DISABLE);
	vivgpu_plane_stage(kms, DC_FB_CONFIG_EX_FB_EN);
}

static const struct drm_plane_helper_funcs vivgpu_plane_primary_helper_funcs = {
	.prepare_fb = vivgpu_plane_prepare_fb,
	.atomic_check = vivgpu_plane_atomic_check,
	.atomic_update = vivgpu_plane_atomic_update,
	.atomic_disable = vivgpu_plane_atomic_disable,
};

/**
 * vivgpu_primary_create - create the primary plane
 * @kms: the display
 *
 * Return: the plane or an error pointer.
 */
struct drm_plane *vivgpu_primary_create(struct vivgpu_kms *kms)
{
	static const u64 modifiers[] = {
		DRM_FORMAT_MOD_LINEAR, DRM_FORMAT_MOD_VIVANTE_TILED,
		DRM_FORMAT_MOD_VIVANTE_SUPER_TILED, DRM_FORMAT_MOD_INVALID,
	};
	/* With black behind the plane, premultiplied colours are what is shown. */
	const u32 blend_modes = BIT(DRM_MODE_BLEND_PIXEL_NONE) | BIT(DRM_MODE_BLEND_PREMULTI);
	u32 formats[VIVGPU_DC_FORMATS];
	struct drm_plane *plane;
	int ret;

	vivgpu_dc_format_list(formats);
	plane = __drmm_universal_plane_alloc(&kms->vdev->drm, sizeof(*plane), 0, 1,
					     &vivgpu_plane_funcs, formats, ARRAY_SIZE(formats),
					     modifiers, DRM_PLANE_TYPE_PRIMARY, NULL);
	if (IS_ERR(plane))
		return plane;

	drm_plane_helper_add(plane, &vivgpu_plane_primary_helper_funcs);
	ret = drm_plane_create_blend_mode_property(plane, blend_modes);
	return ret ? ERR_PTR(ret) : plane;
}
