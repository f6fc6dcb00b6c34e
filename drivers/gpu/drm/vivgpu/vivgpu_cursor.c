// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Cursor plane
 *
 * The display block reads a cursor image as a square of 32, 64, 128 or 256 pixels with
 * no gap between its rows (DC_CURSOR_CONFIG, DC_CURSOR_ADDRESS). A framebuffer of this
 * shape is scanned out directly. For any other framebuffer of up to 256 x 256 pixels each
 * commit makes a copy: the smallest such square that holds it, padded with transparent
 * pixels. Later drawing into the framebuffer becomes visible with the next commit, with or
 * without damage clips.
 *
 * Legacy cursor ioctls are asynchronous commits: they do not wait for the vertical sync,
 * so several images may be committed within a frame. A copy is not written after its address
 * has been committed. The replaced image is released after the next vertical sync, when the
 * new one is shown. If the frame count shows that the replaced image was never scanned out, it
 * is released at once: otherwise the images of a client that replaces them without pause would
 * accumulate in memory.
 *
 * The image has a reference from its commit on, and goes through these states, under DRM's
 * event_lock::
 *
 *               commit()           replaced after            loaded()
 *     prepared ----------> committed ---------------> old ------------> put by a work
 *                           |   |    a vertical sync                      ^     ^
 *                           |   +--- replaced within the frame -----------+     |
 *                           +------- clear(): the output is off ----------------+
 *
 * prepared: in the plane's state. committed: &vivgpu_kms.cursor_committed; the registers have its
 * address. old: &vivgpu_kms.old_cursors, while @retiring is set and vertical blanks are counted.
 * The last put may lock a reservation, which the commit tail must not wait for, so a work does it
 * (&vivgpu_kms.unused_cursors).
 */

#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/iosys-map.h>
#include <linux/slab.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_atomic_state_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_drv.h>
#include <drm/drm_format_helper.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_print.h>
#include <drm/drm_vblank.h>

#include "vivgpu_compat.h"
#include "vivgpu_dc.h"
#include "vivgpu_dc_regs.h"
#include "vivgpu_gem.h"
#include "vivgpu_kms.h"
#include "vivgpu_stretch.h"

/**
 * struct cursor_state - state of the cursor's plane
 */
struct cursor_state {
	/** @base: DRM's plane state */
	struct drm_plane_state base;
	/** @copy: buffer that the block reads instead of the framebuffer, or NULL */
	struct drm_gem_object *copy;
	/** @to: CPU mapping of @copy */
	struct iosys_map to;
	/** @buffer: CPU mapping of the framebuffer's memory, if there is a @copy */
	struct iosys_map buffer;
	/** @from: the framebuffer within @buffer */
	struct iosys_map from;
	/** @address: bus address of the first pixel that the block reads; set by prepare_fb */
	u32 address;
};

static struct cursor_state *vivgpu_cursor_to_state(const struct drm_plane_state *state)
{
	return container_of(state, struct cursor_state, base);
}

static void vivgpu_cursor_reset(struct drm_plane *plane)
{
	struct cursor_state *state;

	if (plane->state) {
		__drm_atomic_helper_plane_destroy_state(plane->state);
		kfree(vivgpu_cursor_to_state(plane->state));
		plane->state = NULL;
	}
	state = kzalloc(sizeof(*state), GFP_KERNEL);
	if (state)
		__drm_atomic_helper_plane_reset(plane, &state->base);
}

/* The duplicate has no copy: prepare_fb makes one for each commit. */
static struct drm_plane_state *vivgpu_cursor_duplicate_state(struct drm_plane *plane)
{
	struct cursor_state *state = kzalloc(sizeof(*state), GFP_KERNEL);

	if (!state)
		return NULL;

	__drm_atomic_helper_plane_duplicate_state(plane, &state->base);
	return &state->base;
}

static void vivgpu_cursor_destroy_state(struct drm_plane *plane, struct drm_plane_state *state)
{
	__drm_atomic_helper_plane_destroy_state(state);
	kfree(vivgpu_cursor_to_state(state));
}

static const struct drm_plane_funcs vivgpu_cursor_plane_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.reset = vivgpu_cursor_reset,
	.atomic_duplicate_state = vivgpu_cursor_duplicate_state,
	.atomic_destroy_state = vivgpu_cursor_destroy_state,
};

