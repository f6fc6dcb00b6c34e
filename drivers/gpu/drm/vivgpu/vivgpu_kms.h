/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_KMS_H_
#define _VIVGPU_KMS_H_

#include <linux/bits.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/lockdep.h>
#include <linux/timer.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <drm/drm_connector.h>
#include <drm/drm_crtc.h>
#include <drm/drm_encoder.h>
#include <drm/drm_flip_work.h>
#include <drm/drm_plane.h>

#include "vivgpu_compat.h"
#include "vivgpu_device.h"

struct drm_atomic_commit;
struct drm_gem_object;
struct drm_pending_vblank_event;
struct vivgpu_device;

/**
 * struct vivgpu_cursor_regs - values for the cursor's registers
 */
struct vivgpu_cursor_regs {
	/** @image: the cursor's image, NULL if there is no cursor */
	struct drm_gem_object *image;
	/** @address: bus address of the first pixel */
	u32 address;
	/** @location: position on the screen */
	u32 location;
	/** @config: format, size and offsets, without the commit bits */
	u32 config;
};

/**
 * struct vivgpu_kms - the display: one CRTC, encoder and connector, two planes
 */
struct vivgpu_kms {
	/** @vdev: the device */
	struct vivgpu_device *vdev;
	/** @regs: registers of the display block */
	void __iomem *regs;
	/** @crtc: output 0 */
	struct drm_crtc crtc;
	/** @primary: its framebuffer */
	struct drm_plane *primary;
	/** @cursor: its cursor */
	struct drm_plane *cursor;
	/** @encoder: connects CRTC and connector, without hardware of its own */
	struct drm_encoder encoder;
	/** @connector: the monitor */
	struct drm_connector connector;
	/** @monitor: last value of vivgpu_board_monitor(); under mode_config.mutex */
	u32 monitor;
	/** @watchdog: handles lost vblank interrupts while these are enabled */
	struct timer_list watchdog;
	/** @dead_work: work that turns vblank events off when the display does not answer */
	struct work_struct dead_work;

	/** @old_cursors: images that may still be shown */
	struct drm_flip_work old_cursors;
	/** @unused_cursors: images that never were shown */
	struct drm_flip_work unused_cursors;

	/**
	 * @staged: VIVGPU_COMMIT_*: registers that the next atomic_flush commits; under DRM's
	 * event_lock, as all below up to @recorded_frame, because the commit tail of a flip and an
	 * asynchronous commit of the cursor run at the same time
	 */
	u32 staged;
	/** @fb_config: value of DC_FB_CONFIG_EX without its commit bit; likewise */
	u32 fb_config;
	/** @cursor_regs: values of the cursor to be written; likewise */
	struct vivgpu_cursor_regs cursor_regs;
	/** @cursor_committed: values of the last commit, with a reference on the image; likewise */
	struct vivgpu_cursor_regs cursor_committed;
	/** @cursor_frame: frame count when the committed image replaced another; likewise */
	u32 cursor_frame;
	/** @committing: VIVGPU_COMMIT_* whose commit bits are set; likewise */
	u32 committing;
	/** @event: event of a flip that is not on the screen yet; likewise */
	struct drm_pending_vblank_event *event;
	/** @fb_id: id of that flip's framebuffer; likewise */
	u32 fb_id;
	/** @retiring: @old_cursors is not empty; likewise */
	bool retiring;
	/** @crc: user space wants checksums; likewise */
	bool crc;
	/** @crc_frame: number of the last checksum; likewise */
	u64 crc_frame;
	/** @recorded_frame: number of the last VBLANK record; likewise */
	u64 recorded_frame;
	/** @frame: last frame count that was read; a single word, accessed without a lock */
	u32 frame;
	/** @irq_on: vblank interrupts are enabled; under DRM's vbl_lock, read without it */
	bool irq_on;
	/** @running: the CRTC is on; under its lock, read without it */
	bool running;
	/** @dead: the display does not answer; never cleared */
	bool dead;
};

