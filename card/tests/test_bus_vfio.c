// SPDX-License-Identifier: MIT
/*
 * The bus of vfio-user with a client: requests, memory, connections, further devices, and the loop;
 * interrupts: test_bus_vfio_irq.c.
 */
#include "tests/vfio_client.h"

#include "loop.h"
#include "tests/front_end.h"

#define BAR VFIO_PCI_BAR0_REGION_INDEX
#define CONFIG VFIO_PCI_CONFIG_REGION_INDEX
#define INTX VFIO_PCI_INTX_IRQ_INDEX
#define MSIX VFIO_PCI_MSIX_IRQ_INDEX
#define RW (VFIO_USER_DMA_READABLE | VFIO_USER_DMA_WRITEABLE)

/* ---- negotiation ---- */

TEST(version)
{
	plug_in(false, false);
	connect_client();
	CHECK_EQ(send_version(VFIO_USER_MAJOR), 0);
	CHECK(!memcmp(reply.payload, "\0\0\0\0", 4));
	CHECK_EQ(reply.payload[reply.bytes - 1], 0);
	CHECK(strstr((char *)reply.payload + 4, "\"max_data_xfer_size\":4096"));
	CHECK(!strstr((char *)reply.payload + 4, "migration"));
	CHECK_EQ(send_version(VFIO_USER_MAJOR), EINVAL); /* only once */
	CHECK(!dropped());
	unplug();
}

TEST(wrong_beginnings_are_dropped)
{
	const struct vfio_user_device_info info = { .argsz = sizeof(info) };

	plug_in(false, false);
	connect_client();
	CHECK_EQ(send_version(1), EPROTONOSUPPORT);
	CHECK(dropped());
	leave();
	connect_client();
	CHECK_EQ(ask(VFIO_USER_DEVICE_GET_INFO, &info, sizeof(info)), EINVAL);
	CHECK(dropped());
	leave();
	connect_client();
	CHECK_EQ(send(client, "GET / HTTP/1.1\r\n\r\n", 18, 0), 18);
	CHECK(dropped());
	leave();
	CHECK(join());
	unplug();
}

TEST(infos)
{
	struct vfio_user_device_info device = { .argsz = sizeof(device) };
	struct vfio_user_region_info region = { .argsz = sizeof(region) };
	struct vfio_user_irq_info irq = { .argsz = sizeof(irq) };
	const uint32_t irqs[] = { 1, 1, 2, 0, 0 }; /* INTx, MSI, MSI-X, ERR, REQ */

	begin(false);
	CHECK_EQ(ask(VFIO_USER_DEVICE_GET_INFO, &device, sizeof(device)), 0);
	memcpy(&device, reply.payload, sizeof(device));
	CHECK_EQ(device.flags, VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET);
	CHECK_EQ(device.regions, VFIO_PCI_NUM_REGIONS);
	CHECK_EQ(device.irqs, VFIO_PCI_NUM_IRQS);
	for (uint32_t i = 0; i < VFIO_PCI_NUM_REGIONS; i++) {
		region = (struct vfio_user_region_info){ .argsz = sizeof(region), .index = i };
		CHECK_EQ(ask(VFIO_USER_DEVICE_GET_REGION_INFO, &region, sizeof(region)), 0);
		memcpy(&region, reply.payload, sizeof(region));
		CHECK_EQ(region.index, i);
		CHECK_EQ(region.size, i == BAR ? 0x40000 : i == CONFIG ? 256 : 0);
		CHECK(!(region.flags & VFIO_REGION_INFO_FLAG_MMAP));
	}
	for (uint32_t i = 0; i < VFIO_PCI_NUM_IRQS; i++) {
		irq.index = i;
		CHECK_EQ(ask(VFIO_USER_DEVICE_GET_IRQ_INFO, &irq, sizeof(irq)), 0);
		memcpy(&irq, reply.payload, sizeof(irq));
		CHECK_EQ(irq.count, irqs[i]);
		CHECK_EQ(!!(irq.flags & VFIO_IRQ_INFO_AUTOMASKED), i == INTX);
	}
	unplug();
}

