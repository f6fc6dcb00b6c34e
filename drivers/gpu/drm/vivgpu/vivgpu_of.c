// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cores on a platform, described by a device tree with "vivante,gc": registers,
 * an interrupt, clocks, and what else a board has: a supply, a reset line.
 */

#include <linux/clk.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/mod_devicetable.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/regulator/consumer.h>
#include <linux/reset.h>
#include <linux/thermal.h>

#include "vivgpu_compat.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_pm.h"

/* In the order in which they are switched on */
enum { CLOCK_REG, CLOCK_BUS, CLOCK_CORE, CLOCK_SHADER, CLOCKS };

/**
 * struct platform - clocks, supply and reset of a core
 * @clocks: those the device tree has, others are NULL
 * @rates: their rates at full speed
 * @supply: or NULL
 * @reset: or NULL
 * @cooling: or NULL
 */
struct platform {
	struct clk_bulk_data clocks[CLOCKS];
	unsigned long rates[CLOCKS];
	struct regulator *supply;
	struct reset_control *reset;
	struct thermal_cooling_device *cooling;
};

static int vivgpu_of_power_on(struct vivgpu_device *vdev)
{
	struct platform *platform = vdev->bus_data;
	int ret;

	ret = platform->supply ? regulator_enable(platform->supply) : 0;
	if (ret)
		return ret;

	ret = clk_bulk_prepare_enable(CLOCKS, platform->clocks);
	if (ret)
		goto err_supply;

	/*
	 * The core needs 32 cycles of the slowest clock before the line is released and 128 before
	 * an access. As in etnaviv, 1 us is taken to be enough for each.
	 */
	usleep_range(1, 2);
	ret = reset_control_deassert(platform->reset);
	if (ret)
		goto err_clocks;

	usleep_range(1, 2);
	return 0;

err_clocks:
	clk_bulk_disable_unprepare(CLOCKS, platform->clocks);
err_supply:
	if (platform->supply)
		regulator_disable(platform->supply);
	return ret;
}

static void vivgpu_of_power_off(struct vivgpu_device *vdev)
{
	struct platform *platform = vdev->bus_data;

	reset_control_assert(platform->reset);
	clk_bulk_disable_unprepare(CLOCKS, platform->clocks);
	if (platform->supply)
		regulator_disable(platform->supply);
}

/* The clocks of core and shaders; those of the buses stay. */
static u32 vivgpu_of_set_scale(struct vivgpu_device *vdev, u32 scale)
{
	struct platform *platform = vdev->bus_data;
	int i;

	for (i = CLOCK_CORE; i <= CLOCK_SHADER; i++) {
		if (clk_set_rate(platform->clocks[i].clk, platform->rates[i] >> scale))
			dev_warn_ratelimited(vdev->drm.dev, "clock %s keeps its rate\n",
					     platform->clocks[i].id);
	}
	return clk_get_rate(platform->clocks[CLOCK_CORE].clk);
}

static const struct vivgpu_bus_ops vivgpu_of_bus_ops = {
	.power_on = vivgpu_of_power_on,
	.power_off = vivgpu_of_power_off,
	.set_scale = vivgpu_of_set_scale,
};

static int vivgpu_of_get_max_state(struct thermal_cooling_device *cooling, unsigned long *state)
{
	*state = VIVGPU_FREQ_MAX_SCALE;
	return 0;
}

static int vivgpu_of_get_cur_state(struct thermal_cooling_device *cooling, unsigned long *state)
{
	struct vivgpu_device *vdev = cooling->devdata;

	*state = READ_ONCE(vdev->freq.wanted);
	return 0;
}

static int vivgpu_of_set_cur_state(struct thermal_cooling_device *cooling, unsigned long state)
{
	return vivgpu_freq_set(cooling->devdata, min_t(unsigned long, state, U32_MAX));
}

static const struct thermal_cooling_device_ops vivgpu_of_cooling_ops = {
	.get_max_state = vivgpu_of_get_max_state,
	.get_cur_state = vivgpu_of_get_cur_state,
	.set_cur_state = vivgpu_of_set_cur_state,
};

/* A failure is only reported: the core works without a cooling device, and gets hotter. */
static void vivgpu_of_register_cooling(struct vivgpu_device *vdev)
{
	struct platform *platform = vdev->bus_data;
	struct device *dev = vdev->drm.dev;
	struct thermal_cooling_device *cooling;

	if (!IS_ENABLED(CONFIG_THERMAL))
		return;

	cooling = thermal_of_cooling_device_register(dev->of_node, 0, dev_name(dev), vdev,
						     &vivgpu_of_cooling_ops);
	if (IS_ERR(cooling))
		dev_warn(dev, "no cooling device: %pe\n", cooling);
	else
		platform->cooling = cooling;
}

static void vivgpu_of_unregister_cooling(struct vivgpu_device *vdev)
{
	struct platform *platform = vdev->bus_data;

	if (platform->cooling)
		thermal_cooling_device_unregister(platform->cooling);
}

