/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_BOARD_H_
#define _VIVGPU_BOARD_H_

#include <linux/bits.h>
#include <linux/types.h>

/* Bit of the value of vivgpu_board_monitor() */
#define VIVGPU_BOARD_MONITOR_PLUGGED	BIT(0)

struct vivgpu_device;

void vivgpu_board_set_pixel_clock(struct vivgpu_device *vdev, u32 hz);
int vivgpu_board_read_edid(void *data, u8 *to, unsigned int block, size_t size);
u32 vivgpu_board_monitor(struct vivgpu_device *vdev);
u32 vivgpu_board_frame(struct vivgpu_device *vdev);
void vivgpu_board_crc_enable(struct vivgpu_device *vdev, bool on);
bool vivgpu_board_crc(struct vivgpu_device *vdev, u32 frame, u32 *crc);

#endif