/* Requests of migrations, and all others that the card does not have. */
TEST(unsupported_requests)
{
	const uint8_t payload[32] = { 0 };

	begin(false);
	CHECK_EQ(ask(VFIO_USER_DIRTY_PAGES, payload, 32), ENOTSUP);
	CHECK_EQ(ask(VFIO_USER_DEVICE_GET_REGION_IO_FDS, payload, 32), ENOTSUP);
	CHECK_EQ(ask(VFIO_USER_DMA_READ, payload, 32), ENOTSUP);
	CHECK_EQ(ask(16, payload, 32), ENOTSUP); /* DEVICE_FEATURE, with which migrations begin */
	CHECK_EQ(ask(0, payload, 0), ENOTSUP);
	CHECK_EQ(ask(UINT16_MAX, payload, 0), ENOTSUP);
	CHECK(!dropped());
	unplug();
}

/* ---- accesses ---- */

TEST(registers)
{
	uint64_t wide;
	uint8_t byte;

	begin(false);
	CHECK_EQ(read_register(BOARD_REGS_BASE), 0xffffffff); /* does not decode memory yet */
	enable_memory();
	CHECK_EQ(read_register(BOARD_REGS_BASE), BOARD_MAGIC_VALUE);
	write_register(0x44, 0x12345678);
	CHECK_EQ(fake_gc->reg[0x11], 0x12345678);
	CHECK_EQ(region_read(BAR, BOARD_REGS_BASE, 8, &wide), 0);
	CHECK_EQ(wide, (uint64_t)BOARD_VERSION_VALUE << 32 | BOARD_MAGIC_VALUE);
	CHECK_EQ(region_read(BAR, BOARD_REGS_BASE + 1, 1, &byte), 0);
	CHECK_EQ(byte, (uint8_t)(BOARD_MAGIC_VALUE >> 8));
	CHECK_EQ(region_read(BAR, BOARD_REGS_BASE + 2, 4, &wide), EINVAL);
	CHECK_EQ(region_read(BAR, BOARD_BAR0_BYTES, 4, &wide), EINVAL);
	CHECK(!dropped());
	unplug();
}

TEST(posted_writes)
{
	struct {
		uint64_t count;
		struct vfio_user_small_write write[3];
	} multi = { .count = 3 };
	struct {
		struct vfio_user_access access;
		uint32_t value;
	} write = { { 0x80, BAR, 4 }, 7 };

	begin(false);
	enable_memory();
	CHECK(send_raw(VFIO_USER_REGION_WRITE, VFIO_USER_NO_REPLY, 20, &write, 20, NULL, 0));
	turn();
	CHECK_EQ(receive_reply(VFIO_USER_REGION_WRITE), NO_REPLY_CAME);
	CHECK_EQ(fake_gc->reg[0x20], 7);
	for (unsigned int i = 0; i < 3; i++) {
		multi.write[i].access = (struct vfio_user_access){ 0x100 + 4 * i, BAR, 4 };
		multi.write[i].data[0] = 0x20 + i;
	}
	CHECK(send_raw(VFIO_USER_REGION_WRITE_MULTI, VFIO_USER_NO_REPLY, sizeof(multi), &multi,
		       sizeof(multi), NULL, 0));
	turn();
	CHECK_EQ(fake_gc->reg[0x42], 0x22);
	multi.write[0].data[0] = 0x99;
	multi.write[2].access.offset = BOARD_BAR0_BYTES;
	CHECK_EQ(ask(VFIO_USER_REGION_WRITE_MULTI, &multi, sizeof(multi)), EINVAL);
	CHECK_EQ(fake_gc->reg[0x40], 0x20); /* none of them was executed */
	unplug();
}

