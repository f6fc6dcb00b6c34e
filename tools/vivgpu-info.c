// SPDX-License-Identifier: MIT
/*
 * vivgpu-info: lists virtual cards on the PCI bus, and Vivante cores behind DRM drivers with model,
 * revision and features by name; with our driver also with clock and limits. A core's values are
 * its driver's parameters, of etnaviv those of pipe 0 (3D) only; registers are not read. Lines are
 * "key: value"; those of a card or of a node follow the line with its address or path.
 */

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <pciaccess.h>
#include <vivgpu_drm.h>
#include <xf86drm.h>

#include "command_line.h"
#include "feature_names.h"
#include "render_node.h"

/* The virtual card's numbers on the PCI bus (card/board/board.h) */
#define CARD_VENDOR 0x9234
#define CARD_DEVICE 0x5647
#define FEATURE_WORDS 7
#define SPECS_WORDS 4
#define FEATURES_A_LINE 5

/* A driver's parameters for the identity of a core; @features: that of the first feature word */
struct driver {
	const char *name;
	int (*get)(int fd, uint32_t param, uint64_t *value);
	uint32_t model, revision, product, customer, eco, features;
};

static int get_vivgpu(int fd, uint32_t param, uint64_t *value)
{
	struct drm_vivgpu_get_param args = { .param = param };
	int ret = drmIoctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &args);

	*value = args.value;
	return ret;
}

static int get_etnaviv(int fd, uint32_t param, uint64_t *value)
{
	struct drm_etnaviv_param args = { .param = param };
	int ret = drmIoctl(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &args);

	*value = args.value;
	return ret;
}

static const struct driver drivers[] = {
	{ "vivgpu", get_vivgpu, DRM_VIVGPU_PARAM_MODEL, DRM_VIVGPU_PARAM_REVISION,
	  DRM_VIVGPU_PARAM_PRODUCT_ID, DRM_VIVGPU_PARAM_CUSTOMER_ID, DRM_VIVGPU_PARAM_ECO_ID,
	  DRM_VIVGPU_PARAM_FEATURES_0 },
	{ "etnaviv", get_etnaviv, ETNAVIV_PARAM_GPU_MODEL, ETNAVIV_PARAM_GPU_REVISION,
	  ETNAVIV_PARAM_GPU_PRODUCT_ID, ETNAVIV_PARAM_GPU_CUSTOMER_ID, ETNAVIV_PARAM_GPU_ECO_ID,
	  ETNAVIV_PARAM_GPU_FEATURES_0 },
};

/* Parameters that only vivgpu has, one number each; @unit: "" if the name says what is counted */
static const struct {
	uint32_t param;
	const char *name, *unit;
} limits[] = {
	{ DRM_VIVGPU_PARAM_CORE_CLOCK, "core clock", "Hz" },
	{ DRM_VIVGPU_PARAM_CYCLE_BITS, "cycle counter", "bits" },
	{ DRM_VIVGPU_PARAM_TIME_QUANTUM, "time stamps' step", "ns" },
	{ DRM_VIVGPU_PARAM_TIME_UNCERTAINTY, "time stamps' uncertainty", "ns" },
	{ DRM_VIVGPU_PARAM_MAX_STREAM, "longest stream", "bytes" },
	{ DRM_VIVGPU_PARAM_MAX_POINTS, "timestamp points in a submit", "" },
	{ DRM_VIVGPU_PARAM_MAX_COUNTERS, "counters in a submit", "" },
	{ DRM_VIVGPU_PARAM_STREAM_RECORDS, "records a stream holds", "" },
	{ DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS, "records a stream can hold", "" },
	{ DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL, "jobs per exact count, at least", "" },
};

/* ---- cards on the PCI bus ---- */

/* The last part of where a link points, in @target; "none" if there is no link. */
static const char *link_name(const char *path, char target[PATH_MAX])
{
	ssize_t length = readlink(path, target, PATH_MAX - 1);
	const char *last;

	if (length < 0)
		return "none";
	target[length] = '\0';
	last = strrchr(target, '/');
	return last ? last + 1 : target;
}

/* @card: after pci_device_probe(), which reads the regions; the first one has the registers */
static void print_card(const struct pci_device *card)
{
	char address[32], path[96], target[PATH_MAX];

	snprintf(address, sizeof(address), "%04x:%02x:%02x.%u", card->domain, card->bus, card->dev,
		 card->func);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/driver", address);
	printf("card: %s\n", address);
	printf("  id: %04x:%04x, virtual\n", card->vendor_id, card->device_id);
	printf("  class: %06x, revision %02x\n", card->device_class, card->revision);
	printf("  registers: %llu KiB\n", (unsigned long long)card->regions[0].size / 1024);
	printf("  driver: %s\n", link_name(path, target));
}

/* Returns how many there are. */
static unsigned int print_cards(void)
{
	const struct pci_id_match match = {
		CARD_VENDOR, CARD_DEVICE, PCI_MATCH_ANY, PCI_MATCH_ANY, 0, 0, 0
	};
	struct pci_device_iterator *iterator;
	struct pci_device *card;
	unsigned int count = 0;

	if (pci_system_init())
		return 0;
	iterator = pci_id_match_iterator_create(&match);
	while ((card = pci_device_next(iterator))) {
		pci_device_probe(card);
		print_card(card);
		count++;
	}
	pci_iterator_destroy(iterator);
	pci_system_cleanup();
	return count;
}

