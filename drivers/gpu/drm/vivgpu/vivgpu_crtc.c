// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: CRTC: modes, vertical blanks and page flips
 *
 * At the start of each vertical sync pulse the display block loads the double
 * buffered registers whose commit bit is set, clears the bit, and raises an interrupt
 * (DC_IRQ_VSYNC). So a flip's event is sent by the first interrupt whose handler reads
 * the commit bits of that flip as zero: never before the flip is shown, even if the
 * interrupt is late. Frames may begin while a handler runs, so the bits are read before
 * DRM's count of frames is updated, which the event gets. Only those bits are read that
 * were set and not seen as zero since.
 *
 * The virtual board counts frames in a register (BOARD_FRAME_COUNT), which also counts
 * while interrupts are off. Vertical blank time stamps are computed from the scan-out
 * position (DC_CURRENT_LOCATION), so they do not include the interrupt's latency. As
 * everywhere in DRM they are the time of the first active pixel, which comes after the
 * sync pulse and the back porch.
 *
 * While interrupts are on, a watchdog timer runs every 250 ms. It handles a vertical
 * sync whose interrupt was lost; if the card has been removed, it completes the pending
 * flip and turns vertical blanking off, so that no process waits for ever.
 */

#include <linux/interrupt.h>
#include <linux/pm_runtime.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_color_mgmt.h>
#include <drm/drm_debugfs_crc.h>
#include <drm/drm_drv.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_print.h>
#include <drm/drm_vblank.h>

#include "vivgpu_compat.h"
#include "vivgpu_dc.h"
#include "vivgpu_dc_regs.h"
#include "vivgpu_kms.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"

/* Interval of the watchdog timer */
#define WATCHDOG_INTERVAL	(HZ / 4)

#define PANEL_ON	(DC_PANEL_CONFIG_DE_EN | DC_PANEL_CONFIG_DAT_EN | \
			 DC_PANEL_CONFIG_CLK_EN | DC_PANEL_CONFIG_RUNNING)

static struct vivgpu_kms *vivgpu_crtc_to_kms(struct drm_crtc *crtc)
{
	return container_of(crtc, struct vivgpu_kms, crtc);
}

/*
 * Return the last frame's number and store the time at which its vertical sync began.
 * DRM's time of the frame is that of its first pixel, which may be in the future.
 */
static u64 vivgpu_crtc_get_frame_and_sync(struct vivgpu_kms *kms, u64 *sync_ns)
{
	const struct drm_display_mode *mode = &drm_crtc_vblank_crtc(&kms->crtc)->hwmode;
	ktime_t time;
	u64 frame = drm_crtc_vblank_count_and_time(&kms->crtc, &time);

	*sync_ns = ktime_to_ns(time) - (mode->clock ? vivgpu_dc_sync_ns(mode) : 0);
	return frame;
}

/*
 * Write a FLIP record for the framebuffer of the last commit, also if it ends because the display
 * is switched off or does not answer; DRM's event_lock held.
 */
static void vivgpu_crtc_record_flip(struct vivgpu_kms *kms)
{
	struct drm_file *file = kms->event->base.file_priv;
	u64 sync_ns, frame = vivgpu_crtc_get_frame_and_sync(kms, &sync_ns);

	vivgpu_record_flip(kms->vdev, file ? file->client_id : 0, kms->crtc.index, kms->fb_id,
			   frame, sync_ns);
}

/* Send the flip's event and drop its vblank reference; DRM's event_lock held. */
static void vivgpu_crtc_send_event(struct vivgpu_kms *kms)
{
	if (!kms->event)
		return;

	vivgpu_crtc_record_flip(kms);
	drm_crtc_send_vblank_event(&kms->crtc, kms->event);
	drm_crtc_vblank_put(&kms->crtc);
	kms->event = NULL;
}

/* Remove a register from @committing if the block has loaded it; DRM's event_lock held. */
static void vivgpu_crtc_update_commit(struct vivgpu_kms *kms, u32 which, u32 offset, u32 bit)
{
	if (kms->committing & which && !(vivgpu_dc_read(kms, offset) & bit))
		kms->committing &= ~which;
}

