// SPDX-License-Identifier: MIT
/*
 * Configuration space. Register names and bits come from the kernel's
 * <linux/pci_regs.h>, which cites PCI Local Bus 3.0 and PCI PM 1.2.
 */
#include "bus/pci_config.h"

#include <linux/pci_regs.h>
#include <string.h>

#include "board/board.h"
#include "bus/msix.h"

#define REVISION 0x01
/* Own subsystem ID, to distinguish this card from others with the same unassigned numbers. */
#define SUBSYSTEM_ID 0x0001

#define PIN_INTA 1u

#define POWER_D0 0u
#define POWER_D3HOT 3u

static uint64_t get(const uint8_t *bytes, unsigned int size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size); /* little-endian, as checked in vring.c */
	return value;
}

static void put(uint8_t *bytes, unsigned int size, uint64_t value)
{
	memcpy(bytes, &value, size);
}

/* Let the bytes [@from, @to) be read-only zeros. */
static void clear(struct pci_config *config, unsigned int from, unsigned int to)
{
	memset(config->value + from, 0, to - from);
	memset(config->writable + from, 0, to - from);
}

static void init_header(struct pci_config *config)
{
	put(config->value + PCI_VENDOR_ID, 2, BOARD_PCI_VENDOR);
	put(config->value + PCI_DEVICE_ID, 2, BOARD_PCI_DEVICE);
	put(config->writable + PCI_COMMAND, 2,
	    PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_INTX_DISABLE);
	put(config->value + PCI_STATUS, 2, PCI_STATUS_CAP_LIST);
	put(config->value + PCI_CLASS_REVISION, 4, (uint64_t)BOARD_PCI_CLASS << 8 | REVISION);
	config->writable[PCI_CACHE_LINE_SIZE] = 0xff;
	config->writable[PCI_LATENCY_TIMER] = 0xff;
	put(config->writable + PCI_BASE_ADDRESS_0, 4, ~(uint64_t)(BOARD_BAR0_BYTES - 1));
	put(config->value + PCI_SUBSYSTEM_VENDOR_ID, 2, BOARD_PCI_VENDOR);
	put(config->value + PCI_SUBSYSTEM_ID, 2, SUBSYSTEM_ID);
	config->value[PCI_CAPABILITY_LIST] = PCI_CAP_PM;
	config->writable[PCI_INTERRUPT_LINE] = 0xff;
}

static void init_capability(struct pci_config *config, unsigned int at, uint8_t id, uint8_t next)
{
	config->value[at] = id;
	config->value[at + PCI_CAP_LIST_NEXT] = next;
}

