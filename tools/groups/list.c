// SPDX-License-Identifier: MIT

#include "list.h"

#include <stdlib.h>
#include <string.h>

#include "../allocate.h"

/* Group and result have the same one; an entry has one of them at least. */
static uint64_t cookie_of(const struct entry *entry)
{
	return entry->has_group ? entry->group.cookie : entry->result.cookie;
}

static struct entry **bucket_of(struct list *list, uint64_t client, uint64_t cookie)
{
	return &list->buckets[(client * 31 + cookie) % LIST_BUCKETS];
}

/* Append an entry that the caller gives a group or a result with this cookie. */
static struct entry *append(struct list *list, const struct group_owner *owner, uint64_t cookie)
{
	struct entry *entry = allocate(sizeof(*entry));
	struct entry **bucket = bucket_of(list, owner->client, cookie);

	if (list->count == list->size) {
		list->size = list->size ? 2 * list->size : 256;
		list->entries = resize(list->entries, list->size * sizeof(struct entry *));
	}
	list->entries[list->count++] = entry;
	entry->owner = *owner;
	entry->next = *bucket;
	*bucket = entry;
	return entry;
}

struct entry *list_find(struct list *list, uint64_t client, uint64_t cookie)
{
	struct entry *entry = *bucket_of(list, client, cookie);

	while (entry &&
	       (entry->is_event || entry->owner.client != client || cookie_of(entry) != cookie))
		entry = entry->next;
	return entry;
}

void list_add_group(struct list *list, const struct group_owner *owner,
		    const struct vivgpu_group *group, const struct vivgpu_command *commands)
{
	struct entry *entry = list_find(list, owner->client, group->cookie);
	size_t bytes = group->num_commands * sizeof(*commands);

	if (entry && entry->has_group)
		return;
	if (!entry)
		entry = append(list, owner, group->cookie);
	/* A file tells more than the kernel; the client is the same. */
	entry->owner = *owner;
	entry->group = *group;
	entry->commands = allocate(bytes);
	memcpy(entry->commands, commands, bytes);
	entry->stream_bytes = group->stream_bytes;
	entry->job = group->job;
	entry->has_group = true;
}

void list_add_result(struct list *list, const struct group_owner *owner,
		     const struct vivgpu_group_result *result, uint32_t stream_bytes, uint32_t job)
{
	struct entry *entry = list_find(list, owner->client, result->cookie);

	/* The kernel and the program may both tell; the first result stays. */
	if (entry && entry->has_result)
		return;
	if (!entry)
		entry = append(list, owner, result->cookie);
	entry->result = *result;
	entry->has_result = true;
	if (!entry->stream_bytes)
		entry->stream_bytes = stream_bytes;
	if (!entry->job)
		entry->job = job;
}

void list_add_event(struct list *list, const struct group_owner *owner,
		    const struct vivgpu_group_result *result, uint32_t job)
{
	struct entry *entry = append(list, owner, result->cookie);

	entry->result = *result;
	entry->has_result = true;
	entry->is_event = true;
	entry->job = job;
}

static int compare_times(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By their ends; those without a result, which have a group, after all others by their submits. */
static int compare(const void *left, const void *right)
{
	const struct entry *a = *(struct entry *const *)left, *b = *(struct entry *const *)right;
	int order = (int)b->has_result - (int)a->has_result;

	if (!order && !a->has_result)
		return compare_times(a->group.submitted_ns, b->group.submitted_ns);
	if (!order)
		order = compare_times(a->result.finished_ns, b->result.finished_ns);
	if (!order)
		order = compare_times(a->result.started_ns, b->result.started_ns);
	return order;
}

/* Nothing more will be known of the entry: only a monitored process may still write its group. */
static bool is_complete(const struct entry *entry)
{
	return entry->has_result && (entry->has_group || entry->is_event ||
				     entry->owner.unmonitored || !entry->owner.process);
}

static void remove_from_bucket(struct list *list, struct entry *entry)
{
	struct entry **at = bucket_of(list, entry->owner.client, cookie_of(entry));

	while (*at != entry)
		at = &(*at)->next;
	*at = entry->next;
}

size_t list_take(struct list *list, bool all, struct entry ***entries)
{
	size_t taken = 0, left = 0;

	*entries = allocate(list->count * sizeof(struct entry *));
	for (size_t i = 0; i < list->count; i++) {
		struct entry *entry = list->entries[i];

		if (!all && !is_complete(entry)) {
			list->entries[left++] = entry;
			continue;
		}
		remove_from_bucket(list, entry);
		(*entries)[taken++] = entry;
	}
	list->count = left;
	if (taken)
		qsort(*entries, taken, sizeof(struct entry *), compare);
	return taken;
}

void entry_free(struct entry *entry)
{
	if (!entry)
		return;
	free(entry->commands);
	free(entry->words);
	free(entry);
}

void list_free(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		entry_free(list->entries[i]);
	free(list->entries);
	memset(list, 0, sizeof(*list));
}