/* Find out which of the committed registers the block has loaded. */
static void vivgpu_crtc_update_commits(struct vivgpu_kms *kms)
{
	struct drm_device *drm = &kms->vdev->drm;
	unsigned long flags;

	spin_lock_irqsave(&drm->event_lock, flags);
	vivgpu_crtc_update_commit(kms, VIVGPU_COMMIT_PRIMARY, DC_FB_CONFIG_EX,
				  DC_FB_CONFIG_EX_COMMIT);
	vivgpu_crtc_update_commit(kms, VIVGPU_COMMIT_CURSOR, DC_CURSOR_CONFIG,
				  DC_CURSOR_CONFIG_COMMIT);
	vivgpu_crtc_update_commit(kms, VIVGPU_COMMIT_PANEL, DC_PANEL_CONFIG_EX,
				  DC_PANEL_CONFIG_EX_COMMIT);
	spin_unlock_irqrestore(&drm->event_lock, flags);
}

/* Complete the commits that the block has loaded; DRM's event_lock held. */
static void vivgpu_crtc_complete_commits(struct vivgpu_kms *kms)
{
	if (!(kms->committing & VIVGPU_COMMIT_CURSOR))
		vivgpu_cursor_loaded(kms);
	if (!kms->committing)
		vivgpu_crtc_send_event(kms);
}

/*
 * Write a VBLANK record for the frame that begins; DRM's event_lock held. If it began while the
 * handler of the one before ran, its own interrupt finds the same number again.
 */
static void vivgpu_crtc_record_vblank(struct vivgpu_kms *kms)
{
	u64 sync_ns, frame = vivgpu_crtc_get_frame_and_sync(kms, &sync_ns);

	if (frame == kms->recorded_frame)
		return;

	kms->recorded_frame = frame;
	vivgpu_record_vblank(kms->vdev, kms->crtc.index, frame, sync_ns);
}

/*
 * Report the checksum of the frame that has just ended with the present number of vertical blanks,
 * as other drivers do: that of the next frame. If another frame begins meanwhile, nothing tells
 * which of the two numbers is right, and none is reported. DRM's event_lock held.
 */
static void vivgpu_crtc_report_crc(struct vivgpu_kms *kms)
{
	u64 frame;
	u32 crc;

	if (!kms->crc)
		return;

	frame = drm_crtc_accurate_vblank_count(&kms->crtc);
	if (frame == kms->crc_frame ||
	    !vivgpu_board_crc(kms->vdev, vivgpu_board_frame(kms->vdev) - 1, &crc) ||
	    drm_crtc_accurate_vblank_count(&kms->crtc) != frame)
		return;

	kms->crc_frame = frame;
	drm_crtc_add_crc_entry(&kms->crtc, true, frame, &crc);
}

/* Handle a vertical sync; returns false if DC_IRQ_ACK, which reading clears, reports none. */
static bool vivgpu_crtc_handle_vsync(struct vivgpu_kms *kms)
{
	struct drm_device *drm = &kms->vdev->drm;
	unsigned long flags;
	u32 status;

	status = vivgpu_dc_read(kms, DC_IRQ_ACK);
	if (status == U32_MAX || !(status & DC_IRQ_VSYNC))
		return false;

	vivgpu_crtc_update_commits(kms);
	drm_crtc_handle_vblank(&kms->crtc);
	spin_lock_irqsave(&drm->event_lock, flags);
	/*
	 * drm_crtc_vblank_off() on another CPU turns this off with the lock held, and then clears
	 * the mode that DRM's time stamps need.
	 */
	if (READ_ONCE(kms->irq_on)) {
		vivgpu_crtc_record_vblank(kms);
		vivgpu_crtc_complete_commits(kms);
		vivgpu_crtc_report_crc(kms);
	}
	spin_unlock_irqrestore(&drm->event_lock, flags);
	return true;
}

