// SPDX-License-Identifier: MIT
/* The event loop, with one implementation for real time and one for virtual time. */
#include "loop.h"

#include <string.h>
#include <time.h>

#define LOOP_FDS (BUS_FDS + CONTROL_FDS + 1u)

/* Actions of the view's user in one turn. */
#define ACTIONS_AT_ONCE 64u

/* Polling interval of file descriptors while there is work. */
#define POLL_INTERVAL_NS 200000u
/* Calls of bus_pending() between two reads of the clock while spinning. */
#define SPINS 32

/* ---- shared ---- */

/* Run the GPU until it cannot continue. */
static void drain_commands(struct gc_core *gc)
{
	while (gc_run(gc))
		;
}

static bool any_ready(const struct pollfd *fds, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (fds[i].revents)
			return true;
	return false;
}

/* Perform actions of the view's user. */
static void serve_input(struct loop *loop)
{
	struct input_action action;

	for (unsigned int i = 0; i < ACTIONS_AT_ONCE; i++) {
		if (!loop->view || !view_receive_action(loop->view, &action))
			return;
		input_devices_perform(loop->input, &action);
	}
}

/* Store the descriptors of control clients and of the view at @fds; returns their number. */
static unsigned int user_fds(const struct loop *loop, struct pollfd *fds)
{
	unsigned int count = control_server_poll_fds(loop->control, fds);
	int view = loop->view ? view_input_fd(loop->view) : -1;

	if (view >= 0)
		fds[count++] = (struct pollfd){ .fd = view, .events = POLLIN };
	return count;
}

/* Serve control clients and the view's user. */
static void serve_users(struct loop *loop)
{
	if (clock_is_virtual(loop->clock))
		bus_settle_time(loop->bus);
	control_server_serve(loop->control, loop->board);
	serve_input(loop);
}

/*
 * Process file descriptors, after waiting for at most @timeout_ns (CARD_TIME_NEVER: without
 * limit). Stop signals are unblocked only here.
 * @with_users: also those of control clients and of the view; not while a guest's virtual time runs
 */
static void poll_bus(struct loop *loop, uint64_t timeout_ns, bool with_users)
{
	struct timespec timeout = { timeout_ns / 1000000000u, timeout_ns % 1000000000u };
	struct pollfd fds[LOOP_FDS];
	unsigned int bus = bus_poll_fds(loop->bus, fds);
	unsigned int all = bus;
	sigset_t none;

	if (with_users)
		all += user_fds(loop, fds + bus);
	sigemptyset(&none);
	loop->polls++;
	if (ppoll(fds, all, timeout_ns == CARD_TIME_NEVER ? NULL : &timeout, &none) <= 0)
		return;
	if (any_ready(fds + bus, all - bus))
		serve_users(loop);
	bus_dispatch(loop->bus, fds, bus);
}

/* ---- real time ---- */

/*
 * One round of all work; returns whether there was any. The core runs if something may have changed
 * what it does; if not, and it is in its idle loop, gc_poll() tells whether there are commands.
 */
static bool work(struct loop *loop)
{
	struct gc_core *gc = board_gc(loop->board);
	bool served = bus_serve(loop->bus);
	bool ran = clock_run_due(loop->clock) > 0;
	bool rang = board_test_and_clear_doorbell(loop->board);

	if (served || ran || rang || !gc_is_polling(gc) || gc_poll(gc))
		ran |= gc_run(gc);
	return served || ran;
}

/* Longest time to sleep at @now. */
static uint64_t sleep_ns(const struct loop *loop, uint64_t now)
{
	uint64_t next = clock_next(loop->clock);
	uint64_t most = gc_is_polling(board_gc(loop->board)) ? loop->poll_ns : CARD_TIME_NEVER;

	if (next == CARD_TIME_NEVER)
		return most;
	next = next > now ? next - now : 0;
	return next < most ? next : most;
}

static void sleep_until_something(struct loop *loop, uint64_t now)
{
	uint64_t longest = sleep_ns(loop, now);

	if (!longest || !bus_sleep(loop->bus))
		return;
	loop->sleeps++;
	poll_bus(loop, longest, true);
	bus_wake(loop->bus);
	loop->last_poll_ns = clock_now(loop->clock);
}

/* Wait a short time for register accesses. */
static void spin(const struct loop *loop)
{
	for (unsigned int i = 0; i < SPINS && !bus_pending(loop->bus); i++) {
#if defined(__x86_64__) || defined(__i386__)
		__builtin_ia32_pause();
#elif defined(__aarch64__)
		__asm__ volatile("yield");
#endif
	}
}

