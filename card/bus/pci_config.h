/* SPDX-License-Identifier: MIT */
/*
 * The card's PCI configuration space: a type 0 header with one memory BAR, and the capabilities
 * power management, MSI (one vector, 64-bit address), MSI-X, and a vendor-specific window to BAR0,
 * with which user space accesses the mailbox where BARs cannot be mapped (User-Mode Linux). See
 * Documentation/card/bus.rst.
 */
#ifndef CARD_BUS_PCI_CONFIG_H
#define CARD_BUS_PCI_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define PCI_CONFIG_BYTES 256u

/* Offsets of the capabilities; offsets inside them are those of the specifications. */
#define PCI_CAP_PM 0x40u
#define PCI_CAP_MSI 0x48u
#define PCI_CAP_WINDOW 0x58u
#define PCI_CAP_MSIX 0x64u

#define PCI_WINDOW_OFFSET (PCI_CAP_WINDOW + 4) /* byte offset in BAR0, multiple of 4 */
#define PCI_WINDOW_DATA (PCI_CAP_WINDOW + 8)   /* the register there; 32-bit accesses only */
#define PCI_WINDOW_BYTES 12u

struct pci_config {
	uint8_t value[PCI_CONFIG_BYTES];
	uint8_t writable[PCI_CONFIG_BYTES]; /* bits that software can change */
};

/* A write to memory: 16 bits of data for MSI, 32 for MSI-X. */
struct pci_msi_message {
	uint64_t address;
	uint32_t data;
	uint32_t bytes;
};

/** pci_config_init - set power-on values: a function for our driver, without an INTx pin */
void pci_config_init(struct pci_config *config);

/** pci_config_add_pin - after pci_config_init(): the function has the pin INTA */
void pci_config_add_pin(struct pci_config *config);

/**
 * pci_config_be_platform - after pci_config_init(): the function has IDs that no PCI driver claims
 * and only INTA, for guests that find the card in a device tree
 */
void pci_config_be_platform(struct pci_config *config);

/**
 * pci_config_read, pci_config_write - access the registers
 * @offset: byte offset; past the end reads return all ones, writes are ignored
 * @size: 1, 2, 4 or 8 bytes
 *
 * The caller has to handle accesses to the window's data register: see pci_config_window().
 */
uint64_t pci_config_read(const struct pci_config *config, uint64_t offset, unsigned int size);
void pci_config_write(struct pci_config *config, uint64_t offset, unsigned int size,
		      uint64_t value);

/**
 * pci_config_window - whether an access is to the window's data register
 * @bar_offset: receives the offset in BAR0 that the window selects
 */
bool pci_config_window(const struct pci_config *config, uint64_t offset, unsigned int size,
		       uint32_t *bar_offset);

/** pci_config_decodes_memory - whether memory decoding is enabled and the function is in D0 */
bool pci_config_decodes_memory(const struct pci_config *config);

/** pci_config_awake - whether the function is in D0 */
bool pci_config_awake(const struct pci_config *config);

/** pci_config_msi - get the message of an MSI; false while MSI or bus mastering is disabled */
bool pci_config_msi(const struct pci_config *config, struct pci_msi_message *message);

/** pci_config_msi_enabled - whether MSI is enabled */
bool pci_config_msi_enabled(const struct pci_config *config);

/** pci_config_intx_enabled - whether the function has an INTx pin and may activate it */
bool pci_config_intx_enabled(const struct pci_config *config);

/** pci_config_set_intx_status - set the bit of the status register that shows the line of INTx */
void pci_config_set_intx_status(struct pci_config *config, bool active);

/** pci_config_msix_enabled - whether MSI-X is enabled */
bool pci_config_msix_enabled(const struct pci_config *config);

/**
 * pci_config_msix_sends - whether messages can be sent: MSI-X and bus mastering are enabled, and
 * the function is not masked
 */
bool pci_config_msix_sends(const struct pci_config *config);

#endif
