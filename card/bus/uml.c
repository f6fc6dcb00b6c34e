// SPDX-License-Identifier: MIT
/*
 * The connection to a guest: its beginning, end and reset, callbacks of the board, further devices,
 * real and virtual time. See uml_internal.h for the other files.
 */
#include "bus/uml_internal.h"

#include <stdlib.h>
#include <unistd.h>

/* Commands per turn of the event loop. */
#define COMMANDS_AT_ONCE 256u
/* In virtual time the guest is stopped during a kick, so its ring cannot hold more. */
#define COMMANDS_PER_KICK VRING_MAX_SIZE
/*
 * Longest time for which the guest may run without a request, if no event is due before. A guest
 * that only computes comes back at this interval, so that control commands are executed.
 */
#define MAX_GUEST_RUN_NS 1000000000u

/* ---- callbacks of the board ---- */

static void flush_interrupts(struct uml_bus *bus)
{
	if (pcidev_flush_interrupts(&bus->pci))
		uml_call(bus, RING_INTERRUPTS);
}

/* In virtual time called by calendar events only (board/irq.c): it waits for the guest's answer. */
static void host_send_msi(void *ctx, unsigned int source)
{
	struct uml_bus *bus = ctx;

	pcidev_raise(&bus->pci, source); /* each source has a vector of its own */
	flush_interrupts(bus);
}

/* In virtual time the guest is stopped while the card works, so there are no new commands. */
static void host_yield(void *ctx)
{
	struct uml_bus *bus = ctx;

	if (!bus->virtual_time && vring_pending(&bus->vhost.ring[RING_COMMANDS]))
		pcidev_serve(&bus->pci, COMMANDS_AT_ONCE);
}

static void host_answer(void *ctx)
{
	struct uml_bus *bus = ctx;

	if (!bus->virtual_time && vring_pending(&bus->vhost.ring[RING_COMMANDS]))
		pcidev_answer(&bus->pci);
}

static void host_die(void *ctx)
{
	struct uml_bus *bus = ctx;

	if (vhost_user_is_open(&bus->vhost))
		uml_disconnect_guest(bus, "the card was pulled");
}

static void host_print_statistics(void *ctx, board_emit_fn *emit, void *emit_ctx)
{
	const struct uml_bus *bus = ctx;
	const struct pcidev_statistics *s = &bus->pci.statistics;

	emit(emit_ctx, "bus.guests", bus->guests);
	emit(emit_ctx, "bus.config_reads", s->config_reads);
	emit(emit_ctx, "bus.config_writes", s->config_writes);
	emit(emit_ctx, "bus.reads", s->reads);
	emit(emit_ctx, "bus.writes", s->writes);
	emit(emit_ctx, "bus.memsets", s->memsets);
	emit(emit_ctx, "bus.bytes_read", s->bytes_read);
	emit(emit_ctx, "bus.bytes_written", s->bytes_written);
	emit(emit_ctx, "bus.bad_chains", s->bad_chains);
	emit(emit_ctx, "bus.bad_commands", s->bad_commands);
	emit(emit_ctx, "bus.broken_rings", s->broken_rings);
	emit(emit_ctx, "bus.refused_messages", bus->vhost.refused);
	emit(emit_ctx, "bus.kicks", bus->vhost.kicks);
	emit(emit_ctx, "bus.calls", bus->vhost.calls);
	emit(emit_ctx, "bus.msi_sent", s->msi_sent);
	emit(emit_ctx, "bus.msi_off", s->msi_off);
	emit(emit_ctx, "bus.msi_merged", s->msi_merged);
	if (bus->virtual_time) {
		emit(emit_ctx, "time.runs", bus->time.runs);
		emit(emit_ctx, "time.updates", bus->time.updates);
	}
}

static void host_clear_statistics(void *ctx)
{
	struct uml_bus *bus = ctx;

	bus->pci.statistics = (struct pcidev_statistics){ 0 };
	bus->guests = 0;
	bus->vhost.refused = 0;
	bus->vhost.kicks = 0;
	bus->vhost.calls = 0;
	bus->time.runs = 0;
	bus->time.updates = 0;
}

struct board_host uml_host(struct bus *base)
{
	return (struct board_host){
		.ctx = uml_of(base),
		.send_msi = host_send_msi,
		.yield = host_yield,
		.answer = host_answer,
		.die = host_die,
		.print_statistics = host_print_statistics,
		.clear_statistics = host_clear_statistics,
	};
}

/* ---- kicks in virtual time ---- */

/* Calendar event: send notifications caused by a kick. */
static void notify(void *ctx)
{
	struct uml_bus *bus = ctx;

	if (bus->pulled)
		return;
	flush_interrupts(bus);
	if (pcidev_posted_backlog(&bus->pci))
		uml_call(bus, RING_COMMANDS);
}

/* Within the guest's kick, a message of vhost-user that it waits for: only in virtual time */
static void kicked(void *ctx, unsigned int ring)
{
	struct uml_bus *bus = ctx;

	if (ring == RING_COMMANDS)
		pcidev_serve(&bus->pci, COMMANDS_PER_KICK);
	if (bus->pulled)
		return;
	if (bus->pci.backlog_count || pcidev_posted_full(&bus->pci))
		clock_arm(bus->clock, &bus->notify_event, clock_now(bus->clock));
	if (bus->on_kick)
		bus->on_kick(bus->on_kick_ctx);
	uml_limit_guest(bus);
}

/* ---- further devices ---- */

static void device_kicked_in_band(void *ctx, unsigned int ring)
{
	struct bus_device *device = ctx;

	/* An event of the calendar, because in virtual time this is within the guest's kick. */
	bus_wake_device(device);
	uml_limit_guest(uml_of(device->bus));
}

