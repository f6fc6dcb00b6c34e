// SPDX-License-Identifier: MIT
/* The transport of vfio-user: creation, the board's callbacks, the table of functions. */
#include "bus/vfio_user.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bus/vfio_internal.h"

/* Messages per turn of the event loop, and per callback within an operation of the core. */
#define MESSAGES_AT_ONCE 256u
#define MESSAGES_WITHIN 64u
/* Least interval of reads of the socket within an operation of the core: each is a system call. */
#define LOOK_INTERVAL_NS 5000u

/* ---- callbacks of the board ---- */

static void host_send_msi(void *ctx, unsigned int source)
{
	struct vfio_user *vu = ctx;

	vfio_irq_raise(&vu->irq, source);
}

static void host_yield(void *ctx)
{
	struct vfio_user *vu = ctx;

	if (!vu->gone && clock_now(vu->clock) - vu->looked_ns >= LOOK_INTERVAL_NS)
		vfio_receive(vu, MESSAGES_WITHIN, true);
}

static void host_die(void *ctx)
{
	vfio_disconnect(ctx, "the card was pulled");
}

static void host_print_statistics(void *ctx, board_emit_fn *emit, void *emit_ctx)
{
	const struct vfio_user *vu = ctx;

	emit(emit_ctx, "bus.guests", vu->statistics.guests);
	emit(emit_ctx, "bus.refused_guests", vu->statistics.refused_guests);
	emit(emit_ctx, "bus.messages", vu->statistics.messages);
	emit(emit_ctx, "bus.refused_messages", vu->statistics.refused);
	emit(emit_ctx, "bus.postponed_messages", vu->statistics.postponed);
	emit(emit_ctx, "bus.config_reads", vu->statistics.config_reads);
	emit(emit_ctx, "bus.config_writes", vu->statistics.config_writes);
	emit(emit_ctx, "bus.reads", vu->statistics.reads);
	emit(emit_ctx, "bus.writes", vu->statistics.writes);
	emit(emit_ctx, "bus.bytes_read", vu->statistics.bytes_read);
	emit(emit_ctx, "bus.bytes_written", vu->statistics.bytes_written);
	emit(emit_ctx, "bus.maps", vu->statistics.maps);
	emit(emit_ctx, "bus.unmaps", vu->statistics.unmaps);
	emit(emit_ctx, "bus.resets", vu->statistics.resets);
	emit(emit_ctx, "bus.intx_sent", vu->irq.statistics.intx);
	emit(emit_ctx, "bus.intx_unmasked", vu->irq.statistics.unmasked);
	emit(emit_ctx, "bus.intx_again", vu->irq.statistics.again);
	emit(emit_ctx, "bus.msi_sent", vu->irq.statistics.msi + vu->irq.statistics.msix);
	emit(emit_ctx, "bus.msi_off", vu->irq.statistics.dropped);
}

static void host_clear_statistics(void *ctx)
{
	struct vfio_user *vu = ctx;

	memset(&vu->statistics, 0, sizeof(vu->statistics));
	memset(&vu->irq.statistics, 0, sizeof(vu->irq.statistics));
}

/*
 * There is no answer(): messages of vfio_may_interrupt() access any register, and not only those of
 * board_is_immediate().
 */
static struct board_host get_host(struct bus *base)
{
	return (struct board_host){
		.ctx = vfio_user_of(base),
		.send_msi = host_send_msi,
		.yield = host_yield,
		.die = host_die,
		.print_statistics = host_print_statistics,
		.clear_statistics = host_clear_statistics,
	};
}

/* ---- functions of the transport ---- */

static bool interrupt_level(void *ctx)
{
	const struct vfio_user *vu = ctx;

	return board_interrupt_level(vu->board);
}

static const struct guest_memory *get_memory(const struct bus *base)
{
	return &vfio_user_of(base)->memory.guest;
}

static void attach(struct bus *base, struct board *board)
{
	vfio_user_of(base)->board = board;
}

