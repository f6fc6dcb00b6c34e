/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_BUS_H_
#define _VIVGPU_BUS_H_

#ifdef CONFIG_PCI
int vivgpu_pci_register(void);
void vivgpu_pci_unregister(void);
#else
static inline int vivgpu_pci_register(void)
{
	return 0;
}

static inline void vivgpu_pci_unregister(void)
{
}
#endif

#ifdef CONFIG_OF
int vivgpu_of_register(void);
void vivgpu_of_unregister(void);
#else
static inline int vivgpu_of_register(void)
{
	return 0;
}

static inline void vivgpu_of_unregister(void)
{
}
#endif

#endif
