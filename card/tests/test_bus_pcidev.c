// SPDX-License-Identifier: MIT
/* PCI configuration space, and the messages for accesses and interrupts. */
#include "tests/check.h"
#include "tests/fake_gc.h"
#include "tests/ring.h"

#include <linux/pci_regs.h>
#include <linux/virtio_pcidev.h>

#include "board/board.h"
#include "board/mailbox.h"
#include "bus/pcidev.h"

#define ADDRESS 0x10000000ull
#define BAR_START 0xf0000000u

static struct guest_memory memory;
static struct test_ring commands, interrupts;
static struct vring rings[2];
static struct pcidev dev;
static struct board *board;
static struct card_clock *cal;
static uint8_t *room;
static unsigned int msis, deaths;

static void count_msi(void *ctx, unsigned int vector)
{
	msis++;
}

static void do_nothing(void *ctx)
{
}

static void note_death(void *ctx)
{
	deaths++;
	dev.unplugged = true;
}

static void begin_ring(struct test_ring *guest, struct vring *ring, unsigned int index)
{
	uint64_t address = ADDRESS + index * RING_ROOM;

	ring_init(guest, room + index * RING_ROOM, address);
	vring_reset(ring);
	ring->size = RING_SIZE;
	ring->enabled = true;
	vring_map(ring, &memory, address + RING_DESC, address + RING_AVAIL, address + RING_USED);
}

static void begin(void)
{
	const struct board_host host = { .send_msi = count_msi,
					 .yield = do_nothing,
					 .die = note_death };
	const struct gc_options options = { 0 };

	room = malloc(2 * RING_ROOM);
	memory = (struct guest_memory){ 1, { { ADDRESS, 2 * RING_ROOM, room } } };
	begin_ring(&commands, &rings[0], 0);
	begin_ring(&interrupts, &rings[1], 1);
	cal = clock_create(false);
	board = board_create(&host, cal, &memory, gc_personality_find("gc3000"), &options);
	pcidev_init(&dev, &memory, &rings[0], &rings[1]);
	dev.board = board;
	msis = deaths = 0;
}

static void end(void)
{
	board_destroy(board);
	clock_destroy(cal);
	free(room);
}

/* Offer a message with @data behind it; descriptor 0 to read, 1 to write. */
static void offer(uint8_t op, uint8_t bar, uint32_t size, uint64_t address, const void *data,
		  uint32_t data_bytes, uint32_t answer_bytes)
{
	struct virtio_pcidev_msg *msg = ring_data(&commands, 0);

	*msg = (struct virtio_pcidev_msg){ .op = op, .bar = bar, .size = size, .addr = address };
	memcpy(msg->data, data, data_bytes);
	memset(ring_data(&commands, 1), 0xff, RING_DATA_BYTES);
	ring_describe(&commands, 0, sizeof(*msg) + data_bytes, answer_bytes ? VRING_DESC_NEXT : 0,
		      1);
	ring_describe(&commands, 1, answer_bytes, VRING_DESC_WRITE, 0);
	ring_offer(&commands, 0);
}

/* The device's answer; all ones if it wrote nothing. */
static uint64_t answer(unsigned int size)
{
	uint64_t value = 0;

	memcpy(&value, ring_data(&commands, 1), size);
	return value;
}

static uint64_t config_read(uint32_t offset, unsigned int size)
{
	offer(VIRTIO_PCIDEV_OP_CFG_READ, 0, size, offset, "", 0, 8);
	pcidev_serve(&dev, 1);
	return answer(size);
}

static void config_write(uint32_t offset, unsigned int size, uint64_t value)
{
	offer(VIRTIO_PCIDEV_OP_CFG_WRITE, 0, size, offset, &value, 8, 0);
	pcidev_serve(&dev, 1);
}

static uint64_t mmio_read(uint64_t offset, unsigned int size)
{
	offer(VIRTIO_PCIDEV_OP_MMIO_READ, 0, size, offset, "", 0, size);
	pcidev_serve(&dev, 1);
	return answer(size);
}

static void mmio_write(uint64_t offset, unsigned int size, uint64_t value)
{
	offer(VIRTIO_PCIDEV_OP_MMIO_WRITE, 0, size, offset, &value, size, 0);
	pcidev_serve(&dev, 1);
}