/* Bits of vivgpu_kms.staged and .committing: registers that are committed together */
#define VIVGPU_COMMIT_PRIMARY	BIT(0)
#define VIVGPU_COMMIT_CURSOR	BIT(1)
#define VIVGPU_COMMIT_PANEL	BIT(2)

static inline u32 vivgpu_dc_read(struct vivgpu_kms *kms, u32 offset)
{
	return readl(kms->regs + offset);
}

static inline void vivgpu_dc_write(struct vivgpu_kms *kms, u32 offset, u32 value)
{
	writel(value, kms->regs + offset);
}

static inline struct vivgpu_kms *vivgpu_kms_of(struct drm_device *drm)
{
	return to_vivgpu(drm)->kms;
}

/* Let the next atomic_flush commit these registers. */
static inline void vivgpu_kms_stage(struct vivgpu_kms *kms, u32 which)
{
	lockdep_assert_held(&kms->vdev->drm.event_lock);
	kms->staged |= which;
}

int vivgpu_plane_check_position(struct drm_plane_state *state, struct drm_atomic_commit *all);
struct drm_plane *vivgpu_primary_create(struct vivgpu_kms *kms);
struct drm_plane *vivgpu_cursor_create(struct vivgpu_kms *kms);
void vivgpu_cursor_commit(struct vivgpu_kms *kms);
void vivgpu_cursor_clear(struct vivgpu_kms *kms);
void vivgpu_cursor_loaded(struct vivgpu_kms *kms);
void vivgpu_cursor_fini(struct vivgpu_kms *kms);
int vivgpu_crtc_init(struct vivgpu_kms *kms);
irqreturn_t vivgpu_crtc_interrupt(int irq, void *data);
void vivgpu_crtc_fini(struct vivgpu_kms *kms);

#ifdef CONFIG_DRM_VIVGPU_KMS
int vivgpu_kms_init(struct vivgpu_device *vdev);
void vivgpu_kms_register(struct vivgpu_device *vdev);
void vivgpu_kms_fini(struct vivgpu_device *vdev);
int vivgpu_kms_suspend(struct vivgpu_device *vdev);
int vivgpu_kms_resume(struct vivgpu_device *vdev);
u64 vivgpu_kms_next_vblank(struct vivgpu_device *vdev);
u64 vivgpu_kms_vblank_period(struct vivgpu_device *vdev);
#else
static inline int vivgpu_kms_init(struct vivgpu_device *vdev)
{
	return 0;
}

static inline void vivgpu_kms_register(struct vivgpu_device *vdev)
{
}

static inline void vivgpu_kms_fini(struct vivgpu_device *vdev)
{
}

static inline int vivgpu_kms_suspend(struct vivgpu_device *vdev)
{
	return 0;
}

static inline int vivgpu_kms_resume(struct vivgpu_device *vdev)
{
	return 0;
}

static inline u64 vivgpu_kms_next_vblank(struct vivgpu_device *vdev)
{
	return 0;
}

static inline u64 vivgpu_kms_vblank_period(struct vivgpu_device *vdev)
{
	return 0;
}
#endif

/* Bit of the value of vivgpu_board_monitor() */
#define VIVGPU_BOARD_MONITOR_PLUGGED	BIT(0)

void vivgpu_board_set_pixel_clock(struct vivgpu_device *vdev, u32 hz);
int vivgpu_board_read_edid(void *data, u8 *to, unsigned int block, size_t size);
u32 vivgpu_board_monitor(struct vivgpu_device *vdev);
u32 vivgpu_board_frame(struct vivgpu_device *vdev);
void vivgpu_board_crc_enable(struct vivgpu_device *vdev, bool on);
bool vivgpu_board_crc(struct vivgpu_device *vdev, u32 frame, u32 *crc);

#endif
