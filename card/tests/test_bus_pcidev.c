// SPDX-License-Identifier: MIT
/* PCI configuration space; messages for accesses, their order, and posted writes. */
#include "tests/pcidev_rig.h"

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
}

TEST(posted_writes_pile_up)
{
	begin();
	enable();
	dev.posted = 0;
	for (unsigned int i = 0; i < 64; i++) { /* POSTED_LIMIT */
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
}

/*
 * A register write during which the card serves its bus must not execute later commands first.
 * Makes msis 1000 if it did; no other interrupt is raised.
 */
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
}

static void offer_read(uint32_t offset)
{
	offer(VIRTIO_PCIDEV_OP_MMIO_READ, 0, 4, offset, "", 0, 4);
}

/* In the middle of an operation: what need not wait is answered, up to the first access that has to. */
TEST(answers_what_need_not_wait)
{
	const uint32_t one = 1;

	begin();
	enable();
	fake_gc->reg[FAKE_GC_IMMEDIATE / 4] = 0x1234;
	offer_read(FAKE_GC_IMMEDIATE);
	pcidev_answer(&dev);
	CHECK_EQ(answer(4), 0x1234);
	offer_read(BOARD_REGS_BASE + BOARD_MAGIC);
	pcidev_answer(&dev);
	CHECK_EQ(answer(4), BOARD_MAGIC_VALUE);
	offer(VIRTIO_PCIDEV_OP_MMIO_WRITE, 0, 4, BOARD_REGS_BASE + BOARD_DOORBELL, &one, 4, 0);
	pcidev_answer(&dev);
	CHECK(board_test_and_clear_doorbell(board));
	offer_read(FAKE_GC_IMMEDIATE + 4);
	pcidev_answer(&dev);
	CHECK_EQ(fake_gc->reads, 1);
	CHECK(vring_pending(dev.commands));
	pcidev_serve(&dev, 1);
	CHECK_EQ(fake_gc->reads, 2);
	offer(VIRTIO_PCIDEV_OP_MMIO_WRITE, 0, 4, FAKE_GC_IMMEDIATE, &one, 4, 0);
	pcidev_answer(&dev);
	CHECK_EQ(fake_gc->writes, 0);
	CHECK_EQ(pcidev_serve(&dev, 1), 1);
	CHECK_EQ(fake_gc->writes, 1);
}

static void answer_again(struct gc_core *gc, uint32_t offset, uint32_t value)
{
	offer_read(FAKE_GC_IMMEDIATE);
	pcidev_answer(&dev);
}

/* An access that has the core finish its work is not overtaken by those after it. */
TEST(answers_keep_the_order)
{
	begin();
	enable();
	fake_gc->on_write = answer_again;
	mmio_write(0x20, 4, 1);
	CHECK_EQ(fake_gc->reads, 0);
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
}

int main(void)
{
	int status = test_all();

	end();
	return status;
}
