// SPDX-License-Identifier: MIT
/* Posted writes: a queue of the bytes that operations changed, page by page. */
#include "gc/posted.h"

#include <stdlib.h>
#include <string.h>

#include "gc/mmu.h"

#define BUCKETS 256u
#define WORDS (GC_PAGE_SIZE / 8)

/* What an operation changed in a page. */
struct change {
	struct change *next;      /* in the queue */
	struct change *in_bucket; /* next; those of one page are in the queue's order */
	uint8_t *host;
	uint64_t cycle;
	uint64_t changed[WORDS]; /* the bytes that it changed: all ones, others zero */
	uint64_t word[WORDS];    /* their values, others zero */
};

/* The copy that the present operation uses. */
struct copy {
	struct copy *next; /* in the bucket */
	uint8_t *host;
	uint64_t before[WORDS]; /* @word when it was made */
	uint64_t word[WORDS] __attribute__((aligned(64)));
};

struct gc_posted {
	bool working;                 /* within an operation */
	struct change *first, **last; /* the queue */
	struct change *page[BUCKETS]; /* the same changes, by page */
	struct copy *copy[BUCKETS];   /* of the present operation, by page */
	unsigned int changes, copies; /* number of them */
	uint64_t cycle;               /* of the last change */
	struct change at_once;        /* used if there is no memory for another one */
};

static unsigned int bucket(const uint8_t *host)
{
	return (uintptr_t)host / GC_PAGE_SIZE % BUCKETS;
}

struct gc_posted *gc_posted_create(void)
{
	struct gc_posted *posted = calloc(1, sizeof(*posted));

	if (posted)
		posted->last = &posted->first;
	return posted;
}

void gc_posted_destroy(struct gc_posted *posted)
{
	if (!posted)
		return;
	gc_posted_drop(posted);
	free(posted);
}

void gc_posted_begin(struct gc_posted *posted)
{
	posted->working = true;
}

/* Take the queue's first change out of it and out of its bucket, where it is the first of its page. */
static struct change *take(struct gc_posted *posted)
{
	struct change *change = posted->first;
	struct change **at = &posted->page[bucket(change->host)];

	while (*at != change)
		at = &(*at)->in_bucket;
	*at = change->in_bucket;
	posted->first = change->next;
	if (!posted->first)
		posted->last = &posted->first;
	posted->changes--;
	return change;
}

/* Words are stored as a whole: the processor may read a 64-bit result meanwhile. */
static void apply(const struct change *change, uint8_t *page)
{
	uint64_t *to = (uint64_t *)page;

	for (unsigned int i = 0; i < WORDS; i++)
		if (change->changed[i])
			__atomic_store_n(&to[i], (to[i] & ~change->changed[i]) | change->word[i],
					 __ATOMIC_RELEASE);
}

/* Write the oldest changes to memory until at most @left are left. */
static void deliver_oldest(struct gc_posted *posted, unsigned int left)
{
	while (posted->changes > left) {
		struct change *change = take(posted);

		apply(change, change->host);
		free(change);
	}
}

/* The first change of the page in the bucket, from @change on. */
static struct change *of_page(struct change *change, const uint8_t *host)
{
	while (change && change->host != host)
		change = change->in_bucket;
	return change;
}

uint8_t *gc_posted_page(struct gc_posted *posted, uint8_t *host)
{
	struct change *change;
	struct copy *copy = posted->copy[bucket(host)];

	if (!posted->working)
		return host;
	while (copy && copy->host != host)
		copy = copy->next;
	if (copy)
		return (uint8_t *)copy->word;
	copy = posted->copies < GC_POSTED_PAGES ? aligned_alloc(64, sizeof(*copy)) : NULL;
	if (!copy) {
		deliver_oldest(posted, 0);
		return host;
	}
	posted->copies++;
	copy->host = host;
	memcpy(copy->word, host, GC_PAGE_SIZE);
	change = of_page(posted->page[bucket(host)], host);
	for (; change; change = of_page(change->in_bucket, host))
		apply(change, (uint8_t *)copy->word);
	memcpy(copy->before, copy->word, GC_PAGE_SIZE);
	copy->next = posted->copy[bucket(host)];
	posted->copy[bucket(host)] = copy;
	return (uint8_t *)copy->word;
}

/* All ones in the bytes in which @a and @b differ. */
static uint64_t differing_bytes(uint64_t a, uint64_t b)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7full;
	uint64_t differ = a ^ b;
	uint64_t top = (((differ & low) + low) | differ) & ~low; /* the top bits of these bytes */

	return (top >> 7) * 0xff;
}

static void append(struct gc_posted *posted, struct change *change)
{
	struct change **end = &posted->page[bucket(change->host)];

	while (*end)
		end = &(*end)->in_bucket;
	*end = change;
	*posted->last = change;
	posted->last = &change->next;
	posted->changes++;
}

/* Queue what differs in @copy; out of host memory it is written at once, after all that is queued. */
static void queue(struct gc_posted *posted, const struct copy *copy)
{
	struct change *change, *new;

	if (!memcmp(copy->word, copy->before, GC_PAGE_SIZE))
		return;
	new = malloc(sizeof(*new));
	change = new ? new : &posted->at_once;
	change->next = change->in_bucket = NULL;
	change->host = copy->host;
	change->cycle = posted->cycle;
	for (unsigned int i = 0; i < WORDS; i++) {
		change->changed[i] = differing_bytes(copy->word[i], copy->before[i]);
		change->word[i] = copy->word[i] & change->changed[i];
	}
	if (new) {
		append(posted, new);
		deliver_oldest(posted, GC_POSTED_PAGES);
	} else {
		deliver_oldest(posted, 0);
		apply(change, change->host);
	}
}

void gc_posted_end(struct gc_posted *posted, uint64_t cycle)
{
	if (cycle > posted->cycle)
		posted->cycle = cycle;
	for (unsigned int i = 0; i < BUCKETS; i++) {
		struct copy *copy;

		while ((copy = posted->copy[i])) {
			posted->copy[i] = copy->next;
			if (posted->working)
				queue(posted, copy);
			free(copy);
		}
	}
	posted->copies = 0;
	posted->working = false;
}

uint64_t gc_posted_due(const struct gc_posted *posted)
{
	return posted->first ? posted->first->cycle : UINT64_MAX;
}

void gc_posted_deliver(struct gc_posted *posted, uint64_t cycle)
{
	while (gc_posted_due(posted) <= cycle) {
		struct change *change = take(posted);

		apply(change, change->host);
		free(change);
	}
}

void gc_posted_drop(struct gc_posted *posted)
{
	while (posted->first)
		free(take(posted));
	posted->working = false; /* copies are in use until the operation ends */
	posted->cycle = 0;
}
