// SPDX-License-Identifier: MIT

#include "words.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of jobs whose words the kernel keeps at most: VIVGPU_MAX_CAPTURED_STREAMS */
#define MAX_CAPTURED "64"
/* Streams are shorter than this; more is not to be believed. */
#define MAX_WORDS (1u << 20)

/* Open a file of debugfs, of the first device that has it; NULL, with errno, if that fails. */
static FILE *open_debugfs(const char *name, const char *mode)
{
	char pattern[128];
	FILE *file = NULL;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "/sys/kernel/debug/dri/*/%s", name);
	errno = ENOENT;
	if (glob(pattern, 0, NULL, &found) == 0)
		file = fopen(found.gl_pathv[0], mode);
	globfree(&found);
	return file;
}

bool words_capture(void)
{
	FILE *file = open_debugfs("capture_streams", "w");
	bool done = file && fputs(MAX_CAPTURED "\n", file) >= 0;

	if (file && fclose(file))
		done = false;
	if (!done)
		fprintf(stderr,
			"vivgpu-groups: no words: capture_streams in debugfs: %s (only root may)\n",
			strerror(errno));
	return done;
}

static struct entry *find(struct entry *const *entries, size_t count, uint64_t client, uint32_t job)
{
	for (size_t i = 0; i < count; i++) {
		if (entries[i]->owner.client == client && entries[i]->job == job)
			return entries[i];
	}
	return NULL;
}

/* The words that follow a stream's head in the file; NULL if they are none, too many or not all. */
static uint32_t *read_words(FILE *file, size_t count)
{
	uint32_t *words = count && count <= MAX_WORDS ? malloc(count * sizeof(*words)) : NULL;

	for (size_t i = 0; words && i < count; i++) {
		if (fscanf(file, "%" SCNx32, &words[i]) != 1) {
			free(words);
			return NULL;
		}
	}
	return words;
}

void words_attach(struct entry *const *entries, size_t count)
{
	FILE *file = open_debugfs("streams", "r");
	uint64_t client, cookie;
	uint32_t job;
	size_t words;

	while (file && fscanf(file, " client %" SCNu64 " job %u cookie %" SCNx64 " words %zu",
			      &client, &job, &cookie, &words) == 4) {
		struct entry *entry = find(entries, count, client, job);
		uint32_t *read = read_words(file, words);

		if (!read)
			break;
		if (!entry || entry->words) {
			free(read);
			continue;
		}
		entry->words = read;
		entry->num_words = words;
	}
	if (file)
		fclose(file);
}
