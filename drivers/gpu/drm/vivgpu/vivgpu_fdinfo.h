/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_FDINFO_H_
#define _VIVGPU_FDINFO_H_

struct file;
struct seq_file;
struct vivgpu_client;
struct vivgpu_device;
struct vivgpu_usage;

void vivgpu_fdinfo_usage(struct vivgpu_device *vdev, struct vivgpu_client *client,
			 struct vivgpu_usage *usage);
void vivgpu_fdinfo_show(struct seq_file *m, struct file *f);

#endif
