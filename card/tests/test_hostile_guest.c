// SPDX-License-Identifier: MIT
/*
 * Random actions of a hostile guest on a whole card: bus, board and real core. Checks that
 * the card does not crash, stays inside guest memory (sanitizers), and works for the next,
 * valid guest, and that the actions reached all parts of the card (wanted_figures).
 */
#include "tests/check.h"
#include "tests/front_end.h"
#include "tests/fuzz.h"

#include <linux/pci_regs.h>
#include <linux/virtio_pcidev.h>
#include <poll.h>

#include "board/board.h"
#include "bus/pci_config.h"
#include "bus/uml.h"
#include "bus/unix_socket.h"
#include "gc/registers.h"
#include "hw/cmdstream.xml.h"
#include "hw/state.xml.h"

#define GUESTS 40
#define ACTIONS 400

static char path[64];
static struct card_clock *cal;
static struct bus *bus;
static struct board *board;
static struct front_end front;

static void plug_in(const char *personality)
{
	const struct gc_options options = { .poll_ns = 1000 };
	struct uml_bus_options bus_options = { .time_listener = -1 };
	struct board_host host;
	const char *problem;

	bus_options.listener = unix_socket_listen(path, &problem);
	cal = clock_create(false);
	bus = uml_bus_create(&bus_options, cal);
	host = bus_host(bus);
	board = board_create(&host, cal, bus_memory(bus), gc_personality_find(personality),
			     &options);
	bus_attach(bus, board);
}

static void unplug(void)
{
	board_destroy(board);
	bus_destroy(bus);
	clock_destroy(cal);
	unlink(path);
}

/* One iteration of the card's loop. */
static void turn(void)
{
	struct pollfd fds[BUS_FDS];
	unsigned int count = bus_poll_fds(bus, fds);

	if (poll(fds, count, 0) > 0)
		bus_dispatch(bus, fds, count);
	bus_serve(bus);
	clock_run_due(cal);
	gc_run(board_gc(board));
}

static uint64_t ask(uint32_t request, const void *payload, uint32_t size, const int *fds,
		    unsigned int count)
{
	front_send(&front, request, payload, size, fds, count);
	turn();
	return front_answer(&front, request);
}

static void set_up_ring(uint32_t index)
{
	struct front_addresses a = front_ring_addresses(index);

	ask(VHOST_USER_SET_VRING_NUM, (uint32_t[]){ index, RING_SIZE }, 8, NULL, 0);
	ask(VHOST_USER_SET_VRING_BASE, (uint32_t[]){ index, 0 }, 8, NULL, 0);
	ask(VHOST_USER_SET_VRING_ADDR, &a, sizeof(a), NULL, 0);
	ask(VHOST_USER_SET_VRING_ENABLE, (uint32_t[]){ index, 1 }, 8, NULL, 0);
}

static void connect_guest(void)
{
	const uint64_t features = VHOST_USER_P_REPLY_ACK;
	struct front_memory table = front_memory_table();

	front_init(&front, unix_socket_connect(path));
	turn();
	front_send_raw(front.fd, VHOST_USER_SET_PROTOCOL_FEATURES, VHOST_USER_VERSION, 8, &features,
		       8, NULL, 0);
	ask(VHOST_USER_SET_MEM_TABLE, &table, sizeof(table), &front.memory_fd, 1);
	set_up_ring(0);
	set_up_ring(1);
}

static void disconnect_guest(void)
{
	front_close(&front);
	turn();
	turn();
}

/* Offer a command whose message and descriptors are well-formed. */
static void command(uint8_t op, uint32_t size, uint64_t address, uint64_t data)
{
	struct virtio_pcidev_msg *msg = ring_data(&front.ring[0], 0);

	*msg = (struct virtio_pcidev_msg){ .op = op, .size = size, .addr = address };
	memcpy(msg->data, &data, sizeof(data));
	ring_describe(&front.ring[0], 0, sizeof(*msg) + sizeof(data), VRING_DESC_NEXT, 1);
	ring_describe(&front.ring[0], 1, 64, VRING_DESC_WRITE, 0);
	ring_offer(&front.ring[0], 0);
}