void uml_add_device(struct bus *base, struct bus_device *device)
{
	struct uml_bus *bus = uml_of(base);

	bus_devices_add(&bus->devices, base, bus->clock, device, bus->virtual_time);
	device->vhost.on_kick = device_kicked_in_band;
}

/* ---- creation and reset ---- */

void uml_init(struct uml_bus *bus, const struct uml_bus_options *options, struct card_clock *clock)
{
	bus->options = *options;
	bus->clock = clock;
	bus->virtual_time = clock_is_virtual(clock);
	vhost_user_init(&bus->vhost, bus->virtual_time);
	bus->vhost.on_kick = kicked;
	bus->vhost.ctx = bus;
	timetravel_init(&bus->time, clock);
	pcidev_init(&bus->pci, &bus->vhost.memory, &bus->vhost.ring[RING_COMMANDS],
		    &bus->vhost.ring[RING_INTERRUPTS]);
	bus->notify_event.fn = notify;
	bus->notify_event.ctx = bus;
}

void uml_destroy(struct bus *base)
{
	struct uml_bus *bus = uml_of(base);

	clock_disarm(bus->clock, &bus->notify_event);
	bus_devices_close(&bus->devices);
	vhost_user_close(&bus->vhost);
	timetravel_close(&bus->time);
	close(bus->options.listener);
	if (bus->options.time_listener >= 0)
		close(bus->options.time_listener);
	free(bus);
}

const struct guest_memory *uml_memory(const struct bus *base)
{
	return &uml_of(base)->vhost.memory;
}

void uml_attach(struct bus *base, struct board *board)
{
	struct uml_bus *bus = uml_of(base);

	bus->board = board;
	bus->pci.board = board;
}

void uml_on_kick(struct bus *base, void (*fn)(void *ctx), void *ctx)
{
	struct uml_bus *bus = uml_of(base);

	bus->on_kick = fn;
	bus->on_kick_ctx = ctx;
}

static void power_cycle(struct uml_bus *bus)
{
	bus_log("guest gone", bus->reason);
	bus_devices_clean_up(&bus->devices, true);
	vhost_user_close(&bus->vhost);
	clock_disarm(bus->clock, &bus->notify_event);
	pcidev_reset(&bus->pci);
	board_reset(bus->board);
}

void uml_clean_up(struct uml_bus *bus)
{
	bus_devices_clean_up(&bus->devices, false);
	if (!bus->pulled)
		return;
	if (vhost_user_is_open(&bus->vhost))
		power_cycle(bus);
	bus->pulled = false;
	bus->pci.unplugged = false;
}

/* In virtual time a guest whose card was pulled continues as long as its clock is connected. */
bool uml_finished(const struct bus *base)
{
	const struct uml_bus *bus = uml_of(base);

	if (!bus->options.once || !bus->had_guest || bus->pulled)
		return false;
	return !(bus->virtual_time ? timetravel_is_open(&bus->time)
				   : vhost_user_is_open(&bus->vhost));
}

/* ---- real time ---- */

bool uml_serve(struct bus *base)
{
	struct uml_bus *bus = uml_of(base);
	unsigned int taken = pcidev_serve(&bus->pci, COMMANDS_AT_ONCE);

	if (bus->pci.backlog_count)
		flush_interrupts(bus);
	if (taken && pcidev_posted_backlog(&bus->pci))
		uml_call(bus, RING_COMMANDS);
	uml_clean_up(bus);
	return taken;
}

bool uml_pending(const struct bus *base)
{
	const struct uml_bus *bus = uml_of(base);

	return vring_pending(&bus->vhost.ring[RING_COMMANDS]) ||
	       (bus->pci.backlog_count && vring_pending(&bus->vhost.ring[RING_INTERRUPTS]));
}

static void want_kicks(struct uml_bus *bus, bool wanted)
{
	if (vring_ready(&bus->vhost.ring[RING_COMMANDS]))
		vring_set_notify(&bus->vhost.ring[RING_COMMANDS], wanted);
}

bool uml_sleep(struct bus *base)
{
	struct uml_bus *bus = uml_of(base);

	want_kicks(bus, true);
	if (!uml_pending(base))
		return true;
	want_kicks(bus, false);
	return false;
}

void uml_wake(struct bus *base)
{
	want_kicks(uml_of(base), false);
}

/* ---- virtual time ---- */

bool uml_guest_waits(const struct bus *base, uint64_t *request_ns)
{
	const struct uml_bus *bus = uml_of(base);

	*request_ns = bus->time.requested ? bus->time.request_ns : CARD_TIME_NEVER;
	return timetravel_is_open(&bus->time) && bus->time.waiting;
}

bool uml_has_clock(const struct bus *base)
{
	return timetravel_is_open(&uml_of(base)->time);
}

/*
 * The guest, which is stopped, was allowed to run until free_until_ns, so it is not beyond that.
 * The time is not set beyond an event that has yet to run, either; an earlier time is ignored.
 */
void uml_settle_time(struct bus *base)
{
	struct uml_bus *bus = uml_of(base);
	uint64_t next = clock_next(bus->clock);

	if (timetravel_is_open(&bus->time))
		clock_set_now(bus->clock,
			      next < bus->time.free_until_ns ? next : bus->time.free_until_ns);
}

void uml_run_guest(struct bus *base)
{
	struct uml_bus *bus = uml_of(base);
	uint64_t next = clock_next(bus->clock);
	uint64_t most = clock_now(bus->clock) + MAX_GUEST_RUN_NS;

	uml_check_time(bus, timetravel_run(&bus->time, next < most ? next : most));
	uml_clean_up(bus);
}