static bool vivgpu_cursor_needs_copy(const struct drm_plane_state *state)
{
	const struct vivgpu_dc_cursor cursor = {
		.x = state->src_x >> 16,
		.width = state->crtc_w,
		.height = state->crtc_h,
		.pitch = state->fb->pitches[0],
	};

	return !vivgpu_dc_cursor_readable(&cursor);
}

static int vivgpu_cursor_atomic_check(struct drm_plane *plane, struct drm_atomic_commit *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	int ret = vivgpu_plane_check_position(state, all);

	if (ret || !state->visible)
		return ret;

	if (!vivgpu_dc_cursor_side(state->crtc_w, state->crtc_h)) {
		drm_dbg_atomic(plane->dev, "no cursor: %ux%u\n", state->crtc_w, state->crtc_h);
		return -EINVAL;
	}

	return 0;
}

static bool vivgpu_cursor_is_import(const struct drm_framebuffer *fb)
{
	return fb->obj[0]->import_attach;
}

static void vivgpu_cursor_copy_image(struct cursor_state *cursor)
{
	const struct drm_plane_state *state = &cursor->base;
	u32 pitch = VIVGPU_DC_CURSOR_CPP * vivgpu_dc_cursor_side(state->crtc_w, state->crtc_h);
	struct drm_rect part;

	drm_rect_init(&part, state->src_x >> 16, state->src_y >> 16, state->crtc_w, state->crtc_h);
	drm_fb_memcpy(&cursor->to, &pitch, &cursor->from, state->fb, &part);
}

static void vivgpu_cursor_free_copy(struct cursor_state *cursor)
{
	drm_gem_vunmap(cursor->copy, &cursor->to);
	drm_gem_object_put(cursor->copy);
	cursor->copy = NULL;
}

/* Allocate and map a contiguous buffer for the copy; zeroed, so all of it is transparent. */
static int vivgpu_cursor_alloc_copy(struct cursor_state *cursor)
{
	u32 side = vivgpu_dc_cursor_side(cursor->base.crtc_w, cursor->base.crtc_h);
	struct drm_device *drm = cursor->base.plane->dev;
	struct drm_gem_object *copy;
	dma_addr_t address;
	int ret;

	copy = vivgpu_contiguous_create(drm, PAGE_ALIGN(side * side * VIVGPU_DC_CURSOR_CPP));
	if (IS_ERR(copy))
		return PTR_ERR(copy);

	ret = vivgpu_contiguous_address(copy, copy->size, &address);
	ret = ret ?: drm_gem_vmap(copy, &cursor->to);
	if (ret) {
		drm_gem_object_put(copy);
		return ret;
	}

	cursor->copy = copy;
	cursor->address = lower_32_bits(address);
	return 0;
}

/*
 * Copy an image of another driver in prepare_fb, after waiting for its fence. Access by
 * the CPU may lock the exporter's reservation, which the commit tail must not.
 */
static int vivgpu_cursor_copy_import(struct cursor_state *cursor)
{
	struct dma_fence *fence = cursor->base.fence;
	int ret = fence ? dma_fence_wait(fence, true) : 0;

	ret = ret ?: drm_gem_fb_begin_cpu_access(cursor->base.fb, DMA_FROM_DEVICE);
	if (ret)
		return ret;

	vivgpu_cursor_copy_image(cursor);
	drm_gem_fb_end_cpu_access(cursor->base.fb, DMA_FROM_DEVICE);
	return 0;
}

static void vivgpu_cursor_unprepare_copy(struct cursor_state *cursor)
{
	drm_gem_fb_vunmap(cursor->base.fb, &cursor->buffer);
	vivgpu_cursor_free_copy(cursor);
}

/* Does everything that can fail or locks a reservation: the commit tail may do neither. */
static int vivgpu_cursor_prepare_copy(struct cursor_state *cursor)
{
	struct drm_framebuffer *fb = cursor->base.fb;
	int ret;

	ret = vivgpu_cursor_alloc_copy(cursor);
	if (ret)
		return ret;

	ret = drm_gem_fb_vmap(fb, &cursor->buffer, &cursor->from);
	if (ret) {
		vivgpu_cursor_free_copy(cursor);
		return ret;
	}

	ret = vivgpu_cursor_is_import(fb) ? vivgpu_cursor_copy_import(cursor) : 0;
	if (ret)
		vivgpu_cursor_unprepare_copy(cursor);
	return ret;
}