TEST(configuration_space)
{
	uint8_t all[PCI_CONFIG_BYTES];

	begin(false);
	CHECK_EQ(region_read(CONFIG, 0, sizeof(all), all), 0);
	CHECK_EQ(all[PCI_VENDOR_ID] | all[PCI_VENDOR_ID + 1] << 8, BOARD_PCI_VENDOR);
	CHECK_EQ(read_config(PCI_DEVICE_ID, 2), BOARD_PCI_DEVICE);
	CHECK_EQ(read_config(PCI_INTERRUPT_PIN, 1), 1);
	CHECK_EQ(read_config(PCI_CAP_MSIX, 1), PCI_CAP_ID_MSIX);
	CHECK_EQ(read_config(PCI_WINDOW_DATA, 4), BOARD_MAGIC_VALUE);
	write_config(PCI_BASE_ADDRESS_0, 4, 0xffffffff);
	CHECK_EQ(read_config(PCI_BASE_ADDRESS_0, 4), 0xfffc0000);
	CHECK_EQ(region_read(CONFIG, 250, 8, all), EINVAL);
	unplug();
}

static bool has_capability(uint8_t id)
{
	unsigned int at = read_config(PCI_CAPABILITY_LIST, 1);

	for (unsigned int i = 0; at && i < 16; i++) {
		if (read_config(at, 1) == id)
			return true;
		at = read_config(at + PCI_CAP_LIST_NEXT, 1);
	}
	return false;
}

TEST(platform_face)
{
	struct vfio_user_irq_info irq = { .argsz = sizeof(irq), .index = MSIX };
	int fd;

	begin(true);
	CHECK_EQ(read_config(PCI_VENDOR_ID, 4),
		 (uint32_t)BOARD_PCI_DEVICE_PLATFORM << 16 | BOARD_PCI_VENDOR);
	CHECK_EQ(read_config(PCI_CLASS_REVISION, 4) >> 8, BOARD_PCI_CLASS_PLATFORM);
	CHECK_EQ(read_config(PCI_INTERRUPT_PIN, 1), 1);
	CHECK(has_capability(PCI_CAP_ID_PM) && has_capability(PCI_CAP_ID_VNDR));
	CHECK(!has_capability(PCI_CAP_ID_MSI) && !has_capability(PCI_CAP_ID_MSIX));
	CHECK_EQ(ask(VFIO_USER_DEVICE_GET_IRQ_INFO, &irq, sizeof(irq)), 0);
	memcpy(&irq, reply.payload, sizeof(irq));
	CHECK_EQ(irq.count, 0);
	fd = new_eventfd();
	CHECK_EQ(set_eventfd(MSIX, 0, fd), EINVAL);
	/* has no effect: there is no such register */
	write_config(PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2, PCI_MSIX_FLAGS_ENABLE);
	CHECK_EQ(set_eventfd(INTX, 0, fd), 0);
	enable_memory();
	write_register(0, 1);
	CHECK_EQ(signals(fd), 1);
	close(fd);
	unplug();
}

/* ---- memory ---- */

TEST(memory_comes_and_goes)
{
	const struct guest_memory *memory;
	uint32_t value = 0x11223344;

	begin(false);
	memory = bus_memory(bus);
	CHECK(!guest_memory_at(memory, RAM_ADDRESS, 4));
	CHECK_EQ(map_ram(RAM_ADDRESS, 0x1000, 0x2000, RW, ram_fd), 0);
	CHECK_EQ(pwrite(ram_fd, &value, 4, 0x1100), 4);
	CHECK_EQ(*(uint32_t *)guest_memory_at(memory, RAM_ADDRESS + 0x100, 4), value);
	CHECK(!guest_memory_at(memory, RAM_ADDRESS + 0x1ffe, 4));
	CHECK_EQ(map_ram(RAM_ADDRESS + 0x1000, 0, 0x2000, RW, ram_fd), EEXIST);
	CHECK_EQ(map_ram(RAM_ADDRESS - 0x1000, 0, 0x10000, RW, ram_fd), EEXIST);
	CHECK_EQ(map_ram(RAM_ADDRESS + 0x2000, 0x8000, 0x1000, RW, ram_fd), 0);
	CHECK_EQ(unmap_ram(RAM_ADDRESS, 0x1000, 0), EINVAL); /* a part of a range */
	CHECK_EQ(unmap_ram(RAM_ADDRESS, 0x2000, 0), 0);
	CHECK_EQ(reply.bytes, sizeof(struct vfio_user_dma_unmap));
	CHECK(!guest_memory_at(memory, RAM_ADDRESS + 0x100, 4));
	CHECK(guest_memory_at(memory, RAM_ADDRESS + 0x2000, 0x1000));
	CHECK_EQ(unmap_ram(RAM_ADDRESS, 0x2000, 0), ENOENT);
	CHECK_EQ(unmap_ram(0, 0, VFIO_USER_UNMAP_ALL), 0);
	CHECK_EQ(memory->count, 0);
	unplug();
}