/**
 * vivgpu_crtc_interrupt - handle the display's interrupt, which may be shared with the core's
 * @irq: its number
 * @data: &struct vivgpu_kms
 *
 * Return: IRQ_HANDLED if it was the display's.
 */
irqreturn_t vivgpu_crtc_interrupt(int irq, void *data)
{
	struct vivgpu_kms *kms = data;

	return READ_ONCE(kms->irq_on) && vivgpu_crtc_handle_vsync(kms) ? IRQ_HANDLED : IRQ_NONE;
}

static bool vivgpu_crtc_is_unplugged(struct vivgpu_kms *kms)
{
	return vivgpu_dc_read(kms, DC_CHIP_MODEL) != DC_CHIP_MODEL_DC8200;
}

/* The display does not answer: complete the flip, and let a work turn vertical blanking off. */
static void vivgpu_crtc_declare_dead(struct vivgpu_kms *kms)
{
	struct drm_device *drm = &kms->vdev->drm;
	unsigned long flags;

	drm_err(drm, "the display does not answer\n");
	spin_lock_irqsave(&drm->event_lock, flags);
	WRITE_ONCE(kms->dead, true);
	vivgpu_cursor_loaded(kms);
	vivgpu_crtc_send_event(kms);
	spin_unlock_irqrestore(&drm->event_lock, flags);
	schedule_work(&kms->dead_work);
}

static void vivgpu_crtc_watchdog_expired(struct timer_list *timer)
{
	struct vivgpu_kms *kms = timer_container_of(kms, timer, watchdog);

	if (!READ_ONCE(kms->irq_on) || READ_ONCE(kms->dead))
		return;

	if (vivgpu_crtc_is_unplugged(kms))
		vivgpu_crtc_declare_dead(kms);
	else if (vivgpu_crtc_handle_vsync(kms))
		drm_dbg_vbl(&kms->vdev->drm, "vertical sync without an interrupt\n");
	if (!kms->dead)
		mod_timer(&kms->watchdog, jiffies + WATCHDOG_INTERVAL);
}

static void vivgpu_crtc_dead_work(struct work_struct *work)
{
	struct vivgpu_kms *kms = container_of(work, struct vivgpu_kms, dead_work);

	drm_modeset_lock(&kms->crtc.mutex, NULL);
	drm_crtc_vblank_off(&kms->crtc);
	drm_modeset_unlock(&kms->crtc.mutex);
}

static int vivgpu_crtc_enable_vblank(struct drm_crtc *crtc)
{
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);

	if (READ_ONCE(kms->dead))
		return -ENODEV;

	WRITE_ONCE(kms->irq_on, true);
	vivgpu_dc_write(kms, DC_IRQ_EN, DC_IRQ_VSYNC);
	mod_timer(&kms->watchdog, jiffies + WATCHDOG_INTERVAL);
	return 0;
}

static void vivgpu_crtc_disable_vblank(struct drm_crtc *crtc)
{
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);

	vivgpu_dc_write(kms, DC_IRQ_EN, 0);
	WRITE_ONCE(kms->irq_on, false);
	timer_delete(&kms->watchdog);
}

/* The frame count; the last one that was read if the card has been removed (reads as ones). */
static u32 vivgpu_crtc_get_vblank_counter(struct drm_crtc *crtc)
{
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);
	u32 frame = vivgpu_board_frame(kms->vdev);

	if (frame != U32_MAX)
		WRITE_ONCE(kms->frame, frame);
	return READ_ONCE(kms->frame);
}

static bool vivgpu_crtc_get_scanout_position(struct drm_crtc *crtc, bool in_vblank_irq, int *vpos,
					     int *hpos, ktime_t *stime, ktime_t *etime,
					     const struct drm_display_mode *mode)
{
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);
	u32 location;

	*stime = ktime_get();
	location = vivgpu_dc_read(kms, DC_CURRENT_LOCATION);
	*etime = ktime_get();
	if (location == U32_MAX)
		return false;

	vivgpu_dc_position(mode, location, vpos, hpos);
	return true;
}