/*
 * The block scans the framebuffer out directly, from column 0 on: any other first column needs a
 * copy (vivgpu_dc_cursor_readable()). For the address see vivgpu_plane_prepare_fb().
 */
static int vivgpu_cursor_prepare_direct(struct cursor_state *cursor)
{
	const struct drm_framebuffer *fb = cursor->base.fb;
	dma_addr_t base;
	int ret;

	ret = vivgpu_contiguous_address(fb->obj[0], 0, &base);
	if (!ret)
		cursor->address = lower_32_bits(base + fb->offsets[0] +
						(cursor->base.src_y >> 16) * fb->pitches[0]);
	return ret;
}

static int vivgpu_cursor_prepare_fb(struct drm_plane *plane, struct drm_plane_state *state)
{
	int idx, ret = drm_gem_plane_helper_prepare_fb(plane, state);

	if (ret || !state->visible)
		return ret;
	if (!drm_dev_enter(plane->dev, &idx))
		return -ENODEV;

	ret = vivgpu_cursor_needs_copy(state) ?
		      vivgpu_cursor_prepare_copy(vivgpu_cursor_to_state(state)) :
		      vivgpu_cursor_prepare_direct(vivgpu_cursor_to_state(state));
	drm_dev_exit(idx);
	return ret;
}

static void vivgpu_cursor_cleanup_fb(struct drm_plane *plane, struct drm_plane_state *state)
{
	struct cursor_state *cursor = vivgpu_cursor_to_state(state);

	if (cursor->copy)
		vivgpu_cursor_unprepare_copy(cursor);
}

/* Copy the image in the commit tail: the framebuffer's fences have signalled by then. */
static void vivgpu_cursor_fill_copy(struct cursor_state *cursor)
{
	if (cursor->copy && !vivgpu_cursor_is_import(cursor->base.fb))
		vivgpu_cursor_copy_image(cursor);
}

/* The buffer that the block scans out: the copy or the framebuffer; NULL without a cursor. */
static struct drm_gem_object *vivgpu_cursor_get_image(const struct drm_plane_state *state)
{
	if (!state->visible)
		return NULL;

	return vivgpu_cursor_to_state(state)->copy ?: state->fb->obj[0];
}

/*
 * Compute the registers' values; vivgpu_cursor_commit() writes them. Positions left of or
 * above the screen are expressed by the image's offset, which has 8 bits: of an image of at most
 * 256 x 256 pixels a part is visible. DRM's event_lock held.
 */
static void vivgpu_cursor_stage_regs(struct vivgpu_kms *kms, const struct drm_plane_state *state)
{
	struct vivgpu_cursor_regs *regs = &kms->cursor_regs;
	int x = state->crtc_x, y = state->crtc_y;

	vivgpu_kms_stage(kms, VIVGPU_COMMIT_CURSOR);
	regs->image = vivgpu_cursor_get_image(state);
	regs->config = DC_CURSOR_FORMAT_OFF;
	if (!regs->image)
		return;

	regs->address = vivgpu_cursor_to_state(state)->address;
	regs->location = FIELD_PREP(DC_CURSOR_X, max(x, 0)) | FIELD_PREP(DC_CURSOR_Y, max(y, 0));
	regs->config = FIELD_PREP(DC_CURSOR_CONFIG_FORMAT, DC_CURSOR_FORMAT_A8R8G8B8) |
		FIELD_PREP(DC_CURSOR_CONFIG_SIZE,
			   vivgpu_dc_cursor_code(vivgpu_dc_cursor_side(state->crtc_w,
								       state->crtc_h))) |
		FIELD_PREP(DC_CURSOR_CONFIG_X_OFFSET, max(-x, 0)) |
		FIELD_PREP(DC_CURSOR_CONFIG_Y_OFFSET, max(-y, 0));
}

/*
 * Replace the committed image by @image, or by none. The old one is kept until the next vertical
 * sync if it may be on the screen (@shown), and put at once if it never was.
 */
