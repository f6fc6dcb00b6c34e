/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_INHERIT_H_
#define _VIVGPU_INHERIT_H_

struct vivgpu_job;

void vivgpu_inherit(struct vivgpu_job *job);

#endif