/*
 * DRM also calls this before the CRTC is enabled, when the core may be suspended, and
 * after the display died, when vertical blanking is off but the CRTC is still enabled.
 */
static bool vivgpu_crtc_get_vblank_timestamp(struct drm_crtc *crtc, int *max_error, ktime_t *time,
					     bool in_vblank_irq)
{
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);

	return READ_ONCE(kms->running) && !READ_ONCE(kms->dead) &&
	       drm_crtc_vblank_helper_get_vblank_timestamp(crtc, max_error, time, in_vblank_irq);
}

static const char * const vivgpu_crtc_crc_sources[] = { "auto" };

static const char *const *vivgpu_crtc_get_crc_sources(struct drm_crtc *crtc, size_t *count)
{
	*count = ARRAY_SIZE(vivgpu_crtc_crc_sources);
	return vivgpu_crtc_crc_sources;
}

static int vivgpu_crtc_verify_crc_source(struct drm_crtc *crtc, const char *source, size_t *values)
{
	if (source && strcmp(source, vivgpu_crtc_crc_sources[0]))
		return -EINVAL;

	*values = 1;
	return 0;
}

/* Checksums are reported by the vblank interrupt, so they hold a vblank reference. */
static int vivgpu_crtc_set_crc_source(struct drm_crtc *crtc, const char *source)
{
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);
	struct drm_device *drm = crtc->dev;
	bool on = source, was;
	int ret, idx;

	ret = on ? drm_crtc_vblank_get(crtc) : 0;
	if (ret)
		return ret;

	spin_lock_irq(&drm->event_lock);
	was = kms->crc;
	kms->crc = on;
	spin_unlock_irq(&drm->event_lock);
	if (drm_dev_enter(drm, &idx)) {
		if (!pm_runtime_resume_and_get(drm->dev)) {
			vivgpu_board_crc_enable(kms->vdev, on);
			pm_runtime_put_autosuspend(drm->dev);
		}
		drm_dev_exit(idx);
	}
	if (was)
		drm_crtc_vblank_put(crtc);
	return 0;
}

static const struct drm_crtc_funcs vivgpu_crtc_funcs = {
	.set_config = drm_atomic_helper_set_config,
	.page_flip = drm_atomic_helper_page_flip,
	.reset = drm_atomic_helper_crtc_reset,
	.atomic_duplicate_state = drm_atomic_helper_crtc_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_crtc_destroy_state,
	.enable_vblank = vivgpu_crtc_enable_vblank,
	.disable_vblank = vivgpu_crtc_disable_vblank,
	.get_vblank_counter = vivgpu_crtc_get_vblank_counter,
	.get_vblank_timestamp = vivgpu_crtc_get_vblank_timestamp,
	.get_crc_sources = vivgpu_crtc_get_crc_sources,
	.verify_crc_source = vivgpu_crtc_verify_crc_source,
	.set_crc_source = vivgpu_crtc_set_crc_source,
};

static enum drm_mode_status vivgpu_crtc_mode_valid(struct drm_crtc *crtc,
						   const struct drm_display_mode *mode)
{
	return vivgpu_dc_mode_status(mode);
}

static int vivgpu_crtc_atomic_check(struct drm_crtc *crtc, struct drm_atomic_commit *all)
{
	struct drm_crtc_state *state = drm_atomic_get_new_crtc_state(all, crtc);

	if (state->gamma_lut && drm_color_lut_size(state->gamma_lut) != DC_GAMMA_SIZE)
		return -EINVAL;

	return 0;
}

/* vivgpu_crtc_atomic_check() has made sure that the table has DC_GAMMA_SIZE entries. */
static void vivgpu_crtc_write_gamma(struct vivgpu_kms *kms, const struct drm_property_blob *blob)
{
	const struct drm_color_lut *lut = blob->data;
	u32 i;

	vivgpu_dc_write(kms, DC_GAMMA_INDEX, 0);
	for (i = 0; i < DC_GAMMA_SIZE; i++) {
		u32 red = drm_color_lut_extract(lut[i].red, DC_GAMMA_BITS);
		u32 green = drm_color_lut_extract(lut[i].green, DC_GAMMA_BITS);
		u32 blue = drm_color_lut_extract(lut[i].blue, DC_GAMMA_BITS);

		vivgpu_dc_write(kms, DC_GAMMA_DATA, FIELD_PREP(DC_GAMMA_RED, red) |
				FIELD_PREP(DC_GAMMA_GREEN, green) |
				FIELD_PREP(DC_GAMMA_BLUE, blue));
	}
}

