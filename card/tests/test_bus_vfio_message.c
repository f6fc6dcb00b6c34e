// SPDX-License-Identifier: MIT
/* Checks of messages of vfio-user: each field at its limits. */
#include "tests/check.h"

#include <errno.h>
#include <linux/vfio.h>

#include "bus/vfio_message.h"

#define MAX_MESSAGE (sizeof(struct vfio_user_header) + VFIO_USER_PAYLOAD_BYTES)

/* QEMU 11.1 always sends room for this many writes (VFIO_USER_MULTI_MAX, hw/vfio-user/protocol.h). */
#define QEMU_WRITES 200u
#define QEMU_MULTI_BYTES (8 + QEMU_WRITES * sizeof(struct vfio_user_small_write))

static bool good_header(uint32_t size, uint32_t flags)
{
	const struct vfio_user_header header = { .size = size, .flags = flags };

	return !vfio_check_header(&header);
}

TEST(headers)
{
	CHECK(good_header(16, 0));
	CHECK(good_header(MAX_MESSAGE, VFIO_USER_NO_REPLY));
	CHECK(good_header(16 + QEMU_MULTI_BYTES, VFIO_USER_NO_REPLY));
	CHECK(!good_header(15, 0));
	CHECK(!good_header(0, 0));
	CHECK(!good_header(MAX_MESSAGE + 1, 0));
	CHECK(!good_header(UINT32_MAX, 0));
	CHECK(!good_header(16, VFIO_USER_REPLY));
	CHECK(!good_header(16, 2));
	CHECK(!good_header(16, VFIO_USER_ERROR));
	CHECK(!good_header(16, 0x80000000));
}

TEST(versions)
{
	CHECK_EQ(vfio_check_version("\0\0\0\0", 4), 0);
	CHECK_EQ(vfio_check_version("\0\0\1\0{}", 7), 0); /* with its final zero */
	CHECK_EQ(vfio_check_version("\0\0\0\0{}", 6), EINVAL);
	CHECK_EQ(vfio_check_version("\0\0\0", 3), EINVAL);
	CHECK_EQ(vfio_check_version("", 0), EINVAL);
	CHECK_EQ(vfio_check_version("\1\0\0\0", 4), EPROTONOSUPPORT);
	CHECK_EQ(vfio_check_version("\0\1\0\0", 4), EPROTONOSUPPORT);
}

#define MAP sizeof(struct vfio_user_dma_map)

TEST(maps)
{
	static const struct {
		const char *name;
		size_t bytes;
		unsigned int fds;
		struct vfio_user_dma_map map; /* argsz, flags, offset, address, size */
		int want;
	} cases[] = {
		{ "with a file", MAP, 1, { MAP, 3, 0x1000, 0x2000, 0x3000 }, 0 },
		{ "without one", MAP, 0, { MAP, 3, 0x1000, 0x2000, 0x3000 }, 0 },
		{ "two files", MAP, 2, { MAP, 3, 0x1000, 0x2000, 0x3000 }, EINVAL },
		{ "too short", MAP - 1, 1, { MAP, 3, 0x1000, 0x2000, 0x3000 }, EINVAL },
		{ "too long", MAP + 1, 1, { MAP, 3, 0x1000, 0x2000, 0x3000 }, EINVAL },
		{ "argsz", MAP, 1, { MAP - 1, 3, 0x1000, 0x2000, 0x3000 }, EINVAL },
		{ "flags", MAP, 1, { MAP, 4, 0x1000, 0x2000, 0x3000 }, EINVAL },
		{ "size 0", MAP, 1, { MAP, 3, 0x1000, 0x2000, 0 }, EINVAL },
		{ "half a page", MAP, 1, { MAP, 3, 0x1000, 0x2000, 0x800 }, EINVAL },
		{ "address", MAP, 1, { MAP, 3, 0x1000, 0x2800, 0x3000 }, EINVAL },
		{ "last address", MAP, 1, { MAP, 3, 0x1000, -0x3000ull, 0x3000 }, 0 },
		{ "past it", MAP, 1, { MAP, 3, 0x1000, -0x2000ull, 0x3000 }, EINVAL },
		{ "offset", MAP, 1, { MAP, 3, 0x1008, 0x2000, 0x3000 }, EINVAL },
		/* the file would end past its largest offset */
		{ "end", MAP, 1, { MAP, 3, INT64_MAX - 0x1fff, 0x2000, 0x3000 }, EINVAL },
		{ "negative offset", MAP, 1, { MAP, 3, 1ull << 63, 0x2000, 0x3000 }, EINVAL },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vfio_user_dma_map out;

		ROW("%s", cases[i].name);
		CHECK_EQ(vfio_check_dma_map(&cases[i].map, cases[i].bytes, cases[i].fds, &out),
			 cases[i].want);
	}
}

