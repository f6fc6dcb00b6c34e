// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cores behind PCI: the virtual card, whose display and board registers
 * follow those of the core.
 */

#include <linux/dma-mapping.h>
#include <linux/pci.h>

#include "vivgpu_device.h"
#include "vivgpu_drv.h"

#define VIRTUAL_VENDOR		0x9234
#define VIRTUAL_DEVICE		0x5647
#define VIRTUAL_BAR		0

/* The display block and the board's registers, from the start of the BAR */
#define DISPLAY_BASE		0x10000
#define BOARD_BASE		0x20000
#define BOARD_MAGIC		0x20000
#define BOARD_MAGIC_VALUE	0x47565630
#define BOARD_CORE_CLOCK	0x20010
#define BOARD_DOORBELL		0x20014
#define BOARD_FEATURES		0x20018
#define BOARD_FEATURE_DOORBELL	BIT(1)
#define BOARD_FEATURE_DISPLAY	BIT(2)
#define BOARD_END		0x20300

/* Read the registers of a virtual board, if the device is one: clock, doorbell, display. */
static void vivgpu_pci_read_board(struct pci_dev *pdev, struct vivgpu_device *vdev,
				  void __iomem *bar)
{
	u32 features;

	if (pci_resource_len(pdev, VIRTUAL_BAR) < BOARD_END ||
	    readl(bar + BOARD_MAGIC) != BOARD_MAGIC_VALUE)
		return;

	vdev->clock_hz = readl(bar + BOARD_CORE_CLOCK);
	vdev->board = bar + BOARD_BASE;
	features = readl(bar + BOARD_FEATURES);
	if (features & BOARD_FEATURE_DOORBELL)
		vdev->doorbell = bar + BOARD_DOORBELL;
	if (features & BOARD_FEATURE_DISPLAY)
		vdev->display = bar + DISPLAY_BASE;
}

/* With MSI-X, the core and the display have a vector each, otherwise they share an interrupt. */
static int vivgpu_pci_alloc_irqs(struct pci_dev *pdev, struct vivgpu_device *vdev)
{
	int nr = pci_alloc_irq_vectors(pdev, 2, 2, PCI_IRQ_MSIX);

	if (nr < 0)
		nr = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSI | PCI_IRQ_INTX);
	if (nr < 0)
		return nr;

	vdev->irq = pci_irq_vector(pdev, 0);
	vdev->display_irq = pci_irq_vector(pdev, nr - 1);
	return 0;
}

static int vivgpu_pci_map_core(struct pci_dev *pdev, struct vivgpu_device *vdev)
{
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;

	ret = pcim_iomap_regions(pdev, BIT(VIRTUAL_BAR), "vivgpu");
	if (ret)
		return ret;

	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(32));
	if (ret)
		return ret;

	dma_set_max_seg_size(&pdev->dev, UINT_MAX);
	pci_set_master(pdev);
	ret = vivgpu_pci_alloc_irqs(pdev, vdev);
	if (ret)
		return ret;

	vdev->regs = pcim_iomap_table(pdev)[VIRTUAL_BAR];
	vivgpu_pci_read_board(pdev, vdev, vdev->regs);
	return 0;
}

static int vivgpu_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct vivgpu_device *vdev;
	int ret;

	vdev = vivgpu_device_alloc(&pdev->dev);
	if (IS_ERR(vdev))
		return PTR_ERR(vdev);

	pci_set_drvdata(pdev, vdev);
	ret = vivgpu_pci_map_core(pdev, vdev);
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "no access to the core\n");

	ret = vivgpu_device_init(vdev);
	if (ret)
		pci_free_irq_vectors(pdev);
	return ret;
}

static void vivgpu_pci_remove(struct pci_dev *pdev)
{
	vivgpu_device_fini(pci_get_drvdata(pdev));
	pci_free_irq_vectors(pdev);
	pci_clear_master(pdev);
}

/*
 * Only the core sleeps: the function's other registers, of the board and the
 * display, have to stay accessible. pci_save_state() makes the PCI core leave the
 * function in D0.
 */
static int vivgpu_pci_runtime_suspend(struct device *dev)
{
	int ret = vivgpu_pm_runtime_suspend(dev);

	return ret ?: pci_save_state(to_pci_dev(dev));
}

static const struct dev_pm_ops vivgpu_pci_pm_ops = {
	RUNTIME_PM_OPS(vivgpu_pci_runtime_suspend, vivgpu_pm_runtime_resume, NULL)
	SYSTEM_SLEEP_PM_OPS(vivgpu_pm_suspend, vivgpu_pm_resume)
};

static const struct pci_device_id vivgpu_pci_ids[] = {
	{ PCI_DEVICE(VIRTUAL_VENDOR, VIRTUAL_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, vivgpu_pci_ids);

static struct pci_driver vivgpu_pci_driver = {
	.name = "vivgpu",
	.id_table = vivgpu_pci_ids,
	.probe = vivgpu_pci_probe,
	.remove = vivgpu_pci_remove,
	.driver = {
		.pm = pm_ptr(&vivgpu_pci_pm_ops),
	},
};

/**
 * vivgpu_pci_register - register the driver of cores behind PCI
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_pci_register(void)
{
	return pci_register_driver(&vivgpu_pci_driver);
}

/**
 * vivgpu_pci_unregister - unregister the driver of cores behind PCI
 */
void vivgpu_pci_unregister(void)
{
	pci_unregister_driver(&vivgpu_pci_driver);
}