/* Write the gamma table, if the state has one, and the configuration of a running output. */
static void vivgpu_crtc_write_panel(struct vivgpu_kms *kms, const struct drm_crtc_state *state)
{
	if (state->gamma_lut)
		vivgpu_crtc_write_gamma(kms, state->gamma_lut);
	vivgpu_dc_write(kms, DC_PANEL_CONFIG,
			PANEL_ON | (state->gamma_lut ? DC_PANEL_CONFIG_GAMMA : 0));
}

static void vivgpu_crtc_atomic_enable(struct drm_crtc *crtc, struct drm_atomic_commit *all)
{
	struct drm_crtc_state *state = drm_atomic_get_new_crtc_state(all, crtc);
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);
	struct vivgpu_dc_timing timing;

	vivgpu_dc_timing(&state->adjusted_mode, &timing);
	vivgpu_board_set_pixel_clock(kms->vdev, timing.pixel_hz);
	vivgpu_dc_write(kms, DC_HSIZE, timing.hsize);
	vivgpu_dc_write(kms, DC_HSYNC, timing.hsync);
	vivgpu_dc_write(kms, DC_VSIZE, timing.vsize);
	vivgpu_dc_write(kms, DC_VSYNC, timing.vsync);
	vivgpu_crtc_write_panel(kms, state);
	vivgpu_dc_write(kms, DC_PANEL_START, BIT(0));
	vivgpu_dc_write(kms, DC_PANEL_CONFIG_EX, DC_PANEL_CONFIG_EX_COMMIT);
	WRITE_ONCE(kms->running, true);
	drm_crtc_vblank_on(crtc);
}

/*
 * Turn both planes off; while the output is off, commits take effect at once. DRM's event_lock
 * held.
 */
static void vivgpu_crtc_clear_planes(struct vivgpu_kms *kms)
{
	vivgpu_dc_write(kms, DC_FB_CONFIG_EX, DC_FB_CONFIG_EX_COMMIT);
	vivgpu_cursor_clear(kms);
	kms->staged = 0;
	kms->committing = 0;
	kms->fb_config = 0;
}

/* Also drops the runtime PM reference that vivgpu_kms_atomic_commit() took to turn the CRTC on. */
static void vivgpu_crtc_atomic_disable(struct drm_crtc *crtc, struct drm_atomic_commit *all)
{
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);
	struct drm_device *drm = crtc->dev;

	drm_crtc_vblank_off(crtc);
	WRITE_ONCE(kms->running, false);
	vivgpu_dc_write(kms, DC_PANEL_START, 0);
	vivgpu_dc_write(kms, DC_PANEL_CONFIG, 0);
	vivgpu_dc_write(kms, DC_PANEL_CONFIG_EX, DC_PANEL_CONFIG_EX_COMMIT);
	vivgpu_board_set_pixel_clock(kms->vdev, 0);

	spin_lock_irq(&drm->event_lock);
	vivgpu_crtc_clear_planes(kms);
	vivgpu_cursor_loaded(kms);
	vivgpu_crtc_send_event(kms);
	if (crtc->state->event && !crtc->state->active) {
		drm_crtc_send_vblank_event(crtc, crtc->state->event);
		crtc->state->event = NULL;
	}
	spin_unlock_irq(&drm->event_lock);
	pm_runtime_put_autosuspend(drm->dev);
}

/*
 * Set the commit bits of all registers written; DRM's event_lock held. The writes directly
 * follow each other, so that a vertical sync between them is unlikely.
 */