static void enable(void)
{
	config_write(PCI_BASE_ADDRESS_0, 4, BAR_START);
	config_write(PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
}

static void enable_msi(uint16_t data)
{
	config_write(PCI_CAP_MSI + PCI_MSI_ADDRESS_LO, 4, 0xa0000);
	config_write(PCI_CAP_MSI + PCI_MSI_ADDRESS_HI, 4, 0);
	config_write(PCI_CAP_MSI + PCI_MSI_DATA_64, 2, data);
	config_write(PCI_CAP_MSI + PCI_MSI_FLAGS, 2, PCI_MSI_FLAGS_ENABLE);
}

TEST(header)
{
	begin();
	CHECK_EQ(config_read(PCI_VENDOR_ID, 4), 0x56479234);
	CHECK_EQ(config_read(PCI_CLASS_REVISION, 4) >> 8, 0x038000);
	CHECK_EQ(config_read(PCI_HEADER_TYPE, 1), 0);
	CHECK(config_read(PCI_STATUS, 2) & PCI_STATUS_CAP_LIST);
	CHECK_EQ(config_read(PCI_INTERRUPT_PIN, 1), 0);
	CHECK_EQ(config_read(PCI_VENDOR_ID, 8) & 0xffffffff, 0x56479234);
	config_write(PCI_VENDOR_ID, 4, 0);
	CHECK_EQ(config_read(PCI_VENDOR_ID, 2), 0x9234);
	CHECK_EQ(config_read(0x100, 4), 0xffffffff);
	CHECK_EQ(config_read(0xfe, 4), 0xffffffff);
	end();
}

TEST(bar_sizing)
{
	begin();
	for (unsigned int bar = 0; bar < 6; bar++) {
		config_write(PCI_BASE_ADDRESS_0 + 4 * bar, 4, 0xffffffff);
		CHECK_EQ(config_read(PCI_BASE_ADDRESS_0 + 4 * bar, 4), bar ? 0 : 0xfffc0000);
	}
	config_write(PCI_ROM_ADDRESS, 4, 0xffffffff);
	CHECK_EQ(config_read(PCI_ROM_ADDRESS, 4), 0);
	config_write(PCI_BASE_ADDRESS_0, 4, BAR_START);
	CHECK_EQ(config_read(PCI_BASE_ADDRESS_0, 4), BAR_START);
	end();
}

TEST(capabilities_are_a_list)
{
	unsigned int seen = 0, at;

	begin();
	at = config_read(PCI_CAPABILITY_LIST, 1);
	for (unsigned int i = 0; at && i < 10; i++) {
		unsigned int id = config_read(at, 1);

		CHECK(at >= 0x40 && at % 4 == 0);
		seen |= 1u << id;
		at = config_read(at + 1, 1);
	}
	CHECK_EQ(at, 0);
	CHECK_EQ(seen, 1u << PCI_CAP_ID_PM | 1u << PCI_CAP_ID_MSI | 1u << PCI_CAP_ID_VNDR |
			       1u << PCI_CAP_ID_MSIX);
	CHECK_EQ(config_read(PCI_CAP_MSI + PCI_MSI_FLAGS, 2), PCI_MSI_FLAGS_64BIT);
	end();
}

TEST(accesses_need_memory_decoding)
{
	begin();
	CHECK_EQ(mmio_read(BOARD_REGS_BASE, 4), 0xffffffff);
	enable();
	CHECK_EQ(mmio_read(BOARD_REGS_BASE, 4), BOARD_MAGIC_VALUE);
	config_write(PCI_COMMAND, 2, 0);
	mmio_write(0x14, 4, 7);
	CHECK_EQ(fake_gc->writes, 0);
	CHECK_EQ(mmio_read(BOARD_REGS_BASE, 4), 0xffffffff);
	end();
}

TEST(power_states)
{
	const unsigned int control = PCI_CAP_PM + PCI_PM_CTRL;

	begin();
	enable();
	config_write(control, 2, 3);
	CHECK_EQ(config_read(control, 2) & 3, 3);
	CHECK_EQ(mmio_read(BOARD_REGS_BASE, 4), 0xffffffff);
	config_write(control, 2, 1); /* D1 is not implemented */
	CHECK_EQ(config_read(control, 2) & 3, 3);
	config_write(control, 2, 0);
	CHECK_EQ(config_read(control, 2), PCI_PM_CTRL_NO_SOFT_RESET);
	CHECK_EQ(mmio_read(BOARD_REGS_BASE, 4), BOARD_MAGIC_VALUE);
	end();
}

TEST(register_accesses)
{
	begin();
	enable();
	mmio_write(0x654, 4, 0x12345678);
	CHECK_EQ(fake_gc->reg[0x654 / 4], 0x12345678);
	CHECK_EQ(mmio_read(0x654, 4), 0x12345678);
	CHECK_EQ(mmio_read(0x656, 2), 0x1234);
	mmio_write(0x658, 8, 0x1122334455667788);
	CHECK_EQ(fake_gc->reg[0x658 / 4], 0x55667788);
	CHECK_EQ(fake_gc->reg[0x65c / 4], 0x11223344);
	CHECK_EQ(mmio_read(0x658, 8), 0x1122334455667788);
	CHECK_EQ(dev.statistics.bad_commands, 0);
	end();
}

TEST(copies_and_fills)
{
	uint32_t words[40];

	begin();
	enable();
	for (unsigned int i = 0; i < 40; i++)
		words[i] = 0x01010101 * i;
	offer(VIRTIO_PCIDEV_OP_MMIO_WRITE, 0, sizeof(words), 0x1000, words, sizeof(words), 0);
	pcidev_serve(&dev, 1);
	CHECK_EQ(fake_gc->reg[0x1000 / 4 + 39], 0x01010101 * 39);
	offer(VIRTIO_PCIDEV_OP_MMIO_READ, 0, 159, 0x1001, "", 0, 159);
	pcidev_serve(&dev, 1);
	CHECK(!memcmp(ring_data(&commands, 1), (uint8_t *)words + 1, 159));
	CHECK_EQ(ring_last_used(&commands).length, 159);
	offer(VIRTIO_PCIDEV_OP_MMIO_MEMSET, 0, 16, 0x2000, "\x5a", 1, 0);
	pcidev_serve(&dev, 1);
	CHECK_EQ(fake_gc->reg[0x2000 / 4], 0x5a5a5a5a);
	CHECK_EQ(fake_gc->reg[0x200c / 4], 0x5a5a5a5a);
	CHECK_EQ(fake_gc->reg[0x2010 / 4], 0);
	end();
}

/* A command that must be refused: no side effect and no answer. */
static bool refused(uint8_t op, uint8_t bar, uint32_t size, uint64_t address, uint32_t data_bytes,
		    uint32_t answer_bytes)
{
	uint8_t data[64] = { 0 };
	uint64_t before = dev.statistics.bad_commands;
	unsigned int writes = fake_gc->writes;

	offer(op, bar, size, address, data, data_bytes, answer_bytes);
	pcidev_serve(&dev, 1);
	return dev.statistics.bad_commands == before + 1 && fake_gc->writes == writes &&
	       ring_last_used(&commands).length == 0;
}

TEST(senseless_commands_are_refused)
{
	const uint8_t rd = VIRTIO_PCIDEV_OP_MMIO_READ, wr = VIRTIO_PCIDEV_OP_MMIO_WRITE;

	begin();
	enable();
	CHECK(refused(VIRTIO_PCIDEV_OP_RESERVED, 0, 4, 0, 8, 8));
	CHECK(refused(VIRTIO_PCIDEV_OP_INT, 0, 4, 0, 8, 8));
	CHECK(refused(VIRTIO_PCIDEV_OP_MSI, 0, 4, 0, 8, 8));
	CHECK(refused(VIRTIO_PCIDEV_OP_PME, 0, 4, 0, 8, 8));
	CHECK(refused(0xff, 0, 4, 0, 8, 8));
	CHECK(refused(VIRTIO_PCIDEV_OP_CFG_READ, 0, 3, 0, 0, 8));
	CHECK(refused(VIRTIO_PCIDEV_OP_CFG_READ, 0, 0, 0, 0, 8));
	CHECK(refused(VIRTIO_PCIDEV_OP_CFG_READ, 0, 4, 0, 0, 0)); /* no buffer for the answer */
	CHECK(refused(VIRTIO_PCIDEV_OP_CFG_READ, 0, 8, 0, 0, 7));
	CHECK(refused(VIRTIO_PCIDEV_OP_CFG_WRITE, 0, 4, 4, 3, 0));
	CHECK(refused(VIRTIO_PCIDEV_OP_CFG_WRITE, 0, 16, 4, 16, 0));
	CHECK(refused(rd, 1, 4, 0, 0, 4));
	CHECK(refused(rd, 255, 4, 0, 0, 4));
	CHECK(refused(rd, 0, 4, BOARD_BAR0_BYTES, 0, 4));
	CHECK(refused(rd, 0, 4, BOARD_BAR0_BYTES - 2, 0, 4));
	CHECK(refused(rd, 0, 4, UINT64_MAX - 1, 0, 4));
	CHECK(refused(rd, 0, UINT32_MAX, 0, 0, 4));
	CHECK(refused(rd, 0, 0, 0, 0, 4));
	CHECK(refused(rd, 0, 8, 0, 0, 7));
	CHECK(refused(wr, 0, 4, 0, 0, 0)); /* no data */
	CHECK(refused(wr, 0, 4, 0, 3, 0));
	CHECK(refused(wr, 0, UINT32_MAX, 0, 8, 0));
	CHECK(refused(wr, 0, 0, 0, 8, 0));
	CHECK(refused(VIRTIO_PCIDEV_OP_MMIO_MEMSET, 0, 4, 0, 0, 0));
	CHECK(refused(VIRTIO_PCIDEV_OP_MMIO_MEMSET, 0, BOARD_BAR0_BYTES + 1, 0, 1, 0));
	end();
}

TEST(truncated_message)
{
	begin();
	offer(VIRTIO_PCIDEV_OP_CFG_READ, 0, 4, 0, "", 0, 8);
	commands.desc[0].length = sizeof(struct virtio_pcidev_msg) - 1;
	CHECK_EQ(pcidev_serve(&dev, 1), 1);
	CHECK_EQ(dev.statistics.bad_commands, 1);
	offer(VIRTIO_PCIDEV_OP_CFG_READ, 0, 4, 0, "", 0, 8);
	commands.desc[0].flags |= VRING_DESC_WRITE; /* no readable buffer */
	CHECK_EQ(pcidev_serve(&dev, 1), 1);
	CHECK_EQ(dev.statistics.bad_commands, 2);
	end();
}

TEST(window_into_the_bar)
{
	begin();
	CHECK_EQ(config_read(PCI_WINDOW_DATA, 4),
		 BOARD_MAGIC_VALUE); /* before anything is enabled */
	config_write(PCI_WINDOW_OFFSET, 4, 0x654);
	config_write(PCI_WINDOW_DATA, 4, 42);
	CHECK_EQ(fake_gc->reg[0x654 / 4], 42);
	CHECK_EQ(config_read(PCI_WINDOW_DATA, 4), 42);
	config_write(PCI_WINDOW_DATA, 2, 7); /* only whole registers can be accessed */
	CHECK_EQ(fake_gc->reg[0x654 / 4], 42);
	config_write(PCI_WINDOW_OFFSET, 4, 0xffffffff);
	CHECK_EQ(config_read(PCI_WINDOW_OFFSET, 4), BOARD_BAR0_BYTES - 4);
	CHECK_EQ(config_read(PCI_WINDOW_DATA, 4), 0xffffffff);
	end();
}

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
	end();
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
	end();
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
	CHECK_EQ(config_read(PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2), PCI_MSIX_VECTORS - 1);
	CHECK_EQ(config_read(PCI_CAP_MSIX + PCI_MSIX_TABLE, 4), MSIX_TABLE_OFFSET);
	CHECK_EQ(config_read(PCI_CAP_MSIX + PCI_MSIX_PBA, 4), MSIX_PENDING_OFFSET);
	for (unsigned int vector = 0; vector < PCI_MSIX_VECTORS; vector++) {
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
	/* behind the last entry is the board's empty space */
	CHECK_EQ(mmio_read(MSIX_TABLE_OFFSET + PCI_MSIX_VECTORS * PCI_MSIX_ENTRY_SIZE, 4), 0xffffffff);
	pcidev_reset(&dev);
	enable();
	CHECK_EQ(mmio_read(MSIX_TABLE_OFFSET + PCI_MSIX_ENTRY_VECTOR_CTRL, 4), 1);
	end();
}

TEST(each_vector_has_its_message)
{
	const struct virtio_pcidev_msg *msg;

	begin();
	enable();
	enable_msi(65); /* MSI-X goes before MSI */
	for (unsigned int vector = 0; vector < PCI_MSIX_VECTORS; vector++)
		enable_vector(vector);
	set_msix(PCI_MSIX_FLAGS_ENABLE);
	for (unsigned int vector = 0; vector < PCI_MSIX_VECTORS; vector++) {
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
	end();
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
	end();
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
	end();
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
	end();
}

TEST(posted_writes_pile_up)
{
	begin();
	enable();
	dev.posted = 0;
	for (unsigned int i = 0; i < 64; i++) {
		CHECK(!pcidev_posted_backlog(&dev));
		mmio_write(0x14, 4, i);
	}
	CHECK(pcidev_posted_full(&dev));
	CHECK(pcidev_posted_backlog(&dev));
	CHECK(!pcidev_posted_backlog(&dev));
	for (unsigned int i = 0; i < 63; i++)
		mmio_write(0x14, 4, i);
	mmio_read(0x14, 4); /* a guest that waits for an answer reaps earlier writes */
	mmio_write(0x14, 4, 0);
	CHECK(!pcidev_posted_full(&dev));
	end();
}

/* A register write during which the card serves its bus must not execute later commands first. */
static void serve_again(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	if (pcidev_serve(&dev, 10))
		msis = 1000;
}

TEST(serving_does_not_nest)
{
	begin();
	enable();
	fake_gc->on_write = serve_again;
	mmio_write(0x10, 4, 1);
	CHECK_EQ(msis, 0);
	CHECK_EQ(fake_gc->writes, 1);
	end();
}

static void say(const char *command)
{
	config_write(PCI_WINDOW_OFFSET, 4, BOARD_MAILBOX_BASE + MAILBOX_COMMAND);
	for (size_t i = 0; i < strlen(command); i += 4) {
		uint32_t word = 0;

		memcpy(&word, command + i, strlen(command + i) < 4 ? strlen(command + i) : 4);
		config_write(PCI_WINDOW_DATA, 4, word);
	}
	config_write(PCI_WINDOW_OFFSET, 4, BOARD_MAILBOX_BASE + MAILBOX_CONTROL);
	config_write(PCI_WINDOW_DATA, 4, MAILBOX_GO);
}

/* After "die" through its own mailbox the card returns no chains. */
TEST(pulled_while_serving)
{
	uint16_t before;

	begin();
	say("personality");
	CHECK_EQ(deaths, 0);
	before = commands.used->index;
	say("die");
	CHECK_EQ(deaths, 1);
	CHECK_EQ(commands.used->index, (uint16_t)(before + 3)); /* offset, one word, offset */
	config_read(0, 4);
	CHECK_EQ(commands.used->index, (uint16_t)(before + 3));
	end();
}

int main(void)
{
	RUN(header);
	RUN(bar_sizing);
	RUN(capabilities_are_a_list);
	RUN(accesses_need_memory_decoding);
	RUN(power_states);
	RUN(register_accesses);
	RUN(copies_and_fills);
	RUN(senseless_commands_are_refused);
	RUN(truncated_message);
	RUN(window_into_the_bar);
	RUN(msi_message);
	RUN(msis_wait_for_buffers);
	RUN(msix_registers);
	RUN(each_vector_has_its_message);
	RUN(masked_vectors_are_pending);
	RUN(vectors_wait_for_room);
	RUN(msi_into_a_bad_buffer_waits);
	RUN(posted_writes_pile_up);
	RUN(serving_does_not_nest);
	RUN(pulled_while_serving);
	return test_end();
}