/* ---- actions of a hostile guest ---- */

static void write_core(void)
{
	/* registers with effects, of HI, PM, the MMUs, MC and FE */
	static const uint16_t popular[] = { 0x000, 0x00c, 0x010, 0x014, 0x100, 0x104,
					    0x10c, 0x184, 0x18c, 0x400, 0x410, 0x414,
					    0x470, 0x478, 0x654, 0x658, 0x65c, 0x660 };
	uint32_t offset = fuzz_below(2) ? popular[fuzz_below(sizeof(popular) / sizeof(popular[0]))]
					: fuzz_below(0x10000) & ~3u;
	uint32_t value = fuzz_below(3) ? fuzz_u32() : GUEST_ADDRESS + fuzz_below(GUEST_BYTES);

	if (offset == VIVS_FE_COMMAND_CONTROL)
		value |= VIVS_FE_COMMAND_CONTROL_ENABLE;
	command(VIRTIO_PCIDEV_OP_MMIO_WRITE, 4, offset, value);
}

static void access_anywhere(void)
{
	command(fuzz_below(9), fuzz_below(4) ? 1u << fuzz_below(4) : fuzz_below(300),
		fuzz_below(4) ? fuzz_below(BOARD_BAR0_BYTES) : fuzz_u32() * 0x100000001ull,
		fuzz_u32() * 0x100000001ull);
}

static void access_config(void)
{
	command(fuzz_below(2) ? VIRTIO_PCIDEV_OP_CFG_READ : VIRTIO_PCIDEV_OP_CFG_WRITE,
		1u << fuzz_below(4), fuzz_below(0x108), fuzz_u32());
}

static void enable_device(void)
{
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_COMMAND,
		PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
	turn();
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_CAP_PM + PCI_PM_CTRL, 0);
	turn();
	command(VIRTIO_PCIDEV_OP_CFG_WRITE, 2, PCI_CAP_MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_ENABLE);
}

static void spoil_ring(void)
{
	struct test_ring *ring = &front.ring[fuzz_below(2)];

	for (unsigned int i = fuzz_below(8); i; i--)
		ring->base[fuzz_below(RING_USED + 256)] = fuzz_u32();
	if (fuzz_below(2))
		ring_offer(ring, fuzz_below(RING_SIZE));
}

static void spoil_descriptor(void)
{
	struct test_ring *ring = &front.ring[fuzz_below(2)];

	ring->desc[fuzz_below(RING_SIZE)] =
		(struct vring_desc){ fuzz_below(2) ? GUEST_ADDRESS + fuzz_below(GUEST_BYTES)
						   : fuzz_u32() * 0x100000001ull,
				     fuzz_below(2) ? fuzz_below(5000) : fuzz_u32(), fuzz_below(8),
				     fuzz_below(RING_SIZE + 1) };
	ring_offer(ring, fuzz_below(RING_SIZE));
}

static void give_interrupt_buffers(void)
{
	for (unsigned int i = 0; i < 10; i++) {
		ring_describe(&front.ring[1], i, 20, VRING_DESC_WRITE, 0);
		ring_offer(&front.ring[1], i);
	}
}

static void send_some_message(void)
{
	uint32_t payload[16];

	for (unsigned int i = 0; i < 16; i++)
		payload[i] = fuzz_below(2) ? fuzz_below(3) : fuzz_u32();
	/* 8: VHOST_USER_NEED_REPLY */
	front_send_raw(front.fd, fuzz_below(VHOST_USER_REQUESTS),
		       VHOST_USER_VERSION | fuzz_below(2) * 8, fuzz_below(64), payload,
		       fuzz_below(64), &front.memory_fd, fuzz_below(2));
}

static void fill_data(void)
{
	uint32_t *words = ring_data(&front.ring[fuzz_below(2)], fuzz_below(RING_SIZE));

	for (unsigned int i = 0; i < RING_DATA_BYTES / 4; i++)
		words[i] = fuzz_below(3) ? fuzz_below(16) << 27 | fuzz_below(0x4000) : fuzz_u32();
}

static void write_register(uint32_t offset, uint32_t value)
{
	command(VIRTIO_PCIDEV_OP_MMIO_WRITE, 4, offset, value);
	turn();
}