static void vivgpu_crtc_set_commit_bits(struct vivgpu_kms *kms)
{
	u32 staged = kms->staged;

	if (staged & VIVGPU_COMMIT_PRIMARY)
		vivgpu_dc_write(kms, DC_FB_CONFIG_EX, kms->fb_config | DC_FB_CONFIG_EX_COMMIT);
	if (staged & VIVGPU_COMMIT_CURSOR)
		vivgpu_cursor_commit(kms);
	if (staged & VIVGPU_COMMIT_PANEL)
		vivgpu_dc_write(kms, DC_PANEL_CONFIG_EX, DC_PANEL_CONFIG_EX_COMMIT);
	kms->committing |= staged;
	kms->staged = 0;
}

/*
 * The display's @event is NULL before: DRM calls this only after the event of the commit before was
 * sent, and for asynchronous commits of the cursor not at all.
 */
static void vivgpu_crtc_atomic_flush(struct drm_crtc *crtc, struct drm_atomic_commit *all)
{
	struct drm_crtc_state *state = drm_atomic_get_new_crtc_state(all, crtc);
	struct vivgpu_kms *kms = vivgpu_crtc_to_kms(crtc);
	bool panel = state->color_mgmt_changed && !drm_atomic_crtc_needs_modeset(state);

	if (panel)
		vivgpu_crtc_write_panel(kms, state);

	vivgpu_stretch_rare(VIVGPU_STRETCH_FLUSH); /* tests: delays what follows */
	spin_lock_irq(&crtc->dev->event_lock);
	if (panel)
		vivgpu_kms_stage(kms, VIVGPU_COMMIT_PANEL);
	vivgpu_crtc_set_commit_bits(kms);
	kms->fb_id = crtc->primary->state->fb ? crtc->primary->state->fb->base.id : 0;
	if (state->event && !kms->dead && !drm_crtc_vblank_get(crtc))
		kms->event = state->event;
	else if (state->event)
		drm_crtc_send_vblank_event(crtc, state->event);
	state->event = NULL;
	spin_unlock_irq(&crtc->dev->event_lock);
}

static const struct drm_crtc_helper_funcs vivgpu_crtc_helper_funcs = {
	.mode_valid = vivgpu_crtc_mode_valid,
	.atomic_check = vivgpu_crtc_atomic_check,
	.atomic_enable = vivgpu_crtc_atomic_enable,
	.atomic_disable = vivgpu_crtc_atomic_disable,
	.atomic_flush = vivgpu_crtc_atomic_flush,
	.get_scanout_position = vivgpu_crtc_get_scanout_position,
};

/**
 * vivgpu_crtc_init - create the CRTC
 * @kms: the display, with its planes created
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_crtc_init(struct vivgpu_kms *kms)
{
	struct drm_device *drm = &kms->vdev->drm;
	int ret;

	timer_setup(&kms->watchdog, vivgpu_crtc_watchdog_expired, 0);
	INIT_WORK(&kms->dead_work, vivgpu_crtc_dead_work);
	ret = drmm_crtc_init_with_planes(drm, &kms->crtc, kms->primary, kms->cursor,
					 &vivgpu_crtc_funcs, NULL);
	if (ret)
		return ret;

	drm_crtc_helper_add(&kms->crtc, &vivgpu_crtc_helper_funcs);
	ret = drm_mode_crtc_set_gamma_size(&kms->crtc, DC_GAMMA_SIZE);
	if (ret)
		return ret;

	drm_crtc_enable_color_mgmt(&kms->crtc, 0, false, DC_GAMMA_SIZE);
	drm->max_vblank_count = U32_MAX;
	drm->vblank_disable_immediate = true;
	return drm_vblank_init(drm, 1);
}

/**
 * vivgpu_crtc_fini - stop the watchdog and finish the works
 * @kms: the display, which is off; its interrupt is freed
 */
void vivgpu_crtc_fini(struct vivgpu_kms *kms)
{
	timer_shutdown_sync(&kms->watchdog);
	cancel_work_sync(&kms->dead_work);
	vivgpu_cursor_fini(kms);
}
