// SPDX-License-Identifier: GPL-2.0-only
/*
 * The virtual card's GC core, as the platform devices that etnaviv expects.
 *
 * Mainline etnaviv drives cores that a device tree describes; it has no PCI
 * probe. This module binds the card's PCI function and hands its register
 * window and its interrupt on, so that the unmodified driver runs on the card:
 *
 *  - "etnaviv-gpu,2d", the core. The name is the first one in the driver's id
 *    table; the kind of core is read from its registers, not from the name.
 *  - "etnaviv", the DRM device, whose platform data names the components to wait
 *    for.
 *
 * The BAR is not requested: etnaviv requests the part it maps, as a child of
 * the BAR's resource, and would find it busy.
 */

#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>

#define SHIM_VENDOR		0x9234
#define SHIM_DEVICE		0x5647
#define SHIM_REGISTER_BAR	0
/* The core's registers lie at the BAR's start; display and board follow. */
#define SHIM_CORE_SIZE		0x10000

#define SHIM_CORE_NAME		"etnaviv-gpu,2d"
#define SHIM_DRM_NAME		"etnaviv"

/**
 * struct shim - what belongs to one bound card
 * @core: the GC core's platform device
 * @drm: the DRM device's platform device
 */
struct shim {
	struct platform_device *core;
	struct platform_device *drm;
};

/* etnaviv's platform data: names of its components, NULL at the end */
static const char * const shim_components[] = { SHIM_CORE_NAME, NULL };

static struct platform_device *shim_add_core(struct pci_dev *pdev)
{
	resource_size_t start = pci_resource_start(pdev, SHIM_REGISTER_BAR);
	const struct resource resources[] = {
		DEFINE_RES_MEM(start, SHIM_CORE_SIZE),
		DEFINE_RES_IRQ(pci_irq_vector(pdev, 0)),
	};
	const struct platform_device_info info = {
		.parent = &pdev->dev,
		.name = SHIM_CORE_NAME,
		.id = PLATFORM_DEVID_NONE,
		.res = resources,
		.num_res = ARRAY_SIZE(resources),
		.dma_mask = DMA_BIT_MASK(32),
	};

	return platform_device_register_full(&info);
}

static struct platform_device *shim_add_drm(struct pci_dev *pdev)
{
	const struct platform_device_info info = {
		.parent = &pdev->dev,
		.name = SHIM_DRM_NAME,
		.id = PLATFORM_DEVID_NONE,
		.data = shim_components,
		.size_data = sizeof(shim_components),
		.dma_mask = DMA_BIT_MASK(32),
	};

	return platform_device_register_full(&info);
}

static int shim_add_devices(struct pci_dev *pdev, struct shim *shim)
{
	shim->core = shim_add_core(pdev);
	if (IS_ERR(shim->core))
		return PTR_ERR(shim->core);

	shim->drm = shim_add_drm(pdev);
	if (IS_ERR(shim->drm)) {
		platform_device_unregister(shim->core);
		return PTR_ERR(shim->drm);
	}

	return 0;
}

static int shim_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct shim *shim;
	int ret;

	shim = devm_kzalloc(&pdev->dev, sizeof(*shim), GFP_KERNEL);
	if (!shim)
		return -ENOMEM;

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;

	if (pci_resource_len(pdev, SHIM_REGISTER_BAR) < SHIM_CORE_SIZE)
		return dev_err_probe(&pdev->dev, -ENODEV,
				     "register window too small\n");

	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(32));
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "no 32 bit DMA\n");

	pci_set_master(pdev);
	ret = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSI | PCI_IRQ_MSIX);
	if (ret < 0)
		return dev_err_probe(&pdev->dev, ret, "no MSI vector\n");

	ret = shim_add_devices(pdev, shim);
	if (ret) {
		pci_free_irq_vectors(pdev);
		return dev_err_probe(&pdev->dev, ret, "no platform device\n");
	}

	pci_set_drvdata(pdev, shim);
	return 0;
}

static void shim_remove(struct pci_dev *pdev)
{
	struct shim *shim = pci_get_drvdata(pdev);

	platform_device_unregister(shim->drm);
	platform_device_unregister(shim->core);
	pci_free_irq_vectors(pdev);
	pci_clear_master(pdev);
}

static const struct pci_device_id shim_ids[] = {
	{ PCI_DEVICE(SHIM_VENDOR, SHIM_DEVICE) },
	{ }
};

/*
 * No MODULE_DEVICE_TABLE: by default the card is bound to vivgpu. To use etnaviv, load this module
 * by name.
 */
static struct pci_driver shim_driver = {
	.name = "vivgpu-shim",
	.id_table = shim_ids,
	.probe = shim_probe,
	.remove = shim_remove,
};
module_pci_driver(shim_driver);

MODULE_DESCRIPTION("Platform devices for etnaviv on the virtual Vivante card");
MODULE_LICENSE("GPL");
