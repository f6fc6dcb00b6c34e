// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two planes: a framebuffer anywhere on the screen, and a cursor. Both take
 * what is written when the CRTC's flush asks for it, at the next vertical sync.
 */

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_print.h>
#include <drm/drm_vblank.h>

#include "vivgpu_contiguous.h"
#include "vivgpu_dc_format.h"
#include "vivgpu_dc_regs.h"
#include "vivgpu_kms.h"

/* GC2000: the model whose supertiles have an order of their own */
#define MODEL_GC2000	0x2000

static const struct drm_plane_funcs plane_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.reset = drm_atomic_helper_plane_reset,
	.atomic_duplicate_state = drm_atomic_helper_plane_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_plane_destroy_state,
};

static int check_position(struct drm_plane_state *state, struct drm_atomic_state *all)
{
	struct drm_crtc_state *crtc_state = NULL;

	if (state->crtc)
		crtc_state = drm_atomic_get_new_crtc_state(all, state->crtc);
	return drm_atomic_helper_check_plane_state(state, crtc_state, DRM_PLANE_NO_SCALING,
						   DRM_PLANE_NO_SCALING, true, true);
}

/* Bus address of the first pixel that is shown. */
static int first_pixel(const struct drm_plane_state *state, u32 *address)
{
	const struct drm_framebuffer *fb = state->fb;
	const struct vivgpu_dc_layout layout = {
		.modifier = fb->modifier,
		.pitch = fb->pitches[0],
		.offset = fb->offsets[0],
		.cpp = fb->format->cpp[0],
	};
	dma_addr_t base;
	u32 offset;
	int ret;

	ret = vivgpu_dc_pixel(&layout, state->src.x1 >> 16, state->src.y1 >> 16, &offset);
	if (ret)
		return ret;

	ret = vivgpu_contiguous_address(fb->obj[0], 0, &base);
	if (!ret)
		*address = lower_32_bits(base + offset);
	return ret;
}

static int primary_check(struct drm_plane *plane, struct drm_atomic_state *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	int ret = check_position(state, all);
	u32 address;

	return ret || !state->visible ? ret : first_pixel(state, &address);
}

static u32 primary_config(struct vivgpu_kms *kms, const struct drm_framebuffer *fb)
{
	bool gc2000 = kms->vdev->identity.model == MODEL_GC2000;
	u32 config = 0;

	vivgpu_dc_format(fb->format->format, &config);
	return config | FIELD_PREP(DC_FB_CONFIG_TILE_MODE,
				   vivgpu_dc_tile_mode(fb->modifier, gc2000));
}

static void primary_disable(struct drm_plane *plane, struct drm_atomic_state *all)
{
	struct vivgpu_kms *kms = vivgpu_kms_of(plane->dev);

	vivgpu_dc_write(kms, DC_FB_CONFIG_EX, 0);
	kms->commit |= VIVGPU_COMMIT_PRIMARY;
}

static void primary_update(struct drm_plane *plane, struct drm_atomic_state *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	struct vivgpu_kms *kms = vivgpu_kms_of(plane->dev);
	const struct drm_rect *dst = &state->dst;
	u32 address;

	if (!state->visible || first_pixel(state, &address)) {
		primary_disable(plane, all);
		return;
	}

	vivgpu_dc_write(kms, DC_FB_ADDRESS, address);
	vivgpu_dc_write(kms, DC_FB_STRIDE, state->fb->pitches[0]);
	vivgpu_dc_write(kms, DC_FB_CONFIG, primary_config(kms, state->fb));
	vivgpu_dc_write(kms, DC_FB_SIZE, DC_XY(drm_rect_width(dst), drm_rect_height(dst)));
	vivgpu_dc_write(kms, DC_FB_TOP_LEFT, DC_XY(dst->x1, dst->y1));
	vivgpu_dc_write(kms, DC_FB_BOTTOM_RIGHT, DC_XY(dst->x2, dst->y2));
	vivgpu_dc_write(kms, DC_FB_BLEND, DC_FB_BLEND_DISABLE);
	vivgpu_dc_write(kms, DC_FB_CONFIG_EX, DC_FB_CONFIG_EX_FB_EN);
	kms->commit |= VIVGPU_COMMIT_PRIMARY;
}

static const struct drm_plane_helper_funcs primary_helper_funcs = {
	.atomic_check = primary_check,
	.atomic_update = primary_update,
	.atomic_disable = primary_disable,
};

/**
 * vivgpu_primary_create - make the plane of the framebuffer
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
	u32 formats[VIVGPU_DC_FORMATS];
	struct drm_plane *plane;

	vivgpu_dc_format_list(formats);
	plane = __drmm_universal_plane_alloc(&kms->vdev->drm, sizeof(*plane), 0, 1, &plane_funcs,
					     formats, ARRAY_SIZE(formats), modifiers,
					     DRM_PLANE_TYPE_PRIMARY, NULL);
	if (IS_ERR(plane))
		return plane;

	drm_plane_helper_add(plane, &primary_helper_funcs);
	return plane;
}

/* The code of a cursor's size: 0 to 3 for 32 to 256. */
static u32 cursor_size(u32 side)
{
	return ilog2(side) - ilog2(VIVGPU_CURSOR_LEAST);
}

