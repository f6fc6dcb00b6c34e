// SPDX-License-Identifier: MIT
/* The MSI-X table and its pending bits. Names are those of the kernel's <linux/pci_regs.h>. */
#include "bus/msix.h"

#include <linux/pci_regs.h>
#include <string.h>

/* MSIX_TABLE_OFFSET is a multiple of it: an offset in BAR0 modulo this is one inside an entry. */
#define ENTRY_BYTES (MSIX_ENTRY_WORDS * sizeof(uint32_t))
#define TABLE_BYTES (MSIX_VECTORS * ENTRY_BYTES)
#define PENDING_BYTES sizeof(uint64_t)

/* Words of an entry */
#define ADDRESS_LO (PCI_MSIX_ENTRY_LOWER_ADDR / 4)
#define ADDRESS_HI (PCI_MSIX_ENTRY_UPPER_ADDR / 4)
#define DATA (PCI_MSIX_ENTRY_DATA / 4)
#define CONTROL (PCI_MSIX_ENTRY_VECTOR_CTRL / 4)

void msix_init(struct msix *msix)
{
	memset(msix, 0, sizeof(*msix));
	for (unsigned int i = 0; i < MSIX_VECTORS; i++)
		msix->table[i][CONTROL] = PCI_MSIX_ENTRY_CTRL_MASKBIT;
}

static bool in_table(uint64_t offset)
{
	return offset >= MSIX_TABLE_OFFSET && offset - MSIX_TABLE_OFFSET < TABLE_BYTES;
}

bool msix_contains(uint64_t offset)
{
	return in_table(offset) ||
	       (offset >= MSIX_PENDING_OFFSET && offset - MSIX_PENDING_OFFSET < PENDING_BYTES);
}

static bool valid(uint64_t offset, unsigned int size)
{
	return (size == 4 || size == 8) && offset % size == 0;
}

static uint32_t read_word(const struct msix *msix, uint64_t offset)
{
	if (in_table(offset))
		return msix->table[(offset - MSIX_TABLE_OFFSET) / ENTRY_BYTES]
				  [offset % ENTRY_BYTES / 4];
	return offset == MSIX_PENDING_OFFSET ? msix->pending : 0;
}

uint64_t msix_read(const struct msix *msix, uint64_t offset, unsigned int size)
{
	if (!valid(offset, size))
		return UINT64_MAX;
	if (size == 4)
		return read_word(msix, offset);
	return read_word(msix, offset) | (uint64_t)read_word(msix, offset + 4) << 32;
}

static void write_word(struct msix *msix, uint64_t offset, uint32_t value)
{
	unsigned int word = offset % ENTRY_BYTES / 4;

	if (!in_table(offset))
		return;
	if (word == CONTROL)
		value &= PCI_MSIX_ENTRY_CTRL_MASKBIT;
	if (word == ADDRESS_LO)
		value &= ~3u;
	msix->table[(offset - MSIX_TABLE_OFFSET) / ENTRY_BYTES][word] = value;
}

void msix_write(struct msix *msix, uint64_t offset, unsigned int size, uint64_t value)
{
	if (!valid(offset, size))
		return;
	write_word(msix, offset, value);
	if (size == 8)
		write_word(msix, offset + 4, value >> 32);
}

void msix_raise(struct msix *msix, unsigned int vector)
{
	msix->pending |= 1u << vector;
}

bool msix_take(struct msix *msix, struct pci_msi_message *message)
{
	for (unsigned int i = 0; i < MSIX_VECTORS; i++) {
		const uint32_t *entry = msix->table[i];

		if (!(msix->pending & 1u << i) || entry[CONTROL] & PCI_MSIX_ENTRY_CTRL_MASKBIT)
			continue;
		msix->pending &= ~(1u << i);
		*message = (struct pci_msi_message){
			.address = entry[ADDRESS_LO] | (uint64_t)entry[ADDRESS_HI] << 32,
			.data = entry[DATA],
			.bytes = sizeof(uint32_t),
		};
		return true;
	}
	return false;
}
