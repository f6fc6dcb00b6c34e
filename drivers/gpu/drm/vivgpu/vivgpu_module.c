// SPDX-License-Identifier: GPL-2.0-only
/* The module: the buses on which cores are found. */

#include <linux/module.h>

#include "vivgpu_compat.h"
#include "vivgpu_drv.h"

static int __init vivgpu_module_init(void)
{
	int ret = vivgpu_pci_register();

	if (ret)
		return ret;

	ret = vivgpu_of_register();
	if (ret)
		vivgpu_pci_unregister();
	return ret;
}
module_init(vivgpu_module_init);

static void __exit vivgpu_module_exit(void)
{
	vivgpu_of_unregister();
	vivgpu_pci_unregister();
}
module_exit(vivgpu_module_exit);

MODULE_DESCRIPTION("DRM driver for Vivante GC cores");
MODULE_IMPORT_NS("DMA_BUF");
MODULE_LICENSE("GPL");