static int cursor_check(struct drm_plane *plane, struct drm_atomic_state *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	const struct drm_framebuffer *fb = state->fb;
	u32 side = state->crtc_w;
	int ret = check_position(state, all);

	if (ret || !state->visible)
		return ret;

	/* A square image whose rows touch. */
	if (side != state->crtc_h || !is_power_of_2(side) || side < VIVGPU_CURSOR_LEAST ||
	    side > VIVGPU_CURSOR_MOST || state->src_x || fb->width != side ||
	    fb->pitches[0] != side * fb->format->cpp[0]) {
		drm_dbg_atomic(plane->dev, "no cursor: %ux%u of %ux%u, pitch %u\n", side,
			       state->crtc_h, fb->width, fb->height, fb->pitches[0]);
		return -EINVAL;
	}

	return 0;
}

/*
 * Left of and above the screen the image begins at an offset. A commit that the
 * block did not take over yet is taken back first: it could come amid the writes.
 */
static void write_cursor(struct vivgpu_kms *kms, const struct drm_plane_state *state)
{
	int x = state->crtc_x, y = state->crtc_y;
	const struct drm_framebuffer *fb = state->fb;
	dma_addr_t address;

	vivgpu_dc_write(kms, DC_CURSOR_CONFIG, DC_CURSOR_FORMAT_OFF);
	kms->commit |= VIVGPU_COMMIT_CURSOR;
	kms->cursor_config = DC_CURSOR_FORMAT_OFF;
	if (!state->visible || vivgpu_contiguous_address(fb->obj[0], 0, &address))
		return;

	address += fb->offsets[0] + (state->src_y >> 16) * fb->pitches[0];
	vivgpu_dc_write(kms, DC_CURSOR_ADDRESS, lower_32_bits(address));
	vivgpu_dc_write(kms, DC_CURSOR_LOCATION, FIELD_PREP(DC_CURSOR_X, max(x, 0)) |
			FIELD_PREP(DC_CURSOR_Y, max(y, 0)));
	kms->cursor_config =
		FIELD_PREP(DC_CURSOR_CONFIG_FORMAT, DC_CURSOR_FORMAT_A8R8G8B8) |
		FIELD_PREP(DC_CURSOR_CONFIG_SIZE, cursor_size(state->crtc_w)) |
		FIELD_PREP(DC_CURSOR_CONFIG_X_OFFSET, max(-x, 0)) |
		FIELD_PREP(DC_CURSOR_CONFIG_Y_OFFSET, max(-y, 0));
}

/*
 * Moves of a cursor do not wait for the vertical sync, so its old image may be
 * let go while it is still shown: keep it until the new one is taken over.
 */
static void retire_cursor(struct vivgpu_kms *kms, struct drm_framebuffer *old,
			  const struct drm_framebuffer *now)
{
	if (!old || old == now)
		return;

	drm_framebuffer_get(old);
	drm_flip_work_queue(&kms->old_cursors, old);
	spin_lock_irq(&kms->vdev->drm.event_lock);
	if (!kms->retiring && !drm_crtc_vblank_get(&kms->crtc))
		kms->retiring = true;
	if (!kms->retiring)
		drm_flip_work_commit(&kms->old_cursors, system_unbound_wq);
	spin_unlock_irq(&kms->vdev->drm.event_lock);
}

static void cursor_update(struct drm_plane *plane, struct drm_atomic_state *all)
{
	struct drm_plane_state *old = drm_atomic_get_old_plane_state(all, plane);
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	struct vivgpu_kms *kms = vivgpu_kms_of(plane->dev);

	write_cursor(kms, state);
	retire_cursor(kms, old->fb, state->fb);
}

/* A move or another image of the same size on a running display. */
static int cursor_async_check(struct drm_plane *plane, struct drm_atomic_state *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	struct drm_crtc_state *crtc_state = state->crtc->state;

	return state->fb && plane->state->fb && crtc_state->active ? 0 : -EINVAL;
}

static void cursor_async_update(struct drm_plane *plane, struct drm_atomic_state *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	struct vivgpu_kms *kms = vivgpu_kms_of(plane->dev);
	struct drm_plane_state *now = plane->state;

	swap(now->fb, state->fb);
	now->crtc_x = state->crtc_x;
	now->crtc_y = state->crtc_y;
	now->crtc_w = state->crtc_w;
	now->crtc_h = state->crtc_h;
	now->src_x = state->src_x;
	now->src_y = state->src_y;
	now->src_w = state->src_w;
	now->src_h = state->src_h;
	now->src = state->src;
	now->dst = state->dst;
	now->visible = state->visible;
	write_cursor(kms, now);
	retire_cursor(kms, state->fb, now->fb);
	vivgpu_cursor_commit(kms);
}

static const struct drm_plane_helper_funcs cursor_helper_funcs = {
	.atomic_check = cursor_check,
	.atomic_update = cursor_update,
	.atomic_disable = cursor_update,
	.atomic_async_check = cursor_async_check,
	.atomic_async_update = cursor_async_update,
};

/**
 * vivgpu_cursor_create - make the plane of the cursor
 * @kms: the display
 *
 * Return: the plane or an error pointer.
 */
struct drm_plane *vivgpu_cursor_create(struct vivgpu_kms *kms)
{
	static const u32 formats[] = { DRM_FORMAT_ARGB8888 };
	static const u64 modifiers[] = { DRM_FORMAT_MOD_LINEAR, DRM_FORMAT_MOD_INVALID };
	struct drm_plane *plane;

	plane = __drmm_universal_plane_alloc(&kms->vdev->drm, sizeof(*plane), 0, 1, &plane_funcs,
					     formats, ARRAY_SIZE(formats), modifiers,
					     DRM_PLANE_TYPE_CURSOR, NULL);
	if (IS_ERR(plane))
		return plane;

	drm_plane_helper_add(plane, &cursor_helper_funcs);
	return plane;
}