static void vivgpu_cursor_set_image(struct vivgpu_kms *kms, struct drm_gem_object *image,
				    bool shown)
{
	struct drm_gem_object *old = kms->cursor_committed.image;

	if (image)
		drm_gem_object_get(image);
	kms->cursor_committed.image = image;
	if (!old)
		return;

	if (!shown) {
		drm_flip_work_queue(&kms->unused_cursors, old);
		drm_flip_work_commit(&kms->unused_cursors, system_dfl_wq);
		return;
	}

	drm_flip_work_queue(&kms->old_cursors, old);
	if (!kms->retiring && !drm_crtc_vblank_get(&kms->crtc))
		kms->retiring = true;
	if (!kms->retiring)
		drm_flip_work_commit(&kms->old_cursors, system_dfl_wq);
}

/* True if only the cursor's position differs from the committed one. */
static bool vivgpu_cursor_is_move_only(const struct vivgpu_kms *kms)
{
	const struct vivgpu_cursor_regs *regs = &kms->cursor_regs,
					*committed = &kms->cursor_committed;

	return regs->image && regs->image == committed->image &&
	       regs->address == committed->address && regs->config == committed->config;
}

/*
 * Write all registers. The commit bit of an earlier commit is cleared first, because a
 * vertical sync between the writes would load a mix of old and new values.
 */
static void vivgpu_cursor_write_regs(struct vivgpu_kms *kms)
{
	const struct vivgpu_cursor_regs *regs = &kms->cursor_regs;
	u32 frame;

	vivgpu_dc_write(kms, DC_CURSOR_CONFIG, DC_CURSOR_FORMAT_OFF);
	if (regs->image != kms->cursor_committed.image) {
		/* Without a vertical sync since its commit the old image was never scanned out. */
		frame = vivgpu_board_frame(kms->vdev);
		vivgpu_cursor_set_image(kms, regs->image, frame != kms->cursor_frame);
		kms->cursor_frame = frame;
	}
	if (regs->image) {
		vivgpu_dc_write(kms, DC_CURSOR_ADDRESS, regs->address);
		vivgpu_dc_write(kms, DC_CURSOR_LOCATION, regs->location);
	}
}

/**
 * vivgpu_cursor_commit - write the cursor's registers and set their commit bit
 * @kms: the display; DRM's event_lock is held
 */
void vivgpu_cursor_commit(struct vivgpu_kms *kms)
{
	const struct vivgpu_cursor_regs *regs = &kms->cursor_regs;

	lockdep_assert_held(&kms->vdev->drm.event_lock);
	if (vivgpu_cursor_is_move_only(kms))
		vivgpu_dc_write(kms, DC_CURSOR_LOCATION, regs->location);
	else
		vivgpu_cursor_write_regs(kms);
	vivgpu_dc_write(kms, DC_CURSOR_CONFIG,
			regs->config | DC_CURSOR_CONFIG_UPDATE | DC_CURSOR_CONFIG_COMMIT);
	kms->cursor_committed = *regs;
	kms->staged &= ~VIVGPU_COMMIT_CURSOR;
	kms->committing |= VIVGPU_COMMIT_CURSOR;
}

/**
 * vivgpu_cursor_clear - turn the cursor off at once
 * @kms: the display, whose output is off; DRM's event_lock is held
 */
void vivgpu_cursor_clear(struct vivgpu_kms *kms)
{
	vivgpu_dc_write(kms, DC_CURSOR_CONFIG, DC_CURSOR_CONFIG_UPDATE | DC_CURSOR_CONFIG_COMMIT);
	vivgpu_cursor_set_image(kms, NULL, false);
}

/**
 * vivgpu_cursor_loaded - put the replaced images, which are no longer shown
 * @kms: the display, which has loaded the last commit; DRM's event_lock is held
 */
void vivgpu_cursor_loaded(struct vivgpu_kms *kms)
{
	if (!kms->retiring)
		return;

	drm_flip_work_commit(&kms->old_cursors, system_dfl_wq);
	drm_crtc_vblank_put(&kms->crtc);
	kms->retiring = false;
}

static void vivgpu_cursor_put_image(struct drm_flip_work *work, void *image)
{
	drm_gem_object_put(image);
}

/**
 * vivgpu_cursor_fini - finish the works that put images
 * @kms: the display, which is off; its interrupt is freed
 */
void vivgpu_cursor_fini(struct vivgpu_kms *kms)
{
	flush_work(&kms->old_cursors.worker);
	drm_flip_work_cleanup(&kms->old_cursors);
	flush_work(&kms->unused_cursors.worker);
	drm_flip_work_cleanup(&kms->unused_cursors);
}

