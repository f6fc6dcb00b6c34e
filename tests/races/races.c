// SPDX-License-Identifier: MIT
/*
 * races WINDOW SECONDS SEED: run the actors of one of the windows in which races are looked for:
 *
 *	close		files, queues, handles and buffers are closed while jobs are submitted
 *	unbind		the driver is unbound while jobs run, wait, fault and are recovered
 *	buffers		the same while clients only free buffers, so that it happens more often
 *	waiting		the same while jobs wait for their time, and clients end quickly
 *	recovery	resets while others submit, and jobs that end when they look stuck
 *	shrink		memory is short while buffers are purgeable, used and freed
 *	suspend		the core sleeps and wakes up between the calls of all
 *	records		streams of records and totals are read while jobs end
 *	display		pictures are shown while the cursor moves
 *
 * It fails if a job of a client that did nothing wrong fails, has a wrong picture or does not end,
 * if a call gives an error that it must not give, or if an actor is stuck. What the kernel has to
 * say is in its log. Runs in the guest, as root.
 */
#include "races.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ACTORS 12
#define POLL_US 100000

struct shared *shared;

static int64_t started_ns;

typedef void actor(struct random *r);

static const struct window {
	const char *name;
	bool unbinds;
	/* Command to the card, or NULL. "slow 100000": work takes 1000 times as long. */
	const char *card;
	actor *actors[MAX_ACTORS];
} windows[] = {
	{ .name = "close",
	  .actors = { actor_draw, actor_share, actor_share, actor_handles, actor_churn, actor_churn,
		      actor_old, actor_read } },
	{ .name = "unbind",
	  .unbinds = true,
	  .actors = { actor_churn, actor_visit, actor_keep, actor_keep, actor_linger, actor_handles,
		      actor_count, actor_promise, actor_fault, actor_read, actor_unbind } },
	{ .name = "buffers",
	  .unbinds = true,
	  .actors = { actor_keep, actor_keep, actor_keep, actor_keep, actor_visit, actor_unbind } },
	{ .name = "waiting",
	  .unbinds = true,
	  .actors = { actor_promise, actor_promise, actor_promise, actor_visit, actor_unbind } },
	{ .name = "recovery",
	  .card = "slow 100000",
	  .actors = { actor_long, actor_medium, actor_medium, actor_draw, actor_lose,
		      actor_count } },
	{ .name = "shrink",
	  .actors = { actor_draw, actor_purge, actor_purge, actor_purge, actor_discard,
		      actor_discard, actor_churn, actor_pressure } },
	{ .name = "suspend",
	  .actors = { actor_nap, actor_nap, actor_nap, actor_old, actor_read, actor_totals } },
	{ .name = "records",
	  .actors = { actor_draw, actor_draw, actor_visit, actor_visit, actor_read, actor_read,
		      actor_peek, actor_peek, actor_totals } },
	{ .name = "display", .actors = { actor_show, actor_draw } },
};

uint32_t random_below(struct random *r, uint32_t count)
{
	r->state = r->state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(r->state >> 33) % count;
}

void random_pause(struct random *r, uint32_t us)
{
	usleep(random_below(r, us));
}

void fail(const char *format, ...)
{
	double seconds = (double)(now_ns() - started_ns) / SECOND_NS;
	va_list args;

	if (!atomic_exchange(&shared->failed, true)) {
		printf("FAIL after %.1f s: ", seconds);
		va_start(args, format);
		vprintf(format, args);
		va_end(args);
		printf("\n");
		fflush(stdout);
	}
	shared->stop = true;
	_exit(1);
}

bool permitted(int error, const char *what)
{
	if (error && !(error == ENODEV && shared->unbinds))
		fail("%s: %s", what, strerror(error));
	return !error;
}

static _Noreturn void run_actor(actor *act, uint64_t seed)
{
	struct random r = { seed };

	while (!shared->stop)
		act(&r);
	exit(0);
}

static void make_shared(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
}

/* Wait for the actors; those that do not end are stuck. Returns false if one failed. */
static bool end_actors(pid_t *children, int count)
{
	int64_t end = now_ns() + 2 * STUCK_SECONDS * SECOND_NS;
	bool good = true;
	int left = count;

	while (left && now_ns() < end) {
		int status;
		pid_t pid = waitpid(-1, &status, WNOHANG);

		if (pid <= 0) {
			usleep(POLL_US);
			continue;
		}
		left--;
		good &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
		for (int i = 0; i < count; i++)
			if (children[i] == pid)
				children[i] = 0;
	}
	for (int i = 0; i < count; i++) {
		if (!children[i])
			continue;
		printf("FAIL: actor %d does not end\n", i);
		kill(children[i], SIGKILL);
		good = false;
	}
	return good && !shared->failed;
}

static int run(const struct window *window, int seconds, uint64_t seed)
{
	int64_t end = now_ns() + seconds * SECOND_NS;
	pid_t children[MAX_ACTORS] = { 0 };
	int count = 0;
	bool good;

	shared->unbinds = window->unbinds;
	if (window->card && !(let_sleep(false) && card(window->card)))
		fail("the card does not answer");
	for (; count < MAX_ACTORS && window->actors[count]; count++) {
		children[count] = fork();
		if (children[count] == 0)
			run_actor(window->actors[count], seed * MAX_ACTORS + count + 1);
	}
	while (!shared->stop && now_ns() < end)
		usleep(POLL_US);
	shared->stop = true;
	good = end_actors(children, count);
	printf("%s %s after %.0f s\n", good ? "ok   " : "FAIL ", window->name,
	       (double)(now_ns() - started_ns) / SECOND_NS);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	started_ns = now_ns();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; argc == 4 && i < sizeof(windows) / sizeof(windows[0]); i++) {
		if (strcmp(windows[i].name, argv[1]) != 0)
			continue;
		make_shared();
		return run(&windows[i], atoi(argv[2]), strtoull(argv[3], NULL, 0));
	}
	fprintf(stderr, "usage: races WINDOW SECONDS SEED\n");
	return 2;
}