TEST(unmaps)
{
	struct vfio_user_dma_unmap unmap = { sizeof(unmap), 0, 0x1000, 0x1000 }, out;

	CHECK_EQ(vfio_check_dma_unmap(&unmap, sizeof(unmap), &out), 0);
	CHECK_EQ(out.address, 0x1000);
	CHECK_EQ(vfio_check_dma_unmap(&unmap, sizeof(unmap) - 1, &out), EINVAL);
	CHECK_EQ(vfio_check_dma_unmap(&unmap, sizeof(unmap) + 1, &out), EINVAL);
	unmap.flags = VFIO_USER_UNMAP_ALL;
	CHECK_EQ(vfio_check_dma_unmap(&unmap, sizeof(unmap), &out), EINVAL);
	unmap.address = unmap.size = 0;
	CHECK_EQ(vfio_check_dma_unmap(&unmap, sizeof(unmap), &out), 0);
	unmap.flags = 0;
	CHECK_EQ(vfio_check_dma_unmap(&unmap, sizeof(unmap), &out), EINVAL);
	unmap.flags = 4;
	CHECK_EQ(vfio_check_dma_unmap(&unmap, sizeof(unmap), &out), EINVAL);
	unmap.flags = VFIO_USER_UNMAP_DIRTY; /* of a migration */
	CHECK_EQ(vfio_check_dma_unmap(&unmap, sizeof(unmap), &out), ENOTSUP);
}

TEST(questions)
{
	struct vfio_user_device_info device = { .argsz = sizeof(device) };
	struct vfio_user_region_info region = { .argsz = sizeof(region), .index = 8 };
	struct vfio_user_irq_info irq = { .argsz = sizeof(irq), .index = 4 };
	uint32_t index;

	CHECK_EQ(vfio_check_device_info(&device, sizeof(device)), 0);
	CHECK_EQ(vfio_check_device_info(&device, sizeof(device) - 1), EINVAL);
	device.argsz--;
	CHECK_EQ(vfio_check_device_info(&device, sizeof(device)), EINVAL);
	CHECK_EQ(vfio_check_region_info(&region, sizeof(region), &index), 0);
	CHECK_EQ(index, 8);
	CHECK_EQ(vfio_check_region_info(&region, sizeof(region) - 1, &index), EINVAL);
	region.index = 9;
	CHECK_EQ(vfio_check_region_info(&region, sizeof(region), &index), EINVAL);
	CHECK_EQ(vfio_check_irq_info(&irq, sizeof(irq), &index), 0);
	CHECK_EQ(index, 4);
	CHECK_EQ(vfio_check_irq_info(&irq, sizeof(irq) - 1, &index), EINVAL);
	irq.index = 5;
	CHECK_EQ(vfio_check_irq_info(&irq, sizeof(irq), &index), EINVAL);
}

#define TRIGGER VFIO_IRQ_SET_ACTION_TRIGGER
#define NONE VFIO_IRQ_SET_DATA_NONE
#define BOOL VFIO_IRQ_SET_DATA_BOOL
#define EVENTFD VFIO_IRQ_SET_DATA_EVENTFD

/* A request with @extra bytes of data, to a function that has MSI and MSI-X. */
static int check_irq(uint32_t flags, uint32_t index, uint32_t start, uint32_t count, size_t extra,
		     unsigned int fds)
{
	struct {
		struct vfio_user_irq_set set;
		uint8_t data[8];
	} m = { { sizeof(m), flags, index, start, count }, { 0, 1 } };
	struct vfio_irq_request request;

	return vfio_check_irq_set(&m, sizeof(m.set) + extra, fds, true, &request);
}