/* All of it is optional but the clock of the core. */
static int vivgpu_of_get_power(struct device *dev, struct platform *platform)
{
	static const char * const names[CLOCKS] = {
		[CLOCK_REG] = "reg",
		[CLOCK_BUS] = "bus",
		[CLOCK_CORE] = "core",
		[CLOCK_SHADER] = "shader",
	};
	int i, ret;

	for (i = 0; i < CLOCKS; i++)
		platform->clocks[i].id = names[i];
	ret = devm_clk_bulk_get_optional(dev, CLOCKS, platform->clocks);
	if (ret)
		return ret;
	if (!platform->clocks[CLOCK_CORE].clk)
		return -ENOENT;

	platform->supply = devm_regulator_get_optional(dev, "core");
	if (PTR_ERR_OR_ZERO(platform->supply) == -ENODEV)
		platform->supply = NULL;
	if (IS_ERR(platform->supply))
		return PTR_ERR(platform->supply);

	platform->reset = devm_reset_control_array_get_optional_exclusive(dev);
	return PTR_ERR_OR_ZERO(platform->reset);
}

static int vivgpu_of_map_core(struct platform_device *pdev, struct vivgpu_device *vdev)
{
	struct device *dev = &pdev->dev;
	struct platform *platform;
	int i, ret;

	platform = devm_kzalloc(dev, sizeof(*platform), GFP_KERNEL);
	if (!platform)
		return -ENOMEM;

	vdev->regs = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(vdev->regs))
		return PTR_ERR(vdev->regs);

	vdev->irq = platform_get_irq(pdev, 0);
	if (vdev->irq < 0)
		return vdev->irq;

	ret = vivgpu_of_get_power(dev, platform);
	if (ret)
		return ret;

	for (i = 0; i < CLOCKS; i++)
		platform->rates[i] = clk_get_rate(platform->clocks[i].clk);
	vdev->clock_hz = platform->rates[CLOCK_CORE];
	vdev->bus_data = platform;
	vdev->bus = &vivgpu_of_bus_ops;
	dma_set_max_seg_size(dev, UINT_MAX);
	return dma_set_mask_and_coherent(dev, DMA_BIT_MASK(32));
}

/* Powered and counted as in use; vivgpu_device_init() lets it sleep. */
static int vivgpu_of_power_up(struct vivgpu_device *vdev)
{
	struct device *dev = vdev->drm.dev;
	int ret;

	ret = vivgpu_of_power_on(vdev);
	if (ret)
		return ret;

	pm_runtime_set_active(dev);
	pm_runtime_get_noresume(dev);
	pm_runtime_enable(dev);
	return 0;
}

/*
 * Undo vivgpu_of_power_up(), whose reference is held: vivgpu_pm_fini() has taken it again. The core
 * may sleep or be awake.
 */
static void vivgpu_of_power_down(struct vivgpu_device *vdev)
{
	struct device *dev = vdev->drm.dev;

	pm_runtime_disable(dev);
	if (!pm_runtime_status_suspended(dev))
		vivgpu_of_power_off(vdev);
	pm_runtime_set_suspended(dev);
	pm_runtime_put_noidle(dev);
}

static int vivgpu_of_probe(struct platform_device *pdev)
{
	struct vivgpu_device *vdev;
	int ret;

	vdev = vivgpu_device_alloc(&pdev->dev);
	if (IS_ERR(vdev))
		return PTR_ERR(vdev);

	platform_set_drvdata(pdev, vdev);
	ret = vivgpu_of_map_core(pdev, vdev);
	ret = ret ?: vivgpu_of_power_up(vdev);
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "no access to the core\n");

	ret = vivgpu_device_init(vdev);
	if (ret)
		vivgpu_of_power_down(vdev);
	else
		vivgpu_of_register_cooling(vdev);
	return ret;
}

static void vivgpu_of_remove(struct platform_device *pdev)
{
	struct vivgpu_device *vdev = platform_get_drvdata(pdev);

	vivgpu_of_unregister_cooling(vdev);
	vivgpu_device_fini(vdev);
	vivgpu_of_power_down(vdev);
}

static const struct dev_pm_ops vivgpu_of_pm_ops = {
	RUNTIME_PM_OPS(vivgpu_pm_runtime_suspend, vivgpu_pm_runtime_resume, NULL)
	SYSTEM_SLEEP_PM_OPS(vivgpu_pm_suspend, vivgpu_pm_resume)
};

static const struct of_device_id vivgpu_of_ids[] = {
	{ .compatible = "vivante,gc" },
	{ }
};
MODULE_DEVICE_TABLE(of, vivgpu_of_ids);

static struct platform_driver vivgpu_of_driver = {
	.probe = vivgpu_of_probe,
	.remove = vivgpu_of_remove,
	.driver = {
		.name = "vivgpu",
		.pm = pm_ptr(&vivgpu_of_pm_ops),
		.of_match_table = vivgpu_of_ids,
	},
};

/**
 * vivgpu_of_register - register the driver of cores that a device tree describes
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_of_register(void)
{
	return platform_driver_register(&vivgpu_of_driver);
}

/**
 * vivgpu_of_unregister - unregister the driver of cores in device trees
 */
void vivgpu_of_unregister(void)
{
	platform_driver_unregister(&vivgpu_of_driver);
}