/* A valid stream with an event, so that interrupts are raised. */
static void run_event(void)
{
	const uint32_t address = RING_DATA + 8 * RING_DATA_BYTES;
	uint32_t *words = (uint32_t *)(front.ring[0].base + address);

	words[0] = VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE | VIV_FE_LOAD_STATE_HEADER_COUNT(1) |
		   VIV_FE_LOAD_STATE_HEADER_OFFSET(VIVS_GL_EVENT >> 2);
	words[1] = VIVS_GL_EVENT_FROM_FE | fuzz_below(30);
	words[2] = VIV_FE_END_HEADER_OP_END;
	write_register(HI_CLOCK_CONTROL, 64u << HI_CLOCK_FSCALE_SHIFT | HI_CLOCK_FSCALE_LOAD);
	write_register(HI_INTR_ENABLE, UINT32_MAX);
	write_register(VIVS_FE_COMMAND_ADDRESS, GUEST_ADDRESS + address);
	write_register(VIVS_FE_COMMAND_CONTROL, VIVS_FE_COMMAND_CONTROL_ENABLE | 2);
}

static void mend_rings(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		memset(front.ring[i].base, 0, RING_DATA);
		set_up_ring(i);
	}
	enable_device();
}

static void act(void)
{
	static void (*const actions[])(void) = {
		write_core,       write_core,
		write_core,       write_core,
		access_anywhere,  access_anywhere,
		access_config,    spoil_ring,
		spoil_descriptor, give_interrupt_buffers,
		fill_data,        run_event,
		mend_rings,
	};

	if (fuzz_below(100) == 0)
		send_some_message();
	else
		actions[fuzz_below(sizeof(actions) / sizeof(actions[0]))]();
	for (unsigned int i = fuzz_below(3); i; i--)
		turn();
}

/* The next, valid guest reads the magic. */
static bool works(void)
{
	uint32_t magic = 0;

	connect_guest();
	enable_device();
	turn();
	command(VIRTIO_PCIDEV_OP_MMIO_READ, 4, BOARD_REGS_BASE, 0);
	for (unsigned int i = 0; i < 5; i++)
		turn();
	memcpy(&magic, ring_data(&front.ring[0], 1), sizeof(magic));
	disconnect_guest();
	return magic == BOARD_MAGIC_VALUE;
}

/* Figures that are not zero after the guests, which have reached all parts of the card. */
static const char *const wanted_figures[] = {
	"bus.writes",       "bus.memsets",          "bus.bad_chains", "bus.bad_commands",
	"bus.broken_rings", "bus.refused_messages", "bus.msi_sent",   "board.bad_accesses",
	"gc.fe.commands",   "gc.hi.resets",
};

#define WANTED_FIGURES (sizeof(wanted_figures) / sizeof(wanted_figures[0]))

static void check_figure(void *ctx, const char *name, uint64_t value)
{
	bool *good = ctx;

	for (unsigned int i = 0; i < WANTED_FIGURES; i++) {
		if (value || strcmp(name, wanted_figures[i]) != 0)
			continue;
		printf("%s is zero\n", name);
		*good = false;
	}
}

static bool survives(const char *personality)
{
	uint64_t guests = fuzz_cases(GUESTS);
	bool good = true;

	plug_in(personality);
	for (uint64_t guest = 0; guest < guests && good; guest++) {
		fuzz_begin(guest);
		connect_guest();
		enable_device();
		for (unsigned int i = 0; i < ACTIONS; i++)
			act();
		disconnect_guest();
		good = works();
		if (!good)
			printf("after guest %" PRIu64 " the card does not work\n", guest);
	}
	board_print_statistics(board, check_figure, &good);
	unplug();
	return good;
}

TEST(gc3000_survives)
{
	CHECK(survives("gc3000"));
}

TEST(gc2000_survives)
{
	CHECK(survives("gc2000"));
}

int main(void)
{
	int status;
	char folder[] = "/tmp/vivgpu-test-XXXXXX";

	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/pci", folder);
	status = test_all();
	rmdir(folder);
	return status;
}