TEST(interrupts)
{
	const uint32_t intx = VFIO_PCI_INTX_IRQ_INDEX, msix = VFIO_PCI_MSIX_IRQ_INDEX;

	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 0, 2, 0, 2), 0);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 1, 1, 0, 1), 0);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 0, 2, 0, 0), 0); /* removes both */
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 0, 2, 0, 1), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 0, 1, 0, 2), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 2, 1, 0, 1), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 1, 2, 0, 2), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, UINT32_MAX, 2, 0, 2), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 1, UINT32_MAX, 0, 2), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, msix, 0, 0, 0, 0), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, 5, 0, 1, 0, 1), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | EVENTFD, VFIO_PCI_ERR_IRQ_INDEX, 0, 1, 0, 1), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | NONE, msix, 0, 0, 0, 0), 0); /* ends the use of all */
	CHECK_EQ(check_irq(TRIGGER | NONE, msix, 1, 0, 0, 0), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | NONE, msix, 0, 2, 0, 1), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | BOOL, msix, 0, 2, 2, 0), 0);
	CHECK_EQ(check_irq(TRIGGER | BOOL, msix, 0, 2, 1, 0), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | BOOL, msix, 0, 2, 3, 0), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | NONE, msix, 0, 2, 1, 0), EINVAL);
	CHECK_EQ(check_irq(VFIO_IRQ_SET_ACTION_MASK | NONE, intx, 0, 1, 0, 0), 0);
	CHECK_EQ(check_irq(VFIO_IRQ_SET_ACTION_UNMASK | NONE, intx, 0, 1, 0, 0), 0);
	CHECK_EQ(check_irq(VFIO_IRQ_SET_ACTION_UNMASK | NONE, msix, 0, 1, 0, 0), EINVAL);
	CHECK_EQ(check_irq(VFIO_IRQ_SET_ACTION_UNMASK | NONE, intx, 0, 0, 0, 0), EINVAL);
	CHECK_EQ(check_irq(VFIO_IRQ_SET_ACTION_UNMASK | EVENTFD, intx, 0, 1, 0, 1), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | NONE | EVENTFD, intx, 0, 1, 0, 1), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | VFIO_IRQ_SET_ACTION_MASK | NONE, intx, 0, 1, 0, 0), EINVAL);
	CHECK_EQ(check_irq(TRIGGER, intx, 0, 1, 0, 0), EINVAL);
	CHECK_EQ(check_irq(NONE, intx, 0, 1, 0, 0), EINVAL);
	CHECK_EQ(check_irq(TRIGGER | NONE | 0x100, intx, 0, 1, 0, 0), EINVAL);
}

TEST(short_interrupts)
{
	struct vfio_user_irq_set set = { sizeof(set), TRIGGER | NONE, 0, 0, 1 };
	struct vfio_irq_request request;

	CHECK_EQ(vfio_check_irq_set(&set, sizeof(set), 0, true, &request), 0);
	CHECK_EQ(vfio_check_irq_set(&set, sizeof(set) - 1, 0, true, &request), EINVAL);
	set.argsz--;
	CHECK_EQ(vfio_check_irq_set(&set, sizeof(set), 0, true, &request), EINVAL);
	set.argsz++;
	set.index = VFIO_PCI_MSI_IRQ_INDEX;
	CHECK_EQ(vfio_check_irq_set(&set, sizeof(set), 0, true, &request), 0);
	CHECK_EQ(vfio_check_irq_set(&set, sizeof(set), 0, false, &request), EINVAL);
}

static int check_access(uint32_t region, uint64_t offset, uint32_t count, bool write, size_t data)
{
	struct {
		struct vfio_user_access access;
		uint8_t data[512];
	} m = { { offset, region, count }, { 0 } };
	struct vfio_user_access out;

	return vfio_check_access(&m, sizeof(m.access) + data, write, &out);
}

