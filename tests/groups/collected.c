// SPDX-License-Identifier: MIT
/*
 * collected: a file of groups of a process with two clients and many streams. Each result, which names only the
 * stream, must be added to its group.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <vivgpu_drm.h>

#include "collect.h"
#include "vivgpu_group_builder.h"
#include "vivgpu_group_file.h"

/* The first half is of one client, the second half of another. */
#define STREAMS 200
#define CLIENT_OF(stream) (1 + (stream) / (STREAMS / 2))
#define COOKIE(stream) ((uint64_t)(stream) << 32 | 1)

static void write_groups(struct vivgpu_group_ring *ring)
{
	struct vivgpu_group_builder builder = { .descriptions = &ring->descriptions };

	for (unsigned int i = 0; i < STREAMS; i++) {
		vivgpu_group_next(&builder);
		builder.group.client = CLIENT_OF(i);
		builder.group.cookie = COOKIE(i);
		vivgpu_group_end(&builder, VIVGPU_GROUP_FLUSH, 0, 0);
		vivgpu_group_ring_write(ring, &builder.group, builder.list, builder.used);
	}
	vivgpu_group_builder_fini(&builder);
}

static void write_results(struct vivgpu_group_ring *ring)
{
	for (unsigned int i = 0; i < STREAMS; i++) {
		const struct drm_vivgpu_record record = {
			.size = sizeof(record),
			.type = DRM_VIVGPU_RECORD_JOB,
			.cookie = COOKIE(i),
			.time_ns = 1,
		};

		vivgpu_group_ring_write_records(ring, &record, sizeof(record), 1);
	}
}

/* Collect the file, and count the groups that have a result and are of the right client. */
static unsigned int collect(const char *folder)
{
	struct collector *collector = collector_create(folder, false, false);
	struct list list = { 0 };
	struct entry **entries;
	unsigned int whole = 0;
	size_t count;

	collector_poll(collector, &list, true);
	count = list_take(&list, true, &entries);
	for (size_t i = 0; i < count; i++) {
		const struct entry *entry = entries[i];

		whole += entry->has_group && entry->has_result &&
			 entry->owner.client == CLIENT_OF(entry->group.cookie >> 32);
		entry_free(entries[i]);
	}
	free(entries);
	list_free(&list);
	collector_destroy(collector);
	printf("%u of %zu entries have group and result\n", whole, count);
	return whole == count ? whole : 0;
}

int main(void)
{
	char folder[] = "/tmp/collected-XXXXXX", path[64];
	struct vivgpu_group_file file;
	const char *error;
	bool right;

	if (!mkdtemp(folder) ||
	    vivgpu_group_file_create(&file, folder, VIVGPU_GROUP_FILE_RING, &error))
		return 2;
	write_groups(&file.ring);
	write_results(&file.ring);
	right = collect(folder) == STREAMS;
	vivgpu_group_file_close(&file);
	snprintf(path, sizeof(path), "%s/%d" VIVGPU_GROUP_FILE_END, folder, getpid());
	unlink(path);
	rmdir(folder);
	printf("%d passed, %d failed, 0 skipped\n", right, !right);
	return !right;
}
