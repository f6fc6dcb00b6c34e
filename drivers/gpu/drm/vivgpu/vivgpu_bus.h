/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_BUS_H_
#define _VIVGPU_BUS_H_

int vivgpu_pci_register(void);
void vivgpu_pci_unregister(void);

#endif