TEST(accesses)
{
	const uint32_t bar = VFIO_PCI_BAR0_REGION_INDEX, config = VFIO_PCI_CONFIG_REGION_INDEX;
	struct vfio_user_access out;

	CHECK_EQ(check_access(bar, 0, 4, false, 0), 0);
	CHECK_EQ(check_access(bar, 0, 4, true, 4), 0);
	CHECK_EQ(check_access(bar, BOARD_BAR0_BYTES - 8, 8, false, 0), 0);
	CHECK_EQ(check_access(bar, BOARD_BAR0_BYTES, 4, false, 0), EINVAL);
	CHECK_EQ(check_access(bar, UINT64_MAX - 3, 4, false, 0), EINVAL);
	CHECK_EQ(check_access(bar, 2, 4, false, 0), EINVAL); /* not aligned */
	CHECK_EQ(check_access(bar, 0, 3, false, 0), EINVAL);
	CHECK_EQ(check_access(bar, 0, 16, false, 0), EINVAL);
	CHECK_EQ(check_access(bar, 0, 0, false, 0), EINVAL);
	CHECK_EQ(check_access(bar, 0, UINT32_MAX, false, 0), EINVAL);
	CHECK_EQ(check_access(bar, 0, 4, true, 3), EINVAL);
	CHECK_EQ(check_access(bar, 0, 4, true, 5), EINVAL);
	CHECK_EQ(check_access(bar, 0, 4, false, 4), EINVAL);
	CHECK_EQ(check_access(config, 0, 256, false, 0), 0);
	CHECK_EQ(check_access(config, 0, 257, false, 0), EINVAL);
	CHECK_EQ(check_access(config, 252, 8, false, 0), EINVAL);
	CHECK_EQ(check_access(config, 3, 5, true, 5), 0);
	for (uint32_t region = 1; region < 12; region++)
		CHECK_EQ(check_access(region, 0, 4, false, 0), region == config ? 0 : EINVAL);
	CHECK_EQ(vfio_check_access("", 15, false, &out), EINVAL);
}

static struct {
	uint64_t count;
	struct vfio_user_small_write write[VFIO_USER_MULTI_WRITES + 1];
} multi;

static int check_multi(size_t writes)
{
	struct vfio_small_writes out;

	return vfio_check_small_writes(&multi, 8 + writes * sizeof(multi.write[0]), &out);
}

TEST(small_writes)
{
	struct vfio_small_writes out;

	multi.count = 2;
	for (unsigned int i = 0; i <= VFIO_USER_MULTI_WRITES; i++)
		multi.write[i].access = (struct vfio_user_access){ 4 * i, 0, 4 };
	CHECK_EQ(check_multi(2), 0);
	CHECK_EQ(check_multi(VFIO_USER_MULTI_WRITES), 0); /* room that is not used */
	multi.count = QEMU_WRITES;
	CHECK_EQ(vfio_check_small_writes(&multi, QEMU_MULTI_BYTES, &out), 0);
	CHECK_EQ(out.count, QEMU_WRITES);
	CHECK_EQ(out.write[QEMU_WRITES - 1].access.offset, 4 * (QEMU_WRITES - 1));
	multi.count = 2;
	CHECK_EQ(check_multi(VFIO_USER_MULTI_WRITES + 1), EINVAL);
	CHECK_EQ(check_multi(1), EINVAL);
	multi.write[1].access.offset = BOARD_BAR0_BYTES;
	CHECK_EQ(check_multi(2), EINVAL);
	multi.write[1].access = (struct vfio_user_access){ 0, VFIO_PCI_CONFIG_REGION_INDEX, 9 };
	CHECK_EQ(check_multi(2), EINVAL); /* more than the message's data */
	multi.count = VFIO_USER_MULTI_WRITES + 1;
	CHECK_EQ(check_multi(VFIO_USER_MULTI_WRITES), EINVAL);
	multi.count = UINT64_MAX / 24 + 2; /* times 24 wraps around */
	CHECK_EQ(check_multi(2), EINVAL);
	CHECK_EQ(vfio_check_small_writes(&multi, 7, &out), EINVAL);
	multi.count = 0;
	CHECK_EQ(check_multi(0), 0);
}

int main(void)
{
	return test_all();
}
