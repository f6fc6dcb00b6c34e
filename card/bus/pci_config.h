/* SPDX-License-Identifier: MIT */
/*
 * The card's PCI configuration space: a type 0 header with one memory BAR, and
 * the capabilities power management, MSI (one vector, 64-bit address) and a
 * vendor-specific window into BAR0, by which user space reaches the mailbox
 * where BARs cannot be mapped (User-Mode Linux). See Documentation/card/bus.rst.
 */
#ifndef CARD_BUS_PCI_CONFIG_H
#define CARD_BUS_PCI_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define PCI_CONFIG_BYTES 256u

/* Where the capabilities are. Offsets within them are the specifications'. */
#define PCI_CAP_PM 0x40u
#define PCI_CAP_MSI 0x48u
#define PCI_CAP_WINDOW 0x58u

#define PCI_WINDOW_OFFSET (PCI_CAP_WINDOW + 4) /* byte offset in BAR0, multiple of 4 */
#define PCI_WINDOW_DATA (PCI_CAP_WINDOW + 8)   /* the register there; 32-bit accesses only */
#define PCI_WINDOW_BYTES 12u

struct pci_config {
	uint8_t value[PCI_CONFIG_BYTES];
	uint8_t writable[PCI_CONFIG_BYTES]; /* bits that software may change */
};

struct pci_msi_message {
	uint64_t address;
	uint16_t data;
};

/** pci_config_init - as after power-on. */
void pci_config_init(struct pci_config *config);

/**
 * pci_config_read, pci_config_write - plain access to the registers
 * @offset: byte offset; beyond the space reads give all ones, writes nothing
 * @size: 1, 2, 4 or 8 bytes
 *
 * The window's data register is the caller's business: see pci_config_window().
 */
uint64_t pci_config_read(const struct pci_config *config, uint64_t offset, unsigned int size);
void pci_config_write(struct pci_config *config, uint64_t offset, unsigned int size,
		      uint64_t value);

/**
 * pci_config_window - whether an access is one to the window's data register
 * @bar_offset: gets the BAR0 offset it stands for
 */
bool pci_config_window(const struct pci_config *config, uint64_t offset, unsigned int size,
		       uint32_t *bar_offset);

/** pci_config_decodes_memory - memory decoding is on and the function is in D0. */
bool pci_config_decodes_memory(const struct pci_config *config);

/** pci_config_awake - the function is in D0. */
bool pci_config_awake(const struct pci_config *config);

/** pci_config_msi - the message to send; false while MSI or bus mastering is off. */
bool pci_config_msi(const struct pci_config *config, struct pci_msi_message *message);

#endif
