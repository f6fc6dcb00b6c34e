// SPDX-License-Identifier: MIT
/* The connection to a guest: sockets, connects and disconnects, real and virtual time. */
#include "bus/uml.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bus/pcidev.h"
#include "bus/timetravel.h"
#include "bus/unix_socket.h"

#define RING_COMMANDS 0u
#define RING_INTERRUPTS 1u

/* Commands per turn of the event loop. */
#define COMMANDS_AT_ONCE 256u
/* In virtual time the guest is stopped during a kick, so its ring cannot hold more. */
#define COMMANDS_PER_KICK VRING_MAX_SIZE
/* Longest time for which the guest may run without a request. */
#define MAX_GUEST_RUN_NS 1000000000u
/* Interval at which a wait for the guest checks whether the process has to end. */
#define WAIT_MS 200

struct uml_bus {
	struct uml_bus_options options;
	struct card_clock *clock;
	struct board *board;
	struct vhost_user vhost;
	struct timetravel time;
	struct pcidev pci;
	bool virtual_time;
	bool had_guest; /* a guest that sent a message, not only a connection */
	bool pulled;    /* unplugged, or the guest has gone: clean up when no callback is active */
	const char *reason; /* reason for that, for the log */
	void (*on_kick)(void *ctx);
	void *on_kick_ctx;
	struct clock_event notify_event; /* virtual time: notifications caused by a kick */
	uint64_t guests;
	struct uml_device *device[UML_BUS_DEVICES];
	unsigned int devices;
};