/* ---- cores behind DRM drivers ---- */

/* Four hexadecimal digits: 0x5450 is release 5.4.5.0. */
static void print_revision(uint64_t revision)
{
	printf("  revision: %llx.%llx.%llx.%llx (0x%04llx)\n",
	       (unsigned long long)revision >> 12 & 0xf, (unsigned long long)revision >> 8 & 0xf,
	       (unsigned long long)revision >> 4 & 0xf, (unsigned long long)revision & 0xf,
	       (unsigned long long)revision);
}

static void print_word(const struct driver *driver, int fd, const char *name, uint32_t param)
{
	uint64_t value;

	if (!driver->get(fd, param, &value))
		printf("  %s: 0x%llx\n", name, (unsigned long long)value);
}

static void print_features(const uint64_t words[FEATURE_WORDS])
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < sizeof(feature_names) / sizeof(feature_names[0]); i++) {
		if (!(words[feature_names[i].word] & feature_names[i].bit))
			continue;
		if (count % FEATURES_A_LINE == 0)
			printf(count ? "\n  feature:" : "  feature:");
		printf(" %s", feature_names[i].name);
		count++;
	}
	printf(count ? "\n" : "  feature: none\n");
}

/* Parameters that the driver does not have are left out; feature words without one are 0. */
static void print_core(const struct driver *driver, int fd)
{
	uint64_t words[FEATURE_WORDS] = { 0 }, value;

	if (!driver->get(fd, driver->model, &value))
		printf("  model: GC%llx\n", (unsigned long long)value);
	if (!driver->get(fd, driver->revision, &value))
		print_revision(value);
	print_word(driver, fd, "product", driver->product);
	print_word(driver, fd, "customer", driver->customer);
	print_word(driver, fd, "change order", driver->eco);
	for (unsigned int i = 0; i < FEATURE_WORDS; i++)
		driver->get(fd, driver->features + i, &words[i]);
	printf("  feature words:");
	for (unsigned int i = 0; i < FEATURE_WORDS; i++)
		printf(" %08llx", (unsigned long long)words[i]);
	printf("\n");
	print_features(words);
}

/* Print the parameters that only vivgpu has: the specification words, as read, and @limits. */
static void print_limits(int fd)
{
	uint64_t value;

	printf("  specification words:");
	for (unsigned int i = 0; i < SPECS_WORDS; i++)
		if (!get_vivgpu(fd, DRM_VIVGPU_PARAM_SPECS_0 + i, &value))
			printf(" %08llx", (unsigned long long)value);
	printf("\n");
	for (unsigned int i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (!get_vivgpu(fd, limits[i].param, &value))
			printf("  %s: %llu%s%s\n", limits[i].name, (unsigned long long)value,
			       *limits[i].unit ? " " : "", limits[i].unit);
}

static void print_node(const char *path, int fd, drmVersionPtr version)
{
	printf("node: %s\n", path);
	printf("  kernel driver: %s %d.%d.%d\n", version->name, version->version_major,
	       version->version_minor, version->version_patchlevel);
	for (unsigned int i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (strcmp(version->name, drivers[i].name) == 0)
			print_core(&drivers[i], fd);
	if (strcmp(version->name, "vivgpu") == 0)
		print_limits(fd);
}

/* Whether a node's driver is one of @drivers; @version: NULL if it does not tell */
static bool knows_cores(drmVersionPtr version)
{
	for (unsigned int i = 0; version && i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (strcmp(version->name, drivers[i].name) == 0)
			return true;
	return false;
}

/*
 * Print the nodes of known drivers, and those that cannot be opened, whose driver is not known.
 * Returns the number of the former.
 */
static unsigned int print_nodes(void)
{
	unsigned int count = 0;

	for (int i = FIRST_RENDER_NODE; i <= LAST_RENDER_NODE; i++) {
		drmVersionPtr version;
		char path[32];
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/renderD%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0) {
			if (errno != ENOENT)
				printf("node: %s\n  not opened: %s\n", path, strerror(errno));
			continue;
		}
		version = drmGetVersion(fd);
		if (knows_cores(version)) {
			print_node(path, fd, version);
			count++;
		}
		drmFreeVersion(version);
		close(fd);
	}
	return count;
}

static const struct command_line_option command_options[] = {
	{ 0 },
};

static const struct command_line command_line = {
	.tool = (char[]){ "vivgpu-info" },
	.usage = "[OPTION]",
	.purpose = "Show the Vivante cores that are there: cards on the PCI bus, and what the DRM\n"
		   "drivers of cores say.\n",
	.status = "  0 a core was found, 1 none, 2 for wrong arguments.\n",
	.options = command_options,
};

int main(int argc, char **argv)
{
	unsigned int found;

	/* It handles --help and --version itself; there are no other options to get from it. */
	command_line_next(&command_line, argc, argv);
	if (optind < argc)
		command_line_fail(&command_line, "no arguments are expected");
	found = print_cards();
	found += print_nodes();
	if (!found)
		fprintf(stderr, "vivgpu-info: no Vivante core found\n");
	return found ? 0 : 1;
}