TEST(memory_that_cannot_be_mapped)
{
	int pipe_fds[2];

	begin(false);
	CHECK_EQ(pipe(pipe_fds), 0);
	CHECK_EQ(map_ram(0x1000, 0, RAM_BYTES + 0x1000, RW, ram_fd), EINVAL); /* beyond the file */
	CHECK_EQ(map_ram(0x1000, RAM_BYTES, 0x1000, RW, ram_fd), EINVAL);
	CHECK_EQ(map_ram(0x1000, 0, 0x1000, RW, pipe_fds[0]), EINVAL);
	CHECK_EQ(map_ram(0x1000, 0, 0x1000, RW, -1), 0); /* recorded, and empty */
	CHECK_EQ(map_ram(0x2000, 0, 0x1000, VFIO_USER_DMA_READABLE, ram_fd), 0);
	CHECK_EQ(bus_memory(bus)->count, 0);
	CHECK_EQ(map_ram(0x1000, 0, 0x1000, RW, ram_fd), EEXIST);
	CHECK_EQ(unmap_ram(0x1000, 0x2000, 0), 0); /* both */
	for (unsigned int i = 0; i < GUEST_MEMORY_REGIONS; i++)
		CHECK_EQ(map_ram(0x1000 * i, 0, 0x1000, RW, ram_fd), 0);
	CHECK_EQ(map_ram(0x1000000, 0, 0x1000, RW, ram_fd), ENOSPC);
	CHECK_EQ(unmap_ram(0x5000, 0x1000, 0), 0);
	CHECK_EQ(map_ram(0x1000000, 0, 0x1000, RW, ram_fd), 0);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	unplug();
}

/* ---- messages within an operation of the core ---- */

static uint32_t seen_regions;

/* An operation that takes time: the board lets the bus work meanwhile. */
static void long_operation(struct gc_core *gc)
{
	usleep(100);
	gc->host.yield(gc->host.ctx);
	seen_regions = bus_memory(bus)->count;
}

/*
 * Register accesses are executed within an operation, but memory stays where it is until its end,
 * and later messages wait behind.
 */
TEST(memory_stays_within_an_operation)
{
	const struct vfio_user_dma_unmap unmap = { sizeof(unmap), 0, RAM_ADDRESS, RAM_BYTES };
	struct {
		struct vfio_user_access access;
		uint32_t value;
	} write = { { 0x80, BAR, 4 }, 7 };

	begin(false);
	enable_memory();
	CHECK_EQ(map_ram(RAM_ADDRESS, 0, RAM_BYTES, RW, ram_fd), 0);
	fake_gc->on_run = long_operation;
	CHECK(send_raw(VFIO_USER_REGION_WRITE, VFIO_USER_NO_REPLY, 20, &write, 20, NULL, 0));
	CHECK(send_raw(VFIO_USER_DMA_UNMAP, 0, sizeof(unmap), &unmap, sizeof(unmap), NULL, 0));
	gc_run(board_gc(board));
	CHECK_EQ(fake_gc->reg[0x20], 7);
	CHECK_EQ(seen_regions, 1);
	CHECK(bus_pending(bus) && !bus_sleep(bus)); /* though nothing is left in the socket */
	CHECK_EQ(receive_reply(VFIO_USER_DMA_UNMAP), NO_REPLY_CAME);
	CHECK(bus_serve(bus));
	CHECK_EQ(receive_reply(VFIO_USER_DMA_UNMAP), 0);
	CHECK_EQ(bus_memory(bus)->count, 0);
	CHECK(!bus_pending(bus) && bus_sleep(bus));
	unplug();
}