static void log_message(const char *what, const char *detail)
{
	fprintf(stderr, "vivgpu-card: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
}

/*
 * The connection has to end. Only recorded here, since callers may be inside the card's
 * callbacks.
 */
static void disconnect_guest(struct uml_bus *bus, const char *reason)
{
	if (!bus->pulled)
		bus->reason = reason;
	bus->pulled = true;
	bus->pci.unplugged = true;
}

static const char *guest_problem(enum vhost_user_status status, const struct vhost_user *vhost)
{
	if (status == VHOST_USER_CLOSED)
		return "it disconnected";
	return vhost->problem ? vhost->problem : "it does not take messages";
}

static void check_vhost(struct uml_bus *bus, enum vhost_user_status status)
{
	if (status != VHOST_USER_OK)
		disconnect_guest(bus, guest_problem(status, &bus->vhost));
}

/* Without its clock the guest cannot continue, so an error there ends the whole connection. */
static void check_time(struct uml_bus *bus, enum timetravel_status status)
{
	if (status == TIMETRAVEL_OK)
		return;
	if (status == TIMETRAVEL_ERROR && bus->time.problem)
		log_message("guest's clock", bus->time.problem);
	timetravel_close(&bus->time);
	disconnect_guest(bus, "it disconnected");
}

/* ---- waiting for the guest, virtual time only ---- */

static bool should_stop(const struct uml_bus *bus)
{
	return bus->options.stop && *bus->options.stop;
}

/*
 * Wait until the guest has answered the notifications. To do so it requests the time and to
 * run. Messages about rings and memory are not processed here, since callers may be using
 * these.
 */
static enum vhost_user_status wait_for_call_answers(struct uml_bus *bus, struct vhost_user *vhost)
{
	enum vhost_user_status status = VHOST_USER_OK;

	while (vhost->calls_unanswered && !bus->pulled && !should_stop(bus) &&
	       status == VHOST_USER_OK) {
		struct pollfd fds[] = {
			{ .fd = vhost->backend_fd, .events = POLLIN },
			{ .fd = bus->time.fd, .events = POLLIN },
			{ .fd = vhost->fd }, /* hang-up only */
		};

		if (poll(fds, 3, WAIT_MS) <= 0)
			continue;
		if (fds[1].revents)
			check_time(bus, timetravel_receive(&bus->time));
		if (fds[0].revents && !bus->pulled)
			status = vhost_user_receive_backend(vhost);
		else if (fds[2].revents)
			status = VHOST_USER_CLOSED;
	}
	return status;
}

/* Wait until the guest has acknowledged the time messages. */
static void wait_for_time_answers(struct uml_bus *bus)
{
	while (timetravel_is_open(&bus->time) && bus->time.unanswered && !should_stop(bus)) {
		struct pollfd fds = { .fd = bus->time.fd, .events = POLLIN };

		if (poll(&fds, 1, WAIT_MS) > 0)
			check_time(bus, timetravel_receive(&bus->time));
	}
}

static void call(struct uml_bus *bus, unsigned int ring)
{
	check_vhost(bus, vhost_user_call(&bus->vhost, ring));
	check_vhost(bus, wait_for_call_answers(bus, &bus->vhost));
}

/* A device's connection has to end. Only recorded here, as in disconnect_guest(). */
static void check_device(struct uml_device *device, enum vhost_user_status status)
{
	if (status == VHOST_USER_OK)
		return;
	if (status == VHOST_USER_ERROR && !device->gone)
		log_message(device->name, guest_problem(status, &device->vhost));
	device->gone = true;
}

void uml_device_call(struct uml_device *device, unsigned int ring)
{
	check_device(device, vhost_user_call(&device->vhost, ring));
	check_device(device, wait_for_call_answers(device->bus, &device->vhost));
}

/* ---- callbacks of the board ---- */

static void flush_interrupts(struct uml_bus *bus)
{
	if (pcidev_flush_interrupts(&bus->pci))
		call(bus, RING_INTERRUPTS);
}

static void host_send_msi(void *ctx)
{
	struct uml_bus *bus = ctx;

	pcidev_raise(&bus->pci);
	flush_interrupts(bus);
}

/* In virtual time the guest is stopped while the card works. */
static void host_yield(void *ctx)
{
	struct uml_bus *bus = ctx;

	if (!bus->virtual_time && vring_pending(&bus->vhost.ring[RING_COMMANDS]))
		pcidev_serve(&bus->pci, COMMANDS_AT_ONCE);
}

static void host_die(void *ctx)
{
	struct uml_bus *bus = ctx;

	if (vhost_user_is_open(&bus->vhost))
		disconnect_guest(bus, "the card was pulled");
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

struct board_host uml_bus_host(struct uml_bus *bus)
{
	return (struct board_host){
		.ctx = bus,
		.send_msi = host_send_msi,
		.yield = host_yield,
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
		call(bus, RING_COMMANDS);
}

/*
 * The guest is stopped in the kick. Its access may have made the card's next event earlier than
 * the time up to which it may run; the limit must be reduced before it continues.
 */
static void limit_guest(struct uml_bus *bus)
{
	uint64_t next = clock_next(bus->clock);

	if (bus->time.waiting || next >= bus->time.free_until_ns)
		return;
	check_time(bus, timetravel_limit(&bus->time, next));
	wait_for_time_answers(bus);
}

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
	limit_guest(bus);
}

/* ---- further devices ---- */

/* The guest has offered buffers: in virtual time within its kick, so they are served later. */
static void device_kicked(struct uml_device *device)
{
	clock_arm(device->bus->clock, &device->serve_event, clock_now(device->bus->clock));
}

static void device_kicked_in_band(void *ctx, unsigned int ring)
{
	struct uml_device *device = ctx;

	device_kicked(device);
	limit_guest(device->bus);
}

static void serve_device(void *ctx)
{
	struct uml_device *device = ctx;

	if (!device->gone)
		device->serve(device->ctx);
}

void uml_bus_add_device(struct uml_bus *bus, struct uml_device *device)
{
	device->bus = bus;
	device->serve_event = (struct clock_event){ .fn = serve_device, .ctx = device };
	vhost_user_init(&device->vhost, bus->virtual_time);
	device->vhost.on_kick = device_kicked_in_band;
	device->vhost.ctx = device;
	bus->device[bus->devices++] = device;
}

static void close_device(struct uml_device *device)
{
	vhost_user_close(&device->vhost);
	clock_disarm(device->bus->clock, &device->serve_event);
	device->reset(device->ctx);
	device->gone = false;
}

static void close_devices(struct uml_bus *bus, bool all)
{
	for (unsigned int i = 0; i < bus->devices; i++)
		if (all || bus->device[i]->gone)
			close_device(bus->device[i]);
}

/* ---- creation and reset ---- */

struct uml_bus *uml_bus_create(const struct uml_bus_options *options, struct card_clock *clock)
{
	struct uml_bus *bus = calloc(1, sizeof(*bus));

	if (!bus)
		return NULL;
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
	return bus;
}

void uml_bus_destroy(struct uml_bus *bus)
{
	if (!bus)
		return;
	clock_disarm(bus->clock, &bus->notify_event);
	close_devices(bus, true);
	for (unsigned int i = 0; i < bus->devices; i++)
		close(bus->device[i]->listener);
	vhost_user_close(&bus->vhost);
	timetravel_close(&bus->time);
	close(bus->options.listener);
	if (bus->options.time_listener >= 0)
		close(bus->options.time_listener);
	free(bus);
}

const struct guest_memory *uml_bus_memory(const struct uml_bus *bus)
{
	return &bus->vhost.memory;
}

void uml_bus_attach(struct uml_bus *bus, struct board *board)
{
	bus->board = board;
	bus->pci.board = board;
}

void uml_bus_on_kick(struct uml_bus *bus, void (*fn)(void *ctx), void *ctx)
{
	bus->on_kick = fn;
	bus->on_kick_ctx = ctx;
}

static void power_cycle(struct uml_bus *bus)
{
	log_message("guest gone", bus->reason);
	close_devices(bus, true);
	vhost_user_close(&bus->vhost);
	clock_disarm(bus->clock, &bus->notify_event);
	pcidev_reset(&bus->pci);
	board_reset(bus->board);
}

/*
 * The connection has ended and no callback is active: reset the card. Done once, whichever of
 * the guest's two sockets closes first.
 */
static void clean_up(struct uml_bus *bus)
{
	close_devices(bus, false);
	if (!bus->pulled)
		return;
	if (vhost_user_is_open(&bus->vhost))
		power_cycle(bus);
	bus->pulled = false;
	bus->pci.unplugged = false;
}

bool uml_bus_finished(const struct uml_bus *bus)
{
	if (!bus->options.once || !bus->had_guest || bus->pulled)
		return false;
	return !(bus->virtual_time ? timetravel_is_open(&bus->time)
				   : vhost_user_is_open(&bus->vhost));
}

/* ---- descriptors ---- */

static unsigned int add_fd(struct pollfd *fds, unsigned int count, int fd)
{
	if (fd >= 0)
		fds[count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return count;
}

/* The listening socket, or those of the front end that has connected to it. */
static unsigned int add_connection(struct pollfd *fds, unsigned int count,
				   const struct vhost_user *vhost, int listener)
{
	if (!vhost_user_is_open(vhost))
		return add_fd(fds, count, listener);
	count = add_fd(fds, count, vhost->fd);
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
		count = add_fd(fds, count, vhost->kick_fd[i]);
	return count;
}

unsigned int uml_bus_poll_fds(const struct uml_bus *bus, struct pollfd *fds)
{
	unsigned int count = 0;

	if (bus->virtual_time)
		count = add_fd(fds, count,
			       timetravel_is_open(&bus->time) ? bus->time.fd
							      : bus->options.time_listener);
	count = add_connection(fds, count, &bus->vhost, bus->options.listener);
	for (unsigned int i = 0; i < bus->devices; i++)
		count = add_connection(fds, count, &bus->device[i]->vhost,
				       bus->device[i]->listener);
	return count;
}

static void accept_clock(struct uml_bus *bus)
{
	int fd = unix_socket_accept(bus->options.time_listener);

	if (fd < 0)
		return;
	timetravel_open(&bus->time, fd);
}

static void accept_guest(struct uml_bus *bus)
{
	int fd = unix_socket_accept(bus->options.listener);

	if (fd < 0)
		return;
	if (bus->virtual_time && !timetravel_is_open(&bus->time)) {
		log_message("guest refused", "it was not started with time-travel=ext:SOCKET");
		close(fd);
		return;
	}
	vhost_user_open(&bus->vhost, fd);
	bus->guests++;
	log_message("guest connected", NULL);
}

static void receive_from_guest(struct uml_bus *bus)
{
	uint64_t refused = bus->vhost.refused;

	check_vhost(bus, vhost_user_receive(&bus->vhost));
	bus->had_guest |= bus->vhost.messages > 0;
	if (bus->vhost.refused != refused)
		log_message("guest's message refused", bus->vhost.problem);
}

static void receive_time(struct uml_bus *bus)
{
	check_time(bus, timetravel_receive(&bus->time));
	bus->had_guest |= bus->time.messages > 0;
}

static void accept_device(struct uml_device *device)
{
	int fd = unix_socket_accept(device->listener);

	if (fd >= 0)
		vhost_user_open(&device->vhost, fd);
}

static void receive_from_device(struct uml_device *device)
{
	uint64_t refused = device->vhost.refused;

	check_device(device, vhost_user_receive(&device->vhost));
	if (device->vhost.refused != refused)
		log_message(device->name, device->vhost.problem);
}

static void dispatch_device(struct uml_device *device, int fd)
{
	if (fd == device->listener)
		accept_device(device);
	else if (fd == device->vhost.fd)
		receive_from_device(device);
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++) {
		if (fd != device->vhost.kick_fd[i])
			continue;
		vhost_user_drain_kick(&device->vhost, i);
		device_kicked(device);
	}
}

static void dispatch_one(struct uml_bus *bus, int fd)
{
	if (fd == bus->options.time_listener)
		accept_clock(bus);
	else if (fd == bus->options.listener)
		accept_guest(bus);
	else if (fd == bus->time.fd)
		receive_time(bus);
	else if (fd == bus->vhost.fd)
		receive_from_guest(bus);
	else
		for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
			if (fd == bus->vhost.kick_fd[i])
				vhost_user_drain_kick(&bus->vhost, i);
	for (unsigned int i = 0; i < bus->devices; i++)
		dispatch_device(bus->device[i], fd);
}

void uml_bus_dispatch(struct uml_bus *bus, const struct pollfd *fds, unsigned int count)
{
	for (unsigned int i = 0; i < count && !bus->pulled; i++)
		if (fds[i].revents)
			dispatch_one(bus, fds[i].fd);
	clean_up(bus);
}

/* ---- real time ---- */

bool uml_bus_serve(struct uml_bus *bus)
{
	unsigned int taken = pcidev_serve(&bus->pci, COMMANDS_AT_ONCE);

	if (bus->pci.backlog_count)
		flush_interrupts(bus);
	if (taken && pcidev_posted_backlog(&bus->pci))
		call(bus, RING_COMMANDS);
	clean_up(bus);
	return taken;
}

bool uml_bus_pending(const struct uml_bus *bus)
{
	return vring_pending(&bus->vhost.ring[RING_COMMANDS]) ||
	       (bus->pci.backlog_count && vring_pending(&bus->vhost.ring[RING_INTERRUPTS]));
}

static void want_kicks(struct uml_bus *bus, bool wanted)
{
	if (vring_ready(&bus->vhost.ring[RING_COMMANDS]))
		vring_set_notify(&bus->vhost.ring[RING_COMMANDS], wanted);
}

bool uml_bus_sleep(struct uml_bus *bus)
{
	want_kicks(bus, true);
	if (!uml_bus_pending(bus))
		return true;
	want_kicks(bus, false);
	return false;
}

void uml_bus_wake(struct uml_bus *bus)
{
	want_kicks(bus, false);
}

/* ---- virtual time ---- */

bool uml_bus_guest_waits(const struct uml_bus *bus, uint64_t *request_ns)
{
	*request_ns = bus->time.requested ? bus->time.request_ns : CARD_TIME_NEVER;
	return timetravel_is_open(&bus->time) && bus->time.waiting;
}

bool uml_bus_has_clock(const struct uml_bus *bus)
{
	return timetravel_is_open(&bus->time);
}

/* The guest waits because it may not run past this time, so it has not passed it. */
void uml_bus_settle_time(struct uml_bus *bus)
{
	uint64_t next = clock_next(bus->clock);

	if (timetravel_is_open(&bus->time))
		clock_set_now(bus->clock,
			      next < bus->time.free_until_ns ? next : bus->time.free_until_ns);
}

void uml_bus_run_guest(struct uml_bus *bus)
{
	uint64_t next = clock_next(bus->clock);
	uint64_t most = clock_now(bus->clock) + MAX_GUEST_RUN_NS;

	check_time(bus, timetravel_run(&bus->time, next < most ? next : most));
	clean_up(bus);
}