static unsigned int poll_fds(const struct bus *base, struct pollfd *fds)
{
	const struct vfio_user *vu = vfio_user_of(base);

	fds[0] = (struct pollfd){ .fd = vu->options.listener, .events = POLLIN };
	return bus_devices_poll_fds(&vu->devices, fds, bus_add_fd(fds, 1, vu->fd));
}

/* The end of the connection counts as work, so that the loop notices it before it sleeps. */
static bool serve(struct bus *base)
{
	struct vfio_user *vu = vfio_user_of(base);
	unsigned int executed = vfio_receive(vu, MESSAGES_AT_ONCE, false);
	bool ended = vu->gone;

	vfio_clean_up(vu);
	return executed || ended;
}

/* Whether the client has closed the connection; messages of it may still wait. */
static bool hung_up(const struct vfio_user *vu)
{
	struct pollfd fd = { .fd = vu->fd };

	return vu->fd >= 0 && poll(&fd, 1, 0) > 0 && fd.revents & POLLHUP;
}

static void dispatch_one(struct vfio_user *vu, int fd)
{
	if (fd == vu->fd)
		serve(&vu->bus);
	else
		bus_devices_dispatch(&vu->devices, fd);
}

/* A client that comes after one that has hung up waits until that one is cleaned up. */
static void dispatch(struct bus *base, const struct pollfd *fds, unsigned int count)
{
	struct vfio_user *vu = vfio_user_of(base);

	for (unsigned int i = 0; i < count; i++) {
		if (!fds[i].revents)
			continue;
		if (fds[i].fd != vu->options.listener)
			dispatch_one(vu, fds[i].fd);
		else if (!hung_up(vu))
			vfio_accept(vu);
	}
	bus_devices_clean_up(&vu->devices, false);
}

static bool pending(const struct bus *base)
{
	const struct vfio_user *vu = vfio_user_of(base);
	struct pollfd fd = { .fd = vu->fd, .events = POLLIN };

	return vu->gone || vfio_has_message(vu) || (vu->fd >= 0 && poll(&fd, 1, 0) > 0);
}

/* The socket wakes the card in any case. */
static bool may_sleep(struct bus *base)
{
	return !pending(base);
}

static void wake(struct bus *base)
{
}

static bool finished(const struct bus *base)
{
	const struct vfio_user *vu = vfio_user_of(base);

	return vu->options.once && vu->had_guest && vu->fd < 0;
}

static void add_device(struct bus *base, struct bus_device *device)
{
	struct vfio_user *vu = vfio_user_of(base);

	bus_devices_add(&vu->devices, base, vu->clock, device, false);
}

static void call_device(struct bus_device *device, unsigned int ring)
{
	bus_device_check(device, vhost_user_call(&device->vhost, ring));
}

static void destroy(struct bus *base)
{
	struct vfio_user *vu = vfio_user_of(base);

	bus_devices_close(&vu->devices);
	vfio_close(vu);
	close(vu->options.listener);
	free(vu);
}

static const struct bus_operations operations = {
	.destroy = destroy,
	.host = get_host,
	.memory = get_memory,
	.attach = attach,
	.poll_fds = poll_fds,
	.dispatch = dispatch,
	.serve = serve,
	.pending = pending,
	.sleep = may_sleep,
	.wake = wake,
	.finished = finished,
	.add_device = add_device,
	.call_device = call_device,
};

struct bus *vfio_user_create(const struct vfio_user_options *options, struct card_clock *clock)
{
	struct vfio_user *vu = calloc(1, sizeof(*vu));

	if (!vu)
		return NULL;
	vu->bus.operations = &operations;
	vu->options = *options;
	vu->clock = clock;
	vu->fd = -1;
	vfio_irq_init(&vu->irq);
	vu->irq.config = &vu->config;
	vu->irq.level = interrupt_level;
	vu->irq.ctx = vu;
	vfio_power_on(vu);
	return &vu->bus;
}
