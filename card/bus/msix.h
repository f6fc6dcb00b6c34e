/* SPDX-License-Identifier: MIT */
/*
 * MSI-X (PCI Local Bus 3.0, section 6.8.2): a table with a message and a mask bit for each vector,
 * and the pending bits of vectors that were raised and whose message was not sent yet. Both are in
 * BAR0.
 */
#ifndef CARD_BUS_MSIX_H
#define CARD_BUS_MSIX_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/pci_config.h"

/* In BAR0; the pending bits are one 64-bit word. */
#define MSIX_TABLE_OFFSET 0x30000u
#define MSIX_PENDING_OFFSET 0x30800u
#define MSIX_ENTRY_WORDS 4u
#define MSIX_VECTORS 2u

struct msix {
	uint32_t table[MSIX_VECTORS][MSIX_ENTRY_WORDS];
	uint32_t pending;
};

/** msix_init - set power-on values: all vectors are masked */
void msix_init(struct msix *msix);

/** msix_contains - whether an offset in BAR0 is in the table or in the pending bits */
bool msix_contains(uint64_t offset);

/**
 * msix_read, msix_write - access table and pending bits
 * @offset: in BAR0, for which msix_contains() is true
 * @size: bytes
 *
 * Accesses must be aligned and of 32 or 64 bits, as the specification demands. Other reads return
 * all ones, other writes are ignored, and so are writes to pending bits.
 */
uint64_t msix_read(const struct msix *msix, uint64_t offset, unsigned int size);
void msix_write(struct msix *msix, uint64_t offset, unsigned int size, uint64_t value);

/** msix_raise - make a vector pending */
void msix_raise(struct msix *msix, unsigned int vector);

/**
 * msix_take - clear a pending bit whose vector is not masked
 * @message: receives the vector's message
 *
 * The caller has checked pci_config_msix_sends(), which includes the function's mask.
 *
 * Returns: false if there is none.
 */
bool msix_take(struct msix *msix, struct pci_msi_message *message);

#endif