/* ---- reset and connections ---- */

TEST(device_reset)
{
	int fd = new_eventfd();

	begin(false);
	enable_memory();
	CHECK_EQ(set_eventfd(INTX, 0, fd), 0);
	CHECK_EQ(map_ram(RAM_ADDRESS, 0, RAM_BYTES, RW, ram_fd), 0);
	CHECK_EQ(ask(VFIO_USER_DEVICE_RESET, "", 0), 0);
	CHECK_EQ(fake_gc->resets, 1);
	CHECK_EQ(read_config(PCI_COMMAND, 2), 0);
	CHECK_EQ(bus_memory(bus)->count, 1); /* it belongs to the connection */
	enable_memory();
	write_register(0, 1);
	CHECK_EQ(signals(fd), 1); /* and so do eventfds */
	close(fd);
	unplug();
}

TEST(second_client_is_refused)
{
	int first;

	begin(false);
	first = client;
	connect_client();
	CHECK(dropped());
	close(client);
	client = first;
	enable_memory();
	CHECK_EQ(read_register(BOARD_REGS_BASE), BOARD_MAGIC_VALUE);
	unplug();
}

/* One that comes when the first has gone, but the card has not noticed it, waits and is served. */
TEST(next_client_is_not_refused)
{
	begin(false);
	close(client);
	client = unix_socket_connect(socket_path);
	turn();
	turn();
	CHECK_EQ(send_version(VFIO_USER_MAJOR), 0);
	unplug();
}

/* Nothing of a client is left for the next. */
TEST(clients_come_and_go)
{
	plug_in(false, false);
	for (unsigned int i = 0; i < 20; i++) {
		int fd = new_eventfd();

		CHECK(join());
		CHECK_EQ(read_config(PCI_COMMAND, 2), 0);
		CHECK_EQ(bus_memory(bus)->count, 0);
		enable_memory();
		CHECK_EQ(map_ram(RAM_ADDRESS, 0, RAM_BYTES, RW, ram_fd), 0);
		CHECK_EQ(set_eventfd(INTX, 0, fd), 0);
		close(fd);
		leave();
		CHECK_EQ(fake_gc->resets, i + 1);
	}
	CHECK(!bus_finished(bus));
	unplug();
}

TEST(once)
{
	plug_in(false, true);
	connect_client(); /* one that does not negotiate is no guest */
	leave();
	CHECK(!bus_finished(bus));
	CHECK(join());
	CHECK(!bus_finished(bus));
	leave();
	CHECK(bus_finished(bus));
	unplug();
}

TEST(messages_in_pieces)
{
	const struct vfio_user_access access = { PCI_VENDOR_ID, CONFIG, 2 };
	uint8_t message[sizeof(struct vfio_user_header) + sizeof(access)];
	const struct vfio_user_header header = { 77, VFIO_USER_REGION_READ, sizeof(message), 0, 0 };

	begin(false);
	memcpy(message, &header, sizeof(header));
	memcpy(message + sizeof(header), &access, sizeof(access));
	for (size_t i = 0; i < sizeof(message); i++) {
		CHECK_EQ(recv(client, message, 0, MSG_DONTWAIT), -1); /* no reply yet */
		CHECK_EQ(send(client, message + i, 1, 0), 1);
		turn();
	}
	next_id = 77;
	CHECK_EQ(receive_reply(VFIO_USER_REGION_READ), 0);
	CHECK_EQ(reply.payload[16] | reply.payload[17] << 8, BOARD_PCI_VENDOR);
	unplug();
}

/* The card does not block on a client that does not read its replies. */
TEST(replies_that_are_not_read)
{
	const struct vfio_user_access access = { 0, CONFIG, 256 };
	unsigned int sent = 0;

	begin(false);
	while (sent < 100000 && send_raw(VFIO_USER_REGION_READ, 0, sizeof(access), &access,
					 sizeof(access), NULL, 0)) {
		sent++;
		turn();
	}
	CHECK(sent < 100000);
	CHECK(dropped());
	unplug();
}

