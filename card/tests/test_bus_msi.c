// SPDX-License-Identifier: MIT
/* Interrupts of the PCI function: MSI and MSI-X. */
#include "tests/pcidev_rig.h"

static void enable_msi(uint16_t data)
{
	config_write(PCI_CAP_MSI + PCI_MSI_ADDRESS_LO, 4, 0xa0000);
	config_write(PCI_CAP_MSI + PCI_MSI_ADDRESS_HI, 4, 0);
	config_write(PCI_CAP_MSI + PCI_MSI_DATA_64, 2, data);
	config_write(PCI_CAP_MSI + PCI_MSI_FLAGS, 2, PCI_MSI_FLAGS_ENABLE);
}

/* Offer a buffer; 20 bytes hold a message of 16 bytes and the 4 bytes of an MSI-X vector's data. */
static void give_buffer(unsigned int index, uint32_t length)
{
	ring_describe(&interrupts, index, length, VRING_DESC_WRITE, 0);
	ring_offer(&interrupts, index);
}

TEST(msi_message)
{
	const struct virtio_pcidev_msg *msg;

	begin();
	enable();
	give_buffer(4, 20);
	pcidev_raise(&dev, 0);
	CHECK_EQ(dev.statistics.msi_off, 1);
	CHECK(!pcidev_flush_interrupts(&dev));
	enable_msi(65);
	pcidev_raise(&dev, 0);
	CHECK(pcidev_flush_interrupts(&dev));
	CHECK_EQ(ring_last_used(&interrupts).id, 4);
	CHECK_EQ(ring_last_used(&interrupts).length, sizeof(*msg) + 2);
	msg = ring_data(&interrupts, 4);
	CHECK_EQ(msg->op, VIRTIO_PCIDEV_OP_MSI);
	CHECK_EQ(msg->size, 2);
	CHECK_EQ(msg->addr, 0xa0000);
	CHECK_EQ(msg->data[0], 65);
	CHECK(!pcidev_flush_interrupts(&dev));
	/* without bus mastering a device writes nothing to memory */
	config_write(PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
	pcidev_raise(&dev, 0);
	CHECK_EQ(dev.backlog_count, 0);
}

TEST(msis_wait_for_buffers)
{
	begin();
	enable();
	enable_msi(65);
	for (unsigned int i = 0; i < PCIDEV_MSI_BACKLOG + 3; i++)
		pcidev_raise(&dev, 0);
	CHECK_EQ(dev.statistics.msi_merged, 3);
	CHECK(!pcidev_flush_interrupts(&dev));
	CHECK_EQ(interrupts.used->flags, 0); /* kicks are enabled */
	for (unsigned int i = 0; i < 10; i++)
		give_buffer(i, 20);
	CHECK(pcidev_flush_interrupts(&dev));
	CHECK_EQ(interrupts.used->index, 10);
	CHECK_EQ(dev.backlog_count, PCIDEV_MSI_BACKLOG - 10);
	while (dev.backlog_count) {
		give_buffer(0, 20);
		CHECK(pcidev_flush_interrupts(&dev));
	}
	CHECK_EQ(dev.statistics.msi_sent, PCIDEV_MSI_BACKLOG);
	CHECK_EQ(interrupts.used->flags, VRING_USED_NO_NOTIFY);
}

/* Write a vector's entry of the MSI-X table, not masked, with its number in the data. */
static void enable_vector(unsigned int vector)
{
	uint32_t entry = MSIX_TABLE_OFFSET + vector * PCI_MSIX_ENTRY_SIZE;

	mmio_write(entry + PCI_MSIX_ENTRY_LOWER_ADDR, 4, 0xa0000);
	mmio_write(entry + PCI_MSIX_ENTRY_UPPER_ADDR, 4, vector);
	mmio_write(entry + PCI_MSIX_ENTRY_DATA, 4, 0x12340000 + vector);
	mmio_write(entry + PCI_MSIX_ENTRY_VECTOR_CTRL, 4, 0);
}

static void mask_vector(unsigned int vector, bool masked)
{
	mmio_write(MSIX_TABLE_OFFSET + vector * PCI_MSIX_ENTRY_SIZE + PCI_MSIX_ENTRY_VECTOR_CTRL, 4,
		   masked ? PCI_MSIX_ENTRY_CTRL_MASKBIT : 0);
}

static void set_msix(uint16_t flags)
{
	config_write(PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2, flags);
}

TEST(msix_registers)
{
	begin();
	enable();
	CHECK_EQ(config_read(PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2), MSIX_VECTORS - 1);
	CHECK_EQ(config_read(PCI_CAP_MSIX + PCI_MSIX_TABLE, 4), MSIX_TABLE_OFFSET);
	CHECK_EQ(config_read(PCI_CAP_MSIX + PCI_MSIX_PBA, 4), MSIX_PENDING_OFFSET);
	for (unsigned int vector = 0; vector < MSIX_VECTORS; vector++) {
		uint32_t entry = MSIX_TABLE_OFFSET + vector * PCI_MSIX_ENTRY_SIZE;

		CHECK_EQ(mmio_read(entry + PCI_MSIX_ENTRY_VECTOR_CTRL, 4), 1);
		mmio_write(entry, 8, 0x1122334455667788);
		CHECK_EQ(mmio_read(entry, 8), 0x1122334455667788);
		mmio_write(entry, 4, 0xffffffff);
		CHECK_EQ(mmio_read(entry, 8), 0x11223344fffffffc);
		mmio_write(entry + PCI_MSIX_ENTRY_VECTOR_CTRL, 4, 0xfffffffe);
		CHECK_EQ(mmio_read(entry + PCI_MSIX_ENTRY_VECTOR_CTRL, 4), 0);
		mmio_write(entry + PCI_MSIX_ENTRY_DATA, 2, 5); /* only 32 and 64 bits */
		CHECK_EQ(mmio_read(entry + PCI_MSIX_ENTRY_DATA, 4), 0);
		CHECK_EQ(mmio_read(entry + PCI_MSIX_ENTRY_DATA, 2), 0xffff);
	}
	mmio_write(MSIX_PENDING_OFFSET, 8, UINT64_MAX);
	CHECK_EQ(mmio_read(MSIX_PENDING_OFFSET, 8), 0);
	/* past the last entry is the board's empty space */
	CHECK_EQ(mmio_read(MSIX_TABLE_OFFSET + MSIX_VECTORS * PCI_MSIX_ENTRY_SIZE, 4), 0xffffffff);
	pcidev_reset(&dev);
	enable();
	CHECK_EQ(mmio_read(MSIX_TABLE_OFFSET + PCI_MSIX_ENTRY_VECTOR_CTRL, 4), 1);
}

TEST(each_vector_has_its_message)
{
	const struct virtio_pcidev_msg *msg;

	begin();
	enable();
	enable_msi(65); /* MSI-X goes before MSI */
	for (unsigned int vector = 0; vector < MSIX_VECTORS; vector++)
		enable_vector(vector);
	set_msix(PCI_MSIX_FLAGS_ENABLE);
	for (unsigned int vector = 0; vector < MSIX_VECTORS; vector++) {
		give_buffer(vector, 20);
		pcidev_raise(&dev, vector);
		CHECK(pcidev_flush_interrupts(&dev));
		CHECK_EQ(ring_last_used(&interrupts).length, sizeof(*msg) + 4);
		msg = ring_data(&interrupts, vector);
		CHECK_EQ(msg->op, VIRTIO_PCIDEV_OP_MSI);
		CHECK_EQ(msg->size, 4);
		CHECK_EQ(msg->addr, 0xa0000 + ((uint64_t)vector << 32));
		CHECK(memcmp(msg->data, (const uint8_t[]){ vector, 0, 0x34, 0x12 }, 4) == 0);
	}
}

TEST(masked_vectors_are_pending)
{
	begin();
	enable();
	enable_vector(0);
	set_msix(PCI_MSIX_FLAGS_ENABLE);
	pcidev_raise(&dev, 1);
	pcidev_raise(&dev, 1);
	CHECK_EQ(dev.backlog_count, 0);
	CHECK_EQ(mmio_read(MSIX_PENDING_OFFSET, 4), 2);
	enable_vector(1);
	CHECK_EQ(dev.backlog_count, 1);
	CHECK_EQ(mmio_read(MSIX_PENDING_OFFSET, 4), 0);

	set_msix(PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	pcidev_raise(&dev, 0);
	mask_vector(0, true);
	pcidev_raise(&dev, 1);
	CHECK_EQ(mmio_read(MSIX_PENDING_OFFSET, 4), 3);
	set_msix(PCI_MSIX_FLAGS_ENABLE);
	CHECK_EQ(dev.backlog_count, 2);
	CHECK_EQ(mmio_read(MSIX_PENDING_OFFSET, 4), 1);
	/* without bus mastering a device writes nothing to memory */
	config_write(PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
	mask_vector(0, false);
	CHECK_EQ(dev.backlog_count, 2);
	config_write(PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
	CHECK_EQ(dev.backlog_count, 3);
}

/* A vector that finds no room is not merged with those of another one. */
TEST(vectors_wait_for_room)
{
	begin();
	enable();
	enable_vector(0);
	enable_vector(1);
	set_msix(PCI_MSIX_FLAGS_ENABLE);
	for (unsigned int i = 0; i < PCIDEV_MSI_BACKLOG; i++)
		pcidev_raise(&dev, 0);
	pcidev_raise(&dev, 1);
	CHECK_EQ(mmio_read(MSIX_PENDING_OFFSET, 4), 2);
	give_buffer(0, 20);
	CHECK(pcidev_flush_interrupts(&dev));
	CHECK_EQ(dev.backlog_count, PCIDEV_MSI_BACKLOG);
	CHECK_EQ(dev.backlog[PCIDEV_MSI_BACKLOG - 1].data, 0x12340001);
}

TEST(msi_into_a_bad_buffer_waits)
{
	begin();
	enable();
	enable_msi(65);
	pcidev_raise(&dev, 0);
	give_buffer(0, 8);                       /* too short */
	ring_describe(&interrupts, 1, 20, 0, 0); /* not writable */
	ring_offer(&interrupts, 1);
	/* invalid address */
	interrupts.desc[2] = (struct vring_desc){ 0, 20, VRING_DESC_WRITE, 0 };
	ring_offer(&interrupts, 2);
	for (unsigned int i = 0; i < 3; i++) {
		CHECK(!pcidev_flush_interrupts(&dev));
		CHECK_EQ(ring_last_used(&interrupts).length, 0);
	}
	CHECK_EQ(dev.backlog_count, 1);
	give_buffer(3, 20);
	CHECK(pcidev_flush_interrupts(&dev));
	CHECK_EQ(dev.backlog_count, 0);
	ring_offer(&interrupts, 0xffff);
	pcidev_raise(&dev, 0);
	CHECK(!pcidev_flush_interrupts(&dev));
	CHECK_EQ(dev.statistics.broken_rings, 1);
}

int main(void)
{
	int status = test_all();

	end();
	return status;
}
