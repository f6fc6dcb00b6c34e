/* SPDX-License-Identifier: MIT */
/*
 * The list of groups of all processes: what command monitors wrote to their files, joined by
 * client and cookie with what the kernel or the monitors' results tell of the same jobs.
 */
#ifndef VIVGPU_TOOLS_GROUPS_LIST_H
#define VIVGPU_TOOLS_GROUPS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vivgpu_group.h"

#define PROGRAM_CHARS 32

/** A client of a program or, if process is 0, a client of which only the number is known */
struct group_owner {
	uint32_t process;
	uint64_t client;
	char name[PROGRAM_CHARS];
	/** Process and name are known from the kernel's records only: no file has groups of it */
	bool unmonitored;
};

/**
 * A group, a job that no monitor saw, or a submit without commands. It has a group, a result, or
 * both; client and cookie remain as they are while it is in a list.
 */
struct entry {
	/** Another entry with the same hash */
	struct entry *next;
	struct group_owner owner;
	/** Valid if @has_group; its commands follow */
	struct vivgpu_group group;
	struct vivgpu_command *commands;
	/** Valid if @has_result */
	struct vivgpu_group_result result;
	/** Size of the job's stream, and the job's number; 0 if not known */
	uint32_t stream_bytes, job;
	bool has_group, has_result;
	/** A submit without commands: the kernel's event record */
	bool is_event;
	/** Words of the job's stream, from debugfs (words_attach()); NULL if they are not known */
	uint32_t *words;
	size_t num_words;
};

#define LIST_BUCKETS 4096

/** Zero at first */
struct list {
	struct entry **entries;
	size_t count, size;
	/** By client and cookie */
	struct entry *buckets[LIST_BUCKETS];
};

/**
 * Add a group of a process, to its result if that is in the list; of groups with the same cookie
 * only the first one. Ends the program without memory, as all functions that add.
 */
void list_add_group(struct list *list, const struct group_owner *owner,
		    const struct vivgpu_group *group, const struct vivgpu_command *commands);

/**
 * Add a result, to its group if that is in the list; of results with the same cookie only the first
 * one.
 *
 * @stream_bytes, @job: 0 if not known; those of the group take precedence
 */
void list_add_result(struct list *list, const struct group_owner *owner,
		     const struct vivgpu_group_result *result, uint32_t stream_bytes, uint32_t job);

/** Add a submit without commands. */
void list_add_event(struct list *list, const struct group_owner *owner,
		    const struct vivgpu_group_result *result, uint32_t job);

/** The entry of a job, NULL if there is none. Submits without commands are not found. */
struct entry *list_find(struct list *list, uint64_t client, uint64_t cookie);

/**
 * Take entries out of the list, in the order in which they ended.
 *
 * @all: also entries of which something is missing, those without a result in the order of their
 *       submits after the others; else only those that have a result and, if their client is
 *       monitored, a group
 * @entries: set to the entries, each to be freed with entry_free(), the array with free()
 *
 * Returns: how many
 */
size_t list_take(struct list *list, bool all, struct entry ***entries);

void entry_free(struct entry *entry);
void list_free(struct list *list);

#endif