static void iterate_real(struct loop *loop)
{
	bool busy = work(loop);
	uint64_t now = clock_now(loop->clock);

	if (busy)
		loop->last_busy_ns = now;
	if (now - loop->last_poll_ns >= POLL_INTERVAL_NS) {
		poll_bus(loop, 0, true);
		bus_wake(loop->bus); /* a ring that was just set up has kicks enabled */
		loop->last_poll_ns = now;
		return; /* the guest may have disconnected: check before sleeping */
	}
	if (busy)
		return;
	if (now - loop->last_busy_ns < loop->spin_ns)
		spin(loop);
	else
		sleep_until_something(loop, now);
}

/* ---- virtual time ---- */

/*
 * In virtual time the front end's WAIT/LINK loop is polled at the next multiple of poll_ns when
 * the guest runs, at once after a kick with a doorbell, and by gc_run() after each of the card's
 * own events.
 */
static void arm_poll(struct loop *loop)
{
	uint64_t now = clock_now(loop->clock);

	if (!loop->poll_event.slot && gc_is_polling(board_gc(loop->board)))
		clock_arm(loop->clock, &loop->poll_event,
			  (now / loop->poll_ns + 1) * loop->poll_ns);
}

static void poll_front_end(void *ctx)
{
	struct loop *loop = ctx;
	struct gc_core *gc = board_gc(loop->board);

	if (!gc_is_polling(gc) || gc_poll(gc))
		drain_commands(gc);
}

/* Called inside a kick, while the guest is stopped: the front end is polled by the calendar. */
static void on_kick(void *ctx)
{
	struct loop *loop = ctx;

	if (board_test_and_clear_doorbell(loop->board))
		clock_arm(loop->clock, &loop->poll_event, clock_now(loop->clock));
}

/*
 * The guest is stopped: decide whether it or the card continues. For equal times the card's
 * events run first, once, then the guest; so neither can starve the other.
 */
static bool guest_is_next(const struct loop *loop, uint64_t request_ns)
{
	uint64_t next = clock_next(loop->clock);
	uint64_t now = clock_now(loop->clock);

	if (request_ns < now)
		request_ns = now;
	if (next != request_ns)
		return request_ns < next;
	return loop->passed_ns == next + 1;
}

static void run_due_events(struct loop *loop, uint64_t when_ns)
{
	clock_set_now(loop->clock, when_ns);
	loop->passed_ns = clock_now(loop->clock) + 1;
	clock_run_due(loop->clock);
	drain_commands(board_gc(loop->board));
}

static void run_guest(struct loop *loop, uint64_t request_ns)
{
	clock_set_now(loop->clock, request_ns);
	arm_poll(loop);
	bus_run_guest(loop->bus);
}

/*
 * Control commands arrive at any time, but are executed only while the guest is stopped or there
 * is none, so that they take effect at a definite virtual time.
 */
static void iterate_virtual(struct loop *loop)
{
	uint64_t request_ns;
	uint64_t next;

	if (!bus_guest_waits(loop->bus, &request_ns)) {
		poll_bus(loop, CARD_TIME_NEVER, !bus_has_clock(loop->bus));
		return;
	}
	next = clock_next(loop->clock);
	if (request_ns == CARD_TIME_NEVER && next == CARD_TIME_NEVER) {
		poll_bus(loop, CARD_TIME_NEVER, true); /* only external input can continue */
		return;
	}
	poll_bus(loop, 0, true);
	if (!bus_guest_waits(loop->bus, &request_ns))
		return;
	if (guest_is_next(loop, request_ns))
		run_guest(loop, request_ns);
	else
		run_due_events(loop, clock_next(loop->clock));
}

/* ---- */

void loop_init(struct loop *loop)
{
	loop->poll_event = (struct clock_event){ .fn = poll_front_end, .ctx = loop };
	if (clock_is_virtual(loop->clock))
		bus_on_kick(loop->bus, on_kick, loop);
	else
		bus_wake(loop->bus);
}

bool loop_turn(struct loop *loop)
{
	if (*loop->stop || bus_finished(loop->bus))
		return false;
	if (clock_is_virtual(loop->clock))
		iterate_virtual(loop);
	else
		iterate_real(loop);
	return true;
}

void loop_run(struct loop *loop)
{
	while (loop_turn(loop))
		;
}

void loop_print_statistics(const struct loop *loop, board_emit_fn *emit, void *ctx)
{
	if (clock_is_virtual(loop->clock))
		return;
	emit(ctx, "loop.sleeps", loop->sleeps);
	emit(ctx, "loop.looks", loop->polls);
}
