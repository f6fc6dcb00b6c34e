/* SPDX-License-Identifier: MIT */
/* Doubly linked lists with the kernel's names. */
#ifndef SHIM_LINUX_LIST_H
#define SHIM_LINUX_LIST_H

#include <linux/types.h>

struct list_head {
	struct list_head *next;
	struct list_head *prev;
};

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

#define list_entry_of(at, entry, member) \
	((__typeof__(*(entry)) *)((char *)(at) - offsetof(__typeof__(*(entry)), member)))

#define list_for_each_entry(entry, head, member)                                               \
	for ((entry) = list_entry_of((head)->next, entry, member); &(entry)->member != (head); \
	     (entry) = list_entry_of((entry)->member.next, entry, member))

#define list_first_entry(head, type, member) container_of((head)->next, type, member)

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline bool list_is_first(const struct list_head *entry, const struct list_head *head)
{
	return entry->prev == head;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	entry->prev = head->prev;
	entry->next = head;
	head->prev->next = entry;
	head->prev = entry;
}

static inline void list_del_init(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	INIT_LIST_HEAD(entry);
}

static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	list_del_init(entry);
	list_add_tail(entry, head);
}

#endif
