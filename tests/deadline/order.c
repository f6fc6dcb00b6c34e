// SPDX-License-Identifier: MIT

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"

/* --- The rules ----------------------------------------------------------- */

void order_begins(struct order *o, int queue, bool is_new)
{
	struct order_queue *q = &o->queues[queue];
	long served = o->served[q->priority];

	if (is_new)
		q->used = served + (o->flags & ORDER_NEW_AS_SERVED ? 0 : o->lead + 1);
	else if (q->used < served - o->lead && !(o->flags & ORDER_OWNS_PAST))
		q->used = served - o->lead;
}

void order_serve(struct order *o)
{
	long least[ORDER_QUEUES];
	int i;

	for (i = 0; i < ORDER_QUEUES; i++)
		least[i] = LONG_MAX;
	for (i = 0; i < ORDER_QUEUES; i++) {
		const struct order_queue *q = &o->queues[i];

		if (q->jobs && q->used < least[q->priority])
			least[q->priority] = q->used;
	}
	for (i = 0; i < ORDER_QUEUES; i++)
		if (least[i] != LONG_MAX && least[i] > o->served[i])
			o->served[i] = least[i];
}

static bool has_hint(const struct order *o, const struct order_queue *q)
{
	return q->hint &&
	       (q->used <= o->served[q->priority] + o->lead || (o->flags & ORDER_HINTS_FOREVER));
}

bool order_precedes(const struct order *o, const struct order_queue *a, const struct order_queue *b)
{
	bool hint_a = has_hint(o, a), hint_b = has_hint(o, b);

	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (hint_a && hint_b && a->hint != b->hint)
		return a->hint < b->hint;
	if (hint_a != hint_b)
		return hint_a;
	return a->used < b->used;
}

int order_first(const struct order *o)
{
	const struct order_queue *best = NULL;

	for (int i = 0; i < ORDER_QUEUES; i++) {
		const struct order_queue *q = &o->queues[i];

		if (q->jobs && (!best || order_precedes(o, q, best) ||
				(!order_precedes(o, best, q) && q->since < best->since)))
			best = q;
	}
	return best ? (int)(best - o->queues) : -1;
}

/* --- Search -------------------------------------------------------------- */

enum {
	QUEUES = 3,
	HINTS = 3,  /* none, an early and a late one */
	WAIT = 30,  /* a longer wait counts as one without a limit */
	SPREAD = 14 /* as does a queue that is further ahead or behind */
};

/*
 * used: less what the least served queue had. kind: 0 is idle, else 1 + hint. waited: GPU time of
 * the others since the job of queue 0 waits; 0 if none does
 */
struct order_state {
	int8_t used[QUEUES];
	uint8_t kind[QUEUES], waited;
};

static struct order_state *states;
static uint32_t *table, mask, nr_states, room;

static void visit(const struct order_state *s)
{
	uint64_t word = 0, sum;
	uint32_t place;

	memcpy(&word, s, sizeof(*s));
	sum = word * 0x9e3779b97f4a7c15u;
	place = (sum ^ sum >> 32) & mask;
	for (; table[place]; place = (place + 1) & mask)
		if (!memcmp(&states[table[place] - 1], s, sizeof(*s)))
			return;
	if (nr_states == room) {
		fprintf(stderr, "order: too many states\n");
		exit(2);
	}
	states[nr_states] = *s;
	table[place] = ++nr_states;
}

static struct order to_order(const struct order_state *s, int flags, int lead)
{
	struct order o = { .flags = flags, .lead = lead };
	int i;

	for (i = 0; i < QUEUES; i++) {
		o.queues[i].used = s->used[i];
		o.queues[i].jobs = s->kind[i] > 0;
		o.queues[i].hint = s->kind[i] ? s->kind[i] - 1 : 0;
	}
	return o;
}

/* Returns false if a queue is too far ahead or behind. An idle one is not further behind than it may be. */
static bool from_order(struct order *o, struct order_state *s)
{
	long used;
	int i;

	for (i = 0; i < QUEUES; i++) {
		if (!o->queues[i].jobs)
			order_begins(o, i, false);
		used = o->queues[i].used - o->served[0];
		if (used > SPREAD || used < -SPREAD)
			return false;
		s->used[i] = used;
	}
	return true;
}

/* A job of a length starts and ends; it came first. Returns false if there is no limit. */
static bool runs(const struct order *before, const struct order_state *s, int queue, int length)
{
	struct order_state next = *s;
	struct order o = *before;
	int waited = s->kind[0] && queue ? s->waited + length : 0;

	o.queues[queue].used += length;
	o.queues[queue].jobs = 0;
	next.kind[queue] = 0;
	next.waited = waited;
	if (waited > WAIT || !from_order(&o, &next))
		return false;
	visit(&next);
	return true;
}

static void comes(const struct order_state *s, int flags, int lead, int queue, bool is_new)
{
	struct order_state next = *s;
	struct order o = to_order(s, flags, lead);

	order_begins(&o, queue, is_new);
	next.used[queue] = o.queues[queue].used;
	for (next.kind[queue] = 1; next.kind[queue] <= HINTS; next.kind[queue]++)
		visit(&next);
}

/*
 * Whether another queue's job comes before this one's by the rules; of equal ones each may be the
 * older.
 */
static bool is_preceded(const struct order *o, int queue)
{
	int i;

	for (i = 0; i < QUEUES; i++)
		if (i != queue && o->queues[i].jobs &&
		    order_precedes(o, &o->queues[i], &o->queues[queue]))
			return true;
	return false;
}

static bool expand(const struct order_state *s, int flags, int lead, int longest)
{
	struct order o = to_order(s, flags, lead);
	int i, length;

	for (i = 0; i < QUEUES; i++) {
		if (s->kind[i])
			continue;
		comes(s, flags, lead, i, false);
		if (flags & ORDER_REOPEN && i)
			comes(s, flags, lead, i, true);
	}
	order_serve(&o);
	for (i = 0; i < QUEUES; i++)
		if (s->kind[i] && !is_preceded(&o, i))
			for (length = 1; length <= longest; length++)
				if (!runs(&o, s, i, length))
					return false;
	return true;
}

long order_search(int flags, int lead, int longest, uint32_t *visited)
{
	const struct order_state first = { 0 };
	long most = 0;
	uint32_t n;

	room = 16000000;
	for (mask = 1; mask < 2 * room; mask *= 2)
		;
	states = calloc(room, sizeof(*states));
	table = calloc(mask--, sizeof(*table));
	if (!states || !table) {
		fprintf(stderr, "order: no memory\n");
		exit(2);
	}
	nr_states = 0;
	visit(&first);
	for (n = 0; n < nr_states && most != LONG_MAX; n++) {
		struct order_state s = states[n];

		if (!expand(&s, flags, lead, longest))
			most = LONG_MAX;
		else if (s.waited > most)
			most = s.waited;
	}
	*visited = nr_states;
	free(states);
	free(table);
	return most;
}