TEST(too_many_descriptors)
{
	int fds[16];

	begin(false);
	for (unsigned int i = 0; i < 16; i++)
		fds[i] = ram_fd;
	CHECK(send_raw(VFIO_USER_DMA_MAP, 0, 32, reply.payload, 32, fds, 16));
	CHECK(dropped());
	unplug();
}

TEST(pulled_card)
{
	char text[256];

	begin(false);
	board_control(board, "die", text, sizeof(text));
	CHECK(dropped());
	leave();
	CHECK(join());
	unplug();
}

/* ---- further devices ---- */

static unsigned int device_served, device_resets;

static void serve_device(void *ctx)
{
	device_served++;
}

static void reset_device(void *ctx)
{
	device_resets++;
}

/* A device has a vhost-user socket of its own, is served after a kick, and is reset with the guest. */
TEST(further_device)
{
	static struct bus_device device = { .name = "device",
					    .serve = serve_device,
					    .reset = reset_device };
	const uint64_t ring = 0, one = 1;
	const char *problem;
	char path[80];
	int fd, kick = new_eventfd();

	begin(false);
	snprintf(path, sizeof(path), "%s.device", socket_path);
	device.listener = unix_socket_listen(path, &problem);
	bus_add_device(bus, &device);
	fd = unix_socket_connect(path);
	turn();
	CHECK(front_send_raw(fd, VHOST_USER_SET_VRING_KICK, VHOST_USER_VERSION, sizeof(ring), &ring,
			     sizeof(ring), &kick, 1));
	turn();
	CHECK_EQ(write(kick, &one, sizeof(one)), sizeof(one));
	CHECK_EQ(device_served, 0);
	turn();
	CHECK_EQ(device_served, 1);
	bus_wake_device(&device);
	turn();
	CHECK_EQ(device_served, 2);
	leave();
	CHECK_EQ(device_resets, 1);
	CHECK(!vhost_user_is_open(&device.vhost));
	unplug();
	unlink(path);
	close(fd);
	close(kick);
}

/* A device that breaks the protocol is closed; the guest stays. */
TEST(device_with_wrong_message)
{
	static struct bus_device device = { .name = "device",
					    .serve = serve_device,
					    .reset = reset_device };
	const struct vhost_user_header header = { VHOST_USER_GET_FEATURES, 77, 0 };
	const char *problem;
	char path[80];
	int fd;

	begin(false);
	device_resets = 0;
	snprintf(path, sizeof(path), "%s.device", socket_path);
	device.listener = unix_socket_listen(path, &problem);
	bus_add_device(bus, &device);
	fd = unix_socket_connect(path);
	turn();
	CHECK(vhost_user_is_open(&device.vhost));
	CHECK_EQ(write(fd, &header, sizeof(header)), sizeof(header));
	turn();
	CHECK(!vhost_user_is_open(&device.vhost));
	CHECK_EQ(device_resets, 1);
	CHECK(!dropped());
	unplug();
	unlink(path);
	close(fd);
}

/* ---- the loop ---- */

/* The loop with this bus, which has no functions of virtual time; ends with the client, by once. */
TEST(loop_serves_the_bus)
{
	static volatile sig_atomic_t stop;
	struct control_server control;
	struct loop loop;

	plug_in(false, true);
	control_server_init(&control, -1);
	loop = (struct loop){ .clock = cal,
			      .bus = bus,
			      .board = board,
			      .control = &control,
			      .poll_ns = 1000000,
			      .stop = &stop };
	loop_init(&loop);
	CHECK(join());
	CHECK(send_raw(VFIO_USER_DEVICE_RESET, 0, 0, "", 0, NULL, 0));
	while (!fake_gc->resets)
		CHECK(loop_turn(&loop));
	CHECK_EQ(receive_reply(VFIO_USER_DEVICE_RESET), 0);
	close(client);
	client = -1;
	loop_run(&loop);
	CHECK(bus_finished(bus));
	unplug();
}

int main(void)
{
	int status;

	if (!make_folder())
		return 1;
	status = test_all();
	rmdir(folder);
	return status;
}