static void vivgpu_cursor_atomic_update(struct drm_plane *plane, struct drm_atomic_commit *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);

	vivgpu_cursor_fill_copy(vivgpu_cursor_to_state(state));
	spin_lock_irq(&plane->dev->event_lock);
	vivgpu_cursor_stage_regs(vivgpu_kms_of(plane->dev), state);
	spin_unlock_irq(&plane->dev->event_lock);
}

/*
 * Allow an asynchronous commit for a move or a new image on a running display. It does not
 * wait for fences, so an image that is still being drawn takes the synchronous path.
 */
static int vivgpu_cursor_atomic_async_check(struct drm_plane *plane, struct drm_atomic_commit *all,
					    bool flip)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	struct drm_framebuffer *fb = state->fb, *now = plane->state->fb;

	if (!fb || !now || !state->crtc->state->active)
		return -EINVAL;
	if (fb == now && !vivgpu_cursor_needs_copy(state))
		return 0;

	return dma_resv_test_signaled(fb->obj[0]->resv, DMA_RESV_USAGE_WRITE) ? 0 : -EBUSY;
}

/* Swap the images, because after an asynchronous update DRM calls cleanup_fb for the new state. */
static void vivgpu_cursor_swap_images(struct cursor_state *a, struct cursor_state *b)
{
	swap(a->base.fb, b->base.fb);
	swap(a->copy, b->copy);
	swap(a->to, b->to);
	swap(a->buffer, b->buffer);
	swap(a->from, b->from);
	swap(a->address, b->address);
}

static void vivgpu_cursor_atomic_async_update(struct drm_plane *plane,
					      struct drm_atomic_commit *all)
{
	struct drm_plane_state *state = drm_atomic_get_new_plane_state(all, plane);
	struct vivgpu_kms *kms = vivgpu_kms_of(plane->dev);
	struct drm_plane_state *now = plane->state;

	vivgpu_cursor_swap_images(vivgpu_cursor_to_state(now), vivgpu_cursor_to_state(state));
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
	vivgpu_cursor_fill_copy(vivgpu_cursor_to_state(now));
	vivgpu_stretch_rare(VIVGPU_STRETCH_CURSOR);
	spin_lock_irq(&plane->dev->event_lock);
	vivgpu_cursor_stage_regs(kms, now);
	vivgpu_cursor_commit(kms);
	spin_unlock_irq(&plane->dev->event_lock);
}

static const struct drm_plane_helper_funcs vivgpu_cursor_helper_funcs = {
	.prepare_fb = vivgpu_cursor_prepare_fb,
	.cleanup_fb = vivgpu_cursor_cleanup_fb,
	.atomic_check = vivgpu_cursor_atomic_check,
	.atomic_update = vivgpu_cursor_atomic_update,
	.atomic_disable = vivgpu_cursor_atomic_update,
	.atomic_async_check = vivgpu_cursor_atomic_async_check,
	.atomic_async_update = vivgpu_cursor_atomic_async_update,
};

/**
 * vivgpu_cursor_create - create the cursor plane
 * @kms: the display
 *
 * Return: the plane or an error pointer.
 */
struct drm_plane *vivgpu_cursor_create(struct vivgpu_kms *kms)
{
	static const u32 formats[] = { DRM_FORMAT_ARGB8888 };
	static const u64 modifiers[] = { DRM_FORMAT_MOD_LINEAR, DRM_FORMAT_MOD_INVALID };
	struct drm_plane *plane;
	int ret;

	drm_flip_work_init(&kms->old_cursors, "old cursors", vivgpu_cursor_put_image);
	drm_flip_work_init(&kms->unused_cursors, "unused cursors", vivgpu_cursor_put_image);
	plane = __drmm_universal_plane_alloc(&kms->vdev->drm, sizeof(*plane), 0, 1,
					     &vivgpu_cursor_plane_funcs, formats,
					     ARRAY_SIZE(formats), modifiers,
					     DRM_PLANE_TYPE_CURSOR, NULL);
	if (IS_ERR(plane))
		return plane;

	drm_plane_helper_add(plane, &vivgpu_cursor_helper_funcs);
	ret = drm_plane_create_blend_mode_property(plane, BIT(DRM_MODE_BLEND_PREMULTI));
	return ret ? ERR_PTR(ret) : plane;
}