void pci_config_init(struct pci_config *config)
{
	memset(config, 0, sizeof(*config));
	init_header(config);

	init_capability(config, PCI_CAP_PM, PCI_CAP_ID_PM, PCI_CAP_MSI);
	config->value[PCI_CAP_PM + PCI_PM_PMC] = 3; /* version 1.2; neither D1, D2 nor PME */
	config->value[PCI_CAP_PM + PCI_PM_CTRL] = PCI_PM_CTRL_NO_SOFT_RESET;

	init_capability(config, PCI_CAP_MSI, PCI_CAP_ID_MSI, PCI_CAP_WINDOW);
	put(config->value + PCI_CAP_MSI + PCI_MSI_FLAGS, 2, PCI_MSI_FLAGS_64BIT);
	put(config->writable + PCI_CAP_MSI + PCI_MSI_FLAGS, 2, PCI_MSI_FLAGS_ENABLE);
	put(config->writable + PCI_CAP_MSI + PCI_MSI_ADDRESS_LO, 4, 0xfffffffc);
	put(config->writable + PCI_CAP_MSI + PCI_MSI_ADDRESS_HI, 4, 0xffffffff);
	put(config->writable + PCI_CAP_MSI + PCI_MSI_DATA_64, 2, 0xffff);

	init_capability(config, PCI_CAP_WINDOW, PCI_CAP_ID_VNDR, PCI_CAP_MSIX);
	config->value[PCI_CAP_WINDOW + PCI_CAP_FLAGS] = PCI_WINDOW_BYTES;
	put(config->writable + PCI_WINDOW_OFFSET, 4, BOARD_BAR0_BYTES - 4);
	/* a dump of configuration space reads the board's magic, which has no side effects */
	put(config->value + PCI_WINDOW_OFFSET, 4, BOARD_REGS_BASE + BOARD_MAGIC);

	init_capability(config, PCI_CAP_MSIX, PCI_CAP_ID_MSIX, 0);
	put(config->value + PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2, MSIX_VECTORS - 1);
	put(config->writable + PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2,
	    PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	put(config->value + PCI_CAP_MSIX + PCI_MSIX_TABLE, 4, MSIX_TABLE_OFFSET);
	put(config->value + PCI_CAP_MSIX + PCI_MSIX_PBA, 4, MSIX_PENDING_OFFSET);
}

void pci_config_add_pin(struct pci_config *config)
{
	config->value[PCI_INTERRUPT_PIN] = PIN_INTA;
}

/* The window to BAR0 is then the last capability. */
void pci_config_be_platform(struct pci_config *config)
{
	put(config->value + PCI_DEVICE_ID, 2, BOARD_PCI_DEVICE_PLATFORM);
	put(config->value + PCI_CLASS_REVISION, 4,
	    (uint64_t)BOARD_PCI_CLASS_PLATFORM << 8 | REVISION);
	config->value[PCI_CAP_PM + PCI_CAP_LIST_NEXT] = PCI_CAP_WINDOW;
	config->value[PCI_CAP_WINDOW + PCI_CAP_LIST_NEXT] = 0;
	clear(config, PCI_CAP_MSI, PCI_CAP_WINDOW);
	clear(config, PCI_CAP_MSIX, PCI_CAP_MSIX + PCI_CAP_MSIX_SIZEOF);
	pci_config_add_pin(config);
}

uint64_t pci_config_read(const struct pci_config *config, uint64_t offset, unsigned int size)
{
	if (offset > PCI_CONFIG_BYTES - size)
		return UINT64_MAX;
	return get(config->value + offset, size);
}

/*
 * D1 and D2 are not implemented (optional in PCI PM 1.2); writing them does not change the state.
 * So the state has no bits in pci_config.writable, and pci_config_write() leaves it to this.
 */
static void write_power_state(struct pci_config *config, uint8_t value)
{
	uint8_t *ctrl = &config->value[PCI_CAP_PM + PCI_PM_CTRL];
	unsigned int state = value & PCI_PM_CTRL_STATE_MASK;

	if (state == POWER_D0 || state == POWER_D3HOT)
		*ctrl = (*ctrl & ~PCI_PM_CTRL_STATE_MASK) | state;
}

void pci_config_write(struct pci_config *config, uint64_t offset, unsigned int size, uint64_t value)
{
	uint8_t bytes[8];

	if (offset > PCI_CONFIG_BYTES - size)
		return;
	put(bytes, sizeof(bytes), value);
	for (unsigned int i = 0; i < size; i++) {
		uint8_t mask = config->writable[offset + i];

		if (offset + i == PCI_CAP_PM + PCI_PM_CTRL)
			write_power_state(config, bytes[i]);
		config->value[offset + i] = (config->value[offset + i] & ~mask) | (bytes[i] & mask);
	}
}

bool pci_config_window(const struct pci_config *config, uint64_t offset, unsigned int size,
		       uint32_t *bar_offset)
{
	if (offset != PCI_WINDOW_DATA || size != 4)
		return false;
	*bar_offset = get(config->value + PCI_WINDOW_OFFSET, 4);
	return true;
}

bool pci_config_awake(const struct pci_config *config)
{
	return (config->value[PCI_CAP_PM + PCI_PM_CTRL] & PCI_PM_CTRL_STATE_MASK) == POWER_D0;
}

bool pci_config_decodes_memory(const struct pci_config *config)
{
	return config->value[PCI_COMMAND] & PCI_COMMAND_MEMORY && pci_config_awake(config);
}

static bool is_master(const struct pci_config *config)
{
	return config->value[PCI_COMMAND] & PCI_COMMAND_MASTER;
}

bool pci_config_msi_enabled(const struct pci_config *config)
{
	return config->value[PCI_CAP_MSI + PCI_MSI_FLAGS] & PCI_MSI_FLAGS_ENABLE;
}

bool pci_config_intx_enabled(const struct pci_config *config)
{
	return config->value[PCI_INTERRUPT_PIN] &&
	       !(get(config->value + PCI_COMMAND, 2) & PCI_COMMAND_INTX_DISABLE) &&
	       !pci_config_msi_enabled(config) && !pci_config_msix_enabled(config);
}

void pci_config_set_intx_status(struct pci_config *config, bool active)
{
	config->value[PCI_STATUS] &= ~PCI_STATUS_INTERRUPT;
	if (active)
		config->value[PCI_STATUS] |= PCI_STATUS_INTERRUPT;
}

bool pci_config_msi(const struct pci_config *config, struct pci_msi_message *message)
{
	const uint8_t *msi = config->value + PCI_CAP_MSI;

	if (!pci_config_msi_enabled(config) || !is_master(config))
		return false;
	message->address = get(msi + PCI_MSI_ADDRESS_LO, 8);
	message->data = get(msi + PCI_MSI_DATA_64, 2);
	message->bytes = sizeof(uint16_t);
	return true;
}

static unsigned int msix_flags(const struct pci_config *config)
{
	return get(config->value + PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2);
}

bool pci_config_msix_enabled(const struct pci_config *config)
{
	return msix_flags(config) & PCI_MSIX_FLAGS_ENABLE;
}

bool pci_config_msix_sends(const struct pci_config *config)
{
	return pci_config_msix_enabled(config) && !(msix_flags(config) & PCI_MSIX_FLAGS_MASKALL) &&
	       is_master(config);
}
