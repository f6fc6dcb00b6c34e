// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of register accesses through User-Mode Linux's virt-pci, with
 * the board registers of the virtual card at the other end. Each case fails on
 * a kernel without the patch of vm/patches it belongs to.
 */

#include <kunit/test.h>
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/vmalloc.h>

#define CARD_VENDOR		0x9234
#define CARD_DEVICE		0x5647
#define CARD_BOARD		0x20000

/* Offsets in the board's registers; all but the enable bits are constant. */
#define BOARD_MAGIC		0x0
#define BOARD_VERSION		0x4
#define BOARD_IRQ_ENABLE	0xc
#define BOARD_CONSTANTS		8 /* bytes of magic and version */
#define BOARD_MAGIC_VALUE	0x47565630

/* More than the command queue holds. */
#define BURST_WRITES		4096
#define BURSTS			16
#define RACING_READS		20000
#define TIMER_PERIOD_NS		(50 * NSEC_PER_USEC)

/**
 * struct card - the card under test
 * @pdev: its PCI function
 * @board: its board registers
 * @timer: its handler interrupts the test's accesses, and makes some of its own
 * @version: what the handler expects to read
 * @fired: how often the handler ran
 * @wrong: how often it read something else
 */
struct card {
	struct pci_dev *pdev;
	void __iomem *board;
	struct hrtimer timer;
	u32 version;
	unsigned int fired;
	unsigned int wrong;
};

static enum hrtimer_restart card_timer(struct hrtimer *timer)
{
	struct card *card = container_of(timer, struct card, timer);

	card->fired++;
	if (readl(card->board + BOARD_VERSION) != card->version)
		card->wrong++;

	hrtimer_forward_now(timer, ns_to_ktime(TIMER_PERIOD_NS));
	return HRTIMER_RESTART;
}

#ifdef HRTIMER_WITHOUT_SETUP
static void hrtimer_setup(struct hrtimer *timer,
			  enum hrtimer_restart (*function)(struct hrtimer *),
			  clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* Accesses of an interrupt handler between, and in the middle of, other accesses. */
static void virt_pci_interrupted(struct kunit *test)
{
	struct card *card = test->priv;
	u32 enable = readl(card->board + BOARD_IRQ_ENABLE);
	unsigned int i, wrong = 0;

	card->version = readl(card->board + BOARD_VERSION);
	hrtimer_setup(&card->timer, card_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hrtimer_start(&card->timer, ns_to_ktime(TIMER_PERIOD_NS),
		      HRTIMER_MODE_REL_HARD);

	for (i = 0; i < RACING_READS; i++) {
		writel(enable, card->board + BOARD_IRQ_ENABLE);
		if (readl(card->board + BOARD_MAGIC) != BOARD_MAGIC_VALUE)
			wrong++;
	}

	hrtimer_cancel(&card->timer);
	kunit_info(test, "%u accesses interrupted %u times", i, card->fired);
	KUNIT_EXPECT_GT(test, card->fired, 0);
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, card->wrong, 0);
}

/* More consecutive posted writes than the queue can hold. */
static void virt_pci_queue_full(struct kunit *test)
{
	struct card *card = test->priv;
	u32 enable = readl(card->board + BOARD_IRQ_ENABLE);
	unsigned int burst, i;

	for (burst = 0; burst < BURSTS; burst++) {
		for (i = 0; i < BURST_WRITES; i++)
			writel(0, card->board + BOARD_IRQ_ENABLE);
		writel(enable, card->board + BOARD_IRQ_ENABLE);
		KUNIT_EXPECT_EQ(test, readl(card->board + BOARD_IRQ_ENABLE),
				enable);
	}
}

static void virt_pci_memset_io(struct kunit *test)
{
	struct card *card = test->priv;
	u32 enable = readl(card->board + BOARD_IRQ_ENABLE);

	KUNIT_ASSERT_NE(test, enable, 0);
	memset_io(card->board + BOARD_IRQ_ENABLE, 0, sizeof(enable));
	KUNIT_EXPECT_EQ(test, readl(card->board + BOARD_IRQ_ENABLE), 0);
	memset_io(card->board + BOARD_IRQ_ENABLE, 0xff, sizeof(enable));
	KUNIT_EXPECT_EQ(test, readl(card->board + BOARD_IRQ_ENABLE), enable);
}

/* Copies to memory that the card cannot reach. */
static void virt_pci_memcpy_fromio(struct kunit *test)
{
	static u32 in_module[BOARD_CONSTANTS / sizeof(u32)];
	struct card *card = test->priv;
	u32 *mapped = vmalloc(BOARD_CONSTANTS);
	u32 expected[] = {
		readl(card->board + BOARD_MAGIC),
		readl(card->board + BOARD_VERSION),
	};
	u32 on_stack[ARRAY_SIZE(expected)];

	KUNIT_ASSERT_NOT_NULL(test, mapped);
	memcpy_fromio(mapped, card->board, BOARD_CONSTANTS);
	KUNIT_EXPECT_MEMEQ(test, mapped, expected, BOARD_CONSTANTS);
	vfree(mapped);

	memcpy_fromio(in_module, card->board, BOARD_CONSTANTS);
	KUNIT_EXPECT_MEMEQ(test, in_module, expected, BOARD_CONSTANTS);

	memcpy_fromio(on_stack, card->board, BOARD_CONSTANTS);
	KUNIT_EXPECT_MEMEQ(test, on_stack, expected, BOARD_CONSTANTS);
}

static void card_unmap(struct kunit *test)
{
	struct card *card = test->priv;

	if (card->board)
		iounmap(card->board);
	pci_disable_device(card->pdev);
	pci_dev_put(card->pdev);
}

static int card_map(struct kunit *test)
{
	struct card *card = kunit_kzalloc(test, sizeof(*card), GFP_KERNEL);
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, card);
	card->pdev = pci_get_device(CARD_VENDOR, CARD_DEVICE, NULL);
	if (!card->pdev)
		kunit_skip(test, "no virtual card in this machine");

	ret = pci_enable_device_mem(card->pdev);
	if (ret) {
		pci_dev_put(card->pdev);
		return ret;
	}

	test->priv = card;
	card->board = ioremap(pci_resource_start(card->pdev, 0) + CARD_BOARD,
			      PAGE_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, card->board);
	KUNIT_ASSERT_EQ(test, readl(card->board + BOARD_MAGIC),
			BOARD_MAGIC_VALUE);
	return 0;
}

static void card_exit(struct kunit *test)
{
	if (test->priv)
		card_unmap(test);
}

static struct kunit_case virt_pci_cases[] = {
	KUNIT_CASE(virt_pci_interrupted),
	KUNIT_CASE(virt_pci_queue_full),
	KUNIT_CASE(virt_pci_memset_io),
	KUNIT_CASE(virt_pci_memcpy_fromio),
	{ }
};

static struct kunit_suite virt_pci_suite = {
	.name = "vivgpu_virt_pci",
	.init = card_map,
	.exit = card_exit,
	.test_cases = virt_pci_cases,
};

kunit_test_suite(virt_pci_suite);

MODULE_DESCRIPTION("KUnit tests of virt-pci with the virtual Vivante card");
MODULE_LICENSE("GPL");
