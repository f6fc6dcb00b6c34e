// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of the virtual card's board around the display block: pixel clock, the
 * monitor's presence and EDID, frame count and checksums of frames.
 */

#include <linux/string.h>

#include <drm/drm_edid.h>

#include "vivgpu_device.h"
#include "vivgpu_kms.h"

/* From the board's first register */
#define BOARD_PIXEL_HZ		0x01c
#define BOARD_MONITOR		0x020
#define BOARD_EDID		0x100
#define BOARD_EDID_BYTES	0x100
#define BOARD_CRC_CONTROL	0x200
#define  BOARD_CRC_ENABLE	BIT(0)
#define BOARD_CRC		0x204
#define BOARD_CRC_FRAME		0x208
#define BOARD_FRAME_COUNT	0x20c

/**
 * vivgpu_board_set_pixel_clock - set the pixel clock
 * @vdev: the device, with a display
 * @hz: pixels per second; 0 stops it. It takes effect with the display's next timing.
 */
void vivgpu_board_set_pixel_clock(struct vivgpu_device *vdev, u32 hz)
{
	writel(hz, vdev->board + BOARD_PIXEL_HZ);
}

/**
 * vivgpu_board_read_edid - read a block of the monitor's EDID
 * @data: &struct vivgpu_device
 * @to: receives the bytes
 * @block: number of the block
 * @size: bytes, at most a block
 *
 * Return: 0 or -EINVAL.
 */
int vivgpu_board_read_edid(void *data, u8 *to, unsigned int block, size_t size)
{
	struct vivgpu_device *vdev = data;
	__le32 words[EDID_LENGTH / sizeof(u32)];
	size_t i;

	if (size > EDID_LENGTH || block >= BOARD_EDID_BYTES / EDID_LENGTH)
		return -EINVAL;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = cpu_to_le32(readl(vdev->board + BOARD_EDID + block * EDID_LENGTH +
					     i * sizeof(u32)));
	memcpy(to, words, size);
	return 0;
}

/**
 * vivgpu_board_monitor - read whether a monitor is plugged
 * @vdev: the device, with a display
 *
 * Return: VIVGPU_BOARD_MONITOR_PLUGGED if one is; the other bits differ after each change.
 */
u32 vivgpu_board_monitor(struct vivgpu_device *vdev)
{
	return readl(vdev->board + BOARD_MONITOR);
}

/**
 * vivgpu_board_frame - read the number of frames that the display has begun
 * @vdev: the device, with a display
 *
 * Return: number of frames modulo 2^32; each vertical sync pulse increments it.
 */
u32 vivgpu_board_frame(struct vivgpu_device *vdev)
{
	return readl(vdev->board + BOARD_FRAME_COUNT);
}

/**
 * vivgpu_board_crc_enable - turn the checksums of frames on or off
 * @vdev: the device, with a display
 * @on: true to turn them on
 */
void vivgpu_board_crc_enable(struct vivgpu_device *vdev, bool on)
{
	writel(on ? BOARD_CRC_ENABLE : 0, vdev->board + BOARD_CRC_CONTROL);
}

/**
 * vivgpu_board_crc - checksum of a frame
 * @vdev: the device, with a display
 * @frame: value of vivgpu_board_frame() when it was shown
 * @crc: CRC-32 of the picture, three bytes a pixel, as it left the display
 *
 * Return: true if the register holds the checksum of this frame. If a frame ends between the two
 * reads, @crc is that of the next one: the caller has to notice that.
 */
bool vivgpu_board_crc(struct vivgpu_device *vdev, u32 frame, u32 *crc)
{
	if (readl(vdev->board + BOARD_CRC_FRAME) != frame)
		return false;

	*crc = readl(vdev->board + BOARD_CRC);
	return true;
}
